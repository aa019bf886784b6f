/** Jobs by cron expression: on the product's clock, one node at a time, made up once, repeated after a crash. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import {
  createSchedule,
  JobFault,
  nextRun,
  type Schedule,
  type ScheduledWork,
  type ScheduleEntry,
} from './schedule.ts';

let t: TestPlatform;
beforeAll(async () => {
  t = await testPlatform();
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.db.execute(sql`DELETE FROM scheduled_jobs`);
  // To ten minutes past an hour, so that none begins while a test looks.
  await t.move((70 - (await t.clock.now()).getUTCMinutes()) * 60);
});

const HOUR = 3600;
/** A schedule whose next run is about half a year away. */
async function notSoon(): Promise<string> {
  const month = (await t.clock.now()).getUTCMonth() + 1;
  return `0 0 1 ${((month + 5) % 12) + 1} *`;
}
/** A schedule as on one node, with one hourly job. */
async function aNode(run: ScheduledWork['run'], type = 'TIDY'): Promise<Schedule> {
  const schedule = createSchedule({ db: t.db, clock: t.clock, log: t.logged.log });
  schedule.register({ type, schedule: '0 * * * *', timeZone: 'UTC', run });
  await schedule.start();
  return schedule;
}
/** Work that ends when it is told to, and tells when it has begun. */
function heldWork() {
  let runs = 0;
  let begun = () => {};
  let end = () => {};
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  return {
    runs: () => runs,
    hasBegun,
    end: () => end(),
    run: async () => {
      runs += 1;
      begun();
      await mayEnd;
      return { tidied: 1 };
    },
  };
}
/** Runs the job by hand, to its end: on a slow machine the answer comes before. */
async function runByHand(node: Schedule): Promise<ScheduleEntry> {
  await node.runNow('TIDY');
  await expect.poll(async () => (await node.list())[0]!.running).toBe(false);
  return (await node.list())[0]!;
}
/** As after a crash of the node that had the job: nobody renews the lease, and it runs out. */
const leaseRunsOut = () =>
  t.db.execute(sql`UPDATE scheduled_jobs SET leased_until = clock_timestamp() - interval '1 second'`);

describe('when', () => {
  test('a job waits for its time on the product’s clock, and for the next one after it ran', async () => {
    let runs = 0;
    const node = await aNode(async () => ({ runs: (runs += 1) }));
    await node.runDue();
    expect(runs).toBe(0);
    await t.move(HOUR);
    await node.runDue();
    await node.runDue();
    expect(runs).toBe(1);
    const [entry] = await node.list();
    expect(entry).toMatchObject({ lastResult: 'done', lastCounts: { runs: 1 }, lastFault: null, running: false });
    expect(entry!.nextRunAt!.getTime()).toBeGreaterThan((await t.clock.now()).getTime());
    expect(entry!.nextRunAt!.getUTCMinutes()).toBe(0);
  });

  test('runs that were missed are made up once', async () => {
    let runs = 0;
    const node = await aNode(async () => ({ runs: (runs += 1) }));
    await t.move(50 * HOUR);
    await node.runDue();
    await node.runDue();
    expect(runs).toBe(1);
  });

  test('the zone counts, also when its clocks change', () => {
    const at = (iso: string) => new Date(iso);
    expect(nextRun('10 0 1 * *', 'Europe/Budapest', at('2026-11-23T12:00:00Z'))).toEqual(at('2026-11-30T23:10:00Z'));
    expect(nextRun('10 0 1 * *', 'Europe/Budapest', at('2026-03-31T12:00:00Z'))).toEqual(at('2026-03-31T22:10:00Z'));
    // 02:30 does not exist on the day the clocks go forward; the job runs nevertheless.
    expect(nextRun('30 2 * * *', 'Europe/Budapest', at('2027-03-27T12:00:00Z')).toISOString()).toMatch(
      /^2027-03-28T0[01]/,
    );
  });

  test.each([
    '',
    '* * * *',
    '* * * * * *',
    '61 * * * *',
    'every day',
    '0 0 31 2 *',
    '@daily',
    'H * * * *',
    'h/5 * * * *',
  ])('the expression %j is refused at its place', async (schedule) => {
    const node = await aNode(async () => ({}));
    await expect(node.save('TIDY', { schedule })).rejects.toMatchObject({
      code: 'invalid_input',
      more: { fields: [{ path: 'schedule', code: 'not_a_schedule' }] },
    });
    expect((await node.list())[0]).toMatchObject({ schedule: '0 * * * *', enabled: true });
  });
});

