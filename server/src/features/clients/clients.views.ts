/** People without an account as others see them: in the room, in the lobby, and in the calls' answers. */
import type { Client, Person, Seat, WaitingPerson, PeopleValue } from '@fieldroom/contract/clients';
import type { Db, Queryable } from '../../platform/db/db.ts';
import type { Room } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { namesOf } from './lobby/clients.names.ts';
import * as store from './clients.store.ts';
import type { ClientRow, RoleRow } from './clients.store.ts';

export interface Views {
  /** Who is in the room, in the order they were let in. */
  readPeople(therapistId: number, queries: Queryable): Promise<Person[]>;
  /** The people who wait. Takes those in the room, for names that look alike. */
  readWaiting(therapistId: number, people: readonly Person[]): Promise<WaitingPerson[]>;
  /** Whether a live session runs and the therapist's connection is up. */
  isTherapistHere(therapistId: number): Promise<boolean>;
  peopleValue(therapistId: number, options?: { withWaiting?: boolean }): Promise<PeopleValue>;
  clientsAs(rows: readonly ClientRow[], therapistId: number): Promise<Client[]>;
  seatAs(row: ClientRow): Promise<Seat>;
}

/** Makes the views of all rooms' people, read from the database. */
export function createViews({ db, room, sessions }: { db: Db; room: Room; sessions: Sessions }): Views {
  async function readPeople(therapistId: number, queries: Queryable): Promise<Person[]> {
    const seated = await store.inRoom(queries, therapistId);
    const held = await store.rolesOfRoom(queries, therapistId);
    return seated.map((row) => personOf(row, held));
  }

  async function readWaiting(therapistId: number, people: readonly Person[]): Promise<WaitingPerson[]> {
    const rows = await store.waiting(db, therapistId);
    const names = namesOf([...people, ...rows, ...(await therapistNames(therapistId))]);
    return rows.map((row) => waitingOf(row, names));
  }

  /** The therapist's own name in the form in which a client might use it. */
  async function therapistNames(therapistId: number): Promise<{ id: number; name: string }[]> {
    const { firstName, lastName } = await store.hostOf(db, therapistId);
    return [firstName, `${firstName} ${lastName}`, `${lastName} ${firstName}`].map((name) => ({
      id: therapistId,
      name,
    }));
  }

  /** Whether somebody in the room has a name that looks like that of the therapist or of somebody let in before. */
  async function isNameTaken(row: ClientRow): Promise<boolean> {
    if (row.state !== 'in') return false;
    const seated = await store.inRoom(db, row.therapistId);
    const earlier = seated.slice(
      0,
      Math.max(
        0,
        seated.findIndex(({ id }) => id === row.id),
      ),
    );
    return namesOf([...earlier, ...(await therapistNames(row.therapistId))]).has(row);
  }

  async function isTherapistHere(therapistId: number): Promise<boolean> {
    const { therapistAwaySince } = await room.row(therapistId);
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

  async function clientsAs(rows: readonly ClientRow[], therapistId: number): Promise<Client[]> {
    const { firstName } = await store.hostOf(db, therapistId);
    const held = await store.rolesOfClients(
      db,
      rows.map((row) => row.id),
    );
    return rows.map((row) => {
      const { roles, activeRole, joinedOn, id, name, selected, active } = personOf(row, held);
      return {
        id,
        name,
        therapist: { id: therapistId, joinLink: row.joinLink ?? '', firstName },
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
      nameTaken: await isNameTaken(row),
    };
  }

  return { readPeople, readWaiting, isTherapistHere, peopleValue, clientsAs, seatAs };
}

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

function waitingOf(row: ClientRow, names: ReturnType<typeof namesOf>): WaitingPerson {
  return {
    id: row.id,
    name: row.name,
    arrivedOn: row.arrivedAt.toISOString(),
    by: row.enteredBy,
    connected: row.awaySince === null,
    doubleName: names.has(row),
  };
}
