/** The room of a therapist: acts one after the other, stamps from its row, and what the room hears. */
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import { ownDestination, roomDestination, STAMPS_AFTER_MS } from '@fieldroom/contract/realtime';
import type { Change, PlainChange, StampedChange, Stamps } from '@fieldroom/contract/realtime';
import { lockRoom, raiseRevision, readRoom, readStamps, updateRoom } from './room.store.ts';
import type { RoomRow, RoomValues } from './room.store.ts';

export type { RoomRow };

/** A database or a transaction. */
export type Queries = Queryable;

/**
 * Sends a message to all who listen at a destination, on every node. `stored` keeps its order and is never dropped for a
 * reader that stays; `volatile` gives way first.
 */
export type Publish = (destination: string, body: Change, options: { lane: 'stored' | 'volatile' }) => void;

/** Remembers what has to happen once the transaction is committed, still before the room's next act. */
export type AfterCommit = (work: () => void | Promise<void>) => void;

export interface Room {
  /**
   * Runs `work` when all acts asked for earlier in this room (in this process) have ended, well or not; acts of other
   * rooms are not waited for. What `work` throws is thrown to the asker alone. Never call it from inside `work` for the same
   * room: it would wait for itself. Several processes are kept in order by `lock`.
   */
  inOrder<T>(therapistId: number, work: () => Promise<T>): Promise<T>;
  /**
   * One act on the room: in order, in a transaction with the room's row locked; afterwards what was handed to `afterCommit`,
   * still before the next act, so that changes go out in the order of their stamps.
   */
  act<T>(therapistId: number, work: (tx: Tx, row: RoomRow, afterCommit: AfterCommit) => Promise<T>): Promise<T>;
  /** SELECT … FOR UPDATE of the room's row, made when missing. First lock of every transaction that touches a room. */
  lock(tx: Queries, therapistId: number): Promise<RoomRow>;
  /** The row as it stands, without a lock. */
  row(therapistId: number): Promise<RoomRow>;
  /** `participantsUpdatedOn` one up, in a transaction that holds the lock. Out: both stamps after it. */
  raiseFieldRevision(tx: Queries, therapistId: number): Promise<Stamps>;
  /** `usersUpdatedOn` one up, in a transaction that holds the lock. Out: both stamps after it. */
  raisePeopleRevision(tx: Queries, therapistId: number): Promise<Stamps>;
  /** To everybody in the room, after commit. One second (real time) after the last one STAMPS follows. */
  announce(therapistId: number, change: StampedChange): void;
  /** To everybody in the room; may be dropped. */
  announceVolatile(therapistId: number, change: PlainChange): void;
  /** To one person alone, therapist or client, also while waiting. */
  tell(personId: number, change: Change): void;
  /** Both stamps as they stand; zeros in a room nobody ever opened. */
  stamps(therapistId: number, db?: Queries): Promise<Stamps>;
  /** Whether clients may move figures; the caller raises the field's revision. */
  setHandsAllowed(tx: Queries, therapistId: number, allowed: boolean): Promise<void>;
  /** Sets other columns of the row, in a transaction that holds the lock. */
  update(tx: Queries, therapistId: number, values: RoomValues): Promise<void>;
  /** Waits for the acts under way and forgets the pending stamps. */
  stop(): Promise<void>;
}

/**
 * Makes the room. In: database, how messages go out, log for faults of the background; `stampsAfterMs` for tests.
 * Source: PRODUCT 5 (stamps), HOUSE (room.inOrder), contract/realtime invariants 1 and 4.
 */
export function createRoom({
  db,
  publish,
  log,
  stampsAfterMs = STAMPS_AFTER_MS,
}: {
  db: Db;
  publish: Publish;
  log: { error(fields: object, message: string): void };
  stampsAfterMs?: number;
}): Room {
  /** The end of the last act asked for, by room; gone when the room is quiet. */
  const tails = new Map<number, Promise<void>>();
  const stampTimers = new Map<number, NodeJS.Timeout>();
  let stopped = false;

  function inOrder<T>(therapistId: number, work: () => Promise<T>): Promise<T> {
    const before = tails.get(therapistId) ?? Promise.resolve();
    const mine = before.then(work);
    const tail = mine.then(
      () => {},
      () => {},
    );
    tails.set(therapistId, tail);
    void tail.then(() => {
      if (tails.get(therapistId) === tail) tails.delete(therapistId);
    });
    return mine;
  }

  function act<T>(
    therapistId: number,
    work: (tx: Tx, row: RoomRow, afterCommit: AfterCommit) => Promise<T>,
  ): Promise<T> {
    return inOrder(therapistId, async () => {
      const afterwards: (() => void | Promise<void>)[] = [];
      const result = await db.transaction(async (tx) =>
        work(tx, await lockRoom(tx, therapistId), (next) => void afterwards.push(next)),
      );
      for (const next of afterwards) await next();
      return result;
    });
  }

  async function sendStamps(therapistId: number): Promise<void> {
    stampTimers.delete(therapistId);
    try {
      // In order, so that the stamps never overtake the change that raised them.
      await inOrder(therapistId, async () => {
        publish(
          roomDestination(therapistId),
          { eventType: 'STAMPS', contents: null, ...(await readStamps(db, therapistId)) },
          { lane: 'stored' },
        );
      });
    } catch (error) {
      if (!stopped) log.error({ err: error }, 'the stamps of a room could not be sent');
    }
  }

  function stampsSoon(therapistId: number): void {
    if (stopped) return;
    clearTimeout(stampTimers.get(therapistId));
    const timer = setTimeout(() => void sendStamps(therapistId), stampsAfterMs);
    timer.unref();
    stampTimers.set(therapistId, timer);
  }

  return {
    inOrder,
    act,
    lock: lockRoom,
    row: (therapistId) => readRoom(db, therapistId),
    raiseFieldRevision: (tx, therapistId) => raiseRevision(tx, therapistId, 'field'),
    raisePeopleRevision: (tx, therapistId) => raiseRevision(tx, therapistId, 'people'),
    announce(therapistId, change) {
      publish(roomDestination(therapistId), change, { lane: 'stored' });
      stampsSoon(therapistId);
    },
    announceVolatile(therapistId, change) {
      publish(roomDestination(therapistId), change, { lane: 'volatile' });
    },
    tell(personId, change) {
      publish(ownDestination(personId), change, { lane: 'stored' });
    },
    stamps: (therapistId, queries = db) => readStamps(queries, therapistId),
    setHandsAllowed: (tx, therapistId, handsAllowed) => updateRoom(tx, therapistId, { handsAllowed }),
    update: (tx, therapistId, values) => updateRoom(tx, therapistId, values),
    async stop() {
      stopped = true;
      for (const timer of stampTimers.values()) clearTimeout(timer);
      stampTimers.clear();
      await Promise.all(tails.values());
    },
  };
}
