/** The wording of notices. */
import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Language } from '@fieldroom/contract/text';
import de from '../../locales/de/notices.json';
import en from '../../locales/en/notices.json';
import hu from '../../locales/hu/notices.json';
import ro from '../../locales/ro/notices.json';
import { aNotice, minutesAgo, NOW } from './notices.testing.ts';
import { aboutWords, byDay, dayWords, sentence, whenWords } from './noticesWords.ts';

beforeAll(() =>
  i18next.init({
    lng: 'en',
    resources: { en: { notices: en }, de: { notices: de }, hu: { notices: hu }, ro: { notices: ro } },
    interpolation: { escapeValue: false },
  }),
);
const say = (notice: Parameters<typeof sentence>[1], language: Language = 'en') =>
  sentence(i18next.getFixedT(language, 'notices'), notice, language);

describe('the day', () => {
  const today = '2026-11-24';
  test.each([
    ['2026-11-24', 'en', 'Today'],
    ['2026-11-23', 'en', 'Yesterday'],
    ['2026-11-23', 'de', 'Gestern'],
    ['2026-11-20', 'de', 'Freitag, 20. November'],
    ['2026-11-24', 'ro', 'Azi'],
    ['2025-12-30', 'en', 'Tuesday, 30 December 2025'],
    // The browser's clock is slightly behind.
    ['2026-11-25', 'en', 'Today'],
  ] as const)('%s in %s: %s', (day, language, words) => expect(dayWords(day, today, language)).toBe(words));

  test('is the browser’s day, also around midnight', () => {
    const [late, early] = [aNotice(2, { at: '2026-11-23T23:10:00Z' }), aNotice(1, { at: '2026-11-23T22:50:00Z' })];
    const days = (zone: string) => byDay([late, early], zone).map(({ day, notices }) => [day, notices.length]);
    expect(days('Europe/Vienna')).toEqual([
      ['2026-11-24', 1],
      ['2026-11-23', 1],
    ]);
    expect(days('UTC')).toEqual([['2026-11-23', 2]]);
  });
});

test.each([
  [0, 'en', 'now'],
  [-3, 'en', 'now'],
  [1, 'en', '1 minute ago'],
  [59, 'de', 'vor 59 Minuten'],
  [125, 'hu', '2 órával ezelőtt'],
  [12 * 60 + 50, 'en', '23:40'],
] as const)('%i minutes ago in %s: %s', (minutes, language, words) =>
  expect(whenWords(Date.parse(minutesAgo(minutes)), Date.parse(NOW), language, 'UTC')).toBe(words),
);

describe('the sentence', () => {
  test('names the person and the act; the family name first in Hungarian', () => {
    expect(say(aNotice(1))).toBe('Réka Oláh has booked');
    expect(say(aNotice(1), 'hu')).toBe('Oláh Réka helyet foglalt');
    expect(say(aNotice(1, { kind: 'cancelled' }), 'de')).toBe('Réka Oláh hat storniert');
    expect(say(aNotice(1, { kind: 'bill', month: '2026-10' } as never), 'de')).toBe(
      'Ihre Rechnung für Oktober 2026 liegt bereit',
    );
  });

  test('counts arrivals, in each plural form', () => {
    const arrival = (others: number, name: string | null = 'Bori') =>
      aNotice(1, { kind: 'arrival', name, others } as never);
    expect(say(arrival(0))).toBe('Bori came to your waiting room');
    expect(say(arrival(1))).toBe('Bori and 1 other person came to your waiting room');
    expect([1, 2, 20].map((others) => say(arrival(others), 'ro').split(' au ')[0])).toEqual([
      'Bori și încă 1 persoană',
      'Bori și încă 2 persoane',
      'Bori și încă 20 de persoane',
    ]);
  });

  test('says “somebody” once the name was erased (11.24)', () => {
    expect(say(aNotice(1, { person: null } as never), 'de')).toBe('Jemand hat gebucht');
    expect(say(aNotice(1, { kind: 'arrival', name: null, others: 0 } as never), 'hu')).toMatch(/^Valaki /);
  });
});

test('its subject: the event with its own day, the number of the bill, nothing for arrivals', () => {
  const event = { id: 1, name: 'Night circle', startsOn: '2026-12-17T23:30:00Z', timeZone: 'Europe/Vienna' };
  expect(aboutWords(aNotice(1, { event } as never), 'en')).toBe('Night circle · 18\u00A0Dec\u00A02026');
  expect(aboutWords(aNotice(1, { kind: 'bill', number: 'FR-2026-000007' } as never), 'en')).toBe('FR-2026-000007');
  expect(aboutWords(aNotice(1, { kind: 'arrival' } as never), 'en')).toBeNull();
});
