/** The space that a figure needs on the field: its circle, and its name below. */
import { boundingRadius } from '../../../../ui/figures/index.ts';
import { type NameExtent, nameExtent } from '../../names/nameText.ts';
import type { FigureOnField } from '../fieldViewTypes.ts';
import { type Reach, reachOf } from './reach.ts';

/** Radius of the circle around a figure, in units of its 100 × 100 box. */
export const radiusOf = (figure: FigureOnField) => boundingRadius(figure.iconType, figure.iconWidth, figure.iconHeight);

const names = new WeakMap<FigureOnField, { extent: NameExtent | null }>();
/** The space that the name of a figure needs, null for no name; measured once for each look of a figure. */
export function nameOf(figure: FigureOnField): NameExtent | null {
  let name = names.get(figure);
  if (!name) names.set(figure, (name = { extent: nameExtent(figure.caption) }));
  return name.extent;
}

/** The space that a figure with its name needs on the field, even while its name is hidden. */
export const reachOn = (figure: FigureOnField, scale: number): Reach =>
  reachOf(radiusOf(figure), scale, nameOf(figure));
