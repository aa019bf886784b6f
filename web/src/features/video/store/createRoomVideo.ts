/** Joins this browser's video with the connection to the room and with the server's calls. */
import { updateSelected } from '@fieldroom/contract/clients';
import {
  askToUnmute,
  getVideoTicket,
  muteClients,
  raiseHand,
  setStage,
  setVideoSettings,
  VIDEO_SEND,
} from '@fieldroom/contract/video';
import { api } from '../../../platform/api/index.ts';
import { roomKeyPlace } from '../../../platform/links/linkKey.ts';
import type { MediaHost } from '../../../platform/media/mediaTypes.ts';
import { type Connection } from '../../../platform/realtime/index.ts';
import { tabStore } from '../../../platform/storage.ts';
import { takingPart } from '../lazyVideo.tsx';
import { createStageTurns } from './stageTurns.ts';
import { browserPreferences } from './videoPreferences.ts';
import { createVideoStore, type VideoCalls, type VideoStore } from './videoStore.ts';

/**
 * Takes this person, the room's therapist, and the connection. Returns the store for `VideoContext`, and the acts for
 * the panels.
 */
export function createRoomVideo({
  me,
  therapistId,
  connection,
}: {
  me: MediaHost['me'];
  therapistId: number;
  connection: Pick<Connection, 'on' | 'onState' | 'send'>;
}): { store: VideoStore; calls: VideoCalls } {
  const host: MediaHost = {
    me,
    therapistId,
    ticket: () => api.call(getVideoTicket, { body: { firefox: /firefox/i.test(navigator.userAgent) } }),
    sendNetworkQuality: (quality) => connection.send(VIDEO_SEND.networkQuality, { line: quality }, { answered: false }),
    onRoomOpen: (listener) => connection.onState((state) => state === 'open' && listener()),
    sendKey: (message) => void connection.send(VIDEO_SEND.key, message, { answered: false }),
    onKey: (listener) => connection.on('VIDEO_KEY', ({ contents }) => listener(contents)),
  };
  const store = createVideoStore({
    me,
    connection,
    preferences: browserPreferences(),
    forgetKey: () => tabStore.remove(roomKeyPlace(therapistId)),
    media: async () => {
      const [{ createMediaRoom }] = await Promise.all([import('../../../platform/media/index.ts'), takingPart.load()]);
      return createMediaRoom(host);
    },
  });
  const calls: VideoCalls = {
    setSettings: (settings) => api.call(setVideoSettings, { body: settings }),
    setStage: async (clientIds) => {
      await api.call(setStage, { body: { clientIds } });
    },
    turnOnStage: createStageTurns(
      () => store.get().room?.stage ?? null,
      async (clientIds) => (await api.call(setStage, { body: { clientIds } })).stage,
    ),
    mute: (clientIds) => api.call(muteClients, { body: { clientIds } }),
    askToUnmute: (clientId) => api.call(askToUnmute, { body: { clientId } }),
    select: async (id, selected) => {
      await api.call(updateSelected, { body: { id, selected } });
    },
    raiseHand: (raised, clientId) =>
      api.call(raiseHand, { body: { raised, ...(clientId === undefined ? {} : { clientId }) } }),
  };
  return { store, calls };
}
