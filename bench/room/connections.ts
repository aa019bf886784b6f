/**
 * Memory of an idle connection: 5,000 of them (own destination and room subscribed) on our broker, compared with a bare
 * `ws` server and socket.io. With BENCH_PRODUCT=1 instead 10,000 people in 400 rooms on one node of the product, and
 * whether an act still arrives. See README.md.
 *
 * Settings: BENCH_CONNECTIONS (5000; 10000 on the product), BENCH_ROUNDS (3), BENCH_IDLE_SECONDS (30, on the product),
 * BENCH_ACTS (100, on the product).
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ActingRoom, openActingRoom } from '../lib/room/acting-room.ts';
import { PEOPLE } from '../lib/room/crowd.ts';
import { type BenchDatabase, signInTherapists, startDatabase } from '../lib/service/database.ts';
import { startFieldroom, type Therapist } from '../lib/service/fieldroom.ts';
import { loopback } from '../lib/http.ts';
import { readMetric } from '../lib/service/nodes.ts';
import { openWebSocket } from '../lib/room/websocket.ts';
import {
  type Aim,
  aimRows,
  keep,
  kilobytes,
  median,
  percentile,
  type Row,
  round,
  setting,
  show,
  table,
} from '../lib/numbers.ts';
import {
  cpuMs,
  mapInParallel,
  needLinux,
  openFilesLimit,
  program,
  rssBytes,
  sleep,
  startNode,
  type Started,
} from '../lib/service/processes.ts';
import { openStomp } from '../lib/room/stomp.ts';
import { portOf } from '../peers/contenders.ts';

/** Measures the product instead of its broker. */
const OF_PRODUCT = process.env['BENCH_PRODUCT'] === '1';
const WANTED = setting('BENCH_CONNECTIONS', OF_PRODUCT ? 10_000 : 5000);
const ROUNDS = setting('BENCH_ROUNDS', 3);
const IDLE_SECONDS = setting('BENCH_IDLE_SECONDS', 30);
const ACTS = Math.round(setting('BENCH_ACTS', 100));
const AIM_BYTES = 15_000;
/** The number of connections that are opened at a time. */
const WIDTH = 50;
/** Open files of a server and of the benchmark that are not connections. */
const OTHER_FILES = 200;
/** The number of the product's rooms that are filled at a time. */
const FILLED_AT_ONCE = 2;
/** The number of the product's rooms that do not count, because they load code and fill pools that all share. */
const WARM_ROOMS = 8;
const COLLECT_GARBAGE = new URL('../peers/collect-garbage.ts', import.meta.url).href;

interface Kind {
  name: string;
  file: string;
  open(port: number, number: number): Promise<{ close(): void }>;
}

const nothing = () => undefined;
const kinds: Kind[] = [
  {
    name: 'ws, bare',
    file: '../peers/ws-host.ts',
    open: (port) => openWebSocket({ port, path: '/', onMessage: nothing }),
  },
  {
    name: 'Fieldroom’s broker',
    file: './broker-host.ts',
    async open(port, number) {
      const { socket, subscribe } = await openStomp({
        port,
        path: '/socket/websocket',
        headers: { login: String(number), passcode: 'guest' },
        onBody: nothing,
      });
      await subscribe('own', `/sb/user/only/${number}`);
      await subscribe('room', `/sb/user/${Math.floor(number / 25)}`);
      return socket;
    },
  },
  {
    name: 'socket.io',
    file: '../peers/socketio-host.ts',
    async open(port, number) {
      let connected = nothing as () => void;
      const up = new Promise<void>((resolve) => {
        connected = resolve;
      });
      const socket = await openWebSocket({
        port,
        path: `/socket.io/?EIO=4&transport=websocket&room=${Math.floor(number / 25)}&person=${number}`,
        onMessage(payload) {
          if (payload[0] === 50) socket.send('3');
          else if (payload[0] === 52 && payload[1] === 48) connected();
        },
      });
      socket.send('40');
      await up;
      return socket;
    },
  },
];

/** RSS after garbage collection: the minimum of several readings, 0.4 s apart. */
async function settledRss(started: Started): Promise<number> {
  let least = Infinity;
  for (let reading = 0; reading < 5; reading++) {
    const done = once(started.child, 'message');
    started.child.send('gc');
    await done;
    await sleep(400);
    least = Math.min(least, rssBytes(started.pid));
  }
  return least;
}

/** Bytes of RSS for each connection. Takes the number to open. */
async function measure(kind: Kind, many: number): Promise<number> {
  const started = startNode(fileURLToPath(new URL(kind.file, import.meta.url)), ['plain'], {
    nodeFlags: ['--expose-gc'],
    ipc: true,
    env: { NODE_ENV: 'production' },
  });
  const port = await portOf(started);
  // The first connections also load code and fill pools that all share, so they do not count.
  const warm = await Promise.all(Array.from({ length: 25 }, (_, index) => kind.open(port, 1_000_000 + index)));
  const before = await settledRss(started);
  const open: { close(): void }[] = [];
  for (let number = 0; number < many; number += WIDTH)
    open.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(WIDTH, many - number) }, (_, index) => kind.open(port, number + index)),
      )),
    );
  await sleep(1000);
  const after = await settledRss(started);
  for (const connection of [...open, ...warm]) connection.close();
  await started.stop();
  return (after - before) / many;
}

