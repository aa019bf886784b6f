/** Logs of browsers over HTTP on a real database. Numbers are those of docs/product.md. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/logs';
import { LOG_FILE_BYTES_MAX, LOG_FILES_MAX, LOGS_KEPT_DAYS, linesOf, type LogEntry } from '@fieldroom/contract/logs';
import { anAdmin, aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aClient, inRoom } from '../../builders/clients.builders.ts';
import { runToEnd } from '../../../tests/support/schedule.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';

const DAY = 86_400;
let t: TestApp;
let admin: BuiltAccount;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp({ env: { LIMIT_BROWSER_LOGS: '1000000/60', TRUST_PROXY: '1' } });
});
afterAll(() => t.close());
beforeEach(async () => {
  await startOfNextDay();
  // New for each test, because a moved clock ends sign-ins.
  [admin, therapist] = [await anAdmin(t.db), await aTherapist(t.db)];
});

const entry = (message = 'A call failed', more: Partial<LogEntry> = {}): LogEntry => ({
  date: '2026-11-24T08:00:00.000Z',
  level: 'Error',
  message,
  ...more,
});
const save = (by: { token: string }, ...loggerEntries: LogEntry[]) =>
  t.api(calls.saveLog, { body: { loggerEntries } }, { token: by.token });
const today = async () => (await t.clock.now()).toISOString().slice(0, 10);
const files = async (date?: string, ofId = therapist.id) =>
  t.api(calls.findLogFiles, { params: { date: date ?? (await today()), therapistId: String(ofId) } }, admin);
const file = async (fileName: string, { date, by = admin }: { date?: string; by?: { token: string } } = {}) =>
  t.call(
    calls.logFile,
    { params: { date: date ?? (await today()), therapistId: String(therapist.id), fileName } },
    { token: by.token },
  );
const messages = async (fileName: string, date?: string) =>
  linesOf(await (await file(fileName, { ...(date ? { date } : {}) })).text()).map(({ message }) => message);
/** So that no midnight falls between the steps of a test. */
async function startOfNextDay(): Promise<void> {
  const now = await t.clock.now();
  await t.move(DAY - (Math.floor(now.getTime() / 1000) % DAY) + 60);
}
const everything = async () => JSON.stringify((await t.db.execute(sql`SELECT * FROM browser_log_parts`)).rows);

test('12.10 entries below the operator’s level are dropped, and the answer contains the level', async () => {
  const quiet = await testApp({ env: { BROWSER_LOG_LEVEL: 'Warn' } });
  try {
    const somebody = await aTherapist(quiet.db);
    const put = (...loggerEntries: LogEntry[]) =>
      quiet.api(calls.saveLog, { body: { loggerEntries } }, { token: somebody.token });
    const levels = calls.ENTRY_LEVELS.map((level) => entry(level, { level }));
    expect(await put(...levels)).toEqual({ level: 'Warn' });
    expect(await put(levels[0]!)).toEqual({ level: 'Warn' });
    const { rows } = await quiet.db.execute<{ lines: string }>(sql`SELECT lines FROM browser_log_parts`);
    expect(rows.map(({ lines }) => linesOf(lines).map(({ message }) => message))).toEqual([['Warn', 'Error', 'Fatal']]);
  } finally {
    await quiet.close();
  }
});

test('12.14 the sign-in decides whose entries they are; claims of the program about the person are not stored', async () => {
  const other = await aTherapist(t.db);
  await t.api(
    calls.saveLog,
    {
      body: {
        applicationId: 'Applicationxq',
        userDetails: { id: other.id, firstName: 'Ildikóxq', lastName: 'Szabóxq', email: 'ildiko@mailbox.example' },
        loggerEntries: [entry()],
      },
    },
    { token: therapist.token, headers: { 'x-therapist-id': String(other.id) } },
  );
  expect((await files()).map(({ fileName, entries }) => [fileName, entries])).toEqual([['own.log', 1]]);
  expect(await files(undefined, other.id)).toEqual([]);
  expect(await everything()).not.toMatch(/xq|ildiko/);
});

