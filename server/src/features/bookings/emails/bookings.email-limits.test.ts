/** A therapist cannot misuse emails against people: README rule 26. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { cancelEvent, saveEvent } from '@fieldroom/contract/events';
import { aBooking } from '../../../builders/bookings.builders.ts';
import { aTherapist } from '../../../builders/accounts.builders.ts';
import { aSeries, anEvent, eventAgain, eventInput } from '../../../builders/events.builders.ts';
import { untilLockWaits } from '../../../../tests/support/locks.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import type { Tx } from '../../../platform/db/db.ts';
import {
  aNewEmail,
  BEHIND_PROXY,
  book,
  cancelSeries,
  confirm,
  kindsTo,
  moveSeries,
  outcome,
  tokenTo,
} from '../bookings.fixture.ts';

const ADDRESS_EMAILS = 6;
const BOUNDS = {
  LIMIT_ADDRESS_EMAILS: `${ADDRESS_EMAILS}/1d`,
  LIMIT_YOUNG_NOTICES: '3/1d',
  LIMIT_ADDRESS_NOTICES: '5/1d',
  LIMIT_PERSON_NOTICES: '4/1d',
  LIMIT_YOUNG_THERAPIST_NOTICES: '6/1d',
};

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ env: { ...BEHIND_PROXY, ...BOUNDS } });
});
afterAll(() => t.close());

interface Someone {
  readonly id: number;
  readonly token: string;
}

/** Adds an address to a new event of the therapist. */
async function add({ id: therapistId, token }: Someone, email: string): Promise<string> {
  const event = await anEvent(t.db, { therapistId, places: 20 });
  const person = { firstName: 'Ana', lastName: 'Pop', email, phoneNumber: '' };
  return outcome(t.api(calls.addAttendee, { params: { eventId: event.id }, body: person }, { token }));
}

test('26 all new accounts together can add one mailbox a limited number of times a day, however it is spelled', async () => {
  const [one, two] = [await aTherapist(t.db), await aTherapist(t.db)];
  const email = aNewEmail('victim');
  const [local, domain] = email.split('@') as [string, string];
  expect(await add(one, email)).toBe('done');
  expect(await add(one, `${local}+a@${domain}`)).toBe('done');
  expect(await add(two, `${local[0]}.${local.slice(1)}@${domain}`)).toBe('done');
  for (const therapist of [one, two]) {
    const event = await anEvent(t.db, { therapistId: therapist.id });
    expect(
      await outcome(
        t.api(
          calls.addAttendee,
          { params: { eventId: event.id }, body: { firstName: 'A', lastName: 'B', email, phoneNumber: '' } },
          { token: therapist.token },
        ),
      ),
    ).toBe('too_many_requests');
    expect(
      await t.api(calls.listBookings, { params: { eventId: event.id } }, { token: therapist.token }),
      'nothing without its email',
    ).toEqual([]);
  }
  // Another mailbox is not affected, and a proven account may send more.
  expect(await add(one, aNewEmail())).toBe('done');
  const proven = await aTherapist(t.db, { proven: true });
  for (let nth = 0; nth < 4; nth++) expect(await add(proven, email)).toBe('done');
  expect(await add(proven, email), 'one therapist to one person').toBe('too_many_requests');
  const another = await aTherapist(t.db, { proven: true });
  expect(await add(another, email)).toBe('done');
  expect(await add(another, email), 'all to one mailbox').toBe('too_many_requests');
  await t.move(86_401);
  expect(await add(one, email)).toBe('done');
});

test('26 a new account may write to a limited number of people a day who did not ask for it', async () => {
  const young = await aTherapist(t.db);
  for (let nth = 0; nth < 6; nth++) expect(await add(young, aNewEmail())).toBe('done');
  expect(await add(young, aNewEmail())).toBe('too_many_requests');
  const proven = await aTherapist(t.db, { proven: true });
  for (let nth = 0; nth < 8; nth++) expect(await add(proven, aNewEmail())).toBe('done');
});

test('26 a change that would send somebody too many emails is refused as a whole, and does not count', async () => {
  const young = await aTherapist(t.db);
  const email = aNewEmail('victim');
  const [first, second] = await aSeries(t.db, { therapistId: young.id, further: [7] });
  if (!first || !second) throw new Error('a series of two has two');
  for (const { id } of [first, second]) await aBooking(t.db, { eventId: id, email, addedByTherapist: true });
  expect(await moveSeries(t, young, first.id), 'two emails').toBe('done');
  const before = [await eventAgain(t.db, first.id), await eventAgain(t.db, second.id)];
  for (let nth = 0; nth < 3; nth++)
    expect(await moveSeries(t, young, first.id), 'four would be one too many').toBe('too_many_requests');
  expect([await eventAgain(t.db, first.id), await eventAgain(t.db, second.id)]).toEqual(before);
  expect(await kindsTo(t, email)).toEqual(['eventChanged', 'eventChanged']);
  expect(await moveSeries(t, young, second.id), 'the third one').toBe('done');
});

test('26 people who booked themselves are told of changes beyond the limit of new accounts, and always of a cancellation', async () => {
  const young = await aTherapist(t.db);
  const { id } = await anEvent(t.db, { therapistId: young.id });
  const email = aNewEmail();
  await book(t, id, { email });
  await confirm(t, await tokenTo(t, email));
  for (let nth = 0; nth < 4; nth++) expect(await moveSeries(t, young, id)).toBe('done');
  expect(await moveSeries(t, young, id)).toBe('too_many_requests');
  await t.api(
    cancelEvent,
    { body: { eventId: id, reason: 'Ill. See http://evil.example now.' } },
    { token: young.token },
  );
  expect((await kindsTo(t, email)).slice(2)).toEqual([
    'eventChanged',
    'eventChanged',
    'eventChanged',
    'eventChanged',
    'eventCancelled',
  ]);
  const { text, html } = (await t.emails(email)).at(-1)!;
  for (const form of [text, html]) expect(form).not.toContain('evil.example');
});

