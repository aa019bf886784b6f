/**
 * Which part of the field should be visible: it fits the box, follows its size, zooms and pans. drawnCamera.ts moves
 * the camera there.
 */
import { UNITS_PER_BOX, screenRadius, toField } from '../geometry.ts';
import { fitField, fitFigures, fitOwn, isInView, type SeenFigure } from './views.ts';
import { nameOf, radiusOf } from '../figures/figureExtent.ts';
import { showPoint, zoomAt } from './zoomAndPan.ts';
import type { Camera, FieldBox, Place, Point, Size } from '../geometry.ts';
import type { FieldRenderer } from '../fieldRenderer.ts';
import type { CameraView, FieldViewProps, FigureOnField } from '../fieldViewTypes.ts';

/** A view that the camera follows when the box changes its size. */
export type Fitted = Exclude<CameraView['view'], 'free'>;

/** The figure of this person to which the view changes; nothing while they have none. */
export const ownFigure = ({ figures, ownId }: FieldViewProps): FigureOnField | undefined =>
  figures.find((figure) => figure.own && figure.id === ownId) ?? figures.find((figure) => figure.own);

interface Options {
  renderer: () => FieldRenderer;
  root: () => HTMLElement | null;
  /** What the field was last drawn with. */
  props: () => FieldViewProps;
  /** Whether a drag is running: the background must not move under it. */
  inHand: () => boolean;
}

export type FieldCamera = ReturnType<typeof createFieldCamera>;

/**
 * Makes the camera of one field. It decides what is visible and lets the renderer draw it; fitting waits during a drag.
 * Rules: docs/product.md#5.24.
 */
export function createFieldCamera({ renderer, root, props, inHand }: Options) {
  let size: FieldBox = { width: 1, height: 1 };
  let view: CameraView['view'] = 'figures';
  let told: CameraView | null = null;
  /** The view has to be fitted again after the drag. */
  let due = false;

  /** Shows a part of the field; `next` is the view that the camera follows from now on. */
  function look(to: Camera, next: CameraView['view'], glide = false) {
    view = next;
    due = false;
    renderer().look(to, size, glide);
  }

  /** The present or upcoming place and size of a figure. */
  function seen(figure: FigureOnField): SeenFigure {
    const { x, y, scale } = renderer().placeOf(figure.id) ?? figure;
    return {
      x,
      y,
      radius: radiusOf(figure) * UNITS_PER_BOX * scale,
      name: props().showNames && figure.showText ? nameOf(figure) : null,
    };
  }

  /** Fits a view; without an own figure that is the view of all. */
  function fit(next: Fitted, glide: boolean) {
    const own = next === 'own' ? ownFigure(props()) : undefined;
    if (own) look(fitOwn(size, renderer().placeOf(own.id) ?? own), 'own', glide);
    else look(fitFigures(size, props().figures.map(seen)), 'figures', glide);
  }

  /** Fits a view again after its figures or its box have changed. */
  function refit(glide: boolean) {
    if (view === 'free') return;
    if (inHand()) due = true;
    else fit(view, glide);
  }

  /** Widens a view of the figures when one of them has left it, whoever moved it. */
  function keepInView(figures: readonly FigureOnField[]) {
    if (view !== 'figures' || inHand()) return;
    const camera = renderer().camera();
    if (!figures.every((figure) => isInView(camera, size, seen(figure)))) fit('figures', true);
  }

  const middle = (): Point => ({ x: size.width / 2, y: size.height / 2 });

  return {
    size: () => size,
    look,
    fit,
    refit,
    keepInView,

    /** The drag has ended: does what had to wait. */
    handOpened() {
      if (due) refit(true);
      else keepInView(props().figures);
    },

    /** The renderer has drawn this camera: reports the new zoom once. */
    drawn(camera: Camera) {
      const zoom = Math.round((camera.k / fitField(size).k) * 1000) / 1000;
      if (told?.zoom === zoom && told.view === view) return;
      told = { zoom, view };
      props().onCameraChange?.(told);
    },

    /** Takes the new size of the box. A fitted view stays fitted, a free one keeps its middle. */
    measure(first: boolean) {
      const element = root();
      if (!element) return;
      const next = { width: Math.max(1, element.clientWidth), height: Math.max(1, element.clientHeight) };
      if (!first && size.width === next.width && size.height === next.height) return;
      const at = toField(renderer().camera(), middle());
      size = { ...size, ...next };
      if (view !== 'free') fit(view, false);
      else {
        const { k } = renderer().camera();
        renderer().look({ k, tx: next.width / 2 - k * at.x, ty: next.height / 2 - k * at.y }, next);
      }
    },

    /** Takes the part of the box that views of the figures may use; null for all of it. */
    setClear(clear: (Point & Size) | null, glide: boolean) {
      if (sameClear(size.clear ?? null, clear)) return;
      const { width, height } = size;
      size = clear ? { width, height, clear } : { width, height };
      refit(glide);
    },

    /** Client px to px from the field's corner. */
    local(clientX: number, clientY: number): Point {
      const box = root()?.getBoundingClientRect();
      return { x: clientX - (box?.left ?? 0), y: clientY - (box?.top ?? 0) };
    },

    zoomBy: (factor: number) => look(zoomAt(renderer().camera(), size, middle(), factor), 'free', true),

    seen,

    /** Glides as little as needed to show a figure at a place. */
    bringIntoView(figure: FigureOnField, place: Place) {
      if (view === 'figures') return keepInView([figure]);
      const camera = renderer().camera();
      const next = showPoint(camera, size, place, Math.min(screenRadius(radiusOf(figure), place.scale, camera.k), 80));
      if (Math.abs(next.tx - camera.tx) > 0.5 || Math.abs(next.ty - camera.ty) > 0.5) look(next, 'free', true);
    },
  };
}

/** Whether two parts of the box are equal except for rounding. */
function sameClear(a: (Point & Size) | null, b: (Point & Size) | null): boolean {
  if (a === null || b === null) return a === b;
  return (['x', 'y', 'width', 'height'] as const).every((key) => Math.abs(a[key] - b[key]) < 0.5);
}
