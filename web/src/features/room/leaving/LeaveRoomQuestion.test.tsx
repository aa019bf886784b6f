/** The question before the therapist leaves (docs/product.md#11.50): when it appears, and the effect of each answer. */
import type { Person } from '@fieldroom/contract/clients';
import { MantineProvider } from '@mantine/core';
import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { forgetPerson, keepSignIn, storage, tabStore } from '../../../platform/storage.ts';
import { therapist } from '../../events/eventPages.testing.tsx';
import { claimTimerStays, noteInRoom } from '../../usage/leftRoom.ts';
import { createRoomStore } from '../store/roomStore.ts';
import { RoomProvider, useRoomPart } from '../store/useRoom.ts';
import { RoomDrawer } from '../dialogs/RoomDrawer.tsx';
import { AppExitContext } from './appExit.ts';
import { LeaveRoomQuestion } from './LeaveRoomQuestion.tsx';
import { routerExit } from './routerExit.ts';

const SESSION = 12;
const onEnd = vi.fn(async () => undefined);
const onFailed = vi.fn();

beforeAll(async () => {
  await startWords(['room', 'field']);
  window.scrollTo = () => {};
});
beforeEach(() => {
  keepSignIn(storage, { token: 't', user: therapist });
  tabStore.remove('timerStaysTold');
  onEnd.mockReset().mockResolvedValue(undefined);
  onFailed.mockReset();
  history.pushState(null, '', '/app/dashboard');
});
afterEach(cleanup);

/** The open room ends with its live session. */
function WhileItRuns() {
  const over = useRoomPart((model) => model.over);
  return over ? null : <LeaveRoomQuestion sessionId={SESSION} onEnd={onEnd} onFailed={onFailed} />;
}

/** Like the drawers of phones. */
function People() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        People
      </button>
      {open && (
        <RoomDrawer label="People" onClose={() => setOpen(false)}>
          <button type="button">Let in</button>
        </RoomDrawer>
      )}
    </>
  );
}

/** A room's store. `tell` sets how many people are in, `end` ends the live session. */
function room() {
  const connection = fakeConnection();
  const store = createRoomStore({ connection, me: { id: 7, as: 'THERAPIST' } });
  const tell = (count: number, usersUpdatedOn: number) =>
    connection.say({
      eventType: 'UNREGISTER_USER',
      contents: {
        people: Array.from({ length: count }, (_, id) => ({ id: id + 1, roles: [] as number[] }) as Person),
        therapistHere: true,
        waiting: [],
      },
      usersUpdatedOn,
      participantsUpdatedOn: 1,
    });
  const end = () =>
    connection.say({
      eventType: 'SESSION_OUT',
      contents: { reason: 'ended' },
      usersUpdatedOn: 2,
      participantsUpdatedOn: 1,
    });
  return { store, tell, end };
}

/** The room's page, opened from the dashboard. Returns a function that sends messages of the room, and the router. */
async function openRoom(people = 0) {
  const { store, tell, end } = room();
  tell(people, 1);
  const root = createRootRoute({ component: Outlet });
  const page = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component });
  const router = createRouter({
    routeTree: root.addChildren([
      page('/app/dashboard', () => <h1>Dashboard</h1>),
      page('/user/login', () => <h1>Sign in</h1>),
      page('/app/play-area', () => (
        <AppExitContext value={routerExit}>
          <RoomProvider store={store}>
            <h1>Room</h1>
            <People />
            <WhileItRuns />
          </RoomProvider>
        </AppExitContext>
      )),
    ]),
    history: createBrowserHistory(),
  });
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  await screen.findByRole('heading', { name: 'Dashboard', hidden: true });
  await act(() => router.navigate({ to: '/app/play-area' }));
  await screen.findByRole('heading', { name: 'Room', hidden: true });
  return { router, tell, end };
}
const leave = (router: { navigate(to: object): Promise<void> }) =>
  act(async () => void router.navigate({ to: '/app/dashboard' }));
