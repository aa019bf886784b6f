/** The public pages as people use them: only the network is simulated. */
import {
  bookEvent,
  bookingCalendar,
  cancelBooking,
  confirmBooking,
  contact,
  correctHold,
  declineBooking,
  enterBookedRoom,
  resendHold,
  sendBookingLink,
} from '@fieldroom/contract/bookings';
import { PROBLEMS } from '@fieldroom/contract/problems';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import en from '../../locales/en/booking.json';
import { keepSignIn, storage } from '../../platform/storage.ts';
import {
  type Asked,
  data,
  done,
  event,
  HANDLE,
  heldView,
  hold,
  host,
  json,
  network,
  NOW,
  PRIVATE,
  refuse,
  TOKEN,
  view,
  writePageData,
} from './testing/publicPages.testing.ts';
import { announceAnswer } from './sessionStorage.ts';
import { PublicArea } from './PublicArea.tsx';
import { showLanguage, switchLanguage } from './usePublicWords.ts';

const HOLD = 'POST /api/public/booking/hold';
const BOOK = 'POST /api/event-booking/user/31';
const LOOK = 'POST /api/public/booking/look';
const VIEW = 'POST /api/public/booking/view';
const SEND = 'POST /api/public/booking/link';
const LINKS = 'POST /api/public/booking/links';
const CONFIRM = 'GET /api/event-booking/confirm';
const words: Record<string, unknown> = en;
const said = (key: string) =>
  key.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown> | undefined)?.[part], words) as
    | string
    | undefined;
const user = userEvent.setup();

function at(path: string) {
  window.history.replaceState(null, '', path);
  return render(<PublicArea />);
}
const heading = () => screen.findByRole('heading', { level: 1 });
const comeBack = () => act(async () => void document.dispatchEvent(new Event('visibilitychange')));
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const field = async (label: string) =>
  within(await screen.findByRole('dialog')).getByLabelText(new RegExp(`^${label}`));
async function type(fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await user.type(await field(label), value);
}
/** The same from the clipboard: the dialog is redrawn once a field instead of once a letter. */
async function fill(fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    await user.click(await field(label));
    await user.paste(value);
  }
}
const PERSON = {
  'First name': 'Hanna',
  'Family name': 'Krüger',
  Email: 'hanna@mail.example',
  Phone: '+43 660 1234567',
};
async function book() {
  await user.click(await button('Book this place'));
  await fill(PERSON);
  await user.click(await button('Hold my place'));
}
/** Checks accessibility; colours are checked where a real browser draws them. */
async function expectSound() {
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: true } },
    resultTypes: ['violations'],
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

