/** The therapist's switch for messages of clients. */
import { setClientMessages } from '@fieldroom/contract/messages';
import type { Http } from '../../access.ts';
import type { Messages } from './messages.service.ts';

/** Mounts the call. */
export function messagesRoutes(http: Http, messages: Pick<Messages, 'setClientsMayWrite'>): void {
  http.handle(setClientMessages, ({ access, body }) => messages.setClientsMayWrite(access.id, body.mayWrite));
}
