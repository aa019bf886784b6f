/** What a search finds, and for whom (docs/product.md#11.27 to 11.34). */
import fc from 'fast-check';
import {
  fits,
  isSearchable,
  search,
  SEARCH_BOX_SIZE,
  type SearchGroup,
  type SearchKind,
  searchWords,
} from '@fieldroom/contract/search';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist, anAccount, anAdmin, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aBooking } from '../../builders/bookings.builders.ts';
import { inRoom } from '../../builders/clients.builders.ts';
import { anEvent } from '../../builders/events.builders.ts';
import { aPastLiveSession } from '../../builders/sessions.builders.ts';
import { icons } from '../field/field.tables.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ env: { LIMIT_SEARCH: '1000/60' } });
});
afterAll(() => t.close());

interface Wish {
  kind?: SearchKind;
  from?: number;
  size?: number;
}
const ask = (who: { token: string }, key: string, wish: Wish = {}) =>
  t.api(search, { body: { key, ...wish } }, { token: who.token });

/** The group of a kind. Fails when the person does not have it. */
async function found<K extends SearchKind>(who: { token: string }, kind: K, key: string, wish: Wish = {}) {
  const { groups } = await ask(who, key, { kind, ...wish });
  expect(groups.map((group) => group.kind)).toEqual([kind]);
  return groups[0] as Extract<SearchGroup, { kind: K }>;
}
const idsOf = async (who: { token: string }, kind: SearchKind, key: string, wish: Wish = {}) =>
  (await found(who, kind, key, { size: 20, ...wish })).items.map(({ id }) => id);

const anIcon = async (therapistId: number, name: string): Promise<number> => {
  const [row] = await t.db
    .insert(icons)
    .values({ therapistId, name, fileId: crypto.randomUUID(), width: 10, height: 10 })
    .returning({ id: icons.id });
  return row!.id;
};

test('11.30 finds events by name, place, address and description, whichever list contains them', async () => {
  const therapist = await aTherapist(t.db);
  const wish = { therapistId: therapist.id, isOnline: false };
  const later = await anEvent(t.db, { ...wish, name: 'Quiet Őszi walk', daysAhead: 9 });
  const next = await anEvent(t.db, { ...wish, location: 'Quiet house', daysAhead: 2, timeZone: 'Asia/Tokyo' });
  const past = await anEvent(t.db, { ...wish, address: 'Quiet street 5', daysAhead: -9 });
  const hidden = await anEvent(t.db, { ...wish, name: 'Quiet hidden', daysAhead: 3, deleted: true });
  const cancelled = await anEvent(t.db, {
    ...wish,
    description: 'You bring one quiet question.',
    daysAhead: 5,
    status: 'CANCELLED',
  });
  await anEvent(t.db, { ...wish, name: 'Something else' });
  const { items, total } = await found(therapist, 'events', ' QUIÉT ', { size: 20 });
  expect(total).toBe(5);
  expect(items.map(({ id, list, excerpt }) => [id, list, excerpt])).toEqual([
    // Upcoming ones first, then past ones, the latest first.
    [next.id, 'upcoming', 'Quiet house'],
    [later.id, 'upcoming', null],
    [cancelled.id, 'cancelled', 'You bring one quiet question.'],
    [hidden.id, 'past', null],
    [past.id, 'past', 'Quiet street 5'],
  ]);
  expect(items[0]).toMatchObject({ timeZone: 'Asia/Tokyo', startsOn: next.startsAt.toISOString() });
  expect(await idsOf(therapist, 'events', 'oszi quiet')).toEqual([later.id]);
});

test('11.30 finds only attendees who have a place, by name and address', async () => {
  const therapist = await aTherapist(t.db);
  const event = await anEvent(t.db, { therapistId: therapist.id, name: 'Evening', places: 50 });
  const book = (firstName: string, more: object = {}) =>
    aBooking(t.db, { eventId: event.id, firstName, lastName: 'Müller-Quast', ...more });
  const confirmed = await book('Änne');
  const held = await book('Berta', { state: 'HELD' });
  await book('Over', { state: 'HELD', minutesLeft: -1 });
  for (const state of ['EXPIRED', 'DECLINED', 'CANCELLED'] as const) await book(state, { state });
  expect((await idsOf(therapist, 'attendees', 'mueller-quast')).toSorted()).toEqual([confirmed.id, held.id].toSorted());
  const [first] = (await found(therapist, 'attendees', 'quast anne')).items;
  expect(first).toMatchObject({
    id: confirmed.id,
    firstName: 'Änne',
    email: confirmed.email,
    state: 'CONFIRMED',
    eventId: event.id,
    eventName: 'Evening',
    list: 'upcoming',
  });
  expect(await idsOf(therapist, 'attendees', held.email.toUpperCase())).toEqual([held.id]);
});

