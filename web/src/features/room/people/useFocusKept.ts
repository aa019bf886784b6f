/** Where the focus goes when the button that had it goes. */
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

/** For the element that holds the buttons. */
export interface FocusKept {
  onFocus(): void;
  onBlur(event: FocusEvent): void;
}

/**
 * Keeps the focus of somebody who lets people in: the buttons for who has come in are gone, and the browser would begin
 * at the top of the page again. Takes how many wait, and an element that stays. When a button that had the focus goes,
 * the focus goes to the nearest element around that takes it: a panel or a dialog. Whoever has gone on elsewhere is
 * left there.
 */
export function useFocusKept(waiting: number, stays: RefObject<HTMLElement | null>): FocusKept {
  const inside = useRef(false);
  useEffect(() => {
    if (!inside.current || (document.activeElement !== null && document.activeElement !== document.body)) return;
    stays.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }, [waiting, stays]);
  return {
    onFocus() {
      inside.current = true;
    },
    onBlur({ target, relatedTarget }) {
      // A button that is disabled or removed leaves the focus to nobody; else a press beside everything took it.
      const lost = relatedTarget === null && (target.matches(':disabled') || !target.isConnected);
      if (!lost) inside.current = false;
    },
  };
}
