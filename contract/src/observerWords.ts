/**
 * Observers' words: while the therapist invites them, clients without a role say how they feel in a word or a short
 * line, which everybody sees beside their name for a while. Rules: docs/product.md#6.30 to #6.33.
 *
 * Messages on the wire
 *   SEND /app/observerWords.say  SayWord   stored. Answered to the room by OBSERVER_WORD with the same `actId`, or
 *                                          refused by PROBLEM with it
 *   OBSERVER_WORD                          to the room: one word. A later one of the same person replaces it
 *   OBSERVER_INVITATION                    to the room, and to each connection that joins it: whether words are invited
 *
 * Invariants
 *  1. A word is never stored. It is sent once, to those who are in the room at that moment, not to those who join
 *     later.
 *  2. A browser shows a word for OBSERVER_WORD_SECONDS, and only while its person is in the room. The end of the
 *     invitation removes all words at once.
 *  3. The invitation ends with the live session.
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { messagesTo } from './realtime.ts';
import { line } from './text.ts';

/** Characters of one word or line. */
export const OBSERVER_WORD_MAX = 60;
/** How long a word is shown, in seconds of real time. */
export const OBSERVER_WORD_SECONDS = 30;
/** Words that one person may say within OBSERVER_WORDS_WINDOW_SECONDS (product time). */
export const OBSERVER_WORDS_LIMIT = 10;
export const OBSERVER_WORDS_WINDOW_SECONDS = 60;

export const OBSERVER_WORDS_SEND = { say: '/app/observerWords.say' } as const;

export const sayWord = z.strictObject({ actId: z.uuid(), text: line(OBSERVER_WORD_MAX) });
export type SayWord = z.infer<typeof sayWord>;

export const SENT_MESSAGES = messagesTo(OBSERVER_WORDS_SEND, { say: sayWord });

export interface ObserverWord {
  actId: string;
  personId: number;
  text: string;
}

declare module './realtime.ts' {
  interface PlainChanges {
    OBSERVER_WORD: ObserverWord;
    OBSERVER_INVITATION: { invited: boolean };
  }
}

export const inviteWords = endpoint({
  method: 'POST',
  path: '/api/room/observer-words',
  access: 'therapist',
  summary: 'Whether clients without a role may say a word about how they feel; until the live session ends',
  body: z.strictObject({ invited: z.boolean() }),
  problems: ['no_live_session'],
});
