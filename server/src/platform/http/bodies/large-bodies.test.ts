import { expect, test } from 'vitest';
import { createLargeBodies } from './large-bodies.ts';

test('a sender has few places, all together have some more, and a place given back is free again', () => {
  const { take } = createLargeBodies({ each: 2, all: 3 });
  const first = take('anna')!;
  expect(take('anna')).not.toBeNull();
  expect(take('anna'), 'of one sender').toBeNull();
  expect(take('bela')).not.toBeNull();
  expect(take('cara'), 'in all').toBeNull();
  first();
  expect(take('cara')).not.toBeNull();
  expect(take('anna'), 'in all').toBeNull();
});
