/**
 * Notices a connection that is dead though its socket is not; the browser itself reports that only after minutes. When
 * an answer is late, or nothing has arrived for a while, it asks the server for a sign of life. The server gives it at
 * once, even when its database does not answer.
 */
import { ALIVE_WITHIN_MS, ANSWER_EXPECTED_MS, QUIET_MS } from '@fieldroom/contract/realtime';

export interface Pulse {
  /** A connection is open. */
  start(): void;
  /** The connection is gone. */
  stop(): void;
  /** Something arrived. */
  heard(): void;
  /** Something was sent that will be answered. */
  asked(): void;
  /** Asks for a sign of life, unless one is pending. */
  checkNow(): void;
}

const LOOK_EVERY_MS = 1_000;
/** A check this late means that the page was suspended: what arrived in that time has not been read yet. */
const STOOD_STILL_MS = 3_000;

/** Takes a function that asks for a sign of life, and one that is called when none arrives. */
export function createPulse({ check, onDead }: { check(): void; onDead(): void }): Pulse {
  let timer: ReturnType<typeof setInterval> | undefined;
  let lookedAt = 0;
  let heardAt = 0;
  let askedAt: number | null = null;
  let checkedAt: number | null = null;
  /** The page was suspended while a sign of life was pending; it gets more time for that only once. */
  let excused = false;

  const now = () => performance.now();

  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const checkNow = () => {
    if (timer === undefined || checkedAt !== null) return;
    checkedAt = now();
    check();
  };
  const look = () => {
    const at = now();
    const stoodStill = at - lookedAt > STOOD_STILL_MS;
    lookedAt = at;
    if (checkedAt === null) {
      if (at - heardAt >= QUIET_MS || (askedAt !== null && at - askedAt >= ANSWER_EXPECTED_MS)) checkNow();
    } else if (stoodStill && !excused) {
      excused = true;
      checkedAt = null;
      checkNow();
    } else if (at - checkedAt >= ALIVE_WITHIN_MS) {
      stop();
      onDead();
    }
  };
  const heard = () => {
    heardAt = now();
    askedAt = null;
    checkedAt = null;
    excused = false;
  };

  return {
    start() {
      stop();
      heard();
      lookedAt = now();
      timer = setInterval(look, LOOK_EVERY_MS);
    },
    stop,
    heard,
    asked() {
      askedAt ??= now();
    },
    checkNow,
  };
}
