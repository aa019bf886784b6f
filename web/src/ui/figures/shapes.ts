/**
 * The seven figures as paths. One family: box 100×100 around 0,0, seen from above, front up, line width 3 with round
 * joins, a face in the front part and something that extends beyond the outline where the figure looks. Paths use
 * absolute M L Q C A Z only.
 */
export type FigureKind =
  | 'MALE_FIGURE'
  | 'FEMALE_FIGURE'
  | 'MALE_SQUARE'
  | 'FEMALE_CIRCLE'
  | 'STAR'
  | 'KIWI'
  | 'BAT'
  | 'CUSTOM';

export type DrawnKind = Exclude<FigureKind, 'CUSTOM'>;

/** Tone a part is filled with; `back` is the fill, or the shade if the fill is as light as the face. */
export type Paint = 'fill' | 'shade' | 'face' | 'back' | 'none';

interface Part {
  d: string;
  paint: Paint;
  /** Tone of the line; none if missing. */
  line?: 'outline' | 'shade';
}

export interface Shape {
  /** Silhouettes, painted first, with a wide halo line. */
  halo: string;
  /** From the lowest to the highest. */
  parts: readonly Part[];
  eyes: readonly (readonly [x: number, y: number, r: number])[];
  /** Radius of the smallest circle around 0,0 that holds the drawing with its halo, in box units. */
  radius: number;
}

/** Width of the outline, in box units. */
export const LINE = 3;
/** Width of the halo's line below all others: 2.5 of it show outside the outline. */
export const HALO_LINE = 8;

/** The beam's reach from the centre of the figure, and half its angle. */
export const BEAM_LENGTH = 190;
export const BEAM_HALF_ANGLE = 19;

// Pieces that several figures share: nose and head of the two people.
const NOSE = 'C-5.6 -37.5 -4.6 -40.2 -2.4 -43.8C-1.4 -45.4 1.4 -45.4 2.4 -43.8C4.6 -40.2 5.6 -37.5 9 -36.17';
const HEAD = `M-9 -36.17${NOSE}A23 23 0 1 1 -9 -36.17Z`;
const HEAD_FACE = `M-9 -36.17${NOSE}A23 23 0 0 1 23 -14.6Q0 -11.8 -23 -14.6A23 23 0 0 1 -9 -36.17Z`;
const HEAD_EYES = [
  [-8.2, -25.4, 3],
  [8.2, -25.4, 3],
] as const;

const HEAD_PARTS: readonly Part[] = [
  { d: HEAD, paint: 'shade' },
  { d: HEAD_FACE, paint: 'face' },
  { d: HEAD, paint: 'none', line: 'outline' },
];

const MALE_BODY =
  'M-24 -4.2C-37 -4.2 -43 4 -43 15C-43 22 -41 29 -39.4 35.5C-37.8 42.5 -32 46 -25 46L25 46C32 46 37.8 42.5 39.4 35.5C41 29 43 22 43 15C43 4 37 -4.2 24 -4.2Z';
const MALE_ARMS = 'M-26 20.4L-23.6 45M26 20.4L23.6 45';

const FEMALE_BODY =
  'M-12 -6C-19.5 -6 -22.6 -0.6 -26.6 7C-32 17.2 -41 25.6 -41 35.6C-41 44.4 -22 46.5 0 46.5C22 46.5 41 44.4 41 35.6C41 25.6 32 17.2 26.6 7C22.6 -0.6 19.5 -6 12 -6Z';
const FEMALE_BUN = 'M-9 10A9 9 0 1 1 9 10A9 9 0 1 1 -9 10Z';

const SQUARE_NOSE = 'C-6.5 -33.5 -5.6 -36.4 -2.6 -41.6C-1.5 -44.2 1.5 -44.2 2.6 -41.6C5.6 -36.4 6.5 -33.5 10.5 -33.5';
const SQUARE = `M-10.5 -33.5${SQUARE_NOSE}L24 -33.5A12 12 0 0 1 36 -21.5L36 26.5A12 12 0 0 1 24 38.5L-24 38.5A12 12 0 0 1 -36 26.5L-36 -21.5A12 12 0 0 1 -24 -33.5Z`;
const SQUARE_FACE = `M-10.5 -33.5${SQUARE_NOSE}L24 -33.5A12 12 0 0 1 36 -21.5L36 -6.6Q0 -2.4 -36 -6.6L-36 -21.5A12 12 0 0 1 -24 -33.5Z`;

