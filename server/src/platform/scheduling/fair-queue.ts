/**
 * Shares costly work fairly between accounts. Each account has a queue in which its work runs one piece after another;
 * a few queues run at the same time, and free places go round. An account that queues much waits only behind its own
 * work.
 */
import { Problem } from '../problem.ts';

export interface FairQueue {
  /**
   * Runs `work` when the queue of `key` is free and it is its turn. Returns its result; rethrows its fault.
   * @throws Problem too_many_requests when too much already waits in this queue
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Seconds after which somebody with a full queue may try again. */
const RETRY_SECONDS = 10;

/**
 * Makes a queue in which the keys take turns; of one key, one piece of work runs at a time, in order.
 * @param together pieces of work that run at the same time, of all queues
 * @param waitingMax pieces that may wait in one queue
 */
export function createFairQueue({ together, waitingMax }: { together: number; waitingMax: number }): FairQueue {
  /** What waits, by queue; the queue whose turn is next comes first. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const busy = new Set<string>();

  function startNext(): void {
    for (const [key, queue] of waiting) {
      if (busy.size >= together) return;
      if (busy.has(key)) continue;
      const start = queue.shift()!;
      // To the end of the round.
      waiting.delete(key);
      if (queue.length > 0) waiting.set(key, queue);
      busy.add(key);
      void start().finally(() => {
        busy.delete(key);
        startNext();
      });
    }
  }

  return {
    run: (key, work) =>
      new Promise((resolve, reject) => {
        const queue = waiting.get(key) ?? [];
        if (queue.length >= waitingMax) throw new Problem('too_many_requests', { retryAfterSeconds: RETRY_SECONDS });
        queue.push(() => work().then(resolve, reject));
        waiting.set(key, queue);
        startNext();
      }),
  };
}
