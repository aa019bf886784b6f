/** Nodes that live, die, are taken for dead and come back; and what they know of each other's people. */
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { createLoneNode, createNodes, type Nodes } from './nodes.ts';
import type { Presence } from './presence.ts';

/** Longer than a test on any machine: only what a test makes old is dead. */
const PATIENT_MS = 3_600_000;
const ANNA = 501;
const BORI = 502;

let t: TestPlatform;
beforeEach(async () => {
  t = await testPlatform();
});
afterEach(() => t.close());

interface Node {
  nodes: Nodes;
  presence: Presence;
  /** Whose presence came into doubt. */
  doubted: number[][];
}
async function aNode(deadAfterMs = PATIENT_MS): Promise<Node> {
  const nodes = createNodes({ db: t.db, log: { info() {}, warn() {} }, deadAfterMs });
  const presence = nodes.presence('client');
  const doubted: number[][] = [];
  presence.onDoubt(async (ids) => {
    doubted.push([...ids]);
    for (const id of ids) await presence.settle(t.db, id);
  });
  await nodes.start();
  return { nodes, presence, doubted };
}
const connect = async ({ presence }: Node, personId: number) => {
  const connection = {};
  presence.add(personId, connection);
  await presence.settle(t.db, personId);
  return connection;
};
const isAnywhere = async ({ presence }: Node, personId: number) =>
  (await presence.anywhere(t.db, [personId])).has(personId);
const makeOld = () => t.db.execute(sql`UPDATE nodes SET seen_at = clock_timestamp() - interval '1 day'`);

test('people of one node are known to the others until their last connection goes', async () => {
  const [one, two] = [await aNode(), await aNode()];
  const [first, second] = [await connect(one, ANNA), await connect(two, ANNA)];
  expect([one.presence.isHere(ANNA), await isAnywhere(one, ANNA), await isAnywhere(one, BORI)]).toEqual([
    true,
    true,
    false,
  ]);
  one.presence.remove(ANNA, first);
  expect(await one.presence.settle(t.db, ANNA)).toBe(true);
  two.presence.remove(ANNA, second);
  expect(await two.presence.settle(t.db, ANNA)).toBe(false);
  expect(await isAnywhere(one, ANNA)).toBe(false);
});

test('a kind of people is for itself', async () => {
  const [one, two] = [await aNode(), await aNode()];
  await connect(one, ANNA);
  expect((await two.nodes.presence('therapist').anywhere(t.db, [ANNA])).size).toBe(0);
});

test('the people of a dead node are settled by those that live, and its traces removed', async () => {
  const dead = await aNode();
  await connect(dead, ANNA);
  // Judges after a moment: what is old here is a day old.
  const living = await aNode(2_000);
  await connect(living, BORI);
  await makeOld();
  await vi.waitUntil(
    async () => {
      await living.nodes.sweep();
      return (await t.db.execute(sql`SELECT FROM nodes`)).rows.length === 1;
    },
    { timeout: 60_000, interval: 20 },
  );
  expect(living.doubted.flat()).toContain(ANNA);
  const { rows } = await t.db.execute<{ id: number }>(sql`SELECT person_id::int AS id FROM node_people`);
  expect(rows).toEqual([{ id: BORI }]);
  expect(await isAnywhere(living, ANNA)).toBe(false);
});

test('nobody is judged by a node that has not lived long enough itself', async () => {
  const other = await aNode();
  await connect(other, ANNA);
  const fresh = await aNode();
  await makeOld();
  await fresh.nodes.sweep();
  expect(fresh.doubted.flat()).toEqual([]);
  expect((await t.db.execute(sql`SELECT FROM nodes`)).rows).toHaveLength(2);
});

test('nobody is gone because the database was away; who ends meanwhile is', async () => {
  const [one, two, three] = [await aNode(), await aNode(), await aNode()];
  await two.nodes.sweep();
  const told: string[] = [];
  two.nodes.onGone((gone) => told.push(...gone));
  const mayLive = async () => (await t.db.execute<{ id: string }>(two.nodes.mayLive())).rows.map(({ id }) => id);
  await makeOld();
  await two.nodes.sweep();
  expect([told, two.nodes.count(), new Set(await mayLive())]).toEqual([
    [],
    3,
    new Set([one.nodes.id, two.nodes.id, three.nodes.id]),
  ]);
  await three.nodes.stop();
  await two.nodes.sweep();
  expect([told, two.nodes.count(), await mayLive()]).toEqual([[three.nodes.id], 2, expect.not.arrayContaining(told)]);
});

test('a node that is steady says who is gone, and who may live', async () => {
  const dead = await aNode();
  const judge = await aNode(2_000);
  await judge.nodes.sweep();
  const told: string[] = [];
  judge.nodes.onGone((gone) => told.push(...gone));
  await makeOld();
  await vi.waitUntil(
    async () => {
      await judge.nodes.sweep();
      return told.length > 0;
    },
    { timeout: 60_000, interval: 20 },
  );
  expect(told).toEqual([dead.nodes.id]);
  const judges = async () => {
    await judge.nodes.sweep();
    return judge.nodes.mayLive() === judge.nodes.living;
  };
  await vi.waitUntil(judges, { timeout: 60_000, interval: 20 });
});

