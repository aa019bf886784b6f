/** Which page an address of the join page means, and why the goodbye page is shown. */

export type JoinAddress =
  | { page: 'join'; joinLink: string }
  | { page: 'code' }
  | { page: 'goodbye'; why: string; joinLink: string | null };
/** Takes path and query of the address. Returns its page; the page for codes if it has none. */
export function readJoinAddress(pathname: string, search: string): JoinAddress {
  const [, , page, rest] = pathname.split('/');
  if (page === 'join' && rest) {
    let joinLink = rest;
    try {
      joinLink = decodeURIComponent(rest);
    } catch {
      // A broken escape names no room; the server reports that.
    }
    return { page: 'join', joinLink };
  }
  if (page === 'bye') {
    const query = new URLSearchParams(search);
    return { page: 'goodbye', why: query.get('why') ?? 'ended', joinLink: query.get('link') };
  }
  return { page: 'code' };
}

/** `stayedOut`: somebody who waited decided not to go in. */
export type GoodbyeReason = 'left' | 'stayedOut' | 'ended' | 'away' | 'declined' | 'removed';
/** Takes the reason from the address, the server or the room. Returns a reason that has words. */
export function goodbyeReason(why: string): GoodbyeReason {
  switch (why) {
    case 'left':
    case 'stayedOut':
    case 'away':
    case 'declined':
    case 'removed':
      return why;
    case 'therapist_away':
    case 'timed_out':
      return 'away';
    default:
      return 'ended';
  }
}
