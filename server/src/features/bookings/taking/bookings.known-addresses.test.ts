/** Faults while owners of known addresses are told: README rules 5 and 7. No database. */
import { expect, test, vi } from 'vitest';
import type { Db } from '../../../platform/db/db.ts';
import type { Limits } from '../../../platform/limits.ts';
import { createUnprovenLimits } from '../emails/bookings.email-limits.ts';
import { createKnownAddresses } from './bookings.known-addresses.ts';

const FORM_MAX = 3;
const ADDRESS_MAX = 10;

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
  const told = createKnownAddresses({ db, events: {}, outbox: {}, mail: {}, log: { error } } as never);
  for (const { eventId, emailNormalized } of people)
    told.tell({
      eventId,
      emailNormalized,
      within: (write) => unproven.within(eventId, emailNormalized, write),
    });
  await told.idle();
  expect([transaction.mock.calls.length, error.mock.calls.length]).toEqual([2, 1]);
  expect(Object.fromEntries(counts)).toEqual({
    'booking emails 7 one@mail.example': 0,
    'emails one@mail.example': 0,
    'booking emails 7 two@mail.example': 1,
    'emails two@mail.example': 1,
  });
});
