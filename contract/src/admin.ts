/** The operator's pages: usage of the service by therapist, and scheduled jobs. Rules: docs/product.md#15. */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { KEYWORD_MAX, pageOf, pageQuery } from './lists.ts';
import { id, optionalLine, therapistPath, timestamp } from './text.ts';
import { PLANS } from './usage.ts';

/** `unverified`: the email address is not confirmed yet. */
export const THERAPIST_STATES = ['active', 'unverified', 'suspended'] as const;
export const USAGE_SORTS = ['name', 'email', 'state', 'plan', 'seconds', 'sessions', 'trees', 'lastSessionOn'] as const;
export type UsageSort = (typeof USAGE_SORTS)[number];

export const therapistUsage = z.strictObject({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  state: z.enum(THERAPIST_STATES),
  plan: z.enum(PLANS),
  /** Whether the timer counts now. */
  counting: z.boolean(),
  seconds: z.int(),
  sessions: z.int(),
  trees: z.int(),
  peopleHelped: z.int(),
  registeredOn: timestamp,
  lastSessionOn: z.nullable(timestamp),
});
export type TherapistUsage = z.infer<typeof therapistUsage>;

export const usageFilter = z.strictObject({
  /** Part of name or address, ignoring case and accents. */
  keyword: z.nullish(optionalLine(KEYWORD_MAX)),
  state: z.nullish(z.enum(THERAPIST_STATES)),
  sort: z.nullish(z.enum(USAGE_SORTS)),
  descending: z.nullish(z.boolean()),
});
export type UsageFilter = z.input<typeof usageFilter>;

export const findUsage = endpoint({
  method: 'POST',
  path: '/api/admin/usage',
  access: 'admin',
  summary: 'Therapists with state, hours, live sessions and trees',
  query: pageQuery,
  body: z.optional(usageFilter),
  reply: pageOf(therapistUsage),
});
export const exportUsage = endpoint({
  method: 'POST',
  path: '/api/admin/usage/csv',
  access: 'admin',
  summary: 'All therapists that the filter finds, as a CSV file',
  body: z.optional(usageFilter),
  bytes: ['text/csv'],
});
export const suspendTherapist = endpoint({
  method: 'POST',
  path: '/api/admin/therapist/{therapistId}/suspend',
  access: 'admin',
  summary: 'Suspends an account: its live session and all its sign-ins end, and no new one is possible',
  params: therapistPath,
  reply: therapistUsage,
  problems: ['not_found'],
});
export const reinstateTherapist = endpoint({
  method: 'POST',
  path: '/api/admin/therapist/{therapistId}/reinstate',
  access: 'admin',
  summary: 'Takes a suspension back',
  params: therapistPath,
  reply: therapistUsage,
  problems: ['not_found'],
});

/** The scheduled jobs. A feature of the server declares each; a test compares the list. */
export const CRON_JOB_TYPES = [
  'MONTHLY_BILLS',
  'PURGE_LOGS',
  'RETENTION',
  'STOP_FORGOTTEN_TIMERS',
  'REMOVE_IDLE_CLIENTS',
] as const;
export type CronJobType = (typeof CRON_JOB_TYPES)[number];
export const CRON_SCHEDULE_MAX = 100;

export const cronJob = z.strictObject({
  type: z.enum(CRON_JOB_TYPES),
  /** A cron expression of five fields: minute, hour, day of the month, month, day of the week. */
  schedule: z.string(),
  /** The IANA zone of the schedule. */
  timeZone: z.string(),
  enabled: z.boolean(),
  running: z.boolean(),
  lastRunOn: z.nullable(timestamp),
  lastResult: z.nullable(z.enum(['done', 'failed'])),
  /** The numbers that the last run reported, by name; empty after a failure. */
  lastCounts: z.record(z.string(), z.number()),
  /** What has to be fixed after `failed`: a short technical sentence without personal data; else null. */
  lastFault: z.nullable(z.string()),
  /** Null while the job is switched off. */
  nextRunOn: z.nullable(timestamp),
});
export type CronJob = z.infer<typeof cronJob>;

export const findCronJobs = endpoint({
  method: 'POST',
  path: '/api/cronjob/findByType',
  access: 'admin',
  summary: 'The scheduled jobs, or the one of a type',
  body: z.optional(z.strictObject({ type: z.nullish(z.enum(CRON_JOB_TYPES)) })),
  reply: z.array(cronJob),
});
export const saveCronJob = endpoint({
  method: 'POST',
  path: '/api/cronjob/save',
  access: 'admin',
  summary: 'Sets when a job runs and whether it does; a schedule that cannot be read is refused at its place',
  body: z.strictObject({
    type: z.enum(CRON_JOB_TYPES),
    schedule: z.nullish(optionalLine(CRON_SCHEDULE_MAX)),
    enabled: z.nullish(z.boolean()),
  }),
  reply: cronJob,
});
export const runCronJob = endpoint({
  method: 'POST',
  path: '/api/admin/cronjob/run',
  access: 'admin',
  summary: 'Runs a job now, also one that is off; answers when it has ended or has run for a second',
  body: z.strictObject({ type: z.enum(CRON_JOB_TYPES) }),
  reply: cronJob,
  problems: ['conflict'],
});
