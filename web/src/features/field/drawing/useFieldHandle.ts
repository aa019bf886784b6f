/** The field's handle: see `FieldViewHandle`. */
import { type RefObject, useImperativeHandle } from 'react';
import type { FieldCamera } from './camera/fieldCamera.ts';
import type { FieldCover } from './camera/fieldCover.ts';
import type { FieldRenderer } from './fieldRenderer.ts';
import type { FieldViewHandle, FieldViewProps } from './fieldViewTypes.ts';
import { elementOf, focusNearest } from './figures/figureElement.ts';
import type { FieldHands } from './hands/fieldHands.ts';
import type { OthersOnField } from './useOthersOnField.ts';

interface Parts {
  root: RefObject<HTMLElement | null>;
  /** What the field was last drawn with. */
  latest: RefObject<FieldViewProps>;
  renderer: FieldRenderer;
  camera: FieldCamera;
  hands: FieldHands;
  cover: FieldCover;
  others: OthersOnField;
}

/** Assigns the handle of a field to the caller's ref. */
export function useFieldHandle(
  ref: FieldViewProps['ref'],
  { root, latest, renderer, camera, hands, cover, others }: Parts,
) {
  useImperativeHandle(ref, (): FieldViewHandle => {
    const figureOf = (figureId: number) => latest.current.figures.find(({ id }) => id === figureId);
    return {
      moveLive(figureId, place, byName) {
        if (!renderer.live(figureId, place)) return;
        const figure = figureOf(figureId);
        if (figure) camera.keepInView([figure]);
        others.hold(figureId, byName);
      },
      releaseLive(figureId) {
        renderer.liveEnd(figureId);
        others.letGo(figureId);
      },
      releaseOthers() {
        renderer.releaseOthers();
        others.clear();
      },
      releaseOwn: hands.release,
      settle(figureId) {
        if (!hands.holds(figureId)) renderer.settle(figureId);
      },
      setPointer(personId, name, at) {
        if (at) {
          renderer.point(personId, at);
          others.point(personId, name);
        } else {
          renderer.pointEnd(personId);
          others.pointEnd(personId);
        }
      },
      zoomIn: () => camera.zoomBy(1.25),
      zoomOut: () => camera.zoomBy(0.8),
      drawnAt: (figureId) => renderer.drawnAt(figureId),
      fit: () => camera.fit('figures', true),
      fitOwn: () => camera.fit('own', true),
      focusFigure(figureId) {
        const place = renderer.placeOf(figureId);
        const figure = figureOf(figureId);
        if (place && figure) camera.bringIntoView(figure, place);
        elementOf(root.current, figureId)?.focus({ preventScroll: true });
      },
      focusBeside(figureId) {
        const place = renderer.placeOf(figureId);
        const others = latest.current.figures.filter(({ id }) => id !== figureId);
        if (place) focusNearest(root.current, others, place);
      },
      keepClear: (element, away = 0) => cover.add(element, { away }),
      fitBeside: (element) => cover.add(element, { fitBeside: true }),
    };
  }, [root, latest, renderer, camera, hands, cover, others]);
}
