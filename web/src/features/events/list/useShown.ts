import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';

export interface Shown<T> {
  /** What came last; undefined before the first answer. */
  shown: T | undefined;
  /** Goes on the element whose rows must stay in their place under a press. */
  onPointerDown(): void;
}

/**
 * Keeps what came last while the next is fetched, and where it could not be fetched. While a finger or a button of the
 * mouse is down nothing changes: rows that moved under it would lose the press, or give it to another row.
 */
export function useShown<T>(data: T | undefined): Shown<T> {
  const [shown, setShown] = useState(data);
  const [pressed, setPressed] = useState(false);
  if (data !== undefined && data !== shown && !pressed) setShown(data);
  // The click comes after the release, in the same task; only then may rows move.
  const release = () => {
    if (pressed) setTimeout(() => setPressed(false));
  };
  useWindowEvent('pointerup', release);
  useWindowEvent('pointercancel', release);
  return { shown, onPointerDown: () => setPressed(true) };
}
