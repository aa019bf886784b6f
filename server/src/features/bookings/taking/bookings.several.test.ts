/** Several places in one booking: rule 27 of README.md, docs/product.md#9.21. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { previewEvent, publicEvent } from '@fieldroom/contract/events';
import { aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { aBooking } from '../../../builders/bookings.builders.ts';
import { anEvent, type EventWish } from '../../../builders/events.builders.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { clients } from '../../clients/clients.tables.ts';
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
  fields,
  outcome,
  rowsOf,
  seen,
  tokenTo,
  view,
} from '../bookings.fixture.ts';

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp({
    env: { ...BEHIND_PROXY, DATABASE_CONNECTIONS: '40', LIMIT_FORM_EMAILS: '1000/1d', LIMIT_ADDRESS_EMAILS: '1000/1d' },
  });
  therapist = await aTherapist(t.db);
});
afterAll(() => t?.close());

const event = (wish: Partial<EventWish> = {}) => anEvent(t.db, { therapistId: therapist.id, places: 12, ...wish });
/** Books and confirms. Returns the private token. */
async function confirmed(id: number, places: number, email = aNewEmail()): Promise<string> {
  await book(t, id, { email, places });
  return (await confirm(t, await tokenTo(t, email))).bookingToken;
}

describe('27 several places in one booking', () => {
  test('can be one to four, one by default', async () => {
    const { id } = await event();
    for (const places of [0, -1, 5, 1.5, '2', null])
      expect(await fields(book(t, id, { places } as never)), String(places)).toEqual([
        expect.stringMatching(/^places /),
      ]);
    await book(t, id);
    await book(t, id, { places: 4 });
    expect((await rowsOf(t, id)).map(({ places }) => places)).toEqual([1, 4]);
  });

  test('are taken or refused as the contract counts, and the page shows the maximum for one booking', async () => {
    for (const places of [1, 2, 3, 4, 5, 6, 9])
      for (const taken of [0, 1, 2, places - 1])
        for (const wanted of [1, 2, 3, 4]) {
          if (taken >= places) continue;
          const type = places === 1 ? 'ONE_ON_ONE' : 'GROUP';
          const { id } = await event({ places, type });
          for (let nth = 0; nth < taken; nth++) await aBooking(t.db, { eventId: id });
          const where = `${wanted} of ${places}, ${taken} confirmed`;
          const page = await t.api(publicEvent, { params: { therapistName: therapist.slug, eventId: id } });
          expect(page.placesAtOnce, where).toBe(calls.placesAtOnce(places, 0, taken));
          expect(await outcome(book(t, id, { places: wanted })), where).toBe(
            calls.noSeat(places, 0, taken, wanted) ?? 'done',
          );
          expect((await countsOf(t, id)).held, where).toBe(wanted <= page.placesAtOnce ? wanted : 0);
        }
  });

  test('do not block smaller bookings if refused', async () => {
    const { id } = await event({ places: 4 });
    await confirmed(id, 2);
    expect(await outcome(book(t, id, { places: 3 }))).toBe('too_few_places');
    expect(await outcome(book(t, id, { places: 2 }))).toBe('done');
    expect(await outcome(book(t, id))).toBe('event_full');
  });

  test('never exceed the total for simultaneous crowds of random sizes, and the rest stays open', async () => {
    for (let round = 0; round < 4; round++) {
      const places = 5 + Math.floor(Math.random() * 20);
      const { id } = await event({ places });
      const sizes = Array.from({ length: 24 }, () => 1 + Math.floor(Math.random() * 4));
      const got = await atOnce(
        t,
        id,
        sizes.map((size) => () => book(t, id, { places: size })),
      );
      const sum = sizes.reduce((all, size, nth) => all + (got[nth] === 'done' ? size : 0), 0);
      const where = `${places} places, ${JSON.stringify(sizes)}: ${got.join(' ')}`;
      expect(await countsOf(t, id), where).toEqual({ held: sum, confirmed: 0 });
      expect(sum, where).toBeLessThanOrEqual(calls.maxHeld(places));
      // Nobody is refused while as many places are open.
      const left = calls.placesAtOnce(places, sum, 0);
      for (const [nth, code] of got.entries())
        if (code !== 'done' && sizes[nth]! <= left) expect.fail(`refused ${sizes[nth]}: ${where}`);
      expect((await seen(t, therapist.slug, id)).taken, where).toBe(sum);
    }
  });

  test('are all kept by confirming, and all freed by declining, cancelling and the end of the hold', async () => {
    const { id } = await event();
    const taken = async () => (await seen(t, therapist.slug, id)).taken;
    const token = await confirmed(id, 3);
    expect(await taken()).toBe(3);
    const declining = aNewEmail();
    await book(t, id, { email: declining, places: 4 });
    expect(await taken()).toBe(7);
    await decline(t, await tokenTo(t, declining));
    expect(await taken()).toBe(3);
    await cancel(t, token);
    expect(await taken()).toBe(0);
    await book(t, id, { places: 4 });
    expect(await taken()).toBe(4);
    await t.move(11 * 60);
    expect(await taken()).toBe(0);
  });

  test('are all needed again by a late confirmation', async () => {
    const { id } = await event({ places: 4 });
    const late = aNewEmail();
    await book(t, id, { email: late, places: 3 });
    const token = await tokenTo(t, late);
    await t.move(11 * 60);
    const other = await confirmed(id, 2);
    expect(await outcome(confirm(t, token))).toBe('too_few_places');
    const full = await confirmed(id, 2);
    expect(await outcome(confirm(t, token))).toBe('event_full');
    await cancel(t, other);
    await cancel(t, full);
    expect(await outcome(confirm(t, token))).toBe('done');
    expect(await countsOf(t, id)).toEqual({ held: 0, confirmed: 3 });
  });

  test('do not reveal a known address, whatever number is asked for', async () => {
    const { id } = await event();
    const email = aNewEmail();
    await confirmed(id, 1, email);
    await book(t, id, { email, places: 3 });
    expect([await decoysOf(t, id), (await seen(t, therapist.slug, id)).taken]).toEqual([3, 4]);
    expect((await rowsOf(t, id)).map(({ places }) => places)).toEqual([1]);
    // The email is about the booking that exists.
    expect((await t.emails(email)).at(-1)!.text).toMatch(/Places: 1\n/);
  });

  test('stay the same when the address is corrected', async () => {
    const { id } = await event({ places: 4 });
    const { handle } = await book(t, id, { places: 3 });
    const right = aNewEmail();
    await correct(t, handle, right);
    expect(await countsOf(t, id)).toEqual({ held: 3, confirmed: 0 });
    await confirm(t, await tokenTo(t, right));
    expect(await countsOf(t, id)).toEqual({ held: 0, confirmed: 3 });
  });

  test('do not count in limits, which count bookings', async () => {
    const { id } = await event({ places: 40 });
    const from = aNewBlock();
    for (let nth = 0; nth < 3; nth++) expect(await outcome(book(t, id, { from, places: 4 }))).toBe('done');
    expect(await outcome(book(t, id, { from }))).toBe('too_many_requests');
  });

  test('are shown in emails, on the private page, in the list and in the room', async () => {
    const { id } = await event({ isOnline: true, startsInMinutes: 20, priceMinor: 3050, currency: 'EUR' });
    for (const [language, words] of [
      ['en', /Places: 3\n[^]*€91\.50 \(€30\.50 per person\)/],
      ['de', /Plätze: 3\n[^]*91,50\s€ \(30,50\s€ pro Person\)/],
      ['hu', /Helyek száma: 3\n[^]*91,50\sEUR \(30,50\sEUR személyenként\)/],
      ['ro', /Locuri: 3\n[^]*91,50\s(?:EUR|€) \(30,50\s(?:EUR|€) de persoană\)/],
    ] as const) {
      const email = aNewEmail();
      const token = await (async () => {
        await book(t, id, { email, language, places: 3, firstName: 'Réka', lastName: 'Oláh' });
        return (await confirm(t, await tokenTo(t, email))).bookingToken;
      })();
      for (const { text, kind } of await t.emails(email)) expect(text, `${language} ${kind}`).toMatch(words);
      expect((await view(t, token)).places).toBe(3);
      if (language === 'en') {
        const { client } = await t.api(calls.enterBookedRoom, { body: { token } });
        const [row] = await t.db.select().from(clients).where(eq(clients.id, client.id));
        expect(row!.name).toBe('Réka Oláh +2');
      }
      await cancel(t, token);
    }
    await confirmed(id, 2);
    const listed = await t.api(calls.listBookings, { params: { eventId: id } }, { token: therapist.token });
    expect(listed.map(({ places }) => places)).toEqual([2]);
  });

  test('do not count as emails, which are counted by people', async () => {
    const row = await event({ isOnline: true });
    await confirmed(row.id, 4);
    await book(t, row.id, { places: 2 });
    const { told } = await t.api(
      previewEvent,
      {
        body: {
          id: row.id,
          eventName: row.name,
          type: row.type,
          isOnline: true,
          description: '',
          dates: row.dates,
          startTime: '00:01',
          endTime: row.endTime,
          timeZone: row.timeZone,
          price: '1',
          currency: 'EUR',
          maximumParticipant: row.places,
        },
      },
      { token: therapist.token },
    );
    expect(told).toEqual([expect.objectContaining({ held: 1, confirmed: 1 })]);
  });

  test('of another number are refused by the database', async () => {
    const { id } = await aBooking(t.db, { eventId: (await event()).id });
    for (const places of [0, 5])
      await expect(t.db.execute(sql`UPDATE bookings SET places = ${places} WHERE id = ${id}`)).rejects.toThrow();
  });
});
