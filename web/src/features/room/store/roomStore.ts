/**
 * The live state of a room in this browser: its model, the acts with their answers, and the volatile messages, which
 * bypass React. Acts made while disconnected are kept and sent, with the same ids, after reconnecting.
 */
import { type FieldAct, type DragPosition, type PointerPosition, FIELD_SEND, HOLD_MS } from '@fieldroom/contract/field';
import { type Change, type CheckUpdate, type EndReason, CHECK_GUARD_MS, SEND } from '@fieldroom/contract/realtime';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { stampsOf } from '@fieldroom/contract/revisions';
import { createEmitter } from '../../../platform/emitter.ts';
import { type ChangeOf, type Connection, type ConnectionState, nextCheck } from '../../../platform/realtime/index.ts';
import type { FieldRefusal, FieldStore } from '../../field/index.ts';
import { begin, isFull, makeRoomFor, movedBy, nextToUndo, type PendingAct, refuse } from '../../field/acts/index.ts';
import { createOverdueAnswers } from './overdueAnswers.ts';
import { emptyRoom, lacks, receive, type RoomModel } from './roomModel.ts';

/** Maximum number of pending acts. With more, the server would close the connection for exceeding its rate. */
const SENT_AT_ONCE = 40;
/** An act that this browser could not keep until the server answers. */
const NOT_KEPT: ProblemBody = { type: 'about:blank', title: '', status: 503, code: 'unavailable' };

/** The store's view of a connection. */
export type RoomConnection = Pick<Connection, 'send' | 'state' | 'onChange' | 'onState'>;

/** Events to show to the person once. */
type Notice =
  | { kind: 'login'; id: number; name: string }
  | { kind: 'logout'; name: string; reason: 'left' | 'away' | 'removed' }
  | ({ kind: 'refused' } & FieldRefusal)
  /** Too many acts are pending: the newest one is dropped. */
  | { kind: 'notKept' }
  | { kind: 'over'; reason: EndReason }
  | { kind: 'removed' }
  | { kind: 'refresh'; about: ChangeOf<'REFRESH_ADMIN'>['contents'] }
  | { kind: 'restart' };

/** The field's store and what the room adds to it. */
export interface RoomStore extends FieldStore {
  get(): RoomModel;
  /** Reports changes of the model, of the connection and of late answers. */
  subscribe(listener: () => void): () => void;
  connectionState(): ConnectionState;
  /** Whether an act is unanswered longer than usual. */
  unanswered(): boolean;
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Reports the id of each figure that an act of this browser added, once the server has confirmed the act. */
  onAdded(listener: (figureId: number) => void): () => void;
  close(): void;
}

/**
 * Creates the store. Takes the connection, and who this person is. `close` stops its timers and listeners, not the
 * connection.
 */
