/**
 * The effects of people in the room on the timer: somebody who arrives, leaves or acts keeps it from idling (rule 6),
 * and a therapist who returns continues a timer that the server's stop ended (rule 3).
 */
import type { UsageParts } from '../usage.parts.ts';
import type { Changes } from '../timer/usage.changes.ts';
import type { Counters } from '../timer/usage.counters.ts';
import * as rules from '../timer/usage.rules.ts';
import type { Turn, Turns } from '../timer/usage.turn.ts';
import type { Activity } from './usage.activity.ts';

export interface Reactions {
  /** For `clients.onPeopleChanged`: the room is not idle, and a warning is cancelled. */
  stir(therapistId: number): void;
  /** For `field.onAct`: something changed on a field. */
  acted(therapistId: number): void;
  /** For `sessions.onHere`: remembers that a therapist is away, and continues counting after a restart. */
  therapistHere(therapistId: number, here: boolean, how?: { elsewhere: boolean }): void;
  /** Retries failed changes. */
  answerOwed(): Promise<void>;
  /** The live session is over: no change is pending any more. */
  forget(therapistId: number): void;
}

/** Makes the reactions. `faulty` is called for each change that failed and is pending. */
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
  /** Somebody arrived, left or acted: the room is not idle, and a warning is cancelled. */
  function stir(therapistId: number): void {
    if (isShared) return void stirShared(therapistId);
    if (!counters.isRunning(therapistId)) return;
    activity.stirred(therapistId, clock.moment());
    const counter = counters.known(therapistId);
    if (counter === undefined || counter.warningMs !== null) void answer('stir', therapistId);
  }

  /** Another node may have started the timer or its warning. */
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

  /** A page of the therapist is back: a timer that only the server's stop ended continues (rule 3). */
  async function goOn(turn: Turn): Promise<void> {
    const { therapistId, counter, nowMs, tx } = turn;
    if (!rules.isInterrupted(counter) || rules.hasTrialEnded(counter, nowMs)) return;
    const liveSession = turn.ending === null ? await sessions.running(therapistId, tx) : null;
    if (liveSession !== null) await turns.startAt(turn, liveSession.id);
  }

  /**
   * Events that arrive once and change a counter, with the therapists whose change failed. They are not repeated:
   * without the sweep a warning would continue although somebody entered, and end the live session.
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
