/** The field in the room: joins the drawing with the store. Drags go out volatile, drops and keys as stored acts. */
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import type { Participant } from '@fieldroom/contract/field';
import { type Mover, normalizeRotation } from '@fieldroom/contract/field.rules';
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { type CameraView, FieldView, type FieldViewHandle, type KeyAct, type Place } from '../field/drawing/index.ts';
import type { IconLibrary } from './icons.ts';
import { useFiguresOnField } from './useFiguresOnField.ts';
import { useRoomPart, useRoomStore } from './useRoom.ts';

/** Steps by key are sent as one act when the hand rests this long. */
const KEYS_REST_MS = 350;

export interface FieldStageProps {
  me: { id: number; mover: Mover };
  /** Who holds a figure and is no client: the therapist. */
  therapistName: string;
  scheme: 'light' | 'dark';
  beams: boolean;
  library: IconLibrary;
  selectedId: number | null;
  onSelect(id: number | null): void;
  pointing: boolean;
  onPointing(on: boolean): void;
  onRemoveAsked?: (figure: Participant) => void;
  /** On a phone the field starts with the figures as large as they can be. */
  startView: 'field' | 'figures' | 'own';
  wholeButton: boolean;
  emptyText: { title: string; hint?: string };
  children?: ReactNode;
}

export function FieldStage(props: FieldStageProps) {
  const { t } = useTranslation('field');
  const { me, library, scheme, therapistName, onSelect } = props;
  const store = useRoomStore();
  const fieldKnown = useRoomPart((model) => model.field !== null);
  const people = useRoomPart((model) => model.people);
  const over = useRoomPart((model) => model.over);
  const therapistHere = useRoomPart((model) => model.therapistHere);
  const view = useRef<FieldViewHandle>(null);
  const camera = useRef<CameraListener>(() => undefined);
  const reducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const still = over || (me.mover.as === 'client' && !therapistHere);
  const figures = useFiguresOnField({ me, still, library });

  const names = useMemo(() => new Map(people.map((person) => [person.id, person.name])), [people]);
  /** Whose hand is seen on which figure. */
  const seenHands = useRef(new Map<number, number>());
  useEffect(
    () =>
      store.onDrags((drags) => {
        for (const drag of drags) {
          if (drag.by === me.id) continue;
          if (drag.end) seenHands.current.delete(drag.figureId);
          else seenHands.current.set(drag.figureId, drag.by);
          if (drag.end) view.current?.releaseLive(drag.figureId);
          else
            view.current?.moveLive(
              drag.figureId,
              withoutUndefined({ x: drag.x, y: drag.y, rotation: drag.rotation, scale: drag.scale }),
              names.get(drag.by) ?? therapistName,
            );
        }
      }),
    [store, me.id, names, therapistName],
  );
  // The drop is stored: the hand that dragged has let go.
  useEffect(
    () =>
      store.onStored((figureIds, by) => {
        for (const figureId of figureIds) {
          if (by === null || seenHands.current.get(figureId) !== by) continue;
          seenHands.current.delete(figureId);
          view.current?.releaseLive(figureId);
        }
      }),
    [store],
  );
  useEffect(
    () =>
      store.onPointers((pointers) => {
        for (const pointer of pointers) {
          if (pointer.by === me.id) continue;
          view.current?.setPointer(
            pointer.by,
            'off' in pointer ? '' : pointer.name,
            'off' in pointer ? null : { x: pointer.x, y: pointer.y },
          );
        }
      }),
    [store, me.id],
  );
  // A refused act puts the figure back where the server has it.
  useEffect(
    () =>
      store.onNotice((notice) => {
        if (notice.kind !== 'refused') return;
        if (notice.act && 'figureId' in notice.act && typeof notice.act.figureId === 'number')
          view.current?.settle(notice.act.figureId);
        // Another hand was first (or the therapist took over): the own hand lets go.
        if (
          (notice.problem.code === 'figure_held' || notice.problem.code === 'hands_stopped') &&
          dragging.current !== null
        )
          view.current?.letGo(dragging.current);
      }),
    [store],
  );

  const dragging = useRef<number | null>(null);
  const steps = useRef(new Map<number, { place: Place; timer: ReturnType<typeof setTimeout> }>());
  const place = useCallback(
    (figureId: number, next: Partial<Place>) => {
      const pendingStep = steps.current.get(figureId);
      if (pendingStep) {
        clearTimeout(pendingStep.timer);
        steps.current.delete(figureId);
      }
      const stands = store.get().field?.figures.find((figure) => figure.id === figureId);
      const patch = withoutUndefined({
        x: next.x,
        y: next.y,
        rotation: next.rotation === undefined ? undefined : normalizeRotation(next.rotation),
        scale: next.scale,
      });
      if (stands && Object.entries(patch).every(([key, value]) => stands[key as 'x'] === value)) {
        store.drag({ figureId, x: stands.x, y: stands.y, end: true });
        return;
      }
      store.act({ kind: 'place', figureId, ...patch });
    },
    [store],
  );
  useEffect(() => {
    const waiting = steps.current;
    return () => {
      for (const { timer } of waiting.values()) clearTimeout(timer);
    };
  }, []);

  const given = useRef(props);
  useLayoutEffect(() => {
    given.current = props;
  });
  const onKeyAct = useCallback(
    (figureId: number, kind: KeyAct, at: Place) => {
      if (kind === 'open') {
        given.current.onSelect(figureId);
        return;
      }
      if (kind === 'remove') {
        const figure = standing(store.get().field?.figures, figureId);
        if (figure) given.current.onRemoveAsked?.(figure);
        return;
      }
      const before = steps.current.get(figureId);
      if (before) clearTimeout(before.timer);
      store.drag({ figureId, x: at.x, y: at.y, rotation: normalizeRotation(at.rotation), scale: at.scale });
      steps.current.set(figureId, { place: at, timer: setTimeout(() => place(figureId, at), KEYS_REST_MS) });
    },
    [store, place],
  );

  // One set of hands for the life of the room: the field is drawn again only when something on it changed.
  const acts = useMemo(
    () => ({
      onGrab: (id: number) => {
        dragging.current = id;
      },
      onDragMove: (figureId: number, at: Pick<Place, 'x' | 'y'>) => store.drag({ figureId, ...at }),
      onDrop: (figureId: number, at: Place) => {
        dragging.current = null;
        place(figureId, { x: at.x, y: at.y });
      },
      onTurnMove: (figureId: number, rotation: number) => {
        const stands = standing(store.get().field?.figures, figureId);
        if (stands) store.drag({ figureId, x: stands.x, y: stands.y, rotation: normalizeRotation(rotation) });
      },
      onTurnDrop: (figureId: number, at: Place) => {
        dragging.current = null;
        place(figureId, { rotation: at.rotation });
      },
      onScaleMove: (figureId: number, at: Place) =>
        store.drag({ figureId, x: at.x, y: at.y, rotation: normalizeRotation(at.rotation), scale: at.scale }),
      onScaleDrop: (figureId: number, at: Place) => {
        dragging.current = null;
        place(figureId, at);
      },
      onPointerMove: (at: Pick<Place, 'x' | 'y'> | null) => store.point(at ?? { off: true }),
      onBackgroundTap: () => given.current.onSelect(null),
      onCameraChange: (next: CameraView) => camera.current(next),
    }),
    [store, place],
  );
  const texts = useMemo(() => ({ field: t('label'), keyboardHelp: t('keysHint') }), [t]);

  return (
    <main className="room-field" data-testid="field">
      <FieldView
        ref={view}
        figures={figures}
        selectedId={props.selectedId}
        onSelect={onSelect}
        showBeams={props.beams}
        showNames
        scheme={scheme}
        reducedMotion={reducedMotion}
        readOnly={still}
        texts={texts}
        startView={props.startView}
        pointing={props.pointing}
        onPointingChange={props.onPointing}
        onKeyAct={onKeyAct}
        {...acts}
      />
      {fieldKnown && figures.length === 0 && (
        <div className="room-field-empty">
          <strong>{props.emptyText.title}</strong>
          {props.emptyText.hint && <p>{props.emptyText.hint}</p>}
        </div>
      )}
      {props.children}
      <ZoomBar view={view} camera={camera} whole={props.wholeButton} />
    </main>
  );
}

