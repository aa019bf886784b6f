/**
 * Where every figure is drawn now. The first of these that applies decides. This person drags the figure. Somebody else
 * drags it, and it glides towards each position that arrives. It was just dropped or moved by keys, and stays there
 * until that is confirmed. Otherwise it is at its stored place.
 */
import { between, type Place, samePlace } from '../geometry.ts';
import { ease, GLIDE_MS } from '../motion.ts';
import { type DrawnFigure, emptySlot, type FigureSlot, type PartName, sameLook } from './figureSlot.ts';

/** How long (ms) a figure stays where it was dropped, unconfirmed, before it returns to its stored place. */
const CONFIRM_MS = 3000;

interface Options {
  /** Requests a frame. */
  schedule: () => void;
  /** Whether nothing glides. */
  isStill: () => boolean;
  /** A message of another drag has arrived. Returns how long the drag counts as running. */
  heard: () => number;
  /** The name of a figure has to be placed again, though it has not moved: it looks different, or was removed. */
  stir: (id: number) => void;
}

export type FigurePlaces = ReturnType<typeof createFigurePlaces>;

/**
 * Makes the places of the figures of one field. The renderer asks with each frame what has moved (`glide`, `drawDue`);
 * drags and the store report moves.
 */
export function createFigurePlaces({ schedule, isStill, heard, stir }: Options) {
  /** Also of figures that are not known yet although their elements are. */
  const slots = new Map<number, FigureSlot>();
  const known = new Set<number>();
  /** The figures to write with the next frame. */
  const due = new Set<FigureSlot>();
  const gliding = new Set<FigureSlot>();
  let confirmTimer: ReturnType<typeof setTimeout> | undefined;

  const now = () => performance.now();
  const target = (slot: FigureSlot) => slot.glide?.to ?? slot.drawn;

  function touch(slot: FigureSlot) {
    due.add(slot);
    schedule();
  }

  function glideTo(slot: FigureSlot, to: Place, eased: boolean) {
    if (isStill() || samePlace(slot.drawn, to)) {
      slot.glide = null;
      gliding.delete(slot);
      slot.drawn = to;
      touch(slot);
      return;
    }
    slot.glide = { from: slot.drawn, to, start: now(), eased };
    gliding.add(slot);
    schedule();
  }

  /** Returns to the stored place if no confirmation came in time. */
  function watchWaiting() {
    clearTimeout(confirmTimer);
    confirmTimer = undefined;
    let next = Infinity;
    const time = now();
    for (const slot of slots.values()) {
      if (!slot.waiting) continue;
      if (slot.waiting.until <= time) {
        slot.waiting = null;
        if (slot.hand === 'none') glideTo(slot, slot.stored, true);
      } else next = Math.min(next, slot.waiting.until);
    }
    if (next < Infinity) confirmTimer = setTimeout(watchWaiting, next - time + 1);
  }

  function waitFor(slot: FigureSlot, place: Place, own = true) {
    if (samePlace(slot.stored, place)) slot.waiting = null;
    else {
      slot.waiting = { place, until: now() + CONFIRM_MS, own };
      // One timer is enough: it sets the next one itself.
      confirmTimer ??= setTimeout(watchWaiting, CONFIRM_MS + 1);
    }
  }

  /** Ends any drag and returns to the stored place. */
  function release(slot: FigureSlot) {
    slot.hand = 'none';
    slot.waiting = null;
    glideTo(slot, slot.stored, true);
  }

  return {
    /** The ids of all figures on the field. */
    ids: (): Iterable<number> => known,

    /** A figure on the field; nothing for an unknown one. */
    get: (id: number): FigureSlot | undefined => (known.has(id) ? slots.get(id) : undefined),

    /** Takes the stored figures; new ones appear in place, moved ones glide. Returns the removed ones. */
    set(figures: readonly DrawnFigure[]): number[] {
      const present = new Set<number>();
      const gone: number[] = [];
      for (const { id, radius, lifted, look, x, y, rotation, scale } of figures) {
        present.add(id);
        const stored = { x, y, rotation, scale };
        let slot = slots.get(id);
        if (!slot) slots.set(id, (slot = emptySlot(id)));
        // Write only what changed. Writing an attribute with the same value still costs style and layout of every
        // figure.
        if (slot.radius !== radius || slot.lifted !== lifted) due.add(slot);
        if (!sameLook(slot.look, look)) stir(id);
        if (!known.has(id)) {
          known.add(id);
          slot.drawn = stored;
          due.add(slot);
        }
        const moved = !samePlace(slot.stored, stored);
        slot.stored = stored;
        slot.radius = radius;
        slot.lifted = lifted;
        slot.look = look;
        if (slot.hand !== 'none') continue;
        if (slot.waiting) {
          if (samePlace(slot.waiting.place, stored)) slot.waiting = null;
          else if (moved && !slot.waiting.own) release(slot);
        } else if (moved || !samePlace(target(slot), stored)) glideTo(slot, stored, true);
      }
      for (const [id, slot] of slots) {
        if (present.has(id)) continue;
        slots.delete(id);
        known.delete(id);
        due.delete(slot);
        gliding.delete(slot);
        stir(id);
        gone.push(id);
      }
      return gone;
    },

    /** Connects a part of a figure, or disconnects it with null. Returns the figure if the part has to be drawn now. */
    attach(id: number, part: PartName, element: SVGGElement | null): FigureSlot | undefined {
      let slot = slots.get(id);
      if (!element) {
        if (slot) delete slot.parts[part];
        return undefined;
      }
      if (!slot) slots.set(id, (slot = emptySlot(id)));
      slot.parts[part] = element;
      return known.has(id) ? slot : undefined;
    },

    /** Advances gliding figures to `time` (ms). Returns whether any is still gliding. */
    glide(time: number): boolean {
      for (const slot of gliding) {
        const { glide } = slot;
        if (glide) {
          const share = Math.min(1, (time - glide.start) / GLIDE_MS);
          slot.drawn = between(glide.from, glide.to, glide.eased ? ease(share) : share);
          if (share >= 1) slot.glide = null;
        }
        if (!slot.glide) gliding.delete(slot);
        due.add(slot);
      }
      return gliding.size > 0;
    },

    /** Draws all that has moved since the last time. */
    drawDue(draw: (slot: FigureSlot) => void) {
      for (const slot of due) draw(slot);
      due.clear();
    },

    /** Draws every figure, because the camera has moved. */
    drawAll(draw: (slot: FigureSlot) => void) {
      for (const slot of slots.values()) draw(slot);
      due.clear();
    },

    /** This person picks up a figure. Returns the place where it is drawn. */
    take(id: number): Place | null {
      const slot = slots.get(id);
      if (!slot || !known.has(id)) return null;
      const place = slot.drawn;
      slot.hand = 'own';
      slot.glide = null;
      slot.waiting = null;
      gliding.delete(slot);
      return place;
    },

    /** This person's drag moves its figure. */
    put(id: number, place: Place) {
      const slot = slots.get(id);
      if (!slot || slot.hand !== 'own') return;
      slot.drawn = place;
      touch(slot);
    },

    /** This person drops the figure; it waits here for its confirmation. */
    releaseOwn(id: number, place: Place) {
      const slot = slots.get(id);
      if (!slot) return;
      slot.hand = 'none';
      glideTo(slot, place, true);
      waitFor(slot, place);
    },

    /** A step by key: shown at once, confirmed by what is stored afterwards. */
    step(id: number, place: Place) {
      const slot = slots.get(id);
      if (!slot) return;
      glideTo(slot, place, true);
      waitFor(slot, place);
    },

    /** A position from another drag. Returns false if this person drags the figure and nothing was done. */
    live(id: number, place: Partial<Place>): boolean {
      const slot = slots.get(id);
      if (!slot || slot.hand === 'own') return false;
      slot.hand = 'other';
      slot.heldUntil = heard();
      slot.waiting = null;
      glideTo(slot, { ...target(slot), ...place }, false);
      return true;
    },

    /** The other drag ended: the figure stays until the stored place follows. */
    liveEnd(id: number) {
      const slot = slots.get(id);
      if (!slot || slot.hand !== 'other') return;
      slot.hand = 'none';
      waitFor(slot, target(slot), false);
    },

    /** Returns to the stored place now, without waiting for a confirmation. */
    settle(id: number) {
      const slot = slots.get(id);
      if (slot) release(slot);
    },

    /** Ends all other drags. */
    releaseOthers() {
      for (const slot of slots.values()) if (slot.hand === 'other') release(slot);
    },

    /**
     * Ends other drags without a message until `time` (ms). Adds the ids of their figures to `silent`; returns when the
     * next one is due, Infinity for never.
     */
    releaseSilent(time: number, silent: number[]): number {
      let next = Infinity;
      for (const [id, slot] of slots) {
        if (slot.hand !== 'other') continue;
        if (slot.heldUntil > time) next = Math.min(next, slot.heldUntil);
        else {
          release(slot);
          silent.push(id);
        }
      }
      return next;
    },

    /** Where a figure is going to be, for steps and hits; null for an unknown one. */
    placeOf(id: number): Place | null {
      const slot = slots.get(id);
      return slot && known.has(id) ? target(slot) : null;
    },

    /** Where a figure is drawn now; null for an unknown one. */
    drawnAt(id: number): Place | null {
      const slot = slots.get(id);
      return slot && known.has(id) ? slot.drawn : null;
    },

    stop() {
      clearTimeout(confirmTimer);
      confirmTimer = undefined;
    },
  };
}
