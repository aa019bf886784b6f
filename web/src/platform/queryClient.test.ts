import { expect, test } from 'vitest';
import { queryClient } from './queryClient.ts';
import { forgetPerson, storage } from './storage.ts';

test('signing out empties the cache: the next person on this browser finds nothing of the one before', () => {
  queryClient.setQueryData(['events', 7, 'lists'], ['Evening circle']);
  forgetPerson(storage);
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});
