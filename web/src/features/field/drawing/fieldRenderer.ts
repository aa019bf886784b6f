/**
 * The moving part of the field. It knows where every figure is drawn now and writes that straight into the SVG, at most
 * once a frame. React renders figures when they come, go or change their looks; moves do not render.
 *
 * The first of these that applies decides where a figure is drawn. It is under this person's own hand. Another hand
 * holds it, and it glides towards each position that arrives. It was just dropped or moved by keys, and stays there
 * until that is confirmed. Otherwise it stands at its stored place.
 */
import { HOLD_MS } from '@fieldroom/contract/field';
import { HELD_LIFT, HOLDER, HOLD_GAP, RING_GAP, knobSize } from './figures/worn.ts';
import { UNITS_PER_BOX, between, samePlace, screenRadius, toScreen } from './geometry.ts';
import { limitPan } from './camera/zoomAndPan.ts';
import { nameLines, namePlace, nameSize } from '../names/nameText.ts';
import type { Camera, FieldBox, Place, Point, Size } from './geometry.ts';
import type { LineFollower } from '../relations/lineFollower.ts';
import type { Arranger } from '../names/arranger.ts';
import type { Box } from '../names/boxes.ts';

/** How long (ms) a figure held by somebody else glides towards each position that arrives. */
const GLIDE_MS = 120;
const CAMERA_MS = 200;
/** How long (ms) a figure stays where it was dropped, unconfirmed, before it returns to its stored place. */
const CONFIRM_MS = 3000;

/** Parts of one figure that follow it, in their layers. */
export type PartName = 'figure' | 'beam' | 'sight' | 'name' | 'shadow' | 'ring' | 'held' | 'focus';

interface Glide {
  from: Place;
  to: Place;
  start: number;
  eased: boolean;
}

