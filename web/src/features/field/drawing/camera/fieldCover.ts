/**
 * Elements over the field: its tools, and temporary notices and questions. Names keep away from them, and a view of the
 * figures makes room for some of them (docs/product.md#5.21, #5.24).
 */
import { clearBeside } from './views.ts';
import type { Point, Size } from '../geometry.ts';
import type { Box } from '../../names/boxes.ts';

interface Options {
  root: () => HTMLElement | null;
  /**
   * Takes all their boxes, px from the field's corner, and the part of the field that a view of the figures may use,
   * null for all of it. `cameOrWent` reports whether an element was added or removed, and did not only move.
   */
  onChange: (boxes: readonly Box[], clear: (Point & Size) | null, cameOrWent: boolean) => void;
}

export type FieldCover = ReturnType<typeof createFieldCover>;

interface Kept {
  /** How far names stay away, px. */
  away: number;
  /** Whether a view of the figures makes room for it. */
  fitBeside: boolean;
  /** Its container: the element moves when that is resized, too. */
  place: Element | null;
}

/** Watches elements over the field: they move with their own size, with their container, and with the field's size. */
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
      // A hidden element has no size.
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
    /** Registers an element over the field, until the returned function is called. */
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
