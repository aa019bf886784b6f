/**
 * How long one request waits for the database in all. Connections, locks, answers and turns in a queue share one
 * deadline, so that a refusal comes in time even where one wait follows another.
 *
 * Only waiting counts: the upload of a file or the hash of a password uses nothing of it. A request takes its waits
 * along wherever its work goes; what goes on after its answer has none, and neither has background work. Work that
 * several requests share (a batch of bookings, limits counted together, a shared read) has the database's limits for
 * itself, and waiting for it uses nothing: a request that comes late to a crowd may wait for up to two of them. Only
 * where a crowd comes to one room (`scheduling/gathered.ts`) does each request wait no longer than its own time.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** If PostgreSQL's answer is missing this much longer than a limit that PostgreSQL itself keeps, it never comes. */
export const ANSWER_GRACE_MS = 300;
/**
 * A timer that is this late shows that this process was suspended, or far behind. Then what came meanwhile is read
 * before the timer counts.
 */
export const STALL_MS = 200;
export const STALL_GRACE_MS = 500;

/** What one request has waited so far. */
export class Waits {
  readonly #totalMs: number;
  readonly #now: () => number;
  #usedMs: number;
  /** Waits that are going on, and since when there is one: what runs side by side counts once. */
  #running = 0;
  #since = 0;
  #isOver = false;

  /**
   * @param totalMs milliseconds for all waits together
   * @param usedMs what the request has waited before, in milliseconds
   * @param now real time in milliseconds, which only goes forward
   */
  constructor(totalMs: number, usedMs = 0, now: () => number = () => performance.now()) {
    this.#totalMs = totalMs;
    this.#usedMs = usedMs;
    this.#now = now;
  }

  /** The request was answered: what its work has left running waits like work that belongs to no request. */
  end(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Milliseconds that are left for all further waits; below 0 when more was used. */
  leftMs(): number {
    return this.#totalMs - this.#usedMs - (this.#running > 0 ? this.#now() - this.#since : 0);
  }

  /** A wait begins. Returns what to call at its end; a second call does nothing. */
  begin(): () => void {
    if (this.#running === 0) this.#since = this.#now();
    this.#running += 1;
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      this.#running -= 1;
      if (this.#running === 0) this.#usedMs += this.#now() - this.#since;
    };
  }

  /**
   * Waits for work, as long as time is left. Returns whether it has finished; never throws what the work throws. A
   * process that was suspended looks again before it gives up.
   */
  async inTime(work: Promise<unknown>): Promise<boolean> {
    const ended = this.begin();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      let ms = Math.max(0, this.leftMs() + ANSWER_GRACE_MS);
      let due = this.#now() + ms;
      const look = () => {
        if (this.#now() - due <= STALL_MS) return resolve(false);
        ms = STALL_GRACE_MS;
        due = this.#now() + ms;
        timer = setTimeout(look, ms);
      };
      timer = setTimeout(look, ms);
    });
    const finished = work.then(
      () => true as const,
      () => true as const,
    );
    try {
      return await Promise.race([finished, late]);
    } finally {
      clearTimeout(timer);
      ended();
    }
  }
}

const current = new AsyncLocalStorage<Waits | null>();

/** Runs work, and what it calls, with these waits. Returns what it returns. A query that nobody awaits is not begun. */
export const withWaits = <T>(waits: Waits, work: () => T): T => current.run(waits, work);

/** Runs work as one request, whose waits are over when it ends. */
export async function asOneRequest<T>(waits: Waits, work: () => Promise<T> | T): Promise<T> {
  try {
    return await withWaits(waits, async () => work());
  } finally {
    waits.end();
  }
}

/** Runs work that several requests share, or that goes on after its request: no request's deadline is for it. */
export const withoutWaits = <T>(work: () => T): T => current.run(null, work);

/** The waits of the request that is being carried out; null where there is none. */
export function currentWaits(): Waits | null {
  const waits = current.getStore() ?? null;
  return waits === null || waits.isOver ? null : waits;
}
