/**
 * Notices: what happened in a therapist's practice while they were elsewhere, under the bell. Rules:
 * docs/product.md#11.20 to #11.26.
 *
 * Messages on the wire
 *   NOTICES   to the therapist alone, on their own destination, after each change: the number of unread notices, and
 *             the revision of the list
 *
 * Invariants
 *  1. The revision goes up by one with each change of a therapist's list, under the lock of one row. A browser ignores
 *     what is not above the revision that it has, and asks for the list again otherwise.
 *  2. A notice is written in the transaction of what it tells, so there is none without the other.
 *  3. A notice holds references. Names are read when it is shown, so they are gone with what they belong to.
 *  4. Marking all as read names the revision that the person has seen: what came later stays unread.
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { id, idInPath, revision, timestamp } from './text.ts';

/** Older ones are not shown and are deleted. */
export const NOTICES_KEPT_DAYS = 90;
/** The newest ones that a therapist keeps. */
export const NOTICES_KEPT = 200;
const NOTICES_PAGE = 20;
const NOTICES_PAGE_MAX = 50;
/** Somebody who arrives is added to an unread notice of an arrival if that is not older than this (product time). */
export const ARRIVALS_JOINED_MINUTES = 60;

export const NOTICE_KINDS = ['booked', 'cancelled', 'arrival', 'bill'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const common = {
  id,
  /** The revision of the list with which it came. It orders the list, and the next page begins below it. */
  revision,
  /** When it happened (the last arrival of several). */
  at: timestamp,
  read: z.boolean(),
};
/** Names as the therapist sees them elsewhere; null once they were erased. */
const person = z.nullable(z.strictObject({ firstName: z.string(), lastName: z.string() }));
const event = z.strictObject({ id, name: z.string(), startsOn: timestamp, timeZone: z.string() });

const notice = z.discriminatedUnion('kind', [
  /** A person has confirmed a booking. */
  z.strictObject({ ...common, kind: z.literal('booked'), person, event }),
  /** A person has cancelled a confirmed booking. */
  z.strictObject({ ...common, kind: z.literal('cancelled'), person, event }),
  /** Somebody came to the waiting room while the therapist was not in the room, and how many others after them. */
  z.strictObject({ ...common, kind: z.literal('arrival'), name: z.nullable(z.string()), others: z.int() }),
  /** A bill was made for a month (`YYYY-MM`). */
  z.strictObject({ ...common, kind: z.literal('bill'), billId: id, number: z.string(), month: z.string() }),
]);
export type Notice = z.infer<typeof notice>;

/** The number of unread notices, and the revision of the list for which it is true. */
export const noticesState = z.strictObject({ unread: z.int(), revision });
export type NoticesState = z.infer<typeof noticesState>;

declare module './realtime.ts' {
  interface PlainChanges {
    NOTICES: NoticesState;
  }
}

const digits = z.string().check(z.regex(/^\d{1,15}$/, 'not_a_number'));

export const findNotices = endpoint({
  method: 'GET',
  path: '/api/me/notices',
  access: 'therapist',
  summary: 'The therapist’s notices, the newest first, and how many of all are unread',
  query: z.strictObject({
    /** The revision of the last notice of the page before; left out for the first page. */
    before: z.optional(z.pipe(digits, z.transform(Number))),
    size: z._default(
      z.pipe(
        z.pipe(digits, z.transform(Number)),
        z.number().check(z.minimum(1, 'too_small'), z.maximum(NOTICES_PAGE_MAX, 'too_large')),
      ),
      NOTICES_PAGE,
    ),
  }),
  reply: z.strictObject({
    ...noticesState.shape,
    content: z.array(notice),
    /** Whether older ones follow. */
    more: z.boolean(),
  }),
});
export const readNotice = endpoint({
  method: 'POST',
  path: '/api/me/notices/{noticeId}/read',
  access: 'therapist',
  summary: 'Marks one notice as read; a second time changes nothing',
  params: z.strictObject({ noticeId: idInPath }),
  reply: noticesState,
  problems: ['not_found'],
});
export const readAllNotices = endpoint({
  method: 'POST',
  path: '/api/me/notices/read',
  access: 'therapist',
  summary: 'Marks all notices up to a revision of the list as read',
  body: z.strictObject({ upTo: revision }),
  reply: noticesState,
});
