/** The lists and pages of events: their content, their readers and their cost. Numbers are those of README.md. */
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Booking } from '@fieldroom/contract/bookings';
import * as calls from '@fieldroom/contract/events';
import { dayPlus, type EventFilter } from '@fieldroom/contract/events';
import { Problem } from '../../../platform/problem.ts';
import { anAccount, aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { inRoom } from '../../../builders/clients.builders.ts';
import { anEvent, aSeries } from '../../../builders/events.builders.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { bookingHandles, bookings } from '../../bookings/bookings.tables.ts';
import { findShown, type ListName, pageQuery, readUpcoming, type Wanted } from './events.lists.store.ts';
import { createEventLists } from './events.lists.ts';
import type { EventRow } from '../index.ts';

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db, { firstName: 'Anna', lastName: 'Demo' });
});

const upcoming = (
  filter: EventFilter | undefined = {},
  { token, query }: { token?: string; query?: Record<string, number> } = {},
) => t.api(calls.upcomingEvents, { params: { therapistName: therapist.slug }, body: filter, query }, { token });
const found = async (filter?: EventFilter, options?: Parameters<typeof upcoming>[1]) =>
  (await upcoming(filter, options)).content.map(({ id }) => id);
const code = (act: Promise<unknown>) =>
  act.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof Problem) return error.code;
      throw error;
    },
  );
const ids = (rows: readonly EventRow[]) => rows.map(({ id }) => id);

async function book(eventId: number, state: 'HELD' | 'CONFIRMED', heldSeconds = 600): Promise<void> {
  const email = `${crypto.randomUUID()}@mail.example`;
  await t.db.insert(bookings).values({
    eventId,
    state,
    firstName: 'Secretname',
    lastName: 'Nagy',
    email,
    emailNormalized: email,
    phone: '+36 1 234 5678',
    language: 'hu',
    heldUntil: state === 'HELD' ? sql`product_now() + make_interval(secs => ${heldSeconds})` : null,
  });
}

describe('19. upcoming', () => {
  test('lists what is not over, the next first, without other therapists’ events', async () => {
    const foreign = await aTherapist(t.db);
    await anEvent(t.db, { therapistId: foreign.id });
    const late = await anEvent(t.db, { therapistId: therapist.id, daysAhead: 30 });
    const running = await anEvent(t.db, { therapistId: therapist.id, daysAhead: -1, pattern: [0, 2] });
    await anEvent(t.db, { therapistId: therapist.id, daysAhead: -2 });
    await anEvent(t.db, { therapistId: therapist.id, deleted: true });
    await anEvent(t.db, { therapistId: therapist.id, status: 'CANCELLED' });
    const soon = await anEvent(t.db, { therapistId: therapist.id, daysAhead: 3 });
    expect(await found()).toEqual([running.id, soon.id, late.id]);
    expect(await found(undefined)).toEqual([running.id, soon.id, late.id]);
  });

  test('no longer lists an event that has ended', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id, startsInMinutes: 3 });
    const left = (row.endsAt.getTime() - (await t.clock.now()).getTime()) / 1000;
    await t.move(left - 60);
    expect(await found()).toEqual([row.id]);
    await t.move(61);
    expect(await found()).toEqual([]);
    expect(
      (await t.api(calls.myEvents, { body: { list: 'past' } }, { token: therapist.token })).content.map(({ id }) => id),
    ).toEqual([row.id]);
  });

  test('also shows cancelled ones to the owner, and deleted ones to nobody', async () => {
    const cancelled = await anEvent(t.db, { therapistId: therapist.id, status: 'CANCELLED', cancelReason: 'Personal' });
    await anEvent(t.db, { therapistId: therapist.id, deleted: true });
    expect(await found({}, { token: therapist.token })).toEqual([cancelled.id]);
    const foreign = await aTherapist(t.db);
    const client = await inRoom(t.app, therapist);
    for (const token of [foreign.token, client.token, 'x'.repeat(43), undefined])
      expect(await found({}, { token })).toEqual([]);
  });

  test('answers in pages, with the total', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, further: [1, 2, 3, 4, 5, 6] });
    expect(await upcoming({}, { query: { size: 3 } })).toMatchObject({
      page: 0,
      size: 3,
      totalElements: 7,
      content: ids(rows)
        .slice(0, 3)
        .map((id) => ({ id })),
    });
    expect(await found({}, { query: { size: 3, page: 2 } })).toEqual([rows[6]!.id]);
    expect(await upcoming({}, { query: { size: 3, page: 3 } })).toEqual({
      page: 3,
      size: 3,
      totalElements: 7,
      content: [],
    });
    expect(await upcoming({}, { query: { page: 999_999 } })).toMatchObject({ totalElements: 7, size: 20, content: [] });
    for (const query of [{ size: 0 }, { size: 101 }, { size: -1 }, { page: -1 }, { page: 1.5 }] as Record<
      string,
      number
    >[])
      expect(await code(upcoming({}, { query })), JSON.stringify(query)).toBe('invalid_input');
  });

  test('is not found under an unknown name, or one whose owner has no public page', async () => {
    const hidden = [
      await anAccount(t.db, { verified: false }),
      await anAccount(t.db, { suspended: true }),
      await anAccount(t.db, { roles: ['ROLE_ADMIN'] }),
    ];
    for (const therapistName of ['nobody-here', ...hidden.map(({ slug }) => slug)]) {
      expect(await code(t.api(calls.upcomingEvents, { params: { therapistName } })), therapistName).toBe('not_found');
      expect(await code(t.api(calls.publicTherapistPage, { params: { therapistName } })), therapistName).toBe(
        'not_found',
      );
    }
    for (const therapistName of ["x' OR '1'='1", '%', 'A', 'a..b', '\u0000', 'x'.repeat(300)])
      expect(await code(t.api(calls.upcomingEvents, { params: { therapistName } })), therapistName).toBe(
        'invalid_input',
      );
  });
});