test('11.30 does not find people whose data was erased', async () => {
  const therapist = await aTherapist(t.db);
  const event = await anEvent(t.db, { therapistId: therapist.id, daysAhead: -40 });
  const booking = await aBooking(t.db, { eventId: event.id, firstName: 'Forgotten' });
  const session = await aPastLiveSession(t.db, {
    therapistId: therapist.id,
    daysAgo: 40,
    minutes: 9,
    names: ['Forgotten'],
  });
  expect(await idsOf(therapist, 'attendees', 'forgotten')).toEqual([booking.id]);
  expect(await idsOf(therapist, 'sessions', 'forgotten')).toEqual([session]);
  // Even if some of their data had remained.
  await t.db.execute(sql`UPDATE bookings SET erased_at = product_now() WHERE id = ${booking.id}`);
  await t.db.execute(sql`DELETE FROM attendances WHERE live_session_id = ${session}`);
  const { groups } = await ask(therapist, 'forgotten');
  expect(groups.map(({ total }) => total)).toEqual([0, 0, 0, 0]);
});

test('11.30 finds live sessions by the names of clients, the newest first, each once', async () => {
  const therapist = await aTherapist(t.db);
  const make = (daysAgo: number, names: string[]) =>
    aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo, minutes: 50, names });
  const old = await make(8, ['Réka Nagy', 'Réka Nagy', 'Béla']);
  const recent = await make(2, ['REKA', 'Réka T.', 'Reka 3', 'Reka 4']);
  await make(4, ['Nagy Béla', 'R. Eka']);
  const { items, total } = await found(therapist, 'sessions', 'reka');
  expect([total, items.map(({ id }) => id)]).toEqual([2, [recent, old]]);
  expect(items.map(({ names }) => names)).toEqual([['REKA', 'Réka T.', 'Reka 3'], ['Réka Nagy']]);
  // All words in the name of one client.
  expect(await idsOf(therapist, 'sessions', 'nagy reka')).toEqual([old]);
  const client = await inRoom(t.app, therapist, { name: 'Rékabére' });
  const [running] = (await found(therapist, 'sessions', 'rekabere')).items;
  expect(running).toMatchObject({ endedOn: null, names: [client.name] });
});

test('11.30 finds icons by name', async () => {
  const therapist = await aTherapist(t.db);
  const tree = await anIcon(therapist.id, 'Öreg fa');
  await anIcon(therapist.id, 'House');
  expect(await found(therapist, 'icons', 'oreg')).toEqual({
    kind: 'icons',
    items: [{ id: tree, name: 'Öreg fa' }],
    total: 1,
  });
});

test('11.29 takes wildcards in the key literally', async () => {
  const therapist = await aTherapist(t.db);
  const names = ['100 % present', 'a_b', String.raw`a\b`, 'axb'];
  const ids = new Map<string, number>();
  for (const name of names) ids.set(name, (await anEvent(t.db, { therapistId: therapist.id, name })).id);
  for (const name of names.slice(0, 3)) expect(await idsOf(therapist, 'events', name), name).toEqual([ids.get(name)]);
  for (const key of ['%%', '__', String.raw`\\`, "'; --", '%_'])
    expect(await idsOf(therapist, 'events', key), key).toEqual([]);
});

test('11.31 returns pages that show everything once, with the total', async () => {
  const therapist = await aTherapist(t.db);
  for (let nth = 0; nth < 7; nth += 1)
    await anEvent(t.db, { therapistId: therapist.id, name: `Paged ${nth}`, daysAhead: nth < 3 ? 5 : -5 });
  const first = await found(therapist, 'events', 'paged');
  expect([first.items.length, first.total]).toEqual([SEARCH_BOX_SIZE, 7]);
  const seen = new Set<number>();
  for (let from = 0; from < 7; from += 2)
    for (const id of await idsOf(therapist, 'events', 'paged', { from, size: 2 })) seen.add(id);
  expect(seen.size).toBe(7);
  expect(await found(therapist, 'events', 'paged', { from: 7 })).toEqual({ kind: 'events', items: [], total: 0 });
});

test('11.27 lets admins find therapists too, but none of their clients', async () => {
  const [admin, operator] = [await anAdmin(t.db), await anAccount(t.db, { roles: ['ROLE_ADMIN'] })];
  const therapist = await aTherapist(t.db, { firstName: 'Gwendolín', lastName: 'Qvist', suspended: true });
  const event = await anEvent(t.db, { therapistId: therapist.id, name: 'Gwendolin’s evening' });
  await aBooking(t.db, { eventId: event.id, firstName: 'Gwendolina' });
  await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 1, minutes: 5, names: ['Gwendolina'] });
  await anIcon(therapist.id, 'Gwendolina');
  const own = { kind: 'therapists', total: 1 };
  const nothing = (kind: SearchKind) => ({ kind, items: [], total: 0 });
  const { groups } = await ask(admin, 'qvist gwendolin');
  expect(groups.map(({ kind, total }) => [kind, total])).toEqual([
    ['events', 0],
    ['attendees', 0],
    ['sessions', 0],
    ['icons', 0],
    ['therapists', 1],
  ]);
  expect((await ask(operator, 'gwendolin')).groups).toEqual([
    expect.objectContaining({ ...own, items: [expect.objectContaining({ id: therapist.id, state: 'suspended' })] }),
  ]);
  const colleague = await aTherapist(t.db);
  expect((await ask(colleague, 'gwendolin')).groups).toEqual(
    (['events', 'attendees', 'sessions', 'icons'] as const).map(nothing),
  );
  expect((await ask(colleague, 'gwendolin', { kind: 'therapists' })).groups).toEqual([]);
  // Somebody without a practice has no group of a practice.
  expect((await ask(operator, 'gwendolin', { kind: 'events' })).groups).toEqual([]);
});

