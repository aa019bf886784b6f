/**
 * Every refusal a person or a program can meet: RFC 9457 problem details with a stable `code`. The web translates by
 * code (`problem.<code>` in the locales); the title is for programs and logs.
 */
export const PROBLEMS = {
  // any call
  bad_request: { status: 400, title: 'The request could not be read' },
  invalid_input: { status: 400, title: 'Something in the request is not as it has to be' },
  not_json: { status: 415, title: 'The body is not JSON' },
  payload_too_large: { status: 413, title: 'The request is too large' },
  not_signed_in: { status: 401, title: 'Sign in first' },
  session_expired: { status: 401, title: 'The sign-in has ended' },
  forbidden: { status: 403, title: 'This is not allowed' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'This method is not offered here' },
  conflict: { status: 409, title: 'Something else happened first' },
  too_many_requests: { status: 429, title: 'Too many tries, please wait' },
  unknown_fault: { status: 500, title: 'Something failed on our side' },
  unavailable: { status: 503, title: 'The service cannot answer right now' },
  storage_full: { status: 507, title: 'The service has no room left to store files' },
  shutting_down: { status: 503, title: 'The service is restarting' },
  // accounts
  invalid_credentials: { status: 401, title: 'Invalid credentials' },
  email_not_verified: { status: 403, title: 'The e-mail address is not verified yet' },
  account_suspended: { status: 403, title: 'The account is suspended' },
  password_too_common: { status: 400, title: 'The password is too common' },
  link_invalid: { status: 400, title: 'The verification link is invalid or expired' },
  captcha_required: { status: 429, title: 'Too many wrong tries for this address: solve a captcha, or wait' },
  captcha_failed: { status: 400, title: 'The captcha was not solved' },
  agreement_required: { status: 400, title: 'The agreements have to be accepted' },
  // in the waiting room
  invalid_code: { status: 404, title: 'Invalid code' },
  join_link_unknown: { status: 404, title: 'There is no room behind this link' },
  therapist_signed_in_here: { status: 409, title: 'You have an active therapist login session' },
  room_full: { status: 409, title: 'The room is full, please try again later' },
  waiting_room_full: { status: 409, title: 'Too many people are waiting' },
  not_admitted: { status: 403, title: 'The therapist has not let you in yet' },
  declined: { status: 403, title: 'The therapist could not let you in' },
  sent_out: { status: 403, title: 'The therapist has ended your visit' },
  live_session_over: { status: 410, title: 'The live session is over' },
  name_taken: { status: 409, title: 'This name is already registered in the system' },
  no_live_session: { status: 409, title: 'No live session is running' },
  // the field
  figure_not_yours: { status: 403, title: 'You may not move this figure' },
  figure_held: { status: 409, title: 'Somebody else is moving this figure' },
  hands_stopped: { status: 403, title: 'The therapist has stopped moving for now' },
  therapist_away: { status: 409, title: 'The therapist’s connection is down; the field stands still until it is back' },
  changed_since: { status: 409, title: 'It was changed since' },
  field_full: { status: 409, title: 'There are as many figures as the field carries' },
  list_outdated: { status: 409, title: 'The list is older than what stands' },
  role_not_held: { status: 409, title: 'This role is not held' },
  // icons
  icon_unsafe: { status: 400, title: 'The drawing holds parts that are not allowed' },
  icon_unreadable: { status: 400, title: 'The file is no SVG drawing' },
  icon_in_use: { status: 409, title: 'A figure still wears this icon' },
  quota_reached: { status: 409, title: 'There is no more room for files' },
  // events and bookings
  event_full: { status: 409, title: 'All places are taken' },
  event_holds_full: { status: 409, title: 'The remaining places are being held, please try again in a few minutes' },
  event_closed: { status: 409, title: 'The event has begun' },
  event_cancelled: { status: 409, title: 'The event has been cancelled' },
  event_over: { status: 409, title: 'The event is over' },
  event_changed: { status: 409, title: 'The event was changed since it was opened' },
  event_has_bookings: { status: 409, title: 'People are booked; cancel the event first' },
  places_below_taken: { status: 409, title: 'More places are taken than there would be' },
  already_booked: { status: 409, title: 'This person already has a booking for this event' },
  booking_ended: { status: 409, title: 'This booking has ended' },
  booking_not_found: { status: 404, title: 'There is no such booking' },
  room_not_open: { status: 409, title: 'The room is not open yet' },
  image_too_large: { status: 400, title: 'The picture has more pixels than can be taken' },
  image_unreadable: { status: 400, title: 'The file is no JPEG, PNG or WebP picture that can be read' },
  therapist_mismatch: { status: 400, title: 'The name does not belong to this therapist' },
  // video
  video_unavailable: { status: 503, title: 'Sound and picture cannot be had right now' },
  // real-time channel
  frame_malformed: { status: 400, title: 'The frame could not be read' },
  destination_unknown: { status: 404, title: 'There is no such destination' },
  too_many_connections: { status: 429, title: 'This is open in too many windows' },
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

/** A refusal that a person can meet. Every other error is a bug. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly more: Partial<Pick<ProblemBody, 'detail' | 'fields' | 'retryAfterSeconds' | 'reference'>>;
  constructor(code: ProblemCode, more: Problem['more'] = {}) {
    super(code);
    this.name = 'Problem';
    this.code = code;
    this.more = more;
  }
  body(): ProblemBody {
    return problemBody(this.code, this.more);
  }
}