const question = () => screen.findByRole('dialog', { name: 'Leave the room?' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const shown = () => screen.getByRole('heading', { level: 1, hidden: true }).textContent;

test('11.50 staying stays, and leaving leaves without a second notice about the running timer', async () => {
  const { router, tell } = await openRoom(3);
  await leave(router);
  const dialog = await question();
  expect(dialog.textContent).toContain('3 people are in the room.');
  act(() => tell(1, 2));
  expect(dialog.textContent).toContain('1 person is in the room.');
  await press('Stay');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect([shown(), location.pathname]).toEqual(['Room', '/app/play-area']);

  await leave(router);
  await question();
  await press('Leave, keep it running');
  await waitFor(() => expect(shown()).toBe('Dashboard'));
  expect(onEnd).not.toHaveBeenCalled();
  noteInRoom();
  expect(claimTimerStays(SESSION)).toBe(false);
});

test('11.50 the browser’s back button asks too', async () => {
  const { router } = await openRoom();
  await act(async () => router.history.back());
  const dialog = await question();
  expect(dialog.textContent).toContain('10 minutes after you leave');
  await press('Stay');
  await waitFor(() => expect(location.pathname).toBe('/app/play-area'));
  expect(shown()).toBe('Room');
  await act(async () => router.history.back());
  await question();
  await press('Leave, keep it running');
  await waitFor(() => expect(shown()).toBe('Dashboard'));
});

test('11.63 in the app, too, the back button first closes what is open, then asks; once more it stays', async () => {
  const { router } = await openRoom();
  await press('People');
  await act(async () => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect([shown(), location.pathname]).toEqual(['Room', '/app/play-area']);
  await act(async () => router.history.back());
  await question();
  await act(async () => router.history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect([shown(), location.pathname]).toEqual(['Room', '/app/play-area']);
});

test('11.50 a jump back past the guarding history entry is held as well, and continues after the answer', async () => {
  const { router } = await openRoom();
  // The history entries of the room, of its question, and of the dashboard.
  await act(async () => router.history.go(-2));
  await question();
  await waitFor(() => expect(location.pathname).toBe('/app/play-area'));
  await press('Stay');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(shown()).toBe('Room');
  window.history.go(-2);
  await question();
  await press('Leave, keep it running');
  await waitFor(() => expect(shown()).toBe('Dashboard'));
  expect(location.pathname).toBe('/app/dashboard');
});

test('11.50 ending leaves once the live session has ended; a fault keeps the question', async () => {
  const { router } = await openRoom(2);
  onEnd.mockRejectedValueOnce(new Error('offline'));
  await leave(router);
  await question();
  await press('End session and leave');
  await waitFor(() => expect(onFailed).toHaveBeenCalledOnce());
  expect(shown()).toBe('Room');
  await press('End session and leave');
  await waitFor(() => expect(shown()).toBe('Dashboard'));
  expect(onEnd).toHaveBeenCalledTimes(2);
});

test('11.50 leaving does not ask after the end, nor after signing out', async () => {
  const first = await openRoom(2);
  act(first.end);
  await leave(first.router);
  await waitFor(() => expect(shown()).toBe('Dashboard'));
  cleanup();
  history.pushState(null, '', '/app/dashboard');
  const second = await openRoom(2);
  forgetPerson(storage);
  await act(async () => void second.router.navigate({ to: '/user/login' }));
  await waitFor(() => expect(shown()).toBe('Sign in'));
});

test('11.50 closing the tab asks only while clients are in', async () => {
  const closing = () => {
    const event = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const { tell } = await openRoom(0);
  expect(closing()).toBe(false);
  act(() => tell(1, 2));
  expect(closing()).toBe(true);
  act(() => tell(0, 3));
  expect(closing()).toBe(false);
});

test('11.50 an end elsewhere withdraws the question, and the person stays to read why', async () => {
  const { router, end } = await openRoom(2);
  await act(async () => router.history.back());
  await question();
  act(end);
  await waitFor(() => expect(location.pathname).toBe('/app/play-area'));
  expect([shown(), screen.queryByRole('dialog')]).toEqual(['Room', null]);
});
