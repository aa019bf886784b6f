/**
 * The database goes away, hangs or has no connection left: the server lives on, says so in time and continues when it
 * is back.
 */
import { type SQL, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getPublicConfig } from '@fieldroom/contract/accounts';
import { bookEvent, CONFIRM_HEADER, confirmBooking } from '@fieldroom/contract/bookings';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { SEND } from '@fieldroom/contract/realtime';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { inRoom } from '../../src/builders/clients.builders.ts';
import { aBooking } from '../../src/builders/bookings.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { aFigure } from '../../src/builders/field.builders.ts';
import { aNewEmail, kindsTo, rowsOf } from '../../src/features/bookings/bookings.fixture.ts';
import { COMMITTED } from '../support/programs/chaos-proxy.ts';
import { type HeldLock, holdLock, lockWaits } from '../support/locks.ts';
import { testApp, type TestApp } from '../support/test-app.ts';
import { openClientScreen, openTherapistScreen, rejoinTherapistScreen, type Screen } from '../support/people/screen.ts';

/** Short, because every fault is waited out here; long enough for statements and connections on a busy machine. */
const TIMEOUT_MS = 2000;

let t: TestApp;
beforeEach(async () => {
  const open = { LIMIT_BOOKING: '100000/60', LIMIT_OPEN_HOLDS: '100000/60' };
  const env = { ...open, DATABASE_TIMEOUT_MS: String(TIMEOUT_MS), DATABASE_CONNECTIONS: '8' };
  t = await testApp({ proxied: true, env });
});
afterEach(() => t.close());

const proxy = () => t.proxy!;
/** A call that reads the database. */
const ask = () => t.call(getPublicConfig);
const untilServed = () => expect.poll(async () => (await ask()).status, { timeout: 60_000, interval: 20 }).toBe(200);

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await response.json()).toMatchObject({ code: 'unavailable', retryAfterSeconds: expect.any(Number) as number });
}

/** A room whose therapist's page is open. */
async function aRoom() {
  const therapist = await aTherapist(t.db);
  await t.app.sessions.open(therapist.id);
  const figure = await aFigure(t.db, { therapistId: therapist.id });
  return { therapist, figure, screen: await openTherapistScreen(t.url, therapist) };
}

function place(screen: Screen, figureId: number, x: number): string {
  const actId = crypto.randomUUID();
  void screen.send(FIELD_SEND.act, { actId, act: { kind: 'place', figureId, x, y: 10 } }).catch(() => {});
  return actId;
}

/** Locks a row until `release`, or until a fault takes the connection that holds it. */
async function lock(row: SQL): Promise<HeldLock> {
  const held = await holdLock(t.db, (tx) => tx.execute(sql`SELECT 1 FROM ${row} FOR UPDATE`));
  return { ...held, release: () => held.release().catch(() => {}) };
}

/**
 * Acts until an act waits for a lock. Returns its id. One that was refused before anybody saw it wait is followed by
 * another.
 */
async function untilOneWaits(screen: Screen, act: () => string): Promise<string> {
  let actId = act();
  const isRefused = () => screen.of('PROBLEM').some(({ contents }) => contents.actId === actId);
  await expect
    .poll(
      async () => {
        if (isRefused()) actId = act();
        return lockWaits(t.db);
      },
      { timeout: 60_000, interval: 10 },
    )
    .toBeGreaterThan(0);
  return actId;
}

describe('a connection that breaks while it is in use', () => {
  test('costs the act that used it, and nothing else', async () => {
    const { therapist, figure, screen } = await aRoom();
    const held = await lock(sql`rooms WHERE therapist_id = ${therapist.id}`);
    const actId = await untilOneWaits(screen, () => place(screen, figure.id, 20));
    expect(proxy().cut()).toBeGreaterThan(1);
    const { contents } = await screen.next('PROBLEM', (change) => change.contents.actId === actId);
    expect(contents.problem).toMatchObject({ code: 'unavailable', status: 503 });
    await held.release();
    await untilServed();
    const after = place(screen, figure.id, 30);
    await screen.next('PLAYER_CHANGE', (change) => change.contents.actId === after);
    expect(t.logged.text()).not.toContain('unexpected');
  });

  test('ended by PostgreSQL itself, the same', async () => {
    const { figure, screen } = await aRoom();
    const ended = t.db.transaction((tx) => tx.execute(sql`SELECT pg_terminate_backend(pg_backend_pid())`));
    await expect(ended).rejects.toThrow();
    const after = place(screen, figure.id, 30);
    await screen.next('PLAYER_CHANGE', (change) => change.contents.actId === after);
    await untilServed();
  });
});

