/** The public pages as people use them: the network is the only thing that is not real. */
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
} from '@fieldroom/contract/bookings';
import { PROBLEMS } from '@fieldroom/contract/problems';
import { act, cleanup, configure, render, screen, waitFor, within } from '@testing-library/react';
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
  hold,
  host,
  json,
  network,
  PRIVATE,
  refuse,
  TOKEN,
  view,
  writePageData,
} from './booking.testing.ts';
import { tellTabs } from './memory.ts';
import { PublicArea } from './PublicArea.tsx';
import { switchLanguage } from './words.ts';

const BOOK = 'POST /api/event-booking/user/31';
const LOOK = 'POST /api/public/booking/look';
const VIEW = 'POST /api/public/booking/view';
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
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const field = async (label: string) =>
  within(await screen.findByRole('dialog')).getByLabelText(new RegExp(`^${label}`));
async function type(fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await user.type(await field(label), value);
}
/** The same from the clipboard: the dialog is drawn once a field instead of once a letter. */
async function fill(fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    await user.click(await field(label));
    await user.paste(value);
  }
}
const PERSON = {
  'First name': 'Hanna',
  'Family name': 'Krüger',
  'E-mail': 'hanna@mail.example',
  Phone: '+43 660 1234567',
};
async function book() {
  await user.click(await button('Book this place'));
  await fill(PERSON);
  await user.click(await button('Hold my place'));
}
/** What a screen reader and a keyboard meet; colours are checked where there are any. */
async function expectSound() {
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: true } },
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

// What does not come fails all the same, later; what comes late on a busy machine does not.
configure({ asyncUtilTimeout: 10_000 });
beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
  document.body.replaceChildren();
  vi.stubGlobal('scrollTo', () => {});
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("an event's page", () => {
  test('draws itself from what the server wrote and asks for nothing', async () => {
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

  test('without that it asks, and says kindly when there is no such event', async () => {
    const { calls } = network({ 'GET /api/public/event/anna/31': refuse(404, 'not_found') });
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('There is no such page');
    expect(screen.getByRole('link', { name: 'See other events' }).getAttribute('href')).toBe('/event/anna');
    expect(calls()).toEqual(['GET /api/public/event/anna/31']);
  });

  test('a line that does not carry is told, and tried again', async () => {
    let there = false;
    network({
      'GET /api/public/event/anna/31': () => {
        if (!there) throw new TypeError('no line');
        return Response.json({ host, event, others: [], bookable: 'yes' });
      },
    });
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('This page could not be loaded');
    there = true;
    await user.click(await button('Try again'));
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Finding your place'));
  });

  test.each(['event_full', 'event_holds_full', 'event_closed', 'event_cancelled'] as const)(
    '%s is said in words, and nothing can be booked',
    async (bookable) => {
      network({});
      writePageData(data({ bookable }));
      at('/event/anna/31');
      expect((await screen.findByRole('status')).textContent).toContain(said(`state.${bookable}.title`));
      expect(screen.queryByRole('button', { name: 'Book this place' })).toBeNull();
      expect(screen.getByRole('button', { name: 'Write to Anna' })).toBeTruthy();
    },
  );

  test('held full can be looked at again', async () => {
    network({ 'GET /api/public/event/anna/31': json({ host, event, others: [], bookable: 'yes' }) });
    writePageData(data({ bookable: 'event_holds_full' }));
    at('/event/anna/31');
    await user.click(await button('Look again'));
    expect(await button('Book this place')).toBeTruthy();
  });

  test('a full event shows where else there are places', async () => {
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
    expect(screen.getByRole('link', { name: 'Sat, January 16, 2027' }).getAttribute('href')).toBe('/event/anna/40');
    expect(screen.getByText('Full')).toBeTruthy();
  });

  test('a signed-in therapist sees what everybody sees: no token goes out', async () => {
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
        joinLink: 'b',
      },
    });
    const { asked } = network({
      'GET /api/public/event/anna/31': json({ host, event, others: [], bookable: 'yes' }),
      [BOOK]: json(hold),
    });
    at('/event/anna/31');
    await book();
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is held'));
    expect(asked.map(({ headers }: Asked) => Object.keys(headers)).flat()).not.toContain('authorization');
    expect(storage.getText('token')).toBe('secret');
  });
});

