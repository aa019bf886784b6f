/**
 * Clients in the waiting room, in the room, away and gone, over HTTP and STOMP on a real database. Numbers: README.md.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/clients';
import {
  CODE_ALPHABET,
  SEATS,
  WAITING_MAX,
  SEATS_PER_ADDRESS,
  WAITING_PER_ADDRESS,
  WAITING_PER_BOOKING,
} from '@fieldroom/contract/clients';
import { logout } from '@fieldroom/contract/accounts';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import { holdLock } from '../../../tests/support/locks.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aClient, type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { createAnnouncements } from './clients.announcements.ts';
import { createClients } from './index.ts';
import { createLoneNode } from '../../platform/nodes/nodes.ts';
import { createPresence } from '../../platform/nodes/presence.ts';
import { hashToken } from '../../platform/tokens.ts';
import { createRoom, NO_OTHER_NODES } from '../room/index.ts';
import { createSessions } from '../sessions/index.ts';
import { openClientScreen, openScreen, openTherapistScreen } from '../../../tests/support/people/screen.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** Somebody's token in the form in which it is sent. */
const as = ({ token }: { token: string }) => ({ token });
const state = (therapist: BuiltAccount) => t.api(calls.getRoom, {}, as(therapist));
const enter = (
  body: Parameters<typeof t.api<typeof calls.enterRoom>>[1] extends infer I
    ? NonNullable<I> extends { body?: infer B }
      ? B
      : never
    : never,
  token: string | null = null,
) => t.api(calls.enterRoom, { body: body as never }, { token });
const figureOf = async (therapist: BuiltAccount): Promise<number> => {
  await t.app.field.act({ as: 'therapist', therapistId: therapist.id, personId: therapist.id }, crypto.randomUUID(), {
    kind: 'add',
    figure: { iconType: 'STAR', x: 100, y: 100 },
  });
  const { figures } = await t.app.field.snapshot(therapist.id);
  return figures.at(-1)!.id;
};
/** The features once more on the same database, as on a second node. */
function anotherNode(more: Pick<Parameters<typeof createClients>[0], 'throttle' | 'nodes'> = {}) {
  const { db, limits, clock, config, secrets } = t.app;
  const room = createRoom({ db, publish: () => {}, log: { error() {} } });
  const sessions = createSessions({ db, room, fieldAtEnd: async () => ({ figures: [], handsAllowed: true }) });
  return createClients({
    db,
    room,
    sessions,
    limits,
    clock,
    config,
    secrets,
    connections: { close() {}, leaveRoom() {} },
    renewJoinLink: t.app.accounts.renewJoinLink,
    hideTexts: t.app.field.hideTexts,
    ...more,
  });
}
/** Locks a room's row, so that acts reach it in an order that the test decides. */
const holdRoom = ({ id }: BuiltAccount) => holdLock(t.db, (tx) => t.app.room.lock(tx, id));
const problem = (code: string) => expect.objectContaining({ code });

