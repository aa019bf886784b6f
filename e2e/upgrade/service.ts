/**
 * What every upgrade uses: PostgreSQL and Redis of its own, a mail server, a balancer, and nodes of both versions. The
 * pages come from the balancer, and are judged as in journeys.
 */
import { chmod, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { startEmbeddedPostgres } from '../../server/src/platform/db/embedded-postgres.ts';
import { createLog } from '../../server/src/platform/monitoring/log.ts';
import { copyDatabase } from '../../server/tests/support/database.ts';
import { fakeSmtp } from '../../server/tests/support/programs/fake-smtp.ts';
import { freePort, startProcess } from '../../server/tests/support/programs/process.ts';
import { findRedis, redisArguments } from '../../server/tests/support/programs/redis-program.ts';
import { throwawayFolder } from '../../server/tests/support/programs/throwaway-folder.ts';
import { until } from '../browsers/page.ts';
import { expect, test as base, type Visitor } from '../journey.ts';
import type { Email, RunningServer } from '../server.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Node, olderHasNodes, olderKeepsScripts, startNode, startVersion, type Version } from './versions.ts';

/** How often an open page asks whether there is a newer web, and how often it does so here. In ms. */
const ASKS = { each: 10 * 60_000, here: 1000 };

/** What Chromium says where a page of a version that kept its scripts for nobody wants one that it has not loaded. */
const SCRIPT_GONE =
  /\/assets\/\S+ because its MIME type \('application\/problem\+json'\)|Failed to fetch dynamically imported module/;

export interface Service {
  readonly balancer: Balancer;
  /** Starts one more node of a version, on the same database. */
  start(version: Version): Promise<Node>;
  /** Starts a version that has to end by itself. Returns what it wrote. */
  refused(version: Version): Promise<string>;
}

interface Fixtures {
  /** Whether the nodes share PostgreSQL and Redis; otherwise the one node has its own PostgreSQL in `DATA_DIR`. */
  several: boolean;
  service: Service;
}

export const test = base.extend<Fixtures>({
  several: [true, { option: true }],
  service: [
    async ({ several }, use, info) => {
      const ends: (() => Promise<unknown>)[] = [];
      const nodes: { output(): string; stop(signal: NodeJS.Signals): Promise<void> }[] = [];
      try {
        const dataDir = await throwawayFolder('fieldroom-upgrade-');
        ends.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 }));
        const balancer = await startBalancer();
        ends.push(balancer.close);
        const smtp = await fakeSmtp();
        ends.push(smtp.close);
        const settings = {
          DATA_DIR: dataDir,
          PUBLIC_URL: balancer.url,
          SMTP_URL: smtp.url,
          MAIL_FROM: 'Fieldroom <no-reply@practice.example>',
          // All bookings come from one network address.
          ...{ LIMIT_BOOKING: '100/10m', LIMIT_OPEN_HOLDS: '100/10m' },
          ...(several ? { ...(await database(ends)), ...(await redis(ends)) } : {}),
        };
        emails.set(balancer.url, () =>
          smtp.received.map(({ to, mail }) => ({
            id: mail.messageId ?? '',
            to: to.join(', '),
            subject: mail.subject ?? '',
            text: mail.text ?? '',
            html: mail.html ?? '',
            createdAt: mail.date ?? '',
          })),
        );
        await use({
          balancer,
          async start(version) {
            const node = await startNode(version, settings);
            nodes.push(node);
            return node;
          },
          async refused(version) {
            const { started } = await startVersion(version, settings);
            nodes.push(started);
            if (started.child.exitCode === null) await once(started.child, 'exit');
            return started.output();
          },
        });
        if (info.status !== info.expectedStatus)
          for (const [at, node] of nodes.entries())
            await info.attach(`node-${at}.log`, { body: node.output(), contentType: 'text/plain' });
      } finally {
        for (const node of nodes) await node.stop('SIGKILL');
        for (const end of ends.toReversed()) await end();
      }
    },
    { timeout: 180_000 },
  ],
  /** For the actions of journeys: they ask it for its address and its emails alone. */
  server: async ({ service }, use) => {
    const { url } = service.balancer;
    const unused = () => Promise.reject(new Error('A scenario starts and stops its nodes itself.'));
    const server: RunningServer = {
      url,
      emails: (to) => Promise.resolve(emails.get(url)!().filter((email) => to === undefined || email.to.includes(to))),
      // Nodes come and go all the time.
      wasDown: () => true,
      output: () => '',
      signal: () => undefined,
      ...{ start: unused, stop: unused, kill: unused, remove: unused, leave: unused },
    };
    await use(server);
  },
  visit: async ({ visit }, use) => {
    const visitors: Visitor[] = [];
    await use(async (options) => {
      const visitor = await visit(options);
      visitors.push(visitor);
      await visitor.page.addInitScript(({ each, here }) => {
        const { setInterval: original } = window;
        window.setInterval = ((handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
          original(handler, ms === each ? here : ms, ...rest)) as typeof setInterval;
        const Socket = window.WebSocket;
        window.WebSocket = class extends Socket {
          constructor(...args: ConstructorParameters<typeof Socket>) {
            super(...args);
            Object.assign(window, { lastSocket: this });
          }
        };
      }, ASKS);
      return visitor;
    });
    if (!olderKeepsScripts())
      for (const { errors } of visitors)
        errors.splice(0, errors.length, ...errors.filter((error) => !SCRIPT_GONE.test(error)));
  },
});

