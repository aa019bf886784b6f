/**
 * The timer in a room, and the dialogs that the server opens there. It hears TIMER_UPDATE and DIALOG; while the
 * connection is down it asks for the timer every few seconds (docs/product.md#7.8).
 */
import { type DialogName, getTimer, type Timer, TIMER_POLL_MS } from '@fieldroom/contract/usage';
import { api } from '../../../platform/api/index.ts';
import { createEmitter } from '../../../platform/emitter.ts';
import type { Connection } from '../../../platform/realtime/index.ts';
import type { ReadableStore } from '../../../platform/useStorePart.ts';

/** A dialog that the server opened; `until` ends a countdown, as product time. */
export interface OpenedDialog {
  readonly dialog: DialogName;
  readonly until: string | null;
}

export interface TimerModel {
  /** null until the server has said it. */
  readonly timer: Timer | null;
  readonly opened: OpenedDialog | null;
}

export interface TimerStore extends ReadableStore<TimerModel> {
  open(dialog: OpenedDialog): void;
  closeDialog(): void;
  close(): void;
}

/** Creates the store. Takes the connection, and whose timer it is. `close` stops its timers and listeners. */
export function createTimerStore({
  connection,
  therapistId,
  onDialog = () => undefined,
  ask = () => api.call(getTimer, { params: { userId: therapistId } }),
}: {
  connection: Pick<Connection, 'on' | 'onState' | 'state'>;
  therapistId: number;
  /** Hears of dialogs that are due; a client hears of none. */
  onDialog?: (due: OpenedDialog) => void;
  ask?: () => Promise<Timer>;
}): TimerStore {
  const changed = createEmitter();
  let model: TimerModel = { timer: null, opened: null };
  let polling: ReturnType<typeof setInterval> | undefined;
  let closed = false;
  const set = (change: Partial<TimerModel>) => {
    if (closed) return;
    model = { ...model, ...change };
    changed.emit();
  };
  /** What is older than what is known says nothing. */
  const take = (timer: Timer) => {
    if (model.timer === null || timer.at >= model.timer.at) set({ timer });
  };
  const pollWhile = (down: boolean) => {
    clearInterval(polling);
    polling = undefined;
    // Without a connection the calls may fail as well; the next one may not.
    if (down) polling = setInterval(() => void ask().then(take, () => undefined), TIMER_POLL_MS);
  };
  const stops = [
    connection.on('TIMER_UPDATE', ({ contents }) => take(contents)),
    connection.on('DIALOG', ({ contents }) => onDialog(contents)),
    connection.onState((state) => pollWhile(state === 'lost')),
  ];
  pollWhile(connection.state() === 'lost');

  return {
    get: () => model,
    subscribe: changed.on,
    open: (opened) => set({ opened }),
    closeDialog: () => set({ opened: null }),
    close() {
      closed = true;
      clearInterval(polling);
      for (const stop of stops) stop();
    },
  };
}
