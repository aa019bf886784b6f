/**
 * The timer starts and ends with the live session, in its transactions (rule 1). A client who is let in for the first
 * time counts as a person helped (rule 9).
 */
import { Problem } from '../../../platform/problem.ts';
import type { RoomNodes } from '../../room/index.ts';
import type { Activity } from '../activity/usage.activity.ts';
import type { Reactions } from '../activity/usage.reactions.ts';
import type { UsageParts } from '../usage.parts.ts';
import * as store from '../usage.store.ts';
import type { SettleTurn } from './usage.due.ts';
import * as rules from './usage.rules.ts';
import type { Tabs } from './usage.tabs.ts';
import type { Turns } from './usage.turn.ts';

/** From now on timers follow live sessions, and the memory of a room ends with its live session. */
export function followLiveSessions({
  sessions,
  roomNodes,
  tabs,
  activity,
  reactions,
  turns,
  settleTurn,
}: Pick<UsageParts, 'sessions'> & {
  roomNodes: Pick<RoomNodes, 'on'>;
  tabs: Tabs;
  activity: Activity;
  reactions: Reactions;
  turns: Turns;
  settleTurn: SettleTurn;
}): void {
  function forget(therapistId: number): void {
    reactions.forget(therapistId);
    tabs.forget(therapistId);
    activity.forget(therapistId);
  }

  sessions.onOpening(async (tx, { therapistId, liveSession }, afterCommit) => {
    const turn = await turns.begin(tx, therapistId);
    if (turn === null) return;
    await settleTurn(turn);
    if (rules.hasTrialEnded(turn.counter, turn.nowMs)) throw new Problem('trial_over');
    forget(therapistId);
    await turns.startAt(turn, liveSession.id);
    await turns.finish(turn, afterCommit);
  });

  sessions.onEnding(async (tx, { therapistId, dueSince }, afterCommit) => {
    // The time until the server noticed that the therapist had left is not billed.
    const untilMs = dueSince === null ? Infinity : activity.lateEnd(therapistId, dueSince.getTime());
    const turn = await turns.begin(tx, therapistId, untilMs);
    if (turn === null) return;
    await settleTurn(turn);
    await turns.stopAt(turn, turn.nowMs);
    turn.counter = rules.standing(turn.counter);
    await turns.finish(turn, (work) => afterCommit(() => work()));
    afterCommit(() => forget(therapistId));
  });

  sessions.onFirstAttended((tx, { therapistId }) => store.countPersonHelped(tx, therapistId));

  roomNodes.on('ended', forget);
}
