// @vitest-environment happy-dom
/** The price of hours, countries by name, and what the form accepts, apart from any page. */
import { COUNTRIES } from '@fieldroom/contract/countries';
import { beforeEach, describe, expect, test } from 'vitest';
import { forgetPerson, storage, textStore } from '../../platform/storage.ts';
import { costsOf, EXAMPLE_SECONDS, termsOf } from './costs.ts';
import { countryList, countryName, matching } from './customer/countryNames.ts';
import {
  blankValues,
  checkCustomer,
  type CustomerValues,
  dropDraft,
  FIELDS,
  findDraft,
  keepDraft,
  valuesOf,
} from './customer/customerForm.ts';

const PRICES = { prices: { HUF: '900', EUR: '3.00', USD: '4.00' }, taxPercent: 27 };

describe('what a choice means (docs/product.md#8.2)', () => {
  test.each([
    ['person', 'HU', 'AT', 'HUF', 27],
    ['person', 'AT', 'US', 'EUR', 27],
    ['person', 'US', '', 'USD', 27],
    ['entity', 'HU', 'AT', 'EUR', 0],
    ['entity', 'AT', 'HU', 'HUF', 0],
    ['entity', 'AT', 'CH', 'USD', 27],
  ] as const)('%s in %s, entity in %s: %s and %i %', (kind, country, entityCountry, currency, taxPercent) => {
    expect(termsOf({ kind, country, entityCountry }, PRICES)).toMatchObject({
      currency,
      taxPercent,
      hourPrice: PRICES.prices[currency],
      reverseCharge: taxPercent === 0,
    });
  });
  test('nothing is shown until the deciding country is chosen', () => {
    expect(termsOf({ kind: 'person', country: '', entityCountry: 'AT' }, PRICES)).toBeNull();
    expect(termsOf({ kind: 'entity', country: 'AT', entityCountry: '' }, PRICES)).toBeNull();
  });
  test('the worked example: 7 hours 20 minutes are 8 started hours', () => {
    expect(costsOf(EXAMPLE_SECONDS, { currency: 'EUR', hourPrice: '3.00', taxPercent: 27 })).toEqual({
      hours: 8,
      net: '24.00',
      tax: '6.48',
      gross: '30.48',
    });
    expect(costsOf(EXAMPLE_SECONDS, { currency: 'HUF', hourPrice: '900', taxPercent: 0 })).toMatchObject({
      net: '7200.00',
      tax: '0.00',
    });
  });
});

describe('countries', () => {
  test.each(['en', 'de', 'hu', 'ro'] as const)('%s: every country by name, in alphabetical order', (language) => {
    const list = countryList(language);
    expect(list.map(({ value }) => value).toSorted()).toEqual([...COUNTRIES].toSorted());
    const { compare } = new Intl.Collator(language);
    expect(list.slice(1).every(({ label }, index) => compare(list[index]?.label ?? '', label) <= 0)).toBe(true);
    expect(list.every(({ value, label }) => label !== value)).toBe(true);
  });
  test('letters with marks are sorted as the language does', () => {
    const german = countryList('de').map(({ value }) => value);
    expect(german.indexOf('AT')).toBeLessThan(german.indexOf('PK'));
  });
  test('accents and capitals are optional; the code finds its country too', () => {
    const list = countryList('de');
    expect(matching(list, 'osterr').map(({ value }) => value)).toEqual(['AT']);
    expect(matching(list, ' ro')[0]?.label).toBe('Rumänien');
    expect(matching(list, 'zzz')).toEqual([]);
    expect(matching(list, '')).toHaveLength(COUNTRIES.length);
  });
  test('text that names no country stays unchanged', () => expect(countryName('XX', 'en')).toBe('XX'));
});

const PLACE = { country: 'AT', city: 'Wien', zip: '1070', address: 'Ulmengasse 4' };
const filled: CustomerValues = {
  ...PLACE,
  kind: 'entity',
  name: 'Anna Berger',
  telephone: '+43 660 123456',
  contactPerson: 'Anna Berger',
  entity: { ...PLACE, name: 'Ulmenhof GmbH', taxNumber: 'ATU12345675' },
};

describe('the form', () => {
  test('an empty one lacks all required fields of its kind', () => {
    const person = FIELDS.filter((field) => field !== 'kind' && !field.startsWith('entity.'));
    const checked = checkCustomer(blankValues(''));
    expect(checked).toEqual({
      customer: null,
      faults: Object.fromEntries(person.map((field) => [field, 'required'])),
    });
    const entity = checkCustomer({ ...blankValues(''), kind: 'entity' });
    expect('faults' in entity && Object.keys(entity.faults)).toHaveLength(FIELDS.length - 1);
  });
  test.each([
    ['telephone', 'call me', 'not_a_phone'],
    ['country', 'XX', 'unknown_country'],
    ['name', 'x'.repeat(121), 'too_long'],
    ['city', 'Wi\u202Een', 'unsafe_characters'],
  ] as const)('%s “%s” is %s', (field, value, fault) => {
    expect(checkCustomer({ ...filled, [field]: value })).toEqual({ customer: null, faults: { [field]: fault } });
  });
  test('a private person sends no entity, even if one was typed before', () => {
    const checked = checkCustomer({ ...filled, kind: 'person' });
    expect(checked.customer).toMatchObject({ kind: 'person', entity: null });
  });
  test('stored data fills the form again', () => {
    const { customer } = checkCustomer(filled);
    expect(customer && valuesOf(customer)).toEqual(filled);
  });
});

describe('the draft', () => {
  const tab = textStore(() => window.sessionStorage);
  beforeEach(() => window.sessionStorage.clear());
  test('returns for the same therapist, and can be removed', () => {
    keepDraft(7, filled, tab);
    expect(findDraft(7, blankValues('DE'), tab)).toEqual(filled);
    expect(findDraft(8, blankValues('DE'), tab)).toBeNull();
    dropDraft(7, tab);
    expect(findDraft(7, blankValues('DE'), tab)).toBeNull();
  });
  test('stays in this tab and is forgotten when the person signs out', () => {
    keepDraft(7, filled, tab);
    expect(window.localStorage.getItem('customer_draft_7')).toBeNull();
    forgetPerson(storage);
    expect(findDraft(7, blankValues(''), tab)).toBeNull();
  });
  test.each(['{', '7', 'null', '{"kind":"bank","name":5,"entity":"x"}'])('a corrupt draft is ignored: %s', (text) => {
    tab.set('customer_draft_7', text);
    expect(findDraft(7, blankValues('DE'), tab) ?? blankValues('DE')).toEqual(blankValues('DE'));
  });
});
