/** What browsers send about their video over the real-time connection. */
import { videoKeyMessage, networkQualityMessage, VIDEO_SEND } from '@fieldroom/contract/video';
import { type Channel, stored } from '../../realtime/channel.ts';
import type { Video } from './video.service.ts';

/** Makes the channel. A joiner hears the state of the room's video. */
export function createVideoChannel(video: Pick<Video, 'stateFor' | 'setNetworkQuality' | 'passKey'>): Channel {
  return {
    messages: {
      [VIDEO_SEND.networkQuality]: stored(networkQualityMessage, async ({ line }, sender) =>
        video.setNetworkQuality(await sender.access(), line),
      ),
      [VIDEO_SEND.key]: stored(videoKeyMessage, async (message, sender) =>
        video.passKey(await sender.access(), message),
      ),
    },
    async onJoin(sender) {
      // Sent in the same turn in which it was read, so that a newer state follows it.
      const contents = await video.stateFor(sender.therapistId, sender.principal.id);
      if (contents !== null) sender.tell({ eventType: 'VIDEO_STATE', contents });
    },
  };
}
