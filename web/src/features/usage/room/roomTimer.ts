/**
 * The timer's code of the therapist's page: it reports the page to the server, opens dialogs that are due, and checks
 * for earlier ones. It is in a separate file, loaded after the room is shown.
 */
import { claimFourHours, getUsage } from '@fieldroom/contract/usage';
import { api } from '../../../platform/api/index.ts';
import type { Connection } from '../../../platform/realtime/index.ts';
import { retryUntilDone } from '../../../ui/lazy/retryUntilDone.ts';
import type { OpenedDialog } from '../timer/dueDialogs.ts';
import type { TimerStore } from '../timer/timerStore.ts';
import { createTimerDuty, type TimerDuty } from './timerDuty.ts';

export interface RoomTimer {
  readonly duty: TimerDuty;
  /** Stops listening and reporting. */
  close(): void;
}

/** Creates it for an open room. Takes the connection, the therapist's id, and the timer's store. */
export function createRoomTimer({
  connection,
  userId,
  store,
}: {
  connection: Connection;
  userId: number;
  store: TimerStore;
}): RoomTimer {
  /** Number of dialogs that the server has sent: an answer to an older request does not close a newer warning. */
  let told = 0;
  const onDialog = (due: OpenedDialog) => {
    told += 1;
    if (due.dialog === 'fourhours') openFourHours();
    else store.open(due);
  };
  const duty = createTimerDuty({ userId, isWarning: () => store.get().opened?.dialog === 'timeoutwarning' });
  let stopClaiming: (() => void) | null = null;
  /** One page shows the dialog about the fourth hour, once (docs/product.md#7.4). */
  function openFourHours(): void {
    // The pending answer may be the one that counts.
    stopClaiming ??= retryUntilDone(
      () => api.call(claimFourHours),
      ({ show }) => {
        stopClaiming = null;
        if (show) store.open({ dialog: 'fourhours', until: null });
      },
    );
  }
  let stopLooking = () => {};
  /** Asks which dialogs are due. Only the latest request counts: the answer to an older one may arrive after it. */
  const look = () => {
    stopLooking();
    const before = told;
    stopLooking = retryUntilDone(
      () => api.call(getUsage),
      (usage) => {
        if (before === told) {
          if (usage.warningUntil === null) store.closeDialog('timeoutwarning');
          else store.open({ dialog: 'timeoutwarning', until: usage.warningUntil });
        }
        if (usage.fourHoursDue) openFourHours();
      },
    );
  };
  look();
  const stops = [
    connection.on('DIALOG', ({ contents }) => onDialog(contents)),
    // A dialog is sent once: one sent while the connection was lost was missed.
    connection.onState((state) => {
      if (state === 'open') look();
    }),
    // The server may have cancelled the warning, because another tab closed it or somebody acted.
    connection.on('TIMER_UPDATE', () => {
      if (store.get().opened?.dialog === 'timeoutwarning') look();
    }),
  ];
  return {
    duty,
    close() {
      stopLooking();
      stopClaiming?.();
      for (const stop of stops) stop();
      duty.close();
    },
  };
}
