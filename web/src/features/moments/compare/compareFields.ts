/** In what two fields differ, figure by figure. Pure. */
import { type Figure, type Relation, sameRelations } from '@fieldroom/contract/field';
import { type MoveStep, stepsOf } from '@fieldroom/contract/moments';

export interface Difference {
  /** From 1 on; the same in both pictures and in the list. */
  number: number;
  figureId: number;
  /** The figure in each field; null where it is not there. At least one is. */
  one: Figure | null;
  other: Figure | null;
  step: MoveStep;
}

/**
 * Compares two fields. Returns what differs in the order of painting, figures of the first one first. The order of
 * painting itself is not counted: it shows only where figures lie on each other.
 */
export function compareFields(one: readonly Figure[], other: readonly Figure[]): Difference[] {
  const others = new Map(other.map((figure) => [figure.id, figure]));
  const ones = new Set(one.map(({ id }) => id));
  const pairs = [
    ...one.map((figure) => ({ id: figure.id, before: figure, after: others.get(figure.id) ?? null })),
    ...other.filter(({ id }) => !ones.has(id)).map((figure) => ({ id: figure.id, before: null, after: figure })),
  ];
  return pairs
    .flatMap(({ id, before, after }) => {
      const alike = before && after ? { ...after, order: before.order } : after;
      return stepsOf([{ id, before, after: alike }]).map((step) => ({ figureId: id, one: before, other: after, step }));
    })
    .map((difference, index) => ({ number: index + 1, ...difference }));
}

/** What happened to a relation from one field to the other. */
export type RelationDifference =
  | { kind: 'added' | 'removed'; relation: Relation }
  | { kind: 'changed'; relation: Relation; before: Relation };

/** In what the relations of one figure differ: those that are there now first. */
export function compareRelations(one: readonly Relation[], other: readonly Relation[]): RelationDifference[] {
  const before = new Map(one.map((relation) => [relation.to, relation]));
  const now = new Set(other.map(({ to }) => to));
  return [
    ...other.flatMap((relation): RelationDifference[] => {
      const was = before.get(relation.to);
      if (!was) return [{ kind: 'added', relation }];
      return sameRelations([was], [relation]) ? [] : [{ kind: 'changed', relation, before: was }];
    }),
    ...one.flatMap((relation): RelationDifference[] => (now.has(relation.to) ? [] : [{ kind: 'removed', relation }])),
  ];
}
