/**
 * The proxies of `deploy` before two nodes: sockets of one room come to one node, calls to any, and nothing to a node
 * that is gone. The nodes answer with their name.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOCKET_PATHS, socketAddress } from '@fieldroom/contract/realtime';
import { VIDEO_PATH } from '@fieldroom/contract/video';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findProgram } from '../../src/features/video/video.fixture.ts';
import { freePort, type Started, startProcess } from '../support/programs/process.ts';

const DEPLOY = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const PATHS = [...SOCKET_PATHS, VIDEO_PATH];
/** Enough that both nodes get some, by whatever the proxies compute of a number. */
const ROOMS = Array.from({ length: 20 }, (_, index) => index + 1);

const caddy = findProgram('/usr/bin/caddy', 'caddy', 'deploy/caddy is not tested.');
const nginx = findProgram('/usr/sbin/nginx', 'nginx-light', 'deploy/nginx is not tested.');

interface Node {
  readonly name: string;
  readonly port: number;
  readonly server: Server;
}

async function startNode(name: string): Promise<Node> {
  const server = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { name, port: (server.address() as AddressInfo).port, server };
}
async function stopNode({ server }: Node): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

let folder: string;
let port: number;
let nodes: Node[];
let proxy: Started | null;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-proxy-'));
  port = await freePort();
  nodes = [await startNode('one'), await startNode('two')];
  proxy = null;
});
afterEach(async () => {
  await proxy?.stop();
  for (const node of nodes) await stopNode(node);
  await rm(folder, { recursive: true, force: true });
});

async function startCaddy(): Promise<Started> {
  const env = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    UPSTREAM: nodes.map((node) => `127.0.0.1:${node.port}`).join(' '),
    // Its own files and its own control.
    ...{ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, CADDY_ADMIN: `127.0.0.1:${await freePort()}` },
  };
  return startProcess(caddy!, ['run', '--adapter', 'caddyfile', '--config', path.join(DEPLOY, 'caddy/Caddyfile')], {
    env,
  });
}

/** The file as it is but for ports, nodes and certificates, which are another machine's. */
async function startNginx(): Promise<Started> {
  const servers = nodes.map((node) => `server 127.0.0.1:${node.port} max_fails=1 fail_timeout=1s;`).join(' ');
  const site = readFileSync(path.join(DEPLOY, 'nginx/fieldroom.conf'), 'utf8')
    .replaceAll('server 127.0.0.1:8080;', servers)
    .replace(/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`)
    .replace(/listen 80;/, `listen 127.0.0.1:${await freePort()};`)
    .replaceAll(/^ *(?:listen \[::\].*|ssl_.*)$/gm, '');
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  const file = path.join(folder, 'nginx.conf');
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${own} ${site} }`,
  );
  return startProcess(nginx!, ['-c', file, '-e', 'stderr']);
}

/** Which node answers; an empty text while the proxy does not. */
const asked = (address: string) =>
  fetch(address).then(
    (answer) => (answer.ok ? answer.text() : ''),
    () => '',
  );
/** Which node a socket of the room would come to: the proxies choose before they see what is asked. */
const nodeOf = (room: number, socket: string) =>
  asked(socketAddress({ protocol: 'http:', host: `127.0.0.1:${port}` }, socket, room).replace(/^ws/, 'http'));
const nodesOf = (socket: string) => Promise.all(ROOMS.map((room) => nodeOf(room, socket)));

describe.each([
  ['Caddy', caddy, startCaddy],
  ['nginx', nginx, startNginx],
])('%s', (_, program, start) => {
  test.runIf(program)(
    'leads all sockets of a room to one node, and those of a node that is gone to the other',
    async () => {
      proxy = await start();
      await expect.poll(() => asked(`http://127.0.0.1:${port}/`), { timeout: 30_000 }).not.toBe('');
      for (const socket of PATHS) {
        const first = await nodesOf(socket);
        expect(new Set(first), socket).toEqual(new Set(['one', 'two']));
        // Calls in between, which are shared out otherwise, change nothing.
        await Promise.all(ROOMS.map(() => asked(`http://127.0.0.1:${port}/api/faq`)));
        // Nor does one more socket, by which nodes that take turns would be the other way round.
        await nodeOf(ROOMS[0]!, socket);
        expect(await nodesOf(socket)).toEqual(first);
      }
      const calls = new Set<string>();
      await expect.poll(async () => calls.add(await asked(`http://127.0.0.1:${port}/api/faq`)).size).toBe(2);

      await stopNode(nodes[0]!);
      for (const room of ROOMS) expect(await nodeOf(room, PATHS[0]!)).toBe('two');
    },
  );
});
