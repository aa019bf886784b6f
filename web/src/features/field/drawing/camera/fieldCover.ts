/**
 * What lies over the field: its tools, and news and questions for a while. Names keep away from there, and a view of
 * the figures makes room for some of it (docs/product.md#5.21, #5.24).
 */
import { clearBeside } from './views.ts';
import type { Point, Size } from '../geometry.ts';
import type { Box } from '../../names/boxes.ts';

interface Options {
  root: () => HTMLElement | null;
  /**
   * Takes all places, px from the field's corner, and the part of the field that a view of the figures has, null for
   * all of it. `cameOrWent` tells whether something came or went, and did not only change its place.
   */
  onChange: (boxes: readonly Box[], clear: (Point & Size) | null, cameOrWent: boolean) => void;
}

export type FieldCover = ReturnType<typeof createFieldCover>;

interface Kept {
  /** How far names stay away, px. */
  away: number;
  /** Whether a view of the figures makes room for it. */
  fitBeside: boolean;
  /** What it stands in: it moves when that changes, too. */
  place: Element | null;
}

/**
 * Watches elements over the field: they move with their own size, with what they stand in, and with the field's size.
 */
export function createFieldCover({ root, onChange }: Options) {
  const elements = new Map<Element, Kept>();
  let observer: ResizeObserver | null = null;

  function look(cameOrWent: boolean) {
    const box = root()?.getBoundingClientRect();
    if (!box) return;
    const boxes: Box[] = [];
    const besides: Box[] = [];
    for (const [element, { away, fitBeside }] of elements) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      // What is not shown has no size.
      if (right <= left) continue;
      const place = {
        left: left - box.left - away,
        top: top - box.top - away,
        right: right - box.left + away,
        bottom: bottom - box.top + away,
      };
      boxes.push(place);
      if (fitBeside) besides.push(place);
    }
    onChange(boxes, clearBeside({ width: box.width, height: box.height }, besides), cameOrWent);
  }

  const isWatched = (place: Element) =>
    place === root() || elements.has(place) || [...elements.values()].some((kept) => kept.place === place);

  return {
    /** Takes an element that lies over the field, until the returned function is called. */
    add(element: Element, { away = 0, fitBeside = false }: Partial<Omit<Kept, 'place'>> = {}): () => void {
      const field = root();
      if (!observer && field) {
        observer = new ResizeObserver(() => look(false));
        observer.observe(field);
      }
      const place = element.parentElement;
      elements.set(element, { away, fitBeside, place });
      observer?.observe(element);
      if (place) observer?.observe(place);
      look(true);
      return () => {
        elements.delete(element);
        observer?.unobserve(element);
        if (place && !isWatched(place)) observer?.unobserve(place);
        look(true);
      };
    },
    stop() {
      observer?.disconnect();
      observer = null;
    },
  };
}
