/**
 * Two nodes with the settings they are shipped with, while parts of them fail: PostgreSQL freezes, or is stopped at
 * once and started again, an event, a room or a table is locked, Redis is killed, the file store hangs, and the other
 * node is killed. Measures how long people wait for a refusal, what it says, and when their calls and acts work again.
 * See README.md.
 *
 * Settings: BENCH_ROUNDS (3), BENCH_ONLY (failures whose name has this text), BENCH_FROZEN_SECONDS (8),
 * BENCH_DOWN_SECONDS (3), BENCH_AFTER_SECONDS (4, watched after each failure).
 */
import pg from 'pg';
import { getCurrentUserData } from '@fieldroom/contract/accounts';
import { bookEvent } from '@fieldroom/contract/bookings';
import { eventImage, myEvents, publicEvent, upcomingEvents, uploadEventImage } from '@fieldroom/contract/events';
import { HOLD_MS, saveFigure } from '@fieldroom/contract/field';
import { aPhoto } from '../../server/tests/support/pictures.ts';
import { s3Server } from '../../server/tests/support/programs/s3-server.ts';
import { type Aim, aimRows, keep, percentile, type Row, setting, show, table } from '../lib/numbers.ts';
import { ask, EVERY_MS, type Felt, feltBy, isServed, keepCalling, type Kind } from '../lib/outage/calls.ts';
import { connectTo } from '../lib/outage/connecting.ts';
import { type DeadNode, openSplitRoom, type SplitRoom } from '../lib/outage/dead-node.ts';
import { startFailingPostgres } from '../lib/outage/postgres.ts';
import { ActRefused, openActingRoom } from '../lib/room/acting-room.ts';
import { makeEvents, signInTherapists } from '../lib/service/database.ts';
import { fillRoom, startFieldroom, type Therapist } from '../lib/service/fieldroom.ts';
import { untilWhole } from '../lib/service/nodes.ts';
import { needLinux, program, sleep, tempFolder } from '../lib/service/processes.ts';
import { startRedis } from '../lib/service/redis.ts';

const ROUNDS = Math.round(setting('BENCH_ROUNDS', 3));
const FROZEN_SECONDS = setting('BENCH_FROZEN_SECONDS', 8);
const DOWN_SECONDS = setting('BENCH_DOWN_SECONDS', 3);
const AFTER_SECONDS = setting('BENCH_AFTER_SECONDS', 4);
const ONLY = process.env['BENCH_ONLY'] ?? '';
const LOCKED_SECONDS = 4;
/** Of calls that cost much more than others. */
const SLOW_EVERY_MS = 500;
const CLIENTS = 4;
const EVENTS = 20;
const PLACES = 500;
/** The aims. */
const REFUSED_WITHIN_MS = 2_000;
const BACK_AFTER_CRASH_MS = 800;
const BACK_AFTER_POSTGRES_MS = 300;
const PEOPLE_BACK_MS = 10_000;
const NODE_KILLED = 'the other node killed';

