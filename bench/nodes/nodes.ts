/**
 * Two nodes over PostgreSQL and Redis. Measures how long an act and a drag take from a person on one node to people on
 * the other, compared with everybody on one. Measures the CPU of a fan-out over two nodes, compared with a node that is
 * alone, and what a node receives about a room without people on it. See README.md.
 *
 * Settings: BENCH_ACTS (200, of each way and round), BENCH_SECONDS (10, of drags and of each fan-out), BENCH_ROUNDS
 * (5), BENCH_ROOMS (4 of each fan-out, for each node).
 */
import { roomDestination } from '@fieldroom/contract/realtime';
import { type ActingRoom, openActingRoom } from '../lib/room/acting-room.ts';
import {
  type Contender,
  drag,
  type Measured,
  numberOf,
  PEOPLE,
  PER_SECOND,
  type Room,
  STEP_MS,
} from '../lib/room/crowd.ts';
import { addDatabase, signInTherapists } from '../lib/service/database.ts';
import { type Fieldroom, startFieldroom } from '../lib/service/fieldroom.ts';
import { readMetric, startNodes, untilWhole } from '../lib/service/nodes.ts';
import { type Aim, aimRows, keep, median, percentile, type Row, setting, show, table } from '../lib/numbers.ts';
import { cpuMs, needLinux, program, sleep } from '../lib/service/processes.ts';
import { fieldroomOn } from '../peers/contenders.ts';

const ACTS = Math.round(setting('BENCH_ACTS', 200));
const SECONDS = setting('BENCH_SECONDS', 10);
const ROUNDS = Math.round(setting('BENCH_ROUNDS', 5));
/** Of each fan-out on the node that is alone. */
const ROOMS = Math.round(setting('BENCH_ROOMS', 4));
/**
 * Of each fan-out on two nodes: as many for each of them as on the single node, because a node with less work does it
 * less cheaply (a tick costs the same for few deliveries). If rooms stay whole, each node has half of them.
 */
const ROOMS_OF_TWO = 2 * ROOMS;
const READERS = PEOPLE - 1;
/** The pause between two acts of different rooms. */
const ACT_GAP_MS = 15;
/** After this time everything on its way has arrived. */
const ARRIVED_MS = 500;
/** After this time rooms have sent everything that follows a change, and timers of one second have run. */
const QUIET_MS = 3000;
/** The targets. */
const MORE_MS = 5;
const TWO_OF_ONE = 1.7;

/** The nodes of a room's people, and its measurements in each round. */
interface Way {
  readonly name: string;
  readonly room: ActingRoom;
  readonly acts: { readonly p50: number[]; readonly p99: number[] };
  readonly drags: { readonly p50: number[]; readonly p99: number[]; sent: number; arrived: number };
}
const wayOf = (name: string, room: ActingRoom): Way => ({
  name,
  room,
  acts: { p50: [], p99: [] },
  drags: { p50: [], p99: [], sent: 0, arrived: 0 },
});

/** The list, starting at a different entry each time, so that none always follows the same one. */
const rotated = <T>(list: readonly T[], by: number): T[] =>
  list.map((_, index) => list[(index + by) % list.length] as T);

function note(into: { p50: number[]; p99: number[] }, times: readonly number[]): void {
  into.p50.push(percentile(times, 0.5));
  into.p99.push(percentile(times, 0.99));
}

/** One act in each room in turns, so that all of them have the same disk and the same other load on the machine. */
async function actInTurns(ways: readonly Way[], counted: boolean, many: number): Promise<void> {
  const times = new Map<Way, number[]>(ways.map((way) => [way, []]));
  for (let turn = 0; turn < many; turn++)
    for (const way of rotated(ways, turn)) {
      for (const time of await way.room.act()) times.get(way)!.push(time);
      await sleep(ACT_GAP_MS);
    }
  if (counted) for (const way of ways) note(way.acts, times.get(way)!);
}

