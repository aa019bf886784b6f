/** Threads, ports and memory: rules 16 to 29 of the README. */
import { createSocket, type Socket } from 'node:dgram';
import { afterEach, expect, test, vi } from 'vitest';
import { aRoom, jsepOf, openConnection, publish, subscribe, until } from './engine.fixture.ts';
import { EngineRefusal, HANDLES_A_SESSION } from '../video.types.ts';
import { createEmbeddedEngine } from './index.ts';

// Handshakes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const engines: ReturnType<typeof createEmbeddedEngine>[] = [];
function anEngine(options: Parameters<typeof createEmbeddedEngine>[0]) {
  const engine = createEmbeddedEngine({ loopback: true, ...options });
  engines.push(engine);
  return engine;
}
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
});

const candidatePorts = (sdp: string) => [
  ...new Set([...sdp.matchAll(/^a=candidate:\d+ 1 udp \d+ \S+ (\d+) /gm)].map((match) => Number(match[1]))),
];
const candidateAddresses = (sdp: string) => [
  ...new Set([...sdp.matchAll(/^a=candidate:\d+ 1 udp \d+ (\S+) /gm)].map((match) => match[1])),
];

test('16: a room lives in one thread, rooms are spread, and threads start with the rooms that need them', async () => {
  const engine = anEngine({ workers: 2 });
  expect(engine.ready()).toBe(true);
  expect(engine.threads().length).toBe(0);
  const [one, two, three] = [aRoom(), aRoom(), aRoom()];
  const connections = [await openConnection(engine, 1, { room: one }), await openConnection(engine, 2, { room: one })];
  expect(engine.threads().length).toBe(1);
  connections.push(await openConnection(engine, 3, { room: two }));
  expect(engine.threads().length).toBe(2);
  connections.push(await openConnection(engine, 4, { room: three }));
  expect(engine.threads().length).toBe(2);
  expect(await engine.stats()).toMatchObject({ rooms: 3 });
  await Promise.all(connections.map(({ session }) => session.close()));
  expect(await engine.stats()).toMatchObject({ rooms: 0 });
});

test('17: when a thread dies, only its sessions get `gone`, once; rooms are created again and media return', async () => {
  const engine = anEngine({ workers: 2 });
  const [room, otherRoom] = [aRoom(), aRoom()];
  const publisher = await publish(engine, 5, { room }, ['audio']);
  const subscriber = await subscribe(engine, 9, [{ publisherId: 5 }], { room });
  const other = await publish(engine, 5, { room: otherRoom }, ['audio']);
  const witness = await subscribe(engine, 9, [{ publisherId: 5 }], { room: otherRoom });
  other.keepSaying('audio', 'other');
  publisher.keepSaying('audio', 'first');
  await until('carried', () => subscriber.received('0').includes('first') && witness.received('0').includes('other'));
  const before = await engine.stats();
  await engine.threads()[0]!.terminate();
  const connections = [publisher.connection, subscriber.connection];
  await until('gone', () => connections.every(({ events }) => events.some(({ kind }) => kind === 'gone')));
  // Waiting and new requests are answered, not left hanging.
  expect(await publisher.connection.ask(publisher.handle, { kind: 'configurePublisher' })).toMatchObject({ code: 499 });
  await expect(publisher.connection.session.attach()).rejects.toMatchObject({ code: 'video_unavailable' });
  await publisher.connection.session.close();
  expect(engine.ready()).toBe(true);

  const again = await publish(engine, 5, { room }, ['audio']);
  const watching = await subscribe(engine, 9, [{ publisherId: 5 }], { room });
  again.keepSaying('audio', 'second');
  await until('back', () => watching.received('0').includes('second'));
  for (const { events } of connections) expect(events.filter(({ kind }) => kind === 'gone').length).toBe(1);
  expect(other.connection.events.some(({ kind }) => kind === 'gone' || kind === 'hangup')).toBe(false);
  const sofar = witness.received('0').length;
  await until('the other room goes on', () => witness.received('0').length > sofar + 5);
  expect((await engine.stats()).packetsIn).toBeGreaterThanOrEqual(before.packetsIn);
  await Promise.all([publisher, subscriber, other, witness, again, watching].map((peer) => peer.close()));
});

test('18: a thread has a memory limit', async () => {
  const engine = anEngine({ workers: 1, workerMegabytes: 96 });
  await openConnection(engine, 5, { room: aRoom() });
  expect(engine.threads()[0]!.resourceLimits).toMatchObject({ maxOldGenerationSizeMb: 96 });
});

test('18: a thread that answers no pings is ended, unless this program itself was suspended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const engine = anEngine({ workers: 1 });
    const { events } = await openConnection(engine, 5, { room: aRoom() });
    const [thread] = engine.threads();
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    vi.advanceTimersByTime(2500);
    clock.mockRestore();
    expect(await engine.stats()).toMatchObject({ rooms: 1 });
    expect(engine.threads()).toEqual([thread]);
    const lost = vi.spyOn(thread!, 'postMessage').mockImplementation(() => {});
    vi.advanceTimersByTime(15_000);
    expect(events).not.toContainEqual({ kind: 'gone' });
    vi.advanceTimersByTime(2500);
    await until('gone', () => events.some(({ kind }) => kind === 'gone'));
    lost.mockRestore();
  } finally {
    vi.useRealTimers();
  }
});

