/** Draws other people's drags and pointers, and the effects of refused acts of one's own. */
import type { DragPosition, PointerPosition } from '@fieldroom/contract/field';
import { type RefObject, useEffect } from 'react';
import { definedOnly } from '../../../platform/definedOnly.ts';
import type { FieldViewHandle } from '../drawing/index.ts';
import type { FieldStore } from '../useField.ts';

/** Takes the field's store and drawing, and a function that names the person of a drag. */
export function useOthersHands(
  store: FieldStore,
  view: RefObject<FieldViewHandle | null>,
  nameOf: (personId: number) => string,
): void {
  useEffect(() => {
    const show = (drag: DragPosition) => {
      const { figureId, x, y, rotation, scale } = drag;
      if (drag.end) view.current?.releaseLive(figureId);
      else view.current?.moveLive(figureId, definedOnly({ x, y, rotation, scale }), nameOf(drag.by));
    };
    return store.onDrags((drags) => drags.forEach(show));
  }, [store, view, nameOf]);

  useEffect(() => {
    const show = (pointer: PointerPosition) => {
      if ('off' in pointer) view.current?.setPointer(pointer.by, '', null);
      else view.current?.setPointer(pointer.by, pointer.name, { x: pointer.x, y: pointer.y });
    };
    return store.onPointers((pointers) => pointers.forEach(show));
  }, [store, view]);

  // A stored act ends every drag of its figures.
  useEffect(
    () => store.onStored((figureIds) => figureIds.forEach((figureId) => view.current?.releaseLive(figureId))),
    [store, view],
  );

  // An `end` or `off` may have been lost while disconnected.
  useEffect(() => store.onFresh(() => view.current?.releaseOthers()), [store, view]);

  useEffect(
    () =>
      store.onRefused(({ problem, figureId, act }) => {
        // The figure returns to its place on the server.
        if (act && figureId !== null) view.current?.settle(figureId);
        // Somebody else holds this figure. This person may already hold another figure.
        if (problem.code === 'figure_held' && figureId !== null) view.current?.releaseOwn(figureId);
        // The therapist has paused the clients' moves.
        if (problem.code === 'hands_stopped') view.current?.releaseOwn();
      }),
    [store, view],
  );
}