describe('in the waiting room', () => {
  test('2 a person with the link waits, is let in by the therapist and is in the room', async () => {
    const therapist = await aTherapist(t.db, { firstName: 'Judit' });
    const opened = await t.api(calls.openRoom, {}, as(therapist));
    expect(opened.code).toMatch(new RegExp(`^[${CODE_ALPHABET}]{5}$`));
    expect(await t.api(calls.lookAtJoinLink, { params: { joinLink: therapist.joinLink } })).toEqual({
      firstName: 'Judit',
      picture: null,
    });
    const screen = await openTherapistScreen(t.url, therapist);
    const seat = await enter({ joinLink: therapist.joinLink, name: '  Bori ' });
    expect(seat).toMatchObject({
      state: 'waiting',
      therapistHere: true,
      client: { name: 'Bori', therapist: { id: therapist.id, joinLink: therapist.joinLink } },
    });
    await screen.next('REFRESH_ADMIN', ({ contents }) => contents.what === 'arrival');
    const value = await screen.next('UNREGISTER_USER', ({ contents }) => contents.waiting?.length === 1);
    expect(value.contents).toMatchObject({ people: [], waiting: [{ name: 'Bori', by: 'link', doubleName: false }] });

    const client = { id: seat.client.id, token: seat.token, therapistId: therapist.id };
    const page = await openClientScreen(t.url, client, { room: false });
    expect(await t.api(calls.admit, { body: { clientIds: [client.id] } }, as(therapist))).toEqual({
      admitted: [client.id],
      refused: [],
    });
    await page.next('ADMISSION', ({ contents }) => contents.state === 'in');
    await page.subscribe(roomDestination(therapist.id));
    await page.next('PLAYERS_VALUE');
    const people = await page.next('UNREGISTER_USER', ({ contents }) => contents.people.length === 1);
    expect(people.contents).toEqual({
      people: [expect.objectContaining({ id: client.id, name: 'Bori', connected: true })],
      therapistHere: true,
    });
    expect((await t.api(calls.getSeat, {}, as(client))).state).toBe('in');
    await page.leave();
    await screen.leave();
  });

  test('2 a code never admits at once, even if the link does; it is accepted in any spelling', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    await t.api(calls.setAdmission, { body: { admission: 'open' } }, as(therapist));
    const { code } = await state(therapist);
    expect(
      (await enter({ code: ` ${code!.slice(0, 2).toLowerCase()}-${code!.slice(2)}`, name: 'By code' })).state,
    ).toBe('waiting');
    expect((await enter({ joinLink: therapist.joinLink, name: 'By link' })).state).toBe('in');
    // The therapist's connection drops: nobody new is admitted.
    await screen.cut();
    await expect.poll(async () => (await enter({ joinLink: therapist.joinLink, name: 'Late' })).state).toBe('waiting');
  });

  test('2 one address fills half of an open room; then it has to ask, and others are admitted', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    await t.api(calls.setAdmission, { body: { admission: 'open' } }, as(therapist));
    const stranger = { ip: '198.51.100.7' };
    const states = async () => {
      const { people, waiting } = await state(therapist);
      return [people.length, waiting.length];
    };
    for (let count = 0; count < SEATS_PER_ADDRESS; count++) await aClient(t.app, therapist, stranger);
    expect(await states()).toEqual([SEATS_PER_ADDRESS, 0]);
    await aClient(t.app, therapist, stranger);
    expect(await states()).toEqual([SEATS_PER_ADDRESS, 1]);
    await aClient(t.app, therapist);
    expect(await states()).toEqual([SEATS_PER_ADDRESS + 1, 1]);
    await screen.leave();
  });

  test('1 without a live session the client waits by link and learns when the therapist arrives, and no code works', async () => {
    const therapist = await aTherapist(t.db);
    const client = await aClient(t.app, therapist);
    const page = await openClientScreen(t.url, client, { room: false });
    await page.next('UNREGISTER_USER', ({ contents }) => !contents.therapistHere && contents.people.length === 0);
    expect((await t.api(calls.getSeat, {}, as(client))).therapistHere).toBe(false);
    await expect(t.api(calls.admit, { body: { clientIds: 'all' } }, as(therapist))).rejects.toEqual(
      problem('no_live_session'),
    );
    const screen = await openTherapistScreen(t.url, therapist);
    await page.next('UNREGISTER_USER', ({ contents }) => contents.therapistHere);
    expect((await t.api(calls.admit, { body: { clientIds: 'all' } }, as(therapist))).admitted).toEqual([client.id]);
    await page.next('ADMISSION');
    await screen.leave();
    await page.leave();
  });

  test('3.28 a room whose therapist’s deletion is due admits nobody, even before the job runs', async () => {
    const therapist = await aTherapist(t.db);
    const { code } = await t.api(calls.openRoom, {}, as(therapist));
    const deleteIn = (seconds: number) =>
      t.db.execute(
        sql`UPDATE accounts SET deletes_at = product_now() + make_interval(secs => ${seconds}) WHERE id = ${therapist.id}`,
      );
    await deleteIn(3600);
    expect((await enter({ joinLink: therapist.joinLink, name: 'Early' })).state).toBe('waiting');
    await deleteIn(-1);
    await expect(enter({ joinLink: therapist.joinLink, name: 'Late' })).rejects.toEqual(problem('join_link_unknown'));
    await expect(enter({ code: code!, name: 'Late' })).rejects.toEqual(problem('invalid_code'));
  });

  test('a therapist signed in on this browser is not taken for a client', async () => {
    const therapist = await aTherapist(t.db);
    await expect(enter({ joinLink: therapist.joinLink, name: 'Me' }, therapist.token)).rejects.toEqual(
      problem('therapist_signed_in_here'),
    );
  });

  test('4 two people with one name are marked for the therapist, but not in the waiting room', async () => {
    const therapist = await aTherapist(t.db);
    await inRoom(t.app, therapist, { name: 'Éva' });
    await aClient(t.app, therapist, { name: 'éva' });
    await aClient(t.app, therapist, { name: 'Other' });
    expect((await state(therapist)).waiting.map(({ name, doubleName }) => [name, doubleName])).toEqual([
      ['éva', true],
      ['Other', false],
    ]);
  });

  test('4 a name that looks like another, or like the therapist’s own, is marked', async () => {
    const therapist = await aTherapist(t.db, { firstName: 'Judit', lastName: 'Halász' });
    await inRoom(t.app, therapist, { name: 'Jonas' });
    const names = ['J\u043Enas', 'Jo\u200Dnas', 'ЈONAS', 'Iudit', 'judit', 'Halász Judit', 'Jana', 'Jana B'];
    for (const name of names) await aClient(t.app, therapist, { name });
    expect((await state(therapist)).waiting.map(({ doubleName }) => doubleName)).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  test('4 of two people admitted under one name only the later one is told, neither the earlier one nor those who wait', async () => {
    const therapist = await aTherapist(t.db, { firstName: 'Judit' });
    const first = await inRoom(t.app, therapist, { name: 'Jonas' });
    const second = await aClient(t.app, therapist, { name: 'J\u043Enas' });
    const third = await aClient(t.app, therapist, { name: 'JUDIT' });
    const told = async (client: BuiltClient) => (await t.api(calls.getSeat, {}, as(client))).nameTaken;
    expect([await told(first), await told(second), await told(third)]).toEqual([false, false, false]);
    await t.api(calls.admit, { body: { clientIds: 'all' } }, as(therapist));
    expect([await told(first), await told(second), await told(third)]).toEqual([false, true, true]);
  });

  test('17 an address fills only its share of the places; others and people with a booking still get one', async () => {
    const therapist = await aTherapist(t.db);
    await t.app.sessions.open(therapist.id);
    const stranger = { ip: '192.0.2.66' };
    for (let count = 0; count < WAITING_PER_ADDRESS; count++) await aClient(t.app, therapist, stranger);
    await expect(aClient(t.app, therapist, stranger)).rejects.toEqual(problem('waiting_room_full'));
    for (let count = WAITING_PER_ADDRESS; count < WAITING_MAX; count++) await aClient(t.app, therapist);
    await expect(aClient(t.app, therapist)).rejects.toEqual(problem('waiting_room_full'));
    const booked = { therapistId: therapist.id, bookingId: 7, name: 'Booked' };
    expect((await t.app.clients.enterBooked(booked)).state).toBe('waiting');
    // After many tries it still has no more than its own places.
    for (let count = 0; count < 5; count++) await t.app.clients.enterBooked(booked);
    expect((await state(therapist)).waiting.filter(({ by }) => by === 'booking')).toHaveLength(WAITING_PER_BOOKING);
    expect((await state(therapist)).waiting).toHaveLength(WAITING_MAX + WAITING_PER_BOOKING);
  });

  test('17 a valid token always gets its place back; an address has no more tokens than places', async () => {
    const therapist = await aTherapist(t.db);
    await t.app.sessions.open(therapist.id);
    const mine = await aClient(t.app, therapist);
    const stranger = { ip: '192.0.2.67' };
    const gone: BuiltClient[] = [];
    for (let count = 0; count < 3; count++) gone.push(await aClient(t.app, therapist, stranger));
    await t.move(61);
    // All pages have closed; others take all places.
    for (let count = 0; count < WAITING_PER_ADDRESS - 1; count++) await aClient(t.app, therapist, stranger);
    while ((await state(therapist)).waiting.length < WAITING_MAX) await aClient(t.app, therapist);
    const page = await openClientScreen(t.url, mine, { room: false });
    expect((await state(therapist)).waiting.map(({ id }) => id)).toContain(mine.id);
    // Two of the stranger's three old ones made room for the new ones, the longest gone first.
    const answers = await Promise.all(
      gone.map((client) =>
        t.api(calls.getSeat, {}, as(client)).then(
          ({ state: now }) => now,
          ({ code }: { code: string }) => code,
        ),
      ),
    );
    expect(answers).toEqual(['session_expired', 'session_expired', 'waiting']);
    await page.leave();
  });

  test('17 if the same browser enters again, its older place is freed, in any room', async () => {
    const [therapist, other] = [await aTherapist(t.db), await aTherapist(t.db)];
    const first = await enter({ joinLink: therapist.joinLink, name: 'Bori' });
    const second = await enter({ joinLink: therapist.joinLink, name: 'Bori again' }, first.token);
    expect((await state(therapist)).waiting.map(({ name }) => name)).toEqual(['Bori again']);
    await expect(t.api(calls.getSeat, {}, as(first))).rejects.toEqual(problem('session_expired'));
    // If refused elsewhere, it keeps its place; if admitted there, it gives it up.
    await expect(enter({ joinLink: 'nobody-lives-here', name: 'Bori' }, second.token)).rejects.toEqual(
      problem('join_link_unknown'),
    );
    expect((await t.api(calls.getSeat, {}, as(second))).state).toBe('waiting');
    await enter({ joinLink: other.joinLink, name: 'Bori' }, second.token);
    expect([(await state(therapist)).waiting.length, (await state(other)).waiting.length]).toEqual([0, 1]);
    // The same for somebody who is in the room: the seat is free at once, not after a minute.
    const inside = await inRoom(t.app, therapist, { name: 'Mihai' });
    await enter({ joinLink: therapist.joinLink, name: 'Mihai' }, inside.token);
    const { people, waiting } = await state(therapist);
    expect([people, waiting.map(({ name, doubleName }) => [name, doubleName])]).toEqual([[], [['Mihai', false]]]);
  });

  test('17 the therapist clears the list in one act: everybody is told, the tokens end, nobody else is affected', async () => {
    const therapist = await aTherapist(t.db);
    const stranger = await aTherapist(t.db);
    const inside = await inRoom(t.app, therapist);
    const elsewhere = await aClient(t.app, stranger);
    const waiting = [await aClient(t.app, therapist), await aClient(t.app, therapist)];
    const page = await openClientScreen(t.url, waiting[0]!, { room: false });
    expect(await t.api(calls.clearWaiting, {}, as(therapist))).toEqual({ declined: 2 });
    await page.next('ADMISSION', ({ contents }) => contents.state === 'declined');
    for (const client of waiting)
      await expect(t.api(calls.getSeat, {}, as(client))).rejects.toEqual(problem('declined'));
    expect((await t.api(calls.getSeat, {}, as(inside))).state).toBe('in');
    expect((await t.api(calls.getSeat, {}, as(elsewhere))).state).toBe('waiting');
    expect((await state(therapist)).waiting).toEqual([]);
    expect(await t.api(calls.clearWaiting, {}, as(therapist))).toEqual({ declined: 0 });
  });

  test('at most fifty wait; a person whose page never connected makes room after a minute', async () => {
    const therapist = await aTherapist(t.db);
    await t.app.sessions.open(therapist.id);
    for (let count = 0; count < WAITING_MAX; count++) await aClient(t.app, therapist);
    await expect(aClient(t.app, therapist)).rejects.toEqual(problem('waiting_room_full'));
    await t.move(61);
    await aClient(t.app, therapist);
    expect((await state(therapist)).waiting).toHaveLength(1);
  });

  test('bad names, unknown properties, link and code at once are refused at their field', async () => {
    const therapist = await aTherapist(t.db);
    for (const body of [
      { joinLink: therapist.joinLink, name: 'x\u202Ey' },
      { joinLink: therapist.joinLink, name: 'a'.repeat(10_240) },
      { joinLink: therapist.joinLink, name: 'A', state: 'in' },
      { joinLink: therapist.joinLink, code: 'ABCDE', name: 'A' },
      { name: 'A' },
    ])
      await expect(enter(body as never)).rejects.toEqual(problem('invalid_input'));
    expect((await state(therapist)).waiting).toEqual([]);
  });
});

