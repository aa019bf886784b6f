/** How long the app shows its messages, in ms of real time. */

/** News that is only read. */
export const NEWS_MS = 6000;
/** News that offers an act, such as undoing: longer, as somebody has to decide. */
export const NEWS_WITH_ACT_MS = 12_000;
