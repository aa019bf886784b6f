/** Writing, changing, cancelling and deleting events over HTTP. Numbers are those of README.md. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/events';
import { dayPlus } from '@fieldroom/contract/events';
import { Problem } from '../../platform/problem.ts';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { anEvent, aSeries, eventAgain, eventInput } from '../../builders/events.builders.ts';
import { untilLockWaits } from '../../../tests/support/locks.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { bookings } from '../bookings/bookings.tables.ts';
import { checkDays } from './events.rules.ts';
import type { EventChange, EventRow } from './index.ts';

let t: TestApp;
let therapist: BuiltAccount;
let other: BuiltAccount;
const heard: { cancelled: { event: EventRow; reason: string }[]; changed: EventChange[] } = {
  cancelled: [],
  changed: [],
};
/** Makes the next listener fail, so that its transaction is rolled back. */
let failing = false;

beforeAll(async () => {
  t = await testApp();
  t.app.events.onCancelling(async (_tx, { events, reason }) => {
    if (failing) throw new Error('an email could not be written');
    heard.cancelled.push(...events.map((event) => ({ event, reason })));
  });
  t.app.events.onChanging(async (_tx, changes) => {
    if (failing) throw new Error('an email could not be written');
    heard.changed.push(...changes);
    return 0;
  });
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
  other = await aTherapist(t.db);
  heard.cancelled = [];
  heard.changed = [];
  failing = false;
});

type Input = Record<string, unknown>;
const today = async () => (await t.clock.now()).toISOString().slice(0, 10);
const inDays = async (days: number) => dayPlus(await today(), days);
async function input(wish: Input = {}): Promise<Input> {
  return {
    eventName: 'Finding your place',
    type: 'GROUP',
    isOnline: true,
    dates: [await inDays(10)],
    startTime: '18:00',
    endTime: '20:30',
    price: '45',
    currency: 'EUR',
    maximumParticipant: 8,
    timeZone: 'Europe/Vienna',
    ...wish,
  };
}
const save = (body: Input, token = therapist.token) => t.api(calls.saveEvent, { body: body as never }, { token });
const problem = async (act: Promise<unknown>): Promise<Problem> => {
  const caught = await act.then(
    () => null,
    (error: unknown) => error,
  );
  expect(caught, 'a problem').toBeInstanceOf(Problem);
  return caught as Problem;
};
const faults = async (act: Promise<unknown>) =>
  ((await problem(act)).more.fields ?? []).map(({ path, code }) => `${path} ${code}`);
const stored = async (therapistId = therapist.id) =>
  (await t.db.execute<{ n: number }>(sql`SELECT count(*) AS n FROM events WHERE therapist_id = ${therapistId}`))
    .rows[0]!.n;

let people = 0;
async function aBooking(
  eventId: number,
  state: 'HELD' | 'CONFIRMED' | 'CANCELLED' = 'CONFIRMED',
  heldSeconds = 600,
): Promise<void> {
  people += 1;
  const email = `attendee-${people}@mail.example`;
  await t.db.insert(bookings).values({
    eventId,
    state,
    firstName: 'Réka',
    lastName: 'Nagy',
    email,
    emailNormalized: email,
    phone: '',
    language: 'hu',
    heldUntil: state === 'HELD' ? sql`product_now() + make_interval(secs => ${heldSeconds})` : null,
  });
}

