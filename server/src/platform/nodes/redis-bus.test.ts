/** The bus over a real Redis: what arrives where, and what is known to be missing when Redis fails. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasRedis, type TestRedis, testRedis } from '../../../tests/support/programs/redis.ts';
import type { BusMessage } from './bus.ts';
import { createRedisBus, type RedisBus, type RedisBusTimes } from './redis-bus.ts';

const WAIT = { timeout: 60_000, interval: 10 };
/** A pause of the whole machine is no fault of Redis. */
const PATIENT: Partial<RedisBusTimes> = { retryMs: 50, readyMs: 60_000, deadAfterMs: 60_000 };
let warned = () => {};
const silence = { info() {}, warn: () => warned() };
let redis: TestRedis;
let buses: RedisBus[] = [];

describe.skipIf(!hasRedis)('the bus over Redis', () => {
  beforeAll(async () => {
    redis = await testRedis();
  });
  afterEach(async () => {
    warned = () => {};
    await redis.start();
    await Promise.all(buses.map((bus) => bus.close()));
    buses = [];
  });
  afterAll(() => redis?.stop());

  async function aNode(
    installation = 'a',
    times: Partial<RedisBusTimes> = {},
    onError: (error: unknown) => void = () => {},
  ): Promise<RedisBus & { gaps: unknown[] }> {
    const gaps: unknown[] = [];
    const bus = createRedisBus({
      ...{ url: redis.url, installation, log: silence, onError },
      times: { ...PATIENT, ...times },
    });
    bus.onGap((channel) => gaps.push(channel));
    buses.push(bus);
    await vi.waitUntil(() => bus.isWhole() && gaps.length > 0, WAIT);
    gaps.length = 0;
    return Object.assign(bus, { gaps });
  }
  function listen(bus: RedisBus, channel: string): BusMessage[] {
    const heard: BusMessage[] = [];
    bus.subscribe(channel, (message) => heard.push(message));
    return heard;
  }
  const bodies = (heard: readonly BusMessage[]) => heard.map(({ body }) => body);

  test('carries texts, bytes and attributes in the order of one publisher, and once to its own handlers', async () => {
    const [one, two] = [await aNode(), await aNode()];
    const [here, there] = [listen(one, 'c'), listen(two, 'c')];
    const other = listen(two, 'd');
    await Promise.all([one.ready(), two.ready()]);
    const sent: BusMessage[] = [
      { body: 'Grüße\n☂', attributes: { lane: 'volatile', headers: '{"a":"\\n"}' } },
      { body: Uint8Array.of(0, 10, 255), attributes: { type: 'x/y' } },
      { body: '' },
    ];
    for (const message of sent) one.publish('c', message);
    expect(here).toHaveLength(3);
    one.publish('d', { body: 'last' });
    await vi.waitUntil(() => other.length === 1, WAIT);
    expect(there.map(({ body, attributes }) => ({ body, ...(attributes && { attributes }) }))).toEqual([
      sent[0],
      { body: Buffer.from([0, 10, 255]), attributes: { type: 'x/y' } },
      { body: '' },
    ]);
    // Its own messages came back before the last one of the other node.
    two.publish('c', { body: 'back' });
    await vi.waitUntil(() => here.length === 4, WAIT);
    expect(bodies(here).at(-1)).toBe('back');
  });

  test('speaks to this node or to the others alone, and another installation hears nothing', async () => {
    const [one, two, stranger] = [await aNode(), await aNode(), await aNode('b')];
    const [here, there, strange] = [listen(one, 'c'), listen(two, 'c'), listen(stranger, 'c')];
    await Promise.all(buses.map((bus) => bus.ready()));
    one.publishHere('c', { body: 'here' });
    one.tellOthers('c', { body: 'there' });
    await vi.waitUntil(() => there.length === 1, WAIT);
    expect(bodies(here)).toEqual(['here']);
    expect(bodies(there)).toEqual(['there']);
    stranger.publish('c', { body: 'mine' });
    expect(bodies(strange)).toEqual(['mine']);
  });

  test('says whether another node got a message, in the order of all messages', async () => {
    const [one, two] = [await aNode(), await aNode()];
    const [here, there] = [listen(one, 'c'), listen(two, 'c')];
    listen(two, 'e');
    await Promise.all([one.ready(), two.ready()]);
    one.publish('c', { body: '1' });
    expect(await Promise.all([one.reach('c', { body: '2' }), one.reach('d', { body: '3' })])).toEqual([true, false]);
    one.publish('c', { body: '4' });
    await vi.waitUntil(() => there.length === 3, WAIT);
    expect([bodies(there), bodies(here)]).toEqual([
      ['1', '2', '4'],
      ['1', '4'],
    ]);
    expect(await one.reach('e', { body: '' })).toBe(true);
    await two.close();
    // Its end is known as soon as its connection has closed.
    await vi.waitUntil(async () => !(await one.reach('e', { body: '' })), WAIT);
    // This node listens to it itself.
    expect(await one.reach('c', { body: '' })).toBe(false);
    await redis.kill();
    await vi.waitUntil(() => !one.isWhole(), WAIT);
    expect(await one.reach('c', { body: '5' })).toBe(false);
  });

  test('a channel that a node does not listen to sends it nothing', async () => {
    const [one, two] = [await aNode(), await aNode()];
    listen(one, 'room');
    const leave = two.subscribe('room', () => {});
    leave();
    const end = listen(two, 'end');
    await Promise.all([one.ready(), two.ready()]);
    for (let n = 0; n < 100; n++) one.publish('room', { body: String(n) });
    one.publish('end', { body: '' });
    await vi.waitUntil(() => end.length === 1, WAIT);
    expect(two.numbers().received).toBe(1);
  });

  test('a restart of Redis is a gap for everybody, after which all arrives again', async () => {
    const [one, two] = [await aNode(), await aNode()];
    const [here, there] = [listen(one, 'c'), listen(two, 'c')];
    await Promise.all([one.ready(), two.ready()]);
    await redis.kill();
    await vi.waitUntil(() => !one.isWhole() && !two.isWhole(), WAIT);
    one.publish('c', { body: 'lost' });
    // Nobody waits for a Redis that is not there.
    two.subscribe('late', () => {});
    await two.ready();
    expect(bodies(here)).toEqual(['lost']);
    await redis.start();
    await vi.waitUntil(() => one.gaps.includes(null) && two.gaps.includes(null), WAIT);
    one.publish('c', { body: 'again' });
    await vi.waitUntil(() => there.length > 0, WAIT);
    expect(bodies(there)).toEqual(['again']);
    expect(one.numbers().connects).toBeGreaterThan(1);
  });

  test('a node that could not send tells the others on which channel', async () => {
    const two = await aNode();
    const heard = listen(two, 'c');
    await two.ready();
    const looking = redis.look();
    const idsOf = async () =>
      [...String(await looking.call('CLIENT', 'LIST')).matchAll(/\bid=(\d+) .*?name=fieldroom-/g)].map(([, id]) => id!);
    const before = await idsOf();
    const one = await aNode();
    // At the moment at which its connection is gone, before there can be another one.
    let published = false;
    warned = () => {
      if (published || one.isWhole()) return;
      published = true;
      one.publish('c', { body: 'lost' });
    };
    const [id] = (await idsOf()).filter((other) => !before.includes(other));
    await looking.call('CLIENT', 'KILL', 'ID', id!);
    await vi.waitUntil(() => two.gaps.includes('c'), WAIT);
    expect(heard).toEqual([]);
    expect(one.numbers().lost).toBeGreaterThan(0);
    looking.disconnect();
  });

  test('what was under way when the connection ended counts as lost, and nobody waits for it', async () => {
    const two = await aNode();
    listen(two, 'c');
    await two.ready();
    // Without an answer it would wait for longer than the test.
    const one = await aNode('a', { echoEveryMs: 20, deadAfterMs: 300, readyMs: 2_000_000_000 });
    redis.freeze();
    try {
      one.publish('c', { body: 'under way' });
      one.subscribe('d', () => {});
      await vi.waitUntil(() => !one.isWhole(), WAIT);
    } finally {
      redis.thaw();
    }
    await one.ready();
    await vi.waitUntil(() => two.gaps.includes('c'), WAIT);
    expect(one.numbers().lost).toBeGreaterThan(0);
  });

  test('a message that cannot be read is reported without its text', async () => {
    const faults: unknown[] = [];
    const one = await aNode('a', {}, (error) => faults.push(error));
    one.subscribe('c', () => {});
    await one.ready();
    const looking = redis.look();
    await looking.publish('fieldroom:a:c', 'tsomebody{"name":"Anna\nbody');
    await vi.waitUntil(() => faults.length > 0, WAIT);
    expect(String(faults[0])).not.toContain('Anna');
    looking.disconnect();
  });

  test('a Redis that stands still is noticed, keeps nobody waiting, and is a gap', async () => {
    const one = await aNode('a', { echoEveryMs: 20, deadAfterMs: 300, readyMs: 50 });
    redis.freeze();
    try {
      one.subscribe('c', () => {});
      await one.ready();
      await vi.waitUntil(() => !one.isWhole(), WAIT);
    } finally {
      redis.thaw();
    }
    await vi.waitUntil(() => one.isWhole() && one.gaps.length > 0, WAIT);
  });

  test('ends', async () => {
    const one = await aNode();
    const heard = listen(one, 'c');
    await one.close();
    one.publish('c', { body: 'late' });
    expect(heard).toEqual([]);
    await expect(one.ready()).rejects.toThrow(/closed/);
  });
});
