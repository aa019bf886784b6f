/** Sizes of what a held or selected figure wears: its rings, the turning handle, the name of who holds it. */
import { clamp } from '../geometry.ts';
import { shortName, wordWidth } from '../../names/nameText.ts';

/** A held figure is drawn this much larger. */
export const HELD_LIFT = 1.08;
/** Distance on the screen from the circle around a figure to the ring of selection, px. */
export const RING_GAP = 5;

/** Distance on the screen from the circle around a figure to the dotted ring of a hold, px. */
export const HOLD_GAP = RING_GAP + 2;
/** The name of who holds a figure: the height of its pill, and how far above the ring of the hold its middle is, px. */
export const HOLDER = { height: 28, rise: 20 } as const;
/** The turning handle in full size: how far from the ring the middle of its knob is, and the knob's radius, px. */
export const KNOB = { rise: 21, radius: 8 } as const;

/** From this radius on the screen (px) a figure has a turning handle of full size. */
const KNOB_FULL_PX = 34;
const KNOB_SMALLEST = 0.6;

/**
 * Size of the turning handle, so that it does not cover the neighbours of a small figure. Takes the radius of the
 * circle around the figure on the screen, px.
 */
export const knobSize = (radius: number): number => clamp(radius / KNOB_FULL_PX, KNOB_SMALLEST, 1);

/** Width of the pill with the name of who holds a figure, px. */
export const holderWidth = (name: string) => Math.max(48, wordWidth(shortName(name)) + 30);
