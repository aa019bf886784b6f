import { useRef } from 'react';

/**
 * Makes an act that ignores presses while it runs: a second press can come before the first is drawn. Takes the act; it
 * reports its own errors.
 */
export function useSinglePress<Input extends unknown[]>(
  act: (...input: Input) => Promise<unknown>,
): (...input: Input) => void {
  const running = useRef(false);
  return (...input) => {
    if (running.current) return;
    running.current = true;
    const end = () => {
      running.current = false;
    };
    act(...input).then(end, end);
  };
}
