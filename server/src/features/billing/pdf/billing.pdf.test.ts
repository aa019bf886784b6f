/** Bills as PDF: all four languages, the longest texts, one page, always the same bytes. */
import { LANGUAGES } from '@fieldroom/contract/text';
import { afterAll, describe, expect, test } from 'vitest';
import { aPerson, anEntity } from '../../../builders/billing.builders.ts';
import { readPdf } from '../billing.fixture.ts';
import { type PrintedBill, printBill } from './billing.pdf.ts';
import { WORDS } from './billing.pdf.words.ts';
import { createPrinter } from './billing.printer.ts';

const printer = createPrinter();
afterAll(() => printer.stop());

const BILL: PrintedBill = {
  year: 2030,
  sequence: 123,
  month: '2030-10-01',
  issuedOn: '2030-11-01',
  dueOn: '2030-11-11',
  seconds: 43 * 3600 - 61,
  hours: 43,
  currency: 'HUF',
  hourPrice: 90_000,
  net: 3_870_000,
  taxPercent: 27,
  tax: 1_044_900,
  gross: 4_914_900,
  reverseCharge: false,
  customer: aPerson({ contactPerson: 'Őze Ünige' }),
  seller: {
    name: 'Fieldroom Kft.',
    address: 'Széchenyi tér 7.',
    taxNumber: '12892312-2-42',
    email: 'bills@seller.example',
    bank: 'HU42 1177 3016',
  },
  language: 'en',
};
const textOf = async (bill: PrintedBill) => readPdf(await printBill(bill));

describe.each(LANGUAGES)('rule 8: in %s', (language) => {
  const words = WORDS[language];

  test('contains everything that a bill has to say', async () => {
    const { text, pages } = await textOf({ ...BILL, language });
    expect(pages).toBe(1);
    for (const part of [
      words.title,
      'FR-2030-000123',
      'Fieldroom Kft.',
      'Széchenyi tér 7.',
      `${words.taxNumber}: 12892312-2-42`,
      'bills@seller.example',
      'HU42 1177 3016',
      'Győző Szűcs',
      `${words.contactPerson}: Őze Ünige`,
      '1137 Budapest',
      { en: 'Hungary', de: 'Ungarn', hu: 'Magyarország', ro: 'Ungaria' }[language],
      { en: 'October 2030', de: 'Oktober 2030', hu: '2030. október', ro: 'octombrie 2030' }[language],
      { en: '1 November 2030', de: '1. November 2030', hu: '2030. november 1.', ro: '1 noiembrie 2030' }[language],
      { en: '11 November 2030', de: '11. November 2030', hu: '2030. november 11.', ro: '11 noiembrie 2030' }[language],
      { en: 'HUF 900', de: '900 HUF', hu: '900 Ft', ro: '900 HUF' }[language],
      { en: 'HUF 38,700', de: '38.700 HUF', hu: '38 700 Ft', ro: '38.700 HUF' }[language],
      { en: 'HUF 10,449', de: '10.449 HUF', hu: '10 449 Ft', ro: '10.449 HUF' }[language],
      { en: 'HUF 49,149', de: '49.149 HUF', hu: '49 149 Ft', ro: '49.149 HUF' }[language],
      { en: '(27%)', de: '(27 %)', hu: '(27%)', ro: '(27 %)' }[language],
      '42:58:59',
      words.tree,
    ])
      expect(text).toContain(part);
    expect(text).not.toContain(words.reverseCharge);
    expect(text).not.toMatch(/[{}]|undefined/);
  });

  test('the note on reverse charge, where there is no tax', async () => {
    const bill = { ...BILL, customer: anEntity(), taxPercent: 0, tax: 0, gross: BILL.net, reverseCharge: true };
    expect((await textOf({ ...bill, language })).text).toContain(words.reverseCharge);
  });

  test.each(['W', 'Ő ', 'ș'])('texts of the maximum length (%s) stay on one page, uncut', async (letters) => {
    const text = (length: number) => letters.repeat(length).slice(0, length - 1) + 'X';
    const place = { country: 'GB', city: text(100), zip: text(20), address: text(200) } as const;
    const bill = {
      ...BILL,
      customer: {
        ...anEntity({ name: text(160), taxNumber: text(40), ...place }),
        contactPerson: text(120),
      },
      seller: { name: text(120), address: text(200), taxNumber: text(60), email: text(100), bank: text(120) },
      reverseCharge: true,
      language,
    };
    const printed = await textOf(bill);
    expect(printed.pages).toBe(1);
    // Each text ends with an X: name, address, zip, city, tax number, contact; the seller's five, with the email twice.
    expect(printed.text.match(/X/g)).toHaveLength(12);
    expect(printed.text).toContain(words.tree);
  });
});

test('rule 8: Greek and Cyrillic names are printed', async () => {
  for (const name of ['Ελένη Παπαδοπούλου', 'Елена Димитрова'])
    expect((await textOf({ ...BILL, customer: aPerson({ name }) })).text).toContain(name);
});

test('rule 8: the thread prints the same bytes', async () => {
  expect(Buffer.compare(await printer.print(BILL), await printBill(BILL))).toBe(0);
});

test('rule 7: a bill that cannot be printed does not stop the others', async () => {
  const [good, bad, other] = await Promise.allSettled(
    [BILL, { ...BILL, month: 'never' }, BILL].map((bill) => printer.print(bill)),
  );
  expect([good!.status, bad!.status, other!.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
