/** The pure rules of bills. Numbers are those of README.md. */
import type { Customer } from '@fieldroom/contract/billing';
import { describe, expect, test } from 'vitest';
import { aPerson, anEntity } from '../../builders/billing.builders.ts';
import { amountText, dayText, monthText, percentText } from './billing.format.ts';
import { costsOf, datesOf, monthAt, monthsBefore, numberOf, spanOf } from './billing.rules.ts';
import { isTaxNumber } from './billing.tax-numbers.ts';

const CONFIG = { prices: { HUF: 90_000, EUR: 300, USD: 400 }, taxPercent: 27 };
const costs = (customer: Customer, seconds: number) => costsOf(customer, seconds, CONFIG);

describe('rule 3: amounts', () => {
  test.each([
    ['person', 'HU', 'HUF', 90_000, 27],
    ['person', 'RO', 'EUR', 300, 27],
    ['person', 'US', 'USD', 400, 27],
    ['entity', 'HU', 'HUF', 90_000, 0],
    ['entity', 'DE', 'EUR', 300, 0],
    ['entity', 'CH', 'USD', 400, 27],
    ['entity', 'GB', 'USD', 400, 27],
  ] as const)('%s in %s: %s, %i an hour, %i %% tax', (kind, country, currency, hourPrice, taxPercent) => {
    // If there is an entity, the person's own country does not matter.
    const customer = kind === 'person' ? aPerson({ country }) : { ...anEntity({ country }), country: 'FR' as const };
    const tax = (hourPrice * 2 * taxPercent) / 100;
    expect(costs(customer, 3601)).toEqual({
      seconds: 3601,
      hours: 2,
      currency,
      hourPrice,
      net: hourPrice * 2,
      taxPercent,
      tax,
      gross: hourPrice * 2 + tax,
      reverseCharge: taxPercent === 0,
    });
  });

  test.each([
    [0, 0],
    [1, 1],
    [3599, 1],
    [3600, 1],
    [3601, 2],
    [745 * 3600, 745],
  ])('%i seconds are %i started hours', (seconds, hours) => {
    expect(costs(aPerson(), seconds).hours).toBe(hours);
  });

  test('half a unit of tax is rounded up, less is dropped', () => {
    const tax = (price: number, percent: number) =>
      costsOf(aPerson({ country: 'FR' }), 1, { prices: { HUF: 1, EUR: price, USD: 1 }, taxPercent: percent }).tax;
    // 0.50, 0.49, 0.27, 81.00
    expect([tax(2, 25), tax(7, 7), tax(1, 27), tax(300, 27)]).toEqual([1, 0, 0, 81]);
  });
});

describe('rule 2: months of the seller’s zone', () => {
  test('begin at its midnight, in summer and in winter', () => {
    expect(spanOf('2030-03', 'Europe/Budapest')).toEqual({
      from: new Date('2030-02-28T23:00:00Z'),
      until: new Date('2030-03-31T22:00:00Z'),
    });
    expect(spanOf('2030-12', 'America/New_York')).toEqual({
      from: new Date('2030-12-01T05:00:00Z'),
      until: new Date('2031-01-01T05:00:00Z'),
    });
  });

  test('an instant belongs to the month that the zone’s calendar shows', () => {
    expect(monthAt(new Date('2030-03-31T21:59:59.999Z'), 'Europe/Budapest')).toBe('2030-03');
    expect(monthAt(new Date('2030-03-31T22:00:00Z'), 'Europe/Budapest')).toBe('2030-04');
    expect(monthAt(new Date('2030-03-31T22:00:00Z'), 'Pacific/Honolulu')).toBe('2030-03');
  });

  test('months follow one another, also over the year', () => {
    expect(monthsBefore('2030-11', '2031-02')).toEqual(['2030-11', '2030-12', '2031-01']);
    expect(monthsBefore('2030-11', '2030-11')).toEqual([]);
  });

  test('a bill is dated the first of the next month, and has that year’s number', () => {
    expect(datesOf('2030-12', 10)).toEqual({ issuedOn: '2031-01-01', dueOn: '2031-01-11', year: 2031 });
    expect(datesOf('2028-01', 30)).toEqual({ issuedOn: '2028-02-01', dueOn: '2028-03-02', year: 2028 });
    expect(numberOf({ year: 2031, sequence: 7 })).toBe('FR-2031-000007');
  });
});

describe('rule 6: tax numbers', () => {
  test.each([
    ['HU', '12892312-2-42'],
    ['HU', '12892312242'],
    ['HU', 'HU12892312'],
    ['HU', 'hu 12892312'],
    ['RO', 'RO18547290'],
    ['RO', '18547290'],
    ['DE', 'DE 136 695 976'],
    ['DE', '136695976'],
    ['AT', 'ATU13585627'],
    ['GR', 'EL094259216'],
    ['GR', '094259216'],
    ['HR', 'HR33392005961'],
    ['NL', 'NL123456782B90'],
    ['CH', 'CHE-107.787.577 MWST'],
    ['GB', 'GB 980 7806 84'],
    ['US', '12-3456789'],
    // No form is known.
    ['XK', 'anything'],
    ['KE', 'P051365947M'],
  ])('%s: %s is accepted', async (country, number) => {
    expect(await isTaxNumber(country, number)).toBe(true);
  });

  test.each([
    ['HU', '12892313-2-42'],
    ['HU', '12892312-9-42'],
    ['HU', 'RO18547290'],
    ['RO', 'RO18547291'],
    ['DE', 'DE136695977'],
    ['DE', 'HRB 12345'],
    ['AT', 'ATU1358562'],
    ['GR', '094259217'],
    ['US', '123'],
  ])('%s: %s is refused', async (country, number) => {
    expect(await isTaxNumber(country, number)).toBe(false);
  });
});

test('rule 8: amounts, days and months in the language’s form', () => {
  const plain = (text: string) => text.replace(/\s/gu, ' ');
  expect(plain(amountText('hu', 4_914_900, 'HUF'))).toBe('49 149 Ft');
  expect(plain(amountText('hu', 4_914_950, 'HUF'))).toBe('49 149,50 Ft');
  expect(plain(amountText('en', 4_914_900, 'HUF'))).toBe('HUF 49,149');
  expect(plain(amountText('de', 223_200, 'EUR'))).toBe('2.232,00 €');
  expect(plain(amountText('ro', 40_000, 'USD'))).toBe('400,00 USD');
  expect(plain(percentText('de', 27))).toBe('27 %');
  expect(dayText('ro', '2030-11-01')).toBe('1 noiembrie 2030');
  expect(monthText('hu', '2030-10-01')).toBe('2030. október');
});
