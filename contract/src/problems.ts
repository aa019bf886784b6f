/**
 * Every refusal a person or a program can meet: RFC 9457 problem details with a stable `code`. The web translates by
 * code (`problem.<code>` in the locales); the title is for people who read answers or logs. Titles without a full stop
 * are fixed word for word (docs/product.md#11.12).
 */
export const PROBLEMS = {
  // any call
  bad_request: { status: 400, title: 'The request could not be read. Please reload the page.' },
  invalid_input: { status: 400, title: 'Please check the marked fields of the request.' },
  not_json: { status: 415, title: 'The body of the request is not JSON.' },
  payload_too_large: { status: 413, title: 'The request is too large.' },
  not_signed_in: { status: 401, title: 'Please sign in first.' },
  session_expired: { status: 401, title: 'You have been signed out. Please sign in again.' },
  forbidden: { status: 403, title: 'You are not allowed to do this.' },
  not_found: { status: 404, title: 'This could not be found.' },
  method_not_allowed: { status: 405, title: 'This method is not available at this address.' },
  conflict: { status: 409, title: 'Someone else was faster. Please check and try again.' },
  too_many_requests: { status: 429, title: 'There were too many attempts. Please wait a moment.' },
  unknown_fault: { status: 500, title: 'Something went wrong on our side.' },
  unavailable: { status: 503, title: 'The service is not available right now. Please try again in a moment.' },
  storage_full: { status: 507, title: 'There is no space for more files right now. Please try again later.' },
  shutting_down: { status: 503, title: 'The service is restarting. Please try again in a moment.' },
  // accounts
  invalid_credentials: { status: 401, title: 'Invalid credentials' },
  email_not_verified: {
    status: 403,
    title: 'Your email address is not confirmed yet. Please open the link in our email first.',
  },
  account_suspended: { status: 403, title: 'Your account is suspended, to use the system please register' },
  password_too_common: { status: 400, title: 'This password is among the most common ones. Please choose another.' },
  link_invalid: { status: 400, title: 'The verification link is invalid or expired' },
  captcha_required: {
    status: 429,
    title: 'Too many wrong passwords were entered for this address. Please solve the captcha, or wait.',
  },
  captcha_failed: { status: 400, title: 'The captcha was not solved. Please try again.' },
  current_password_wrong: { status: 400, title: 'The current password must match' },
  email_taken: { status: 409, title: 'The given e-mail address is already in use' },
  slug_taken: { status: 409, title: 'This address already belongs to another page. Please choose another.' },
  account_has_bookings: {
    status: 409,
    title: 'People are booked for your events. Please cancel these events first, so that they get an email.',
  },
  agreement_required: { status: 400, title: 'Please accept both agreements.' },
  // in the waiting room
  invalid_code: { status: 404, title: 'Invalid code' },
  join_link_unknown: {
    status: 404,
    title: 'There is no room behind this link. Please ask your therapist for the right one.',
  },
  therapist_signed_in_here: {
    status: 409,
    title: 'You have an active therapist login session, use a different browser or incognito mode',
  },
  room_full: { status: 409, title: 'The room is full, please try again later' },
  waiting_room_full: { status: 409, title: 'Many people are waiting right now. Please try again in a few minutes.' },
  not_admitted: { status: 403, title: 'The therapist has not let you in yet.' },
  declined: { status: 403, title: 'The therapist cannot see you right now.' },
  sent_out: { status: 403, title: 'The therapist has asked you to leave the session.' },
  live_session_over: { status: 410, title: 'The live session is over.' },
  name_taken: { status: 409, title: 'This name is already registered in the system, please write to the system admin' },
  no_live_session: { status: 409, title: 'No live session is running. Open the field to start one.' },
  trial_over: { status: 403, title: 'Your free hours are used up. Please complete your registration to go on.' },
  // the field
  figure_not_yours: { status: 403, title: 'You cannot move this figure.' },
  figure_held: { status: 409, title: 'Someone else is moving this figure.' },
  hands_stopped: { status: 403, title: 'The therapist has paused moving figures.' },
  therapist_away: {
    status: 409,
    title: 'The therapist has lost the connection. The field is paused until they are back.',
  },
  changed_since: { status: 409, title: 'This has changed since, so it stays as it is.' },
  field_full: { status: 409, title: 'The field is full.' },
  list_outdated: { status: 409, title: 'The field has changed since this list was made. Please check again.' },
  field_empty: { status: 409, title: 'There are no figures on the field.' },
  role_not_held: { status: 409, title: 'Nobody has this role.' },
  // icons
  icon_unsafe: { status: 400, title: 'This drawing contains parts that are not allowed, such as scripts.' },
  icon_unreadable: { status: 400, title: 'This file could not be read as an SVG drawing.' },
  icon_in_use: { status: 409, title: 'A figure still uses this icon.' },
  quota_reached: { status: 409, title: 'There is no space for more files. Please delete one first.' },
  // prepared constellations
  constellation_name_taken: { status: 409, title: 'You already have a constellation with this name.' },
  constellations_full: { status: 409, title: 'There is no space for more constellations. Please delete one first.' },
  constellation_gone: { status: 404, title: 'This constellation no longer exists.' },
  // events and bookings
  event_full: { status: 409, title: 'All places are taken.' },
  event_holds_full: { status: 409, title: 'Someone is booking the last places. Please try again in a few minutes.' },
  too_few_places: { status: 409, title: 'Not enough places are left.' },
  event_closed: { status: 409, title: 'The event has started, so it cannot be booked any more.' },
  event_cancelled: { status: 409, title: 'This event has been cancelled.' },
  event_over: { status: 409, title: 'The event is over, so it cannot be cancelled any more.' },
  event_changed: { status: 409, title: 'This event has changed since you opened it.' },
  event_has_bookings: {
    status: 409,
    title: 'People are booked for this event. Please cancel it first, so that they get an email.',
  },
  places_below_taken: { status: 409, title: 'More places are already taken. Please choose a higher number.' },
  already_booked: { status: 409, title: 'This person already has a booking for this event.' },
  booking_ended: { status: 409, title: 'This booking has already ended.' },
  booking_not_found: { status: 404, title: 'This booking could not be found.' },
  room_not_open: { status: 409, title: 'The room is not open yet.' },
  image_too_large: { status: 400, title: 'This picture has too many pixels. Please choose a smaller copy.' },
  image_unreadable: {
    status: 400,
    title: 'This file could not be read as a picture. Please choose a JPEG, PNG or WebP file.',
  },
  therapist_mismatch: { status: 400, title: 'The name does not belong to this therapist.' },
  // video
  video_unavailable: { status: 503, title: 'Video is not available right now. The field still works.' },
  // messages in the room
  messages_off: { status: 403, title: 'The therapist has switched off messages from clients.' },
  // moments of a live session
  moments_full: { status: 409, title: 'This session already has 50 moments. Please delete one first.' },
  // observers' words
  words_not_invited: { status: 403, title: 'The therapist is not asking for words at the moment.' },
  words_only_without_role: { status: 403, title: 'While you have a role, you take part with your figure.' },
  // real-time channel
  frame_malformed: { status: 400, title: 'The message could not be read. Please reload the page.' },
  destination_unknown: { status: 404, title: 'The message could not be delivered. Please reload the page.' },
  too_many_connections: { status: 429, title: 'This is open in too many windows. Please close some of them.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One fault in the input: `path` such as `["figure","x"]` joined by dots, `code` a stable key. */
export interface FieldFault {
  path: string;
  code: string;
}

/** The JSON on the wire: RFC 9457 members and our `code`, `fields`, `retryAfterSeconds`, `reference`. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail?: string;
  /** Faults by their place in the input, for `invalid_input`. */
  fields?: FieldFault[];
  /** Seconds after which it makes sense to try again. */
  retryAfterSeconds?: number;
  /** The number of the fault in the log, for `unknown_fault`. */
  reference?: string;
}

/**
 * Makes the JSON body of a problem. Takes its code and what else is known.
 * Source: RFC 9457; docs/product.md#12.1.
 */
export function problemBody(
  code: ProblemCode,
  more: Partial<Pick<ProblemBody, 'detail' | 'fields' | 'retryAfterSeconds' | 'reference'>> = {},
): ProblemBody {
  return { type: 'about:blank', title: PROBLEMS[code].title, status: PROBLEMS[code].status, code, ...more };
}
