/** Sends the room's timer to everybody who joins. */
import type { Channel } from '../../realtime/channel.ts';
import type { UsageService } from './usage.service.ts';

/** Makes the channel. Takes the timers. */
export function createUsageChannel(usage: Pick<UsageService, 'timerOf'>): Channel {
  return {
    async onJoin(sender) {
      sender.tell({ eventType: 'TIMER_UPDATE', contents: await usage.timerOf(sender.therapistId) });
    },
  };
}
