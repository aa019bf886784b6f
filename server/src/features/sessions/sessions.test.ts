/**
 * Live sessions: one at a time, their code, the therapist's connection and the end. Numbers:
 * features/clients/README.md.
 */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { logout, sessionOut, theripstConnected, theripstDisconnected } from '@fieldroom/contract/accounts';
import * as calls from '@fieldroom/contract/clients';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aClient, inRoom } from '../../builders/clients.builders.ts';
import {
  openClientScreen,
  openScreen,
  openTherapistScreen,
  rejoinTherapistScreen,
} from '../../../tests/support/people/screen.ts';
import { clients as clientRows } from '../clients/clients.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { createRoom } from '../room/index.ts';
import { DatabaseUnavailable } from '../../platform/db/db.ts';
import { createPresence } from '../../platform/nodes/presence.ts';
import { createSessions } from './index.ts';
import { attendances, liveSessions } from './sessions.tables.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const as = ({ token }: { token: string }) => ({ token });
const state = (therapist: BuiltAccount) => t.api(calls.getRoom, {}, as(therapist));
const sessionsOf = (therapist: BuiltAccount) =>
  t.db.select().from(liveSessions).where(eq(liveSessions.therapistId, therapist.id));
const problem = (code: string) => expect.objectContaining({ code });

test('opening many times at once, by two processes, starts one live session', async () => {
  const therapist = await aTherapist(t.db);
  // As on another node: its own order of acts, so that only the database decides.
  const elsewhere = createSessions({
    db: t.db,
    room: createRoom({ db: t.db, publish: () => {}, log: { error() {} } }),
    fieldAtEnd: async () => ({ figures: [], handsAllowed: true }),
  });
  const opened = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0 ? t.app.sessions.open(therapist.id) : elsewhere.open(therapist.id),
    ),
  );
  expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
  expect(opened.filter(({ started }) => started)).toHaveLength(1);
  expect(await sessionsOf(therapist)).toHaveLength(1);
});

test('14 the end reaches everybody before their connection is closed; tokens and code become invalid, the field is kept', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  await t.app.field.act({ as: 'therapist', therapistId: therapist.id, personId: therapist.id }, crypto.randomUUID(), {
    kind: 'add',
    figure: { iconType: 'KIWI', x: 10, y: 20 },
  });
  const { figures } = await t.app.field.snapshot(therapist.id);
  const client = await inRoom(t.app, therapist);
  await t.api(calls.setRole, { params: { userId: client.id, participantId: figures[0]!.id } as never }, as(therapist));
  const waiting = await aClient(t.app, therapist);
  const pages = [await openClientScreen(t.url, client), await openClientScreen(t.url, waiting, { room: false })];
  const { code } = await state(therapist);
  const ends = await Promise.all([
    t.app.sessions.end(therapist.id, 'ended'),
    t.app.sessions.end(therapist.id, 'ended'),
  ]);
  expect(ends.filter(Boolean)).toHaveLength(1);
  for (const page of pages) {
    expect(await page.closed).toBe(null);
    expect(page.of('SESSION_OUT').map(({ contents }) => contents.reason)).toEqual(['ended']);
  }
  await screen.next('SESSION_OUT');
  for (const one of [client, waiting]) {
    await expect(t.api(calls.getSeat, {}, as(one))).rejects.toEqual(problem('live_session_over'));
    await expect(openScreen(t.url, one.token)).rejects.toMatchObject({ code: 'live_session_over' });
  }
  await expect(t.api(calls.enterRoom, { body: { code: code!, name: 'Late' } })).rejects.toEqual(
    problem('invalid_code'),
  );
  // An old token in the browser does not prevent anybody from entering again.
  expect(
    (await t.api(calls.enterRoom, { body: { joinLink: therapist.joinLink, name: 'Again' } }, as(client))).state,
  ).toBe('waiting');
  const [row] = await sessionsOf(therapist);
  expect(row).toMatchObject({
    endReason: 'ended',
    fieldAtEnd: { figures: [expect.objectContaining({ iconType: 'KIWI' })], handsAllowed: true },
  });
  const attended = await t.db.select().from(attendances).where(eq(attendances.liveSessionId, row!.id));
  expect(attended).toEqual([expect.objectContaining({ clientName: client.name, leftAt: expect.any(Date) })]);
  expect(await t.app.clients.rolesOf(therapist.id)).toEqual(new Map());
  expect((await t.app.field.snapshot(therapist.id)).figures).toHaveLength(1);
  expect(await state(therapist)).toMatchObject({ code: null, liveSession: null, people: [] });
  await expect(t.api(calls.endLiveSession, {}, as(therapist))).rejects.toEqual(problem('no_live_session'));
  await screen.leave();
});

