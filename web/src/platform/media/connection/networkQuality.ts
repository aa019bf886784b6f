/**
 * The quality of this browser's network, and how much video it gets. Pure: time is handed in. Audio is never reduced.
 * Video of other clients goes first, the therapist's last. Video returns one by one, and later each time the connection
 * fails under it (docs/product.md#10.10).
 */

import type { NetworkQuality } from '@fieldroom/contract/video';

/** Measurements of one second. */
export interface Second {
  roundTripSeconds: number | null;
  /** Shares of packets lost in this second, 0..1; null where nothing was sent in that direction. */
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

/** A long round trip may only mean distance; from this length on it means that packets queue. */
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
 * Makes a judge with memory, so that the mark in the tile does not flicker. The judge takes a second and returns the
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
      // Certain is only the mildest quality seen on the way.
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

/** Milliseconds between two steps down, and between two steps up (at first and at most). */
const DOWN_EVERY_MS = 4_000;
const UP_EVERY_MS = 5_000;
const UP_EVERY_MAX_MS = 60_000;

/**
 * Decides how much video the connection is given. Takes the quality as far as incoming video affects it, how many
 * others are on the page, the person's "low data" switch, and the time (ms). Weak: half of the others go at each step.
 * Poor: all but the therapist go at once, then the therapist too. Low data: the therapist alone.
 */
export function createVideoAllowance(): (now: {
  quality: NetworkQuality;
  looked: number;
  lowData: boolean;
  nowMs: number;
}) => Allowance {
  let allowed = ALL;
  let changedMs = Number.NEGATIVE_INFINITY;
  let upEveryMs = UP_EVERY_MS;
  let rising = false;
  const to = (next: Allowance, nowMs: number) => {
    allowed = next;
    changedMs = nowMs;
  };
  return ({ quality, looked, lowData, nowMs }) => {
    if (quality !== 'good' && rising) {
      // What was given back a moment ago was too much.
      if (nowMs - changedMs < 3 * UP_EVERY_MS) upEveryMs = Math.min(UP_EVERY_MAX_MS, upEveryMs * 2);
      rising = false;
    }
    const others = Math.min(allowed.others, looked);
    if (quality === 'poor' && others > 0) to({ others: 0, therapist: true }, nowMs);
    else if (quality === 'poor' && allowed.therapist && nowMs - changedMs >= DOWN_EVERY_MS)
      to({ others: 0, therapist: false }, nowMs);
    else if (quality === 'weak' && others > 0 && nowMs - changedMs >= DOWN_EVERY_MS)
      to({ others: Math.floor(others / 2), therapist: true }, nowMs);
    else if (quality === 'good' && allowed !== ALL && nowMs - changedMs >= upEveryMs) {
      rising = true;
      if (!allowed.therapist) to({ others: 0, therapist: true }, nowMs);
      else if (allowed.others + 1 >= looked) {
        to(ALL, nowMs);
        upEveryMs = Math.max(UP_EVERY_MS, upEveryMs / 2);
      } else to({ others: allowed.others + 1, therapist: true }, nowMs);
    }
    return lowData ? { others: 0, therapist: allowed.therapist } : allowed;
  };
}
