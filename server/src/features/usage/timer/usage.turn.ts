/**
 * One change of a counter inside a transaction that holds the lock of the room's row: how it begins, how the counted
 * interval starts and stops (rule 1), and what is written and announced at its end (rule 2).
 */
import { roomDestination } from '@fieldroom/contract/realtime';
import type { DialogName, Timer } from '@fieldroom/contract/usage';
import type { Tx } from '../../../platform/db/db.ts';
import type { AfterCommit } from '../../room/index.ts';
import type { Activity } from '../activity/usage.activity.ts';
import type { UsageParts } from '../usage.parts.ts';
import * as store from '../usage.store.ts';
import type { Counters } from './usage.counters.ts';
import * as rules from './usage.rules.ts';
import type { Counter } from './usage.rules.ts';
import type { Tabs } from './usage.tabs.ts';

/** A change of one counter, in a transaction that holds the lock of the room's row. */
export interface Turn {
  readonly tx: Tx;
  readonly therapistId: number;
  /** The moment of the change. */
  readonly nowMs: number;
  readonly person: store.UsageRow['person'];
  readonly before: Counter;
  readonly dueBeforeMs: number | null;
  counter: Counter;
  running: store.UsageRow['running'];
  /** Dialogs to open after the commit. */
  dialogs: { dialog: DialogName; until: string | null }[];
  /** Why the live session ends in this transaction; null if it continues. */
  ending: 'trial_over' | 'timed_out' | null;
}

export interface Turns {
  /** Reads the counter. The turn is now, or at `untilMs` if that is earlier. Null for an account that is gone. */
  begin(tx: Tx, therapistId: number, untilMs?: number): Promise<Turn | null>;
  /** Starts an interval at the moment of the turn. */
  startAt(turn: Turn, liveSessionId: number | null): Promise<void>;
  /** Ends the running interval, if there is one, at a moment that has come. */
  stopAt(turn: Turn, atMs: number): Promise<void>;
  /** Cancels a warning, if there is one: the idle time restarts. */
  takeBackWarning(turn: Turn): void;
  /** Writes what the turn changed. After the commit the room and the therapist are told. */
  finish(turn: Turn, afterCommit: AfterCommit, how?: { announce?: boolean }): Promise<void>;
}

/** Makes the turns. `timerNow` returns the announced state of a counter. */
export function createTurns({
  room,
  sessions,
  publish,
  isShared,
  counters,
  tabs,
  activity,
  timerNow,
}: Pick<UsageParts, 'room' | 'sessions' | 'publish'> & {
  isShared: boolean;
  counters: Counters;
  tabs: Tabs;
  activity: Activity;
  timerNow: (therapistId: number, counter: Counter) => Timer;
}): Turns {
  return {
    async begin(tx, therapistId, untilMs = Infinity) {
      const row = await store.readUsageRow(tx, therapistId);
      if (row === null) return null;
      if (isShared) {
        // What other nodes know. The lock of the room's row keeps it true until the end of the transaction.
        tabs.read(therapistId, await store.readTabs(tx, therapistId));
        await activity.catchUp(tx, therapistId);
      }
      return {
        tx,
        therapistId,
        nowMs: Math.min(row.nowMs, untilMs),
        person: row.person,
        before: row.counter,
        dueBeforeMs: row.dueMs,
        counter: row.counter,
        running: row.running,
        dialogs: [],
        ending: null,
      };
    },

    async startAt(turn, liveSessionId) {
      const { tx, therapistId, nowMs } = turn;
      counters.changing(therapistId);
      const { id, startedMs } = await store.startInterval(tx, {
        therapistId,
        liveSessionId,
        plan: turn.counter.plan,
        nowMs,
      });
      turn.running = { id, liveSessionId };
      turn.counter = { ...turn.counter, startedMs, stopMs: null, warningMs: null };
    },

    async stopAt(turn, atMs) {
      const { tx, running } = turn;
      if (running === null) return;
      counters.changing(turn.therapistId);
      const { endedMs, ...counter } = rules.stopped(turn.counter, Math.min(atMs, turn.nowMs));
      await store.endInterval(tx, running.id, endedMs);
      if (running.liveSessionId !== null)
        await sessions.setCountedSeconds(tx, await store.countedIn(tx, [running.liveSessionId]));
      turn.counter = counter;
      turn.running = null;
      // The reason for the end is announced instead.
      turn.dialogs = turn.dialogs.filter(({ dialog }) => dialog !== 'timeoutwarning');
    },

    takeBackWarning(turn) {
      if (turn.counter.warningMs === null) return;
      turn.counter = { ...turn.counter, warningMs: null };
      activity.stirred(turn.therapistId, turn.nowMs);
    },

    async finish(turn, afterCommit, { announce = false } = {}) {
      const { tx, therapistId, nowMs, before, counter, dialogs } = turn;
      const due = rules.nextDue(counter, activity.quietSince(therapistId));
      const dueMs = due === null ? null : Math.max(due.atMs, 0);
      if (counter !== before || dueMs !== turn.dueBeforeMs) {
        counters.changing(therapistId);
        await store.writeCounter(tx, therapistId, counter, { dueMs, nowMs });
      }
      if (isShared) await store.writeTabs(tx, therapistId, tabs.write(therapistId));
      const isNews =
        announce ||
        counter.startedMs !== before.startedMs ||
        counter.plan !== before.plan ||
        counter.warningMs !== before.warningMs;
      afterCommit(() => {
        counters.set(therapistId, counter);
        if (isNews)
          publish(
            roomDestination(therapistId),
            { eventType: 'TIMER_UPDATE', contents: timerNow(therapistId, counter) },
            { lane: 'stored' },
          );
        for (const contents of dialogs) room.tell(therapistId, { eventType: 'DIALOG', contents });
      });
    },
  };
}
