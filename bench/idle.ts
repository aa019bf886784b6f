/**
 * The server, with the demo practice, while nobody uses it. Measures how long a start takes until /readyz, its memory
 * after a minute, and its share of a core over the next one. Compares them with a bare Fastify. See README.md.
 *
 * Settings: BENCH_ROUNDS (3), BENCH_SETTLE_SECONDS (60), BENCH_IDLE_SECONDS (60), BENCH_STARTS (5 of each kind in a
 * round; one first start).
 */
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAIN, NODE_FLAGS } from '../server/tests/support/programs/process.ts';
import { type Aim, aimRows, keep, median, round, type Row, setting, show, table } from './lib/numbers.ts';
import {
  buildIfChanged,
  cpuMs,
  family,
  freePort,
  needLinux,
  program,
  rssBytes,
  sleep,
  startProgram,
  type Started,
  tempFolder,
  until,
} from './lib/service/processes.ts';

const ROUNDS = Math.round(setting('BENCH_ROUNDS', 3));
const SETTLE_SECONDS = setting('BENCH_SETTLE_SECONDS', 60);
const IDLE_SECONDS = setting('BENCH_IDLE_SECONDS', 60);
const STARTS = Math.round(setting('BENCH_STARTS', 5));
const LOOK_EVERY_MS = 5;
const START_WITHIN_MS = 120_000;
/** The targets. */
const RSS_MAX_MB = 150;
const IDLE_MAX_PERCENT = 1;
const START_MAX_MS = 1500;

