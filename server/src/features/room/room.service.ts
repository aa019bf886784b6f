/** The room of a therapist: acts one after another, stamps from its row, and what is published to the room. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Db, DatabaseUnavailable, type Queryable, type Tx } from '../../platform/db/db.ts';
import { currentWaits, withoutWaits } from '../../platform/db/waits.ts';
import { ownDestination, roomDestination, STAMPS_AFTER_MS } from '@fieldroom/contract/realtime';
import type { Change, PlainChange, StampedChange, Stamps } from '@fieldroom/contract/realtime';
import {
  isCommitted,
  lockRoom,
  lockRooms,
  raiseRevision,
  readAllStamps,
  readRoom,
  readStamps,
  readTransactionId,
  updateRoom,
} from './room.store.ts';
import type { RoomRow, RoomValues } from './room.store.ts';

export type { RoomRow };

/**
 * How long to look for a lost commit, and the first pause between two tries. The room's next act waits for it, but no
 * longer than its own time for the database.
 */
const ASK_AGAIN_MS = 3_000;
const ASK_AGAIN_PAUSE_MS = 100;
/** The longest pause between two tries to send the stamps, as a multiple of the first one. */
const STAMPS_PATIENCE = 5;

/** A database or a transaction. */
export type Queries = Queryable;

/**
 * Sends a message to all subscribers of a destination, on every node or only on this one. `stored` keeps its order and
 * is never dropped for a reader that stays; `volatile` gives way first.
 */
export type Publish = (
  destination: string,
  body: Change,
  options: { lane: 'stored' | 'volatile'; onThisNode?: boolean },
) => void;

/** Adds what must happen after the transaction is committed and before the room's next act. */
export type AfterCommit = (work: () => void | Promise<void>) => void;

/** What runs in a transaction that holds the room's row. */
type RoomWork<T> = (tx: Tx, row: RoomRow, afterCommit: AfterCommit) => Promise<T>;

export interface Room {
  /**
   * Runs `work` after all earlier acts of this room (in this process), whether they failed or not; acts of other rooms
   * do not wait for each other. If `work` throws, the caller gets the fault. Never call it from inside `work` for the
   * same room: it would wait for itself. `lock` keeps several processes in order. The turn counts as a wait of the
   * caller's request; without an end in time it is not taken.
   * @throws DatabaseUnavailable
   */
  inOrder<T>(therapistId: number, work: () => Promise<T>): Promise<T>;
  /**
   * One act on the room: in order, in a transaction with the room's row locked. Then, still before the next act,
   * everything passed to `afterCommit` runs, so that changes go out in the order of their stamps. If the answer to the
   * commit is lost, the database is asked whether the transaction was committed; then everything continues as if it had
   * been answered. With `findStored`, which spares every act a statement, the act itself is looked for instead, in a
   * transaction of the same kind. `findStored` announces what `work` would have announced, and returns its result, or
   * null if the act was not stored. If that cannot be found out, the fault is thrown, and everybody gets the stamps, so
   * that nobody stays behind. The fault is also thrown when the caller's request has no time left. The search then
   * continues, and its result is announced.
   */
  act<T>(therapistId: number, work: RoomWork<T>, findStored?: RoomWork<T | null>): Promise<T>;
  /**
   * SELECT … FOR UPDATE of the room's row; makes it if it is missing. The first lock of every transaction that touches
   * a room.
   */
  lock(tx: Queries, therapistId: number): Promise<RoomRow>;
  /** The same for a transaction that touches many rooms. Rooms that were never opened are not created. */
  lockAll(tx: Queries, therapistIds: readonly number[]): Promise<void>;
  /** The row, without a lock. */
  row(therapistId: number): Promise<RoomRow>;
  /** Raises `participantsUpdatedOn` by one, in a transaction that holds the lock. Returns both stamps after it. */
  raiseFieldRevision(tx: Queries, therapistId: number): Promise<Stamps>;
  /** Raises `usersUpdatedOn` by one, in a transaction that holds the lock. Returns both stamps after it. */
  raisePeopleRevision(tx: Queries, therapistId: number): Promise<Stamps>;
  /** Sends to everybody in the room, after commit. One second (real time) after the last change, STAMPS follows. */
  announce(therapistId: number, change: StampedChange): void;
  /** Sends to everybody in the room; may be dropped. */
  announceVolatile(therapistId: number, change: PlainChange): void;
  /** The same to those in the room who are on this node. */
  announceHere(therapistId: number, change: PlainChange): void;
  /** Sends to only one person, therapist or client, also while they wait. */
  tell(personId: number, change: Change): void;
  /** Both stamps; zeros in a room that nobody ever opened. */
  stamps(therapistId: number, db?: Queries): Promise<Stamps>;
  /** Both stamps of many rooms, without those that nobody ever opened. */
  stampsOfAll(therapistIds: readonly number[]): Promise<ReadonlyMap<number, Stamps>>;
  /** Sets whether clients may move figures; the caller raises the field's revision. */
  setHandsAllowed(tx: Queries, therapistId: number, allowed: boolean): Promise<void>;
  /** Sets other columns of the row, in a transaction that holds the lock. */
  update(tx: Queries, therapistId: number, values: RoomValues): Promise<void>;
  /** Waits for the acts under way and forgets the pending stamps. */
  stop(): Promise<void>;
}

