/** Live sessions: how they start and end, the code, and the therapist's line. PRODUCT 4 and 6, specification 4.8. */
import type { FieldSnapshot } from '@fieldroom/contract/field';
import { Problem } from '@fieldroom/contract/problems';
import type { EndReason, Stamps } from '@fieldroom/contract/realtime';
import { type Db, type Queryable, sqlState, type Tx } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import type { AfterCommit, Room, RoomRow } from '../room/index.ts';
import { newCode } from './sessions.code.ts';
import * as store from './sessions.store.ts';
import type { LiveSession } from './sessions.store.ts';

export type { LiveSession };

/** Seconds (product time) after which an open line counts more than the word that it has dropped. */
const LINE_BELIEVED_AFTER_SECONDS = 10;
/** Sweeps (one a second) that a therapist without any connection counts as here. */
const SILENT_SWEEPS = 60;
const CODE_TRIES = 20;

export interface Ending {
  therapistId: number;
  liveSession: LiveSession;
  reason: EndReason;
}

export interface Sessions {
  /** Starts a live session unless one runs. Out: the one that runs and whether this call started it. */
  open(therapistId: number): Promise<LiveSession & { started: boolean }>;
  /** Ends the running live session for everybody. Out: false where none ran. */
  end(therapistId: number, reason: EndReason): Promise<boolean>;
  running(therapistId: number, db?: Queryable): Promise<LiveSession | null>;
  /** Notes that a client has come; in a transaction that holds the room's lock. */
  attend(tx: Queryable, attendance: { liveSessionId: number; clientId: number; clientName: string }): Promise<void>;
  /** Notes that a client has gone. */
  leave(tx: Queryable, clientId: number): Promise<void>;
  attendancesOf(liveSessionId: number): ReturnType<typeof store.findAttendances>;
  /** A new code; the old one is dead at once. Problem: `no_live_session`. */
  renewCode(therapistId: number): Promise<string>;
  /** A connection of the therapist has joined, or one that had joined is gone. Compared by identity. */
  lineJoined(therapistId: number, connection: object): Promise<void>;
  lineGone(therapistId: number, connection: object): Promise<void>;
  /** The specification's calls: the therapist's page says that its line has dropped, or is back. */
  sayDisconnected(therapistId: number): Promise<void>;
  sayConnected(therapistId: number): Promise<void>;
  /** Runs in the transaction that starts a live session. */
  onOpening(
    hook: (
      tx: Tx,
      opening: { therapistId: number; liveSession: LiveSession },
      afterCommit: AfterCommit,
    ) => Promise<void>,
  ): void;
  /** Runs in the transaction that ends a live session, before the stamps are raised; gets the stamps after commit. */
  onEnding(
    hook: (
      tx: Tx,
      ending: Ending,
      afterCommit: (work: (stamps: Stamps) => void | Promise<void>) => void,
    ) => Promise<void>,
  ): void;
  /** Tells how the people look after the therapist's line changed; given by the clients. */
  onLineChanged(listener: (therapistId: number, stamps: Stamps) => Promise<void>): void;
  /** Every second: renews old codes, ends what waited too long for its therapist. */
  sweep(): Promise<void>;
  /** At the start of the server: nobody is connected yet. */
  afterStart(): Promise<void>;
}

/**
 * Makes the live sessions. In: database, room, how the field stands at the end (read in the ending transaction), the
 * operator's length of codes.
 */
