/**
 * The programme form as a person sees it: the real page without the shell, with a simulated server at the network's
 * edge.
 */
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords, switchLanguage } from '../../../platform/i18n/app.ts';
import { deviceStore, keepSignIn, storage } from '../../../platform/storage.ts';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { theme } from '../../../ui/theme/theme.ts';
import { dropDraft, keepDraft } from './draft.ts';
import { EventEditDialog } from '../edit/EventEditDialog.tsx';
import { blankValues, type EventFormValues } from '../form/formValues.ts';
import { zoneCity } from '../dates/zoneCity.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { anOwnEvent, type Answer, json, therapist } from '../eventPages.testing.tsx';
import { fetchProgramAhead, ProgramPage } from './ProgramPage.tsx';

const NOW = '2026-12-01T09:00:00Z';
const own = anOwnEvent({ address: 'Elm Lane 4, Vienna', currentParticipantsNumber: 5, confirmed: 4 });
const { held: _held, confirmed: _confirmed, deleted: _deleted, cancelReason: _reason, ...latest } = own;
const versions = { this: 'v1', later: 'w1' };
const page = (content: unknown[]) => ({ content, page: 0, size: 100, totalElements: content.length });

const refuse =
  (status: number, code: string, more = {}): Answer =>
  () =>
    Response.json({ code, status, ...more }, { status });
const HELP: Record<string, Answer> = {
  'GET /api/public/config': json({
    clock: { anchorReal: NOW, anchorProduct: NOW, speed: 1, serverNow: NOW },
    demo: null,
  }),
  'GET /api/event/findLatestByTherapistId/7': json(latest),
  'GET /api/event/findDistinctNameByTheripstId/7': json(['Evening circle', 'Finding your place']),
  'GET /api/event/findDistinctAddressByTheripstId/7': json(['Elm Lane 4, Vienna']),
  'GET /api/event/images': json([]),
  'GET /api/me/event-defaults': json({ timeZone: 'Europe/Vienna', locations: ['Elm Yard', 'Oak Yard'] }),
  'POST /api/me/events': json(page([own])),
};
/** The calls that only read. */
const ASKED = ['POST /api/me/events', 'POST /api/me/event/preview'];
function network(answers: Record<string, Answer> = {}) {
  const all: Record<string, Answer> = { ...HELP, ...answers };
  const sent: { name: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const name = `${init.method} ${address.split('?')[0]}`;
    if (init.method !== 'GET' && !ASKED.includes(name))
      sent.push({ name, body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body });
    const answer = all[name];
    if (!answer) throw new TypeError(`no line for ${name}`);
    return answer(null);
  });
  return { all, sent };
}