interface Slot {
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

interface PointerSlot {
  at: Point;
  from: Point;
  to: Point;
  start: number;
  until: number;
  element: SVGGElement | null;
}

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

export interface NameAsWritten extends Point {
  lines: readonly string[];
  anchor: 'start' | 'middle' | 'end';
}

export interface DrawnFigure extends Place {
  id: number;
  radius: number;
  lifted: boolean;
  look: DrawnLook;
}

interface Options {
  /** Called with each camera that was written. */
  onCamera: (camera: Camera) => void;
  /** Hands and pointers of others that were not heard of for HOLD_MS: they are drawn no more. */
  onSilent: (figureIds: readonly number[], personIds: readonly number[]) => void;
}

const ease = (t: number) => 1 - (1 - t) ** 3;
const number = (value: number) => (Math.round(value * 100) / 100).toString();
const SVG = 'http://www.w3.org/2000/svg';
const NO_LOOK: DrawnLook = { rank: 3, caption: '', hasFace: true, handle: false, heldBy: '' };
const sameLook = (a: DrawnLook, b: DrawnLook) =>
  a.rank === b.rank &&
  a.caption === b.caption &&
  a.hasFace === b.hasFace &&
  a.handle === b.handle &&
  a.heldBy === b.heldBy;

export type FieldRenderer = ReturnType<typeof createFieldRenderer>;

/**
 * Makes the renderer of one field. Everything works before the first element is attached and after the last has gone.
 */
export function createFieldRenderer({ onCamera, onSilent }: Options) {
  const slots = new Map<number, Slot>();
  const pointers = new Map<number, PointerSlot>();
  const dirty = new Set<Slot>();
  const moving = new Set<Slot>();
  const worlds = new Set<SVGGElement>();
  const nameLayers = new Set<SVGGElement>();
  /** Figures that moved or changed since the names were placed; `all` after the view has changed. */
  const stirred = new Set<number>();
  let allStirred = false;
  /** Places names and marks; until it has come, whole names stand below their figures. */
  let arranger: Arranger | null = null;
  /** Keeps the lines of relations at their figures. */
  let lines: LineFollower | null = null;
  /** Size of the view; nothing before it was measured. */
  let size: Size | null = null;
  let camera: Camera = { k: 1, tx: 0, ty: 0 };
  let cameraGlide: { from: Camera; to: Camera; start: number } | null = null;
  let cameraDirty = false;
  /** What lies over the field, px from its corner. */
  let covered: readonly Box[] = [];
  let frame = 0;
  let confirmTimer: ReturnType<typeof setTimeout> | undefined;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let still = false;

  const now = () => performance.now();

  function schedule() {
    if (frame === 0) frame = requestAnimationFrame(paint);
  }

  function touch(slot: Slot) {
    dirty.add(slot);
    schedule();
  }

  function glideTo(slot: Slot, to: Place, eased: boolean) {
    if (still || samePlace(slot.drawn, to)) {
      slot.glide = null;
      moving.delete(slot);
      slot.drawn = to;
      touch(slot);
      return;
    }
    slot.glide = { from: slot.drawn, to, start: now(), eased };
    moving.add(slot);
    schedule();
  }

  const target = (slot: Slot) => slot.glide?.to ?? slot.drawn;
  const aroundOf = ({ radius, drawn, lifted }: Slot) =>
    screenRadius(radius, drawn.scale, camera.k) * (lifted ? HELD_LIFT : 1);

  function write(slot: Slot) {
    const { drawn, parts } = slot;
    stirred.add(slot.id);
    const scale = drawn.scale * UNITS_PER_BOX;
    if (parts.figure || parts.beam) {
      const inField = `translate(${number(drawn.x)} ${number(drawn.y)}) rotate(${number(drawn.rotation)}) scale(${scale.toFixed(4)})`;
      parts.figure?.setAttribute('transform', inField);
      parts.beam?.setAttribute('transform', inField);
    }
    // Sight does not grow with its figure.
    parts.sight?.setAttribute(
      'transform',
      `translate(${number(drawn.x)} ${number(drawn.y)}) rotate(${number(drawn.rotation)})`,
    );
    const at = toScreen(camera, drawn);
    const around = aroundOf(slot);
    const onScreen = `translate(${number(at.x)} ${number(at.y)})`;
    if (parts.shadow) parts.shadow.setAttribute('transform', `${onScreen} scale(${number(around)})`);
    for (const name of ['ring', 'held', 'focus'] as const) {
      const part = parts[name];
      if (!part) continue;
      part.setAttribute('transform', onScreen);
      const r = around + (name === 'focus' ? RING_GAP + 5 : name === 'held' ? HOLD_GAP : RING_GAP);
      part.firstElementChild?.setAttribute('r', number(r));
      const follower = part.children[1];
      if (name === 'ring')
        follower?.setAttribute(
          'transform',
          `rotate(${number(drawn.rotation)}) translate(0 ${number(-r)}) scale(${number(knobSize(around))})`,
        );
      if (name === 'held') follower?.setAttribute('transform', `translate(0 ${number(-r - HOLDER.rise)})`);
    }
  }

  /** The circle in which a figure is drawn now, px. */
  function circleOf(id: number) {
    const slot = slots.get(id);
    return slot && known.has(id) ? { ...toScreen(camera, slot.drawn), radius: aroundOf(slot) } : null;
  }

  /**
   * Places the names of all that was stirred and of its neighbours, the marks of what is out of view, lines and words.
   */
  function arrange() {
    if (!size || (!allStirred && stirred.size === 0)) return;
    let due: Iterable<number> = allStirred ? known : stirred;
    if (arranger) {
      const figures = [...known].flatMap((id) => slots.get(id) ?? []);
      due = arranger.arrange({ figures, camera, size, aroundOf }, allStirred ? null : stirred);
    }
    for (const id of due) writeName(slots.get(id));
    lines?.follow(allStirred ? null : stirred, circleOf, nameSize(camera.k), arranger);
    stirred.clear();
    allStirred = false;
  }

  function below(slot: Slot): NameAsWritten {
    const { x, y } = namePlace(toScreen(camera, slot.drawn), aroundOf(slot), nameSize(camera.k), slot.lifted);
    return { lines: nameLines(slot.look.caption), anchor: 'middle', x, y };
  }

  function writeName(slot: Slot | undefined) {
    const element = slot?.parts.name;
    const text = element?.firstElementChild;
    if (!slot || !text) return;
    const { lines, anchor, x, y } = arranger?.nameOf(slot.id) ?? below(slot);
    const { written } = slot;
    const words = `${anchor} ${lines.join('\n')}`;
    if (written.text !== words) {
      written.text = words;
      text.setAttribute('text-anchor', anchor);
      text.replaceChildren(
        ...lines.map((line, index) => {
          const span = document.createElementNS(SVG, 'tspan');
          span.setAttribute('x', '0');
          if (index > 0) span.setAttribute('dy', '1.2em');
          span.textContent = line;
          return span;
        }),
      );
    }
    const at = `translate(${number(x)} ${number(y)})`;
    if (written.at === at) return;
    written.at = at;
    element?.setAttribute('transform', at);
  }

  function writePointer(pointer: PointerSlot) {
    const at = toScreen(camera, pointer.at);
    pointer.element?.setAttribute('transform', `translate(${number(at.x)} ${number(at.y)})`);
  }

  function writeCamera() {
    const transform = `matrix(${camera.k.toFixed(5)} 0 0 ${camera.k.toFixed(5)} ${number(camera.tx)} ${number(camera.ty)})`;
    for (const world of worlds) world.setAttribute('transform', transform);
    for (const layer of nameLayers) layer.setAttribute('font-size', `${nameSize(camera.k)}`);
    onCamera(camera);
  }

  function paint() {
    frame = 0;
    const time = now();
    if (cameraGlide) {
      const share = Math.min(1, (time - cameraGlide.start) / CAMERA_MS);
      const { from, to } = cameraGlide;
      const s = ease(share);
      camera =
        share >= 1
          ? to
          : {
              k: from.k + (to.k - from.k) * s,
              tx: from.tx + (to.tx - from.tx) * s,
              ty: from.ty + (to.ty - from.ty) * s,
            };
      if (share >= 1) cameraGlide = null;
      cameraDirty = true;
    }
    for (const slot of moving) {
      const { glide } = slot;
      if (glide) {
        const share = Math.min(1, (time - glide.start) / GLIDE_MS);
        slot.drawn = between(glide.from, glide.to, glide.eased ? ease(share) : share);
        if (share >= 1) slot.glide = null;
      }
      if (!slot.glide) moving.delete(slot);
      dirty.add(slot);
    }
    let pointing = false;
    for (const pointer of pointers.values()) {
      if (pointer.at === pointer.to) {
        if (cameraDirty) writePointer(pointer);
        continue;
      }
      const share = still ? 1 : Math.min(1, (time - pointer.start) / GLIDE_MS);
      pointer.at =
        share >= 1
          ? pointer.to
          : {
              x: pointer.from.x + (pointer.to.x - pointer.from.x) * share,
              y: pointer.from.y + (pointer.to.y - pointer.from.y) * share,
            };
      if (share < 1) pointing = true;
      writePointer(pointer);
    }
    if (cameraDirty) {
      cameraDirty = false;
      allStirred = true;
      writeCamera();
      for (const slot of slots.values()) write(slot);
    } else {
      for (const slot of dirty) write(slot);
    }
    dirty.clear();
    arrange();
    if (moving.size > 0 || cameraGlide || pointing) schedule();
  }

  /** Believes the stored place again where no confirmation came in time. */
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

  function waitFor(slot: Slot, place: Place, own = true) {
    if (samePlace(slot.stored, place)) slot.waiting = null;
    else {
      slot.waiting = { place, until: now() + CONFIRM_MS, own };
      // One timer is enough: it sets the next one itself.
      confirmTimer ??= setTimeout(watchWaiting, CONFIRM_MS + 1);
    }
  }

  /**
   * Lets go of what no message has named for HOLD_MS. Their end may have got lost with the connection, and a figure
   * must not stay in a hand that let go.
   */
  function watchSilence() {
    silenceTimer = undefined;
    let next = Infinity;
    const time = now();
    const figureIds: number[] = [];
    const personIds: number[] = [];
    for (const [id, slot] of slots) {
      if (slot.hand !== 'other') continue;
      if (slot.heldUntil > time) next = Math.min(next, slot.heldUntil);
      else {
        release(slot);
        figureIds.push(id);
      }
    }
    for (const [id, pointer] of pointers) {
      if (pointer.until > time) next = Math.min(next, pointer.until);
      else {
        pointers.delete(id);
        personIds.push(id);
      }
    }
    if (next < Infinity) silenceTimer = setTimeout(watchSilence, next - time + 1);
    if (figureIds.length > 0 || personIds.length > 0) onSilent(figureIds, personIds);
  }

  const heard = (time: number) => {
    // One timer is enough: it sets the next one itself.
    silenceTimer ??= setTimeout(watchSilence, HOLD_MS + 1);
    return time + HOLD_MS;
  };

  /** Out of any hand and back to what is stored. */
  function release(slot: Slot) {
    slot.hand = 'none';
    slot.waiting = null;
    glideTo(slot, slot.stored, true);
  }

  const emptySlot = (id: number): Slot => ({
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

  const known = new Set<number>();

  return {
    /** With reduced motion nothing glides. */
    setStill(value: boolean) {
      still = value;
    },

    /** Takes over the stored figures; what is new appears in place, what moved glides there. */
    setFigures(figures: readonly DrawnFigure[]) {
      const present = new Set<number>();
      const gone: number[] = [];
      for (const { id, radius, lifted, look, x, y, rotation, scale } of figures) {
        present.add(id);
        const stored = { x, y, rotation, scale };
        let slot = slots.get(id);
        if (!slot) slots.set(id, (slot = emptySlot(id)));
        // Write only what changed. An attribute that is written with the same value still costs style and layout of
        // every figure.
        if (slot.radius !== radius || slot.lifted !== lifted) dirty.add(slot);
        if (!sameLook(slot.look, look)) stirred.add(id);
        if (!known.has(id)) {
          known.add(id);
          slot.drawn = stored;
          dirty.add(slot);
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
        dirty.delete(slot);
        moving.delete(slot);
        stirred.add(id);
        gone.push(id);
      }
      // Written at once: a figure must not be painted for one frame in the corner where its markup begins.
      for (const slot of dirty) write(slot);
      dirty.clear();
      arrange();
      for (const id of gone) arranger?.forget(id);
    },

    /** Connects a part of a figure, or takes it away with null. */
    attach(id: number, part: PartName, element: SVGGElement | null) {
      let slot = slots.get(id);
      if (!element) {
        if (slot) delete slot.parts[part];
        return;
      }
      if (!slot) slots.set(id, (slot = emptySlot(id)));
      slot.parts[part] = element;
      if (!known.has(id)) return;
      if (part !== 'name') {
        write(slot);
        return;
      }
      // An element of its own, as a figure changes its layer when it is taken: what was written is not in it.
      slot.written = { text: '', at: '' };
      writeName(slot);
    },

    /** A layer in field units, which the camera places. */
    attachWorld(element: SVGGElement | null) {
      if (!element) return undefined;
      worlds.add(element);
      cameraDirty = true;
      schedule();
      return () => {
        worlds.delete(element);
      };
    },

    /** A layer of names, whose size follows the camera. */
    attachNames(element: SVGGElement | null) {
      if (!element) return undefined;
      nameLayers.add(element);
      cameraDirty = true;
      schedule();
      return () => {
        nameLayers.delete(element);
      };
    },

    /** The person's own hand takes a figure. Returns the place where it is drawn. */
    take(id: number): Place | null {
      const slot = slots.get(id);
      if (!slot || !known.has(id)) return null;
      const place = slot.drawn;
      slot.hand = 'own';
      slot.glide = null;
      slot.waiting = null;
      moving.delete(slot);
      return place;
    },

    /** The own hand moves what it took. */
    put(id: number, place: Place) {
      const slot = slots.get(id);
      if (!slot || slot.hand !== 'own') return;
      slot.drawn = place;
      touch(slot);
    },

    /** The own hand lets go; the figure waits here for its confirmation. */
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

    /** Another hand's position. Returns false when the person's own hand holds the figure and nothing was done. */
    live(id: number, place: Partial<Place>): boolean {
      const slot = slots.get(id);
      if (!slot || slot.hand === 'own') return false;
      slot.hand = 'other';
      slot.heldUntil = heard(now());
      slot.waiting = null;
      glideTo(slot, { ...target(slot), ...place }, false);
      return true;
    },

    /** The other hand let go: the figure stays until the stored place follows. */
    liveEnd(id: number) {
      const slot = slots.get(id);
      if (!slot || slot.hand !== 'other') return;
      slot.hand = 'none';
      waitFor(slot, target(slot), false);
    },

    /** Back to the stored place now, whatever was waited for. */
    settle(id: number) {
      const slot = slots.get(id);
      if (slot) release(slot);
    },

    /** Lets go of everything that others hold or show: whatever is still true is heard of again at once. */
    releaseOthers() {
      for (const slot of slots.values()) if (slot.hand === 'other') release(slot);
      pointers.clear();
    },

    /** Where a figure is going to stand, for steps and hits; null for an unknown one. */
    placeOf(id: number): Place | null {
      const slot = slots.get(id);
      return slot && known.has(id) ? target(slot) : null;
    },

    /** Where a figure is drawn now. */
    drawnAt(id: number): Place | null {
      const slot = slots.get(id);
      return slot && known.has(id) ? slot.drawn : null;
    },

    /** The named pointer of a person at a field point. */
    point(personId: number, at: Point) {
      const pointer = pointers.get(personId);
      const until = heard(now());
      if (!pointer) pointers.set(personId, { at, from: at, to: at, start: 0, until, element: null });
      else {
        pointer.until = until;
        pointer.from = pointer.at;
        pointer.to = at;
        pointer.start = now();
        schedule();
      }
    },

    pointEnd(personId: number) {
      pointers.delete(personId);
    },

    attachPointer(personId: number, element: SVGGElement | null) {
      const pointer = pointers.get(personId);
      if (!pointer) return;
      pointer.element = element;
      writePointer(pointer);
    },

    /** Names and marks are placed by this from now on. */
    setArranger(by: Arranger) {
      arranger = by;
      arranger.keepClear(covered);
      allStirred = true;
      schedule();
    },

    /** Names keep away from these boxes: px from the field's corner. */
    keepClear(boxes: readonly Box[]) {
      covered = boxes;
      arranger?.keepClear(boxes);
      allStirred = true;
      schedule();
    },

    /** The lines of relations follow their figures by this from now on. */
    setLines(by: LineFollower) {
      lines = by;
      lines.follow(null, circleOf, nameSize(camera.k), arranger);
    },

    camera: () => cameraGlide?.to ?? camera,

    /** Looks elsewhere, at once or gliding. */
    look(to: Camera, seen: FieldBox, glide = false) {
      size = seen;
      const limited = limitPan(to, seen);
      if (glide && !still) cameraGlide = { from: camera, to: limited, start: now() };
      else {
        cameraGlide = null;
        camera = limited;
      }
      cameraDirty = true;
      schedule();
    },

    stop() {
      cancelAnimationFrame(frame);
      frame = 0;
      clearTimeout(confirmTimer);
      clearTimeout(silenceTimer);
      confirmTimer = undefined;
      silenceTimer = undefined;
    },
  };
}
