/** What browsers send about their video over the real-time connection. */
import { videoKeyMessage, videoLineMessage, VIDEO_SEND } from '@fieldroom/contract/video';
import { type Channel, stored } from '../../channel.ts';
import type { Video } from './video.service.ts';

/** Makes the channel. A joiner hears the state of the room's video. */
export function createVideoChannel(video: Pick<Video, 'state' | 'lineCarries' | 'passKey'>): Channel {
  return {
    messages: {
      [VIDEO_SEND.line]: stored(videoLineMessage, async ({ line }, sender) =>
        video.lineCarries(await sender.access(), line),
      ),
      [VIDEO_SEND.key]: stored(videoKeyMessage, async (message, sender) =>
        video.passKey(await sender.access(), message),
      ),
    },
    async onJoin(sender) {
      // Sent in the same turn in which it was read, so that a newer state follows it.
      const contents = await video.state(sender.therapistId);
      sender.tell({ eventType: 'VIDEO_STATE', contents });
    },
  };
}
