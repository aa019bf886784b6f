/**
 * The camera with which the field is drawn now. It jumps or glides to the target of fieldCamera.ts, and places the
 * layers.
 */
import type { Camera, FieldBox, Size } from '../geometry.ts';
import { ease } from '../motion.ts';
import { svgNumber } from '../svgNumber.ts';
import { nameSize } from '../../names/nameText.ts';
import { limitPan } from './zoomAndPan.ts';

const CAMERA_MS = 200;

interface Options {
  /** Requests a frame. */
  schedule: () => void;
  /** Whether nothing glides. */
  isStill: () => boolean;
  /** Called with each camera that was drawn. */
  onCamera: (camera: Camera) => void;
}

export type DrawnCamera = ReturnType<typeof createDrawnCamera>;

/** Makes the drawn camera of one field. */
export function createDrawnCamera({ schedule, isStill, onCamera }: Options) {
  const worlds = new Set<SVGGElement>();
  const nameLayers = new Set<SVGGElement>();
  /** Size of the view; nothing before it was measured. */
  let size: Size | null = null;
  let camera: Camera = { k: 1, tx: 0, ty: 0 };
  let glide: { from: Camera; to: Camera; start: number } | null = null;
  let moved = false;

  function attach(layers: Set<SVGGElement>, element: SVGGElement | null) {
    if (!element) return undefined;
    layers.add(element);
    moved = true;
    schedule();
    return () => {
      layers.delete(element);
    };
  }

  return {
    /** The camera as drawn now. */
    now: () => camera,

    /** The camera's target. */
    target: () => glide?.to ?? camera,

    size: () => size,

    isGliding: () => glide !== null,

    /** Sets another target, at once or gliding. */
    look(to: Camera, seen: FieldBox, gliding = false) {
      size = seen;
      const limited = limitPan(to, seen);
      if (gliding && !isStill()) glide = { from: camera, to: limited, start: performance.now() };
      else {
        glide = null;
        camera = limited;
      }
      moved = true;
      schedule();
    },

    /** A layer in field units, which the camera places. */
    attachWorld: (element: SVGGElement | null) => attach(worlds, element),

    /** A layer of names, whose size follows the camera. */
    attachNames: (element: SVGGElement | null) => attach(nameLayers, element),

    /**
     * Advances the camera to `time` (ms). Returns whether the layers have to be written: it has moved since the last
     * time, or a layer was added.
     */
    glide(time: number): boolean {
      if (glide) {
        const share = Math.min(1, (time - glide.start) / CAMERA_MS);
        const { from, to } = glide;
        const s = ease(share);
        camera =
          share >= 1
            ? to
            : {
                k: from.k + (to.k - from.k) * s,
                tx: from.tx + (to.tx - from.tx) * s,
                ty: from.ty + (to.ty - from.ty) * s,
              };
        if (share >= 1) glide = null;
        moved = true;
      }
      const due = moved;
      moved = false;
      return due;
    },

    /** Places all layers. */
    write() {
      const { k, tx, ty } = camera;
      const transform = `matrix(${k.toFixed(5)} 0 0 ${k.toFixed(5)} ${svgNumber(tx)} ${svgNumber(ty)})`;
      for (const world of worlds) world.setAttribute('transform', transform);
      for (const layer of nameLayers) layer.setAttribute('font-size', `${nameSize(k)}`);
      onCamera(camera);
    },
  };
}
