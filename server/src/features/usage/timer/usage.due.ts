/**
 * Does the work that is due on a counter: the fourth hour and the end of the trial (rule 7), a tab's stop (rule 4), the
 * idle warning and its end (rule 6). usage.rules.ts decides when.
 */
import type { Activity } from '../activity/usage.activity.ts';
import type { UsageParts } from '../usage.parts.ts';
import type { Counters } from './usage.counters.ts';
import * as rules from './usage.rules.ts';
import type { Due } from './usage.rules.ts';
import type { Tabs } from './usage.tabs.ts';
import type { Turn, Turns } from './usage.turn.ts';

/** Does the work that is due up to the moment of the turn, each at its own moment and in order. */
export type SettleTurn = (turn: Turn) => Promise<void>;

/** Makes the function that does due work. */
export function createSettleTurn({
  sessions,
  clients,
  mediaFlows,
  mail,
  counters,
  tabs,
  activity,
  turns,
}: Pick<UsageParts, 'sessions' | 'clients' | 'mediaFlows' | 'mail'> & {
  counters: Counters;
  tabs: Tabs;
  activity: Activity;
  turns: Turns;
}): SettleTurn {
  /** Until when a therapist is taken to be in the room. After a restart only a connection tells. */
  const hereUntil = async ({ tx, therapistId }: Turn) =>
    (await sessions.isConnected(tx, therapistId)) ? Infinity : activity.hereUntil(therapistId);

  const hasClients = async ({ therapistId, tx }: Turn) => (await clients.people(therapistId, tx)).length > 0;

  const carryOut: { readonly [W in Due['what']]: (turn: Turn, atMs: number) => Promise<void> } = {
    async fourHours(turn) {
      await mail.fourHours(turn.tx, turn.person);
      turn.counter = { ...turn.counter, isMailed: true };
      turn.dialogs.push({ dialog: 'fourhours', until: null });
    },
    async trialOver(turn, atMs) {
      await turns.stopAt(turn, atMs);
      turn.counter = { ...turn.counter, isTrialEnded: true };
      turn.dialogs = [{ dialog: 'trialover', until: null }];
      turn.ending = 'trial_over';
    },
    async warningOver(turn, atMs) {
      await turns.stopAt(turn, atMs);
      turn.dialogs.push({ dialog: 'timedout', until: null });
      turn.ending = 'timed_out';
    },
    async stop(turn, atMs) {
      const { therapistId, nowMs } = turn;
      const spanMs = tabs.latest(therapistId)?.spanMs;
      const hereUntilMs = await hereUntil(turn);
      const again =
        spanMs === undefined || atMs >= hereUntilMs
          ? null
          : rules.nextLook(
              { atMs, spanMs },
              {
                hereUntilMs,
                isShared: (await mediaFlows(therapistId, turn.tx)) || (await hasClients(turn)),
                lastActMs: activity.lastAct(therapistId),
              },
              nowMs,
            );
      if (again === null) {
        tabs.forgetLeft(therapistId);
        return turns.stopAt(turn, atMs);
      }
      tabs.putOff(therapistId, again);
      turn.counter = { ...turn.counter, stopMs: again };
    },
    async idle(turn, atMs) {
      if (await hasClients(turn)) {
        activity.stirred(turn.therapistId, turn.nowMs);
        return;
      }
      const warningMs = rules.warningEnd(atMs);
      turn.counter = { ...turn.counter, warningMs };
      turn.dialogs.push({ dialog: 'timeoutwarning', until: new Date(warningMs).toISOString() });
    },
  };

  return async (turn) => {
    for (;;) {
      const due = rules.nextDue(turn.counter, activity.quietSince(turn.therapistId));
      if (due === null || due.atMs > turn.nowMs) return;
      counters.changing(turn.therapistId);
      await carryOut[due.what](turn, due.atMs);
    }
  };
}
