/** What stays open behind the room's last pages (nothing), and which loads of the page open the room. */
import type { Change } from '@fieldroom/contract/realtime';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem, TRY_AGAIN_MS } from '../../platform/api/request.ts';
import { LEAVE_WITHIN_MS } from '../../platform/time/within.ts';
import { aUsage } from '../usage/usage.testing.ts';

const world = vi.hoisted(() => ({
  open: new Set<string>(),
  called: [] as string[],
  /** The calls that outlive the page. */
  keptAlive: [] as string[],
  answers: {} as Record<string, () => unknown>,
  say: undefined as unknown as (change: unknown) => void,
  refuse: undefined as unknown as (problem: unknown) => void,
  entered: () => undefined as void,
}));

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string | string[]) => [key].flat()[0] }) }));
vi.mock('../../platform/i18n/app.ts', async (original) => ({
  ...(await original<object>()),
  sayProblem: (key: string) => `words of ${key}`,
}));
vi.mock('../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: {
    async call({ path }: { path: string }, input?: { keepalive?: boolean }) {
      world.called.push(path);
      if (input?.keepalive) world.keptAlive.push(path);
      return world.answers[path]?.();
    },
  },
}));
vi.mock('../../platform/realtime/index.ts', async (original) => ({
  ...(await original<object>()),
  createConnection() {
    world.open.add('channel');
    return {
      enterRoom: () => world.entered(),
      state: () => 'open',
      send: () => true,
      on: () => () => undefined,
      onState: () => () => undefined,
      close: () => world.open.delete('channel'),
      onChange(listener: typeof world.say) {
        world.say = listener;
        return () => {
          world.say = () => undefined;
        };
      },
      onRefused(listener: typeof world.refuse) {
        world.refuse = listener;
        return () => undefined;
      },
    };
  },
}));
vi.mock('../video/index.ts', async () => {
  const { createContext } = await import('react');
  return {
    VideoContext: createContext(null),
    createRoomVideo() {
      world.open.add('video');
      return { store: { leave: async () => undefined, close: () => world.open.delete('video') }, calls: {} };
    },
  };
});
vi.mock('./therapist/TherapistRoom.tsx', () => ({ TherapistRoom: () => <p>therapist’s room</p> }));
vi.mock('./client/ClientRoom.tsx', () => ({
  ClientRoom: ({ onIdle, onLeave }: { onIdle(): void; onLeave(): Promise<void> }) => (
    <>
      <button type="button" onClick={onIdle}>
        client’s room
      </button>
      <button type="button" onClick={() => void onLeave()}>
        leave
      </button>
    </>
  ),
}));

const loadedBy = (type: 'navigate' | 'reload', path = '/app/play-area') =>
  vi
    .spyOn(performance, 'getEntriesByType')
    .mockReturnValue([{ type, name: location.origin + path } as PerformanceNavigationTiming]);
const running = (on: boolean) => ({ liveSession: on ? { id: 1 } : null });