describe('22. the other days of a series', () => {
  test('are those that can still be booked, on any page', async () => {
    const rows = await aSeries(t.db, {
      therapistId: therapist.id,
      daysAhead: -1,
      pattern: [0, 3],
      further: [7, 14, 21, 28, 35, 42],
    });
    await t.api(calls.cancelEvent, { body: { eventId: rows[2]!.id, reason: 'x' } }, { token: therapist.token });
    await t.api(calls.deleteEvent, { params: { id: String(rows[4]!.id) } }, { token: therapist.token });
    await aSeries(t.db, { therapistId: therapist.id, daysAhead: 4, further: [7] });
    const bookable = [1, 3, 5, 6].map((index) => rows[index]!);
    for (const token of [undefined, therapist.token]) {
      for (const size of [1, 2, 3, 20]) {
        const shown = [];
        for (let page = 0; shown.length < (token ? 8 : 7); page += 1)
          shown.push(...(await upcoming({}, { token, query: { size, page } })).content);
        for (const { id, seriesId, repetitions } of shown)
          if (seriesId === rows[0]!.seriesId)
            expect(repetitions, `${id} of ${size}`).toEqual(
              bookable.filter((row) => row.id !== id).map(({ dates }) => dates[0]),
            );
        expect(new Set(shown.map(({ id }) => id)).size).toBe(token ? 8 : 7);
      }
    }
    expect(
      (await t.api(calls.myEvents, { body: { list: 'cancelled' } }, { token: therapist.token })).content[0]!
        .repetitions,
    ).toEqual(bookable.map(({ dates }) => dates[0]));
  });
});

