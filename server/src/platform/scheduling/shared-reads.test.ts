/** Who shares a read with whom. Rule 23 of features/events/README.md. */
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../db/db.ts';
import { createSharedReads } from './shared-reads.ts';

/** Reads that end when the test says so. */
function aRead() {
  const begun: { key: string; end: (found: string) => void; fail: (fault: Error) => void }[] = [];
  const ask = createSharedReads<string>();
  return {
    begun,
    ask: (key: string) => ask(key, () => new Promise<string>((end, fail) => begun.push({ key, end, fail }))),
  };
}
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

test('nobody is answered by a read that began before they asked, and all who wait share one', async () => {
  const { begun, ask } = aRead();
  const first = ask('a');
  const waiting = [ask('a'), ask('a'), ask('a')];
  expect(begun).toHaveLength(1);
  begun[0]!.end('one');
  expect(await first).toBe('one');
  await settled();
  expect(begun).toHaveLength(2);
  const late = ask('a');
  begun[1]!.end('two');
  expect(await Promise.all(waiting)).toEqual(['two', 'two', 'two']);
  await settled();
  expect(begun).toHaveLength(3);
  begun[2]!.end('three');
  expect(await late).toBe('three');
  await settled();
  void ask('a');
  expect(begun).toHaveLength(4);
});

test('each question is read by itself', () => {
  const { begun, ask } = aRead();
  void ask('a');
  void ask('b');
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
});

test('those behind a read that found no database are refused with it, and the next one reads at once', async () => {
  const { begun, ask } = aRead();
  const elsewhere = ask('b');
  const refused = Promise.allSettled([ask('a'), ask('a'), ask('a')]);
  const reason = new DatabaseUnavailable('no answer');
  begun[1]!.fail(reason);
  await settled();
  expect(begun).toHaveLength(2);
  expect(await refused).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason })));
  const next = ask('a');
  expect(begun).toHaveLength(3);
  begun[2]!.end('back');
  begun[0]!.end('untouched');
  expect(await Promise.all([next, elsewhere])).toEqual(['back', 'untouched']);
});

test('any other fault goes to everybody who shares the read, and to nobody else', async () => {
  const { begun, ask } = aRead();
  const first = ask('a');
  const waiting = [ask('a'), ask('a')];
  begun[0]!.fail(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await settled();
  begun[1]!.end('back');
  expect(await Promise.all(waiting)).toEqual(['back', 'back']);
  await settled();
  const again = ask('a');
  begun[2]!.fail(new Error('gone again'));
  await expect(again).rejects.toThrow('gone again');
  await settled();
  void ask('a');
  expect(begun).toHaveLength(4);
});
