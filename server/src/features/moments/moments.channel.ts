/** The messages of the therapist's page, and those that it gets on joining. */
import { keepMoment, MOMENTS_SEND } from '@fieldroom/contract/moments';
import { type Channel, stored } from '../../realtime/channel.ts';
import type { Moments } from './moments.service.ts';

/** Makes the channel. Takes the moments. */
export function createMomentsChannel(moments: Pick<Moments, 'keep' | 'sendCurrent'>): Channel {
  return {
    messages: {
      [MOMENTS_SEND.keep]: stored(keepMoment, async (wanted, sender) => moments.keep(await sender.access(), wanted)),
    },
    async onJoin(sender) {
      const access = await sender.access();
      if (access.as !== 'therapist') return;
      await moments.sendCurrent(access.therapistId, (contents) => sender.tell({ eventType: 'MOMENTS', contents }));
    },
  };
}