const CIRCLE_NOSE = 'C-6.8 -33.7 -5.6 -36.2 -2.7 -41.8C-1.5 -44.9 1.5 -44.9 2.7 -41.8C5.6 -36.2 6.8 -33.7 11 -32.37';
const CIRCLE = `M-11 -32.37${CIRCLE_NOSE}A38 38 0 1 1 -11 -32.37Z`;
const CIRCLE_FACE = `M-11 -32.37${CIRCLE_NOSE}A38 38 0 0 1 36.58 -6.3Q0 -2.3 -36.58 -6.3A38 38 0 0 1 -11 -32.37Z`;

// Five points of 42 around 0,5, the front one 54, notches at 23; corners rounded.
const STAR_FRONT =
  'M-35.96 -3.49Q-39.94 -7.98 -34.08 -9.27L-22.43 -11.83Q-13.64 -13.77 -10.39 -22.16L-3.07 -41.07Q0 -49 3.07 -41.07L10.39 -22.16Q13.64 -13.77 22.43 -11.83L34.08 -9.27Q39.94 -7.98 35.96 -3.49';
const STAR = `${STAR_FRONT}L28.04 5.44Q22.06 12.17 22.94 21.13L24.1 33.01Q24.69 38.98 19.19 36.58L8.25 31.8Q0 28.2 -8.25 31.8L-19.19 36.58Q-24.69 38.98 -24.1 33.01L-22.94 21.13Q-22.06 12.17 -28.04 5.44Z`;
const STAR_FACE = `${STAR_FRONT}L37 -6.4Q0 -3 -37 -6.4Z`;

const KIWI_BEAK =
  'C-6.2 -29.2 -5.8 -30.6 -5.2 -33L-2 -46.6C-1.2 -50.6 1.2 -50.6 2 -46.6L5.2 -33C5.8 -30.6 6.2 -29.2 7.6 -28.32';
const KIWI_HEAD = `M-7.6 -28.32${KIWI_BEAK}A18 18 0 1 1 -7.6 -28.32Z`;
const KIWI_FACE = `M-7.6 -28.32${KIWI_BEAK}A18 18 0 0 1 17.84 -9.6Q0 -7.9 -17.84 -9.6A18 18 0 0 1 -7.6 -28.32Z`;
const KIWI_BODY = 'M-12 -6C-22 -3 -33 6 -33 20C-33 37 -20 45.5 0 45.5C20 45.5 33 37 33 20C33 6 22 -3 12 -6Z';
const KIWI_TICKS = 'M-17 15L-17 21.5M0 13.4L0 20.8M17 15L17 21.5M-9 27.6L-9 33.6M9 27.6L9 33.6';

const BAT_HEAD = 'M-16.5 -11.5A16.5 16.5 0 1 1 16.5 -11.5A16.5 16.5 0 1 1 -16.5 -11.5Z';
const BAT_FACE = 'M-16.4 -9.6A16.5 16.5 0 1 1 16.4 -9.6Q0 -8 -16.4 -9.6Z';
const BAT_EARS =
  'M-17.4 -16C-18.7 -26 -17.7 -35.6 -14 -44C-11 -40.2 -7 -35 -2.6 -29.6L-6 -18ZM17.4 -16C18.7 -26 17.7 -35.6 14 -44C11 -40.2 7 -35 2.6 -29.6L6 -18Z';
const BAT_WINGS =
  'M-10 -14C-17 -19.4 -24 -21.6 -30.6 -20C-41.6 -17.4 -47.2 -5 -48.4 7.8C-42.4 4.6 -36 7.4 -34 17.2C-29 11.2 -21.6 13 -18 22.9C-16.6 20 -14.6 18.8 -11 18.8L-7 0ZM10 -14C17 -19.4 24 -21.6 30.6 -20C41.6 -17.4 47.2 -5 48.4 7.8C42.4 4.6 36 7.4 34 17.2C29 11.2 21.6 13 18 22.9C16.6 20 14.6 18.8 11 18.8L7 0Z';
const BAT_RIBS =
  'M-32.6 -14.6C-35.4 -7 -35.8 0.6 -34.6 8.2M-20.6 -13.4C-21.4 -4 -20.8 5.4 -18.4 14.4M32.6 -14.6C35.4 -7 35.8 0.6 34.6 8.2M20.6 -13.4C21.4 -4 20.8 5.4 18.4 14.4';
const BAT_BODY =
  'M-10.5 -1C-13.8 -1 -13.8 1 -13.8 4C-13.4 19 -8.6 34 0 43.6C8.6 34 13.4 19 13.8 4C13.8 1 13.8 -1 10.5 -1Z';

