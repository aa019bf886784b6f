/** Who stands in a figure's sight (docs/product.md#5.36). Pure. */
import { FIELD_HEIGHT, FIELD_WIDTH } from '@fieldroom/contract/field';
import { directionOf, shortestTurn, type Point } from '../drawing/geometry.ts';

/** How wide a figure sees, in degrees, half of it to each side of its front. */
export const SIGHT_DEGREES = 120;
/** The field's diagonal: nothing on the field is farther away. */
export const SIGHT_REACH = Math.hypot(FIELD_WIDTH, FIELD_HEIGHT);

interface Seeing extends Point {
  id: number;
  rotation: number;
}

export interface InSight {
  id: number;
  /** Field units from middle to middle, and thirds of the diagonal. */
  distance: number;
  range: 'near' | 'middle' | 'far';
  /** Thirds of the sight. */
  side: 'left' | 'ahead' | 'right';
}

/**
 * Takes a figure and the figures of its field. Returns those in its sight, from near to far; of two that are equally
 * far the older one first. A figure on the same spot is ahead.
 */
export function inSight(from: Seeing, figures: readonly (Point & { id: number })[]): InSight[] {
  return figures
    .flatMap(({ id, x, y }): InSight[] => {
      if (id === from.id) return [];
      const distance = Math.hypot(x - from.x, y - from.y);
      const turn = distance === 0 ? 0 : shortestTurn(from.rotation, directionOf(x - from.x, y - from.y));
      if (Math.abs(turn) > SIGHT_DEGREES / 2) return [];
      const side = Math.abs(turn) <= SIGHT_DEGREES / 6 ? 'ahead' : turn < 0 ? 'left' : 'right';
      return [{ id, distance, range: rangeOf(distance), side }];
    })
    .sort((a, b) => a.distance - b.distance || a.id - b.id);
}

function rangeOf(distance: number): InSight['range'] {
  if (distance <= SIGHT_REACH / 3) return 'near';
  return distance <= (SIGHT_REACH * 2) / 3 ? 'middle' : 'far';
}

/** The wedge that a figure at 0,0 sees when it looks up, as path data in field units. */
export const SIGHT_PATH = (() => {
  const half = (SIGHT_DEGREES / 2 / 180) * Math.PI;
  const [x, y] = [Math.round(SIGHT_REACH * Math.sin(half)), Math.round(SIGHT_REACH * Math.cos(half))];
  const reach = Math.ceil(SIGHT_REACH);
  return `M0 0L${-x} ${-y}A${reach} ${reach} 0 0 1 ${x} ${-y}Z`;
})();
