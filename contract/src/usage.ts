/**
 * Usage: the timer of a therapist's practice, the trial, trees and people helped. Rules: docs/product.md#7.
 *
 * The server owns the time. `counterState` is the number of seconds that a therapist has used the room since the
 * account exists. It grows only while a live session runs and the timer counts, and it never goes back.
 *
 * Messages on the wire
 *   TIMER_UPDATE   to the room: the timer after it started or stopped, and to a connection that joins. Between two of
 *                  them a browser calculates the seconds itself (`counterAt`), by the product's clock
 *   DIALOG         to the therapist alone, on their own destination: a dialog is due
 *
 * Invariants
 *  1. A therapist has at most one running interval, whatever the number of tabs and processes. Intervals never overlap;
 *     the database refuses them.
 *  2. A stop that was scheduled, the end of the trial and the end after a warning count from their own moment, however
 *     late the server notices: nobody is charged for its delay.
 *  3. In the trial `counterState` never exceeds TRIAL_SECONDS. Then the live session ends with the reason `trial_over`,
 *     and none can be opened until the registration is complete.
 *  4. The email and the dialog after four hours, and the end of the trial, come once: `claimFourHours` answers `true`
 *     to one page.
 *  5. Nothing but `billing.completeRegistration` ends the trial state.
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { email, id, idInPath, line, paragraphs, timestamp } from './text.ts';

/** Length of the trial, and when its end is announced. */
export const TRIAL_SECONDS = 18_000;
export const TRIAL_WARNING_SECONDS = 14_400;
/** A tree is planted for each full block of this length, and shown for a moment. */
export const TREE_SECONDS = 10_800;
export const TREE_SHOWN_MS = 5_000;
/** The timer stops this long after the page lost the focus, or after a tab was closed, unless the room is in use. */
export const BLUR_STOP_SECONDS = 1_800;
export const CLOSE_STOP_SECONDS = 600;
/** The longest time that `scheduleTimerStop` takes. */
const STOP_SECONDS_MAX = 1_800;
/** A warning is shown after this long with nobody else in the room and no act on the field; then the countdown runs. */
export const IDLE_WARNING_SECONDS = 35 * 60;
export const IDLE_COUNTDOWN_SECONDS = 1_500;
/** A client who does nothing for this long while the therapist is away is signed out. */
export const CLIENT_IDLE_SECONDS = 600;
/** How often a page asks for the timer while its connection is down. */
export const TIMER_POLL_MS = 3_000;
/** How long after the end of the trial the page tells the server to stop the timer. */
export const TRIAL_STOP_DELAY_MS = 200;
/** Weeks that the overview shows. */
export const USAGE_WEEKS = 8;
export const FEEDBACK_MAX = 5_000;
export const feedbackText = paragraphs(FEEDBACK_MAX);

export const timer = z.strictObject({
  /** Seconds used until `at`. */
  counterState: z.int(),
  counting: z.boolean(),
  /** Product time at which `counterState` was right. */
  at: timestamp,
  /** `counterState` at which the timer stops by itself; null without such a limit. */
  stopsAtSeconds: z.nullable(z.int()),
});
export type Timer = z.infer<typeof timer>;

/** Returns the seconds that a timer shows at a moment. Takes the moment as product time in milliseconds. */
export function counterAt({ counterState, counting, at, stopsAtSeconds }: Timer, nowMs: number): number {
  if (!counting) return counterState;
  const seconds = counterState + Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1000));
  return stopsAtSeconds === null ? seconds : Math.min(seconds, Math.max(stopsAtSeconds, counterState));
}

/** Returns the number of trees planted for the seconds used. */
export const treesOf = (seconds: number): number => Math.floor(seconds / TREE_SECONDS);

/** The dialogs that the server opens: a warning with its countdown, the end after it, and two about the trial. */
export const DIALOGS = ['timeoutwarning', 'timedout', 'fourhours', 'trialover'] as const;
export type DialogName = (typeof DIALOGS)[number];

declare module './realtime.ts' {
  interface PlainChanges {
    TIMER_UPDATE: Timer;
    /** `until`: when the countdown of `timeoutwarning` ends, as product time; null for the others. */
    DIALOG: { dialog: DialogName; until: string | null };
  }
}

