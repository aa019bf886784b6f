/**
 * The room in its own document: who gets it, and where everybody else is redirected.
 *
 * @alone It replaces what draws the rooms.
 */
import { getRoom } from '@fieldroom/contract/clients';
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteFault } from './browserLogs.ts';
import { api } from '../platform/api/index.ts';
import { client } from '../platform/client.testing.ts';
import { keepSeat, keepSignIn, storage } from '../platform/storage.ts';
import { therapist } from '../features/events/eventPages.testing.tsx';
import { startRoom } from './startRoom.tsx';

const rooms = vi.hoisted(() => ({ broken: false }));
vi.mock('../features/room/therapist/TherapistRoomPage.tsx', () => ({
  default: () => {
    if (rooms.broken) throw new Error('the field');
    return <h1>Field</h1>;
  },
}));
vi.mock('../features/room/client/ClientRoomPage.tsx', () => ({ default: () => <h1>Client</h1> }));
vi.mock('./browserLogs.ts', () => ({ noteFault: vi.fn() }));

const assign = vi.fn();
const replace = vi.fn();

async function open(path: string) {
  window.history.replaceState(null, '', path);
  await act(() => startRoom(document.body.appendChild(document.createElement('div'))));
}

beforeEach(() => {
  rooms.broken = false;
  window.localStorage.clear();
  vi.mocked(noteFault).mockReset();
  assign.mockReset();
  replace.mockReset();
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
  vi.spyOn(window.location, 'replace').mockImplementation(replace);
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const signIn = () => keepSignIn(storage, { token: 't', user: therapist });
const enter = () =>
  keepSeat(storage, {
    token: 'c',
    client,
    language: 'en',
  });
const shown = async () => (await screen.findByRole('heading')).textContent;

test('3.13 therapists and clients get their own room', async () => {
  signIn();
  await open('/app/play-area');
  expect(await shown()).toBe('Field');
  document.body.replaceChildren();
  enter();
  await open('/app/play-area-view/');
  expect(await shown()).toBe('Client');
  expect(replace).not.toHaveBeenCalled();
});

test('3.13 a client who opens the therapist’s room is led to their own, a therapist never to a client’s', async () => {
  enter();
  await open('/app/play-area?x=1');
  signIn();
  await open('/app/play-area-view');
  expect(replace.mock.calls).toEqual([['/app/play-area-view'], ['/auth/unauthorized']]);
  expect(document.body.textContent).toBe('');
});

test('3.13 a stranger signs in first and is led back', async () => {
  await open('/app/play-area?icon=4');
  expect(replace.mock.calls).toEqual([['/user/login?returnUrl=%2Fapp%2Fplay-area%3Ficon%3D4']]);
});

test('11.36 a room that cannot be drawn says so, with a reference, and the operator is told', async () => {
  rooms.broken = true;
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  signIn();
  await open('/app/play-area');
  expect(await shown()).toBe('Something went wrong');
  await waitFor(() => expect(noteFault).toHaveBeenCalledOnce());
  const [pageName, fault] = vi.mocked(noteFault).mock.calls[0]!;
  expect([pageName(), (fault as Error).message]).toEqual(['/app/play-area', 'the field']);
});

test('3.13 when the sign-in ends, the sign-in page leads back to the room', async () => {
  signIn();
  await open('/app/play-area?icon=4#part');
  await shown();
  vi.stubGlobal('fetch', async () => Response.json({ code: 'session_expired', status: 401 }, { status: 401 }));
  await act(() => api.call(getRoom).catch(() => undefined));
  expect(assign).toHaveBeenLastCalledWith('/user/login?returnUrl=%2Fapp%2Fplay-area%3Ficon%3D4%23part&ended=true');
  expect(storage.getText('token')).toBeNull();
});
