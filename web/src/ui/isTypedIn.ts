/** Inputs that take no text: single keys have the same meaning there as on a button. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'color']
  .map((type) => `[type="${type}"]`)
  .join(', ');
const TYPED_IN = `input:not(${WITHOUT_TEXT}), textarea, select, [contenteditable]:not([contenteditable="false"])`;

/**
 * Whether a key pressed there is part of typing. Takes the target of the event. Switches and segmented controls are
 * inputs too, but nobody types in them: there, keys belong to the page.
 */
export const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPED_IN) !== null;

/**
 * Whether a key pressed there does not belong to the page behind: it is typed, or inside a dialog. Takes the target of
 * the event.
 */
export const isTypedInOrDialog = (target: EventTarget | null): boolean =>
  isTypedIn(target) || (target instanceof Element && target.closest('[role="dialog"]') !== null);
