/**
 * What is stored about a therapist and their practice, table by table: the one list of it. A test compares it with the
 * tables of the database, so that a new table is either exported or left out for a reason given here.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../../platform/db/db.ts';

interface Section {
  /** The key in the file. */
  readonly name: string;
  readonly table: string;
  /** The condition for the account's rows of `t`. */
  readonly owned: (accountId: number) => SQL;
  /** The column that rows are read by, unique among the account's. */
  readonly key: string;
  /** Columns that are secrets, or that mean something only to the server. */
  readonly without?: readonly string[];
}

const byTherapist = (id: number) => sql`t.therapist_id = ${id}`;
const byAccount = (id: number) => sql`t.account_id = ${id}`;

const inOwnSession = (id: number) =>
  sql`t.live_session_id IN (SELECT s.id FROM live_sessions s WHERE s.therapist_id = ${id})`;

/** In the order of the file. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'account',
    table: 'accounts',
    owned: (id) => sql`t.id = ${id}`,
    key: 'id',
    // The join link lets people in, and a file is easily passed on.
    without: ['password_hash', 'join_link', 'email_normalized'],
  },
  { name: 'agreements', table: 'account_agreements', owned: byAccount, key: 'id' },
  { name: 'publicPage', table: 'public_pages', owned: byAccount, key: 'account_id' },
  { name: 'formerSlugs', table: 'former_slugs', owned: byAccount, key: 'slug' },
  {
    name: 'emailChanges',
    table: 'email_changes',
    owned: byAccount,
    key: 'id',
    without: ['token_hash', 'restore_hash', 'asked_by'],
  },
  { name: 'devices', table: 'sign_ins', owned: byAccount, key: 'device_id', without: ['token_hash'] },
  { name: 'retention', table: 'retention_settings', owned: byTherapist, key: 'therapist_id' },
  { name: 'messageSettings', table: 'message_settings', owned: byTherapist, key: 'therapist_id' },
  { name: 'design', table: 'designs', owned: byTherapist, key: 'therapist_id' },
  {
    name: 'events',
    table: 'events',
    owned: byTherapist,
    key: 'id',
    without: ['as_listed', 'search_text'],
  },
  {
    name: 'bookings',
    table: 'bookings',
    owned: (id) => sql`t.event_id IN (SELECT e.id FROM events e WHERE e.therapist_id = ${id})`,
    key: 'id',
    without: ['email_normalized'],
  },
  { name: 'figures', table: 'figures', owned: byTherapist, key: 'id' },
  { name: 'icons', table: 'icons', owned: byTherapist, key: 'id' },
  { name: 'constellations', table: 'constellations', owned: byTherapist, key: 'id', without: ['name_key'] },
  { name: 'liveSessions', table: 'live_sessions', owned: byTherapist, key: 'id' },
  {
    name: 'attendances',
    table: 'attendances',
    owned: inOwnSession,
    key: 'id',
  },
  { name: 'moments', table: 'moments', owned: inOwnSession, key: 'id', without: ['act_id'] },
  { name: 'moves', table: 'moves', owned: inOwnSession, key: 'id', without: ['placed_figure'] },
  { name: 'moveParts', table: 'move_parts', owned: inOwnSession, key: 'id' },
  { name: 'usage', table: 'usage_accounts', owned: byTherapist, key: 'therapist_id' },
  { name: 'usageIntervals', table: 'usage_intervals', owned: byTherapist, key: 'id' },
  { name: 'billingCustomer', table: 'billing_customers', owned: byTherapist, key: 'therapist_id' },
  { name: 'bills', table: 'bills', owned: byTherapist, key: 'id' },
  { name: 'notices', table: 'notices', owned: byTherapist, key: 'id' },
  // The therapist must not read clients' reports or the logs of their browsers.
  {
    name: 'bugReports',
    table: 'bug_reports',
    owned: (id) => sql`t.account_id = ${id} AND t.reporter <> 'client'`,
    key: 'id',
  },
  {
    name: 'browserLogs',
    table: 'browser_log_files',
    owned: (id) => sql`t.therapist_id = ${id} AND t.number = 0`,
    key: 'id',
  },
  {
    name: 'browserLogParts',
    table: 'browser_log_parts',
    owned: (id) =>
      sql`t.file_id IN (SELECT f.id FROM browser_log_files f WHERE f.therapist_id = ${id} AND f.number = 0)`,
    key: 'id',
  },
];

/** Tables with rows of an account that are not in the file, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  account_tokens: 'hashes of links in emails',
  sign_in_devices: 'hashes of tokens; the devices are in `devices`',
  booking_tokens: 'hashes of links of people who booked',
  booking_handles: 'what strangers typed, for ten minutes',
  clients: 'people in the running session, for a day; who was there is in `attendances`',
  roles: 'which client of the running session holds which figure',
  former_ways_in: 'secrets that led into the room',
  rooms: 'the state of the running room, and its code, which is a secret',
  field_acts: 'steps to undo, until the session ends; the figures are in `figures`',
  messages: 'what clients wrote in the running session; it is gone at its end',
  observer_invitations: 'whether words are invited in the running session; it is gone at its end',
  usage_tabs: 'which open tabs keep the timer running, for other nodes of the service',
  notice_lists: 'the revision of the list in `notices`',
  video_rooms: 'numbers and secrets of the video server',
  video_owners: 'which node of the service carries the video of the running session, and whom it mutes',
  video_tickets: 'hashes of tickets to the video, for a minute',
};

/** Rows of one statement. */
const TOGETHER = 500;

/** The rows of a section, in the order of their key, a few hundred at a time: no statement waits for a slow reader. */
export async function* readSection(
  db: Queryable,
  { table, owned, key, without = [] }: Section,
  accountId: number,
): AsyncGenerator<Record<string, unknown>> {
  const [from, column] = [sql.identifier(table), sql`t.${sql.identifier(key)}`];
  let after: string | null = null;
  for (;;) {
    const next: SQL = after === null ? sql`` : sql`AND ${column} > ${after}`;
    const { rows } = await db.execute<{ key: string; row: Record<string, unknown> }>(sql`
      SELECT ${column}::text AS key, to_jsonb(t) - ${sql.param([...without])}::text[] AS row
        FROM ${from} t WHERE ${owned(accountId)} ${next} ORDER BY ${column} LIMIT ${TOGETHER}`);
    for (const { row } of rows) yield row;
    if (rows.length < TOGETHER) return;
    after = rows.at(-1)!.key;
  }
}

/** The stored files of an account, by their ids; without pictures of clients' reports. */
export async function readFileIds(db: Queryable, accountId: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT f.id FROM stored_files f WHERE f.owner_id = ${accountId}
           AND NOT EXISTS (SELECT FROM bug_reports r WHERE r.picture = f.id AND r.reporter = 'client')
         ORDER BY f.created_at, f.id`,
  );
  return rows.map(({ id }) => id);
}
