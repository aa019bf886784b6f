/**
 * Seats in the room: taking one, losing the connection, coming back, leaving, being removed. Every change is an act on
 * the room, under the lock of its row.
 */
import { SEATS, type LEAVING_REASONS } from '@fieldroom/contract/clients';
import type { ProblemCode } from '@fieldroom/contract/problems';
import { Problem } from '../../../platform/problem.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/db.ts';
import { productNow } from '../../../platform/platform.tables.ts';
import type { Presence } from '../../../platform/nodes/presence.ts';
import { createGathered } from '../../../platform/scheduling/gathered.ts';
import { forEachInTurn } from '../../../platform/small.ts';
import type { AfterCommit, Room } from '../../room/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Announcements } from '../clients.announcements.ts';
import * as store from '../clients.store.ts';
import type { ClientRow } from '../clients.store.ts';
import type { Clients, Connections } from '../clients.types.ts';
import type { Views } from '../clients.views.ts';
import { ENDED } from './clients.access.ts';
import { roleActs } from './clients.roles.ts';

type LeavingReason = (typeof LEAVING_REASONS)[number];

export interface SeatsParts {
  db: Db;
  room: Room;
  sessions: Sessions;
  connections: Connections;
  views: Views;
  announcements: Announcements;
  /** Who has a connection. */
  presence: Presence;
  /** Called for everybody who enters the room. */
  cameIn: (clientId: number) => void;
}

type SeatActs = Pick<
  Clients,
  'seat' | 'leave' | 'remove' | 'setActive' | 'connected' | 'disconnected' | 'sweep' | 'afterStart'
>;

export interface Seats extends SeatActs {
  /** Enters the room: admitted, or back. The caller has looked for a free seat. */
  bringIn(tx: Tx, rows: readonly ClientRow[], liveSessionId: number, afterCommit: AfterCommit): Promise<void>;
  /** Leaves the room: seat and roles become free, the attendance ends, the room gets the change. */
  vacateSeat(
    tx: Tx,
    rows: readonly ClientRow[],
    to: { state: 'away' | 'left' | 'removed'; reason: LeavingReason },
    afterCommit: AfterCommit,
  ): Promise<void>;
}

