/** The dashboard as a therapist sees it: every card with data, without any, while it loads, and when it fails. */
import type { LatestBooking } from '@fieldroom/contract/bookings';
import { TREE_SECONDS, type Usage } from '@fieldroom/contract/usage';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords } from '../../platform/i18n/app.ts';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { theme } from '../../ui/theme/theme.ts';
import {
  type Answer,
  anOwnEvent,
  json,
  listOf,
  network,
  oneOf,
  refuse,
  therapist,
} from '../events/eventPages.testing.tsx';
import { aFigure, aSession } from '../sessions/sessions.testing.tsx';
import { DashboardPage, fetchDashboardAhead } from './DashboardPage.tsx';

const LONG = { timeout: 60_000 };
/** The product's time in these tests, as `network` reports it. */
const NOW = '2026-12-01T09:00:00Z';
const [USER, USAGE, EVENTS] = ['GET /api/getCurrentUserData/', 'GET /api/me/usage', 'POST /api/me/events'];
const [SESSIONS, BOOKINGS, FIGURES] = [
  'POST /api/session/findAll/details',
  'GET /api/me/latest-bookings',
  'GET /api/participant/all/7',
];
const LATEST = 'GET /api/event/findLatestByTherapistId/7';

const aUsage = (change: Partial<Usage> = {}): Usage => ({
  plan: 'PROFESSIONAL',
  trialOver: false,
  fourHoursDue: false,
  warningUntil: null,
  timer: { counterState: 14 * TREE_SECONDS + 6_120, counting: false, at: NOW, stopsAtSeconds: null },
  peopleHelped: 63,
  weeks: [
    { monday: '2026-11-23', seconds: 0 },
    { monday: '2026-11-30', seconds: 9_000 },
  ],
  ...change,
});
const aLatest = (change: Partial<LatestBooking> = {}): LatestBooking => ({
  eventId: 31,
  places: 1,
  eventName: 'Evening circle',
  startsOn: '2026-12-17T18:00:00Z',
  firstName: 'Mirela',
  lastName: 'Pop',
  state: 'CONFIRMED',
  heldUntil: null,
  bookedOn: '2026-12-01T08:00:00Z',
  ...change,
});
const pageOf = (...content: unknown[]) => ({ content, page: 0, size: 4, totalElements: content.length });
const plain = (text: string | null | undefined) => (text ?? '').replace(/[\u00A0\u2009\u202F]/g, ' ');
const card = (title: string) => screen.getByRole('heading', { name: title }).closest('section') as HTMLElement;
const cardToCome = async (title: string) => (await screen.findByRole('heading', { name: title })) && card(title);
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

beforeAll(async () => {
  configure({ defaultHidden: true });
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['dashboard', 'sessions', 'shell', 'events', 'my-events', 'field']);
});
beforeEach(() => {
  localStorage.clear();
  keepSignIn(storage, { token: 't', user: therapist });
  window.scrollTo = () => {};
  // Everything is visible.
  vi.stubGlobal('IntersectionObserver', undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A practice with some data of every kind. */
const practice = (): Record<string, Answer> => ({
  [USER]: json(therapist),
  [USAGE]: json(aUsage()),
  [EVENTS]: json(listOf(anOwnEvent({ isOnline: true, maximumParticipant: 8 }))),
  [SESSIONS]: json(pageOf(aSession())),
  [BOOKINGS]: json([aLatest()]),
  [FIGURES]: json([aFigure()]),
  'GET /api/me/retention': json({ attendanceMonths: 12 }),
});

/** Draws the page of a practice. */
async function open(answers: Record<string, Answer> = {}) {
  const server = network({ ...practice(), ...answers });
  await draw(createQueryClient());
  return server;
}

async function draw(queries: QueryClient) {
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <Suspense>
          <DashboardPage />
        </Suspense>
      ),
    }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  });
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByRole('heading', { level: 1 });
  // The cards below the first ones are drawn after them.
  await cardToCome('Trees');
}

