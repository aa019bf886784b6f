/**
 * The drawn landscape of an event without a picture: on its page in the palette's colours, and in the picture that
 * messengers get. The same name gets the same landscape everywhere.
 */

/** Width and height of the drawing; all shapes are in these units. */
export const LANDSCAPE_SIZE = { width: 1112, height: 392 } as const;

/** From far to near; the two far ones fade into mist. */
export const RIDGES = [
  'M0 214C150 232 250 196 420 190C560 184 640 132 720 132C800 132 900 190 1112 198V392H0Z',
  'M0 268C120 250 220 240 330 214C440 188 520 186 620 204C760 230 820 262 1112 262V392H0Z',
  'M0 290C170 262 280 270 400 300C540 336 690 344 830 336C940 330 1040 330 1112 322V392H0Z',
  'M0 352C120 366 220 386 330 392H0ZM860 392C960 376 1040 366 1112 360V392Z',
] as const;

/** The vertical span of the mist before the far ridges. */
export const MIST = { from: 130, to: 350 } as const;

/** A tree as a drop, the shape of the mark, with its foot at 0, 0. */
export const TREE = {
  trunk: 'M-2.4 0V-34H2.4V0Z',
  crown:
    'M0 -98C7 -98 11 -88 17 -78C26 -64 33 -56 33 -42A33 33 0 0 1 -33 -42C-33 -56 -26 -64 -17 -78C-11 -88 -7 -98 0 -98Z',
  shade: 'M0 -98C7 -98 11 -88 17 -78C26 -64 33 -56 33 -42A33 33 0 0 1 4 -9.3C10 -30 10 -66 0 -98Z',
} as const;
export const TREES = [
  { x: 762, y: 306, size: 0.62 },
  { x: 797, y: 303, size: 0.45 },
  { x: 338, y: 346, size: 0.86 },
  { x: 402, y: 350, size: 0.6 },
] as const;

export const SUN = { radius: 40, glow: 290 } as const;
/** Number of different lights. */
const LIGHTS = 3;

/** A number from a text, the same each time. */
function numberOf(text: string): number {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}

/** The landscape of a name: where the sun stands, which light it gives, and whether all is mirrored. */
export function landscapeOf(name: string): { sun: { x: number; y: number }; light: number; mirrored: boolean } {
  const seed = numberOf(name);
  return {
    sun: { x: 500 + (seed % 5) * 62, y: 60 + ((seed >> 3) % 4) * 14 },
    light: (seed >> 5) % LIGHTS,
    mirrored: seed % 2 === 1,
  };
}
