/** Open files that run out. */
import { expect, test } from 'vitest';
import { countOpenFiles, watchOpenFiles } from './open-files.ts';

/** Lets it count through these, one per look. Returns what was logged. */
async function lookAt(counts: readonly number[]): Promise<object[]> {
  const said: object[] = [];
  const left = [...counts];
  const done = Promise.withResolvers<void>();
  const stop = watchOpenFiles(
    { warn: ((fields: object) => void said.push(fields)) as never },
    async () => {
      const open = left.shift();
      if (open === undefined) done.resolve();
      return open === undefined ? null : { open, limit: 100 };
    },
    1,
  );
  await done.promise;
  stop();
  return said;
}

test('is said once, and again when there were enough meanwhile', async () => {
  expect(await lookAt([10, 80, 89])).toEqual([]);
  expect(await lookAt([89, 90, 95, Infinity, 80, 99])).toEqual([{ open: 90, limit: 100 }]);
  expect(await lookAt([Infinity, 74, 91])).toEqual([
    { open: 'all', limit: 100 },
    { open: 91, limit: 100 },
  ]);
});

test.runIf(process.platform === 'linux')('counts those of this process', async () => {
  const counted = await countOpenFiles();
  expect(counted!.open).toBeGreaterThan(3);
  expect(counted!.limit).toBeGreaterThan(counted!.open);
});
