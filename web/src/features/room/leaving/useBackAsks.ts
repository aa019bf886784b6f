/**
 * The browser's way back out of a room that has a document to itself: it closes what lies over the room first, and else
 * asks as "Leave" does (docs/product.md#11.63). The room keeps an entry of the history in front of its own, as a page
 * can answer a step within itself alone.
 */
import { useEffect } from 'react';

/** What closes by Escape, the topmost last. */
const OVER = 'aside[data-as], [role="menu"], [role="dialog"]';

const isGuarded = () => (window.history.state as { room?: true } | null)?.room === true;
/** Past the router, to which nothing changes. */
const guard = () =>
  History.prototype.pushState.call(window.history, { ...(window.history.state as object | null), room: true }, '');

/** Takes the step that the kept entry swallowed. */
const goOn = () => {
  window.removeEventListener('popstate', goOn);
  window.history.back();
};

/** `ask` opens the question whether to leave. */
export function useBackAsks(ask: () => void): void {
  useEffect(() => {
    /** Browsers pass over entries that a page made before anybody touched it. */
    const guardOnce = () => {
      if (!isGuarded()) guard();
    };
    const onBack = () => {
      if (isGuarded()) return;
      guard();
      const over = [...document.querySelectorAll(OVER)].at(-1);
      if (!over) {
        ask();
        return;
      }
      const focus = document.activeElement;
      (focus && over.contains(focus) ? focus : over).dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true }),
      );
    };
    window.removeEventListener('popstate', goOn);
    if (navigator.userActivation?.hasBeenActive) guardOnce();
    window.addEventListener('pointerdown', guardOnce, { capture: true });
    window.addEventListener('keydown', guardOnce, { capture: true });
    window.addEventListener('popstate', onBack);
    return () => {
      window.removeEventListener('pointerdown', guardOnce, { capture: true });
      window.removeEventListener('keydown', guardOnce, { capture: true });
      window.removeEventListener('popstate', onBack);
      // What stands when the room has gone does not ask: the first step back leaves it.
      if (isGuarded()) window.addEventListener('popstate', goOn);
    };
  }, [ask]);
}

/** Leaves for the page before the room, or for the start where there is none. */
export function leaveRoomBack(): void {
  const steps = isGuarded() ? 2 : 1;
  if (window.history.length > steps) window.history.go(-steps);
  else location.assign('/');
}

/** Goes to another page in place of the room, so that the way back from there does not lead into it. */
export function replaceRoom(address: string): void {
  if (!isGuarded()) {
    location.replace(address);
    return;
  }
  // Before all others hear of the step: nobody is asked.
  const replace = (event: Event) => {
    event.stopImmediatePropagation();
    location.replace(address);
  };
  window.addEventListener('popstate', replace, { capture: true, once: true });
  window.history.back();
}
