/** Ctrl+K or ⌘K, which lead to the search from anywhere but a field that somebody types in. */
import { getHotkeyHandler } from '@mantine/hooks';
import { useLayoutEffect, useState } from 'react';
import { isTypedIn } from '../../../ui/isTypedIn.ts';

/**
 * Counts the presses of the key from the moment the caller is on the page. Mantine's `useHotkeys` listens only after
 * the browser has painted, so that it misses the key of somebody who presses it as soon as the page can be seen.
 */
export function useSearchKey(): number {
  const [presses, setPresses] = useState(0);
  useLayoutEffect(() => {
    const count = getHotkeyHandler([['mod+K', () => setPresses((before) => before + 1)]]);
    const listen = (event: KeyboardEvent) => {
      if (!isTypedIn(event.target)) count(event);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return presses;
}