// happy-dom has none; the text area of the last dialog measures itself when fonts come.
beforeAll(() => void Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true }));
beforeEach(() => {
  world.open.clear();
  world.called.length = 0;
  world.keptAlive.length = 0;
  world.answers = {
    '/api/room/open': () => running(true),
    '/api/room/state': () => running(true),
    '/api/me/usage': () => aUsage(),
  };
  sessionStorage.clear();
  localStorage.setItem(
    'user',
    JSON.stringify({
      id: 7,
      firstName: 'Anna',
      roles: ['ROLE_THERAPIST'],
      authorities: ['ROLE_THERAPIST'],
      joinLink: 'anna',
    }),
  );
  history.replaceState(null, '', '/app/play-area');
  loadedBy('navigate');
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function show(page: 'TherapistRoomPage' | 'ClientRoomPage') {
  const { default: Page } =
    page === 'TherapistRoomPage'
      ? await import('./therapist/TherapistRoomPage.tsx')
      : await import('./client/ClientRoomPage.tsx');
  const shown = render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <Page />
    </MantineProvider>,
  );
  await act(async () => {});
  return shown;
}
/** The calls that open or read the room; the timer makes others. */
const roomCalls = () => world.called.filter((path) => path.startsWith('/api/room/'));
const timerCalls = () => world.called.filter((path) => path.includes('Timer'));
const sessionOut = (reason: string): Change =>
  ({ eventType: 'SESSION_OUT', contents: { reason }, usersUpdatedOn: 1, participantsUpdatedOn: 1 }) as Change;

test.each([
  ['ended', 'end.after'],
  ['therapist_away', 'end.meanwhile'],
  ['signed_out', 'end.signedOut'],
  ['timed_out', 'end.timedOut'],
  ['trial_over', 'end.trialOver'],
])('the therapist’s page after an end (%s) has neither connection nor video', async (reason, words) => {
  await show('TherapistRoomPage');
  expect(world.open).toEqual(new Set(['channel', 'video']));
  act(() => world.say(sessionOut(reason)));
  expect(world.open).toEqual(new Set());
  expect(screen.getByText(words)).toBeTruthy();
  expect(roomCalls()).toEqual(['/api/room/open']);
});

test('a therapist who returns after the end reads about it, and only a press opens a new live session', async () => {
  await show('TherapistRoomPage');
  act(() => world.refuse(new ApiProblem('live_session_over')));
  expect(world.open).toEqual(new Set());
  expect(screen.getByText('end.meanwhile')).toBeTruthy();
  expect(roomCalls()).toEqual(['/api/room/open']);
  await act(async () => screen.getByText('end.again').click());
  expect(roomCalls()).toEqual(['/api/room/open', '/api/room/open']);
  expect(screen.getByText('therapist’s room')).toBeTruthy();
});

test('a refused connection leaves a page without anything open behind it', async () => {
  await show('TherapistRoomPage');
  act(() => world.refuse(new ApiProblem('account_suspended')));
  expect(world.open).toEqual(new Set());
});

test('a reloaded page returns to the running live session and opens none', async () => {
  sessionStorage.setItem('room_open', '7');
  loadedBy('reload');
  const { unmount } = await show('TherapistRoomPage');
  expect(roomCalls()).toEqual(['/api/room/state']);
  expect(world.open).toEqual(new Set(['channel', 'video']));
  unmount();

  sessionStorage.setItem('room_open', '7');
  world.called.length = 0;
  world.answers['/api/room/state'] = () => running(false);
  await show('TherapistRoomPage');
  expect(roomCalls()).toEqual(['/api/room/state']);
  expect(world.open).toEqual(new Set());
  expect(screen.getByText('end.meanwhile')).toBeTruthy();
});

test('a page reloaded after the trial leads to the help page, which says how to continue', async () => {
  sessionStorage.setItem('room_open', '7');
  loadedBy('reload');
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  world.answers['/api/room/state'] = () => running(false);
  world.answers['/api/me/usage'] = () => aUsage({ trialOver: true });
  await show('TherapistRoomPage');
  expect(replace).toHaveBeenCalledWith('/app/welcome');
  expect(world.open).toEqual(new Set());
});

test('so does a room that cannot be opened because the trial is over', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  world.answers['/api/room/open'] = () => {
    throw new ApiProblem('trial_over', { status: 409 });
  };
  await show('TherapistRoomPage');
  expect(replace).toHaveBeenCalledWith('/app/welcome');
});

test('leaving the room schedules a stop of the timer; an end by the server does not', async () => {
  const START = '/api/startTimer/{userId}';
  const STOP = '/api/scheduleTimerStop/{userId}/{seconds}';
  const left = await show('TherapistRoomPage');
  // The code that reports to the server is fetched after the room.
  await vi.waitFor(() => expect(timerCalls()).toEqual([START]));
  left.unmount();
  expect(timerCalls()).toEqual([START, STOP]);
  world.called.length = 0;
  const ended = await show('TherapistRoomPage');
  await vi.waitFor(() => expect(timerCalls()).toEqual([START]));
  act(() => world.say(sessionOut('signed_out')));
  ended.unmount();
  expect(timerCalls()).toEqual([START]);
});

