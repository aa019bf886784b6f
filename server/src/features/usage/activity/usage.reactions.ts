/**
 * What people in the room do to the timer: somebody who comes, goes or acts keeps it from idling (rule 6), and a
 * therapist who is back makes a timer go on that the server's stop ended (rule 3).
 */
import type { UsageParts } from '../usage.parts.ts';
import type { Changes } from '../timer/usage.changes.ts';
import type { Counters } from '../timer/usage.counters.ts';
import * as rules from '../timer/usage.rules.ts';
import type { Turn, Turns } from '../timer/usage.turn.ts';
import type { Activity } from './usage.activity.ts';

export interface Reactions {
  /** For `clients.onPeopleChanged`: the room is not idle, and a warning is taken back. */
  stir(therapistId: number): void;
  /** For `field.onAct`: something changed on a field. */
  acted(therapistId: number): void;
  /** For `sessions.onHere`: remembers that a therapist is away, and goes on counting after a restart. */
  therapistHere(therapistId: number, here: boolean, how?: { elsewhere: boolean }): void;
  /** Tries again what failed. */
  answerOwed(): Promise<void>;
  /** The live session is over: nothing is owed any more. */
  forget(therapistId: number): void;
}

/** Makes the reactions. `faulty` hears of each change that failed and is owed. */
export function createReactions({
  clock,
  sessions,
  isShared,
  counters,
  activity,
  turns,
  changes,
  faulty,
}: Pick<UsageParts, 'clock' | 'sessions'> & {
  isShared: boolean;
  counters: Counters;
  activity: Activity;
  turns: Turns;
  changes: Changes;
  faulty: (error: unknown) => void;
}): Reactions {
  /** Somebody came, went or acted: the room is not idle, and a warning is taken back. */
  function stir(therapistId: number): void {
    if (isShared) return void stirShared(therapistId);
    if (!counters.isRunning(therapistId)) return;
    activity.stirred(therapistId, clock.moment());
    const counter = counters.known(therapistId);
    if (counter === undefined || counter.warningMs !== null) void answer('stir', therapistId);
  }

  /** Whether the timer runs and whether it warns may be another node's doing. */
  async function stirShared(therapistId: number): Promise<void> {
    activity.stirredOnAllNodes(therapistId, clock.moment());
    try {
      const { startedMs, warningMs } = await counters.get(therapistId);
      if (startedMs !== null && warningMs !== null) await answer('stir', therapistId);
    } catch (error) {
      told.stir.owing.add(therapistId);
      faulty(error);
    }
  }

  /** A page of the therapist is back: what only a stop of the server ended goes on (rule 3). */
  async function goOn(turn: Turn): Promise<void> {
    const { therapistId, counter, nowMs, tx } = turn;
    if (!rules.isInterrupted(counter) || rules.hasTrialEnded(counter, nowMs)) return;
    const liveSession = turn.ending === null ? await sessions.running(therapistId, tx) : null;
    if (liveSession !== null) await turns.startAt(turn, liveSession.id);
  }

  /**
   * What is told once and changes a counter, with the therapists whose change failed. Nobody tells it again: without
   * the sweep a warning would go on although somebody came in, and end the live session.
   */
  const told = {
    stir: { work: async (turn: Turn) => turns.takeBackWarning(turn), owing: new Set<number>() },
    back: { work: goOn, owing: new Set<number>() },
  };

  async function answer(what: keyof typeof told, therapistId: number): Promise<void> {
    const { work, owing } = told[what];
    try {
      await changes.change(therapistId, work);
      owing.delete(therapistId);
    } catch (error) {
      owing.add(therapistId);
      faulty(error);
    }
  }

  return {
    stir,

    acted(therapistId) {
      if (!isShared && !counters.isRunning(therapistId)) return;
      activity.acted(therapistId, clock.moment());
      stir(therapistId);
    },

    therapistHere(therapistId, here, { elsewhere } = { elsewhere: false }) {
      if (!here) {
        activity.setAway(therapistId, clock.moment());
        told.back.owing.delete(therapistId);
        return;
      }
      activity.setAway(therapistId, null);
      if (elsewhere) return;
      const known = counters.known(therapistId);
      if (known !== undefined && !rules.isInterrupted(known)) return;
      void answer('back', therapistId);
    },

    async answerOwed() {
      for (const what of ['stir', 'back'] as const)
        for (const therapistId of [...told[what].owing]) await answer(what, therapistId);
    },

    forget(therapistId) {
      for (const { owing } of Object.values(told)) owing.delete(therapistId);
    },
  };
}
