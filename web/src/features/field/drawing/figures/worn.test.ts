import { expect, test } from 'vitest';
import { knobSize } from './worn.ts';

test('11.65: the rotation handle of a small figure is smaller, and never too small for a finger', () => {
  expect([10, 20.4, 25.5, 34, 90].map(knobSize)).toEqual([0.6, 0.6, 0.75, 1, 1]);
});