describe('20. the filter', () => {
  test('works by type, by first and last day, by single days, and without an end', async () => {
    const [a, b, c] = [
      await anEvent(t.db, { therapistId: therapist.id, daysAhead: 10, pattern: [0, 7] }),
      await anEvent(t.db, { therapistId: therapist.id, daysAhead: 12, type: 'ONE_ON_ONE' }),
      await anEvent(t.db, { therapistId: therapist.id, daysAhead: 40 }),
    ];
    const day = (offset: number) => dayPlus(a.dates[0]!, offset);
    expect(await found({ type: 'ONE_ON_ONE' })).toEqual([b.id]);
    expect(await found({ type: 'GROUP' })).toEqual([a.id, c.id]);
    expect(await found({ startDate: day(1), endDate: day(2) })).toEqual([b.id]);
    expect(await found({ startDate: day(3), endDate: day(7) })).toEqual([a.id]);
    expect(await found({ startDate: day(3), endDate: day(6) })).toEqual([]);
    expect(await found({ startDate: day(3) })).toEqual([a.id, c.id]);
    expect(await found({ endDate: day(2) })).toEqual([a.id, b.id]);
    expect(await found({ startDate: day(3), endDate: day(6), infiniteFuture: true })).toEqual([a.id, c.id]);
    expect(await found({ startDate: day(6), endDate: day(1) })).toEqual([]);
    expect(await found({ dates: [day(7), day(2)] })).toEqual([a.id, b.id]);
    expect(await found({ dates: [] })).toEqual([a.id, b.id, c.id]);
    expect(await found({ dates: [day(7)], type: 'ONE_ON_ONE' })).toEqual([]);
    expect(
      await found({ type: null, startDate: null, endDate: null, keyword: null, dates: null, infiniteFuture: null }),
    ).toEqual([a.id, b.id, c.id]);
  });

  test('works by a keyword in any case and accents, with every character literal', async () => {
    const wish = { therapistId: therapist.id };
    const a = await anEvent(t.db, {
      ...wish,
      daysAhead: 1,
      name: 'Családállítás Őszi napja',
      description: 'First line\nsecond line',
    });
    const b = await anEvent(t.db, {
      ...wish,
      daysAhead: 2,
      name: '100% presence_now',
      isOnline: false,
      location: 'Praxis Straße',
      address: 'C:\\garden "yard"',
    });
    const c = await anEvent(t.db, {
      ...wish,
      daysAhead: 3,
      name: '1000 presencexnow',
      description: "It's Șaradă în Timișoara",
    });
    const by = (keyword: string) => found({ keyword });
    expect(await by('CSALADALLITAS')).toEqual([a.id]);
    expect(await by('őszi')).toEqual([a.id]);
    expect(await by('oszi')).toEqual([a.id]);
    expect(await by('line second')).toEqual([a.id]);
    expect(await by('%')).toEqual([b.id]);
    expect(await by('100%')).toEqual([b.id]);
    expect(await by('_')).toEqual([b.id]);
    expect(await by('presence_now')).toEqual([b.id]);
    expect(await by('presence')).toEqual([b.id, c.id]);
    expect(await by('\\')).toEqual([b.id]);
    expect(await by('"yard"')).toEqual([b.id]);
    expect(await by("it's")).toEqual([c.id]);
    expect(await by('timisoara')).toEqual([c.id]);
    expect(await by("' OR '1'='1")).toEqual([]);
    expect(await by('   ')).toEqual([a.id, b.id, c.id]);
    expect(await by('\u0301')).toEqual([a.id, b.id, c.id]);
    expect(await code(by('x'.repeat(101)))).toBe('invalid_input');
    expect(await code(by('a\u0000b'))).toBe('invalid_input');
    expect(await code(by('\ud800'))).toBe('invalid_input');
    expect(
      await code(found({ dates: Array.from({ length: 10_000 }, (_, index) => dayPlus('2027-01-01', index)) })),
    ).toMatch(/payload_too_large|invalid_input/);
    expect(await code(found({ startDate: '2027-02-30' }))).toBe('invalid_input');
    expect(await code(found({ surprise: 1 } as EventFilter))).toBe('invalid_input');
  });

  test('works for the therapist’s own lists too', async () => {
    const past = await anEvent(t.db, { therapistId: therapist.id, daysAhead: -5, name: 'Autumn' });
    const older = await anEvent(t.db, { therapistId: therapist.id, daysAhead: -9, name: 'Summer' });
    const mine = async (body: Parameters<typeof t.api<typeof calls.myEvents>>[1]) =>
      (await t.api(calls.myEvents, body, { token: therapist.token })).content.map(({ id }) => id);
    expect(await mine({ body: { list: 'past' } })).toEqual([past.id, older.id]);
    expect(await mine({ body: { list: 'past', keyword: 'summer' } })).toEqual([older.id]);
    expect(await mine({ body: { list: 'past' }, query: { size: 1, page: 1 } })).toEqual([older.id]);
    expect(await mine({ body: {} })).toEqual([]);
  });
});

