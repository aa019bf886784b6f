/**
 * The list of a therapist's upcoming events with 100,000 events in the table, 200 of them this therapist's: without a
 * filter, by kind and date, by keyword. Compared with a bare Fastify and `pg` handler that does one indexed read. First
 * with only the 200, then with all. Requests for the same list at the same time may share a read, so the full table is
 * also measured with requests for different therapists' lists. See README.md. Settings: BENCH_SECONDS (2, of each
 * turn), BENCH_ROUNDS (3), BENCH_EVENTS (100000), BENCH_NODE_FLAGS (for our server, as --cpu-prof).
 */
import { fileURLToPath } from 'node:url';
import { upcomingEvents } from '@fieldroom/contract/events';
import { pageQuery } from '@fieldroom/server/features/events/lists/events.lists.store';
import pg from 'pg';
import { makeEvents, makeTherapists, startDatabase } from '../lib/service/database.ts';
import { startFieldroom } from '../lib/service/fieldroom.ts';
import { askAll, openHttp, requestOf, type HttpConnection } from '../lib/http.ts';
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
import { answering, cpuMs, freePort, needLinux, program, startNode } from '../lib/service/processes.ts';

const SECONDS = setting('BENCH_SECONDS', 2);
const ROUNDS = setting('BENCH_ROUNDS', 3);
const EVENTS = setting('BENCH_EVENTS', 100_000);
const NODE_FLAGS = nodeFlags();
const OWN = 200;
const HTTP_CONNECTIONS = 4;
/** The number of different lists that are requested in turns, so that no requests share a read. */
const OTHERS = 16;
const UNSHARED = 'no filter, all of other therapists';

const FILTERS = {
  'no filter': {},
  'kind and days': { type: 'GROUP', startDate: '2000-01-01', endDate: '2099-12-31' },
  keyword: { keyword: 'evening 1' },
} as const;

