/** Tables of accounts. Ids of therapists and clients come from one sequence (docs/product.md#3.3). */
import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Language } from '@fieldroom/contract/text';
import type { Role } from '@fieldroom/contract/accounts';
import { at, bytea, productNow, storedFiles } from '../../platform/platform.tables.ts';

/** The key column of accounts and of clients, numbered from their common sequence (docs/product.md#3.3). */
export const personId = () =>
  bigint('id', { mode: 'number' })
    .primaryKey()
    .default(sql`nextval('person_id')`);

export const accounts = pgTable('accounts', {
  id: personId(),
  email: text('email').notNull(),
  emailNormalized: text('email_normalized').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  /** null: prefers not to say. */
  gender: text('gender').$type<'male' | 'female'>(),
  language: text('language').$type<Language>().notNull(),
  roles: text('roles').array().$type<Role[]>().notNull(),
  /** Name in the addresses of the public pages. */
  slug: text('slug').notNull().unique(),
  /**
   * The join link of the room: a secret that the therapist gives to clients and may renew, never shown in public
   * (docs/product.md#4.1).
   */
  joinLink: text('join_link').notNull().unique(),
  createdAt: at('created_at').notNull().default(productNow),
  emailVerifiedAt: at('email_verified_at'),
  suspendedAt: at('suspended_at'),
  /** IANA zone of the therapist's events, first taken from the browser at registration (docs/product.md#9.1). */
  timeZone: text('time_zone').notNull().default('UTC'),
  /** The picture in `stored_files`. */
  pictureFile: uuid('picture_file').references(() => storedFiles.id, { onDelete: 'set null' }),
  /** When the account is deleted; null while nobody has asked for it (docs/product.md#3.27). */
  deletesAt: at('deletes_at'),
});

/** What therapists say about themselves on the public page; without a row it is empty. */
export const publicPages = pgTable('public_pages', {
  accountId: bigint('account_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  line: text('line').notNull(),
  about: text('about').notNull(),
});

/** Slugs that an account had before: their addresses lead to its page (docs/product.md#3.20). */
export const formerSlugs = pgTable(
  'former_slugs',
  {
    slug: text('slug').primaryKey(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    endedAt: at('ended_at').notNull().default(productNow),
  },
  (t) => [index('former_slugs_account').on(t.accountId)],
);

/** The agreements a person accepted, with version, language and time. */
export const accountAgreements = pgTable('account_agreements', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  accountId: bigint('account_id', { mode: 'number' })
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  kind: text('kind').$type<'license' | 'data'>().notNull(),
  version: text('version').notNull(),
  language: text('language').notNull(),
  agreedAt: at('agreed_at').notNull().default(productNow),
});

/** Sign-ins: opaque tokens, stored as hashes; valid for 7 days after the last use, and 30 days at most. */
export const signIns = pgTable(
  'sign_ins',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull().default(productNow),
    lastUsedAt: at('last_used_at').notNull().default(productNow),
    endedAt: at('ended_at'),
    /** The name of this sign-in for its owner; it opens nothing. */
    deviceId: uuid('device_id')
      .notNull()
      .default(sql`gen_random_uuid()`),
    /** Such as `Firefox` and `Windows`: from the browser's user agent, without versions. */
    browser: text('browser'),
    system: text('system'),
  },
  (t) => [index('sign_ins_account').on(t.accountId)],
);

/**
 * Browsers that signed in before. Their token lets them try a password when strangers have used up the tries of the
 * address; it alone does not sign anyone in.
 */
export const signInDevices = pgTable(
  'sign_in_devices',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    createdAt: at('created_at').notNull().default(productNow),
    lastUsedAt: at('last_used_at').notNull().default(productNow),
  },
  (t) => [index('sign_in_devices_account').on(t.accountId)],
);

/** One-use tokens of emails. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<'verify' | 'reset'>().notNull(),
    expiresAt: at('expires_at').notNull(),
    usedAt: at('used_at'),
  },
  (t) => [index('account_tokens_account').on(t.accountId)],
);

/** Captcha challenges already used (replay protection). */
export const spentCaptchas = pgTable('spent_captchas', {
  challengeHash: bytea('challenge_hash').primaryKey(),
  expiresAt: at('expires_at').notNull(),
});

/**
 * How long an address has to wait before the next try to sign in; `key` is a keyed hash, so that no address is stored
 * here.
 */
export const signInDelays = pgTable('sign_in_delays', {
  key: bytea('key').primaryKey(),
  failures: integer('failures').notNull(),
  lastTriedAt: at('last_tried_at').notNull(),
  blockedUntil: at('blocked_until').notNull(),
});
