/** The proxy that tests of faults rely on: what it does to connections, and that it does nothing else. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ChaosProxy, chaosProxy } from './chaos-proxy.ts';
import { freePort } from './process.ts';

const WAIT = { timeout: 60_000, interval: 5 };
/** Longer than a test. */
const FOREVER_MS = 3_600_000;

/** One end of a connection, and what it heard. */
interface End {
  readonly socket: Socket;
  text(): string;
  isEnded(): boolean;
  /** The code of the fault with which it closed, or null. */
  readonly closed: Promise<string | null>;
}
function listenTo(socket: Socket): End {
  let text = '';
  let ended = false;
  let code: string | null = null;
  socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
  socket.on('end', () => (ended = true));
  socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code ?? 'fault'));
  const closed = new Promise<string | null>((resolve) => socket.once('close', () => resolve(code)));
  return { socket, text: () => text, isEnded: () => ended, closed };
}

let target: Server;
let targetPort: number;
/** The target's ends, in the order in which they came. */
let arrived: End[];
let proxy: ChaosProxy;
let callers: Socket[];

async function openTarget(at: { port: number; host: string } | { path: string }): Promise<void> {
  target = createServer({ allowHalfOpen: true }, (socket) => void arrived.push(listenTo(socket)));
  await once(target.listen(at), 'listening');
}
beforeEach(async () => {
  [arrived, callers] = [[], []];
  targetPort = await freePort();
  await openTarget({ port: targetPort, host: '127.0.0.1' });
  proxy = await chaosProxy(`http://127.0.0.1:${targetPort}`);
});
afterEach(async () => {
  await proxy.close();
  for (const socket of [...callers, ...arrived.map((end) => end.socket)]) socket.destroy();
  target.close();
});

/** Connects through the proxy. */
async function call(): Promise<End> {
  const socket = connect({ port: Number(new URL(proxy.url).port), host: '127.0.0.1', allowHalfOpen: true });
  callers.push(socket);
  await once(socket, 'connect');
  return listenTo(socket);
}
/** Both ends of a new connection, over which a word has gone each way. */
async function aConnection(): Promise<{ caller: End; far: End }> {
  const caller = await call();
  const nth = arrived.length;
  caller.socket.write('hello ');
  await vi.waitUntil(() => arrived[nth]?.text() === 'hello ', WAIT);
  const far = arrived[nth]!;
  far.socket.write('welcome ');
  await vi.waitUntil(() => caller.text() === 'welcome ', WAIT);
  return { caller, far };
}
const untilHeard = (end: End, text: string) => vi.waitUntil(() => end.text() === text, WAIT);

test('without faults everything passes, in order, and each way ends for itself', async () => {
  const { caller, far } = await aConnection();
  const long = Array.from({ length: 100_000 }, (_, n) => `${n} `).join('');
  caller.socket.end(long);
  await untilHeard(far, `hello ${long}`);
  await vi.waitUntil(far.isEnded, WAIT);
  far.socket.end(long);
  await untilHeard(caller, `welcome ${long}`);
  expect(await Promise.all([caller.closed, far.closed])).toEqual([null, null]);
  await vi.waitUntil(() => proxy.connections() === 0, WAIT);
});

test('what is delayed comes later, in order, and holds up nothing the other way', async () => {
  const { caller, far } = await aConnection();
  proxy.delay(FOREVER_MS, 'down');
  far.socket.write('late ');
  caller.socket.write('in time');
  await untilHeard(far, 'hello in time');
  expect(caller.text()).toBe('welcome ');
  proxy.delay(5);
  for (const word of ['a ', 'b ', 'c ']) far.socket.write(word);
  far.socket.end();
  await untilHeard(caller, 'welcome late a b c ');
  await vi.waitUntil(caller.isEnded, WAIT);
});

test('a low rate holds up the sender, not the other connections', async () => {
  const { caller, far } = await aConnection();
  proxy.limit(1_000, 'down');
  // More than the system keeps for a connection.
  const bytes = Buffer.alloc(32_000_000, 'x');
  far.socket.write(bytes);
  await vi.waitUntil(() => caller.text().length > 100, WAIT);
  expect(far.socket.writableLength).toBeGreaterThan(0);
  expect(caller.text().length).toBeLessThan(1_000_000);
  await aConnection();
  proxy.resume();
  await vi.waitUntil(() => caller.text().length === 'welcome '.length + bytes.length, WAIT);
});

