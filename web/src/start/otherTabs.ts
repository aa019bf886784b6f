/** Changes of the sign-in by other tabs of this browser. */
import { forgetInTab, storage, type StoredUser } from '../platform/storage.ts';

/**
 * Calls the listener when another tab has signed the person out, or signed somebody else in, with the present person.
 * This tab's values of the person are removed before (docs/product.md#3.12). Changes to the same person's data, and
 * this tab's own changes, are ignored. Returns a function that stops listening.
 */
export function onPersonReplaced(listener: (now: StoredUser | null) => void): () => void {
  const onStorage = ({ key, oldValue }: StorageEvent) => {
    // A browser that clears everything names no key.
    if (key !== 'user' && key !== null) return;
    const now = storage.get('user');
    const before = key === null ? null : idIn(oldValue);
    if (key === 'user' && (before === null || before === now?.id)) return;
    forgetInTab();
    listener(now);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

/** The id of the stored person; null if there is none. */
function idIn(text: string | null): number | null {
  try {
    const value = JSON.parse(text ?? 'null') as { id?: unknown } | null;
    return typeof value?.id === 'number' ? value.id : null;
  } catch {
    return null;
  }
}
