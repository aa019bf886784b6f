import { useForceUpdate } from '@mantine/hooks';
import { useEffect } from 'react';

const TICK_MS = 1000;

/** Reads a clock, and again every second while something is counting down. Takes and returns milliseconds. */
export function useTicking(clock: () => number, running: boolean): number {
  const draw = useForceUpdate();
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(draw, TICK_MS);
    return () => clearInterval(timer);
  }, [running, draw]);
  return clock();
}
