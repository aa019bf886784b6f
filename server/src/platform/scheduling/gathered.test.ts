import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../db/db.ts';
import { currentWaits, Waits, withWaits } from '../db/waits.ts';
import { createGathered } from './gathered.ts';

/** Work that takes its items, and ends, when the test says so. */
function gathering() {
  const begun: { key: number; take: () => readonly string[]; end: (refused?: Map<string, Error>) => void }[] = [];
  const faults: ((fault: Error) => void)[] = [];
  const hasWaits: boolean[] = [];
  const ask = createGathered<string>((key, take) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, Error> | undefined>();
    hasWaits.push(currentWaits() !== null);
    begun.push({ key, take, end: resolve });
    faults.push(reject);
    return promise;
  });
  return { ask, begun, faults, hasWaits };
}

test('all that come before the turn share one piece of work; those who come later share the next', async () => {
  const { ask, begun } = gathering();
  const first = [ask(1, 'a'), ask(1, 'b'), ask(1, 'c')];
  expect(begun).toHaveLength(1);
  expect(begun[0]!.take()).toEqual(['a', 'b', 'c']);
  const second = [ask(1, 'd'), ask(1, 'e')];
  expect(begun).toHaveLength(2);
  expect(begun[1]!.take()).toEqual(['d', 'e']);
  begun[0]!.end();
  await Promise.all(first);
  begun[1]!.end();
  await Promise.all(second);
});

test('keys do not wait for each other', async () => {
  const { ask, begun } = gathering();
  void ask(1, 'a');
  const other = ask(2, 'b');
  expect(begun.map(({ key }) => key)).toEqual([1, 2]);
  expect(begun[1]!.take()).toEqual(['b']);
  begun[1]!.end();
  await other;
});

test('one that is refused hears why, and the others are done', async () => {
  const { ask, begun } = gathering();
  const [one, two] = [ask(1, 'a'), ask(1, 'b')];
  begun[0]!.take();
  begun[0]!.end(new Map([['b', new Error('full')]]));
  await one;
  await expect(two).rejects.toThrow('full');
});

test('a fault reaches everybody, and the next ones begin anew, also where nothing was taken', async () => {
  const { ask, begun, faults } = gathering();
  const both = [ask(1, 'a'), ask(1, 'b')];
  faults[0]!(new Error('no database'));
  for (const one of both) await expect(one).rejects.toThrow('no database');
  const later = ask(1, 'c');
  expect(begun[1]!.take()).toEqual(['c']);
  begun[1]!.end();
  await later;
});

test('the work has its own time, and a request whose time is over does not wait for it', async () => {
  const { ask, begun, hasWaits } = gathering();
  let now = 0;
  // Nothing is left, and its timers are due at once.
  const over = withWaits(new Waits(0, 1_000, () => (now += 1)), () => ask(1, 'a'));
  const patient = ask(1, 'b');
  expect(hasWaits).toEqual([false]);
  await expect(over).rejects.toThrow(DatabaseUnavailable);
  expect(begun[0]!.take()).toEqual(['a', 'b']);
  begun[0]!.end();
  await patient;
});
