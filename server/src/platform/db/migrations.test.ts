/** Migrations and SQL files: what is applied, in which order, and what a failure leaves. On a real database. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { copyDatabase, onDatabase } from '../../../tests/support/database.ts';
import { applyMigrations, NewerDatabase, readNumbered, readSqlFiles, type SqlFile } from './migrations.ts';

const answering = (answer: number): SqlFile => ({
  name: 'test/answer.sql',
  content: `CREATE OR REPLACE FUNCTION answer() RETURNS integer LANGUAGE sql AS 'SELECT ${answer}'`,
});
/** A file that breaks if it is applied a second time. */
const ONCE: SqlFile = { name: 'test/once.sql', content: 'CREATE TABLE once ()' };

/** A numbered migration that is newer than all there are. */
const aMigration = (statement: string, nth = 1): ReturnType<typeof readNumbered>[number] => ({
  sql: [statement],
  folderMillis: readNumbered().at(-1)!.folderMillis + nth,
  hash: `test ${nth}`,
  bps: true,
});

let connectionString: string;
let cleanups: (() => Promise<unknown>)[];
/** What a server does when it starts. */
async function start(files: readonly SqlFile[], numbered = readNumbered()) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await applyMigrations(client, files, numbered);
  } finally {
    await client.end();
  }
}
async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

describe('SQL files, on a database that is up to date', () => {
  beforeEach(async () => {
    const copy = await copyDatabase(inject('postgres'));
    ({ connectionString } = copy);
    cleanups = [() => copy.drop()];
  });

  test('a new file is applied, an unchanged one is not, a changed one is', async () => {
    expect(await start([answering(1), ONCE])).toEqual({ migrations: 0, files: ['test/answer.sql', 'test/once.sql'] });
    expect(await start([answering(1), ONCE])).toEqual({ migrations: 0, files: [] });
    expect(await start([answering(2), ONCE])).toEqual({ migrations: 0, files: ['test/answer.sql'] });
    expect(await query('SELECT answer()')).toEqual([{ answer: 2 }]);
  });

  test('servers that start together apply a file once', async () => {
    const applied = await Promise.all([start([ONCE]), start([ONCE]), start([ONCE])]);
    expect(applied.flatMap(({ files }) => files)).toEqual(['test/once.sql']);
  });

  test('a file that fails leaves nothing of the others', async () => {
    const broken = { name: 'test/z.sql', content: 'CREATE FUNCTION' };
    await expect(start([ONCE, broken])).rejects.toThrow('syntax error');
    expect((await start([ONCE])).files).toEqual(['test/once.sql']);
  });

  test('after a numbered migration all are applied again: it may have dropped what one makes', async () => {
    await start([answering(1)]);
    const next = [...readNumbered(), aMigration('DROP FUNCTION answer()')];
    expect(await start([answering(1)], next)).toEqual({ migrations: 1, files: ['test/answer.sql'] });
    expect(await query('SELECT answer()')).toEqual([{ answer: 1 }]);
  });

  test('a numbered migration that fails leaves nothing of itself and of those before it', async () => {
    await start([answering(1)]);
    const next = [...readNumbered(), aMigration('DROP FUNCTION answer()', 1), aMigration('DROP FUNCTION answer()', 2)];
    await expect(start([answering(1)], next)).rejects.toThrow('does not exist');
    expect(await query('SELECT answer()')).toEqual([{ answer: 1 }]);
    expect(await start([answering(1)])).toEqual({ migrations: 0, files: [] });
  });

  test('a database of a newer version is left alone', async () => {
    await query(
      "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) SELECT 'newer', 9999999999999 FROM generate_series(1, 50)",
    );
    await expect(start([answering(1)])).rejects.toThrow(NewerDatabase);
    expect(await query("SELECT to_regproc('answer')")).toEqual([{ to_regproc: null }]);
  });

  test('a database whose functions numbered migrations made gets those of the files', async () => {
    await query('DROP TABLE drizzle.applied_sql_files; DROP FUNCTION take_holds(jsonb, jsonb, integer, boolean)');
    await query(
      `CREATE FUNCTION take_holds(items jsonb, emails jsonb, open_max integer, patient boolean)
       RETURNS TABLE (n integer, verdict text, booking_id bigint) LANGUAGE sql AS 'SELECT 0, NULL::text, NULL::bigint'`,
    );
    const files = readSqlFiles();
    expect((await start(files)).files).toEqual(files.map(({ name }) => name));
    expect(await query("SELECT * FROM take_holds('[]', '[]', null, true)")).toEqual([]);
  });
});

