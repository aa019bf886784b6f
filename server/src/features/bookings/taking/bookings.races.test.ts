/**
 * Acts at the same time, stopped before the event's locked row so that they really coincide. Numbers are those of
 * README.md.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { cancelEvent, saveEvent } from '@fieldroom/contract/events';
import { createApp, type App } from '../../../app.ts';
import { aBooking } from '../../../builders/bookings.builders.ts';
import { aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { anEvent } from '../../../builders/events.builders.ts';
import { untilLockWaits } from '../../../../tests/support/locks.ts';
import { createCaller, testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createLog } from '../../../platform/monitoring/log.ts';
import type { EventRow } from '../../events/index.ts';
import {
  aNewBlock,
  aNewEmail,
  atOnce,
  BEHIND_PROXY,
  book,
  cancel,
  confirm,
  correct,
  countsOf,
  decline,
  decoysOf,
  kindsTo,
  outcome,
  resend,
  rowsOf,
  tokenTo,
} from '../bookings.fixture.ts';

/**
 * In one process at most this many acts on one event wait at its row at the same time; the others wait without a
 * connection.
 */
const TURNS = 3;

let t: TestApp;
/** A second node on the same database. */
let other: App;
let there: ReturnType<typeof createCaller>;
let therapist: BuiltAccount;
beforeAll(async () => {
  // Only places are limited here; a crowd waits for a lock at the same time.
  t = await testApp({
    env: {
      ...BEHIND_PROXY,
      DATABASE_CONNECTIONS: '40',
      LIMIT_FORM_EMAILS: '1000/1d',
      LIMIT_ADDRESS_EMAILS: '1000/1d',
    },
  });
  other = await createApp(
    { ...t.app.config, port: 0, databaseConnections: 16 },
    { longRunning: false, log: createLog({ logLevel: 'silent', production: true }) },
  );
  there = createCaller(await other.listen());
});
afterAll(async () => {
  await other.close();
  await t.close();
});
beforeEach(async () => {
  therapist = await aTherapist(t.db);
});

const event = (wish: Partial<Parameters<typeof anEvent>[1]> = {}) =>
  anEvent(t.db, { therapistId: therapist.id, ...wish });
const as = () => ({ token: therapist.token });
const cancelIt = (eventId: number) => t.api(cancelEvent, { body: { eventId, reason: 'The house is closed.' } }, as());
const remove = (eventId: number, email: string) =>
  t.api(calls.removeAttendee, { params: { eventId }, body: { participant: { email } } }, as());
const add = (eventId: number, email = aNewEmail()) =>
  t.api(calls.addAttendee, { params: { eventId }, body: { firstName: 'Ada', lastName: 'Moll', email } }, as());
const withPlaces = (row: EventRow, places: number) =>
  t.api(
    saveEvent,
    {
      body: {
        id: row.id,
        eventName: row.name,
        type: row.type,
        isOnline: row.isOnline,
        description: row.description,
        dates: row.dates,
        startTime: row.startTime,
        endTime: row.endTime,
        timeZone: row.timeZone,
        price: '45',
        currency: row.currency,
        maximumParticipant: places,
      },
    },
    as(),
  );
const tally = (outcomes: readonly string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].toSorted().map((code) => [code, outcomes.filter((one) => one === code).length]),
  );
async function aHolder(eventId: number) {
  const email = aNewEmail();
  const hold = await book(t, eventId, { email });
  return { email, ...hold, token: await tokenTo(t, email) };
}

