/**
 * Simultaneous acts, in one process and in two: races are forced with a barrier. Numbers are those of README.md.
 */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp, type App } from '../../app.ts';
import { holdLock, untilLockWaits } from '../../../tests/support/locks.ts';
import { createCaller, testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist } from '../../builders/accounts.builders.ts';
import { aClient, inRoom } from '../../builders/clients.builders.ts';
import { lengthOf, usageOf } from './usage.fixture.ts';

let t: TestApp;
/** A second process on the same database. Its start ends running intervals, so it starts first. */
let other: TestApp;
let app: App;
beforeAll(async () => {
  t = await testApp();
  app = await createApp(t.app.config, { longRunning: false, log: t.logged.log });
  const url = (await app.listen()).replace('[::1]', 'localhost');
  other = { ...t, app, url, db: app.db, clock: app.clock, ...createCaller(url) };
});
afterAll(async () => {
  await app.close();
  await t.close();
});

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (problem: { code: string }) => problem.code,
  );

/** Holds the lock of a room until all of them wait for it, then releases it. */
async function atOnce(therapistId: number, works: (() => Promise<unknown>)[]): Promise<unknown[]> {
  const lock = await holdLock(t.db, (tx) => t.app.room.lock(tx, therapistId));
  const all = works.map((work) => work());
  // In each process the first act waits for the lock and the others for the first.
  await lock.waited(1);
  await lock.release();
  return Promise.all(all);
}

async function aPractice() {
  const therapist = await aTherapist(t.db);
  return { therapist, ...usageOf(t, therapist), elsewhere: usageOf(other, therapist) };
}

test('1 two starts at once, by two processes, run one interval', async () => {
  const { therapist, open, stop, start, elsewhere, intervals } = await aPractice();
  await open();
  await stop();
  await atOnce(therapist.id, [start, elsewhere.start, start, elsewhere.start, () => elsewhere.openRoom()]);
  expect(await intervals()).toHaveLength(2);
  expect((await intervals()).filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
  await atOnce(therapist.id, [stop, elsewhere.stop, start, elsewhere.start, stop]);
  const all = await intervals();
  for (const [n, { startedAt }] of all.entries())
    if (n > 0) expect(startedAt.getTime()).toBeGreaterThanOrEqual(all[n - 1]!.endedAt!.getTime());
});

test('7 the trial ends once, noticed by two processes at once: one email, one end, at the exact second', async () => {
  const { therapist, open, used, elsewhere, timer, row, sessions } = await aPractice();
  await used(14_000);
  await open();
  await t.app.clients.connected(await inRoom(t.app, therapist), {});
  await t.move(3 * 3600);
  await Promise.all([
    ...[1, 2, 3].flatMap(() => [t.app.usage.settle(), app.usage.settle()]),
    elsewhere.mail(),
    elsewhere.claim(),
    elsewhere.usage(),
  ]);
  expect((await row())!.countedMs).toBe(18_000_000);
  expect(await lengthOf(t, therapist.id)).toBe(18_000_000);
  expect(await t.emails(therapist.email)).toHaveLength(1);
  expect(await sessions()).toMatchObject([{ endReason: 'trial_over' }]);
  await expect.poll(timer).toMatchObject({ counterState: 18_000, counting: false });
});

test('7 the dialog about the fourth hour is claimed once, by any page of any process', async () => {
  const { therapist, open, used, claim, elsewhere, move } = await aPractice();
  await used(14_399);
  await open();
  await move(5);
  const claims = await Promise.all([claim(), elsewhere.claim(), claim(), elsewhere.claim()]);
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await t.emails(therapist.email)).toHaveLength(1);
});

test('8 a registration completed while the trial counts, starts or ends counts nothing twice and loses nothing', async () => {
  for (const used of [100, 17_990]) {
    const { therapist, open, used: give, start, stop, intervals, row, elsewhere, timer } = await aPractice();
    await give(used);
    await open();
    await inRoom(t.app, therapist);
    await t.move(60);
    const finalize = () => t.db.transaction((tx) => t.app.usage.becomeProfessional(tx, therapist.id));
    await atOnce(therapist.id, [
      finalize,
      () => t.app.usage.settle(),
      () => outcome(start()),
      finalize,
      () => outcome(elsewhere.start()),
    ]);
    await stop();
    const all = await intervals();
    const length = all.reduce((sum, { startedAt, endedAt }) => sum + endedAt!.getTime() - startedAt.getTime(), 0);
    expect((await row())!.countedMs).toBe(length);
    expect((await row())!.plan).toBe('PROFESSIONAL');
    const trial = all.filter(({ plan }) => plan === 'TRIAL');
    const trialMs = trial.reduce((sum, { startedAt, endedAt }) => sum + endedAt!.getTime() - startedAt.getTime(), 0);
    expect(trialMs).toBeLessThanOrEqual(18_000_000);
    expect((await timer()).counterState).toBe(Math.floor(length / 1000));
    expect(await outcome(start())).toBeOneOf(['done', 'no_live_session']);
  }
});

test('9 a client admitted twice at once counts once', async () => {
  const { therapist, open, usage } = await aPractice();
  await open();
  const client = await aClient(t.app, therapist);
  await atOnce(therapist.id, [
    () => t.app.clients.admit(therapist.id, [client.id]),
    () => app.clients.admit(therapist.id, 'all'),
    () => t.app.clients.admit(therapist.id, 'all'),
  ]);
  expect((await usage()).peopleHelped).toBe(1);
});

test('3 a server that stops while a live session ends waits for it, and both are completed', async () => {
  const { therapist, open, intervals, sessions } = await aPractice();
  await open();
  const [{ id } = { id: 0 }] = await sessions();
  const stopping = await t.db.transaction(async (tx) => {
    await t.app.room.lock(tx, therapist.id);
    await tx.execute(sql`UPDATE live_sessions SET counted_seconds = 1 WHERE id = ${id}`);
    const stopped = Promise.resolve(t.app.usage.stop());
    await untilLockWaits(t.db, 1);
    // The server that stops must not have locked the intervals yet.
    await tx.execute(sql`UPDATE usage_intervals SET ended_at = product_now() WHERE therapist_id = ${therapist.id}`);
    // In an object, as the transaction would wait for it before its commit.
    return { stopped };
  });
  await stopping.stopped;
  expect((await intervals()).filter(({ endedAt }) => endedAt === null)).toEqual([]);
});
