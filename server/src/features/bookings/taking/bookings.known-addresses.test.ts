/** Faults while owners of known addresses are told: README rules 5 and 7. No database. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Db } from '../../../platform/db/db.ts';
import type { Limits } from '../../../platform/limits.ts';
import { createUnprovenLimits } from '../emails/bookings.email-limits.ts';
import { createKnownAddresses } from './bookings.known-addresses.ts';

const FORM_MAX = 3;
const ADDRESS_MAX = 10;

afterEach(() => void vi.useRealTimers());

/** Limits that count in memory. */
function counting() {
  const counts = new Map<string, number>();
  const add = (key: string, more: number) => counts.set(key, (counts.get(key) ?? 0) + more);
  const limits: Pick<Limits, 'allows' | 'giveBack'> = {
    allows: async (key, { max }) => add(key, 1).get(key)! <= max,
    giveBack: async (key) => void add(key, -1),
  };
  const limit = (max: number) => ({ max, windowSeconds: 86_400 });
  const config = { limits: { formEmails: limit(FORM_MAX), addressEmails: limit(ADDRESS_MAX) } };
  return { counts, unproven: createUnprovenLimits({ limits, config: config as never }) };
}

test('7 an email that may not leave uses up none of those about other events', async () => {
  const { unproven } = counting();
  const tries = async (about: number) => {
    const allowed: boolean[] = [];
    for (let nth = 0; nth < 2 * ADDRESS_MAX; nth += 1) allowed.push(await unproven.take(about, 'ana@mail.example'));
    return allowed.filter(Boolean).length;
  };
  expect([await tries(1), await tries(2), await tries(3), await tries(4)]).toEqual([3, 3, 3, 1]);
});

test('5 one that fails keeps nobody else from an email, and is not counted', async () => {
  const { counts, unproven } = counting();
  const people = ['one@mail.example', 'two@mail.example'].map((emailNormalized) => ({ eventId: 7, emailNormalized }));
  const transaction = vi
    .fn<() => Promise<boolean>>()
    .mockRejectedValueOnce(new Error('locked'))
    .mockResolvedValue(true);
  const db = { $client: { query: async () => ({ rows: people }) }, transaction } as unknown as Db;
  const error = vi.fn<() => void>();
  const told = createKnownAddresses({ db, unprovenLimits: unproven, log: { error } } as never);
  for (const person of people) told.tell(person);
  await told.idle();
  expect([transaction.mock.calls.length, error.mock.calls.length]).toEqual([2, 1]);
  expect(Object.fromEntries(counts)).toEqual({
    'booking emails 7 one@mail.example': 0,
    'emails one@mail.example': 0,
    'booking emails 7 two@mail.example': 1,
    'emails two@mail.example': 1,
  });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Somebody's attempt to book. */
const attempt = (emailNormalized: string) => ({ eventId: 7, emailNormalized });

/**
 * Makes the writer with a clock that stands still. Nobody has a live booking; `lookedUp` has the addresses by look-up.
 */
function watched() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const lookedUp: string[][] = [];
  const query = async ({ values }: { values: unknown[] }) => {
    lookedUp.push(values.find((value): value is string[] => typeof (value as unknown[])[0] === 'string')!);
    return { rows: [] };
  };
  const db = { $client: { query } } as unknown as Db;
  return { lookedUp, told: createKnownAddresses({ db, log: {} } as never) };
}

test('5 a crowd is looked up together: the first at once, others a moment later, at the end at once', async () => {
  const { lookedUp, told } = watched();
  const tell = (emailNormalized: string) => told.tell(attempt(emailNormalized));
  tell('one@mail.example');
  await turn();
  await turn();
  expect(lookedUp).toEqual([['one@mail.example']]);
  tell('two@mail.example');
  await turn();
  vi.advanceTimersByTime(50);
  tell('three@mail.example');
  // Nobody is looked up twice at a time.
  tell('two@mail.example');
  await turn();
  expect(lookedUp).toHaveLength(1);
  vi.advanceTimersByTime(50);
  await turn();
  expect(lookedUp[1]).toEqual(['two@mail.example', 'three@mail.example']);
  tell('four@mail.example');
  await turn();
  expect(lookedUp).toHaveLength(2);
  // The clock stands still: waiting for the end makes it come.
  await told.idle();
  expect(lookedUp[2]).toEqual(['four@mail.example']);
});

test('5 a crowd larger than a look-up does not wait, and is not looked up by a plan for a few', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const plans: (string | undefined)[] = [];
  const query = async ({ name }: { name?: string }) => {
    plans.push(name);
    return { rows: [] };
  };
  const told = createKnownAddresses({ db: { $client: { query } }, log: {} } as never);
  const tell = (nth: number) => told.tell(attempt(`${nth}@mail.example`));
  for (let nth = 0; nth < 6_000; nth += 1) tell(nth);
  await vi.waitFor(() => expect(plans).toEqual([undefined, undefined, undefined]), { interval: 0 });
  tell(6_000);
  await told.idle();
  expect(plans[3]).toBe('bookings_live_of');
});

test('5 what somebody tried before they got a place is not told, what is tried afterwards is', async () => {
  const { lookedUp, told } = watched();
  told.tell(attempt('first@mail.example'));
  await turn();
  await turn();
  told.tell(attempt('ana@mail.example'));
  told.tell(attempt('ben@mail.example'));
  told.forget(attempt('ana@mail.example'));
  told.tell(attempt('ana@mail.example'));
  await told.idle();
  told.tell(attempt('ana@mail.example'));
  await told.idle();
  expect(lookedUp.slice(1)).toEqual([['ben@mail.example', 'ana@mail.example'], ['ana@mail.example']]);
});