test('after the trial nothing behind its dialog can be pressed', async () => {
  await show('TherapistRoomPage');
  act(() => world.say(sessionOut('trial_over')));
  expect(screen.getByText('end.again').closest('[inert]')).toBeTruthy();
  await vi.waitFor(() => expect(screen.getByRole('dialog')).toBeTruthy());
  expect(screen.getByRole('dialog').closest('[inert]')).toBeNull();
});

test('a discarded tab resumes by itself, too', async () => {
  sessionStorage.setItem('room_open', '7');
  Object.defineProperty(document, 'wasDiscarded', { value: true, configurable: true });
  await show('TherapistRoomPage');
  expect(roomCalls()).toEqual(['/api/room/state']);
  Reflect.deleteProperty(document, 'wasDiscarded');
});

test.each([
  ['by a link', 'navigate', '/app/play-area', '7'],
  ['from a page that was loaded again', 'reload', '/app/dashboard', '7'],
  ['in a tab where another person had it open', 'reload', '/app/play-area', '8'],
  ['for the first time in this tab', 'reload', '/app/play-area', null],
] as const)('opening %s counts as an act', async (_, type, path, noted) => {
  if (noted) sessionStorage.setItem('room_open', noted);
  loadedBy(type, path);
  await show('TherapistRoomPage');
  expect(roomCalls()).toEqual(['/api/room/open']);
});

test('a client’s page after the end, a removal or a refusal has neither connection nor video', async () => {
  world.answers['/api/room/seat'] = () => ({
    client: { id: 9, name: 'Hanna', therapist: { id: 7, firstName: 'Anna', joinLink: 'anna' } },
    state: 'in',
    therapistHere: true,
  });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  for (const end of [
    () => world.say(sessionOut('ended')),
    () => world.say({ eventType: 'ADMISSION', contents: { state: 'removed' } }),
    () => world.refuse(new ApiProblem('forbidden')),
  ]) {
    const { unmount } = await show('ClientRoomPage');
    expect(world.open).toEqual(new Set(['channel', 'video']));
    await act(async () => end());
    expect(world.open).toEqual(new Set());
    unmount();
  }
});

test('11.67 a known client’s connection opens together with the request for the seat, whose answer decides the page', async () => {
  const client = { id: 9, name: 'Hanna', therapist: { id: 7, firstName: 'Anna', joinLink: 'anna' } };
  let answer: (seat: unknown) => void = () => undefined;
  world.answers['/api/room/seat'] = () => new Promise((resolve) => (answer = resolve));
  localStorage.setItem('client', JSON.stringify(client));
  localStorage.setItem('token', 'c');
  const { unmount } = await show('ClientRoomPage');
  expect(world.open).toEqual(new Set(['channel', 'video']));
  expect(screen.queryByText('client’s room')).toBeNull();
  // Refused, because the person was away: the call brings them back, and the connection is opened again.
  await act(async () => world.refuse(new ApiProblem('forbidden')));
  const seat = { client, state: 'in', therapistHere: true, nameTaken: false };
  await act(async () => answer(seat));
  await act(async () => answer(seat));
  expect(screen.getByText('client’s room')).toBeTruthy();
  expect(world.open).toEqual(new Set(['channel', 'video']));
  unmount();
  expect(world.open).toEqual(new Set());
});

