/**
 * Bug reports: somebody who is signed in tells the operator what is wrong, with a picture of the page on which
 * everything personal is hidden (docs/product.md#12.20).
 *
 * Invariants
 *  1. A report names its page only by what `reportedPage` returns: no secret, id, query or hash of an address is
 *     stored.
 *  2. `name` and `userDetails` are claims of programs. They are checked for their form and not stored.
 *  3. `noImg` says whether a picture comes along; a form that contradicts itself is refused.
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { pageOf, pageQuery } from './lists.ts';
import { PALETTES } from './colours/palettes.ts';
import { PICTURE_PROBLEMS, PICTURE_UPLOAD } from './pictures.ts';
import { id, idInPath, language, optionalLine, paragraphs, timestamp } from './text.ts';

/** From the least to the most urgent: 4 low, 3 medium, 2 high, 1 highest. */
export const BUG_PRIORITIES = [4, 3, 2, 1] as const;
export type BugPriority = (typeof BUG_PRIORITIES)[number];
export const BUG_COMMENT_MAX = 2000;
export const bugComment = paragraphs(BUG_COMMENT_MAX);
export const BUG_REPORT_STATES = ['NEW', 'IN_PROGRESS', 'DONE'] as const;
export type BugReportState = (typeof BUG_REPORT_STATES)[number];
/** Days after which a report and its picture are deleted. */
export const BUG_REPORT_DAYS = 180;

/** The panel's sizes in px (docs/product.md#12.26). On phones it is at most 80 % of the window's height. */
export const BUG_PANEL = { width: 350, height: 320, heightWithPicture: 575, previewWidth: 297 } as const;
/** The panel closes this long after a report has arrived. */
export const BUG_SUCCESS_MS = 5000;

/** A path segment that is a fixed word of our routes, not an id, a secret or a name. */
const WORD = /^[a-z][a-z-]{0,39}$/;
/** First segments after which the next one is a fixed word too; what follows others may be anything. */
const WORDS_FOLLOW: ReadonlySet<string> = new Set(['app', 'user', 'auth']);
const FIRST_PARTS: ReadonlySet<string> = new Set([...WORDS_FOLLOW, 'event', 'error']);

/**
 * Reduces an address to the page it shows: at most two words, without query, hash, ids and secrets. `/user/join/SECRET`
 * becomes `/user/join`. Anything that is not one of our pages becomes `/`.
 */
export function reportedPage(address: string): string {
  const [first = '', second = ''] = address.split(/[?#;]/, 1)[0]!.split('/').slice(1);
  if (!FIRST_PARTS.has(first)) return '/';
  return WORDS_FOLLOW.has(first) && WORD.test(second) ? `/${first}/${second}` : `/${first}`;
}

const size = z.string().check(z.regex(/^\d{1,5}x\d{1,5}$/, 'invalid_format'));

const THEMES: ReadonlySet<string> = new Set(PALETTES.flatMap((palette) => [`light.${palette}`, `dark.${palette}`]));

/** What is reported: the form, and the circumstances that help to find the cause. */
const report = z.strictObject({
  /** The program that sends the report. */
  appId: z.literal('fieldroom'),
  name: z.nullish(optionalLine(200)),
  userDetails: z.nullish(optionalLine(500)),
  priority: z.union(BUG_PRIORITIES.map((priority) => z.literal(priority))),
  comment: bugComment,
  noImg: z.boolean(),
  browser: z.nullish(optionalLine(60)),
  os: z.nullish(optionalLine(60)),
  /** Width and height in px, such as `1440x900`. */
  screenSize: z.nullish(size),
  viewSize: z.nullish(size),
  /** Path of the page; only what `reportedPage` leaves is kept. */
  page: z.nullish(z.pipe(z.string().check(z.maxLength(2000, 'too_long')), z.transform(reportedPage))),
  /** Build of the page's scripts. */
  version: z.nullish(optionalLine(60)),
  language: z.nullish(language),
  /** Scheme and palette, such as `light.blueyale`. */
  theme: z.nullish(z.string().check(z.refine((text) => THEMES.has(text), 'invalid_format'))),
});
export type NewBugReport = z.output<typeof report>;
export type BugReportInput = z.input<typeof report>;

/** A multipart form has only text fields, so the report is sent as JSON. */
const asJson = z.pipe(
  z.string().check(z.maxLength(60_000, 'too_long')),
  z.transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'invalid_format', input: text });
      return undefined;
    }
  }),
);

export const saveBugReport = endpoint({
  method: 'POST',
  path: '/logger_api/logger/bug/report/save',
  access: 'anySignIn',
  summary: 'Reports a fault: `value` is the report as JSON, `screenshot` a PNG or JPEG up to 5 MB, re-encoded',
  body: z.strictObject({ value: z.pipe(asJson, report) }),
  upload: { ...PICTURE_UPLOAD, field: 'screenshot', optional: true },
  problems: ['not_admitted', ...PICTURE_PROBLEMS],
});

export const BUG_REPORTERS = ['therapist', 'admin', 'client'] as const;

/** A report as the operator reads it. */
export const bugReport = z.strictObject({
  id,
  createdOn: timestamp,
  state: z.enum(BUG_REPORT_STATES),
  priority: z.union(BUG_PRIORITIES.map((priority) => z.literal(priority))),
  comment: z.string(),
  reporter: z.enum(BUG_REPORTERS),
  /** Address of the account, for an answer; null for clients, whose address is not stored. */
  email: z.nullable(z.string()),
  page: z.nullable(z.string()),
  browser: z.nullable(z.string()),
  os: z.nullable(z.string()),
  screenSize: z.nullable(z.string()),
  viewSize: z.nullable(z.string()),
  version: z.nullable(z.string()),
  language: z.nullable(language),
  theme: z.nullable(z.string()),
  hasPicture: z.boolean(),
});
export type BugReport = z.infer<typeof bugReport>;

const reportPath = z.strictObject({ reportId: idInPath });

export const findBugReports = endpoint({
  method: 'POST',
  path: '/api/admin/bug-reports',
  access: 'admin',
  summary: 'Bug reports, all or those of a state, the newest first',
  query: pageQuery,
  body: z.optional(z.strictObject({ state: z.nullish(z.enum(BUG_REPORT_STATES)) })),
  reply: pageOf(bugReport),
});
export const bugReportPicture = endpoint({
  method: 'GET',
  path: '/api/admin/bug-report/{reportId}/picture',
  access: 'admin',
  summary: 'The picture of a bug report',
  params: reportPath,
  bytes: ['image/webp'],
  problems: ['not_found'],
});
export const setBugReportState = endpoint({
  method: 'POST',
  path: '/api/admin/bug-report/{reportId}/state',
  access: 'admin',
  summary: 'Says how far the operator is with a bug report',
  params: reportPath,
  body: z.strictObject({ state: z.enum(BUG_REPORT_STATES) }),
  reply: bugReport,
  problems: ['not_found'],
});
