/**
 * Notices a connection that is dead though its socket is not; the browser itself reports that only after minutes. When
 * an answer is late, or nothing was heard for a while, it asks the server for a sign of life. The server gives it at
 * once, even when its database does not answer.
 */
import { ALIVE_WITHIN_MS, ANSWER_EXPECTED_MS, QUIET_MS } from '@fieldroom/contract/realtime';

export interface Pulse {
  /** A connection is open. */
  start(): void;
  /** It is gone. */
  stop(): void;
  /** Something came. */
  heard(): void;
  /** Something was sent that will be answered. */
  asked(): void;
  /** Asks for a sign of life, unless one is awaited. */
  checkNow(): void;
}

const LOOK_EVERY_MS = 1_000;
/** A look that comes so late means that the page stood still: what arrived meanwhile has not been read yet. */
const STOOD_STILL_MS = 3_000;

/** Takes how to ask for a sign of life, and what to do when none comes. */
export function createPulse({ check, onDead }: { check(): void; onDead(): void }): Pulse {
  let timer: ReturnType<typeof setInterval> | undefined;
  let lookedAt = 0;
  let heardAt = 0;
  let askedAt: number | null = null;
  let checkedAt: number | null = null;
  /** The page stood still while a sign of life was awaited; only once is it given more time for that. */
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
