/** Messages in the room: what people of a live session write to each other, until it ends. */
import type { Feature } from '../../feature.ts';
import { createMessagesChannel } from './messages.channel.ts';
import { messagesRoutes } from './messages.routes.ts';
import { createMessagesService, type MessagesParts } from './messages.service.ts';

/** Makes the messages. Other features have no use of them. */
export function createMessages(parts: MessagesParts): Required<Pick<Feature, 'routes' | 'channel'>> {
  const service = createMessagesService(parts);
  return {
    routes: (http) => messagesRoutes(http, service),
    channel: createMessagesChannel(service),
  };
}