test('11.67 a room opened in the waiting room’s document reuses its connection and the answer about the seat', async () => {
  const client = { id: 9, name: 'Hanna', therapist: { id: 7, firstName: 'Anna', joinLink: 'anna' } };
  localStorage.setItem('client', JSON.stringify(client));
  localStorage.setItem('token', 'c');
  const { createConnection, handOver } = await import('../../platform/realtime/index.ts');
  world.entered = vi.fn();
  const make = () => createConnection({ token: 'c', personId: 9, therapistId: 7, kind: 'CLIENT', inRoom: false });
  const seat = { client, state: 'in', therapistHere: true, nameTaken: false };
  handOver({ clientId: 9, connection: make(), seat: Promise.resolve(seat as never) });
  const { unmount } = await show('ClientRoomPage');
  expect(screen.getByText('client’s room')).toBeTruthy();
  expect(roomCalls()).toEqual([]);
  expect(world.entered).toHaveBeenCalledOnce();
  unmount();
  expect(world.open).toEqual(new Set());

  // A connection for somebody else is closed, and nothing is taken twice.
  const stranger = { ...make(), close: vi.fn() };
  handOver({ clientId: 8, connection: stranger, seat: Promise.resolve(seat as never) });
  world.answers['/api/room/seat'] = () => seat;
  (await show('ClientRoomPage')).unmount();
  expect(stranger.close).toHaveBeenCalledOnce();
  (await show('ClientRoomPage')).unmount();
  expect(roomCalls()).toEqual(['/api/room/seat', '/api/room/seat']);
});

test('11.67 a client who still waits returns to the waiting room, and the connection that was opened ahead closes', async () => {
  const client = { id: 9, name: 'Hanna', therapist: { id: 7, firstName: 'Anna', joinLink: 'anna' } };
  world.answers['/api/room/seat'] = () => ({ client, state: 'waiting', therapistHere: true, nameTaken: false });
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  localStorage.setItem('client', JSON.stringify(client));
  localStorage.setItem('token', 'c');
  const { unmount } = await show('ClientRoomPage');
  expect(replace).toHaveBeenCalledWith('/user/join/anna');
  expect(world.open).toEqual(new Set());
  unmount();
});

test('an inactive client is signed out and leaves the room for the page by which they came', async () => {
  const client = { id: 9, name: 'Hanna', therapist: { id: 7, firstName: 'Anna', joinLink: 'anna' } };
  world.answers['/api/room/seat'] = () => ({ client, state: 'in', therapistHere: false, nameTaken: false });
  // The page does not wait for the answer.
  const nonActive = '/api/setUnregisteredUserNonActive/{userId}';
  world.answers[nonActive] = () => new Promise(() => undefined);
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  localStorage.setItem('token', 'c');
  localStorage.setItem('secret_code', '12345');
  await show('ClientRoomPage');
  world.called.length = 0;
  await act(async () => screen.getByText('client’s room').click());
  expect([world.called, world.keptAlive]).toEqual([[nonActive], [nonActive]]);
  expect(world.open).toEqual(new Set());
  for (const key of ['token', 'secret_code', 'client', 'user']) expect(localStorage.getItem(key)).toBeNull();
  expect(replace).toHaveBeenCalledExactlyOnceWith('/user/join/anna?why=idle');
});

test('a client who returns to a full room waits in the waiting room, which says so and keeps the place', async () => {
  const client = { id: 9, name: 'Hanna', therapist: { id: 7, firstName: 'Anna', joinLink: 'anna' } };
  world.answers['/api/room/seat'] = () => ({ client, state: 'in', therapistHere: true, nameTaken: false });
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  const { unmount } = await show('ClientRoomPage');
  world.answers['/api/room/seat'] = () => {
    throw new ApiProblem('room_full', { status: 409 });
  };
  localStorage.setItem('token', 'c');
  await act(async () => world.refuse(new ApiProblem('room_full')));
  expect(replace).toHaveBeenCalledWith('/user/join/anna');
  expect(world.open).toEqual(new Set());
  expect(localStorage.getItem('token')).toBe('c');
  unmount();
});

