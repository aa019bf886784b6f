/** Keeps the keyboard's focus when the button that had it disappears. */
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

/** For the element that holds the buttons. */
export interface FocusKept {
  onFocus(): void;
  onBlur(event: FocusEvent): void;
}

/**
 * For admitting people: the buttons of admitted people disappear, and the browser would start at the top of the page
 * again. Takes the number of waiting people, and an element that stays. When a focused button disappears, the focus
 * moves to the nearest element around `stays` that accepts it: a panel or a dialog. Does nothing if the person has
 * moved the focus elsewhere.
 */
export function useFocusKept(waiting: number, stays: RefObject<HTMLElement | null>): FocusKept {
  const inside = useRef(false);
  useEffect(() => {
    if (!inside.current || (document.activeElement !== null && document.activeElement !== document.body)) return;
    // The focus has left the button. The next change does not take it from a person who moves on from here.
    inside.current = false;
    stays.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }, [waiting, stays]);
  return {
    onFocus() {
      inside.current = true;
    },
    onBlur({ target, relatedTarget }) {
      // The focus is lost if the button was disabled or removed; otherwise a press elsewhere took it.
      const lost = relatedTarget === null && (target.matches(':disabled') || !target.isConnected);
      if (!lost) inside.current = false;
    },
  };
}