test('a link renewed after somebody looked it up and before they come in: they do not come in', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  await t.api(calls.setAdmission, { body: { admission: 'open' } }, as(therapist));
  const barrier = await holdRoom(therapist);
  const renewed = t.api(calls.renewJoinLink, {}, as(therapist));
  await barrier.waited(1);
  // On another node, which has looked up the old link but gets the lock after the renewal.
  const entered = anotherNode().enter(
    { joinLink: therapist.joinLink, name: 'Late' },
    { principal: null, ip: '192.0.2.9' },
  );
  const outcome = entered.then(
    ({ state }) => state,
    (error: unknown) => error,
  );
  await barrier.waited(2);
  await barrier.release();
  await renewed;
  expect(await outcome).toEqual(problem('join_link_unknown'));
  await screen.leave();
});

describe('seats', () => {
  test('6 of fifty admitted at once to the last seat, one gets it', async () => {
    const therapist = await aTherapist(t.db);
    for (let count = 0; count < SEATS - 1; count++) await inRoom(t.app, therapist);
    const waiting: BuiltClient[] = [];
    for (let count = 0; count < WAITING_MAX; count++) waiting.push(await aClient(t.app, therapist));
    // Half of them on another node, which does not share our order of acts: the lock of the row alone must work.
    const elsewhere = anotherNode();
    const barrier = await holdRoom(therapist);
    const answers = waiting.map((client, n) =>
      n % 2 === 0
        ? t.api(calls.admit, { body: { clientIds: [client.id] } }, as(therapist))
        : elsewhere.admit(therapist.id, [client.id]),
    );
    await barrier.waited(2);
    await barrier.release();
    const replies = await Promise.all(answers);
    expect(replies.flatMap((reply) => reply.admitted)).toHaveLength(1);
    expect(replies.flatMap((reply) => reply.refused).every(({ code }) => code === 'room_full')).toBe(true);
    expect((await state(therapist)).people).toHaveLength(SEATS);
    await expect(aClient(t.app, therapist)).rejects.toEqual(problem('room_full'));
  });

  test('6 all are admitted in order of arrival, as long as there are seats', async () => {
    const therapist = await aTherapist(t.db);
    for (let count = 0; count < SEATS - 2; count++) await inRoom(t.app, therapist);
    const three = [await aClient(t.app, therapist), await aClient(t.app, therapist), await aClient(t.app, therapist)];
    expect(await t.api(calls.admit, { body: { clientIds: 'all' } }, as(therapist))).toEqual({
      admitted: [three[0]!.id, three[1]!.id],
      refused: [{ id: three[2]!.id, code: 'room_full' }],
    });
    expect(await t.api(calls.admit, { body: { clientIds: [999_999] } }, as(therapist))).toEqual({
      admitted: [],
      refused: [{ id: 999_999, code: 'not_found' }],
    });
  });

  test('7 a lost connection keeps seat and role for sixty seconds; then both are free, and return if nobody took them', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    const client = await inRoom(t.app, therapist);
    const [mine, taken] = [await figureOf(therapist), await figureOf(therapist)];
    for (const participantId of [mine, taken])
      await t.api(calls.setRole, { params: { userId: client.id, participantId } as never }, as(therapist));
    const page = await openClientScreen(t.url, client);
    await screen.next('UNREGISTER_USER', ({ contents }) => contents.people[0]?.connected === true);
    const before = screen.heard.length;
    await page.cut();
    await screen.next('UNREGISTER_USER', ({ contents }) => contents.people[0]?.connected === false, before);
    await t.move(50);
    const again = await openClientScreen(t.url, client);
    await expect
      .poll(async () => (await state(therapist)).people[0])
      .toMatchObject({ id: client.id, connected: true, roles: [mine, taken], activeRole: mine });
    await again.cut();
    await expect.poll(async () => (await state(therapist)).people[0]?.connected).toBe(false);
    await t.move(61);
    // Decided when somebody reads it, before any sweep.
    expect((await state(therapist)).people).toEqual([]);
    await t.app.jobs.runNow('clients.sweep');
    expect((await screen.next('LOGOUT', ({ contents }) => contents.id === client.id)).contents.reason).toBe('away');
    expect(await t.app.clients.rolesOf(therapist.id)).toEqual(new Map());

    const other = await inRoom(t.app, therapist);
    await t.api(calls.setRole, { params: { userId: other.id, participantId: taken } as never }, as(therapist));
    const back = await openClientScreen(t.url, client);
    const me = (await state(therapist)).people.find(({ id }) => id === client.id);
    expect(me).toMatchObject({ connected: true, roles: [mine], activeRole: mine });
    await back.leave();
    await screen.leave();
  });

  test('8 a reset also frees the roles of somebody who is away: none returns with them', async () => {
    const therapist = await aTherapist(t.db);
    const client = await inRoom(t.app, therapist);
    const participantId = await figureOf(therapist);
    await t.api(calls.setRole, { params: { userId: client.id, participantId } as never }, as(therapist));
    await t.move(61);
    await t.app.jobs.runNow('clients.sweep');
    await t.app.field.act({ as: 'therapist', therapistId: therapist.id, personId: therapist.id }, crypto.randomUUID(), {
      kind: 'reset',
    });
    expect((await t.api(calls.getSeat, {}, as(client))).state).toBe('in');
    expect(await t.app.clients.rolesOf(therapist.id)).toEqual(new Map());
  });

  test('8 a person who returns to a full room is told so, and gets in when a seat is free', async () => {
    const therapist = await aTherapist(t.db);
    const client = await inRoom(t.app, therapist);
    await t.move(61);
    await t.app.jobs.runNow('clients.sweep');
    const others: BuiltClient[] = [];
    for (let count = 0; count < SEATS; count++) others.push(await inRoom(t.app, therapist));
    await expect(t.api(calls.getSeat, {}, as(client))).rejects.toEqual(problem('room_full'));
    await expect(openScreen(t.url, client.token)).rejects.toMatchObject({ code: 'room_full' });
    await t.api(calls.leaveRoom, {}, as(others[0]!));
    expect((await t.api(calls.getSeat, {}, as(client))).state).toBe('in');
    expect((await state(therapist)).people).toHaveLength(SEATS);
  });
});

