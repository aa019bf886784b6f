/**
 * The video of one room among several nodes over one PostgreSQL and one Redis: one has it, and people come to
 * any (docs/decisions/0024-several-nodes-over-postgresql-and-redis.md). Programs speak the protocol over real sockets
 * and send real packets. Nothing here assumes how long anything takes.
 */
import { connect, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as calls from '@fieldroom/contract/clients';
import { getVideoTicket, muteClients, setStage, setVideoSettings, VIDEO_SEND } from '@fieldroom/contract/video';
import { aTherapist, type BuiltAccount } from '../../src/builders/accounts.builders.ts';
import { type BuiltClient, inRoom } from '../../src/builders/clients.builders.ts';
import { createJanusEngine } from '../../src/features/video/janus/janus.engine.ts';
import {
  findJanus,
  JANUS_ADMIN_KEY,
  JANUS_SECRET,
  openProgram,
  openSocket,
  type Program,
  publish,
  type Publisher,
  type Somebody,
  startJanus,
  subscribe,
  type Subscriber,
} from '../../src/features/video/video.fixture.ts';
import { type TestNode, type TestNodes, testNodes, untilWhole } from '../support/nodes.ts';
import { hasRedis, type TestRedis, testRedis } from '../support/programs/redis.ts';
import { openClientScreen } from '../support/people/screen.ts';
import type { TestApp } from '../support/test-app.ts';

const janus = hasRedis ? findJanus() : null;
const WAIT = { timeout: 100_000, interval: 20 };
let redis: TestRedis;
let ground: TestNodes;
let one: TestNode;
let two: TestNode;
let therapist: BuiltAccount;
let bori: BuiltClient;
const peers: { close(): Promise<void> }[] = [];
const lookers: Redis[] = [];
const monitors: Socket[] = [];

describe.skipIf(!hasRedis)('the video of a room among nodes', () => {
  beforeAll(async () => {
    redis = await testRedis();
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    ground = await testNodes(redis.url);
    [one, two] = [await ground.start(), await ground.start()];
    await untilWhole(one, two);
    therapist = await aTherapist(one.app.db);
    bori = await inRoom(one.app, therapist);
  });
  afterEach(async () => {
    await redis.start();
    for (const peer of peers.splice(0)) await peer.close();
    for (const looker of lookers.splice(0)) looker.disconnect();
    for (const monitor of monitors.splice(0)) monitor.destroy();
    await ground.close();
  });

  const send = async (program: Program) => keepPeer(await publish(program, therapist.id));
  const receive = async (program: Program, from: Somebody) =>
    keepPeer(await subscribe(program, therapist.id, [{ feed: from.id }]));
  function keepPeer<T extends Publisher | Subscriber>(peer: T): T {
    peers.push(peer);
    return peer;
  }
  const hears = (receiver: Subscriber, text: string) => vi.waitUntil(() => receiver.texts().has(text), WAIT);
  const join = async (program: Program) =>
    program.room(await program.attach(), { request: 'join', ptype: 'publisher', room: therapist.id });
  const idsOf = (joined: Record<string, unknown>) => (joined['publishers'] as { id: number }[]).map(({ id }) => id);
  /** More packets come, so whatever was under way has come. */
  async function flows(receiver: Subscriber): Promise<void> {
    const mid = receiver.midOf('video');
    const before = receiver.count(mid);
    await vi.waitUntil(() => receiver.count(mid) > before + 20, WAIT);
  }
  const lives = async (program: Program) => (await program.say({ janus: 'keepalive' })).janus === 'ack';
  /** As pages do: again, with another ticket, until it works. */
  async function comeBack(at: Pick<TestApp, 'api' | 'url'>, person: Somebody): Promise<Program> {
    let program: Program | undefined;
    const trying = async () => (program = await openProgram(at, person).catch(() => undefined)) !== undefined;
    // A person has a number of tickets at once.
    await vi.waitUntil(trying, { ...WAIT, interval: 200 });
    return program!;
  }
  const ownerOf = async (asked = one) => {
    const { rows } = await asked.app.db.execute<{ node_id: string }>(
      sql`SELECT node_id FROM video_owners WHERE therapist_id = ${therapist.id}`,
    );
    return rows[0]?.node_id;
  };
  const asTherapist = () => ({ token: therapist.token });

  /**
   * What is published in Redis from now on, a line each; `settled` has seen all that was published before it. It uses
   * a socket of its own, because ioredis throws when the first command arrives together with the answer to MONITOR.
   */
  async function watchRedis() {
    const { hostname, port } = new URL(redis.url);
    const monitor = connect(Number(port), hostname);
    monitors.push(monitor);
    let received = '';
    monitor.setEncoding('latin1').on('data', (text: string) => (received += text));
    monitor.write('MONITOR\r\n');
    await vi.waitUntil(() => received.startsWith('+OK\r\n'), WAIT);
    const published = () => received.split('\r\n').filter((line) => /^\S+ \[[^\]]+\] "publish" /i.test(line));
    return {
      async settled() {
        const asking = redis.look();
        lookers.push(asking);
        await asking.publish('marker', 'of the test');
        await vi.waitUntil(() => published().some((line) => line.includes('"marker"')), WAIT);
        return published();
      },
    };
  }

  test('people on two nodes take part together, with tickets of either, and no ticket passes through Redis', async () => {
    const watched = await watchRedis();
    const mine = await openProgram(one, therapist);
    const anna = await send(mine);
    expect(await ownerOf()).toBe(one.app.nodes.id);
    // A proxy may lead the request and the socket to different nodes.
    const { ticket } = await one.api(getVideoTicket, { body: {} }, { token: bori.token });
    const theirs = await openSocket(two.url, ticket);
    theirs.session = (await theirs.ask({ janus: 'create', token: ticket })).data!.id;
    const heard = mine.told.length;
    const guest = await send(theirs);
    expect(idsOf(guest.joined)).toEqual([therapist.id]);
    await mine.next(
      'the news of the client',
      ({ plugindata }) => JSON.stringify(plugindata?.data['publishers'] ?? '').includes(`"id":${bori.id}`),
      heard,
    );
    const [here, there] = [await receive(mine, bori), await receive(theirs, therapist)];
    anna.keepSaying('video', 'anna');
    guest.keepSaying('audio', 'bori');
    await Promise.all([hears(there, 'anna'), hears(here, 'bori')]);
    // It was used.
    for (const node of [one, two]) {
      const thief = await openSocket(node.url, ticket);
      expect((await thief.ask({ janus: 'create', token: ticket })).error?.code).toBe(403);
      await thief.close();
    }
    // A newer socket of the person takes the place, on whichever node it is.
    const again = await openProgram(one, bori);
    await join(again);
    await theirs.next('the older one leaves', ({ plugindata }) => plugindata?.data['reason'] === 'replaced');
    await theirs.close();
    await vi.waitUntil(async () => (await one.app.video.stats()).connections === 2, WAIT);
    const published = await watched.settled();
    expect(published.some((line) => line.includes('video-node:'))).toBe(true);
    for (const secret of [ticket, mine.ticket]) expect(published.join('\n')).not.toContain(secret);
    expect(one.logged.text() + two.logged.text()).not.toContain(ticket);
  });

  test('what is decided on another node holds where the room is', async () => {
    const mine = await openProgram(one, therapist);
    const [anna, mihai] = [await send(mine), await inRoom(one.app, therapist)];
    const [theirs, other] = [await openProgram(two, bori), await openProgram(two, mihai)];
    const guest = await send(theirs);
    const [here, there] = [await receive(mine, bori), await receive(other, bori)];
    for (const kind of ['audio', 'video'] as const) guest.keepSaying(kind, `bori${kind}`);
    anna.keepSaying('video', 'anna');
    await Promise.all([hears(here, 'boriaudio'), hears(there, 'borivideo')]);
    // A page that comes now learns the state from there.
    const page = await openClientScreen(two.url, bori);
    await page.next('VIDEO_STATE', ({ contents }) => contents.running && contents.faces.some((one) => one.audio));

    await two.api(muteClients, { body: { clientIds: [bori.id] } }, asTherapist());
    await page.next('VIDEO_ASK', ({ contents }) => contents.ask === 'muted');
    await page.next('VIDEO_STATE', ({ contents }) => contents.faces.some((one) => one.mutedByTherapist));
    await flows(here);
    here.forget();
    await flows(here);
    expect(here.texts()).toEqual(new Set(['borivideo']));

    await two.api(setVideoSettings, { body: { clientsVisible: false } }, asTherapist());
    expect((await one.app.video.state(therapist.id)).settings.clientsVisible).toBe(false);
    await flows(here);
    there.forget();
    await flows(here);
    expect(there.texts()).toEqual(new Set());
    await two.api(setStage, { body: { clientIds: [bori.id] } }, asTherapist());
    expect((await one.app.video.state(therapist.id)).stage).toEqual([bori.id]);
    await page.send(VIDEO_SEND.networkQuality, { line: 'weak' });
    await page.next('VIDEO_STATE', ({ contents }) => contents.faces.some((one) => one.line === 'weak'));
    await one.app.jobs.runNow('video.keep');
    await vi.waitUntil(() => two.app.video.mediaFlows(therapist.id), WAIT);

    await two.api(calls.remove, { body: { clientId: bori.id } }, asTherapist());
    expect([await theirs.closed, theirs.reason()]).toEqual([1008, 'left the room']);
    two.app.video.closePerson(therapist.id);
    expect([await mine.closed, mine.reason()]).toEqual([1008, 'signed out']);
    expect(await lives(other)).toBe(true);
    await two.api(getVideoTicket, { body: {} }, asTherapist());
    await two.app.sessions.end(therapist.id, 'ended');
    expect(await other.closed).toBe(1008);
    const { rows } = await one.app.db.execute(
      sql`SELECT 1 FROM video_owners UNION ALL SELECT 1 FROM video_tickets WHERE therapist_id = ${therapist.id}`,
    );
    expect(rows).toEqual([]);
  });

  test('video whose people are on one node sends the others nothing', async () => {
    const watched = await watchRedis();
    const [mine, theirs] = [await openProgram(one, therapist), await openProgram(one, bori)];
    const anna = await send(mine);
    const there = await receive(theirs, therapist);
    anna.keepSaying('video', 'anna');
    await hears(there, 'anna');
    await join(theirs);
    await one.api(muteClients, { body: { clientIds: 'all' } }, asTherapist());
    await one.api(setVideoSettings, { body: { highQuality: true } }, asTherapist());
    await one.api(calls.remove, { body: { clientId: bori.id } }, asTherapist());
    await theirs.closed;
    await one.app.jobs.runNow('video.keep');
    expect((await watched.settled()).filter((line) => /:video(-node)?:/.test(line))).toEqual([]);
  });

  test('a node that leaves hands its rooms over, and takes no more', async () => {
    const [mine, theirs] = [await openProgram(one, therapist), await openProgram(two, bori)];
    await send(mine);
    const page = await openClientScreen(two.url, bori);
    await page.next('VIDEO_STATE', ({ contents }) => contents.running);
    await join(theirs);
    await one.api(muteClients, { body: { clientIds: [bori.id] } }, asTherapist());
    const heard = page.heard.length;
    const leaving = one.close();
    expect([await mine.closed, await theirs.closed]).toEqual([1012, 1012]);
    await page.next('VIDEO_STATE', ({ contents }) => !contents.running, heard);
    const since = page.heard.length;
    const back = await comeBack(two, therapist);
    await leaving;
    await send(back);
    expect(idsOf(await join(await comeBack(two, bori)))).toEqual([therapist.id]);
    expect(await ownerOf(two)).toBe(two.app.nodes.id);
    // People who were muted stay muted.
    await page.next(
      'VIDEO_STATE',
      ({ contents: { faces } }) => faces.some(({ id, mutedByTherapist }) => id === bori.id && mutedByTherapist),
      since,
    );
  });

  test('after the death of the node that had the room, its video goes on at another', async () => {
    const three = await ground.startProcess();
    // Keeps the seat, which a node that starts finds without a connection.
    await openClientScreen(two.url, bori);
    const mine = await openProgram(three, therapist);
    await send(mine);
    const dead = await ownerOf();
    expect([one.app.nodes.id, two.app.nodes.id]).not.toContain(dead);
    const theirs = await comeBack(two, bori);
    expect(idsOf(await join(theirs))).toEqual([therapist.id]);
    await three.stop('SIGKILL');
    // Its end shows in Redis: nobody waits for signs of life.
    expect(await theirs.closed).toBe(1012);
    await mine.closed;
    // They come back before it counts as dead, and wait.
    const returning = Promise.all([comeBack(one, therapist), comeBack(two, bori)]);
    // As the others do when they take it for dead: these here would not for an hour.
    await one.app.db.execute(sql`DELETE FROM nodes WHERE id = ${dead ?? ''}`);
    const [back, guest] = await returning;
    await send(back);
    expect(idsOf(await join(guest))).toEqual([therapist.id]);
    expect(await ownerOf()).not.toBe(dead);
  });

  test('a node that has lost a room closes it there, and leads to the one that has it', async () => {
    const mine = await openProgram(one, therapist);
    await send(mine);
    await join(await openProgram(one, bori));
    await one.app.db.execute(sql`UPDATE video_owners SET node_id = ${two.app.nodes.id}`);
    // Nothing may count that the other would not learn.
    await expect(one.api(muteClients, { body: { clientIds: [bori.id] } }, asTherapist())).rejects.toMatchObject({
      code: 'video_unavailable',
    });
    await one.app.jobs.runNow('video.keep');
    expect(await mine.closed).toBe(1012);
    // The other one did not know it.
    await send(await comeBack(one, therapist));
    expect(idsOf(await join(await comeBack(two, bori)))).toEqual([therapist.id]);
    expect((await two.app.video.stats()).links).toBe(1);
  });

  test.skipIf(janus === null)('with several Janus servers people on two nodes are on the same one', async () => {
    const servers = [await startJanus(janus!), await startJanus(janus!)];
    try {
      for (const node of [one, two]) await node.close();
      const silence = { info() {}, warn() {} };
      const engines = [one, two].map(() =>
        createJanusEngine({
          ...{ urls: servers.map(({ url }) => url), secret: JANUS_SECRET, adminKey: JANUS_ADMIN_KEY, log: silence },
        }),
      );
      [one, two] = [await ground.start({ videoEngine: engines[0]! }), await ground.start({ videoEngine: engines[1]! })];
      await untilWhole(one, two);
      await vi.waitUntil(() => engines.every((engine) => engine.ready()), WAIT);
      const [mine, theirs] = [await openProgram(one, therapist), await openProgram(two, bori)];
      const anna = await send(mine);
      const there = await receive(theirs, therapist);
      anna.keepSaying('video', 'anna');
      await hears(there, 'anna');
    } finally {
      for (const server of servers) await server.stop();
    }
  });

  test('without Redis video on one node goes on, and others come back after', async () => {
    const mihai = await inRoom(one.app, therapist);
    const [mine, near, far] = [
      await openProgram(one, therapist),
      await openProgram(one, bori),
      await openProgram(two, mihai),
    ];
    const anna = await send(mine);
    await join(far);
    const there = await receive(near, therapist);
    anna.keepSaying('video', 'anna');
    await redis.kill();
    expect(await far.closed).toBe(1012);
    there.forget();
    await hears(there, 'anna');
    // A ticket may lead to the node that has the room; this one cannot.
    const { ticket } = await two.api(getVideoTicket, { body: {} }, { token: mihai.token });
    const socket = await openSocket(two.url, ticket);
    socket.raw(JSON.stringify({ janus: 'create', token: ticket, transaction: 'c' }));
    expect(await socket.closed).toBe(1012);
    await expect(two.api(muteClients, { body: { clientIds: 'all' } }, asTherapist())).rejects.toMatchObject({
      code: 'video_unavailable',
    });
    // What is stored is found, and who was sent out is out.
    await two.api(setVideoSettings, { body: { clientsVisible: false } }, asTherapist());
    await two.api(calls.remove, { body: { clientId: bori.id } }, asTherapist());
    await one.app.jobs.runNow('video.keep');
    expect(await near.closed).toBe(1008);
    await vi.waitUntil(async () => !(await one.app.video.state(therapist.id)).settings.clientsVisible, WAIT);
    expect(await lives(mine)).toBe(true);
    await redis.start();
    await untilWhole(one, two);
    expect(idsOf(await join(await comeBack(two, mihai)))).toEqual([therapist.id]);
    expect(await lives(mine)).toBe(true);
  });
});
