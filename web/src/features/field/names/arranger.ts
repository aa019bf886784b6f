/**
 * Keeps names and marks in place while figures and camera move: remembers their places, asks placeNames.ts and marks.ts
 * for changes, and moves the marks' elements.
 */
import { createEmitter } from '../../../platform/emitter.ts';
import { HOLD_GAP, HOLDER, holderWidth, KNOB, knobSize, RING_GAP } from '../drawing/figures/worn.ts';
import { nameSize } from './nameText.ts';
import { toField, toScreen } from '../drawing/geometry.ts';
import type { Camera, Place, Point, Size } from '../drawing/geometry.ts';
import { type EdgeMark, edgeMarks, sameMarks } from './marks.ts';
import { type NamedFigure, type NamePlace, type NameView, type Side, knownForms, placeNames } from './placeNames.ts';
import type { NameAsWritten } from './nameWriter.ts';
import type { DrawnLook } from '../drawing/figures/figureSlot.ts';
import { around, type Box } from './boxes.ts';
import type { WordScene } from './placeWords.ts';

/** A figure as the renderer draws it now. */
export interface ArrangedFigure {
  id: number;
  drawn: Place;
  lifted: boolean;
  look: DrawnLook;
}

interface Scene<T extends ArrangedFigure> {
  figures: readonly T[];
  camera: Camera;
  size: Size;
  /** Radius (px) of the circle around a figure. */
  aroundOf: (figure: T) => number;
}

/** What is on the screen, for placing words. */
export interface Standing extends WordScene {
  /** A figure is being dragged. */
  held: boolean;
}

/** A mark as it is drawn, px; a finger may press slightly beside it. */
const MARK_RADIUS = 18;
/** The side of a figure at which its front is, by quarter turns. */
const FRONTS: readonly Side[] = ['above', 'right', 'below', 'left'];

function named({ id, drawn, lifted, look }: ArrangedFigure, camera: Camera, radius: number): NamedFigure {
  const taken: Side[] = [];
  const wears: Box[] = [];
  const at = toScreen(camera, drawn);
  if (look.heldBy) {
    taken.push('above');
    const middle = at.y - radius - HOLD_GAP - HOLDER.rise;
    const [half, high] = [holderWidth(look.heldBy) / 2, HOLDER.height / 2];
    wears.push({ left: at.x - half, top: middle - high, right: at.x + half, bottom: middle + high });
  }
  if (look.handle) {
    taken.push(FRONTS[Math.round(drawn.rotation / 90) & 3] as Side);
    const turn = (drawn.rotation * Math.PI) / 180;
    // From the ring to the far side of the knob.
    const half = ((KNOB.rise + KNOB.radius) / 2) * knobSize(radius);
    const far = radius + RING_GAP + half;
    wears.push(around({ x: at.x + Math.sin(turn) * far, y: at.y - Math.cos(turn) * far, radius: half }));
  }
  return {
    id,
    ...at,
    radius,
    rotation: drawn.rotation,
    hasFace: look.hasFace,
    rank: look.rank,
    forms: knownForms(look.caption),
    lifted,
    taken,
    wears,
  };
}

export type Arranger = ReturnType<typeof createArranger>;
/** Knows the names, marks and figures among which words are placed. */
export interface WordSurroundings {
  standing(): Standing | null;
}

/**
 * Makes the arranger of one field. `arrange` is called with each drawing and places only moved figures and their
 * neighbours again (docs/product.md#5.20 to 5.24).
 */
