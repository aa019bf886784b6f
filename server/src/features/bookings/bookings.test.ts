/** Bookings over HTTP. Numbers are those of README.md. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { aTherapist, type BuiltAccount } from '../../testing/builders.ts';
import { anEvent } from '../../testing/builders.events.ts';
import { testApp, type TestApp } from '../../testing/index.ts';

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
});

test('the whole way', async () => {
  const event = await anEvent(t.db, { therapistId: therapist.id });
  await t.api(calls.bookEvent, { params: { eventId: event.id }, body: { firstName: 'Ana', lastName: 'Pop', email: 'ana@mail.example', phoneNumber: '0123456' } });
  const token = /#token=([\w-]{43})/.exec((await t.letters('ana@mail.example'))[0]!.text)![1]!;
  expect(await t.api(calls.lookAtLetter, { body: { token } })).toMatchObject({ state: 'HELD' });
  expect(await t.api(calls.confirmBooking, { query: { token } }, { headers: { [calls.CONFIRM_HEADER]: '1' } })).toMatchObject({ state: 'CONFIRMED' });
  expect(await t.api(calls.listBookings, { params: { eventId: event.id } }, { token: therapist.token })).toMatchObject([{ state: 'CONFIRMED', participant: { name: 'Ana' } }]);
});
