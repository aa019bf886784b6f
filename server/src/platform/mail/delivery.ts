/**
 * What follows from a failed try to send an email. Pure: the outbox stores what is decided here.
 *
 * Three kinds of failure:
 * - `server`: the mail server cannot be used at all (no connection, no TLS, sign-in or sender refused, 421). It says
 *   nothing about the email, so the whole queue pauses and one email goes first when the pause is over.
 * - `deferred`: a 4xx about this recipient or this email (RFC 5321, 4.2.1). It is tried again, later each time.
 * - `refused`: a 5xx about this recipient or this email. Most often it is final. A mail server that is set up wrongly
 *   for a minute also answers 5xx to everything, so it is tried again, but not for as long.
 */

/** What nodemailer reports about a failure. Its message quotes addresses and stays out of the log. */
export interface MailFault {
  readonly code?: string;
  readonly responseCode?: number;
  /** The SMTP command that failed: `RCPT TO`, `DATA`, `CONN`, … */
  readonly command?: string;
}

export type FailureKind = 'server' | 'deferred' | 'refused';

/** Seconds to the next try after the first, second, … failure about this email; about two days in all. */
const DELAYS = [30, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];
/**
 * Failures until a refused email is given up: after about four hours if it concerns something, otherwise after seven
 * minutes.
 */
const REFUSALS = { concernsSomething: 8, other: 4 };
/** After the mail server could not be used, the email itself is due again this soon; the pause of the queue decides. */
export const SERVER_RETRY_SECONDS = 30;
/** An email for which no mail server is found for this long is given up. */
export const SERVER_DOWN_DAYS = 3;
/** Seconds for which the queue pauses, by the number of pauses in a row. */
const PAUSES = [5, 10, 20, 30];

/**
 * Which of the three kinds a failure is. A failure without a code, or about neither recipient nor contents, is the
 * server's.
 */
export function failureKind({ responseCode, command }: MailFault): FailureKind {
  if (responseCode === undefined || responseCode === 421) return 'server';
  if (command !== 'RCPT TO' && command !== 'DATA') return 'server';
  return responseCode >= 500 ? 'refused' : 'deferred';
}

/**
 * Returns the seconds to the next try of an email, or null to give it up. Takes how many tries failed because of this
 * email, including the last one, and whether it concerns something (a booking) that people rely on.
 */
export function retryDelay(kind: 'deferred' | 'refused', failures: number, concernsSomething: boolean): number | null {
  if (kind === 'refused' && failures >= (concernsSomething ? REFUSALS.concernsSomething : REFUSALS.other)) return null;
  return DELAYS[failures - 1] ?? null;
}

/**
 * Returns the seconds for which nothing is sent after the mail server could not be used this many times in a row (1 =
 * the first).
 */
export function pauseSeconds(inARow: number): number {
  return PAUSES[Math.min(inARow, PAUSES.length) - 1]!;
}