test('a page that reconnects after the end is refused and starts nothing; only opening does', async () => {
  const therapist = await aTherapist(t.db);
  await expect(rejoinTherapistScreen(t.url, therapist)).rejects.toMatchObject({ code: 'live_session_over' });
  expect(await sessionsOf(therapist)).toEqual([]);

  const screen = await openTherapistScreen(t.url, therapist);
  const away = async () => (await t.app.room.row(therapist.id)).therapistAwaySince;
  await screen.cut();
  await expect.poll(away).toBeInstanceOf(Date);
  await t.move(10 * 60 + 1);
  await t.app.sessions.sweep();
  expect((await state(therapist)).liveSession).toBe(null);
  await expect(rejoinTherapistScreen(t.url, therapist)).rejects.toMatchObject({ code: 'live_session_over' });
  expect(await sessionsOf(therapist)).toMatchObject([{ endReason: 'therapist_away' }]);
  expect((await state(therapist)).code).toBe(null);

  const again = await openTherapistScreen(t.url, therapist);
  expect(await sessionsOf(therapist)).toHaveLength(2);
  // A refused call does not count as the therapist's presence.
  await again.cut();
  await expect.poll(away).toBeInstanceOf(Date);
});

test('signing out ends the live session and closes the connections of that sign-in', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  const client = await inRoom(t.app, therapist);
  const page = await openClientScreen(t.url, client);
  await t.api(logout, { params: { userId: therapist.id } as never }, as(therapist));
  expect((await page.next('SESSION_OUT')).contents.reason).toBe('signed_out');
  expect(await screen.closed).toBe('session_expired');
  await page.closed;
});

test('signing out closes the connections of that sign-in even if the live session could not be ended', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  vi.spyOn(t.app.sessions, 'end').mockRejectedValueOnce(new DatabaseUnavailable('no database'));
  await expect(t.api(logout, { params: { userId: therapist.id } as never }, as(therapist))).rejects.toEqual(
    problem('unavailable'),
  );
  expect(await screen.closed).toBe('session_expired');
  await t.app.sessions.end(therapist.id, 'ended');
});

test('13 the therapist’s connection drops and comes back; after ten minutes without it the live session ends', async () => {
  const therapist = await aTherapist(t.db);
  const first = await openTherapistScreen(t.url, therapist);
  const second = await openTherapistScreen(t.url, therapist);
  const client = await inRoom(t.app, therapist);
  const page = await openClientScreen(t.url, client);
  await first.cut();
  await expect.poll(() => t.app.realtime.broker.connectionsOf(({ id }) => id === therapist.id).length).toBe(1);
  // The effects of the first connection's end come first in the room's order.
  await t.app.sessions.sweep();
  await t.app.room.inOrder(therapist.id, async () => {});
  expect((await t.app.room.row(therapist.id)).therapistAwaySince).toBe(null);
  expect(page.of('DISCONNECTED')).toEqual([]);
  await second.cut();
  await page.next('DISCONNECTED');
  await page.next('UNREGISTER_USER', ({ contents }) => !contents.therapistHere);
  await t.move(9 * 60);
  await t.app.sessions.sweep();
  expect((await state(therapist)).liveSession).not.toBe(null);
  const back = await openTherapistScreen(t.url, therapist);
  await page.next('RECONNECTED');
  await t.move(2 * 60);
  await t.app.sessions.sweep();
  expect((await state(therapist)).liveSession).not.toBe(null);
  await back.leave();
  await expect.poll(() => page.of('DISCONNECTED').length).toBe(2);
  await t.move(10 * 60 + 1);
  await t.app.sessions.sweep();
  expect((await page.next('SESSION_OUT')).contents.reason).toBe('therapist_away');
});

