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
// ---- addresses that emails, menus and other pages lead to

/** Pages for everybody. */
export const SIGN_IN_PAGE = '/user/login';
export const REGISTER_PAGE = '/user/register';
export const FORGOT_PASSWORD_PAGE = '/user/forgot-password';
export const LICENCE_PAGE = '/user/license';
export const DATA_AGREEMENT_PAGE = '/user/data-agreement';
export const IMPRINT_PAGE = '/user/imprint';
/** Pages behind the emails about an account. Their token is in the fragment. */
export const VERIFY_PAGE = '/user/verify';
export const RESET_PASSWORD_PAGE = '/user/reset-password';
export const CONFIRM_EMAIL_PAGE = '/user/confirm-email';
export const RESTORE_EMAIL_PAGE = '/user/restore-email';
/** Pages for people who are signed in. */
export const DASHBOARD_PAGE = '/app/dashboard';
export const HELP_PAGE = '/app/welcome';
export const SUPPORT_PAGE = '/app/support';
export const FEATURES_PAGE = '/app/features';
export const PROFILE_PAGE = '/app/profile';
export const TEMPLATE_PAGE = '/app/template';
export const HISTORY_PAGE = '/app/history';
export const MY_EVENTS_PAGE = '/app/manage-events-client';
/** The form of an event. */
export const PROGRAM_PAGE = '/app/program';
/** The professional package: plan, prices and bills. */
export const PACKAGE_PAGE = '/app/subscription/professional-package';
export const SEARCH_PAGE = '/app/pages/miscellaneous/search';
/** Pages for operators. */
export const USAGE_PAGE = '/app/user-system-usage';
export const JOBS_PAGE = '/app/cron-job-conf';
export const BROWSER_LOGS_PAGE = '/app/browser-logs';
export const BUG_REPORTS_PAGE = '/app/bug-reports';
/** Pages behind the emails about a booking. Their token is in the fragment. */
export const CONFIRM_PAGE = '/event/confirm';
export const OWN_BOOKING_PAGE = '/event/booking';
/** Where clients enter by a join link or with a code, and where they read why a visit has ended. */
export const JOIN_PAGE = '/user/join';
export const CODE_PAGE = '/user/code';
export const BYE_PAGE = '/user/bye';

/** The calls, for programmers. The server answers it itself. */
export const API_DOCS_PAGE = '/api/docs';

/** Returns the address of the page on which clients enter a therapist's room. Takes the therapist's join link. */
export const joinPage = (joinLink: string): string => `${JOIN_PAGE}/${encodeURIComponent(joinLink)}`;
/** Returns the address of a therapist's public page. Takes the slug. */
export const hostPage = (therapistName: string): string => `/event/${encodeURIComponent(therapistName)}`;
/** Returns the address of an event's public page. Takes the therapist's slug and the event's number. */
export const eventPage = ({ therapistName, id }: { therapistName: string; id: number }): string =>
  `${hostPage(therapistName)}/${id}`;

interface Page {
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
  { path: `${JOIN_PAGE}/*`, document: 'join', listed: false },
  { path: `${CODE_PAGE}/*`, document: 'join', listed: false },
  { path: '/user/waiting/*', document: 'join', listed: false },
  { path: `${BYE_PAGE}/*`, document: 'join', listed: false },
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