/** Compares our broker with other servers. Takes the number of connections to open, and the maximum number of open
 * files. */
async function compareBrokers(many: number, limit: number): Promise<void> {
  const results = new Map<string, number[]>(kinds.map(({ name }) => [name, []]));
  for (let number = 0; number < ROUNDS; number++) {
    for (let index = 0; index < kinds.length; index++) {
      const kind = kinds[(index + number) % kinds.length]!;
      const bytes = await measure(kind, many);
      results.get(kind.name)!.push(bytes);
      console.log(`round ${number + 1}, ${kind.name}: ${kilobytes(bytes)} kB a connection`);
    }
  }
  const medians = kinds.map(({ name }) => ({ name, bytes: median(results.get(name)!) }));
  const bare = medians[0]!.bytes;
  const ours = medians[1]!.bytes;
  const rows = medians.map(({ name, bytes }): Row => ({
    Server: name,
    'kB a connection': kilobytes(bytes),
    'above bare ws kB': kilobytes(bytes - bare),
    '÷ bare ws': show(bytes / bare),
  }));
  const aims = [
    {
      what: 'above bare ws',
      aim: '≤ 15 kB',
      measured: `${kilobytes(ours - bare)} kB`,
      reached: ours - bare <= AIM_BYTES,
    },
  ];
  await keep(
    'connections',
    'Memory of an idle connection',
    [
      [
        `${many} idle connections, own destination and room subscribed, 25 people a room; ${ROUNDS} alternating`,
        `rounds, each with a fresh process; RSS after garbage collection, medians. Maximum of open files here:`,
        `${limit}; each end of a connection is one. Our broker runs in a small host with the product’s bus and limits`,
        `and a login without a database, so a person’s record in the product (about one small object) is not included.`,
        `Memory of the kernel’s sockets is the same for all and not part of RSS.`,
      ].join(' '),
      table(rows),
      table(aimRows(aims)),
    ],
    {
      connections: many,
      openFiles: limit,
      rounds: ROUNDS,
      medians: medians.map(({ name, bytes }) => ({ name, bytesPerConnection: round(bytes, 0) })),
      everyRound: Object.fromEntries(results),
      aims,
    },
  );
}

interface OnProduct {
  bytes: number;
  /** Seconds in which everybody entered, was admitted and connected. */
  openedSeconds: number;
  /** Connections that the server counts when all are open. */
  connections: number;
  /** Share of a core that the server takes while everybody is idle. */
  idleLoad: number;
  /** From the moment when the therapist sends an act until a client has it, ms. */
  times: number[];
  complaints: string[];
}

/** People in the rooms of these therapists, on a fresh process of the product. */
async function measureProduct(database: BenchDatabase, therapists: readonly Therapist[]): Promise<OnProduct> {
  const server = await startFieldroom(
    { DEMO: '0', DATABASE_URL: database.connectionString },
    ['--expose-gc', '--import', COLLECT_GARBAGE],
    { ipc: true },
  );
  const { started } = server;
  const open = (some: readonly Therapist[], from: number): Promise<ActingRoom[]> =>
    mapInParallel(
      some.map((therapist, index) => ({ therapist, first: (from + index) * PEOPLE })),
      FILLED_AT_ONCE,
      ({ therapist, first }) =>
        openActingRoom({
          ...{ therapist, clients: PEOPLE - 1, node: server },
          // From their own address block, like real people.
          addressOf: (person) => loopback(first + person),
        }),
    );
  const rooms = await open(therapists.slice(0, WARM_ROOMS), 0);
  const before = await settledRss(started);
  const from = performance.now();
  rooms.push(...(await open(therapists.slice(WARM_ROOMS), WARM_ROOMS)));
  const openedSeconds = (performance.now() - from) / 1000;
  await sleep(1000);
  const after = await settledRss(started);
  const connections = await readMetric(server, 'stomp_connections');

  const idleFrom = { at: performance.now(), cpu: cpuMs(started.pid) };
  await sleep(IDLE_SECONDS * 1000);
  const idleLoad = (cpuMs(started.pid) - idleFrom.cpu) / (performance.now() - idleFrom.at);

  const times: number[] = [];
  // In rooms far apart in the list, so that each act is in a different one.
  for (let act = 0; act < ACTS; act++)
    for (const time of await rooms[Math.floor((act * rooms.length) / ACTS)]!.act()) times.push(time);
  const complaints = rooms.flatMap((room) => room.complaints);
  for (const room of rooms) room.close();
  await server.stop();
  const bytes = (after - before) / ((therapists.length - WARM_ROOMS) * PEOPLE);
  return { bytes, openedSeconds, connections, idleLoad, times, complaints };
}

