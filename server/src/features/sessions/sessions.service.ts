/** Live sessions: how they start and end, the code, and the therapist's connection. Rules: docs/product.md#4 and #6. */
import { THERAPIST_AWAY_MINUTES } from '@fieldroom/contract/clients';
import type { FieldSnapshot } from '@fieldroom/contract/field';
import { Problem } from '../../platform/problem.ts';
import type { EndReason, Stamps } from '@fieldroom/contract/realtime';
import { type Db, type Queryable, sqlState, type Tx } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { createLoneNode, type Nodes } from '../../platform/nodes/nodes.ts';
import { forEachInTurn } from '../../platform/small.ts';
import { type AfterCommit, NO_OTHER_NODES, type Room, type RoomNodes, type RoomRow } from '../room/index.ts';
import { newCode } from './sessions.code.ts';
import * as store from './sessions.store.ts';
import type { LiveSession } from './sessions.store.ts';

/**
 * For this many seconds (product time) a page's report that its connection dropped overrides an open connection; later
 * the open one counts.
 */
const CONNECTION_BELIEVED_AFTER_SECONDS = 10;
/** For this many sweeps (one a second) a therapist without any connection still counts as present. */
const SILENT_SWEEPS = 60;
const CODE_TRIES = 20;

interface Ending {
  therapistId: number;
  liveSession: LiveSession;
  reason: EndReason;
  /** When the session should have ended, if it ends late (ten minutes after the therapist left). */
  dueSince: Date | null;
}

/** Runs after the commit of the end, with its stamps. */
type AfterEnd = (work: (stamps: Stamps) => void | Promise<void>) => void;

export interface Sessions {
  /**
   * Starts a live session unless one runs. Returns the one that runs and whether this call started it. Problems: those
   * of `onOpening`, `trial_over`.
   */
  open(therapistId: number): Promise<LiveSession & { started: boolean }>;
  /** Ends the running live session for everybody. Returns false if none ran. */
  end(therapistId: number, reason: EndReason): Promise<boolean>;
  /** The same as a part of an act on the room, with its transaction, its row, and what to do after its commit. */
  endWithin(tx: Tx, row: RoomRow, reason: EndReason, afterCommit: AfterCommit): Promise<boolean>;
  running(therapistId: number, db?: Queryable): Promise<LiveSession | null>;
  /** Records that a client has arrived; in a transaction that holds the room's lock. */
  attend(
    tx: Queryable,
    attendance: { therapistId: number; liveSessionId: number; clientId: number; clientName: string },
  ): Promise<void>;
  /** Runs in the transaction in which a client enters a live session for the first time. */
  onFirstAttended(hook: (tx: Queryable, attended: { therapistId: number; clientId: number }) => Promise<void>): void;
  /** Whether the therapist has a connection that joined. */
  isConnected(on: Queryable, therapistId: number): Promise<boolean>;
  /** Writes the seconds that the timer counted in live sessions. */
  setCountedSeconds(tx: Queryable, counted: readonly { liveSessionId: number; seconds: number }[]): Promise<void>;
  /** Records that a client has left. */
  leave(tx: Queryable, clientId: number): Promise<void>;
  /** Makes a new code; the old one is invalid at once. Problem: `no_live_session`. */
  renewCode(therapistId: number): Promise<string>;
  /**
   * A connection of the therapist joins the running live session. Never starts one: a page that reconnects by itself
   * must not open the room. Compared by identity. Problem: `live_session_over` if none runs.
   */
  therapistJoined(therapistId: number, connection: object): Promise<void>;
  /** A connection that had joined has ended. */
  therapistLeft(therapistId: number, connection: object): Promise<void>;
  /** The fixed calls by which the therapist's page reports that its connection has dropped, or is back. */
  sayDisconnected(therapistId: number): Promise<void>;
  sayConnected(therapistId: number): Promise<void>;
  /** Runs in the transaction that starts a live session. A Problem that it throws refuses the start. */
  onOpening(
    hook: (
      tx: Tx,
      opening: { therapistId: number; liveSession: LiveSession },
      afterCommit: AfterCommit,
    ) => Promise<void>,
  ): void;
  /**
   * Runs in the transaction that ends a live session, before the revisions are raised; the stamps are sent after
   * commit.
   */
  onEnding(hook: (tx: Tx, ending: Ending, afterCommit: AfterEnd) => Promise<void>): void;
  /** Runs in the transaction in which a code becomes invalid. */
  onCodeEnded(hook: (tx: Tx, ended: { therapistId: number; code: string }) => Promise<void>): void;
  /**
   * Called with whether a therapist in a live session is connected, before anybody in the room is told. `elsewhere`:
   * another node noticed it, and has done the work that is done once.
   */
  onHere(listener: (therapistId: number, here: boolean, how: { elsewhere: boolean }) => void): void;
  /** Announces the people after the therapist's connection dropped or came back; the clients feature sets it. */
  onPresenceChanged(listener: (therapistId: number, stamps: Stamps) => Promise<void>): void;
  /** Every second: renews old codes, and ends live sessions that have waited too long for their therapist. */
  sweep(): Promise<void>;
  /** At the start of the server: nobody is connected yet. */
  afterStart(): Promise<void>;
}

