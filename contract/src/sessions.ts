/**
 * Past and running live sessions of a therapist: list, details, and an email about one. Rules: docs/product.md#6.
 */
import * as z from 'zod/mini';
import { day } from './events.ts';
import { figure } from './field.ts';
import { endpoint } from './http.ts';
import { KEYWORD_MAX, pageOf, pageQuery } from './lists.ts';
import { END_REASONS } from './realtime.ts';
import { email, id, optionalLine, timestamp } from './text.ts';

/** Which live sessions a list shows. All parts that are given have to fit. */
export const sessionFilter = z.strictObject({
  /** Days, in the therapist's time zone, between which the live session started; both ends included. */
  startDate: z.nullish(day),
  endDate: z.nullish(day),
  /** Part of the name of a client who was there, ignoring case and accents. */
  keyword: z.nullish(optionalLine(KEYWORD_MAX)),
});
export type SessionFilter = z.input<typeof sessionFilter>;

export const liveSession = z.strictObject({
  id,
  startedOn: timestamp,
  /** null while it runs. */
  endedOn: z.nullable(timestamp),
  endReason: z.nullable(z.enum(END_REASONS)),
  /** Seconds that the timer counted. */
  countedSeconds: z.int(),
  /** Different clients who were there; 0 once their attendance was erased. */
  clients: z.int(),
});
export type LiveSession = z.infer<typeof liveSession>;

/** The time of one client in a live session. `leftOn` is null while they are there. */
export const attendance = z.strictObject({
  name: z.string(),
  joinedOn: timestamp,
  leftOn: z.nullable(timestamp),
});

export const liveSessionDetails = z.extend(liveSession, {
  attendance: z.array(attendance),
  /** The field when the live session ended; null while it runs, and for sessions without one. */
  field: z.nullable(z.strictObject({ figures: z.array(figure), handsAllowed: z.boolean() })),
});
export type LiveSessionDetails = z.infer<typeof liveSessionDetails>;

export const findSessions = endpoint({
  method: 'POST',
  path: '/api/session/findAll',
  access: 'ownRows',
  summary: 'The therapist’s live sessions, the newest first',
  query: pageQuery,
  body: z.optional(sessionFilter),
  reply: pageOf(liveSession),
});
export const findSessionDetails = endpoint({
  method: 'POST',
  path: '/api/session/findAll/details',
  access: 'ownRows',
  summary: 'The same list, with the attendance and the field of each',
  query: pageQuery,
  // One live session by its id, besides the filter of the list.
  body: z.optional(z.extend(sessionFilter, { id: z.nullish(id) })),
  reply: pageOf(liveSessionDetails),
});
export const sendSessionEmail = endpoint({
  method: 'POST',
  path: '/api/session/sendEmail',
  access: 'ownRowsToAddress',
  summary:
    'Sends the dates of a live session and a link that needs the sign-in; to the therapist’s own address, or to another one a few times a day. It holds no names of clients',
  body: z.strictObject({ id, email: z.nullish(email) }),
  problems: ['not_found', 'too_many_requests'],
});