/** One more node on the same database, with a therapist's page on it; acts on their room may fail. */
async function aNodeWithFaults() {
  const therapist = await aTherapist(t.db);
  const room = createRoom({ db: t.db, publish: () => {}, log: { error() {} } });
  const fault: { now: 'none' | 'before' | 'after' } = { now: 'none' };
  const act: typeof room.act = async (...of) => {
    if (of[0] !== therapist.id || fault.now === 'none') return room.act(...of);
    if (fault.now === 'after') await room.act(...of);
    throw new DatabaseUnavailable('no database');
  };
  const sessions = createSessions({
    db: t.db,
    room: { ...room, act },
    fieldAtEnd: async () => ({ figures: [], handsAllowed: true }),
  });
  const page = {};
  await sessions.open(therapist.id);
  await sessions.therapistJoined(therapist.id, page);
  return {
    therapist,
    fault,
    sessions,
    join: () => sessions.therapistJoined(therapist.id, page),
    leave: () => sessions.therapistLeft(therapist.id, page),
    isHere: async () => (await room.row(therapist.id)).therapistAwaySince === null,
    stop: () => room.stop(),
    async end() {
      await sessions.end(therapist.id, 'ended');
      await room.stop();
    },
  };
}

test('13 the end of a therapist’s connection that could not be stored is stored as soon as that works', async () => {
  const { fault, sessions, leave, isHere, end } = await aNodeWithFaults();
  fault.now = 'before';
  await expect(leave()).rejects.toThrow('no database');
  await expect(sessions.sweep()).rejects.toThrow('no database');
  expect(await isHere()).toBe(true);
  fault.now = 'none';
  await sessions.sweep();
  expect(await isHere()).toBe(false);
  await end();
});

test('13 a therapist who is back before that stays; one refused although it was stored is away', async () => {
  const { fault, sessions, join, leave, isHere, end } = await aNodeWithFaults();
  fault.now = 'before';
  await expect(leave()).rejects.toThrow('no database');
  fault.now = 'none';
  const here: boolean[] = [];
  sessions.onHere((_, isSo) => here.push(isSo));
  await join();
  await sessions.sweep();
  expect([await isHere(), here]).toEqual([true, []]);

  await leave();
  fault.now = 'after';
  await expect(join()).rejects.toThrow('no database');
  fault.now = 'before';
  await expect(leave()).rejects.toThrow('no database');
  expect(await isHere()).toBe(true);
  fault.now = 'none';
  await sessions.sweep();
  expect(await isHere()).toBe(false);
  await end();
});

test('13 a stored earlier act does not hide that a later one could not be stored', async () => {
  const { fault, sessions, join, leave, isHere, end } = await aNodeWithFaults();
  await leave();
  const [stored, announced] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  sessions.onPresenceChanged(() => {
    stored.resolve();
    return announced.promise;
  });
  const joining = join();
  await stored.promise;
  fault.now = 'before';
  await expect(leave()).rejects.toThrow('no database');
  fault.now = 'none';
  announced.resolve();
  await joining;
  expect(await isHere()).toBe(true);
  await sessions.sweep();
  expect(await isHere()).toBe(false);
  await end();
});

test('13 no retries are made for a therapist whose account was deleted', async () => {
  const { therapist, fault, sessions, leave, stop } = await aNodeWithFaults();
  fault.now = 'before';
  await expect(leave()).rejects.toThrow('no database');
  fault.now = 'none';
  await t.db.delete(accounts).where(eq(accounts.id, therapist.id));
  await sessions.sweep();
  await stop();
});

test('13 a refused therapist does not count as connected on other nodes, even if that is stored late', async () => {
  const therapist = await aTherapist(t.db);
  const presenceOf = (id: string, other: string) => createPresence('therapist', id, sql`SELECT ${other}`);
  const room = createRoom({ db: t.db, publish: () => {}, log: { error() {} } });
  const sessions = createSessions({
    db: t.db,
    room,
    nodes: { presence: () => presenceOf('one', 'two') },
    fieldAtEnd: async () => ({ figures: [], handsAllowed: true }),
  });
  const { act } = room;
  vi.spyOn(room, 'act')
    .mockImplementationOnce(act as never)
    .mockRejectedValueOnce(new DatabaseUnavailable('no database'));
  await expect(sessions.therapistJoined(therapist.id, {})).rejects.toThrow('no database');
  const isKnown = async () => (await presenceOf('two', 'one').anywhere(t.db, [therapist.id])).has(therapist.id);
  expect(await isKnown()).toBe(true);
  await sessions.sweep();
  expect(await isKnown()).toBe(false);
  await room.stop();
});

