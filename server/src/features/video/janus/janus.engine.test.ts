/**
 * Rooms on several Janus servers: where they live, what becomes of them when a server is lost, and what a stranger on a
 * Janus would see.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { findJanus, JANUS_ADMIN_KEY, JANUS_SECRET, type RunningJanus, startJanus } from '../video.fixture.ts';
import type { EngineEvent, VideoEngine } from '../video.types.ts';
import { createJanusEngine } from './janus.engine.ts';
import { createJanusLink, type JanusLink } from './janus.link.ts';

const program = findJanus();
const log = { info: vi.fn(), warn: vi.fn() };
const spec = (therapistId: number) => ({
  therapistId,
  publishers: 2,
  keyframeSeconds: 10,
  talkingLevel: 50,
  talkingPackets: 100,
  loudestVoices: 5,
});

/**
 * The addresses of the servers decide where a room lives, and their ports are chosen by the system. This many rooms are
 * all on one of the two servers only once in 2^29 times.
 */
const MANY_ROOMS = 30;

describe.runIf(program !== null)('on two servers', () => {
  let servers: RunningJanus[];
  let engine: VideoEngine;
  /** Somebody who came through to the servers themselves. */
  let spies: JanusLink[];
  beforeAll(async () => {
    servers = [await startJanus(program!), await startJanus(program!)];
    engine = createJanusEngine({
      urls: servers.map(({ url }) => url),
      secret: JANUS_SECRET,
      adminKey: JANUS_ADMIN_KEY,
      log,
      retryMs: 50,
    });
    spies = servers.map(({ url }) =>
      createJanusLink({ url, secret: JANUS_SECRET, log, onUp: () => {}, onDown: () => {}, retryMs: 50 }),
    );
  });
  afterAll(async () => {
    for (const spy of spies) spy.stop();
    await engine.stop();
    for (const server of servers) await server.stop();
  });

  const up = () =>
    expect
      .poll(() => [engine.ready(), ...spies.map((spy) => spy.isUp())], { timeout: 60_000 })
      .toEqual([true, true, true]);

  async function ask(spy: JanusLink, body: object): Promise<Record<string, unknown>> {
    const session = (await spy.ask({ janus: 'create' })).data!.id;
    const handle = (await spy.ask({ janus: 'attach', session_id: session, plugin: 'janus.plugin.videoroom' })).data!.id;
    const answer = await spy.ask({ janus: 'message', session_id: session, handle_id: handle, body });
    await spy.ask({ janus: 'destroy', session_id: session });
    return answer.plugindata!.data;
  }
  const roomsOf = async (spy: JanusLink) =>
    (await ask(spy, { request: 'list', admin_key: JANUS_ADMIN_KEY })).list as {
      room: number;
      max_publishers: number;
      fir_freq: number;
      pin_required: boolean;
      record: boolean;
    }[];

  test('each room lives on one, always the same; rooms are spread, hidden, have secrets, and are deleted at their end', async () => {
    await up();
    const ids = Array.from({ length: MANY_ROOMS }, (_, index) => 9_000 + index);
    const connections = [];
    for (const id of ids)
      for (const person of [id, id + 500])
        connections.push(await engine.open(spec(id), { id: person, as: 'client' }, () => {}));
    const rooms = await Promise.all(spies.map(roomsOf));
    expect(rooms.map((list) => list.length).reduce((sum, count) => sum + count)).toBe(MANY_ROOMS);
    for (const list of rooms) expect(list.length).toBeGreaterThan(0);
    expect(rooms.flat().every(({ room, record }) => !ids.includes(room) && !record)).toBe(true);
    expect(rooms.flat()[0]).toMatchObject({ max_publishers: 2, fir_freq: 10 });
    expect((await ask(spies[0]!, { request: 'list' })).list).toEqual([]);
    const { room } = rooms[0]![0]!;
    for (const request of ['edit', 'destroy', 'enable_recording', 'listforwarders']) {
      expect(
        await ask(spies[0]!, { request, room, record: true, new_description: 'x', secret: 'wrong' }),
        request,
      ).toMatchObject({ error_code: 433 });
    }
    expect(await ask(spies[0]!, { request: 'create', room: 5 })).toMatchObject({ error_code: expect.any(Number) });
    expect(await engine.stats()).toMatchObject({ rooms: MANY_ROOMS, bytes: null });
    for (const connection of connections) await connection.close();
    for (const id of ids) await engine.closeRoom(id);
    expect(await Promise.all(spies.map(roomsOf))).toEqual([[], []]);
    await engine.closeRoom(1);
  });

  test('the engine’s messages contain no internal number', async () => {
    await up();
    const connection = await engine.open(spec(77), { id: 1, as: 'client' }, () => {});
    const handle = await connection.attach();
    for (const request of [
      { kind: 'joinSubscriber', streams: [{ publisherId: 5 }] },
      { kind: 'joinSubscriber', streams: [{ publisherId: 5, mid: '0' }] },
    ] as const)
      expect(await connection.request(handle, request)).toMatchObject({
        kind: 'refused',
        code: 428,
        message: expect.not.stringMatching(/\d{6}/),
      });
    await engine.closeRoom(77);
    expect(await connection.request(handle, { kind: 'joinPublisher', id: 1, display: '1' })).toMatchObject({
      code: 426,
      message: 'No such room',
    });
  });

  test('a lost server ends its connections, its rooms open on the other one, and it is used again when it returns', async () => {
    await up();
    const heard = new Map<number, EngineEvent[]>();
    const open = (id: number) =>
      engine.open(spec(id), { id, as: 'therapist' }, (event) => void heard.set(id, [...(heard.get(id) ?? []), event]));
    const ids = Array.from({ length: MANY_ROOMS }, (_, index) => 400 + index);
    for (const id of ids) await open(id);
    const onSecond = (await roomsOf(spies[1]!)).length;
    expect(onSecond).toBeGreaterThan(0);
    await servers[0]!.kill();
    await expect
      .poll(() => [...heard.values()].filter((events) => events.some(({ kind }) => kind === 'gone')).length, {
        timeout: 60_000,
      })
      .toBe(ids.length - onSecond);
    for (const id of heard.keys()) await open(id);
    expect(await roomsOf(spies[1]!)).toHaveLength(ids.length);
    await servers[1]!.kill();
    await expect.poll(() => engine.ready()).toBe(false);
    await expect(open(999)).rejects.toMatchObject({ code: 'video_unavailable' });
    await servers[0]!.restart();
    await servers[1]!.restart();
    await up();
    await expect(open(999)).resolves.toBeDefined();
  });

  test('without the secret nothing opens', async () => {
    const stranger = createJanusEngine({ urls: [servers[0]!.url], secret: null, adminKey: null, log, retryMs: 20 });
    log.warn.mockClear();
    await expect.poll(() => log.warn.mock.calls.length, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(stranger.ready()).toBe(false);
    await stranger.stop();
    const bare = new WebSocket(servers[0]!.url, 'janus-protocol');
    const answer = await new Promise<string>((resolve) => {
      bare.on('open', () => bare.send(JSON.stringify({ janus: 'create', transaction: 't' })));
      bare.on('message', (data: Buffer) => resolve(data.toString()));
    });
    expect(JSON.parse(answer)).toMatchObject({ janus: 'error', error: { code: 403 } });
    bare.terminate();
  });
});
