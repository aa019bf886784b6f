import { expect, test } from 'vitest';
import { type Told, toldAfter } from './Toast.tsx';

const joined = (id: number, name: string): Told => ({
  text: `${name} has joined`,
  together: { kind: 'login', who: [id], text: (count) => `${count} have joined` },
});

test('11.62: arrivals are told together while the first is still shown, each person once', () => {
  const first = toldAfter(null, joined(1, 'Hanna'));
  expect(first.text).toBe('Hanna has joined');
  const both = toldAfter(first, joined(2, 'Tom'));
  expect(both.text).toBe('2 have joined');
  // A lost connection that comes back is no third person.
  expect(toldAfter(both, joined(1, 'Hanna')).text).toBe('2 have joined');
  expect(toldAfter(both, joined(3, 'Mirela')).text).toBe('3 have joined');
});

test('11.62: other news ends the count, and several who come at once are counted at once', () => {
  const both = toldAfter(toldAfter(null, joined(1, 'Hanna')), joined(2, 'Tom'));
  const other = toldAfter(both, { text: 'Copied', tone: 'done' });
  expect(other).toEqual({ text: 'Copied', tone: 'done' });
  expect(toldAfter(other, joined(3, 'Mirela')).text).toBe('Mirela has joined');
  const waiting = {
    text: 'Hanna waits',
    together: { kind: 'arrived', who: [1, 2], text: (count: number) => `${count} wait` },
  };
  expect(toldAfter(both, waiting).text).toBe('2 wait');
});
