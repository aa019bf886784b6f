/** The data that the therapist's room fetches again when its connection is back. */
import type { RoomState } from '@fieldroom/contract/clients';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createMessagesStore, MessagesContext } from '../../messages/index.ts';
import { VideoContext } from '../../video/index.ts';
import { outside } from '../../video/store/videoStore.fixture.ts';
import { createVideoStore } from '../../video/store/videoStore.ts';
import { createRoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { type TherapistCalls, useTherapistRoom } from './useTherapistRoom.ts';

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));

const closing: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const close of closing.splice(0)) close();
});

test('code, link, admission and icons are fetched again each time the connection returns, not on the first opening', async () => {
  const connection = fakeConnection();
  connection.become('connecting');
  const store = createRoomStore({ connection, me: { id: 7, as: 'THERAPIST' } });
  const messages = createMessagesStore({ connection, me: 7 });
  const video = createVideoStore({ me: { id: 7, as: 'therapist' }, ...outside() });
  closing.push(...[store, messages, video].map((each) => () => each.close()));
  const room = { code: 'FIRST', joinLink: 'first', admission: 'ask' } as RoomState;
  const icon = (id: number) => ({ id, name: 'House', width: 30, height: 30, createdOn: '' });
  const calls = {
    getRoom: vi.fn(async () => room),
    icons: { list: vi.fn(async () => [icon(5)]), image: () => new Promise(() => undefined) },
  };
  const { result } = renderHook(
    () => useTherapistRoom({ calls: calls as unknown as TherapistCalls, joinLink: 'first' }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <RoomProvider store={store}>
          <VideoContext value={video}>
            <MessagesContext value={messages}>{children}</MessagesContext>
          </VideoContext>
        </RoomProvider>
      ),
    },
  );
  await act(async () => connection.become('open'));
  expect([calls.getRoom.mock.calls.length, calls.icons.list.mock.calls.length]).toEqual([1, 1]);
  calls.getRoom.mockResolvedValue({ ...room, code: 'OTHER', joinLink: 'other', admission: 'open' });
  calls.icons.list.mockResolvedValue([]);
  await act(async () => connection.become('lost'));
  await act(async () => connection.become('open'));
  expect(result.current.room).toMatchObject({ code: 'OTHER', joinLink: 'other', admission: 'open' });
  expect(result.current.library.icons).toEqual([]);
  await act(async () => connection.become('lost'));
  await act(async () => connection.become('open'));
  expect([calls.getRoom.mock.calls.length, calls.icons.list.mock.calls.length]).toEqual([3, 3]);
});