describe('finalizing', () => {
  test('can be sent once all four are right; faults stand at their fields', async () => {
    const { asked } = network({
      [BOOK]: json(hold),
      'GET /api/public/event/anna/31': json({ host, event, others: [], bookable: 'yes' }),
    });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Book this place'));
    const save = await button('Hold my place');
    expect(save.hasAttribute('disabled')).toBe(true);
    await expectSound();
    await type({ ...PERSON, 'E-mail': 'hanna@', Phone: '12' });
    await user.tab();
    expect(screen.getByText('This address is not complete yet.')).toBeTruthy();
    expect(screen.getByLabelText(/^Phone/).getAttribute('aria-invalid')).toBe('true');
    expect(save.hasAttribute('disabled')).toBe(true);
    await type({ 'E-mail': 'mail.example', Phone: '34567' });
    expect(save.hasAttribute('disabled')).toBe(false);
    await user.click(save);
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is held'));
    expect(asked[0]!.body).toEqual({
      firstName: 'Hanna',
      lastName: 'Krüger',
      email: 'hanna@mail.example',
      phoneNumber: '1234567',
      language: 'en',
    });
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
    '%s is told in the dialog, and nothing typed is lost',
    async (code) => {
      network({
        [BOOK]: refuse(PROBLEMS[code as keyof typeof PROBLEMS].status, code),
        'GET /api/public/event/anna/31': json({ host, event, others: [], bookable: 'yes' }),
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

  test("a server's fault goes to its field and the focus with it; no line keeps all", async () => {
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
    expect(screen.getByText('Please enter a telephone number with digits.')).toBeTruthy();
    answers[BOOK] = () => {
      throw new TypeError('no line');
    };
    await user.click(await button('Hold my place'));
    expect((await screen.findByRole('alert')).textContent).toBe(en.refusal.offline);
    expect((phone as HTMLInputElement).value).toBe('+43 660 1234567');
  });

  test('closing and opening again loses nothing; the focus comes back', async () => {
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

  test('Tab goes round within the dialog', async () => {
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

  test('stays over a reload, with the time left by the product’s clock', async () => {
    held();
    network({}, { now: '2026-11-21T12:01:18.000Z' });
    writePageData(data());
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('Your place is held');
    await waitFor(() => expect(screen.getByRole('timer').textContent).toMatch(/^8:4[12]/));
    expect(screen.getByText('hanna@mail.example')).toBeTruthy();
    await expectSound();
  });

  test('the last minute is said once, in the colour of warnings', async () => {
    held();
    network({}, { now: '2026-11-21T12:09:10.000Z' });
    writePageData(data());
    at('/event/anna/31');
    await waitFor(() => expect(screen.getByRole('timer').dataset.late).toBe('true'));
    expect(screen.getByText('Less than one minute is left.')).toBeTruthy();
  });

  test('at zero it says how to book again, and does', async () => {
    held();
    network(
      { 'GET /api/public/event/anna/31': json({ host, event, others: [], bookable: 'yes' }) },
      { now: '2026-11-21T12:10:00.000Z' },
    );
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Book again'));
    expect(await button('Book this place')).toBeTruthy();
    expect(window.sessionStorage.getItem('booking_hold')).toBeNull();
  });

  test('another event is not held', async () => {
    held({ eventId: 32 });
    network({});
    writePageData(data());
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('Finding your place');
  });

  test('each answer brings the next handle, and the address is corrected', async () => {
    held();
    const next = 'n'.repeat(43);
    const last = 'l'.repeat(43);
    const { asked } = network({
      'POST /api/public/booking/resend': json({ ...hold, handle: next }),
      'POST /api/public/booking/correct': json({ ...hold, handle: last, heldUntil: '2026-11-21T12:15:00.000Z' }),
    });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Send the letter again'));
    expect(await screen.findByText('The letter is on its way to hanna@mail.example.')).toBeTruthy();
    await user.click(await button('Correct the address'));
    const box = screen.getByLabelText(/^The right e-mail address/);
    await user.clear(box);
    await user.type(box, 'h');
    await user.click(await button('Send the letter there'));
    expect(screen.getByText('This address is not complete yet.')).toBeTruthy();
    await user.type(box, '@right.example');
    await user.click(await button('Send the letter there'));
    expect(await screen.findByText('The letter is on its way to h@right.example.')).toBeTruthy();
    expect(asked.map(({ body }) => body)).toEqual([{ handle: HANDLE }, { handle: next, email: 'h@right.example' }]);
    expect(JSON.parse(window.sessionStorage.getItem('booking_hold')!)).toEqual({
      eventId: 31,
      email: 'h@right.example',
      heldUntil: '2026-11-21T12:15:00.000Z',
      handle: last,
      extendable: true,
    });
  });

  test('what is answered in another tab is shown, also after a reload', async () => {
    held();
    network({});
    writePageData(data());
    const page = at('/event/anna/31');
    await heading();
    tellTabs({ eventId: 31, email: 'somebody@else.example', state: 'DECLINED' });
    tellTabs({ eventId: 31, email: 'hanna@mail.example', state: 'CONFIRMED' });
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is booked'));
    page.unmount();
    at('/event/anna/31');
    expect((await heading()).textContent).toBe('Your place is booked');
  });

  test.each(['event_cancelled', 'event_closed'] as const)('%s meanwhile ends the wait', async (bookable) => {
    held();
    let now: typeof bookable | 'yes' = 'yes';
    const { calls } = network({
      'GET /api/public/event/anna/31': () => Response.json({ host, event, others: [], bookable: now }),
    });
    writePageData(data());
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      at('/event/anna/31');
      expect((await heading()).textContent).toBe('Your place is held');
      const looks = () => calls().filter((call) => call === 'GET /api/public/event/anna/31').length;
      const seen = vi.spyOn(document, 'visibilityState', 'get');
      seen.mockReturnValue('hidden');
      act(() => void vi.advanceTimersByTime(180_000));
      expect(looks()).toBe(0);
      seen.mockReturnValue('visible');
      await act(async () => void vi.advanceTimersByTime(60_000));
      expect(looks()).toBe(1);
      expect((await heading()).textContent).toBe('Your place is held');
      now = bookable;
      await act(async () => void vi.advanceTimersByTime(60_000));
      await waitFor(async () => expect((await heading()).textContent).toBe(said(`held.${bookable}.title`)));
      expect(screen.getByRole('link', { name: 'Other dates with Anna' }).getAttribute('href')).toBe('/event/anna');
      expect(screen.queryByRole('timer')).toBeNull();
      await expectSound();
      const before = looks();
      await act(async () => void vi.advanceTimersByTime(180_000));
      expect(looks()).toBe(before);
      seen.mockRestore();
    } finally {
      vi.useRealTimers();
    }
  });

  test('says whether the ten minutes can be renewed', async () => {
    held();
    network({
      'POST /api/public/booking/resend': json({ ...hold, heldUntil: '2026-11-21T12:14:00.000Z', extendable: false }),
    });
    writePageData(data());
    at('/event/anna/31');
    expect(await screen.findByText(said('held.renews')!)).toBeTruthy();
    await user.click(await button('Send the letter again'));
    expect(await screen.findByText(/^The ten minutes have begun anew; they end at \d\d:14\.$/)).toBeTruthy();
    expect(screen.queryByText(said('held.renews')!)).toBeNull();
  });

  test.each([...new Set([...(resendHold.problems ?? []), ...(correctHold.problems ?? [])])])(
    '%s at sending again or elsewhere is told with the next step',
    async (code) => {
      held();
      const { status } = PROBLEMS[code];
      network({
        'POST /api/public/booking/resend': refuse(status, code),
        'POST /api/public/booking/correct': refuse(status, code),
      });
      writePageData(data());
      at('/event/anna/31');
      const expected = said(`held.refused.${code}`) ?? said(`refusal.${code}`);
      await user.click(await button('Send the letter again'));
      expect((await screen.findByRole('alert')).textContent).toBe(expected);
      await user.click(await button('Correct the address'));
      await user.click(await button('Send the letter there'));
      await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(expected));
    },
  );
});

describe('behind the letter', () => {
  test('opening it takes the token out of the address, looks, and confirms nothing', async () => {
    const { asked } = network({ [LOOK]: json(view()) });
    at(`/event/confirm#token=${TOKEN}`);
    expect(window.location.href).not.toContain(TOKEN);
    expect((await heading()).textContent).toBe('One step to your place');
    await expectSound();
    for (const type of ['visibilitychange', 'focus', 'hashchange', 'pageshow']) document.dispatchEvent(new Event(type));
    expect(asked.map(({ call }) => call)).toEqual([LOOK]);
    expect(asked[0]!.body).toEqual({ token: TOKEN });
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toContain('noindex');
  });

  test('a press confirms, with the header that only our page sends; the private link is offered and survives a reload', async () => {
    const { asked } = network({
      [LOOK]: json(view()),
      [CONFIRM]: json({ ...view({ state: 'CONFIRMED' }), bookingToken: PRIVATE }),
    });
    const page = at(`/event/confirm#token=${TOKEN}`);
    await user.click(await button('Confirm my booking'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is booked'));
    const confirm = asked.find(({ call }) => call.startsWith(CONFIRM))!;
    expect(confirm.call).toBe(`${CONFIRM}?token=${TOKEN}`);
    expect(confirm.headers['x-fieldroom-confirm']).toBe('1');
    expect(screen.getByRole('link', { name: 'See my booking' }).getAttribute('href')).toBe(
      `/event/booking#token=${PRIVATE}`,
    );
    await expectSound();
    page.unmount();
    network({ [LOOK]: json(view({ state: 'CONFIRMED', heldUntil: null })) });
    at('/event/confirm');
    expect(await screen.findByRole('link', { name: 'See my booking' })).toBeTruthy();
  });

  test('no other call carries that header', async () => {
    const { asked } = network({ [LOOK]: json(view()), 'POST /api/event-booking/decline': done });
    at(`/event/confirm#token=${TOKEN}`);
    await user.click(await button('I do not want the place'));
    await waitFor(async () => expect((await heading()).textContent).toBe('The place is free again'));
    expect(asked.map(({ call }) => call)).toEqual([LOOK, `POST /api/event-booking/decline?token=${TOKEN}`]);
    expect(asked.some(({ headers }) => 'x-fieldroom-confirm' in headers)).toBe(false);
  });

  test.each([...new Set([...(confirmBooking.problems ?? []), ...(declineBooking.problems ?? [])])])(
    '%s has its own page with the next step',
    async (code) => {
      const refusal = refuse(PROBLEMS[code].status, code);
      network({ [LOOK]: json(view()), [CONFIRM]: refusal, 'POST /api/event-booking/decline': refusal });
      at(`/event/confirm#token=${TOKEN}`);
      await user.click(await button('Confirm my booking'));
      await waitFor(async () => expect((await heading()).textContent).toBe(said(`letter.refused.${code}.title`)));
      expect(screen.queryByRole('button', { name: 'Confirm my booking' })).toBeNull();
      expect(screen.getByRole('link', { name: /To the event|Other events/ })).toBeTruthy();
    },
  );

  test('a broken line keeps the button', async () => {
    network({ [LOOK]: json(view()) });
    at(`/event/confirm#token=${TOKEN}`);
    await user.click(await button('Confirm my booking'));
    expect((await screen.findByRole('alert')).textContent).toBe(en.refusal.offline);
    expect((await button('Confirm my booking')).getAttribute('aria-disabled')).toBe('false');
  });

  test('an expired hold can still be confirmed, where a place is free', async () => {
    network({
      [LOOK]: json(view({ state: 'EXPIRED' })),
      [CONFIRM]: json({ ...view({ state: 'CONFIRMED' }), bookingToken: PRIVATE }),
    });
    at(`/event/confirm#token=${TOKEN}`);
    expect((await heading()).textContent).toBe('The ten minutes are over');
    expect(screen.queryByRole('button', { name: 'I do not want the place' })).toBeNull();
    await user.click(await button('Confirm my booking'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your place is booked'));
  });

  test('a hold that runs out while the page is open says so', async () => {
    network({ [LOOK]: json(view()) }, { now: '2026-11-21T12:10:00.000Z' });
    at(`/event/confirm#token=${TOKEN}`);
    await waitFor(async () => expect((await heading()).textContent).toBe('The ten minutes are over'));
  });

  test.each([
    ['DECLINED', {}, 'The place is free again'],
    ['CANCELLED', {}, 'This booking has been cancelled'],
    ['HELD', { status: 'CANCELLED' as const }, 'This event has been cancelled'],
    ['HELD', { startsOn: '2026-11-21T11:59:00.000Z' }, 'This event has already begun'],
  ] as const)('%s %j', async (state, change, title) => {
    network({ [LOOK]: json(view({ state, event: { ...view().event, ...change } })) });
    at(`/event/confirm#token=${TOKEN}`);
    await waitFor(async () => expect((await heading()).textContent).toBe(title));
    expect(screen.queryByRole('button', { name: 'Confirm my booking' })).toBeNull();
  });

  test('without a token, and with a dead one', async () => {
    network({ [LOOK]: refuse(400, 'link_invalid') });
    const page = at('/event/confirm');
    expect((await heading()).textContent).toBe('The link is not complete');
    page.unmount();
    at(`/event/confirm#token=${TOKEN}`);
    await waitFor(async () => expect((await heading()).textContent).toBe('This link no longer leads anywhere'));
  });

  test('a second letter opened in the same tab is another one', async () => {
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

describe("one's own booking", () => {
  const confirmed = (change = {}) => view({ state: 'CONFIRMED', heldUntil: null, ...change });

  test('shows what was booked, survives a reload, and cancels after a second look', async () => {
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
    await user.click(await button('Cancel my booking'));
    expect(calls()).not.toContain('POST /api/public/booking/cancel');
    await user.click(await button('Keep my place'));
    await user.click(await button('Cancel my booking'));
    await expectSound();
    await user.click(await button('Cancel the booking'));
    await waitFor(async () => expect((await heading()).textContent).toBe('Your booking is cancelled'));
  });

  test.each([...new Set([...(cancelBooking.problems ?? [])])])('%s at cancelling is told', async (code) => {
    network({ [VIEW]: json(confirmed()), 'POST /api/public/booking/cancel': refuse(PROBLEMS[code].status, code) });
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Cancel my booking'));
    await user.click(await button('Cancel the booking'));
    expect((await screen.findByRole('alert')).textContent).toBe(said(`refusal.${code}`));
  });

  test.each([...(bookingCalendar.problems ?? [])])('%s at the calendar file is told', async (code) => {
    network({ [VIEW]: json(confirmed()), 'POST /api/public/booking/calendar': refuse(PROBLEMS[code].status, code) });
    at(`/event/booking#token=${PRIVATE}`);
    await user.click(await button('Calendar file'));
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
    await user.click(await button('Calendar file'));
    await waitFor(() => expect(click).toHaveBeenCalled());
    expect(taken).toEqual(['text/calendar', 'fieldroom.ics']);
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

  test('before its time it says from when the room can be entered', async () => {
    network({ [VIEW]: json(confirmed({ roomOpen: room })) }, { now: '2026-12-12T07:59:00.000Z' });
    at(`/event/booking#token=${PRIVATE}`);
    expect(await screen.findByText(/^From Saturday, December 12/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Go to the waiting room' })).toBeNull();
  });

  test('then leads to the door, with the seat kept as the door keeps it', async () => {
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

  test('a therapist signed in here keeps the sign-in and is told', async () => {
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

  test.each([...(enterBookedRoom.problems ?? [])])('%s at the room is told', async (code) => {
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
  ] as const)('an event that is %s can not be cancelled here', async (_, change, now, title) => {
    network({ [VIEW]: json(confirmed({ event: { ...view().event, ...change } })) }, { now });
    at(`/event/booking#token=${PRIVATE}`);
    await waitFor(() => {
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
      expect(screen.queryByRole('button', { name: 'Cancel my booking' })).toBeNull();
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
    expect((await button('Send the message')).hasAttribute('disabled')).toBe(true);
    await expectSound();
    await fill({ 'Your e-mail': 'hanna@mail.example', 'Your message': 'Is this for me?' });
    await user.click(await button('Send the message'));
    expect(
      await screen.findByText('Your message is on its way to Anna. The answer will come to hanna@mail.example.'),
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

  test.each([...(contact.problems ?? [])])('%s is told and the message stays', async (code) => {
    network({ [WRITE]: refuse(PROBLEMS[code].status, code) });
    writePageData(data());
    at('/event/anna/31');
    await user.click(await button('Write to Anna'));
    await fill({ 'Your e-mail': 'hanna@mail.example', 'Your message': 'Is this for me?' });
    await user.click(await button('Send the message'));
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

  test('shows cards, more on demand, and filters when there are many', async () => {
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

  test('few events need no filter; none at all are said kindly', async () => {
    network({});
    writePageData({ kind: 'therapist', host, upcoming: list([], 0) });
    at('/event/anna');
    expect(await screen.findByText('No dates at the moment')).toBeTruthy();
    expect(screen.queryByRole('search')).toBeNull();
    await expectSound();
  });

  test('what does not come is told, what was shown stays', async () => {
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