/** People in rooms of the product, compared with a bare `ws` server. */
async function fillProduct(many: number, limit: number): Promise<void> {
  const rooms = Math.floor(many / PEOPLE);
  if (rooms <= WARM_ROOMS) throw new Error(`more than ${WARM_ROOMS * PEOPLE} connections are needed`);
  const database = await startDatabase();
  // The first start creates the tables.
  await (await startFieldroom({ DEMO: '0', DATABASE_URL: database.connectionString })).stop();
  const therapists = await signInTherapists(database.pool, rooms * ROUNDS);
  const [bare] = kinds;
  const results: OnProduct[] = [];
  const bareBytes: number[] = [];
  for (let number = 0; number < ROUNDS; number++) {
    const turns = [
      async () => void bareBytes.push(await measure(bare!, rooms * PEOPLE)),
      async () =>
        void results.push(await measureProduct(database, therapists.slice(number * rooms, (number + 1) * rooms))),
    ];
    for (const turn of number % 2 === 0 ? turns : turns.toReversed()) await turn();
    const { bytes, connections, complaints } = results.at(-1)!;
    console.log(
      [
        `round ${number + 1}: ${connections} connections, ${kilobytes(bytes)} kB each`,
        `bare ws ${kilobytes(bareBytes.at(-1)!)} kB`,
        ...new Set(complaints),
      ].join(', '),
    );
  }
  await database.stop();

  const of = (read: (result: OnProduct) => number) => median(results.map(read));
  const bytes = of((result) => result.bytes);
  const least = Math.min(...results.map(({ connections }) => connections));
  const complaints = [...new Set(results.flatMap((result) => result.complaints))];
  const rows: Row[] = [
    {
      Server: 'Fieldroom',
      connections: least,
      'kB a connection': kilobytes(bytes),
      '÷ bare ws': show(bytes / median(bareBytes)),
      'opened in s': show(of(({ openedSeconds }) => openedSeconds)),
      'idle % of a core': show(of(({ idleLoad }) => idleLoad) * 100, 1),
      'act p50 ms': show(of(({ times }) => percentile(times, 0.5))),
      'act p99 ms': show(of(({ times }) => percentile(times, 0.99))),
    },
    {
      Server: 'ws, bare',
      connections: rooms * PEOPLE,
      'kB a connection': kilobytes(median(bareBytes)),
      '÷ bare ws': show(1),
      ...{ 'opened in s': '–', 'idle % of a core': '–', 'act p50 ms': '–', 'act p99 ms': '–' },
    },
  ];
  const expected = ACTS * (PEOPLE - 1);
  const arrived = Math.min(...results.map(({ times }) => times.length));
  const aims: Aim[] = [
    {
      what: 'connections on one node',
      aim: String(WANTED),
      measured: String(least),
      reached: least >= WANTED && complaints.length === 0,
    },
    {
      what: `${ACTS} acts, to everybody else in their rooms`,
      aim: String(expected),
      measured: String(arrived),
      reached: arrived === expected,
    },
  ];
  await keep(
    'connections-product',
    'Many people on one node',
    [
      [
        `${rooms * PEOPLE} people in ${rooms} rooms of the real server, each from an address block of its own, who`,
        `entered, waited and were let in by the real calls; ${ROUNDS} alternating rounds, each with a fresh process;`,
        `RSS after garbage collection, medians. A connection’s memory includes what the product keeps of its person`,
        `and room; the first ${WARM_ROOMS} rooms do not count. Idle: ${IDLE_SECONDS} s in which nobody does anything;`,
        `the server pings every connection. Acts: one after the other in ${Math.min(ACTS, rooms)} rooms. Maximum of`,
        `open files here: ${limit}.`,
      ].join(' '),
      table(rows),
      table(aimRows(aims)),
      ...(complaints.length > 0 ? [`What went wrong: ${complaints.slice(0, 10).join(', ')}.`] : []),
    ],
    {
      connections: rooms * PEOPLE,
      openFiles: limit,
      rounds: ROUNDS,
      results: results.map(({ times, ...rest }) => ({
        ...rest,
        actP50: percentile(times, 0.5),
        actP99: percentile(times, 0.99),
      })),
      bareBytes,
      aims,
    },
  );
}

await program(async () => {
  needLinux();
  const limit = openFilesLimit();
  // Each end of a connection is an open file in its own process.
  const many = Math.min(WANTED, limit - OTHER_FILES);
  console.log(`open files allowed: ${limit}${many < WANTED ? `, so ${many} connections instead of ${WANTED}` : ''}`);
  await (OF_PRODUCT ? fillProduct : compareBrokers)(many, limit);
});
