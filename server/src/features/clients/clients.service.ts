/** People without an account: at the door, waiting, in the room, away and gone. The numbered rules are in README.md. */
import {
  type Client,
  type Person,
  SEATS,
  type Seat,
  type WaitingPerson,
  WAITING_MAX,
} from '@fieldroom/contract/clients';
import { Problem, type ProblemCode } from '@fieldroom/contract/problems';
import type { LEAVING_REASONS, PeopleValue, Stamps } from '@fieldroom/contract/realtime';
import type { ClientSeat, RoomAccess } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { newToken } from '../accounts/index.ts';
import type { AfterCommit, Room, RoomRow } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { roleActs } from './clients.roles.ts';
import * as store from './clients.store.ts';
import type { ClientRow, RoleRow } from './clients.store.ts';
import { createThrottle, type Throttle } from './clients.throttle.ts';
import type { Clients, PeopleChange } from './clients.types.ts';

type LeavingReason = (typeof LEAVING_REASONS)[number];

/** Real time between two notices of the same kind to a therapist; what comes between is told by the last one. */
const NOTICE_MS = 2_000;
const TRIES_REMEMBERED_MS = 15 * 60_000;
const TRIES_REMEMBERED_MAX = 10_000;

/** What the clients ask of the connections; on all nodes. */
export interface Connections {
  /**
   * Ends every connection of these people, after what was sent to them before. `why` is told as the ERROR's code to those
   * who could not hear it yet, because their own channel is not subscribed.
   */
  close(personIds: readonly number[], why?: ProblemCode): void;
  /** Takes them off the room; their own channel stays. */
  leaveRoom(therapistId: number, personIds: readonly number[]): void;
}

export interface ClientsParts {
  db: Db;
  room: Room;
  sessions: Sessions;
  limits: Pick<Limits, 'allows' | 'addressBlock'>;
  clock: Pick<Clock, 'now'>;
  config: Pick<Config, 'limits'>;
  connections: Connections;
  throttle?: Throttle;
  noticeMs?: number;
}

/** Why a token that was ours yields no seat. */
const ENDED: Partial<Record<ClientRow['state'], ProblemCode>> = {
  over: 'live_session_over',
  removed: 'sent_out',
  declined: 'declined',
  left: 'session_expired',
};

/** Names that read alike are one name. */
const comparable = (name: string) => name.normalize('NFKC').toLocaleLowerCase('en');

