/** How long the names of a therapist's clients are stored (docs/product.md#12.4). */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';

/** Default number of months after a live session or an event for which names are kept. */
export const ATTENDANCE_MONTHS = { least: 1, standard: 12, most: 120 } as const;
/** The periods that a page offers. */
export const ATTENDANCE_MONTHS_OFFERED = [1, 3, 6, 12, 24, 36, 60, 120] as const;

const { least, most } = ATTENDANCE_MONTHS;

export const retention = z.strictObject({
  /** Months after which the attendance of live sessions, and the names of attendees of past events, are erased. */
  attendanceMonths: z.int().check(z.minimum(least, 'too_small'), z.maximum(most, 'too_large')),
});

export const getRetention = endpoint({
  method: 'GET',
  path: '/api/me/retention',
  access: 'therapist',
  summary: 'How long names of clients and attendance are kept',
  reply: retention,
});

export const setRetention = endpoint({
  method: 'POST',
  path: '/api/me/retention',
  access: 'therapist',
  summary: 'Sets how long names of clients and attendance are kept; what is older is erased within the hour',
  body: retention,
  reply: retention,
});
