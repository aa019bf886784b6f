/** The timer of the therapist's room: the store, what the page tells the server, and what was due before it opened. */
import { claimFourHours, getUsage } from '@fieldroom/contract/usage';
import { api } from '../../../platform/api/index.ts';
import type { Connection } from '../../../platform/realtime/index.ts';
import { noteInRoom } from '../leftRoom.ts';
import { createTimerStore, type TimerStore } from '../timer/timerStore.ts';
import { createTimerDuty, type TimerDuty } from './timerDuty.ts';

export interface RoomTimer {
  readonly store: TimerStore;
  readonly duty: TimerDuty;
  /** Stops listening and telling. */
  close(): void;
}

/** Makes it for a room that is open. Takes the connection and the therapist's id. */
export function createRoomTimer({ connection, userId }: { connection: Connection; userId: number }): RoomTimer {
  noteInRoom();
  /** How many dialogs the server has told: an answer to an older question does not close a newer warning. */
  let told = 0;
  const store = createTimerStore({
    connection,
    therapistId: userId,
    onDialog: (due) => {
      told += 1;
      if (due.dialog === 'fourhours') void openFourHours();
      else store.open(due);
    },
  });
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
  // The server may have taken the warning back, because another tab closed it or somebody acted.
  const stop = connection.on('TIMER_UPDATE', () => {
    if (store.get().opened?.dialog === 'timeoutwarning') void look().catch(unheard);
  });
  return {
    store,
    duty,
    close() {
      stop();
      duty.close();
      store.close();
    },
  };
}
