/**
 * What a tab remembers across a reload, in session storage: a hold, and the tokens that were taken out of the address
 * bar. It is gone when the tab closes; nothing else about the person is kept.
 */
import type { Hold } from '@fieldroom/contract/bookings';
import type { Event } from '@fieldroom/contract/events';
import { tabStore } from '../../platform/storage.ts';

export interface KeptHold extends Hold {
  eventId: number;
  /** Where the email went; shown so that people notice a mistyped address. */
  email: string;
  /** The number of its places; one if an older page stored it. */
  places?: number;
  /** The event's time and place at the moment of booking (`timeAndPlace`). */
  booked?: string;
}

const HOLD = 'booking_hold';
// The keys are those of earlier versions: a tab may be open across an update.
const TOKENS = { confirm: 'booking_letter', booking: 'booking_link' } as const;

/** If the browser stores nothing, a reload starts over; the email is sent all the same. */
function write(key: string, value: string | null): void {
  if (value === null) tabStore.remove(key);
  else tabStore.set(key, value);
}

/** Returns the hold that this tab made on the event, or null. */
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
/** Time and place of an event as one text that can be compared. */
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
/** Remembers the hold of this tab in place of the one before. */
export const keepHold = (hold: KeptHold): void => write(HOLD, JSON.stringify(hold));
/** Forgets the hold of this tab. The place stays held on the server. */
export const forgetHold = (): void => write(HOLD, null);

/**
 * Remembers the token that was just taken out of the address bar. Takes the page that asks and that token, or null
 * after a reload. Returns the token, or the remembered one; null when there is neither.
 */
export function takeToken(page: keyof typeof TOKENS, taken: string | null): string | null {
  if (taken !== null) write(TOKENS[page], taken);
  return taken ?? tabStore.get(TOKENS[page]);
}

const PRIVATE_LINK = 'booking_letter_link';
/** Remembers the private link that a confirmation returned. Takes the token of the email and that of the link. */
export const keepPrivateToken = (email: string, link: string): void => write(PRIVATE_LINK, `${email} ${link}`);
/** Returns the private link's token for this email's token, null if the booking was confirmed elsewhere. */
export function readPrivateToken(email: string): string | null {
  const [of, link] = (tabStore.get(PRIVATE_LINK) ?? '').split(' ');
  return of === email && link ? link : null;
}

/** What the pages behind links report to the tab in which the booking began. */
export interface TabNews {
  eventId: number;
  email: string;
  state: 'CONFIRMED' | 'DECLINED' | 'CANCELLED';
}
const CHANNEL = 'fieldroom-booking';

/**
 * Whether a report is about a hold. A known address gets its email in its owner's spelling, so the case of letters may
 * differ.
 */
export const isAbout = ({ eventId, email }: TabNews, hold: KeptHold): boolean =>
  hold.eventId === eventId && hold.email.toLowerCase() === email.toLowerCase();

/**
 * Reports to this browser's other tabs that a hold was answered, and forgets it in this one. Nothing leaves the
 * browser.
 */
export function announceAnswer(news: TabNews): void {
  const hold = readHold(news.eventId);
  if (hold !== null && isAbout(news, hold)) forgetHold();
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}
/** Listens to the other tabs. Returns a function that stops listening. */
export function onTabNews(listener: (news: TabNews) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }) => listener(data as TabNews));
  return () => channel.close();
}