describe('a database that hangs', () => {
  test('is not waited for, takes no connection away for good, and is used again when it answers', async () => {
    // Every connection is open and idle, so that a transaction's BEGIN is the statement without an answer.
    await Promise.all(Array.from({ length: 20 }, ask));
    const { therapist, figure, screen } = await aRoom();
    proxy().hang();
    const lost = await Promise.allSettled(
      Array.from({ length: 20 }, () => t.db.transaction((tx) => tx.execute(sql`SELECT 1`))),
    );
    expect(new Set(lost.map(({ status }) => status))).toEqual(new Set(['rejected']));
    // More than there are connections, so that calls that wait for one are answered too.
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    for (const answer of answers) await expectUnavailable(answer);
    const ready = await t.fetch('/readyz');
    expect(ready.status).toBe(503);
    expect((await t.fetch('/healthz')).status).toBe(200);
    proxy().resume();
    await untilServed();
    // All at once: every place of the pool is free again.
    expect(await Promise.all(Array.from({ length: 20 }, async () => (await ask()).status))).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
    const actId = place(screen, figure.id, 44);
    await screen.next('PLAYER_CHANGE', (change) => change.contents.actId === actId);
    expect(therapist.id).toBeGreaterThan(0);
  });
});

describe('a client’s connection', () => {
  test('outlives a database that hangs; acts are refused in words, and people who come meanwhile are asked to try again', async () => {
    const { therapist, screen } = await aRoom();
    const client = await inRoom(t.app, therapist);
    const figure = await aFigure(t.db, { therapistId: therapist.id, movableBy: 'everyone' });
    const page = await openClientScreen(t.url, client);
    proxy().hang();
    const refused = place(page, figure.id, 44);
    const question = page.send(SEND.checkUpdate, {
      userId: client.id,
      userType: 'CLIENT',
      usersUpdatedOn: 0,
      participantsUpdatedOn: 0,
    });
    const { contents } = await page.next('PROBLEM', (change) => change.contents.actId === refused);
    expect(contents.problem).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    await question;
    await expect(openClientScreen(t.url, client)).rejects.toMatchObject({ code: 'unavailable' });
    proxy().resume();
    await untilServed();
    const stored = place(page, figure.id, 55);
    await screen.next('PLAYER_CHANGE', (change) => change.contents.actId === stored);
    expect(page.of('PROBLEM')).toHaveLength(1);
    expect(t.logged.entries().filter(({ msg }) => msg === 'a frame could not be handled')).toEqual([]);
  });
});

describe('a process that stands still', () => {
  test('longer than an answer may take, reads the answer that came meanwhile', async () => {
    await t.db.execute(sql`SELECT 1`);
    const asked = t.db.execute(sql`SELECT 1`);
    // Already sent, and answered while nothing runs here.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const until = performance.now() + TIMEOUT_MS * 3;
    while (performance.now() < until);
    await expect(asked).resolves.toMatchObject({ rowCount: 1 });
  });
});

