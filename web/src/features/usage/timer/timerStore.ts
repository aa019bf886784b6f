/**
 * The timer in a room, and the dialogs that are open there. It receives TIMER_UPDATE; while the connection is lost it
 * polls the timer every few seconds (docs/product.md#7.8).
 */
import { type DialogName, getTimer, type Timer, TIMER_POLL_MS } from '@fieldroom/contract/usage';
import { api } from '../../../platform/api/index.ts';
import { createEmitter } from '../../../platform/emitter.ts';
import type { Connection } from '../../../platform/realtime/index.ts';
import type { ReadableStore } from '../../../platform/useStorePart.ts';
import { addDue, dropDue, mostUrgent, type OpenedDialog } from './dueDialogs.ts';

export interface TimerModel {
  /** null until the server has sent it. */
  readonly timer: Timer | null;
  /** The dialog to show; less urgent ones wait behind it. */
  readonly opened: OpenedDialog | null;
}

export interface TimerStore extends ReadableStore<TimerModel> {
  open(dialog: OpenedDialog): void;
  /** Closes a dialog; one that was not opened is unaffected. */
  closeDialog(dialog: DialogName): void;
  close(): void;
}

/** Creates the store. Takes the connection, and whose timer it is. `close` stops its timers and listeners. */
export function createTimerStore({
  connection,
  therapistId,
  ask = () => api.call(getTimer, { params: { userId: therapistId } }),
}: {
  connection: Pick<Connection, 'on' | 'onState' | 'state'>;
  therapistId: number;
  ask?: () => Promise<Timer>;
}): TimerStore {
  const changed = createEmitter();
  let model: TimerModel = { timer: null, opened: null };
  let due: readonly OpenedDialog[] = [];
  let polling: ReturnType<typeof setInterval> | undefined;
  let asking = false;
  let closed = false;
  const set = (change: Partial<TimerModel>) => {
    if (closed) return;
    model = { ...model, ...change };
    changed.emit();
  };
  const setDue = (next: readonly OpenedDialog[]) => {
    due = next;
    set({ opened: mostUrgent(due) });
  };
  /** Polls, one request at a time. Once the connection is back its messages take over, and a late answer is ignored. */
  const poll = () => {
    if (asking) return;
    asking = true;
    ask()
      .then(
        (timer) => {
          if (polling !== undefined) set({ timer });
        },
        () => undefined,
      )
      .finally(() => {
        asking = false;
      });
  };
  const pollWhile = (down: boolean) => {
    clearInterval(polling);
    polling = undefined;
    // Without a connection the calls may fail as well; the next one may not.
    if (down) polling = setInterval(poll, TIMER_POLL_MS);
  };
  const stops = [
    connection.on('TIMER_UPDATE', ({ contents: timer }) => set({ timer })),
    connection.onState((state) => pollWhile(state === 'lost')),
  ];
  pollWhile(connection.state() === 'lost');

  return {
    get: () => model,
    subscribe: changed.on,
    open: (next) => setDue(addDue(due, next)),
    closeDialog: (dialog) => setDue(dropDue(due, dialog)),
    close() {
      closed = true;
      clearInterval(polling);
      polling = undefined;
      for (const stop of stops) stop();
    },
  };
}
