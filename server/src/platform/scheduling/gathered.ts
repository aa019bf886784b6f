/**
 * Gathers what a crowd wants of one key while the work before it still runs, so that one piece of work does it for all:
 * 25 people who come back to a room after a restart are one transaction and one message to everybody, not 25.
 */
import { DatabaseUnavailable } from '../db/db.ts';
import { currentWaits, withoutWaits } from '../db/waits.ts';

/**
 * Does the work for all that were gathered. Calls `take` when its turn has come: what comes later waits for the next
 * piece of work. Returns the items that were refused, and why.
 */
export type GatheredWork<T> = (
  key: number,
  take: () => readonly T[],
) => Promise<ReadonlyMap<NoInfer<T>, Error> | undefined | void>;

/**
 * Returns a function that takes a key and an item, and resolves when the work for it is done. It throws why the item
 * was refused, and to everybody what the work threw. The work has its own time to wait for the database; a request
 * whose time is over does not wait for it any longer.
 * @throws DatabaseUnavailable
 */
export function createGathered<T>(work: GatheredWork<T>): (key: number, item: T) => Promise<void> {
  interface Gathering {
    readonly items: T[];
    done: ReturnType<GatheredWork<T>>;
  }
  /** Those whose turn has not come. */
  const open = new Map<number, Gathering>();

  function begin(key: number, item: T): Gathering {
    const gathering: Gathering = { items: [item], done: Promise.resolve() };
    open.set(key, gathering);
    const close = () => {
      if (open.get(key) === gathering) open.delete(key);
    };
    const take = () => {
      close();
      return gathering.items;
    };
    // It may fail before it has taken anything.
    gathering.done = withoutWaits(() => work(key, take)).finally(close);
    return gathering;
  }

  return async (key, item) => {
    let gathering = open.get(key);
    if (gathering) gathering.items.push(item);
    else gathering = begin(key, item);
    const waits = currentWaits();
    if (waits !== null && !(await waits.inTime(gathering.done)))
      throw new DatabaseUnavailable('The turn in a crowd did not come in time');
    const why = (await gathering.done)?.get(item);
    if (why) throw why;
  };
}
