// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { startWords } from '../i18n/app.ts';
import { keywordFault } from './keywordFault.ts';

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords([]);
});

test('12.32 a word is told as faulty where the server would refuse it; none is none', () => {
  expect(keywordFault('Vi\u200Benna')).toBe('This contains characters that can’t be displayed safely.');
  expect(['', ' ', 'Vienna', 'Szőllősi'].map(keywordFault)).toEqual([null, null, null, null]);
});
