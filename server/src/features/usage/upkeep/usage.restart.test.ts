/** Restarts and crashes. The clock runs at its own pace here. Numbers are those of ../README.md. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IDLE_WARNING_SECONDS } from '@fieldroom/contract/usage';
import { rejoinTherapistScreen } from '../../../../tests/support/people/screen.ts';
import { holdLock } from '../../../../tests/support/locks.ts';
import { createApp } from '../../../app.ts';
import { testApp } from '../../../../tests/support/test-app.ts';
import { aTherapist } from '../../../builders/accounts.builders.ts';
import { inRoom } from '../../../builders/clients.builders.ts';
import { lengthOf, type Restarts, restarts, usageOf } from '../usage.fixture.ts';
import { usageHeartbeat } from '../usage.tables.ts';

let server: Restarts;
beforeAll(async () => {
  server = restarts(await testApp());
});
afterAll(() => server.close());

const SLACK = 30;
const about = (seconds: number) => expect.toSatisfy((n: number) => n >= seconds && n < seconds + SLACK, `≈ ${seconds}`);
const aPractice = async () => {
  const therapist = await aTherapist(server.t.db);
  return { therapist, calls: () => usageOf(server.t, therapist) };
};

test('3 a server that stops cleanly ends the intervals, and they continue when the page is back', async () => {
  const { therapist, calls } = await aPractice();
  const [stoodBefore, alone] = [await aPractice(), await aPractice()];
  for (const practice of [{ calls }, stoodBefore, alone]) await practice.calls().open();
  await stoodBefore.calls().stop();
  await calls().move(100);
  await server.restart();
  await server.t.move(300);
  const stopped = await calls().timer();
  expect(stopped).toMatchObject({ counting: false, counterState: about(100) });
  expect(await calls().intervals()).toEqual([expect.objectContaining({ endedAt: expect.any(Date) })]);
  const [session] = await calls().sessions();
  expect(session).toMatchObject({ endedAt: null, countedSeconds: stopped.counterState });
  const screen = await rejoinTherapistScreen(server.t.url, therapist);
  await screen.next('TIMER_UPDATE', ({ contents }) => contents.counting);
  await calls().move(50);
  expect(await calls().timer()).toMatchObject({ counting: true, counterState: about(150) });
  // A therapist who had stopped the timer, or whose page is not back, counts nothing.
  const other = await rejoinTherapistScreen(server.t.url, stoodBefore.therapist);
  await server.t.app.room.inOrder(stoodBefore.therapist.id, async () => {});
  expect(await stoodBefore.calls().timer()).toMatchObject({ counting: false });
  expect(await alone.calls().timer()).toMatchObject({ counting: false, counterState: about(100) });
  await screen.leave();
  await other.leave();
});

test('3 a crash ends the intervals at the last sign of life, and adds nothing for the time without a server', async () => {
  const { therapist, calls } = await aPractice();
  await calls().open();
  await server.t.move(500);
  await server.t.app.jobs.runNow('usage.sweep');
  const [alive] = await server.t.db.select().from(usageHeartbeat);
  await server.crash(40);
  await server.t.move(400);
  const [interval] = await calls().intervals();
  expect(interval!.endedAt!.getTime()).toBe(alive!.seenAt.getTime() - 40_000);
  expect(await calls().timer()).toMatchObject({ counting: false, counterState: about(460) });
  // Restart once more before anybody is back.
  await server.crash();
  expect(await calls().timer()).toMatchObject({ counterState: about(460) });
  const screen = await rejoinTherapistScreen(server.t.url, therapist);
  await expect.poll(async () => (await calls().timer()).counting).toBe(true);
  expect(await lengthOf(server.t, therapist.id)).toBeLessThan(490_000);
  await screen.leave();
});

test('3 a timer that cannot be changed does not block the sign of life', async () => {
  const stuck = await aPractice();
  await stuck.calls().used(14_300);
  await stuck.calls().open();
  await inRoom(server.t.app, stuck.therapist);
  const { email } = stuck.therapist;
  const setEmail = (to: string) =>
    server.t.db.execute(sql`UPDATE accounts SET email = ${to} WHERE id = ${stuck.therapist.id}`);
  // The email about the fourth hour cannot be written to such an address.
  await setEmail('nowhere');
  await server.t.move(200);
  await expect(server.t.app.jobs.runNow('usage.sweep')).rejects.toThrow();
  const [{ silent } = { silent: Infinity }] = (
    await server.t.db.execute<{ silent: number }>(
      sql`SELECT extract(epoch FROM product_now() - seen_at)::float8 AS silent FROM usage_heartbeat`,
    )
  ).rows;
  expect(silent).toBeLessThan(SLACK);
  await setEmail(email);
  await server.t.app.jobs.runNow('usage.sweep');
});

test('6 an act cancels a warning even if the database fails at that moment', async () => {
  const { therapist, calls } = await aPractice();
  await calls().open();
  await calls().move(IDLE_WARNING_SECONDS + 1);
  expect((await calls().usage()).warningUntil).not.toBe(null);
  const lock = await holdLock(server.t.db, (tx) =>
    tx.execute(sql`SELECT FROM rooms WHERE therapist_id = ${therapist.id} FOR UPDATE`),
  );
  const faults = () => server.t.logged.entries().filter(({ msg }) => msg === 'a timer could not be changed').length;
  const before = faults();
  server.t.app.usage.acted(therapist.id);
  await lock.waited(1);
  await server.t.db.execute(
    sql`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
  await expect.poll(faults).toBeGreaterThan(before);
  await lock.release();
  await server.t.app.jobs.runNow('usage.sweep');
  expect((await calls().usage()).warningUntil).toBe(null);
});

test('3 a crash right after the start loses no time, and a due stop holds', async () => {
  const [fresh, due] = [await aPractice(), await aPractice()];
  await due.calls().open();
  await server.t.app.jobs.runNow('usage.sweep');
  await due.calls().schedule(30);
  await fresh.calls().open();
  await server.t.db.execute(sql`UPDATE usage_heartbeat SET seen_at = seen_at + interval '1000 seconds'`);
  await server.t.move(1000);
  await server.crash();
  expect(await due.calls().timer()).toMatchObject({ counting: false, counterState: about(30) });
  const screen = await rejoinTherapistScreen(server.t.url, due.therapist).catch(() => null);
  await server.t.app.room.inOrder(due.therapist.id, async () => {});
  expect(await due.calls().timer()).toMatchObject({ counting: false });
  await screen?.leave();
});

test('3 an outage before the first sign of life is not counted', async () => {
  const { calls } = await aPractice();
  await calls().open();
  await server.t.db.execute(sql`DELETE FROM usage_heartbeat`);
  await server.t.move(1000);
  await server.crash();
  expect(await calls().timer()).toMatchObject({ counting: false, counterState: about(0) });
});

test('3 a node that starts beside others ends intervals only if no node has counted for a minute', async () => {
  const { calls } = await aPractice();
  await calls().open();
  await server.t.app.jobs.runNow('usage.sweep');
  const isRunning = async () => (await calls().intervals()).some(({ endedAt }) => endedAt === null);
  const signAgo = (ago: string) =>
    server.t.db.execute(sql`UPDATE usage_heartbeat SET seen_at = product_now() - ${ago}::interval`);
  await signAgo('-1 hour');
  await server.t.app.usage.afterStart({ isAlone: false });
  expect(await isRunning()).toBe(true);
  await signAgo('1 hour');
  await server.t.app.usage.afterStart({ isAlone: false });
  expect(await isRunning()).toBe(false);
});

test('7 work of the trial that a crash left undone is done once afterwards', async () => {
  const [mailDue, endDue] = [await aPractice(), await aPractice()];
  await mailDue.calls().used(14_300);
  await endDue.calls().used(17_900);
  for (const { therapist, calls } of [mailDue, endDue]) {
    await calls().open();
    await inRoom(server.t.app, therapist);
  }
  // The clock and the sign of life continue, but no sweep runs.
  await server.t.db.execute(sql`UPDATE usage_accounts SET due_at = NULL WHERE due_at IS NOT NULL`);
  await server.t.move(200);
  await server.t.app.jobs.runNow('usage.sweep');
  await server.crash();
  await expect.poll(async () => (await server.t.emails(mailDue.therapist.email)).length).toBe(1);
  await expect.poll(endDue.calls().running).toBe(null);
  expect(await endDue.calls().timer()).toMatchObject({ counterState: 18_000, counting: false });
  expect((await endDue.calls().sessions()).at(-1)).toMatchObject({ endReason: 'trial_over', countedSeconds: 100 });
  await server.crash();
  await server.t.app.usage.settle();
  expect(await server.t.emails(mailDue.therapist.email)).toHaveLength(1);
  expect(await server.t.emails(endDue.therapist.email)).toHaveLength(1);
});

test('3 a second server on the same database ends running intervals, and the first one still acts correctly', async () => {
  const { therapist, calls } = await aPractice();
  await calls().open();
  await server.t.app.jobs.runNow('usage.sweep');
  const second = await createApp(server.t.app.config, { longRunning: false, log: server.t.logged.log });
  await second.listen();
  expect((await calls().row())!.dueAt).toBe(null);
  await calls().start();
  await calls().move(60);
  expect(await calls().timer()).toMatchObject({ counting: true, counterState: about(60) });
  await calls().stop();
  expect((await calls().row())!.countedMs).toBe(await lengthOf(server.t, therapist.id));
  await second.close();
});
