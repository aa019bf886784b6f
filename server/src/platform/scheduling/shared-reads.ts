/**
 * One read for everybody who asks the same at the same time. Nothing is cached: nobody gets the result of a read that
 * began before they asked.
 */
import { isDatabaseUnavailable } from '../db/db.ts';
import { withoutWaits } from '../db/waits.ts';

/**
 * Returns a function that takes a key and how to read it. The first caller reads at once. Callers that come while that
 * read runs wait for its end and share the next one. Returns what was read; everybody who shares a read gets its fault,
 * and if that is a database that is unavailable, those who wait for the next one get it too. The read has its own time
 * to wait for the database, not that of the caller who came first.
 */
export function createSharedReads<Found>(): (key: string, read: () => Promise<Found>) => Promise<Found> {
  const running = new Map<string, { readonly read: Promise<Found>; next: Promise<Found> | null }>();

  function begin(key: string, read: () => Promise<Found>): Promise<Found> {
    const one = { read: withoutWaits(read), next: null as Promise<Found> | null };
    running.set(key, one);
    const end = () => {
      if (one.next === null) running.delete(key);
    };
    one.read.then(end, end);
    return one.read;
  }

  return (key, read) => {
    const now = running.get(key);
    if (!now) return begin(key, read);
    const after = () => begin(key, read);
    const afterFault = (fault: unknown) => {
      if (!isDatabaseUnavailable(fault)) return after();
      // Those behind would wait as long, for the same reason.
      running.delete(key);
      throw fault;
    };
    return (now.next ??= now.read.then(after, afterFault));
  };
}
