/** The timer's displayed seconds. */
import type { Timer } from '@fieldroom/contract/usage';
import { useEffect, useReducer, useRef } from 'react';
import { useSharedClock } from '../../../platform/time/sharedClock.ts';
import { shownSeconds } from './timerModel.ts';

/** Redraws each second while it is enabled. */
export function useEachSecond(wanted: boolean): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setInterval(redraw, 1000);
    return () => clearInterval(timer);
  }, [wanted]);
}

/** Reads the product's clock; never earlier than the server's last message. Null until it is known. */
export function useNow(): ((heard?: string | null) => number) | null {
  const clock = useSharedClock();
  const ahead = useRef({ answer: 0, ms: 0 });
  if (clock === null) return null;
  return (heard = null) => {
    // After a sleep the clock is fetched again; its former delay must not be added to the correct time.
    const answer = clock.answers?.() ?? 0;
    if (answer !== ahead.current.answer) ahead.current = { answer, ms: 0 };
    // The product's clock was moved while this page was open.
    if (heard !== null) ahead.current.ms = Math.max(ahead.current.ms, Date.parse(heard) - clock.now());
    return clock.now() + ahead.current.ms;
  };
}

/** The seconds to show, once a second; null until timer and clock are known. */
export function useSeconds(timer: Timer | null): number | null {
  const now = useNow();
  const before = useRef(0);
  useEachSecond(timer?.counting === true);
  if (timer === null) return null;
  // A stopped timer needs no clock.
  const nowMs = now?.(timer.at) ?? Date.parse(timer.at);
  before.current = shownSeconds(timer, nowMs, before.current);
  return before.current;
}
