/** Reads that begin in one turn of the event loop travel as one statement. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { readTogether, togetherRead } from './read-together.ts';
import { currentWaits, Waits, withWaits } from './waits.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
  await platform.db.execute(sql`CREATE TABLE things (id int, word text, ready boolean, weight float8)`);
});
afterAll(() => platform.close());

const ready = togetherRead<{ id: number; word: string | null; weight: number }>(
  sql`SELECT id, word, weight FROM things WHERE ready AND id < ${100} ORDER BY id DESC`,
);
const count = togetherRead<{ count: number }>(sql`SELECT count(*) AS count FROM things`);
const none = togetherRead<{ id: number }>(sql`SELECT id FROM things WHERE id = ${-1}`);

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
      readTogether(platform.db, none),
      readTogether(platform.db, ready),
      // A microtask later it is still the same turn.
      Promise.resolve().then(() => readTogether(platform.db, count)),
      readTogether(platform.db, ready),
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
  const before = await readTogether(platform.db, count);
  await platform.db.execute(sql`INSERT INTO things VALUES (4, 'four', false, 4)`);
  expect(await readTogether(platform.db, count)).toEqual([{ count: before[0]!.count + 1 }]);
});

test('other combinations are other statements, whatever the order of the reads', async () => {
  const [{ count: all }] = (await readTogether(platform.db, count)) as [{ count: number }];
  const [first, found] = await Promise.all([readTogether(platform.db, count), readTogether(platform.db, ready)]);
  const [foundAgain, second] = await Promise.all([readTogether(platform.db, ready), readTogether(platform.db, count)]);
  expect([first, second]).toEqual([[{ count: all }], [{ count: all }]]);
  expect(found).toHaveLength(2);
  expect(foundAgain).toEqual(found);
});

test('databases do not mix', async () => {
  const [one, other] = await Promise.all([readTogether(platform.db, count), readTogether(platform.roomDb, count)]);
  expect(one).toEqual(other);
  const { statements } = await statementsOf(() =>
    Promise.all([readTogether(platform.db, count), readTogether(platform.roomDb, count)]),
  );
  expect(statements).toBe(1);
});

test('a fault is everybody’s, and later reads go on', async () => {
  const broken = togetherRead<{ id: number }>(sql`SELECT id FROM nothing_of_this_name`);
  const outcomes = await Promise.allSettled([readTogether(platform.db, broken), readTogether(platform.db, count)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await readTogether(platform.db, none)).toEqual([]);
});

test('a read has its own time to wait, not that of the request that began first', async () => {
  const seen: (Waits | null)[] = [];
  const query = vi.spyOn(platform.db.$client, 'query').mockImplementation(((...args: unknown[]) => {
    seen.push(currentWaits());
    throw new Error(`not asked: ${args.length}`);
  }) as never);
  await expect(withWaits(new Waits(1000, 1000), () => readTogether(platform.db, count))).rejects.toThrow();
  query.mockRestore();
  expect(seen).toEqual([null]);
});
