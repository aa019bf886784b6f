/** Live sessions as a therapist sees them: list, filter, pages, details by address and by row, the email about one. */
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords } from '../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { therapist } from '../events/eventPages.testing.tsx';
import { aFigure, aSession, drawSessions, sessionServer } from './sessions.testing.tsx';

const LONG = { timeout: 60_000 };
const PAGE = '/api/session/findAll';
const plain = (text: string | null | undefined) => (text ?? '').replace(/[\u00A0\u2009\u202F]/g, ' ');
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => plain(textContent));
const row = (day: RegExp) => screen.findByRole('link', { name: day });

beforeAll(async () => {
  configure({ defaultHidden: true });
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['sessions', 'field']);
});
beforeEach(() => {
  keepSignIn(storage, { token: 't', user: therapist });
  window.scrollTo = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Three pages of live sessions, the newest first. */
const many = () =>
  Array.from({ length: 45 }, (_, index) =>
    aSession({ id: index + 1, startedOn: new Date(Date.UTC(2026, 11, 1) - index * 86_400_000).toISOString() }),
  );

describe('the tabs', LONG, () => {
  test('6.3 lead by keyboard to the bills, and mark the open one', async () => {
    sessionServer([]);
    const router = drawSessions();
    const parts = within(await screen.findByRole('navigation', { name: 'Sessions and bills' }));
    const [sessions, bills] = parts.getAllByRole('link');
    expect(sessions!.textContent).toBe('Sessions');
    expect([sessions, bills].map((link) => link!.getAttribute('aria-current'))).toEqual(['page', null]);
    bills!.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('heading', { name: 'Professional package' });
    expect(router.state.location.hash).toBe('bills-title');
  });
});

describe('the list', LONG, () => {
  test('shows for each live session its date, its timed length, the number of clients and how it ended', async () => {
    sessionServer([
      aSession({ id: 7, endedOn: null, endReason: null, field: null }),
      aSession({ id: 6, clients: 0, attendance: [], countedSeconds: 59, endReason: 'therapist_away' }),
      aSession({ clients: 1 }),
    ]);
    drawSessions();
    await screen.findAllByRole('listitem');
    const [running, alone, one] = rows();
    expect(running).toMatch(/Thu, 3 Dec 2026since \d\d:\d\d.*2 peopleRunning now/);
    expect(alone).toMatch(/under a minute.*Nobody listedEnded after 10 minutes without you/);
    expect(one).toMatch(/Thu, 3 Dec 2026\d\d:\d\d to \d\d:\d\dTimed: 2 h 10 minPeople: 1 personEnded by you/);
    expect(screen.getByText('3 of 3 sessions')).toBeTruthy();
  });

  test('is paged', async () => {
    const server = sessionServer(many());
    drawSessions();
    await screen.findByText('20 of 45 sessions');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('Page 2 of 3');
    await waitFor(() => expect(server.asked.at(-1)).toMatchObject({ path: PAGE, page: 1, size: 20 }));
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('5 of 45 sessions');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true);
  });

  test('a page that no longer exists leads to the last one', async () => {
    const server = sessionServer(many());
    drawSessions();
    await screen.findByText('20 of 45 sessions');
    server.sessions = many().slice(0, 3);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('3 of 3 sessions');
  });

  test('without any live session there is no filter, only the first step', async () => {
    sessionServer([]);
    drawSessions();
    await screen.findByRole('heading', { name: 'No sessions yet' });
    expect(screen.queryByRole('search')).toBe(null);
    expect(screen.getByRole('link', { name: 'Open the field' }).getAttribute('href')).toBe('/app/play-area');
  });

  test('a failure is shown, and trying again shows the list', async () => {
    const server = sessionServer([aSession()]);
    server.fail = 'unavailable';
    drawSessions();
    expect((await screen.findByRole('alert')).textContent).toMatch(/^We couldn’t load your sessions\./);
    server.fail = null;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await row(/3 Dec 2026/);
  });
});

describe('the filter', LONG, () => {
  test('sends days and name together, from the first page', async () => {
    const server = sessionServer(many());
    drawSessions();
    await screen.findByText('20 of 45 sessions');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('Page 2 of 3');
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-02' } });
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-30' } });
    await userEvent.type(screen.getByLabelText('Name of a client'), ' mirela ');
    await waitFor(() =>
      expect(server.asked.at(-1)).toMatchObject({
        page: 0,
        body: { startDate: '2026-11-02', endDate: '2026-11-30', keyword: 'mirela' },
      }),
    );
  });

  test('a year that is being typed is not requested', async () => {
    const server = sessionServer([aSession()]);
    drawSessions();
    await row(/3 Dec 2026/);
    const before = server.asked.length;
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '0002-11-02' } });
    fireEvent.blur(screen.getByLabelText('From'));
    await screen.findByText('Please check this date.');
    expect(server.asked).toHaveLength(before);
  });

  test('an empty result offers to clear the filter, which empties its fields', async () => {
    sessionServer([aSession()]);
    drawSessions();
    await row(/3 Dec 2026/);
    await userEvent.type(screen.getByLabelText('Name of a client'), 'nobody');
    await screen.findByRole('heading', { name: 'No matches' });
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await row(/3 Dec 2026/);
    expect(screen.getByLabelText<HTMLInputElement>('Name of a client').value).toBe('');
  });

  test('clearing the name keeps the focus in its field', async () => {
    sessionServer([aSession()]);
    drawSessions();
    await row(/3 Dec 2026/);
    const field = screen.getByLabelText('Name of a client');
    await userEvent.type(field, 'nobody');
    await screen.findByRole('heading', { name: 'No matches' });
    const found: string[] = [];
    const watch = new MutationObserver(() => {
      found.push(screen.queryByRole('heading', { name: 'No sessions yet' }) ? 'empty' : '');
    });
    watch.observe(document.body, { childList: true, subtree: true });
    await userEvent.clear(field);
    await row(/3 Dec 2026/);
    watch.disconnect();
    expect(found).not.toContain('empty');
    expect(field.isConnected).toBe(true);
  });
});