describe('1 the last places', () => {
  test('are taken correctly by fifty at once for two', async () => {
    const { id } = await event({ places: 4 });
    for (let nth = 0; nth < 2; nth++) await aBooking(t.db, { eventId: id });
    const got = await atOnce(
      t,
      id,
      Array.from({ length: 50 }, () => () => book(t, id)),
    );
    expect(tally(got)).toEqual({ done: 2, event_full: 48 });
    expect(await countsOf(t, id)).toEqual({ held: 2, confirmed: 2 });
    const emails = (await t.emails())
      .filter(({ about }) => about !== null && about.startsWith('booking '))
      .map(({ about }) => about);
    for (const { id: booking, state } of await rowsOf(t, id))
      if (state === 'HELD') expect(emails.filter((about) => about === `booking ${booking}`)).toHaveLength(1);
  });

  test('are taken correctly on two nodes at once', async () => {
    const { id } = await event({ places: 4 });
    const got = await atOnce(
      t,
      id,
      Array.from({ length: 40 }, (_, nth) => () => book(nth % 2 === 0 ? t : there, id)),
      2,
    );
    expect(tally(got)).toEqual({ done: 4, event_full: 36 });
    expect(await countsOf(t, id)).toEqual({ held: 4, confirmed: 0 });
  });

  test('are limited to half for many at once', async () => {
    const { id } = await event({ places: 9 });
    expect(
      tally(
        await atOnce(
          t,
          id,
          Array.from({ length: 30 }, () => () => book(t, id)),
        ),
      ),
    ).toEqual({ done: 4, event_holds_full: 26 });
  });

  test('are shared by booking and adding', async () => {
    const { id } = await event({ places: 4 });
    const got = await atOnce(
      t,
      id,
      [...Array.from({ length: 10 }, () => () => book(t, id)), ...Array.from({ length: 10 }, () => () => add(id))],
      1 + TURNS,
    );
    expect(tally(got)).toEqual({ done: 4, event_full: 16 });
    const { held, confirmed } = await countsOf(t, id);
    expect(held + confirmed).toBe(4);
  });
});

describe('4 one person many times at once', () => {
  test('has one booking, and every call gets the same answer', async () => {
    const { id } = await event({ places: 30 });
    const email = aNewEmail();
    expect(
      tally(
        await atOnce(
          t,
          id,
          Array.from(
            { length: 12 },
            (_, nth) => () =>
              book(nth % 2 === 0 ? t : there, id, { email: nth % 3 === 0 ? email.toUpperCase() : email }),
          ),
          2,
        ),
      ),
    ).toEqual({ done: 12 });
    expect(await countsOf(t, id)).toEqual({ held: 1, confirmed: 0 });
    expect(await decoysOf(t, id)).toBe(11);
    expect([...(await kindsTo(t, email)), ...(await kindsTo(t, email.toUpperCase()))]).toEqual(
      Array.from({ length: 12 }, () => 'held'),
    );
  });

  test('with several spellings and languages: all emails are about the one booking', async () => {
    const { id } = await event({ places: 30 });
    const email = aNewEmail();
    // Far more than one list takes, so that some share a list with the first and others come after it.
    const language = (nth: number) => (['en', 'de', 'hu', 'ro'] as const)[nth % 4]!;
    expect(
      tally(
        await atOnce(
          t,
          id,
          Array.from(
            { length: 12 },
            (_, nth) => () =>
              book(t, id, { email: nth % 3 === 0 ? email.toUpperCase() : email, language: language(nth) }),
          ),
          1,
        ),
      ),
    ).toEqual({ done: 12 });
    const { rows } = await t.db.execute(
      sql`SELECT l.to_address = b.email AS "itsAddress", l.language = b.language AS "itsLanguage", count(*)::integer AS emails FROM bookings b JOIN outbox_emails l ON l.about = 'booking ' || b.id WHERE b.event_id = ${id} GROUP BY 1, 2`,
    );
    expect(rows).toEqual([{ itsAddress: true, itsLanguage: true, emails: 12 }]);
  });

  test('who books and is added', async () => {
    const { id } = await event();
    const email = aNewEmail();
    const got = await atOnce(
      t,
      id,
      [() => book(t, id, { email }), () => add(id, email), () => book(t, id, { email }), () => add(id, email)],
      3,
    );
    expect(tally(got)).toEqual({ already_booked: 1, done: 3 });
    expect(await countsOf(t, id)).toEqual({ held: 0, confirmed: 1 });
  });
});

test('7 open holds of one block, counted on two nodes at once', async () => {
  const from = aNewBlock();
  const ids: number[] = [];
  for (let nth = 0; nth < 4; nth++) ids.push((await event()).id);
  let running: Promise<string>[] = [];
  await t.db.transaction(async (tx) => {
    // Stopped where they write, after they have counted.
    await tx.execute(sql`LOCK TABLE booking_handles IN EXCLUSIVE MODE`);
    running = ids.map((id, nth) => outcome(book(nth < 2 ? t : there, id, { from })));
    await untilLockWaits(t.db, 2);
  });
  expect(tally(await Promise.all(running))).toEqual({ done: 3, too_many_requests: 1 });
});