describe('21. the taken places', () => {
  test('include held and confirmed ones, but no expired hold', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id, places: 3 });
    await book(row.id, 'CONFIRMED');
    await book(row.id, 'HELD');
    await book(row.id, 'HELD', -1);
    expect((await upcoming()).content[0]).toMatchObject({
      maximumParticipant: 3,
      currentParticipantsNumber: 2,
      currentParticipantsInfo: [],
    });
    expect((await t.api(calls.myEvents, { body: {} }, { token: therapist.token })).content[0]).toMatchObject({
      held: 1,
      confirmed: 1,
      currentParticipantsNumber: 2,
    });
    await t.move(601);
    expect((await upcoming()).content[0]).toMatchObject({ currentParticipantsNumber: 1 });
  });

  test('are the same on a list page as on each event alone', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, further: [1, 2, 3, 4], places: 6 });
    const decoy = (eventId: number, seconds: number, usedAt: unknown = null) =>
      t.db.insert(bookingHandles).values({
        handleHash: randomBytes(32),
        eventId,
        source: randomBytes(16),
        firstName: 'A',
        lastName: 'B',
        email: 'a@mail.example',
        phone: '',
        language: 'hu',
        heldUntil: sql`product_now() + make_interval(secs => ${seconds})`,
        usedAt: usedAt as never,
      });
    for (const [index, states] of [['CONFIRMED'], ['HELD', 'CONFIRMED', 'CONFIRMED'], [], ['HELD', 'HELD']].entries())
      for (const state of states as ('HELD' | 'CONFIRMED')[]) await book(rows[index]!.id, state, 60 * (index + 1));
    await decoy(rows[1]!.id, 600);
    await decoy(rows[2]!.id, 60);
    await decoy(rows[2]!.id, 600, sql`product_now()`);
    const page = async () => {
      const listed = (await readUpcoming(t.db, therapist.slug, null, {
        type: null,
        startDate: null,
        endDate: null,
        dates: null,
        pattern: null,
        limit: 20,
        offset: 0,
      }))!;
      for (const event of listed.events) {
        const { hostIsPublic: _, begun: __, version: ___, ...alone } = (await findShown(t.db, event.id))!;
        expect(event).toEqual(alone);
      }
      return listed.events.map(({ held, confirmed, decoys }) => [held, confirmed, decoys]);
    };
    expect(await page()).toEqual([
      [0, 1, 0],
      [1, 2, 1],
      [0, 0, 1],
      [2, 0, 0],
      [0, 0, 0],
    ]);
    await t.move(61);
    expect(await page()).toEqual([
      [0, 1, 0],
      [1, 2, 1],
      [0, 0, 0],
      [2, 0, 0],
      [0, 0, 0],
    ]);
    await t.move(60);
    expect(await page()).toEqual([
      [0, 1, 0],
      [0, 2, 1],
      [0, 0, 0],
      [2, 0, 0],
      [0, 0, 0],
    ]);
  });

  test('come with names only for the owner', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    await book(row.id, 'CONFIRMED');
    const foreign = await aTherapist(t.db);
    for (const token of [null, foreign.token]) {
      const open = [
        await t.call(calls.upcomingEvents, { params: { therapistName: therapist.slug } }, { token }),
        await t.call(
          calls.publicEvent,
          { params: { therapistName: therapist.slug, eventId: String(row.id) } },
          { token },
        ),
        await t.fetch(`/event/${therapist.slug}/${row.id}`, { headers: { accept: 'text/html' } }),
        await t.fetch(`/event/${therapist.slug}`, { headers: { accept: 'text/html' } }),
      ];
      for (const answer of open) expect(await answer.text()).not.toMatch(/Secretname|mail\.example|234 5678/);
    }
  });

  test('are read with the attendees of the owner’s whole page in one query', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, further: [1] });
    const asked: number[][] = [];
    const attendee = {
      id: 5,
      participant: { name: 'Réka', familyName: 'Nagy', email: 'r@mail.example', phone: '' },
      places: 1,
      bookingDate: new Date(0).toISOString(),
      state: 'CONFIRMED',
      heldUntil: null,
      addedByTherapist: false,
      emailState: null,
      doubleApproval: false,
    } satisfies Booking;
    const reads = createEventLists({
      db: t.db,
      async bookingsOf(eventIds) {
        asked.push([...eventIds]);
        return new Map([[rows[1]!.id, [attendee]]]);
      },
    });
    const page = await reads.upcoming(therapist.slug, {}, { page: 0, size: 20 }, therapist.id);
    expect(page.content.map(({ currentParticipantsInfo }) => currentParticipantsInfo)).toEqual([[], [attendee]]);
    expect(asked).toEqual([ids(rows)]);
    await reads.upcoming(therapist.slug, {}, { page: 0, size: 20 }, null);
    expect(asked).toHaveLength(1);
    expect((await reads.own(rows[1]!.id)).event.currentParticipantsInfo).toEqual([attendee]);
  });
});

