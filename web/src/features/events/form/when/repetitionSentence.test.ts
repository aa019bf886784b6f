/** A repetition as one sentence, in the four languages. */
import type { Language } from '@fieldroom/contract/text';
import { createInstance, type TFunction } from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import de from '../../../../locales/de/events.json';
import en from '../../../../locales/en/events.json';
import hu from '../../../../locales/hu/events.json';
import ro from '../../../../locales/ro/events.json';
import { blankValues, type EventFormValues } from '../formValues.ts';
import { repetitionSentence } from './repetitionSentence.ts';

const texts = createInstance();
beforeAll(() =>
  texts.init({
    lng: 'en',
    defaultNS: 'events',
    resources: { en: { events: en }, de: { events: de }, hu: { events: hu }, ro: { events: ro } },
    interpolation: { escapeValue: false },
  }),
);

/** The sentence for a repetition that begins on Monday, 9 November 2026. */
const sentence = (change: Partial<EventFormValues>, language: Language = 'en') =>
  repetitionSentence(texts.getFixedT(language, 'events') as TFunction<'events'>, language, {
    ...blankValues(language, 'Europe/Vienna'),
    repeat: true,
    dates: ['2026-11-09'],
    ...change,
  });

const everyTwoWeeks = { frequency: '2', occasions: '3' };
test.each([
  ['en', 'Every 2 weeks on Monday, until 7 December 2026'],
  ['de', 'Alle 2 Wochen am Montag, bis zum 7. Dezember 2026'],
  ['hu', '2 hetente hétfőn, utoljára: 2026. december 7.'],
  ['ro', 'La fiecare 2 săptămâni, lunea, până la 7 decembrie 2026'],
] as const)('9.5 every two weeks, in %s', (language, words) => {
  expect(sentence(everyTwoWeeks, language)).toBe(words);
});

test.each([
  ['en', 'Every week on Monday, until 30 November 2026'],
  ['de', 'Jede Woche am Montag, bis zum 30. November 2026'],
  ['hu', 'Minden héten hétfőn, utoljára: 2026. november 30.'],
  ['ro', 'În fiecare săptămână, lunea, până la 30 noiembrie 2026'],
] as const)('9.5 every week, in %s', (language, words) => {
  expect(sentence({}, language)).toBe(words);
});

test('9.5 Romanian has its own form from twenty on', () => {
  expect(sentence({ unit: 'day', frequency: '20', occasions: '2' }, 'ro')).toBe(
    'La fiecare 20 de zile, până la 29 noiembrie 2026',
  );
});

test('9.5 each date may have several days', () => {
  const weekend = ['2026-11-14', '2026-11-15'];
  expect(sentence({ dates: weekend })).toBe('Every week on Saturday and Sunday, until 6 December 2026');
  expect(sentence({ dates: weekend }, 'hu')).toBe('Minden héten szombaton és vasárnap, utoljára: 2026. december 6.');
  // Weekdays would be incomplete here.
  expect(sentence({ dates: ['2026-11-09', '2026-11-16'], frequency: '4', occasions: '2' })).toBe(
    'Every 4 weeks, until 14 December 2026',
  );
  expect(sentence({ dates: weekend, unit: 'month', occasions: '2' })).toBe('Every month, until 15 December 2026');
});

test('9.5 months count from the day, or from the last day of a shorter month', () => {
  expect(sentence({ unit: 'month', occasions: '2' })).toBe('Every month on day 9, until 9 December 2026');
  expect(sentence({ unit: 'month', occasions: '2', dates: ['2027-01-31'] })).toBe(
    'Every month on day 31 or, in shorter months, on the last day, until 28 February 2027',
  );
});

test('9.5 it ends with the last date that takes place', () => {
  expect(sentence({ removed: ['2026-11-30'] })).toBe('Every week on Monday, until 23 November 2026');
  expect(sentence({ occasions: '1' })).toBe('Once, on 9 November 2026');
});

test('9.5 without a day it says how often; without a valid rule it says nothing', () => {
  expect(sentence({ dates: [], ...everyTwoWeeks })).toBe('Every 2 weeks');
  expect(sentence({ frequency: '' })).toBe(null);
  expect(sentence({ repeat: false })).toBe(null);
});
