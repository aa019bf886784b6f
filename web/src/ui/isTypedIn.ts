/** Inputs that take no text: single keys mean there what they mean on a button. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'color']
  .map((type) => `[type="${type}"]`)
  .join(', ');
const TYPED_IN = `input:not(${WITHOUT_TEXT}), textarea, select, [contenteditable]:not([contenteditable="false"])`;

/**
 * Whether a key that is pressed there belongs to what somebody types. Takes the target of the event. Switches and
 * segmented controls are inputs, too, but nobody types in them: keys of the page count there.
 */
export const isTypedIn = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(TYPED_IN) !== null;

/**
 * Whether a key that is pressed there is none of the page behind: somebody types there, or it stands in a dialog. Takes
 * the target of the event.
 */
export const isTypedInOrDialog = (target: EventTarget | null): boolean =>
  isTypedIn(target) || (target instanceof Element && target.closest('[role="dialog"]') !== null);