test('a change of an SQL file comes with a migration, so that older nodes do not put theirs back', () => {
  const sum = createHash('sha256');
  for (const { name, content } of readSqlFiles()) sum.update(`${name}\n${content}`);
  const marks = readNumbered().flatMap(({ sql }) =>
    [...sql.join('\n').matchAll(/^-- functions: (\w+)$/gm)].map(([, mark]) => mark),
  );
  // If this fails: `npx drizzle-kit generate --custom --name functions` in `server`, with this line in the new file.
  expect(`-- functions: ${marks.at(-1)}`).toBe(`-- functions: ${sum.digest('hex')}`);
});

describe('on an empty database', () => {
  beforeEach(async () => {
    const admin = new pg.Client({ connectionString: inject('postgres').connectionString });
    await admin.connect();
    const name = `migrated_${process.pid}`;
    await admin.query(`CREATE DATABASE ${name}`);
    cleanups = [() => admin.end(), () => admin.query(`DROP DATABASE ${name} WITH (FORCE)`)];
    connectionString = onDatabase(inject('postgres').connectionString, name);
  });

  test('all migrations are applied and then all files, the platform first; the second start finds nothing to do', async () => {
    const files = readSqlFiles();
    expect(files.findLastIndex((file) => file.name.startsWith('platform/'))).toBeLessThan(
      files.findIndex((file) => file.name.startsWith('features/')),
    );
    const first = await start(files);
    expect(first.migrations).toBeGreaterThan(10);
    expect(first.files).toEqual(files.map((file) => file.name));
    expect(await start(files)).toEqual({ migrations: 0, files: [] });
  });

  test('emails and the tokens in them outlive the renaming of their table (0015)', async () => {
    const before = readNumbered().slice(0, 15);
    await start([], before);
    await query(`
      SET session_replication_role = replica;
      INSERT INTO outbox_letters (message_id, kind, language, to_address, subject, text, html, created_at, not_before)
        VALUES ('<1@fieldroom.test>', 'bookings.held', 'de', 'client@mail.example', 'subject', 'text', 'html', now(), now());
      INSERT INTO booking_tokens (token_hash, booking_id, purpose, created_at)
        VALUES ('a', 1, 'letter', now()), ('b', 1, 'private', now());`);
    expect((await start(readSqlFiles())).migrations).toBe(readNumbered().length - before.length);
    expect(await query('SELECT number::integer, message_id, to_address, sent_at FROM outbox_emails')).toEqual([
      { number: 1, message_id: '<1@fieldroom.test>', to_address: 'client@mail.example', sent_at: null },
    ]);
    expect(await query('SELECT purpose FROM booking_tokens ORDER BY token_hash')).toEqual([
      { purpose: 'email' },
      { purpose: 'private' },
    ]);
    // The functions that write emails use the new name; numbers continue, and a Message-ID stays unique.
    const putAgain = (id: string) =>
      query(`SELECT put_prepared_emails(
        '[{"n": 1, "id": "00000000-0000-0000-0000-000000000001", "message_id": "${id}", "to": "a@b.example", "words": 1, "token": "t"}]',
        '[{"n": 1, "kind": "k", "language": "en", "subject": "s", "text": "x", "html": "x", "mark": "m", "sent": false}]', now())`);
    await expect(putAgain('<1@fieldroom.test>')).rejects.toThrow('outbox_emails_message_id_unique');
    await putAgain('<2@fieldroom.test>');
    expect(await query("SELECT relname FROM pg_class WHERE relname LIKE '%letter%'")).toEqual([]);
  });
});