/** The two pages between which a therapist moves, under their route names. */
function draw(search = '', queries = createQueryClient()) {
  const root = createRootRoute();
  const app = createRoute({ getParentRoute: () => root, path: 'app' });
  const shell = createRoute({ getParentRoute: () => app, id: 'shell' });
  const program = createRoute({ getParentRoute: () => shell, path: 'program', component: ProgramPage });
  const events = createRoute({ getParentRoute: () => shell, path: 'manage-events-client' });
  const routes = createRouter({
    routeTree: root.addChildren([app.addChildren([shell.addChildren([program, events])])]),
    history: createMemoryHistory({ initialEntries: [`/app/program${search}`] }),
  });
  // The names are those of the product's own routes, the tree is smaller.
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={routes as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return routes;
}
async function open(search = '') {
  const routes = draw(search);
  await screen.findByRole('heading', { name: 'About' });
  return routes;
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
// Intl puts no-break and thin spaces where people read spaces.
const plain = (text: string | null) => (text ?? '').replace(/[\u00A0\u2009\u202F]/g, ' ');
const nameField = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Event name' });
const check = () => userEvent.click(screen.getByRole('button', { name: 'Check and publish' }));
const summary = () => within(screen.getByRole('complementary', { name: 'This is how it appears on your page' }));

/** A draft with everything an event needs, so that not every test has to type it. */
function written(change: Partial<EventFormValues> = {}): void {
  keepDraft(7, {
    ...blankValues('en', 'Europe/Vienna'),
    eventName: 'Finding your place',
    isOnline: false,
    eventLocation: 'Elm Yard',
    address: 'Elm Lane 4, Vienna',
    dates: ['2026-12-12', '2026-12-13'],
    startTime: '09:30',
    endTime: '17:00',
    maximumParticipant: '8',
    price: '240.50',
    ...change,
  });
}
/** The same, typed. */
async function write() {
  fireEvent.change(nameField(), { target: { value: 'Finding your place' } });
  type('Start', '9:30');
  type('End', '17');
  type('Maximum participants', '8');
  type('Price per person', '240,5');
  await userEvent.click(screen.getByRole('button', { name: 'Choose days' }));
  const calendar = within(await screen.findByRole('dialog', { name: 'Choose days' }));
  await userEvent.click(calendar.getByRole('button', { name: /^Saturday, 12 December 2026/ }));
  await userEvent.click(calendar.getByRole('button', { name: /^Sunday, 13 December 2026/ }));
  await userEvent.click(calendar.getByRole('button', { name: 'Done' }));
}

beforeAll(async () => {
  // The whole page in a simulated browser: checking for each element whether it is hidden would take most of the time.
  configure({ defaultHidden: true });
  // The simulated browser has no fonts to wait for.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['events']);
});
beforeEach(() => {
  window.localStorage.clear();
  dropDraft(7);
  keepSignIn(storage, { token: 't', user: therapist });
  Element.prototype.scrollIntoView = () => {};
  window.scrollTo = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Whether the browser asks before the page is reloaded or closed. */
const warns = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** The whole page is drawn repeatedly, on a machine that others use too. */
const LONG = { timeout: 60_000 };

describe('writing an event', LONG, () => {
  test('an invalid form marks every fault at its field, focuses the first and sends nothing', async () => {
    const { sent } = network();
    await open();
    await check();
    expect(await screen.findByText('Please give the event a name.')).toBeTruthy();
    for (const text of [
      'Choose at least one day.',
      'When does it start?',
      'When does it end?',
      'How many people can come?',
      'What does it cost? Enter 0 if it’s free.',
    ])
      expect(screen.getByText(text)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(nameField()));
    expect(nameField().getAttribute('aria-invalid')).toBe('true');
    expect(summary().getByRole('alert').textContent).toBe('Please check 6 fields. They’re marked in red.');
    expect(sent).toEqual([]);
    // A corrected field is no longer marked.
    fireEvent.change(nameField(), { target: { value: 'X' } });
    await waitFor(() => expect(screen.queryByText('Please give the event a name.')).toBeNull());
  });

  test('the zone is the account’s, whatever the last event had; the browser’s if the account has none', async () => {
    network({ 'GET /api/me/event-defaults': json({ timeZone: 'Europe/Bucharest', locations: [] }) });
    await open();
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' }).value).toContain('Bucharest');
    cleanup();
    network({ 'GET /api/me/event-defaults': json({ timeZone: null, locations: [] }) });
    await open();
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' }).value).toContain(
      zoneCity(browserZone(), 'en'),
    );
  });

  test('the summary shows typed text at once; the place is that of the last event', async () => {
    network();
    await open();
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Venue' }).value).toBe('Elm Yard');
    await write();
    const words = plain(screen.getByRole('complementary').textContent);
    for (const text of [
      'Finding your place',
      'Elm Yard, Elm Lane 4, Vienna',
      '09:30 to 17:00, Vienna time',
      '8 places per date, €240.50 per person',
      '12 – 13 December 2026',
      '1 date',
    ])
      expect(words).toContain(text);
  });

  test('9.22 a description of several parts is previewed while it is typed', async () => {
    network();
    await open();
    const preview = { name: 'This is how it appears on your page' };
    type('Description', 'A quiet day.');
    expect(screen.queryByRole('group', preview)).toBeNull();
    type('Description', 'A quiet day.\n\n- Warm socks\n- A pen\n\nSee you there.');
    const shown = within(await screen.findByRole('group', preview));
    expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['Warm socks', 'A pen']);
    expect(shown.getByText('See you there.')).toBeTruthy();
    type('Description', 'A quiet day.\n\n- Warm socks\n- A pen\n\nSee you soon.');
    expect(await shown.findByText('See you soon.')).toBeTruthy();
    type('Description', 'A quiet day.');
    await waitFor(() => expect(screen.queryByRole('group', preview)).toBeNull());
  });

  test('publishes exactly the contract’s payload once, with a disabled button while saving, and leads to My events', async () => {
    let release: (response: Response) => void = () => {};
    const { sent } = network({
      'POST /api/event/save': () =>
        new Promise<Response>((done) => {
          release = done;
        }),
    });
    const routes = await open();
    await write();
    await check();
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish this event?' }));
    expect(dialog.getByText('Finding your place')).toBeTruthy();
    expect(sent).toEqual([]);
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
    const saving = await dialog.findByRole<HTMLButtonElement>('button', { name: 'Publishing' });
    expect(saving.disabled).toBe(true);
    fireEvent.click(saving);
    release(Response.json({ id: 40, emails: 0 }));
    await waitFor(() => expect(routes.state.location.pathname).toBe('/app/manage-events-client'));
    expect(sent).toEqual([
      {
        name: 'POST /api/event/save',
        body: {
          id: null,
          eventName: 'Finding your place',
          type: 'GROUP',
          isOnline: false,
          eventLocation: 'Elm Yard',
          address: 'Elm Lane 4, Vienna',
          description: '',
          dates: ['2026-12-12', '2026-12-13'],
          repetitions: [],
          startTime: '09:30',
          endTime: '17:00',
          timeZone: 'Europe/Vienna',
          price: '240.50',
          currency: 'EUR',
          maximumParticipant: 8,
          repetitionRule: null,
        },
      },
    ]);
    expect(window.localStorage.getItem('event_draft_7')).toBeNull();
  });

  test('a refusal is shown at its field, and no word is lost', async () => {
    network({
      'POST /api/event/save': refuse(400, 'invalid_input', {
        fields: [
          { path: 'dates', code: 'in_past' },
          { path: 'eventName', code: 'unsafe_characters' },
        ],
      }),
    });
    written();
    await open();
    await check();
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }));
    expect(await screen.findByText('That’s in the past.')).toBeTruthy();
    expect(screen.getByText('This contains characters that can’t be displayed safely.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Publish this event?' })).toBeNull());
    expect(nameField().value).toBe('Finding your place');
  });

  test('a refusal without a field is shown in the dialog, which stays', async () => {
    network({ 'POST /api/event/save': refuse(429, 'too_many_requests', { retryAfterSeconds: 120 }) });
    written();
    await open();
    await check();
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish this event?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
    expect(await dialog.findByText(/Too many attempts. Please wait 2 minutes. Nothing was published/)).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Publish' }).disabled).toBe(false);
  });

  test('9.18 if the answer of a save is lost, nothing claims that it failed; the next try finds the event', async () => {
    const { sent, all } = network({
      'POST /api/event/save': () => {
        throw new TypeError('the connection breaks');
      },
    });
    written();
    const routes = await open();
    await check();
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish this event?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
    expect(await dialog.findByText(/We don’t know whether the event has been published/)).toBeTruthy();
    expect(dialog.queryByText(/Nothing was published/)).toBeNull();
    all['GET /api/event/findLatestByTherapistId/7'] = json({
      ...latest,
      id: 40,
      seriesId: 40,
      eventName: 'Finding your place',
      startTime: '09:30',
      dates: ['2026-12-12', '2026-12-13'],
    });
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(routes.state.location.pathname).toBe('/app/manage-events-client'));
    expect(sent).toHaveLength(1);
  });

  test('attendees to start with: one call a row; a refused one is reported and only it is sent again', async () => {
    const added: unknown[] = [];
    let full = true;
    const { sent, all } = network({ 'POST /api/event/save': json({ id: 40, emails: 0 }) });
    all['POST /api/event-booking/user/40/add'] = () => {
      const body = sent.at(-1)?.body as { firstName: string };
      if (full && body.firstName === 'Levente') return refuse(409, 'event_full')(null);
      added.push(body);
      return Response.json({});
    };
    written();
    const routes = await open();
    // All of this is in the draft.
    expect(warns()).toBe(false);
    for (const [index, [firstName, familyName, email]] of [
      ['Réka', 'Kis', 'reka@mail.example'],
      ['Levente', 'Nagy', 'levente@mail.example'],
    ].entries()) {
      await userEvent.click(screen.getByRole('button', { name: index === 0 ? 'Add a person' : 'Add another person' }));
      const row = within(screen.getByRole('group', { name: `Person ${index + 1}` }));
      fireEvent.change(row.getByLabelText('First name'), { target: { value: firstName } });
      fireEvent.change(row.getByLabelText('Family name'), { target: { value: familyName } });
      fireEvent.change(row.getByLabelText('Email'), { target: { value: email } });
    }
    expect(warns()).toBe(true);
    await check();
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish this event?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
    expect(await screen.findByText('The event has been published and can be booked.')).toBeTruthy();
    expect(await screen.findByText(/Not everyone could be added/)).toBeTruthy();
    expect(screen.getByText('Added – an email has been sent')).toBeTruthy();
    // Missing people are not lost without a question (docs/product.md#9.25).
    await userEvent.click(screen.getByRole('button', { name: 'Go to my events' }));
    const question = within(await screen.findByRole('dialog', { name: 'Leave without adding everyone?' }));
    expect(question.getByRole('button', { name: 'Leave without them' })).toBeTruthy();
    await userEvent.click(question.getByRole('button', { name: 'Stay here' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Leave without adding everyone?' })).toBeNull());
    expect(routes.state.location.pathname).toBe('/app/program');
    full = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(routes.state.location.pathname).toBe('/app/manage-events-client'));
    expect(sent.map(({ name }) => name)).toEqual([
      'POST /api/event/save',
      ...Array.from({ length: 3 }, () => 'POST /api/event-booking/user/40/add'),
    ]);
    expect(added).toEqual([
      { firstName: 'Réka', lastName: 'Kis', email: 'reka@mail.example', phoneNumber: '' },
      { firstName: 'Levente', lastName: 'Nagy', email: 'levente@mail.example', phoneNumber: '' },
    ]);
  });

  test('a repetition shows its dates at once, single dates can be removed and restored, clashes name their day', async () => {
    const { sent } = network({ 'POST /api/event/save': json({ id: 40, emails: 0 }) });
    written();
    await open();
    await userEvent.click(screen.getByRole('switch', { name: /^Repeat/ }));
    type('Number of dates', '3');
    const sentence = () => screen.getByText(/^Every week on /).textContent;
    expect(sentence()).toBe('Every week on Saturday and Sunday, until 27 December 2026');
    // 12 and 13 December, 19 and 20, 26 and 27: nothing of it meets the evening of the 17th.
    expect(screen.queryByText(/Same time:/)).toBeNull();
    const dates = () =>
      within(screen.getByRole('list', { name: 'Dates' }))
        .getAllByRole('listitem')
        .map((item) => plain(item.textContent));
    expect(dates()).toEqual([
      '12 – 13 December 2026 Sat and SunFirst date',
      '19 – 20 December 2026 Sat and Sun',
      '26 – 27 December 2026 Sat and Sun',
    ]);
    await userEvent.click(screen.getByRole('button', { name: /^Remove date 19/ }));
    expect(dates()).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Restore' }));
    expect(dates()).toHaveLength(3);
    await userEvent.click(screen.getByRole('button', { name: /^Remove date 26/ }));
    expect(sentence()).toBe('Every week on Saturday and Sunday, until 20 December 2026');
    await check();
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({
      repetitions: ['2026-12-19'],
      repetitionRule: { unit: 'week', frequency: 1, occasions: 3 },
    });
  });

  test('the calendar already names a clash with its day', async () => {
    network();
    written({ dates: ['2026-12-16', '2026-12-17'], startTime: '18:00', endTime: '20:00' });
    await open();
    expect((await screen.findAllByText('Evening circle, 17 Dec')).length).toBe(2);
    await userEvent.click(screen.getByRole('button', { name: 'Choose days' }));
    expect(await screen.findByRole('button', { name: 'Thursday, 17 December 2026, Evening circle' })).toBeTruthy();
    type('End', '19:00');
    await waitFor(() => expect(screen.queryByText('Evening circle, 17 Dec')).toBeNull());
  });
});

