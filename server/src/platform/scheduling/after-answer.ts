/**
 * Work that begins after its caller was answered, so that neither the answer nor its time reveals what the work found.
 * Work that the database could not serve is tried again, as the caller would if they knew. It is only in memory: if the
 * process dies, waiting work is lost, so the answer may promise nothing.
 */
import { setTimeout as passed } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../db/db.ts';
import type { Log } from '../monitoring/log.ts';

const AT_ONCE = 2;
/** Far more than people cause; a flood of requests must not fill the memory. */
const WAITING_MAX = 1000;
/** A database that restarts is back in seconds; after this time nobody waits for an email any more. */
const RETRY_MS = 1000;
const RETRIED_FOR_MS = 300_000;

export interface AfterAnswer {
  /**
   * Adds work to be done soon. Returns false, and drops it, when too much waits. It may run several times, as its
   * transaction may have been stored although the database's answer was lost. Failures are logged.
   */
  add(work: () => Promise<void>): boolean;
  /** Resolves when nothing is left to do. */
  idle(): Promise<void>;
  /** Tries what waits once more at most, and resolves when nothing is left to do. */
  stop(): Promise<void>;
}

interface Waiting {
  readonly work: () => Promise<void>;
  /** When it first failed, in milliseconds of the process; null if it did not. */
  failedMs: number | null;
}

/** Makes the queue. Takes the log for work that fails; tests take shorter times. */
export function createAfterAnswer(log: Log, { retryMs = RETRY_MS, retriedForMs = RETRIED_FOR_MS } = {}): AfterAnswer {
  const waiting: Waiting[] = [];
  /** Workers that still look for work. */
  let looking = 0;
  const workers = new Set<Promise<void>>();
  const stopping = new AbortController();

  const mayRetry = ({ failedMs }: Waiting, error: unknown): boolean =>
    isDatabaseUnavailable(error) &&
    !stopping.signal.aborted &&
    (failedMs === null || performance.now() - failedMs < retriedForMs);

  async function worker(): Promise<void> {
    // In a later turn: the answer goes out first.
    await new Promise((resolve) => void setImmediate(resolve));
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await next.work();
      } catch (error) {
        if (mayRetry(next, error)) {
          next.failedMs ??= performance.now();
          await passed(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
          // Behind the others, as it may have failed for a reason of its own.
          waiting.push(next);
        } else log.error({ err: error }, 'work after an answer failed');
      }
    }
    // In the same step as the last look: work that is added from here on starts a worker of its own.
    looking--;
  }

  async function idle(): Promise<void> {
    while (workers.size > 0) await Promise.all(workers);
  }

  return {
    add(work) {
      if (waiting.length >= WAITING_MAX) return false;
      waiting.push({ work, failedMs: null });
      if (looking < AT_ONCE) {
        looking++;
        const running = worker().finally(() => workers.delete(running));
        workers.add(running);
      }
      return true;
    },
    idle,
    stop() {
      stopping.abort();
      return idle();
    },
  };
}
