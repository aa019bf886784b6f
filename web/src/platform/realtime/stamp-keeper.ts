/**
 * Which messages are news: the specification's staleness rule (4.8) as PRODUCT 5 mends it. Pure: time comes in, asks come out.
 *  1. The remembered stamp is the maximum seen; a snapshot below it is ignored.
 *  2. A field change is applied only on top of revision - 1; anything beyond that is a gap.
 *  3. A stamp higher than what is held means that something is lacking: `check.update` is asked, at most once in a guard
 *     of CHECK_GUARD_MS after a message or an ask, and once more when the guard ends (the trailing check).
 */
import type { Change, Stamps } from '@fieldroom/contract/realtime';
import { CHECK_GUARD_MS } from './wire.ts';

export interface StampKeeper {
  /** Highest stamps heard of. */
  readonly seen: Stamps;
  /** Stamps up to which this browser holds field and people. */
  readonly held: Stamps;
  /** Real time in ms until which no check is asked. */
  readonly guardUntil: number;
}
export const freshKeeper: StampKeeper = {
  seen: { usersUpdatedOn: 0, participantsUpdatedOn: 0 },
  held: { usersUpdatedOn: 0, participantsUpdatedOn: 0 },
  guardUntil: 0,
};

export type Verdict =
  /** Take the content. */
  | 'take'
  /** Older than what is held, or held already. */
  | 'outdated'
  /** Something before it is missing; do not apply. */
  | 'gap'
  /** Carries nothing for field or people; hand it on. */
  | 'plain';

/** Takes in one change at a real time in ms. Out: the keeper after it, and what to do with the change. */
export function hear(keeper: StampKeeper, change: Change, nowMs: number): { keeper: StampKeeper; verdict: Verdict } {
  if (!('usersUpdatedOn' in change)) return { keeper, verdict: 'plain' };
  const seen: Stamps = {
    usersUpdatedOn: Math.max(keeper.seen.usersUpdatedOn, change.usersUpdatedOn),
    participantsUpdatedOn: Math.max(keeper.seen.participantsUpdatedOn, change.participantsUpdatedOn),
  };
  let held = keeper.held;
  let verdict: Verdict = 'plain';
  if (change.eventType === 'PLAYERS_VALUE') {
    verdict = change.participantsUpdatedOn < keeper.seen.participantsUpdatedOn ? 'outdated' : 'take';
    if (verdict === 'take') held = { ...held, participantsUpdatedOn: change.participantsUpdatedOn };
  } else if (change.eventType === 'UNREGISTER_USER') {
    verdict = change.usersUpdatedOn < keeper.seen.usersUpdatedOn ? 'outdated' : 'take';
    if (verdict === 'take') held = { ...held, usersUpdatedOn: change.usersUpdatedOn };
  } else if (change.eventType === 'PLAYER_CHANGE') {
    const { revision } = change.contents;
    verdict =
      revision <= keeper.held.participantsUpdatedOn
        ? 'outdated'
        : revision === keeper.held.participantsUpdatedOn + 1
          ? 'take'
          : 'gap';
    if (verdict === 'take') held = { ...held, participantsUpdatedOn: revision };
  }
  return { keeper: { seen, held, guardUntil: Math.max(keeper.guardUntil, nowMs + CHECK_GUARD_MS) }, verdict };
}

/** Whether the server knows of more than this browser holds. */
export function isLacking({ seen, held }: StampKeeper): boolean {
  return seen.usersUpdatedOn > held.usersUpdatedOn || seen.participantsUpdatedOn > held.participantsUpdatedOn;
}

/** What to do about what is lacking now: nothing, ask at once with the held stamps, or come back when the guard has ended. */
export function nextCheck(
  keeper: StampKeeper,
  nowMs: number,
): { kind: 'none' } | { kind: 'ask'; stamps: Stamps; keeper: StampKeeper } | { kind: 'wait'; ms: number } {
  if (!isLacking(keeper)) return { kind: 'none' };
  if (nowMs < keeper.guardUntil) return { kind: 'wait', ms: keeper.guardUntil - nowMs };
  return { kind: 'ask', stamps: keeper.held, keeper: { ...keeper, guardUntil: nowMs + CHECK_GUARD_MS } };
}
