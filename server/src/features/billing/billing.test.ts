/** The calls of billing, over HTTP. */
import { completeRegistration, type Customer, findBills, getBilling, getBillPdf } from '@fieldroom/contract/billing';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aPerson, anEntity } from '../../builders/billing.builders.ts';
import { JobFault } from '../../platform/scheduling/schedule.ts';
import { type BillingApp, billingApp, readPdf, YEAR } from './billing.fixture.ts';

let t: BillingApp;
beforeAll(async () => {
  t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
});
afterAll(() => t.close());

const as = ({ token }: BuiltAccount) => ({ token });
const complete = (therapist: BuiltAccount, customer: Customer) =>
  t.api(completeRegistration, { body: customer }, as(therapist));
const planOf = async ({ id }: BuiltAccount) =>
  (await t.db.execute<{ plan: string }>(sql`SELECT plan FROM usage_accounts WHERE therapist_id = ${id}`)).rows[0]?.plan;

describe('rule 1: completing the registration', () => {
  test('before it: the trial, prices, no customer, no costs', async () => {
    const therapist = await aTherapist(t.db);
    expect(await t.api(getBilling, {}, as(therapist))).toEqual({
      plan: 'TRIAL',
      customer: null,
      professionalSince: null,
      prices: { HUF: '900.00', EUR: '3.00', USD: '4.00' },
      taxPercent: 27,
      dueDays: 10,
      thisMonth: null,
    });
  });

  test('stores the customer and ends the trial; changing the customer does not restart it', async () => {
    const therapist = await aTherapist(t.db);
    const first = await complete(therapist, aPerson());
    expect(first).toMatchObject({ plan: 'PROFESSIONAL', customer: aPerson() });
    expect(first.thisMonth).toEqual({
      month: `${YEAR}-11`,
      seconds: 0,
      hours: 0,
      currency: 'HUF',
      hourPrice: '900.00',
      net: '0.00',
      taxPercent: 27,
      tax: '0.00',
      gross: '0.00',
      reverseCharge: false,
    });
    expect(await planOf(therapist)).toBe('PROFESSIONAL');
    const later = await complete(therapist, anEntity());
    expect(later).toMatchObject({
      customer: anEntity(),
      professionalSince: first.professionalSince,
      thisMonth: { currency: 'EUR', reverseCharge: true, taxPercent: 0 },
    });
    expect(await t.api(getBilling, {}, as(therapist))).toMatchObject({ customer: anEntity() });
  });

  test('the cost of the current month so far, also while the timer runs', async () => {
    const day = `${YEAR}-11-01T00:00:00Z`;
    const therapist = await t.professional([
      // October in the seller's zone, and its first second of November.
      [`${YEAR}-10-31T20:00:00Z`, `${YEAR}-10-31T23:00:01Z`],
      [day, null],
    ]);
    const { thisMonth } = await t.api(getBilling, {}, as(therapist));
    expect(thisMonth!.seconds).toBeGreaterThan(600);
    expect(thisMonth!.seconds).toBeLessThan(3600);
    expect(thisMonth).toMatchObject({ hours: 1, net: '900.00', tax: '243.00', gross: '1143.00' });
  });

  test.each<[string, Record<string, unknown>, { path: string; code: string }]>([
    [
      'a tax number of another form',
      anEntity({ taxNumber: 'RO18547291' }),
      { path: 'entity.taxNumber', code: 'tax_number_invalid' },
    ],
    ['no tax number', anEntity({ taxNumber: '' }), { path: 'entity.taxNumber', code: 'required' }],
    ['an entity without its data', { ...anEntity(), entity: null }, { path: 'entity', code: 'required' }],
    ['a person with an entity', { ...anEntity(), kind: 'person' }, { path: 'entity', code: 'not_wanted' }],
    ['an unknown country', { ...aPerson(), country: 'XX' }, { path: 'country', code: 'unknown_country' }],
    ['no telephone', { ...aPerson(), telephone: 'none' }, { path: 'telephone', code: 'not_a_phone' }],
    ['a plan', { ...aPerson(), plan: 'PROFESSIONAL' }, { path: 'plan', code: 'unknown_property' }],
    [
      'a bank in the entity',
      { ...anEntity(), entity: { ...anEntity().entity, bank: 'x' } },
      { path: 'entity.bank', code: 'unknown_property' },
    ],
  ])('refuses %s at its field, and changes nothing', async (_, body, field) => {
    const therapist = await aTherapist(t.db);
    await expect(complete(therapist, body as never)).rejects.toMatchObject({
      code: 'invalid_input',
      more: { fields: [field] },
    });
    expect(await t.api(getBilling, {}, as(therapist))).toMatchObject({ plan: 'TRIAL', customer: null });
  });
});