type CameraListener = (next: CameraView) => void;

/** Zoom and its percentage; apart, so that each step of a zoom draws these words alone. */
const ZoomBar = memo(function ZoomBar({
  view,
  camera: listener,
  whole,
}: {
  view: RefObject<FieldViewHandle | null>;
  camera: RefObject<CameraListener>;
  whole: boolean;
}) {
  const { t } = useTranslation('field');
  const [{ zoom }, setCamera] = useState<CameraView>({ zoom: 1, view: 'field' });
  useLayoutEffect(() => {
    listener.current = setCamera;
  }, [listener]);
  const percent = t('zoom.percent', { percent: Math.round(zoom * 100) });
  return (
    <div className="room-zoom" role="group" aria-label={percent}>
      <button type="button" aria-label={t('zoom.out')} onClick={() => view.current?.zoomOut()}>
        <IconMinus size={20} stroke={1.75} aria-hidden />
      </button>
      <output aria-live="off">{percent}</output>
      <button type="button" aria-label={t('zoom.in')} onClick={() => view.current?.zoomIn()}>
        <IconPlus size={20} stroke={1.75} aria-hidden />
      </button>
      <button type="button" className="room-zoom-fit" onClick={() => view.current?.fit()}>
        <IconMaximize size={20} stroke={1.75} aria-hidden />
        {whole ? t('zoom.whole') : t('zoom.fit')}
      </button>
    </div>
  );
});

function standing(figures: readonly Participant[] | undefined, id: number): Participant | undefined {
  return figures?.find((figure) => figure.id === id);
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Whether a media query holds now. */
export function useMediaQuery(query: string): boolean {
  const [matches, setMatches] = useState(() => globalThis.matchMedia?.(query).matches ?? false);
  useEffect(() => {
    const media = globalThis.matchMedia?.(query);
    if (!media) return undefined;
    const listen = () => setMatches(media.matches);
    listen();
    media.addEventListener('change', listen);
    return () => media.removeEventListener('change', listen);
  }, [query]);
  return matches;
}
