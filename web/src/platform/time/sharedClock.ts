/** The product's clock for everything on this page. */
import { useEffect, useState } from 'react';
import { askClock } from './askClock.ts';
import type { ProductClock } from './clock.ts';

/** The difference between the browser's two clocks above which we assume that the computer slept. */
const SLEEP_MS = 2_000;
/** How far the date is ahead of the time that the page has been running. */
const ahead = () => Date.now() - performance.now();

let asked: Promise<SharedClock> | null = null;
let running: ProductClock | null = null;
let aheadWhenAsked = 0;
/** How many answers the server has given. */
let answers = 0;

export interface SharedClock extends ProductClock {
  /** Goes up with each answer; results based on an older answer no longer hold. */
  answers?(): number;
}

/** Always uses the latest answer, so that its holders need no new clock. */
const clock: SharedClock = { now: () => running?.now() ?? Number.NaN, answers: () => answers };

async function ask(): Promise<SharedClock> {
  running = await askClock();
  answers += 1;
  aheadWhenAsked = ahead();
  return clock;
}

/** Returns the clock, requested once. After a failed request the next caller asks again. */
export function sharedClock(): Promise<SharedClock> {
  asked ??= ask().catch((fault: unknown) => {
    asked = null;
    throw fault;
  });
  return asked;
}

/** In some browsers `performance.now()` stops while the computer sleeps: then the server is asked again. */
function askAfterSleep(): void {
  if (running === null || Math.abs(ahead() - aheadWhenAsked) < SLEEP_MS) return;
  ask().catch(() => undefined);
}
if (typeof window !== 'undefined') {
  window.addEventListener('focus', askAfterSleep);
  document.addEventListener('visibilitychange', askAfterSleep);
}

/** The clock once it is known; null until then. */
export function useSharedClock(): SharedClock | null {
  const [known, setKnown] = useState<SharedClock | null>(null);
  useEffect(() => {
    let gone = false;
    sharedClock().then(
      (found) => {
        if (!gone) setKnown(found);
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return known;
}
