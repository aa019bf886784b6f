import { KEYWORD_MAX } from '@fieldroom/contract/lists';
import type { EventList } from '../../eventsApi.ts';

/** The parameters of My events' address: a search leads to one event, or to somebody who is booked on one. */
export interface Asked {
  list?: EventList;
  keyword?: string;
  /** The event takes place on this day, `YYYY-MM-DD`. */
  day?: string;
  /** The event whose attendees are shown, and the booking to highlight among them. */
  participants?: number;
  booking?: number;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** Takes the query as the router reads it. Drops invalid values. */
export function askedEvents(query: object): Asked {
  const { list, keyword, day, participants, booking } = query as Record<string, unknown>;
  return {
    ...(list === 'upcoming' || list === 'past' || list === 'cancelled' ? { list } : {}),
    ...(typeof keyword === 'string' || typeof keyword === 'number'
      ? { keyword: String(keyword).slice(0, KEYWORD_MAX) }
      : {}),
    ...(typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) ? { day } : {}),
    ...(isId(participants) ? { participants } : {}),
    ...(isId(booking) ? { booking } : {}),
  };
}
