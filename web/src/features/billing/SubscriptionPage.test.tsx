/** The subscription page as a therapist meets it, with an imagined server at the network's edge. */
import type { Billing, Customer } from '@fieldroom/contract/billing';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords } from '../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { type Answer, draw, json, network, refuse, therapist } from '../events/eventPages.testing.tsx';
import { SubscriptionPage } from './SubscriptionPage.tsx';

const LONG = { timeout: 120_000 };
const STORE = 'POST /api/me/billing/customer';
const AT = '2026-12-01T09:00:00Z';
const plain = (text: string | null | undefined) => (text ?? '').replace(/[\u00A0\u2009\u202F]/g, ' ');

const PLACE = { country: 'AT' as const, city: 'Wien', zip: '1070', address: 'Ulmengasse 4' };
const customer: Customer = {
  ...PLACE,
  kind: 'person',
  name: 'Anna Berger',
  telephone: '+43 660 123456',
  entity: null,
  contactPerson: 'Anna Berger',
};
const COSTS = {
  seconds: 26_400,
  hours: 8,
  currency: 'EUR' as const,
  hourPrice: '3.00',
  net: '24.00',
  taxPercent: 27,
  tax: '6.48',
  gross: '30.48',
  reverseCharge: false,
};
const billing = (of: Customer | null): Billing => ({
  plan: of ? 'PROFESSIONAL' : 'TRIAL',
  customer: of,
  professionalSince: of ? '2026-11-03T10:00:00Z' : null,
  prices: { HUF: '900', EUR: '3.00', USD: '4.00' },
  taxPercent: 27,
  dueDays: 10,
  thisMonth: of ? { month: '2026-12', ...COSTS } : null,
});
const bill = (id: number) => ({
  id,
  number: `2026/${id}`,
  month: '2026-11',
  issuedOn: '2026-12-01',
  dueOn: '2026-12-11',
  ...COSTS,
});
const usage = (more = {}) => ({
  plan: 'TRIAL',
  trialOver: false,
  fourHoursDue: false,
  warningUntil: null,
  timer: { counterState: 8130, counting: false, at: AT, stopsAtSeconds: 18_000 },
  peopleHelped: 0,
  weeks: [],
  ...more,
});

