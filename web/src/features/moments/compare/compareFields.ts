/** The visible differences between two fields, figure by figure. Pure. */
import { type Figure, type Relation, sameRelations } from '@fieldroom/contract/field';
import { type MoveStep, stepsOf } from '@fieldroom/contract/moments';

export interface Difference {
  /** From 1 on; the same in both pictures and in the list. */
  number: number;
  figureId: number;
  /** The figure in each field; null if it is not there. At least one is. */
  one: Figure | null;
  other: Figure | null;
  step: MoveStep;
  relations: readonly RelationDifference[];
}

/** The change of a relation from one field to the other; `from` is the figure at which it starts. */
export type RelationDifference = { from: number; relation: Relation } & (
  | { kind: 'added' | 'removed' | 'recoloured' }
  | { kind: 'changed'; before: Relation }
);

/**
 * Compares two fields. Returns the differences in painting order, figures of the first one first. Neither the painting
 * order nor the order of relations counts: the former is visible only where figures overlap, the latter never. A
 * relation that appears or disappears with one of its figures belongs to that figure, so no other figure differs for
 * it.
 */
export function compareFields(one: readonly Figure[], other: readonly Figure[]): Difference[] {
  const ones = new Map(one.map((figure) => [figure.id, figure]));
  const others = new Map(other.map((figure) => [figure.id, figure]));
  const inBoth = (id: number) => ones.has(id) && others.has(id);
  /** Only with the relations that both fields can show. */
  const comparable = (figure: Figure): Figure => ({
    ...figure,
    relations: figure.relations.filter(({ to }) => inBoth(to)).toSorted((a, b) => a.to - b.to),
  });
  /** The relations that are visible only because this figure is there. */
  const broughtBy = (figure: Figure, kind: 'added' | 'removed'): RelationDifference[] => {
    const field = kind === 'added' ? others : ones;
    const start = figure.relations.filter(({ to }) => field.has(to)).map((relation) => ({ from: figure.id, relation }));
    const end = [...field.values()]
      .filter(({ id }) => inBoth(id))
      .flatMap(({ id: from, relations }) =>
        relations.filter(({ to }) => to === figure.id).map((relation) => ({ from, relation })),
      );
    return [...start, ...end].map((found) => ({ kind, ...found }));
  };
  return [...ones.values(), ...other.filter(({ id }) => !ones.has(id))]
    .flatMap(({ id: figureId }) => {
      const [before, after] = [ones.get(figureId) ?? null, others.get(figureId) ?? null];
      const [was, is] = [before && comparable(before), after && comparable(after)];
      const alike = was && is ? { ...is, order: was.order } : is;
      const relations =
        was && is
          ? compareRelations(figureId, was.relations, is.relations)
          : [...(before ? broughtBy(before, 'removed') : []), ...(after ? broughtBy(after, 'added') : [])];
      return stepsOf([{ id: figureId, before: was, after: alike }]).map((step) => ({
        figureId,
        one: before,
        other: after,
        step,
        relations,
      }));
    })
    .map((difference, index) => ({ number: index + 1, ...difference }));
}

/** The differences in the relations of one figure: present ones first. */
function compareRelations(from: number, one: readonly Relation[], other: readonly Relation[]): RelationDifference[] {
  const before = new Map(one.map((relation) => [relation.to, relation]));
  const now = new Set(other.map(({ to }) => to));
  return [
    ...other.flatMap((relation): RelationDifference[] => {
      const was = before.get(relation.to);
      if (!was) return [{ kind: 'added', from, relation }];
      if (sameRelations([was], [relation])) return [];
      const sameLook = was.kind === relation.kind && was.word === relation.word;
      return [sameLook ? { kind: 'recoloured', from, relation } : { kind: 'changed', from, relation, before: was }];
    }),
    ...one.flatMap((relation): RelationDifference[] =>
      now.has(relation.to) ? [] : [{ kind: 'removed', from, relation }],
    ),
  ];
}