describe('leaving', () => {
  test('9 a removed person’s token and connection end, the roles are free, and the room asks until the end', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    await t.api(calls.setAdmission, { body: { admission: 'open' } }, as(therapist));
    const client = await inRoom(t.app, therapist);
    const page = await openClientScreen(t.url, client);
    await t.api(calls.remove, { body: { clientId: client.id } }, as(therapist));
    await page.next('ADMISSION', ({ contents }) => contents.state === 'removed');
    expect(await page.closed).toBe(null);
    expect((await screen.next('LOGOUT')).contents).toEqual({ id: client.id, name: client.name, reason: 'removed' });
    await expect(t.api(calls.getSeat, {}, as(client))).rejects.toEqual(problem('sent_out'));
    await expect(openScreen(t.url, client.token)).rejects.toMatchObject({ code: 'sent_out' });
    expect((await enter({ joinLink: therapist.joinLink, name: 'Again' })).state).toBe('waiting');
    expect((await state(therapist)).asksUntilEnd).toBe(true);
    await t.api(calls.endLiveSession, {}, as(therapist));
    await t.api(calls.openRoom, {}, as(therapist));
    expect((await state(therapist)).asksUntilEnd).toBe(false);
    await screen.leave();
  });

  test('10 a person declined while waiting is told, then disconnected', async () => {
    const therapist = await aTherapist(t.db);
    await t.app.sessions.open(therapist.id);
    const client = await aClient(t.app, therapist);
    const page = await openClientScreen(t.url, client, { room: false });
    await t.api(calls.decline, { body: { clientIds: [client.id] } }, as(therapist));
    await page.next('ADMISSION', ({ contents }) => contents.state === 'declined');
    await page.closed;
    await expect(t.api(calls.getSeat, {}, as(client))).rejects.toEqual(problem('declined'));
    expect((await state(therapist)).waiting).toEqual([]);
  });

  describe.each([
    [
      'declined',
      (therapist: BuiltAccount, client: BuiltClient) => t.app.clients.decline(therapist.id, [client.id]),
      'declined',
      { eventType: 'ADMISSION', contents: { state: 'declined' } },
    ],
    [
      'over with the live session',
      (therapist: BuiltAccount) => t.app.sessions.end(therapist.id, 'ended'),
      'live_session_over',
      { eventType: 'SESSION_OUT', contents: { reason: 'ended' } },
    ],
  ] as const)('10 %s, and is told so whenever it happens', (_, ends, code, word) => {
    /** Somebody who waits; the act on their room follows after `go()`. */
    async function waits() {
      const therapist = await aTherapist(t.db);
      await t.app.sessions.open(therapist.id);
      const client = await aClient(t.app, therapist);
      const barrier = Promise.withResolvers<void>();
      const hold = () => void t.app.room.inOrder(therapist.id, () => barrier.promise);
      return { therapist, client, hold, go: barrier.resolve };
    }
    const connections = (client: BuiltClient) => t.app.realtime.broker.connectionsOf(({ id }) => id === client.id);

    test('before the page connects', async () => {
      const { therapist, client } = await waits();
      await ends(therapist, client);
      await expect(openScreen(t.url, client.token)).rejects.toMatchObject({ code });
    });
    test('while the page is being let in', async () => {
      const { therapist, client, hold, go } = await waits();
      hold();
      const ended = ends(therapist, client);
      const refused = openScreen(t.url, client.token).then(
        () => null,
        (error: unknown) => error,
      );
      await expect.poll(() => connections(client).length).toBe(1);
      go();
      await ended;
      expect(await refused).toMatchObject({ code });
    });
    test('while the page is admitted and not subscribed yet', async () => {
      const { therapist, client } = await waits();
      const page = await openScreen(t.url, client.token);
      await ends(therapist, client);
      expect(await page.closed).toBe(code);
    });
    test('while the page subscribes', async () => {
      const { therapist, client, hold, go } = await waits();
      const page = await openScreen(t.url, client.token);
      hold();
      const ended = ends(therapist, client);
      const listening = page.subscribe(ownDestination(client.id)).catch(() => {});
      await expect
        .poll(() =>
          connections(client).some((one) => t.app.realtime.broker.isSubscribed(one, ownDestination(client.id))),
        )
        .toBe(true);
      go();
      await ended;
      expect(await page.closed).toBe(null);
      expect(page.heard.map(({ change }) => change)).toEqual([expect.objectContaining(word)]);
      await listening;
    });
  });

  test('leaving and signing out free the seat and end the token', async () => {
    const therapist = await aTherapist(t.db);
    const [first, second] = [await inRoom(t.app, therapist), await inRoom(t.app, therapist)];
    await t.api(calls.leaveRoom, {}, as(first));
    await t.api(logout, { params: { userId: second.id } as never }, as(second));
    expect((await state(therapist)).people).toEqual([]);
    for (const client of [first, second])
      await expect(t.api(calls.getSeat, {}, as(client))).rejects.toEqual(problem('session_expired'));
  });

  test('11 an inactive page frees seat and role, and an active one gets them back without asking', async () => {
    const therapist = await aTherapist(t.db);
    const client = await inRoom(t.app, therapist);
    const figure = await figureOf(therapist);
    await t.api(calls.setRole, { params: { userId: client.id, participantId: figure } as never }, as(therapist));
    const page = await openClientScreen(t.url, client);
    await t.api(calls.setNonActive, { params: { userId: client.id } as never }, as(client));
    expect((await state(therapist)).people).toEqual([]);
    await page.send(FIELD_SEND.act, { actId: crypto.randomUUID(), act: { kind: 'place', figureId: figure, x: 5 } });
    expect((await page.next('PROBLEM')).contents.problem.code).toBe('not_admitted');
    await t.api(calls.setActive, { params: { userId: client.id } as never }, as(client));
    expect((await state(therapist)).people).toMatchObject([{ id: client.id, roles: [figure], active: true }]);
    await page.leave();
  });
});