describe('one live session', LONG, () => {
  test('opens from its row by the keyboard, and closing returns to the list', async () => {
    sessionServer([aSession()]);
    const router = drawSessions();
    (await row(/3 Dec 2026/)).focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('heading', { name: 'Thursday, 3 December 2026' });
    expect(router.state.location.search).toEqual({ session: 5 });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
    expect(router.state.location.search).toEqual({});
    expect(router.state.location.pathname).toBe('/app/history');
  });

  test('opens by the address in an email: who was there from when to when, and the field at the end', async () => {
    sessionServer([
      aSession({
        field: {
          handsAllowed: true,
          figures: [
            aFigure(),
            aFigure({
              id: 2,
              name: 'Sister',
              iconType: 'FEMALE_CIRCLE',
              showText: false,
              x: 1200,
              rotation: 270,
              scale: 2,
            }),
          ],
        },
      }),
    ]);
    drawSessions('?session=5');
    const dialog = await screen.findByRole('dialog', { name: 'Thursday, 3 December 2026' });
    const attendance = within(dialog).getByRole('table');
    expect([...attendance.querySelectorAll('tbody tr')].map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Mirela\d\d:32\d\d:45$/),
      expect.stringMatching(/^Levente\d\d:40\d\d:00$/),
    ]);
    const field = within(dialog).getByRole('group', { name: 'Field with 2 figures' });
    expect(
      within(field)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Mother, female figure, at the top left, looking right',
      'Sister, female circle, at the top right, looking left',
    ]);
    // A name that the room hid is stored for the therapist.
    expect([...field.querySelectorAll('text')].map(({ textContent }) => textContent)).toEqual(['Mother', 'Sister']);
    expect(field.querySelector('[data-figure="2"]')?.getAttribute('transform')).toBe(
      'translate(1200 300) rotate(270) scale(2.4)',
    );
  });

  test('a running one leads back to the field and cannot be emailed yet', async () => {
    sessionServer([
      aSession({
        endedOn: null,
        endReason: null,
        field: null,
        attendance: [{ name: 'Mirela', joinedOn: '2026-12-03T09:32:00Z', leftOn: null }],
      }),
    ]);
    drawSessions('?session=5');
    const dialog = await screen.findByRole('dialog', { name: 'Thursday, 3 December 2026' });
    expect(within(dialog).getByRole('link', { name: 'Back to the field' }).getAttribute('href')).toBe('/app/play-area');
    expect(within(dialog).getByText('still here')).toBeTruthy();
    expect(within(dialog).queryByText('Send by email')).toBe(null);
  });

  test('without names or a field it explains why', async () => {
    sessionServer([aSession({ clients: 0, attendance: [], field: null })]);
    drawSessions('?session=5');
    await screen.findByText(/^Nobody is listed: either no client came/);
    expect(screen.getByText('No field was kept from this session.')).toBeTruthy();
  });

  test('another therapist’s is reported as missing', async () => {
    sessionServer([aSession()]);
    drawSessions('?session=99');
    await screen.findByText(/^There is no such session in your account/);
  });

  test('a failure is shown inside, and can be retried', async () => {
    const server = sessionServer([aSession()]);
    server.fail = 'unavailable';
    drawSessions('?session=5');
    const dialog = await screen.findByRole('dialog');
    expect((await within(dialog).findByRole('alert')).textContent).toMatch(/^We couldn’t load this session\./);
    server.fail = null;
    await userEvent.click(within(dialog).getByRole('button', { name: 'Try again' }));
    await within(dialog).findByText('Mirela');
  });
});