test('a node that was taken for dead writes its people again', async () => {
  const [one, two] = [await aNode(), await aNode()];
  await connect(one, ANNA);
  await t.db.execute(sql`DELETE FROM nodes`);
  await t.db.execute(sql`DELETE FROM node_people`);
  expect(await isAnywhere(two, ANNA)).toBe(false);
  await one.nodes.sweep();
  await vi.waitUntil(() => isAnywhere(two, ANNA), { timeout: 60_000 });
});

test('a node that ends takes its name off the list, and the others are told', async () => {
  const [one, two] = [await aNode(), await aNode()];
  await two.nodes.sweep();
  let gone = 0;
  two.nodes.onGone(() => gone++);
  expect([await two.nodes.hasOthers(), two.nodes.count()]).toEqual([true, 2]);
  await one.nodes.stop();
  await two.nodes.sweep();
  expect([await two.nodes.hasOthers(), two.nodes.count(), gone]).toEqual([false, 1, 1]);
});

test('moments are known to all nodes, roughly, and the latest counts', async () => {
  const [one, two] = [await aNode(), await aNode()];
  const [mine, theirs] = [one.nodes.lastTimes('acted'), two.nodes.lastTimes('acted')];
  mine.set(ANNA, 100_000);
  await vi.waitUntil(async () => (await theirs.read(t.db, [ANNA, BORI])).get(ANNA) === 100_000, { timeout: 60_000 });
  // Within 15 s nothing is written, but this node knows.
  mine.set(ANNA, 101_000);
  expect((await mine.read(t.db, [ANNA])).get(ANNA)).toBe(101_000);
  theirs.set(ANNA, 150_000);
  await vi.waitUntil(async () => (await mine.read(t.db, [ANNA])).get(ANNA) === 150_000, { timeout: 60_000 });
});

test('a node alone asks nobody', async () => {
  const alone = createLoneNode();
  const presence = alone.presence('client');
  const connection = {};
  presence.add(ANNA, connection);
  const nobody = { execute: () => expect.unreachable('a query') } as never;
  expect(await presence.settle(nobody, ANNA)).toBe(true);
  expect(await presence.anywhere(nobody, [ANNA, BORI])).toEqual(new Set([ANNA]));
  expect([presence.remove(ANNA, connection), presence.remove(ANNA, connection)]).toEqual([true, false]);
  expect(await presence.settle(nobody, ANNA)).toBe(false);
  const times = alone.lastTimes('acted');
  times.set(ANNA, 5);
  expect([...(await times.read(nobody, [ANNA, BORI]))]).toEqual([[ANNA, 5]]);
  expect(await alone.hasOthers()).toBe(false);
});

test('a node that was silent settles its people again, though the others have not removed it', async () => {
  const [one, two] = [await aNode(), await aNode()];
  await connect(one, ANNA);
  await makeOld();
  expect(await isAnywhere(two, ANNA)).toBe(false);
  await one.nodes.sweep();
  await vi.waitUntil(() => one.doubted.flat().includes(ANNA), { timeout: 60_000 });
  expect(await isAnywhere(two, ANNA)).toBe(true);
  const before = one.doubted.length;
  await one.nodes.sweep();
  await one.nodes.stop();
  expect(one.doubted).toHaveLength(before);
});

test('of nodes that start together one is alone', async () => {
  const start = (graceMs = 0) =>
    createNodes({ db: t.db, log: { info() {}, warn() {} }, deadAfterMs: PATIENT_MS, graceMs }).start();
  const answers = await Promise.all([start(), start(), start()]);
  expect(answers.filter(({ isAlone }) => isAlone)).toHaveLength(1);
  await makeOld();
  expect(await start()).toEqual({ isAlone: true });
  // Those that live give a sign as soon as the database is back.
  const other = await aNode();
  await makeOld();
  const [answer] = await Promise.all([start(PATIENT_MS), other.nodes.sweep()]);
  expect(answer).toEqual({ isAlone: false });
});

test('no sign of life follows the end', async () => {
  const one = await aNode();
  one.nodes.leave();
  await Promise.all([one.nodes.sweep(), one.nodes.stop(), one.nodes.sweep()]);
  await one.nodes.sweep();
  expect((await t.db.execute(sql`SELECT FROM nodes`)).rows).toEqual([]);
});

test('a node that hears nothing is known to the others, until it hears again', async () => {
  const one = await aNode();
  let hears = true;
  const two = createNodes({ db: t.db, log: { info() {}, warn() {} }, hears: () => hears, deadAfterMs: PATIENT_MS });
  await two.start();
  const allHear = async () => {
    await two.sweep();
    await one.nodes.sweep();
    return one.nodes.allHear();
  };
  expect(await allHear()).toBe(true);
  hears = false;
  // What was written counts for seconds, which a busy machine may need between the two.
  await vi.waitUntil(async () => !(await allHear()), { timeout: 60_000 });
  hears = true;
  await t.db.execute(sql`UPDATE last_times SET at_ms = at_ms - 3600000`);
  expect(await allHear()).toBe(true);
});
