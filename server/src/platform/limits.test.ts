/** Which counts are refused together. The test answers the statements; platform.test.ts counts on a real PostgreSQL. */
import { expect, test } from 'vitest';
import { type Db, DatabaseUnavailable } from './db/db.ts';
import { createLimits } from './limits.ts';

/** Limits whose statements fail when the test says so. Returns how to count a key and what to make fail. */
function aCount() {
  const begun: { fail: (fault: Error) => void }[] = [];
  const execute = () => new Promise<never>((_, fail) => begun.push({ fail }));
  const limits = createLimits({ execute } as unknown as Db, async () => Buffer.alloc(32));
  /** Resolves with the fault. */
  const count = (key: string, windowSeconds = 60) =>
    limits.count(key, { max: 1, windowSeconds }).catch((fault: unknown) => fault);
  return { begun, count };
}
/** A count asks for its statement in the next turn. */
async function turns(): Promise<void> {
  for (let nth = 0; nth < 5; nth += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('those who wait behind a statement that found no database are refused with it', async () => {
  const { begun, count } = aCount();
  const first = count('a');
  await turns();
  const refused = [first, count('a'), count('b')];
  const elsewhere = count('a', 90);
  await turns();
  expect(begun).toHaveLength(2);
  const gone = new DatabaseUnavailable('no answer');
  begun[0]!.fail(gone);
  await turns();
  expect(begun).toHaveLength(2);
  expect(await Promise.all(refused)).toEqual([gone, gone, gone]);
  // The next one asks the database at once, and another window was not concerned.
  const next = count('a');
  await turns();
  expect(begun).toHaveLength(3);
  begun[1]!.fail(new Error('of its own'));
  begun[2]!.fail(gone);
  expect(await Promise.all([elsewhere, next])).toEqual([new Error('of its own'), gone]);
});

test.each([
  ['a bug', new Error('a bug')],
  ['a locked counter', Object.assign(new Error('locked'), { code: '55P03', severity: 'ERROR' })],
])('any other fault is that of the statement alone: %s', async (_, fault) => {
  const { begun, count } = aCount();
  const first = count('a');
  await turns();
  const second = count('b');
  await turns();
  begun[0]!.fail(fault);
  await turns();
  expect(begun).toHaveLength(2);
  begun[1]!.fail(new Error('another'));
  expect(await Promise.all([first, second])).toEqual([fault, new Error('another')]);
});
