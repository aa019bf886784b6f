import { problemBody } from '@fieldroom/contract/problems';
import { expect, test } from 'vitest';
import { Problem } from './problem.ts';

test('a problem has its code and its body, and no stack; other errors keep theirs', () => {
  const problem = new Problem('too_many_requests', { retryAfterSeconds: 3 });
  expect(problem).toBeInstanceOf(Error);
  expect(problem.body()).toEqual(problemBody('too_many_requests', { retryAfterSeconds: 3 }));
  expect(problem.stack?.split('\n')).toHaveLength(1);
  expect(new Error('a bug').stack?.split('\n').length).toBeGreaterThan(1);
});
