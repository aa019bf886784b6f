/** How many characters are left, in words. */
import { expect, test } from 'vitest';
import { charactersLeft, hintWithLeft } from './charactersLeft.ts';
import type { Say } from './faults.ts';

const say: Say = (key, values) => `${key} ${values?.['count']}`;

test('what is left is shown once it is little, down to the last character', () => {
  const typed = (length: number) => charactersLeft(say, 'x'.repeat(length), 100);
  expect([typed(0), typed(59), typed(60), typed(99), typed(100)]).toEqual([
    '',
    '',
    'charactersLeft 40',
    'charactersLeft 1',
    'charactersLeft 0',
  ]);
  // From here on the fault at the field is enough.
  expect(typed(101)).toBe('');
});

test('it follows the hint; words that have not arrived leave the hint unchanged', () => {
  expect(hintWithLeft(say, 'A hint.', 'x'.repeat(98), 100)).toBe('A hint. charactersLeft 2');
  expect(hintWithLeft(say, 'A hint.', '', 100)).toBe('A hint.');
  expect(hintWithLeft((key) => key, 'A hint.', 'x'.repeat(98), 100)).toBe('A hint.');
});
