/**
 * Which document answers which path, and what search engines may list. The server, the development server and the app's
 * router read this list, so that they cannot disagree.
 */

/**
 * `app` is the signed-in app (index.html), `room` the room alone. The two others are light: where clients enter, and
 * public events.
 */
export type PageDocument = 'app' | 'room' | 'join' | 'event';

/** The room as the therapist and as a client see it. */
export const THERAPIST_ROOM = '/app/play-area';
export const CLIENT_ROOM = '/app/play-area-view';
/** Pages that emails, menus and other pages lead to. */
export const SIGN_IN_PAGE = '/user/login';
export const DASHBOARD_PAGE = '/app/dashboard';
export const MY_EVENTS_PAGE = '/app/manage-events-client';
/** The professional package: plan, prices and bills. */
export const PACKAGE_PAGE = '/app/subscription/professional-package';
/** The pages behind the emails about a booking. Their token is in the fragment. */
export const CONFIRM_PAGE = '/event/confirm';
export const OWN_BOOKING_PAGE = '/event/booking';

export interface Page {
  /** `:name` stands for one segment; a final `*` for everything below, or nothing. */
  readonly path: string;
  readonly document: PageDocument;
  /** Whether search engines may list it. Rooms, the pages where clients enter and the app are not listed. */
  readonly listed: boolean;
}

/** The first path that matches wins. */
const PAGES: readonly Page[] = [
  { path: '/', document: 'app', listed: true },
  { path: THERAPIST_ROOM, document: 'room', listed: false },
  { path: CLIENT_ROOM, document: 'room', listed: false },
  { path: '/user/join/*', document: 'join', listed: false },
  { path: '/user/code/*', document: 'join', listed: false },
  { path: '/user/waiting/*', document: 'join', listed: false },
  { path: '/user/bye/*', document: 'join', listed: false },
  { path: `${CONFIRM_PAGE}/*`, document: 'event', listed: false },
  { path: `${OWN_BOOKING_PAGE}/*`, document: 'event', listed: false },
  { path: '/event/:therapistName', document: 'event', listed: true },
  { path: '/event/:therapistName/:eventId', document: 'event', listed: true },
];
const THE_REST: Page = { path: '/*', document: 'app', listed: false };

/**
 * Returns the page that answers a path (without query). Every path has one: paths that are not in the list belong to
 * the app.
 */
export function pageAt(pathname: string): Page {
  return PAGES.find(({ path }) => matches(path, pathname)) ?? THE_REST;
}

function matches(path: string, pathname: string): boolean {
  const wanted = segments(path);
  const given = segments(pathname);
  const below = wanted.at(-1) === '*';
  if (below) wanted.pop();
  if (below ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, index) => segment === given[index] || (segment.startsWith(':') && given[index] !== ''));
}

/** Returns the parts between slashes and ignores one slash at the end. */
function segments(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}
