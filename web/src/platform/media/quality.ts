/**
 * How the own line carries, and what it is spared. Pure: time is handed in. Voices are never spared; pictures go first, the
 * therapist's last; they come back one by one, later each time the line broke down under them. UI "The room", PRODUCT 10.
 */
export type Line = 'good' | 'weak' | 'poor';

/** One second of the line. */
export interface Second {
  roundTripSeconds: number | null;
  /** Shares of packets lost in this second, 0..1; null where nothing went that way. */
  lossIn: number | null;
  lossOut: number | null;
  /** bit/s that the browser thinks it can send; null while not known. */
  availableOut: number | null;
}

const POOR = { roundTripSeconds: 0.8, loss: 0.12, availableOut: 40_000 };
const WEAK = { roundTripSeconds: 0.35, loss: 0.04, availableOut: 90_000 };
/** Seconds in a row before a worse or better judgement is believed. */
const WORSE_AFTER = 3;
const BETTER_AFTER = 8;

/** One second alone, without memory. */
export function judge({ roundTripSeconds, lossIn, lossOut, availableOut }: Second): Line {
  const loss = Math.max(lossIn ?? 0, lossOut ?? 0);
  const beyond = (limit: typeof POOR) =>
    (roundTripSeconds ?? 0) >= limit.roundTripSeconds ||
    loss >= limit.loss ||
    (availableOut !== null && availableOut <= limit.availableOut);
  return beyond(POOR) ? 'poor' : beyond(WEAK) ? 'weak' : 'good';
}

/** Far away is not narrow: only a round trip as long as this tells of a line that is stuffed. */
const STUFFED_SECONDS = 1.5;
/** What of a second fewer pictures could mend: loss on the way here, and packets that queue. What goes out is not theirs. */
export function strainOf({ roundTripSeconds, lossIn }: Second): Second {
  return {
    roundTripSeconds: roundTripSeconds !== null && roundTripSeconds >= STUFFED_SECONDS ? roundTripSeconds : null,
    lossIn,
    lossOut: null,
    availableOut: null,
  };
}

const RANK: Record<Line, number> = { good: 0, weak: 1, poor: 2 };

/** A judge with memory, so that the mark does not flicker. Out: takes a second, gives the line as it is told. */
export function createLineJudge(): (second: Second) => Line {
  let told: Line = 'good';
  let pending: Line = 'good';
  let seconds = 0;
  return (second) => {
    const now = judge(second);
    const direction = Math.sign(RANK[now] - RANK[told]);
    if (direction === 0) seconds = 0;
    else if (Math.sign(RANK[pending] - RANK[told]) === direction) {
      seconds += 1;
      // The mildest of what was seen on the way is what is certain.
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
  /** Pictures beside the therapist's; Infinity: as many as are looked at. */
  others: number;
  therapist: boolean;
}
const ALL: Allowance = { others: Number.POSITIVE_INFINITY, therapist: true };

/** Ms between two steps down, and between two steps up at first and at most. */
const DOWN_EVERY_MS = 4_000;
const UP_EVERY_MS = 5_000;
const UP_EVERY_MAX_MS = 60_000;

/**
 * How many pictures the line is trusted with. In: the line as far as pictures strain it, how many others are looked at, the person's "low data" switch, the time (ms).
 * Weak: half of them at each step; poor: all but the therapist's at once, then that one too. Low data: the therapist's alone.
 */
export function createSparing(): (now: { line: Line; looked: number; lowData: boolean; nowMs: number }) => Allowance {
  let allowed = ALL;
  let changedMs = Number.NEGATIVE_INFINITY;
  let upEveryMs = UP_EVERY_MS;
  let rising = false;
  const to = (next: Allowance, nowMs: number) => {
    allowed = next;
    changedMs = nowMs;
  };
  return ({ line, looked, lowData, nowMs }) => {
    if (line !== 'good' && rising) {
      // What was given back a moment ago was too much.
      if (nowMs - changedMs < 3 * UP_EVERY_MS) upEveryMs = Math.min(UP_EVERY_MAX_MS, upEveryMs * 2);
      rising = false;
    }
    const others = Math.min(allowed.others, looked);
    if (line === 'poor' && others > 0) to({ others: 0, therapist: true }, nowMs);
    else if (line === 'poor' && allowed.therapist && nowMs - changedMs >= DOWN_EVERY_MS)
      to({ others: 0, therapist: false }, nowMs);
    else if (line === 'weak' && others > 0 && nowMs - changedMs >= DOWN_EVERY_MS)
      to({ others: Math.floor(others / 2), therapist: true }, nowMs);
    else if (line === 'good' && allowed !== ALL && nowMs - changedMs >= upEveryMs) {
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