export function createRoomStore({
  connection,
  me,
}: {
  connection: RoomConnection;
  me: { id: number; as: 'THERAPIST' | 'CLIENT' };
}): RoomStore {
  const changed = createEmitter();
  const drags = createEmitter<readonly DragPosition[]>();
  const stored = createEmitter<readonly number[]>();
  const fresh = createEmitter();
  const pointers = createEmitter<readonly PointerPosition[]>();
  const notices = createEmitter<Notice>();
  const added = createEmitter<number>();
  const refusals = createEmitter<FieldRefusal>();
  const steps = createEmitter();
  const answers = createOverdueAnswers(changed.emit);
  let model: RoomModel = emptyRoom;
  let checkTimer: ReturnType<typeof setTimeout> | undefined;

  const set = (next: RoomModel) => {
    if (next === model) return;
    const { pending } = model;
    model = next;
    if (next.pending !== pending) answers.settle(next.pending.map(({ actId }) => actId));
    changed.emit();
  };

  /** Clients cannot change the field while the therapist is away. */
  const standsStill = () => me.as === 'CLIENT' && (model.over || !model.therapistHere);

  /**
   * Sends unsent acts in order; the next ones follow as answers arrive. The server identifies an act by its id, so one
   * that arrives twice is applied once.
   */
  const sendPending = () => {
    if (standsStill()) return;
    for (const entry of model.pending) {
      if (answers.isSent(entry.actId)) continue;
      if (answers.waiting() >= SENT_AT_ONCE || !connection.send(FIELD_SEND.act, entry)) return;
      answers.sent(entry.actId);
    }
  };

  /** Requests missing data, at most once per guard time, and once more when that ends. */
  const check = () => {
    clearTimeout(checkTimer);
    checkTimer = undefined;
    if (!lacks(model) || connection.state() !== 'open') return;
    const next = nextCheck(model.keeper, performance.now());
    if (next.kind === 'wait') {
      checkTimer = setTimeout(check, next.ms);
      return;
    }
    if (next.kind === 'ask') model = { ...model, keeper: next.keeper };
    const stamps = stampsOf(model.keeper.held);
    connection.send(SEND.checkUpdate, { userId: me.id, userType: me.as, ...stamps } satisfies CheckUpdate);
    checkTimer = setTimeout(check, CHECK_GUARD_MS);
  };

  const takeProblem = ({ actId, figureId, problem }: ChangeOf<'PROBLEM'>['contents']) => {
    const mine = actId === null ? undefined : model.pending.find((entry) => entry.actId === actId);
    // Another feature's message was refused, or an act that was already answered.
    if (actId !== null && mine === undefined) return;
    // After a restart of the server a client may be back before the therapist. Its acts wait until the therapist is
    // back.
    if (mine !== undefined && problem.code === 'therapist_away') {
      answers.forget(mine.actId);
      return;
    }
    if (actId !== null) {
      set(refuse(model, actId, problem.code));
      sendPending();
    }
    const act = mine?.act ?? null;
    const refusal = { problem, figureId: figureId ?? figureOf(act), act };
    refusals.emit(refusal);
    notices.emit({ kind: 'refused', ...refusal });
  };

  /** Applies a message about field or people, and informs the listeners that it concerns. */
  const takeStamped = (change: Extract<Change, { usersUpdatedOn: number }>) => {
    const { field: before, pending } = model;
    const figureId = change.eventType === 'PLAYER_CHANGE' ? addedBy(change.contents, model.pending) : null;
    set(receive(model, change, performance.now()));
    if (model.pending !== pending) sendPending();
    if (lacks(model) && checkTimer === undefined) checkTimer = setTimeout(check, CHECK_GUARD_MS);
    switch (change.eventType) {
      case 'PLAYER_CHANGE':
        stored.emit(movedBy(change.contents.ops, before));
        if (figureId !== null) added.emit(figureId);
        return;
      case 'PLAYERS_VALUE':
        fresh.emit();
        return;
      case 'RECONNECTED':
      case 'UNREGISTER_USER':
        sendPending();
        return;
      case 'LOGIN':
        if (change.contents.id !== me.id)
          notices.emit({ kind: 'login', id: change.contents.id, name: change.contents.name });
        return;
      case 'LOGOUT': {
        const { id, name, reason } = change.contents;
        if (id !== me.id) notices.emit({ kind: 'logout', name, reason });
        return;
      }
      case 'SESSION_OUT':
        notices.emit({ kind: 'over', reason: change.contents.reason });
        return;
      default:
    }
  };

  /** When this browser last sent a move of a figure, by its id, or of the pointer. */
  const sentAt = new Map<number | 'pointer', number>();

  /** Whether this browser has sent a message itself. This person may also move figures on another screen. */
  const isEcho = (by: number, what: number | 'pointer') =>
    by === me.id && performance.now() - (sentAt.get(what) ?? -Infinity) < HOLD_MS;

  const take = (change: Change) => {
    if ('usersUpdatedOn' in change) {
      takeStamped(change);
      return;
    }
    switch (change.eventType) {
      case 'PLAYER_DRAG':
        drags.emit(change.contents.drags.filter(({ by, figureId }) => !isEcho(by, figureId)));
        return;
      case 'POINTER':
        pointers.emit(change.contents.pointers.filter(({ by }) => !isEcho(by, 'pointer')));
        return;
      case 'PROBLEM':
        takeProblem(change.contents);
        return;
      case 'REFRESH_ADMIN':
        notices.emit({ kind: 'refresh', about: change.contents });
        return;
      case 'ADMISSION':
        if (change.contents.state === 'removed') notices.emit({ kind: 'removed' });
        return;
      case 'RESTART':
        notices.emit({ kind: 'restart' });
        return;
      default:
      // Other features listen to their own messages.
    }
  };

  const stopChanges = connection.onChange(take);
  const stopStates = connection.onState((state) => {
    answers.forgetAll();
    if (state === 'open') {
      fresh.emit();
      sendPending();
      check();
    }
    changed.emit();
  });

  const act = (next: FieldAct): string => {
    // A pending step came before this act. Stored after it, it would take its place in the undo list.
    steps.emit();
    const entry = { actId: crypto.randomUUID(), act: next };
    const ready = connection.state() === 'open' ? model : makeRoomFor(model, next);
    if (isFull(ready)) {
      set(refuse(begin(ready, entry), entry.actId, NOT_KEPT.code));
      refusals.emit({ problem: NOT_KEPT, figureId: figureOf(next), act: next });
      notices.emit({ kind: 'notKept' });
    } else {
      set(begin(ready, entry));
      sendPending();
    }
    return entry.actId;
  };
  const undoNext = (which: 'undo' | 'redo') => {
    if (standsStill()) return;
    steps.emit();
    const actId = nextToUndo(model, which);
    if (actId !== null) act({ kind: 'undo', actId });
  };

  return {
    get: () => model,
    subscribe: changed.on,
    connectionState: connection.state,
    unanswered: answers.overdue,
    act,
    undo: () => undoNext('undo'),
    redo: () => undoNext('redo'),
    storeSteps: steps.emit,
    onStoreSteps: steps.on,
    standsStill,
    drag(message) {
      if (standsStill()) return;
      sentAt.set(message.figureId, performance.now());
      connection.send(FIELD_SEND.drag, message, { answered: false });
    },
    point(message) {
      if (standsStill() && !('off' in message)) return;
      sentAt.set('pointer', performance.now());
      connection.send(FIELD_SEND.point, message, { answered: false });
    },
    onDrags: drags.on,
    onStored: stored.on,
    onFresh: fresh.on,
    onPointers: pointers.on,
    onRefused: refusals.on,
    onNotice: notices.on,
    onAdded: added.on,
    close() {
      stopChanges();
      stopStates();
      clearTimeout(checkTimer);
      answers.stop();
    },
  };
}

/** The figure of an act; null if it has none. */
const figureOf = (act: FieldAct | null): number | null =>
  act !== null && 'figureId' in act && typeof act.figureId === 'number' ? act.figureId : null;

/** The figure that a change confirms as added by one's own act; null if it confirms no such act. */
function addedBy({ actId, ops }: ChangeOf<'PLAYER_CHANGE'>['contents'], pending: readonly PendingAct[]): number | null {
  const mine = pending.find((entry) => entry.actId === actId);
  if (mine?.act.kind !== 'add') return null;
  const put = ops.find((op) => op.op === 'put');
  return put?.figure.id ?? null;
}
