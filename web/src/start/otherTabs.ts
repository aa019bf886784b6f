/** What other tabs of this browser do with the sign-in. */
import { forgetInTab, storage, type StoredUser } from '../platform/storage.ts';

/**
 * Calls the listener when another tab has signed the person out, or somebody else in, with who is here now. What this
 * tab keeps of the person is forgotten before (docs/product.md#3.12). Changes to the same person's data, and those that
 * this tab makes itself, do not count. Returns the way to stop.
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

/** The person's number in what was stored; null where there is none. */
function idIn(text: string | null): number | null {
  try {
    const value = JSON.parse(text ?? 'null') as { id?: unknown } | null;
    return typeof value?.id === 'number' ? value.id : null;
  } catch {
    return null;
  }
}
