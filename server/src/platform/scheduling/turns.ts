/**
 * Takes turns by key before a connection is taken: work that would wait for one locked row waits here, without a
 * connection. So a crowd at one row keeps nobody else from the database.
 *
 * Work that waits too long is refused; the wait is one of its request (`platform/db/waits.ts`). If somebody's turn
 * fails because another process holds the lock, those behind would fail for the same reason: they are refused at once.
 */
import { DatabaseUnavailable, isDatabaseUnavailable } from '../db/db.ts';
import { currentWaits } from '../db/waits.ts';

export interface Turns {
  /** Runs the work when it is this one's turn. @throws DatabaseUnavailable when that takes too long. */
  take<T>(key: number, work: () => Promise<T>): Promise<T>;
}

export interface TurnsParts {
  /** How many of one key run at the same time. */
  readonly together: number;
  /** Maximum real time to wait for a turn, in milliseconds. */
  readonly waitMs: number;
}

interface Queue {
  running: number;
  /** In order of arrival; each begins, or is refused. */
  readonly waiting: Set<{ readonly begin: () => void; readonly refuse: (error: Error) => void }>;
}

/** Makes the turns. Keys do not wait for each other. */
export function createTurns({ together, waitMs }: TurnsParts): Turns {
  const queues = new Map<number, Queue>();

  /** Resolves when its turn has come. */
  function turn(queue: Queue): Promise<void> {
    return new Promise((resolve, reject) => {
      const waits = currentWaits();
      const ended = waits?.begin();
      const leave = () => {
        ended?.();
        clearTimeout(timer);
        queue.waiting.delete(one);
      };
      const one = {
        begin() {
          leave();
          resolve();
        },
        refuse(error: Error) {
          leave();
          reject(error);
        },
      };
      const ms = Math.min(waitMs, Math.max(0, waits?.leftMs() ?? waitMs));
      const timer = setTimeout(() => one.refuse(new DatabaseUnavailable('Too many wait for the same row')), ms);
      queue.waiting.add(one);
    });
  }

  return {
    async take(key, work) {
      const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
      queues.set(key, queue);
      if (queue.running < together) queue.running += 1;
      // The one that ends hands its place on, so the count stays.
      else await turn(queue);
      try {
        return await work();
      } catch (error) {
        if (isDatabaseUnavailable(error))
          for (const { refuse } of [...queue.waiting])
            refuse(new DatabaseUnavailable('The row is held by somebody else', { cause: error }));
        throw error;
      } finally {
        const [next] = queue.waiting;
        if (next) next.begin();
        else {
          queue.running -= 1;
          if (queue.running === 0) queues.delete(key);
        }
      }
    },
  };
}
