/** The messages that browsers send, and those that a joiner may read. */
import { MESSAGES_SEND, sendMessage } from '@fieldroom/contract/messages';
import { type Channel, stored } from '../../realtime/channel.ts';
import type { Messages } from './messages.service.ts';

/** Makes the channel. Takes the messages. */
export function createMessagesChannel(messages: Pick<Messages, 'send' | 'sendCurrent'>): Channel {
  return {
    messages: {
      [MESSAGES_SEND.send]: stored(sendMessage, async (message, sender) =>
        messages.send(await sender.access(), message),
      ),
    },
    async onJoin(sender) {
      await messages.sendCurrent(await sender.access(), (contents) => sender.tell({ eventType: 'MESSAGES', contents }));
    },
  };
}
