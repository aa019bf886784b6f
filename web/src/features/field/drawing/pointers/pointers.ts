/** The named pointers of others: each glides towards the positions that arrive. */
import { type Camera, type Point, toScreen } from '../geometry.ts';
import { GLIDE_MS } from '../motion.ts';
import { svgNumber } from '../svgNumber.ts';

interface PointerSlot {
  at: Point;
  from: Point;
  to: Point;
  start: number;
  /** When it is removed unless another message arrives. */
  until: number;
}

interface Options {
  /** Requests a frame. */
  schedule: () => void;
  /** Whether nothing glides. */
  isStill: () => boolean;
  /** A message has arrived. Returns how long the pointer counts as present. */
  heard: () => number;
  /** The camera with which everything is drawn now. */
  camera: () => Camera;
}

/** Makes the pointers of one field, by the ids of their persons. */
export function createPointers({ schedule, isStill, heard, camera }: Options) {
  const pointers = new Map<number, PointerSlot>();
  /** Apart from the pointers: React keeps the element of a pointer that ends and returns before a frame is drawn. */
  const elements = new Map<number, SVGGElement>();

  function write(personId: number, pointer: PointerSlot) {
    const at = toScreen(camera(), pointer.at);
    elements.get(personId)?.setAttribute('transform', `translate(${svgNumber(at.x)} ${svgNumber(at.y)})`);
  }

  return {
    /** The named pointer of a person at a field point. */
    point(personId: number, at: Point) {
      const pointer = pointers.get(personId);
      const until = heard();
      if (!pointer) {
        const begun = { at, from: at, to: at, start: 0, until };
        pointers.set(personId, begun);
        write(personId, begun);
      } else {
        pointer.until = until;
        pointer.from = pointer.at;
        pointer.to = at;
        pointer.start = performance.now();
        schedule();
      }
    },

    /** That person stopped pointing. */
    end(personId: number) {
      pointers.delete(personId);
    },

    /** Everybody stopped pointing. */
    endAll() {
      pointers.clear();
    },

    /**
     * Ends pointers without a message until `time` (ms). Adds their persons to `silent`; returns when the next one is
     * due, Infinity for never.
     */
    endSilent(time: number, silent: number[]): number {
      let next = Infinity;
      for (const [id, pointer] of pointers) {
        if (pointer.until > time) next = Math.min(next, pointer.until);
        else {
          pointers.delete(id);
          silent.push(id);
        }
      }
      return next;
    },

    /** Connects the element of a pointer, or disconnects it with null. */
    attach(personId: number, element: SVGGElement | null) {
      if (element) elements.set(personId, element);
      else elements.delete(personId);
      const pointer = pointers.get(personId);
      if (pointer) write(personId, pointer);
    },

    /** Draws the moving pointers, or all if the camera has moved. Returns whether any is still gliding. */
    draw(time: number, cameraMoved: boolean): boolean {
      let pointing = false;
      for (const [personId, pointer] of pointers) {
        if (pointer.at === pointer.to) {
          if (cameraMoved) write(personId, pointer);
          continue;
        }
        const share = isStill() ? 1 : Math.min(1, (time - pointer.start) / GLIDE_MS);
        pointer.at =
          share >= 1
            ? pointer.to
            : {
                x: pointer.from.x + (pointer.to.x - pointer.from.x) * share,
                y: pointer.from.y + (pointer.to.y - pointer.from.y) * share,
              };
        if (share < 1) pointing = true;
        write(personId, pointer);
      }
      return pointing;
    },
  };
}
