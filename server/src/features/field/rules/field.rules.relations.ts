/** Relations from one figure to others: the allowed targets. Rule 41 of ../README.md. */
import type { Figure, Relation } from '@fieldroom/contract/field';
import { Problem } from '../../../platform/problem.ts';
import type { FieldState } from './field.rules.commands.ts';

/**
 * A relation leads to another figure of this field. An existing one may stay even if its other figure was removed.
 * Takes the figure (null for a new one), and its future relations.
 */
export function checkRelations(state: FieldState, figure: Figure | null, asked: readonly Relation[] | undefined): void {
  if (!asked) return;
  const kept = new Set(figure?.relations.map(({ to }) => to));
  for (const [index, { to }] of asked.entries()) {
    if (to === figure?.id)
      throw new Problem('invalid_input', { fields: [{ path: `relations.${index}.to`, code: 'itself' }] });
    if (!state.figures.has(to) && !kept.has(to)) throw new Problem('not_found');
  }
}

/** Relations of figures that are added together: from positions in their list to their new ids. */
export const relationsOfNew = (relations: readonly Relation[], newIds: readonly number[]): Relation[] =>
  relations.flatMap(({ to, ...look }) => (newIds[to] === undefined ? [] : [{ to: newIds[to], ...look }]));
