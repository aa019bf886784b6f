/** React's view of the timer's store. */
import { createContext, useContext } from 'react';
import { useStorePart } from '../../../platform/useStorePart.ts';
import type { TimerModel, TimerStore } from './timerStore.ts';

export const TimerContext = createContext<TimerStore | null>(null);

/** The timer's store of the surrounding room. Throws outside of a room. */
export function useTimerStore(): TimerStore {
  const store = useContext(TimerContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the timer's model; see `useStorePart`. */
export function useTimerPart<T>(read: (model: TimerModel) => T): T {
  return useStorePart(useTimerStore(), read);
}
