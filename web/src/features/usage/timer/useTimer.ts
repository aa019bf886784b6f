/** React's view of the timer. */
import type { Timer } from '@fieldroom/contract/usage';
import { createContext, useContext, useEffect, useReducer, useRef } from 'react';
import { useSharedClock } from '../../../platform/sharedClock.ts';
import { useStorePart } from '../../../platform/useStorePart.ts';
import { shownSeconds } from './timerModel.ts';
import type { TimerModel, TimerStore } from './timerStore.ts';

export const TimerContext = createContext<TimerStore | null>(null);

export function useTimerStore(): TimerStore {
  const store = useContext(TimerContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the timer's model; see `useStorePart`. */
export function useTimerPart<T>(read: (model: TimerModel) => T): T {
  return useStorePart(useTimerStore(), read);
}

/** Draws again each second while it is wanted. */
export function useEachSecond(wanted: boolean): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setInterval(redraw, 1000);
    return () => clearInterval(timer);
  }, [wanted]);
}

/** Reads the product's clock; never earlier than what the server has said meanwhile. Null until it is known. */
export function useNow(): ((heard?: string | null) => number) | null {
  const clock = useSharedClock();
  const ahead = useRef(0);
  if (clock === null) return null;
  return (heard = null) => {
    // The product's clock was moved while this page was open.
    if (heard !== null) ahead.current = Math.max(ahead.current, Date.parse(heard) - clock.now());
    return clock.now() + ahead.current;
  };
}

/** The seconds to show, once a second; null until timer and clock are known. */
export function useSeconds(timer: Timer | null): number | null {
  const now = useNow();
  const before = useRef(0);
  useEachSecond(timer?.counting === true);
  if (timer === null) return null;
  // A timer that stands needs no clock.
  const nowMs = now?.(timer.at) ?? Date.parse(timer.at);
  before.current = shownSeconds(timer, nowMs, before.current);
  return before.current;
}