/** One person drags in each room, all at the same time and each at the rate of a browser. */
async function dragInTurns(ways: readonly Way[], counted: boolean, seconds: number): Promise<void> {
  const measures = ways.map((way) => ({ way, sentAt: new Map<number, number>(), times: [] as number[] }));
  for (const { way, sentAt, times } of measures)
    way.room.onPosition = (x, y) => {
      const from = sentAt.get(numberOf(x, y));
      if (from !== undefined) times.push(performance.now() - from);
    };
  const end = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < end; turn++)
    for (const { way, sentAt } of rotated(measures, turn)) {
      const from = performance.now();
      const { x, y } = way.room.drag();
      sentAt.set(numberOf(x, y), from);
      await sleep(STEP_MS / ways.length);
    }
  await sleep(ARRIVED_MS);
  for (const { way, sentAt, times } of measures) {
    way.room.onPosition = null;
    // The drop.
    await way.room.act();
    if (!counted) continue;
    note(way.drags, times);
    way.drags.sent += sentAt.size;
    way.drags.arrived += times.length;
  }
}

/** CPU in µs for each delivered position: of each node, and of Redis. */
interface FanOut extends Measured {
  readonly ofNodes: number[];
  readonly ofRedis: number;
}

/** Everybody in these rooms drags. Takes the processes of the nodes that carry them. */
async function fanOut(
  contender: Contender,
  rooms: Room[],
  nodes: readonly Fieldroom[],
  redis: number,
): Promise<FanOut> {
  const pids = [...nodes.map(({ started }) => started.pid), redis];
  /** Read at the start and at the end of the measured time. */
  const readings: number[][] = [];
  const measured = await drag(contender, rooms, SECONDS, () => {
    const reading = pids.map(cpuMs);
    readings.push(reading);
    return reading.slice(0, -1).reduce((sum, ms) => sum + ms, 0);
  });
  const [before = [], after = []] = readings;
  const micros = after.map((ms, index) => ((ms - before[index]!) * 1000) / measured.delivered);
  return { ...measured, ofNodes: micros.slice(0, -1), ofRedis: micros.at(-1)! };
}