/** Makes the seats of all rooms. Rules: README.md; docs/product.md#4. */
export function createSeats({
  db,
  room,
  sessions,
  connections,
  views: { seatAs },
  announcements: { announcePeople, tellTherapist, tellListeners },
  presence,
  cameIn,
}: SeatsParts): Seats {
  /** Clients whose connection state may not be stored; the sweep retries until it is. */
  const unsettled = new Set<number>();

  presence.onDoubt(async (clientIds) => {
    for (const clientId of clientIds) unsettled.add(clientId);
    await settleAll();
  });

  async function getClient(tx: Queryable, clientId: number): Promise<ClientRow> {
    const row = await store.findClient(tx, clientId);
    if (row === null) throw new Problem('not_found');
    return row;
  }

  /** An act on the room of a client, with the client's row read under the lock. */
  async function actOn<T>(
    clientId: number,
    work: (tx: Tx, row: ClientRow, afterCommit: AfterCommit) => Promise<T>,
  ): Promise<T> {
    const { therapistId } = await getClient(db, clientId);
    return room.act(therapistId, async (tx, _room, afterCommit) =>
      work(tx, await getClient(tx, clientId), afterCommit),
    );
  }

  async function bringIn(
    tx: Tx,
    rows: readonly ClientRow[],
    liveSessionId: number,
    afterCommit: AfterCommit,
  ): Promise<void> {
    const [first] = rows;
    if (!first) return;
    for (const { therapistId, id: clientId, name: clientName } of rows)
      await sessions.attend(tx, { therapistId, liveSessionId, clientId, clientName });
    const stamps = await room.raisePeopleRevision(tx, first.therapistId);
    afterCommit(async () => {
      for (const { id } of rows) cameIn(id);
      // Roles may have come back with them.
      tellListeners({ therapistId: first.therapistId });
      for (const row of rows)
        room.announce(row.therapistId, { eventType: 'LOGIN', contents: { id: row.id, name: row.name }, ...stamps });
      await announcePeople(first.therapistId, stamps);
    });
  }

  async function vacateSeat(
    tx: Tx,
    rows: readonly ClientRow[],
    to: { state: 'away' | 'left' | 'removed'; reason: LeavingReason },
    afterCommit: AfterCommit,
  ): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const held = await store.rolesOfClients(
      tx,
      rows.map((row) => row.id),
    );
    for (const row of rows) {
      const formerRoles = held
        .filter((role) => role.clientId === row.id)
        .map(({ figureId, active }) => ({ figureId, active }));
      const ended = to.state === 'away' ? {} : { endedAt: productNow };
      await store.updateClients(tx, [row.id], {
        state: to.state,
        selected: false,
        handRaisedAt: null,
        ...ended,
        ...(row.state === 'in' ? { formerRoles } : {}),
      });
      await sessions.leave(tx, row.id);
    }
    await store.deleteRolesOf(
      tx,
      rows.map((row) => row.id),
    );
    // People who were away already do not leave again.
    const seen = rows.filter((row) => row.state === 'in');
    const stamps = await room.raisePeopleRevision(tx, first.therapistId);
    afterCommit(async () => {
      tellListeners({ therapistId: first.therapistId, gone: rows.map((row) => row.id) });
      for (const row of seen)
        room.announce(row.therapistId, {
          eventType: 'LOGOUT',
          contents: { id: row.id, name: row.name, reason: to.reason },
          ...stamps,
        });
      await announcePeople(first.therapistId, stamps);
    });
  }

  /** Takes a seat again, with the former roles that nobody has taken since (rule 8). Problem: `room_full`. */
  async function comeBack(tx: Tx, row: ClientRow, afterCommit: AfterCommit): Promise<ClientRow> {
    if ((await store.countPeople(tx, row.therapistId, row.id)).seated >= SEATS) throw new Problem('room_full');
    const running = await sessions.running(row.therapistId, tx);
    if (running === null) throw new Problem('live_session_over');
    await store.updateClients(tx, [row.id], {
      state: 'in',
      active: true,
      formerRoles: [],
      awaySince: (await presence.anywhere(tx, [row.id])).has(row.id) ? null : productNow,
    });
    if (row.state === 'away') {
      const taken = new Set((await store.rolesOfRoom(tx, row.therapistId)).map((role) => role.figureId));
      const free = row.formerRoles.filter((role) => !taken.has(role.figureId));
      await roleActs.restoreRoles(
        tx,
        row.therapistId,
        free.map(({ figureId, active }) => ({ clientId: row.id, figureId, to: active ? 'active' : 'held' })),
      );
    }
    await bringIn(tx, [row], running.id, afterCommit);
    return getClient(tx, row.id);
  }

  /** The reason why somebody may not keep their connection: their token has ended. */
  function whyRefused(clientId: number, row: ClientRow | undefined): ProblemCode | undefined {
    if (row === undefined) return 'not_found';
    return presence.isHere(clientId) ? ENDED[row.state] : undefined;
  }

  /**
   * Stores whether people of one room have a connection. Reads under the lock, so that the latest state counts. A crowd
   * that returns after a restart is stored and announced together. Returns who was refused, and why.
   */
  async function settleTogether(
    tx: Tx,
    therapistId: number,
    clientIds: readonly number[],
    afterCommit: AfterCommit,
  ): Promise<Map<number, Problem>> {
    const rows = await store.findClients(tx, clientIds);
    const connected = await presence.anywhere(tx, clientIds);
    const refused = new Map<number, Problem>();
    for (const id of clientIds) {
      const why = whyRefused(
        id,
        rows.find((row) => row.id === id),
      );
      if (why !== undefined) refused.set(id, new Problem(why));
    }
    const changed = rows.filter((row) => !ENDED[row.state] && connected.has(row.id) !== (row.awaySince === null));
    const lost = rows.filter((row) => row.state === 'away' && connected.has(row.id));
    const inRoom = changed.filter(({ state }) => state === 'in');
    const kept = await store.hereAmong(
      tx,
      inRoom.filter(({ id }) => connected.has(id)).map(({ id }) => id),
    );
    for (const row of [...lost, ...inRoom.filter(({ id }) => connected.has(id) && !kept.has(id))])
      try {
        await comeBack(tx, row, afterCommit);
      } catch (error) {
        // It is thrown before anything is written.
        if (!(error instanceof Problem)) throw error;
        refused.set(row.id, error);
      }
    const idsOf = (some: readonly ClientRow[], are: boolean) =>
      some.filter(({ id }) => connected.has(id) === are).map(({ id }) => id);
    const waiting = changed.filter(({ state }) => state === 'waiting');
    // A valid token always gets its place back: an address has no more tokens than places.
    await store.updateClients(tx, idsOf(waiting, true), { awaySince: null, active: true });
    await store.updateClients(tx, [...kept], { awaySince: null });
    await store.updateClients(tx, [...idsOf(waiting, false), ...idsOf(inRoom, false)], { awaySince: productNow });
    await presence.record(
      tx,
      clientIds.filter((id) => !refused.has(id)),
    );
    if (waiting.length > 0) afterCommit(() => tellTherapist(therapistId));
    if (kept.size > 0 || idsOf(inRoom, false).length > 0) {
      const stamps = await room.raisePeopleRevision(tx, therapistId);
      afterCommit(() => announcePeople(therapistId, stamps));
    }
    return refused;
  }

  /** Takes a room and one of its clients; those who arrive while an earlier act of the room runs share one act. */
  const settle = createGathered<number>((therapistId, take) =>
    room.act(therapistId, (tx, _row, afterCommit) => settleTogether(tx, therapistId, take(), afterCommit)),
  );

  async function settleAll(): Promise<void> {
    const rooms = new Map<number, number[]>();
    const ids = [...unsettled];
    const found = await store.findClients(db, ids);
    for (const { id, therapistId } of found) rooms.set(therapistId, [...(rooms.get(therapistId) ?? []), id]);
    const known = new Set(found.map(({ id }) => id));
    for (const id of ids) if (!known.has(id)) unsettled.delete(id);
    await forEachInTurn(rooms, ([therapistId, clientIds]) =>
      Promise.all(
        clientIds.map(async (clientId) => {
          // Before the act: a later one may fail while this one ends, and is then tried again.
          unsettled.delete(clientId);
          try {
            await settle(therapistId, clientId);
          } catch (error) {
            // After a fault the next sweep tries again; after a refusal there is nothing to store.
            if (!(error instanceof Problem)) unsettled.add(clientId);
          }
        }),
      ),
    );
  }

  return {
    bringIn,
    vacateSeat,

    async seat(clientId) {
      const row = await getClient(db, clientId);
      const ended = ENDED[row.state];
      if (ended) throw new Problem(ended);
      const lost = row.state === 'away' || (row.state === 'in' && !(await store.isHere(db, clientId)));
      if (!lost) return seatAs(row);
      const back = await actOn(clientId, async (tx, now, afterCommit) => {
        const over = ENDED[now.state];
        if (over) throw new Problem(over);
        return now.state === 'away' || (now.state === 'in' && !(await store.isHere(tx, clientId)))
          ? comeBack(tx, now, afterCommit)
          : now;
      });
      return seatAs(back);
    },

    async leave(clientId) {
      await actOn(clientId, async (tx, row, afterCommit) => {
        if (ENDED[row.state]) return;
        if (row.state === 'waiting') {
          await store.updateClients(tx, [clientId], { state: 'left', endedAt: productNow });
          afterCommit(() => tellTherapist(row.therapistId));
        } else await vacateSeat(tx, [row], { state: 'left', reason: 'left' }, afterCommit);
        afterCommit(() => connections.close(row.therapistId, [clientId]));
      });
    },

    async remove(therapistId, clientId) {
      await room.act(therapistId, async (tx, _row, afterCommit) => {
        const row = await store.findClient(tx, clientId);
        if (row === null || row.therapistId !== therapistId || (row.state !== 'in' && row.state !== 'away'))
          throw new Problem('not_found');
        await room.update(tx, therapistId, { asksUntilEnd: true });
        afterCommit(() => {
          room.tell(clientId, { eventType: 'ADMISSION', contents: { state: 'removed' } });
          connections.close(therapistId, [clientId], 'sent_out');
        });
        await vacateSeat(tx, [row], { state: 'removed', reason: 'removed' }, afterCommit);
        afterCommit(() => {
          room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } });
        });
      });
    },

    async setActive(clientId) {
      await actOn(clientId, async (tx, row, afterCommit) => {
        if (row.state === 'away') await comeBack(tx, row, afterCommit);
      });
    },

    async connected({ id: clientId, therapistId }, connection) {
      presence.add(clientId, connection);
      try {
        await settle(therapistId, clientId);
      } catch (error) {
        presence.remove(clientId, connection);
        // It may be stored although the answer was lost, and this connection ends without having counted.
        if (!(error instanceof Problem)) unsettled.add(clientId);
        throw error;
      }
    },

    async disconnected({ id: clientId, therapistId }, connection) {
      if (!presence.remove(clientId, connection)) return;
      // Until this is stored, the seat counts as taken.
      unsettled.add(clientId);
      await settle(therapistId, clientId);
      unsettled.delete(clientId);
    },

    async sweep() {
      const [overdue] = await Promise.all([store.roomsWithOverdue(db), settleAll()]);
      await forEachInTurn(overdue, ({ therapistId }) =>
        room.act(therapistId, async (tx, _row, afterCommit) => {
          const rows = await store.overdue(tx, therapistId);
          const waiting = rows.filter((row) => row.state === 'waiting' && row.active);
          await store.updateClients(
            tx,
            waiting.map((row) => row.id),
            { active: false },
          );
          if (waiting.length > 0) afterCommit(() => tellTherapist(therapistId));
          await vacateSeat(
            tx,
            rows.filter((row) => row.state === 'in'),
            { state: 'away', reason: 'away' },
            afterCommit,
          );
        }),
      );
    },

    async afterStart() {
      for (const therapistId of await store.roomsWithConnected(db)) {
        await room.act(therapistId, async (tx, _row, afterCommit) => {
          const there = (await store.present(tx, therapistId)).filter(
            (row) => row.state !== 'away' && row.awaySince === null,
          );
          const connected = await presence.anywhere(
            tx,
            there.map((row) => row.id),
          );
          const rows = there.filter((row) => !connected.has(row.id));
          if (rows.length === 0) return;
          await store.updateClients(
            tx,
            rows.map((row) => row.id),
            { awaySince: productNow },
          );
          const stamps = await room.raisePeopleRevision(tx, therapistId);
          afterCommit(() => announcePeople(therapistId, stamps));
        });
      }
    },
  };
}
