/** Joins the video of this browser with the room's line and the server's calls. */
import { askToUnmute, getVideoTicket, muteClients, raiseHand, setVideoSettings, updateSelected } from './calls.ts';
import { api } from '../../platform/api/index.ts';
import type { MediaDoor } from '../../platform/media/media.types.ts';
import { SEND } from '../../platform/realtime/index.ts';
import { browserMemory } from './memory.ts';
import { createVideoStore, type VideoCalls, type VideoLine, type VideoStore } from './video.store.ts';

/** What is needed of the room's store. */
export interface RoomSide extends VideoLine {
  sendVideo(destination: typeof SEND.videoLine | typeof SEND.videoKey, body: unknown): boolean;
}

/**
 * In: who this is, whose room, the room's line. Out: the store for `VideoContext`, and the acts for the panels.
 */
export function createRoomVideo({
  me,
  therapistId,
  room,
}: {
  me: MediaDoor['me'];
  therapistId: number;
  room: RoomSide;
}): { store: VideoStore; calls: VideoCalls } {
  const door: MediaDoor = {
    me,
    therapistId,
    ticket: () => api.call(getVideoTicket, { body: { firefox: /firefox/i.test(navigator.userAgent) } }),
    sendLine: (line) => void room.sendVideo(SEND.videoLine, { line }),
    sendKey: (message) => void room.sendVideo(SEND.videoKey, message),
    onKey: (listener) =>
      room.onVideo((news) => {
        if (news.eventType === 'VIDEO_KEY') listener(news.contents);
      }),
  };
  const store = createVideoStore({
    me,
    line: room,
    memory: browserMemory(),
    media: async () => (await import('../../platform/media/index.ts')).createMediaRoom(door),
  });
  const calls: VideoCalls = {
    setSettings: (settings) => api.call(setVideoSettings, { body: settings }),
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