const noTurn = () => new DatabaseUnavailable('The turn in a room did not come in time');

/**
 * Makes the room. Takes the database, how messages are sent, the log for faults in the background; `stampsAfterMs` for
 * tests. Source: docs/product.md#5.11 and #5.12, contract/realtime invariants 1 and 4.
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
  /** The end of the last act by room; removed when the room is idle. */
  const tails = new Map<number, Promise<void>>();
  const stampTimers = new Map<number, NodeJS.Timeout>();
  let stopped = false;

  async function inOrder<T>(therapistId: number, work: () => Promise<T>): Promise<T> {
    const before = tails.get(therapistId);
    let gaveUp = false;
    const mine = (before ?? Promise.resolve()).then(() => {
      if (gaveUp) throw noTurn();
      return work();
    });
    const tail = mine.then(
      () => {},
      () => {},
    );
    tails.set(therapistId, tail);
    void tail.then(() => {
      if (tails.get(therapistId) === tail) tails.delete(therapistId);
    });
    const waits = currentWaits();
    if (before === undefined || waits === null || (await waits.inTime(before))) return mine;
    gaveUp = true;
    throw noTurn();
  }

  /** One transaction and what follows it. `onCommit` is called when everything except the commit is done. */
  async function commit<T>(therapistId: number, work: RoomWork<T>, onCommit?: () => void): Promise<T> {
    const afterwards: (() => void | Promise<void>)[] = [];
    const result = await db.transaction(async (tx) => {
      const done = await work(tx, await lockRoom(tx, therapistId), (next) => void afterwards.push(next));
      onCommit?.();
      return done;
    });
    for (const next of afterwards) {
      try {
        await next();
      } catch (error) {
        // It is stored, so it did not fail; a browser that missed the change asks for it.
        log.error({ err: error }, 'what follows an act on a room failed');
        stampsSoon(therapistId);
      }
    }
    return result;
  }

  function act<T>(therapistId: number, work: RoomWork<T>, findStored?: RoomWork<T | null>): Promise<T> {
    const known = findStored === undefined ? recorded(work) : { work, findStored };
    const waits = currentWaits();
    const outcome = Promise.withResolvers<T>();
    const acted = inOrder(therapistId, async () => {
      let committing = false;
      try {
        outcome.resolve(await commit(therapistId, known.work, () => void (committing = true)));
      } catch (fault) {
        if (!committing) throw fault;
        stampsSoon(therapistId);
        const asking = withoutWaits(() => askAgain(therapistId, known.findStored));
        // The caller gets the fault in time; the room's next act waits for the search, which may still announce this
        // one.
        if (waits !== null && !(await waits.inTime(asking))) outcome.reject(fault);
        const stored = await asking;
        if (stored === null) throw fault;
        outcome.resolve(stored);
      }
    });
    acted.catch(outcome.reject);
    return outcome.promise;
  }

  /** An act that records its transaction and what follows it, until it is known whether it was committed. */
  function recorded<T>(work: RoomWork<T>): { work: RoomWork<T>; findStored: RoomWork<T | null> } {
    const afterwards: (() => void | Promise<void>)[] = [];
    let transactionId: string;
    let result: T;
    return {
      async work(tx, row, afterCommit) {
        transactionId = await readTransactionId(tx);
        result = await work(tx, row, (next) => {
          afterwards.push(next);
          afterCommit(next);
        });
        return result;
      },
      async findStored(tx, _row, afterCommit) {
        if (!(await isCommitted(tx, transactionId))) return null;
        for (const next of afterwards) afterCommit(next);
        return result;
      },
    };
  }

  /** The search needs a lock that becomes free only when the lost transaction has ended. */
  async function askAgain<T>(therapistId: number, findStored: RoomWork<T | null>): Promise<T | null> {
    const until = performance.now() + ASK_AGAIN_MS;
    for (let pauseMs = ASK_AGAIN_PAUSE_MS; !stopped; pauseMs *= 2) {
      try {
        return await commit(therapistId, findStored);
      } catch (error) {
        if (performance.now() + pauseMs < until) await wait(pauseMs);
        else {
          log.error({ err: error }, 'whether an act on a room was stored could not be found out');
          break;
        }
      }
    }
    return null;
  }

  async function sendStamps(therapistId: number, triedBefore = 0): Promise<void> {
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
      if (stopped) return;
      log.error({ err: error }, 'the stamps of a room could not be sent');
      // The stamps reveal a change that was lost: they are sent when the database is back.
      if (!stampTimers.has(therapistId)) stampsSoon(therapistId, triedBefore + 1);
    }
  }

  function stampsSoon(therapistId: number, tried = 0): void {
    if (stopped) return;
    clearTimeout(stampTimers.get(therapistId));
    const timer = setTimeout(
      () => void sendStamps(therapistId, tried),
      stampsAfterMs * Math.min(tried + 1, STAMPS_PATIENCE),
    );
    timer.unref();
    stampTimers.set(therapistId, timer);
  }

  return {
    inOrder,
    act,
    lock: lockRoom,
    lockAll: lockRooms,
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
    announceHere(therapistId, change) {
      publish(roomDestination(therapistId), change, { lane: 'volatile', onThisNode: true });
    },
    tell(personId, change) {
      publish(ownDestination(personId), change, { lane: 'stored' });
    },
    stampsOfAll: (therapistIds) => readAllStamps(db, therapistIds),
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
