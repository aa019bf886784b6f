/** Waits for the server's answer to one act. */
import type { FieldStore } from '../useField.ts';

/** Resolves when the server has answered an act of this browser: true when it is stored, false when it was refused. */
export function whenAnswered(store: Pick<FieldStore, 'get' | 'subscribe'>, actId: string): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      const { pending, undo } = store.get();
      if (pending.some((entry) => entry.actId === actId)) return;
      stop();
      resolve(undo.includes(actId));
    };
    const stop = store.subscribe(look);
    look();
  });
}
