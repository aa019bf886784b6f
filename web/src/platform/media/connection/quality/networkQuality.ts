/**
 * The quality of this browser's network, and how much video it gets. Pure: time is handed in. Audio is never reduced.
 * Video of other clients goes first, the therapist's last. Video returns one by one; a step that was too much waits,
 * longer each time the connection fails under it (docs/product.md#10.10).
 */

import type { NetworkQuality } from '@fieldroom/contract/video';

/** Measurements of one second. */
export interface Second {
  roundTripSeconds: number | null;
  /** Shares of packets lost in this second, 0..1; null if nothing was sent in that direction. */
  lossIn: number | null;
  lossOut: number | null;
  /** The browser's estimate of what it can send, in bit/s; null while unknown. */
  availableOut: number | null;
}

const POOR = { roundTripSeconds: 0.8, loss: 0.12, availableOut: 40_000 };
const WEAK = { roundTripSeconds: 0.35, loss: 0.04, availableOut: 90_000 };
/** Consecutive seconds before a worse or a better judgement counts. */
const WORSE_AFTER = 3;
const BETTER_AFTER = 8;

/** Judges one second by itself. */
export function judge({ roundTripSeconds, lossIn, lossOut, availableOut }: Second): NetworkQuality {
  const loss = Math.max(lossIn ?? 0, lossOut ?? 0);
  const beyond = (limit: typeof POOR) =>
    (roundTripSeconds ?? 0) >= limit.roundTripSeconds ||
    loss >= limit.loss ||
    (availableOut !== null && availableOut <= limit.availableOut);
  return beyond(POOR) ? 'poor' : beyond(WEAK) ? 'weak' : 'good';
}

/** A long round trip may only mean distance; from this length on, packets are queueing. */
const STUFFED_SECONDS = 1.5;
/** Reduces a second to what less incoming video could improve: incoming loss and queueing packets. */
export function strainOf({ roundTripSeconds, lossIn }: Second): Second {
  return {
    roundTripSeconds: roundTripSeconds !== null && roundTripSeconds >= STUFFED_SECONDS ? roundTripSeconds : null,
    lossIn,
    lossOut: null,
    availableOut: null,
  };
}

const RANK: Record<NetworkQuality, number> = { good: 0, weak: 1, poor: 2 };

/**
 * Makes a judge with memory, so that the tile's quality mark does not flicker. The judge takes a second and returns the
 * quality to show.
 */
export function createQualityJudge(): (second: Second) => NetworkQuality {
  let told: NetworkQuality = 'good';
  let pending: NetworkQuality = 'good';
  let seconds = 0;
  return (second) => {
    const now = judge(second);
    const direction = Math.sign(RANK[now] - RANK[told]);
    if (direction === 0) seconds = 0;
    else if (Math.sign(RANK[pending] - RANK[told]) === direction) {
      seconds += 1;
      // Only the mildest quality seen on the way is certain.
      if (direction > 0 ? RANK[now] < RANK[pending] : RANK[now] > RANK[pending]) pending = now;
    } else {
      seconds = 1;
      pending = now;
    }
    if (direction === 0) pending = told;
    if (seconds >= (direction > 0 ? WORSE_AFTER : BETTER_AFTER)) {
      told = pending;
      seconds = 0;
    }
    return told;
  };
}

export interface Allowance {
  /** Video besides the therapist's; Infinity: everybody on the page. */
  others: number;
  therapist: boolean;
}
const ALL: Allowance = { others: Number.POSITIVE_INFINITY, therapist: true };

/** Milliseconds between two steps down, and between two steps up. */
const DOWN_EVERY_MS = 4_000;
const UP_EVERY_MS = 5_000;
/** Maximum wait before the step to what was too much. */
const RETRY_MAX_MS = 60_000;
/** A failure sooner than this after a step up was caused by the step. What the connection carries for this long, it can
 * carry. */
const HOLDS_AFTER_MS = 15_000;

/** The amount of video as one number: -1 none, 0 the therapist's, n also n others'. */
const levelOf = ({ others, therapist }: Allowance) => (therapist ? others : -1);

/**
 * Decides how much video the connection is given. Takes the quality of incoming video, how many others are on the page,
 * the person's "low data" switch, and the time (ms). Weak: half of the others are removed at each step. Poor: all but
 * the therapist are removed at once, then the therapist too. Low data: only the therapist.
 *
 * Good: one video comes back at each step. The step to the level at which the connection failed waits, twice as long
 * after each failed try. Once that level holds, it no longer counts as too much, and the wait is halved, and halved
 * again for each HOLDS_AFTER_MS during which everybody is shown.
 */
export function createVideoAllowance(): (now: {
  quality: NetworkQuality;
  looked: number;
  lowData: boolean;
  nowMs: number;
}) => Allowance {
  let allowed = ALL;
  let changedMs = Number.NEGATIVE_INFINITY;
  /** The level at which the connection failed last; Infinity when none is known. */
  let tooMuch = Number.POSITIVE_INFINITY;
  let retryMs = UP_EVERY_MS;
  let before: NetworkQuality = 'good';
  let rising = false;
  /** Since when the connection has carried the level that was too much, or everything. */
  let holdsSinceMs: number | null = null;
  const to = (next: Allowance, nowMs: number) => {
    allowed = next;
    changedMs = nowMs;
  };
  return ({ quality, looked, lowData, nowMs }) => {
    const others = Math.min(allowed.others, looked);
    if (RANK[quality] > RANK[before]) {
      // If nothing more can be removed, remember what would have come next.
      tooMuch = Math.max(quality === 'weak' && allowed.therapist ? 1 : 0, levelOf({ ...allowed, others }));
      // The video that came back a moment ago was too much.
      if (rising && nowMs - changedMs < HOLDS_AFTER_MS) retryMs = Math.min(RETRY_MAX_MS, retryMs * 2);
      rising = false;
    }
    before = quality;
    if (quality !== 'good' || levelOf(allowed) < tooMuch) holdsSinceMs = null;
    else if (nowMs - (holdsSinceMs ??= nowMs) >= HOLDS_AFTER_MS) {
      tooMuch = Number.POSITIVE_INFINITY;
      retryMs = Math.max(UP_EVERY_MS, retryMs / 2);
      holdsSinceMs = nowMs;
    }
    const next = allowed.therapist ? others + 1 : 0;
    if (quality === 'poor' && others > 0) to({ others: 0, therapist: true }, nowMs);
    else if (quality === 'poor' && allowed.therapist && nowMs - changedMs >= DOWN_EVERY_MS)
      to({ others: 0, therapist: false }, nowMs);
    else if (quality === 'weak' && others > 0 && nowMs - changedMs >= DOWN_EVERY_MS)
      to({ others: Math.floor(others / 2), therapist: true }, nowMs);
    else if (quality === 'good' && allowed !== ALL && nowMs - changedMs >= (next < tooMuch ? UP_EVERY_MS : retryMs)) {
      rising = true;
      if (!allowed.therapist) to({ others: 0, therapist: true }, nowMs);
      else if (allowed.others + 1 >= looked) to(ALL, nowMs);
      else to({ others: allowed.others + 1, therapist: true }, nowMs);
    }
    return lowData ? { others: 0, therapist: allowed.therapist } : allowed;
  };
}