describe('a new event', () => {
  test('1. is published with all its values, as wall-clock time and as instants', async () => {
    const dates = [await inDays(11), await inDays(10)];
    const { id } = await save(
      await input({
        id: null,
        eventName: '  Two   days <b>of</b> "constellations"  ',
        isOnline: false,
        eventLocation: 'Studio',
        address: 'Gartengasse 5, 1050 Wien',
        description: 'One.\r\n\r\n\r\nTwo.',
        dates,
        price: '120.5',
        repetitionRule: { unit: 'week', frequency: 1, occasions: 1 },
        currentParticipantsInfo: [{ participant: { name: 'Eve' } }],
        currentParticipantsNumber: 7,
        files: [{}],
      }),
    );
    const { event, series } = await t.api(
      calls.myEvent,
      { params: { eventId: String(id) } },
      { token: therapist.token },
    );
    expect(event).toMatchObject({
      id,
      seriesId: id,
      therapistId: therapist.id,
      therapistName: therapist.slug,
      status: 'PUBLISHED',
      eventName: 'Two days <b>of</b> "constellations"',
      isOnline: false,
      eventLocation: 'Studio',
      address: 'Gartengasse 5, 1050 Wien',
      description: 'One.\n\nTwo.',
      dates: dates.toSorted(),
      startTime: '18:00',
      endTime: '20:30',
      timeZone: 'Europe/Vienna',
      price: '120.50',
      currency: 'EUR',
      maximumParticipant: 8,
      currentParticipantsNumber: 0,
      currentParticipantsInfo: [],
      repetitions: [],
      repetitionRule: { unit: 'week', frequency: 1, occasions: 1 },
      files: [],
      held: 0,
      confirmed: 0,
      deleted: false,
      cancelReason: null,
    });
    expect(series.map(({ id: one }) => one)).toEqual([id]);
    const shown = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Vienna',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    expect([event.startsOn, event.endsOn].map((at) => shown.format(new Date(at)))).toEqual([
      `${dates[1]} 18:00`,
      `${dates[0]} 20:30`,
    ]);
  });

  test('2. has an occurrence for each further first day, its other days shifted alike, in one series', async () => {
    const [a, b, c] = [await inDays(10), await inDays(40), await inDays(17)];
    const { id } = await save(await input({ dates: [a, dayPlus(a, 1), dayPlus(a, 5)], repetitions: [b, c] }));
    const { event, series } = await t.api(
      calls.myEvent,
      { params: { eventId: String(id) } },
      { token: therapist.token },
    );
    expect(series.map(({ dates }) => dates)).toEqual(
      [a, c, b].map((first) => [first, dayPlus(first, 1), dayPlus(first, 5)]),
    );
    expect(event.repetitions).toEqual([c, b]);
    expect(series[0]!.id).toBe(id);
    const second = await t.api(calls.publicEvent, {
      params: { therapistName: therapist.slug, eventId: String(series[1]!.id) },
    });
    expect(second.event).toMatchObject({ seriesId: id, repetitions: [a, b] });
  });

  test('2. is written completely or not at all', async () => {
    expect(await faults(save(await input({ repetitions: [await inDays(20), await inDays(365 * 6)] })))).toEqual([
      'repetitions too_far',
    ]);
    expect(await stored()).toBe(0);
  });

  test('3. uses the therapist’s zone if none is given', async () => {
    await t.db.execute(sql`UPDATE accounts SET time_zone = 'America/New_York' WHERE id = ${therapist.id}`);
    const { id } = await save(await input({ timeZone: undefined }));
    expect(await eventAgain(t.db, id)).toMatchObject({ timeZone: 'America/New_York', startTime: '18:00' });
    await save(eventInput(await eventAgain(t.db, id), { timeZone: undefined, startTime: '17:00' }));
    expect((await eventAgain(t.db, id)).timeZone).toBe('America/New_York');
  });

  test('4. has no day in the past or far in the future', async () => {
    expect(await faults(save(await input({ dates: [await inDays(-1)] })))).toEqual(['dates in_past']);
    expect(await faults(save(await input({ dates: ['2001-01-01', await inDays(3)] })))).toEqual(['dates in_past']);
    expect(await faults(save(await input({ dates: [await inDays(365 * 5 + 3)] })))).toEqual(['dates too_far']);
    expect(await faults(save(await input({ dates: ['9999-12-31'] })))).toEqual(['dates too_far']);
    await save(await input({ dates: [await inDays(365 * 5 - 3)] }));
    // Today counts to the hour, in the event's zone. From ten minutes past one, so that no hour ends in between.
    await t.move((70 - (await t.clock.now()).getUTCMinutes()) * 60);
    const now = await t.clock.now();
    const zone = now.getUTCHours() < 12 ? 'UTC' : 'Pacific/Kiritimati';
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(now);
    const hour = Number(
      new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(now),
    );
    const at = (h: number) => `${String(h).padStart(2, '0')}:00`;
    expect(
      await faults(save(await input({ timeZone: zone, dates: [day], startTime: at(hour), endTime: at(hour + 2) }))),
    ).toEqual(['dates in_past']);
    await save(await input({ timeZone: zone, dates: [day], startTime: at(hour + 1), endTime: at(hour + 2) }));
    expect(await stored()).toBe(2);
  });

  test.each([
    // The last day counts until its end, in the event's zone.
    ['2031-11-29', 'Europe/Budapest', '2026-11-29T09:00:00Z', null],
    ['2031-11-30', 'Europe/Budapest', '2026-11-29T09:00:00Z', 'too_far'],
    ['2031-11-30', 'Pacific/Auckland', '2026-11-29T12:00:00Z', null],
    ['2031-11-29', 'America/New_York', '2026-11-29T04:00:00Z', 'too_far'],
    ['2033-02-28', 'UTC', '2028-02-29T09:00:00Z', null],
    ['2033-03-01', 'UTC', '2028-02-29T09:00:00Z', 'too_far'],
  ])('4. %s in %s, written at %s: %s', (day, timeZone, now, fault) => {
    const check = () => checkDays('dates', [day], { startTime: '18:00', endTime: '20:00', timeZone }, new Date(now));
    if (fault === null) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ more: { fields: [{ path: 'dates', code: fault }] } }));
  });

  test('5. one-to-one has one place', async () => {
    expect(await faults(save(await input({ type: 'ONE_ON_ONE', maximumParticipant: 2 })))).toEqual([
      'maximumParticipant one_place',
    ]);
    const { id } = await save(await input({ type: 'ONE_ON_ONE', maximumParticipant: 1 }));
    expect((await eventAgain(t.db, id)).places).toBe(1);
  });

  test('6. a therapist can write 200 times a day', async () => {
    const body = await input({ dates: ['2001-01-01'] });
    for (let n = 0; n < 200; n += 1) expect((await problem(save(body))).code).toBe('invalid_input');
    const late = await problem(save(await input()));
    expect(late.code).toBe('too_many_requests');
    expect(late.more.retryAfterSeconds).toBeGreaterThan(3600);
    expect((await save(await input(), other.token)).id).toBeGreaterThan(0);
    expect(await stored()).toBe(0);
  });
});

