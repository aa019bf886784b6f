/** The rules of bookings that need no schema. PRODUCT section 9, SAFE "Limits". */
export const BOOKING_STATES = ['HELD', 'CONFIRMED', 'EXPIRED', 'DECLINED', 'CANCELLED'] as const;

/** A booking is held so long pending its confirmation (specification section 9). */
export const HOLD_MINUTES = 10;
/** An event with more places than this keeps half of them from unconfirmed bookings. */
export const HOLDS_LIMIT_FROM = 4;
/** The room of an online event can be entered this long before its start. */
export const ROOM_OPENS_MINUTES = 30;

/** How many of an event's places may be held unconfirmed at the same time. */
export function maxHeld(places: number): number {
  return places > HOLDS_LIMIT_FROM ? Math.floor(places / 2) : places;
}

/** Why a booking would not be taken now, null where it would. In: places, live bookings of either kind. */
export function noSeat(places: number, held: number, confirmed: number): 'event_full' | 'event_holds_full' | null {
  if (held + confirmed >= places) return 'event_full';
  return held >= maxHeld(places) ? 'event_holds_full' : null;
}