beforeEach(() => {
  showLanguage('en');
  window.localStorage.clear();
  window.sessionStorage.clear();
  document.body.replaceChildren();
  vi.stubGlobal('scrollTo', () => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('every public page links to one’s booking, the operator and the data protection page', async () => {
  network({});
  writePageData(data());
  at('/event/anna/31');
  const foot = within(await screen.findByRole('contentinfo'));
  expect(foot.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Find my booking', '/event/booking?find'],
    ['Privacy', '/user/data-agreement'],
    ['Imprint', '/user/imprint'],
  ]);
});

describe("an event's page", () => {
  test('is drawn from the server’s data, without a request', async () => {
    const { calls } = network({});
    writePageData(data());
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('Finding your place');
    expect(screen.getByText('3 places left')).toBeTruthy();
    expect(screen.getByText('€120')).toBeTruthy();
    expect(document.title).toBe('Finding your place · Anna Lind · Fieldroom');
    expect(calls()).toEqual([]);
    await expectSound();
  });

  test('3.19 it names the practice and shows the therapist’s own words', async () => {
    network({});
    const about = 'I have led groups since 2009.\n\n- In German\n- In English';
    writePageData(data({ host: { ...host, line: 'Practice by the lake', about } }));
    at('/event/anna/31');
    const section = within(await screen.findByRole('region', { name: 'About Anna' }));
    expect(section.getByText('Practice by the lake')).toBeTruthy();
    expect(section.getByText('I have led groups since 2009.')).toBeTruthy();
    expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['In German', 'In English']);
    expect(within(screen.getByRole('banner')).getByText('Practice by the lake')).toBeTruthy();
    await expectSound();
  });

  test('3.19 it shows no section about a therapist who wrote nothing', async () => {
    network({});
    writePageData(data());
    at('/event/anna/31');
    await heading();
    expect(screen.queryByRole('heading', { name: /^About/ })).toBe(null);
  });

  test('without the server’s data it fetches, and says kindly when there is no such event', async () => {
    const { calls } = network({ 'GET /api/public/event/anna/31': refuse(404, 'not_found') });
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('We can’t find this page');
    expect(screen.getByRole('link', { name: 'See other events' }).getAttribute('href')).toBe('/event/anna');
    expect(calls()).toEqual(['GET /api/public/event/anna/31']);
  });

  test('a failed connection is shown, and loading can be tried again', async () => {
    let there = false;
    network({
      'GET /api/public/event/anna/31': () => {
        if (!there) throw new TypeError('no line');
        return Response.json({ host, event, others: [], placesAtOnce: 3, bookable: 'yes' });
      },
    });
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('This page couldn’t be loaded');
    there = true;
    await user.click(await button('Try again'));
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Finding your place'));
  });

  test.each(['event_full', 'event_holds_full', 'event_closed', 'event_cancelled'] as const)(
    '%s is explained in words, and nothing can be booked',
    async (bookable) => {
      network({});
      writePageData(data({ bookable }));
      at('/event/anna/31');
      expect((await screen.findByRole('status')).textContent).toContain(said(`state.${bookable}.title`));
      expect(screen.queryByRole('button', { name: 'Book this place' })).toBeNull();
      expect(screen.getByRole('button', { name: 'Write to Anna' })).toBeTruthy();
    },
  );

  test('an event that is full of held places can be refreshed', async () => {
    network({ 'GET /api/public/event/anna/31': json({ host, event, others: [], placesAtOnce: 3, bookable: 'yes' }) });
    writePageData(data({ bookable: 'event_holds_full' }));
    at('/event/anna/31');
    await user.click(await button('Check again'));
    expect(await button('Book this place')).toBeTruthy();
  });

  test('an older answer that arrives after a newer one changes nothing', async () => {
    const asked: PromiseWithResolvers<Response>[] = [];
    network({
      'GET /api/public/event/anna/31': () => {
        asked.push(Promise.withResolvers());
        return asked.at(-1)!.promise;
      },
    });
    writePageData(data());
    at('/event/anna/31');
    await comeBack();
    await comeBack();
    const { kind: _kind, ...answer } = data();
    await act(async () => asked[1]?.resolve(Response.json({ ...answer, bookable: 'event_full' })));
    expect(screen.queryByRole('button', { name: 'Book this place' })).toBeNull();
    await act(async () => asked[0]?.resolve(Response.json(answer)));
    expect(screen.queryByRole('button', { name: 'Book this place' })).toBeNull();
  });

  test('an event that is unpublished while it is open stays, and can no longer be booked', async () => {
    const { calls } = network({ 'GET /api/public/event/anna/31': refuse(404, 'not_found') });
    writePageData(data());
    at('/event/anna/31');
    expect(await button('Book this place')).toBeTruthy();
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(async () =>
      expect((await screen.findByRole('status')).textContent).toContain(said('state.not_found.title')),
    );
    expect((await heading()).textContent).toBe('Finding your place');
    expect(screen.queryByRole('button', { name: 'Book this place' })).toBeNull();
    expect(calls()).toHaveLength(1);
  });

  test('a missing picture is replaced by our own landscape', async () => {
    network({});
    writePageData(data({ event: { ...event, files: ['gone.webp'] } }));
    at('/event/anna/31');
    await heading();
    act(() => void document.querySelector('img')!.dispatchEvent(new Event('error')));
    await waitFor(() => expect(document.querySelector('main img')).toBeNull());
    expect(document.querySelector('main svg')).not.toBeNull();
  });

  test('a full event links to other dates with free places', async () => {
    network({});
    writePageData(
      data({
        bookable: 'event_full',
        others: [
          { id: 40, dates: ['2027-01-16'], freePlaces: 2 },
          { id: 41, dates: ['2027-02-13'], freePlaces: 0 },
        ],
      }),
    );
    at('/event/anna/31');
    expect(await screen.findByText('There are places left on another date: see below.')).toBeTruthy();
    await user.click(await button('Other dates'));
    expect(screen.getByRole('link', { name: 'Sat, 16 January 2027' }).getAttribute('href')).toBe('/event/anna/40');
    expect(screen.getByText('Full')).toBeTruthy();
  });

  test('a signed-in therapist sees what everybody sees: no token is sent', async () => {
    keepSignIn(storage, {
      token: 'secret',
      user: {
        id: 9,
        firstName: 'B',
        lastName: 'C',
        email: 'b@c.example',
        roles: ['ROLE_THERAPIST'],
        authorities: ['ROLE_THERAPIST'],
        language: 'en',
        slug: 'b',
        joinLink: 'b',
      },
    });
    const { asked } = network({
      'GET /api/public/event/anna/31': json({ host, event, others: [], placesAtOnce: 3, bookable: 'yes' }),
      [BOOK]: json(hold),
      [HOLD]: json(heldView()),
    });
    at('/event/anna/31');
    await book();
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is held'));
    expect(asked.map(({ headers }: Asked) => Object.keys(headers)).flat()).not.toContain('authorization');
    expect(storage.getText('token')).toBe('secret');
  });
});

describe('finalizing', () => {
  test('the button always works: it marks missing fields and moves the cursor to the first', async () => {
    const { asked } = network({
      [BOOK]: json(hold),
      [HOLD]: json(heldView()),
      'GET /api/public/event/anna/31': json({ host, event, others: [], placesAtOnce: 3, bookable: 'yes' }),
    });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Book this place'));
    const save = await button('Hold my place');
    await user.click(save);
    expect(asked).toEqual([]);
    await waitFor(async () => expect(document.activeElement).toBe(await field('First name')));
    for (const label of Object.keys(PERSON))
      expect((await field(label)).getAttribute('aria-invalid'), label).toBe('true');
    await expectSound();
    await type({ ...PERSON, Email: 'hanna@', Phone: '12' });
    await user.tab();
    expect(screen.getByText('This address isn’t complete yet.')).toBeTruthy();
    expect(screen.getByLabelText(/^Phone/).getAttribute('aria-invalid')).toBe('true');
    await user.click(save);
    await waitFor(async () => expect(document.activeElement).toBe(await field('Email')));
    await type({ Email: 'mail.example', Phone: '34567' });
    await user.click(save);
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is held'));
    expect(asked[0]!.body).toEqual({
      firstName: 'Hanna',
      lastName: 'Krüger',
      email: 'hanna@mail.example',
      phoneNumber: '1234567',
      places: 1,
      language: 'en',
    });
  });

  test('while the booking is sent, both buttons wait for the answer', async () => {
    const answer = Promise.withResolvers<Response>();
    const { asked } = network({ [BOOK]: () => answer.promise, [HOLD]: json(heldView()) });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Book this place'));
    await fill(PERSON);
    await user.click(await button('Hold my place'));
    await waitFor(() => expect(asked).toHaveLength(1));
    const back = await button('Back');
    expect(back.getAttribute('aria-disabled')).toBe('true');
    await user.click(back);
    expect(screen.getByRole('dialog').querySelector('[type=submit]')?.getAttribute('aria-busy')).toBe('true');
    answer.resolve(json(hold)());
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is held'));
  });

  test('a dialog that the browser closes while sending stays open and shows the fault', async () => {
    const answer = Promise.withResolvers<Response>();
    network({ [BOOK]: () => answer.promise });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Book this place'));
    await fill(PERSON);
    await user.click(await button('Hold my place'));
    const dialog = screen.getByRole<HTMLDialogElement>('dialog');
    act(() => dialog.close());
    expect(dialog.open).toBe(true);
    await act(async () => answer.resolve(refuse(409, 'event_full')()));
    expect(await within(dialog).findByRole('alert')).toBeTruthy();
    act(() => dialog.close());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(await button('Book this place'));
    expect(screen.getByRole<HTMLDialogElement>('dialog').open).toBe(true);
  });

  test('9.21 offers up to the number of places that one booking can have now, and shows their total price', async () => {
    const { asked } = network({ [BOOK]: json(hold), [HOLD]: json(heldView()) });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Book this place'));
    await fill(PERSON);
    const [fewer, more] = [await button('One place fewer'), await button('One place more')];
    const number = within(screen.getByRole('group', { name: 'Number of places' })).getByRole('status');
    await user.click(fewer);
    expect(number.textContent).toBe('1');
    for (const shown of ['2', '3', '3']) {
      await user.click(more);
      expect(number.textContent).toBe(shown);
    }
    expect(more.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByRole('dialog').textContent).toContain('€360 in total');
    await expectSound();
    await user.click(await button('Hold my place'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is held'));
    expect(asked[0]!.body).toMatchObject({ places: 3 });
    expect(screen.getByText('3 places for you')).toBeTruthy();
    expect(screen.getByText(/· €360 in total$/)).toBeTruthy();
  });

  test('9.21 if fewer places are left, the number follows and everything typed stays', async () => {
    const { asked } = network({
      [BOOK]: refuse(409, 'too_few_places'),
      'GET /api/public/event/anna/31': json({ host, event, others: [], placesAtOnce: 2, bookable: 'yes' }),
    });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Book this place'));
    await fill(PERSON);
    await user.click(await button('One place more'));
    await user.click(await button('One place more'));
    await user.click(await button('Hold my place'));
    expect((await screen.findByRole('alert')).textContent).toBe(en.refusal.too_few_places);
    const number = within(screen.getByRole('group', { name: 'Number of places' })).getByRole('status');
    await waitFor(() => expect(number.textContent).toBe('2'));
    expect((screen.getByLabelText(/^First name/) as HTMLInputElement).value).toBe('Hanna');
    await user.click(await button('Hold my place'));
    expect(asked.filter(({ call }) => call === BOOK).map(({ body }) => (body as { places: number }).places)).toEqual([
      3, 2,
    ]);
  });

  test.each([
    ['one-on-one', { event: { ...event, type: 'ONE_ON_ONE' as const }, placesAtOnce: 1 }],
    ['the last place', { placesAtOnce: 1 }],
  ])('9.21 offers no choice if only one place is possible: %s', async (_, change) => {
    network({});
    writePageData(data(change));
    at('/event/anna/31');
    await user.click(await button('Book this place'));
    expect(screen.queryByRole('group', { name: 'Number of places' })).toBeNull();
  });

  test('two presses book once', async () => {
    let answer: (response: Response) => void = () => {};
    const { calls } = network({
      [BOOK]: () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    });
    writePageData(data());
    at('/event/anna/31');
    await book();
    const busy = await button('Holding your place');
    expect(busy.hasAttribute('disabled')).toBe(true);
    await user.click(busy);
    await user.type(screen.getByLabelText(/^Phone/), '{Enter}');
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog')).toBeTruthy();
    await act(async () => answer(refuse(409, 'event_holds_full')()));
    expect(calls().filter((call) => call === BOOK)).toHaveLength(1);
  });

  test.each([...(bookEvent.problems ?? []), 'unknown_fault', 'shutting_down'])(
    '%s is shown in the dialog, and nothing typed is lost',
    async (code) => {
      network({
        [BOOK]: refuse(PROBLEMS[code as keyof typeof PROBLEMS].status, code),
        'GET /api/public/event/anna/31': json({ host, event, others: [], placesAtOnce: 3, bookable: 'yes' }),
      });
      writePageData(data());
      at('/event/anna/31');
      await book();
      const told = (await screen.findByRole('alert')).textContent ?? '';
      const own = said(`refusal.${code}`);
      if (own) expect(told).toBe(own);
      expect(told.length).toBeGreaterThan(20);
      expect((screen.getByLabelText(/^First name/) as HTMLInputElement).value).toBe('Hanna');
      expect((screen.getByLabelText(/^Phone/) as HTMLInputElement).value).toBe('+43 660 1234567');
      expect((await button('Hold my place')).hasAttribute('disabled')).toBe(false);
    },
  );

  test('a server fault is shown at its field, with the focus; without a connection everything typed stays', async () => {
    const answers = {
      [BOOK]: refuse(400, 'invalid_input', {
        fields: [{ path: 'phoneNumber', code: 'invalid_format' }],
      }) as () => Response,
    };
    network(answers);
    writePageData(data());
    at('/event/anna/31');
    await book();
    const phone = await screen.findByLabelText(/^Phone/);
    await waitFor(() => expect(document.activeElement).toBe(phone));
    expect(phone.getAttribute('aria-describedby')).toBeTruthy();
    expect(screen.getByText('Please enter a valid phone number.')).toBeTruthy();
    answers[BOOK] = () => {
      throw new TypeError('no line');
    };
    await user.click(await button('Hold my place'));
    expect((await screen.findByRole('alert')).textContent).toBe(en.refusal.offline);
    expect((phone as HTMLInputElement).value).toBe('+43 660 1234567');
  });

  test('if the event is unpublished, the dialog and the typed text stay', async () => {
    network({ [BOOK]: refuse(404, 'not_found'), 'GET /api/public/event/anna/31': refuse(404, 'not_found') });
    writePageData(data());
    at('/event/anna/31');
    await book();
    expect((await screen.findByRole('alert')).textContent).toBe(said('refusal.not_found'));
    await waitFor(() => expect(document.body.textContent).toContain(said('state.not_found.title')));
    expect((screen.getByLabelText(/^First name/) as HTMLInputElement).value).toBe('Hanna');
  });

  test('closing and reopening loses nothing; the focus returns', async () => {
    network({});
    writePageData(data());
    at('/event/anna/31');
    const opener = await button('Book this place');
    await user.click(opener);
    await fill({ 'First name': 'Hanna' });
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener);
    await user.click(opener);
    expect((screen.getByLabelText(/^First name/) as HTMLInputElement).value).toBe('Hanna');
  });

  test('Tab cycles within the dialog', async () => {
    network({});
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Book this place'));
    const dialog = await screen.findByRole('dialog');
    for (let presses = 0; presses < 12; presses += 1) {
      await user.tab();
      expect(dialog.contains(document.activeElement)).toBe(true);
    }
    within(dialog).getByRole('button', { name: 'Close' }).focus();
    await user.tab({ shift: true });
    expect(dialog.contains(document.activeElement)).toBe(true);
  });
});

describe('held', () => {
  const held = (change = {}) =>
    window.sessionStorage.setItem(
      'booking_hold',
      JSON.stringify({ ...hold, eventId: 31, email: 'hanna@mail.example', ...change }),
    );
  const kept = () => window.sessionStorage.getItem('booking_hold');
  const EVENT = 'GET /api/public/event/anna/31';
  const there = json({ host, event, others: [], placesAtOnce: 3, bookable: 'yes' });
  const titled = (key: string) =>
    waitFor(async () => expect((await heading()).textContent).toBe(said(`held.${key}.title`)));
  /** Returns to the page. */

  test('survives a reload, with the time left by the product’s clock', async () => {
    held();
    const { calls } = network({ [HOLD]: json(heldView()) }, { now: '2026-11-21T12:01:18.000Z' });
    writePageData(data());
    at('/event/anna/31');
    await titled('held');
    expect(calls()).toEqual([HOLD]);
    await waitFor(() => expect(screen.getByRole('timer').textContent).toMatch(/^8:4[12]/));
    expect(screen.getByText('hanna@mail.example')).toBeTruthy();
    await expectSound();
  });

  test('an older answer that arrives after a newer one changes nothing', async () => {
    held();
    const asked: PromiseWithResolvers<Response>[] = [];
    network({
      [HOLD]: () => {
        asked.push(Promise.withResolvers());
        return asked.at(-1)!.promise;
      },
    });
    writePageData(data());
    at('/event/anna/31');
    await waitFor(() => expect(asked).toHaveLength(1));
    await comeBack();
    await act(async () => asked[1]?.resolve(Response.json(heldView({ state: 'ANSWERED' }))));
    await titled('ANSWERED');
    await act(async () => asked[0]?.resolve(Response.json(heldView())));
    // Nor does an older fault.
    await comeBack();
    await comeBack();
    await act(async () => asked[3]?.resolve(Response.json(heldView({ state: 'ANSWERED' }))));
    await act(async () => asked[2]?.resolve(refuse(404, 'link_invalid')()));
    await titled('ANSWERED');
  });

  test('nothing is shown as held before the server has confirmed it', async () => {
    // Nothing else is waited for.
    await import('./own/ownPages.ts');
    held();
    let answer: (response: Response) => void = () => {};
    network({
      [HOLD]: () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    });
    writePageData(data());
    at('/event/anna/31');
    expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
    expect(screen.queryByText(said('held.held.title')!)).toBeNull();
    await act(async () => answer(Response.json(heldView({ state: 'ANSWERED' }))));
    await titled('ANSWERED');
    expect(screen.queryByRole('timer')).toBeNull();
  });

  test('if the server cannot be reached, that is shown instead, and tried again', async () => {
    held();
    let reached = false;
    network({
      [HOLD]: () => {
        if (!reached) throw new TypeError('no line');
        return Response.json(heldView());
      },
    });
    writePageData(data());
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('This page couldn’t be loaded');
    reached = true;
    await user.click(await button('Try again'));
    await titled('held');
  });

  test('a handle that the server no longer knows is forgotten', async () => {
    held();
    network({ [HOLD]: refuse(400, 'link_invalid') });
    writePageData(data());
    at('/event/anna/31');
    await waitFor(async () => expect((await heading()).textContent).toBe('Finding your place'));
    expect(kept()).toBeNull();
  });

  test('the last minute is announced once, in the warning colour', async () => {
    held();
    network({ [HOLD]: json(heldView()) }, { now: '2026-11-21T12:09:10.000Z' });
    writePageData(data());
    at('/event/anna/31');
    await waitFor(() => expect(screen.getByRole('timer').dataset.late).toBe('true'));
    expect(screen.getByText('Less than a minute left.')).toBeTruthy();
  });

  test('at zero it says how to book again, and offers it', async () => {
    held();
    let asked = 0;
    network(
      { [EVENT]: there, [HOLD]: () => Response.json(heldView({ state: (asked += 1) === 1 ? 'HELD' : 'EXPIRED' })) },
      { now: '2026-11-21T12:10:00.000Z' },
    );
    writePageData(data());
    at('/event/anna/31');
    // The server is asked once more: the email may have confirmed in the last moment.
    await waitFor(() => expect(asked).toBe(2));
    await user.click(await button('Book again'));
    expect(await button('Book this place')).toBeTruthy();
    expect(kept()).toBeNull();
  });

  test('typed text is still there after the ten minutes', async () => {
    network({ [BOOK]: json(hold), [EVENT]: there, [HOLD]: json(heldView({ state: 'EXPIRED' })) });
    writePageData(data());
    at('/event/anna/31');
    await book();
    await user.click(await button('Book again'));
    await user.click(await button('Book this place'));
    expect((screen.getByLabelText(/^First name/) as HTMLInputElement).value).toBe('Hanna');
  });

  test('another event is not held', async () => {
    held({ eventId: 32 });
    network({});
    writePageData(data());
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('Finding your place');
  });

  test('the event’s page shows until when the place is held', async () => {
    held();
    let state: 'HELD' | 'ANSWERED' = 'HELD';
    network({ [EVENT]: there, [HOLD]: () => Response.json(heldView({ state })) });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Finding your place'));
    expect(await screen.findByText(/^We’re holding a place for you until/)).toBeTruthy();
    state = 'ANSWERED';
    await comeBack();
    await waitFor(() => expect(screen.queryByText(/^We’re holding a place for you until/)).toBeNull());
  });

  test('each answer contains the next handle, and the address is corrected', async () => {
    held();
    const next = 'n'.repeat(43);
    const last = 'l'.repeat(43);
    const { asked } = network({
      [HOLD]: json(heldView()),
      'POST /api/public/booking/resend': json({ ...hold, handle: next }),
      'POST /api/public/booking/correct': json({ ...hold, handle: last, heldUntil: '2026-11-21T12:15:00.000Z' }),
    });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Send email again'));
    expect(await screen.findByText('We’ve sent the email to hanna@mail.example.')).toBeTruthy();
    await user.click(await button('Change address'));
    const box = screen.getByLabelText(/^Correct email address/);
    await user.clear(box);
    await user.type(box, 'h');
    await user.click(await button('Send to this address'));
    expect(screen.getByText('This address isn’t complete yet.')).toBeTruthy();
    await user.type(box, '@right.example');
    await user.click(await button('Send to this address'));
    expect(await screen.findByText('We’ve sent the email to h@right.example.')).toBeTruthy();
    expect(asked.filter(({ call }) => call !== HOLD).map(({ body }) => body)).toEqual([
      { handle: HANDLE },
      { handle: next, email: 'h@right.example' },
    ]);
    await waitFor(() =>
      expect(asked.filter(({ call }) => call === HOLD).map(({ body }) => body)).toEqual([
        { handle: HANDLE },
        { handle: next },
        { handle: last },
      ]),
    );
    expect(JSON.parse(kept()!)).toEqual({
      eventId: 31,
      email: 'h@right.example',
      heldUntil: '2026-11-21T12:15:00.000Z',
      handle: last,
      extendable: true,
    });
  });

  test('if the answer with the next handle is lost, the place is shown as held until its time is over', async () => {
    held();
    const answers = { [HOLD]: json(heldView()) as () => Response, 'POST /api/public/booking/resend': json({}) };
    answers['POST /api/public/booking/resend'] = () => {
      throw new TypeError('no line');
    };
    const { calls } = network(answers);
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Send email again'));
    await screen.findByRole('alert');
    answers[HOLD] = refuse(400, 'link_invalid');
    const looks = () => calls().filter((call) => call === HOLD).length;
    const before = looks();
    await comeBack();
    await waitFor(() => expect(looks()).toBeGreaterThan(before));
    await titled('held');
    expect(kept()).not.toBeNull();
  });

  test('9.7 after its time, nothing is claimed about a place with a lost handle: the email may have confirmed it', async () => {
    held();
    const answers = { [HOLD]: json(heldView()) as () => Response };
    network(answers, { now: '2026-11-21T12:09:59.000Z' });
    writePageData(data());
    at('/event/anna/31');
    await titled('held');
    answers[HOLD] = refuse(400, 'link_invalid');
    await titled('unknown');
    expect(screen.getByText(said('held.unknown.text') ?? '')).toBeTruthy();
    await user.click(await button('Back to event'));
    expect(kept()).toBeNull();
  });

  test('9.7 the event’s page shows a place with a lost handle only until its time is over', async () => {
    held();
    const answers = { [EVENT]: there, [HOLD]: json(heldView()) as () => Response };
    network(answers, { now: '2026-11-21T12:09:50.000Z' });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Finding your place'));
    const line = /^We’re holding a place for you until/;
    expect(await screen.findByText(line)).toBeTruthy();
    answers[HOLD] = refuse(400, 'link_invalid');
    network(answers, { now: '2026-11-21T12:10:00.000Z' });
    await comeBack();
    await waitFor(() => expect(screen.queryByText(line)).toBeNull());
  });

  test('the server’s answer about a used handle is not applied to the next one', async () => {
    held();
    const next = 'n'.repeat(43);
    const answers: ((response: Response) => void)[] = [];
    network({
      [HOLD]: () => new Promise<Response>((resolve) => void answers.push(resolve)),
      'POST /api/public/booking/resend': json({ ...hold, handle: next }),
    });
    writePageData(data());
    at('/event/anna/31');
    await waitFor(() => expect(answers).toHaveLength(1));
    await act(async () => answers[0]!(Response.json(heldView())));
    await comeBack();
    await waitFor(() => expect(answers).toHaveLength(2));
    await user.click(await button('Send email again'));
    await waitFor(() => expect(answers).toHaveLength(3));
    await act(async () => answers[1]!(refuse(400, 'link_invalid')()));
    await act(async () => answers[2]!(Response.json(heldView())));
    expect((await heading()).textContent).toBe('Your place is held');
    expect(JSON.parse(kept()!)).toMatchObject({ handle: next });
  });

  test.each(['CONFIRMED', 'DECLINED', 'CANCELLED'] as const)(
    '%s in another tab is shown at once, and the place never again as held',
    async (state) => {
      held();
      network({ [HOLD]: json(heldView()) });
      writePageData(data());
      const page = at('/event/anna/31');
      await titled('held');
      announceAnswer({ eventId: 31, email: 'somebody@else.example', state: 'DECLINED' });
      expect(kept()).not.toBeNull();
      // The email went to the address as its owner writes it.
      announceAnswer({ eventId: 31, email: 'Hanna@Mail.example', state });
      await titled(state);
      await comeBack();
      await titled(state);
      page.unmount();
      at('/event/anna/31');
      await waitFor(async () => expect((await heading()).textContent).toBe('Finding your place'));
    },
  );

  test.each(['confirm', 'decline'] as const)(
    '%s in the same tab ends it: the event can be booked again',
    async (what) => {
      held();
      network({
        [LOOK]: json(view()),
        [CONFIRM]: json({ ...view({ state: 'CONFIRMED' }), bookingToken: PRIVATE }),
        'POST /api/event-booking/decline': done,
        [HOLD]: json(heldView()),
      });
      const page = at(`/event/confirm#token=${TOKEN}`);
      await user.click(await button(what === 'confirm' ? 'Confirm booking' : 'Release my place'));
      await waitFor(() => expect(kept()).toBeNull());
      page.unmount();
      writePageData(data());
      at('/event/anna/31');
      expect(await button('Book this place')).toBeTruthy();
      expect(screen.queryByText(/holding a place/)).toBeNull();
    },
  );

  test('cancelling by the private link in the same tab ends it', async () => {
    held();
    network({ [VIEW]: json(view()), 'POST /api/public/booking/cancel': done });
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Cancel booking'));
    await user.click(await button('Yes, cancel booking'));
    await waitFor(() => expect(kept()).toBeNull());
  });

  test.each([
    ['EVENT_CANCELLED', 'event_cancelled'],
    ['EVENT_CLOSED', 'event_closed'],
    ['ANSWERED', 'ANSWERED'],
    ['EXPIRED', 'over'],
  ] as const)('%s while waiting ends it', async (standing, key) => {
    held();
    let state: 'HELD' | typeof standing = 'HELD';
    const { calls } = network({ [HOLD]: () => Response.json(heldView({ state })) });
    writePageData(data());
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      at('/event/anna/31');
      await titled('held');
      const looks = () => calls().filter((call) => call === HOLD).length;
      const seen = vi.spyOn(document, 'visibilityState', 'get');
      seen.mockReturnValue('hidden');
      act(() => void vi.advanceTimersByTime(180_000));
      expect(looks()).toBe(1);
      seen.mockReturnValue('visible');
      await act(async () => void vi.advanceTimersByTime(60_000));
      expect(looks()).toBe(2);
      expect((await heading()).textContent).toBe('Your place is held');
      state = standing;
      await act(async () => void vi.advanceTimersByTime(60_000));
      await titled(key);
      if (key.startsWith('event_'))
        expect(screen.getByRole('link', { name: 'Other dates with Anna' }).getAttribute('href')).toBe('/event/anna');
      expect(screen.queryByRole('button', { name: 'Send email again' })).toBeNull();
      await expectSound();
      const before = looks();
      await act(async () => void vi.advanceTimersByTime(180_000));
      expect(looks()).toBe(before);
      seen.mockRestore();
    } finally {
      vi.useRealTimers();
    }
  });

  test('an event that was cancelled and deleted is shown as cancelled, on the open page and after a reload', async () => {
    held();
    let gone = false;
    const { calls } = network({
      [EVENT]: () => (gone ? refuse(404, 'not_found')() : there()),
      [HOLD]: () => Response.json(heldView({ state: gone ? 'EVENT_CANCELLED' : 'HELD' })),
    });
    writePageData(data());
    const page = at('/event/anna/31');
    await titled('held');
    gone = true;
    await comeBack();
    await waitFor(() => expect(calls()).toContain(EVENT));
    await titled('event_cancelled');
    // There is no longer a page to return to.
    expect(screen.queryByRole('button', { name: 'Finding your place' })).toBeNull();
    page.unmount();
    document.body.replaceChildren();
    writePageData({ kind: 'unknown' });
    at('/event/anna/31');
    await titled('event_cancelled');
  });

  test('a rescheduled event is shown with its new time, and the page says so', async () => {
    network({
      [BOOK]: json(hold),
      [EVENT]: there,
      [HOLD]: json(heldView({ event: { ...view().event, isOnline: false, eventLocation: 'Garden house' } })),
    });
    writePageData(data());
    at('/event/anna/31');
    await book();
    expect(await screen.findByText(said('email.moved')!)).toBeTruthy();
    expect(screen.getAllByText(/Garden house/)[0]).toBeTruthy();
  });

  test('if the hold ends when the event starts, the page says so and that the event has begun', async () => {
    held({ heldUntil: '2026-11-21T12:07:00.000Z' });
    const starts = heldView({
      heldUntil: '2026-11-21T12:07:00.000Z',
      event: { ...view().event, startsOn: '2026-11-21T12:07:00.000Z' },
    });
    network({ [HOLD]: json(starts) });
    writePageData(data());
    const page = at('/event/anna/31');
    expect(await screen.findByText(/^The event starts at \d\d:07\. You can confirm until then\.$/)).toBeTruthy();
    expect(screen.getByText(/^Until \d\d:07, when the event starts$/)).toBeTruthy();
    page.unmount();
    network({ [HOLD]: json(starts) }, { now: '2026-11-21T12:07:00.000Z' });
    at('/event/anna/31');
    await titled('event_closed');
  });

  test('says whether the ten minutes can be renewed', async () => {
    held();
    let until = hold.heldUntil;
    network({
      [HOLD]: () => Response.json(heldView({ heldUntil: until })),
      'POST /api/public/booking/resend': () =>
        Response.json({ ...hold, heldUntil: (until = '2026-11-21T12:14:00.000Z'), extendable: false }),
    });
    writePageData(data());
    at('/event/anna/31');
    expect(await screen.findByText(said('held.renews')!)).toBeTruthy();
    await user.click(await button('Send email again'));
    expect(await screen.findByText(/^You have another 10 minutes, until \d\d:14\.$/)).toBeTruthy();
    expect(screen.queryByText(said('held.renews')!)).toBeNull();
  });

  test.each([...new Set([...(resendHold.problems ?? []), ...(correctHold.problems ?? [])])])(
    '%s when resending or correcting the address is shown with the next step',
    async (code) => {
      held();
      const { status } = PROBLEMS[code];
      network({
        [HOLD]: json(heldView()),
        'POST /api/public/booking/resend': refuse(status, code),
        'POST /api/public/booking/correct': refuse(status, code),
      });
      writePageData(data());
      at('/event/anna/31');
      const expected = said(`held.refused.${code}`) ?? said(`refusal.${code}`);
      await user.click(await button('Send email again'));
      expect((await screen.findByRole('alert')).textContent).toBe(expected);
      await user.click(await button('Change address'));
      await user.click(await button('Send to this address'));
      await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(expected));
    },
  );
});

