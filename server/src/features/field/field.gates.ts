/**
 * Gates of the rules that concern figures and icons. The service decides again inside the act's transaction.
 */
import { Problem } from '../../platform/problem.ts';
import type { AccessValues, Account, Gate, Principal, RoomAccess } from '../../access.ts';

type Ours = 'figureMover' | 'roleHolder' | 'iconOwner';
export type FieldGates = { readonly [A in Ours]: Gate<AccessValues[A]> };

function therapist(principal: Principal | null): Account {
  if (principal === null) throw new Problem('not_signed_in');
  if (principal.kind !== 'account' || !principal.roles.includes('ROLE_THERAPIST')) throw new Problem('forbidden');
  return principal;
}

/**
 * The room of the sign-in: a therapist's, or the one a client is in. The figure is checked when its row is locked.
 */
function ownRoom(principal: Principal | null): RoomAccess {
  if (principal?.kind !== 'client') {
    const { id } = therapist(principal);
    return { as: 'therapist', therapistId: id, personId: id };
  }
  if (principal.state !== 'in') throw new Problem('not_admitted');
  return { as: 'client', therapistId: principal.therapistId, personId: principal.id, name: principal.name };
}

/**
 * The gates, by the names of the contract's access rules. A client may name figures of their room; the service refuses
 * all others.
 */
export const gates: FieldGates = {
  figureMover: ({ principal, body }) => {
    const access = ownRoom(principal);
    // Without an id it would be a new figure.
    if (access.as === 'client' && (body as { id?: number }).id === undefined) throw new Problem('forbidden');
    return access;
  },
  roleHolder: ({ principal }) => ownRoom(principal),
  // Only the therapist's own rows are searched: a foreign id gets the same answer as an unknown one.
  iconOwner: ({ principal }) => therapist(principal),
};
