/** The programme form as a person meets it: the real page without the shell around it, with an imagined server at the network's edge. */
import type { Event } from '@fieldroom/contract/events';
import { MantineProvider } from '@mantine/core';
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
import { startWords, switchLanguage } from '../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { theme } from '../../ui/theme/theme.ts';
import { dropDraft, keepDraft } from './draft.ts';
import { EventEditDialog } from './EventEditDialog.tsx';
import { blankValues, type EventFormValues } from './events.form.ts';
import { ProgramPage } from './ProgramPage.tsx';

const user = {
  id: 7,
  firstName: 'Anna',
  lastName: 'B',
  email: 'a@b.example',
  roles: ['ROLE_THERAPIST' as const],
  authorities: ['ROLE_THERAPIST' as const],
  language: 'en' as const,
  joinLink: 'anna',
};
const NOW = '2026-12-01T09:00:00Z';
const latest: Event = {
  id: 31,
  seriesId: 30,
  therapistId: 7,
  therapistName: 'anna',
  status: 'PUBLISHED',
  eventName: 'Evening circle',
  type: 'GROUP',
  isOnline: false,
  eventLocation: 'Elm Yard',
  address: 'Elm Lane 4, Vienna',
  description: 'Calm.',
  dates: ['2026-12-17'],
  startTime: '19:00',
  endTime: '21:00',
  timeZone: 'Europe/Vienna',
  startsOn: '2026-12-17T18:00:00Z',
  endsOn: '2026-12-17T20:00:00Z',
  price: '35.00',
  currency: 'EUR',
  maximumParticipant: 12,
  currentParticipantsNumber: 5,
  currentParticipantsInfo: [],
  repetitions: [],
  repetitionRule: null,
  files: [],
};
const own = { ...latest, held: 1, confirmed: 4, deleted: false, cancelReason: null };
const page = (content: unknown[]) => ({ content, page: 0, size: 100, totalElements: content.length });

type Answer = () => Response | Promise<Response>;
const json =
  (body: unknown): Answer =>
  () =>
    Response.json(body);
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
  'POST /api/me/events': json(page([own])),
};
function network(answers: Record<string, Answer> = {}) {
  const all: Record<string, Answer> = { ...HELP, ...answers };
  const sent: { name: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const name = `${init.method} ${address.split('?')[0]}`;
    if (init.method !== 'GET' && name !== 'POST /api/me/events')
      sent.push({ name, body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body });
    const answer = all[name];
    if (!answer) throw new TypeError(`no line for ${name}`);
    return answer();
  });
  return { all, sent };
}

