/**
 * Emails of forms are counted by the transaction that writes them (README, rule 7): whatever fails, none is used up,
 * and no booking is promised an email that never comes.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { aTherapist } from '../../../builders/accounts.builders.ts';
import { aBooking } from '../../../builders/bookings.builders.ts';
import { anEvent } from '../../../builders/events.builders.ts';
import { failOften } from '../../../../tests/support/refused-rows.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { aNewEmail, BEHIND_PROXY, book, correct, kindsTo, resend, sendLink } from '../bookings.fixture.ts';

/** A count could not be taken back either. */
const AWAY = { areCountsFinal: true };

let t: TestApp;
let eventId: number;
beforeAll(async () => {
  t = await testApp({ env: { ...BEHIND_PROXY, LIMIT_BOOKING: '1000/60' } });
});
afterAll(() => t.close());
beforeEach(async () => {
  eventId = (await anEvent(t.db, { therapistId: (await aTherapist(t.db)).id, places: 100 })).id;
});

test('7 after faults, the booking that succeeds has its email', async () => {
  const email = aNewEmail();
  await failOften(t.db, () => book(t, eventId, { email }), AWAY);
  await book(t, eventId, { email });
  expect(await kindsTo(t, email)).toEqual(['held']);
});

test('7 after faults, sending again and correcting the address both send their email', async () => {
  const [wrong, right] = [aNewEmail(), aNewEmail()];
  const { handle } = await book(t, eventId, { email: wrong });
  await failOften(t.db, () => resend(t, handle), AWAY);
  const again = await resend(t, handle);
  expect(await kindsTo(t, wrong)).toEqual(['held', 'held']);
  await failOften(t.db, () => correct(t, again.handle, right), AWAY);
  await correct(t, again.handle, right);
  expect(await kindsTo(t, right)).toEqual(['held']);
});

test('23 after faults, the link of a booking is sent, held or confirmed', async () => {
  const email = aNewEmail();
  for (const state of ['HELD', 'CONFIRMED'] as const) {
    const { privateToken } = await aBooking(t.db, { eventId, email, state });
    await failOften(t.db, () => sendLink(t, privateToken), AWAY);
    await sendLink(t, privateToken);
    await t.db.execute(sql`UPDATE bookings SET state = 'CANCELLED' WHERE event_id = ${eventId}`);
  }
  expect(await kindsTo(t, email)).toEqual(['held', 'linkAgain']);
});

test('7 after faults, the links of an address are sent', async () => {
  const email = aNewEmail();
  await book(t, eventId, { email });
  const ask = async () => {
    await t.api(calls.sendBookingLinks, { body: { email } }, { headers: { 'x-forwarded-for': '10.9.9.9' } });
    await t.app.bookings.idle();
  };
  await failOften(t.db, ask, { ...AWAY, isSilent: true });
  await ask();
  expect(await kindsTo(t, email)).toEqual(['held', 'links']);
});

test('7 an email that may not be sent does not use up those about other events', async () => {
  const { formEmails, addressEmails } = t.app.config.limits;
  expect([formEmails.max, addressEmails.max]).toEqual([3, 10]);
  const email = aNewEmail();
  const { id: therapistId } = await aTherapist(t.db);
  const sent: number[] = [];
  for (let events = 0; events < 4; events += 1) {
    const { id } = await anEvent(t.db, { therapistId, places: 100 });
    for (let nth = 0; nth < 2 * formEmails.max; nth += 1) await book(t, id, { email });
    sent.push((await kindsTo(t, email)).length);
  }
  expect(sent).toEqual([3, 6, 9, 10]);
});
