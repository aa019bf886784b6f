/** What lies over the field: its tools, and news for a while. Names keep away from there (docs/product.md#5.21). */
import type { Box } from '../names/boxes.ts';

interface Options {
  root: () => HTMLElement | null;
  /** Takes all places, px from the field's corner. */
  onChange: (boxes: readonly Box[]) => void;
}

/** Watches elements over the field: they move with their own size and with the field's. */
export function createFieldCover({ root, onChange }: Options) {
  /** How far names stay away from each, px. */
  const elements = new Map<Element, number>();
  let observer: ResizeObserver | null = null;

  function look() {
    const field = root()?.getBoundingClientRect();
    if (!field) return;
    const boxes: Box[] = [];
    for (const [element, away] of elements) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      // What is not shown has no size.
      if (right > left)
        boxes.push({
          left: left - field.left - away,
          top: top - field.top - away,
          right: right - field.left + away,
          bottom: bottom - field.top + away,
        });
    }
    onChange(boxes);
  }

  return {
    /** Names keep away from an element, by some px, until the returned function is called. */
    add(element: Element, away = 0): () => void {
      const field = root();
      if (!observer && field) {
        observer = new ResizeObserver(look);
        observer.observe(field);
      }
      elements.set(element, away);
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
