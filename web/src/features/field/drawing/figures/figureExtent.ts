/** How much of the field a figure needs: its circle, and its name below. */
import { boundingRadius } from '../../../../ui/figures/index.ts';
import { type NameExtent, nameExtent } from '../../names/nameText.ts';
import type { FigureOnField } from '../fieldViewTypes.ts';
import { type Reach, reachOf } from './reach.ts';

/** Radius of the circle around a figure, in units of its 100 × 100 box. */
export const radiusOf = (figure: FigureOnField) => boundingRadius(figure.iconType, figure.iconWidth, figure.iconHeight);

const names = new WeakMap<FigureOnField, { extent: NameExtent | null }>();
/** How much the name of a figure needs, null for none; measured once for each look of a figure. */
export function nameOf(figure: FigureOnField): NameExtent | null {
  let name = names.get(figure);
  if (!name) names.set(figure, (name = { extent: nameExtent(figure.caption) }));
  return name.extent;
}

/** What a figure with its name needs of the field, also while its name is not shown. */
export const reachOn = (figure: FigureOnField, scale: number): Reach =>
  reachOf(radiusOf(figure), scale, nameOf(figure));
