// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { ApiProblem } from '../platform/api/request.ts';
import { faultText, problemText, type Say } from '../platform/i18n/faults.ts';
import { pickLanguage } from '../platform/i18n/languages.ts';
import { createLightWords } from './lightWords.ts';

const words = () =>
  createLightWords(
    {
      en: { a: 'A {{name}}', only: 'English', n_one: '{{count}} day', n_other: '{{count}} days' },
      de: { a: 'Ä {{name}}' },
      hu: {},
      ro: { n_one: '{{count}} zi', n_few: '{{count}} zile', n_other: '{{count}} de zile' },
    },
    'de',
  );

test('the language of storage beats the account, then the browser, then English', () => {
  expect(pickLanguage({ stored: 'hu', account: 'ro', browser: ['de'] })).toBe('hu');
  expect(pickLanguage({ stored: 'fr', account: 'ro', browser: ['de'] })).toBe('ro');
  expect(pickLanguage({ browser: ['fr-FR', 'de-AT'] })).toBe('de');
  expect(pickLanguage({ browser: ['ja'] })).toBe('en');
});
test('fills placeholders and leaves unknown ones to be seen', () => {
  expect(words().t('a', { name: '{{x}} $& Zoé' })).toBe('Ä {{x}} $& Zoé');
  expect(words().t('a')).toBe('Ä {{name}}');
});
test('falls back to English, then to the key', () => {
  expect(words().t('only')).toBe('English');
  expect(words().t('nothing.there')).toBe('nothing.there');
});
test('takes the plural form of the language', () => {
  const light = words();
  light.switchTo('ro');
  expect([1, 2, 20].map((count) => light.t('n', { count }))).toEqual(['1 zi', '2 zile', '20 de zile']);
  light.switchTo('hu');
  expect(light.t('n', { count: 1 })).toBe('1 day');
});
test('switching the language, and words that arrive late, update the page without a reload', () => {
  const light = words();
  let told = 0;
  light.subscribe(() => (told += 1));
  light.switchTo('en');
  expect(told).toBe(1);
  light.add('en', 'more', { b: 'B' });
  expect(told).toBe(1);
  expect(light.t('more.b')).toBe('B');
  expect(light.t('other.c')).toBe('other.c');
  light.add('en', 'other', { c: 'C' });
  expect(told).toBe(2);
  expect(document.documentElement.lang).toBe('en');
});

const table: Record<string, string> = {
  'problem.unknown_fault': 'Ours',
  'problem.too_many_requests': 'Too many',
  'wait.seconds': 'S{{count}}',
  'wait.minutes': 'M{{count}}',
  reference: 'R{{reference}}',
  'field.invalid': 'Check',
  'field.required': 'Fill',
  'field.name.required': 'Name please',
};
const say: Say = (key, values) =>
  (table[key] ?? key).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values?.[name]));
test('a fault at a field has words of its place, of its key, or general ones', () => {
  expect(faultText(say, 'name', 'required')).toBe('Name please');
  expect(faultText(say, 'other', 'required')).toBe('Fill');
  expect(faultText(say, 'other', 'brand_new')).toBe('Check');
});
test('a problem tells the wait and the reference', () => {
  expect(problemText(say, new ApiProblem('too_many_requests', { retryAfterSeconds: 30 }))).toBe('Too many S30');
  expect(problemText(say, new ApiProblem('too_many_requests', { retryAfterSeconds: 200 }))).toBe('Too many M4');
  expect(problemText(say, new ApiProblem('brand_new' as never, { reference: 'X1' }))).toBe('Ours RX1');
  expect(problemText(say, new Error('boom'))).toBe('Ours');
});
