/**
 * This person's drags: moves are sent as volatile messages, drops as stored acts. Steps by key are volatile too and
 * become one stored act once the keys rest.
 */
import { type Figure, normalizeRotation } from '@fieldroom/contract/field';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { definedOnly } from '../../../platform/definedOnly.ts';
import type { CameraView, FieldViewProps, KeyAct, Place } from '../drawing/index.ts';
import { type FieldStore, shownOf } from '../useField.ts';

/** Steps by key are stored as one act once the keys have rested this long. */
const KEYS_REST_MS = 350;

export type CameraListener = (next: CameraView) => void;

interface OwnHandParts {
  camera: RefObject<CameraListener>;
  onSelect(id: number | null): void;
  /** Enter was pressed on a figure. */
  onNameAsked?: (id: number) => void;
  onRemoveAsked?: (figure: Figure) => void;
}

type HandProps = Pick<
  FieldViewProps,
  | 'onGrab'
  | 'onDragMove'
  | 'onDrop'
  | 'onTurnMove'
  | 'onTurnDrop'
  | 'onScaleMove'
  | 'onScaleDrop'
  | 'onKeyAct'
  | 'onPointerMove'
  | 'onBackgroundTap'
  | 'onCameraChange'
>;

/** Returns the drawing's callbacks; they stay the same for the life of the room, so that the field is not redrawn. */
export function useOwnHand(store: FieldStore, parts: OwnHandParts): HandProps {
  const given = useRef(parts);
  useLayoutEffect(() => {
    given.current = parts;
  });
  const hand = useMemo(() => createOwnHand(store, () => given.current), [store]);
  useEffect(() => store.onStoreSteps(hand.storeAllSteps), [store, hand]);
  useEffect(() => hand.stop, [hand]);
  return hand.props;
}

interface OwnHand {
  props: HandProps;
  storeAllSteps(): void;
  stop(): void;
}

function createOwnHand(store: FieldStore, given: () => OwnHandParts): OwnHand {
  /** Steps by key that are not stored yet: the resulting place of each figure, and the timer that stores it. */
  const steps = new Map<number, { at: Place; timer: ReturnType<typeof setTimeout> }>();
  const standing = (figureId: number) => shownOf(store.get()).find((figure) => figure.id === figureId);

  const dropSteps = (figureId: number) => {
    clearTimeout(steps.get(figureId)?.timer);
    steps.delete(figureId);
  };
  /** Stores pending steps, in the order of the last steps. */
  const storeAllSteps = () => {
    const waiting = [...steps];
    // Every act asks for pending steps: all are taken first, or the last figure's would be stored first.
    for (const [figureId] of waiting) dropSteps(figureId);
    // Somebody may have removed the figure in the meantime.
    for (const [figureId, { at }] of waiting) if (standing(figureId)) place(figureId, at);
  };

  /** Stores a figure's new place. An unmoved figure is only released. */
  const place = (figureId: number, { x, y, rotation, scale }: Partial<Place>) => {
    dropSteps(figureId);
    const turned = rotation === undefined ? undefined : normalizeRotation(rotation);
    const patch = definedOnly({ x, y, rotation: turned, scale });
    const stands = standing(figureId);
    const keys = Object.keys(patch) as (keyof typeof patch)[];
    if (stands && keys.every((key) => stands[key] === patch[key])) {
      store.drag({ figureId, x: stands.x, y: stands.y, end: true });
    } else store.act({ kind: 'place', figureId, ...patch });
  };

  const moveTo = (figureId: number, { x, y, rotation, scale }: Place) =>
    store.drag({ figureId, x, y, rotation: normalizeRotation(rotation), scale });

  const onKeyAct = (figureId: number, kind: KeyAct, at: Place) => {
    if (kind === 'open') {
      given().onSelect(figureId);
      given().onNameAsked?.(figureId);
      return;
    }
    if (kind === 'remove') {
      const figure = standing(figureId);
      if (figure) given().onRemoveAsked?.(figure);
      return;
    }
    dropSteps(figureId);
    moveTo(figureId, at);
    steps.set(figureId, { at, timer: setTimeout(storeAllSteps, KEYS_REST_MS) });
  };

  return {
    storeAllSteps,
    props: {
      // A dragged figure is selected, so that the tools change it.
      onGrab: (figureId) => given().onSelect(figureId),
      onDragMove: (figureId, { x, y }) => store.drag({ figureId, x, y }),
      onDrop: (figureId, { x, y }) => place(figureId, { x, y }),
      onTurnMove(figureId, rotation) {
        const stands = standing(figureId);
        if (stands) store.drag({ figureId, x: stands.x, y: stands.y, rotation: normalizeRotation(rotation) });
      },
      onTurnDrop: (figureId, { rotation }) => place(figureId, { rotation }),
      onScaleMove: moveTo,
      onScaleDrop: place,
      onKeyAct,
      onPointerMove: (at) => store.point(at ?? { off: true }),
      onBackgroundTap: () => given().onSelect(null),
      onCameraChange: (next) => given().camera.current(next),
    },
    stop() {
      for (const { timer } of steps.values()) clearTimeout(timer);
    },
  };
}
