/**
 * The settings: read once from the environment, validated as a whole, and passed on as one value. Nothing else in the
 * server reads the environment. Names and defaults: README.md, "Settings"; limits: docs/product.md#14.
 */
import { isIP } from 'node:net';
import * as path from 'node:path';
import { BILL_CURRENCIES, type BillCurrency } from '@fieldroom/contract/billing';
import { PRICE_MAX, priceToMinor } from '@fieldroom/contract/events';
import { LOG_LEVELS as BROWSER_LOG_LEVELS, type LogLevel as BrowserLogLevel } from '@fieldroom/contract/logs';
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

export interface Config {
  readonly production: boolean;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The address in emails and links, without a slash at the end. */
  readonly publicUrl: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** The bucket that holds uploaded files and the web's scripts for all nodes; null: they lie in `dataDir`. */
  readonly s3: S3Config | null;
  readonly databaseUrl: string | null;
  /** Maximum number of connections of this process to the database. */
  readonly databaseConnections: number;
  /** How long somebody who waits for an answer waits for the database. */
  readonly databaseTimeoutMs: number;
  /** Milliseconds by which the event loop may lag before calls are refused; 0 never refuses. */
  readonly maxLagMs: number;
  /** Joins this node to others; null for a service of one node. */
  readonly redisUrl: string | null;
  readonly smtpUrl: string | null;
  /** Whether a mail server must encrypt the connection (STARTTLS, or smtps:// from the start). */
  readonly smtpRequireTls: boolean;
  readonly mailFrom: string;
  /**
   * Janus servers that carry audio and video; empty for the embedded engine. The secret is Janus' `api_secret`, the key
   * the videoroom plugin's `admin_key`.
   */
  readonly janus: {
    readonly urls: readonly string[];
    readonly secret: string | null;
    readonly adminKey: string | null;
  };
  readonly video: {
    /** UDP ports of the embedded engine, both ends included. */
    readonly ports: { readonly first: number; readonly last: number };
    /** Addresses to which browsers send; empty: those of the host. */
    readonly addresses: readonly string[];
    /** Threads that carry rooms; null: as many as there are cores. */
    readonly workers: number | null;
  };
  readonly turn: { readonly urls: readonly string[]; readonly secret: string } | null;
  readonly demo: boolean;
  /** Under `npm run dev`, which alone sets FIELDROOM_DEV: shows `/dev`. */
  readonly dev: boolean;
  readonly privilegedUserIds: readonly number[];
  readonly clockSpeed: number;
  /** Characters of the codes by which clients enter. */
  readonly roomCodeLength: number;
  /** Proxies whose forwarding headers the server believes: none, a number of hops, or their addresses. */
  readonly trustProxy: false | number | readonly string[];
  readonly logLevel: LogLevel;
  /** From which level on entries of browsers are kept. */
  readonly browserLogLevel: BrowserLogLevel;
  /** The bearer token that allows reading /metrics from elsewhere. */
  readonly metricsToken: string | null;
  readonly limits: Readonly<Record<LimitName, Limit>>;
  readonly billing: BillingConfig;
}

/** A bucket of an S3-compatible store. */
export interface S3Config {
  /** Address of the store, without a slash at the end. */
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** What our names in the bucket begin with: empty, or with a slash at the end. */
  readonly prefix: string;
  /** How long somebody who waits for an answer waits for the store. */
  readonly timeoutMs: number;
}

export interface BillingConfig {
  /** Net price of one started hour by currency, in its smallest unit. */
  readonly prices: Readonly<Record<BillCurrency, number>>;
  readonly taxPercent: number;
  /** Days from the date of a bill to the day by which it is to be paid. */
  readonly dueDays: number;
  /** The seller's IANA zone, in which months begin. */
  readonly timeZone: string;
  /** The seller, who issues bills; null if settings are missing, so that none can be made. */
  readonly seller: {
    readonly name: string;
    readonly address: string;
    readonly taxNumber: string;
    readonly email: string;
    readonly bank: string;
  } | null;
  /** The settings that `seller` misses, by name. */
  readonly missing: readonly string[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** Settings that are impossible: one line for each fault, written for the operator. */
export class ConfigFault extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(`The settings cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigFault';
    this.lines = lines;
  }
}

/** One person needs two: one to send, one to receive. */
const VIDEO_PORTS_LEAST = 50;

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

function parseLimit(text: string): Limit | null {
  const match = /^(\d{1,9})\/(\d{1,9})([smhd]?)$/.exec(text.trim());
  if (!match) return null;
  const max = Number(match[1]);
  const windowSeconds = Number(match[2]) * SECONDS[(match[3] || 's') as keyof typeof SECONDS];
  return max > 0 && windowSeconds > 0 ? { max, windowSeconds } : null;
}

/** `signIn` → `LIMIT_SIGN_IN`. */
const limitVariable = (name: string) => `LIMIT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const address = (protocols: readonly string[], example: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url && protocols.includes(url.protocol)) return text;
    context.addIssue({ code: 'custom', message: `has to be an address such as ${example}` });
    return z.NEVER;
  });

/** Goes into a header, where a line break would end it. */
const s3Key = z.string().regex(/^[!-~]+$/, 'has to be one word of printable characters');

const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const whole = (least: number, most: number) =>
  z.string().transform((text, context) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    context.addIssue({ code: 'custom', message: `has to be a whole number from ${least} to ${most}` });
    return z.NEVER;
  });

