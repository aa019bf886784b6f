/**
 * Memory of an idle connection: 5,000 of them (own destination and room subscribed) on our broker, compared with a bare
 * `ws` server and socket.io. See README.md. Settings: BENCH_CONNECTIONS (5000), BENCH_ROUNDS (3).
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openWebSocket } from './lib/websocket.ts';
import { aimRows, keep, kilobytes, median, type Row, round, setting, show, table } from './lib/numbers.ts';
import { needLinux, openFilesLimit, program, rssBytes, sleep, startNode, type Started } from './lib/processes.ts';
import { openStomp } from './lib/stomp.ts';
import { portOf } from './peers/contenders.ts';

const WANTED = setting('BENCH_CONNECTIONS', 5000);
const ROUNDS = setting('BENCH_ROUNDS', 3);
const AIM_BYTES = 15_000;
/** The number of connections that are opened at a time. */
const WIDTH = 50;

interface Kind {
  name: string;
  file: string;
  open(port: number, number: number): Promise<{ close(): void }>;
}

const nothing = () => undefined;
const kinds: Kind[] = [
  {
    name: 'ws, bare',
    file: './peers/ws-host.ts',
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
    file: './peers/socketio-host.ts',
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

/** Bytes of RSS for each connection. Takes how many to open. */
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

await program(async () => {
  needLinux();
  const limit = openFilesLimit();
  // Each end of a connection is an open file in its own process.
  const many = Math.min(WANTED, limit - 200);
  console.log(`open files allowed: ${limit}${many < WANTED ? `, so ${many} connections instead of ${WANTED}` : ''}`);
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
});
