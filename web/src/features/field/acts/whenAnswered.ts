/** Waits for the server's answer to one act. */
import type { PendingAct } from './ownActs.ts';
import type { FieldStore } from '../useField.ts';

/** Resolves when the server has answered an act of this browser: true when it is stored, false when it was refused. */
export function whenAnswered(store: Pick<FieldStore, 'get' | 'subscribe'>, actId: string): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      const { pending, refused } = store.get();
      const isIt = (entry: PendingAct) => entry.actId === actId;
      if (pending.some(isIt)) return;
      stop();
      resolve(!refused.some(isIt));
    };
    const stop = store.subscribe(look);
    look();
  });
}
