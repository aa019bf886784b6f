/** Tables of the platform: clock, outbox, files, counted limits, secrets. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** Every time of the product: timestamptz, read as Date. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
export const productNow = sql`product_now()`;

/** A file of an email: its bytes, or who makes them when they are needed, and of what. */
export type StoredAttachment = { filename: string; contentType: string } & (
  | { base64: string }
  | { maker: string; key: string }
);

/** One row: business time = anchor_product + (real − anchor_real) × speed. Read by `product_now()` alone. */
export const productClock = pgTable('product_clock', {
  id: smallint('id').primaryKey(),
  anchorReal: at('anchor_real').notNull(),
  anchorProduct: at('anchor_product').notNull(),
  speed: doublePrecision('speed').notNull(),
});

export const outboxEmails = pgTable(
  'outbox_emails',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    /** Order of writing, for lists. */
    number: bigint('number', { mode: 'number' }).generatedAlwaysAsIdentity(),
    messageId: text('message_id').notNull().unique(),
    kind: text('kind').notNull(),
    language: text('language').notNull(),
    to: text('to_address').notNull(),
    /** Where answers go; null if nobody reads them. */
    replyTo: text('reply_to'),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html').notNull(),
    attachments: jsonb('attachments').$type<StoredAttachment[]>().notNull().default([]),
    createdAt: at('created_at').notNull().default(productNow),
    notBefore: at('not_before').notNull().default(productNow),
    leaseUntil: at('lease_until'),
    /** The node that took it last; null where there are no others. */
    leaseNode: text('lease_node'),
    attempts: integer('attempts').notNull().default(0),
    /** When it was last tried. */
    triedAt: at('tried_at'),
    /** Tries that failed because of this email, not because the mail server could not be used. */
    failures: smallint('failures').notNull().default(0),
    /** How often it was tried ahead of its time because another one was sent. */
    woken: smallint('woken').notNull().default(0),
    sentAt: at('sent_at'),
    /** Given up after the last attempt. */
    failedAt: at('failed_at'),
    /**
     * What the email is about (`booking 17`), so that one that has become untrue can be withdrawn before it is sent.
     */
    about: text('about'),
    withdrawnAt: at('withdrawn_at'),
  },
  (t) => [
    index('outbox_emails_due')
      .on(t.notBefore)
      .where(sql`sent_at is null and failed_at is null and withdrawn_at is null`),
    index('outbox_emails_about')
      .on(t.about)
      .where(sql`about is not null`),
  ],
);

export const storedFiles = pgTable(
  'stored_files',
  {
    id: uuid('id').primaryKey(),
    ownerId: bigint('owner_id', { mode: 'number' }).notNull(),
    kind: text('kind').notNull(),
    contentType: text('content_type').notNull(),
    bytes: integer('bytes').notNull(),
    sha256: bytea('sha256').notNull(),
    createdAt: at('created_at').notNull().default(productNow),
  },
  (t) => [index('stored_files_owner').on(t.ownerId)],
);

/** Counted limits; `key` is a keyed hash, so that no address is stored in clear. */
export const limitCounters = pgTable('limit_counters', {
  key: bytea('key').primaryKey(),
  windowStart: at('window_start').notNull(),
  count: integer('count').notNull(),
});

/** Jobs that run by a schedule; see `schedule.ts`. */
export const scheduledJobs = pgTable('scheduled_jobs', {
  type: text('type').primaryKey(),
  /** A cron expression of five fields. */
  schedule: text('schedule').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  /** null while it is off. */
  nextRunAt: at('next_run_at'),
  /** While a node runs it: until when it may, in real time. The lease is renewed; another node takes over after it. */
  leasedUntil: at('leased_until'),
  lastRunAt: at('last_run_at'),
  lastResult: text('last_result').$type<'done' | 'failed'>(),
  lastCounts: jsonb('last_counts').$type<Record<string, number>>().notNull().default({}),
  lastFault: text('last_fault'),
});

/** Bytes that the server makes once and keeps; see `secrets.ts`. */
export const secrets = pgTable('account_secrets', {
  name: text('name').primaryKey(),
  bytes: bytea('bytes').notNull(),
});

/**
 * Nodes of a service that has several, by their last sign of life in the database's real time; see `nodes/nodes.ts`.
 */
export const nodes = pgTable('nodes', {
  id: text('id').primaryKey(),
  seenAt: at('seen_at').notNull(),
});

/** Who has a connection on which node. It counts while the node lives; a row of `nodes` may be missing for a moment. */
export const nodePeople = pgTable(
  'node_people',
  {
    personId: bigint('person_id', { mode: 'number' }).notNull(),
    nodeId: text('node_id').notNull(),
    kind: text('kind').notNull(),
  },
  (t) => [primaryKey({ columns: [t.personId, t.nodeId] }), index('node_people_node').on(t.nodeId)],
);

/** Moments that several nodes have to know roughly, such as when somebody acted last; see `nodes/last-times.ts`. */
export const lastTimes = pgTable(
  'last_times',
  {
    name: text('name').notNull(),
    id: bigint('id', { mode: 'number' }).notNull(),
    /** Product time in milliseconds. */
    atMs: bigint('at_ms', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.id] })],
);
