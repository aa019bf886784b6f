/** The renderer's data of one figure: its place, its holder, its look, and the elements that follow it. */
import type { Place } from '../geometry.ts';

/** Parts of one figure that follow it, in their layers. */
export type PartName = 'figure' | 'beam' | 'sight' | 'name' | 'shadow' | 'ring' | 'held' | 'focus';

/** How a figure takes part in placing names; see placeNames.ts. */
export interface DrawnLook {
  rank: number;
  /** Its name; empty if none is shown. */
  caption: string;
  hasFace: boolean;
  /** It has the rotation handle. */
  handle: boolean;
  /** The name of its holder, above it; empty for none. */
  heldBy: string;
}

/** A figure as it is stored, and its look. */
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
  /** When the other drag ends unless another message arrives. */
  heldUntil: number;
  /** Whether it is shown lifted, whoever holds it. */
  lifted: boolean;
  look: DrawnLook;
  /** The last text of the name's element, so that nothing is written twice. */
  written: { text: string; at: string };
  /** A place not confirmed yet. This person's waits for its own confirmation, another's for the next stored change. */
  waiting: { place: Place; until: number; own: boolean } | null;
  parts: Partial<Record<PartName, SVGGElement>>;
}

const NO_LOOK: DrawnLook = { rank: 3, caption: '', hasFace: true, handle: false, heldBy: '' };

/** A figure without data, because elements may arrive before their figure. */
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

/** Whether two looks lead to the same placement of names. */
export const sameLook = (a: DrawnLook, b: DrawnLook) =>
  a.rank === b.rank &&
  a.caption === b.caption &&
  a.hasFace === b.hasFace &&
  a.handle === b.handle &&
  a.heldBy === b.heldBy;
