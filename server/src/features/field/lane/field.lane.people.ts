/** The lane's state for each person who moves something: their rate limit, and the figures taken from their hand. */
import { HOLD_MS, VOLATILE_PER_SECOND } from '@fieldroom/contract/field';

/** The maximum number at once after a pause of the connection; with more, a burst could pass twice. */
const BURST = 10;
const PER_MS = VOLATILE_PER_SECOND / 1000;
const REFUSE_AGAIN_MS = 1000;

/** Limits messages of one kind to VOLATILE_PER_SECOND, with bursts of BURST. */
class Limit {
  #tokens = BURST;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  /** Whether another message may pass now. */
  take(now: number): boolean {
    this.#tokens = Math.min(BURST, this.#tokens + (now - this.#at) * PER_MS);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** One person in the lane of one room. Times are milliseconds of a clock that only advances. */
export class PersonInLane {
  readonly drags: Limit;
  readonly points: Limit;
  #refusedAt = -Infinity;
  /** Figures taken from this hand, with the time of the last drag that was ignored for that reason. */
  #takenAway: Map<number, number> | null = null;

  constructor(now: number) {
    this.drags = new Limit(now);
    this.points = new Limit(now);
  }

  /** Whether to tell the person now why their hand does nothing, which happens once a second at most. */
  mayBeRefused(now: number): boolean {
    if (now - this.#refusedAt < REFUSE_AGAIN_MS) return false;
    this.#refusedAt = now;
    return true;
  }

  /** The figure was taken from this hand, which cannot have it back before it opens or rests. */
  takeAway(figureId: number, now: number): void {
    (this.#takenAway ??= new Map()).set(figureId, now);
  }

  /** The hand has opened: it may take the figure again. */
  giveBack(figureId: number): void {
    this.#takenAway?.delete(figureId);
  }

  /** Whether the figure was taken from this hand. */
  hasLost(figureId: number, now: number): boolean {
    const since = this.#takenAway?.get(figureId);
    return since !== undefined && now - since < HOLD_MS;
  }

  /** The same for a hand that drags the figure now: it does not rest, so its time restarts. */
  dragsLost(figureId: number, now: number): boolean {
    const isLost = this.hasLost(figureId, now);
    if (isLost) this.takeAway(figureId, now);
    else this.giveBack(figureId);
    return isLost;
  }
}