describe('as the first page', LONG, () => {
  const CLOCK = 'GET /api/public/config';
  /** The practice, and how often each answer was requested. */
  function counted() {
    const asked: Record<string, number> = {};
    const clock = { anchorReal: NOW, anchorProduct: NOW, speed: 1, serverNow: NOW };
    const answers = { ...practice(), [CLOCK]: json({ clock, demo: null }) };
    network(
      Object.fromEntries(
        Object.entries(answers).map(([name, answer]): [string, Answer] => [
          name,
          (body) => {
            asked[name] = (asked[name] ?? 0) + 1;
            return answer(body);
          },
        ]),
      ),
    );
    return asked;
  }

  test('it prefetches its data once, including the clock, and again when somebody returns', async () => {
    const asked = counted();
    const queries = createQueryClient();
    const ahead = fetchDashboardAhead(queries);
    const all = [USAGE, EVENTS, SESSIONS, BOOKINGS, CLOCK];
    const often = () => all.map((name) => asked[name]);
    await waitFor(() => expect(often()).toEqual([1, 1, 1, 1, 1]));
    await draw(queries);
    await screen.findByRole('heading', { name: 'Evening circle' });
    await ahead;
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(often()).toEqual([1, 1, 1, 1, 1]);
    cleanup();
    await draw(queries);
    await waitFor(() => expect(Math.min(...often().map(Number))).toBeGreaterThan(1));
  });

  test('it prefetches nothing while nobody is signed in', async () => {
    const asked = counted();
    storage.remove('user');
    await fetchDashboardAhead(createQueryClient());
    expect(asked).toEqual({});
  });

  test('the next event is drawn before the cards below it', async () => {
    network(practice());
    const queries = createQueryClient();
    await fetchDashboardAhead(queries);
    const drawn: string[][] = [];
    const watch = new MutationObserver(
      () => void drawn.push(screen.queryAllByRole('heading').map(({ textContent }) => textContent)),
    );
    watch.observe(document.body, { childList: true, subtree: true });
    await draw(queries);
    watch.disconnect();
    const first = drawn.find((headings) => headings.includes('Evening circle'));
    expect(first).toBeDefined();
    expect(first).not.toContain('Trees');
    expect(first).not.toContain('Latest sessions');
  });

  test('the picture of the next event is requested before the card exists, without waiting to be visible', async () => {
    network({ ...practice(), [EVENTS]: json(listOf(anOwnEvent({ files: ['a.webp'] }))) });
    const queries = createQueryClient();
    await fetchDashboardAhead(queries);
    const link = document.head.querySelector<HTMLLinkElement>('link[rel=preload][as=image]');
    const address = link?.getAttribute('href');
    link?.remove();
    await draw(queries);
    const region = await screen.findByRole('region', { name: 'Next event' });
    await waitFor(() => expect(region.querySelector('img')).toBeTruthy());
    const picture = region.querySelector('img');
    expect([picture?.getAttribute('src'), picture?.getAttribute('loading')]).toEqual([address, 'eager']);
    expect(address).toMatch(/a\.webp$/);
  });
});

describe('the join link', LONG, () => {
  test('after another tab of this browser has renewed it, the new one is shown', async () => {
    await open();
    expect(links()).toContain('/user/join/anna-room');
    storage.set('user', { ...therapist, joinLink: 'new-link' });
    await act(async () => window.dispatchEvent(new Event('storage')));
    await waitFor(() => expect(links()).toContain('/user/join/new-link'));
  });

  test('after another browser has renewed it, returning to the page shows the new one', async () => {
    const server = await open();
    server.all[USER] = json({ ...therapist, joinLink: 'new-link' });
    await act(async () => window.dispatchEvent(new Event('focus')));
    await waitFor(() => expect(links()).toContain('/user/join/new-link'));
    expect(storage.get('user')?.joinLink).toBe('new-link');
  });

  test('it stays if the server cannot answer', async () => {
    await open({ [USER]: refuse(503, 'unavailable') });
    await within(await cardToCome('Latest sessions')).findByText(/Mirela/);
    expect(links()).toContain('/user/join/anna-room');
  });
});

