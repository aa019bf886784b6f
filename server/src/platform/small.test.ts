/** Small helpers: work for each of several, bounded maps, groups. */
import { expect, test } from 'vitest';
import { forEachInTurn, groupsOf, setBounded } from './small.ts';

test('a fault of one keeps no other from its turn, and is thrown at the end', async () => {
  const done: number[] = [];
  const all = forEachInTurn([1, 2, 3, 4], async (one) => {
    if (one % 2 === 0) throw new Error(`${one} is locked`);
    await new Promise((resolve) => void setImmediate(resolve));
    done.push(one);
  });
  await expect(all).rejects.toThrow('2 is locked');
  expect(done).toEqual([1, 3]);
  await forEachInTurn([], () => Promise.reject(new Error('nobody')));
});

test('a full map gives up what was added first, and nothing for a key that it has', () => {
  const map = new Map<string, number>();
  for (const [index, key] of ['a', 'b', 'b', 'c'].entries()) setBounded(map, 2, key, index);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
});

test.each([
  [[], []],
  [[1, 2], [[1, 2]]],
  [
    [1, 2, 3, 4, 5],
    [[1, 2], [3, 4], [5]],
  ],
])('%j in groups of two is %j', (all, groups) => {
  expect([...groupsOf<number>(all, 2)]).toEqual(groups);
});