describe('a database that is down', () => {
  test('is said at once, and gone as soon as it is back', async () => {
    await ask();
    await proxy().down();
    await expectUnavailable(await ask());
    expect((await t.fetch('/readyz')).status).toBe(503);
    await proxy().up();
    await untilServed();
    await expect.poll(async () => (await t.fetch('/readyz')).status, { timeout: 60_000, interval: 20 }).toBe(200);
    // One line for many calls that failed for the same reason.
    const lines = t.logged.entries().filter(({ msg }) => msg === 'the database could not serve a call');
    expect(lines.length).toBeGreaterThan(0);
    expect(t.logged.entries().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

describe('all connections taken', () => {
  test('calls are refused in time while rooms go on, also for a therapist who comes back to one', async () => {
    const { figure, screen } = await aRoom();
    const other = await aTherapist(t.db);
    await t.app.sessions.open(other.id);
    const free = Promise.withResolvers<void>();
    const taken: Promise<void>[] = [];
    const holding: Promise<unknown>[] = [];
    for (let n = 0; n < t.app.database.pool.options.max; n++) {
      const has = Promise.withResolvers<void>();
      taken.push(has.promise);
      holding.push(
        t.db.transaction(async (tx) => {
          await tx.execute(sql`SELECT 1`);
          has.resolve();
          await free.promise;
        }),
      );
    }
    await Promise.all(taken);
    await expectUnavailable(await ask());
    await (await rejoinTherapistScreen(t.url, other)).leave();
    const actId = place(screen, figure.id, 50);
    await screen.next('PLAYER_CHANGE', (change) => change.contents.actId === actId);
    free.resolve();
    await Promise.all(holding);
    await untilServed();
  });
});

describe('a row that somebody holds for long', () => {
  test('a room whose row is held refuses acts in time, and its people stay', async () => {
    const { therapist, figure, screen } = await aRoom();
    const held = await lock(sql`rooms WHERE therapist_id = ${therapist.id}`);
    const actId = place(screen, figure.id, 70);
    const { contents } = await screen.next('PROBLEM', (change) => change.contents.actId === actId);
    expect(contents.problem).toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    await held.release();
    const after = place(screen, figure.id, 71);
    await screen.next('PLAYER_CHANGE', (change) => change.contents.actId === after);
  });
});

describe('a booking under way is neither lost nor doubled', () => {
  /** Somebody at the form of an event, who presses again after a refusal. */
  async function atTheForm() {
    const { id: eventId } = await anEvent(t.db, { therapistId: (await aTherapist(t.db)).id });
    const email = aNewEmail();
    const body = { firstName: 'Ana', lastName: 'Pop', email, phoneNumber: '+40 721 555 123' };
    return {
      eventId,
      press: () => t.call(bookEvent, { params: { eventId }, body }),
      rows: () => rowsOf(t, eventId),
      emails: async () => (await kindsTo(t, email)).filter((kind) => kind === 'held'),
    };
  }

  test.each([
    { what: 'the statement', where: 'take_holds', way: 'up', stored: 0 },
    { what: 'its answer', where: 'verdict', way: 'down', stored: 1 },
  ] as const)('when the connection is reset in the middle of $what', async ({ where, way, stored }) => {
    const { press, rows, emails } = await atTheForm();
    let isCut = false;
    void proxy()
      .cutOnce(where, way)
      .then(() => (isCut = true));
    let answer: Response;
    // On a machine that stalls a press may be refused before it comes to the statement.
    do answer = await press();
    while (!isCut);
    await expectUnavailable(answer);
    expect(await rows()).toHaveLength(stored);
    expect((await press()).ok).toBe(true);
    expect((await rows()).map(({ state }) => state)).toEqual(['HELD']);
    // Somebody who already holds a place gets the email of the hold again.
    expect(await emails()).toHaveLength(1 + stored);
  });

  test('when the connection hangs before the answer', async () => {
    const { eventId, press, rows, emails } = await atTheForm();
    const held = await lock(sql`events WHERE id = ${eventId}`);
    const pressed = press();
    await held.waited(1);
    proxy().hang('down');
    const released = held.release();
    await expectUnavailable(await pressed);
    proxy().resume();
    await released;
    await expect.poll(async () => (await press()).ok, { timeout: 60_000, interval: 20 }).toBe(true);
    expect((await rows()).map(({ state }) => state)).toEqual(['HELD']);
    expect(await emails()).not.toEqual([]);
  });

  test('when the answer to the commit of its confirmation is lost', async () => {
    const { id: eventId } = await anEvent(t.db, { therapistId: (await aTherapist(t.db)).id });
    for (;;) {
      const { id, emailToken, email } = await aBooking(t.db, { eventId, state: 'HELD' });
      const confirm = () =>
        t.call(confirmBooking, { query: { token: emailToken } }, { headers: { [CONFIRM_HEADER]: '1' } });
      let isCut = false;
      void proxy()
        .cutOnce(COMMITTED, 'down')
        .then(() => (isCut = true));
      let answer: Response;
      do answer = await confirm();
      while (!isCut);
      const { state } = (await rowsOf(t, eventId)).find((row) => row.id === id)!;
      // It was the commit of other work, before or after a refusal.
      if (answer.status === 200 || state === 'HELD') continue;
      await expectUnavailable(answer);
      expect(state).toBe('CONFIRMED');
      expect((await confirm()).status).toBe(200);
      expect((await kindsTo(t, email)).filter((kind) => kind === 'confirmed')).toHaveLength(1);
      return;
    }
  });
});