test.each([
  [false, 'http:// evil. example'],
  [true, 'http://evil.example'],
])('26 with a proven account (%s) words of the host read %j', async (proven, words) => {
  const therapist = await aTherapist(t.db, { proven });
  const { id } = await anEvent(t.db, {
    therapistId: therapist.id,
    isOnline: false,
    name: 'Win at http://evil.example',
    location: 'http://evil.example',
    address: 'http://evil.example',
  });
  const email = aNewEmail();
  await book(t, id, { email });
  const held = (await t.emails(email)).at(-1)!;
  await confirm(t, await tokenTo(t, email));
  const confirmed = (await t.emails(email)).at(-1)!;
  for (const { text } of [held, confirmed]) expect(text.split(words)).toHaveLength(4);
  const calendar = (await t.app.outbox.bytesOf(confirmed.attachments[0]!)).toString().replace(/\r\n[ \t]/g, '');
  expect(calendar).toContain(`SUMMARY:Win at ${words}`);
});

test('26 the address of a hold gets a limited number of emails a day, whatever the therapist does', async () => {
  const therapist = await aTherapist(t.db, { proven: true });
  const email = aNewEmail('victim');
  const acts = ['remove', 'cancel', 'move'] as const;
  for (let nth = 0; nth < ADDRESS_EMAILS; nth++) {
    const { id } = await anEvent(t.db, { therapistId: therapist.id });
    await aBooking(t.db, { eventId: id, email, state: 'HELD' });
    const act = acts[nth % acts.length]!;
    if (act === 'move') expect(await moveSeries(t, therapist, id)).toBe('done');
    else if (act === 'cancel')
      await t.api(cancelEvent, { body: { eventId: id, reason: 'Ill.' } }, { token: therapist.token });
    else
      await t.api(
        calls.removeAttendee,
        { params: { eventId: id }, body: { participant: { email }, reason: 'A double.' } },
        { token: therapist.token },
      );
  }
  expect(await kindsTo(t, email)).toHaveLength(ADDRESS_EMAILS);

  // The act happens all the same: a stranger who typed the address cannot stop the therapist.
  const { id } = await anEvent(t.db, { therapistId: therapist.id });
  await aBooking(t.db, { eventId: id, email, state: 'HELD' });
  const input = eventInput(await eventAgain(t.db, id), { startTime: '08:00', endTime: '09:00' });
  const saved = await t.api(saveEvent, { body: input as never }, { token: therapist.token });
  expect(saved.emails, 'the therapist reads that nobody was told').toBe(0);
  await t.api(cancelEvent, { body: { eventId: id, reason: 'Ill.' } }, { token: therapist.token });
  expect(await kindsTo(t, email)).toHaveLength(ADDRESS_EMAILS);

  // Confirmed people are always told of a cancellation.
  const other = await anEvent(t.db, { therapistId: therapist.id });
  await aBooking(t.db, { eventId: other.id, email });
  await t.api(cancelEvent, { body: { eventId: other.id, reason: 'Ill.' } }, { token: therapist.token });
  expect((await kindsTo(t, email)).at(-1)).toBe('eventCancelled');
  expect(await kindsTo(t, email)).toHaveLength(ADDRESS_EMAILS + 1);
});

test.each([
  ['cancels', cancelSeries, 'eventCancelled'],
  ['moves', moveSeries, 'eventChanged'],
] as const)(
  '26 a therapist who %s a series and an act that counts the same people in another order cause no deadlock',
  async (_, act, kind) => {
    const therapist = await aTherapist(t.db);
    interface Person {
      readonly email: string;
      readonly key: string;
    }
    const keys = async () => {
      const { rows } = await t.db.execute<{ key: string }>(sql`SELECT encode(key, 'hex') AS key FROM limit_counters`);
      return rows.map(({ key }) => key);
    };
    /** Moves an event with a place held for the address, which begins its counter. Returns the counter's key. */
    const countOne = async (email: string): Promise<string> => {
      const { id } = await anEvent(t.db, { therapistId: therapist.id });
      await aBooking(t.db, { eventId: id, email, state: 'HELD' });
      const before = new Set(await keys());
      await moveSeries(t, therapist, id);
      return (await keys()).find((key) => !before.has(key))!;
    };
    // The therapist's own counters begin with the first.
    await countOne(aNewEmail());
    const people: Person[] = [];
    for (const email of [aNewEmail(), aNewEmail()]) people.push({ email, key: await countOne(email) });
    const [first, second] = people.toSorted((a, b) => (a.key < b.key ? -1 : 1)) as [Person, Person];
    // The act reaches the second person first, in the earlier event.
    const series = await aSeries(t.db, { therapistId: therapist.id, further: [7] });
    for (const [nth, { email }] of [second, first].entries())
      await aBooking(t.db, { eventId: series[nth]!.id, email, state: 'HELD' });
    const count = (tx: Tx, { key }: Person) =>
      tx.execute(sql`SELECT FROM limit_counters WHERE encode(key, 'hex') = ${key} FOR UPDATE`);
    let acted: Promise<unknown>;
    await t.db.transaction(async (tx) => {
      await count(tx, first);
      acted = act(t, therapist, series[0]!.id);
      await untilLockWaits(t.db, 1);
      await count(tx, second);
    });
    expect(await acted!).toBe('done');
    for (const { email } of people) expect((await kindsTo(t, email)).at(-1)).toBe(kind);
  },
);