describe('refused values', () => {
  const BAD: readonly (readonly [Input, string])[] = [
    [{ price: -1 }, 'price price_negative'],
    [{ price: '-1' }, 'price price_negative'],
    [{ price: '1.005' }, 'price not_a_price'],
    [{ price: '1e3' }, 'price not_a_price'],
    [{ price: 'free' }, 'price not_a_price'],
    [{ price: null }, 'price not_a_price'],
    [{ price: '9999999.999' }, 'price not_a_price'],
    [{ price: '99999999' }, 'price not_a_price'],
    [{ price: 1e21 }, 'price not_a_price'],
    [{ price: '12,50' }, 'price not_a_price'],
    [{ price: '10.5', currency: 'JPY' }, 'price not_a_price'],
    [{ price: '' }, 'price not_a_price'],
    [{ price: '٣' }, 'price not_a_price'],
    [{ currency: 'XXX' }, 'currency unknown_currency'],
    [{ currency: 'eur' }, 'currency unknown_currency'],
    [{ currency: '__proto__' }, 'currency unknown_currency'],
    [{ maximumParticipant: 0 }, 'maximumParticipant too_small'],
    [{ maximumParticipant: -3 }, 'maximumParticipant too_small'],
    [{ maximumParticipant: 2.5 }, 'maximumParticipant not_whole'],
    [{ maximumParticipant: 501 }, 'maximumParticipant too_large'],
    [{ maximumParticipant: '8' }, 'maximumParticipant not_a_number'],
    [{ maximumParticipant: null }, 'maximumParticipant not_a_number'],
    [{ maximumParticipant: 1e300 }, 'maximumParticipant not_whole'],
    [{ startTime: '9:00' }, 'startTime not_a_time'],
    [{ startTime: '24:00' }, 'startTime not_a_time'],
    [{ endTime: '12:60' }, 'endTime not_a_time'],
    [{ startTime: '-1:00' }, 'startTime not_a_time'],
    [{ endTime: '99999999' }, 'endTime too_long'],
    [{ startTime: '18:00', endTime: '18:00' }, 'endTime end_before_start'],
    [{ startTime: '18:00', endTime: '09:00' }, 'endTime end_before_start'],
    [{ dates: [] }, 'dates required'],
    [{ dates: undefined }, 'dates required'],
    [{ dates: ['2027-02-29'] }, 'dates.0 not_a_day'],
    [{ dates: ['2027-13-01'] }, 'dates.0 not_a_day'],
    [{ dates: ['tomorrow'] }, 'dates.0 not_a_day'],
    [{ dates: ['2027-01-01T00:00:00Z'] }, 'dates.0 too_long'],
    [{ dates: ['2028-05-05', '2028-05-05'] }, 'dates twice'],
    [{ repetitions: ['2028-05-05', '2028-05-05'] }, 'repetitions twice'],
    [{ repetitions: ['2020-01-01'] }, 'repetitions not_after_first'],
    [{ timeZone: 'Europe/Atlantis' }, 'timeZone unknown_time_zone'],
    [{ timeZone: '+02:00' }, 'timeZone unknown_time_zone'],
    [{ timeZone: 'PST' }, 'timeZone unknown_time_zone'],
    [{ timeZone: "x'; DROP TABLE events" }, 'timeZone unknown_time_zone'],
    [{ eventName: '' }, 'eventName required'],
    [{ eventName: ' \u00a0 ' }, 'eventName required'],
    [{ eventName: 'x'.repeat(121) }, 'eventName too_long'],
    [{ eventName: 'A\r\nBcc: eve@mail.example' }, 'eventName unsafe_characters'],
    [{ eventName: 'A\u0000B' }, 'eventName unsafe_characters'],
    [{ eventName: 'A\u202eB' }, 'eventName unsafe_characters'],
    [{ eventName: 'A\ud800' }, 'eventName unsafe_characters'],
    [{ eventName: 7 }, 'eventName invalid_value'],
    [{ description: 'x'.repeat(10_001) }, 'description too_long'],
    [{ description: 'a\u0007b' }, 'description unsafe_characters'],
    [{ isOnline: 'yes' }, 'isOnline invalid_value'],
    [{ type: 'PARTY' }, 'type invalid_value'],
    [{ isOnline: false }, 'eventLocation required'],
    [{ eventLocation: 'Studio' }, 'eventLocation online_has_no_place'],
    [{ address: 'Gartengasse 5' }, 'address online_has_no_place'],
    [{ isOnline: false, eventLocation: 'Studio\r\nX: y' }, 'eventLocation unsafe_characters'],
    [{ isOnline: false, eventLocation: 'S', address: 'x'.repeat(201) }, 'address too_long'],
    [{ repetitionRule: { unit: 'week', frequency: 0, occasions: 3 } }, 'repetitionRule.frequency too_small'],
    [{ repetitionRule: { unit: 'year', frequency: 1, occasions: 3 } }, 'repetitionRule.unit invalid_value'],
    [{ repetitionRule: { unit: 'day', frequency: 1, occasions: 1e9 } }, 'repetitionRule.occasions too_large'],
    [{ id: 0 }, 'id out_of_range'],
    [{ id: '1' }, 'id not_a_number'],
    [{ scope: 'all' }, 'scope invalid_value'],
    [{ therapistId: 1 }, 'therapistId unknown_property'],
    [{ status: 'CANCELLED' }, 'status unknown_property'],
    [{ pictureFrom: { eventId: 1, fileName: '../../etc/passwd' } }, 'pictureFrom.fileName invalid_format'],
  ];
  test.each(BAD.map(([wish, fault]) => [fault, wish] as const))('%s %j', async (fault, wish) => {
    expect(await faults(save(await input(wish)))).toContain(fault);
    expect(await stored()).toBe(0);
  });

  test('ten thousand days, or more than the maximum of a series', async () => {
    const first = await inDays(10);
    const days = (count: number) => Array.from({ length: count }, (_, index) => dayPlus(first, index + 1));
    expect(await faults(save(await input({ dates: days(61) })))).toEqual(['dates too_many']);
    expect(await faults(save(await input({ dates: [first], repetitions: days(100) })))).toEqual([
      'repetitions too_many',
    ]);
    expect((await problem(save(await input({ dates: days(10_000) })))).code).toMatch(
      /^(?:payload_too_large|invalid_input)$/,
    );
    expect(await faults(save(await input({ description: 'x'.repeat(100_000) })))).toEqual(['description too_long']);
    expect((await problem(save(await input({ description: 'x'.repeat(300_000) })))).code).toBe('payload_too_large');
    expect(await stored()).toBe(0);
    const { id } = await save(await input({ dates: [first, ...days(59)], repetitions: days(99) }));
    expect(
      (await t.api(calls.myEvent, { params: { eventId: String(id) } }, { token: therapist.token })).series,
    ).toHaveLength(100);
  });
});

