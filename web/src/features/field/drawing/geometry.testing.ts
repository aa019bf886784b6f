/** Generated sizes, points and names for tests of the places of the field and its names. */
import fc from 'fast-check';
import { FIELD_HEIGHT, FIELD_WIDTH } from './geometry.ts';

/** Numbers from `min` to `max`, without NaN. */
export const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Sizes of the field's box, px: from a phone's to a large screen's. */
export const sizes = fc.record({ width: real(280, 3000), height: real(200, 2000) });
/** Points of the field, field units. */
export const points = fc.record({ x: real(0, FIELD_WIDTH), y: real(0, FIELD_HEIGHT) });
/** Names of figures: none, short, of several lines, wide. */
export const captions = fc.constantFrom(
  '',
  'Me',
  'Grandmother',
  'The one who is missing in it',
  'WWWWWWWWWWWW',
  'Großtante aus Klausenburg und ihre Schwester',
);
