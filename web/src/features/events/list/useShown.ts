import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';

export interface Shown<T> {
  /** The latest data; undefined before the first answer. */
  shown: T | undefined;
  /** For the element whose rows must not move under a press. */
  onPointerDown(): void;
}

/**
 * Keeps the latest data while the next is fetched, and if that fails. While a finger or a mouse button is down nothing
 * changes: rows that moved under it would lose the press, or give it to another row.
 */
export function useShown<T>(data: T | undefined): Shown<T> {
  const [shown, setShown] = useState(data);
  const [pressed, setPressed] = useState(false);
  if (data !== undefined && data !== shown && !pressed) setShown(data);
  // The click follows the release, in the same task; only then may rows move.
  const release = () => {
    if (pressed) setTimeout(() => setPressed(false));
  };
  useWindowEvent('pointerup', release);
  useWindowEvent('pointercancel', release);
  return { shown, onPointerDown: () => setPressed(true) };
}