/** The two pages between which a therapist goes, under the names that the routes give them. */
function draw(search = '') {
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
      <RouterProvider router={routes as never} />
    </MantineProvider>,
  );
  return routes;
}
async function open(search = '') {
  const routes = draw(search);
  await screen.findByRole('heading', { name: 'What it is about' });
  return routes;
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
// Intl puts no-break and thin spaces where people read spaces.
const plain = (text: string | null) => (text ?? '').replace(/[\u00A0\u2009\u202F]/g, ' ');
const nameField = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Name of the event' });
const check = () => userEvent.click(screen.getByRole('button', { name: 'Check and publish' }));
const summary = () => within(screen.getByRole('complementary', { name: 'This is how it appears on your page' }));

/** A draft with everything an event needs, so that not every test has to write it anew. */
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
/** The same by hand. */
async function write() {
  fireEvent.change(nameField(), { target: { value: 'Finding your place' } });
  type('Start', '9:30');
  type('End', '17');
  type('Participants at most', '8');
  type('Price per person', '240,5');
  await userEvent.click(screen.getByRole('button', { name: 'Choose days' }));
  const calendar = within(await screen.findByRole('dialog', { name: 'Choose days' }));
  await userEvent.click(calendar.getByRole('button', { name: /^Saturday, December 12, 2026/ }));
  await userEvent.click(calendar.getByRole('button', { name: /^Sunday, December 13, 2026/ }));
  await userEvent.click(calendar.getByRole('button', { name: 'Done' }));
}

beforeAll(async () => {
  // The whole page in an imagined browser: asking of each element whether it is hidden would take most of the time.
  configure({ defaultHidden: true, asyncUtilTimeout: 10_000 });
  // The imagined browser has no fonts to wait for.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['events']);
});
beforeEach(() => {
  window.localStorage.clear();
  dropDraft(7);
  keepSignIn(storage, { token: 't', user });
  Element.prototype.scrollIntoView = () => {};
  window.scrollTo = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The whole page is drawn again and again, on a machine that others use too. */
const LONG = { timeout: 60_000 };

describe('writing an event', LONG, () => {
  test('an invalid form marks every fault at its field, brings the focus to the first and sends nothing', async () => {
    const { sent } = network();
    await open();
    await check();
    expect(await screen.findByText('Please give the event a name.')).toBeTruthy();
    for (const text of [
      'Choose at least one day.',
      'When does it start?',
      'When does it end?',
      'How many people can come?',
      'What does it cost? 0 if it is free.',
    ])
      expect(screen.getByText(text)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(nameField()));
    expect(nameField().getAttribute('aria-invalid')).toBe('true');
    expect(summary().getByRole('alert').textContent).toBe('6 places still need your look. They are marked.');
    expect(sent).toEqual([]);
    // What is mended is not marked any more.
    fireEvent.change(nameField(), { target: { value: 'X' } });
    await waitFor(() => expect(screen.queryByText('Please give the event a name.')).toBeNull());
  });

  test('what is typed stands in the summary at once, place and zone come from the last event', async () => {
    network();
    await open();
    expect(screen.getByLabelText<HTMLInputElement>('Name of the place').value).toBe('Elm Yard');
    await write();
    const words = plain(screen.getByRole('complementary').textContent);
    for (const text of [
      'Finding your place',
      'Elm Yard, Elm Lane 4, Vienna',
      '09:30 to 17:00, Vienna time',
      '8 places per date, €240.50 per person',
      'December 12 – 13, 2026',
      '1 date',
    ])
      expect(words).toContain(text);
  });

  test('publishes exactly the contract’s payload once, with its button disabled while saving, and goes to My events', async () => {
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
    release(Response.json({ id: 40 }));
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

  test('what the server refuses stands at its field, and no word is lost', async () => {
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
    expect(await screen.findByText('This lies in the past.')).toBeTruthy();
    expect(screen.getByText('This holds characters that cannot be shown safely.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Publish this event?' })).toBeNull());
    expect(nameField().value).toBe('Finding your place');
  });

  test('a refusal of no field is said in the dialog, which stays', async () => {
    network({ 'POST /api/event/save': refuse(429, 'too_many_requests', { retryAfterSeconds: 120 }) });
    written();
    await open();
    await check();
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish this event?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
    expect(
      await dialog.findByText(/Too many tries in a short time. Please wait 2 minutes. Nothing was published/),
    ).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Publish' }).disabled).toBe(false);
  });

  test('people to start with: one call a row, the refused one is told and sent again alone', async () => {
    const added: unknown[] = [];
    let full = true;
    const { sent, all } = network({ 'POST /api/event/save': json({ id: 40 }) });
    all['POST /api/event-booking/user/40/add'] = () => {
      const body = sent.at(-1)?.body as { firstName: string };
      if (full && body.firstName === 'Levente') return refuse(409, 'event_full')();
      added.push(body);
      return Response.json({});
    };
    written();
    const routes = await open();
    for (const [index, [firstName, familyName, email]] of [
      ['Réka', 'Kis', 'reka@mail.example'],
      ['Levente', 'Nagy', 'levente@mail.example'],
    ].entries()) {
      await userEvent.click(screen.getByRole('button', { name: index === 0 ? 'Add a person' : 'Add another person' }));
      const row = within(screen.getByRole('group', { name: `Person ${index + 1}` }));
      fireEvent.change(row.getByLabelText('First name'), { target: { value: firstName } });
      fireEvent.change(row.getByLabelText('Family name'), { target: { value: familyName } });
      fireEvent.change(row.getByLabelText('E-mail'), { target: { value: email } });
    }
    await check();
    const dialog = within(await screen.findByRole('dialog', { name: 'Publish this event?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
    expect(await screen.findByText('The event is published and can be booked.')).toBeTruthy();
    expect(await screen.findByText(/Not everybody could be added/)).toBeTruthy();
    expect(screen.getByText('Added, the letter is on its way')).toBeTruthy();
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

  test('a repetition shows its dates at once, single ones go and come back, clashes are named with their day', async () => {
    const { sent } = network({ 'POST /api/event/save': json({ id: 40 }) });
    written();
    await open();
    await userEvent.click(screen.getByRole('switch', { name: /^Repeat/ }));
    type('Times in all', '3');
    // 12 and 13 December, 19 and 20, 26 and 27: nothing of it meets the evening of the 17th.
    expect(screen.queryByText(/Same time:/)).toBeNull();
    const dates = () =>
      within(screen.getByRole('list', { name: 'Resulting dates' }))
        .getAllByRole('listitem')
        .map((item) => plain(item.textContent));
    expect(dates()).toEqual([
      'December 12 – 13, 2026 Sat and SunFirst date',
      'December 19 – 20, 2026 Sat and Sun',
      'December 26 – 27, 2026 Sat and Sun',
    ]);
    await userEvent.click(screen.getByRole('button', { name: /^Remove the date December 19/ }));
    expect(dates()).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Put them back' }));
    expect(dates()).toHaveLength(3);
    await userEvent.click(screen.getByRole('button', { name: /^Remove the date December 26/ }));
    await check();
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({
      repetitions: ['2026-12-19'],
      repetitionRule: { unit: 'week', frequency: 1, occasions: 3 },
    });
  });

  test('a clash is named with its day, in the calendar already', async () => {
    network();
    written({ dates: ['2026-12-16', '2026-12-17'], startTime: '18:00', endTime: '20:00' });
    await open();
    expect((await screen.findAllByText('Evening circle, Dec 17')).length).toBe(2);
    await userEvent.click(screen.getByRole('button', { name: 'Choose days' }));
    expect(await screen.findByRole('button', { name: 'Thursday, December 17, 2026, Evening circle' })).toBeTruthy();
    type('End', '19:00');
    await waitFor(() => expect(screen.queryByText('Evening circle, Dec 17')).toBeNull());
  });
});

describe('words are not lost', LONG, () => {
  test('a draft comes back after a reload, marked, without names of people on the disk, and can be cleared and taken back', async () => {
    network();
    await open();
    fireEvent.change(nameField(), { target: { value: 'Half an idea' } });
    expect(await screen.findByText('Kept on this device')).toBeTruthy();
    const disk = window.localStorage.getItem('event_draft_7');
    expect(disk).toContain('Half an idea');
    cleanup();
    dropDraft(7);
    window.localStorage.setItem('event_draft_7', disk as string);
    await open();
    expect(nameField().value).toBe('Half an idea');
    expect(screen.getByText('Kept on this device')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear the form' }));
    expect(nameField().value).toBe('');
    expect(window.localStorage.getItem('event_draft_7')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(nameField().value).toBe('Half an idea');
  });

  test('leaving at once, before anything was written to the disk, keeps them too', async () => {
    network();
    await open();
    fireEvent.change(nameField(), { target: { value: 'Quick' } });
    cleanup();
    await open();
    expect(nameField().value).toBe('Quick');
  });

  test('from the last event: everything but its days, and back', async () => {
    network();
    await open();
    fireEvent.change(nameField(), { target: { value: 'My own words' } });
    await userEvent.click(screen.getByRole('button', { name: 'From the last event' }));
    expect(nameField().value).toBe('Evening circle');
    expect(screen.getByLabelText<HTMLInputElement>('Start').value).toBe('19:00');
    expect(screen.getByLabelText<HTMLInputElement>('Price per person').value).toBe('35.00');
    expect(summary().getByText('Days to come')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(nameField().value).toBe('My own words');
  });

  test('a copy starts from the event it copies and puts a draft aside', async () => {
    network({ 'GET /api/me/event/31': json({ event: { ...own, eventName: 'To copy' }, series: [] }) });
    await open();
    fireEvent.change(nameField(), { target: { value: 'Half an idea' } });
    cleanup();
    await open('?copy=31');
    expect(nameField().value).toBe('To copy');
    expect(screen.getByText('Your draft was put aside for this copy.')).toBeTruthy();
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
    { id: 30, dates: ['2026-12-10'], startsOn: '2026-12-10T18:00:00Z', held: 2, confirmed: 6 },
    { id: 31, dates: ['2026-12-17'], startsOn: '2026-12-17T18:00:00Z', held: 1, confirmed: 4 },
    { id: 32, dates: ['2026-12-24'], startsOn: '2026-12-24T18:00:00Z', held: 0, confirmed: 3 },
  ];
  async function edit(answers: Record<string, Answer>, of = series) {
    const { sent } = network({ 'GET /api/me/event/31': json({ event: own, series: of }), ...answers });
    const onSaved = vi.fn();
    const onClose = vi.fn();
    render(
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <EventEditDialog eventId={31} opened onClose={onClose} onSaved={onSaved} />
      </MantineProvider>,
    );
    await screen.findByRole('heading', { name: 'What it is about' });
    return { sent, onSaved, onClose };
  }
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

  test('is prefilled, says who gets a letter when the time changes, for this one and for the later ones', async () => {
    const { sent, onSaved, onClose } = await edit({ 'POST /api/event/save': json({ id: 31 }) });
    expect(nameField().value).toBe('Evening circle');
    fireEvent.change(nameField(), { target: { value: 'Evening circle in December' } });
    expect(screen.queryByText(/A letter about/)).toBeNull();
    type('Start', '18:30');
    expect(
      screen.getByText(
        'A letter about the new time or place goes to: 4 people with a confirmed place and 1 person whose place is being held.',
      ),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'This one and the 1 later date' }));
    expect(
      screen.getByText(
        'A letter about the new time or place goes to: 7 people with a confirmed place and 1 person whose place is being held.',
      ),
    ).toBeTruthy();
    await save();
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith(31));
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
        },
      },
    ]);
  });

  test('another picture is said to be for this date or for the later ones too', async () => {
    const { sent } = await edit({
      'POST /api/event/save': json({ id: 31 }),
      'GET /api/event/images': json([
        { eventId: 12, fileName: '3f0c7f0e-0000-4000-8000-000000000001.webp', eventName: 'Walk' },
      ]),
    });
    expect(screen.queryByText(/^The picture changes/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Add a picture' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Walk' }));
    expect(await screen.findByText('The picture changes for this date only.')).toBeTruthy();
    await userEvent.click(screen.getByRole('radio', { name: 'This one and the 1 later date' }));
    expect(screen.getByText('The picture changes for this one and the 1 later date.')).toBeTruthy();
    await save();
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ scope: 'later', pictureFrom: { eventId: 12 } });
  });

  test('nobody booked: no letter is announced', async () => {
    const free = { ...own, held: 0, confirmed: 0 };
    await edit({ 'GET /api/me/event/31': json({ event: free, series: [] }) });
    type('End', '22:00');
    expect(screen.getByText('Time or place change. Nobody is booked yet, so no letter is sent.')).toBeTruthy();
    // Alone in its series: no question, but a repetition may be added.
    expect(screen.queryByText('What should change?')).toBeNull();
    expect(screen.getByRole('switch', { name: /^Repeat/ })).toBeTruthy();
  });

  test('fewer places than taken ones is told at its field, and the dialog stays', async () => {
    const { onSaved } = await edit({
      'POST /api/event/save': refuse(409, 'places_below_taken', {
        fields: [{ path: 'maximumParticipant', code: 'below_taken' }],
      }),
    });
    type('Participants at most', '3');
    await save();
    const field = screen.getByLabelText('Participants at most');
    expect(await screen.findByText('More places are taken than that.')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(onSaved).not.toHaveBeenCalled();
  });

  test('a refusal of no field and an invalid form send nothing further', async () => {
    const { sent } = await edit({ 'POST /api/event/save': refuse(409, 'event_cancelled') });
    type('Price per person', 'a lot');
    await save();
    expect(await screen.findByText('A price such as 240.00, please.')).toBeTruthy();
    expect(sent).toEqual([]);
    type('Price per person', '36');
    await save();
    expect(await screen.findByText(/cancelled/)).toBeTruthy();
  });

  test('an event that is not there any more is said, and can be tried again', async () => {
    network({ 'GET /api/me/event/31': refuse(404, 'not_found') });
    render(
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <EventEditDialog eventId={31} opened onClose={() => {}} onSaved={() => {}} />
      </MantineProvider>,
    );
    expect((await screen.findByRole('alert')).textContent).toBe('This is not there any more, or it never was.');
    network({ 'GET /api/me/event/31': json({ event: own, series }) });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'What it is about' })).toBeTruthy();
  });
});