describe('6.3 the email', LONG, () => {
  const open = async () => {
    const server = sessionServer([aSession()]);
    drawSessions('?session=5');
    await screen.findByRole('heading', { name: 'Send by email' });
    return server;
  };
  const toOther = async (address: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'To another address' }));
    await userEvent.type(screen.getByLabelText('Email address'), address);
    await userEvent.keyboard('{Enter}');
  };

  test('is sent to one’s own address at once', async () => {
    const server = await open();
    await userEvent.click(screen.getByRole('button', { name: 'Send to my address' }));
    await screen.findByText('On its way to a@b.example.');
    expect(server.emails).toEqual([{ id: 5, email: null }]);
  });

  test('is sent to another address only after a confirmation that names it', async () => {
    const server = await open();
    await toOther(' colleague@practice.example ');
    await screen.findByText('Send it to colleague@practice.example?');
    // The Enter of the form must not also answer the question.
    await userEvent.keyboard('{Enter}');
    expect(server.emails).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Yes, send' }));
    await screen.findByText('On its way to colleague@practice.example.');
    expect(server.emails).toEqual([{ id: 5, email: 'colleague@practice.example' }]);
  });

  test('the address can be corrected, and an invalid one is not asked about', async () => {
    const server = await open();
    await toOther('colleague@');
    await waitFor(() => expect(screen.getByLabelText('Email address').getAttribute('aria-invalid')).toBe('true'));
    expect(screen.queryByText('Yes, send')).toBe(null);
    await userEvent.type(screen.getByLabelText('Email address'), 'practice.example{Enter}');
    await userEvent.click(await screen.findByRole('button', { name: 'Change address' }));
    expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('colleague@practice.example');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Send to my address' })).toBeTruthy();
    expect(server.emails).toEqual([]);
  });

  test('the fourth to other addresses on a day is refused in words', async () => {
    const server = await open();
    await toOther('colleague@practice.example');
    server.fail = 'too_many_requests';
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, send' }));
    await screen.findByText(/^You have sent 3 emails to other addresses today/);
    expect(screen.getByText('Send it to colleague@practice.example?')).toBeTruthy();
  });

  test('another failure is explained and can be retried', async () => {
    const server = await open();
    server.fail = 'unavailable';
    await userEvent.click(screen.getByRole('button', { name: 'Send to my address' }));
    await waitFor(() =>
      expect(
        screen
          .getAllByRole('status')
          .map(({ textContent }) => textContent)
          .join(''),
      ).toMatch(/\S/),
    );
    server.fail = null;
    await act(async () => screen.getByRole('button', { name: 'Send to my address' }).click());
    await screen.findByText('On its way to a@b.example.');
  });
});
