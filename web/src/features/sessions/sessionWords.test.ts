// @vitest-environment happy-dom
import { END_REASONS } from '@fieldroom/contract/realtime';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { startWords, switchLanguage } from '../../platform/i18n/app.ts';
import { LANGUAGES } from '../../platform/i18n/languages.ts';
import { aSession } from './sessions.testing.tsx';
import { durationWords, endWords, hoursAndMinutes, whoWords } from './sessionWords.ts';

const t = i18next.getFixedT(null, 'sessions');
beforeAll(() => startWords(['sessions']));

test('hours and minutes, only full minutes counted', () => {
  expect([0, 59, 60, 3_599, 3_600, 7_859, 360_000, -5].map(hoursAndMinutes)).toEqual([
    { hours: 0, minutes: 0 },
    { hours: 0, minutes: 0 },
    { hours: 0, minutes: 1 },
    { hours: 0, minutes: 59 },
    { hours: 1, minutes: 0 },
    { hours: 2, minutes: 10 },
    { hours: 100, minutes: 0 },
    { hours: 0, minutes: 0 },
  ]);
});

test.each([
  ['en', ['0 min', 'under a minute', '55 min', '2 h', '2 h 10 min']],
  ['de', ['0 Min.', 'unter einer Minute', '55 Min.', '2 Std.', '2 Std. 10 Min.']],
  ['hu', ['0 perc', 'kevesebb mint egy perc', '55 perc', '2 óra', '2 óra 10 perc']],
  ['ro', ['0 min', 'sub un minut', '55 min', '2 h', '2 h și 10 min']],
] as const)('%s: lengths in words', async (language, expected) => {
  await switchLanguage(language);
  const say = i18next.getFixedT(language, 'sessions');
  expect([0, 59, 3_300, 7_200, 7_800].map((seconds) => durationWords(say, seconds))).toEqual(expected);
});

test.each(LANGUAGES.map(({ code }) => code))('%s: every reason for an end has its words', async (language) => {
  await switchLanguage(language);
  const say = i18next.getFixedT(language, 'sessions');
  const words = [
    endWords(say, aSession({ endedOn: null, endReason: null })),
    endWords(say, aSession({ endReason: null })),
    ...END_REASONS.map((endReason) => endWords(say, aSession({ endReason }))),
  ];
  expect(new Set(words).size).toBe(words.length);
  for (const text of words) expect(text).not.toMatch(/^end\./);
});

test('attendees: each once, two by name, the others counted; a single other one is named too', async () => {
  await switchLanguage('en');
  const came = (...names: string[]) =>
    whoWords(
      t,
      aSession({
        clients: new Set(names).size,
        attendance: names.map((name) => ({ name, joinedOn: '2026-12-03T09:32:00Z', leftOn: null })),
      }),
      'en',
    );
  expect(came('Mirela', 'Levente', 'Mirela')).toBe('Mirela and Levente');
  expect(came('Mirela', 'Levente', 'Jonas')).toBe('Mirela, Levente and Jonas');
  expect(came('Mirela', 'Levente', 'Jonas', 'Réka')).toBe('Mirela, Levente and 2 more');
  expect(came()).toBe('Nobody listed');
});