describe('7. dates keep wall-clock time', () => {
  const instants = async (wish: Input) => {
    const { id } = await save(await input(wish));
    const rows = (
      await t.db.execute<{ at: string; end: string }>(
        sql`SELECT to_char(starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS at, to_char(ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS end FROM events WHERE series_id = ${id} ORDER BY starts_at`,
      )
    ).rows;
    return rows.map(({ at, end }) => [at, end]);
  };
  const nextYear = async () => (await t.clock.now()).getUTCFullYear() + 1;
  /** The last Sunday of a month of next year: the clocks of Budapest change on those of March and October. */
  const lastSundayOf = async (month: 3 | 10) => {
    const lastDay = new Date(Date.UTC(await nextYear(), month, 0));
    return dayPlus(lastDay.toISOString().slice(0, 10), -lastDay.getUTCDay());
  };
  test('over spring in Budapest', async () => {
    const sunday = await lastSundayOf(3);
    const [before, after] = [dayPlus(sunday, -1), dayPlus(sunday, 1)];
    expect(
      await instants({
        timeZone: 'Europe/Budapest',
        dates: [before],
        repetitions: [sunday, after],
        startTime: '10:00',
        endTime: '11:00',
      }),
    ).toEqual([
      [`${before} 09:00`, `${before} 10:00`],
      [`${sunday} 08:00`, `${sunday} 09:00`],
      [`${after} 08:00`, `${after} 09:00`],
    ]);
  });
  test('over autumn in Budapest', async () => {
    const sunday = await lastSundayOf(10);
    const [before, weekLater] = [dayPlus(sunday, -1), dayPlus(sunday, 6)];
    expect(
      await instants({
        timeZone: 'Europe/Budapest',
        dates: [before, sunday],
        repetitions: [weekLater],
        startTime: '10:00',
        endTime: '11:00',
      }),
    ).toEqual([
      [`${before} 08:00`, `${sunday} 10:00`],
      [`${weekLater} 09:00`, `${dayPlus(weekLater, 1)} 10:00`],
    ]);
  });
  test('a skipped time moves forward, and the first of a repeated time counts', async () => {
    const [spring, autumn] = [await lastSundayOf(3), await lastSundayOf(10)];
    expect(
      await instants({ timeZone: 'Europe/Budapest', dates: [spring], startTime: '02:30', endTime: '04:00' }),
    ).toEqual([[`${spring} 01:30`, `${spring} 02:00`]]);
    expect(
      await instants({ timeZone: 'Europe/Budapest', dates: [autumn], startTime: '02:30', endTime: '03:30' }),
    ).toEqual([[`${autumn} 00:30`, `${autumn} 02:30`]]);
    expect(
      await faults(
        save(await input({ timeZone: 'Europe/Budapest', dates: [spring], startTime: '02:50', endTime: '03:10' })),
      ),
    ).toEqual(['endTime end_before_start']);
    expect(
      await faults(
        save(
          await input({
            timeZone: 'Europe/Budapest',
            dates: [dayPlus(spring, -7)],
            repetitions: [spring],
            startTime: '02:50',
            endTime: '03:10',
          }),
        ),
      ),
    ).toEqual(['endTime end_before_start']);
  });
  test('29 February', async () => {
    let year = await nextYear();
    const hasLeapDay = (one: number) => new Date(Date.UTC(one, 1, 29)).getUTCDate() === 29;
    while (!hasLeapDay(year)) year += 1;
    const leapDay = `${year}-02-29`;
    const [before, after] = [dayPlus(leapDay, -1), dayPlus(leapDay, 1)];
    expect(
      await instants({
        timeZone: 'UTC',
        dates: [before, leapDay],
        repetitions: [leapDay],
        startTime: '10:00',
        endTime: '11:00',
      }),
    ).toEqual([
      [`${before} 10:00`, `${leapDay} 11:00`],
      [`${leapDay} 10:00`, `${after} 11:00`],
    ]);
    expect(await faults(save(await input({ dates: [`${year - 1}-02-29`] })))).toEqual(['dates.0 not_a_day']);
  });
});