describe('2 an event locked by others', () => {
  test('does not delay another one in the same round', async () => {
    const [one, two] = [await event(), await event()];
    let first: Promise<unknown> | undefined;
    await t.db.transaction(async (tx) => {
      await t.app.events.lock(tx, one.id);
      first = book(t, one.id);
      // Both are asked for in one turn; the second is answered while the first still waits.
      await book(t, two.id);
      await untilLockWaits(t.db, 1);
      expect(await countsOf(t, two.id)).toEqual({ held: 1, confirmed: 0 });
      expect(await countsOf(t, one.id)).toEqual({ held: 0, confirmed: 0 });
    });
    await first;
    expect(await countsOf(t, one.id)).toEqual({ held: 1, confirmed: 0 });
  });
});

describe('10 the end of a hold', () => {
  test('a click that waits while the hold ends and its place is taken by another loses, once', async () => {
    const { id } = await event({ places: 1 });
    const late = await aHolder(id);
    let clicks: Promise<string>[] = [];
    let next: Promise<string> | undefined;
    await t.db.transaction(async (tx) => {
      await t.app.events.lock(tx, id);
      next = outcome(book(t, id));
      await untilLockWaits(t.db, 1);
      clicks = Array.from({ length: 4 }, () => outcome(confirm(t, late.token)));
      await untilLockWaits(t.db, 1 + TURNS);
      await t.move(calls.HOLD_MINUTES * 60 + 1);
    });
    const got = [await next, ...(await Promise.all(clicks))];
    const { held, confirmed } = await countsOf(t, id);
    expect(held + confirmed).toBe(1);
    // Either the new booking has the place and all clicks lost, or all clicks got the same booking.
    expect([
      { done: 1, event_full: 4 },
      { done: 4, event_full: 1 },
    ]).toContainEqual(tally(got as string[]));
    expect(tally(got.slice(1) as string[])).toEqual(confirmed === 1 ? { done: 4 } : { event_full: 4 });
  });

  test('a click that has the lock before the hold is over wins, however long it takes', async () => {
    const { id } = await event({ places: 1 });
    const holder = await aHolder(id);
    await t.move(calls.HOLD_MINUTES * 60 - 5);
    expect(await outcome(confirm(t, holder.token))).toBe('done');
    await t.move(10);
    expect(await outcome(book(t, id))).toBe('event_full');
  });

  test('twenty clicks at once confirm once', async () => {
    const { id } = await event({ places: 1 });
    const { token, email } = await aHolder(id);
    const got = await atOnce(
      t,
      id,
      Array.from({ length: 20 }, (_, nth) => () => confirm(nth % 2 === 0 ? t : there, token)),
      2 * TURNS,
    );
    expect(tally(got)).toEqual({ done: 20 });
    expect(await kindsTo(t, email)).toEqual(['held', 'confirmed']);
    expect((await t.emails(therapist.email)).map(({ kind }) => kind)).toEqual(['bookings.newBooking']);
  });

  test('late clicks of two people for one free place: one wins', async () => {
    const { id } = await event({ places: 2 });
    const [one, two] = [await aHolder(id), await aHolder(id)];
    await t.move(calls.HOLD_MINUTES * 60 + 1);
    await aBooking(t.db, { eventId: id });
    expect(tally(await atOnce(t, id, [() => confirm(t, one.token), () => confirm(t, two.token)], 2))).toEqual({
      done: 1,
      event_full: 1,
    });
  });
});

/**
 * The effect of each act on a held booking, by README and contract. Null: it is refused with that code and changes
 * nothing.
 */