describe('rule 8: bills', () => {
  let therapist: BuiltAccount;
  let foreign: BuiltAccount;
  beforeAll(async () => {
    const usage = [
      [`${YEAR}-09-10T10:00:00Z`, `${YEAR}-09-10T10:00:01Z`],
      [`${YEAR}-10-10T10:00:00Z`, `${YEAR}-10-10T12:00:01Z`],
    ] as const;
    therapist = await t.professional(usage, { customer: anEntity(), language: 'hu' });
    foreign = await t.professional(usage);
    await t.app.billing.makeMonthlyBills();
  });

  test('only the caller’s own, the newest first, in pages', async () => {
    const all = await t.api(findBills, {}, as(therapist));
    expect(all).toMatchObject({ page: 0, size: 20, totalElements: 2 });
    expect(all.content.map(({ month }) => month)).toEqual([`${YEAR}-10`, `${YEAR}-09`]);
    expect(all.content[0]).toEqual({
      id: expect.any(Number),
      number: expect.stringMatching(new RegExp(String.raw`^FR-${YEAR}-\d{6}$`)),
      month: `${YEAR}-10`,
      issuedOn: `${YEAR}-11-01`,
      dueOn: `${YEAR}-11-11`,
      seconds: 7201,
      hours: 3,
      currency: 'EUR',
      hourPrice: '3.00',
      net: '9.00',
      taxPercent: 0,
      tax: '0.00',
      gross: '9.00',
      reverseCharge: true,
    });
    const second = await t.api(findBills, { query: { page: 1, size: 1 } }, as(therapist));
    expect(second).toMatchObject({ content: [all.content[1]], page: 1, size: 1, totalElements: 2 });
  });

  test('the PDF has the number as its name, strict headers, and the same bytes each time', async () => {
    const [bill] = (await t.api(findBills, {}, as(therapist))).content;
    const load = () => t.call(getBillPdf, { params: { billId: bill!.id } }, as(therapist));
    const answer = await load();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${bill!.number}.pdf"`,
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(Buffer.from(await (await load()).arrayBuffer()))).toBe(true);
    const attached = (await t.emails(therapist.email)).at(-1)!.attachments[0]!;
    expect((await t.app.outbox.bytesOf(attached)).equals(bytes)).toBe(true);
    const { text } = await readPdf(bytes);
    for (const part of [
      bill!.number,
      'Számla',
      'Așezământul Țurcanu SRL',
      'Adószám: RO18547290',
      'Kapcsolattartó: Ștefania Țurcanu',
      '400001 Cluj-Napoca',
      'Románia',
      `${YEAR}. október`,
      '2:00:01',
      '3,00 EUR',
      '9,00 EUR',
      'Adó (0%)',
      'Fordított adózás',
    ])
      expect(text).toContain(part);
  });

  test('somebody else’s bill gets the same answer as an unknown one', async () => {
    const [bill] = (await t.api(findBills, {}, as(foreign))).content;
    for (const billId of [bill!.id, 987_654_321])
      await expect(t.api(getBillPdf, { params: { billId } }, as(therapist))).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});

test('rule 9: in production a start without the seller warns, and everything but bills works', async () => {
  const production = await billingApp(`${YEAR}-11-01T00:10:00Z`, {
    env: { NODE_ENV: 'production', SELLER_NAME: 'Fieldroom Kft.', SELLER_BANK: 'HU42' },
  });
  try {
    const missing = ['SELLER_ADDRESS', 'SELLER_TAX_NUMBER', 'SELLER_EMAIL'];
    expect(production.logged.entries()).toContainEqual(expect.objectContaining({ missing }));
    const therapist = await production.professional([[`${YEAR}-10-10T10:00:00Z`, `${YEAR}-10-10T10:00:01Z`]]);
    expect(await production.api(getBilling, {}, as(therapist))).toMatchObject({ plan: 'PROFESSIONAL' });
    // The operator sees the same message at the job.
    const fault: unknown = await production.app.billing.makeMonthlyBills().catch((thrown: unknown) => thrown);
    expect(fault).toBeInstanceOf(JobFault);
    expect((fault as JobFault).message).toContain(missing.join(', '));
    expect(await production.bills()).toEqual([]);
  } finally {
    await production.close();
  }
});
