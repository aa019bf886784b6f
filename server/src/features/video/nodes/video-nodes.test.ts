/**
 * What a node does when database, Redis or another node is silent, without any of them. Numbers are those of
 * ../README.md.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BusMessage } from '../../../platform/nodes/bus.ts';
import { newToken } from '../../../platform/tokens.ts';
import type { HandedOver } from '../gateway/rooms.ts';
import { createVideoNodes, type VideoNodes } from './video-nodes.ts';

const ROOM = 7;
/** What the stand-ins for database and Redis say. */
const initially = {
  database: true,
  owner: null as string | null,
  isOwnerAlive: true,
  redis: true,
  reaches: true,
  judges: true,
  allHear: true,
};
const world = { ...initially };
function database<T>(answer: T): T {
  if (!world.database) throw new Error('the database is away');
  return answer;
}
const isAmong = (mayLive: string) => world.isOwnerAlive || mayLive === 'all';
vi.mock('./video-nodes.store.ts', () => ({
  findTicket: async () => database(ROOM),
  takeRoom: async (_db: unknown, _room: number, node: string, mayLive: string) => {
    const isFree = database(world.owner === null || world.owner === node || !isAmong(mayLive));
    const isFirst = world.owner === null;
    if (isFree) world.owner = node;
    return isFree ? { isFirst } : null;
  },
  findOwner: async (on: { flows?: boolean }, _room: number, mayLive: string) =>
    database(world.owner === null || !isAmong(mayLive) ? null : { nodeId: world.owner, flows: on.flows === true }),
  readOwned: async () => database(world.owner === 'here' ? [{ therapistId: ROOM, written: null, settings: null }] : []),
  writeHandedOver: async (_db: unknown, _room: number, node: string) => database(world.owner === node),
  releaseRoom: async () => database(void (world.owner = null)),
}));

const { token, hash } = newToken();
let closed: number[];
let looked: number;
/** What a room waits for. */
let engine: Promise<void> | undefined;
let told: unknown[];
let hear: Map<string, (message: BusMessage) => void>;
let gap: (channel: string | null) => void;
let checkMembers: () => Promise<void>;
let facts: HandedOver | null;
let nodes: VideoNodes;
beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(world, initially);
  [closed, looked, told, hear, facts] = [[], 0, [], new Map(), null];
  checkMembers = async () => {};
  engine = undefined;
  nodes = createVideoNodes({
    db: {} as never,
    bus: {
      subscribe(channel: string, handler: (message: BusMessage) => void) {
        hear.set(channel, handler);
        return () => hear.delete(channel);
      },
      reach: async () => world.reaches,
      tellOthers: (channel: string, { body }: BusMessage) => void told.push(channel, JSON.parse(String(body))),
      onGap: (listener: typeof gap) => void (gap = listener),
      ready: async () => {},
      isWhole: () => world.redis,
    } as never,
    nodes: {
      living: 'living' as never,
      allHear: () => world.allHear,
      mayLive: () => (world.judges ? 'living' : 'all') as never,
      onGone() {},
    },
    node: 'here',
    room: { stampsOfAll: async () => database(new Map()) },
    isReady: () => true,
    accept: () => null,
    taken() {},
    async carryOut() {
      looked++;
      await engine;
    },
    close: (therapistId) => void closed.push(therapistId),
    async tellNobodyHas() {},
    checkMembers: () => checkMembers(),
    toHandOver: () => facts,
    log: { info() {}, warn() {}, error() {} },
  });
});
afterEach(async () => {
  await nodes.stop();
  vi.useRealTimers();
});
/** With what follows. */
async function keep(): Promise<void> {
  await nodes.keep().catch(() => {});
  await vi.advanceTimersByTimeAsync(0);
}
async function afterSilence(): Promise<number[]> {
  for (let second = 0; second < 8; second += 2) {
    await keep();
    await vi.advanceTimersByTimeAsync(2_000);
  }
  return closed;
}

