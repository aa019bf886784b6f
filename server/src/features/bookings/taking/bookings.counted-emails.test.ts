/**
 * Emails of forms are counted by the transaction that writes them (README, rule 7): whatever fails, none is used up,
 * and no booking is promised an email that never comes.
 */
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { aTherapist } from '../../../builders/accounts.builders.ts';
import { anEvent } from '../../../builders/events.builders.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { aNewEmail, BEHIND_PROXY, book, correct, kindsTo, resend } from '../bookings.fixture.ts';

/** More than any limit allows. */
const FAULTS = 12;

let t: TestApp;
let eventId: number;
beforeAll(async () => {
  t = await testApp({ env: { ...BEHIND_PROXY, LIMIT_BOOKING: '1000/60' } });
  await t.db.execute(sql`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`);
});
afterAll(() => t.close());
beforeEach(async () => {
  eventId = (await anEvent(t.db, { therapistId: (await aTherapist(t.db)).id, places: 100 })).id;
});
afterEach(mend);

/** No email can be written, and no count can be taken back: as while the database comes and goes. */
async function fail(): Promise<void> {
  await t.db.execute(sql`
    CREATE TRIGGER no_email BEFORE INSERT ON outbox_emails FOR EACH ROW EXECUTE FUNCTION refuse();
    CREATE TRIGGER no_way_back BEFORE UPDATE ON limit_counters FOR EACH ROW WHEN (NEW.count < OLD.count)
      EXECUTE FUNCTION refuse()`);
}
async function mend(): Promise<void> {
  await t.db.execute(sql`
    DROP TRIGGER IF EXISTS no_email ON outbox_emails;
    DROP TRIGGER IF EXISTS no_way_back ON limit_counters`);
}
/** Does something while no email can be written, more often than any limit allows. */
async function failOften(act: () => Promise<unknown>): Promise<void> {
  await fail();
  for (let nth = 0; nth < FAULTS; nth += 1) await expect(act()).rejects.toThrow();
  await mend();
}

test('7 after faults of booking the booking that comes through has its email', async () => {
  const email = aNewEmail();
  await failOften(() => book(t, eventId, { email }));
  await book(t, eventId, { email });
  expect(await kindsTo(t, email)).toEqual(['held']);
});

test('7 after faults of sending again and of correcting the address both send their email', async () => {
  const [wrong, right] = [aNewEmail(), aNewEmail()];
  const { handle } = await book(t, eventId, { email: wrong });
  await failOften(() => resend(t, handle));
  const again = await resend(t, handle);
  expect(await kindsTo(t, wrong)).toEqual(['held', 'held']);
  await failOften(() => correct(t, again.handle, right));
  await correct(t, again.handle, right);
  expect(await kindsTo(t, right)).toEqual(['held']);
});

test('7 after faults of sending the links of an address they come', async () => {
  const email = aNewEmail();
  await book(t, eventId, { email });
  const ask = async () => {
    await t.api(calls.sendBookingLinks, { body: { email } }, { headers: { 'x-forwarded-for': '10.9.9.9' } });
    await t.app.bookings.idle();
  };
  await fail();
  for (let nth = 0; nth < FAULTS; nth += 1) await ask();
  await mend();
  await ask();
  expect(await kindsTo(t, email)).toEqual(['held', 'links']);
});

test('7 an email that may not leave uses up none of those about other events', async () => {
  const { formEmails, addressEmails } = t.app.config.limits;
  expect([formEmails.max, addressEmails.max]).toEqual([3, 10]);
  const email = aNewEmail();
  const { id: therapistId } = await aTherapist(t.db);
  const sent: number[] = [];
  for (let events = 0; events < 4; events += 1) {
    const { id } = await anEvent(t.db, { therapistId, places: 100 });
    for (let nth = 0; nth < FAULTS; nth += 1) await book(t, id, { email });
    sent.push((await kindsTo(t, email)).length);
  }
  expect(sent).toEqual([3, 6, 9, 10]);
});