test('19: a session has a maximum of waiting requests', async () => {
  const engine = anEngine({ workers: 1 });
  const connection = await openConnection(engine, 5, { room: aRoom() });
  const handle = await connection.session.attach();
  await connection.ask(handle, { kind: 'joinPublisher', id: 5, display: '5' });
  const answers = await Promise.all(
    Array.from({ length: 300 }, () => connection.ask(handle, { kind: 'configurePublisher' })),
  );
  expect(answers.filter(({ kind }) => kind === 'configured').length).toBe(256);
  expect(answers.filter((reply) => reply.kind === 'refused' && reply.code === 499).length).toBe(44);
  expect(await connection.ask(handle, { kind: 'configurePublisher' })).toMatchObject({ kind: 'configured' });
});

/**
 * Takes a port that the system gives. Its neighbours are most likely free; taken ones are passed over by the engine.
 */
async function takePort(): Promise<Socket> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '0.0.0.0', resolve));
  if (socket.address().port <= 65_000) return socket;
  socket.close();
  return takePort();
}

test('24: ports come from the range, each thread has its part, taken ones are skipped', async () => {
  const taken = await takePort();
  const first = taken.address().port;
  try {
    const engine = anEngine({ workers: 2, portRange: [first, first + 11] });
    const publishers = [
      await publish(engine, 5, { room: aRoom() }, ['audio']),
      await publish(engine, 5, { room: aRoom() }, ['audio']),
    ];
    const [one, two] = publishers.map(({ answer }) => candidatePorts(jsepOf(answer).sdp));
    expect(one).not.toContain(first);
    for (const port of one!) expect(port > first && port <= first + 5).toBe(true);
    for (const port of two!) expect(port >= first + 6 && port <= first + 11).toBe(true);
    await Promise.all(publishers.map((publisher) => publisher.close()));
  } finally {
    taken.close();
  }
});

test('24: without a free port the engine reports that it is not ready, and refuses to open', async () => {
  const taken = await takePort();
  const { port } = taken.address();
  const told: string[] = [];
  const note = (_fields: unknown, message: string) => void told.push(message);
  try {
    const engine = anEngine({
      workers: 1,
      portRange: [port, port],
      publicAddresses: ['192.0.2.7'],
      log: { info: note, warn: note, error: note },
    });
    await expect(openConnection(engine, 5, { room: aRoom() })).rejects.toMatchObject({ code: 'video_unavailable' });
    expect(engine.ready()).toBe(false);
    expect(told.some((message) => message.includes('ports'))).toBe(true);
    // Stopped while it waits to try again.
    await until('it waits', () => engine.threads().length === 0);
    await engine.stop();
  } finally {
    taken.close();
  }
});

test('25: browsers are told the public addresses instead of this machine’s', async () => {
  const engine = anEngine({ workers: 1, publicAddresses: ['192.0.2.7', '2001:db8::7'] });
  const publisher = await publish(engine, 5, { room: aRoom() }, ['audio']);
  expect(candidateAddresses(jsepOf(publisher.answer).sdp)).toEqual(['192.0.2.7', '2001:db8::7', '127.0.0.1']);
  await publisher.close();
});

test('26: a hundred people who join and leave do not leave anything behind', async () => {
  const engine = anEngine({ workers: 1 });
  const room = aRoom();
  // One stays, so that the room itself is not swept away with them.
  const staying = await publish(engine, 1000, { room }, ['audio']);
  const empty = await engine.transport();
  for (let round = 0; round < 10; round++) {
    const publishers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => publish(engine, i + 1, { room }, ['audio'])),
    );
    const subscribers = await Promise.all(
      publishers.map(({ id }) => subscribe(engine, id, [{ publisherId: id }, { publisherId: 1000 }], { room })),
    );
    // Half of them leave properly, the others just close their connection.
    await Promise.all(
      publishers
        .filter((_, i) => i % 2)
        .map((publisher) => publisher.connection.ask(publisher.handle, { kind: 'leave' })),
    );
    await Promise.all([...publishers, ...subscribers].map((peer) => peer.close()));
  }
  expect(await engine.stats()).toMatchObject({ rooms: 1, publishers: 1, subscribers: 0 });
  expect((await engine.transport()).names).toBe(empty.names);
  expect((await engine.transport()).addresses).toBeLessThanOrEqual(empty.addresses + 2);
  const connection = await openConnection(engine, 3, { room });
  const handle = await connection.session.attach();
  expect(await connection.ask(handle, { kind: 'joinPublisher', id: 3, display: '3' })).toMatchObject({
    publishers: [{ id: 1000 }],
  });
  await staying.close();
  await connection.session.close();
  expect(await engine.transport()).toEqual({ names: 0, addresses: 0 });
  expect(await engine.stats()).toMatchObject({ rooms: 0 });
});

test('27: after stop no thread is left and nothing can be opened', async () => {
  const engine = anEngine({ workers: 1 });
  const connection = await openConnection(engine, 5, { room: aRoom() });
  const [thread] = engine.threads();
  const exited = new Promise((resolve) => thread!.once('exit', resolve));
  await engine.stop();
  await exited;
  expect(engine.threads().length).toBe(0);
  expect(engine.ready()).toBe(false);
  expect(connection.events).toContainEqual({ kind: 'gone' });
  await expect(openConnection(engine, 5, { room: aRoom() })).rejects.toMatchObject({ code: 'video_unavailable' });
});

test('a session has as many handles as the gateway allows; more are refused without a fault', async () => {
  const faults: unknown[] = [];
  const log = { info: () => {}, warn: () => {}, error: (fields: unknown) => faults.push(fields) };
  const { session } = await openConnection(anEngine({ workers: 1, log }), 1, { room: aRoom() });
  const handles = await Promise.all(Array.from({ length: HANDLES_A_SESSION }, () => session.attach()));
  await expect(session.attach()).rejects.toThrow(EngineRefusal);
  await session.detach(handles[0]!);
  expect(await session.attach()).toEqual(expect.any(Number));
  expect(faults).toEqual([]);
  await session.close();
});
