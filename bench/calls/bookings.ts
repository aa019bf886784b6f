/**
 * One event, many people at once: holds stored durably over HTTP, then the storm on a sold-out event. Both are compared
 * with the same transaction written as BEGIN, SELECT FOR UPDATE, count, INSERT, COMMIT through `pg` on the same
 * database. See README.md. Settings: BENCH_ROUNDS (12 events each), BENCH_STORM_ROUNDS (9), BENCH_STORM_MS (1000, of
 * each round and side), BENCH_HTTP_CONNECTIONS (128, to our server), BENCH_NODE_FLAGS (for our server, as --cpu-prof).
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bookEvent, maxHeld } from '@fieldroom/contract/bookings';
import { PLACES_MAX } from '@fieldroom/contract/events';
import { fillEvent, makeEvents, startDatabase, taken, therapistBySlug } from '../lib/service/database.ts';
import { startFieldroom } from '../lib/service/fieldroom.ts';
import { askAll, loopback, openHttp, requestOf } from '../lib/http.ts';
import {
  type Aim,
  aimRows,
  keep,
  median,
  percentile,
  type Row,
  setting,
  show,
  table,
  nodeFlags,
} from '../lib/numbers.ts';
import { cpuMs, needLinux, program, sleep, startNode } from '../lib/service/processes.ts';
import type { PlainOrder, PlainReport } from '../peers/plain-booking.ts';

const ROUNDS = setting('BENCH_ROUNDS', 12);
const STORM_ROUNDS = setting('BENCH_STORM_ROUNDS', 9);
const STORM_MS = setting('BENCH_STORM_MS', 1000);
const HTTP_CONNECTIONS = setting('BENCH_HTTP_CONNECTIONS', 128);
const NODE_FLAGS = nodeFlags();
/** After this time the work that follows the answers is done, and the processes of closed connections have ended. */
const SETTLED_MS = 300;
/** The maximum number of database connections, for our server and for the comparison. */
const DATABASE_CONNECTIONS = 20;
const PEOPLE = maxHeld(PLACES_MAX);

interface Measure {
  readonly rates: number[];
  readonly times: number[];
  answers: number;
  ms: number;
  readonly cpu: { generator: number; server: number; database: number };
}
const empty = (): Measure => ({
  rates: [],
  times: [],
  answers: 0,
  ms: 0,
  cpu: { generator: 0, server: 0, database: 0 },
});

