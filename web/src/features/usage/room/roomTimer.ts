/**
 * What the therapist's page does for the timer: it tells the server about itself, opens the dialogs that are due, and
 * looks for those that were due before. It comes in a file of its own, after the room is shown.
 */
import { claimFourHours, getUsage } from '@fieldroom/contract/usage';
import { api } from '../../../platform/api/index.ts';
import type { Connection } from '../../../platform/realtime/index.ts';
import type { OpenedDialog } from '../timer/dueDialogs.ts';
import type { TimerStore } from '../timer/timerStore.ts';
import { createTimerDuty, type TimerDuty } from './timerDuty.ts';

export interface RoomTimer {
  readonly duty: TimerDuty;
  /** Stops listening and telling. */
  close(): void;
}

/** Makes it for a room that is open. Takes the connection, the therapist's id, and the timer's store. */
export function createRoomTimer({
  connection,
  userId,
  store,
}: {
  connection: Connection;
  userId: number;
  store: TimerStore;
}): RoomTimer {
  /** How many dialogs the server has told: an answer to an older question does not close a newer warning. */
  let told = 0;
  const onDialog = (due: OpenedDialog) => {
    told += 1;
    if (due.dialog === 'fourhours') void openFourHours();
    else store.open(due);
  };
  const duty = createTimerDuty({ userId, isWarning: () => store.get().opened?.dialog === 'timeoutwarning' });
  /** One page shows the dialog about the fourth hour, once (docs/product.md#7.4). */
  async function openFourHours(): Promise<void> {
    const { show } = await api.call(claimFourHours).catch(() => ({ show: false }));
    if (show) store.open({ dialog: 'fourhours', until: null });
  }
  const look = async () => {
    const before = told;
    const usage = await api.call(getUsage);
    if (before === told) {
      if (usage.warningUntil === null) store.closeDialog('timeoutwarning');
      else store.open({ dialog: 'timeoutwarning', until: usage.warningUntil });
    }
    if (usage.fourHoursDue) await openFourHours();
  };
  const unheard = () => undefined;
  void look().catch(unheard);
  const stops = [
    connection.on('DIALOG', ({ contents }) => onDialog(contents)),
    // The server may have taken the warning back, because another tab closed it or somebody acted.
    connection.on('TIMER_UPDATE', () => {
      if (store.get().opened?.dialog === 'timeoutwarning') void look().catch(unheard);
    }),
  ];
  return {
    duty,
    close() {
      for (const stop of stops) stop();
      duty.close();
    },
  };
}
