/** The latest bookings, for the therapist's overview. */
import { getLatestBookings, LATEST_BOOKINGS } from '@fieldroom/contract/bookings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { aTherapist } from '../../../builders/accounts.builders.ts';
import { aBooking } from '../../../builders/bookings.builders.ts';
import { anEvent } from '../../../builders/events.builders.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test('the newest live bookings of the therapist’s events that are not over, with the end of a hold', async () => {
  const [therapist, other] = [await aTherapist(t.db), await aTherapist(t.db)];
  const latest = () => t.api(getLatestBookings, {}, therapist);
  expect(await latest()).toEqual([]);
  const event = await anEvent(t.db, { therapistId: therapist.id, daysAhead: 5 });
  const soon = await anEvent(t.db, { therapistId: therapist.id, daysAhead: 1 });
  const foreign = await anEvent(t.db, { therapistId: other.id, daysAhead: 5 });
  await aBooking(t.db, { eventId: foreign.id });
  await aBooking(t.db, { eventId: event.id, state: 'CANCELLED' });
  const made = [];
  for (let nth = 0; nth < LATEST_BOOKINGS; nth += 1) made.push(await aBooking(t.db, { eventId: event.id }));
  const atSoon = await aBooking(t.db, { eventId: soon.id });
  const held = await aBooking(t.db, { eventId: event.id, state: 'HELD' });
  const found = await latest();
  expect(found).toHaveLength(LATEST_BOOKINGS);
  expect(found.slice(0, 2)).toMatchObject([
    { eventId: event.id, firstName: held.firstName, state: 'HELD', heldUntil: expect.any(String) },
    { eventId: soon.id, firstName: atSoon.firstName, state: 'CONFIRMED', heldUntil: null },
  ]);
  await t.move(11 * 60);
  expect((await latest()).map(({ state }) => state)).not.toContain('HELD');
  await t.move(2 * 86_400);
  expect((await latest()).map(({ eventId }) => eventId)).not.toContain(soon.id);
  expect(made).toHaveLength(LATEST_BOOKINGS);
});
