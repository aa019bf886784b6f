/**
 * The periodic work: the sweep of every second, which also writes the sign of life (rule 3), and the operator's job
 * that ends forgotten timers (rule 10).
 */
import type { Reactions } from '../activity/usage.reactions.ts';
import type { Changes } from '../timer/usage.changes.ts';
import type { Counters } from '../timer/usage.counters.ts';
import type { Turn, Turns } from '../timer/usage.turn.ts';
import type { UsageParts } from '../usage.parts.ts';
import * as store from '../usage.store.ts';

/** The sign of life is written this often while a timer runs, in real and in product time. */
const HEARTBEAT_MS = 20_000;

export interface Sweep {
  /** Does everything that is due now. */
  settle(): Promise<void>;
  /** Every second: does what is due, and writes the sign of life. */
  sweep(): Promise<void>;
  /** Ends intervals without a running live session, and those whose stop is overdue. */
  stopForgotten(): Promise<{ stopped: number }>;
}

/** Makes the sweep. `faulty` is called for timers that could not be changed. */
export function createSweep({
  db,
  clock,
  sessions,
  isShared,
  counters,
  turns,
  changes,
  reactions,
  faulty,
}: Pick<UsageParts, 'db' | 'clock' | 'sessions'> & {
  isShared: boolean;
  counters: Counters;
  turns: Turns;
  changes: Changes;
  reactions: Reactions;
  faulty: (error: unknown) => void;
}): Sweep {
  let heartbeat = { realMs: -Infinity, productMs: -Infinity };

  async function settle(due: readonly { therapistId: number }[]): Promise<void> {
    let fault: Error | undefined;
    for (const { therapistId } of due) {
      try {
        await changes.settleOne(therapistId);
      } catch (error) {
        // The others continue; this one is checked again a second later.
        fault ??= error instanceof Error ? error : new Error('a timer could not be settled');
      }
    }
    if (fault !== undefined) throw fault;
  }

  async function beat(): Promise<void> {
    if (!isShared && counters.running() === 0) return;
    const [realMs, productMs] = [performance.now(), clock.moment()];
    if (Math.max(realMs - heartbeat.realMs, productMs - heartbeat.productMs) < HEARTBEAT_MS) return;
    await store.writeHeartbeat(db);
    heartbeat = { realMs, productMs };
  }

  return {
    settle: async () => settle(await store.dueTherapists(db)),

    async sweep() {
      const [due] = await Promise.all([store.dueTherapists(db), clock.refresh()]);
      // First: a timer that cannot be settled, or waits for its room, must not block everybody's sign of life.
      await beat();
      // Before anything ends intervals that they would have kept.
      await reactions.answerOwed();
      for (const therapistId of counters.uncertain())
        await changes.settleOne(therapistId, { announce: true }).catch(faulty);
      await settle(due);
    },

    async stopForgotten() {
      let stopped = 0;
      const runs = async (therapistId: number, work: (turn: Turn) => Promise<void>) => {
        await changes.change(therapistId, async (turn) => {
          await work(turn);
          if (turn.before.startedMs !== null && turn.running === null) stopped++;
        });
      };
      for (const { therapistId } of await store.dueTherapists(db)) await runs(therapistId, async () => {});
      for (const { therapistId, endedMs } of await store.withoutLiveSession(db))
        await runs(therapistId, async (turn) => {
          if ((await sessions.running(therapistId, turn.tx)) === null)
            await turns.stopAt(turn, endedMs ?? turn.counter.startedMs ?? turn.nowMs);
        });
      return { stopped };
    },
  };
}
