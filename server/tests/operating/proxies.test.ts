/**
 * The proxies of `deploy` before two nodes: sockets of one room come to one node, calls to any, nothing to a node that
 * is gone, and nothing twice that may have been done. The nodes answer with their name.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { problemBody } from '@fieldroom/contract/problems';
import { SOCKET_PATHS, socketAddress } from '@fieldroom/contract/realtime';
import { VIDEO_PATH } from '@fieldroom/contract/video';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { freePort, type Started, startProcess } from '../support/programs/process.ts';
import { caddy, nginx, type Site, startCaddy, startNginx } from '../support/programs/reverse-proxies.ts';

const PATHS = [...SOCKET_PATHS, VIDEO_PATH];
/** Enough that both nodes get some, by whatever the proxies compute of a number. */
const ROOMS = Array.from({ length: 20 }, (_, index) => index + 1);
/** By then a call is answered, or given up: far longer than a proxy may try, and less than nginx's own minute. */
const PATIENCE_MS = 30_000;

interface Node {
  readonly name: string;
  readonly port: number;
  readonly server: Server;
  /** Paths of the calls other than GET that have arrived whole. */
  readonly done: string[];
}

/**
 * A node. It says who it is, but ends the connection at `/api/dies`, never answers `/api/hangs`, and refuses
 * `/api/refused`. Sockets return what they get.
 */
async function startNode(name: string, at = 0): Promise<Node> {
  const done: string[] = [];
  const server = createServer(async (call, reply) => {
    call.resume();
    // Some senders leave before they have said all.
    const isWhole = await once(call, 'end').then(
      () => true,
      () => false,
    );
    if (!isWhole) return;
    if (call.method !== 'GET') done.push(call.url!);
    if (call.url === '/api/dies') call.socket.destroy();
    else if (call.url === '/api/refused') reply.writeHead(503, { 'retry-after': '5' }).end('of the node');
    else if (call.url !== '/api/hangs') reply.end(name);
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (call: IncomingMessage, socket: Socket, head: Buffer) =>
    sockets.handleUpgrade(call, socket, head, (web) => web.on('message', (data: Buffer) => web.send(data))),
  );
  server.listen(at, '127.0.0.1');
  await once(server, 'listening');
  return { name, port: (server.address() as AddressInfo).port, server, done };
}
async function stopNode({ server }: Node): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Listens, and does nothing more: the system takes connections for it until their queue is full. */
const HANGS = `const [, port, backlog] = process.argv.map(Number);
require('net').createServer().listen({ host: '127.0.0.1', port, backlog }, () => {
  console.log('listens');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
})`;

let folder: string;
let port: number;
let nodes: Node[];
let ports: number[];
let running: Started[];
let waiting: { destroy(): unknown }[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-proxy-'));
  port = await freePort();
  nodes = [await startNode('one'), await startNode('two')];
  ports = nodes.map((node) => node.port);
  running = [];
  waiting = [];
});
afterEach(async () => {
  for (const one of waiting) one.destroy();
  for (const one of running) await one.stop();
  for (const node of nodes) await stopNode(node);
  await rm(folder, { recursive: true, force: true });
});

const later = (ms: number) => new Promise<true>((resolve) => void setTimeout(() => resolve(true), ms));

/** A node that takes connections and answers nobody. Takes its port, and how many wait in its queue. */
async function hang(at: number, backlog = 500): Promise<void> {
  const node = startProcess(process.execPath, ['-e', HANGS, String(at), String(backlog)]);
  waiting.push({ destroy: () => node.child.kill('SIGKILL') });
  await expect.poll(() => node.output()).toContain('listens');
}

/**
 * A host that is gone: whoever connects gets no answer at all. No machine has a second one for tests, but Linux leaves
 * those unanswered for whom a queue has no place.
 */
async function vanishedHost(): Promise<number> {
  const at = await freePort();
  await hang(at, 1);
  for (let isFull = false; !isFull;) {
    const socket = connect(at, '127.0.0.1').on('error', () => {});
    waiting.push(socket);
    isFull = await Promise.race([once(socket, 'connect').then(() => false), later(500)]);
    // After a pause of this process the timer comes first, although the connection is there.
    await new Promise((resolve) => void setImmediate(resolve));
    isFull &&= socket.connecting;
  }
  return at;
}

/** Takes the seconds in which a node has to answer, where they are not those of the files. */
const siteOf = (answerWithin?: number): Site => ({ folder, port, nodes: ports, ...(answerWithin && { answerWithin }) });