/** Why the two versions cannot run side by side, or null. */
export function withoutNodes(): string | null {
  if (!olderHasNodes()) return 'the older version is from before several nodes';
  return findRedis() === undefined ? 'there is no Redis on this machine' : null;
}

/** What the mail server of each service has taken, by the service's address. */
const emails = new Map<string, () => Email[]>();

/** Starts PostgreSQL with an empty database. */
async function database(ends: (() => Promise<unknown>)[]): Promise<{ DATABASE_URL: string }> {
  const dataDir = await throwawayFolder('fieldroom-upgrade-');
  ends.push(() => rm(dataDir, { recursive: true, force: true }));
  // PostgreSQL does not run as root; its own user must be able to enter.
  await chmod(dataDir, 0o755);
  const log = createLog({ logLevel: 'error', production: false });
  const server = await startEmbeddedPostgres({ dataDir, log, fast: true });
  ends.push(async () => {
    await server.stop();
    await rm(server.clusterDir, { recursive: true, force: true });
  });
  const { connectionString } = server;
  return { DATABASE_URL: (await copyDatabase({ connectionString, template: 'template1' })).connectionString };
}

/** Starts Redis, which keeps nothing. */
async function redis(ends: (() => Promise<unknown>)[]): Promise<{ REDIS_URL: string }> {
  const program = findRedis();
  if (program === undefined) throw new Error('There is no Redis on this machine.');
  const port = await freePort();
  const started = startProcess(program, redisArguments(port));
  ends.push(() => started.stop('SIGKILL'));
  await until('Redis to listen', async () => {
    const socket = connect(port, '127.0.0.1');
    const listens = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error')]).catch(
      () => false,
    );
    socket.destroy();
    return listens === true;
  });
  return { REDIS_URL: `redis://127.0.0.1:${port}` };
}

/** Waits until so many sockets are open at a node, and none at the others. */
export const expectSocketsAt = (service: Service, node: Node, count: number, ...others: readonly Node[]) =>
  expect
    .poll(() => [node, ...others].map(({ port }) => service.balancer.socketsAt(port)), {
      message: `${count} pages are connected to the ${node.version} node`,
    })
    .toEqual([count, ...others.map(() => 0)]);

/**
 * Stops a node as an operator does: people who come back to it before the balancer has noticed are refused, and led to
 * the other node afterwards.
 */
export async function drain(service: Service, leaving: Node, next: Node): Promise<void> {
  const ended = leaving.stop('SIGTERM');
  await expect
    .poll(
      () =>
        fetch(`${leaving.url}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      {
        message: 'the node that stops takes nobody',
        intervals: [50],
      },
    )
    .not.toBe(200);
  service.balancer.routeTo(next.port);
  await ended;
  expect(leaving.child.exitCode, `the ${leaving.version} node has stopped by itself`).toBe(0);
}