describe('a connection that hangs', () => {
  test('lets nothing pass, not even its end, and new ones get no answer', async () => {
    const { caller, far } = await aConnection();
    proxy.hang();
    caller.socket.write('more');
    caller.socket.destroy();
    const next = await call();
    next.socket.write('anybody?');
    // When the target sees this connection, the proxy has read what came before it.
    await vi.waitUntil(() => arrived.length === 2, WAIT);
    expect([far.text(), far.isEnded(), arrived[1]!.text()]).toEqual(['hello ', false, '']);
    proxy.resume();
    await untilHeard(far, 'hello more');
    await vi.waitUntil(far.isEnded, WAIT);
    await untilHeard(arrived[1]!, 'anybody?');
  });

  test('may do so one way', async () => {
    const { caller, far } = await aConnection();
    proxy.hang('down');
    far.socket.write('unheard');
    caller.socket.write('heard');
    await untilHeard(far, 'hello heard');
    expect(caller.text()).toBe('welcome ');
  });
});

describe('cut', () => {
  test('are the connections that begin so, or all', async () => {
    const [one, two, three] = [await call(), await call(), await call()];
    for (const [n, end] of [one, two, three].entries()) end.socket.write(`GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await vi.waitUntil(() => arrived.length === 3 && arrived.every((end) => end.text().endsWith('\r\n\r\n')), WAIT);
    expect(proxy.cut(/^GET \/1/)).toBe(1);
    expect(await two.closed).toBe('ECONNRESET');
    expect(proxy.connections()).toBe(2);
    expect(proxy.cut()).toBe(2);
    expect(await Promise.all([one.closed, three.closed])).toEqual(['ECONNRESET', 'ECONNRESET']);
  });

  test('is a connection once, after so many bytes', async () => {
    const { caller, far } = await aConnection();
    const cut = proxy.cutOnce(5, 'up');
    caller.socket.write('abc');
    await untilHeard(far, 'hello abc');
    caller.socket.write('defgh');
    await cut;
    expect(await Promise.all([caller.closed, far.closed])).toEqual(['ECONNRESET', 'ECONNRESET']);
    expect(far.text()).toBe('hello abcde');
    const again = await aConnection();
    again.caller.socket.write('abcdefgh');
    await untilHeard(again.far, 'hello abcdefgh');
  });

  test('is the connection that carries a text, in its middle', async () => {
    const [other, { caller, far }] = [await aConnection(), await aConnection()];
    const cut = proxy.cutOnce('COMMIT', 'down');
    other.far.socket.write('SELECT');
    far.socket.write('BEGIN COMMIT');
    await cut;
    expect(await caller.closed).toBe('ECONNRESET');
    expect(caller.text()).toBe('welcome BEGIN COM');
    await untilHeard(other.caller, 'welcome SELECT');
  });

  test('are those whose target refuses or resets them', async () => {
    const { caller, far } = await aConnection();
    far.socket.resetAndDestroy();
    expect(await caller.closed).toBe('ECONNRESET');
    target.close();
    await once(target, 'close');
    expect(await (await call()).closed).toBe('ECONNRESET');
    await openTarget({ port: targetPort, host: '127.0.0.1' });
    await aConnection();
  });
});

test('what is down refuses, and is up again at the same address', async () => {
  const { caller } = await aConnection();
  await proxy.down();
  expect(await caller.closed).toBe('ECONNRESET');
  await expect(call()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await proxy.up();
  await aConnection();
});

test('a PostgreSQL behind a Unix socket is reached by its folder, and the rest of an address stays', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-proxy-'));
  target.close();
  await openTarget({ path: path.join(folder, '.s.PGSQL.5432') });
  await proxy.close();
  proxy = await chaosProxy(`postgresql://anna@localhost/field?host=${encodeURIComponent(folder)}&ssl=0`);
  expect(proxy.url).toMatch(/^postgresql:\/\/anna@127\.0\.0\.1:\d+\/field\?ssl=0$/);
  const { caller, far } = await aConnection();
  expect(proxy.cut()).toBe(1);
  expect(await caller.closed).toBe('ECONNRESET');
  await vi.waitUntil(far.isEnded, WAIT);
  await rm(folder, { recursive: true, force: true });
});
