import { expect, test } from 'vitest';
import { type Told, toldAfter, toldOf, toldOfThose } from './Toast.tsx';

const text = (who: readonly { name: string }[]) =>
  who.length === 1 ? `${who[0]!.name} has joined` : `${who.length} have joined`;
const joined = (id: number, name: string): Told => toldOf({ kind: 'login', who: [{ id, name }], text });

test('11.62: arrivals are merged while the first is still shown, each person once', () => {
  const first = toldAfter(null, joined(1, 'Hanna'));
  expect(first.text).toBe('Hanna has joined');
  const both = toldAfter(first, joined(2, 'Tom'));
  expect(both.text).toBe('2 have joined');
  // A person who reconnects is not a third person.
  expect(toldAfter(both, joined(1, 'Hanna')).text).toBe('2 have joined');
  expect(toldAfter(both, joined(3, 'Mirela')).text).toBe('3 have joined');
});

test('11.62: another notice ends the count, and several people who arrive at once are counted at once', () => {
  const both = toldAfter(toldAfter(null, joined(1, 'Hanna')), joined(2, 'Tom'));
  const other = toldAfter(both, { text: 'Copied', tone: 'done' });
  expect(other).toEqual({ text: 'Copied', tone: 'done' });
  expect(toldAfter(other, joined(3, 'Mirela')).text).toBe('Mirela has joined');
  const waiting = toldOf({
    kind: 'arrived',
    who: [
      { id: 1, name: 'Hanna' },
      { id: 2, name: 'Tom' },
    ],
    text: (who) => `${who.length} wait`,
  });
  expect(toldAfter(both, waiting).text).toBe('2 wait');
});

test('11.62: a person who has left is neither named nor counted; an empty notice ends', () => {
  const both = toldAfter(toldAfter(null, joined(1, 'Hanna')), joined(2, 'Tom'));
  expect(toldOfThose(both, 'login', new Set([1, 2, 3]))).toBe(both);
  const tom = toldOfThose(both, 'login', new Set([2]));
  expect(tom?.text).toBe('Tom has joined');
  expect(toldAfter(tom, joined(3, 'Mirela')).text).toBe('2 have joined');
  expect(toldOfThose(both, 'login', new Set())).toBeNull();
  // A notice of another kind is not about them.
  expect(toldOfThose(both, 'arrived', new Set())).toBe(both);
  const copied: Told = { text: 'Copied' };
  expect(toldOfThose(copied, 'login', new Set())).toBe(copied);
});