/** A decimal amount as an integer in the currency's smallest unit. */
const hourPrice = (currency: BillCurrency) =>
  z.string().transform((text, context) => {
    const minor = priceToMinor(text, currency);
    // A month has at most 745 hours; their price has to fit into an exact number with room for tax.
    if (minor !== null && minor > 0 && minor <= PRICE_MAX / 100) return minor;
    context.addIssue({ code: 'custom', message: 'has to be an amount above 0, such as 900 or 2.50' });
    return z.NEVER;
  });

/** One line that a bill shows; its length is limited by the page. */
const sellerLine = (most: number) =>
  z
    .string()
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .regex(/^\P{Cc}+$/u, 'has to be one line')
        .max(most, `has to be at most ${most} characters long`),
    );

const limit = z.string().transform((text, context) => {
  const parsed = parseLimit(text);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'has to read like 10/900 or 10/15m: a count and a time' });
  return z.NEVER;
});

/** One address, with or without a name before it; no line breaks, which would add headers to emails. */
const mailFrom = z
  .string()
  .regex(
    /^(?:[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    'has to be an email address, such as Fieldroom <mail@example.org>',
  );

/**
 * An address of the web without query, fragment and sign-in. Takes what is kept of it, null for one that does not fit,
 * and what to say then.
 */
const webAddress = (kept: (url: URL) => string | null, message: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isPlain =
      url !== null &&
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      [url.search, url.hash, url.username, url.password].every((part) => part === '');
    const found = isPlain ? kept(url) : null;
    if (found !== null) return found;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const settings = z.object({
  NODE_ENV: z.string().optional(),
  PORT: whole(0, 65_535).optional(),
  HOST: z
    .string()
    .regex(/^[^\s/]+$/, 'has to be an address of this machine, such as 127.0.0.1')
    .optional(),
  PUBLIC_URL: webAddress(
    (url) => (url.pathname === '/' ? url.origin : null),
    'has to be the address of the service without a path, such as https://room.example.org',
  ).optional(),
  DATA_DIR: z.string().optional(),
  S3_URL: webAddress(
    ({ href }) => (href.endsWith('/') ? href.slice(0, -1) : href),
    'has to be the address of an S3-compatible store without keys, such as https://s3.example.org',
  ).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9]$/, 'has to be the name of a bucket, such as fieldroom-files')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'has to be the name of a region, such as eu-central-1')
    .optional(),
  S3_ACCESS_KEY: s3Key.optional(),
  S3_SECRET_KEY: s3Key.optional(),
  S3_PREFIX: z
    .string()
    .regex(
      /^\w[\w-]*(?:\/\w[\w-]*)*\/?$/,
      'has to be made of letters, digits, - and _, with / between folders, such as fieldroom',
    )
    // The owner of the folder above removes from its `web` what is no file of its own.
    .refine((text) => !text.split('/').includes('web'), 'has to be without a folder that is called web')
    .optional(),
  S3_TIMEOUT_MS: whole(100, 60_000).optional(),
  DATABASE_URL: address(['postgres:', 'postgresql:'], 'postgresql://user@host/fieldroom').optional(),
  // Live rooms, background work and calls each have a share.
  DATABASE_CONNECTIONS: whole(4, 200).optional(),
  DATABASE_TIMEOUT_MS: whole(100, 60_000).optional(),
  MAX_LAG_MS: whole(0, 60_000).optional(),
  REDIS_URL: address(['redis:', 'rediss:'], 'redis://localhost:6379').optional(),
  SMTP_URL: address(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.org').optional(),
  SMTP_REQUIRE_TLS: z.enum(['0', '1'], 'has to be 0 or 1').optional(),
  MAIL_FROM: mailFrom.optional(),
  JANUS_URL: z
    .string()
    .transform(list)
    .pipe(z.array(address(['ws:', 'wss:'], 'wss://janus.example.org/janus')))
    .optional(),
  JANUS_SECRET: z.string().min(16, 'has to be 16 characters or longer').optional(),
  JANUS_ADMIN_KEY: z.string().min(16, 'has to be 16 characters or longer').optional(),
  VIDEO_PORTS: z
    .string()
    .transform((text, context) => {
      const [first, last] = /^\d{1,5}-\d{1,5}$/.test(text) ? text.split('-').map(Number) : [];
      if (
        first !== undefined &&
        last !== undefined &&
        first >= 1024 &&
        last <= 65_535 &&
        last - first >= VIDEO_PORTS_LEAST - 1
      )
        return { first, last };
      context.addIssue({
        code: 'custom',
        message: `has to be a range of at least ${VIDEO_PORTS_LEAST} ports from 1024 to 65535, such as 40000-40999`,
      });
      return z.NEVER;
    })
    .optional(),
  VIDEO_ADDRESS: z
    .string()
    .transform(list)
    .pipe(
      z.array(z.string().refine((text) => isIP(text) !== 0, 'has to be one IP address or several, comma separated')),
    )
    .optional(),
  VIDEO_WORKERS: whole(1, 64).optional(),
  TURN_URL: z
    .string()
    .transform(list)
    .pipe(z.array(z.string().regex(/^turns?:[^\s]+$/, 'has to be an address such as turn:turn.example.org:3478')))
    .optional(),
  TURN_SECRET: z.string().optional(),
  DEMO: z.enum(['0', '1'], 'has to be 0 or 1').optional(),
  FIELDROOM_DEV: z.enum(['0', '1'], 'is set by npm run dev alone').optional(),
  PRIVILEGED_USER_IDS: z
    .string()
    .transform(list)
    .pipe(z.array(whole(1, Number.MAX_SAFE_INTEGER)))
    .optional(),
  CLOCK_SPEED: z
    .string()
    .transform((text, context) => {
      const speed = Number(text);
      if (text.trim() !== '' && speed > 0 && speed <= 100_000) return speed;
      context.addIssue({ code: 'custom', message: 'has to be a number above 0, at most 100000' });
      return z.NEVER;
    })
    .optional(),
  ROOM_CODE_LENGTH: whole(5, 12).optional(),
  TRUST_PROXY: z
    .string()
    .transform((text, context) => {
      if (text === '0') return false;
      if (/^\d{1,2}$/.test(text)) return Number(text);
      const addresses = list(text);
      if (addresses.every((entry) => /^(?:[0-9a-fA-F:.]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal)$/.test(entry)))
        return addresses;
      context.addIssue({
        code: 'custom',
        message: 'has to be the number of proxies before this server, or their addresses, comma separated',
      });
      return z.NEVER;
    })
    .optional(),
  BILLING_PRICE_HUF: hourPrice('HUF').optional(),
  BILLING_PRICE_EUR: hourPrice('EUR').optional(),
  BILLING_PRICE_USD: hourPrice('USD').optional(),
  BILLING_TAX_PERCENT: whole(0, 100).optional(),
  BILLING_DUE_DAYS: whole(0, 365).optional(),
  BILLING_TIME_ZONE: z.string().refine(isZone, 'has to be a time zone, such as Europe/Budapest').optional(),
  SELLER_NAME: sellerLine(120).optional(),
  SELLER_ADDRESS: sellerLine(200).optional(),
  SELLER_TAX_NUMBER: sellerLine(60).optional(),
  SELLER_EMAIL: sellerLine(100)
    .pipe(z.string().regex(/^[^\s<>@]+@[^\s<>@]+$/, 'has to be an email address, such as bills@example.org'))
    .optional(),
  SELLER_BANK: sellerLine(120).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `has to be one of ${LOG_LEVELS.join(', ')}`).optional(),
  BROWSER_LOG_LEVEL: z.enum(BROWSER_LOG_LEVELS, `has to be one of ${BROWSER_LOG_LEVELS.join(', ')}`).optional(),
  METRICS_TOKEN: z.string().min(16, 'has to be 16 characters or longer').optional(),
  ...(Object.fromEntries(Object.keys(LIMITS).map((name) => [limitVariable(name), limit.optional()])) as Record<
    string,
    z.ZodOptional<typeof limit>
  >),
});