/** Until then it could have been a guess of other rooms' codes as well. */
async function endAllSessions(): Promise<void> {
  const { rows } = await t.db.execute<{ id: number }>(
    sql`select therapist_id as id from live_sessions where ended_at is null`,
  );
  for (const { id } of rows) await t.app.sessions.end(id, 'ended');
}

describe('guessing', () => {
  test('5 right codes work among very many wrong ones, and the therapist is informed', async () => {
    const therapist = await aTherapist(t.db);
    await endAllSessions();
    const screen = await openTherapistScreen(t.url, therapist);
    const { code } = await state(therapist);
    const wrong = Array.from({ length: 150 }, (_, n) =>
      enter({ code: `ZZ${String(n).padStart(3, '2')}9`, name: 'Guess' }).then(
        () => 'in',
        (error: { code: string }) => error.code,
      ),
    );
    // The message contains the number, so that nobody has to ask for it.
    await screen.next('REFRESH_ADMIN', ({ contents }) => contents.what === 'wrongCodes' && contents.wrongTries > 0);
    const right = await Promise.all([
      enter({ code: code!, name: 'Right one' }),
      enter({ joinLink: therapist.joinLink, name: 'Right too' }),
    ]);
    expect(right.map((seat) => seat.state)).toEqual(['waiting', 'waiting']);
    expect((await state(therapist)).wrongTries).toBeGreaterThan(5);
    // Sends the held answers, so that the test does not wait for them.
    void wrong;
    await screen.leave();
  });
});