describe('a page that stopped because of a lost connection', () => {
  const client = { id: 9, name: 'Hanna', therapist: { id: 7, firstName: 'Anna', joinLink: 'anna' } };
  const seat = { client, state: 'in', therapistHere: true, nameTaken: false };
  const offline = () => {
    throw new ApiProblem('offline');
  };
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('11.36, 6.6: a client’s page resumes by itself, with the messages that were written and not sent', async () => {
    localStorage.setItem('client', JSON.stringify(client));
    localStorage.setItem('token', 'c');
    sessionStorage.setItem('unsentMessages', 'written');
    world.answers['/api/room/seat'] = offline;
    const { unmount } = await show('ClientRoomPage');
    expect(screen.getByText('words of problem.offline')).toBeTruthy();
    expect(world.open).toEqual(new Set());
    await act(() => vi.advanceTimersByTimeAsync(TRY_AGAIN_MS));
    expect(screen.getByText('words of problem.offline')).toBeTruthy();
    world.answers['/api/room/seat'] = () => seat;
    await act(() => vi.advanceTimersByTimeAsync(TRY_AGAIN_MS));
    expect(screen.getByText('client’s room')).toBeTruthy();
    expect(sessionStorage.getItem('unsentMessages')).toBe('written');
    act(() => world.say(sessionOut('ended')));
    expect(sessionStorage.getItem('unsentMessages')).toBeNull();
    unmount();
  });

  test('11.36, 6.1: a therapist’s reloaded page returns to the live session by itself and opens none', async () => {
    sessionStorage.setItem('room_open', '7');
    loadedBy('reload');
    world.answers['/api/room/state'] = offline;
    await show('TherapistRoomPage');
    expect(screen.getByText('words of problem.offline')).toBeTruthy();
    world.answers['/api/room/state'] = () => running(true);
    await act(() => vi.advanceTimersByTimeAsync(TRY_AGAIN_MS));
    expect(screen.getByText('therapist’s room')).toBeTruthy();
    expect(roomCalls()).toEqual(['/api/room/state', '/api/room/state']);
  });

  test('6.1: a page that was about to open a live session waits for a press', async () => {
    world.answers['/api/room/open'] = offline;
    await show('TherapistRoomPage');
    await act(() => vi.advanceTimersByTimeAsync(10 * TRY_AGAIN_MS));
    expect(roomCalls()).toEqual(['/api/room/open']);
  });
});

describe('a client who leaves', () => {
  const client = { id: 9, name: 'Hanna', therapist: { id: 7, firstName: 'Anna', joinLink: 'anna' } };
  beforeEach(() => {
    localStorage.setItem('client', JSON.stringify(client));
    localStorage.setItem('token', 'c');
    world.answers['/api/room/seat'] = () => ({ client, state: 'in', therapistHere: true, nameTaken: false });
  });

  test('does not wait long for a server that does not answer', async () => {
    const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
    world.answers['/api/room/leave'] = () => new Promise(() => undefined);
    await show('ClientRoomPage');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    screen.getByText('leave').click();
    await act(() => vi.advanceTimersByTimeAsync(LEAVE_WITHIN_MS));
    vi.useRealTimers();
    expect(world.keptAlive).toContain('/api/room/leave');
    expect(world.open).toEqual(new Set());
    expect(replace).toHaveBeenCalledExactlyOnceWith('/user/bye?why=left&link=anna');
    expect(localStorage.getItem('token')).toBeNull();
  });

  test('or whose live session ends does not sign out a person who signed in in another tab', async () => {
    const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
    await show('ClientRoomPage');
    // A therapist has signed in.
    localStorage.removeItem('client');
    localStorage.setItem('token', 't');
    act(() => world.say(sessionOut('ended')));
    expect(replace).toHaveBeenCalledExactlyOnceWith('/user/bye?why=over&link=anna');
    expect(localStorage.getItem('token')).toBe('t');
  });
});