describe('what the operator sets', () => {
  test('outlives a restart; switched off it does not run, and can be run by hand', async () => {
    let runs = 0;
    const run = async () => ({ runs: (runs += 1) });
    const node = await aNode(run);
    expect(await node.save('TIDY', { schedule: ' 30   4 * * *', enabled: false })).toMatchObject({
      schedule: '30 4 * * *',
      enabled: false,
      nextRunAt: null,
    });
    const again = await aNode(run);
    expect((await again.list())[0]).toMatchObject({ schedule: '30 4 * * *', enabled: false });
    await t.move(48 * HOUR);
    await again.runDue();
    expect(runs).toBe(0);
    expect(await runByHand(again)).toMatchObject({ lastCounts: { runs: 1 }, nextRunAt: null });
    expect((await again.save('TIDY', { enabled: true })).nextRunAt!.toISOString()).toMatch(/T04:30:00/);
  });

  test('an unknown job is not found', async () => {
    const node = await aNode(async () => ({}));
    await expect(node.runNow('NOTHING')).rejects.toMatchObject({ code: 'not_found' });
    await expect(node.save('NOTHING', {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('one at a time', () => {
  test('of two nodes that look at once, one runs the job', async () => {
    const work = heldWork();
    const [one, other] = [await aNode(work.run), await aNode(work.run)];
    await t.move(HOUR);
    const both = Promise.all([one.runDue(), other.runDue()]);
    await work.hasBegun;
    // Neither finds it while it runs.
    await Promise.all([one, other].map(async (node) => expect((await node.list())[0]!.running).toBe(true)));
    await expect(other.runNow('TIDY')).rejects.toMatchObject({ code: 'conflict' });
    work.end();
    await both;
    expect(work.runs()).toBe(1);
  });

  test('what a crash interrupted is run again by another node, once its lease has run out', async () => {
    const [lost, work] = [heldWork(), heldWork()];
    const node = await aNode(lost.run);
    await t.move(HOUR);
    const never = node.runDue();
    await lost.hasBegun;
    const other = await aNode(work.run);
    await other.runDue();
    expect(work.runs()).toBe(0);
    await leaseRunsOut();
    work.end();
    await other.runDue();
    expect(work.runs()).toBe(1);
    lost.end();
    await never;
  });

  test('a node that lost its lease takes nothing from the node that has the job now', async () => {
    const [slow, other, third] = [heldWork(), heldWork(), heldWork()];
    const [slowNode, otherNode, thirdNode] = [await aNode(slow.run), await aNode(other.run), await aNode(third.run)];
    await t.move(HOUR);
    const slowRun = slowNode.runDue();
    await slow.hasBegun;
    await leaseRunsOut();
    const otherRun = otherNode.runDue();
    await other.hasBegun;
    slow.end();
    await slowRun;
    expect(await otherNode.list()).toMatchObject([{ running: true, lastResult: null }]);
    third.end();
    await expect(thirdNode.runNow('TIDY')).rejects.toMatchObject({ code: 'conflict' });
    other.end();
    await otherRun;
    expect(await otherNode.list()).toMatchObject([{ running: false, lastResult: 'done' }]);
  });

  test('what the operator sets while a run is being recorded stays', async () => {
    const work = heldWork();
    const [node, operator] = [await aNode(work.run), await aNode(async () => ({}))];
    const ran = node.runNow('TIDY');
    await work.hasBegun;
    await operator.save('TIDY', { enabled: false });
    // The row is locked, so that the record, computed for a job that is off, waits until the job is on again.
    await t.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM scheduled_jobs WHERE type = 'TIDY' FOR UPDATE`);
      work.end();
      const waiting = sql`SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query ILIKE 'update%scheduled_jobs%'`;
      await expect.poll(async () => (await t.db.execute<{ count: number }>(waiting)).rows[0]!.count).toBe(1);
      await tx.execute(sql`UPDATE scheduled_jobs SET enabled = true, schedule = '30 * * * *' WHERE type = 'TIDY'`);
    });
    await ran;
    await expect.poll(async () => (await operator.list())[0]!.running).toBe(false);
    const [entry] = await operator.list();
    expect(entry).toMatchObject({ enabled: true, schedule: '30 * * * *', lastResult: 'done' });
    expect(entry!.nextRunAt!.getUTCMinutes()).toBe(30);
  });

  test('a job run by hand answers after a second while it goes on', async () => {
    const work = heldWork();
    const node = await aNode(work.run);
    expect(await node.runNow('TIDY')).toMatchObject({ running: true, lastResult: null });
    work.end();
    await node.stop(60_000);
    expect((await node.list())[0]).toMatchObject({ running: false, lastResult: 'done' });
    await expect(node.runNow('TIDY')).rejects.toMatchObject({ code: 'shutting_down' });
  });
});

describe('a failure', () => {
  test('is shown without data, runs again soon, and is forgotten after a success', async () => {
    let fault: Error | null = new Error('Ilona <ilona@private.example> is in the way');
    const node = await aNode(async () => {
      if (fault !== null) throw fault;
      return { tidied: 3 };
    });
    await t.move(24 * HOUR);
    await node.runDue();
    expect((await node.list())[0]).toMatchObject({ lastResult: 'failed', lastCounts: {}, lastFault: 'Error' });
    expect(t.logged.entries().at(-1)).toMatchObject({ job: 'TIDY' });
    fault = new JobFault('SELLER_NAME is not set');
    await t.move(601);
    await node.runDue();
    expect((await node.list())[0]!.lastFault).toBe('SELLER_NAME is not set');
    fault = null;
    await t.move(601);
    await node.runDue();
    expect((await node.list())[0]).toMatchObject({ lastResult: 'done', lastCounts: { tidied: 3 }, lastFault: null });
  });

  test('is counted, and the job counts as failing until it succeeds or is switched off', async () => {
    let fails = true;
    let counted = 0;
    const schedule = createSchedule({
      ...{ db: t.db, clock: t.clock, log: t.logged.log },
      jobs: { every: () => {}, noteFailure: () => void (counted += 1) },
    });
    const run = async () => {
      if (fails) throw new Error('no');
      return {};
    };
    schedule.register({ type: 'TIDY', schedule: '0 * * * *', timeZone: 'UTC', run });
    await schedule.start();
    expect(await schedule.failing()).toBe(0);
    await t.move(HOUR);
    await schedule.runDue();
    expect([counted, await schedule.failing()]).toEqual([1, 1]);
    await schedule.save('TIDY', { enabled: false });
    expect(await schedule.failing()).toBe(0);
    await schedule.save('TIDY', { enabled: true });
    fails = false;
    await t.move(601);
    await schedule.runDue();
    expect([counted, await schedule.failing()]).toEqual([1, 0]);
  });

  test.each([
    ['another time', async () => [{ schedule: await notSoon() }]],
    ['being off and on again', async () => [{ enabled: false }, { enabled: true }]],
  ])('is tried again soon whatever the operator sets: %s', async (_, changes) => {
    let fails = true;
    let runs = 0;
    const node = await aNode(async () => {
      runs += 1;
      if (fails) throw new Error('no');
      return {};
    });
    await t.move(24 * HOUR);
    await node.runDue();
    for (const change of await changes()) await node.save('TIDY', change);
    fails = false;
    await t.move(601);
    await node.runDue();
    expect(runs).toBe(2);
    // After a success the time that was set counts.
    await node.save('TIDY', { schedule: await notSoon() });
    await t.move(24 * HOUR);
    await node.runDue();
    expect(runs).toBe(2);
  });

  test('a run that is due is made up although another time is set first', async () => {
    let runs = 0;
    const node = await aNode(async () => ({ runs: (runs += 1) }));
    await t.move(24 * HOUR);
    await node.save('TIDY', { schedule: await notSoon() });
    await node.runDue();
    expect(runs).toBe(1);
  });

  test('of the database keeps its code', async () => {
    const node = await aNode(async () => {
      await t.db.execute(sql`SELECT 1 / 0`);
      return {};
    });
    expect((await runByHand(node)).lastFault).toMatch(/ 22012$/);
  });
});