await program(async () => {
  needLinux();
  const database = await startDatabase();
  const server = await startFieldroom({ DATABASE_URL: database.connectionString }, NODE_FLAGS);
  const port = await freePort();
  const peer = startNode(fileURLToPath(new URL('../peers/plain-list.ts', import.meta.url)), [], {
    env: { PORT: String(port), DATABASE_URL: database.connectionString, NODE_ENV: 'production' },
  });
  const therapists = await makeTherapists(database.pool, Math.ceil(EVENTS / OWN));
  const [own] = therapists;
  await makeEvents(database.pool, own!.id, OWN, 20);
  await database.pool.query('ANALYZE');

  await answering(peer, `http://127.0.0.1:${port}/`);
  const open = (to: number) => Promise.all(Array.from({ length: HTTP_CONNECTIONS }, () => openHttp(to)));
  const plainRequest = requestOf(port, { method: 'POST', path: '/events/{id}' }, { id: own!.id }, {});
  const requests = Object.fromEntries(
    Object.entries(FILTERS).map(([way, filter]) => [
      way,
      requestOf(server.port, upcomingEvents, { therapistName: own!.slug }, filter, '?page=0&size=20'),
    ]),
  );

  const unsharedRequests = therapists
    .slice(0, OTHERS)
    .map(({ slug }) => requestOf(server.port, upcomingEvents, { therapistName: slug }, {}, '?page=0&size=20'));

  interface Measure {
    times: number[];
    rates: number[];
    p99: number[];
    server: number;
    database: number;
    answers: number;
  }
  const empty = (): Measure => ({ times: [], rates: [], p99: [], server: 0, database: 0, answers: 0 });
  async function run(
    measure: Measure,
    connections: readonly HttpConnection[],
    requested: readonly string[],
    pid: number,
    seconds = SECONDS,
  ): Promise<void> {
    const end = performance.now() + seconds * 1000;
    const before = { server: cpuMs(pid), database: database.cpuMs() };
    let number = 0;
    const { ms, times, kinds } = await askAll(
      connections,
      () => (performance.now() < end ? requested[number++ % requested.length]! : null),
      (status) => String(status),
    );
    if (kinds.size !== 1 || !kinds.has('200')) throw new Error(`answers: ${[...kinds.keys()].join(', ')}`);
    measure.server += cpuMs(pid) - before.server;
    measure.database += database.cpuMs() - before.database;
    measure.answers += times.length;
    measure.rates.push((times.length * 1000) / ms);
    measure.p99.push(percentile(times, 0.99));
    for (const time of times) measure.times.push(time);
  }
  async function all(names: readonly string[]): Promise<Map<string, Measure>> {
    const measures = new Map<string, Measure>(names.map((name) => [name, empty()]));
    // New connections, because both servers close connections that were idle while events were inserted.
    const [ourConnections, peerConnections] = [await open(server.port), await open(port)];
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, measure] of measures) {
        const into = round < 0 ? empty() : measure;
        if (name === 'peer') await run(into, peerConnections, [plainRequest], peer.pid, round < 0 ? 0.5 : SECONDS);
        else
          await run(
            into,
            ourConnections,
            name === UNSHARED ? unsharedRequests : [requests[name]!],
            server.started.pid,
            round < 0 ? 0.5 : SECONDS,
          );
      }
    }
    for (const connection of [...ourConnections, ...peerConnections]) connection.close();
    return measures;
  }

  const alone = await all([...Object.keys(FILTERS), 'peer']);
  for (const { id } of therapists.slice(1)) await makeEvents(database.pool, id, OWN, 20);
  await database.pool.query('VACUUM ANALYZE');
  const crowded = await all([...Object.keys(FILTERS), UNSHARED, 'peer']);
  const connection = await openHttp(server.port);
  const found = JSON.parse((await connection.ask(requests['keyword']!)).body.toString()) as { totalElements: number };
  connection.close();

  const query = pageQuery('public', own!.slug, {
    type: null,
    startDate: null,
    endDate: null,
    dates: null,
    pattern: '%evening 1%',
    limit: 20,
    offset: 0,
  });
  const values = query.values.map((value) =>
    value === null ? 'NULL' : typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value)),
  );
  const client = await database.pool.connect();
  await client.query(`PREPARE listed AS ${query.text}`);
  const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) EXECUTE listed(${values.join(', ')})`,
  );
  const {
    rows: [counted],
  } = await client.query<{ many: number }>('SELECT count(*)::int AS many FROM events');
  const many = counted!.many;
  client.release();
  await peer.stop();
  await server.stop();
  await database.stop();

  const micro = (measure: Measure, ...who: ('server' | 'database')[]) =>
    Math.round((who.reduce((sum, one) => sum + measure[one], 0) * 1000) / measure.answers);
  const row = (name: string, before: Measure | undefined, after: Measure): Row => ({
    List: name,
    'a second': Math.round(median(after.rates)),
    'p50 ms': show(percentile(after.times, 0.5)),
    'p99 ms': show(median(after.p99)),
    'server CPU µs each': micro(after, 'server'),
    'database CPU µs each': micro(after, 'database'),
    [`p50 ms with ${OWN} only`]: before ? show(percentile(before.times, 0.5)) : '–',
    [`p99 ms with ${OWN} only`]: before ? show(median(before.p99)) : '–',
    [`CPU µs with ${OWN} only`]: before ? micro(before, 'server', 'database') : '–',
  });
  const peerP99 = median(crowded.get('peer')!.p99);
  const aims: Aim[] = [...Object.keys(FILTERS), UNSHARED].flatMap((way): Aim[] => {
    const [before, after] = [alone.get(way), crowded.get(way)!];
    const slower = median(after.p99) / peerP99;
    const costlier = micro(after, 'server', 'database') / micro(crowded.get('peer')!, 'server', 'database');
    const beside: Aim[] = [
      { what: `${way}: p99, of the bare handler’s`, aim: '≤ 1.2', measured: show(slower), reached: slower <= 1.2 },
      { what: `${way}: CPU, of the bare handler’s`, aim: '≤ 1.2', measured: show(costlier), reached: costlier <= 1.2 },
    ];
    if (!before) return beside;
    const grown = micro(after, 'server', 'database') / micro(before, 'server', 'database');
    return [
      ...beside,
      {
        what: `${way}: CPU with others’ events, of CPU without`,
        aim: '≤ 1.2',
        measured: show(grown),
        reached: grown <= 1.2,
      },
    ];
  });
  await keep(
    'upcoming',
    'Upcoming events of one therapist',
    [
      [
        `${many.toLocaleString('en')} events in the table, ${OWN} of each therapist; ${HTTP_CONNECTIONS} connections`,
        `request the first page of 20 one after the other, ${ROUNDS} turns of ${SECONDS} s, medians. The comparison is`,
        `Fastify and \`pg\` with one prepared read over the same index, without filter, number of free places, series,`,
        `validation or limits. Anonymous requests for a list that is being read share the next read, so the four`,
        `connections share some; in the row “${UNSHARED}” they request ${OTHERS} lists in turns and share none. The`,
        `keyword finds ${found.totalElements} events.`,
      ].join(' '),
      table([
        ...[...Object.keys(FILTERS), UNSHARED].map((way) =>
          row(`Fieldroom, ${way}`, alone.get(way), crowded.get(way)!),
        ),
        row('Fastify and pg, one read', alone.get('peer')!, crowded.get('peer')!),
      ]),
      table(aimRows(aims)),
      `The query plan of the keyword:\n\n\`\`\`\n${plan.map((line) => line['QUERY PLAN']).join('\n')}\n\`\`\``,
    ],
    {
      events: many,
      rounds: ROUNDS,
      ...Object.fromEntries(
        Object.entries({ alone, crowded }).map(([what, measures]) => [
          what,
          Object.fromEntries(
            [...measures].map(([name, { rates, p99, times, server, database, answers }]) => [
              name,
              { rates, p99, p50: percentile(times, 0.5), cpuMicroseconds: ((server + database) * 1000) / answers },
            ]),
          ),
        ]),
      ),
      aims,
    },
  );
});
