/** How long figures and pointers of others glide, and how a glide slows down. */

/** How long (ms) a figure or a pointer that somebody else moves glides towards each position that arrives. */
export const GLIDE_MS = 120;

/** The share (0..1) of the way after a share of the time: fast at first. */
export const ease = (t: number) => 1 - (1 - t) ** 3;