export function createArranger() {
  /** The figures as they are on the screen, and the same ones sorted by id. */
  const seen = new Map<number, NamedFigure>();
  let sorted: NamedFigure[] | null = null;
  const places = new Map<number, NamePlace>();
  const names = new Map<number, NameAsWritten>();
  const elements = new Map<number, HTMLElement>();
  const marked = createEmitter();
  let marks: readonly EdgeMark[] = [];
  /** The middle of the view, in field units, which determines the order of names; it follows only large moves. */
  let middle: Point | null = null;
  let view: NameView | null = null;
  /** The elements over the field. */
  let covered: readonly Box[] = [];

  function moveMark({ figureIds, x, y, angle }: EdgeMark) {
    const element = elements.get(figureIds[0] as number);
    if (!element) return;
    element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    element.style.setProperty('--turn', `${Math.round(angle)}deg`);
  }

  function mark(next: readonly EdgeMark[]) {
    next.forEach(moveMark);
    // The list stays the same object as long as React has nothing to draw.
    if (sameMarks(marks, next)) marks.forEach((kept, index) => Object.assign(kept, next[index]));
    else {
      marks = next;
      marked.emit();
    }
  }

  return {
    /**
     * Takes what is drawn now, and which figures have changed since the last time (null for all). Returns the ids of
     * the figures whose names may have moved.
     */
    arrange<T extends ArrangedFigure>(
      { figures, camera, size, aroundOf }: Scene<T>,
      changed: ReadonlySet<number> | null,
    ): Iterable<number> {
      const at = toField(camera, { x: size.width / 2, y: size.height / 2 });
      if (!middle || Math.hypot(at.x - middle.x, at.y - middle.y) * camera.k > Math.min(size.width, size.height) / 4)
        middle = at;
      const font = nameSize(camera.k);
      const here = new Set(figures.map(({ id }) => id));
      for (const id of changed ?? seen.keys()) {
        // Removed figures are in nobody's way.
        if (changed && here.has(id)) continue;
        if (seen.delete(id)) sorted = null;
      }
      for (const figure of figures) {
        const known = seen.get(figure.id);
        if (known && !changed?.has(figure.id)) continue;
        seen.set(figure.id, named(figure, camera, aroundOf(figure)));
        if (!known) sorted = null;
      }
      sorted ??= [...seen.values()].sort((a, b) => a.id - b.id);
      sorted = sorted.map(({ id }) => seen.get(id) as NamedFigure);
      const next = edgeMarks(sorted, size, marks);
      const marked = next.map(({ x, y }) => ({
        left: x - MARK_RADIUS,
        top: y - MARK_RADIUS,
        right: x + MARK_RADIUS,
        bottom: y + MARK_RADIUS,
      }));
      const occupied = [...marked, ...covered];
      view = { ...size, font, middle: toScreen(camera, middle), occupied };
      const placed = placeNames(sorted, view, places, changed);
      for (const [id, place] of placed) {
        places.set(id, place);
        const { side, form, box } = place;
        names.set(id, {
          lines: seen.get(id)?.forms[form]?.lines ?? [],
          anchor: side === 'right' ? 'start' : side === 'left' ? 'end' : 'middle',
          x: side === 'right' ? box.left : side === 'left' ? box.right : (box.left + box.right) / 2,
          y: box.top + font * 0.78,
        });
      }
      mark(next);
      return placed.keys();
    },

    /** From the next full arrangement on, no name is placed in these boxes. */
    keepClear(boxes: readonly Box[]) {
      covered = boxes;
    },

    /** How the name of a figure is written; nothing before it was placed. */
    nameOf: (figureId: number): NameAsWritten | undefined => names.get(figureId),

    /** The obstacles for words; nothing before names were placed. */
    standing(): Standing | null {
      if (!view || !sorted) return null;
      const { width, height, font, occupied } = view;
      const written = sorted.flatMap(({ id }) => {
        const place = places.get(id);
        return place && place.form >= 0 ? place.box : [];
      });
      return {
        width,
        height,
        font,
        names: [...occupied, ...written],
        bodies: sorted,
        held: sorted.some(({ lifted }) => lifted),
      };
    },

    forget(figureId: number) {
      seen.delete(figureId);
      sorted = null;
      places.delete(figureId);
      names.delete(figureId);
    },

    /** The marks of figures out of view, for `useSyncExternalStore`: a new list when one is added or removed. */
    marks: () => marks,
    onMarks: marked.on,

    /** Connects the element of the mark that begins with a figure, or disconnects it with null. */
    attachMark(figureId: number, element: HTMLElement | null) {
      if (!element) {
        elements.delete(figureId);
        return;
      }
      elements.set(figureId, element);
      const found = marks.find(({ figureIds }) => figureIds[0] === figureId);
      if (found) moveMark(found);
    },
  };
}
