/** How long after the last key the app acts on what was typed, in ms of real time. */

/** Before a list or a preview is requested. */
export const ASK_AFTER_MS = 300;
/** Before a draft is stored. */
export const KEEP_AFTER_MS = 400;