describe('a change', () => {
  test('8. of texts sends nothing; of time, place or zone informs each person once, within its transaction', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    await save(
      eventInput(row, { eventName: 'Another name', description: 'More', price: '60', maximumParticipant: 10 }),
    );
    expect(heard.changed).toEqual([]);
    const named = await eventAgain(t.db, row.id);
    expect(named).toMatchObject({ name: 'Another name', priceMinor: 6000, places: 10, sequence: 0 });
    for (const [index, wish] of (
      [
        { startTime: '17:00' },
        { endTime: '21:00' },
        { dates: [dayPlus(row.dates[0]!, 1)] },
        { timeZone: 'Europe/London' },
        { isOnline: false, eventLocation: 'Studio' },
      ] as Input[]
    ).entries()) {
      await save(eventInput(await eventAgain(t.db, row.id), wish));
      expect(heard.changed).toHaveLength(index + 1);
      const now = await eventAgain(t.db, row.id);
      expect(now.sequence).toBe(index + 1);
      expect(heard.changed.at(-1)!.after).toMatchObject({
        id: row.id,
        sequence: index + 1,
        startTime: now.startTime,
        dates: now.dates,
        timeZone: now.timeZone,
        location: now.location,
      });
    }
    const before = await eventAgain(t.db, row.id);
    failing = true;
    expect((await problem(save(eventInput(before, { startTime: '12:00' })))).code).toBe('unknown_fault');
    expect(await eventAgain(t.db, row.id)).toEqual(before);
  });

  test('9. of this and all later ones shifts their days and gives them its values', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, pattern: [0, 1], further: [7, 14, 21] });
    const [first, second, third, fourth] = rows as [EventRow, EventRow, EventRow, EventRow];
    await t.api(calls.cancelEvent, { body: { eventId: fourth.id, reason: 'x' } }, { token: therapist.token });
    await save(
      eventInput(second, {
        scope: 'later',
        dates: [dayPlus(second.dates[0]!, 2), dayPlus(second.dates[0]!, 5)],
        startTime: '09:00',
        endTime: '10:00',
        eventName: 'Renamed',
        maximumParticipant: 5,
        price: '1.00',
      }),
    );
    expect(await eventAgain(t.db, first.id)).toEqual(first);
    expect(await eventAgain(t.db, second.id)).toMatchObject({
      dates: [dayPlus(second.dates[0]!, 2), dayPlus(second.dates[0]!, 5)],
      startTime: '09:00',
      name: 'Renamed',
      places: 5,
      priceMinor: 100,
      sequence: 1,
    });
    expect(await eventAgain(t.db, third.id)).toMatchObject({
      dates: [dayPlus(third.dates[0]!, 2), dayPlus(third.dates[0]!, 5)],
      startTime: '09:00',
      name: 'Renamed',
      places: 5,
      priceMinor: 100,
      sequence: 1,
    });
    expect(await eventAgain(t.db, fourth.id)).toMatchObject({
      dates: fourth.dates,
      status: 'CANCELLED',
      name: fourth.name,
    });
    expect(heard.changed.map(({ after }) => after.id)).toEqual([second.id, third.id]);
  });

  test('9. of this and later ones carries over only what changed: texts move no dates', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, isOnline: false, further: [7, 14] });
    const [first, second, third] = rows as [EventRow, EventRow, EventRow];
    await save(
      eventInput(second, {
        startTime: '19:00',
        endTime: '21:00',
        eventLocation: 'Elsewhere',
        dates: [dayPlus(second.dates[0]!, 1)],
        price: '9.00',
      }),
    );
    const moved = await eventAgain(t.db, second.id);
    heard.changed = [];
    await save(eventInput(first, { scope: 'later', description: 'New words', maximumParticipant: 12 }));
    expect(heard.changed).toEqual([]);
    const { asListed: _, updatedAt: __, ...kept } = { asListed: null, ...moved };
    expect(await eventAgain(t.db, second.id)).toMatchObject({
      ...kept,
      description: 'New words',
      places: 12,
      searchText: expect.stringContaining('new words'),
    });
    // A day later for all: the second keeps its own distance, times and place.
    await save(eventInput(await eventAgain(t.db, first.id), { scope: 'later', dates: [dayPlus(first.dates[0]!, 1)] }));
    expect(await eventAgain(t.db, second.id)).toMatchObject({
      dates: [dayPlus(second.dates[0]!, 2)],
      startTime: '19:00',
      location: 'Elsewhere',
      priceMinor: 900,
    });
    expect(await eventAgain(t.db, third.id)).toMatchObject({
      dates: [dayPlus(third.dates[0]!, 1)],
      startTime: '18:00',
    });
    // Times belong together: one that changes brings the other with it.
    await save(eventInput(await eventAgain(t.db, first.id), { scope: 'later', endTime: '20:00' }));
    expect(await eventAgain(t.db, second.id)).toMatchObject({
      startTime: '18:00',
      endTime: '20:00',
      location: 'Elsewhere',
    });
  });

  test('9. keeps one place for one-to-one in a series with more', async () => {
    const [first, second] = (await aSeries(t.db, { therapistId: therapist.id, further: [7] })) as [EventRow, EventRow];
    await save(eventInput(second, { type: 'ONE_ON_ONE', maximumParticipant: 1 }));
    await save(eventInput(first, { scope: 'later', maximumParticipant: 12 }));
    expect(await eventAgain(t.db, second.id)).toMatchObject({ type: 'ONE_ON_ONE', places: 1 });
  });

  test('9. of only this one leaves the others unchanged', async () => {
    const [first, second] = (await aSeries(t.db, { therapistId: therapist.id, further: [7] })) as [EventRow, EventRow];
    await save(eventInput(first, { scope: 'this', startTime: '07:00', eventName: 'Alone' }));
    expect(await eventAgain(t.db, second.id)).toEqual(second);
  });

  test('10. adds occurrences if the series has only one, otherwise leaves them', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id, pattern: [0, 1] });
    const week = [dayPlus(row.dates[0]!, 7), dayPlus(row.dates[0]!, 14)];
    await save(
      eventInput(row, {
        repetitions: week,
        repetitionRule: { unit: 'week', frequency: 1, occasions: 3 },
        startTime: '17:30',
      }),
    );
    const { event, series } = await t.api(
      calls.myEvent,
      { params: { eventId: String(row.id) } },
      { token: therapist.token },
    );
    expect(series.map(({ dates }) => dates)).toEqual([row.dates, ...week.map((first) => [first, dayPlus(first, 1)])]);
    expect(event).toMatchObject({ repetitions: week, repetitionRule: { unit: 'week', frequency: 1, occasions: 3 } });
    expect((await eventAgain(t.db, series[2]!.id)).startTime).toBe('17:30');
    await save(eventInput(await eventAgain(t.db, row.id), { repetitions: [dayPlus(row.dates[0]!, 21)] }));
    expect(
      (await t.api(calls.myEvent, { params: { eventId: String(row.id) } }, { token: therapist.token })).series,
    ).toHaveLength(3);
  });

  test('11. of a cancelled event is refused, a deleted one is not found', async () => {
    const cancelled = await anEvent(t.db, { therapistId: therapist.id, status: 'CANCELLED' });
    expect((await problem(save(eventInput(cancelled, { eventName: 'Again' })))).code).toBe('event_cancelled');
    const deleted = await anEvent(t.db, { therapistId: therapist.id, deleted: true });
    expect((await problem(save(eventInput(deleted)))).code).toBe('not_found');
  });

  test('12. of an event that is over may change texts, not days, and causes no email', async () => {
    const over = await anEvent(t.db, { therapistId: therapist.id, daysAhead: -3 });
    await save(eventInput(over, { eventName: 'What it was', isOnline: false, eventLocation: 'Where it was' }));
    expect(await eventAgain(t.db, over.id)).toMatchObject({ name: 'What it was', sequence: 0 });
    expect(heard.changed).toEqual([]);
    for (const wish of [{ dates: [await inDays(3)] }, { startTime: '10:00' }, { timeZone: 'UTC' }] as Input[])
      expect(await faults(save(eventInput(over, wish))), JSON.stringify(wish)).toEqual(['dates in_past']);
    const later = await faults(save(eventInput(over, { scope: 'later', dates: [await inDays(3)] })));
    expect(later).toEqual(['dates in_past']);
  });

  test('12. moves nothing into the past; a running event keeps its days', async () => {
    const coming = await anEvent(t.db, { therapistId: therapist.id });
    expect(await faults(save(eventInput(coming, { dates: [await inDays(-2)] })))).toEqual(['dates in_past']);
    expect(await faults(save(eventInput(coming, { dates: [await inDays(-2), await inDays(2)] })))).toEqual([
      'dates in_past',
    ]);
    const running = await anEvent(t.db, { therapistId: therapist.id, daysAhead: -1, pattern: [0, 3] });
    await save(eventInput(running, { dates: [running.dates[0]!, dayPlus(running.dates[1]!, 1)] }));
    expect((await eventAgain(t.db, running.id)).dates).toEqual([running.dates[0], dayPlus(running.dates[1]!, 1)]);
    expect(
      await faults(save(eventInput(running, { dates: [dayPlus(running.dates[0]!, -1), running.dates[1]!] }))),
    ).toEqual(['dates in_past']);
    const soon = await anEvent(t.db, { therapistId: therapist.id, startsInMinutes: 5 });
    const minutes = Number(soon.startTime.slice(0, 2)) * 60 + Number(soon.startTime.slice(3));
    if (minutes >= 20)
      expect(
        await faults(
          save(eventInput(soon, { startTime: calls.paddedTime(Math.floor((minutes - 20) / 60), (minutes - 20) % 60) })),
        ),
      ).toEqual(['startTime in_past']);
  });

  test('13. does not lower places below those taken, in any occurrence', async () => {
    const [first, second] = (await aSeries(t.db, { therapistId: therapist.id, further: [7], places: 6 })) as [
      EventRow,
      EventRow,
    ];
    await aBooking(second.id);
    await aBooking(second.id, 'HELD');
    await aBooking(second.id, 'HELD', -1);
    await aBooking(second.id, 'CANCELLED');
    const refused = await problem(
      save(eventInput(first, { scope: 'later', maximumParticipant: 1, eventName: 'Smaller' })),
    );
    expect([refused.code, refused.more.fields]).toEqual([
      'places_below_taken',
      [{ path: 'maximumParticipant', code: 'below_taken' }],
    ]);
    expect(await eventAgain(t.db, first.id)).toEqual(first);
    expect((await problem(save(eventInput(second, { type: 'ONE_ON_ONE', maximumParticipant: 1 })))).code).toBe(
      'places_below_taken',
    );
    await save(eventInput(first, { scope: 'later', maximumParticipant: 2 }));
    expect((await eventAgain(t.db, second.id)).places).toBe(2);
    await save(eventInput(first, { maximumParticipant: 1 }));
    expect((await eventAgain(t.db, first.id)).places).toBe(1);
  });

  test('13. does not even do so when somebody books at the same moment', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id, places: 3 });
    await aBooking(row.id);
    // A booking under way: it has locked the row, as every booking does, and has written; the saves run into its lock.
    const saves: Promise<unknown>[] = [];
    await t.db.transaction(async (tx) => {
      await t.app.events.lock(tx, row.id);
      saves.push(
        ...[1, 2].map((maximumParticipant) =>
          save(eventInput(row, { maximumParticipant })).then(
            () => 'saved',
            (error: Problem) => error.code,
          ),
        ),
      );
      await untilLockWaits(t.db, 2);
      await tx.insert(bookings).values({
        eventId: row.id,
        state: 'CONFIRMED',
        firstName: 'A',
        lastName: 'B',
        email: 'late@mail.example',
        emailNormalized: 'late@mail.example',
        phone: '',
        language: 'en',
      });
    });
    expect((await Promise.all(saves)).toSorted()).toEqual(['places_below_taken', 'saved']);
    expect((await eventAgain(t.db, row.id)).places).toBe(2);
  });
});

