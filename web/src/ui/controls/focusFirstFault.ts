/** Moves the focus to the first fault of a form. */

const FAULT = '[aria-invalid="true"], [data-invalid]';

/** Ends the wait for the faults of the form that was checked last. */
let stopWaiting: () => void = () => undefined;

/**
 * Scrolls to the first fault in page order and focuses it, as soon as the faults are drawn. On a slow machine that
 * takes long; a person who does something else in that time keeps their focus.
 */
export function focusFirstFault(within: HTMLElement | null): void {
  stopWaiting();
  if (!within) return;
  const focus = () => {
    const first = within.querySelector<HTMLElement>(FAULT);
    first?.focus();
    return first !== null;
  };
  if (focus()) return;
  let frame: number | undefined;
  // In its own frame: what is drawn together with the faults, such as a dialog that closes, moves the focus too.
  const drawn = new MutationObserver(() => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      if (focus()) stopWaiting();
    });
  });
  const stop = () => {
    drawn.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
    for (const act of ['pointerdown', 'keydown']) window.removeEventListener(act, stop, true);
  };
  stopWaiting = stop;
  drawn.observe(within, { subtree: true, childList: true, attributeFilter: ['aria-invalid', 'data-invalid'] });
  for (const act of ['pointerdown', 'keydown']) window.addEventListener(act, stop, true);
}
