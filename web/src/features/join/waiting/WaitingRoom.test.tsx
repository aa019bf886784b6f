/** The waiting room with its connection: in any order of messages and answers, each end has its own words. */
import { CLIENT_ROOM } from '@fieldroom/contract/pages';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { takeHandOver } from '../../../platform/realtime/handOver.ts';
import { keepSeat, storage } from '../../../platform/storage.ts';
import { JoinPage } from '../JoinPage.tsx';
import { ServerSocket } from './serverSocket.testing.ts';
import { showJoinLanguage } from '../useJoinWords.ts';
import { client } from '../../../platform/client.testing.ts';

const seat = { client, state: 'waiting', therapistHere: true };
const TITLES = { declined: 'Not this time', removed: 'You’ve left the session', ended: 'The session is over' } as const;
const WORDS = {
  declined: { eventType: 'ADMISSION', contents: { state: 'declined' } },
  removed: { eventType: 'ADMISSION', contents: { state: 'removed' } },
  ended: { eventType: 'SESSION_OUT', contents: { reason: 'ended' }, usersUpdatedOn: 1, participantsUpdatedOn: 1 },
} as const;
const CODES = { declined: 'declined', removed: 'sent_out', ended: 'live_session_over' } as const;
const ENDS = ['declined', 'removed', 'ended'] as const;

/** Pending requests for the seat. */
let asked: ((answer: Response) => void)[] = [];
const heading = () => screen.getByRole('heading').textContent;
/** Shows the waiting room and waits until its socket is opening. */
async function openWaitingRoom(openRoomHere = () => {}) {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  window.history.replaceState(null, '', '/user/join/anna');
  render(<JoinPage openRoomHere={openRoomHere} />);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await answer(Response.json(seat));
  await vi.waitFor(() => expect(ServerSocket.all).toHaveLength(1));
  return ServerSocket.all[0]!;
}
/** Answers the oldest request and lets its effects happen. */
async function answer(response: Response) {
  const oldest = asked.shift();
  if (!oldest) throw new Error('nothing was asked');
  await act(async () => oldest(response));
}

beforeEach(() => {
  showJoinLanguage('en');
  window.localStorage.clear();
  ServerSocket.all = [];
  asked = [];
  vi.stubGlobal('WebSocket', ServerSocket);
  vi.stubGlobal(
    'fetch',
    (address: string, { signal }: RequestInit) =>
      new Promise<Response>((resolve, reject) => {
        // The room's files may load at any time, and these tests are not about them.
        if (address !== CLIENT_ROOM) asked.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  );
});
afterEach(() => {
  cleanup();
  document.head.replaceChildren();
  vi.unstubAllGlobals();
});

test.each(ENDS)('%s while the seat is requested: the earlier answer does not restore the waiting room', async (end) => {
  const socket = await openWaitingRoom();
  await act(async () => socket.connect());
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
  // Message and answer at once, before the page is redrawn.
  await act(async () => {
    socket.tell(WORDS[end]);
    asked.shift()!(Response.json(seat));
    await new Promise((next) => {
      setTimeout(next);
    });
  });
  expect(heading()).toBe(TITLES[end]);
  expect(storage.getText('token')).toBeNull();
});

test.each(ENDS)('%s before the connection was accepted: shown at once because of the refusal', async (end) => {
  const socket = await openWaitingRoom();
  await act(async () => {
    socket.open();
    socket.refuse(CODES[end]);
  });
  expect(heading()).toBe(TITLES[end]);
});

/** The room's files are loaded before the client is let in. Shows the waiting room with its connection open. */
async function waitWithTheRoomsFiles(openRoomHere: () => void) {
  const before = globalThis.fetch;
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    address === CLIENT_ROOM || address.startsWith('/assets/')
      ? Promise.resolve(new Response('<script src="/assets/app.js"></script>'))
      : before(address, init),
  );
  const socket = await openWaitingRoom(openRoomHere);
  await act(async () => socket.connect());
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await answer(Response.json(seat));
  await vi.waitFor(() => expect(document.querySelector('link[rel="modulepreload"]')).not.toBeNull());
  return socket;
}

test('11.67 admitted once the room’s files are loaded: it opens here, with the existing connection and seat', async () => {
  const opened = vi.fn();
  const socket = await waitWithTheRoomsFiles(opened);
  await act(async () => socket.tell({ eventType: 'ADMISSION', contents: { state: 'in' } }));
  expect(opened).toHaveBeenCalledOnce();
  expect(asked).toHaveLength(1);
  await answer(Response.json({ ...seat, state: 'in' }));
  cleanup();
  // The room closes it.
  expect(socket.readyState).toBe(1);
  const taken = takeHandOver(client.id);
  expect((await taken!.seat).state).toBe('in');
  taken!.connection.close();
});

test('11.67 admitted before they are loaded: it opens here too, with a connection of its own', async () => {
  const opened = vi.fn();
  const socket = await openWaitingRoom(opened);
  await act(async () => socket.connect());
  await act(async () => socket.tell({ eventType: 'ADMISSION', contents: { state: 'in' } }));
  expect(opened).toHaveBeenCalledOnce();
  expect(takeHandOver(client.id)).toBeNull();
  expect(socket.readyState).toBe(1);
  // The waiting room stays visible until the room is drawn.
  expect(screen.getByRole('status').textContent).toBe('Come in – opening the room…');
});
