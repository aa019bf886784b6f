/**
 * Messages in the room: what people of a live session write to each other. Rules: docs/product.md#6.4 to #6.9.
 *
 * Messages on the wire
 *   SEND /app/messages.send   SendMessage   stored. Answered by MESSAGE with the same `actId`, or refused by PROBLEM
 *                                           with it. Sending the same `actId` again changes nothing and answers again
 *   MESSAGE                   one message, to the room, or to the two people it is between on their own destinations
 *   MESSAGES                  to one connection that joins the room: what its person may read, and whether clients may
 *                             write
 *   CLIENT_MESSAGES           to the room: whether clients may write
 *
 * Invariants
 *  1. Ids grow. A browser's list is the union of what it heard in one live session, by id; MESSAGES of another live
 *     session replaces it. So it does not matter whether MESSAGES or a MESSAGE that was sent at that time comes first.
 *  2. A message between two people travels on their own destinations only and is in their MESSAGES only.
 *  3. A client reads what was written to all since they were let in, not what was written before.
 *  4. When the live session ends, its messages are gone from the database in the same transaction, and from every
 *     browser with SESSION_OUT.
 *  5. A browser that lost its connection sends what was not answered again, with the same `actId`.
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { messagesTo } from './realtime.ts';
import { id, paragraphs, timestamp } from './text.ts';

/** Characters of one message. */
export const MESSAGE_MAX = 500;
/** Messages one person may send within MESSAGES_WINDOW_SECONDS (product time). */
export const MESSAGES_LIMIT = 20;
export const MESSAGES_WINDOW_SECONDS = 60;
/** The newest messages that MESSAGES carries, and that a browser shows. */
export const MESSAGES_SHOWN = 500;

export const MESSAGES_SEND = { send: '/app/messages.send' } as const;

export const sendMessage = z.strictObject({
  actId: z.uuid(),
  /** `all`, or one person: a client may write only to the therapist, the therapist to one client. */
  to: z.union([z.literal('all'), id]),
  text: paragraphs(MESSAGE_MAX),
});
export type SendMessage = z.infer<typeof sendMessage>;

export const SENT_MESSAGES = messagesTo(MESSAGES_SEND, { send: sendMessage });

export const message = z.strictObject({
  id,
  actId: z.uuid(),
  /** The person who wrote it, and their name at that time. */
  from: id,
  fromName: z.string(),
  to: z.union([z.literal('all'), id]),
  /** The name of the person it is for; null when it is for all. */
  toName: z.nullable(z.string()),
  text: z.string(),
  sentOn: timestamp,
});
export type Message = z.infer<typeof message>;

/** All that one person may read in a live session, oldest first. */
export interface MessagesValue {
  liveSessionId: number;
  messages: Message[];
  clientsMayWrite: boolean;
}

declare module './realtime.ts' {
  interface PlainChanges {
    MESSAGE: Message;
    MESSAGES: MessagesValue;
    CLIENT_MESSAGES: { mayWrite: boolean };
  }
}

export const setClientMessages = endpoint({
  method: 'POST',
  path: '/api/room/client-messages',
  access: 'therapist',
  summary: 'Whether clients may write messages in the room; they always read those that are for them',
  body: z.strictObject({ mayWrite: z.boolean() }),
});