await program(async () => {
  needLinux();
  const nodes = await startNodes();
  const [one, two] = [await nodes.start(), await nodes.start()];
  await untilWhole([one, two]);
  const own = await addDatabase(nodes.database, 'alone');
  const alone = await startFieldroom({ DEMO: '0', DATABASE_URL: own.connectionString });
  const ofAlone = await signInTherapists(own.pool, 1 + ROOMS);
  const ofNodes = await signInTherapists(nodes.database.pool, 2 + 2 * ROOMS_OF_TWO);

  // ---- the rooms

  const contenders = {
    alone: fieldroomOn({
      name: 'one node, alone',
      pid: alone.started.pid,
      therapist: async (room) => ofAlone[room]!,
      nodeOf: () => alone,
      stop: () => alone.stop(),
    }),
    whole: fieldroomOn({
      name: 'two nodes, each room on one',
      pid: one.started.pid,
      therapist: async (room) => ofNodes[1 + room]!,
      nodeOf: (room) => (room % 2 === 1 ? one : two),
      stop: () => one.stop(),
    }),
    spread: fieldroomOn({
      name: 'two nodes, each room on both',
      pid: two.started.pid,
      therapist: async (room) => ofNodes[1 + ROOMS_OF_TWO + room]!,
      nodeOf: (room, person) => ((room + person) % 2 === 1 ? one : two),
      stop: () => two.stop(),
    }),
  };
  const rooms = {
    alone: await contenders.alone.rooms(ROOMS),
    whole: await contenders.whole.rooms(ROOMS_OF_TWO),
    spread: await contenders.spread.rooms(ROOMS_OF_TWO),
  };
  const clients = READERS;
  const ways = [
    wayOf('one node, alone', await openActingRoom({ therapist: ofAlone[0]!, clients, node: alone })),
    wayOf('two nodes, all on the first', await openActingRoom({ therapist: ofNodes[0]!, clients, node: one })),
    wayOf(
      'two nodes, from one to the other',
      await openActingRoom({ therapist: ofNodes[1]!, clients, node: one, clientsNode: two }),
    ),
  ] as const;

  // ---- what the other node receives about a room

  /** Messages that the first node sent to others, and that the second one received from others, while something
   * happens. */
  async function countMessages(work: () => Promise<unknown>): Promise<{ sent: number; received: number }> {
    const read = async () => [await readMetric(one, 'bus_published'), await readMetric(two, 'bus_received')] as const;
    await sleep(QUIET_MS);
    const before = await read();
    await work();
    await sleep(ARRIVED_MS);
    const after = await read();
    return { sent: after[0] - before[0], received: after[1] - before[1] };
  }
  const listenersOf = async (therapistId: number): Promise<number> =>
    Math.max(
      0,
      ...(await nodes.redis.listeners(`:room:${therapistId}`)),
      ...(await nodes.redis.listeners(`:stomp:${roomDestination(therapistId)}`)),
    );
  // As long as a run of `drag` including its start and its end.
  const quiet = await countMessages(() => sleep(SECONDS * 1000 + 3500));
  const onOne = await countMessages(() => drag(contenders.whole, rooms.whole.slice(0, 1), SECONDS, cpuMs));
  const onBoth = await countMessages(() => drag(contenders.spread, rooms.spread.slice(0, 1), SECONDS, cpuMs));
  const traffic = [
    { what: 'nobody does anything', listeners: null, ...quiet },
    { what: 'a room of the first node', listeners: await listenersOf(ofNodes[2]!.id), ...onOne },
    { what: 'a room on both', listeners: await listenersOf(ofNodes[2 + ROOMS_OF_TWO]!.id), ...onBoth },
  ];
  if (onBoth.received === 0) throw new Error('the second node got nothing of a room on both: nothing was counted');

  // ---- from one node to the other

  for (let round = -1; round < ROUNDS; round++) {
    // The first round warms up code and caches.
    await actInTurns(ways, round >= 0, round < 0 ? Math.min(ACTS, 40) : ACTS);
    await dragInTurns(ways, round >= 0, round < 0 ? Math.min(SECONDS, 3) : SECONDS);
    if (round >= 0)
      console.log(
        `round ${round + 1}: ${ways
          .map(({ name, acts, drags }) => `${name} act ${show(acts.p99[round]!)} drag ${show(drags.p99[round]!)} ms`)
          .join(', ')}`,
      );
  }
  for (const { name, room } of ways) {
    if (room.complaints.length > 0) throw new Error(`${name}: ${room.complaints.slice(0, 5).join(', ')}`);
    room.close();
  }

  // ---- fan-out

  const carriers = { alone: [alone], whole: [one, two], spread: [one, two] } as const;
  const kinds = ['alone', 'whole', 'spread'] as const;
  const fanOuts: Record<(typeof kinds)[number], FanOut[]> = { alone: [], whole: [], spread: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of rotated(kinds, round)) {
      const result = await fanOut(contenders[kind], rooms[kind], carriers[kind], nodes.redis.pid);
      fanOuts[kind].push(result);
      console.log(
        [
          `round ${round + 1}, ${contenders[kind].name}`,
          `${result.ofNodes.map((micros) => show(micros)).join(' + ')} µs`,
          `p99 ${show(result.p99)} ms`,
          ...result.complaints,
        ].join(', '),
      );
      await sleep(ARRIVED_MS);
    }
  await Promise.all([one.stop(), two.stop(), alone.stop()]);
  await own.pool.end();
  await nodes.stop();

  // ---- the result

  const wayRows = ways.map(({ name, acts, drags }): Row => ({
    'Therapist and clients': name,
    'act p50 ms': show(median(acts.p50)),
    'act p99 ms': show(median(acts.p99)),
    'drag p50 ms': show(median(drags.p50)),
    'drag p99 ms': show(median(drags.p99)),
    'positions arrived %': show((drags.arrived / (drags.sent * READERS)) * 100, 1),
  }));
  const trafficRows = traffic.map(({ what, listeners, sent, received }): Row => ({
    'Messages over Redis': what,
    'sent by the first node': sent,
    'got by the second': received,
    'nodes that listen to the room': listeners ?? '–',
  }));
  const of = (kind: (typeof kinds)[number], read: (result: FanOut) => number) => median(fanOuts[kind].map(read));
  const sum = (kind: (typeof kinds)[number]) => of(kind, ({ microsPerDelivery }) => microsPerDelivery);
  /** The share of the node with the higher cost per delivery. */
  const busier = (kind: (typeof kinds)[number]) => of(kind, ({ ofNodes: each }) => Math.max(...each));
  const equal = kinds.every((kind) => fanOuts[kind].every((result) => result.equal));
  const fanOutRows = kinds.map((kind): Row => ({
    [`${ROOMS} rooms a node`]: contenders[kind].name,
    'deliveries/s': Math.round(of(kind, ({ delivered, seconds }) => delivered / seconds)),
    'delivered %': show(of(kind, ({ share }) => share) * 100, 1),
    'µs CPU/delivery': show(sum(kind)),
    'of the busier node': show(busier(kind)),
    'Redis µs': show(of(kind, ({ ofRedis }) => ofRedis)),
    'p99 ms': show(of(kind, ({ p99 }) => p99)),
    'generator %': show(of(kind, ({ generatorLoad }) => generatorLoad) * 100, 0),
    'times one node': show(busier('alone') / busier(kind)),
  }));
  const times = (kind: 'whole' | 'spread') => busier('alone') / busier(kind);
  const perSecond = (micros: number) => Math.round(1_000_000 / micros).toLocaleString('en');
  const reckoning = [
    `The reckoning: ${PEOPLE} people in each room. A node with a core to itself is full when its CPU for each delivery`,
    `fills that core. One node alone needs ${show(busier('alone'))} µs and carries ${perSecond(busier('alone'))}`,
    `deliveries a second. Of two nodes with a core each the busier one is full first: with each room on one node, as the`,
    `files in deploy/ lead people, it needs ${show(busier('whole'))} µs for each delivery that the two make together, so`,
    `they carry ${perSecond(busier('whole'))}, ${show(times('whole'))} times as many; with every room on both`,
    `${show(busier('spread'))} µs, ${perSecond(busier('spread'))}, ${show(times('spread'))} times. Redis needs`,
    `${show(of('spread', ({ ofRedis }) => ofRedis))} µs of another core there. The two nodes had twice the rooms of the`,
    `one, as many for each. This machine’s cores are shared by the nodes and the people, so two full nodes were not run.`,
  ].join(' ');
  const [first, , across] = ways;
  const more = (which: 'acts' | 'drags') => median(across[which].p99) - median(first[which].p99);
  const aims: Aim[] = [
    ...(['acts', 'drags'] as const).map((which) => ({
      what: `p99 of ${which} from node to node, above one node alone`,
      aim: `≤ ${MORE_MS} ms`,
      measured: `${show(more(which))} ms`,
      reached: more(which) <= MORE_MS,
    })),
    ...(['whole', 'spread'] as const).map((kind) => ({
      what: `fan-out of ${contenders[kind].name}, of one node’s`,
      aim: `≥ ${TWO_OF_ONE}`,
      measured: show(times(kind)),
      reached: times(kind) >= TWO_OF_ONE,
    })),
    {
      what: 'messages to a node of a room without people there',
      aim: `≤ ${quiet.received}, as while nobody does anything`,
      measured: String(onOne.received),
      reached: onOne.received <= quiet.received,
    },
    { what: 'all browsers equal at the end', aim: 'yes', measured: equal ? 'yes' : 'no', reached: equal },
  ];
  await keep(
    'nodes',
    'Two nodes',
    [
      [
        `A therapist and ${READERS} clients in a room. Acts: ${ACTS} in each room and round, in turns, each stored`,
        `(fsync on) and waited for by everybody. Drags: ${SECONDS} s in all rooms at the same time, at most`,
        `${PER_SECOND} positions a second; the server gathers them for up to 16 ms. Times are from the therapist’s`,
        `sending to each client’s receiving; ${ROUNDS} rounds, medians of their percentiles. The node alone is a`,
        `service of its own without Redis on the same PostgreSQL.`,
      ].join(' '),
      table(wayRows),
      [
        `Fan-out: everybody in ${ROOMS} rooms for each node drags for ${SECONDS} s, ${ROUNDS} rounds in turns, medians. A delivery`,
        `is one position of one figure arriving at one other person. CPU is that of the nodes’ processes.`,
      ].join(' '),
      table(fanOutRows),
      reckoning,
      [
        `Messages that the nodes sent each other over Redis in some ${Math.round(SECONDS + 3.5)} s, by their own`,
        `counters (\`bus_published\`, \`bus_received\`), while everybody in one room drags and drops; there are rooms`,
        `on the second node too, in which nobody does anything. How many nodes listen to the room is asked of Redis.`,
      ].join(' '),
      table(trafficRows),
      table(aimRows(aims)),
    ],
    {
      acts: ACTS,
      seconds: SECONDS,
      rounds: ROUNDS,
      rooms: ROOMS,
      ways: ways.map(({ name, acts, drags }) => ({ name, acts, drags })),
      fanOuts,
      traffic,
      aims,
    },
  );
});
