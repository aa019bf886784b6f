/** The timer of the therapist's room: the store, what the page tells the server, and what was due before it opened. */
import { claimFourHours, getUsage } from '@fieldroom/contract/usage';
import { api } from '../../../platform/api/index.ts';
import type { Connection } from '../../../platform/realtime/index.ts';
import { createTimerStore, type TimerStore } from '../timer/timerStore.ts';
import { createTimerDuty, type TimerDuty } from './timerDuty.ts';

export interface RoomTimer {
  readonly store: TimerStore;
  readonly duty: TimerDuty;
  close(): void;
}

/** Makes it for a room that is open. Takes the connection and the therapist's id. */
export function createRoomTimer({ connection, userId }: { connection: Connection; userId: number }): RoomTimer {
  const store = createTimerStore({
    connection,
    therapistId: userId,
    onDialog: (due) => {
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
    const usage = await api.call(getUsage);
    if (usage.warningUntil !== null) store.open({ dialog: 'timeoutwarning', until: usage.warningUntil });
    else if (store.get().opened?.dialog === 'timeoutwarning') store.closeDialog();
    if (usage.fourHoursDue) await openFourHours();
  };
  const unheard = () => undefined;
  void look().catch(unheard);
  const stops = [
    // The server took the warning back, because another tab closed it or somebody acted.
    connection.on('TIMER_UPDATE', () => {
      if (store.get().opened?.dialog === 'timeoutwarning') void look().catch(unheard);
    }),
  ];
  return {
    store,
    duty,
    close() {
      for (const stop of stops) stop();
      duty.close();
      store.close();
    },
  };
}
