/**
 * Two nodes with the settings they are shipped with, while parts of them fail: PostgreSQL freezes, PostgreSQL is
 * stopped at once and started again, and the other node is killed. Measures how long people wait for a refusal, what it
 * says, and when their calls and acts work again. See README.md.
 *
 * Settings: BENCH_ROUNDS (3), BENCH_FROZEN_SECONDS (8), BENCH_DOWN_SECONDS (3), BENCH_AFTER_SECONDS (4, watched after
 * each failure).
 */
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { bookEvent } from '@fieldroom/contract/bookings';
import { myEvents, upcomingEvents } from '@fieldroom/contract/events';
import { saveFigure } from '@fieldroom/contract/field';
import type { BodyInputOf, Endpoint } from '@fieldroom/contract/http';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@fieldroom/server/platform/db/embedded-postgres';
import { type ActingRoom, openActingRoom } from '../lib/room/acting-room.ts';
import { makeEvents, signInTherapists } from '../lib/service/database.ts';
import { type Fieldroom, fillRoom, startFieldroom, type Therapist } from '../lib/service/fieldroom.ts';
import { untilWhole } from '../lib/service/nodes.ts';
import { type Aim, aimRows, keep, percentile, type Row, setting, show, table } from '../lib/numbers.ts';
import { needLinux, program, sleep, tempFolder, until } from '../lib/service/processes.ts';
import { startRedis } from '../lib/service/redis.ts';

const ROUNDS = Math.round(setting('BENCH_ROUNDS', 3));
const FROZEN_SECONDS = setting('BENCH_FROZEN_SECONDS', 8);
const DOWN_SECONDS = setting('BENCH_DOWN_SECONDS', 3);
const AFTER_SECONDS = setting('BENCH_AFTER_SECONDS', 4);
/** Each kind of call is made this often, however long answers take. */
const EVERY_MS = 100;
const CLIENTS = 4;
const EVENTS = 20;
const PLACES = 500;
/** The aims. */
const REFUSED_WITHIN_MS = 2_000;
const BACK_AFTER_CRASH_MS = 800;
const BACK_AFTER_POSTGRES_MS = 300;

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

interface Answer {
  /** When the call was made, by `performance.now()`. */
  readonly at: number;
  readonly ms: number;
  /** 0 where the connection broke. */
  readonly status: number;
  /** It told when to come again. */
  readonly retryAfter: boolean;
}
const isServed = ({ status }: Answer) => status >= 200 && status < 300;
/** A refusal that says that the service is in trouble, and when to come again. */
const isHonest = ({ status, retryAfter }: Answer) => status === 503 && retryAfter;

interface Kind {
  readonly name: string;
  make(): Promise<Omit<Answer, 'at' | 'ms'>>;
}

/** Makes calls of all kinds at a fixed rate. Returns how to end it, which waits for all answers, by kind. */
function keepCalling(kinds: readonly Kind[]): () => Promise<ReadonlyMap<Kind, Answer[]>> {
  const answers = new Map(kinds.map((kind) => [kind, [] as Answer[]]));
  const open: Promise<void>[] = [];
  const call = (kind: Kind) => {
    const at = performance.now();
    open.push(
      kind.make().then((answer) => void answers.get(kind)!.push({ at, ms: performance.now() - at, ...answer })),
    );
  };
  // The kinds do not fall due at the same moment.
  const timers: NodeJS.Timeout[] = [];
  const starts = kinds.map((kind, nth) =>
    setTimeout(() => timers.push(setInterval(call, EVERY_MS, kind)), (nth * EVERY_MS) / kinds.length),
  );
  return async () => {
    for (const timer of [...starts, ...timers]) clearInterval(timer);
    await Promise.all(open);
    return answers;
  };
}