/** Makes the clients. In: platform, room, live sessions, and how connections are ended. */
export function createClients({
  db,
  room,
  sessions,
  limits,
  clock,
  config,
  connections,
  throttle = createThrottle({ limits, limit: config.limits.wrongCode, roomsLimit: config.limits.wrongCodeRooms }),
  noticeMs = NOTICE_MS,
}: ClientsParts): Clients {
  /** Open connections by client, in this process. */
  const open = new Map<number, Set<object>>();
  const listeners = new Set<(change: PeopleChange) => void>();
  const notices = new Map<string, { again: boolean }>();
  /** Product times of wrong tries, oldest first. */
  let tries: number[] = [];

  const isConnected = (clientId: number) => (open.get(clientId)?.size ?? 0) > 0;

  function tellListeners(change: Partial<PeopleChange> & { therapistId: number }): void {
    for (const listener of listeners) listener({ gone: [], rolesTaken: [], ...change });
  }

  /** Tells a therapist's screens to look, at once and then at most every so often. */
  function notice(therapistId: number, what: 'arrival' | 'wrongCodes'): void {
    const key = `${what} ${therapistId}`;
    const running = notices.get(key);
    if (running) {
      running.again = true;
      return;
    }
    room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what } });
    notices.set(key, { again: false });
    setTimeout(() => {
      const again = notices.get(key)?.again;
      notices.delete(key);
      if (again) notice(therapistId, what);
    }, noticeMs).unref();
  }

  // ---- as others see them

  function personOf(row: ClientRow, held: readonly RoleRow[]): Person {
    const mine = held.filter((role) => role.clientId === row.id);
    return {
      id: row.id,
      name: row.name,
      connected: row.awaySince === null,
      selected: row.selected,
      active: row.active,
      roles: mine.map((role) => role.figureId),
      activeRole: mine.find((role) => role.active)?.figureId ?? null,
      handRaisedOn: row.handRaisedAt?.toISOString() ?? null,
      joinedOn: (row.admittedAt ?? row.arrivedAt).toISOString(),
    };
  }

  function waitingOf(row: ClientRow, names: ReadonlyMap<string, number>): WaitingPerson {
    return {
      id: row.id,
      name: row.name,
      arrivedOn: row.arrivedAt.toISOString(),
      by: row.enteredBy,
      connected: row.awaySince === null,
      doubleName: (names.get(comparable(row.name)) ?? 0) > 1,
    };
  }

  async function readPeople(therapistId: number, queries: Queryable): Promise<Person[]> {
    const seated = await store.inRoom(queries, therapistId);
    const held = await store.rolesOfRoom(queries, therapistId);
    return seated.map((row) => personOf(row, held));
  }

  async function readWaiting(therapistId: number, people: readonly Person[]): Promise<WaitingPerson[]> {
    const rows = await store.waiting(db, therapistId);
    const names = new Map<string, number>();
    for (const { name } of [...people, ...rows]) names.set(comparable(name), (names.get(comparable(name)) ?? 0) + 1);
    return rows.map((row) => waitingOf(row, names));
  }

  async function isTherapistHere(therapistId: number, row?: RoomRow): Promise<boolean> {
    const { therapistAwaySince } = row ?? (await room.row(therapistId));
    return therapistAwaySince === null && (await sessions.running(therapistId)) !== null;
  }

  async function peopleValue(
    therapistId: number,
    { withWaiting = false }: { withWaiting?: boolean } = {},
  ): Promise<PeopleValue> {
    const people = await readPeople(therapistId, db);
    const therapistHere = await isTherapistHere(therapistId);
    return withWaiting
      ? { people, therapistHere, waiting: await readWaiting(therapistId, people) }
      : { people, therapistHere };
  }

  async function announcePeople(therapistId: number, stamps: Stamps): Promise<void> {
    const { waiting, ...forAll } = await peopleValue(therapistId, { withWaiting: true });
    room.announce(therapistId, { eventType: 'UNREGISTER_USER', contents: forAll, ...stamps });
    room.tell(therapistId, { eventType: 'UNREGISTER_USER', contents: { ...forAll, waiting }, ...stamps });
  }

  /** Who waits has changed: the therapist alone hears of it, and no stamp goes up (rule 3). */
  async function tellTherapist(therapistId: number): Promise<void> {
    room.tell(therapistId, {
      eventType: 'UNREGISTER_USER',
      contents: await peopleValue(therapistId, { withWaiting: true }),
      ...(await room.stamps(therapistId)),
    });
  }

  /** Those who wait hear whether the therapist is here, and of nobody else. */
  async function tellWaiting(therapistId: number): Promise<void> {
    const therapistHere = await isTherapistHere(therapistId);
    const stamps = await room.stamps(therapistId);
    for (const { id } of await store.waiting(db, therapistId))
      room.tell(id, { eventType: 'UNREGISTER_USER', contents: { people: [], therapistHere }, ...stamps });
  }

  async function clientsAs(rows: readonly ClientRow[], therapistId: number): Promise<Client[]> {
    const { joinLink, firstName } = await store.doorOf(db, therapistId);
    const held = await store.rolesOfClients(
      db,
      rows.map((row) => row.id),
    );
    return rows.map((row) => {
      const { roles, activeRole, joinedOn, id, name, selected, active } = personOf(row, held);
      return {
        id,
        name,
        therapist: { id: therapistId, joinLink, firstName },
        selected,
        active: active && row.state === 'in',
        participants: roles,
        activeParticipant: activeRole,
        joinedOn,
      };
    });
  }

  async function seatAs(row: ClientRow): Promise<Seat> {
    const [client] = await clientsAs([row], row.therapistId);
    return {
      client: client!,
      state: row.state === 'waiting' ? 'waiting' : 'in',
      therapistHere: await isTherapistHere(row.therapistId),
    };
  }

  // ---- coming and going, inside an act on the room

  /** Into the room: admitted, or back. The caller has looked for a seat. */
  async function bringIn(
    tx: Tx,
    rows: readonly ClientRow[],
    liveSessionId: number,
    afterCommit: AfterCommit,
  ): Promise<void> {
    const [first] = rows;
    if (!first) return;
    for (const row of rows) await sessions.attend(tx, { liveSessionId, clientId: row.id, clientName: row.name });
    const stamps = await room.raisePeopleRevision(tx, first.therapistId);
    afterCommit(async () => {
      // Roles may have come back with them.
      tellListeners({ therapistId: first.therapistId });
      for (const row of rows)
        room.announce(row.therapistId, { eventType: 'LOGIN', contents: { id: row.id, name: row.name }, ...stamps });
      await announcePeople(first.therapistId, stamps);
    });
  }

  /** Out of the room: seat and roles are freed, the attendance ends, the room hears of it. */
  async function takeOut(
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
    // Who was away already is not seen leaving a second time.
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

  /** Back to a seat that was freed, with the roles that nobody took meanwhile (rule 9). Problem: `room_full`. */
  async function comeBack(tx: Tx, row: ClientRow, afterCommit: AfterCommit): Promise<ClientRow> {
    if ((await store.countPeople(tx, row.therapistId, row.id)).seated >= SEATS) throw new Problem('room_full');
    const running = await sessions.running(row.therapistId, tx);
    if (running === null) throw new Problem('live_session_over');
    await store.updateClients(tx, [row.id], {
      state: 'in',
      active: true,
      formerRoles: [],
      awaySince: isConnected(row.id) ? null : productNow,
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

  async function getClient(tx: Queryable, clientId: number): Promise<ClientRow> {
    const row = await store.findClient(tx, clientId);
    if (row === null) throw new Problem('not_found');
    return row;
  }

  /** One act on the room of a client, with its row read under the lock. */
  async function actOn<T>(
    clientId: number,
    work: (tx: Tx, row: ClientRow, afterCommit: AfterCommit) => Promise<T>,
  ): Promise<T> {
    const { therapistId } = await getClient(db, clientId);
    return room.act(therapistId, async (tx, _room, afterCommit) =>
      work(tx, await getClient(tx, clientId), afterCommit),
    );
  }

  /** Brings the row into line with whether a connection is open. Asked under the lock, so that the last word counts. */
  function settle(clientId: number): Promise<void> {
    return actOn(clientId, async (tx, row, afterCommit) => {
      const connected = isConnected(clientId);
      const ended = ENDED[row.state];
      if (ended) {
        if (connected) throw new Problem(ended);
        return;
      }
      if (row.state === 'away') {
        if (connected) await comeBack(tx, row, afterCommit);
        return;
      }
      if (connected === (row.awaySince === null)) return;
      if (row.state === 'waiting') {
        if (
          connected &&
          !(await store.isHere(tx, clientId)) &&
          (await store.countPeople(tx, row.therapistId, clientId)).waiting >= WAITING_MAX
        )
          throw new Problem('waiting_room_full');
        await store.updateClients(
          tx,
          [clientId],
          connected ? { awaySince: null, active: true } : { awaySince: productNow },
        );
        afterCommit(() => tellTherapist(row.therapistId));
        return;
      }
      if (connected && !(await store.isHere(tx, clientId))) {
        await comeBack(tx, row, afterCommit);
        return;
      }
      await store.updateClients(tx, [clientId], { awaySince: connected ? null : productNow });
      const stamps = await room.raisePeopleRevision(tx, row.therapistId);
      afterCommit(() => announcePeople(row.therapistId, stamps));
    });
  }

  /** Somebody at the door whose link, code or booking was looked at. Only a link lets in at once, where the room is open (rule 2). */
  async function knock(
    therapistId: number,
    { name, by, code }: { name: string; by: ClientRow['enteredBy']; code?: string },
  ): Promise<Seat & { token: string }> {
    const { token, hash } = newToken();
    const row = await room.act(therapistId, async (tx, roomRow, afterCommit) => {
      const running = await sessions.running(therapistId, tx);
      // Renewed or dead since it was looked up.
      if (code !== undefined && (running === null || roomRow.code !== code)) throw new Problem('invalid_code');
      const counted = await store.countPeople(tx, therapistId);
      if (counted.seated >= SEATS) throw new Problem('room_full');
      const atOnce =
        by === 'link' &&
        roomRow.admission === 'open' &&
        !roomRow.asksUntilEnd &&
        running !== null &&
        roomRow.therapistAwaySince === null;
      if (!atOnce && counted.waiting >= WAITING_MAX) throw new Problem('waiting_room_full');
      const made = await store.insertClient(tx, {
        therapistId,
        liveSessionId: running?.id ?? null,
        name,
        tokenHash: hash,
        state: atOnce ? 'in' : 'waiting',
        enteredBy: by,
        ...(atOnce ? { admittedAt: productNow as never } : {}),
      });
      if (atOnce) await bringIn(tx, [made], running.id, afterCommit);
      else {
        afterCommit(async () => {
          await tellTherapist(therapistId);
          notice(therapistId, 'arrival');
        });
      }
      return made;
    });
    return { ...(await seatAs(row)), token };
  }

  async function wrongTry(block: string, what: 'link' | 'code'): Promise<void> {
    const now = (await clock.now()).getTime();
    tries = [...tries.filter((at) => at > now - TRIES_REMEMBERED_MS).slice(-TRIES_REMEMBERED_MAX + 1), now];
    // Nobody knows whose room was meant: all whose code could have been hit are told (rule 5).
    const atWork = await store.therapistsAtWork(db);
    for (const therapistId of atWork) notice(therapistId, 'wrongCodes');
    await throttle.wrong(block, what === 'code' && atWork.length > 0);
  }

  // ---- with the live session

  sessions.onOpening(async (tx, { therapistId, liveSession }, afterCommit) => {
    const rows = (await store.present(tx, therapistId)).filter((row) => row.state === 'waiting');
    await store.updateClients(
      tx,
      rows.map((row) => row.id),
      { liveSessionId: liveSession.id },
    );
    const stamps = await room.raisePeopleRevision(tx, therapistId);
    afterCommit(async () => {
      await announcePeople(therapistId, stamps);
      await tellWaiting(therapistId);
    });
  });

  sessions.onEnding(async (tx, { therapistId, reason }, afterCommit) => {
    const rows = await store.present(tx, therapistId);
    const ids = rows.map((row) => row.id);
    await store.deleteRolesOf(tx, ids);
    await store.updateClients(tx, ids, { state: 'over', selected: false, handRaisedAt: null, endedAt: productNow });
    afterCommit(async (stamps) => {
      tellListeners({ therapistId, gone: ids });
      // Those in the room heard it there.
      for (const row of rows)
        if (row.state !== 'in') room.tell(row.id, { eventType: 'SESSION_OUT', contents: { reason }, ...stamps });
      connections.close(ids, 'live_session_over');
      await announcePeople(therapistId, stamps);
    });
  });

  sessions.onLineChanged(async (therapistId, stamps) => {
    await announcePeople(therapistId, stamps);
    await tellWaiting(therapistId);
  });

  function seatAccess(row: ClientRow | null): ClientSeat | null {
    if (row === null || (row.state !== 'waiting' && row.state !== 'in' && row.state !== 'away')) return null;
    return { kind: 'client', id: row.id, therapistId: row.therapistId, name: row.name, state: row.state };
  }

  const clients: Clients = {
    ...roleActs,
    identifySeat: async (tokenHash) => seatAccess(await store.findByToken(db, tokenHash)),
    async whyEnded(tokenHash) {
      const row = await store.findByToken(db, tokenHash);
      return row === null ? null : (ENDED[row.state] ?? null);
    },
    seatOf: async (clientId) => seatAccess(await store.findClient(db, clientId)),
    people: (therapistId, queries = db) => readPeople(therapistId, queries),
    peopleValue,
    async rolesOf(therapistId, queries = db) {
      const byClient = new Map<number, { figureId: number; active: boolean }[]>();
      for (const { clientId, figureId, active } of await store.rolesOfRoom(queries, therapistId)) {
        const held = byClient.get(clientId) ?? [];
        held.push({ figureId, active });
        byClient.set(clientId, held);
      }
      return byClient;
    },
    announcePeople,
    onPeopleChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    roomAccessOf(principal, therapistId): RoomAccess | null {
      if (principal?.kind === 'account')
        return principal.id === therapistId && principal.roles.includes('ROLE_THERAPIST')
          ? { as: 'therapist', therapistId, personId: principal.id }
          : null;
      if (principal?.kind !== 'client' || principal.therapistId !== therapistId || principal.state !== 'in')
        return null;
      return { as: 'client', therapistId, personId: principal.id, name: principal.name };
    },
    async clientAccessOf(principal, clientId, who) {
      if (principal === null) return null;
      if (principal.kind === 'client') {
        // Back from away is one of the things a client may ask for itself.
        if (who === 'its therapist' || principal.id !== clientId || principal.state === 'waiting') return null;
        return {
          actor: { as: 'client', therapistId: principal.therapistId, personId: principal.id, name: principal.name },
          clientId,
          therapistId: principal.therapistId,
        };
      }
      const row = await store.findClient(db, clientId);
      if (row === null || row.therapistId !== principal.id || seatAccess(row) === null) return null;
      return {
        actor: { as: 'therapist', therapistId: principal.id, personId: principal.id },
        clientId,
        therapistId: principal.id,
      };
    },

    async roomState(therapistId) {
      const row = await room.row(therapistId);
      const { joinLink } = await store.doorOf(db, therapistId);
      const liveSession = await sessions.running(therapistId);
      const people = await readPeople(therapistId, db);
      const now = (await clock.now()).getTime();
      return {
        therapistId,
        joinLink,
        code: liveSession === null ? null : row.code,
        admission: row.admission,
        asksUntilEnd: row.asksUntilEnd,
        handsAllowed: row.handsAllowed,
        liveSession:
          liveSession === null ? null : { id: liveSession.id, startedOn: liveSession.startedAt.toISOString() },
        people,
        waiting: await readWaiting(therapistId, people),
        wrongTries: tries.filter((at) => at > now - TRIES_REMEMBERED_MS).length,
      };
    },

    async lookAtDoor(joinLink, ip) {
      const block = limits.addressBlock(ip);
      await throttle.turn(block);
      const door = await store.doorByLink(db, joinLink);
      if (door === null) {
        await wrongTry(block, 'link');
        throw new Problem('join_link_unknown');
      }
      return { firstName: door.firstName, picture: null };
    },

    async enter({ joinLink, code, name }, { principal, ip }) {
      if (principal?.kind === 'account') throw new Problem('therapist_signed_in_here');
      const block = limits.addressBlock(ip);
      await throttle.turn(block);
      const door =
        joinLink !== undefined ? await store.doorByLink(db, joinLink) : await store.doorByCode(db, code ?? '');
      if (door === null) {
        await wrongTry(block, joinLink !== undefined ? 'link' : 'code');
        throw new Problem(joinLink !== undefined ? 'join_link_unknown' : 'invalid_code');
      }
      return knock(door.therapistId, {
        name,
        by: joinLink !== undefined ? 'link' : 'code',
        ...(code === undefined ? {} : { code }),
      });
    },

    enterBooked: ({ therapistId, name }) => knock(therapistId, { name, by: 'booking' }),

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
        } else await takeOut(tx, [row], { state: 'left', reason: 'left' }, afterCommit);
        afterCommit(() => connections.close([clientId]));
      });
    },

    admit(therapistId, clientIds) {
      return room.act(therapistId, async (tx, _row, afterCommit) => {
        const running = await sessions.running(therapistId, tx);
        if (running === null) throw new Problem('no_live_session');
        const waiting = await store.waiting(tx, therapistId);
        const wanted = clientIds === 'all' ? waiting : waiting.filter((row) => clientIds.includes(row.id));
        const free = SEATS - (await store.countPeople(tx, therapistId)).seated;
        const letIn = wanted.slice(0, Math.max(0, free));
        const admitted = letIn.map((row) => row.id);
        await store.updateClients(tx, admitted, {
          state: 'in',
          admittedAt: productNow,
          liveSessionId: running.id,
          active: true,
        });
        // Told first: a browser that knows it is in may go to the room before it hears of itself there.
        afterCommit(() =>
          admitted.forEach((id) => room.tell(id, { eventType: 'ADMISSION', contents: { state: 'in' } })),
        );
        await bringIn(tx, letIn, running.id, afterCommit);
        const inAlready =
          clientIds === 'all'
            ? []
            : (await store.inRoom(tx, therapistId))
                .map((row) => row.id)
                .filter((id) => clientIds.includes(id) && !admitted.includes(id));
        const missing =
          clientIds === 'all'
            ? []
            : clientIds.filter((id) => !inAlready.includes(id) && !wanted.some((row) => row.id === id));
        return {
          admitted: [...admitted, ...inAlready],
          refused: [
            ...wanted.slice(letIn.length).map((row) => ({ id: row.id, code: 'room_full' as const })),
            ...[...new Set(missing)].map((id) => ({ id, code: 'not_found' as const })),
          ],
        };
      });
    },

    async decline(therapistId, clientIds) {
      await room.act(therapistId, async (tx, _row, afterCommit) => {
        const ids = (await store.present(tx, therapistId))
          .filter((row) => row.state === 'waiting' && clientIds.includes(row.id))
          .map((row) => row.id);
        if (ids.length === 0) return;
        await store.updateClients(tx, ids, { state: 'declined', endedAt: productNow });
        afterCommit(async () => {
          // Without a pause between the two: who subscribes in it would miss the word and still count as told.
          for (const id of ids) room.tell(id, { eventType: 'ADMISSION', contents: { state: 'declined' } });
          connections.close(ids, 'declined');
          await tellTherapist(therapistId);
        });
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
          connections.close([clientId], 'sent_out');
        });
        await takeOut(tx, [row], { state: 'removed', reason: 'removed' }, afterCommit);
        afterCommit(() => {
          room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } });
        });
      });
    },

    async setAdmission(therapistId, admission) {
      await room.act(therapistId, async (tx, _row, afterCommit) => {
        await room.update(tx, therapistId, { admission });
        afterCommit(() => room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
      });
    },

    async setSelected(therapistId, clientId, selected) {
      const row = await room.act(therapistId, async (tx, _row, afterCommit) => {
        const found = await store.findClient(tx, clientId);
        if (found === null || found.therapistId !== therapistId || found.state !== 'in') throw new Problem('not_found');
        if (found.selected !== selected) {
          await store.select(tx, therapistId, selected ? clientId : null);
          const stamps = await room.raisePeopleRevision(tx, therapistId);
          afterCommit(async () => {
            // Who is selected may send more (specification 4.8).
            tellListeners({ therapistId });
            await announcePeople(therapistId, stamps);
          });
        }
        return { ...found, selected };
      });
      return (await clientsAs([row], therapistId))[0]!;
    },

    async setActive(clientId) {
      await actOn(clientId, async (tx, row, afterCommit) => {
        if (row.state === 'away') await comeBack(tx, row, afterCommit);
      });
    },

    async setNonActive(clientId) {
      await actOn(clientId, async (tx, row, afterCommit) => {
        if (row.state !== 'in') return;
        await takeOut(tx, [row], { state: 'away', reason: 'left' }, afterCommit);
        await store.updateClients(tx, [clientId], { active: false });
        afterCommit(() => connections.leaveRoom(row.therapistId, [clientId]));
      });
    },

    async raiseHand(access, { raised, clientId = access.personId }) {
      // The therapist has no hand to raise, and raises nobody's.
      if (access.as === 'therapist' ? raised || clientId === access.personId : clientId !== access.personId)
        throw new Problem('forbidden');
      await room.act(access.therapistId, async (tx, _row, afterCommit) => {
        const row = await store.findClient(tx, clientId);
        if (row === null || row.therapistId !== access.therapistId || row.state !== 'in')
          throw new Problem('not_found');
        // Raised once more it keeps its place in the order.
        if (raised === (row.handRaisedAt !== null)) return;
        await store.updateClients(tx, [clientId], { handRaisedAt: raised ? productNow : null });
        const stamps = await room.raisePeopleRevision(tx, access.therapistId);
        afterCommit(() => announcePeople(access.therapistId, stamps));
      });
    },

    async changeRole(what, role) {
      await room.act(role.therapistId, async (tx, _row, afterCommit) => {
        const traces =
          what === 'give'
            ? await roleActs.giveRole(tx, role)
            : what === 'take'
              ? await roleActs.takeRole(tx, role)
              : await roleActs.setActiveRole(tx, role);
        if (traces.length === 0) return;
        const stamps = await room.raisePeopleRevision(tx, role.therapistId);
        afterCommit(async () => {
          const rolesTaken = traces
            .filter((trace) => trace.after === 'none')
            .map(({ clientId, figureId }) => ({ clientId, figureId }));
          tellListeners({ therapistId: role.therapistId, rolesTaken });
          await announcePeople(role.therapistId, stamps);
        });
      });
    },

    async clientsOf(therapistId, filter) {
      const running = await sessions.running(therapistId);
      return running === null ? [] : clientsAs(await store.admittedTo(db, running.id, filter), therapistId);
    },

    async connected(clientId, connection) {
      let mine = open.get(clientId);
      if (mine === undefined) open.set(clientId, (mine = new Set()));
      mine.add(connection);
      try {
        await settle(clientId);
      } catch (error) {
        mine.delete(connection);
        if (mine.size === 0) open.delete(clientId);
        throw error;
      }
    },
    async disconnected(clientId, connection) {
      const mine = open.get(clientId);
      if (!mine?.delete(connection) || mine.size > 0) return;
      open.delete(clientId);
      await settle(clientId);
    },

    async sweep() {
      for (const therapistId of await store.roomsWithOverdue(db)) {
        await room.act(therapistId, async (tx, _row, afterCommit) => {
          const rows = await store.overdue(tx, therapistId);
          const waiting = rows.filter((row) => row.state === 'waiting' && row.active);
          await store.updateClients(
            tx,
            waiting.map((row) => row.id),
            { active: false },
          );
          if (waiting.length > 0) afterCommit(() => tellTherapist(therapistId));
          await takeOut(
            tx,
            rows.filter((row) => row.state === 'in'),
            { state: 'away', reason: 'away' },
            afterCommit,
          );
        });
      }
    },
    stop: () => throttle.stop(),
    async afterStart() {
      for (const therapistId of await store.roomsWithConnected(db)) {
        await room.act(therapistId, async (tx, _row, afterCommit) => {
          const rows = (await store.present(tx, therapistId)).filter(
            (row) => row.state !== 'away' && row.awaySince === null && !isConnected(row.id),
          );
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
  return clients;
}