describe('22. an event’s public page', () => {
  const shown = (row: EventRow, therapistName = therapist.slug) =>
    t.api(calls.publicEvent, { params: { therapistName, eventId: String(row.id) } });

  test('shows whether it can be booked', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id, places: 2 });
    expect(await shown(row)).toMatchObject({
      bookable: 'yes',
      host: { id: therapist.id, firstName: 'Anna', lastName: 'Demo', therapistName: therapist.slug, picture: null },
      others: [],
    });
    await book(row.id, 'CONFIRMED');
    await book(row.id, 'HELD');
    expect((await shown(row)).bookable).toBe('event_full');
    const large = await anEvent(t.db, { therapistId: therapist.id, places: 6 });
    for (let n = 0; n < 3; n += 1) await book(large.id, 'HELD');
    expect((await shown(large)).bookable).toBe('event_holds_full');
    const begun = await anEvent(t.db, { therapistId: therapist.id, startsInMinutes: -5 });
    expect((await shown(begun)).bookable).toBe('event_closed');
    const cancelled = await anEvent(t.db, {
      therapistId: therapist.id,
      status: 'CANCELLED',
      cancelReason: 'Private reason',
    });
    const answer = await shown(cancelled);
    expect(answer).toMatchObject({ bookable: 'event_cancelled', event: { status: 'CANCELLED' } });
    expect(JSON.stringify(answer)).not.toContain('Private reason');
  });

  test('lists the other occurrences that have not begun, with their free places', async () => {
    const rows = await aSeries(t.db, {
      therapistId: therapist.id,
      daysAhead: -7,
      further: [14, 21, 28, 35],
      places: 2,
    });
    await t.api(calls.cancelEvent, { body: { eventId: rows[2]!.id, reason: 'x' } }, { token: therapist.token });
    await t.api(calls.deleteEvent, { params: { id: String(rows[3]!.id) } }, { token: therapist.token });
    await book(rows[4]!.id, 'HELD');
    const { others, event } = await shown(rows[1]!);
    expect(others).toEqual([{ id: rows[4]!.id, dates: rows[4]!.dates, freePlaces: 1 }]);
    expect(event.repetitions).toEqual([rows[4]!.dates[0]]);
  });

  test('is not found if deleted, under another’s name, or if its therapist has no public page', async () => {
    const foreign = await aTherapist(t.db);
    const row = await anEvent(t.db, { therapistId: therapist.id });
    expect(await code(shown(row, foreign.slug))).toBe('not_found');
    expect(await code(shown(await anEvent(t.db, { therapistId: therapist.id, deleted: true })))).toBe('not_found');
    expect(await code(shown({ ...row, id: 999_999_999 }))).toBe('not_found');
    await t.db.execute(sql`UPDATE accounts SET suspended_at = product_now() WHERE id = ${therapist.id}`);
    expect(await code(shown(row))).toBe('not_found');
  });
});