export function createSessions({
  db,
  room,
  fieldAtEnd,
  codeLength,
}: {
  db: Db;
  room: Room;
  fieldAtEnd: (tx: Tx, therapistId: number) => Promise<FieldSnapshot>;
  codeLength?: number;
}): Sessions {
  const openingHooks: Parameters<Sessions['onOpening']>[0][] = [];
  const endingHooks: Parameters<Sessions['onEnding']>[0][] = [];
  let lineChanged: Parameters<Sessions['onLineChanged']>[0] = async () => {};
  /** Connections of therapists that sent JOIN, in this process. */
  const lines = new Map<number, Set<object>>();
  const silent = new Map<number, number>();

  const lineUp = (therapistId: number) => (lines.get(therapistId)?.size ?? 0) > 0;

  /** Sets a code that no other room has; another room's may have come between look and write, so the index decides. */
  async function setNewCode(tx: Tx, therapistId: number): Promise<string> {
    for (let tries = 0; tries < CODE_TRIES; tries++) {
      const code = newCode(codeLength);
      try {
        await tx.transaction((savepoint) => room.update(savepoint, therapistId, { code, codeMadeAt: productNow }));
        return code;
      } catch (error) {
        if (sqlState(error) !== '23505') throw error;
      }
    }
    throw new Error('no free code was found');
  }

  function open(therapistId: number): Promise<LiveSession & { started: boolean }> {
    return room.act(therapistId, async (tx, _row, afterCommit) => {
      const made = await store.insertRunning(tx, therapistId);
      if (made === null) {
        const liveSession = await store.findRunning(tx, therapistId);
        if (liveSession === null) throw new Error('a live session runs and cannot be found');
        return { ...liveSession, started: false };
      }
      await setNewCode(tx, therapistId);
      await room.update(tx, therapistId, {
        asksUntilEnd: false,
        therapistAwaySince: lineUp(therapistId) ? null : productNow,
      });
      for (const hook of openingHooks) await hook(tx, { therapistId, liveSession: made }, afterCommit);
      afterCommit(() => room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
      return { ...made, started: true };
    });
  }

  /** `unless` is asked under the lock: what a sweep saw may have changed since. */
  function end(therapistId: number, reason: EndReason, unless?: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    return room.act(therapistId, async (tx, _row, afterCommit) => {
      const liveSession = await store.findRunning(tx, therapistId);
      if (liveSession === null || (await unless?.(tx))) return false;
      await store.markEnded(tx, liveSession.id, reason, await fieldAtEnd(tx, therapistId));
      const afterwards: ((stamps: Stamps) => void | Promise<void>)[] = [];
      for (const hook of endingHooks)
        await hook(tx, { therapistId, liveSession, reason }, (work) => void afterwards.push(work));
      await room.update(tx, therapistId, {
        code: null,
        codeMadeAt: null,
        asksUntilEnd: false,
        therapistAwaySince: null,
      });
      const stamps = await room.raisePeopleRevision(tx, therapistId);
      afterCommit(async () => {
        room.announce(therapistId, { eventType: 'SESSION_OUT', contents: { reason }, ...stamps });
        for (const work of afterwards) await work(stamps);
        room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } });
      });
      return true;
    });
  }

  /** Writes whether the therapist is here and tells the room, where that is news. */
  function setLine(therapistId: number, decide: (row: RoomRow) => boolean): Promise<void> {
    return room.act(therapistId, async (tx, row, afterCommit) => {
      const up = decide(row);
      if (up === (row.therapistAwaySince === null) || (await store.findRunning(tx, therapistId)) === null) return;
      await room.update(tx, therapistId, { therapistAwaySince: up ? null : productNow });
      const stamps = await room.raisePeopleRevision(tx, therapistId);
      afterCommit(async () => {
        room.announce(therapistId, {
          eventType: up ? 'RECONNECTED' : 'DISCONNECTED',
          contents: { userId: therapistId },
          ...stamps,
        });
        await lineChanged(therapistId, stamps);
      });
    });
  }

  function renewWhen(therapistId: number, due: (tx: Tx) => Promise<boolean>): Promise<string | null> {
    return room.act(therapistId, async (tx, _row, afterCommit) => {
      if (!(await due(tx))) return null;
      const code = await setNewCode(tx, therapistId);
      afterCommit(() => room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
      return code;
    });
  }

  return {
    open,
    end: (therapistId, reason) => end(therapistId, reason),
    running: (therapistId, queries = db) => store.findRunning(queries, therapistId),
    attend: (tx, attendance) => store.openAttendance(tx, attendance),
    leave: (tx, clientId) => store.closeAttendance(tx, clientId),
    attendancesOf: (liveSessionId) => store.findAttendances(db, liveSessionId),
    async renewCode(therapistId) {
      const code = await renewWhen(therapistId, async (tx) => (await store.findRunning(tx, therapistId)) !== null);
      if (code === null) throw new Problem('no_live_session');
      return code;
    },
    async lineJoined(therapistId, connection) {
      let joined = lines.get(therapistId);
      if (joined === undefined) lines.set(therapistId, (joined = new Set()));
      joined.add(connection);
      await open(therapistId);
      await setLine(therapistId, () => lineUp(therapistId));
    },
    async lineGone(therapistId, connection) {
      const joined = lines.get(therapistId);
      if (!joined?.delete(connection) || joined.size > 0) return;
      lines.delete(therapistId);
      // Asked again in its turn: the line may be back by then.
      await setLine(therapistId, () => lineUp(therapistId));
    },
    sayDisconnected: (therapistId) => setLine(therapistId, () => false),
    sayConnected: (therapistId) => setLine(therapistId, () => true),
    onOpening: (hook) => void openingHooks.push(hook),
    onEnding: (hook) => void endingHooks.push(hook),
    onLineChanged: (listener) => void (lineChanged = listener),
    async sweep() {
      for (const { therapistId, away, awaySeconds } of await store.runningLines(db)) {
        const here = lineUp(therapistId);
        // A page said that its line dropped, but another one of the same therapist is there and working.
        if (away && here && awaySeconds >= LINE_BELIEVED_AFTER_SECONDS)
          await setLine(therapistId, () => lineUp(therapistId));
        // The page said that it is back and never came.
        const quiet = !away && !here ? (silent.get(therapistId) ?? 0) + 1 : 0;
        if (quiet === 0 || quiet > SILENT_SWEEPS) silent.delete(therapistId);
        else silent.set(therapistId, quiet);
        if (quiet > SILENT_SWEEPS) await setLine(therapistId, () => lineUp(therapistId));
      }
      for (const therapistId of await store.therapistsGoneTooLong(db)) {
        if (!lineUp(therapistId))
          await end(
            therapistId,
            'therapist_away',
            async (tx) => lineUp(therapistId) || !(await store.isGoneTooLong(tx, therapistId)),
          );
      }
      for (const therapistId of await store.therapistsWithOldCode(db))
        await renewWhen(therapistId, (tx) => store.isCodeOld(tx, therapistId));
    },
    async afterStart() {
      for (const { therapistId } of await store.runningLines(db)) await setLine(therapistId, () => lineUp(therapistId));
    },
  };
}
