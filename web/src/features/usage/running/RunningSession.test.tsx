/** What every page of the app shows of the timer and of a running live session (docs/product.md#7.7). */
import { MantineProvider } from '@mantine/core';
import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import problems from '../../../locales/en/problems.json';
import words from '../../../locales/en/usage.json';
import { ApiProblem } from '../../../platform/api/request.ts';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { noteInRoom, noteTimerStaysTold } from '../leftRoom.ts';
import { aTimer, aUsage } from '../usage.testing.ts';
import { useAskForRoom, useWaitingCount } from './roomQuery.ts';
import { RunningSession, ShellTimer } from './RunningSession.tsx';
import { TrialNotice } from './TrialNotice.tsx';

const world = vi.hoisted(() => ({
  clock: { now: () => Date.now() },
  called: [] as string[],
  answers: {} as Record<string, () => unknown>,
}));
vi.mock('../../../platform/time/sharedClock.ts', () => ({ useSharedClock: () => world.clock }));
vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, children }: { to: string; children: ReactNode }) => <a href={to}>{children}</a>,
}));
vi.mock('../../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: {
    async call({ path }: { path: string }) {
      world.called.push(path);
      return world.answers[path]?.();
    },
  },
}));
// `act` waits for this: answers are reported in its own microtasks, not in a timer.
notifyManager.setScheduler(queueMicrotask);

const count = (path: string) => world.called.filter((called) => called === path).length;
const running =
  (id: number | null, people = 0, waiting = 0) =>
  () => ({
    liveSession: id === null ? null : { id },
    people: Array.from({ length: people }, (_, index) => ({ id: index })),
    waiting: Array.from({ length: waiting }, (_, index) => ({ id: index })),
  });
const bar = () => screen.queryByRole('region', { name: 'Your session is running' });
const dialog = (name: string) => screen.queryByRole('dialog', { name });
/** The code of a dialog is fetched with its first use. */
const dueDialog = (name: string) => screen.findByRole('dialog', { name });
const press = (name: string, within_: HTMLElement = document.body) =>
  userEvent.click(within(within_).getByRole('button', { name }));

async function show(page: ReactNode = <RunningSession />) {
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={createQueryClient()}>{page}</QueryClientProvider>
    </MantineProvider>,
  );
  await act(async () => {});
}

beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { usage: words, problems } },
    interpolation: { escapeValue: false },
  }),
);
beforeEach(() => {
  world.called.length = 0;
  world.answers = { '/api/room/state': running(null), '/api/me/usage': () => aUsage() };
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('a running live session', () => {
  test('is shown with the way back; none is shown if none runs', async () => {
    await show();
    expect(bar()).toBeNull();
    cleanup();
    world.answers['/api/room/state'] = running(1);
    await show();
    expect(within(bar()!).getByRole('link').getAttribute('href')).toBe('/app/play-area');
  });

  test('is ended after a question, not without', async () => {
    world.answers['/api/room/state'] = running(1);
    world.answers['/api/room/end'] = () => {
      world.answers['/api/room/state'] = running(null);
    };
    await show();
    await press('End session', bar()!);
    const question = await dueDialog('End the session?');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep it running'));
    await press('Keep it running', question);
    expect(count('/api/room/end')).toBe(0);
    await press('End session', bar()!);
    await press('End session', await dueDialog('End the session?'));
    expect(count('/api/room/end')).toBe(1);
    await waitFor(() => expect(bar()).toBeNull());
    await waitFor(() => expect(dialog('End the session?')).toBeNull());
  });

  test('stays when it could not be ended, and the fault disappears at the next try', async () => {
    world.answers['/api/room/state'] = running(1);
    world.answers['/api/room/end'] = () => {
      throw new ApiProblem('offline');
    };
    await show();
    await press('End session', bar()!);
    await press('End session', await dueDialog('End the session?'));
    expect((await screen.findByRole('alert')).textContent).toContain('couldn’t be ended');
    await press('Keep it running');
    await press('End session', bar()!);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('that starts or ends elsewhere is noticed within a minute', async () => {
    vi.useFakeTimers();
    await show();
    world.answers['/api/room/state'] = running(1);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(bar()).toBeTruthy();
    world.answers['/api/room/state'] = running(null);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(bar()).toBeNull();
  });
});

describe('11.51 people in the room', () => {
  const said = () => screen.getAllByRole('status', { hidden: true })[0]?.textContent;
  let ask: () => void;
  /** Replaces the connection that receives changes of the room, and the tab's title. */
  function Listening() {
    ask = useAskForRoom();
    return <output data-testid="waiting">{useWaitingCount(true)}</output>;
  }
  const showBoth = () =>
    show(
      <>
        <RunningSession />
        <Listening />
      </>,
    );
  const heard = () => act(async () => ask());

  test.each([
    [0, 0, 'Your session is running, nobody is in the room'],
    [1, 0, 'Your session is running, 1 person is in the room'],
    [3, 0, 'Your session is running, 3 people are in the room'],
    [3, 2, 'Your session is running, 3 people are in the room · 2 people are waiting'],
  ])('%i people are in and %i wait: “%s”', async (people, waiting, words) => {
    world.answers['/api/room/state'] = running(1, people, waiting);
    await showBoth();
    expect(within(bar()!).getByText(words)).toBeTruthy();
    expect(screen.getByTestId('waiting').textContent).toBe(String(waiting));
    // The state at the opening of the page is not announced.
    expect(said()).toBe('');
  });

  test('changes are shown at once and announced politely, including an end elsewhere', async () => {
    await showBoth();
    expect(bar()).toBeNull();
    world.answers['/api/room/state'] = running(1);
    await heard();
    await waitFor(() => expect(said()).toBe('Your session is running, nobody is in the room'));
    world.answers['/api/room/state'] = running(1, 3, 1);
    await heard();
    await waitFor(() => expect(said()).toBe('Your session is running, 3 people are in the room · 1 person is waiting'));
    expect(bar()?.textContent).toContain('3 people are in the room');
    world.answers['/api/room/state'] = running(null);
    await heard();
    await waitFor(() => expect(bar()).toBeNull());
    expect(said()).toBe('Your session has ended.');
    // It only reads: nothing is opened, joined or counted.
    expect(new Set(world.called)).toEqual(new Set(['/api/room/state', '/api/me/usage']));
  });

  test('during a request, and without an answer, the bar stays unchanged', async () => {
    world.answers['/api/room/state'] = running(1, 3);
    await showBoth();
    let answer: (room: unknown) => void = () => {};
    world.answers['/api/room/state'] = () => new Promise((resolve) => (answer = resolve));
    await heard();
    expect(bar()?.textContent).toContain('3 people are in the room');
    await act(async () => answer(running(1, 2)()));
    await waitFor(() => expect(bar()?.textContent).toContain('2 people are in the room'));
    world.answers['/api/room/state'] = () => {
      throw new ApiProblem('not_found');
    };
    await heard();
    expect(bar()?.textContent).toContain('2 people are in the room');
  });

  test('nothing from before the room is shown when the person returns from it', async () => {
    world.answers['/api/room/state'] = running(1, 3);
    const client = createQueryClient();
    const page = (
      <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={client}>
          <RunningSession />
        </QueryClientProvider>
      </MantineProvider>
    );
    const before = render(page);
    await waitFor(() => expect(bar()).toBeTruthy());
    before.unmount();
    await act(async () => {});
    world.answers['/api/room/state'] = () => new Promise(() => {});
    await act(async () => new Promise((resolve) => setTimeout(resolve)));
    render(page);
    await act(async () => {});
    expect(bar()).toBeNull();
  });
});

describe('the notice that the timer continues', () => {
  const notice = () => dialog('The timer stays on');

  test('appears once for each live session in a tab that left the room', async () => {
    noteInRoom();
    world.answers['/api/room/state'] = running(1);
    await show();
    await waitFor(() => expect(notice()).toBeTruthy());
    await press('Got it');
    await waitFor(() => expect(notice()).toBeNull());
    cleanup();
    await show();
    expect(notice()).toBeNull();
    cleanup();
    // The question on leaving has already said it.
    noteTimerStaysTold(3);
    world.answers['/api/room/state'] = running(3);
    await show();
    expect(notice()).toBeNull();
    cleanup();
    world.answers['/api/room/state'] = running(2);
    await show();
    await waitFor(() => expect(notice()).toBeTruthy());
  });

  test('does not appear in a tab that has never shown the room, nor if nothing runs', async () => {
    world.answers['/api/room/state'] = running(1);
    await show();
    expect(notice()).toBeNull();
    cleanup();
    noteInRoom();
    world.answers['/api/room/state'] = running(null);
    await show();
    expect(notice()).toBeNull();
  });
});

test('the badge requests the timer when a page opens, and each minute', async () => {
  vi.useFakeTimers();
  world.answers['/api/me/usage'] = () => aUsage({ timer: aTimer(120, { counting: false }) });
  await show(<ShellTimer />);
  expect(screen.getByRole('img').textContent).toContain('0:02');
  world.answers['/api/me/usage'] = () => aUsage({ timer: aTimer(180, { counting: false }) });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByRole('img').textContent).toContain('0:03');
});

describe('the dialog about the fourth hour', () => {
  const CLAIM = '/api/me/usage/four-hours';

  test.each([
    ['is shown where the server gives it to this page', true],
    ['is not shown where another page has it', false],
  ])('%s', async (_, given) => {
    world.answers['/api/me/usage'] = () => aUsage({ fourHoursDue: true });
    world.answers[CLAIM] = () => ({ show: given });
    await show();
    expect(count(CLAIM)).toBe(1);
    if (!given) {
      expect(screen.queryByRole('dialog')).toBeNull();
      return;
    }
    await screen.findByRole('dialog');
    await press('Not now');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('is claimed again with the next request if the claim failed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    world.answers['/api/me/usage'] = () => aUsage({ fourHoursDue: true });
    world.answers[CLAIM] = () => {
      throw new ApiProblem('offline');
    };
    await show(
      <>
        <ShellTimer />
        <RunningSession />
      </>,
    );
    expect(count(CLAIM)).toBe(1);
    world.answers[CLAIM] = () => ({ show: true });
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(count(CLAIM)).toBe(2);
    await screen.findByRole('dialog');
  });

  test('is not claimed before it is due', async () => {
    await show();
    expect(count(CLAIM)).toBe(0);
  });
});

describe('the notice on the help page', () => {
  const signIn = (role: 'ROLE_THERAPIST' | 'ROLE_ADMIN') =>
    keepSignIn(storage, {
      token: 't',
      user: {
        ...{ id: 7, firstName: 'Anna', lastName: 'Berg', email: 'a@example.org', language: 'en' },
        ...{ slug: 'anna', joinLink: 'anna', roles: [role], authorities: [role] },
      },
    });
  const notice = () => screen.queryByRole('region', { name: 'Your five free hours are used up' });

  test('says that the trial is over, and how to continue', async () => {
    signIn('ROLE_THERAPIST');
    world.answers['/api/me/usage'] = () => aUsage({ trialOver: true });
    await show(<TrialNotice />);
    expect(within(notice()!).getByRole('link').getAttribute('href')).toBe('/app/subscription/professional-package');
  });

  test('is not there before that, and not for people without a practice', async () => {
    signIn('ROLE_THERAPIST');
    await show(<TrialNotice />);
    expect(notice()).toBeNull();
    cleanup();
    world.called.length = 0;
    signIn('ROLE_ADMIN');
    await show(<TrialNotice />);
    expect([notice(), world.called]).toEqual([null, []]);
  });
});
