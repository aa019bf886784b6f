/**
 * Sweeps: work beside the calls that each node runs at an interval of real time. SQL decides deadlines on product time;
 * a sweep only does what is due. What has to outlive a crash is a row that the next sweep finds, such as an email in
 * the outbox.
 */
import { asBackgroundWork, isDatabaseUnavailable } from '../db/db.ts';
import { finishedWithin } from './finished-within.ts';
import { type Log, sparing } from '../monitoring/log.ts';

export interface Jobs {
  /** Runs the work at an interval of real seconds from `start` on, never twice at once; faults are logged. */
  every(seconds: number, name: string, work: () => Promise<unknown>): void;
  /**
   * Runs the work of `every` now, waits for it, and throws what it throws; for tests and for callers that cannot wait.
   */
  runNow(name: string): Promise<void>;
  start(): void;
  /** Waits for running work, but not for long; what is cut off is done again after the next start. */
  stop(): Promise<void>;
  /** Rejects before the start and after the stop. */
  check(): Promise<void>;
  /** Counts a failure of other work in the background, which is done again. */
  noteFailure(): void;
  /** How often work in the background has failed since the start; it is done again. */
  failed(): number;
  /** How many sweeps failed when they last ran by themselves. */
  failing(): number;
}

interface Sweep {
  readonly seconds: number;
  readonly work: () => Promise<unknown>;
  running: Promise<void> | null;
  failing: boolean;
}

/** How long stopping waits for running work. */
const STOP_MS = 2000;
/** Sweeps that run this rarely have the time limits of background work. */
const LONG_FROM_SECONDS = 60;

/** Makes the jobs. Nothing runs by itself before `start`. */
export function createJobs({ log }: { log: Log }): Jobs {
  const unavailable = sparing((fields, message) => log.warn(fields, message));
  const sweeps = new Map<string, Sweep>();
  /**
   * By interval, in seconds. Sweeps of one interval share a timer, so that they always begin in the same turn and their
   * reads go to the database together (`db/batched-reads.ts`). Timers of their own drift apart.
   */
  const timers = new Map<number, NodeJS.Timeout>();
  let state: 'new' | 'running' | 'stopped' = 'new';
  let failed = 0;

  function begin(sweep: Sweep): Promise<void> {
    const running = (async () => {
      // Frequent work must be short; rare work may have much to do.
      await (sweep.seconds < LONG_FROM_SECONDS ? sweep.work() : asBackgroundWork(sweep.work));
    })();
    const settled = running.then(
      () => {},
      () => {},
    );
    sweep.running = settled;
    void settled.then(() => {
      if (sweep.running === settled) sweep.running = null;
    });
    return running;
  }

  function tick(name: string, sweep: Sweep): void {
    if (sweep.running) return;
    const settled = begin(sweep).then(() => {
      sweep.failing = false;
    });
    settled.catch((error: unknown) => {
      // The sweep runs again by itself.
      if (state === 'stopped') return;
      failed += 1;
      sweep.failing = true;
      if (isDatabaseUnavailable(error))
        unavailable({ err: error, sweep: name }, 'the database could not serve a sweep');
      else log.error({ err: error, sweep: name }, 'a sweep failed');
    });
  }

  function startTimer(seconds: number): void {
    if (timers.has(seconds)) return;
    const timer = setInterval(() => {
      for (const [name, sweep] of sweeps) if (sweep.seconds === seconds) tick(name, sweep);
    }, seconds * 1000);
    timers.set(seconds, timer.unref());
  }

  return {
    every(seconds, name, work) {
      if (sweeps.has(name)) throw new Error(`the sweep ${name} is there twice`);
      sweeps.set(name, { seconds, work, running: null, failing: false });
      if (state === 'running') startTimer(seconds);
    },

    async runNow(name) {
      const sweep = sweeps.get(name);
      if (!sweep) throw new Error(`there is no sweep ${name}`);
      // A run that has already begun may have looked before our caller's change.
      while (sweep.running) await sweep.running;
      await begin(sweep);
    },

    start() {
      if (state !== 'new') throw new Error('the jobs were started before');
      state = 'running';
      for (const { seconds } of sweeps.values()) startTimer(seconds);
    },

    async stop() {
      state = 'stopped';
      for (const timer of timers.values()) clearInterval(timer);
      const running = Promise.all([...sweeps.values()].map(async (sweep) => sweep.running));
      if (!(await finishedWithin(STOP_MS, running)))
        log.warn('stopping goes on without waiting for work in the background');
    },

    async check() {
      if (state !== 'running') throw new Error('the jobs do not run');
    },
    noteFailure() {
      failed += 1;
    },
    failed: () => failed,
    failing: () => [...sweeps.values()].filter(({ failing }) => failing).length,
  };
}
