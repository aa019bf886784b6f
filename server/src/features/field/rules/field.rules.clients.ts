/**
 * What a client may do on the field. Every command that is not named here is only for the therapist. Rules 5, 9 and 14
 * of ../README.md.
 */
import { mayMove, sameValue, type Figure } from '@fieldroom/contract/field';
import { Problem } from '../../../platform/problem.ts';
import type { ActTrace } from '../field.tables.ts';
import type { Command, FieldState } from './field.rules.commands.ts';
import { PROPERTIES, differences, getFigure, type Property } from './field.rules.figures.ts';
import { holdOf } from './field.rules.roles.ts';

/** What a client may change on a figure that they may move. */
const PLACE: ReadonlySet<Property> = new Set<Property>(['x', 'y', 'rotation', 'scale']);

/**
 * Refuses a command that this client may not give. Problems: `forbidden`, `figure_not_yours`, `hands_stopped`,
 * `changed_since`, `not_found`.
 */
export function checkClient(state: FieldState, clientId: number, command: Command): void {
  switch (command.kind) {
    case 'place':
      return checkMove(state, clientId, getFigure(state, command.figureId));
    case 'save': {
      const standing = getFigure(state, command.figureId);
      checkMove(state, clientId, standing);
      // Programs send the whole figure: current values may be named, but not changed.
      for (const property of PROPERTIES) {
        const asked = command.input[property];
        if (!PLACE.has(property) && asked !== undefined && !sameValue(asked, standing[property]))
          throw new Problem('forbidden');
      }
      return;
    }
    case 'toggleText': {
      getFigure(state, command.figureId);
      if (holdOf(state, clientId, command.figureId) === 'none') throw new Problem('figure_not_yours');
      return;
    }
    case 'activeRole': {
      if (command.clientId !== clientId) throw new Problem('forbidden');
      return;
    }
    case 'undo':
      return checkClientUndo(state, clientId, command.trace);
    default:
      throw new Problem('forbidden');
  }
}

function checkMove(state: FieldState, clientId: number, figure: Figure): void {
  const roles = state.roles.filter((role) => role.clientId === clientId).map((role) => role.figureId);
  if (mayMove({ as: 'client', roles }, figure, state.handsAllowed)) return;
  throw new Problem(mayMove({ as: 'client', roles }, figure, true) ? 'hands_stopped' : 'figure_not_yours');
}

/** A client can undo only what they may still do. */
function checkClientUndo(state: FieldState, clientId: number, trace: ActTrace): void {
  if (trace.hands) throw new Problem('forbidden');
  for (const { id, before, after } of trace.figures) {
    if (!before || !after) throw new Problem('forbidden');
    const figure = state.figures.get(id);
    if (!figure) throw new Problem('changed_since');
    for (const property of differences(before, after)) {
      if (PLACE.has(property)) checkMove(state, clientId, figure);
      else if (property !== 'showText') throw new Problem('forbidden');
      else if (holdOf(state, clientId, id) === 'none') throw new Problem('figure_not_yours');
    }
  }
  for (const role of trace.roles) {
    // Clients make their own roles active, but cannot give or take roles.
    if (role.clientId !== clientId || role.before === 'none' || role.after === 'none') throw new Problem('forbidden');
  }
}
