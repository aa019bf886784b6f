/** Numbers and rules of the room that need no schema; apart from clients.ts so that the room in the browser carries no schema library. PRODUCT sections 4 and 5. */

/** The alphabet of codes has no look-alikes: no 0 O 1 I L. */
export const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const CODE_LENGTH = 5;
/** Seats for clients, the therapist not counted. */
export const SEATS = 24;
export const WAITING_MAX = 50;
/** Seconds a seat and its roles are kept for a lost connection (product time). */
export const SEAT_KEPT_SECONDS = 60;
/** Minutes without the therapist after which the live session ends (product time). */
export const THERAPIST_AWAY_MINUTES = 10;
/** Hours after which a running live session's code is renewed silently (product time). */
export const CODE_HOURS = 4;

/** Makes what a person typed comparable: upper case, without spaces and hyphens. */
export function normalizeCode(typed: string): string {
  return typed.normalize('NFKC').toUpperCase().replace(/[\s-]/gu, '');
}
