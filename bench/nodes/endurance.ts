/**
 * Half an hour of everything at once on two nodes with Redis and PostgreSQL: rooms, bookings, emails, uploads, sign-ins
 * and video. At the end everybody leaves, and both nodes must hold what they held before. See README.md.
 *
 * Settings: BENCH_MINUTES (30), BENCH_WARM_MINUTES (3, before the start is measured), BENCH_ROOMS (6), BENCH_CLIENTS (7
 * in each room), BENCH_BOOKERS (4), BENCH_RESULT (name of the result, `endurance`; empty writes none).
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as passed } from 'node:timers/promises';
import { logout } from '@fieldroom/contract/accounts';
import { publicEvent } from '@fieldroom/contract/events';
import { uploadPicture } from '@fieldroom/contract/profile';
import { fakeSmtp } from '../../server/tests/support/programs/fake-smtp.ts';
import { createBookingLoad } from '../lib/booking-load.ts';
import { makeEvents, startDatabase, therapistBySlug } from '../lib/service/database.ts';
import { type Fieldroom, newTherapist, type SignedIn, signInDemo, startFieldroom } from '../lib/service/fieldroom.ts';
import { type Footprint, footprintOf, leastOf, type NodeFootprint, PROBE_FLAGS } from '../lib/service/footprint.ts';
import { type Aim, aimRows, keep, round, type Row, setting, show, slope, table } from '../lib/numbers.ts';
import { cpuMs, needLinux, program, sleep, tempFolder, until } from '../lib/service/processes.ts';
import { readMetric } from '../lib/service/nodes.ts';
import { startRedis } from '../lib/service/redis.ts';
import { createRoomLoad } from '../lib/room/room-load.ts';
import { createTally } from '../lib/tally.ts';
import { showVideo } from '../lib/video/video-load.ts';

const MINUTES = setting('BENCH_MINUTES', 30);
const WARM_MINUTES = setting('BENCH_WARM_MINUTES', 3);
const ROOMS = setting('BENCH_ROOMS', 6);
const CLIENTS = setting('BENCH_CLIENTS', 7);
const BOOKERS = setting('BENCH_BOOKERS', 4);
const RESULT = process.env['BENCH_RESULT'] ?? 'endurance';

const TICK_MS = 100;
/** The interval at which somebody leaves or returns in a room. */
const CHANGE_MS = 8_000;
/** After this many changes the live session ends, and another begins. */
const CHANGES_OF_SESSION = 20;
const BOOKING_PAUSE_MS = 3_000;
const EVENTS = 8;
const PLACES = 100;
const READ_MS = 500;
const SIGN_IN_MS = 10_000;
const UPLOAD_MS = 20_000;
const VIDEO_MS = 20_000;
const VIDEO_PAUSE_MS = 5_000;
const SAMPLE_MS = 30_000;
/** Longer than pools keep an idle connection. */
const QUIET_MS = 45_000;
const READINGS = 5;
const READING_MS = 2_000;
const PATIENCE_MS = 120_000;
/** Slopes are measured over this last share of the run. */
const SETTLED = 2 / 3;

/** How far above the start a number may end; README.md says why. */
const MAY_KEEP = { heapMB: 5, files: 6, timers: 3, database: 6, redis: 0, channels: 0 } as const;
const SLOPE_MB = 0.1;

/** All limits except the bookings' own, which count one address here. */
const SETTINGS = {
  DATABASE_TIMEOUT_MS: '15000',
  // A stall of the machine is not a fault.
  MAX_LAG_MS: '0',
  LIMIT_BOOKING: '100000000/60',
  LIMIT_OPEN_HOLDS: '100000000/60',
  LIMIT_UPLOADS: '100000/60',
  VIDEO_ADDRESS: '127.0.0.1',
  VIDEO_WORKERS: '1',
};
const VIDEO_PORTS = ['45000-45199', '45200-45399'];

interface Sample extends Footprint {
  minute: number;
}