await program(async () => {
  needLinux();
  const postgres = await startFailingPostgres();
  let redis = await startRedis();
  const store = await s3Server();
  // With the time limit that is shipped.
  const { S3_TIMEOUT_MS: _, ...storeSettings } = store.env;
  const shared = {
    DEMO: '0',
    DATABASE_URL: postgres.connectionString,
    REDIS_URL: redis.url,
    ...storeSettings,
    DATA_DIR: await tempFolder('outage-files'),
    LIMIT_UPLOADS: '100000000/3600',
    LIMIT_BOOKING: '100000000/60',
    LIMIT_OPEN_HOLDS: '100000000/60',
  };
  const node = await startFieldroom(shared);
  let other = await startFieldroom(shared);
  await untilWhole([node, other]);

  const pool = new pg.Pool({ connectionString: postgres.connectionString, max: 2 });
  pool.on('error', () => undefined);
  const [host, caller, split] = (await signInTherapists(pool, 3)) as [Therapist, Therapist, Therapist];
  const eventIds = await makeEvents(pool, host.id, EVENTS, PLACES);
  await pool.end();
  // One room is on this node alone; the other therapist is here, and their clients on the other node.
  const room = await openActingRoom({ therapist: host, clients: CLIENTS, node });
  const guests = await fillRoom(node, caller, CLIENTS);
  const figure = await node.call(saveFigure, { token: caller.token, body: { name: 'Figure', x: 100, y: 100 } });

  const picture = new Uint8Array(await aPhoto());
  const upload = (eventId: number) => ask(node, uploadEventImage, { params: { eventId }, picture, token: host.token });
  const uploaded = await upload(eventIds.at(-2)!);
  if (uploaded.status !== 200) throw new Error(`a picture was not taken: ${uploaded.status}`);
  const { files } = (await node.call(publicEvent, { params: { therapistName: 'bench-1', eventId: eventIds.at(-2)! } }))
    .event;

  let count = 0;
  const book = (eventId: number) =>
    ask(node, bookEvent, {
      params: { eventId },
      body: {
        firstName: 'Ana',
        lastName: 'Pop',
        email: `person${(count += 1)}@bench.example`,
        phoneNumber: '+40 721 555 123',
      },
    });
  const kinds: readonly Kind[] = [
    {
      name: 'public list of events',
      make: () => ask(node, upcomingEvents, { params: { therapistName: 'bench-1' }, body: {} as never }),
    },
    { name: 'booking', make: () => book(eventIds[count % EVENTS]!) },
    { name: 'booking of one event', make: () => book(eventIds[0]!) },
    { name: 'own account', make: () => ask(node, getCurrentUserData, { token: host.token }) },
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
          () => ({ status: 200, retryAfter: false }),
          // The connection tells of it by PROBLEM.
          (fault: Error) =>
            fault instanceof ActRefused
              ? { status: fault.code === 'unavailable' ? 503 : 400, retryAfter: (fault.retryAfterSeconds ?? 0) > 0 }
              : { status: 0, retryAfter: false },
        ),
    },
    // A person has only so many connections.
    {
      name: 'connecting to a room',
      everyMs: SLOW_EVERY_MS,
      make: () => connectTo(node, caller, guests[(count += 1) % CLIENTS]!),
    },
    {
      name: 'picture of an event',
      make: () => ask(node, eventImage, { params: { eventId: eventIds.at(-2)!, fileName: files[0] ?? '' } }),
    },
    // Pictures of one sender are converted one after another.
    { name: 'upload of a picture', everyMs: SLOW_EVERY_MS, make: () => upload(eventIds.at(-1)!) },
  ];
  const first = keepCalling(kinds);
  await sleep(1_000);
  for (const [kind, answers] of await first())
    if (!answers.every(isServed)) throw new Error(`${kind.name} does not work: ${JSON.stringify(answers.at(-1))}`);

  interface Failure {
    readonly name: string;
    /** Before people make calls. */
    prepare?(): Promise<void>;
    /** Lets it fail and mends it. Returns from when on it was mended. */
    happen(): Promise<number>;
    readonly backWithinMs: number | null;
  }
  /** Somebody else holds a lock for a while. */
  const locked = (name: string, statement: string): Failure => ({
    name,
    async happen() {
      await postgres.lock(statement, LOCKED_SECONDS * 1000);
      return performance.now();
    },
    backWithinMs: null,
  });
  const splits: DeadNode[] = [];
  let splitRoom: SplitRoom | undefined;
  const everyFailure: readonly Failure[] = [
    {
      name: 'PostgreSQL frozen',
      async happen() {
        await postgres.freeze(FROZEN_SECONDS * 1000);
        return performance.now();
      },
      backWithinMs: null,
    },
    {
      name: 'PostgreSQL stopped at once and started again',
      happen: () => postgres.crash(DOWN_SECONDS * 1000),
      backWithinMs: BACK_AFTER_POSTGRES_MS,
    },
    locked('an event locked', `SELECT FROM events WHERE id = ${eventIds[0]} FOR UPDATE`),
    locked('a room locked', `SELECT FROM rooms WHERE therapist_id = ${caller.id} FOR UPDATE`),
    locked('a table locked, until its calls have all connections', 'LOCK TABLE events IN ACCESS EXCLUSIVE MODE'),
    {
      name: 'Redis killed and started again',
      async happen() {
        await redis.stop('SIGKILL');
        await sleep(DOWN_SECONDS * 1000);
        redis = await startRedis(redis.port);
        return performance.now();
      },
      backWithinMs: null,
    },
    {
      name: 'the file store hangs',
      async happen() {
        store.mood('hang');
        await sleep(LOCKED_SECONDS * 1000);
        store.mood(null);
        return performance.now();
      },
      backWithinMs: null,
    },
    {
      name: NODE_KILLED,
      async prepare() {
        splitRoom = await openSplitRoom(split, node, other);
      },
      async happen() {
        let killedAt = 0;
        const kill = () => {
          killedAt = performance.now();
          return other.started.stop('SIGKILL');
        };
        splits.push(await splitRoom!.measure(kill, AFTER_SECONDS * 1000));
        return killedAt;
      },
      backWithinMs: BACK_AFTER_CRASH_MS,
    },
  ];
  const failures = everyFailure.filter(({ name }) => name.includes(ONLY));
  const results = new Map(failures.map((failure) => [failure, [] as Map<string, Felt>[]]));
  for (let number = 0; number < ROUNDS; number++)
    for (const failure of failures) {
      await failure.prepare?.();
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
      for (const [name, one] of felt)
        if (one.refused.length > 0)
          console.log(
            `  ${name}: ${one.refused.length}, ${one.dishonest} without 503 and Retry-After, the slowest after ${show(Math.max(...one.refused.map(({ ms }) => ms)), 0)} ms`,
          );
      if (failure.name === NODE_KILLED && number < ROUNDS - 1) {
        other = await startFieldroom({ ...shared, PORT: String(other.port) });
        await untilWhole([node, other]);
      }
    }
  room.close();
  await Promise.all([node.stop(), other.stop()]);
  await redis.stop();
  await postgres.stop();
  await store.close();

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
  const { acts, failed, takenMs, backMs } = {
    acts: splits.flatMap((one) => one.acts),
    failed: splits.reduce((sum, one) => sum + one.failed, 0),
    takenMs: Math.max(...splits.map((one) => one.takenMs)),
    backMs: Math.max(...splits.flatMap((one) => one.backMs)),
  };
  aims.push(
    {
      what: `${NODE_KILLED}: acts in a room that was on both, until all on the other node know it`,
      aim: `≤ ${BACK_AFTER_CRASH_MS} ms, none refused`,
      measured: `${show(Math.max(0, ...acts), 0)} ms, ${failed} refused`,
      reached: failed === 0 && acts.every((ms) => ms <= BACK_AFTER_CRASH_MS),
    },
    {
      what: `${NODE_KILLED}: somebody else has the figure that one of its people held`,
      aim: `≤ ${HOLD_MS + 500} ms`,
      measured: `${show(takenMs, 0)} ms`,
      reached: takenMs <= HOLD_MS + 500,
    },
    {
      what: `${NODE_KILLED}: all of its people are back`,
      aim: `≤ ${PEOPLE_BACK_MS} ms`,
      measured: `${show(backMs, 0)} ms`,
      reached: backMs <= PEOPLE_BACK_MS,
    },
  );
  await keep(
    'outage',
    'Calls while parts fail',
    [
      [
        `Two nodes with the shipped times, over one PostgreSQL and one Redis. People of one node make each call every`,
        `${EVERY_MS} ms, however long answers take; ${ROUNDS} rounds of each failure. PostgreSQL is frozen for`,
        `${FROZEN_SECONDS} s, or down for ${DOWN_SECONDS} s as Redis is; locks are held, and the file store hangs, for`,
        `${LOCKED_SECONDS} s. *Back* is the time until the first call after the last`,
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
