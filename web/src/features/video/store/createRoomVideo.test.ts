/** The media's view of the connection to the room. */
import { VIDEO_SEND } from '@fieldroom/contract/video';
import { expect, test, vi } from 'vitest';
import type { MediaHost, MediaRoom } from '../../../platform/media/mediaTypes.ts';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomVideo } from './createRoomVideo.ts';
import { outside } from './videoStore.fixture.ts';

let host: MediaHost | null = null;
vi.mock('../../../platform/media/index.ts', () => ({
  createMediaRoom(given: MediaHost): Promise<MediaRoom> {
    host = given;
    return outside().media();
  },
}));
vi.mock('../lazyVideo.tsx', () => ({ takingPart: { load: async () => undefined } }));

test('10.10 the media learns each time the connection to the room opens again, and what could not be sent', async () => {
  const connection = fakeConnection();
  const { store } = createRoomVideo({ me: { id: 1, as: 'therapist' }, therapistId: 1, connection });
  store.join('watch');
  await vi.waitFor(() => expect(host).not.toBeNull());
  const opened = vi.fn();
  const stop = host!.onRoomOpen(opened);
  expect(host!.sendNetworkQuality('poor')).toBe(true);
  expect(connection.sent).toEqual([{ destination: VIDEO_SEND.networkQuality, body: { line: 'poor' } }]);
  host!.sendKey({ to: 2, publicKey: 'p' });
  expect(connection.unanswered).toEqual([VIDEO_SEND.networkQuality, VIDEO_SEND.key]);
  connection.become('lost');
  expect([host!.sendNetworkQuality('weak'), opened.mock.calls.length]).toEqual([false, 0]);
  connection.become('open');
  expect(opened).toHaveBeenCalledTimes(1);
  stop();
  connection.become('lost');
  connection.become('open');
  expect(opened).toHaveBeenCalledTimes(1);
  store.close();
});