test('5 a wrong code or link is reported only to the therapist to whom it belonged', async () => {
  await endAllSessions();
  const [one, two] = [await aTherapist(t.db), await aTherapist(t.db)];
  for (const therapist of [one, two]) await t.app.sessions.open(therapist.id);
  const clients = anotherNode({
    throttle: { turn: async () => {}, wrong: async () => {}, held: () => ({ delayed: 0, queued: 0 }), stop() {} },
  });
  const tried = async (way: { code: string } | { joinLink: string }) => {
    await clients.enter({ ...way, name: 'Guess' }, { principal: null, ip: '192.0.2.9' }).catch(() => undefined);
    return [(await clients.roomState(one.id)).wrongTries, (await clients.roomState(two.id)).wrongTries];
  };
  // Not reported while more than one room could have been meant.
  expect(await tried({ code: 'ZZZZZ' })).toEqual([0, 0]);
  expect(await tried({ joinLink: 'nobody-lives-here' })).toEqual([0, 0]);
  // Former ones: renewed, and of a live session that is over.
  const { code, joinLink } = await state(one);
  await t.api(calls.renewCode, {}, as(one));
  await t.api(calls.renewJoinLink, {}, as(one));
  expect(await tried({ code: code! })).toEqual([1, 0]);
  expect(await tried({ joinLink })).toEqual([2, 0]);
  const { code: ended } = await state(two);
  await t.app.sessions.end(two.id, 'ended');
  expect(await tried({ code: ended! })).toEqual([2, 1]);
  // Only one room is open now, so only that one can be meant.
  expect(await tried({ code: 'ZZZZZ' })).toEqual([3, 1]);
  await t.move(15 * 60);
  expect(await tried({ joinLink: 'nobody-lives-here' })).toEqual([0, 0]);
});

/** One more node on the same database, for a client in a room whose acts may fail before or after they are stored. */
async function aNodeWithFaults() {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  const { db, limits, clock, config, secrets } = t.app;
  const room = createRoom({ db, publish: () => {}, log: { error() {} } });
  const fault: { now: 'none' | 'before' | 'after' } = { now: 'none' };
  const act: typeof room.act = async (...of) => {
    if (of[0] !== therapist.id || fault.now === 'none') return room.act(...of);
    if (fault.now === 'after') await room.act(...of);
    throw new Error('no database');
  };
  const sessions = createSessions({ db, room, fieldAtEnd: async () => ({ figures: [], handsAllowed: true }) });
  const clients = createClients({
    db,
    sessions,
    limits,
    clock,
    config,
    secrets,
    room: { ...room, act },
    connections: { close() {}, leaveRoom() {} },
    renewJoinLink: t.app.accounts.renewJoinLink,
    hideTexts: t.app.field.hideTexts,
  });
  const isConnected = async () => (await clients.people(therapist.id))[0]?.connected;
  return { client, clients, fault, isConnected, stop: room.stop };
}

test('7 the end of a connection that could not be stored is stored as soon as that works', async () => {
  const { client, clients, fault, isConnected, stop } = await aNodeWithFaults();
  const connection = {};
  await clients.connected(client, connection);
  expect(await isConnected()).toBe(true);
  fault.now = 'before';
  await expect(clients.disconnected(client, connection)).rejects.toThrow('no database');
  await clients.sweep();
  expect(await isConnected()).toBe(true);
  fault.now = 'none';
  await clients.sweep();
  expect(await isConnected()).toBe(false);
  await stop();
});