test('12.17 each client has a file with a meaningless number, even when many write at once', async () => {
  const clients = [];
  for (let count = 0; count < 6; count += 1) clients.push(await inRoom(t.app, therapist));
  await save(therapist, entry('the therapist’s'));
  await Promise.all(clients.map((client) => save(client, entry(`of ${client.id}`))));
  await Promise.all(clients.map((client) => save(client, entry(`again ${client.id}`))));
  const found = await files();
  expect(found.map(({ fileName }) => fileName)).toEqual([
    'own.log',
    ...clients.map((_, index) => `client-${index + 1}.log`),
  ]);
  const texts = await Promise.all(found.slice(1).map(({ fileName }) => messages(fileName)));
  expect(texts.toSorted()).toEqual(clients.map(({ id }) => [`of ${id}`, `again ${id}`]).toSorted());
  for (const { bytes, entries, fileName } of found)
    expect([(await (await file(fileName)).arrayBuffer()).byteLength, fileName === 'own.log' ? 1 : 2]).toEqual([
      bytes,
      entries,
    ]);
  expect(JSON.stringify(found)).not.toContain(clients[0]!.name);
});

test('12.10 people who wait cannot write; those whose connection is lost can', async () => {
  const client = await inRoom(t.app, therapist);
  const waiting = await aClient(t.app, therapist);
  await expect(save(waiting, entry())).rejects.toMatchObject({ code: 'not_admitted' });
  await t.db.execute(sql`UPDATE clients SET state = 'away', away_since = product_now() WHERE id = ${client.id}`);
  await save(client, entry());
  expect((await files()).map(({ fileName }) => fileName)).toEqual(['client-1.log']);
});

test('12.17 days are in UTC; files are kept for 30 days, even if the client’s row is deleted', async () => {
  const first = await today();
  const client = await inRoom(t.app, therapist);
  await save(client, entry('first day'));
  await t.app.clients.remove(therapist.id, client.id);
  await t.db.execute(sql`DELETE FROM clients WHERE id = ${client.id}`);
  const second = await inRoom(t.app, therapist);
  await save(second, entry('another'));
  expect((await files(first)).map(({ fileName }) => fileName)).toEqual(['client-1.log', 'client-2.log']);
  await t.move(DAY);
  await save(second, entry('second day'));
  expect(await messages('client-1.log')).toEqual(['second day']);
  expect(await messages('client-1.log', first)).toEqual(['first day']);
  await t.move((LOGS_KEPT_DAYS - 1) * DAY);
  admin = await anAdmin(t.db);
  await runToEnd(t, 'PURGE_LOGS');
  expect(await messages('client-1.log', first)).toEqual(['first day']);
  await t.move(DAY);
  await runToEnd(t, 'PURGE_LOGS');
  expect((await file('client-1.log', { date: first })).status).toBe(404);
  expect(
    (await t.app.schedule.list()).find(({ type }) => type === 'PURGE_LOGS')!.lastCounts.browserLogs,
  ).toBeGreaterThan(1);
});

test('12.15 a client can only fill its file; the next day there is space again', async () => {
  const client = await inRoom(t.app, therapist);
  const much = Array.from({ length: 100 }, () => entry('x '.repeat(240)));
  const refused = async () => {
    for (let count = 0; count < 100; count += 1) {
      const fault = await save(client, ...much).then(
        () => null,
        (problem: { code: string; more: { retryAfterSeconds?: number } }) => problem,
      );
      if (fault !== null) return fault;
    }
    return null;
  };
  const fault = (await refused())!;
  expect(fault.code).toBe('too_many_requests');
  expect(fault.more.retryAfterSeconds).toBeGreaterThan(DAY - 600);
  expect(fault.more.retryAfterSeconds).toBeLessThanOrEqual(DAY);
  const [{ bytes, entries }] = (await files()) as [calls.LogFileInfo];
  expect(bytes).toBeLessThanOrEqual(LOG_FILE_BYTES_MAX.client);
  // Only whole uploads.
  expect(entries % 100).toBe(0);
  expect(entries).toBeGreaterThan(500);
  await save(therapist, entry('The therapist has room of their own.'));
  await t.move(DAY);
  await save(client, entry());
});

