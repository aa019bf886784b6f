/** Ctrl+K or ⌘K, which focus the search from everywhere except a text field. */
import { getHotkeyHandler } from '@mantine/hooks';
import { useLayoutEffect, useState } from 'react';
import { isTypedIn } from '../../../ui/isTypedIn.ts';

/**
 * Counts the presses of the key from the moment the caller is mounted. Mantine's `useHotkeys` listens only after the
 * browser has painted, so it misses a key that is pressed as soon as the page is visible.
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
