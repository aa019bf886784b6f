import { expect, test } from 'vitest';
import { forEachInTurn } from './small.ts';

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