/** How each kind is drawn. */
export const SHAPES: Record<DrawnKind, Shape> = {
  MALE_FIGURE: {
    halo: MALE_BODY + HEAD,
    parts: [
      { d: MALE_BODY, paint: 'fill', line: 'outline' },
      { d: MALE_ARMS, paint: 'none', line: 'outline' },
      ...HEAD_PARTS,
    ],
    eyes: HEAD_EYES,
    radius: 60,
  },
  FEMALE_FIGURE: {
    halo: FEMALE_BODY + HEAD,
    parts: [
      { d: FEMALE_BODY, paint: 'fill', line: 'outline' },
      { d: FEMALE_BUN, paint: 'shade', line: 'outline' },
      ...HEAD_PARTS,
    ],
    eyes: HEAD_EYES,
    radius: 60,
  },
  MALE_SQUARE: {
    halo: SQUARE,
    parts: [
      { d: SQUARE, paint: 'back' },
      { d: SQUARE_FACE, paint: 'face' },
      { d: SQUARE, paint: 'none', line: 'outline' },
    ],
    eyes: [
      [-11, -20.6, 3.3],
      [11, -20.6, 3.3],
    ],
    radius: 52,
  },
  FEMALE_CIRCLE: {
    halo: CIRCLE,
    parts: [
      { d: CIRCLE, paint: 'back' },
      { d: CIRCLE_FACE, paint: 'face' },
      { d: CIRCLE, paint: 'none', line: 'outline' },
    ],
    eyes: [
      [-11, -20.6, 3.3],
      [11, -20.6, 3.3],
    ],
    radius: 49,
  },
  STAR: {
    halo: STAR,
    parts: [
      { d: STAR, paint: 'back' },
      { d: STAR_FACE, paint: 'face' },
      { d: STAR, paint: 'none', line: 'outline' },
    ],
    eyes: [
      [-6.2, -13.8, 3],
      [6.2, -13.8, 3],
    ],
    radius: 50,
  },
  KIWI: {
    halo: KIWI_BODY + KIWI_HEAD,
    parts: [
      { d: KIWI_BODY, paint: 'fill', line: 'outline' },
      { d: KIWI_TICKS, paint: 'none', line: 'shade' },
      { d: KIWI_HEAD, paint: 'shade' },
      { d: KIWI_FACE, paint: 'face' },
      { d: KIWI_HEAD, paint: 'none', line: 'outline' },
    ],
    eyes: [
      [-7.2, -19.8, 2.9],
      [7.2, -19.8, 2.9],
    ],
    radius: 54,
  },
  BAT: {
    halo: BAT_WINGS + BAT_EARS + BAT_BODY + BAT_HEAD,
    parts: [
      { d: BAT_WINGS, paint: 'fill', line: 'outline' },
      { d: BAT_RIBS, paint: 'none', line: 'shade' },
      { d: BAT_EARS, paint: 'shade', line: 'outline' },
      { d: BAT_BODY, paint: 'shade', line: 'outline' },
      { d: BAT_HEAD, paint: 'shade' },
      { d: BAT_FACE, paint: 'face' },
      { d: BAT_HEAD, paint: 'none', line: 'outline' },
    ],
    eyes: [
      [-7, -19.6, 2.9],
      [7, -19.6, 2.9],
    ],
    radius: 54,
  },
};

/** Returns how a kind is drawn. A page of an earlier version draws an unknown kind as a star. */
export const shapeOf = (kind: DrawnKind): Shape => SHAPES[kind] ?? SHAPES.STAR;

/** The therapist's own icons are measured in CSS pixels; 30 of them are as wide as a figure's box. */
const CUSTOM_UNITS_PER_PX = 100 / 30;

/**
 * Box of a custom icon in box units, around 0,0.
 * @param iconWidth stored width in px, 30 if unknown
 * @param iconHeight stored height in px, the width if unknown
 */
export function customBox(iconWidth?: number, iconHeight?: number): { width: number; height: number } {
  const width = iconWidth && iconWidth > 0 ? iconWidth : 30;
  const height = iconHeight && iconHeight > 0 ? iconHeight : width;
  return { width: width * CUSTOM_UNITS_PER_PX, height: height * CUSTOM_UNITS_PER_PX };
}

/**
 * Radius of the circle around 0,0 that holds a figure in any rotation, in box units at scale 1.
 * @param kind which figure; `CUSTOM` takes its radius from the given size in px
 */
export function boundingRadius(kind: FigureKind, iconWidth?: number, iconHeight?: number): number {
  if (kind !== 'CUSTOM') return shapeOf(kind).radius;
  const { width, height } = customBox(iconWidth, iconHeight);
  return Math.hypot(width, height) / 2;
}
