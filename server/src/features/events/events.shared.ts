/** One read for all who ask the same at the same time. Nothing is kept: nobody is answered by a read that began before they asked. */

/**
 * In: what is asked for, as a text, and how it is read. Who asks while nobody does is read for at once. Who asks while the same is
 * being read waits for the end of that, and shares the next read with all who came meanwhile. Out: what was read; a fault of a
 * read is told to all who share it.
 */
export function createSharedReads<Found>(): (key: string, read: () => Promise<Found>) => Promise<Found> {
  const running = new Map<string, { readonly read: Promise<Found>; next: Promise<Found> | null }>();

  function begin(key: string, read: () => Promise<Found>): Promise<Found> {
    const one = { read: read(), next: null as Promise<Found> | null };
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
    return (now.next ??= now.read.then(after, after));
  };
}
