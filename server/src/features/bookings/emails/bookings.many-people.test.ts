/** An act about many people writes rows and emails in groups, and everybody gets their own (README, rule 17). */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTherapist } from '../../../builders/accounts.builders.ts';
import { aBooking, type BuiltBooking } from '../../../builders/bookings.builders.ts';
import { aSeries } from '../../../builders/events.builders.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { cancelSeries, kindsTo, moveSeries, rowOf, tokenTo, view } from '../bookings.fixture.ts';

/** More than two groups. */
const PEOPLE = 110;

let t: TestApp;
beforeAll(async () => {
  // No mail server listens, so that emails wait and can be withdrawn.
  t = await testApp({ env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'room@fieldroom.test' } });
});
afterAll(() => t.close());

/** A series of two for as many people, every third of whom only holds a place. */
async function aFullSeries() {
  const therapist = await aTherapist(t.db);
  const series = await aSeries(t.db, { therapistId: therapist.id, places: PEOPLE, further: [7] });
  const people: (BuiltBooking & { state: 'HELD' | 'CONFIRMED' })[] = [];
  for (let nth = 0; nth < PEOPLE; nth += 1) {
    const state = nth % 3 === 0 ? 'HELD' : 'CONFIRMED';
    people.push({ ...(await aBooking(t.db, { eventId: series[nth % 2]!.id, state })), state });
  }
  // Rows written again are read behind the others, so that their order is not that of the bookings.
  await t.db.execute(sql`UPDATE bookings SET phone = '' WHERE id % 7 = 0`);
  return { therapist, eventId: series[0]!.id, people };
}

test('17 everybody booked for a series that moves is told once, with a link to their own booking', async () => {
  const { therapist, eventId, people } = await aFullSeries();
  expect(await moveSeries(t, therapist, eventId)).toBe('done');
  for (const { id, email, state } of people) {
    expect(await kindsTo(t, email)).toEqual(['eventChanged']);
    expect((await view(t, await tokenTo(t, email))).email).toBe(email);
    const { attachments } = (await t.emails(email))[0]!;
    expect(attachments).toHaveLength(state === 'CONFIRMED' ? 1 : 0);
    const sequence = state === 'CONFIRMED' ? 1 : 0;
    expect(await rowOf(t, id)).toMatchObject({ state, sequence });
    if (sequence === 0) continue;
    const calendar = (await t.app.outbox.bytesOf(attachments[0]!)).toString();
    expect(calendar).toContain(`UID:booking-${id}-0@`);
    expect(calendar).toContain(`SEQUENCE:${sequence}`);
  }
});

test('17 everybody booked for a series that is cancelled is told once, and older emails are withdrawn', async () => {
  const { therapist, eventId, people } = await aFullSeries();
  expect(await moveSeries(t, therapist, eventId)).toBe('done');
  expect(await cancelSeries(t, therapist, eventId)).toBe('done');
  for (const { id, email, state } of people) {
    expect(await kindsTo(t, email)).toEqual(['eventCancelled']);
    const sequence = state === 'CONFIRMED' ? 2 : 0;
    expect(await rowOf(t, id)).toMatchObject({ state: 'CANCELLED', endedBy: 'event', sequence });
    const { attachments } = (await t.emails(email))[0]!;
    expect(attachments).toHaveLength(state === 'CONFIRMED' ? 1 : 0);
    if (sequence === 0) continue;
    const calendar = (await t.app.outbox.bytesOf(attachments[0]!)).toString();
    expect(calendar).toContain(`UID:booking-${id}-0@`);
    expect(calendar).toContain(`SEQUENCE:${sequence}`);
  }
});