beforeAll(async () => {
  configure({ defaultHidden: true });
  await startWords(['billing']);
});
beforeEach(() => {
  keepSignIn(storage, { token: 't', user: therapist });
  sessionStorage.clear();
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open(answers: Record<string, Answer> = {}, stored: Customer | null = null) {
  let now = stored;
  const found = network({
    'GET /api/me/billing': () => Response.json(billing(now)),
    'GET /api/me/usage': json(usage()),
    'GET /api/getUserLocation': json({ countryCode: 'AT', insideEu: true }),
    'GET /api/me/bills': json({ content: [], page: 0, size: 12, totalElements: 0 }),
    [STORE]: (body) => {
      now = body as Customer;
      return Response.json(billing(now));
    },
    ...answers,
  });
  draw(<SubscriptionPage />);
  await screen.findByRole('heading', { name: stored ? 'Billing details' : 'Complete your registration' });
  return found;
}
const field = (label: string, index = 0) =>
  screen.getAllByLabelText<HTMLInputElement>(label, { selector: 'input' })[index]!;
const fill = async (label: string, text: string, index = 0) => {
  await act(async () => void fireEvent.change(field(label, index), { target: { value: text } }));
};
const faultAt = (label: string, index = 0) => {
  const input = field(label, index);
  if (input.getAttribute('aria-invalid') !== 'true') return null;
  const ids = (input.getAttribute('aria-describedby') ?? '').split(' ');
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join('');
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const fillPerson = async () => {
  await fill('First and family name', customer.name);
  await fill('Telephone', customer.telephone);
  await fill('Street and number', PLACE.address);
  await fill('Postcode', PLACE.zip);
  await fill('City', PLACE.city);
  await press('That’s me');
};
const chooseEntity = () => userEvent.click(screen.getByRole('radio', { name: /^Legal entity/ }));
const summary = () => plain(screen.getByRole('complementary').textContent);

describe('before', LONG, () => {
  test('the plan: how much of the trial is used, prices, and the example for the suggested country', async () => {
    await open();
    const text = plain(document.body.textContent);
    expect(text).toContain('Free hours used: 2:15 of 5:00');
    expect(text).toContain('payable within 10 days');
    expect(text).toContain('7:20 hours in a month. That is 8 started hours.');
    expect(text).toContain('€30.48');
    expect(text).toContain('HUF 900');
    expect(field('Country').value).toBe('Austria');
    expect(summary()).toContain('27%');
  });

  test('the end of the trial is shown, and that nothing is lost', async () => {
    await open({ 'GET /api/me/usage': json(usage({ trialOver: true })) });
    expect(document.body.textContent).toContain('Your free hours are used up');
  });

  test('works without the suggestion and without the usage', async () => {
    await open({
      'GET /api/me/usage': refuse(503, 'unavailable'),
      'GET /api/getUserLocation': refuse(503, 'unavailable'),
    });
    expect(field('Country').value).toBe('');
    expect(summary()).toContain('Choose your country');
  });

  test('a fault while loading is shown, and trying again helps', async () => {
    const server = network({ 'GET /api/me/billing': refuse(503, 'unavailable') });
    draw(<SubscriptionPage />);
    expect((await screen.findByRole('alert')).textContent).toMatch(/^We couldn’t load your package\. /);
    server.all['GET /api/me/billing'] = json(billing(null));
    await press('Try again');
    await screen.findByRole('heading', { name: 'Complete your registration' });
  });

  test('every field says what it lacks, and the first one gets the focus', async () => {
    const { sent } = await open({ 'GET /api/getUserLocation': json({ countryCode: null, insideEu: false }) });
    await chooseEntity();
    await press('Check and complete');
    await waitFor(() => expect(document.activeElement).toBe(field('First and family name')));
    for (const label of ['First and family name', 'Telephone', 'Tax number', 'Name of the legal entity'])
      expect(faultAt(label), label).toBe('Please fill this in.');
    for (const index of [0, 1]) {
      expect(faultAt('Country', index)).toBe('Please choose a country.');
      for (const label of ['Street and number', 'Postcode', 'City'])
        expect(faultAt(label, index), `${label} ${index}`).toBe('Please fill this in.');
    }
    expect(faultAt('Name of the contact person')).toBe('Please fill this in.');
    expect(summary()).toContain('13 fields still need your attention.');
    await userEvent.click(screen.getByRole('radio', { name: /^Private person/ }));
    expect(summary()).toContain('7 fields still need your attention.');
    await fill('Telephone', 'call me');
    expect(faultAt('Telephone')).toContain('Please enter a telephone number');
    expect(sent).toEqual([]);
  });

  test('the summary follows country and kind; switching back and forth loses nothing', async () => {
    await open();
    await chooseEntity();
    expect(summary()).toContain('Choose your country');
    await fill('Tax number', 'ATU12345675');
    await press('Same address as above');
    expect(field('Country', 1).value).toBe('Austria');
    expect(summary()).toContain('None (reverse charge)');
    await userEvent.click(screen.getByRole('radio', { name: /^Private person/ }));
    expect(summary()).toContain('€3.81');
    await chooseEntity();
    expect(field('Tax number').value).toBe('ATU12345675');
  });

  test('a country is found by typing, and chosen by keyboard', async () => {
    await open();
    await userEvent.clear(field('Country'));
    await userEvent.type(field('Country'), 'hung{Enter}');
    expect(field('Country').value).toBe('Hungary');
    expect(summary()).toContain('HUF 900');
  });

  test('a review, then one call, however often the button is pressed', async () => {
    let answer = () => {};
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { sent, all } = await open();
    const store = all[STORE]!;
    all[STORE] = (body) => waiting.then(() => store(body));
    await fillPerson();
    await press('Check and complete');
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('Ulmengasse 4');
    expect(sent).toEqual([]);
    const complete = within(dialog).getByRole('button', { name: 'Complete registration' });
    complete.click();
    complete.click();
    expect(sent).toEqual([{ name: STORE, body: customer }]);
    answer();
    await screen.findByText(/^Thank you, your registration is complete/);
    expect(document.body.textContent).toContain('Since 3 November 2026');
    expect(sessionStorage.getItem('customer_draft_7')).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toContain('your registration is complete'));
  });

  test('the server’s fault is shown at its field, which gets the focus', async () => {
    await open({
      [STORE]: refuse(400, 'invalid_input', { fields: [{ path: 'entity.taxNumber', code: 'tax_number_invalid' }] }),
    });
    await fillPerson();
    await chooseEntity();
    await fill('Name of the legal entity', 'Ulmenhof GmbH');
    await fill('Tax number', 'ATU123');
    await press('Same address as above');
    await press('Check and complete');
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Complete registration' }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(field('Tax number')));
    expect(faultAt('Tax number')).toContain('isn’t a valid tax number');
    await fill('Tax number', 'ATU12345675');
    expect(faultAt('Tax number')).toBeNull();
  });

  test('a failure is shown in the dialog, and everything stays', async () => {
    const { all } = await open();
    const store = all[STORE]!;
    all[STORE] = refuse(503, 'unavailable');
    await fillPerson();
    await press('Check and complete');
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Complete registration' }));
    await within(dialog).findByText(/What you entered is still here/);
    all[STORE] = store;
    await userEvent.click(within(dialog).getByRole('button', { name: 'Complete registration' }));
    await screen.findByText(/^Thank you, your registration is complete/);
  });

  test('typed text survives a reload, and can be discarded', async () => {
    await open();
    await fill('City', 'Graz');
    window.dispatchEvent(new Event('pagehide'));
    cleanup();
    await open();
    expect(field('City').value).toBe('Graz');
    await press('Start over');
    expect([field('City').value, field('Country').value]).toEqual(['', 'Austria']);
    cleanup();
    await open();
    expect(field('City').value).toBe('');
  });
});

describe('afterwards', LONG, () => {
  test('this month’s costs, the plan and no bills yet', async () => {
    await open({}, customer);
    const text = plain(document.body.textContent);
    expect(text).toContain('December 2026 so far');
    expect(text).toContain('7:20 hours used, 8 started hours');
    for (const amount of ['€24.00', '€6.48', '€30.48']) expect(text).toContain(amount);
    expect(await screen.findByText('No bills yet')).toBeTruthy();
  });

  test('editing starts from the stored data, and a save is confirmed', async () => {
    const { sent } = await open({}, customer);
    await press('Change');
    await fill('City', 'Graz');
    await press('Check and save');
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save details' }));
    await screen.findByText(/The new details appear on your next bill/);
    expect(sent).toEqual([{ name: STORE, body: { ...customer, city: 'Graz' } }]);
  });

  test('leaving without a change keeps no draft', async () => {
    const { sent } = await open({}, customer);
    await press('Change');
    await fill('City', 'Graz');
    await press('Leave as it was');
    expect(document.activeElement?.textContent).toBe('Change');
    await press('Change');
    expect(document.activeElement).toBe(field('First and family name'));
    expect(field('City').value).toBe('Wien');
    expect(sent).toEqual([]);
  });

  test('a bill’s PDF is fetched with the token and saved once; a failure is shown', async () => {
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:bill';
    URL.revokeObjectURL = () => {};
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    let asked = 0;
    const { all } = await open(
      {
        'GET /api/me/bills': json({ content: [bill(2), bill(1)], page: 0, size: 12, totalElements: 2 }),
        'GET /api/me/bills/2/pdf': () => {
          asked += 1;
          return new Response('%PDF', { headers: { 'content-type': 'application/pdf' } });
        },
      },
      customer,
    );
    const pdf = await screen.findByRole('button', { name: 'Download bill 2026/2 as PDF' });
    pdf.click();
    pdf.click();
    await waitFor(() => expect(saved).toEqual(['2026-2.pdf']));
    expect(asked).toBe(1);
    all['GET /api/me/bills/1/pdf'] = refuse(503, 'unavailable');
    await press('Download bill 2026/1 as PDF');
    await screen.findByText(/Bill 2026\/1 couldn’t be downloaded/);
    expect(saved).toHaveLength(1);
  });

  test('bills are paged', async () => {
    const pages: string[] = [];
    const found = network({});
    found.all['GET /api/me/billing'] = json(billing(customer));
    const fetching = globalThis.fetch;
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      if (!address.startsWith('/api/me/bills')) return fetching(address, init);
      const page = new URLSearchParams(address.split('?')[1]).get('page') ?? '';
      pages.push(page);
      return Response.json({ content: [bill(20 - Number(page))], page: Number(page), size: 12, totalElements: 13 });
    });
    draw(<SubscriptionPage />);
    await screen.findByText('2026/20');
    await press('Older');
    await screen.findByText('2026/19');
    expect(pages).toEqual(['0', '1']);
    expect(screen.getByText('Page 2 of 2')).toBeTruthy();
  });
});
