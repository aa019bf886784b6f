/**
 * The proxies of `deploy` before two real nodes: rooms, calls and uploads pass, each answer is found in a log, and
 * while one node leaves nobody loses what was confirmed. `proxies.test.ts` tries what goes wrong, on nodes made for it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { admit, enterRoom } from '@fieldroom/contract/clients';
import { SOCKET_PATHS } from '@fieldroom/contract/realtime';
import { aTherapist, type BuiltAccount } from '../../src/builders/accounts.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { aFigure } from '../../src/builders/field.builders.ts';
import { createCertificate } from '../../src/features/video/engine/transport/dtls.ts';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { METRICS_TOKEN, type TestNodes, testNodes } from '../support/nodes.ts';
import { act, change } from '../support/people/node-room.ts';
import { openClientScreen, openTherapistScreen } from '../support/people/screen.ts';
import { startTraffic, type Traffic, TRAFFIC_ENV } from '../support/people/traffic.ts';
import { aPhoto, showPicture, uploadPicture } from '../support/pictures.ts';
import { freePort, type Started } from '../support/programs/process.ts';
import { hasRedis, type TestRedis, testRedis } from '../support/programs/redis.ts';
import { caddy, nginx, type Site, startCaddy, startNginxWithTls } from '../support/programs/reverse-proxies.ts';
import { createCaller } from '../support/test-app.ts';

const WAIT = { timeout: 100_000, interval: 20 };
type NodeProcess = Awaited<ReturnType<TestNodes['startProcess']>>;

/** How many realtime connections a node has. */
async function connectionsOf(node: NodeProcess): Promise<number> {
  const answer = await node.fetch('/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  return Number(/^stomp_connections (\d+)$/m.exec(await answer.text())![1]);
}

/** The node that gave an answer: the answer's id is in its log, beside the one that the proxy gave to the call. */
async function answeredBy(nodes: readonly NodeProcess[], answer: Response): Promise<NodeProcess> {
  const id = answer.headers.get('x-request-id');
  const lineOf = (node: NodeProcess) =>
    node
      .output()
      .split('\n')
      .find((line) => line.includes(`"requestId":"${id}"`));
  const node = await vi.waitUntil(() => nodes.find((one) => lineOf(one) !== undefined), WAIT);
  // nginx' 32 digits, or Caddy's UUID.
  expect(lineOf(node)).toMatch(/"proxyId":"[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}"/);
  return node;
}

/** Both start as shipped, and only one can have TLS here (`reverse-proxies.ts`). */
const PROXIES = [
  { name: 'Caddy', program: caddy, protocol: 'http', start: startCaddy },
  {
    ...{ name: 'nginx', program: nginx, protocol: 'https' },
    start: async (site: Site) => startNginxWithTls(site, await createCertificate()),
  },
].filter(({ program }) => program !== null);

describe.skipIf(!hasRedis || PROXIES.length === 0)(`behind ${PROXIES.map(({ name }) => name).join(' and ')}`, () => {
  let redis: TestRedis;
  let ground: TestNodes;
  /** A way to the database that no node's end touches. */
  let database: Database;
  let traffic: Traffic | null = null;
  const folders: string[] = [];
  const running: Started[] = [];
  beforeAll(async () => {
    redis = await testRedis();
    ground = await testNodes(redis.url);
    database = await openDatabase(
      {
        ...{ databaseUrl: ground.env['DATABASE_URL']!, dataDir: ground.env['DATA_DIR']! },
        ...{ databaseConnections: 4, databaseTimeoutMs: 45_000 },
      },
      createLog({ logLevel: 'silent', production: true }),
    );
  });
  afterAll(async () => {
    traffic?.stop();
    for (const one of running) await one.stop();
    await database?.close();
    await ground?.close();
    await redis?.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  /** Starts each proxy before these nodes. Returns their addresses. */
  const startProxies = (nodes: readonly NodeProcess[]) =>
    Promise.all(
      PROXIES.map(async ({ protocol, start }) => {
        const folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-proxy-'));
        folders.push(folder);
        const port = await freePort();
        running.push(await start({ folder, port, nodes: nodes.map((node) => Number(new URL(node.url).port)) }));
        const url = `${protocol}://127.0.0.1:${port}`;
        const isThere = () =>
          fetch(`${url}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          );
        await vi.waitUntil(isThere, WAIT);
        return url;
      }),
    );

  /** A therapist to whose room the proxy leads on this node. */
  async function therapistOn(node: NodeProcess, nodes: readonly NodeProcess[], url: string): Promise<BuiltAccount> {
    for (;;) {
      const therapist = await aTherapist(database.db);
      const answer = await fetch(`${url}${SOCKET_PATHS[0]}?room=${therapist.id}`);
      if ((await answeredBy(nodes, answer)) === node) return therapist;
    }
  }

  /** A room with a therapist and a client, who come over one proxy. */
  async function aRoom(therapist: BuiltAccount, url: string) {
    const { id: figureId } = await aFigure(database.db, { therapistId: therapist.id, movableBy: 'everyone' });
    const screen = await openTherapistScreen(url, therapist);
    const { api } = createCaller(url);
    const { client, token } = await api(enterRoom, { body: { joinLink: therapist.joinLink, name: 'Kata' } });
    await api(admit, { body: { clientIds: [client.id] } }, { token: therapist.token });
    const page = await openClientScreen(url, { id: client.id, token, therapistId: therapist.id });
    let x = 0;
    return {
      isOpen: () => screen.isOpen() && page.isOpen(),
      async actInBothDirections() {
        x += 1;
        await change(page, await act(screen, { kind: 'place', figureId, x, y: 1 }));
        await change(screen, await act(page, { kind: 'place', figureId, x, y: 2 }));
      },
    };
  }

  /** Uploads a picture over one proxy, and has it shown over each. */
  async function uploadAndShow(nodes: readonly NodeProcess[], therapist: BuiltAccount, url: string, urls: string[]) {
    const { id } = await anEvent(database.db, { therapistId: therapist.id });
    const uploaded = await uploadPicture(createCaller(url), therapist, id, await aPhoto());
    expect(uploaded.status).toBe(200);
    await answeredBy(nodes, uploaded);
    const { fileName } = (await uploaded.json()) as { fileName: string };
    for (const at of urls) {
      const shown = await showPicture(createCaller(at), id, fileName);
      expect([shown.status, (await shown.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
      await answeredBy(nodes, shown);
    }
  }

  test('two nodes are one service, also while one of them leaves', async () => {
    const own = { NODE_ENV: 'production', TRUST_PROXY: '1', LOG_LEVEL: 'debug' };
    const start = () => ground.startProcess({ ...TRAFFIC_ENV, ...own });
    const nodes = await Promise.all([start(), start()]);
    // Nobody has signed the certificate.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const urls = await startProxies(nodes);

    traffic = await startTraffic({ db: database.db, urls: () => urls, nodesBehind: nodes.length });
    const [here, there] = [await connectionsOf(nodes[0]!), await connectionsOf(nodes[1]!)];
    const [leaving, staying] = here > there ? nodes : nodes.toReversed();
    // A room for each proxy, all of it on the node that stays.
    const rooms = await Promise.all(
      urls.map(async (url) => {
        const therapist = await therapistOn(staying!, nodes, url);
        const room = await aRoom(therapist, url);
        await room.actInBothDirections();
        await uploadAndShow(nodes, therapist, url, urls);
        return room;
      }),
    );
    expect(await connectionsOf(leaving!)).toBe(Math.max(here, there));
    const therapistsOfOther = await Promise.all(urls.map((url) => therapistOn(leaving!, nodes, url)));

    await traffic.goOnFor(2);
    const stopping = leaving!.stop();
    await vi.waitUntil(() => traffic!.lost() > 0, WAIT);
    for (const room of rooms) await room.actInBothDirections();
    await stopping;
    expect(leaving!.child.exitCode).toBe(0);
    // Traffic could come over the other proxy alone. Each leads the rooms of the node that is gone to the other.
    await Promise.all(
      urls.map(async (url, n) => {
        const room = await vi.waitUntil(() => aRoom(therapistsOfOther[n]!, url).catch(() => null), WAIT);
        await room.actInBothDirections();
      }),
    );
    await traffic.goOnFor(2);
    for (const room of rooms) await room.actInBothDirections();
    await traffic.settle();
    expect(rooms.map((room) => room.isOpen())).toEqual(rooms.map(() => true));
  });
});
