import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bootstrap.mjs';
import { lastLines, playwrightFailures, vitestFailures } from './failures.mjs';

test('names failed tests and files that could not be loaded', () => {
  expect(
    vitestFailures([
      {
        name: path.join(root, 'web/src/a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'room opens' },
          { status: 'failed', fullName: 'room closes', failureMessages: ['expected 1 to be 2\n    at line 7'] },
        ],
      },
      { name: path.join(root, 'web/src/b.test.ts'), status: 'failed', message: 'No such module', assertionResults: [] },
      { name: path.join(root, 'web/src/c.test.ts'), status: 'passed', assertionResults: [] },
    ]),
  ).toEqual(['web/src/a.test.ts › room closes: expected 1 to be 2', 'web/src/b.test.ts: No such module']);
});

test('names failed journeys of every suite, including flaky ones', () => {
  const passed = [{ status: 'expected', results: [{}] }];
  const flaky = [{ status: 'flaky', results: [{ error: { message: 'Timeout\nmore' } }, {}] }];
  const failed = [{ status: 'unexpected', results: [{ error: { message: 'Not seen' } }] }];
  expect(
    playwrightFailures([
      {
        specs: [
          { file: '1.spec.ts', title: 'joins', tests: passed },
          { file: '1.spec.ts', title: 'leaves', tests: flaky },
        ],
        suites: [{ specs: [{ file: '2.spec.ts', title: 'books', tests: failed }] }],
      },
    ]),
  ).toEqual(['1.spec.ts › leaves: Timeout', '2.spec.ts › books: Not seen']);
});

test('ends with what a program wrote last', () => {
  expect(lastLines('one\ntwo\nthree\n\n', 2)).toBe('two\nthree');
});
