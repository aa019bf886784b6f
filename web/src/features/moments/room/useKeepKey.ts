/** The key that keeps the field. */
import { useEffect } from 'react';
import { isTypedInOrDialog } from '../../../ui/isTypedIn.ts';

/**
 * K keeps the field while the pointer or the focus is on it, like M for pointing (docs/product.md#5.15), but not in a
 * text field. Takes the stable function that keeps it.
 */
export function useKeepKey(keep: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.repeat || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (isTypedInOrDialog(event.target)) return;
      const field = document.querySelector('[data-room="field"]');
      if (!field?.matches(':hover') && !field?.contains(document.activeElement)) return;
      event.preventDefault();
      keep();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [keep]);
}
