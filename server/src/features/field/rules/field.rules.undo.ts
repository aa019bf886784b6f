/** Undo: the changes of an act are reverted unless somebody has changed them since. Rules 8 and 10 of ../README.md. */
import { sameValue } from '@fieldroom/contract/field';
import { Problem } from '../../../platform/problem.ts';
import type { ActTrace } from '../field.tables.ts';
import type { FieldState, Making } from './field.rules.commands.ts';
import type { Decision, FigureStep, RoleWish } from './field.rules.decision.ts';
import { checkFigureCount, differences } from './field.rules.figures.ts';
import { holdOf, rolesOfFigure } from './field.rules.roles.ts';

/**
 * Undoes the changes of a trace if the state is still as the trace left it; otherwise `changed_since`, and nothing
 * changes.
 */
export function undoAct(state: FieldState, trace: ActTrace, making: Making): Decision {
  const figures: FigureStep[] = [];
  for (const { id, before, after } of trace.figures) {
    const current = state.figures.get(id) ?? null;
    if (before && after) {
      const touched = differences(before, after);
      if (!current || touched.some((property) => !sameValue(current[property], after[property])))
        throw new Problem('changed_since');
      const restored = {
        ...current,
        ...Object.fromEntries(touched.map((property) => [property, before[property]])),
        updatedOn: making.revision,
      };
      if (restored.iconId !== null && !state.icons.has(restored.iconId)) throw new Problem('changed_since');
      if (touched.length > 0) figures.push({ id, before: current, after: restored });
    } else if (after) {
      // If others painted something below or above it, the figure itself has not changed.
      if (!current || differences(current, after).some((property) => property !== 'order'))
        throw new Problem('changed_since');
      const given = rolesOfFigure(state, id).some(
        (role) => !trace.roles.some((traced) => traced.figureId === id && traced.clientId === role.clientId),
      );
      if (given) throw new Problem('changed_since');
      figures.push({ id, before: current, after: null });
    } else if (before) {
      if (current || (before.iconId !== null && !state.icons.has(before.iconId))) throw new Problem('changed_since');
      figures.push({ id, before: null, after: { ...before, updatedOn: making.revision } });
    }
  }
  const grown = figures.filter((step) => !step.before).length - figures.filter((step) => !step.after).length;
  if (grown > 0) checkFigureCount(state.figures.size + grown);

  let hands: Decision['hands'] = null;
  if (trace.hands) {
    if (state.handsAllowed !== trace.hands.after) throw new Problem('changed_since');
    hands = { before: trace.hands.after, after: trace.hands.before };
  }

  const roles: RoleWish[] = [];
  for (const { clientId, figureId, before, after } of trace.roles) {
    if (holdOf(state, clientId, figureId) !== after) throw new Problem('changed_since');
    // A client who has left gets nothing back and loses nothing.
    if (state.present.has(clientId)) roles.push({ clientId, figureId, to: before });
  }
  const touchedAnything = trace.figures.length > 0 || trace.roles.length > 0 || trace.hands !== undefined;
  if (touchedAnything && figures.length === 0 && roles.length === 0 && !hands) throw new Problem('changed_since');
  return { figures, hands, roles };
}