test('7 a connection that was refused although it was stored does not count as open', async () => {
  const { client, clients, fault, isConnected, stop } = await aNodeWithFaults();
  const connection = {};
  fault.now = 'after';
  await expect(clients.connected(client, connection)).rejects.toThrow('no database');
  await clients.disconnected(client, connection);
  expect(await isConnected()).toBe(true);
  fault.now = 'none';
  await clients.sweep();
  expect(await isConnected()).toBe(false);
  await stop();
});

test('7 a crowd that returns at once is stored and announced together, without one who may not return', async () => {
  const therapist = await aTherapist(t.db);
  const crowd: BuiltClient[] = [];
  for (let seat = 0; seat < 4; seat += 1) crowd.push(await inRoom(t.app, therapist));
  const sentOut = await inRoom(t.app, therapist);
  const waits = await aClient(t.app, therapist);
  await t.app.clients.remove(therapist.id, sentOut.id);
  const revision = async () => (await t.app.room.stamps(therapist.id)).usersUpdatedOn;
  const before = await revision();

  const held = await holdRoom(therapist);
  const connecting = [...crowd, waits].map((client) => t.app.clients.connected(client, {}));
  // Caught at once: a refusal that nobody waits for yet would count as a fault outside of the test.
  const refused = t.app.clients.connected(sentOut, {}).then(
    () => null,
    (fault: unknown) => fault,
  );
  await held.waited(1);
  await held.release();

  await Promise.all(connecting);
  expect(await refused).toEqual(problem('sent_out'));
  expect(await revision()).toBe(before + 1);
  const { people, waiting } = await t.app.clients.peopleValue(therapist.id, { withWaiting: true });
  expect([...people, ...waiting!].map(({ id, connected }) => [id, connected])).toEqual(
    [...crowd, waits].map(({ id }) => [id, true]),
  );
});

test('7 other nodes do not count a refused connection as open', async () => {
  const therapist = await aTherapist(t.db);
  const [stays, sentOut] = [await inRoom(t.app, therapist), await inRoom(t.app, therapist)];
  await t.app.clients.remove(therapist.id, sentOut.id);
  const presenceOf = (id: string, other: string) => createPresence('client', id, sql`SELECT ${other}`);
  const clients = anotherNode({ nodes: { ...createLoneNode(), presence: () => presenceOf('one', 'two') } });
  await Promise.all([
    clients.connected(stays, {}),
    expect(clients.connected(sentOut, {})).rejects.toEqual(problem('sent_out')),
  ]);
  const known = await presenceOf('two', 'one').anywhere(t.db, [stays.id, sentOut.id]);
  expect(known).toEqual(new Set([stays.id]));
});

test('someone who enters another room gets in even if the seat in the first one could not be freed', async () => {
  const { client, clients, fault, stop } = await aNodeWithFaults();
  const other = await aTherapist(t.db);
  const principal = await clients.seatOf(client.id);
  fault.now = 'before';
  const { state: now, token } = await clients.enter(
    { joinLink: other.joinLink, name: 'Ada' },
    { principal, ip: '192.0.2.9' },
  );
  expect(now).toBe('waiting');
  expect(await clients.identifySeat(hashToken(token))).toMatchObject({ therapistId: other.id });
  await stop();
});

test('3 people that could not be read are announced to the therapist and to those who wait once they can', async () => {
  const therapist = await aTherapist(t.db);
  const waits = await aClient(t.app, therapist);
  const told: number[] = [];
  let broken = true;
  const unless = async <T>(value: T) => {
    if (broken) throw new Error('no database');
    return value;
  };
  const { stamps, inOrder } = t.app.room;
  const announcements = createAnnouncements({
    db: t.db,
    room: { stamps, inOrder, announce() {}, tell: (personId) => void told.push(personId) },
    roomNodes: NO_OTHER_NODES,
    views: { peopleValue: () => unless({ people: [], therapistHere: true }), isTherapistHere: () => unless(true) },
    noticeMs: 0,
  });
  await expect(announcements.tellTherapist(therapist.id)).rejects.toThrow('no database');
  await expect(announcements.tellWaiting(therapist.id)).rejects.toThrow('no database');
  await announcements.tellAgain();
  expect(told).toEqual([]);
  broken = false;
  await announcements.tellAgain();
  await announcements.tellAgain();
  expect(told).toEqual([therapist.id, waits.id]);
});

test('3 people are never announced under a revision that is newer than they are', async () => {
  const { id: therapistId } = await aTherapist(t.db);
  // Another node's act happens between any two reads.
  let revision = 0;
  const read = async <T>(make: (revision: number) => T) => make((revision += 1));
  const told: { people: number; stamp: number }[] = [];
  const announcements = createAnnouncements({
    db: t.db,
    room: {
      inOrder: t.app.room.inOrder,
      announce() {},
      stamps: () => read((now) => ({ usersUpdatedOn: now, participantsUpdatedOn: 0 })),
      tell: (_, change) =>
        void told.push({
          people: (change as unknown as { contents: { people: number } }).contents.people,
          stamp: (change as unknown as { usersUpdatedOn: number }).usersUpdatedOn,
        }),
    },
    roomNodes: NO_OTHER_NODES,
    views: {
      peopleValue: () => read((now) => ({ people: now, therapistHere: true }) as never),
      isTherapistHere: async () => true,
    },
    noticeMs: 0,
  });
  await announcements.tellTherapist(therapistId);
  expect(told).toEqual([{ people: 2, stamp: 1 }]);
});