/** Makes a call by the contract, and says what came of it. */
async function ask<E extends Endpoint>(
  { url }: Fieldroom,
  { method, path }: E,
  { params = {}, query = '', body, token }: Asked<E>,
): Promise<Omit<Answer, 'at' | 'ms'>> {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  try {
    const answer = await fetch(`${url}${target}${query}`, {
      method,
      headers: {
        origin: url,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')) > 0 };
  } catch {
    return { status: 0, retryAfter: false };
  }
}
interface Asked<E extends Endpoint> {
  readonly params?: Record<string, string | number>;
  readonly query?: string;
  readonly body?: BodyInputOf<E>;
  readonly token?: string;
}

/** The processes of a PostgreSQL: the main one, and one for each connection. */
const processesOf = ({ pid }: EmbeddedPostgres): number[] => [
  pid,
  ...readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  ),
];
function signalAll(postgres: EmbeddedPostgres, signal: NodeJS.Signals): void {
  for (const pid of processesOf(postgres)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended.
    }
  }
}

/** What a failure did to the calls of one kind. */
interface Felt {
  readonly refused: Answer[];
  readonly dishonest: number;
  /** The slowest answer to a call that was served after the failure had begun, ms. */
  readonly slowestServedMs: number;
  /** From the mend until the first call that was made after the last refusal is answered; 0 without a refusal. */
  readonly backMs: number;
}
function feltBy(answers: readonly Answer[], brokenAt: number, mendedAt: number): Felt {
  const refused = answers.filter((answer) => !isServed(answer));
  const last = refused.toSorted((a, b) => a.at - b.at).at(-1);
  const next = last && answers.filter((one) => one.at > last.at && isServed(one)).toSorted((a, b) => a.at - b.at)[0];
  const slowest = answers
    .filter((one) => isServed(one) && one.at < mendedAt && one.at + one.ms > mendedAt)
    .map(({ at, ms }) => at + ms);
  const backAt = Math.max(next ? next.at + next.ms : 0, ...slowest);
  return {
    refused,
    dishonest: refused.filter((one) => !isHonest(one)).length,
    slowestServedMs: Math.max(0, ...answers.filter((one) => isServed(one) && one.at >= brokenAt).map(({ ms }) => ms)),
    backMs: Math.max(0, backAt - mendedAt),
  };
}

await program(async () => {
  needLinux();
  const dataDir = await tempFolder('outage-database');
  let crashed = Promise.withResolvers<void>();
  const startPostgres = () => {
    crashed = Promise.withResolvers<void>();
    return startEmbeddedPostgres({ dataDir, log: QUIET, onCrash: () => crashed.resolve() });
  };
  let postgres = await startPostgres();
  process.once('exit', () => void postgres.stop());
  const redis = await startRedis();
  const shared = {
    DEMO: '0',
    DATABASE_URL: postgres.connectionString,
    REDIS_URL: redis.url,
    DATA_DIR: await tempFolder('outage-files'),
    LIMIT_BOOKING: '100000000/60',
    LIMIT_OPEN_HOLDS: '100000000/60',
  };
  const node = await startFieldroom(shared);
  let other = await startFieldroom(shared);
  await untilWhole([node, other]);

  const connect = async () => {
    const client = new pg.Client({ connectionString: postgres.connectionString });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 2 });
  pool.on('error', () => undefined);
  const [host, caller] = (await signInTherapists(pool, 2)) as [Therapist, Therapist];
  const eventIds = await makeEvents(pool, host.id, EVENTS, PLACES);
  await pool.end();
  // One room is on this node alone; the other therapist is here, and their clients on the other node.
  const room: ActingRoom = await openActingRoom({ therapist: host, clients: CLIENTS, node });
  await fillRoom(node, caller, CLIENTS);
  const figure = await node.call(saveFigure, { token: caller.token, body: { name: 'Figure', x: 100, y: 100 } });

  let count = 0;
  const kinds: readonly Kind[] = [
    {
      name: 'public list of events',
      make: () => ask(node, upcomingEvents, { params: { therapistName: 'bench-1' }, body: {} as never }),
    },
    {
      name: 'booking',
      make: () =>
        ask(node, bookEvent, {
          params: { eventId: eventIds[count % EVENTS]! },
          body: {
            firstName: 'Ana',
            lastName: 'Pop',
            email: `person${(count += 1)}@bench.example`,
            phoneNumber: '+40 721 555 123',
          },
        }),
    },
    { name: 'own events', make: () => ask(node, myEvents, { token: host.token, body: {} as never }) },
    {
      name: 'act over HTTP',
      make: () =>
        ask(node, saveFigure, {
          token: caller.token,
          body: { id: figure.id, x: 100 + ((count += 1) % 500), y: 100 },
        }),
    },
    {
      name: 'act in a room, until all know it',
      make: () =>
        room.act().then(
          () => ({ status: 200, retryAfter: true }),
          // The connection tells of it by PROBLEM; its words are those of the call's refusal.
          (fault: Error) => ({ status: /unavailable/.test(fault.message) ? 503 : 0, retryAfter: true }),
        ),
    },
  ];
  const first = keepCalling(kinds);
  await sleep(1_000);
  for (const [kind, answers] of await first())
    if (!answers.every(isServed)) throw new Error(`${kind.name} does not work: ${JSON.stringify(answers.at(-1))}`);

  interface Failure {
    readonly name: string;
    /** Lets it fail and mends it. Returns from when on it was mended. */
    happen(): Promise<number>;
    readonly backWithinMs: number | null;
  }
  const failures: readonly Failure[] = [
    {
      name: 'PostgreSQL frozen',
      async happen() {
        signalAll(postgres, 'SIGSTOP');
        await sleep(FROZEN_SECONDS * 1000);
        signalAll(postgres, 'SIGCONT');
        return performance.now();
      },
      backWithinMs: null,
    },
    {
      name: 'PostgreSQL stopped at once and started again',
      async happen() {
        process.kill(postgres.pid, 'SIGQUIT');
        await crashed.promise;
        await sleep(DOWN_SECONDS * 1000);
        const started = startPostgres();
        // Until it accepts connections is its own recovery.
        let accepts = 0;
        await until(
          'PostgreSQL to accept connections',
          () =>
            connect().then(
              async (client) => {
                accepts ||= performance.now();
                await client.end();
                return true;
              },
              () => false,
            ),
          60_000,
          5,
        );
        postgres = await started;
        return accepts;
      },
      backWithinMs: BACK_AFTER_POSTGRES_MS,
    },
    {
      name: 'the other node killed',
      async happen() {
        const at = performance.now();
        await other.started.stop('SIGKILL');
        return at;
      },
      backWithinMs: BACK_AFTER_CRASH_MS,
    },
  ];
  const results = new Map(failures.map((failure) => [failure, [] as Map<string, Felt>[]]));
  for (let number = 0; number < ROUNDS; number++)
    for (const failure of failures) {
      const end = keepCalling(kinds);
      await sleep(1_000);
      const brokenAt = performance.now();
      const mendedAt = await failure.happen();
      await sleep(AFTER_SECONDS * 1000);
      const felt = new Map(
        [...(await end())].map(([{ name }, answers]) => [name, feltBy(answers, brokenAt, mendedAt)]),
      );
      results.get(failure)!.push(felt);
      const refused = [...felt.values()].flatMap((one) => one.refused.map(({ ms }) => ms));
      console.log(
        `${failure.name}: ${refused.length} refused, the slowest after ${show(Math.max(0, ...refused), 0)} ms`,
      );
      if (failure.name === 'the other node killed') {
        other = await startFieldroom({ ...shared, PORT: String(other.port) });
        await untilWhole([node, other]);
      }
    }
  room.close();
  await Promise.all([node.stop(), other.stop()]);
  await redis.stop();
  await postgres.stop();

  // ---- the result

  const all = (failure: Failure, name?: string) =>
    results.get(failure)!.flatMap((felt) => [...felt].flatMap(([kind, one]) => ((name ?? kind) === kind ? [one] : [])));
  const slowestRefusal = (felt: readonly Felt[]) =>
    Math.max(0, ...felt.flatMap((one) => one.refused.map(({ ms }) => ms)));
  const slowestBack = (felt: readonly Felt[]) => Math.max(0, ...felt.map(({ backMs }) => backMs));
  const rows = failures.flatMap((failure) =>
    kinds.map(({ name }): Row => {
      const felt = all(failure, name);
      const times = felt.flatMap((one) => one.refused.map(({ ms }) => ms));
      return {
        'What failed': failure.name,
        'What people did': name,
        refused: times.length,
        'without 503 and Retry-After': felt.reduce((sum, { dishonest }) => sum + dishonest, 0),
        'refused after, p50 ms': times.length === 0 ? '–' : show(percentile(times, 0.5), 0),
        'the slowest ms': times.length === 0 ? '–' : show(Math.max(...times), 0),
        'served, the slowest ms': show(Math.max(0, ...felt.map(({ slowestServedMs }) => slowestServedMs)), 0),
        'back, the slowest ms': show(slowestBack(felt), 0),
      };
    }),
  );
  const aims = failures.flatMap((failure): Aim[] => {
    const felt = all(failure);
    const dishonest = felt.reduce((sum, one) => sum + one.dishonest, 0);
    return [
      {
        what: `${failure.name}: the slowest refusal`,
        aim: `≤ ${REFUSED_WITHIN_MS} ms`,
        measured: `${show(slowestRefusal(felt), 0)} ms`,
        reached: slowestRefusal(felt) <= REFUSED_WITHIN_MS,
      },
      {
        what: `${failure.name}: refusals without 503 and Retry-After`,
        aim: '0',
        measured: String(dishonest),
        reached: dishonest === 0,
      },
      ...(failure.backWithinMs === null
        ? []
        : [
            {
              what: `${failure.name}: everything works again`,
              aim: `≤ ${failure.backWithinMs} ms`,
              measured: `${show(slowestBack(felt), 0)} ms`,
              reached: slowestBack(felt) <= failure.backWithinMs,
            },
          ]),
    ];
  });
  await keep(
    'outage',
    'Calls while parts fail',
    [
      [
        `Two nodes with the shipped times, over one PostgreSQL and one Redis. People of one node make each call every`,
        `${EVERY_MS} ms, however long answers take; ${ROUNDS} rounds of each failure. PostgreSQL is frozen for`,
        `${FROZEN_SECONDS} s, or down for ${DOWN_SECONDS} s. *Back* is the time until the first call after the last`,
        `refusal is answered, and until calls that waited are: counted from the end of the freeze, from when PostgreSQL`,
        `accepts connections, or from the kill. All processes share this machine’s cores.`,
      ].join(' '),
      table(rows),
      table(aimRows(aims)),
    ],
    {
      rounds: ROUNDS,
      results: Object.fromEntries(
        failures.map((failure) => [
          failure.name,
          Object.fromEntries(
            kinds.map(({ name }) => [
              name,
              all(failure, name).map(({ refused, dishonest, slowestServedMs, backMs }) => ({
                refused: refused.length,
                slowest: Math.round(Math.max(0, ...refused.map(({ ms }) => ms))),
                dishonest,
                slowestServed: Math.round(slowestServedMs),
                backMs: Math.round(backMs),
              })),
            ]),
          ),
        ]),
      ),
      aims,
    },
  );
});
