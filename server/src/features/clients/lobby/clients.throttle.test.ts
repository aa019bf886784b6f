/** Guessing costs time, within limits (rule 5). Time is simulated: the test ends each `wait`. */
import { expect, test } from 'vitest';
import { createThrottle, THROTTLE_TIMES } from './clients.throttle.ts';

function stage(times: Partial<typeof THROTTLE_TIMES> = {}) {
  const counts = new Map<string, number>();
  const waits: { ms: number; end: () => void }[] = [];
  const throttle = createThrottle({
    limits: {
      async allows(key, { max }) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return counts.get(key)! <= max;
      },
    },
    limit: { max: 5, windowSeconds: 900 },
    roomsLimit: { max: 20, windowSeconds: 900 },
    times: { ...THROTTLE_TIMES, ...times },
    wait: (ms) => new Promise<void>((end) => void waits.push({ ms, end })),
  });
  return { throttle, waits, counts };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('5 the first five answers are sent at once, later ones are delayed longer and longer, up to four seconds', async () => {
  const { throttle, waits } = stage();
  for (let count = 0; count < 5; count++) await throttle.wrong('a');
  expect(waits).toEqual([]);
  for (let count = 0; count < 7; count++) void throttle.wrong('a');
  await settled();
  expect(waits.map(({ ms }) => ms)).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
});

test('5 a limited number of answers is held back at once; the others queue, and beyond the queue nothing is held back', async () => {
  const { throttle, waits } = stage({ delayedMax: 2, queuedMax: 3 });
  for (let count = 0; count < 5; count++) await throttle.wrong('a');
  const answered: number[] = [];
  for (let count = 0; count < 7; count++) void throttle.wrong('a').then(() => answered.push(count));
  await settled();
  expect(throttle.held()).toEqual({ delayed: 2, queued: 3 });
  expect(answered).toEqual([5, 6]);
  while (waits.length > 0) {
    waits.shift()!.end();
    await settled();
  }
  expect(answered).toEqual([5, 6, 0, 1, 2, 3, 4]);
  expect(throttle.held()).toEqual({ delayed: 0, queued: 0 });
});

test('5 only the block that guesses is queued; a new window starts its count again', async () => {
  const { throttle, waits, counts } = stage();
  await throttle.turn('a');
  for (let count = 0; count < 6; count++) void throttle.wrong('a');
  await settled();
  await throttle.turn('a');
  let looked = false;
  void throttle.turn('a').then(() => (looked = true));
  await throttle.turn('b');
  await throttle.turn('b');
  await settled();
  expect(looked).toBe(false);
  waits.find(({ ms }) => ms === THROTTLE_TIMES.spacingMs)!.end();
  await settled();
  expect(looked).toBe(true);
  counts.clear();
  await throttle.wrong('a');
  await throttle.turn('a');
  await throttle.turn('a');
});

test('5 guessing from many addresses is delayed too, without a queue, and only codes count, while some code is live', async () => {
  const { throttle, waits } = stage({ delayedMax: 1, queuedMax: 6 });
  for (let count = 0; count < 40; count++) await throttle.wrong(`link ${count}`);
  for (let count = 0; count < 20; count++) await throttle.wrong(`from ${count}`, true);
  expect(waits).toEqual([]);
  const answered: number[] = [];
  for (let count = 0; count < 8; count++) void throttle.wrong(`then ${count}`, true).then(() => answered.push(count));
  await settled();
  expect(waits.map(({ ms }) => ms)).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  expect(answered).toEqual([6, 7]);
  expect(throttle.held()).toEqual({ delayed: 0, queued: 0 });
  // A right code from one of these addresses is not delayed: no block is queued.
  await throttle.turn('then 0');
  await throttle.turn('then 0');
  await throttle.wrong('a link', false);
});

test('5 a new window of the rooms starts their count again', async () => {
  const { throttle, waits, counts } = stage();
  for (let count = 0; count < 22; count++) void throttle.wrong(`from ${count}`, true);
  await settled();
  expect(waits.map(({ ms }) => ms)).toEqual([250, 500]);
  counts.clear();
  await throttle.wrong('afresh', true);
  expect(waits).toHaveLength(2);
});

test('a server that stops sends everything that is held back', async () => {
  const { setTimeout: sleep } = await import('node:timers/promises');
  const throttle = createThrottle({
    limits: { allows: async () => false },
    limit: { max: 5, windowSeconds: 900 },
    roomsLimit: { max: 20, windowSeconds: 900 },
    times: { ...THROTTLE_TIMES, delayedMax: 1, firstDelayMs: 60_000, longestDelayMs: 60_000 },
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
  });
  const held = [throttle.wrong('a'), throttle.wrong('b'), throttle.wrong('c')];
  await settled();
  throttle.stop();
  await Promise.all(held);
  expect(throttle.held()).toEqual({ delayed: 0, queued: 0 });
});
