/** Messages that people in a live session write to each other; they are deleted when it ends. */
import type { Feature } from '../../feature.ts';
import { createMessagesChannel } from './messages.channel.ts';
import { messagesRoutes } from './messages.routes.ts';
import { createMessagesService, type MessagesParts } from './messages.service.ts';

/** Makes the messages. No other feature uses them. */
export function createMessages(parts: MessagesParts): Required<Pick<Feature, 'routes' | 'channel'>> {
  const service = createMessagesService(parts);
  return {
    routes: (http) => messagesRoutes(http, service),
    channel: createMessagesChannel(service),
  };
}