type State = 'HELD' | 'CONFIRMED' | 'DECLINED' | 'CANCELLED';
type Act = 'confirm' | 'decline' | 'remove' | 'cancelEvent';
interface Model {
  state: State;
  eventCancelled: boolean;
  kinds: string[];
}
function apply(model: Model, act: Act): { model: Model; outcome: string } {
  const { state, eventCancelled, kinds } = model;
  const live = state === 'HELD' || state === 'CONFIRMED';
  switch (act) {
    case 'confirm':
      if (state === 'CONFIRMED') return { model, outcome: 'done' };
      if (state === 'HELD')
        return { model: { ...model, state: 'CONFIRMED', kinds: [...kinds, 'confirmed'] }, outcome: 'done' };
      return {
        model,
        outcome: eventCancelled && kinds.includes('eventCancelled') ? 'event_cancelled' : 'booking_ended',
      };
    case 'decline':
      if (state === 'DECLINED') return { model, outcome: 'done' };
      return state === 'HELD'
        ? { model: { ...model, state: 'DECLINED' }, outcome: 'done' }
        : { model, outcome: 'booking_ended' };
    case 'remove':
      return live
        ? { model: { ...model, state: 'CANCELLED', kinds: [...kinds, 'cancelledByTherapist'] }, outcome: 'done' }
        : { model, outcome: 'booking_not_found' };
    case 'cancelEvent':
      if (eventCancelled) return { model, outcome: 'done' };
      return {
        model: {
          state: live ? 'CANCELLED' : state,
          eventCancelled: true,
          kinds: live ? [...kinds, 'eventCancelled'] : kinds,
        },
        outcome: 'done',
      };
  }
}
function orders<T>(items: readonly T[]): T[][] {
  return items.length <= 1
    ? [[...items]]
    : items.flatMap((item, index) =>
        orders(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
      );
}

describe('confirm, decline, cancel event and delete, at the same time', () => {
  const ACTS: Act[] = ['confirm', 'decline', 'remove', 'cancelEvent'];
  const sets = ACTS.flatMap((first, index) => ACTS.slice(index + 1).map((second) => [first, second])).concat([
    ACTS,
    ['confirm', 'confirm', 'remove', 'cancelEvent'],
    ['confirm', 'decline', 'decline', 'remove'],
  ]) as Act[][];
  test.each(sets.map((set) => [set.join(', '), set] as const))(
    '%s: some order of the acts explains the result',
    async (_, set) => {
      for (let round = 0; round < 3; round++) {
        const { id } = await event();
        const holder = await aHolder(id);
        const run: Record<Act, () => Promise<unknown>> = {
          confirm: () => confirm(t, holder.token),
          decline: () => decline(t, holder.token),
          remove: () => remove(id, holder.email),
          cancelEvent: () => cancelIt(id),
        };
        const shuffled = set.toSorted(() => Math.random() - 0.5);
        const got = await atOnce(
          t,
          id,
          shuffled.map((act) => run[act]),
          Math.min(TURNS, shuffled.length),
        );
        const [row] = await rowsOf(t, id);
        const seen = JSON.stringify([got, row!.state, await kindsTo(t, holder.email)]);
        const possible = orders(shuffled.map((act, index) => ({ act, index }))).map((order) => {
          let model: Model = { state: 'HELD', eventCancelled: false, kinds: ['held'] };
          const outcomes: string[] = [];
          for (const { act, index } of order) {
            const step = apply(model, act);
            model = step.model;
            outcomes[index] = step.outcome;
          }
          return JSON.stringify([outcomes, model.state, model.kinds]);
        });
        expect(possible, shuffled.join()).toContain(seen);
      }
    },
  );

  test('cancelling and being deleted at once: one of the two happens, one email', async () => {
    const { id } = await event();
    const mine = await aBooking(t.db, { eventId: id });
    const got = await atOnce(t, id, [() => cancel(t, mine.privateToken), () => remove(id, mine.email)], 2);
    const [row] = await rowsOf(t, id);
    expect(got).toEqual(row!.endedBy === 'client' ? ['done', 'booking_not_found'] : ['booking_ended', 'done']);
    expect(await kindsTo(t, mine.email)).toEqual([
      row!.endedBy === 'client' ? 'cancelledByClient' : 'cancelledByTherapist',
    ]);
    expect(row!.sequence).toBe(1);
  });
});

describe('8, 9 a handle used at the same time', () => {
  test('works once', async () => {
    const { id } = await event({ places: 1 });
    const { handle } = await aHolder(id);
    const emails = [aNewEmail(), aNewEmail()] as const;
    const got = await atOnce(
      t,
      id,
      [
        () => resend(t, handle),
        () => correct(t, handle, emails[0]),
        () => resend(t, handle),
        () => correct(t, handle, emails[1]),
      ],
      TURNS,
    );
    expect(tally(got)).toEqual({ done: 1, link_invalid: 3 });
    expect(await countsOf(t, id)).toEqual({ held: 1, confirmed: 0 });
  });

  test('corrects or confirms: the place is given once', async () => {
    const { id } = await event({ places: 1 });
    for (let round = 0; round < 4; round++) {
      const holder = await aHolder(id);
      const email = aNewEmail();
      const got = await atOnce(t, id, [() => correct(t, holder.handle, email), () => confirm(t, holder.token)], 2);
      expect([
        ['done', 'link_invalid'],
        ['event_full', 'done'],
      ]).toContainEqual(got);
      const { held, confirmed } = await countsOf(t, id);
      expect([held, confirmed]).toEqual(got[0] === 'done' ? [1, 0] : [0, 1]);
      await remove(id, got[0] === 'done' ? email : holder.email);
    }
  });
});

describe('1 raising and lowering the places during bookings', () => {
  test('never goes below the taken places, and added places can be taken', async () => {
    const row = await event({ places: 4 });
    for (let round = 0; round < 5; round++) {
      const acts: (() => Promise<unknown>)[] = [
        ...Array.from({ length: 6 }, () => () => book(t, row.id)),
        ...Array.from({ length: 3 }, () => () => add(row.id)),
        () => withPlaces(row, 4 + round),
        () => withPlaces(row, 2),
        () => withPlaces(row, 8),
      ];
      const got = await atOnce(
        t,
        row.id,
        acts.toSorted(() => Math.random() - 0.5),
        6,
      );
      for (const code of got) expect(['done', 'event_full', 'event_holds_full', 'places_below_taken']).toContain(code);
      const { rows } = await t.db.execute<{ places: number; held: number; confirmed: number }>(
        sql`SELECT places, held, confirmed FROM events, booking_counts(id) WHERE id = ${row.id}`,
      );
      expect(rows[0]!.held + rows[0]!.confirmed).toBeLessThanOrEqual(rows[0]!.places);
    }
  });
});

test('5 at a full event whose place repeatedly becomes free, nobody who asks afterwards gets "full"', async () => {
  const { id } = await event({ places: 1 });
  let { email } = await aBooking(t.db, { eventId: id });
  // The crowd asks from addresses where no further booking is allowed: it gets "full" while the event is full, and
  // takes nothing when it is not.
  const from = aNewBlock();
  for (let nth = 0; nth < 5; nth++) await outcome(book(t, (await event()).id, { from }));
  await outcome(book(t, id));
  const told = new Set<string>();
  let storming = true;
  const storm = Promise.all(
    Array.from({ length: 8 }, async () => {
      while (storming) told.add(await outcome(book(t, id, { from })));
    }),
  );
  for (let round = 0; round < 20; round++) {
    await remove(id, email);
    email = aNewEmail();
    expect(await outcome(book(t, id, { email }))).toBe('done');
    expect(await outcome(book(t, id))).toBe('event_full');
  }
  storming = false;
  await storm;
  for (const code of told) expect(['event_full', 'too_many_requests']).toContain(code);
});

test('7 more tries with one address in one round than emails allowed: all are answered, three emails are sent', async () => {
  const limited = await testApp({ env: BEHIND_PROXY });
  try {
    const { id: therapistId } = await aTherapist(limited.db);
    const { id } = await anEvent(limited.db, { therapistId, places: 20 });
    const email = aNewEmail();
    const got = await atOnce(
      limited,
      id,
      Array.from({ length: 6 }, () => () => book(limited, id, { email })),
    );
    expect(tally(got)).toEqual({ done: 6 });
    expect(await countsOf(limited, id)).toEqual({ held: 1, confirmed: 0 });
    expect(await kindsTo(limited, email)).toEqual(['held', 'held', 'held']);
  } finally {
    await limited.close();
  }
});
