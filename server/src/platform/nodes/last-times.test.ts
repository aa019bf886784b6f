/** Moments that nobody forgets by name: they end by their age, in the table and in memory. */
import { afterEach, expect, test, vi } from 'vitest';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { createLastTimes } from './last-times.ts';

const ANNA = 501;
const BORI = 502;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const fails = (error: unknown) => {
  throw error;
};

let t: TestPlatform | undefined;
afterEach(async () => {
  await t?.close();
  t = undefined;
});

test('a day after the last moment of somebody a node that is alone forgets it, as others act', async () => {
  const times = createLastTimes('acted', null, fails);
  const nobody = {} as never;
  const known = async () => [...(await times.read(nobody, [ANNA, BORI])).keys()];
  times.set(ANNA, 0);
  times.set(BORI, DAY_MS);
  await times.sweep();
  expect(await known()).toEqual([ANNA, BORI]);
  times.set(BORI, DAY_MS + HOUR_MS);
  expect(await known()).toEqual([BORI]);
});

test('one of several nodes forgets it with the sweep, in memory as in the table', async () => {
  t = await testPlatform();
  const { db, clock } = t;
  const times = createLastTimes('acted', db, fails);
  const table = createLastTimes('acted', db, fails);
  const stored = async () => [...(await table.read(db, [ANNA, BORI])).keys()];
  await clock.refresh();
  times.set(ANNA, clock.moment());
  await vi.waitUntil(async () => (await stored()).includes(ANNA), { timeout: 60_000 });
  await t.move(25 * 3600);
  times.set(BORI, clock.moment());
  await times.sweep();
  const known = async () => [...(await times.read(db, [ANNA, BORI])).keys()];
  expect(await known()).toEqual([BORI]);
  // Still known: it was written down, and is not written again every time.
  await vi.waitUntil(async () => (await stored()).includes(BORI), { timeout: 60_000 });
});

test('a moment that could not be written is written with the next one', async () => {
  t = await testPlatform();
  const { db } = t;
  let isAway = true;
  const faults: unknown[] = [];
  const unsure = new Proxy(db, {
    get(from, name) {
      if (!isAway || name !== 'insert') return Reflect.get(from, name) as unknown;
      const refused = { onConflictDoUpdate: () => Promise.reject(new Error('no database')) };
      return () => ({ values: () => refused });
    },
  });
  const times = createLastTimes('acted', unsure, (error) => faults.push(error));
  times.set(ANNA, 1_000);
  await vi.waitUntil(() => faults.length === 1);
  isAway = false;
  times.set(ANNA, 2_000);
  const table = createLastTimes('acted', db, fails);
  await vi.waitUntil(async () => (await table.read(db, [ANNA])).get(ANNA) === 2_000, { timeout: 60_000 });
});
