/** How long what others move glides, and how a glide slows down. */

/** How long (ms) a figure or a pointer moved by somebody else glides towards each position that arrives. */
export const GLIDE_MS = 120;

/** The share (0..1) of a way after a share of its time: fast at first. */
export const ease = (t: number) => 1 - (1 - t) ** 3;