/**
 * Makes the live sessions. Takes the database, the room, how to read the field at the end (in the ending transaction),
 * and the operator's length of codes.
 */
export function createSessionsService({
  db,
  room,
  nodes = createLoneNode(),
  roomNodes = NO_OTHER_NODES,
  fieldAtEnd,
  codeLength,
}: {
  db: Db;
  room: Room;
  nodes?: Pick<Nodes, 'presence'>;
  roomNodes?: RoomNodes;
  fieldAtEnd: (tx: Tx, therapistId: number) => Promise<FieldSnapshot>;
  codeLength?: number;
}): Sessions {
  const openingHooks: Parameters<Sessions['onOpening']>[0][] = [];
  const endingHooks: Parameters<Sessions['onEnding']>[0][] = [];
  const firstAttendedHooks: Parameters<Sessions['onFirstAttended']>[0][] = [];
  const codeHooks: Parameters<Sessions['onCodeEnded']>[0][] = [];
  let hereListener: Parameters<Sessions['onHere']>[0] = () => {};
  let presenceChanged: Parameters<Sessions['onPresenceChanged']>[0] = async () => {};
  /** Therapists with a connection that sent JOIN. */
  const presence = nodes.presence('therapist');
  const silent = new Map<number, number>();
  /** Therapists whose presence could not be stored. The sweep tries again until it can. */
  const unsettled = new Set<number>();

  /** Notifies this node and those that have people of the room. */
  function hereChanged(therapistId: number, here: boolean): void {
    hereListener(therapistId, here, { elsewhere: false });
    roomNodes.tell(therapistId, 'here', { here });
  }
  roomNodes.on<{ here: boolean }>('here', (therapistId, { here }) =>
    hereListener(therapistId, here, { elsewhere: true }),
  );

  const isConnected = async (on: Queryable, therapistId: number) =>
    (await presence.anywhere(on, [therapistId])).has(therapistId);
  presence.onDoubt((therapistIds) => forEachInTurn(therapistIds, setAsConnected));

  async function codeEnded(tx: Tx, therapistId: number, { code }: Pick<RoomRow, 'code'>): Promise<void> {
    if (code !== null) for (const hook of codeHooks) await hook(tx, { therapistId, code });
  }

  /**
   * Sets a code that no other room has. Another room may get the same one between read and write, so the index decides.
   */
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
      const here = await isConnected(tx, therapistId);
      await room.update(tx, therapistId, { asksUntilEnd: false, therapistAwaySince: here ? null : productNow });
      afterCommit(() => hereChanged(therapistId, here));
      for (const hook of openingHooks) await hook(tx, { therapistId, liveSession: made }, afterCommit);
      afterCommit(() => room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
      return { ...made, started: true };
    });
  }

  async function endWithin(tx: Tx, row: RoomRow, reason: EndReason, afterCommit: AfterCommit): Promise<boolean> {
    const { therapistId, therapistAwaySince } = row;
    const liveSession = await store.findRunning(tx, therapistId);
    if (liveSession === null) return false;
    await store.markEnded(tx, liveSession.id, reason, await fieldAtEnd(tx, therapistId));
    const afterwards: ((stamps: Stamps) => void | Promise<void>)[] = [];
    const dueSince =
      reason === 'therapist_away' && therapistAwaySince !== null
        ? new Date(therapistAwaySince.getTime() + THERAPIST_AWAY_MINUTES * 60_000)
        : null;
    for (const hook of endingHooks)
      await hook(tx, { therapistId, liveSession, reason, dueSince }, (work) => void afterwards.push(work));
    await codeEnded(tx, therapistId, row);
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
      roomNodes.tell(therapistId, 'ended', {});
      room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } });
    });
    return true;
  }

  /** `unless` is called under the lock: the state that a sweep saw may have changed since. */
  function end(therapistId: number, reason: EndReason, unless?: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    return room.act(therapistId, async (tx, row, afterCommit) =>
      (await unless?.(tx)) ? false : endWithin(tx, row, reason, afterCommit),
    );
  }

  /** Writes whether the therapist is present, and announces it to the room if it has changed. */
  function setPresence(therapistId: number, decide: (tx: Tx) => boolean | Promise<boolean>): Promise<void> {
    return room.act(therapistId, async (tx, row, afterCommit) => {
      const up = await decide(tx);
      if (up === (row.therapistAwaySince === null) || (await store.findRunning(tx, therapistId)) === null) return;
      await room.update(tx, therapistId, { therapistAwaySince: up ? null : productNow });
      const stamps = await room.raisePeopleRevision(tx, therapistId);
      afterCommit(async () => {
        hereChanged(therapistId, up);
        room.announce(therapistId, {
          eventType: up ? 'RECONNECTED' : 'DISCONNECTED',
          contents: { userId: therapistId },
          ...stamps,
        });
        await presenceChanged(therapistId, stamps);
      });
    });
  }

  /** Writes the state of the connections; read in turn, because the therapist may be back by then. */
  async function setAsConnected(therapistId: number): Promise<void> {
    try {
      await setPresence(therapistId, (tx) => {
        // Not at the end of the act: a later one with newer state may have failed by then.
        unsettled.delete(therapistId);
        return presence.settle(tx, therapistId);
      });
    } catch (error) {
      unsettled.add(therapistId);
      throw error;
    }
  }

  async function settleAll(): Promise<void> {
    if (unsettled.size === 0) return;
    const therapistIds = [...unsettled];
    const rooms = await room.stampsOfAll(therapistIds);
    await forEachInTurn(therapistIds, async (therapistId) => {
      if (rooms.has(therapistId)) await setAsConnected(therapistId);
      // Never stored, or deleted with its account.
      else unsettled.delete(therapistId);
    });
  }

  function renewWhen(therapistId: number, due: (tx: Tx) => Promise<boolean>): Promise<string | null> {
    return room.act(therapistId, async (tx, row, afterCommit) => {
      if (!(await due(tx))) return null;
      await codeEnded(tx, therapistId, row);
      const code = await setNewCode(tx, therapistId);
      afterCommit(() => room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
      return code;
    });
  }

  async function sweepPresences(running: Awaited<ReturnType<typeof store.runningPresences>>): Promise<void> {
    const connected = await presence.anywhere(
      db,
      running.map(({ therapistId }) => therapistId),
    );
    await forEachInTurn(running, async ({ therapistId, away, awaySeconds }) => {
      const here = connected.has(therapistId);
      // A page reported that its connection dropped, but another one of the same therapist works.
      if (away && here && awaySeconds >= CONNECTION_BELIEVED_AFTER_SECONDS) await setAsConnected(therapistId);
      // The page reported that it is back, but never connected.
      const quiet = !away && !here ? (silent.get(therapistId) ?? 0) + 1 : 0;
      if (quiet === 0 || quiet > SILENT_SWEEPS) silent.delete(therapistId);
      else silent.set(therapistId, quiet);
      if (quiet > SILENT_SWEEPS) await setAsConnected(therapistId);
    });
  }

  async function sweepAbsences(gone: readonly { therapistId: number }[]): Promise<void> {
    await forEachInTurn(gone, async ({ therapistId }) => {
      if (await isConnected(db, therapistId)) return;
      await end(
        therapistId,
        'therapist_away',
        async (tx) => (await isConnected(tx, therapistId)) || !(await store.isGoneTooLong(tx, therapistId)),
      );
    });
  }

  async function sweepCodes(old: readonly { therapistId: number }[]): Promise<void> {
    await forEachInTurn(old, ({ therapistId }) => renewWhen(therapistId, (tx) => store.isCodeOld(tx, therapistId)));
  }

  return {
    open,
    end: (therapistId, reason) => end(therapistId, reason),
    running: (therapistId, queries = db) => store.findRunning(queries, therapistId),
    endWithin,
    async attend(tx, { therapistId, ...attendance }) {
      const isFirst = !(await store.hasAttended(tx, attendance));
      await store.openAttendance(tx, attendance);
      if (isFirst)
        for (const hook of firstAttendedHooks) await hook(tx, { therapistId, clientId: attendance.clientId });
    },
    onFirstAttended: (hook) => void firstAttendedHooks.push(hook),
    isConnected,
    setCountedSeconds: store.setCountedSeconds,
    leave: (tx, clientId) => store.closeAttendance(tx, clientId),
    async renewCode(therapistId) {
      const code = await renewWhen(therapistId, async (tx) => (await store.findRunning(tx, therapistId)) !== null);
      if (code === null) throw new Problem('no_live_session');
      return code;
    },
    async therapistJoined(therapistId, connection) {
      presence.add(therapistId, connection);
      await setAsConnected(therapistId);
      if ((await store.findRunning(db, therapistId)) !== null) return;
      // It belongs to no live session and must not count as the therapist's presence in the next one.
      if (presence.remove(therapistId, connection)) await setAsConnected(therapistId);
      throw new Problem('live_session_over');
    },
    async therapistLeft(therapistId, connection) {
      if (presence.remove(therapistId, connection)) await setAsConnected(therapistId);
    },
    sayDisconnected: (therapistId) => setPresence(therapistId, () => false),
    sayConnected: (therapistId) => setPresence(therapistId, () => true),
    onOpening: (hook) => void openingHooks.push(hook),
    onEnding: (hook) => void endingHooks.push(hook),
    onCodeEnded: (hook) => void codeHooks.push(hook),
    onHere: (listener) => void (hereListener = listener),
    onPresenceChanged: (listener) => void (presenceChanged = listener),
    async sweep() {
      const [running, gone, old] = await Promise.all([
        store.runningPresences(db),
        store.therapistsGoneTooLong(db),
        store.therapistsWithOldCode(db),
      ]);
      const works = [settleAll, () => sweepPresences(running), () => sweepAbsences(gone), () => sweepCodes(old)];
      // A room that is locked or broken must not delay the others.
      await forEachInTurn(works, (work) => work());
    },
    async afterStart() {
      for (const { therapistId } of await store.runningPresences(db)) await setAsConnected(therapistId);
    },
  };
}