await program(async () => {
  needLinux();
  const database = await startDatabase();
  const server = await startFieldroom(
    {
      DATABASE_URL: database.connectionString,
      DATABASE_CONNECTIONS: String(DATABASE_CONNECTIONS),
      LIMIT_BOOKING: '100000000/60',
      LIMIT_OPEN_HOLDS: '100000000/60',
    },
    NODE_FLAGS,
  );
  const anna = await therapistBySlug(database.pool, 'anna');
  const peer = startNode(fileURLToPath(new URL('../peers/plain-booking.ts', import.meta.url)), [], {
    ipc: true,
    env: { NODE_ENV: 'production' },
  });
  const connections = await Promise.all(
    Array.from({ length: HTTP_CONNECTIONS }, (_, index) => openHttp(server.port, loopback(index))),
  );
  let person = 0;
  const request = (eventId: number) => {
    person += 1;
    return requestOf(
      server.port,
      bookEvent,
      { eventId },
      {
        firstName: 'Bench',
        lastName: `Person ${person}`,
        email: `person${person}@bench.example`,
        phoneNumber: '+36 1 234 5678',
        language: 'en',
      },
    );
  };
  /** The codes of refusals already seen, by their JSON. Parsing it each time would take the core from the server. */
  const codes = new Map<string, string>();
  const kindOf = (status: number, body: Buffer) => {
    if (status === 200) return 'held';
    const text = body.toString();
    let code = codes.get(text);
    if (code === undefined) {
      code = (JSON.parse(text) as { code?: string }).code ?? String(status);
      codes.set(text, code);
    }
    return code;
  };

  /** Runs one part and adds its CPU time to the measure. */
  async function measureCost<T>(measure: Measure, ours: boolean, work: () => Promise<T>): Promise<T> {
    const before = {
      generator: process.cpuUsage(),
      server: cpuMs(ours ? server.started.pid : peer.pid),
      database: database.cpuMs(),
    };
    const result = await work();
    const { user, system } = process.cpuUsage(before.generator);
    await sleep(SETTLED_MS);
    measure.cpu.generator += (user + system) / 1000;
    measure.cpu.server += cpuMs(ours ? server.started.pid : peer.pid) - before.server;
    measure.cpu.database += database.cpuMs() - before.database;
    return result;
  }

  async function ours(
    measure: Measure,
    eventId: number,
    wanted: 'held' | 'event_full',
    people: number,
    maxMs = Infinity,
  ): Promise<void> {
    // Written before the clock starts; a storm sends the same requests again.
    const requests = Array.from({ length: people }, () => request(eventId));
    const end = performance.now() + maxMs;
    let next = 0;
    const { ms, times, kinds } = await measureCost(measure, true, () =>
      askAll(
        connections,
        () =>
          maxMs === Infinity ? (requests[next++] ?? null) : performance.now() < end ? requests[next++ % people]! : null,
        kindOf,
      ),
    );
    const other = [...kinds].filter(([kind]) => kind !== wanted);
    if (other.length > 0)
      throw new Error(`answers other than ${wanted}: ${other.map(([kind, count]) => `${count} × ${kind}`).join(', ')}`);
    add(measure, times.length, ms, times);
  }

  async function plain(
    measure: Measure,
    order: Omit<PlainOrder, 'connectionString' | 'connections'>,
    wanted: 'held' | 'refused',
  ): Promise<void> {
    const report = await measureCost(measure, false, async () => {
      const answer = once(peer.child, 'message');
      peer.child.send({
        ...order,
        connectionString: database.connectionString,
        connections: DATABASE_CONNECTIONS,
      } satisfies PlainOrder);
      return ((await answer) as [PlainReport])[0];
    });
    if (report[wanted] !== report.times.length)
      throw new Error(`of ${report.times.length} only ${report[wanted]} were ${wanted}`);
    add(measure, report.times.length, report.ms, report.times);
  }
  function add(measure: Measure, answers: number, ms: number, times: readonly number[]): void {
    measure.rates.push((answers * 1000) / ms);
    measure.answers += answers;
    measure.ms += ms;
    for (const time of times) measure.times.push(time);
  }

  const events = await makeEvents(database.pool, anna, (ROUNDS + 2) * 2, PLACES_MAX);
  const [sample] = await makeEvents(database.pool, anna, 1, 8);
  await ours(empty(), sample!, 'held', 1);
  const {
    rows: [email],
  } = await database.pool.query<PlainOrder['email']>(
    `SELECT subject, text, html FROM outbox_emails WHERE kind = 'bookings.held' ORDER BY number DESC LIMIT 1`,
  );
  if (!email) throw new Error('no email was written');

  const holds = { ours: empty(), plain: empty() };
  for (let round = -2; round < ROUNDS; round++) {
    // The first two rounds warm up code and caches.
    const into = round < 0 ? { ours: empty(), plain: empty() } : holds;
    const [first, second] = events.splice(0, 2) as [number, number];
    const turns = [
      () => ours(into.ours, first, 'held', PEOPLE),
      () =>
        plain(into.plain, { eventIds: [second], people: PEOPLE, maxMs: 60_000, email, round: String(round) }, 'held'),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    for (const id of [first, second]) {
      const { held } = await taken(database.pool, [id]);
      if (held !== PEOPLE) throw new Error(`${held} places are held, ${PEOPLE} were confirmed`);
    }
  }

  // More people than places, at the same moment, on an event with few of them.
  const [small] = await makeEvents(database.pool, anna, 1, 8);
  const rush = await askAll(
    connections,
    (() => {
      let left = 600;
      return () => (left-- > 0 ? request(small!) : null);
    })(),
    kindOf,
  );
  const rushed = await taken(database.pool, [small!]);
  const oversold = Math.max(0, rushed.held - maxHeld(8)) + Math.max(0, (rush.kinds.get('held') ?? 0) - rushed.held);

  const [full] = await makeEvents(database.pool, anna, 1, PLACES_MAX);
  await fillEvent(database.pool, full!);
  const storm = { ours: empty(), plain: empty() };
  for (let round = -1; round < STORM_ROUNDS; round++) {
    // The first round warms up here too.
    const into = round < 0 ? { ours: empty(), plain: empty() } : storm;
    const turns = [
      () => ours(into.ours, full!, 'event_full', 2000, STORM_MS),
      () =>
        plain(
          into.plain,
          { eventIds: [full!], people: 100_000_000, maxMs: STORM_MS, email, round: `storm${round}` },
          'refused',
        ),
    ];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  const after = await taken(database.pool, [full!]);
  for (const connection of connections) connection.close();
  await peer.stop();
  await server.stop();
  await database.stop();

  const row = (what: string, measure: Measure): Row => ({
    '': what,
    'a second': Math.round(median(measure.rates)),
    'p50 ms': show(percentile(measure.times, 0.5), 1),
    'p99 ms': show(percentile(measure.times, 0.99), 1),
    ...Object.fromEntries(
      Object.entries(measure.cpu).map(([who, ms]) => [`${who} % of a core`, Math.round((ms / measure.ms) * 100)]),
    ),
    'CPU µs each': Math.round(((measure.cpu.server + measure.cpu.database) * 1000) / measure.answers),
  });
  // The two sides of a round ran one after the other, so what else the machine did was much the same for both.
  const ratio = (measures: { ours: Measure; plain: Measure }) =>
    median(measures.ours.rates.map((rate, round) => rate / measures.plain.rates[round]!));
  const ofHolds = median(storm.ours.rates) / median(holds.plain.rates);
  const aims: Aim[] = [
    { what: 'holds, of the plain transaction’s', aim: '≥ 2', measured: show(ratio(holds)), reached: ratio(holds) >= 2 },
    // Compared with the plain transaction's holds, and with its own sold-out answers.
    {
      what: 'sold-out answers, of the plain transaction’s holds',
      aim: '≥ 8',
      measured: show(ofHolds),
      reached: ofHolds >= 8,
    },
    {
      what: 'sold-out answers, of the plain transaction’s own sold-out answers',
      aim: '≥ 8',
      measured: show(ratio(storm)),
      reached: ratio(storm) >= 8,
    },
    {
      what: 'oversold',
      aim: '0',
      measured: String(oversold + Math.max(0, after.most - PLACES_MAX)),
      reached: oversold === 0 && after.most === PLACES_MAX,
    },
  ];
  await keep(
    'bookings',
    'One event, many people at once',
    [
      [
        `Holds: ${ROUNDS} events in alternating turns, each with ${PLACES_MAX} places of which ${PEOPLE} may be held,`,
        `and as many people at once over ${HTTP_CONNECTIONS} connections, each from an address block of its own; each`,
        `answer comes after the commit (fsync on). Sold out: an event with ${PLACES_MAX} confirmed people, in`,
        `${STORM_ROUNDS} alternating rounds of ${STORM_MS} ms each. A ratio is the median of the rounds' ratios; only`,
        `that of sold-out answers to the plain transaction's holds is one of medians, as these are different rounds.`,
        `The plain transaction runs in its own process over ${DATABASE_CONNECTIONS} database connections, as many`,
        `as our server has, without HTTP, limits, validation or composing emails; it writes the same rows, with an`,
        `email of ours. Rates are medians of rounds; generator, server and database share ${availableParallelism()}`,
        `cores, and the sum of their shares shows which was the bottleneck. For the plain transaction the generator is`,
        `in the server's column.`,
      ].join(' '),
      table([row('holds, Fieldroom over HTTP', holds.ours), row('holds, plain transaction', holds.plain)]),
      table([row('sold out, Fieldroom over HTTP', storm.ours), row('sold out, plain transaction', storm.plain)]),
      table(aimRows(aims)),
      [
        `600 people at once on 8 places: ${rushed.held} held (${maxHeld(8)} may be), answers`,
        `${[...rush.kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')}.`,
      ].join(' '),
    ],
    {
      rounds: ROUNDS,
      httpConnections: HTTP_CONNECTIONS,
      people: PEOPLE,
      ...Object.fromEntries(
        Object.entries({ holds, storm }).map(([what, both]) => [
          what,
          Object.fromEntries(
            Object.entries(both).map(([who, { rates, times, cpu, answers, ms }]) => [
              who,
              { rates, p50: percentile(times, 0.5), p99: percentile(times, 0.99), cpu, answers, ms },
            ]),
          ),
        ]),
      ),
      aims,
    },
  );
});
