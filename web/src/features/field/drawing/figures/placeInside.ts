/** A separate module, so that the tools of a figure do not load all of the drawing. */
import { type FigureKind, boundingRadius } from '../../../../ui/figures/index.ts';
import type { Place } from '../geometry.ts';
import { allowedPlace, reachOf } from './reach.ts';
import { nameExtent } from '../../names/nameText.ts';

interface Look {
  kind: FigureKind;
  /** Stored size of an own icon, px. */
  width?: number;
  height?: number;
  caption: string;
}

/** The nearest place where a figure and its name are within the field, for a size that was not given by a drag. */
export function placeInside(place: Place, { kind, width, height, caption }: Look): Place {
  return allowedPlace(place, reachOf(boundingRadius(kind, width, height), place.scale, nameExtent(caption)));
}
