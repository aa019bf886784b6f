/** How much more text fits into a field for longer texts, in words. */
import type { Say } from './faults.ts';

/** Show what is left once it is this little. */
const SAY_FROM = 40;
const KEY = 'charactersLeft';

/**
 * Takes what is typed and its maximum length. Returns how many characters are left, in words; an empty text while there
 * are many, and on light pages until their words for problems have loaded.
 */
export function charactersLeft(say: Say, typed: string, max: number): string {
  const count = max - typed.length;
  if (count < 0 || count > SAY_FROM) return '';
  const words = say(KEY, { count });
  return words === KEY ? '' : words;
}

/** The hint at a field, followed by what is left. */
export const hintWithLeft = (say: Say, hint: string, typed: string, max: number): string =>
  `${hint} ${charactersLeft(say, typed, max)}`.trimEnd();
