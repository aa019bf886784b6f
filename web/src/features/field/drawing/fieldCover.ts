/** What lies over the field: its tools, and news for a while. Names keep away from there (docs/product.md#5.21). */
import type { Box } from '../names/boxes.ts';

/** Names stay this far from it, px: as far as news rises while it appears. */
const CLEAR_PX = 8;

interface Options {
  root: () => HTMLElement | null;
  /** Takes all places, px from the field's corner. */
  onChange: (boxes: readonly Box[]) => void;
}

/** Watches elements over the field: they move with their own size and with the field's. */
export function createFieldCover({ root, onChange }: Options) {
  const elements = new Set<Element>();
  let observer: ResizeObserver | null = null;

  function look() {
    const field = root()?.getBoundingClientRect();
    if (!field) return;
    const boxes = [...elements].map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return {
        left: left - field.left - CLEAR_PX,
        top: top - field.top - CLEAR_PX,
        right: right - field.left + CLEAR_PX,
        bottom: bottom - field.top + CLEAR_PX,
      };
    });
    // What is not shown has no size.
    onChange(boxes.filter(({ left, right }) => right - left > 2 * CLEAR_PX));
  }

  return {
    /** Names keep away from an element until the returned function is called. */
    add(element: Element): () => void {
      const field = root();
      if (!observer && field) {
        observer = new ResizeObserver(look);
        observer.observe(field);
      }
      elements.add(element);
      observer?.observe(element);
      look();
      return () => {
        elements.delete(element);
        observer?.unobserve(element);
        look();
      };
    },
    stop() {
      observer?.disconnect();
      observer = null;
    },
  };
}
