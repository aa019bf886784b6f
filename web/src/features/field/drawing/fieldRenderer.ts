/**
 * The moving part of the field. It writes all positions straight into the SVG, at most once a frame. React renders
 * figures when they are added, removed or restyled; moves do not render. This file defines a frame. The positions of
 * figures are in figurePlaces.ts, the camera in drawnCamera.ts, pointers are in pointers.ts, names in nameWriter.ts.
 */
import { HOLD_MS } from '@fieldroom/contract/field';
import type { LineFollower } from '../relations/lineFollower.ts';
import type { Arranger } from '../names/arranger.ts';
import type { Box } from '../names/boxes.ts';
import { createNameWriter } from '../names/nameWriter.ts';
import { createDrawnCamera } from './camera/drawnCamera.ts';
import { createFigurePlaces } from './figures/figurePlaces.ts';
import type { DrawnFigure, FigureSlot, PartName } from './figures/figureSlot.ts';
import { writeFigure } from './figures/writeFigure.ts';
import type { Camera } from './geometry.ts';
import { createPointers } from './pointers/pointers.ts';

interface Options {
  /** Called with each camera that was drawn. */
  onCamera: (camera: Camera) => void;
  /** Drags and pointers of others without a message for HOLD_MS: they are removed. */
  onSilent: (figureIds: readonly number[], personIds: readonly number[]) => void;
}

export type FieldRenderer = ReturnType<typeof createFieldRenderer>;

/**
 * Makes the renderer of one field. All functions work before the first element is attached and after the last was
 * removed.
 */
export function createFieldRenderer({ onCamera, onSilent }: Options) {
  let frame = 0;
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;
  let still = false;

  const isStill = () => still;

  function schedule() {
    if (frame === 0) frame = requestAnimationFrame(paint);
  }

  function heard(): number {
    // One timer is enough: it sets the next one itself.
    silenceTimer ??= setTimeout(watchSilence, HOLD_MS + 1);
    return performance.now() + HOLD_MS;
  }

  const camera = createDrawnCamera({ schedule, isStill, onCamera });
  const figures = createFigurePlaces({ schedule, isStill, heard, stir: (id) => names.stir(id) });
  const pointers = createPointers({ schedule, isStill, heard, camera: camera.now });
  const names = createNameWriter({ figures, camera });

  function draw(slot: FigureSlot) {
    names.stir(slot.id);
    writeFigure(slot, camera.now());
  }

  function paint() {
    frame = 0;
    const time = performance.now();
    const cameraMoved = camera.glide(time);
    const gliding = figures.glide(time);
    const pointing = pointers.draw(time, cameraMoved);
    if (cameraMoved) {
      names.stirAll();
      camera.write();
      figures.drawAll(draw);
    } else figures.drawDue(draw);
    names.arrange();
    if (gliding || pointing || camera.isGliding()) schedule();
  }

  /**
   * Ends drags and pointers that no message has named for HOLD_MS. Their end may have been lost with the connection,
   * and a released figure must not stay held.
   */
  function watchSilence() {
    silenceTimer = undefined;
    const time = performance.now();
    const figureIds: number[] = [];
    const personIds: number[] = [];
    const next = Math.min(figures.releaseSilent(time, figureIds), pointers.endSilent(time, personIds));
    if (next < Infinity) silenceTimer = setTimeout(watchSilence, next - time + 1);
    if (figureIds.length > 0 || personIds.length > 0) onSilent(figureIds, personIds);
  }

  return {
    /** With reduced motion nothing glides. */
    setStill(value: boolean) {
      still = value;
    },

    /** Takes the stored figures; new ones appear in place, moved ones glide. */
    setFigures(stored: readonly DrawnFigure[]) {
      const gone = figures.set(stored);
      // Written at once: a figure must not be painted for one frame in the corner where its markup begins.
      figures.drawDue(draw);
      names.arrange();
      names.forget(gone);
    },

    /** Connects a part of a figure, or disconnects it with null. */
    attach(id: number, part: PartName, element: SVGGElement | null) {
      const slot = figures.attach(id, part, element);
      if (!slot) return;
      if (part === 'name') names.begin(slot);
      else draw(slot);
    },

    // Drags and positions: see figurePlaces.ts.
    take: figures.take,
    put: figures.put,
    releaseOwn: figures.releaseOwn,
    step: figures.step,
    settle: figures.settle,
    live: figures.live,
    liveEnd: figures.liveEnd,
    placeOf: figures.placeOf,
    drawnAt: figures.drawnAt,

    /** Ends all drags and pointers of others: messages restore at once whatever is still true. */
    releaseOthers() {
      figures.releaseOthers();
      pointers.endAll();
    },

    // Named pointers: see pointers.ts.
    point: pointers.point,
    pointEnd: pointers.end,
    attachPointer: pointers.attach,

    // The visible part, and the layers that it places: see drawnCamera.ts.
    camera: camera.target,
    look: camera.look,
    attachWorld: camera.attachWorld,
    attachNames: camera.attachNames,

    /** Sets what places names and marks from now on. */
    setArranger(by: Arranger) {
      names.setArranger(by);
      schedule();
    },

    /** Names keep away from these boxes: px from the field's corner. */
    keepClear(boxes: readonly Box[]) {
      names.keepClear(boxes);
      schedule();
    },

    /** Sets what moves the lines of relations with their figures from now on. */
    setLines: (by: LineFollower) => names.setLines(by),

    stop() {
      cancelAnimationFrame(frame);
      frame = 0;
      figures.stop();
      clearTimeout(silenceTimer);
      silenceTimer = undefined;
    },
  };
}
