/** What a node does when database, Redis or another node is silent, without any of them. Numbers are those of ../README.md. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newToken } from '../../../platform/tokens.ts';
import { createVideoNodes, type VideoNodes } from './video-nodes.ts';

const ROOM = 7;
/** What the stand-ins for database and Redis say. */
const world = {
  database: true,
  owner: null as string | null,
  isOwnerAlive: true,
  redis: true,
  reaches: true,
  judges: true,
};
function database<T>(answer: T): T {
  if (!world.database) throw new Error('the database is away');
  return answer;
}
const isAmong = (mayLive: string) => world.isOwnerAlive || mayLive === 'all';
vi.mock('./video-nodes.store.ts', () => ({
  findTicket: async () => database(ROOM),
  takeRoom: async (_db: unknown, _room: number, node: string, mayLive: string) => {
    const isFree = database(world.owner === null || world.owner === node || !isAmong(mayLive));
    if (isFree) world.owner = node;
    return isFree;
  },
  findOwner: async (_db: unknown, _room: number, mayLive: string) =>
    database(world.owner === null || !isAmong(mayLive) ? null : { nodeId: world.owner, flows: false }),
  readOwned: async () => database(world.owner === 'here' ? [{ therapistId: ROOM, written: null, settings: null }] : []),
  releaseRoom: async () => database(void (world.owner = null)),
}));

const { token, hash } = newToken();
let closed: number[];
let looked: number;
let nodes: VideoNodes;
beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(world, { database: true, owner: null, isOwnerAlive: true, redis: true, reaches: true, judges: true });
  [closed, looked] = [[], 0];
  nodes = createVideoNodes({
    db: {} as never,
    bus: {
      subscribe: () => () => {},
      reach: async () => world.reaches,
      tellOthers() {},
      onGap() {},
      ready: async () => {},
      isWhole: () => world.redis,
    } as never,
    nodes: {
      living: 'living' as never,
      mayLive: () => (world.judges ? 'living' : 'all') as never,
      onGone() {},
    },
    node: 'here',
    room: { stampsOfAll: async () => database(new Map()) },
    isReady: () => true,
    accept: () => null,
    taken() {},
    carryOut: async () => void looked++,
    close: (therapistId) => void closed.push(therapistId),
    async tellNobodyHas() {},
    async checkMembers() {},
    toHandOver: () => null,
    log: { info() {}, warn() {}, error() {} },
  });
});
afterEach(async () => {
  await nodes.stop();
  vi.useRealTimers();
});
const keep = () => nodes.keep().catch(() => {});
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

  test('looks at what was set only where that changed', async () => {
    await keep();
    expect(looked).toBe(1);
  });

  test('takes none any more when it leaves', async () => {
    await nodes.leave(0);
    expect([closed, world.owner, await nodes.route(token, hash)]).toEqual([[ROOM], null, { to: 'nowhere' }]);
  });
});

describe('15: a page whose room is on a node that cannot be reached', () => {
  beforeEach(() => Object.assign(world, { owner: 'far', reaches: false }));

  test('waits until that is reached, or its room is free', async () => {
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

  test('waits no longer than its connection, and not at all without Redis', async () => {
    const page = nodes.route(token, hash);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await page).toEqual({ to: 'nowhere' });
    world.redis = false;
    expect(await nodes.route(token, hash)).toEqual({ to: 'nowhere' });
  });

  test('is led to a node that is silent because the database was away', async () => {
    Object.assign(world, { isOwnerAlive: false, judges: false, reaches: true });
    expect(await nodes.route(token, hash)).toEqual({ to: 'node', node: 'far', therapistId: ROOM });
  });

  test('what is no ticket asks nobody', async () => {
    world.database = false;
    expect(await nodes.route('not a ticket', hash)).toEqual({ to: 'here' });
  });
});