describe('initial values', LONG, () => {
  const LATEST = 'GET /api/event/findLatestByTherapistId/7';

  test('are prefetched once, but their answers are not reused for the next form', async () => {
    const asked = vi.fn(json(latest));
    network({ [LATEST]: asked });
    const queries = createQueryClient();
    await fetchProgramAhead('', queries);
    expect(asked).toHaveBeenCalledTimes(1);
    draw('', queries);
    await screen.findByRole('heading', { name: 'About' });
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(asked).toHaveBeenCalledTimes(1);
    cleanup();
    await waitFor(() => expect(queries.getQueryCache().getAll()).toEqual([]));
  });

  test('are not prefetched for a copy, or while nobody is signed in', async () => {
    const asked = vi.fn(json(latest));
    network({ [LATEST]: asked });
    await fetchProgramAhead('?copy=12', createQueryClient());
    storage.remove('user');
    await fetchProgramAhead('', createQueryClient());
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('drafts', LONG, () => {
  test('a draft returns after a reload, marked, without people’s names on the disk, and can be cleared and restored', async () => {
    network();
    await open();
    fireEvent.change(nameField(), { target: { value: 'Half an idea' } });
    expect(await screen.findByText('Draft saved on this device')).toBeTruthy();
    const disk = window.localStorage.getItem('event_draft_7');
    expect(disk).toContain('Half an idea');
    cleanup();
    dropDraft(7);
    window.localStorage.setItem('event_draft_7', disk as string);
    await open();
    expect(nameField().value).toBe('Half an idea');
    expect(screen.getByText('Draft saved on this device')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear form' }));
    expect(nameField().value).toBe('');
    expect(window.localStorage.getItem('event_draft_7')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(nameField().value).toBe('Half an idea');
  });

  test('leaving at once, before anything was written to the disk, keeps a draft too', async () => {
    network();
    await open();
    fireEvent.change(nameField(), { target: { value: 'Quick' } });
    cleanup();
    await open();
    expect(nameField().value).toBe('Quick');
  });

  test('a draft that was emptied by hand does not return', async () => {
    network();
    await open();
    fireEvent.change(nameField(), { target: { value: 'Half an idea' } });
    expect(await screen.findByText('Draft saved on this device')).toBeTruthy();
    fireEvent.change(nameField(), { target: { value: '' } });
    await waitFor(() => expect(screen.queryByText('Draft saved on this device')).toBeNull());
    expect(window.localStorage.getItem('event_draft_7')).toBeNull();
    // Also if the page is left before the draft was written.
    fireEvent.change(nameField(), { target: { value: 'Another idea' } });
    expect(await screen.findByText('Draft saved on this device')).toBeTruthy();
    fireEvent.change(nameField(), { target: { value: '' } });
    cleanup();
    await open();
    expect(nameField().value).toBe('');
  });

  test('a draft that was emptied by hand does not return if the browser stores nothing', async () => {
    network();
    const refused = vi.spyOn(deviceStore, 'set').mockReturnValue(false);
    await open();
    fireEvent.change(nameField(), { target: { value: 'Half an idea' } });
    fireEvent(window, new Event('pagehide'));
    cleanup();
    await open();
    expect(nameField().value).toBe('Half an idea');
    fireEvent.change(nameField(), { target: { value: 'Another idea' } });
    fireEvent(window, new Event('pagehide'));
    expect(screen.queryByText('Draft saved on this device')).toBeNull();
    fireEvent.change(nameField(), { target: { value: '' } });
    cleanup();
    await open();
    expect(nameField().value).toBe('');
    refused.mockRestore();
  });

  test('a draft that was cleared does not return as an empty one', async () => {
    network();
    written();
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Clear form' }));
    cleanup();
    expect(window.localStorage.getItem('event_draft_7')).toBeNull();
    await open();
    expect(screen.queryByText('Draft saved on this device')).toBeNull();
  });

  test('the last event provides everything except its days, and can be withdrawn', async () => {
    network();
    await open();
    fireEvent.change(nameField(), { target: { value: 'My own words' } });
    await userEvent.click(screen.getByRole('button', { name: 'Copy my last event' }));
    expect(nameField().value).toBe('Evening circle');
    expect(screen.getByLabelText<HTMLInputElement>('Start').value).toBe('19:00');
    expect(screen.getByLabelText<HTMLInputElement>('Price per person').value).toBe('35.00');
    expect(summary().getByText('Add dates')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(nameField().value).toBe('My own words');
  });

  test('a copy starts from the copied event and puts a draft aside', async () => {
    network({ 'GET /api/me/event/31': json({ event: { ...own, eventName: 'To copy' }, series: [], versions }) });
    await open();
    fireEvent.change(nameField(), { target: { value: 'Half an idea' } });
    cleanup();
    await open('?copy=31');
    expect(nameField().value).toBe('To copy');
    expect(screen.getByText('We set your draft aside for this copy.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(nameField().value).toBe('Half an idea');
  });

  test('decimal comma in German', async () => {
    network({ 'GET /api/event/findLatestByTherapistId/7': json(null) });
    await switchLanguage('de');
    try {
      draw();
      const price = await screen.findByLabelText<HTMLInputElement>('Preis pro Person');
      fireEvent.change(price, { target: { value: '1.240,5' } });
      fireEvent.blur(price);
      expect(price.value).toBe('1240,50');
      expect(plain(screen.getByRole('complementary').textContent)).toContain('1.240,50 € pro Person');
    } finally {
      await switchLanguage('en');
    }
  });
});

describe('editing an event', LONG, () => {
  const series = [
    {
      id: 30,
      dates: ['2026-12-10'],
      startsOn: '2026-12-10T18:00:00Z',
      endsOn: '2026-12-10T20:00:00Z',
      held: 2,
      confirmed: 6,
    },
    {
      id: 31,
      dates: ['2026-12-17'],
      startsOn: '2026-12-17T18:00:00Z',
      endsOn: '2026-12-17T20:00:00Z',
      held: 1,
      confirmed: 4,
    },
    {
      id: 32,
      dates: ['2026-12-24'],
      startsOn: '2026-12-24T18:00:00Z',
      endsOn: '2026-12-24T20:00:00Z',
      held: 0,
      confirmed: 3,
    },
  ];
  const told = (id: number, held: number, confirmed: number) => ({
    id,
    dates: [id === 31 ? '2026-12-17' : '2026-12-24'],
    held,
    confirmed,
  });
  /** The server answers for this occurrence and the later ones with facts that the page does not have. */
  const preview = (...all: ReturnType<typeof told>[]) => json({ told: all });
  async function edit(answers: Record<string, Answer>, of = series) {
    const { sent, all } = network({
      'GET /api/me/event/31': json({ event: own, series: of, versions }),
      'POST /api/me/event/preview': json({ told: [] }),
      ...answers,
    });
    const onSaved = vi.fn();
    const onClose = vi.fn();
    render(
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={createQueryClient()}>
          <EventEditDialog eventId={31} onClose={onClose} onSaved={onSaved} />
        </QueryClientProvider>
      </MantineProvider>,
    );
    await screen.findByRole('heading', { name: 'About' });
    return { sent, all, onSaved, onClose };
  }
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

  test('closes at once without changes; otherwise cross, Escape and the button ask once', async () => {
    const { onClose } = await edit({});
    await userEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
    expect(onClose).toHaveBeenCalledTimes(1);
    expect(warns()).toBe(false);
    fireEvent.change(nameField(), { target: { value: 'Another name' } });
    await waitFor(() => expect(warns()).toBe(true));
    await userEvent.keyboard('{Escape}');
    const question = await screen.findByRole('dialog', { name: 'Discard your changes?' });
    expect(onClose).toHaveBeenCalledTimes(1);
    await userEvent.click(within(question).getByRole('button', { name: 'Keep editing' }));
    expect(nameField().value).toBe('Another name');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    const again = await screen.findByRole('dialog', { name: 'Discard your changes?' });
    await userEvent.click(within(again).getByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
    const last = await screen.findByRole('dialog', { name: 'Discard your changes?' });
    expect(onClose).toHaveBeenCalledTimes(1);
    await userEvent.click(within(last).getByRole('button', { name: 'Discard changes' }));
    expect(onClose).toHaveBeenCalledTimes(2);
  });

  test('is prefilled, and shows the recipients that the server announces, for this date and for the later ones', async () => {
    const { sent, all, onSaved, onClose } = await edit({
      'POST /api/event/save': json({ id: 31, emails: 8 }),
      'POST /api/me/event/preview': preview(told(31, 1, 4)),
    });
    expect(nameField().value).toBe('Evening circle');
    fireEvent.change(nameField(), { target: { value: 'Evening circle in December' } });
    expect(screen.queryByText(/We’ll email/)).toBeNull();
    type('Start', '18:30');
    expect(
      await screen.findByText('We’ll email: 4 people with a confirmed place and 1 person whose place is held.'),
    ).toBeTruthy();
    all['POST /api/me/event/preview'] = preview(told(31, 1, 4), told(32, 0, 3));
    await userEvent.click(screen.getByRole('radio', { name: 'This and 1 later date' }));
    expect(
      await screen.findByText(
        'We’ll email: 7 people with a confirmed place and 1 person whose place is held. They’re booked for: 17 December 2026 and 24 December 2026.',
      ),
    ).toBeTruthy();
    await save();
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(8, null));
    expect(onClose).toHaveBeenCalled();
    expect(sent).toEqual([
      {
        name: 'POST /api/event/save',
        body: {
          id: 31,
          eventName: 'Evening circle in December',
          type: 'GROUP',
          isOnline: false,
          eventLocation: 'Elm Yard',
          address: 'Elm Lane 4, Vienna',
          description: 'Calm.',
          dates: ['2026-12-17'],
          repetitions: [],
          startTime: '18:30',
          endTime: '21:00',
          timeZone: 'Europe/Vienna',
          price: '35.00',
          currency: 'EUR',
          maximumParticipant: 12,
          scope: 'later',
          version: 'w1',
        },
      },
    ]);
  });

  test('a change without emails can be undone while nothing else has changed', async () => {
    const { sent, all, onSaved } = await edit({ 'POST /api/event/save': json({ id: 31, emails: 0 }) });
    fireEvent.change(nameField(), { target: { value: 'Another name' } });
    all['GET /api/me/event/31'] = json({
      event: { ...own, eventName: 'Another name' },
      series,
      versions: { this: 'v2', later: 'w2' },
    });
    await save();
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(0, expect.any(Function)));
    await (onSaved.mock.calls[0] as [number, () => Promise<unknown>])[1]();
    expect(sent.map(({ body }) => body)).toMatchObject([
      { eventName: 'Another name', version: 'v1' },
      { eventName: 'Evening circle', version: 'v2', scope: 'this', startTime: '19:00' },
    ]);
  });

  test('nobody gets an unannounced email: a save before the server’s answer shows the recipients first', async () => {
    const asked: ((response: Response) => void)[] = [];
    const { sent, onSaved } = await edit({
      'POST /api/event/save': json({ id: 31, emails: 4 }),
      'POST /api/me/event/preview': () =>
        new Promise<Response>((done) => {
          asked.push(done);
        }),
    });
    type('Start', '18:30');
    await save();
    expect(sent).toEqual([]);
    await waitFor(() => {
      for (const answer of asked.splice(0)) answer(Response.json({ told: [told(31, 0, 4)] }));
      expect(
        screen.getByText('We’ll email: 4 people with a confirmed place. Please choose “Save” again.'),
      ).toBeTruthy();
    });
    expect(sent).toEqual([]);
    await save();
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(4, null));
  });

  describe('an event that was changed elsewhere', () => {
    const moved = { ...own, startTime: '20:00', endTime: '22:00', description: 'Their words.' };
    const refused = refuse(409, 'event_changed');
    /** Opened, then changed by somebody else; my own words are typed. */
    async function collide(answers: Record<string, Answer> = {}) {
      const opened = await edit({ 'POST /api/event/save': refused, ...answers });
      opened.all['GET /api/me/event/31'] = json({ event: moved, series, versions: { this: 'v2', later: 'w2' } });
      fireEvent.change(nameField(), { target: { value: 'My name' } });
      type('Description', 'My words.');
      await save();
      const title = await screen.findByRole('heading', { name: 'This event has changed in the meantime' });
      expect(document.activeElement).toBe(title);
      return opened;
    }

    test('is shown with the differences; one’s own changes are applied on top, and move nobody back', async () => {
      const { sent, all, onSaved } = await collide();
      const list = plain(screen.getByRole('group', { name: 'This event has changed in the meantime' }).textContent);
      for (const text of [
        'Before: Calm.',
        'Now: Their words.',
        'Yours: My words.',
        'Before: 19:00 to 21:00, Vienna time',
        'Now: 20:00 to 22:00, Vienna time',
      ])
        expect(list).toContain(text);
      expect(list).not.toContain('My name');
      all['POST /api/event/save'] = json({ id: 31, emails: 0 });
      await userEvent.click(screen.getByRole('button', { name: 'Save mine' }));
      await waitFor(() => expect(onSaved).toHaveBeenCalledWith(0, null));
      expect(sent).toHaveLength(2);
      expect(sent[1]?.body).toMatchObject({
        eventName: 'My name',
        description: 'My words.',
        startTime: '20:00',
        endTime: '22:00',
        version: 'v2',
      });
    });

    test('the newer version can be taken', async () => {
      const { sent, all } = await collide();
      await userEvent.click(screen.getByRole('button', { name: 'Use the newer version' }));
      expect(document.activeElement?.closest('form')).toBeTruthy();
      expect(nameField().value).toBe('Evening circle');
      expect(screen.getByLabelText<HTMLInputElement>('Start').value).toBe('20:00');
      expect(screen.getByText('This is the newer version. Your own changes have been discarded.')).toBeTruthy();
      all['POST /api/event/save'] = json({ id: 31, emails: 0 });
      await save();
      await waitFor(() => expect(sent).toHaveLength(2));
      expect(sent[1]?.body).toMatchObject({ description: 'Their words.', version: 'v2' });
    });

    test('the emails of one’s own version are announced there too', async () => {
      const { sent, all, onSaved } = await edit({
        'POST /api/event/save': refused,
        'POST /api/me/event/preview': refused,
      });
      all['GET /api/me/event/31'] = json({ event: moved, series, versions: { this: 'v2', later: 'w2' } });
      type('Start', '18:30');
      // The question appears with the preview, before anything is stored.
      await screen.findByRole('heading', { name: 'This event has changed in the meantime' });
      all['POST /api/me/event/preview'] = preview(told(31, 0, 4));
      all['POST /api/event/save'] = json({ id: 31, emails: 4 });
      expect(sent).toEqual([]);
      expect(await screen.findByText('We’ll email: 4 people with a confirmed place.')).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: 'Save mine' }));
      await waitFor(() => expect(onSaved).toHaveBeenCalledWith(4, null));
      expect(sent[0]?.body).toMatchObject({ startTime: '18:30', endTime: '21:00', version: 'v2' });
    });
  });

  test('the form says that another picture applies to this date, or to the later ones too', async () => {
    const { sent } = await edit({
      'POST /api/event/save': json({ id: 31, emails: 8 }),
      'GET /api/event/images': json([
        { eventId: 12, fileName: '3f0c7f0e-0000-4000-8000-000000000001.webp', eventName: 'Walk' },
      ]),
    });
    expect(screen.queryByText(/^The picture changes/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Add a picture' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Walk' }));
    expect(await screen.findByText('The picture changes for this date only.')).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'This and 1 later date' }));
    expect(screen.getByText('The picture changes for this and 1 later date.')).toBeTruthy();
    await save();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ scope: 'later', pictureFrom: { eventId: 12 } });
  });

  test('a picture that the server no longer has is reported at its place', async () => {
    await edit({
      'POST /api/event/save': refuse(400, 'invalid_input', { fields: [{ path: 'pictureFrom', code: 'unknown' }] }),
      'GET /api/event/images': json([
        { eventId: 12, fileName: '3f0c7f0e-0000-4000-8000-000000000001.webp', eventName: 'Walk' },
      ]),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Add a picture' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Walk' }));
    await save();
    expect(await screen.findByText('This no longer exists.')).toBeTruthy();
    expect(screen.getByText('Please check 1 field. It’s marked in red.')).toBeTruthy();
  });

  test('without bookings no email is announced', async () => {
    const free = { ...own, held: 0, confirmed: 0 };
    await edit({
      'GET /api/me/event/31': json({ event: free, series: [], versions }),
      'POST /api/me/event/preview': preview(told(31, 0, 0)),
    });
    type('End', '22:00');
    expect(
      await screen.findByText('The time or place changes. Nobody is booked yet, so we won’t send any emails.'),
    ).toBeTruthy();
    // Alone in its series: no question, but a repetition may be added.
    expect(screen.queryByText('Which dates?')).toBeNull();
    expect(screen.getByRole('switch', { name: /^Repeat/ })).toBeTruthy();
  });

  test('fewer places than taken ones are reported at the field, and the dialog stays', async () => {
    const { onSaved } = await edit({
      'POST /api/event/save': refuse(409, 'places_below_taken', {
        fields: [{ path: 'maximumParticipant', code: 'below_taken' }],
      }),
    });
    type('Maximum participants', '3');
    await save();
    const field = screen.getByLabelText('Maximum participants');
    expect(await screen.findByText('More places are already taken.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(onSaved).not.toHaveBeenCalled();
  });

  test('a refusal without a field and an invalid form send nothing further', async () => {
    const { sent } = await edit({ 'POST /api/event/save': refuse(409, 'event_cancelled') });
    type('Price per person', 'a lot');
    await save();
    expect(await screen.findByText('Please enter a price such as 240.00.')).toBeTruthy();
    expect(sent).toEqual([]);
    type('Price per person', '36');
    await save();
    expect(await screen.findByText(/cancelled/)).toBeTruthy();
  });

  test('an event that no longer exists is reported, and loading can be tried again', async () => {
    network({ 'GET /api/me/event/31': refuse(404, 'not_found') });
    render(
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={createQueryClient()}>
          <EventEditDialog eventId={31} onClose={() => {}} onSaved={() => {}} />
        </QueryClientProvider>
      </MantineProvider>,
    );
    expect((await screen.findByRole('alert')).textContent).toBe('We can’t find this.');
    network({ 'GET /api/me/event/31': json({ event: own, series, versions }) });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'About' })).toBeTruthy();
  });
});