export const PLANS = ['TRIAL', 'PROFESSIONAL'] as const;
export type Plan = (typeof PLANS)[number];

const ownPath = z.strictObject({ userId: idInPath });
/** Tells the tabs of one therapist apart. Other programs may omit it. */
const tabBody = z.optional(z.strictObject({ tab: z.optional(z.uuid()) }));

// ---- the fixed calls (docs/product.md#1.2)

export const getTimer = endpoint({
  method: 'GET',
  path: '/api/timer/{userId}',
  access: 'roomOfTherapist',
  summary: 'The timer of a therapist',
  params: ownPath,
  reply: timer,
});
export const startTimer = endpoint({
  method: 'POST',
  path: '/api/startTimer/{userId}',
  access: 'self',
  summary:
    'Counts from now on, drops what this tab scheduled, and takes back a warning; nothing changes while the timer counts',
  params: ownPath,
  body: tabBody,
  problems: ['forbidden', 'no_live_session', 'trial_over'],
});
export const stopTimer = endpoint({
  method: 'POST',
  path: '/api/stopTimer/{userId}',
  access: 'self',
  summary: 'Stops counting now; nothing changes while the timer stands',
  params: ownPath,
  problems: ['forbidden'],
});
export const scheduleTimerStop = endpoint({
  method: 'POST',
  path: '/api/scheduleTimerStop/{userId}/{seconds}',
  access: 'self',
  summary:
    'Stops the timer after 1 to 1800 seconds, unless another tab of the therapist is in use, a client is in the room, media flows or the field changed by then',
  params: z.strictObject({
    userId: idInPath,
    seconds: z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,9}$/, 'not_a_number')), z.transform(Number)),
      z.number().check(z.minimum(1, 'too_small'), z.maximum(STOP_SECONDS_MAX, 'too_large')),
    ),
  }),
  body: tabBody,
  problems: ['forbidden'],
});
export const sendFourHourWarningMail = endpoint({
  method: 'POST',
  path: '/api/sendFourHourWarningMail',
  access: 'selfOnce',
  summary:
    'Sends the email about the fourth hour of the trial, once; does nothing before the fourth hour and after it was sent',
  // Other programs send the whole user; only the id is used.
  body: z.object({ id }),
});
/** What somebody who is signed in may write to the operator about. */
export const SUPPORT_TOPICS = ['question', 'problem', 'bill', 'feedback'] as const;
export type SupportTopic = (typeof SUPPORT_TOPICS)[number];

export const sendFeedbackEmail = endpoint({
  method: 'POST',
  path: '/api/sendFeedbackEmail/',
  access: 'signedIn',
  summary: 'Sends what a person writes to the operator; address and name come from the sign-in',
  body: z.strictObject({
    email,
    username: line(200),
    text: feedbackText,
    /** The topic; other programs omit it. */
    topic: z.optional(z.enum(SUPPORT_TOPICS)),
  }),
  problems: ['too_many_requests'],
});

// ---- our own calls

export const usage = z.strictObject({
  plan: z.enum(PLANS),
  /** Whether the trial is over and the registration not yet complete: no live session can be opened. */
  trialOver: z.boolean(),
  /** Whether the dialog about the fourth hour is due and no page has shown it. */
  fourHoursDue: z.boolean(),
  /** When the countdown of a warning ends; null while none runs. */
  warningUntil: z.nullable(timestamp),
  timer,
  /** Different clients who have been in the room. */
  peopleHelped: z.int(),
  /** Seconds used by week, the oldest first; weeks begin on Monday in the therapist's time zone. */
  weeks: z.array(z.strictObject({ monday: z.string(), seconds: z.int() })),
});
export type Usage = z.infer<typeof usage>;

export const getUsage = endpoint({
  method: 'GET',
  path: '/api/me/usage',
  access: 'therapist',
  summary: 'Plan, timer, people helped and hours by week of the signed-in therapist',
  reply: usage,
});
export const claimFourHours = endpoint({
  method: 'POST',
  path: '/api/me/usage/four-hours',
  access: 'therapist',
  summary: 'Whether this page shows the dialog about the fourth hour; true once',
  reply: z.strictObject({ show: z.boolean() }),
});