const ask = (address: string, method = 'GET') =>
  fetch(`http://127.0.0.1:${port}${address}`, {
    method,
    ...(method === 'GET' ? {} : { body: '{}' }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
/** Which node answers; an empty text while the proxy does not. */
const asked = (address: string, method?: string) =>
  ask(address, method).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  );
const addressOf = (room: number, socket: string) =>
  socketAddress({ protocol: 'http:', host: `127.0.0.1:${port}` }, socket, room);
/** Which node a socket of the room would come to: the proxies choose before they see what is asked. */
const nodeOf = (room: number, socket: string) => {
  const { pathname, search } = new URL(addressOf(room, socket));
  return asked(`${pathname}${search}`);
};
const nodesOf = (socket: string) => Promise.all(ROOMS.map((room) => nodeOf(room, socket)));
/** Each of many calls at the same time. */
const manyAsked = (address: string, method?: string) => Promise.all(ROOMS.map(() => asked(address, method)));

describe.each([
  ['Caddy', caddy, startCaddy],
  ['nginx', nginx, startNginx],
])('%s', (_, program, start) => {
  async function begin(answerWithin?: number): Promise<void> {
    running.push(await start(siteOf(answerWithin)));
    await expect.poll(() => asked('/'), { timeout: 30_000 }).not.toBe('');
  }

  test.runIf(program)(
    'leads all sockets of a room to one node, and those of a node that is gone to the other',
    async () => {
      await begin();
      for (const socket of PATHS) {
        const first = await nodesOf(socket);
        expect(new Set(first), socket).toEqual(new Set(['one', 'two']));
        // Calls in between, which are shared out otherwise, change nothing.
        await manyAsked('/api/faq');
        // Nor does one more socket, by which nodes that take turns would be the other way round.
        await nodeOf(ROOMS[0]!, socket);
        expect(await nodesOf(socket)).toEqual(first);
      }
      const calls = new Set<string>();
      await expect.poll(async () => calls.add(await asked('/api/faq')).size).toBe(2);

      await stopNode(nodes[0]!);
      for (const room of ROOMS) expect(await nodeOf(room, PATHS[0]!)).toBe('two');
      await expect.poll(async () => [...new Set(await manyAsked('/api/faq', 'POST'))]).toEqual(['two']);
    },
  );

  test.runIf(program && process.platform === 'linux')(
    'delivers what comes to a host that is gone to the other node, once',
    async () => {
      ports[0] = await vanishedHost();
      await begin();
      // At first the proxy knows nothing of it.
      const [read, changed] = await Promise.all([
        manyAsked('/api/faq'),
        Promise.all(ROOMS.map(() => ask('/api/faq', 'POST'))),
      ]);
      expect(new Set(read)).toEqual(new Set(['two']));
      // Caddy before 2.11.2 loses the body at the first try. Then it says that the call was not done.
      const refused = changed.filter(({ status }) => status !== 200);
      expect(refused.filter(({ headers }) => headers.get('retry-after') !== '1')).toEqual([]);
      if (program === nginx) expect(refused).toEqual([]);
      expect(nodes[1]!.done).toHaveLength(ROOMS.length - refused.length);
      // Pages try again by themselves.
      await expect.poll(async () => [...new Set(await nodesOf(PATHS[0]!))]).toEqual(['two']);
      await expect.poll(async () => [...new Set(await manyAsked('/api/faq', 'POST'))]).toEqual(['two']);
    },
  );

  test.runIf(program)('lets hardly a call wait where a node hangs', async () => {
    await begin();
    await stopNode(nodes[0]!);
    await hang(ports[0]!);
    let hung = 0;
    for (const _room of ROOMS) {
      const isHung = await Promise.race([asked('/api/faq', 'POST').then((name) => name !== 'two'), later(3000)]);
      if (isHung) hung += 1;
    }
    expect(hung).toBeLessThan(3);
  });

  test.runIf(program)('repeats no call that a node may have done', async () => {
    await begin();
    const answers = await Promise.all(ROOMS.map(() => ask('/api/dies', 'POST')));
    expect(nodes.flatMap(({ done }) => done)).toHaveLength(ROOMS.length);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  });

  test.runIf(program)('takes no node out for what a sender can cause', async () => {
    await begin();
    // So both nodes answer a body that does not come in time.
    await Promise.all(ROOMS.map(() => ask('/api/dies', 'POST')));
    expect(new Set(await manyAsked('/api/faq'))).toEqual(new Set(['one', 'two']));
  });

  test.runIf(program)('says in our words that no node is there, and passes on what a node says', async () => {
    await begin();
    const refused = await ask('/api/refused');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.text()).toBe('of the node');

    for (const node of nodes) await stopNode(node);
    const [page, ...calls] = await Promise.all([ask('/events'), ask('/api/faq'), ask('/api/faq', 'POST')]);
    for (const call of calls) {
      expect([call.status, call.headers.get('retry-after')]).toEqual([503, '1']);
      expect(call.headers.get('content-type')).toBe('application/problem+json');
      expect(await call.json()).toEqual(problemBody('unavailable', { retryAfterSeconds: 1 }));
    }
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
    expect(page.headers.get('content-type')).not.toBe('application/problem+json');
  });

  test.runIf(program)('waits for an answer for a while, but cuts neither uploads nor sockets', async () => {
    await begin(5);
    const upload = request(`http://127.0.0.1:${port}/api/upload`, { method: 'POST' });
    const uploaded = once(upload, 'response') as Promise<[IncomingMessage]>;
    uploaded.catch(() => {});
    upload.write('the first half');
    const socket = new WebSocket(addressOf(ROOMS[0]!, PATHS[0]!));
    waiting.push({ destroy: () => socket.terminate() });
    await once(socket, 'open');

    // Begun later than both.
    const hung = await ask('/api/hangs', 'POST');
    expect([hung.status, hung.headers.get('retry-after')]).toEqual([503, '1']);
    expect(nodes.flatMap(({ done }) => done)).toEqual(['/api/hangs']);

    upload.end('the second half');
    const [answer] = await uploaded;
    expect(answer.statusCode).toBe(200);
    answer.resume();
    socket.send('still there');
    expect(String((await once(socket, 'message'))[0])).toBe('still there');
  });
});

test.runIf(caddy)('Caddy says which node does not take people', async () => {
  running.push(await startCaddy(siteOf()));
  await expect.poll(() => asked('/'), { timeout: 30_000 }).not.toBe('');
  await stopNode(nodes[0]!);
  const healthLines = () =>
    running[0]!
      .output()
      .split('\n')
      .filter((line) => line.includes('health_checker'))
      .join('\n');
  await expect.poll(healthLines, { timeout: 30_000 }).toContain(`127.0.0.1:${ports[0]}`);
});
