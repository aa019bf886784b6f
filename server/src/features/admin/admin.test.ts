/** The operator's calls over HTTP (docs/product.md#15). */
import { logout, login, getCurrentUserData } from '@fieldroom/contract/accounts';
import * as calls from '@fieldroom/contract/admin';
import { getSeat } from '@fieldroom/contract/clients';
import { TREE_SECONDS, TRIAL_SECONDS } from '@fieldroom/contract/usage';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTherapistScreen } from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist, anAccount, anAdmin, BUILT_PASSWORD, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { inRoom } from '../../builders/clients.builders.ts';
import { aPastLiveSession } from '../../builders/sessions.builders.ts';
import { usageAccounts, usageIntervals } from '../usage/usage.tables.ts';

let t: TestApp;
let admin: BuiltAccount;
beforeAll(async () => {
  t = await testApp();
  admin = await anAdmin(t.db, { firstName: 'Olga', lastName: 'Operator' });
});
afterAll(() => t.close());

const asAdmin = () => ({ token: admin.token });
const find = (body: calls.UsageFilter = {}, query: Record<string, number> = {}) =>
  t.api(calls.findUsage, { body, query }, asAdmin());

test('15.1 therapists with state, hours, live sessions and trees; the running interval counts', async () => {
  const therapist = await aTherapist(t.db, { firstName: 'Ágnes', lastName: 'Kovácsné', email: 'agnes@one.example' });
  await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 9, minutes: 60, names: ['Bori'] });
  await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 2, minutes: 60 });
  await t.db.insert(usageAccounts).values({
    therapistId: therapist.id,
    plan: 'PROFESSIONAL',
    countedMs: 2 * TREE_SECONDS * 1000 + 999,
    peopleHelped: 7,
  });
  const [row] = (await find({ keyword: 'agnes kovacs' })).content;
  expect(row).toMatchObject({
    id: therapist.id,
    email: 'agnes@one.example',
    state: 'active',
    plan: 'PROFESSIONAL',
    counting: false,
    seconds: 2 * TREE_SECONDS,
    sessions: 2,
    trees: 2,
    peopleHelped: 7,
  });
  expect(Date.parse(row!.lastSessionOn!)).toBeGreaterThan(Date.now() - 3 * 86_400_000);
  await t.db.insert(usageIntervals).values({ therapistId: therapist.id, plan: 'PROFESSIONAL' });
  await t.move(TREE_SECONDS);
  const [later] = (await find({ keyword: 'KOVÁCSNÉ' })).content;
  expect(later).toMatchObject({ counting: true, trees: 3 });
  expect(later!.seconds).toBeGreaterThanOrEqual(3 * TREE_SECONDS);
  expect(later!.seconds).toBeLessThan(3 * TREE_SECONDS + 60);
  // Nothing about clients.
  expect(JSON.stringify(later)).not.toContain('Bori');
});

test('15.1 a trial never shows more than its hours', async () => {
  const therapist = await aTherapist(t.db, { lastName: 'Trialist' });
  await t.db.insert(usageAccounts).values({ therapistId: therapist.id, countedMs: 17_000_000 });
  await t.db.insert(usageIntervals).values({ therapistId: therapist.id, plan: 'TRIAL' });
  await t.move(86_400);
  expect((await find({ keyword: 'Trialist' })).content).toMatchObject([{ seconds: TRIAL_SECONDS, plan: 'TRIAL' }]);
});

test('15.1 search takes every character literally; every sort and page shows everybody once', async () => {
  const lastName = 'Zz100%_Sortable';
  const made: BuiltAccount[] = [];
  for (let n = 0; n < 7; n += 1) {
    const therapist = await aTherapist(t.db, {
      firstName: `F${n % 3}`,
      lastName,
      suspended: n === 3,
      verified: n !== 4,
    });
    made.push(therapist);
    await t.db.insert(usageAccounts).values({ therapistId: therapist.id, countedMs: (n % 2) * 7_200_000 });
    for (let session = 0; session < n % 3; session += 1)
      await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 1 + n + session, minutes: 5 });
  }
  await aTherapist(t.db, { lastName: 'Zz100xxSortable' });
  const ids = made.map(({ id }) => id).toSorted((a, b) => a - b);
  for (const sort of calls.USAGE_SORTS)
    for (const descending of [false, true]) {
      const pages = [];
      for (let page = 0; page < 4; page += 1) {
        const found = await find({ keyword: '100%_', sort, descending }, { page, size: 2 });
        expect(found).toMatchObject({ page, size: 2, totalElements: 7 });
        pages.push(...found.content);
      }
      expect(
        pages.map(({ id }) => id).toSorted((a, b) => a - b),
        sort,
      ).toEqual(ids);
      const key = sort === 'lastSessionOn' ? 'lastSessionOn' : sort === 'name' ? null : sort;
      if (key !== null) {
        const values = pages.map((row) => row[key]);
        const ordered = values.toSorted((a, b) => (a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1));
        expect(values, sort).toEqual(descending ? ordered.toReversed() : ordered);
      }
    }
  const states = (await find({ keyword: '100%_', state: 'suspended' })).content;
  expect(states.map(({ id }) => id)).toEqual([made[3]!.id]);
  expect((await find({ keyword: '100%_', state: 'unverified' })).content).toHaveLength(1);
  expect((await find({ keyword: 'nobody at all' })).content).toEqual([]);
});

