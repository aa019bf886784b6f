/** Reads that begin in one turn of the event loop are sent as one statement. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { readInBatch, batchableRead } from './batched-reads.ts';
import { currentWaits, Waits, withWaits } from './waits.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
  await platform.db.execute(sql`CREATE TABLE things (id int, word text, ready boolean, weight float8)`);
});
afterAll(() => platform.close());

const ready = batchableRead<{ id: number; word: string | null; weight: number }>(
  sql`SELECT id, word, weight FROM things WHERE ready AND id < ${100} ORDER BY id DESC`,
);
const count = batchableRead<{ count: number }>(sql`SELECT count(*) AS count FROM things`);
const none = batchableRead<{ id: number }>(sql`SELECT id FROM things WHERE id = ${-1}`);

/** Calls the work, and returns what it returns and how many statements the pool was given meanwhile. */
async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; statements: number }> {
  const query = vi.spyOn(platform.db.$client, 'query');
  try {
    return { result: await work(), statements: query.mock.calls.length };
  } finally {
    query.mockRestore();
  }
}

test('everybody gets their own rows, from one statement', async () => {
  await platform.db.execute(
    sql`INSERT INTO things VALUES (1, 'one "quoted" ü', true, 0.1), (2, NULL, true, 1e-7), (3, 'three', false, 3)`,
  );
  const { result, statements } = await statementsOf(() =>
    Promise.all([
      readInBatch(platform.db, none),
      readInBatch(platform.db, ready),
      // A microtask later it is still the same turn.
      Promise.resolve().then(() => readInBatch(platform.db, count)),
      readInBatch(platform.db, ready),
    ]),
  );
  const rows = [
    { id: 2, word: null, weight: 1e-7 },
    { id: 1, word: 'one "quoted" ü', weight: 0.1 },
  ];
  expect(result).toEqual([[], rows, [{ count: 3 }], rows]);
  expect(statements).toBe(1);
});

test('a later read sees what has happened since', async () => {
  const before = await readInBatch(platform.db, count);
  await platform.db.execute(sql`INSERT INTO things VALUES (4, 'four', false, 4)`);
  expect(await readInBatch(platform.db, count)).toEqual([{ count: before[0]!.count + 1 }]);
});

test('other combinations are other statements, whatever the order of the reads', async () => {
  const [{ count: all }] = (await readInBatch(platform.db, count)) as [{ count: number }];
  const [first, found] = await Promise.all([readInBatch(platform.db, count), readInBatch(platform.db, ready)]);
  const [foundAgain, second] = await Promise.all([readInBatch(platform.db, ready), readInBatch(platform.db, count)]);
  expect([first, second]).toEqual([[{ count: all }], [{ count: all }]]);
  expect(found).toHaveLength(2);
  expect(foundAgain).toEqual(found);
});

test('databases do not mix', async () => {
  const [one, other] = await Promise.all([readInBatch(platform.db, count), readInBatch(platform.roomDb, count)]);
  expect(one).toEqual(other);
  const { statements } = await statementsOf(() =>
    Promise.all([readInBatch(platform.db, count), readInBatch(platform.roomDb, count)]),
  );
  expect(statements).toBe(1);
});

test('a fault reaches all of a batch, and later reads go on', async () => {
  const broken = batchableRead<{ id: number }>(sql`SELECT id FROM nothing_of_this_name`);
  const outcomes = await Promise.allSettled([readInBatch(platform.db, broken), readInBatch(platform.db, count)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await readInBatch(platform.db, none)).toEqual([]);
});

test('a statement that cannot be made rejects the read', async () => {
  const select = () => {
    throw new Error('not made');
  };
  await expect(readInBatch({ select } as unknown as TestPlatform['db'], count)).rejects.toThrow('not made');
});

test('a read has its own time to wait, not that of the request that began first', async () => {
  const seen: (Waits | null)[] = [];
  const query = vi.spyOn(platform.db.$client, 'query').mockImplementation(((...args: unknown[]) => {
    seen.push(currentWaits());
    throw new Error(`not asked: ${args.length}`);
  }) as never);
  await expect(withWaits(new Waits(1000, 1000), () => readInBatch(platform.db, count))).rejects.toThrow();
  query.mockRestore();
  expect(seen).toEqual([null]);
});
