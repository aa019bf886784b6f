/** Turns before one row. */
import { expect, test } from 'vitest';
import { Problem } from '../problem.ts';
import { DatabaseUnavailable } from '../db/db.ts';
import { Waits, withWaits } from '../db/waits.ts';
import { createTurns } from './turns.ts';

const LONG_MS = 600_000;

/** Work that ends when the test says so. */
function held(begun: number[], number: number) {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const work = () => {
    begun.push(number);
    return promise;
  };
  return { work, end: () => resolve(number), fail: reject };
}

test('runs this many at once, the others in order of arrival; other keys are not affected', async () => {
  const turns = createTurns({ together: 2, waitMs: LONG_MS });
  const begun: number[] = [];
  const all = [1, 2, 3, 4].map((number) => held(begun, number));
  const ends = all.map(({ work }) => turns.take(7, work));
  await turns.take(8, async () => 0);
  expect(begun).toEqual([1, 2]);
  all[1]!.end();
  expect(await ends[1]).toBe(2);
  expect(begun).toEqual([1, 2, 3]);
  // A refusal is an answer like others; the next one gets its turn.
  all[0]!.fail(new Problem('event_full'));
  await expect(ends[0]).rejects.toMatchObject({ code: 'event_full' });
  expect(begun).toEqual([1, 2, 3, 4]);
  all[2]!.end();
  all[3]!.end();
  expect(await Promise.all(ends.slice(2))).toEqual([3, 4]);
});

test('work that waits behind a row that could not be locked is refused at once', async () => {
  const turns = createTurns({ together: 1, waitMs: LONG_MS });
  const begun: number[] = [];
  const first = held(begun, 1);
  const ends = [turns.take(7, first.work), ...[2, 3].map((number) => turns.take(7, held(begun, number).work))];
  first.fail(new DatabaseUnavailable('locked'));
  for (const end of await Promise.allSettled(ends))
    expect((end as PromiseRejectedResult).reason).toBeInstanceOf(DatabaseUnavailable);
  expect(begun).toEqual([1]);
  expect(await turns.take(7, async () => 4)).toBe(4);
});

test('nobody waits longer than so long', async () => {
  const turns = createTurns({ together: 1, waitMs: 1 });
  const begun: number[] = [];
  const first = held(begun, 1);
  const end = turns.take(7, first.work);
  await expect(turns.take(7, held(begun, 2).work)).rejects.toBeInstanceOf(DatabaseUnavailable);
  first.end();
  expect(await end).toBe(1);
  expect(await turns.take(7, async () => 3)).toBe(3);
});

test('nor than its request has time left', async () => {
  const turns = createTurns({ together: 1, waitMs: LONG_MS });
  const first = held([], 1);
  const end = turns.take(7, first.work);
  const late = withWaits(new Waits(LONG_MS, LONG_MS), () => turns.take(7, held([], 2).work));
  await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable);
  first.end();
  expect(await end).toBe(1);
});
