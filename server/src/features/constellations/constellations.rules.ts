/** The part of a field that is kept, and when two names are equal. Pure. */
import { type ConstellationFigure, KEPT_OF_FIGURE } from '@fieldroom/contract/constellations';
import type { Figure, Relation } from '@fieldroom/contract/field';

/** The form in which two names are equal: `STRASSE`, `STRAẞE` and `Straße` are one. */
export const keyOf = (name: string): string => name.toLowerCase().toUpperCase().normalize('NFC');

/** Everything that is kept of a field; what the contract does not name is not kept. */
export function keptOf(figures: readonly Figure[]): ConstellationFigure[] {
  const places = new Map(figures.map(({ id }, index) => [id, index]));
  return figures.map((figure) => ({ ...lookOf(figure), relations: keptRelations(figure.relations, places) }));
}

/** The relations that lead to kept figures. Takes the position of each figure in the list. */
const keptRelations = (relations: readonly Relation[], places: ReadonlyMap<number, number>): Relation[] =>
  relations.flatMap(({ to, ...look }) => {
    const place = places.get(to);
    return place === undefined ? [] : [{ to: place, ...look }];
  });

const KEPT = Object.keys(KEPT_OF_FIGURE) as (keyof typeof KEPT_OF_FIGURE)[];
const lookOf = (figure: Figure) =>
  Object.fromEntries(KEPT.map((property) => [property, figure[property]])) as Omit<ConstellationFigure, 'relations'>;
