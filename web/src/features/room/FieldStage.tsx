/** The field in the room: joins the drawing with the store. Drags go out volatile, drops and keys as stored acts. */
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import type { Participant } from '@fieldroom/contract/field';
import { mayMove, type Mover, normalizeRotation } from '@fieldroom/contract/field.rules';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CameraView, FieldView, type FieldViewHandle, type FigureOnField, type KeyAct, type Place } from '../field/drawing/index.ts';
import type { IconLibrary } from './icons.ts';
import { caption, figureLabel, holdersOf } from './labels.ts';
import { useRoom, useRoomStore, useShownFigures } from './useRoom.ts';

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
  const { me, library, scheme, therapistName } = props;
  const store = useRoomStore();
  const model = useRoom();
  const shown = useShownFigures();
  const view = useRef<FieldViewHandle>(null);
  const [camera, setCamera] = useState<CameraView>({ zoom: 1, view: 'field' });
  const reducedMotion = useMediaQuery('(prefers-reduced-motion: reduce)');
  const hands = model.field?.handsAllowed ?? true;
  const still = model.over || (me.mover.as === 'client' && !model.therapistHere);

  const known = useRef(new Map<number, { key: string; value: FigureOnField }>());
  const figures = useMemo(() => {
    const next = new Map<number, { key: string; value: FigureOnField }>();
    const list = shown.map((figure) => {
      const holders = holdersOf(figure.id, model.people);
      const label = figureLabel(t, figure);
      const value: FigureOnField = {
        id: figure.id, name: figure.name, iconType: figure.iconType, color: figure.color, showText: figure.showText,
        x: figure.x, y: figure.y, rotation: figure.rotation, scale: figure.scale, order: figure.order,
        movable: !still && mayMove(me.mover, figure, hands),
        own: holders.some((person) => person.id === me.id),
        label: holders.length ? t('figureHolders', { label, holders: holders.map((person) => person.name).join(', ') }) : label,
        caption: caption(figure, model.people),
        ...(figure.iconId === null ? {} : iconOf(figure.iconId, library)),
      };
      // Equal figures keep their object, so that React draws only what changed.
      const key = JSON.stringify(value);
      const before = known.current.get(figure.id);
      const entry = before?.key === key ? before : { key, value };
      next.set(figure.id, entry);
      return entry.value;
    });
    known.current = next;
    return list;
  }, [shown, model.people, hands, still, me, t, library]);

  const names = useMemo(() => new Map(model.people.map((person) => [person.id, person.name])), [model.people]);
  /** Whose hand is seen on which figure. */
  const seenHands = useRef(new Map<number, number>());
  useEffect(() => store.onDrags((drags) => {
    for (const drag of drags) {
      if (drag.by === me.id) continue;
      if (drag.end) seenHands.current.delete(drag.figureId);
      else seenHands.current.set(drag.figureId, drag.by);
      if (drag.end) view.current?.releaseLive(drag.figureId);
      else view.current?.moveLive(drag.figureId, withoutUndefined({ x: drag.x, y: drag.y, rotation: drag.rotation, scale: drag.scale }), names.get(drag.by) ?? therapistName);
    }
  }), [store, me.id, names, therapistName]);
  // The drop is stored: the hand that dragged has let go.
  useEffect(() => store.onStored((figureIds, by) => {
    for (const figureId of figureIds) {
      if (by === null || seenHands.current.get(figureId) !== by) continue;
      seenHands.current.delete(figureId);
      view.current?.releaseLive(figureId);
    }
  }), [store]);
  useEffect(() => store.onPointers((pointers) => {
    for (const pointer of pointers) {
      if (pointer.by === me.id) continue;
      view.current?.setPointer(pointer.by, 'off' in pointer ? '' : pointer.name, 'off' in pointer ? null : { x: pointer.x, y: pointer.y });
    }
  }), [store, me.id]);
  // A refused act puts the figure back where the server has it.
  useEffect(() => store.onNotice((notice) => {
    if (notice.kind !== 'refused') return;
    if (notice.act && 'figureId' in notice.act && typeof notice.act.figureId === 'number') view.current?.settle(notice.act.figureId);
    // Another hand was first (or the therapist took over): the own hand lets go.
    if ((notice.problem.code === 'figure_held' || notice.problem.code === 'hands_stopped') && dragging.current !== null) view.current?.letGo(dragging.current);
  }), [store]);

  const dragging = useRef<number | null>(null);
  const steps = useRef(new Map<number, { place: Place; timer: ReturnType<typeof setTimeout> }>());
  const place = useCallback((figureId: number, next: Partial<Place>) => {
    const pendingStep = steps.current.get(figureId);
    if (pendingStep) { clearTimeout(pendingStep.timer); steps.current.delete(figureId); }
    const stands = store.get().field?.figures.find((figure) => figure.id === figureId);
    const patch = withoutUndefined({
      x: next.x, y: next.y, rotation: next.rotation === undefined ? undefined : normalizeRotation(next.rotation), scale: next.scale,
    });
    if (stands && Object.entries(patch).every(([key, value]) => stands[key as 'x'] === value)) {
      store.drag({ figureId, x: stands.x, y: stands.y, end: true });
      return;
    }
    store.act({ kind: 'place', figureId, ...patch });
  }, [store]);
  useEffect(() => {
    const waiting = steps.current;
    return () => { for (const { timer } of waiting.values()) clearTimeout(timer); };
  }, []);

  const onKeyAct = useCallback((figureId: number, kind: KeyAct, at: Place) => {
    if (kind === 'open') { props.onSelect(figureId); return; }
    if (kind === 'remove') {
      const figure = store.get().field?.figures.find((candidate) => candidate.id === figureId);
      if (figure) props.onRemoveAsked?.(figure);
      return;
    }
    const before = steps.current.get(figureId);
    if (before) clearTimeout(before.timer);
    store.drag({ figureId, x: at.x, y: at.y, rotation: normalizeRotation(at.rotation), scale: at.scale });
    steps.current.set(figureId, { place: at, timer: setTimeout(() => place(figureId, at), KEYS_REST_MS) });
  }, [store, place, props]);

  return (
    <main className="room-field" data-testid="field">
      <FieldView
        ref={view} figures={figures} selectedId={props.selectedId} onSelect={props.onSelect} showBeams={props.beams} showNames scheme={scheme} reducedMotion={reducedMotion}
        readOnly={still} texts={{ field: t('label'), keyboardHelp: t('keysHint') }} startView={props.startView}
        pointing={props.pointing} onPointingChange={props.onPointing}
        onGrab={(id) => { dragging.current = id; }}
        onDragMove={(figureId, at) => store.drag({ figureId, ...at })}
        onDrop={(figureId, at) => { dragging.current = null; place(figureId, { x: at.x, y: at.y }); }}
        onTurnMove={(figureId, rotation) => { const stands = standing(store.get().field?.figures, figureId); if (stands) store.drag({ figureId, x: stands.x, y: stands.y, rotation: normalizeRotation(rotation) }); }}
        onTurnDrop={(figureId, at) => { dragging.current = null; place(figureId, { rotation: at.rotation }); }}
        onScaleMove={(figureId, at) => store.drag({ figureId, x: at.x, y: at.y, rotation: normalizeRotation(at.rotation), scale: at.scale })}
        onScaleDrop={(figureId, at) => { dragging.current = null; place(figureId, at); }}
        onKeyAct={onKeyAct}
        onPointerMove={(at) => store.point(at ?? { off: true })}
        onBackgroundTap={() => props.onSelect(null)}
        onCameraChange={setCamera}
      />
      {model.field !== null && shown.length === 0 && <div className="room-field-empty"><strong>{props.emptyText.title}</strong>{props.emptyText.hint && <p>{props.emptyText.hint}</p>}</div>}
      {props.children}
      <div className="room-zoom" role="group" aria-label={t('zoom.percent', { percent: Math.round(camera.zoom * 100) })}>
        <button type="button" aria-label={t('zoom.out')} onClick={() => view.current?.zoomOut()}><IconMinus size={20} stroke={1.75} aria-hidden /></button>
        <output aria-live="off">{t('zoom.percent', { percent: Math.round(camera.zoom * 100) })}</output>
        <button type="button" aria-label={t('zoom.in')} onClick={() => view.current?.zoomIn()}><IconPlus size={20} stroke={1.75} aria-hidden /></button>
        <button type="button" className="room-zoom-fit" onClick={() => view.current?.fit()}><IconMaximize size={20} stroke={1.75} aria-hidden />{props.wholeButton ? t('zoom.whole') : t('zoom.fit')}</button>
      </div>
    </main>
  );
}

function iconOf(iconId: number, library: IconLibrary): Pick<FigureOnField, 'iconUrl' | 'iconWidth' | 'iconHeight'> {
  const icon = library.icons?.find((candidate) => candidate.id === iconId);
  return { iconUrl: library.urls.get(iconId) ?? null, ...(icon ? { iconWidth: icon.width, iconHeight: icon.height } : {}) };
}

function standing(figures: readonly Participant[] | undefined, id: number): Participant | undefined {
  return figures?.find((figure) => figure.id === id);
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
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
