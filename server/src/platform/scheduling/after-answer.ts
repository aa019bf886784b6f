/**
 * Work that begins after its caller was answered, so that neither the answer nor its time reveals what the work found.
 * It is only in memory: if the process dies, waiting work is lost, so the answer may promise nothing.
 */
import type { Log } from '../monitoring/log.ts';

const AT_ONCE = 2;
/** Far more than people cause; a flood of requests must not fill the memory. */
const WAITING_MAX = 1000;

export interface AfterAnswer {
  /** Adds work to be done soon. Returns false, and drops it, when too much waits. Failures are logged. */
  add(work: () => Promise<void>): boolean;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
}

/** Makes the queue. Takes the log for work that fails. */
export function createAfterAnswer(log: Log): AfterAnswer {
  const waiting: (() => Promise<void>)[] = [];
  /** Workers that still look for work. */
  let looking = 0;
  const workers = new Set<Promise<void>>();

  async function worker(): Promise<void> {
    // In a later turn: the answer goes out first.
    await new Promise((resolve) => void setImmediate(resolve));
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
      try {
        await work();
      } catch (error) {
        log.error({ err: error }, 'work after an answer failed');
      }
    }
    // In the same step as the last look: work that is added from here on starts a worker of its own.
    looking--;
  }

  return {
    add(work) {
      if (waiting.length >= WAITING_MAX) return false;
      waiting.push(work);
      if (looking < AT_ONCE) {
        looking++;
        const running = worker().finally(() => workers.delete(running));
        workers.add(running);
      }
      return true;
    },
    async idle() {
      while (workers.size > 0) await Promise.all(workers);
    },
  };
}
