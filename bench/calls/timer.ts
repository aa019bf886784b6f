/**
 * The timer: GET /api/timer/{userId} of a signed-in therapist and of a bare Fastify in its own process, in turns; and
 * the cost of many therapists whose timers run while nothing changes. See README.md. Settings: BENCH_SECONDS (2, of
 * each turn), BENCH_ROUNDS (5), BENCH_THERAPISTS (2000), BENCH_IDLE_SECONDS (20).
 */
import { fileURLToPath } from 'node:url';
import { openRoom } from '@fieldroom/contract/clients';
import { getTimer } from '@fieldroom/contract/usage';
import { signInTherapists, startDatabase } from '../lib/service/database.ts';
import { startFieldroom } from '../lib/service/fieldroom.ts';
import { askAll, openHttp, type HttpConnection } from '../lib/http.ts';
import { aimRows, keep, median, percentile, round, setting, show, table, nodeFlags } from '../lib/numbers.ts';
import {
  answering,
  cpuMs,
  freePort,
  mapInParallel,
  needLinux,
  program,
  sleep,
  startNode,
} from '../lib/service/processes.ts';

const SECONDS = setting('BENCH_SECONDS', 2);
const ROUNDS = setting('BENCH_ROUNDS', 5);
const THERAPISTS = setting('BENCH_THERAPISTS', 2000);
const IDLE_SECONDS = setting('BENCH_IDLE_SECONDS', 20);
const HTTP_CONNECTIONS = 4;
const OPENED_AT_ONCE = 8;

interface Measure {
  readonly rates: number[];
  readonly times: number[];
  cpu: number;
  answers: number;
}
const empty = (): Measure => ({ rates: [], times: [], cpu: 0, answers: 0 });

const get = (port: number, path: string, token?: string) =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Accept: application/json',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    '',
    '',
  ].join('\r\n');

await program(async () => {
  needLinux();
  const database = await startDatabase();
  const flags = nodeFlags();
  const server = await startFieldroom(
    { DATABASE_URL: database.connectionString, LIMIT_REQUESTS: '100000000/60' },
    flags,
  );
  const port = await freePort();
  const peer = startNode(fileURLToPath(new URL('../peers/plain-hello.ts', import.meta.url)), [], {
    env: { PORT: String(port), NODE_ENV: 'production' },
  });
  await answering(peer, `http://127.0.0.1:${port}/`);

  const therapists = await signInTherapists(database.pool, THERAPISTS);
  const { id, token } = therapists[0]!;
  await server.call(openRoom, { token });

  // ---- one call

  const timerPath = getTimer.path.replace('{userId}', String(id));
  const ways = {
    timer: { request: get(server.port, timerPath, token), pid: server.started.pid, port: server.port },
    hello: { request: get(port, '/hello'), pid: peer.pid, port },
  } as const;
  async function run(
    into: Measure,
    connections: readonly HttpConnection[],
    { request, pid }: { request: string; pid: number },
    seconds: number,
  ): Promise<void> {
    const before = cpuMs(pid);
    const end = performance.now() + seconds * 1000;
    const { ms, times, kinds } = await askAll(
      connections,
      () => (performance.now() < end ? request : null),
      (status) => String(status),
    );
    if (kinds.size !== 1 || !kinds.has('200')) throw new Error(`answers: ${[...kinds.keys()].join(', ')}`);
    into.cpu += cpuMs(pid) - before;
    into.answers += times.length;
    into.rates.push((times.length * 1000) / ms);
    for (const time of times) into.times.push(time);
  }
  const measures = { timer: empty(), hello: empty() };
  const connections = {
    timer: await Promise.all(Array.from({ length: HTTP_CONNECTIONS }, () => openHttp(server.port))),
    hello: await Promise.all(Array.from({ length: HTTP_CONNECTIONS }, () => openHttp(port))),
  };
  for (let turn = -1; turn < ROUNDS; turn++)
    for (const name of ['hello', 'timer'] as const)
      await run(turn < 0 ? empty() : measures[name], connections[name], ways[name], SECONDS);
  for (const connection of Object.values(connections).flat()) connection.close();

  // ---- many timers, and no requests

  async function idle(): Promise<{ server: number; database: number }> {
    await sleep(3000);
    const before = { server: cpuMs(server.started.pid), database: database.cpuMs() };
    await sleep(IDLE_SECONDS * 1000);
    const share = (ms: number) => (ms / (IDLE_SECONDS * 1000)) * 100;
    return {
      server: share(cpuMs(server.started.pid) - before.server),
      database: share(database.cpuMs() - before.database),
    };
  }
  const quiet = await idle();
  await mapInParallel(therapists, OPENED_AT_ONCE, ({ token: one }) => server.call(openRoom, { token: one }));
  const { rows } = await database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM usage_intervals WHERE ended_at IS NULL',
  );
  if (rows[0]!.count !== THERAPISTS) throw new Error(`${rows[0]!.count} timers run instead of ${THERAPISTS}`);
  const counting = await idle();
  await peer.stop();
  await server.stop();
  await database.stop();

  const rate = (name: 'timer' | 'hello') => median(measures[name].rates);
  const ratio = rate('timer') / rate('hello');
  const cost = counting.server - quiet.server + (counting.database - quiet.database);
  const rows2 = (['timer', 'hello'] as const).map((name) => ({
    Call: name === 'timer' ? 'GET /api/timer/{userId}' : 'Fastify, hello',
    'a second': Math.round(rate(name)),
    'p50 ms': show(percentile(measures[name].times, 0.5)),
    'p99 ms': show(percentile(measures[name].times, 0.99)),
    'CPU µs each': Math.round((measures[name].cpu * 1000) / measures[name].answers),
  }));
  const aims = [
    { what: 'Answers a second, of the bare Fastify’s', aim: '≥ 0.8', measured: show(ratio), reached: ratio >= 0.8 },
    {
      what: `${THERAPISTS} running timers, % of a core above one, server and database`,
      aim: '< 2',
      measured: show(cost),
      reached: cost < 2,
    },
  ];
  await keep(
    'timer',
    'The timer',
    [
      [
        `${HTTP_CONNECTIONS} connections request one after the other, ${ROUNDS} turns of ${SECONDS} s, medians. The timer’s answer`,
        `needs a sign-in, its access, and the check of the answer against the contract.`,
      ].join(' '),
      table(rows2),
      [
        `CPU in % of a core over ${IDLE_SECONDS} s in which nobody asks for anything, with one running timer and with`,
        `${THERAPISTS}. The server’s other sweeps are in it.`,
      ].join(' '),
      table([
        { Timers: 1, server: show(quiet.server), database: show(quiet.database) },
        { Timers: THERAPISTS, server: show(counting.server), database: show(counting.database) },
      ]),
      table(aimRows(aims)),
    ],
    {
      rounds: ROUNDS,
      rates: {
        timer: measures.timer.rates.map((one) => round(one)),
        hello: measures.hello.rates.map((one) => round(one)),
      },
      quiet,
      counting,
      aims,
    },
  );
});