const HELLO = fileURLToPath(new URL('./peers/plain-hello.ts', import.meta.url));
const START = fileURLToPath(new URL('../tools/start.mjs', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Start {
  readonly ms: number;
  /** CPU until then, ms: of the program, and of PostgreSQL's processes. */
  readonly cpu: number;
  readonly database: number;
}

interface Running {
  readonly started: Started;
  readonly start: Start;
}

interface Idle {
  readonly rssMB: number;
  readonly databaseMB: number;
  /** Shares of a core, %. */
  readonly percent: number;
  readonly databasePercent: number;
}

/** The sum over a program's Node processes, or over the others: PostgreSQL, and the shell that watches it. */
function sumOf(pid: number, database: boolean, read: (pid: number) => number): number {
  let sum = 0;
  for (const one of family(pid)) {
    try {
      const isNode = basename(readlinkSync(`/proc/${one}/exe`)) === basename(process.execPath);
      if (isNode !== database) sum += read(one);
    } catch {
      // The process has just ended.
    }
  }
  return sum;
}

/** Starts a program with Node, and waits until it answers 2xx at a path. */
async function startMeasured(args: readonly string[], path: string, env: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const from = performance.now();
  const started = startProgram(process.execPath, [...args], { cwd: ROOT, env: { PORT: String(port), ...env } });
  await until(
    'the start',
    () => {
      if (started.child.exitCode !== null) throw new Error(`the server ended:\n${started.output()}`);
      return fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    START_WITHIN_MS,
    LOOK_EVERY_MS,
  );
  const ms = performance.now() - from;
  const cpu = sumOf(started.pid, false, cpuMs);
  return { started, start: { ms, cpu, database: sumOf(started.pid, true, cpuMs) } };
}

/** As for an operator who has set nothing; the demo practice is created at the first start. */
const settings = (dataDir: string) => ({
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  DEMO: '1',
  LOG_LEVEL: 'warn',
  NODE_ENV: '',
});
const server = (dataDir: string) => startMeasured([...NODE_FLAGS, MAIN], '/readyz', settings(dataDir));
const whole = (dataDir: string) => startMeasured([...NODE_FLAGS, START], '/readyz', settings(dataDir));
const hello = () => startMeasured([HELLO], '/', { NODE_ENV: 'production' });

/** Waits until they have settled, and then measures for a while, all of them at the same time. */
async function measureIdle(running: readonly Started[]): Promise<Idle[]> {
  await sleep(SETTLE_SECONDS * 1000);
  const read = () => running.map(({ pid }) => ({ own: sumOf(pid, false, cpuMs), database: sumOf(pid, true, cpuMs) }));
  const memory = running.map(({ pid }) => ({
    own: sumOf(pid, false, rssBytes),
    database: sumOf(pid, true, rssBytes),
  }));
  const before = read();
  const from = performance.now();
  await sleep(IDLE_SECONDS * 1000);
  const after = read();
  const share = (ms: number) => (ms / (performance.now() - from)) * 100;
  return running.map((_, index) => ({
    rssMB: memory[index]!.own / 1e6,
    databaseMB: memory[index]!.database / 1e6,
    percent: share(after[index]!.own - before[index]!.own),
    databasePercent: share(after[index]!.database - before[index]!.database),
  }));
}

await program(async () => {
  needLinux();
  await buildIfChanged('web', 'server');
  const starts = {
    first: [] as Start[],
    again: [] as Start[],
    whole: [] as Start[],
    hello: [] as Start[],
  };
  const idle = { server: [] as Idle[], hello: [] as Idle[] };
  const onceOnly = async (starting: Promise<Running>, into: Start[] | null): Promise<void> => {
    const { started, start } = await starting;
    into?.push(start);
    await started.stop();
  };
  // One start that does not count: Node keeps the compiled code for the next ones.
  const warm = await tempFolder('idle');
  await onceOnly(server(warm), null);
  await onceOnly(whole(warm), null);
  for (let number = 0; number < ROUNDS; number++) {
    const dataDir = await tempFolder('idle');
    await onceOnly(server(dataDir), starts.first);
    for (let start = 0; start < STARTS; start++) {
      const turns = [
        () => onceOnly(server(dataDir), starts.again),
        () => onceOnly(whole(dataDir), starts.whole),
        () => onceOnly(hello(), starts.hello),
      ];
      for (const turn of start % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    const running = [await server(dataDir), await hello()];
    const [ofServer, ofHello] = await measureIdle(running.map(({ started }) => started));
    idle.server.push(ofServer!);
    idle.hello.push(ofHello!);
    for (const { started } of running) await started.stop();
    console.log(
      [
        `round ${number + 1}: ${show(ofServer!.rssMB, 0)} MB`,
        `${show(ofServer!.percent)} % of a core`,
        `start ${show(median(starts.whole.map(({ ms }) => ms)), 0)} ms`,
      ].join(', '),
    );
  }

  const of = (list: readonly Start[], read: (start: Start) => number) => median(list.map(read));
  const ofIdle = (list: readonly Idle[], read: (one: Idle) => number) => median(list.map(read));
  const startRow = (what: string, list: readonly Start[]): Row => ({
    'Start until /readyz': what,
    starts: list.length,
    'p50 ms': show(
      of(list, ({ ms }) => ms),
      0,
    ),
    'slowest ms': show(Math.max(...list.map(({ ms }) => ms)), 0),
    'CPU ms': show(
      of(list, ({ cpu }) => cpu),
      0,
    ),
    'PostgreSQL CPU ms': show(
      of(list, ({ database }) => database),
      0,
    ),
  });
  const idleRow = (what: string, list: readonly Idle[]): Row => ({
    [`After ${SETTLE_SECONDS} s`]: what,
    'RSS MB': show(
      ofIdle(list, ({ rssMB }) => rssMB),
      1,
    ),
    '% of a core': show(ofIdle(list, ({ percent }) => percent)),
    'PostgreSQL RSS MB': show(
      ofIdle(list, ({ databaseMB }) => databaseMB),
      1,
    ),
    'PostgreSQL % of a core': show(ofIdle(list, ({ databasePercent }) => databasePercent)),
  });
  const rss = ofIdle(idle.server, ({ rssMB }) => rssMB);
  const percent = ofIdle(idle.server, (one) => one.percent);
  const startAim = (what: string, list: readonly Start[]): Aim => {
    const ms = of(list, (start) => start.ms);
    return {
      what,
      aim: `≤ ${START_MAX_MS / 1000} s`,
      measured: `${show(ms / 1000)} s (${show(of(list, ({ cpu }) => cpu) / 1000)} s of CPU)`,
      reached: ms <= START_MAX_MS,
    };
  };
  const aims: Aim[] = [
    {
      what: `memory after ${SETTLE_SECONDS} s, PostgreSQL apart`,
      aim: `≤ ${RSS_MAX_MB} MB`,
      measured: `${show(rss, 1)} MB`,
      reached: rss <= RSS_MAX_MB,
    },
    {
      what: 'share of a core while nobody is there',
      aim: `< ${IDLE_MAX_PERCENT} %`,
      measured: `${show(percent)} %`,
      reached: percent < IDLE_MAX_PERCENT,
    },
    startAim('start as `npm start` does, data there', starts.whole),
    startAim('start of the server alone, data there', starts.again),
    startAim('first start of the server alone, on an empty folder', starts.first),
  ];
  await keep(
    'idle',
    'The idle server',
    [
      [
        `The real server with the demo practice, its own PostgreSQL and the built web; code is compiled already, as`,
        `after any earlier start. Times are from starting the process to the first 2xx of /readyz, asked every`,
        `${LOOK_EVERY_MS} ms; starts of all kinds in turns, medians. CPU is that of the program’s processes until`,
        `then. The bare Fastify answers a constant and shows what the machine gives.`,
      ].join(' '),
      table([
        startRow('tools/start.mjs, data there', starts.whole),
        startRow('server alone, data there', starts.again),
        startRow('server alone, empty folder', starts.first),
        startRow('Fastify, hello', starts.hello),
      ]),
      [
        `Memory ${SETTLE_SECONDS} s after a start, then CPU over ${IDLE_SECONDS} s; both programs at the same time,`,
        `${ROUNDS} rounds, medians. Memory that PostgreSQL’s processes share is counted for each of them.`,
      ].join(' '),
      table([idleRow('Fieldroom', idle.server), idleRow('Fastify, hello', idle.hello)]),
      table(aimRows(aims)),
    ],
    {
      rounds: ROUNDS,
      settleSeconds: SETTLE_SECONDS,
      idleSeconds: IDLE_SECONDS,
      starts: Object.fromEntries(
        Object.entries(starts).map(([kind, list]) => [
          kind,
          list.map(({ ms, cpu, database }) => ({ ms: round(ms, 0), cpu, database })),
        ]),
      ),
      idle,
      aims,
    },
  );
});