test('5 wrong codes count for the open rooms, wrong links and right codes do not', async () => {
  const therapist = await aTherapist(t.db);
  await t.app.sessions.open(therapist.id);
  const { code } = await state(therapist);
  const wrong: unknown[][] = [];
  const throttle = {
    turn: async () => {},
    wrong: async (...tried: unknown[]) => void wrong.push(tried),
    held: () => ({ delayed: 0, queued: 0 }),
    stop() {},
  };
  const clients = anotherNode({ throttle });
  const from = { principal: null, ip: '192.0.2.9' };
  await expect(clients.enter({ code: 'ZZZZZ', name: 'Guess' }, from)).rejects.toEqual(problem('invalid_code'));
  await expect(clients.enter({ joinLink: 'nobody-lives-here', name: 'Guess' }, from)).rejects.toEqual(
    problem('join_link_unknown'),
  );
  await expect(clients.lookAtJoinLink('nobody-lives-here', from.ip)).rejects.toEqual(problem('join_link_unknown'));
  await clients.enter({ code: code!, name: 'Right' }, from);
  expect(wrong).toEqual([
    ['192.0.2.9', true],
    ['192.0.2.9', false],
    ['192.0.2.9', false],
  ]);
});

describe('the calls about unregistered users', () => {
  test('12 only one is selected at a time, roles use the fixed calls, clients see only names', async () => {
    const therapist = await aTherapist(t.db);
    const stranger = await aTherapist(t.db);
    const [first, second] = [await inRoom(t.app, therapist), await inRoom(t.app, therapist)];
    await t.api(calls.updateSelected, { body: { id: first.id, selected: true } }, as(therapist));
    // Programs send the whole user object; only the choice is used.
    const [, user] = await t.api(
      calls.getAllClients,
      { params: { therapistId: therapist.id } as never },
      as(therapist),
    );
    const changed = {
      ...user!,
      name: 'Another name',
      therapist: { ...user!.therapist, id: stranger.id },
      active: false,
      participants: [1],
      selected: true,
    };
    expect(await t.api(calls.updateSelected, { body: changed }, as(therapist))).toEqual({ ...user, selected: true });
    await expect(
      t.api(calls.updateSelected, { body: { ...changed, surprise: 1 } as never }, as(therapist)),
    ).rejects.toEqual(problem('invalid_input'));
    expect((await state(therapist)).people.map(({ selected }) => selected)).toEqual([false, true]);
    const [a, b] = [await figureOf(therapist), await figureOf(therapist)];
    for (const participantId of [a, b])
      await t.api(calls.setRole, { params: { userId: first.id, participantId } as never }, as(therapist));
    await t.api(calls.setActiveRole, { params: { userId: first.id, participantId: b } as never }, as(first));
    await expect(
      t.api(calls.setActiveRole, { params: { userId: second.id, participantId: b } as never }, as(second)),
    ).rejects.toEqual(problem('role_not_held'));
    const list = await t.api(
      calls.getActiveClients,
      { params: { therapistId: therapist.id } as never, body: {} },
      as(therapist),
    );
    expect(list).toMatchObject([
      { id: first.id, participants: [a, b], activeParticipant: b },
      { id: second.id, participants: [], activeParticipant: null },
    ]);
    await t.api(calls.removeRole, { params: { userId: first.id, participantId: b } as never }, as(therapist));
    expect((await state(therapist)).people[0]).toMatchObject({ roles: [a], activeRole: a });
    expect(await t.api(calls.getActiveClients, { params: { therapistId: therapist.id } as never }, as(second))).toEqual(
      [
        { id: first.id, name: first.name },
        { id: second.id, name: second.name },
      ],
    );

    // Strangers see nothing, and clients may not act as therapists.
    await expect(
      t.api(calls.updateSelected, { body: { id: first.id, selected: false } }, as(stranger)),
    ).rejects.toEqual(problem('not_found'));
    await expect(
      t.api(calls.setRole, { params: { userId: first.id, participantId: a } as never }, as(stranger)),
    ).rejects.toEqual(problem('not_found'));
    await expect(
      t.api(
        calls.setRole,
        { params: { userId: first.id, participantId: await figureOf(stranger) } as never },
        as(therapist),
      ),
    ).rejects.toEqual(problem('not_found'));
    await expect(
      t.api(calls.setRole, { params: { userId: first.id, participantId: a } as never }, as(first)),
    ).rejects.toEqual(problem('forbidden'));
    await expect(t.api(calls.setNonActive, { params: { userId: first.id } as never }, as(second))).rejects.toEqual(
      problem('forbidden'),
    );
    await expect(t.api(calls.remove, { body: { clientId: first.id } }, as(stranger))).rejects.toEqual(
      problem('not_found'),
    );
    await expect(t.api(calls.admit, { body: { clientIds: 'all' } }, as(first))).rejects.toEqual(problem('forbidden'));
    await expect(
      t.api(calls.getActiveClients, { params: { therapistId: stranger.id } as never }, as(first)),
    ).rejects.toEqual(problem('forbidden'));
  });
});

test('a waiting client receives only its own channel', async () => {
  const therapist = await aTherapist(t.db);
  const other = await aTherapist(t.db);
  await t.app.sessions.open(therapist.id);
  const client = await aClient(t.app, therapist);
  for (const destination of [
    roomDestination(therapist.id),
    roomDestination(other.id),
    ownDestination(therapist.id),
    '/sb/user/*',
    '/sb/user/only/',
  ]) {
    const page = await openScreen(t.url, client.token);
    await expect(page.subscribe(destination)).rejects.toMatchObject({ code: 'forbidden' });
  }
});