describe('cancelling', () => {
  const cancel = (eventId: number, cancelRepetitions?: boolean, reason = 'I am ill.') =>
    t.api(calls.cancelEvent, { body: { eventId, reason, cancelRepetitions } }, { token: therapist.token });

  test('14. ends this one, keeps it in the history with its reason, and causes one email', async () => {
    const [first, second] = (await aSeries(t.db, { therapistId: therapist.id, further: [7] })) as [EventRow, EventRow];
    await cancel(first.id);
    await cancel(first.id, false, 'Another reason');
    expect(heard.cancelled).toMatchObject([
      { event: { id: first.id, status: 'CANCELLED', cancelReason: 'I am ill.' }, reason: 'I am ill.' },
    ]);
    expect((await eventAgain(t.db, second.id)).status).toBe('PUBLISHED');
    const { content } = await t.api(calls.myEvents, { body: { list: 'cancelled' } }, { token: therapist.token });
    expect(content).toMatchObject([{ id: first.id, status: 'CANCELLED', cancelReason: 'I am ill.', deleted: false }]);
  });

  test('14. of this and all later ones happens as a whole', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, further: [7, 14, 21] });
    failing = true;
    expect((await problem(cancel(rows[1]!.id, true))).code).toBe('unknown_fault');
    expect(await Promise.all(rows.map(async ({ id }) => (await eventAgain(t.db, id)).status))).toEqual([
      'PUBLISHED',
      'PUBLISHED',
      'PUBLISHED',
      'PUBLISHED',
    ]);
    failing = false;
    await cancel(rows[2]!.id);
    await cancel(rows[1]!.id, true);
    expect(await Promise.all(rows.map(async ({ id }) => (await eventAgain(t.db, id)).status))).toEqual([
      'PUBLISHED',
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
    ]);
    expect(heard.cancelled.map(({ event }) => event.id)).toEqual([rows[2]!.id, rows[1]!.id, rows[3]!.id]);
  });

  test('14. is refused for an event that is over; among later ones it is left unchanged', async () => {
    const over = await anEvent(t.db, { therapistId: therapist.id, daysAhead: -3 });
    await aBooking(over.id);
    expect((await problem(cancel(over.id))).code).toBe('event_over');
    expect((await problem(cancel(over.id, true))).code).toBe('event_over');
    expect(await eventAgain(t.db, over.id)).toEqual(over);
    // The first runs for two weeks; the second began later and is over.
    const [long, short, ahead] = (await aSeries(t.db, {
      therapistId: therapist.id,
      daysAhead: -7,
      pattern: [0, 14],
      further: [2, 20],
    })) as [EventRow, EventRow, EventRow];
    await t.db.execute(
      sql`UPDATE events SET dates = dates[1:1], ends_at = starts_at + interval '2 hours' WHERE id = ${short.id}`,
    );
    await cancel(long.id, true);
    expect(heard.cancelled.map(({ event }) => event.id)).toEqual([long.id, ahead.id]);
    expect((await eventAgain(t.db, short.id)).status).toBe('PUBLISHED');
  });

  test('14. needs a reason', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    for (const reason of ['', '   ', '\n'])
      expect(await faults(cancel(row.id, false, reason))).toEqual(['reason required']);
    expect(await faults(cancel(row.id, false, 'x'.repeat(2001)))).toEqual(['reason too_long']);
    expect((await eventAgain(t.db, row.id)).status).toBe('PUBLISHED');
  });

  test('15. happens in turn for two at once, and for a change at the same time', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, further: [7, 14] });
    const acts: Promise<unknown>[] = [];
    await t.db.transaction(async (tx) => {
      await t.app.events.lock(tx, rows[1]!.id);
      acts.push(
        cancel(rows[0]!.id, true),
        cancel(rows[1]!.id, true),
        save(eventInput(rows[0]!, { scope: 'later', startTime: '11:00' })).catch((error: Problem) =>
          expect(error.code).toBe('event_cancelled'),
        ),
      );
      await untilLockWaits(t.db, 3);
    });
    await Promise.all(acts);
    expect(heard.cancelled.map(({ event }) => event.id).toSorted()).toEqual(rows.map(({ id }) => id));
  });
});

