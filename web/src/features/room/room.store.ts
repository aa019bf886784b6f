/**
 * The live side of a room in this browser: the model, acts with their answers, and the volatile lane that passes React by.
 * Moves made while the line is down are kept and sent, with the same ids, when it is back.
 */
import type { FieldAct, FieldDragMessage, FieldPointMessage } from '@fieldroom/contract/field';
import type { ProblemBody } from '@fieldroom/contract/problems';
import type { Change, CheckUpdate, DragPosition, EndReason, PointerPosition } from '@fieldroom/contract/realtime';
import type { VideoState } from '@fieldroom/contract/video';
import { CHECK_GUARD_MS, type Line, nextCheck, SEND } from '../../platform/realtime/index.ts';
import { begin, emptyRoom, lacks, receive, refuse, type RoomModel } from './room.model.ts';

/** What the store needs of a connection; `platform/realtime` gives it. */
export interface RoomLine {
  /** False when the line is down: nothing was sent. */
  send(destination: string, body: unknown): boolean;
  onChange(listener: (change: Change) => void): () => void;
  onLine(listener: (line: Line) => void): () => void;
  line(): Line;
}

/** What the room says about sound and picture. */
export type VideoNews = Extract<Change, { eventType: 'START_VIDEO' | 'TALKING' | 'VIDEO_ASK' | 'VIDEO_KEY' }>;

/** What a person should be told once. */
export type Notice =
  | { kind: 'login'; name: string }
  | { kind: 'logout'; name: string; reason: 'left' | 'away' | 'removed' }
  | { kind: 'refused'; problem: ProblemBody; act: FieldAct | null }
  | { kind: 'over'; reason: EndReason }
  | { kind: 'removed' }
  | { kind: 'refresh'; what: 'room' | 'icons' | 'arrival' | 'wrongCodes' }
  | { kind: 'restart' };

export interface RoomStore {
  get(): RoomModel;
  subscribe(listener: () => void): () => void;
  line(): Line;
  /** Starts a stored act; kept while the line is down. Out: its id. */
  act(act: FieldAct): string;
  undo(): void;
  redo(): void;
  drag(message: FieldDragMessage): void;
  point(message: FieldPointMessage): void;
  onDrags(listener: (drags: readonly DragPosition[]) => void): () => void;
  /** A stored act of somebody reached these figures: the hand that did it has let go of them. */
  onStored(listener: (figureIds: readonly number[], by: number | null) => void): () => void;
  onPointers(listener: (pointers: readonly PointerPosition[]) => void): () => void;
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Who takes part in sound and picture, and the room's switches; null until the room told. Changes are told to `subscribe`. */
  video(): VideoState | null;
  onVideo(listener: (news: VideoNews) => void): () => void;
  /** How one's own video line carries, or a message about keys; false when the line is down. */
  sendVideo(destination: typeof SEND.videoLine | typeof SEND.videoKey, body: unknown): boolean;
  close(): void;
}

/** Acts kept at most while offline; beyond that the newest place of a figure replaces its older one anyway. */
const KEPT_ACTS = 200;

