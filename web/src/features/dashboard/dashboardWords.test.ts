import { TREE_SECONDS } from '@fieldroom/contract/usage';
import { expect, test } from 'vitest';
import { firstSteps } from './firstSteps.ts';
import { greetingKey, hoursWords, minutesLeft, treesAndNext, untilWords, weekNames } from './dashboardWords.ts';

const plain = (text: string) => text.replace(/[\u00A0\u2009\u202F]/g, ' ');

test('greets by the hour', () => {
  expect([3, 4, 10, 11, 17, 18, 23].map(greetingKey)).toEqual([
    'evening',
    'morning',
    'morning',
    'day',
    'day',
    'evening',
    'evening',
  ]);
});

test('7.5 a tree for each full three hours, and how far the next one is', () => {
  expect([0, 59, 6_120, TREE_SECONDS - 1, TREE_SECONDS, 14 * TREE_SECONDS + 6_120].map(treesAndNext)).toEqual([
    { trees: 0, towards: '0:00' },
    { trees: 0, towards: '0:00' },
    { trees: 0, towards: '1:42' },
    { trees: 0, towards: '2:59' },
    { trees: 1, towards: '0:00' },
    { trees: 14, towards: '1:42' },
  ]);
});

test.each([
  ['en', ['today', 'tomorrow', 'in 2 days', 'in 13 days', 'in 2 weeks', 'in 8 weeks', 'in 2 months']],
  ['de', ['heute', 'morgen', 'übermorgen', 'in 13 Tagen', 'in 2 Wochen', 'in 8 Wochen', 'in 2 Monaten']],
  ['hu', ['ma', 'holnap', 'holnapután', '13 nap múlva', '2 hét múlva', '8 hét múlva', '2 hónap múlva']],
  ['ro', ['azi', 'mâine', 'poimâine', 'peste 13 zile', 'peste 2 săptămâni', 'peste 8 săptămâni', 'peste 2 luni']],
] as const)('%s: how long until an event', (language, expected) => {
  expect([0, 1, 2, 13, 14, 59, 60].map((days) => plain(untilWords(days, language)))).toEqual(expected);
});

test.each([
  ['en', '2 Nov', '2 November 2026', '2.5', '1,234.5'],
  ['de', '2. Nov.', '2. November 2026', '2,5', '1.234,5'],
  ['hu', 'nov. 2.', '2026. november 2.', '2,5', '1234,5'],
  ['ro', '2 nov.', '2 noiembrie 2026', '2,5', '1.234,5'],
] as const)('%s: weeks and hours', (language, short, long, hours, many) => {
  expect(weekNames('2026-11-02', language)).toEqual({ short, long });
  expect([9_000, 4_444_200].map((seconds) => plain(hoursWords(seconds, language)))).toEqual([hours, many]);
});

test('started minutes count until they are over', () => {
  const now = Date.parse('2026-12-10T09:00:00Z');
  expect([-1, 0, 1, 60_000, 60_001, 330_000].map((ms) => minutesLeft(now + ms, now))).toEqual([0, 0, 1, 1, 2, 6]);
});

test('the first steps disappear once a registered therapist works with clients, with or without events', () => {
  const fresh = { sessions: 0, peopleHelped: 0, hasEvent: false, plan: 'TRIAL' } as const;
  expect(firstSteps(fresh)).toEqual({ open: false, invite: false, publish: false, register: false });
  expect(firstSteps({ sessions: 1, peopleHelped: 1, hasEvent: true, plan: 'TRIAL' })).toEqual({
    open: true,
    invite: true,
    publish: true,
    register: false,
  });
  expect(firstSteps({ ...fresh, plan: 'PROFESSIONAL', hasEvent: true })).toMatchObject({ open: false, register: true });
  expect(firstSteps({ sessions: 1, peopleHelped: 1, hasEvent: false, plan: 'PROFESSIONAL' })).toBe(null);
});
