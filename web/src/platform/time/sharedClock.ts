/** The product's clock for everything on this page. */
import { useEffect, useState } from 'react';
import { askClock } from './askClock.ts';
import type { ProductClock } from './clock.ts';

/** A difference of the browser's two clocks from which a sleep is told. */
const SLEEP_MS = 2_000;
/** How far the date is ahead of the time that the page has been running. */
const ahead = () => Date.now() - performance.now();

let asked: Promise<SharedClock> | null = null;
let running: ProductClock | null = null;
let aheadWhenAsked = 0;
/** How many answers of the server there were. */
let answers = 0;

export interface SharedClock extends ProductClock {
  /** Goes up with each answer; what was found out about an older one does not hold any more. */
  answers?(): number;
}

/** Goes on with the latest answer, so that nobody who holds it needs another one. */
const clock: SharedClock = { now: () => running?.now() ?? Number.NaN, answers: () => answers };

async function ask(): Promise<SharedClock> {
  running = await askClock();
  answers += 1;
  aheadWhenAsked = ahead();
  return clock;
}

/** Returns the clock, asked once. A question that failed is asked again by the next caller. */
export function sharedClock(): Promise<SharedClock> {
  asked ??= ask().catch((fault: unknown) => {
    asked = null;
    throw fault;
  });
  return asked;
}

/** In some browsers `performance.now()` stands while the computer sleeps: then the server is asked again. */
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
