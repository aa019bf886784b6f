/** Which page an address means, and the server's data for it in the document. */
import type { publicEvent, PublicHost, upcomingEvents } from '@fieldroom/contract/events';
import type { ReplyOf } from '@fieldroom/contract/http';
import { CONFIRM_PAGE, hostPage, OWN_BOOKING_PAGE } from '@fieldroom/contract/pages';

/** One of the public pages, as its path names it. */
export type PageAddress =
  | { page: 'therapist'; slug: string }
  | { page: 'event'; slug: string; eventId: number }
  /** Behind the link in the email that asks to confirm. */
  | { page: 'confirm' }
  /** Behind one's private link. */
  | { page: 'booking' }
  | { page: 'unknown' };

/** `gone`: it was shown here, and can no longer be booked. */
export type EventData = { kind: 'event'; gone?: boolean } & ReplyOf<typeof publicEvent>;
export type TherapistData = { kind: 'therapist'; host: PublicHost; upcoming: ReplyOf<typeof upcomingEvents> };
export type PageData = EventData | TherapistData | { kind: 'unknown' };

/** Takes the path of the address. Returns the page; broken escapes and impossible ids give `unknown`. */
export function pageFromPath(pathname: string): PageAddress {
  const [area, first, second, ...more] = pathname.split('/').filter((part) => part !== '');
  if (area !== 'event' || first === undefined || more.length > 0) return { page: 'unknown' };
  let slug: string;
  try {
    slug = decodeURIComponent(first);
  } catch {
    return { page: 'unknown' };
  }
  if (second === undefined) {
    const page = hostPage(slug);
    if (page === CONFIRM_PAGE) return { page: 'confirm' };
    return page === OWN_BOOKING_PAGE ? { page: 'booking' } : { page: 'therapist', slug };
  }
  return /^[1-9]\d{0,15}$/.test(second) ? { page: 'event', slug, eventId: Number(second) } : { page: 'unknown' };
}

/** The server's data in the document, null if there is none (development) or if it is about another page. */
export function readPageData(address: PageAddress, from: Document = document): PageData | null {
  const text = from.getElementById('page-data')?.textContent;
  if (!text) return null;
  try {
    const data = JSON.parse(text) as PageData;
    return data.kind === 'unknown' || data.kind === address.page ? data : null;
  } catch {
    return null;
  }
}
