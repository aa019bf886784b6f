/** What the renderer knows of one figure: where it is, in whose hand, how it looks, and the elements that follow it. */
import type { Place } from '../geometry.ts';

/** Parts of one figure that follow it, in their layers. */
export type PartName = 'figure' | 'beam' | 'sight' | 'name' | 'shadow' | 'ring' | 'held' | 'focus';

/** How a figure takes part in placing names; see placeNames.ts. */
export interface DrawnLook {
  rank: number;
  /** Its name; empty when none is shown. */
  caption: string;
  hasFace: boolean;
  /** It wears the turning handle. */
  handle: boolean;
  /** The name of who holds it, which stands above it; empty for none. */
  heldBy: string;
}

/** A figure as it is stored, and as it is to look. */
export interface DrawnFigure extends Place {
  id: number;
  radius: number;
  lifted: boolean;
  look: DrawnLook;
}

interface Glide {
  from: Place;
  to: Place;
  start: number;
  eased: boolean;
}

export interface FigureSlot {
  id: number;
  stored: Place;
  drawn: Place;
  /** Radius of the circle around it in box units. */
  radius: number;
  glide: Glide | null;
  hand: 'none' | 'own' | 'other';
  /** When the other hand is taken as gone unless it is heard of again. */
  heldUntil: number;
  /** Whether it is shown lifted, no matter who holds it. */
  lifted: boolean;
  look: DrawnLook;
  /** What was last written into the name's element, so that nothing is written twice. */
  written: { text: string; at: string };
  /** A place not confirmed yet. This person's waits for its own confirmation, another's for the next stored change. */
  waiting: { place: Place; until: number; own: boolean } | null;
  parts: Partial<Record<PartName, SVGGElement>>;
}

const NO_LOOK: DrawnLook = { rank: 3, caption: '', hasFace: true, handle: false, heldBy: '' };

/** A figure of which nothing is known yet, as elements may come before their figure. */
export const emptySlot = (id: number): FigureSlot => ({
  id,
  stored: { x: 0, y: 0, rotation: 0, scale: 1 },
  drawn: { x: 0, y: 0, rotation: 0, scale: 1 },
  radius: 50,
  glide: null,
  hand: 'none',
  heldUntil: 0,
  lifted: false,
  waiting: null,
  look: NO_LOOK,
  written: { text: '', at: '' },
  parts: {},
});

/** Whether two looks place names in the same way. */
export const sameLook = (a: DrawnLook, b: DrawnLook) =>
  a.rank === b.rank &&
  a.caption === b.caption &&
  a.hasFace === b.hasFace &&
  a.handle === b.handle &&
  a.heldBy === b.heldBy;
