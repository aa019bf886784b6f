/** Keeps the keyboard's focus when the button that had it disappears. */
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

/** For the element that holds the buttons. */
export interface FocusKept {
  onFocus(): void;
  onBlur(event: FocusEvent): void;
}

/**
 * For somebody who lets people in: the buttons of people who were let in disappear, and the browser would begin at the
 * top of the page again. Takes how many wait, and an element that stays. When a button that had the focus disappears,
 * the focus goes to the nearest element around `stays` that takes it: a panel or a dialog. Does nothing when the person
 * has moved the focus elsewhere.
 */
export function useFocusKept(waiting: number, stays: RefObject<HTMLElement | null>): FocusKept {
  const inside = useRef(false);
  useEffect(() => {
    if (!inside.current || (document.activeElement !== null && document.activeElement !== document.body)) return;
    // It has left with the button. Nobody who goes on from here is called back by the next change.
    inside.current = false;
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