test('12.15 a room has a limited number of files in a day', async () => {
  await t.db.execute(sql`
    INSERT INTO browser_log_files (day, therapist_id, number)
    SELECT ${await today()}::date, ${therapist.id}, n FROM generate_series(1, ${LOG_FILES_MAX}) n`);
  await expect(save(therapist, entry())).rejects.toMatchObject({ code: 'too_many_requests' });
  await t.db.execute(sql`DELETE FROM browser_log_files WHERE therapist_id = ${therapist.id} AND number = 1`);
  await save(therapist, entry());
});

test('12.15 bodies of 10 MB and 100,000 entries are refused, and none of them is stored', async () => {
  const send = (body: string) =>
    t.fetch(calls.saveLog.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${therapist.token}`, 'content-type': 'application/json' },
      body,
    });
  const big = JSON.stringify({ loggerEntries: [entry('x'.repeat(10_000_000))] });
  const many = JSON.stringify({ loggerEntries: Array.from({ length: 100_000 }, () => entry('x')) });
  for (const body of [big, many]) expect((await send(body)).status).toBe(413);
  const tooMany = Array.from({ length: 101 }, () => entry('x'));
  await expect(save(therapist, ...tooMany)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(save(therapist, entry(), entry('x'.repeat(501)))).rejects.toMatchObject({
    more: { fields: [{ path: 'loggerEntries.1.message', code: 'too_long' }] },
  });
  await expect(save(therapist, entry('a\0b'))).rejects.toMatchObject({
    more: { fields: [{ path: 'loggerEntries.0.message', code: 'unsafe_characters' }] },
  });
  expect(await files()).toEqual([]);
});

test('12.15 uploads are counted by person', async () => {
  const few = await testApp({ env: { LIMIT_BROWSER_LOGS: '2/600' } });
  try {
    const [one, other] = [await aTherapist(few.db), await aTherapist(few.db)];
    const put = ({ token }: { token: string }) =>
      few.api(calls.saveLog, { body: { loggerEntries: [entry()] } }, { token });
    await put(one);
    await put(one);
    await expect(put(one)).rejects.toMatchObject({ code: 'too_many_requests' });
    await put(other);
  } finally {
    await few.close();
  }
});

test('12.16, 12.18 a file is an attachment of plain lines, whatever its texts are', async () => {
  const evil = 'a\r\n{"forged":1}\u001B[2J\u009B31m\u202Etxt.\u2028<script>alert(1)</script>';
  await save(therapist, entry(evil, { info: [evil] }));
  const answer = await file('own.log');
  expect(answer.headers.get('content-type')).toBe('text/plain');
  expect(answer.headers.get('content-disposition')).toBe(
    `attachment; filename="${await today()}-${therapist.id}-own.log"`,
  );
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  const text = await answer.text();
  expect(text).toMatch(/^[\x20-\x7E]+\n$/);
  expect(linesOf(text)).toEqual([entry(evil, { info: [evil] })]);
});

test('12.11 texts that look personal are cut before they are stored', async () => {
  await save(therapist, entry('of anna@mailbox.example', { info: ['/user/verify?token=secretxq', '+36 30 123 4567'] }));
  expect(await everything()).not.toMatch(/anna|secretxq|4567/);
  expect(linesOf(await (await file('own.log')).text())).toMatchObject([
    { message: 'of [email]', info: ['/user/verify[query]', '[number]'] },
  ]);
});

test('12.18 invalid file names are not found by any trick, and days and ids must be valid', async () => {
  await save(therapist, entry());
  const at = (path: string) =>
    t.fetch(`/logger_api/logger/logs/${path}`, { headers: { authorization: `Bearer ${admin.token}` } });
  const day = await today();
  expect((await at(`${day}/${therapist.id}/own.log`)).status).toBe(200);
  for (const name of [
    '..%2f..%2fetc%2fpasswd',
    '..%5c..%5cwindows',
    '%2e%2e',
    'own.log%00',
    'own.log%00.txt',
    '%00',
    'OWN.LOG',
    'own.log%20',
    'own.log%0a',
    'client-0.log',
    'client-01.log',
    'client-1.log',
    'client-99999999999.log',
    'client--1.log',
    encodeURIComponent("own.log' OR '1'='1"),
    'x'.repeat(1000),
  ])
    expect((await at(`${day}/${therapist.id}/${name}`)).status, name).toBe(404);
  for (const path of [
    `2026-02-30/${therapist.id}/own.log`,
    `..%2f${day}/${therapist.id}/own.log`,
    `${day}%00/${therapist.id}/own.log`,
    `${day}/..%2f${therapist.id}/own.log`,
    `${day}/0/own.log`,
    `${day}/${therapist.id}/${'x'.repeat(2000)}`,
    `today/${therapist.id}/own.log`,
  ])
    expect((await at(path)).status, path).toBe(400);
  for (const path of [
    `${day}/${therapist.id}/${'x'.repeat(5000)}`,
    `1999-01-01/${therapist.id}/own.log`,
    `${day}/987654321/own.log`,
    `${day}/${admin.id}/own.log`,
    `${day}/${therapist.id}/../own.log`,
  ])
    expect([400, 404], path).toContain((await at(path)).status);
});

test('12.18 only admins find and read files', async () => {
  await save(therapist, entry());
  const client = await inRoom(t.app, therapist);
  for (const by of [therapist, client]) expect((await file('own.log', { by })).status).toBe(403);
  const date = await today();
  for (const { token } of [therapist, client])
    for (const asked of [
      () => t.api(calls.findLogDays, {}, { token }),
      () => t.api(calls.findLogOwners, { params: { date } }, { token }),
      () => t.api(calls.findLogFiles, { params: { date, therapistId: String(therapist.id) } }, { token }),
    ])
      await expect(asked()).rejects.toMatchObject({ code: 'forbidden' });
});

test('12.17 the operator finds days, then therapists by name, then files', async () => {
  const date = await today();
  const [zoltan, anna] = [
    await aTherapist(t.db, { firstName: 'Zoltán', lastName: 'Varga' }),
    await aTherapist(t.db, { firstName: 'Anna', lastName: 'Berg' }),
  ];
  await save(zoltan, entry(), entry());
  await save(anna, entry());
  await save(await inRoom(t.app, zoltan), entry());
  expect((await t.api(calls.findLogDays, {}, admin))[0]).toEqual({ date, therapists: 2, entries: 4 });
  expect(await t.api(calls.findLogOwners, { params: { date } }, admin)).toEqual([
    { therapistId: anna.id, firstName: 'Anna', lastName: 'Berg', files: 1, entries: 1 },
    { therapistId: zoltan.id, firstName: 'Zoltán', lastName: 'Varga', files: 2, entries: 3 },
  ]);
  await t.db.execute(sql`DELETE FROM accounts WHERE id = ${anna.id}`);
  expect(await t.api(calls.findLogOwners, { params: { date } }, admin)).toHaveLength(1);
});

test('12.19 anybody can read their own address as seen behind the trusted proxy', async () => {
  const ip = async (from?: string) =>
    (await t.api(calls.getMyIp, {}, from === undefined ? {} : { headers: { 'x-forwarded-for': from } })).ip;
  expect(await ip()).toBe('127.0.0.1');
  expect(await ip('203.0.113.9')).toBe('203.0.113.9');
  expect(await ip('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(await ip('2001:db8::1')).toBe('2001:db8::1');
  // Only the proxy's own entry counts, which comes last.
  expect(await ip('198.51.100.1, 203.0.113.9')).toBe('203.0.113.9');
  expect(t.logged.text()).not.toContain('203.0.113');
  const untrusting = await testApp({});
  try {
    const answer = await untrusting.call(calls.getMyIp, {}, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(await answer.json()).toEqual({ ip: '127.0.0.1' });
  } finally {
    await untrusting.close();
  }
});