/** In: the line, and who this is. Out: the store; `close` stops its timers and listeners, not the line. */
export function createRoomStore(options: {
  line: RoomLine;
  me: { id: number; as: 'THERAPIST' | 'CLIENT' };
}): RoomStore {
  const { line, me } = options;
  let model: RoomModel = emptyRoom;
  let guardTimer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const dragListeners = new Set<(drags: readonly DragPosition[]) => void>();
  const storedListeners = new Set<(figureIds: readonly number[], by: number | null) => void>();
  const pointerListeners = new Set<(pointers: readonly PointerPosition[]) => void>();
  const noticeListeners = new Set<(notice: Notice) => void>();
  const videoListeners = new Set<(news: VideoNews) => void>();
  let video: VideoState | null = null;

  const set = (next: RoomModel) => {
    if (next === model) return;
    model = next;
    for (const listener of listeners) listener();
  };
  const notify = (notice: Notice) => {
    for (const listener of noticeListeners) listener(notice);
  };

  /** Asks for what is lacking, at most once a guard, and once more when the guard ends (specification 4.8, mended by PRODUCT 5). */
  const check = () => {
    clearTimeout(guardTimer);
    guardTimer = undefined;
    if (!lacks(model) || line.line() !== 'open') return;
    const next = nextCheck(model.keeper, Date.now());
    if (next.kind === 'wait') {
      guardTimer = setTimeout(check, next.ms);
      return;
    }
    const stamps = next.kind === 'ask' ? next.stamps : model.keeper.held;
    if (next.kind === 'ask') model = { ...model, keeper: next.keeper };
    line.send(SEND.checkUpdate, { userId: me.id, userType: me.as, ...stamps } satisfies CheckUpdate);
    guardTimer = setTimeout(check, CHECK_GUARD_MS);
  };

  const take = (change: Change) => {
    switch (change.eventType) {
      case 'PLAYER_DRAG':
        for (const listener of dragListeners) listener(change.contents.drags);
        return;
      case 'POINTER':
        for (const listener of pointerListeners) listener(change.contents.pointers);
        return;
      case 'REFRESH_ADMIN':
        notify({ kind: 'refresh', what: change.contents.what });
        return;
      case 'VIDEO_STATE': {
        video = change.contents;
        for (const listener of listeners) listener();
        return;
      }
      case 'START_VIDEO':
      case 'TALKING':
      case 'VIDEO_ASK':
      case 'VIDEO_KEY':
        for (const listener of videoListeners) listener(change);
        return;
      case 'RESTART':
        notify({ kind: 'restart' });
        return;
      case 'ADMISSION':
        if (change.contents.state === 'removed') notify({ kind: 'removed' });
        return;
      case 'PROBLEM': {
        const { actId, problem } = change.contents;
        const mine = actId === null ? undefined : model.pending.find((entry) => entry.actId === actId);
        if (actId !== null) set(refuse(model, actId));
        notify({ kind: 'refused', problem, act: mine?.act ?? null });
        return;
      }
      default: {
        set(receive(model, change, Date.now()));
        if (lacks(model) && guardTimer === undefined) guardTimer = setTimeout(check, CHECK_GUARD_MS);
        if (change.eventType === 'PLAYER_CHANGE') {
          const figureIds = change.contents.ops.flatMap((op) =>
            op.op === 'put' ? [op.figure.id] : op.op === 'remove' ? [op.figureId] : [],
          );
          for (const listener of storedListeners) listener(figureIds, change.contents.by);
        }
        if (change.eventType === 'LOGIN' && change.contents.id !== me.id)
          notify({ kind: 'login', name: change.contents.name });
        if (change.eventType === 'LOGOUT' && change.contents.id !== me.id)
          notify({ kind: 'logout', name: change.contents.name, reason: change.contents.reason });
        if (change.eventType === 'SESSION_OUT') notify({ kind: 'over', reason: change.contents.reason });
      }
    }
  };

  const flush = () => {
    for (const entry of model.pending) line.send(SEND.act, entry);
  };

  const offChange = line.onChange(take);
  const offLine = line.onLine((state) => {
    if (state === 'open') {
      flush();
      check();
    }
    for (const listener of listeners) listener();
  });

  const act = (next: FieldAct): string => {
    const entry = { actId: crypto.randomUUID(), act: next };
    const kept =
      line.line() === 'open' ? model : { ...model, pending: withoutOlderPlace(model.pending, next).slice(-KEPT_ACTS) };
    set(begin(kept, entry));
    line.send(SEND.act, entry);
    return entry.actId;
  };

  return {
    get: () => model,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    line: () => line.line(),
    act,
    undo() {
      const actId = model.undo.at(-1);
      if (actId !== undefined && !isUndoing(model, actId)) act({ kind: 'undo', actId });
    },
    redo() {
      const actId = model.redo.at(-1);
      if (actId !== undefined && !isUndoing(model, actId)) act({ kind: 'undo', actId });
    },
    drag(message) {
      line.send(SEND.drag, message);
    },
    point(message) {
      line.send(SEND.point, message);
    },
    onDrags(listener) {
      dragListeners.add(listener);
      return () => dragListeners.delete(listener);
    },
    onStored(listener) {
      storedListeners.add(listener);
      return () => storedListeners.delete(listener);
    },
    onPointers(listener) {
      pointerListeners.add(listener);
      return () => pointerListeners.delete(listener);
    },
    onNotice(listener) {
      noticeListeners.add(listener);
      return () => noticeListeners.delete(listener);
    },
    video: () => video,
    onVideo(listener) {
      videoListeners.add(listener);
      return () => videoListeners.delete(listener);
    },
    sendVideo: (destination, body) => line.send(destination, body),
    close() {
      offChange();
      offLine();
      clearTimeout(guardTimer);
    },
  };
}

function isUndoing(model: RoomModel, actId: string): boolean {
  return model.pending.some(({ act }) => act.kind === 'undo' && act.actId === actId);
}

/** While offline only the last place of a figure matters. */
function withoutOlderPlace(pending: RoomModel['pending'], next: FieldAct): RoomModel['pending'] {
  if (next.kind !== 'place') return pending;
  return pending.filter(({ act }) => act.kind !== 'place' || act.figureId !== next.figureId || hasOther(act, next));
}

/** Whether the older place sets something that the newer one leaves alone. */
function hasOther(older: Extract<FieldAct, { kind: 'place' }>, newer: Extract<FieldAct, { kind: 'place' }>): boolean {
  return (['x', 'y', 'rotation', 'scale'] as const).some((key) => older[key] !== undefined && newer[key] === undefined);
}
