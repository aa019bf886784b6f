/** How names are written, in numbers: their size and order, their line breaks, their width. */
import { clamp, type Point } from '../drawing/geometry.ts';

/** Distance on the screen from the circle around a figure to the top of its name, px. */
export const NAME_GAP = 10;
/** Usual size of names, px. */
export const NAME_SIZE = 16;
/** Height of a line of a name, in its own size. */
export const NAME_LINE = 1.2;
/** Names are placed in this order; see placeNames.ts. */
export const NAME_RANK = { held: 0, selected: 1, own: 2, other: 3 } as const;

/** Name size in px: 16, and smaller only when the whole field is squeezed onto a phone. */
export const nameSize = (k: number) => Math.round(clamp(NAME_SIZE * Math.sqrt(k / 0.4), 12, NAME_SIZE));

/** Breaks a name into at most `count` lines of about `width` letters; the rest is cut with an ellipsis. */
export function nameLines(caption: string, width = 24, count = 2): string[] {
  const words = caption.trim().replace(/\s+/g, ' ').split(' ');
  const cut = (text: string) => {
    const letters = Array.from(text);
    if (letters.length <= width) return text;
    letters.length = width - 1;
    while (letters.length > 1 && ' (,-'.includes(letters.at(-1) ?? '')) letters.pop();
    return `${letters.join('')}…`;
  };
  const lines: string[] = [''];
  for (const word of words) {
    const line = lines[lines.length - 1] ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (Array.from(`${line} ${word}`).length <= width || lines.length === count)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.filter((line) => line !== '').map(cut);
}

/** A name's lines and the width of the longest, in its own size. */
export interface NameExtent {
  lines: number;
  width: number;
}

/** The space that a name needs; null for none. */
export function nameExtent(caption: string): NameExtent | null {
  const lines = nameLines(caption);
  return lines.length === 0 ? null : { lines: lines.length, width: Math.max(...lines.map(textWidth)) };
}

/** From the circle around a figure to below its name, px. */
export const nameHeight = (name: NameExtent, fontSize: number) => NAME_GAP + name.lines * NAME_LINE * fontSize;

/**
 * The place of a name: upright, centred under the circle around the figure, so that it touches the icon at no rotation.
 * @param at middle of the figure on the screen, px
 * @param radius radius of the circle on the screen, px
 * @param fontSize px
 * @param held whether the dotted ring lies between
 * @returns centre and baseline of the first line, and the top of its letters
 */
export function namePlace(at: Point, radius: number, fontSize: number, held = false): Point & { top: number } {
  const top = at.y + radius + NAME_GAP + (held ? 5 : 0);
  return { x: at.x, y: top + fontSize * 0.78, top };
}

/** Width of a line in its own size, approximate and rather too wide: by wide, narrow and other letters. */
export function textWidth(line: string): number {
  let width = 0;
  for (const letter of line)
    width += /[mwMW@%…—]/.test(letter)
      ? 0.95
      : /[A-Z\u00c0-\u00de0-9]/.test(letter)
        ? 0.72
        : /[iljtfI.,:;'’| ]/.test(letter)
          ? 0.36
          : letter < '\u2e80'
            ? 0.6
            : 1.15;
  return width;
}

/** Approximate width of a word in a 15 px semibold text, for a pill; the letters themselves are centred in it. */
export const wordWidth = (text: string) => Array.from(text).length * 8.4;

/** The name of a person, cut if it is long. */
export function shortName(name: string): string {
  const letters = Array.from(name);
  return letters.length > 20 ? `${letters.slice(0, 19).join('')}…` : name;
}