/** Tables that are empty while nobody is present. */
const LEFT_BEHIND: Readonly<Record<string, string>> = {
  'people with a connection': 'SELECT count(*)::int AS rows FROM node_people',
  'rooms with video': 'SELECT count(*)::int AS rows FROM video_owners',
  'timers that run': 'SELECT count(*)::int AS rows FROM usage_intervals WHERE ended_at IS NULL',
};

await program(async () => {
  needLinux();
  const database = await startDatabase();
  const { pool } = database;
  const redis = await startRedis();
  const smtp = await fakeSmtp();
  const nodes: Fieldroom[] = [];
  const shared = {
    ...SETTINGS,
    DATABASE_URL: database.connectionString,
    REDIS_URL: redis.url,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Fieldroom <room@bench.example>',
    DATA_DIR: await tempFolder('nodes'),
  };
  for (const ports of VIDEO_PORTS)
    nodes.push(await startFieldroom({ ...shared, VIDEO_PORTS: ports }, PROBE_FLAGS, { ipc: true }));
  const [one, two] = nodes as [Fieldroom, Fieldroom];

  const tally = createTally();
  const therapists: SignedIn[] = [];
  for (let n = 1; n <= ROOMS; n++) therapists.push(await newTherapist(one, n));
  const rooms = therapists.map((therapist, n) => createRoomLoad(nodes, therapist, CLIENTS, n, tally));
  const eventIds = await makeEvents(pool, await therapistBySlug(pool, 'anna'), EVENTS, PLACES);
  const bookings = createBookingLoad({
    ...{ nodes, smtp, eventIds, places: PLACES, people: BOOKERS, pauseMs: BOOKING_PAUSE_MS, tally },
  });
  const picture = new Uint8Array(await readFile(new URL('../../docs/pictures/room.png', import.meta.url)));

  // ---- besides rooms and bookings

  const inTurn = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

  async function upload(node: Fieldroom, { token, user }: SignedIn): Promise<void> {
    const form = new FormData();
    form.set('file', new Blob([picture], { type: 'image/png' }), 'room.png');
    const answer = await fetch(node.url + uploadPicture.path.replace('{therapistId}', String(user.id)), {
      method: uploadPicture.method,
      headers: { authorization: `Bearer ${token}`, origin: node.url },
      body: form,
    });
    if (!answer.ok) throw new Error(`an upload answered ${answer.status}`);
    await answer.arrayBuffer();
    tally.count('uploads');
  }
  async function signInAndOut(node: Fieldroom): Promise<void> {
    const { token, user } = await signInDemo(node);
    await node.call(logout, { params: { userId: user.id }, token });
    tally.count('sign-ins');
  }
  async function read(node: Fieldroom, eventId: number): Promise<void> {
    await node.call(publicEvent, { params: { therapistName: 'anna', eventId } });
    tally.count('public events read');
  }

  /** Repeats work, with a pause before each time. Returns a function that ends it and waits for what runs. */
  function repeat(what: string, pauseMs: number, work: (n: number) => Promise<void>): () => Promise<void> {
    const ending = new AbortController();
    const running = (async () => {
      for (let n = 0; !ending.signal.aborted; n++) {
        await passed(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined);
        if (ending.signal.aborted) return;
        await work(n).catch((error: unknown) => tally.broken(`${what}: ${String(error)}`));
      }
    })();
    return () => {
      ending.abort();
      return running;
    };
  }

  /** Everything at once for some minutes. Takes a function that samples it every SAMPLE_MS. At the end everybody has
   * left. */
  async function everything(minutes: number, look: (minute: number) => Promise<void>): Promise<void> {
    for (const room of rooms) await room.open();
    bookings.start();
    const ticking = setInterval(() => {
      for (const room of rooms) room.tick();
    }, TICK_MS);
    const [filmed] = rooms;
    const begun = performance.now();
    const ends = [
      ...rooms.map((room) =>
        repeat('a room', CHANGE_MS, async (n) => {
          // Video has its own room, which continues.
          if (room === filmed || n % CHANGES_OF_SESSION !== CHANGES_OF_SESSION - 1) return room.change();
          await room.settle(pool);
          await room.end();
          await room.open();
        }),
      ),
      repeat('video', VIDEO_PAUSE_MS, async (n) => {
        const [sending, receiving] = n % 2 === 0 ? ([one, two] as const) : ([two, one] as const);
        const { user, token } = filmed!.therapist;
        const packets = await showVideo([sending, receiving], { id: user.id, token }, filmed!.firstClient(), VIDEO_MS);
        tally.count('packets of sound and pictures', packets);
      }),
      repeat('a public page', READ_MS, (n) => read(inTurn(nodes, n), inTurn(eventIds, n))),
      repeat('a sign-in', SIGN_IN_MS, (n) => signInAndOut(inTurn(nodes, n))),
      repeat('an upload', UPLOAD_MS, (n) => upload(inTurn(nodes, n), inTurn(therapists, n))),
      repeat('a look', SAMPLE_MS, async () => {
        await look((performance.now() - begun) / 60_000);
        await bookings.look(pool);
      }),
    ];
    await sleep(minutes * 60_000);
    await Promise.all([...ends.map((end) => end()), bookings.stop()]);
    for (const room of rooms) await room.settle(pool);
    clearInterval(ticking);
    for (const room of rooms) await room.end();
    await bookings.check(pool);
  }

  /** What the nodes hold once everybody has left. */
  async function atRest(): Promise<Footprint> {
    for (const node of nodes)
      for (const name of ['stomp_connections', 'video_connections', 'video_rooms', 'video_links'])
        await until(`an end of all ${name}`, async () => (await readMetric(node, name)) === 0, PATIENCE_MS, 500);
    await sleep(QUIET_MS);
    const readings: Footprint[] = [];
    for (let n = 0; n < READINGS; n++) {
      readings.push(await footprintOf(nodes, pool, redis));
      await sleep(READING_MS);
    }
    return leastOf(readings);
  }

  // ---- the run

  console.log(`${WARM_MINUTES} minutes to fill what is filled once …`);
  await everything(WARM_MINUTES, async () => undefined);
  const start = await atRest();
  console.log(`${MINUTES} minutes …`);
  const before = { nodes: nodes.map(({ started }) => cpuMs(started.pid)), database: database.cpuMs() };
  const samples: Sample[] = [];
  await everything(MINUTES, async (minute) => {
    samples.push({ minute, ...(await footprintOf(nodes, pool, redis)) });
    const heaps = samples.at(-1)!.nodes.map(({ heapMB }) => show(heapMB, 1));
    console.log(`minute ${show(minute, 1)}: heaps ${heaps.join(' and ')} MB`);
  });
  const load = (ms: number) => show((100 * ms) / (MINUTES * 60_000), 0);
  const cpu = {
    nodes: nodes.map(({ started }, n) => load(cpuMs(started.pid) - before.nodes[n]!)),
    database: load(database.cpuMs() - before.database),
  };
  const end = await atRest();
  const left: Record<string, number> = {};
  for (const [what, statement] of Object.entries(LEFT_BEHIND))
    left[what] = (await pool.query<{ rows: number }>(statement)).rows[0]!.rows;
  for (const node of nodes) await node.stop();
  await redis.stop();
  await smtp.close();
  await database.stop();

  // ---- the results

  const settled = samples.filter(({ minute }) => minute >= MINUTES * (1 - SETTLED));
  const rise = (read: (sample: Sample) => number) =>
    slope(settled.map((sample) => [sample.minute, read(sample)] as const));
  const aims: Aim[] = [];
  const rows: Row[] = [];
  /** One number: its line in the table and, if `most` is given, the target that it ends no further above its start. */
  function compare(what: string, read: (one: Footprint) => number, digits: number, most?: number): void {
    const [from, to] = [read(start), read(end)];
    const difference = show(to - from, digits);
    rows.push({
      '': what,
      'at the start': show(from, digits),
      'at the end': show(to, digits),
      difference,
      'slope a minute': show(rise(read), 3),
    });
    if (most === undefined) return;
    aims.push({ what: `${what}, end above start`, aim: `≤ ${most}`, measured: difference, reached: to - from <= most });
  }
  for (const n of nodes.keys()) {
    const of = (name: keyof NodeFootprint) => (one: Footprint) => one.nodes[n]![name];
    compare(`node ${n + 1}: heap and buffers, MB`, of('heapMB'), 1, MAY_KEEP.heapMB);
    compare(`node ${n + 1}: resident, MB`, of('rssMB'), 0);
    compare(`node ${n + 1}: open files`, of('files'), 0, MAY_KEEP.files);
    compare(`node ${n + 1}: sockets`, of('sockets'), 0, MAY_KEEP.files);
    compare(`node ${n + 1}: timers`, of('timers'), 0, MAY_KEEP.timers);
    const heap = rise(of('heapMB'));
    aims.push({
      what: `node ${n + 1}: slope of heap and buffers, MB a minute`,
      aim: `≤ ${SLOPE_MB}`,
      measured: show(heap, 3),
      reached: heap <= SLOPE_MB,
    });
  }
  compare('connections to PostgreSQL', ({ database: open }) => open, 0, MAY_KEEP.database);
  compare('connections to Redis', ({ redis: open }) => open, 0, MAY_KEEP.redis);
  compare('channels of Redis', ({ channels }) => channels, 0, MAY_KEEP.channels);
  compare('memory of Redis, MB', ({ redisMB }) => redisMB, 1);
  for (const [what, count] of Object.entries(left))
    aims.push({ what: `${what}, after everybody has left`, aim: '0', measured: String(count), reached: count === 0 });
  const broken = [...tally.faults].map(([what, times]) => `${times} × ${what}`);
  aims.push({
    what: 'what must never be (acts, bookings, emails)',
    aim: 'nothing',
    measured: broken.length === 0 ? 'nothing' : broken.join('; '),
    reached: broken.length === 0,
  });
  const happened = [...tally.counts].toSorted(([a], [b]) => a.localeCompare(b));
  const means = meansOf(samples);
  const sections = [
    [
      `Two nodes, ${ROOMS} rooms of ${CLIENTS + 1} people spread over both, ${BOOKERS} people who book, for ${MINUTES}`,
      `minutes after ${WARM_MINUTES} minutes that do not count. CPU of the nodes ${cpu.nodes.join(' and ')} %, of`,
      `PostgreSQL ${cpu.database} % of a core; the load comes from the same machine. Start and end are the lowest of`,
      `${READINGS} readings after garbage collection, ${QUIET_MS / 1000} s after the last person had left. Slopes are`,
      `of the last ${round(MINUTES * SETTLED, 0)} minutes, with everybody there.`,
    ].join(' '),
    table(rows),
    table(aimRows(aims)),
    table(happened.map(([what, times]) => ({ 'In the whole run': what, times }))),
    ...nodes.map((_, n) => {
      const heaps = means.map(({ heaps: all }) => show(all[n]!, 1));
      return `Heap and buffers of node ${n + 1}, means of five minutes: ${heaps.join(', ')} MB.`;
    }),
  ];
  const data = { minutes: MINUTES, rooms: ROOMS, clients: CLIENTS, start, end, means, happened, broken, left, aims };
  if (RESULT === '') console.log(sections.join('\n\n'));
  else await keep(RESULT, 'Endurance: everything at once on two nodes', sections, data);
  if (broken.length > 0) throw new Error(`what must never be: ${broken.join('; ')}`);
});

/** Heaps of the nodes, MB. The results keep these means and not the samples. */
function meansOf(samples: readonly Sample[]): { minute: number; heaps: number[] }[] {
  const groups = Map.groupBy(samples, ({ minute }) => Math.floor(minute / 5) * 5);
  return [...groups].map(([minute, group]) => ({
    minute,
    heaps: group[0]!.nodes.map((_, n) =>
      round(group.reduce((sum, { nodes }) => sum + nodes[n]!.heapMB, 0) / group.length, 1),
    ),
  }));
}
