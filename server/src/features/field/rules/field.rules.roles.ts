/** Roles: which client holds which figure's role, and how a role is given, taken and made the active one. */
import { Problem } from '../../../platform/problem.ts';
import type { FieldState, RoleHeld } from './field.rules.commands.ts';
import { rolesOnly, type Decision, type RoleStep } from './field.rules.decision.ts';
import { getFigure } from './field.rules.figures.ts';

type RoleKey = Pick<RoleHeld, 'clientId' | 'figureId'>;

/** How a client holds the role of a figure. */
export function holdOf(state: Pick<FieldState, 'roles'>, clientId: number, figureId: number): RoleStep['after'] {
  const role = state.roles.find((one) => one.clientId === clientId && one.figureId === figureId);
  return !role ? 'none' : role.active ? 'active' : 'held';
}

/** All roles of a figure, also of clients who have gone. */
export const rolesOfFigure = (state: FieldState, figureId: number) =>
  state.roles.filter((role) => role.figureId === figureId);

/** The client and the figure of a role. */
export const roleKey = ({ clientId, figureId }: RoleHeld): RoleKey => ({ clientId, figureId });

/** Gives a client in the room the role of a figure. Problem: `not_found`. */
export function giveRole(state: FieldState, { clientId, figureId }: RoleKey): Decision {
  if (!state.present.has(clientId)) throw new Problem('not_found');
  getFigure(state, figureId);
  return rolesOnly(holdOf(state, clientId, figureId) === 'none' ? [{ clientId, figureId, to: 'held' }] : []);
}

/** Takes the role of a figure from a client, also from one who has gone. Problem: `not_found`. */
export function takeRole(state: FieldState, { clientId, figureId }: RoleKey): Decision {
  getFigure(state, figureId);
  const hold = holdOf(state, clientId, figureId);
  if (hold === 'none' && !state.present.has(clientId)) throw new Problem('not_found');
  return rolesOnly(hold === 'none' ? [] : [{ clientId, figureId, to: 'none' }]);
}

/** Makes one of a client's roles the active one; null: none of them. Problems: `not_found`, `role_not_held`. */
export function setActiveRole(
  state: FieldState,
  { clientId, figureId }: { readonly clientId: number; readonly figureId: number | null },
): Decision {
  if (!state.present.has(clientId)) throw new Problem('not_found');
  if (figureId === null) {
    return rolesOnly(
      state.roles
        .filter((role) => role.clientId === clientId && role.active)
        .map((role) => ({ ...roleKey(role), to: 'held' })),
    );
  }
  const hold = holdOf(state, clientId, figureId);
  if (hold === 'none') throw new Problem('role_not_held');
  return rolesOnly(hold === 'active' ? [] : [{ clientId, figureId, to: 'active' }]);
}