describe('15: a node with a room', () => {
  beforeEach(async () => {
    expect(await nodes.route(token, hash)).toEqual({ to: 'here' });
    await keep();
  });

  test.each([
    ['closes it when it hears neither database nor Redis for 5 s', { database: false, redis: false }, [ROOM]],
    ['keeps it without the database', { database: false }, []],
    ['keeps it without Redis', { redis: false }, []],
    ['closes it when another has it', { owner: 'far' }, [ROOM]],
  ])('%s', async (_what, change, expected) => {
    Object.assign(world, change);
    await keep();
    expect(closed).toEqual('owner' in change ? expected : []);
    expect(await afterSilence()).toEqual(expected);
    expect(nodes.isMine(ROOM)).toBe(expected.length === 0);
  });

  test.each([
    ['closes it when another says that it has it', { owner: 'far' }, [ROOM]],
    ['closes it then when it cannot ask the database', { database: false }, [ROOM]],
    ['keeps it when that is not so', {}, []],
  ])('%s', async (_what, change, expected) => {
    Object.assign(world, change);
    hear.get(`video:${ROOM}`)!({ body: JSON.stringify({ kind: 'taken' }) });
    await vi.advanceTimersByTimeAsync(0);
    expect([closed, looked]).toEqual([expected, 1]);
  });

  test('cannot record decisions for the next node after that has the room', async () => {
    expect(await nodes.note(ROOM)).toBe(true);
    facts = { flows: true, muted: [3], offered: false };
    expect(await nodes.note(ROOM)).toBe(true);
    world.owner = 'far';
    expect(await nodes.note(ROOM)).toBe(false);
    // A fault of the database is made up for.
    world.database = false;
    expect(await nodes.note(ROOM)).toBe(true);
    await nodes.leave(0);
    world.database = true;
    await nodes.leave(0);
    expect(await nodes.note(ROOM)).toBe(false);
  });

  test('checks its members until that works, if it missed changes, and while one is disconnected', async () => {
    let checks = 0;
    checkMembers = async () => {
      checks++;
      database(null);
      if (checks === 1) throw new Error('the database is away');
    };
    gap(null);
    for (let count = 0; count < 4; count++) await keep();
    expect(checks).toBe(2);
    world.allHear = false;
    await keep();
    expect(checks).toBe(3);
  });

  test('notices that it has lost the room while an engine is slow', async () => {
    gap(null);
    const slow = Promise.withResolvers<void>();
    engine = slow.promise;
    await keep();
    expect(looked).toBe(2);
    world.owner = 'far';
    await keep();
    expect(closed).toEqual([ROOM]);
    slow.resolve();
  });

  test('checks its members even if a room fails', async () => {
    let checks = 0;
    checkMembers = async () => void checks++;
    gap(null);
    engine = Promise.reject(new Error('the engine is gone'));
    await keep();
    expect([looked, checks]).toEqual([2, 1]);
  });

  test('checks settings only if they changed', async () => {
    await keep();
    expect(looked).toBe(1);
  });

  test('takes no new room when it leaves', async () => {
    await nodes.leave(0);
    expect([closed, world.owner, await nodes.route(token, hash)]).toEqual([[ROOM], null, { to: 'nowhere' }]);
  });
});

test('15: nodes that have had a room are told its new node, once', async () => {
  Object.assign(world, { owner: 'far', isOwnerAlive: false });
  await Promise.all([nodes.route(token, hash), nodes.route(token, hash)]);
  expect(told).toEqual([`video:${ROOM}`, { kind: 'taken' }]);
});

test('15: a new room is not announced', async () => {
  await nodes.route(token, hash);
  expect([nodes.isMine(ROOM), told]).toEqual([true, []]);
});

test('15: whether media flow in a room elsewhere is asked within the act that needs it', async () => {
  world.owner = 'far';
  expect([await nodes.flows(ROOM), await nodes.flows(ROOM, { flows: true } as never)]).toEqual([false, true]);
});

describe('15: a page whose room is on a node that cannot be reached', () => {
  beforeEach(() => Object.assign(world, { owner: 'far', reaches: false }));

  test('waits until that node is reachable, or its room is free', async () => {
    const [first, second] = [nodes.route(token, hash), nodes.route(token, hash)];
    await vi.advanceTimersByTimeAsync(3_000);
    world.reaches = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all([first, second])).toEqual(
      Array.from({ length: 2 }, () => ({ to: 'node', node: 'far', therapistId: ROOM })),
    );
    world.reaches = false;
    const third = nodes.route(token, hash);
    await vi.advanceTimersByTimeAsync(3_000);
    world.isOwnerAlive = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await third).toEqual({ to: 'here' });
  });

  test.each([true, false])('waits no longer than its connection lasts; with Redis: %s', async (redis) => {
    world.redis = redis;
    let isLed = false;
    const page = nodes.route(token, hash).finally(() => (isLed = true));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(isLed).toBe(false);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await page).toEqual({ to: 'nowhere' });
  });

  test('is routed to a node that is silent because the database was down', async () => {
    Object.assign(world, { isOwnerAlive: false, judges: false, reaches: true });
    expect(await nodes.route(token, hash)).toEqual({ to: 'node', node: 'far', therapistId: ROOM });
  });

  test('asks no node without a valid ticket', async () => {
    world.database = false;
    expect(await nodes.route('not a ticket', hash)).toEqual({ to: 'here' });
  });
});
