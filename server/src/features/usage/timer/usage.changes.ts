/** Changes of a counter, each in its own act on the room, after due work has been done. */
import { AWAY_MS, type Activity } from '../activity/usage.activity.ts';
import type { RoomRow } from '../../room/index.ts';
import type { UsageParts } from '../usage.parts.ts';
import type { Counters } from './usage.counters.ts';
import type { SettleTurn } from './usage.due.ts';
import * as rules from './usage.rules.ts';
import type { Counter } from './usage.rules.ts';
import type { Turn, Turns } from './usage.turn.ts';

export interface Changes {
  /**
   * Changes a counter in its own act: first due work is done, then `work`, which must not throw a Problem, because the
   * due work has to stay. Returns what `work` returned, or null for an account that is gone.
   */
  change<T>(
    therapistId: number,
    work: (turn: Turn, row: RoomRow) => Promise<T>,
    how?: { announce?: boolean },
  ): Promise<T | null>;
  /** Does only the due work of one therapist. */
  settleOne(therapistId: number, how?: { announce: boolean }): Promise<unknown>;
  /** Does the due work for a caller, who must not depend on the time of the next sweep. */
  upToDate(therapistId: number): Promise<Counter>;
}

/** Makes the changes. */
export function createChanges({
  room,
  clock,
  sessions,
  isShared,
  counters,
  activity,
  turns,
  settleTurn,
}: Pick<UsageParts, 'room' | 'clock' | 'sessions'> & {
  isShared: boolean;
  counters: Counters;
  activity: Activity;
  turns: Turns;
  settleTurn: SettleTurn;
}): Changes {
  const change: Changes['change'] = (therapistId, work, how) =>
    room.act(therapistId, async (tx, row, afterCommit) => {
      // If anything else is due later than this, the live session has ended by then; its own sweep says so.
      const awayMs = row.therapistAwaySince?.getTime() ?? null;
      if (isShared) activity.setAway(therapistId, awayMs);
      const turn = await turns.begin(tx, therapistId, (awayMs ?? Infinity) + AWAY_MS);
      if (turn === null) return null;
      await settleTurn(turn);
      const result = await work(turn, row);
      await turns.finish(turn, afterCommit, how);
      // In the same transaction, so that no live session continues without its timer.
      if (turn.ending !== null) await sessions.endWithin(tx, row, turn.ending, afterCommit);
      return result;
    });

  const settleOne: Changes['settleOne'] = (therapistId, how) => change(therapistId, async () => {}, how);

  return {
    change,
    settleOne,
    async upToDate(therapistId) {
      const counter = await (isShared ? counters.fresh(therapistId) : counters.get(therapistId));
      const due = rules.nextDue(counter, activity.quietSince(therapistId));
      if (due === null || due.atMs > clock.moment()) return counter;
      await settleOne(therapistId);
      return counters.get(therapistId);
    },
  };
}