test('13 the page’s report about its own connection counts until another connection proves otherwise', async () => {
  const therapist = await aTherapist(t.db);
  const other = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  const client = await inRoom(t.app, therapist);
  const page = await openClientScreen(t.url, client);
  for (const call of [theripstDisconnected, theripstConnected, sessionOut]) {
    await expect(t.api(call, { params: { userId: therapist.id } as never }, as(other))).rejects.toEqual(
      problem('not_found'),
    );
    await expect(t.api(call, { params: { userId: client.id } as never }, as(client))).rejects.toEqual(
      problem('forbidden'),
    );
  }
  await t.api(theripstDisconnected, { params: { userId: therapist.id } as never }, as(therapist));
  await page.next('DISCONNECTED');
  await t.api(theripstConnected, { params: { userId: therapist.id } as never }, as(therapist));
  await page.next('RECONNECTED');
  await t.api(theripstDisconnected, { params: { userId: therapist.id } as never }, as(therapist));
  await t.move(11);
  await t.app.sessions.sweep();
  await expect.poll(() => page.of('RECONNECTED').length).toBe(2);
  await t.api(sessionOut, { params: { userId: therapist.id } as never }, as(therapist));
  await page.next('SESSION_OUT');
  await screen.leave();
});

test('the code is renewed on demand and silently after four hours; the old one becomes invalid', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  // Alone, the therapist would be timed out.
  const page = await openClientScreen(t.url, await inRoom(t.app, therapist));
  const { code: first } = await state(therapist);
  const { code: second } = await t.api(calls.renewCode, {}, as(therapist));
  expect(second).not.toBe(first);
  await expect(t.api(calls.enterRoom, { body: { code: first!, name: 'Old' } })).rejects.toEqual(
    problem('invalid_code'),
  );
  await t.move(4 * 3600 - 60);
  await t.app.sessions.sweep();
  expect((await state(therapist)).code).toBe(second);
  // Before the clock is moved: the sweep also runs by itself, every second.
  const before = screen.heard.length;
  await t.move(61);
  await t.app.sessions.sweep();
  await screen.next('REFRESH_ADMIN', ({ contents }) => contents.what === 'room', before);
  expect((await state(therapist)).code).not.toBe(second);
  await screen.leave();
  await page.leave();
});

test('the operator makes codes longer; the longer one is accepted in any spelling, and one with missing characters is wrong', async () => {
  const own = await testApp({ env: { ROOM_CODE_LENGTH: '12' } });
  try {
    const therapist = await aTherapist(own.db);
    const { code } = await own.api(calls.openRoom, {}, as(therapist));
    expect(code).toMatch(new RegExp(`^[${calls.CODE_ALPHABET}]{12}$`));
    expect(
      (
        await own.api(calls.enterRoom, {
          body: { code: ` ${code!.slice(0, 6).toLowerCase()} - ${code!.slice(6)}`, name: 'Hanna' },
        })
      ).state,
    ).toBe('waiting');
    for (const wrong of [code!.slice(0, 5), code!.slice(0, 11)])
      await expect(own.api(calls.enterRoom, { body: { code: wrong, name: 'Guess' } })).rejects.toEqual(
        problem('invalid_code'),
      );
    expect((await own.api(calls.renewCode, {}, as(therapist))).code).toHaveLength(12);
  } finally {
    await own.close();
  }
});

test('nobody counts as connected after a restart', async () => {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  // The state that a killed server leaves.
  await t.db.update(clientRows).set({ awaySince: null }).where(eq(clientRows.id, client.id));
  await t.db.execute(sql`update rooms set therapist_away_since = null where therapist_id = ${therapist.id}`);
  await t.app.clients.afterStart();
  await t.app.sessions.afterStart();
  expect((await state(therapist)).people).toMatchObject([{ connected: false }]);
  expect((await t.app.room.row(therapist.id)).therapistAwaySince).toBeInstanceOf(Date);
});