/** Whether a text names a zone with rules of its own; `+01:00` knows no daylight saving. */
function isZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return /^[A-Za-z]/.test(text);
  } catch {
    return false;
  }
}

/** Bills that nobody owes: they name no real seller. */
const DEMO_SELLER = {
  name: 'Fieldroom demo seller',
  address: 'No real address, no real bill',
  taxNumber: 'none (demo)',
  email: 'bills@demo.example',
  bank: 'none (demo): please do not pay',
};

/** Default time for which somebody who waits for an answer waits for the database, all waits together. */
export const DATABASE_TIMEOUT_MS = 1500;

const S3_NEEDED = ['S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;
const S3_MORE = ['S3_REGION', 'S3_PREFIX', 'S3_TIMEOUT_MS'] as const;
type S3Settings = Partial<Record<(typeof S3_NEEDED)[number] | 'S3_REGION' | 'S3_PREFIX', string>> & {
  readonly S3_TIMEOUT_MS?: number | undefined;
};

/**
 * The bucket; null if there is none, or if settings are missing, which becomes one of the faults: a typing error must
 * not send files to a folder that only this node sees.
 */
function s3Of(read: S3Settings, faults: string[]): S3Config | null {
  const missing = S3_NEEDED.filter((name) => read[name] === undefined);
  const given = [...S3_NEEDED, ...S3_MORE].filter((name) => read[name] !== undefined);
  if (given.length === 0) return null;
  const [url, bucket, accessKey, secretKey] = S3_NEEDED.map((name) => read[name]);
  if (url === undefined || bucket === undefined || accessKey === undefined || secretKey === undefined) {
    const [are, need] = [missing.length === 1 ? 'is' : 'are', given.length === 1 ? 'needs' : 'need'];
    faults.push(`${missing.join(', ')}: ${are} missing; ${given.join(', ')} ${need} all of ${S3_NEEDED.join(', ')}`);
    return null;
  }
  const prefix = read.S3_PREFIX ?? '';
  return {
    ...{ url, bucket, accessKey, secretKey },
    region: read.S3_REGION ?? 'us-east-1',
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    timeoutMs: read.S3_TIMEOUT_MS ?? 1500,
  };
}

type SellerSettings = Partial<
  Record<'SELLER_NAME' | 'SELLER_ADDRESS' | 'SELLER_TAX_NUMBER' | 'SELLER_EMAIL' | 'SELLER_BANK', string>
>;

/** The seller of bills. In production all data has to be set: a bill with invented data must not reach a customer. */
function sellerOf(read: SellerSettings, production: boolean): Pick<BillingConfig, 'seller' | 'missing'> {
  const names = ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_TAX_NUMBER', 'SELLER_EMAIL', 'SELLER_BANK'] as const;
  const missing = production ? names.filter((name) => read[name] === undefined) : [];
  if (missing.length > 0) return { seller: null, missing };
  const seller = {
    name: read.SELLER_NAME ?? DEMO_SELLER.name,
    address: read.SELLER_ADDRESS ?? DEMO_SELLER.address,
    taxNumber: read.SELLER_TAX_NUMBER ?? DEMO_SELLER.taxNumber,
    email: read.SELLER_EMAIL ?? DEMO_SELLER.email,
    bank: read.SELLER_BANK ?? DEMO_SELLER.bank,
  };
  return { seller, missing };
}

/** Net price of one started hour (docs/product.md#8.2). */
const PRICES: Readonly<Record<BillCurrency, number>> = { HUF: 90_000, EUR: 300, USD: 400 };

/** Whether a host name or address means this machine alone. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    bare === 'localhost' ||
    bare === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(bare) ||
    /^::ffff:127(?:\.\d{1,3}){3}$/.test(bare)
  );
}

/**
 * Reads the settings. Takes the environment of the process, or another (empty values count as not set). Returns the
 * settings with all defaults.
 * @throws ConfigFault with a line for every fault there is.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const faults: string[] = [];
  const known = new Set(Object.keys(LIMITS).map(limitVariable));
  for (const name of Object.keys(given))
    if (name.startsWith('LIMIT_') && !known.has(name))
      faults.push(`${name}: there is no such limit; there are ${[...known].join(', ')}`);

  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) faults.push(`${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigFault([...new Set(faults)]);
  }
  const read = parsed.data;
  const production = read.NODE_ENV === 'production';
  const host = read.HOST ?? '127.0.0.1';
  const port = read.PORT ?? 8080;
  const everywhere = host === '0.0.0.0' || host === '::';
  const publicUrl =
    read.PUBLIC_URL ??
    `http://${everywhere ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(publicUrl)) faults.push('HOST: has to be an address of this machine, such as 127.0.0.1');

  if (production && read.DEMO === '1')
    faults.push('DEMO: the demo practice has known passwords and cannot be shown with NODE_ENV=production');
  if (production && read.CLOCK_SPEED !== undefined && read.CLOCK_SPEED !== 1)
    faults.push('CLOCK_SPEED: the clock cannot be changed with NODE_ENV=production');
  if (production && read.FIELDROOM_DEV === '1')
    faults.push('FIELDROOM_DEV: signs in anybody without asking and is for npm run dev alone');
  // An embedded database belongs to one node: people of one room would not see one another.
  if (read.REDIS_URL !== undefined && read.DATABASE_URL === undefined)
    faults.push('REDIS_URL: several nodes share one database, which DATABASE_URL has to name');
  const s3 = s3Of(read, faults);
  if ((read.TURN_URL === undefined) !== (read.TURN_SECRET === undefined))
    faults.push('TURN_URL, TURN_SECRET: the one needs the other');
  // A Janus without a secret obeys everybody who reaches it: they could list, record and destroy rooms.
  if (read.JANUS_SECRET === undefined && (read.JANUS_URL ?? []).some((url) => !isLoopback(new URL(url).hostname)))
    faults.push('JANUS_URL: a Janus on another machine needs JANUS_SECRET (its api_secret)');
  if (read.JANUS_URL === undefined && (read.JANUS_SECRET ?? read.JANUS_ADMIN_KEY) !== undefined)
    faults.push('JANUS_SECRET, JANUS_ADMIN_KEY: are of no use without JANUS_URL');
  if (read.SMTP_URL !== undefined && read.MAIL_FROM === undefined)
    faults.push('MAIL_FROM: with SMTP_URL the sender of emails has to be set');
  if (faults.length > 0) throw new ConfigFault(faults);

  const safeForDemo =
    read.DATABASE_URL === undefined && !production && isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  const limits = Object.fromEntries(
    Object.entries(LIMITS).map(([name, standard]) => [
      name,
      (read as Record<string, unknown>)[limitVariable(name)] ?? parseLimit(standard),
    ]),
  ) as unknown as Record<LimitName, Limit>;
  const demo = read.DEMO === undefined ? safeForDemo : read.DEMO === '1';
  return {
    production,
    host,
    port,
    publicUrl,
    dataDir: path.resolve(read.DATA_DIR ?? './data'),
    s3,
    databaseUrl: read.DATABASE_URL ?? null,
    databaseConnections: read.DATABASE_CONNECTIONS ?? 20,
    databaseTimeoutMs: read.DATABASE_TIMEOUT_MS ?? DATABASE_TIMEOUT_MS,
    maxLagMs: read.MAX_LAG_MS ?? 2000,
    redisUrl: read.REDIS_URL ?? null,
    smtpUrl: read.SMTP_URL ?? null,
    // Emails carry tokens. On the same machine nobody can read them on the way.
    smtpRequireTls:
      read.SMTP_REQUIRE_TLS === undefined
        ? !isLoopback(new URL(read.SMTP_URL ?? 'smtp://localhost').hostname)
        : read.SMTP_REQUIRE_TLS === '1',
    mailFrom: read.MAIL_FROM ?? `Fieldroom <no-reply@${new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')}>`,
    janus: { urls: read.JANUS_URL ?? [], secret: read.JANUS_SECRET ?? null, adminKey: read.JANUS_ADMIN_KEY ?? null },
    video: {
      ports: read.VIDEO_PORTS ?? { first: 40_000, last: 40_999 },
      addresses: read.VIDEO_ADDRESS ?? [],
      workers: read.VIDEO_WORKERS ?? null,
    },
    turn: read.TURN_URL && read.TURN_SECRET ? { urls: read.TURN_URL, secret: read.TURN_SECRET } : null,
    demo,
    dev: demo && read.FIELDROOM_DEV === '1' && read.NODE_ENV === 'development',
    privilegedUserIds: read.PRIVILEGED_USER_IDS ?? [],
    clockSpeed: read.CLOCK_SPEED ?? 1,
    roomCodeLength: read.ROOM_CODE_LENGTH ?? 5,
    trustProxy: read.TRUST_PROXY ?? false,
    logLevel: read.LOG_LEVEL ?? 'info',
    browserLogLevel: read.BROWSER_LOG_LEVEL ?? 'Info',
    metricsToken: read.METRICS_TOKEN ?? null,
    limits,
    billing: {
      prices: Object.fromEntries(
        BILL_CURRENCIES.map((code) => [code, read[`BILLING_PRICE_${code}`] ?? PRICES[code]]),
      ) as Record<BillCurrency, number>,
      taxPercent: read.BILLING_TAX_PERCENT ?? 27,
      dueDays: read.BILLING_DUE_DAYS ?? 10,
      timeZone: read.BILLING_TIME_ZONE ?? 'Europe/Budapest',
      ...sellerOf(read, production),
    },
  };
}
