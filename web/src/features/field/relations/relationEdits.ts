/** Changes to the relations of one figure. Pure. */
import { type Relation, RELATIONS_MAX } from '@fieldroom/contract/field';

/**
 * Adds a relation, or replaces the one to the same figure. Takes the existing figures: a relation to a removed figure
 * is dropped if there would be too many.
 */
export function withRelation(
  relations: readonly Relation[],
  relation: Relation,
  here: ReadonlySet<number>,
): readonly Relation[] {
  if (relations.some(({ to }) => to === relation.to))
    return relations.map((one) => (one.to === relation.to ? relation : one));
  const next = [...relations, relation];
  return next.length <= RELATIONS_MAX ? next : next.filter(({ to }) => here.has(to));
}

/** Removes the relation to a figure. */
export const withoutRelation = (relations: readonly Relation[], figureId: number): readonly Relation[] =>
  relations.filter(({ to }) => to !== figureId);
