/**
 * Ctrl/⌘ Z undoes, and Ctrl/⌘ Y or Shift Z redoes (docs/product.md#5.7). In text fields and dialogs the keys keep their
 * own meaning.
 */
import { useEffect } from 'react';
import { isTypedInOrDialog } from '../../../ui/isTypedIn.ts';
import type { FieldStore } from '../useField.ts';

/** Listens on the whole window while it is mounted. Takes the store whose acts are undone. */
export function useUndoKeys(store: Pick<FieldStore, 'undo' | 'redo'>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (isTypedInOrDialog(event.target)) return;
      const key = event.key.toLowerCase();
      if (key === 'z' && !event.shiftKey) store.undo();
      else if (key === 'y' || (key === 'z' && event.shiftKey)) store.redo();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [store]);
}
