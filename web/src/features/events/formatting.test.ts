import { CURRENCIES, type Currency, minorToPrice, PRICE_MAX } from '@fieldroom/contract/events';
import { LANGUAGES } from '@fieldroom/contract/text';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { dayRuns, formatDays, formatPrice, formatWeekdays, parsePrice, parseTime, typedPrice } from './formatting.ts';

// Intl writes no-break spaces where people read spaces.
const plain = (text: string) => text.replace(/[\u00A0\u2009\u202F]/g, ' ');

describe('typed prices', () => {
  test.each([
    ['240', 'EUR', 'en', '240.00'],
    ['240.5', 'EUR', 'en', '240.50'],
    ['240,00', 'EUR', 'de', '240.00'],
    ['240,5', 'HUF', 'hu', '240.50'],
    ['99,90', 'RON', 'ro', '99.90'],
    ['240.5', 'EUR', 'de', '240.50'],
    ['12,40', 'EUR', 'en', '12.40'],
    ['1.240,50', 'EUR', 'de', '1240.50'],
    ['1,240.50', 'USD', 'en', '1240.50'],
    ['1 240,5', 'HUF', 'hu', '1240.50'],
    ['1\u00A0240,50', 'HUF', 'hu', '1240.50'],
    ['1,240', 'USD', 'en', '1240.00'],
    ['1.240', 'EUR', 'de', '1240.00'],
    ['1’240.50', 'CHF', 'de', '1240.50'],
    ['240,-', 'EUR', 'de', '240.00'],
    ['0', 'EUR', 'de', '0.00'],
    ['007', 'EUR', 'en', '7.00'],
    ['5000', 'JPY', 'en', '5000'],
    ['  12 ', 'EUR', 'en', '12.00'],
  ] as const)('%s %s in %s is %s', (typed, currency, language, expected) =>
    expect(parsePrice(typed, currency, language)).toBe(expected),
  );
  test.each([
    ['', 'EUR', 'en'],
    ['-1', 'EUR', 'en'],
    ['1,240', 'EUR', 'de'],
    ['1.234', 'EUR', 'en'],
    ['1.5', 'JPY', 'en'],
    ['1,2,3', 'EUR', 'en'],
    ['1.240.50', 'EUR', 'de'],
    ['€ 5', 'EUR', 'en'],
    ['1e3', 'EUR', 'en'],
    ['12,345,6', 'EUR', 'de'],
    ['99999999999', 'EUR', 'en'],
    ['٣', 'EUR', 'en'],
    ['.5', 'EUR', 'en'],
    ['5.', 'EUR', 'en'],
  ] as const)('%s %s in %s is not a price', (typed, currency, language) =>
    expect(parsePrice(typed, currency, language)).toBeNull(),
  );
  test('a price in the form is parsed to the same price, in every language and currency', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: PRICE_MAX }),
        fc.constantFrom(...(Object.keys(CURRENCIES) as Currency[])),
        fc.constantFrom(...LANGUAGES),
        (minor, currency, language) => {
          const price = minorToPrice(minor, currency);
          expect(parsePrice(typedPrice(price, currency, language), currency, language)).toBe(price);
          // The displayed price parses too, without the currency.
          expect(
            parsePrice(
              new Intl.NumberFormat(language, { minimumFractionDigits: CURRENCIES[currency] }).format(
                price as `${number}`,
              ),
              currency,
              language,
            ),
          ).toBe(price);
        },
      ),
    );
  });
  test('displayed prices', () => {
    expect(LANGUAGES.map((language) => plain(formatPrice('240.00', 'EUR', language)))).toEqual([
      '€240.00',
      '240,00 €',
      '240,00 €',
      '240,00 €',
    ]);
    expect([
      plain(formatPrice('240.00', 'EUR', 'de', { short: true })),
      plain(formatPrice('240.50', 'EUR', 'de', { short: true })),
    ]).toEqual(['240 €', '240,50 €']);
  });
});

describe('typed times, zero padded', () => {
  test.each([
    ['9', '09:00'],
    ['9:5', '09:05'],
    ['09:30', '09:30'],
    ['930', '09:30'],
    ['1745', '17:45'],
    ['9.30', '09:30'],
    ['9h30', '09:30'],
    [' 7 : 15 ', '07:15'],
    ['0:0', '00:00'],
    ['23:59', '23:59'],
    ['7pm', '19:00'],
    ['7:30 p.m.', '19:30'],
    ['9:30 AM', '09:30'],
    ['12am', '00:00'],
    ['12 pm', '12:00'],
    ['19.00', '19:00'],
    ['19h', '19:00'],
    ['19 Uhr', '19:00'],
    ['19 óra', '19:00'],
  ])('%s is %s', (typed, expected) => expect(parseTime(typed)).toBe(expected));
  test.each(['', '24:00', '9:60', '9:300', 'nine', '-1', '12345', '13pm', '0am', 'pm'])('%s is not a time', (typed) =>
    expect(parseTime(typed)).toBeNull(),
  );
});

describe('days', () => {
  test('consecutive days', () =>
    expect(dayRuns(['2026-12-12', '2026-12-13', '2026-12-31', '2027-01-01', '2027-01-03'])).toEqual([
      ['2026-12-12', '2026-12-13'],
      ['2026-12-31', '2027-01-01'],
      ['2027-01-03', '2027-01-03'],
    ]));
  test('formatted in each language', () => {
    expect(LANGUAGES.map((language) => plain(formatDays(['2026-12-12', '2026-12-13'], language)))).toEqual([
      '12 – 13 December 2026',
      '12.–13. Dezember 2026',
      '2026. december 12–13.',
      '12–13 decembrie 2026',
    ]);
    expect(formatDays(['2026-12-12', '2026-12-19'], 'de')).toBe('12. Dez. und 19. Dez. 2026');
    expect(formatDays(['2026-12-12', '2026-12-19'], 'hu')).toBe('2026. dec. 12. és dec. 19.');
    expect(formatDays([], 'en')).toBe('');
  });
  test('weekdays, each once, and none if there are many', () => {
    expect(formatWeekdays(['2026-12-12', '2026-12-13', '2026-12-19'], 'en')).toBe('Sat and Sun');
    expect(formatWeekdays(['2026-12-07', '2026-12-08', '2026-12-09', '2026-12-10'], 'en')).toBe('');
  });
});

test('each formatter of a price or a list is created once', () => {
  const [prices, lists] = [vi.spyOn(Intl, 'NumberFormat'), vi.spyOn(Intl, 'ListFormat')];
  const say = () => [formatPrice('12.00', 'EUR', 'ro'), formatDays(['2026-12-12', '2026-12-19'], 'ro')];
  const first = say();
  prices.mockClear();
  lists.mockClear();
  expect(say()).toEqual(first);
  expect([prices.mock.calls.length, lists.mock.calls.length]).toEqual([0, 0]);
});
