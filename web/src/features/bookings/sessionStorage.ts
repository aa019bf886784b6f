/**
 * What a tab remembers over a reload, in its session storage: a hold, and the tokens that were taken out of the address
 * bar. Ends with the tab; nothing else about the person is kept.
 */
import type { Hold } from '@fieldroom/contract/bookings';
import type { Event } from '@fieldroom/contract/events';
import { tabStore } from '../../platform/storage.ts';

export interface KeptHold extends Hold {
  eventId: number;
  /** Where the letter went; shown, so that a mistyped address is noticed. */
  email: string;
  /** When and where the event was to be when it was booked (`timeAndPlace`). */
  booked?: string;
}

const HOLD = 'booking_hold';
const TOKENS = { confirm: 'booking_letter', booking: 'booking_link' } as const;

/** Where the browser keeps nothing, a reload starts over; the email is on its way all the same. */
function write(key: string, value: string | null): void {
  if (value === null) tabStore.remove(key);
  else tabStore.set(key, value);
}

/** The hold made in this tab on this event, null without one. */
export function readHold(eventId: number): KeptHold | null {
  try {
    const hold = JSON.parse(tabStore.get(HOLD) ?? 'null') as KeptHold | null;
    const whole =
      hold !== null &&
      hold.eventId === eventId &&
      typeof hold.email === 'string' &&
      typeof hold.handle === 'string' &&
      !Number.isNaN(Date.parse(hold.heldUntil));
    return whole ? hold : null;
  } catch {
    return null;
  }
}
/** When and where an event is, to be compared. */
export const timeAndPlace = ({
  dates,
  startTime,
  endTime,
  timeZone,
  isOnline,
  eventLocation,
  address,
}: Pick<Event, 'dates' | 'startTime' | 'endTime' | 'timeZone' | 'isOnline' | 'eventLocation' | 'address'>): string =>
  JSON.stringify([dates, startTime, endTime, timeZone, isOnline, eventLocation, address]);

/** Whether this tab has a hold on any event. */
export const hasHold = (): boolean => tabStore.get(HOLD) !== null;
export const keepHold = (hold: KeptHold): void => write(HOLD, JSON.stringify(hold));
export const forgetHold = (): void => write(HOLD, null);

/**
 * The token that a letter's link brought, taken out of the address bar at once; after a reload the one remembered.
 * In: which
 * of the two pages asks. Out: null when there is none.
 */
export function takeToken(page: keyof typeof TOKENS, taken: string | null): string | null {
  if (taken !== null) write(TOKENS[page], taken);
  return taken ?? tabStore.get(TOKENS[page]);
}

const PRIVATE_LINK = 'booking_letter_link';
/** Remembers the private link's token that confirming by a letter brought. In: the letter's token, the link's. */
export const keepPrivateToken = (letter: string, link: string): void => write(PRIVATE_LINK, `${letter} ${link}`);
/** The one that this very letter brought, null where it was confirmed elsewhere. */
export function readPrivateToken(letter: string): string | null {
  const [of, link] = (tabStore.get(PRIVATE_LINK) ?? '').split(' ');
  return of === letter && link ? link : null;
}

/** What the pages behind links tell the tab in which the booking began. */
export interface TabNews {
  eventId: number;
  email: string;
  state: 'CONFIRMED' | 'DECLINED' | 'CANCELLED';
}
const CHANNEL = 'fieldroom-booking';

/**
 * Whether news are about a hold. A known address gets its letter as its owner once wrote it, perhaps in other
 * capitals.
 */
export const isAbout = ({ eventId, email }: TabNews, hold: KeptHold): boolean =>
  hold.eventId === eventId && hold.email.toLowerCase() === email.toLowerCase();

/** What was held is answered: forgets it in this tab and tells the other tabs of this browser; stays within it. */
export function announceAnswer(news: TabNews): void {
  const hold = readHold(news.eventId);
  if (hold !== null && isAbout(news, hold)) forgetHold();
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}
/** Out: the way to stop listening. */
export function onTabNews(listener: (news: TabNews) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }) => listener(data as TabNews));
  return () => channel.close();
}
