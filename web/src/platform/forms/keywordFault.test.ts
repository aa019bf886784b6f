// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { startWords } from '../i18n/app.ts';
import { keywordFault } from './keywordFault.ts';

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords([]);
});

test('12.32 a keyword is reported as faulty if the server would refuse it; an empty one is not', () => {
  expect(keywordFault('Vi\u200Benna')).toBe('This contains characters that can’t be displayed safely.');
  expect(['', ' ', 'Vienna', 'Szőllősi'].map(keywordFault)).toEqual([null, null, null, null]);
});
