/**
 * Decides which messages are news (docs/product.md#5). Pure: time comes in, requests come out.
 *  1. A snapshot below the highest revision heard of is ignored.
 *  2. A change of the field is applied only on top of the revision before it; anything beyond that is a gap.
 *  3. A revision above the one held means that something is missing, and `check.update` asks for it. It asks at most
 *     once within CHECK_GUARD_MS of the message that tells so or of a request, and once more when that time ends (the
 *     trailing check).
 */
import { type Change, CHECK_GUARD_MS } from '@fieldroom/contract/realtime';
import { judgeRevision, NO_REVISIONS, type Revisions, revisionsOf } from '@fieldroom/contract/revisions';

export interface StampKeeper {
  /** Highest revisions heard of. */
  readonly seen: Revisions;
  /** Revisions up to which this browser holds field and people. */
  readonly held: Revisions;
  /** Real time in ms until which no check is sent. */
  readonly guardUntil: number;
}
export const freshKeeper: StampKeeper = { seen: NO_REVISIONS, held: NO_REVISIONS, guardUntil: 0 };

export type Verdict =
  /** Take the content. */
  | 'take'
  /** Older than what is held, or held already. */
  | 'outdated'
  /** Something before it is missing; do not apply. */
  | 'gap'
  /** Carries nothing for field or people; hand it on. */
  | 'plain';

const VERDICTS = { known: 'outdated', next: 'take', gap: 'gap' } as const;

/** Takes one change and the real time in ms. Returns the keeper after it, and whether to apply the change. */
export function hear(keeper: StampKeeper, change: Change, nowMs: number): { keeper: StampKeeper; verdict: Verdict } {
  if (!('usersUpdatedOn' in change)) return { keeper, verdict: 'plain' };
  const now = revisionsOf(change);
  const seen: Revisions = {
    fieldRevision: Math.max(keeper.seen.fieldRevision, now.fieldRevision),
    peopleRevision: Math.max(keeper.seen.peopleRevision, now.peopleRevision),
  };
  // While something is missing, further messages do not delay the request: in a busy room it would never be made.
  const guardUntil = isLacking(keeper) ? keeper.guardUntil : Math.max(keeper.guardUntil, nowMs + CHECK_GUARD_MS);
  const judged = (verdict: Verdict, held: Partial<Revisions> = {}) => ({
    verdict,
    keeper: { seen, guardUntil, held: verdict === 'take' ? { ...keeper.held, ...held } : keeper.held },
  });
  switch (change.eventType) {
    case 'PLAYERS_VALUE': {
      const { fieldRevision } = now;
      return judged(fieldRevision < keeper.seen.fieldRevision ? 'outdated' : 'take', { fieldRevision });
    }
    case 'UNREGISTER_USER': {
      const { peopleRevision } = now;
      return judged(peopleRevision < keeper.seen.peopleRevision ? 'outdated' : 'take', { peopleRevision });
    }
    case 'PLAYER_CHANGE': {
      const fieldRevision = change.contents.revision;
      return judged(VERDICTS[judgeRevision(keeper.held.fieldRevision, fieldRevision)], { fieldRevision });
    }
    default:
      return judged('plain');
  }
}

/** Whether the server has more than this browser holds. */
export function isLacking({ seen, held }: StampKeeper): boolean {
  return seen.peopleRevision > held.peopleRevision || seen.fieldRevision > held.fieldRevision;
}

/**
 * Decides what to do about what is missing: nothing, ask at once with the revisions held, or decide again when the
 * guard time ends.
 */
export function nextCheck(
  keeper: StampKeeper,
  nowMs: number,
): { kind: 'none' } | { kind: 'ask'; held: Revisions; keeper: StampKeeper } | { kind: 'wait'; ms: number } {
  if (!isLacking(keeper)) return { kind: 'none' };
  if (nowMs < keeper.guardUntil) return { kind: 'wait', ms: keeper.guardUntil - nowMs };
  return { kind: 'ask', held: keeper.held, keeper: { ...keeper, guardUntil: nowMs + CHECK_GUARD_MS } };
}
