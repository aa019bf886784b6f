/** Where a figure may be: it and its name stay within the field for everybody. */
import { SCALE_MAX, SCALE_MIN, normalizeRotation } from '@fieldroom/contract/field';
import { clamp, FIELD_HEIGHT, FIELD_WIDTH, type Place, round1, UNITS_PER_BOX, within } from '../geometry.ts';
import { NAME_SIZE, type NameExtent, nameHeight } from '../../names/nameText.ts';

/** Names are measured at this zoom for the limits of a drag: about as a desktop shows the whole field. */
const EDGE_ZOOM = 0.6;

/** The extent of a figure around its middle, in field units. */
export interface Reach {
  side: number;
  above: number;
  below: number;
}
const NO_REACH: Reach = { side: 0, above: 0, below: 0 };

/**
 * The extent of a figure with its name, which a drag keeps within the field. A name has the same size in px on each
 * screen, so it is measured at one zoom: the field has the same limits for everybody.
 * @param radius radius of the circle around the figure in box units, see boundingRadius of the figures
 */
export function reachOf(radius: number, scale: number, name: NameExtent | null): Reach {
  const around = radius * UNITS_PER_BOX * scale;
  if (name === null) return { side: around, above: around, below: around };
  return {
    side: Math.max(around, (name.width * NAME_SIZE) / 2 / EDGE_ZOOM),
    above: around,
    below: around + nameHeight(name, NAME_SIZE) / EDGE_ZOOM,
  };
}

/** The nearest place that the field allows, rounded as it is sent (scale to hundredths). */
export function allowedPlace(place: Place, reach: Reach = NO_REACH): Place {
  return {
    x: round1(within(place.x, reach.side, FIELD_WIDTH - reach.side)),
    y: round1(within(place.y, reach.above, FIELD_HEIGHT - reach.below)),
    rotation: normalizeRotation(place.rotation),
    scale: Math.round(clamp(place.scale, SCALE_MIN, SCALE_MAX) * 100) / 100,
  };
}
