/** The deadline of stopping: whatever hangs, everything gets its turn and it ends in time. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStopping, STOP_MS, type StoppingParts } from './stopping.ts';

const never = () => new Promise<never>(() => {});
const done = async () => {};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * The parts of a server, and in which order they were asked to end. All of them hang, or only those of these names;
 * those of others fail.
 */
function world(hanging: readonly string[] | 'all', hasOthers = true, failing: readonly string[] = []) {
  const asked: string[] = [];
  const warned: unknown[] = [];
  const end = (name: string) => () => {
    asked.push(name);
    if (failing.includes(name)) return Promise.reject(new Error('the database refuses connections'));
    return hanging === 'all' || hanging.includes(name) ? never() : done();
  };
  const parts = {
    features: {
      first: { stopTaking: end('first takes'), disconnect: end('first disconnects'), stop: end('first stops') },
      last: { stop: end('last stops') },
    },
    platform: {
      log: { warn: (fields: { part: string }) => void warned.push(fields.part) },
      nodes: {
        hasOthers: async () => {
          await end('looks for others')();
          return hasOthers;
        },
        leave: () => void asked.push('leaves'),
        stop: end('nodes'),
      },
      stopWork: end('work'),
      close: end('platform'),
    },
    http: { stopTaking: () => void asked.push('takes no calls'), close: end('calls') },
    realtime: { leave: end('connections move'), stop: end('connections') },
    video: { leave: end('video moves') },
  } as unknown as StoppingParts;
  return { stopping: createStopping(parts), asked, warned };
}

const IN_ORDER = [
  ...['looks for others', 'connections move', 'video moves', 'takes no calls', 'first takes', 'leaves', 'work'],
  ...['connections', 'first disconnects', 'calls', 'nodes', 'last stops', 'first stops', 'platform'],
];

/** Stops, and returns the milliseconds that it took, by the moved clock. */
async function stop({ stopping }: ReturnType<typeof world>): Promise<number> {
  const began = performance.now();
  let took: number | null = null;
  void stopping.close().then(() => (took = performance.now() - began));
  await vi.advanceTimersByTimeAsync(10 * STOP_MS);
  expect(took).not.toBeNull();
  return took!;
}

test('all steps together take no longer than the deadline, though each of them hangs', async () => {
  // Whether there are others is not known either.
  const alone = world('all');
  expect(await stop(alone)).toBeLessThanOrEqual(STOP_MS);
  expect(alone.asked).toEqual(IN_ORDER.filter((name) => !name.endsWith('move') && !name.endsWith('moves')));
  const among = world(IN_ORDER.slice(1));
  expect(await stop(among)).toBeLessThanOrEqual(STOP_MS);
  expect(among.asked).toEqual(IN_ORDER);
  expect(among.warned).toContain('platform');
});

test('the end of the platform has its seven seconds, whatever hangs before', async () => {
  const all = world(IN_ORDER.slice(1));
  const without = world(IN_ORDER.slice(1, -1));
  expect((await stop(all)) - (await stop(without))).toBeGreaterThan(6900);
});

test('one part that hangs keeps the others waiting for its own time alone', async () => {
  const one = world(['nodes']);
  expect(await stop(one)).toBe(2000);
  expect([one.asked, one.warned]).toEqual([IN_ORDER, ['nodes']]);
});

test('what fails at once, as without a database, keeps no other part from its turn', async () => {
  const one = world(
    [],
    true,
    IN_ORDER.filter((name) => !['takes no calls', 'leaves', 'looks for others'].includes(name)),
  );
  await stop(one);
  expect(one.asked).toEqual(IN_ORDER);
  expect(one.warned).toEqual([
    'people',
    'first',
    'connections',
    'first',
    'calls',
    'nodes',
    'last',
    'first',
    'work',
    'platform',
  ]);
});

test('nothing waits where nothing hangs; it stops once', async () => {
  const one = world([]);
  expect(await stop(one)).toBe(0);
  void one.stopping.close();
  expect([one.asked, one.warned]).toEqual([IN_ORDER, []]);
});