describe('behind the email', () => {
  test('opening it removes the token from the address, looks up the booking, and confirms nothing', async () => {
    const { asked } = network({ [LOOK]: json(view()) });
    at(`/event/confirm#token=${TOKEN}`);
    expect(window.location.href).not.toContain(TOKEN);
    expect((await heading()).textContent).toBe('One more step');
    await expectSound();
    for (const type of ['visibilitychange', 'focus', 'hashchange', 'pageshow']) document.dispatchEvent(new Event(type));
    // Returning to the page asks again.
    expect([...new Set(asked.map(({ call }) => call))]).toEqual([LOOK]);
    expect(asked[0]!.body).toEqual({ token: TOKEN });
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toContain('noindex');
  });

  test('a press confirms, with the header that only our page sends; the private link is offered and survives a reload', async () => {
    const { asked } = network({
      [LOOK]: json(view()),
      [CONFIRM]: json({ ...view({ state: 'CONFIRMED' }), bookingToken: PRIVATE }),
    });
    const page = at(`/event/confirm#token=${TOKEN}`);
    await user.click(await button('Confirm booking'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is booked'));
    const confirm = asked.find(({ call }) => call.startsWith(CONFIRM))!;
    expect(confirm.call).toBe(`${CONFIRM}?token=${TOKEN}`);
    expect(confirm.headers['x-fieldroom-confirm']).toBe('1');
    expect(screen.getByRole('link', { name: 'View booking' }).getAttribute('href')).toBe(
      `/event/booking#token=${PRIVATE}`,
    );
    await expectSound();
    page.unmount();
    network({ [LOOK]: json(view({ state: 'CONFIRMED', heldUntil: null })) });
    at('/event/confirm');
    expect(await screen.findByRole('link', { name: 'View booking' })).toBeTruthy();
  });

  test('an answer to a request from before the press changes nothing', async () => {
    const older = Promise.withResolvers<Response>();
    const answers: Parameters<typeof network>[0] = {
      [LOOK]: json(view()),
      [CONFIRM]: json({ ...view({ state: 'CONFIRMED' }), bookingToken: PRIVATE }),
    };
    network(answers);
    at(`/event/confirm#token=${TOKEN}`);
    await button('Confirm booking');
    answers[LOOK] = () => older.promise;
    await comeBack();
    await user.click(await button('Confirm booking'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is booked'));
    await act(async () => older.resolve(Response.json(view())));
    expect((await heading()).textContent).toBe('Your place is booked');
  });

  test('11.36 a fetch that failed for lack of a connection is repeated when it returns', async () => {
    const answers: Parameters<typeof network>[0] = {};
    network(answers);
    at(`/event/confirm#token=${TOKEN}`);
    expect((await heading()).textContent).toBe('This page couldn’t be loaded');
    answers[LOOK] = json(view());
    await act(async () => void window.dispatchEvent(new Event('online')));
    await waitFor(async () => expect((await heading()).textContent).toBe('One more step'));
  });

  test('no other call carries that header', async () => {
    const { asked } = network({ [LOOK]: json(view()), 'POST /api/event-booking/decline': done });
    at(`/event/confirm#token=${TOKEN}`);
    await user.click(await button('Release my place'));
    await waitFor(async () => expect((await heading()).textContent).toBe('You’ve released your place'));
    expect(asked.map(({ call }) => call)).toEqual([LOOK, `POST /api/event-booking/decline?token=${TOKEN}`]);
    expect(asked.some(({ headers }) => 'x-fieldroom-confirm' in headers)).toBe(false);
  });

  test.each([...new Set([...(confirmBooking.problems ?? []), ...(declineBooking.problems ?? [])])])(
    '%s has its own page with the next step',
    async (code) => {
      const refusal = refuse(PROBLEMS[code].status, code);
      network({ [LOOK]: json(view()), [CONFIRM]: refusal, 'POST /api/event-booking/decline': refusal });
      at(`/event/confirm#token=${TOKEN}`);
      await user.click(await button('Confirm booking'));
      await waitFor(async () => expect((await heading()).textContent).toBe(said(`email.refused.${code}.title`)));
      expect(screen.queryByRole('button', { name: 'Confirm booking' })).toBeNull();
      expect(screen.getByRole('link', { name: /Back to event|Other events/ })).toBeTruthy();
    },
  );

  test('a lost connection keeps the button', async () => {
    network({ [LOOK]: json(view()) });
    at(`/event/confirm#token=${TOKEN}`);
    await user.click(await button('Confirm booking'));
    expect((await screen.findByRole('alert')).textContent).toBe(en.refusal.offline);
    expect((await button('Confirm booking')).getAttribute('aria-disabled')).toBe('false');
  });

  test('an expired hold can still be confirmed if a place is free', async () => {
    network({
      [LOOK]: json(view({ state: 'EXPIRED' })),
      [CONFIRM]: json({ ...view({ state: 'CONFIRMED' }), bookingToken: PRIVATE }),
    });
    at(`/event/confirm#token=${TOKEN}`);
    expect((await heading()).textContent).toBe('The ten minutes are over');
    expect(screen.queryByRole('button', { name: 'Release my place' })).toBeNull();
    await user.click(await button('Confirm booking'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is booked'));
  });

  test('says so when the hold expires while the page is open', async () => {
    network({ [LOOK]: json(view()) }, { now: '2026-11-21T12:10:00.000Z' });
    at(`/event/confirm#token=${TOKEN}`);
    await waitFor(async () => expect((await heading()).textContent).toBe('The ten minutes are over'));
  });

  test.each([
    ['DECLINED', {}, 'You’ve released your place'],
    ['CANCELLED', {}, 'This booking has been cancelled'],
    ['CANCELLED', { status: 'CANCELLED' as const }, 'This event has been cancelled'],
    ['DECLINED', { status: 'CANCELLED' as const }, 'This event has been cancelled'],
    ['EXPIRED', { status: 'CANCELLED' as const }, 'This event has been cancelled'],
    ['CONFIRMED', { startsOn: '2026-11-21T09:00:00.000Z', endsOn: '2026-11-21T11:59:00.000Z' }, 'This event is over'],
    ['HELD', { startsOn: '2026-11-21T11:59:00.000Z' }, 'This event has already started'],
  ] as const)('%s %j', async (state, change, title) => {
    network({ [LOOK]: json(view({ state, event: { ...view().event, ...change } })) });
    at(`/event/confirm#token=${TOKEN}`);
    await waitFor(async () => expect((await heading()).textContent).toBe(title));
    expect(screen.queryByRole('button', { name: 'Confirm booking' })).toBeNull();
  });

  test('without a token, and with an invalid one', async () => {
    network({ [LOOK]: refuse(400, 'link_invalid') });
    const page = at('/event/confirm');
    expect((await heading()).textContent).toBe('This link is incomplete');
    page.unmount();
    at(`/event/confirm#token=${TOKEN}`);
    await waitFor(async () => expect((await heading()).textContent).toBe('This link no longer works'));
  });

  test('9.24 the footer of every page leads to the form that sends lost links again', async () => {
    const { asked } = network({ [LINKS]: done });
    // This tab has shown a booking, which may not be the wanted one.
    window.sessionStorage.setItem('booking_link', TOKEN);
    at('/event/booking?find');
    // The visitor has had no link that could be incomplete.
    expect((await heading()).textContent).toBe('Find my booking');
    await user.type(await screen.findByLabelText(/^Your email/), 'hanna@mail.example');
    await user.click(await button('Send me my links'));
    expect(await screen.findByText(/^If there are bookings with hanna@mail.example/)).toBeTruthy();
    expect(asked.map(({ body }) => body)).toEqual([{ email: 'hanna@mail.example' }]);
    await expectSound();
  });

  test.each(['none', 'dead'] as const)('9.24 sends the links of an address on demand: %s', async (kind) => {
    let refused = true;
    const { asked, calls } = network({
      [LOOK]: refuse(400, 'link_invalid'),
      [LINKS]: () => (refused ? refuse(429, 'too_many_requests')() : done()),
    });
    at(kind === 'none' ? '/event/confirm' : `/event/confirm#token=${TOKEN}`);
    await waitFor(async () => expect((await heading()).textContent).toMatch(/^This link/));
    const send = await button('Send me my links');
    const box = screen.getByLabelText<HTMLInputElement>(/^Your email/);
    await user.type(box, 'hanna@');
    await user.click(send);
    expect(screen.getByText('This address isn’t complete yet.')).toBeTruthy();
    expect(document.activeElement).toBe(box);
    expect(calls()).not.toContain(LINKS);
    await expectSound();

    await user.type(box, 'mail.example ');
    await user.click(send);
    expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts');
    expect(box.value.trim()).toBe('hanna@mail.example');
    refused = false;
    await user.click(send);
    const told = await screen.findByText(/If there are bookings with hanna@mail.example/);
    expect(document.activeElement).toBe(told);
    expect(asked.at(-1)).toMatchObject({ call: LINKS, body: { email: 'hanna@mail.example' } });
    await expectSound();

    // It was mistyped, or another one.
    await user.click(await button('Use another address'));
    const again = screen.getByLabelText<HTMLInputElement>(/^Your email/);
    expect(document.activeElement).toBe(again);
    await user.clear(again);
    await user.type(again, 'hanna@work.example');
    await user.click(await button('Send me my links'));
    expect(await screen.findByText(/If there are bookings with hanna@work.example/)).toBeTruthy();
    expect(asked.at(-1)).toMatchObject({ call: LINKS, body: { email: 'hanna@work.example' } });
  });

  test('a second email link opened in the same tab is handled separately', async () => {
    const { asked } = network({ [LOOK]: json(view()) });
    at(`/event/confirm#token=${TOKEN}`);
    await heading();
    await act(async () => {
      window.history.replaceState(null, '', `/event/confirm#token=${PRIVATE}`);
      window.dispatchEvent(new Event('hashchange'));
    });
    await waitFor(() => expect(asked.map(({ body }) => body)).toEqual([{ token: TOKEN }, { token: PRIVATE }]));
    expect(window.location.hash).toBe('');
  });
});

describe('one’s own booking', () => {
  const confirmed = (change = {}) => view({ state: 'CONFIRMED', heldUntil: null, ...change });

  test('shows the booking, survives a reload, and cancels after a confirmation', async () => {
    let state: 'CONFIRMED' | 'CANCELLED' = 'CONFIRMED';
    const { calls } = network({
      [VIEW]: () => Response.json(confirmed({ state })),
      'POST /api/public/booking/cancel': () => {
        state = 'CANCELLED';
        return done();
      },
    });
    const page = at(`/event/booking#token=${PRIVATE}`);
    expect(window.location.href).not.toContain(PRIVATE);
    await heading();
    page.unmount();
    at('/event/booking');
    await user.click(await button('Cancel booking'));
    expect(calls()).not.toContain('POST /api/public/booking/cancel');
    await user.click(await button('Keep my place'));
    expect(document.activeElement).toBe(await button('Cancel booking'));
    await user.click(await button('Cancel booking'));
    await expectSound();
    await user.click(await button('Yes, cancel booking'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your booking is cancelled'));
  });

  test.each([...new Set([...(cancelBooking.problems ?? [])])])('%s when cancelling is shown', async (code) => {
    network({ [VIEW]: json(confirmed()), 'POST /api/public/booking/cancel': refuse(PROBLEMS[code].status, code) });
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Cancel booking'));
    await user.click(await button('Yes, cancel booking'));
    expect((await screen.findByRole('alert')).textContent).toBe(said(`refusal.${code}`));
  });

  test.each([...(bookingCalendar.problems ?? [])])('%s when fetching the calendar file is shown', async (code) => {
    network({ [VIEW]: json(confirmed()), 'POST /api/public/booking/calendar': refuse(PROBLEMS[code].status, code) });
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Add to calendar'));
    expect((await screen.findByRole('alert')).textContent).toBe(said(`refusal.${code}`));
  });

  test('the calendar file is downloaded', async () => {
    network({
      [VIEW]: json(confirmed()),
      'POST /api/public/booking/calendar': () =>
        new Response('BEGIN:VCALENDAR', { headers: { 'content-type': 'text/calendar' } }),
    });
    const taken: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      taken.push((file as Blob).type);
      return 'blob:x';
    });
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLElement) {
      taken.push((this as HTMLAnchorElement).download);
    });
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Add to calendar'));
    await waitFor(() => expect(click).toHaveBeenCalled());
    expect(taken).toEqual(['text/calendar', 'fieldroom.ics']);
  });

  test.each([
    ['HELD', {}, {}, /^Your place is held until \d\d:10$/],
    ['HELD', { heldUntil: NOW }, {}, 'The ten minutes are over'],
    ['EXPIRED', { heldUntil: null }, {}, 'The ten minutes are over'],
    ['EXPIRED', { heldUntil: null }, { startsOn: NOW }, 'This event has already started'],
    ['DECLINED', { heldUntil: null }, {}, 'You’ve released your place'],
    ['CANCELLED', { heldUntil: null }, {}, 'Your booking is cancelled'],
    ['CANCELLED', { heldUntil: null }, { status: 'CANCELLED' as const }, 'This event has been cancelled'],
    ['DECLINED', { heldUntil: null }, { status: 'CANCELLED' as const }, 'This event has been cancelled'],
    ['CONFIRMED', { heldUntil: null }, { endsOn: NOW, startsOn: NOW }, 'This event is over'],
  ] as const)('%s %j, event %j', async (state, change, eventChange, title) => {
    network({ [VIEW]: json(view({ state, ...change, event: { ...view().event, ...eventChange } })) });
    at(`/event/booking#token=${PRIVATE}`);
    await waitFor(async () => expect((await heading()).textContent).toMatch(title));
    const live = state === 'HELD' && !('heldUntil' in change);
    expect(screen.queryAllByRole('button', { name: 'Cancel booking' })).toHaveLength(live ? 1 : 0);
    expect(screen.queryAllByRole('button', { name: /^Send me the/ })).toHaveLength(live ? 1 : 0);
    await expectSound();
  });

  test('says how to come back, and sends the link again to the booking’s own address', async () => {
    let refused: (() => Response) | null = refuse(429, 'too_many_requests', { retryAfterSeconds: 600 });
    const { asked } = network({ [VIEW]: json(confirmed()), [SEND]: () => (refused ?? done)() });
    at(`/event/booking#token=${PRIVATE}`);
    expect(await screen.findByText('To come back to this page, open the link in our email again.')).toBeTruthy();
    await user.click(await button('Send me the link again'));
    expect((await screen.findByRole('alert')).textContent).toMatch(/10 minutes/);
    refused = null;
    await user.click(await button('Send me the link again'));
    expect(await screen.findByText('We’ve sent the link to hanna@mail.example.')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(asked.at(-1)).toMatchObject({ call: SEND, body: { token: PRIVATE } });
    await expectSound();
  });

  test.each([...(sendBookingLink.problems ?? [])].filter((code) => code !== 'too_many_requests'))(
    '%s when sending the link is shown',
    async (code) => {
      network({ [VIEW]: json(confirmed()), [SEND]: refuse(PROBLEMS[code].status, code) });
      at(`/event/booking#token=${PRIVATE}`);
      await user.click(await button('Send me the link again'));
      expect((await screen.findByRole('alert')).textContent).toBe(said(`refusal.${code}`));
    },
  );

  test('a held place is confirmed by its own email, which can be sent again; the place can be given back here', async () => {
    let state: 'HELD' | 'CANCELLED' = 'HELD';
    const { calls } = network({
      [VIEW]: () => Response.json(view({ state, movedOn: NOW })),
      [SEND]: done,
      'POST /api/public/booking/cancel': () => {
        state = 'CANCELLED';
        return done();
      },
    });
    at(`/event/booking#token=${PRIVATE}`);
    expect(await screen.findByText(said('email.moved')!)).toBeTruthy();
    await user.click(await button('Send me the confirmation email again'));
    await waitFor(() => expect(calls()).toContain(SEND));
    await user.click(await button('Cancel booking'));
    expect(screen.getByText(said('private.sureHeld')!)).toBeTruthy();
    await user.click(await button('Yes, cancel booking'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your booking is cancelled'));
  });

  test('changes made elsewhere are shown on returning to the page', async () => {
    let status: 'PUBLISHED' | 'CANCELLED' = 'PUBLISHED';
    network({
      [VIEW]: () =>
        Response.json(
          confirmed({ state: status === 'PUBLISHED' ? 'CONFIRMED' : 'CANCELLED', event: { ...view().event, status } }),
        ),
    });
    at(`/event/booking#token=${PRIVATE}`);
    expect((await heading()).textContent).toBe('Your place is booked');
    status = 'CANCELLED';
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(async () => expect((await heading()).textContent).toBe('This event has been cancelled'));
  });

  test('an older answer that arrives after a newer one changes nothing', async () => {
    const asked: PromiseWithResolvers<Response>[] = [];
    network({
      [VIEW]: () => {
        asked.push(Promise.withResolvers());
        return asked.at(-1)!.promise;
      },
    });
    at(`/event/booking#token=${PRIVATE}`);
    await waitFor(() => expect(asked).toHaveLength(1));
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    const cancelled = { ...view().event, status: 'CANCELLED' as const };
    await act(async () => asked[1]?.resolve(Response.json(confirmed({ state: 'CANCELLED', event: cancelled }))));
    expect((await heading()).textContent).toBe('This event has been cancelled');
    await act(async () => asked[0]?.resolve(Response.json(confirmed())));
    expect((await heading()).textContent).toBe('This event has been cancelled');
  });

  const room = { from: '2026-12-12T08:00:00.000Z', until: '2026-12-12T16:00:00.000Z' };
  const seat = {
    client: {
      id: 9,
      name: 'Hanna Krüger',
      therapist: { id: 7, joinLink: 'anna', firstName: 'Anna' },
      selected: false,
      active: true,
      participants: [],
      activeParticipant: null,
      joinedOn: room.from,
    },
    state: 'waiting',
    therapistHere: false,
  };

  test('before that time it says when the room opens', async () => {
    network({ [VIEW]: json(confirmed({ roomOpen: room })) }, { now: '2026-12-12T07:59:00.000Z' });
    at(`/event/booking#token=${PRIVATE}`);
    expect(await screen.findByText(/^From Saturday 12 December/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Go to the waiting room' })).toBeNull();
  });

  test('then it leads to the join page, with the seat stored as the join page stores it', async () => {
    const { asked } = network(
      {
        [VIEW]: json(confirmed({ roomOpen: room })),
        'POST /api/public/booking/enter': json({ ...seat, token: 'c'.repeat(43) }),
      },
      { now: room.from },
    );
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Go to the waiting room'));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/user/join/anna'));
    expect(storage.getText('token')).toBe('c'.repeat(43));
    expect(storage.get('user')?.authorities).toEqual(['ROLE_CLIENT']);
    expect(asked.at(-1)!.body).toEqual({ token: PRIVATE });
  });

  test('a therapist who is signed in here stays signed in and reads why', async () => {
    keepSignIn(storage, {
      token: 'secret',
      user: {
        id: 9,
        firstName: 'B',
        lastName: 'C',
        email: 'b@c.example',
        roles: ['ROLE_THERAPIST'],
        authorities: ['ROLE_THERAPIST'],
        language: 'en',
        slug: 'b',
        joinLink: 'b',
      },
    });
    const { calls } = network({ [VIEW]: json(confirmed({ roomOpen: room })) }, { now: room.from });
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Go to the waiting room'));
    expect((await screen.findByRole('alert')).textContent).toContain('You have an active therapist login session');
    expect(calls()).toEqual([VIEW]);
    expect(storage.getText('token')).toBe('secret');
  });

  test.each([...(enterBookedRoom.problems ?? [])])('%s at the room is shown', async (code) => {
    network(
      {
        [VIEW]: json(confirmed({ roomOpen: room })),
        'POST /api/public/booking/enter': refuse(PROBLEMS[code].status, code),
      },
      { now: room.from },
    );
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Go to the waiting room'));
    expect((await screen.findByRole('alert')).textContent).toBe(said(`refusal.${code}`));
    expect(storage.getText('token')).toBeNull();
  });

  test.each([
    ['over', {}, '2026-12-12T16:00:00.000Z', 'This event is over'],
    ['running', {}, '2026-12-12T09:00:00.000Z', 'Your place is booked'],
    ['cancelled', { status: 'CANCELLED' as const }, '2026-11-21T12:00:00.000Z', 'This event has been cancelled'],
  ] as const)('an event that is %s cannot be cancelled here', async (_, change, now, title) => {
    network({ [VIEW]: json(confirmed({ event: { ...view().event, ...change } })) }, { now });
    at(`/event/booking#token=${PRIVATE}`);
    await waitFor(() => {
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
      expect(screen.queryByRole('button', { name: 'Cancel booking' })).toBeNull();
    });
  });
});

describe('writing to the therapist', () => {
  const WRITE = 'POST /api/support/contact';
  test('goes to this therapist under the right names; then the form is empty again', async () => {
    const { asked } = network({ [WRITE]: done });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Write to Anna'));
    // An empty form says what is missing, and puts the cursor there.
    await user.click(await button('Send message'));
    expect(document.activeElement).toBe(screen.getByLabelText(/^Your email/));
    expect(screen.getByText('Email required')).toBeTruthy();
    await expectSound();
    await fill({ 'Your email': 'hanna@mail.example', 'Your message': 'Is this for me?' });
    await user.click(await button('Send message'));
    expect(
      await screen.findByText('Your message to Anna has been sent. The answer will come to hanna@mail.example.'),
    ).toBeTruthy();
    expect(asked[0]!.headers['x-therapist-id']).toBe('7');
    expect(asked[0]!.headers.authorization).toBeUndefined();
    expect(asked[0]!.body).toEqual({
      email: 'hanna@mail.example',
      message: 'Is this for me?',
      firstName: 'Anna',
      lastName: 'Lind',
    });
    await user.keyboard('{Escape}');
    await user.click(await button('Write to Anna'));
    expect((screen.getByLabelText(/^Your message/) as HTMLTextAreaElement).value).toBe('');
  });

  test('11.75 the message says how much more text fits', async () => {
    network({});
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Write to Anna'));
    await fill({ 'Your message': 'x'.repeat(4990) });
    const left = await screen.findByText('10 characters left');
    expect(screen.getByLabelText(/^Your message/).getAttribute('aria-describedby')).toBe(left.id);
    await expectSound();
  });

  test('a full event offers to ask for a free place: the message is already begun', async () => {
    const { asked } = network({ [WRITE]: done });
    writePageData(data({ bookable: 'event_full' }));
    at('/event/anna/31');
    await user.click(await button('Tell me when a place is free'));
    const message = screen.getByLabelText<HTMLTextAreaElement>(/^Your message/);
    expect(message.value).toContain(event.eventName);
    await expectSound();
    await fill({ 'Your email': 'hanna@mail.example' });
    await user.click(await button('Send message'));
    await screen.findByText(/has been sent/);
    expect((asked[0]!.body as { message: string }).message).toMatch(/Please tell me when a place becomes free\.$/);
  });

  test.each([...(contact.problems ?? [])])('%s is shown and the message stays', async (code) => {
    network({ [WRITE]: refuse(PROBLEMS[code].status, code) });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Write to Anna'));
    await fill({ 'Your email': 'hanna@mail.example', 'Your message': 'Is this for me?' });
    await user.click(await button('Send message'));
    expect((await screen.findByRole('alert')).textContent).toBe(said(`refusal.${code}`));
    expect((screen.getByLabelText(/^Your message/) as HTMLTextAreaElement).value).toBe('Is this for me?');
  });
});

describe("a therapist's page", () => {
  const UPCOMING = 'POST /api/event/upcoming/anna';
  const list = (ids: number[], totalElements: number, page = 0) => ({
    content: ids.map((id) => ({ ...event, id, eventName: `Event ${id}` })),
    page,
    size: 2,
    totalElements,
  });

  test('shows cards, more on demand, and a filter when there are many', async () => {
    const { asked } = network({
      [`${UPCOMING}?page=1&size=2`]: json(list([2, 3], 8, 1)),
      [`${UPCOMING}?page=0&size=2`]: json(list([5], 1)),
    });
    writePageData({ kind: 'therapist', host, upcoming: list([1, 2], 8) });
    at('/event/anna');
    expect((await heading()).textContent).toBe('Anna Lind');
    await expectSound();
    await user.click(await button('Show more'));
    await screen.findByRole('link', { name: 'Event 3' });
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Event 1',
      'Event 2',
      'Event 3',
    ]);
    await user.click(screen.getByRole('radio', { name: 'Group event' }));
    await user.type(screen.getByRole('searchbox'), 'wien{Enter}');
    await waitFor(() =>
      expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Event 5']),
    );
    await waitFor(() => expect(asked.at(-1)!.body).toEqual({ type: 'GROUP', keyword: 'wien' }));
    expect(screen.getByText('1 event found')).toBeTruthy();
  });

  test('cards shown on demand stay on returning to the page, with their current state', async () => {
    let first = list([1, 2], 8);
    network({
      'GET /api/public/events/anna': json(host),
      [`${UPCOMING}?page=0&size=20`]: () => Response.json(first),
      [`${UPCOMING}?page=1&size=2`]: json(list([3, 4], 8, 1)),
    });
    writePageData({ kind: 'therapist', host, upcoming: list([1, 2], 8) });
    at('/event/anna');
    await user.click(await button('Show more'));
    await screen.findByRole('link', { name: 'Event 4' });
    first = list([9, 1], 8);
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() =>
      expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
        'Event 9',
        'Event 1',
        'Event 3',
        'Event 4',
      ]),
    );
    expect(await button('Show more')).toBeTruthy();
  });

  test('“Show more” after a failed search starts that search from its beginning', async () => {
    const answers: Parameters<typeof network>[0] = {};
    const { asked } = network(answers);
    writePageData({ kind: 'therapist', host, upcoming: list([1, 2], 8) });
    at('/event/anna');
    await user.type(screen.getByRole('searchbox'), 'wien{Enter}');
    await screen.findByRole('alert');
    expect(screen.queryByText('8 events found')).toBeNull();
    answers[`${UPCOMING}?page=0&size=2`] = json(list([5], 1));
    await user.click(await button('Show more'));
    await screen.findByRole('link', { name: 'Event 5' });
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Event 5']);
    expect(asked.at(-1)!.body).toEqual({ keyword: 'wien' });
  });

  test('12.32 invisible characters are reported at the keyword, and not sent', async () => {
    const { asked } = network({ [UPCOMING]: json(list([5], 1)) });
    writePageData({ kind: 'therapist', host, upcoming: list([1, 2], 8) });
    at('/event/anna');
    const word = await screen.findByRole('searchbox');
    await user.click(word);
    await user.paste('Vi\u200Benna');
    await user.keyboard('{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('characters that can’t be displayed');
    expect(word.getAttribute('aria-invalid')).toBe('true');
    await expectSound();
    await user.clear(word);
    await user.type(word, 'wien{Enter}');
    await screen.findByRole('link', { name: 'Event 5' });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(asked.map(({ body }) => body)).toEqual([{ keyword: 'wien' }]);
  });

  test('a kind that could not be fetched is fetched again by a press, and when the connection returns', async () => {
    const answers: Parameters<typeof network>[0] = {};
    network(answers);
    writePageData({ kind: 'therapist', host, upcoming: list([1, 2], 8) });
    at('/event/anna');
    await user.click(await screen.findByRole('radio', { name: 'Group event' }));
    await screen.findByRole('alert');
    answers[`${UPCOMING}?page=0&size=2`] = json(list([5], 1));
    await user.click(await button('Try again'));
    await screen.findByRole('link', { name: 'Event 5' });
    expect(screen.queryByRole('alert')).toBeNull();
    delete answers[`${UPCOMING}?page=0&size=2`];
    await user.click(screen.getByRole('radio', { name: 'One-on-one' }));
    await screen.findByRole('alert');
    answers[`${UPCOMING}?page=0&size=2`] = json(list([6], 1));
    act(() => void window.dispatchEvent(new Event('online')));
    await screen.findByRole('link', { name: 'Event 6' });
  });

  test('few events need no filter; an empty list has kind words', async () => {
    network({});
    writePageData({ kind: 'therapist', host, upcoming: list([], 0) });
    at('/event/anna');
    expect(await screen.findByText('No dates at the moment')).toBeTruthy();
    expect(screen.queryByRole('search')).toBeNull();
    await expectSound();
  });

  test('a failed fetch is shown, and the cards stay', async () => {
    network({ [UPCOMING]: refuse(500, 'unknown_fault', { reference: 'X1' }) });
    writePageData({ kind: 'therapist', host, upcoming: list([1, 2], 8) });
    at('/event/anna');
    await user.click(await button('Show more'));
    expect((await screen.findByRole('alert')).textContent).toContain('X1');
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(2);
  });
});

test('the language switches without a reload', async () => {
  network({});
  writePageData(data());
  at('/event/anna/31');
  await user.selectOptions(await screen.findByRole('combobox'), 'de');
  expect(await button('Diesen Platz buchen')).toBeTruthy();
  expect(document.documentElement.lang).toBe('de');
  await act(async () => switchLanguage('en'));
});
