/**
 * Settings of counted limits: how often something may be done within some time (docs/product.md#14). platform/limits.ts
 * counts.
 */
import { z } from 'zod';

/** At most `max` within `windowSeconds`. */
export interface Limit {
  readonly max: number;
  readonly windowSeconds: number;
}

/**
 * The counted limits and their defaults (docs/product.md#14). Each may be set by `LIMIT_<NAME>=<count>/<seconds>` (the
 * window also as `15m`, `3h`, `1d`).
 */
const LIMITS = {
  /** Every HTTP call of one address block; generous, because a whole clinic may share one address. */
  requests: '3000/60',
  /**
   * Calls that anybody may make and that change something, by address block and call; counted before the body is read.
   */
  openCalls: '240/60',
  signIn: '10/15m',
  register: '10/1h',
  /** Emails to set a new password, per address block and per account. */
  reset: '3/1h',
  /** Wrong codes and join links; right ones are never refused. */
  wrongCode: '5/15m',
  /** Wrong codes from everywhere, while the code of some room is alive. */
  wrongCodeRooms: '100/15m',
  /** Emails that a stranger's form sends to one unproven address, per form and in total. */
  formEmails: '3/1d',
  addressEmails: '10/1d',
  /** Emails that one therapist causes to one person by adding them or changing events. */
  personNotices: '40/1d',
  /**
   * Such emails to one address that therapists added without an act of its owner: from all accounts, and from all new
   * ones.
   */
  addressNotices: '50/1d',
  youngNotices: '10/1d',
  /** Such emails by one therapist whose account is new. */
  youngTherapistNotices: '100/1d',
  /** Session summaries that a therapist sends to an address that is not their own. */
  sessionEmails: '3/1d',
  contact: '3/1h',
  /**
   * Bookings from one address block, and how many of its holds may be open at the same time (that limit ignores the
   * window).
   */
  booking: '5/10m',
  openHolds: '3/10m',
  uploads: '20/1h',
  /** Uploads of browser logs, by account or client. */
  browserLogs: '120/10m',
  /** Bug reports of one person. */
  bugReports: '20/1h',
  captcha: '120/15m',
  /** Searches of one account; the box searches while somebody types. */
  search: '120/60',
} as const;
type LimitName = keyof typeof LIMITS;

export type LimitsConfig = Readonly<Record<LimitName, Limit>>;

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

function parseLimit(text: string): Limit | null {
  const match = /^(\d{1,9})\/(\d{1,9})([smhd]?)$/.exec(text.trim());
  if (!match) return null;
  const max = Number(match[1]);
  const windowSeconds = Number(match[2]) * SECONDS[(match[3] || 's') as keyof typeof SECONDS];
  return max > 0 && windowSeconds > 0 ? { max, windowSeconds } : null;
}

const limit = z.string().transform((text, context) => {
  const parsed = parseLimit(text);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'has to read like 10/900 or 10/15m: a count and a time' });
  return z.NEVER;
});

/** `signIn` → `LIMIT_SIGN_IN`. */
const limitVariable = (name: string) => `LIMIT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

export const limitSettings = Object.fromEntries(
  Object.keys(LIMITS).map((name) => [limitVariable(name), limit.optional()]),
) as Record<string, z.ZodOptional<typeof limit>>;

/** Returns a line for each name that looks like a limit and is none. Takes the names of all that is set. */
export function unknownLimits(names: readonly string[]): string[] {
  const known = Object.keys(limitSettings);
  return names
    .filter((name) => name.startsWith('LIMIT_') && !known.includes(name))
    .map((name) => `${name}: there is no such limit; there are ${known.join(', ')}`);
}

/** Returns all limits, with defaults for those that are not set. */
export function limitsConfig(read: Readonly<Record<string, unknown>>): LimitsConfig {
  return Object.fromEntries(
    Object.entries(LIMITS).map(([name, standard]) => [name, read[limitVariable(name)] ?? parseLimit(standard)]),
  ) as unknown as Record<LimitName, Limit>;
}
