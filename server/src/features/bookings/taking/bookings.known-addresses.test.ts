/** Faults while owners of known addresses are informed: README rule 5. No database. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Db } from '../../../platform/db/db.ts';
import { createKnownAddresses } from './bookings.known-addresses.ts';

afterEach(() => void vi.useRealTimers());

test('5 a failed email does not stop the others', async () => {
  const people = ['one@mail.example', 'two@mail.example'].map((emailNormalized) => ({ eventId: 7, emailNormalized }));
  const transaction = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('locked')).mockResolvedValue();
  const db = { $client: { query: async () => ({ rows: people }) }, transaction } as unknown as Db;
  const error = vi.fn<() => void>();
  const told = createKnownAddresses({ db, log: { error } } as never);
  for (const person of people) told.tell(person);
  await told.idle();
  expect([transaction.mock.calls.length, error.mock.calls.length]).toEqual([2, 1]);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Somebody's attempt to book. */
const attempt = (emailNormalized: string) => ({ eventId: 7, emailNormalized });

/**
 * Makes the writer with a stopped clock. Nobody has a live booking; `lookedUp` has the addresses by look-up.
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

test('5 a crowd is looked up together: the first at once, the rest a moment later, and at the end at once', async () => {
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
  // The clock is stopped: only waiting for the end starts the look-up.
  await told.idle();
  expect(lookedUp[2]).toEqual(['four@mail.example']);
});

test('5 a crowd larger than a look-up does not wait, and is not looked up with a plan for a few', async () => {
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

test('5 tries before somebody got a place cause no email, later ones do', async () => {
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