test('11.27 is refused for clients and without a sign-in', async () => {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist, { name: 'Curious' });
  await expect(ask(client, 'curious')).rejects.toMatchObject({ code: 'forbidden' });
  await expect(t.api(search, { body: { key: 'curious' } })).rejects.toMatchObject({ code: 'not_signed_in' });
});

test.each([
  ['x', 'too_short'],
  ['é', 'too_short'],
  ['   ', 'required'],
  ['ab\u202E', 'unsafe_characters'],
  ['ab\u0000', 'unsafe_characters'],
  ['x'.repeat(101), 'too_long'],
])('11.28 refuses the key %j at its field: %s', async (key, code) => {
  const therapist = await aTherapist(t.db);
  await expect(ask(therapist, key)).rejects.toMatchObject({
    code: 'invalid_input',
    more: { fields: [{ path: 'key', code }] },
  });
});

test('11.34 limits one account without delaying others', async () => {
  const strict = await testApp({ env: { LIMIT_SEARCH: '3/60' } });
  try {
    const [eager, other] = [await aTherapist(strict.db), await aTherapist(strict.db)];
    const once = (who: BuiltAccount) => strict.api(search, { body: { key: 'often' } }, { token: who.token });
    for (let nth = 0; nth < 3; nth += 1) await once(eager);
    await expect(once(eager)).rejects.toMatchObject({ code: 'too_many_requests' });
    await once(other);
    await strict.move(61);
    await once(eager);
  } finally {
    await strict.close();
  }
});

test('11.30 finds everything of the caller’s own that matches, and nothing of others', async () => {
  const practices = [await aTherapist(t.db), await aTherapist(t.db), await aTherapist(t.db)];
  const word = fc.constantFrom('anna', 'Änna', 'Müller', 'Mueller', 'muller', 'Straße', 'strasse', '50%', 'a_c', 'Őze');
  const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  const thing = fc.record({
    owner: fc.nat(2),
    kind: fc.constantFrom('events', 'attendees', 'sessions', 'icons'),
    name,
  });
  const key = fc.oneof(name, fc.constantFrom('an', 'mu', 'ss', '%', '_', 'e ', 'zzz')).filter(isSearchable);
  const made: { owner: number; kind: SearchKind; name: string; id: number }[] = [];
  const events = await Promise.all(
    practices.map(({ id }) => anEvent(t.db, { therapistId: id, name: 'Zzz', places: 500, description: '' })),
  );
  const make = async (owner: number, kind: SearchKind, text: string): Promise<number> => {
    const therapistId = practices[owner]!.id;
    if (kind === 'events') return (await anEvent(t.db, { therapistId, name: text, description: '' })).id;
    if (kind === 'icons') return anIcon(therapistId, text);
    if (kind === 'sessions')
      return aPastLiveSession(t.db, { therapistId, daysAgo: made.length + 1, minutes: 1, names: [text] });
    const email = `b${made.length}@q.example`;
    return (await aBooking(t.db, { eventId: events[owner]!.id, firstName: text, lastName: 'q', email })).id;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(thing, { maxLength: 4 }), key, async (things, wanted) => {
      for (const { owner, kind, name: text } of things) {
        const as = kind as SearchKind;
        made.push({ owner, kind: as, name: text, id: await make(owner, as, text) });
      }
      for (const [owner, practice] of practices.entries())
        for (const kind of ['events', 'attendees', 'sessions', 'icons'] as const) {
          const ids: number[] = [];
          for (let from = 0, total = 1; from < total; from += 20) {
            const page = await found(practice, kind, wanted, { from, size: 20 });
            if (from === 0) total = page.total;
            ids.push(...page.items.map(({ id }) => id));
          }
          const expected = made.filter(
            (one) =>
              one.owner === owner &&
              one.kind === kind &&
              fits(kind === 'attendees' ? `${one.name} q b@q.example` : one.name, searchWords(wanted)),
          );
          // `Zzz` is the event that the attendees booked.
          const own = kind === 'events' && wanted === 'zzz' ? [events[owner]!.id] : [];
          expect(ids.toSorted((a, b) => a - b)).toEqual(
            [...own, ...expected.map(({ id }) => id)].toSorted((a, b) => a - b),
          );
        }
    }),
    { numRuns: 25 },
  );
}, 120_000);
