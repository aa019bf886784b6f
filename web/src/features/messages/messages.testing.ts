/** Builders for the tests of messages. */
import type { Message, MessagesValue } from '@fieldroom/contract/messages';

export const THERAPIST = 7;
export const HANNA = 21;
export const JONAS = 22;
const NAMES: Record<number, string> = { [THERAPIST]: 'Anna', [HANNA]: 'Hanna', [JONAS]: 'Jonas' };

/** A message of Hanna to all, unless said otherwise. Its actId follows from its id. */
export function aMessage(id: number, patch: Partial<Message> = {}): Message {
  const { from = HANNA, to = 'all' } = patch;
  return {
    id,
    actId: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    from,
    fromName: NAMES[from] ?? '',
    to,
    toName: to === 'all' ? null : (NAMES[to] ?? ''),
    text: `text ${id}`,
    sentOn: '2026-11-22T10:00:00Z',
    ...patch,
  };
}

/** The message to a page that joins: the messages of live session 1, in which clients may write. */
export const standing = (messages: Message[], patch: Partial<MessagesValue> = {}): MessagesValue => ({
  liveSessionId: 1,
  messages,
  clientsMayWrite: true,
  ...patch,
});