test('15.1 only therapists are listed, and a sort that does not exist is refused', async () => {
  await anAccount(t.db, { lastName: 'Caretaker', roles: ['ROLE_ADMIN'] });
  expect((await find({ keyword: 'Caretaker' })).content).toEqual([]);
  await expect(find({ sort: 'password' as never })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('15.1 the file has everybody, in the operator’s language, and no formulas', async () => {
  await aTherapist(t.db, { firstName: '=HYPERLINK("x")', lastName: 'Csvőlű, "quoted"' });
  const bytes = (await t.api(calls.exportUsage, { body: { keyword: 'Csvőlű' } }, asAdmin())) as unknown as Buffer;
  const text = bytes.toString('utf8');
  const [head, row, ...rest] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(rest).toEqual([]);
  expect(head).toMatch(/^Number,First name,.*,Registered on \(UTC\),Last session \(UTC\)$/);
  expect(row).toContain(`"'=HYPERLINK(""x"")","Csvőlű, ""quoted""",`);
});

test('15.2 suspending ends the live session and every sign-in at once; reinstating allows signing in again', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  const client = await inRoom(t.app, therapist);
  const suspended = await t.api(calls.suspendTherapist, { params: { therapistId: therapist.id } as never }, asAdmin());
  expect(suspended).toMatchObject({ id: therapist.id, state: 'suspended', counting: false });
  expect(await screen.closed).toBe('session_expired');
  await expect(t.api(getCurrentUserData, {}, therapist)).rejects.toMatchObject({ code: 'session_expired' });
  await expect(t.api(getSeat, {}, client)).rejects.toMatchObject({ code: 'live_session_over' });
  const signIn = () => t.api(login, { body: { email: therapist.email, password: BUILT_PASSWORD } });
  await expect(signIn()).rejects.toMatchObject({ code: 'account_suspended' });
  // Once more changes nothing.
  await t.api(calls.suspendTherapist, { params: { therapistId: therapist.id } as never }, asAdmin());
  expect(
    await t.api(calls.reinstateTherapist, { params: { therapistId: therapist.id } as never }, asAdmin()),
  ).toMatchObject({ state: 'active' });
  const { token, user } = await signIn();
  await t.api(logout, { params: { userId: user.id } as never }, { token });
});

test('15.2 admins cannot be suspended, and other accounts than therapists are not found', async () => {
  const suspend = (id: number) => t.api(calls.suspendTherapist, { params: { therapistId: id } as never }, asAdmin());
  const other = await anAdmin(t.db);
  for (const { id } of [admin, other]) await expect(suspend(id)).rejects.toMatchObject({ code: 'forbidden' });
  const operator = await anAccount(t.db, { roles: ['ROLE_ADMIN'] });
  for (const id of [operator.id, 987_654_321]) await expect(suspend(id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await t.api(getCurrentUserData, {}, other)).toMatchObject({ id: other.id });
});

test('15.3 the jobs are those of the contract; each can be rescheduled, switched off and run', async () => {
  const jobs = await t.api(calls.findCronJobs, { body: {} }, asAdmin());
  expect(jobs.map(({ type }) => type).toSorted()).toEqual([...calls.CRON_JOB_TYPES].toSorted());
  // What is due since the clock was moved may still wait for the next check.
  for (const job of jobs) expect(job).toMatchObject({ enabled: true, nextRunOn: expect.any(String) });
  const body = { type: 'RETENTION' } as const;
  expect(await t.api(calls.findCronJobs, { body }, asAdmin())).toHaveLength(1);
  expect(await t.api(calls.runCronJob, { body }, asAdmin())).toMatchObject(body);
  // On a slow machine the call is answered before the job ends.
  const current = async () => (await t.api(calls.findCronJobs, { body }, asAdmin()))[0]!;
  await expect.poll(async () => (await current()).lastResult).toBe('done');
  const ran = await current();
  expect(ran.lastFault).toBeNull();
  expect(Date.parse(ran.nextRunOn!)).toBeGreaterThan((await t.clock.now()).getTime());
  expect(Object.keys(ran.lastCounts)).toEqual(expect.arrayContaining(['attendances', 'attendees', 'endedBookings']));
  const off = await t.api(calls.saveCronJob, { body: { ...body, schedule: '5 4 * * 1', enabled: false } }, asAdmin());
  expect(off).toMatchObject({ schedule: '5 4 * * 1', enabled: false, nextRunOn: null });
  await expect(t.api(calls.saveCronJob, { body: { ...body, schedule: 'soon' } }, asAdmin())).rejects.toMatchObject({
    code: 'invalid_input',
    more: { fields: [{ path: 'schedule', code: 'not_a_schedule' }] },
  });
  await t.api(calls.saveCronJob, { body: { ...body, enabled: true } }, asAdmin());
  const { rows } = await t.db.execute(sql`SELECT schedule FROM scheduled_jobs WHERE type = 'RETENTION'`);
  expect(rows).toEqual([{ schedule: '5 4 * * 1' }]);
});
