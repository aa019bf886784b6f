/** Bug reports over HTTP on a real database. Numbers are those of docs/product.md. */
import * as calls from '@fieldroom/contract/bugReports';
import { PICTURE_UPLOAD } from '@fieldroom/contract/pictures';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runToEnd } from '../../../tests/support/schedule.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { anAdmin, aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aClient, inRoom } from '../../builders/clients.builders.ts';
import { storedFiles } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { bugReports } from './bugReports.tables.ts';

let t: TestApp;
let therapist: BuiltAccount;
let admin: BuiltAccount;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t.db);
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
  return async () => {
    await t.db.delete(bugReports);
    await t.move(3600);
  };
});

const picture = (width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: '#446688' } })
    .png()
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .toBuffer();
const plain = { appId: 'fieldroom', priority: 1, comment: 'It broke.', noImg: true } as const;

interface Sent {
  status: number;
  problem: Partial<ProblemBody>;
}
/** Sends the form as a browser does. Takes the report (or its text) and the picture's bytes. */
async function send(
  value: unknown = plain,
  { bytes = null, token = therapist.token }: { bytes?: Uint8Array | null; token?: string } = {},
): Promise<Sent> {
  const form = new FormData();
  form.set('value', typeof value === 'string' ? value : JSON.stringify(value));
  if (bytes) form.set('screenshot', new Blob([new Uint8Array(bytes)]), 'page.png');
  const answer = await t.fetch(calls.saveBugReport.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const text = await answer.text();
  return { status: answer.status, problem: text === '' ? {} : (JSON.parse(text) as ProblemBody) };
}
const find = (state?: calls.BugReportState, query: Record<string, number> = {}) =>
  t.api(calls.findBugReports, { body: state ? { state } : {}, query }, { token: admin.token });
const show = (reportId: number, token = admin.token) =>
  t.call(calls.bugReportPicture, { params: { reportId } }, { token });
const filesOf = (ownerId: number) =>
  t.db.select({ id: storedFiles.id }).from(storedFiles).where(eq(storedFiles.ownerId, ownerId));

test('12.20 a therapist, an admin and a client report; the operator reads it, the newest first', async () => {
  const client = await inRoom(t.app, therapist);
  const waiting = await aClient(t.app, therapist);
  for (const [token, comment] of [
    [therapist.token, 'First.\r\n\r\n\r\nSecond line.'],
    [admin.token, 'By the operator.'],
    [client.token, 'By a client.'],
  ])
    expect(await send({ ...plain, comment }, { token: token! })).toEqual({ status: 204, problem: {} });
  expect((await send(plain, { token: waiting.token })).problem.code).toBe('not_admitted');
  expect(calls.saveBugReport.problems).toContain('not_admitted');
  const { content, totalElements } = await find();
  expect(totalElements).toBe(3);
  expect(content.map(({ reporter, email, comment }) => [reporter, email, comment])).toEqual([
    ['client', null, 'By a client.'],
    ['admin', admin.email, 'By the operator.'],
    ['therapist', therapist.email, 'First.\n\nSecond line.'],
  ]);
  await t.app.sessions.end(therapist.id, 'ended');
});

test('12.20 priority and comment are required, and invalid values are refused at their field', async () => {
  const faults = async (value: unknown) => (await send(value)).problem.fields?.map(({ path, code }) => [path, code]);
  const { priority: _priority, comment: _comment, ...rest } = plain;
  expect(await faults(rest)).toEqual([
    ['value.priority', 'required'],
    ['value.comment', 'required'],
  ]);
  expect(await faults({ ...plain, comment: ' \n ' })).toEqual([['value.comment', 'required']]);
  expect(await faults({ ...plain, comment: 'x'.repeat(calls.BUG_COMMENT_MAX + 1) })).toEqual([
    ['value.comment', 'too_long'],
  ]);
  expect(await faults({ ...plain, comment: 'turned \u202Eround' })).toEqual([['value.comment', 'unsafe_characters']]);
  expect(await faults({ ...plain, comment: 'a\0b' })).toEqual([['value.comment', 'unsafe_characters']]);
  for (const priority of [0, 5, 1.5, '1', null])
    expect((await faults({ ...plain, priority }))?.map(([path]) => path)).toEqual(['value.priority']);
  expect(await faults({ ...plain, surprise: 1 })).toEqual([['value.surprise', 'unknown_property']]);
  expect(await faults({ ...plain, state: 'DONE' })).toEqual([['value.state', 'unknown_property']]);
  expect(await faults({ ...plain, viewSize: '10 by 10' })).toEqual([['value.viewSize', 'invalid_format']]);
  for (const theme of ['light.<b>', 'light.xyz', 'dim.blueyale'])
    expect(await faults({ ...plain, theme })).toEqual([['value.theme', 'invalid_format']]);
  for (const text of ['', '{', 'null', '[]', '"a"', `${'['.repeat(20_000)}`])
    expect((await send(text)).problem.code, text.slice(0, 10)).toBe('invalid_input');
  expect((await find()).totalElements).toBe(0);
});

test('12.21 only the page’s route is stored, and names that a program claims are not', async () => {
  const circumstances = {
    browser: 'Chrome 140',
    os: 'Windows',
    screenSize: '1920x1080',
    viewSize: '1440x900',
    version: 'a1b2c3',
    language: 'hu',
    theme: 'dark.blueyale',
  };
  const claims = { name: 'Claimed Name', userDetails: 'claimed@mail.example' };
  await send({ ...plain, ...circumstances, ...claims, page: '/user/join/SECRET-link?code=1#token=SECRET' });
  const [read] = (await find()).content;
  expect(read).toMatchObject({ ...circumstances, page: '/user/join', state: 'NEW', hasPicture: false });
  const [row] = await t.db.select().from(bugReports);
  expect(row).toMatchObject({ accountId: therapist.id, reporter: 'therapist' });
  expect(JSON.stringify(row)).not.toMatch(/SECRET|[Cc]laimed/);
});

test('12.22 a picture is re-encoded, without anything else in the file', async () => {
  expect((await send({ ...plain, noImg: false }, { bytes: await picture(2000, 100) })).status).toBe(204);
  const [report] = (await find()).content;
  expect(report!.hasPicture).toBe(true);
  const shown = await show(report!.id);
  expect(shown.status).toBe(200);
  for (const [header, value] of [
    ['content-type', 'image/webp'],
    ['cache-control', 'private, no-store'],
    ['x-content-type-options', 'nosniff'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['content-disposition', 'inline; filename="bug-report.webp"'],
  ])
    expect(shown.headers.get(header!), header).toBe(value);
  const { format, width, height, exif } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
  expect([format, width, height, exif]).toEqual(['webp', 1600, 80, undefined]);
});

test('12.22 an upload that is no picture, too large, or not as the form says is refused, and nothing is stored', async () => {
  const withPicture = { ...plain, noImg: false };
  const drawn = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>');
  expect((await send(withPicture, { bytes: drawn })).problem.code).toBe('image_unreadable');
  expect((await send(withPicture, { bytes: (await picture()).subarray(0, 60) })).problem.code).toBe('image_unreadable');
  expect((await send(withPicture, { bytes: new Uint8Array(PICTURE_UPLOAD.maxBytes + 1) })).problem.code).toBe(
    'payload_too_large',
  );
  expect((await send(withPicture)).problem.fields).toEqual([{ path: 'screenshot', code: 'required' }]);
  expect((await send(plain, { bytes: await picture() })).problem.fields).toEqual([
    { path: 'value.noImg', code: 'invalid_value' },
  ]);
  expect((await find()).totalElements).toBe(0);
  expect(await filesOf(therapist.id)).toEqual([]);
});

test('12.22 twenty reports an hour', async () => {
  for (let sent = 0; sent < 20; sent += 1) expect((await send()).status).toBe(204);
  const { status, problem } = await send();
  expect([status, problem.code]).toEqual([429, 'too_many_requests']);
  expect((await send(plain, { token: (await aTherapist(t.db)).token })).status).toBe(204);
  await t.move(3600);
  expect((await send()).status).toBe(204);
});

test('12.23 the operator reads reports by page and state, and sets the state', async () => {
  for (const comment of ['one', 'two', 'three']) await send({ ...plain, comment });
  expect((await find(undefined, { page: 1, size: 2 })).content.map(({ comment }) => comment)).toEqual(['one']);
  const two = (await find()).content.find(({ comment }) => comment === 'two')!;
  const set = (state: calls.BugReportState) =>
    t.api(calls.setBugReportState, { params: { reportId: two.id }, body: { state } }, { token: admin.token });
  expect(await set('IN_PROGRESS')).toEqual({ ...two, state: 'IN_PROGRESS' });
  expect((await find('IN_PROGRESS')).content.map(({ comment }) => comment)).toEqual(['two']);
  expect((await find('NEW')).totalElements).toBe(2);
  await set('DONE');
  expect((await find('IN_PROGRESS')).totalElements).toBe(0);
  expect((await find('DONE')).content.map(({ id }) => id)).toEqual([two.id]);
});

test('12.23 therapists do not see reports, not even their own; a missing one is not found', async () => {
  await send({ ...plain, noImg: false }, { bytes: await picture() });
  const [report] = (await find()).content;
  expect((await show(report!.id, therapist.token)).status).toBe(403);
  expect((await show(report!.id + 1)).status).toBe(404);
  await send({ ...plain, comment: 'no picture' });
  expect((await show((await find()).content[0]!.id)).status).toBe(404);
  const missing = t.api(
    calls.setBugReportState,
    { params: { reportId: 987_654 }, body: { state: 'DONE' } },
    { token: admin.token },
  );
  await expect(missing).rejects.toMatchObject({ code: 'not_found' });
});

test('12.24 reports are deleted after 180 days, or with their account; their pictures too', async () => {
  const other = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  await send({ ...plain, noImg: false }, { bytes: await picture() });
  await send({ ...plain, noImg: false }, { bytes: await picture(), token: client.token });
  await send({ ...plain, noImg: false, comment: 'kept' }, { bytes: await picture(), token: other.token });
  await t.db.delete(accounts).where(eq(accounts.id, therapist.id));
  expect((await find()).content.map(({ comment }) => comment)).toEqual(['kept']);
  await runToEnd(t, 'PURGE_LOGS');
  for (const id of [therapist.id, client.id]) expect(await filesOf(id)).toEqual([]);
  expect(await filesOf(other.id)).toHaveLength(1);

  await t.db.update(bugReports).set({ createdAt: new Date((await t.clock.now()).getTime() - 179 * 86_400_000) });
  await runToEnd(t, 'PURGE_LOGS');
  expect((await show((await find()).content[0]!.id)).status).toBe(200);
  await t.db.update(bugReports).set({ createdAt: new Date((await t.clock.now()).getTime() - 181 * 86_400_000) });
  await runToEnd(t, 'PURGE_LOGS');
  expect((await find()).totalElements).toBe(0);
  expect(await filesOf(other.id)).toEqual([]);
  expect(
    t.logged
      .entries()
      .filter(({ job }) => job === 'PURGE_LOGS')
      .at(-1),
  ).toMatchObject({ bugReports: 1 });
});

test('12.22 a therapist with all clients may send three times as many, and others are not affected', async () => {
  const clients = [await inRoom(t.app, therapist), await inRoom(t.app, therapist), await inRoom(t.app, therapist)];
  for (const { token } of clients)
    for (let sent = 0; sent < 20; sent += 1) expect((await send(plain, { token })).status).toBe(204);
  expect((await send()).problem.code).toBe('too_many_requests');
  const elsewhere = await inRoom(t.app, await aTherapist(t.db));
  expect((await send(plain, { token: elsewhere.token })).status).toBe(204);
});