describe('23. the cost of a list', () => {
  test('includes no new planning, whatever the filter', async () => {
    await aSeries(t.db, { therapistId: therapist.id, further: Array.from({ length: 30 }, (_, index) => index + 1) });
    await t.db.execute(sql`VACUUM (ANALYZE) events`);
    const none: Wanted = {
      type: null,
      startDate: null,
      endDate: null,
      dates: null,
      pattern: null,
      limit: 20,
      offset: 0,
    };
    const client = await t.app.database.pool.connect();
    try {
      for (const wanted of [
        none,
        { ...none, type: 'ONE_ON_ONE' },
        { ...none, startDate: '2000-01-01', pattern: '%nothing%' },
        { ...none, pattern: '%constellations%' },
      ]) {
        const query = pageQuery('public', therapist.slug, wanted);
        // PostgreSQL plans for the values of the first five calls, then compares.
        for (let calls = 0; calls < 8; calls += 1) await client.query(query);
        const { rows } = await client.query('SELECT custom_plans FROM pg_prepared_statements WHERE name = $1', [
          query.name,
        ]);
        expect(rows, query.name).toEqual([{ custom_plans: 5 }]);
      }
    } finally {
      client.release(true);
    }
  });

  test('includes the time of product_now() only once', async () => {
    await t.move(12_345);
    expect((await t.db.execute(sql`SELECT (SELECT now FROM product_moment) = product_now() AS same`)).rows).toEqual([
      { same: true },
    ]);
  });

  /** Pages of the database that a statement touches. */
  async function touched(list: ListName, who: string | number, wanted: Partial<Wanted>): Promise<number> {
    const { text, values } = pageQuery(list, who, {
      type: null,
      startDate: null,
      endDate: null,
      dates: null,
      pattern: null,
      limit: 20,
      offset: 0,
      ...wanted,
    });
    const { rows } = await t.app.database.pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      values,
    );
    const { Plan } = rows[0]!['QUERY PLAN'][0];
    return Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
  }

  test('does not grow with other therapists’ events', async () => {
    await aSeries(t.db, { therapistId: therapist.id, further: Array.from({ length: 60 }, (_, index) => index + 1) });
    const [model] = await aSeries(t.db, { therapistId: (await aTherapist(t.db)).id });
    const lists = {
      public: therapist.slug,
      publicToOwner: therapist.id,
      upcoming: therapist.id,
      past: therapist.id,
      cancelled: therapist.id,
    } as const;
    const filters: Record<string, Partial<Wanted>> = {
      all: {},
      chosen: { type: 'GROUP', startDate: '2000-01-01', endDate: '2099-12-31' },
      keyword: { pattern: '%constellations%' },
      both: { dates: ['2099-12-31'], pattern: '%constellations%' },
    };
    const cost = async () => {
      await t.db.execute(sql`VACUUM (ANALYZE) events`);
      const all: Record<string, number> = {};
      for (const [list, who] of Object.entries(lists) as [ListName, string | number][]) {
        for (const [filter, wanted] of Object.entries(filters)) {
          await touched(list, who, wanted);
          all[`${list} ${filter}`] = await touched(list, who, wanted);
        }
      }
      return all;
    };
    const alone = await cost();
    await t.db.execute(sql`
      INSERT INTO accounts (email, email_normalized, password_hash, first_name, last_name, gender, language, roles, slug, join_link, email_verified_at)
      SELECT n || email, n || email_normalized, password_hash, first_name, last_name, gender, language, roles, 'crowd-' || n, 'crowd-link-' || n, email_verified_at FROM accounts, generate_series(1, 300) n WHERE id = ${therapist.id}`);
    await t.db.execute(sql`
      INSERT INTO events (id, series_id, therapist_id, type, is_online, name, location, address, description, dates, start_time, end_time, time_zone, starts_at, ends_at, price_minor, currency, places, search_text)
      SELECT n.id, n.id, n.therapist_id, e.type, e.is_online, e.name, '', '', e.description, e.dates, e.start_time, e.end_time, e.time_zone, e.starts_at + n.id * interval '1 minute', e.ends_at + n.id * interval '1 minute', 1, 'EUR', 8, e.search_text
        FROM events e, (SELECT nextval('events_id_seq') AS id, a.id AS therapist_id FROM accounts a, generate_series(1, 100) WHERE a.slug LIKE 'crowd-%') n WHERE e.id = ${model!.id}`);
    const crowded = await cost();
    // An index that is one level deeper costs one more page for each access; reading the others' rows would cost
    // hundreds.
    for (const list of Object.keys(alone))
      expect(crowded[list]! - alone[list]!, `${list}: ${alone[list]} → ${crowded[list]}`).toBeLessThan(150);
    expect(alone['public keyword']).toBeLessThan(400);
  });
});
