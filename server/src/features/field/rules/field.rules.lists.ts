/**
 * Commands that replace the whole list of figures: `saveAll`, and `replaceFigures` with something that the server kept.
 * Rules 12, 13, 39 and 40 of ../README.md.
 */
import { withStandIn, type Figure } from '@fieldroom/contract/field';
import { Problem } from '../../../platform/problem.ts';
import type { Command, FieldState, Making } from './field.rules.commands.ts';
import type { Decision, FigureStep, RoleWish } from './field.rules.decision.ts';
import { changeFigure, checkFigureCount, getFigure, newFigure, withIcon } from './field.rules.figures.ts';
import { nextOrder } from './field.rules.order.ts';
import { checkRelations, relationsOfNew } from './field.rules.relations.ts';
import { roleKey } from './field.rules.roles.ts';

/**
 * The field becomes the list: figures without id are added, those that it does not name are removed. Problems:
 * `list_outdated`, `field_full`, `invalid_input`, `not_found`.
 */
export function saveAll(
  state: FieldState,
  { list, relations, fromReset, stamp }: Extract<Command, { kind: 'saveAll' }>,
  making: Making,
): Decision {
  // The stamp names a state of the whole field: everything that came after it, also a removal, would be lost silently.
  if (stamp !== null) {
    if (making.standing > stamp) throw new Problem('list_outdated');
  } else {
    const newest = list.reduce((most, one) => Math.max(most, one.updatedOn ?? 0), 0);
    for (const figure of state.figures.values()) if (figure.updatedOn > newest) throw new Problem('list_outdated');
  }
  checkFigureCount(list.length);
  const named = new Set<number>();
  const steps: FigureStep[] = [];
  let order = nextOrder(state);
  let made = 0;
  for (const [index, input] of list.entries()) {
    const { id, updatedOn: _, ...properties } = input;
    if (fromReset) properties.showText = true;
    if (id === undefined) {
      const newId = making.newIds[made++]!;
      checkRelations(state, null, properties.relations);
      if (relations) properties.relations = relationsOfNew(relations[index] ?? [], making.newIds);
      steps.push({ id: newId, before: null, after: newFigure(state, properties, newId, order++, making.revision) });
      continue;
    }
    if (named.has(id)) throw new Problem('invalid_input', { fields: [{ path: `${index}.id`, code: 'double' }] });
    named.add(id);
    const before = getFigure(state, id);
    checkRelations(state, before, properties.relations);
    steps.push(...changeFigure(state, id, withIcon(state, before, properties), making).figures);
  }
  const roles: RoleWish[] = [];
  for (const before of state.figures.values()) {
    if (!named.has(before.id)) steps.push({ id: before.id, before, after: null });
  }
  for (const role of state.roles) {
    // The role of a client who is not in the room goes with its figure's row.
    if (state.present.has(role.clientId) && (fromReset || !named.has(role.figureId)))
      roles.push({ ...roleKey(role), to: 'none' });
  }
  return { figures: steps, hands: null, roles };
}

/**
 * The field becomes `figures`: existing ones get all their properties, removed ones come back under their ids, and all
 * others are removed with their roles. A client who has the role of a figure that stays keeps it.
 */
export function replaceFigures(state: FieldState, figures: readonly Figure[], making: Making): Decision {
  checkFigureCount(figures.length);
  const wanted = new Map(figures.map((one) => [one.id, withStandIn(one, state.icons)]));
  const steps: FigureStep[] = [];
  const roles: RoleWish[] = [];
  for (const after of wanted.values()) {
    if (state.figures.has(after.id)) steps.push(...changeFigure(state, after.id, after, making).figures);
    else steps.push({ id: after.id, before: null, after: { ...after, updatedOn: making.revision } });
  }
  for (const before of state.figures.values()) {
    if (!wanted.has(before.id)) steps.push({ id: before.id, before, after: null });
  }
  for (const role of state.roles) {
    if (state.present.has(role.clientId) && !wanted.has(role.figureId)) roles.push({ ...roleKey(role), to: 'none' });
  }
  return { figures: steps, hands: null, roles };
}