test('15. locks the rows of a series in the order of their ids', async () => {
  const rows = await aSeries(t.db, { therapistId: therapist.id, further: [7, 14] });
  const act = await t.db.transaction(async (tx) => {
    await t.app.events.lock(tx, rows[1]!.id);
    const cancelling = t.api(
      calls.cancelEvent,
      { body: { eventId: rows[0]!.id, reason: 'x', cancelRepetitions: true } },
      { token: therapist.token },
    );
    await untilLockWaits(t.db, 1);
    // It has locked the first one, waits for the second, and has not touched the third.
    const free = await t.db.execute<{ id: number }>(
      sql`SELECT id FROM events WHERE series_id = ${rows[0]!.id} ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
    );
    expect(free.rows.map(({ id }) => id)).toEqual([rows[2]!.id]);
    return [cancelling];
  });
  await Promise.all(act);
});

describe('deleting', () => {
  const remove = (id: number, deleteRepetitions?: boolean) =>
    t.api(
      calls.deleteEvent,
      { params: { id: String(id) }, query: deleteRepetitions === undefined ? {} : { deleteRepetitions } },
      { token: therapist.token },
    );
  const upcoming = async () =>
    (await t.api(calls.upcomingEvents, { params: { therapistName: therapist.slug } })).content.map(({ id }) => id);

  test('16. hides an event from the public and from upcoming lists, not from the history', async () => {
    const [first, second, third] = (await aSeries(t.db, { therapistId: therapist.id, further: [7, 14] })) as [
      EventRow,
      EventRow,
      EventRow,
    ];
    await remove(first.id);
    await remove(first.id);
    expect(await upcoming()).toEqual([second.id, third.id]);
    expect(
      (
        await problem(
          t.api(calls.publicEvent, { params: { therapistName: therapist.slug, eventId: String(first.id) } }),
        )
      ).code,
    ).toBe('not_found');
    const mine = (list: 'upcoming' | 'past' | 'cancelled') =>
      t
        .api(calls.myEvents, { body: { list } }, { token: therapist.token })
        .then(({ content }) => content.map(({ id, deleted }) => [id, deleted]));
    expect(await mine('upcoming')).toEqual([
      [second.id, false],
      [third.id, false],
    ]);
    expect(await mine('past')).toEqual([[first.id, true]]);
    await remove(second.id, true);
    expect(await upcoming()).toEqual([]);
  });

  test('16. is refused while people are booked, unless it was cancelled before; all or nothing', async () => {
    const [first, second] = (await aSeries(t.db, { therapistId: therapist.id, further: [7] })) as [EventRow, EventRow];
    await aBooking(second.id, 'HELD');
    expect((await problem(remove(first.id, true))).code).toBe('event_has_bookings');
    expect(await upcoming()).toEqual([first.id, second.id]);
    await remove(first.id, false);
    await t.api(calls.cancelEvent, { body: { eventId: second.id, reason: 'x' } }, { token: therapist.token });
    await remove(second.id);
    expect(
      (await t.api(calls.myEvents, { body: { list: 'cancelled' } }, { token: therapist.token })).content,
    ).toMatchObject([{ id: second.id, deleted: true }]);
  });

  test('16. is refused if people were booked for an event that is over, which can’t be cancelled first', async () => {
    const over = await anEvent(t.db, { therapistId: therapist.id, daysAhead: -3 });
    await aBooking(over.id);
    expect((await problem(remove(over.id))).code).toBe('event_over');
    expect((await eventAgain(t.db, over.id)).deletedAt).toBe(null);
  });

  test('16. ignores an expired hold', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    await aBooking(row.id, 'HELD', -1);
    await remove(row.id);
    expect(await upcoming()).toEqual([]);
  });
});

describe('28. a save over a newer version', () => {
  const versions = async (id: number) =>
    (await t.api(calls.myEvent, { params: { eventId: String(id) } }, { token: therapist.token })).versions;

  test('is refused, changes nothing and sends nothing; without a version it is accepted', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const { this: version } = await versions(row.id);
    await save(eventInput(row, { startTime: '20:00', endTime: '21:00', version }));
    heard.changed = [];
    const mine = eventInput(row, { description: 'On another screen', version });
    expect((await problem(save(mine))).code).toBe('event_changed');
    expect((await problem(t.api(calls.previewEvent, { body: mine as never }, { token: therapist.token }))).code).toBe(
      'event_changed',
    );
    expect(await eventAgain(t.db, row.id)).toMatchObject({ startTime: '20:00', description: row.description });
    expect(heard.changed).toEqual([]);
    await save({ ...mine, startTime: '20:00', endTime: '21:00', version: (await versions(row.id)).this });
    await save(eventInput(row));
    expect(await eventAgain(t.db, row.id)).toMatchObject({ startTime: '18:00', description: row.description });
  });

  test('notices every part of an event, its picture and its end; equal values are not a newer version', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const first = await versions(row.id);
    const seen = new Set([first.this]);
    const wishes: Input[] = [
      { eventName: 'B' },
      { description: 'B' },
      { maximumParticipant: 9 },
      { price: '1' },
      { currency: 'HUF' },
      { dates: [dayPlus(row.dates[0]!, 1)] },
      { startTime: '10:00' },
      { timeZone: 'UTC' },
      { isOnline: false, eventLocation: 'B' },
      { type: 'ONE_ON_ONE', maximumParticipant: 1 },
    ];
    for (const wish of wishes) {
      await save(eventInput(row, wish));
      seen.add((await versions(row.id)).this);
    }
    expect(seen.size).toBe(wishes.length + 1);
    await save(eventInput(row));
    expect(await versions(row.id)).toEqual(first);
    await aBooking(row.id);
    expect(await versions(row.id)).toEqual(first);
  });

  test('of this and later ones compares the later ones too, of only this one does not', async () => {
    const [first, second] = (await aSeries(t.db, { therapistId: therapist.id, further: [7] })) as [EventRow, EventRow];
    const opened = await versions(first.id);
    await save(eventInput(second, { startTime: '17:00' }));
    expect(
      (await problem(save(eventInput(first, { scope: 'later', startTime: '16:00', version: opened.later })))).code,
    ).toBe('event_changed');
    await save(eventInput(first, { startTime: '16:00', version: opened.this }));
    await save(eventInput(first, { scope: 'later', startTime: '15:00', version: (await versions(first.id)).later }));
    expect((await eventAgain(t.db, second.id)).startTime).toBe('15:00');
  });

  test('succeeds for one of two at once from one version', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const { this: version } = await versions(row.id);
    let acts: Promise<string>[] = [];
    await t.db.transaction(async (tx) => {
      await t.app.events.lock(tx, row.id);
      acts = ['16:00', '17:00'].map((startTime) =>
        save(eventInput(row, { startTime, version })).then(
          () => 'done',
          ({ code }: Problem) => code,
        ),
      );
      await untilLockWaits(t.db, 2);
    });
    expect((await Promise.all(acts)).toSorted()).toEqual(['done', 'event_changed']);
  });
});

describe('17. another therapist’s event is not found', () => {
  test('in every call that names one', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const token = other.token;
    const eventId = String(row.id);
    for (const act of [
      () => save(eventInput(row, { eventName: 'Mine now' }), token),
      () => t.api(calls.previewEvent, { body: eventInput(row, { eventName: 'Mine now' }) as never }, { token }),
      () => t.api(calls.cancelEvent, { body: { eventId: row.id, reason: 'x', cancelRepetitions: true } }, { token }),
      () => t.api(calls.deleteEvent, { params: { id: eventId } }, { token }),
      () => t.api(calls.myEvent, { params: { eventId } }, { token }),
      () => t.api(calls.distinctNames, { params: { id: String(therapist.id) } }, { token }),
      () => t.api(calls.distinctAddresses, { params: { id: String(therapist.id) } }, { token }),
      () => t.api(calls.latestEvent, { params: { id: String(therapist.id) } }, { token }),
    ])
      expect((await problem(act())).code).toBe('not_found');
    expect(await eventAgain(t.db, row.id)).toEqual(row);
    expect((await t.api(calls.myEvents, { body: {} }, { token })).totalElements).toBe(0);
    expect(await t.api(calls.eventImages, {}, { token })).toEqual([]);
  });
});

describe('18. earlier texts', () => {
  test('are names and addresses, each once, the latest first, and the latest event', async () => {
    expect(await t.api(calls.latestEvent, { params: { id: String(therapist.id) } }, { token: therapist.token })).toBe(
      null,
    );
    await anEvent(t.db, { therapistId: therapist.id, name: 'Silence', isOnline: false, address: 'A street 1' });
    await aSeries(t.db, {
      therapistId: therapist.id,
      name: 'Roots',
      isOnline: false,
      address: 'B street 2',
      further: [7],
    });
    const again = await anEvent(t.db, { therapistId: therapist.id, name: 'Silence' });
    await anEvent(t.db, { therapistId: other.id, name: 'Foreign' });
    expect(await t.api(calls.eventDefaults, {}, { token: therapist.token })).toEqual({
      timeZone: null,
      locations: ['Practice in the garden'],
    });
    await t.db.execute(sql`UPDATE accounts SET time_zone = 'Europe/Budapest' WHERE id = ${therapist.id}`);
    expect((await t.api(calls.eventDefaults, {}, { token: therapist.token })).timeZone).toBe('Europe/Budapest');
    const own = { params: { id: String(therapist.id) } };
    expect(await t.api(calls.distinctNames, own, { token: therapist.token })).toEqual(['Silence', 'Roots']);
    expect(await t.api(calls.distinctAddresses, own, { token: therapist.token })).toEqual(['B street 2', 'A street 1']);
    expect(await t.api(calls.latestEvent, own, { token: therapist.token })).toMatchObject({
      id: again.id,
      eventName: 'Silence',
    });
  });
});
