/** Sizes of the attachments of a held or selected figure: its rings, the rotation handle, the name of its holder. */
import { clamp } from '../geometry.ts';
import { shortName, wordWidth } from '../../names/nameText.ts';

/** A held figure is drawn this much larger. */
export const HELD_LIFT = 1.08;
/** Distance on the screen from the circle around a figure to the ring of selection, px. */
export const RING_GAP = 5;

/** Distance on the screen from the circle around a figure to the dotted ring of a hold, px. */
export const HOLD_GAP = RING_GAP + 2;
/** The holder's name: the height of its pill, and how far above the ring of the hold its middle is, px. */
export const HOLDER = { height: 28, rise: 20 } as const;
/** The rotation handle in full size: how far from the ring the middle of its knob is, and the knob's radius, px. */
export const KNOB = { rise: 21, radius: 8 } as const;

/** From this radius on the screen (px) a figure has a rotation handle of full size. */
const KNOB_FULL_PX = 34;
const KNOB_SMALLEST = 0.6;

/**
 * Size of the rotation handle, so that it does not cover the neighbours of a small figure. Takes the radius of the
 * circle around the figure on the screen, px.
 */
export const knobSize = (radius: number): number => clamp(radius / KNOB_FULL_PX, KNOB_SMALLEST, 1);

/** Width of the pill with the holder's name, px. */
export const holderWidth = (name: string) => Math.max(48, wordWidth(shortName(name)) + 30);