describe('with data', LONG, () => {
  test('the next event: when, where, how full', async () => {
    await open();
    await screen.findByRole('heading', { name: 'Evening circle' });
    const next = screen.getByRole('region', { name: 'Next event' });
    expect(plain(next.textContent)).toMatch(/Next event, in 2 weeks.*Online/);
    expect(plain(next.textContent)).toMatch(/Thursday,? 17 December, 19:00 to 21:00/);
    expect(within(next).getByText('1 booked, 1 held, 6 places left')).toBeTruthy();
    const dots = [...next.querySelectorAll('.dots > span')].map((dot) => dot.getAttribute('data-state'));
    expect(dots).toEqual(['booked', 'held', null, null, null, null, null, null]);
  });

  test('an event with 500 places draws no dots; one that has begun or is full says so', async () => {
    const begun = { startsOn: '2026-12-01T08:00:00Z', maximumParticipant: 500, currentParticipantsNumber: 500 };
    await open({ [EVENTS]: json(listOf(anOwnEvent({ ...begun, held: 0, confirmed: 500 }))) });
    await screen.findByText('Taking place now');
    expect(screen.getByText('500 booked, full')).toBeTruthy();
    expect(document.querySelectorAll('.dots > span')).toHaveLength(0);
  });

  test('its participants open', async () => {
    await open({ 'GET /api/me/event/31': json(oneOf(anOwnEvent())), 'GET /api/event-booking/31': json([]) });
    await userEvent.click(await screen.findByRole('button', { name: 'See participants' }));
    await screen.findByRole('dialog');
  });

  test('9.6 a change of the next event can be undone on the dashboard', async () => {
    const server = await open({
      'GET /api/me/event/31': json(oneOf(anOwnEvent())),
      'POST /api/event/save': json({ ids: [31], emails: 0 }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
    const name = await screen.findByLabelText(/^Event name/);
    await userEvent.clear(name);
    await userEvent.type(name, 'Morning circle');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await screen.findByText('Your change has been undone.');
    const names = server.sent.map(({ body }) => (body as { eventName?: string }).eventName);
    expect(names.filter(Boolean)).toEqual(['Morning circle', 'Evening circle']);
    expect(screen.queryByRole('button', { name: 'Undo' })).toBe(null);
  });

  test('the latest live sessions lead to their details', async () => {
    await open();
    const row = await within(await cardToCome('Latest sessions')).findByRole('link', {
      name: /Mirela and Levente/,
    });
    expect(plain(row.textContent)).toBe('3 DecMirela and Levente2 people · 2 h 10 min');
    expect(row.getAttribute('href')).toBe('/app/history?session=5');
    expect(row.querySelectorAll('svg')).toHaveLength(1);
  });

  test('a running one leads back to the field', async () => {
    await open({ [SESSIONS]: json(pageOf(aSession({ endedOn: null, endReason: null, field: null }))) });
    expect(await screen.findByRole('link', { name: 'Back to the field' })).toBeTruthy();
    expect(within(card('Latest sessions')).getByText('Running now')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Open the field' })).toBe(null);
  });

  test('7.5 trees: fourteen and the growth of the next', async () => {
    await open();
    await within(await cardToCome('Trees')).findByText('14 trees');
    expect(plain(card('Trees').textContent)).toContain('14 trees and 1:42 towards the next');
    expect(card('Trees').querySelectorAll('g')).toHaveLength(14);
  });

  test('7.5 forty trees: fourteen are drawn, the others are counted', async () => {
    await open({
      [USAGE]: json(
        aUsage({ timer: { counterState: 40 * TREE_SECONDS, counting: false, at: NOW, stopsAtSeconds: null } }),
      ),
    });
    await within(await cardToCome('Trees')).findByText('40 trees');
    expect(card('Trees').querySelectorAll('g')).toHaveLength(14);
    expect(card('Trees').querySelector('text')?.textContent).toBe('+26');
  });

  test('7.5 a tree grows while the timer counts', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
    const timer = { counterState: TREE_SECONDS - 5, counting: true, at: NOW, stopsAtSeconds: null };
    await open({ [USAGE]: json(aUsage({ timer })) });
    await within(await cardToCome('Trees')).findByText('2:59 of 3 hours towards your first tree');
    await act(async () => void (await vi.advanceTimersByTimeAsync(6_000)));
    await within(await cardToCome('Trees')).findByText('1 tree');
  });

  test('people helped, and hours by week as a table for screen readers', async () => {
    await open();
    await within(await cardToCome('People helped')).findByText('63');
    const table = within(card('Hours by week')).getByRole('table', { name: 'Hours by week' });
    expect(
      within(table)
        .getAllByRole('row')
        .map(({ textContent }) => plain(textContent)),
    ).toEqual(['WeekTime used', 'Week of 23 November 20260 min', 'Week of 30 November 20262 h 30 min']);
    expect(plain(card('Hours by week').textContent)).toContain('This week: 2 h 30 min');
  });

  test('bookings: who, for which event, and their state; minutes left count down, then the hold has expired', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
    await open({
      [BOOKINGS]: json([
        aLatest(),
        aLatest({ firstName: 'Levente', lastName: 'Kiss', state: 'HELD', heldUntil: '2026-12-01T09:05:30Z' }),
        aLatest({ firstName: 'Ana', lastName: 'P', state: 'CANCELLED' }),
      ]),
    });
    const said = () =>
      within(card('New bookings'))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    await waitFor(() =>
      expect(said()).toEqual([
        'Mirela Pop, Evening circle, Confirmed',
        'Levente Kiss, Evening circle, Held, 6 min',
        'Ana P, Evening circle, Cancelled',
      ]),
    );
    await act(async () => void (await vi.advanceTimersByTimeAsync(90_000)));
    expect(said()[1]).toBe('Levente Kiss, Evening circle, Held, 4 min');
    await act(async () => void (await vi.advanceTimersByTimeAsync(300_000)));
    expect(said()[1]).toBe('Levente Kiss, Evening circle, Expired');
  });

  test('the page for codes is shown as a whole address that can be copied', async () => {
    await open();
    const link = await screen.findByRole('link', { name: `${window.location.host}/user/code` });
    expect(link.getAttribute('href')).toBe('/user/code');
    const person = userEvent.setup();
    await person.click(screen.getByRole('button', { name: 'Copy address' }));
    expect(await screen.findByText('Address copied.')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/user/code`);
  });

  test('the field shows the therapist’s own figures', async () => {
    await open({ [FIGURES]: json([aFigure(), aFigure({ id: 2, name: 'Father' })]) });
    const field = await screen.findByRole('img', { name: 'Your field with 2 figures' });
    expect(field.querySelector('[data-figure="1"]')?.getAttribute('transform')).toBe(
      'translate(400 300) rotate(90) scale(1.2)',
    );
    expect([...field.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual(['Mother', 'Father']);
  });

  test('a full field is drawn without names, which would cover each other', async () => {
    await open({ [FIGURES]: json(Array.from({ length: 60 }, (_, index) => aFigure({ id: index + 1 }))) });
    const field = await screen.findByRole('img', { name: 'Your field with 60 figures' });
    expect(field.querySelectorAll('[data-figure]')).toHaveLength(60);
    expect(field.querySelectorAll('text')).toHaveLength(0);
  });
});

describe('a new therapist', LONG, () => {
  const fresh = (): Record<string, Answer> => ({
    [USAGE]: json(
      aUsage({
        plan: 'TRIAL',
        peopleHelped: 0,
        timer: { counterState: 0, counting: false, at: NOW, stopsAtSeconds: null },
        weeks: [{ monday: '2026-11-30', seconds: 0 }],
      }),
    ),
    [EVENTS]: json(listOf()),
    [SESSIONS]: json(pageOf()),
    [BOOKINGS]: json([]),
    [FIGURES]: json([]),
    [LATEST]: json(null),
  });
  const steps = () =>
    within(card('First steps'))
      .getAllByRole('listitem')
      .map((step) => ({
        done: step.hasAttribute('data-done'),
        act:
          within(step).queryByRole('link')?.getAttribute('href') ??
          within(step).queryByRole('button')?.textContent ??
          null,
      }));

  test('sees what each card is for, and four steps with one act each', async () => {
    await open(fresh());
    await screen.findByRole('heading', { name: 'First steps' });
    expect(steps()).toEqual([
      { done: false, act: '/app/play-area' },
      { done: false, act: 'Copy join link' },
      { done: false, act: '/app/program' },
      { done: false, act: '/app/subscription/professional-package' },
    ]);
    expect(screen.getByRole('heading', { name: 'No events planned' })).toBeTruthy();
    for (const text of [
      /^Your sessions appear here/,
      /^0:00 of 3 hours towards your first tree/,
      /^Everyone you let into a session counts here/,
      /^The hours you work on the field appear here/,
      /^People who book a place at your events appear here/,
      /^No figures yet/,
    ])
      expect(await screen.findByText(text)).toBeTruthy();
  });

  test('a finished step has a tick and no act', async () => {
    await open({ ...fresh(), [SESSIONS]: json(pageOf(aSession())), [LATEST]: json(anOwnEvent()) });
    await screen.findByText('2 of 4 done');
    expect(steps().map(({ done, act: way }) => [done, way === null])).toEqual([
      [true, true],
      [false, false],
      [true, true],
      [false, false],
    ]);
  });

  test('the steps disappear when all are done', async () => {
    await open();
    await within(await cardToCome('People helped')).findByText('63');
    await screen.findByRole('heading', { name: 'Evening circle' });
    expect(screen.queryByRole('heading', { name: 'First steps' })).toBe(null);
  });
});

describe('with failed requests', LONG, () => {
  test('each card says what it could not load, the others stay, and trying again fills it', async () => {
    const server = await open({ [SESSIONS]: refuse(503, 'unavailable'), [USAGE]: refuse(503, 'unavailable') });
    await screen.findByRole('heading', { name: 'Latest sessions' });
    const fault = await within(await cardToCome('Latest sessions')).findByRole('alert');
    expect(fault.textContent).toMatch(/^We couldn’t load your sessions\. .+Try again$/);
    for (const title of ['Trees', 'People helped', 'Hours by week'])
      expect(await within(await cardToCome(title)).findByRole('alert')).toBeTruthy();
    await within(await cardToCome('New bookings')).findByText('Mirela Pop');
    server.all[USAGE] = json(aUsage());
    await userEvent.click(within(card('Trees')).getByRole('button', { name: 'Try again' }));
    await within(await cardToCome('Trees')).findByText('14 trees');
    // One answer serves all three cards.
    await within(await cardToCome('People helped')).findByText('63');
  });

  test('while requests are pending, cards keep their places; the column that steps may lead loads as one', async () => {
    const never: Answer = () => new Promise<Response>(() => {});
    await open({ [SESSIONS]: never, [USAGE]: never, [BOOKINGS]: never, [EVENTS]: never, [FIGURES]: never });
    expect(screen.getAllByRole('status', { name: 'Loading' })).toHaveLength(4);
    expect(screen.queryByRole('alert')).toBe(null);
  });
});
