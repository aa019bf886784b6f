/**
 * The list of a therapist's upcoming events with 100,000 events in the table, 200 of them this therapist's: without
 * filter, by kind and days, by keyword; compared with a bare Fastify and `pg` handler doing one indexed read. First
 * with the 200 alone, then with all. Those who ask for the same list at the same time may share a read, so with all it
 * is measured also while everybody asks for another therapist's list. See README.md. Settings: BENCH_SECONDS (2, of
 * each turn), BENCH_ROUNDS (3), BENCH_EVENTS (100000).
 */
import { fileURLToPath } from 'node:url';
import { upcomingEvents } from '@fieldroom/contract/events';
import { pageQuery } from '@fieldroom/server/features/events/lists/events.lists.store';
import pg from 'pg';
import { makeEvents, makeTherapists, startDatabase } from './lib/database.ts';
import { startFieldroom } from './lib/fieldroom.ts';
import { askAll, openHttp, requestOf, type HttpConnection } from './lib/http.ts';
import { type Aim, aimRows, keep, median, percentile, type Row, setting, show, table } from './lib/numbers.ts';
import { answering, cpuMs, freePort, needLinux, program, startNode } from './lib/processes.ts';

const SECONDS = setting('BENCH_SECONDS', 2);
const ROUNDS = setting('BENCH_ROUNDS', 3);
const EVENTS = setting('BENCH_EVENTS', 100_000);
const OWN = 200;
const LINES = 4;
/** Lists that are requested in turns, so that nobody shares a read. */
const OTHERS = 16;
const APART = 'no filter, all of other therapists';

const WAYS = {
  'no filter': {},
  'kind and days': { type: 'GROUP', startDate: '2000-01-01', endDate: '2099-12-31' },
  keyword: { keyword: 'evening 1' },
} as const;

await program(async () => {
  needLinux();
  const database = await startDatabase();
  const server = await startFieldroom({ DATABASE_URL: database.connectionString });
  const port = await freePort();
  const peer = startNode(fileURLToPath(new URL('./peers/plain-list.ts', import.meta.url)), [], {
    env: { PORT: String(port), DATABASE_URL: database.connectionString, NODE_ENV: 'production' },
  });
  const therapists = await makeTherapists(database.pool, Math.ceil(EVENTS / OWN));
  const [own] = therapists;
  await makeEvents(database.pool, own!.id, OWN, 20);
  await database.pool.query('ANALYZE');

  await answering(peer, `http://127.0.0.1:${port}/`);
  const open = (to: number) => Promise.all(Array.from({ length: LINES }, () => openHttp(to)));
  const plainRequest = requestOf(port, { method: 'POST', path: '/events/{id}' }, { id: own!.id }, {});
  const requests = Object.fromEntries(
    Object.entries(WAYS).map(([way, filter]) => [
      way,
      requestOf(server.port, upcomingEvents, { therapistName: own!.slug }, filter, '?page=0&size=20'),
    ]),
  );

  const apart = therapists
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
    lines: readonly HttpConnection[],
    asked: readonly string[],
    pid: number,
    seconds = SECONDS,
  ): Promise<void> {
    const end = performance.now() + seconds * 1000;
    const before = { server: cpuMs(pid), database: database.cpuMs() };
    let number = 0;
    const { ms, times, kinds } = await askAll(
      lines,
      () => (performance.now() < end ? asked[number++ % asked.length]! : null),
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
    // Opened again, because both servers close connections that were silent while the events were made.
    const [ourLines, peerLines] = [await open(server.port), await open(port)];
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, measure] of measures) {
        const into = round < 0 ? empty() : measure;
        if (name === 'peer') await run(into, peerLines, [plainRequest], peer.pid, round < 0 ? 0.5 : SECONDS);
        else
          await run(
            into,
            ourLines,
            name === APART ? apart : [requests[name]!],
            server.started.pid,
            round < 0 ? 0.5 : SECONDS,
          );
      }
    }
    for (const line of [...ourLines, ...peerLines]) line.close();
    return measures;
  }

  const alone = await all([...Object.keys(WAYS), 'peer']);
  for (const { id } of therapists.slice(1)) await makeEvents(database.pool, id, OWN, 20);
  await database.pool.query('VACUUM ANALYZE');
  const crowded = await all([...Object.keys(WAYS), APART, 'peer']);
  const asker = await openHttp(server.port);
  const found = JSON.parse((await asker.ask(requests['keyword']!)).body.toString()) as { totalElements: number };
  asker.close();

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
  const asking = await database.pool.connect();
  await asking.query(`PREPARE listed AS ${query.text}`);
  const { rows: plan } = await asking.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) EXECUTE listed(${values.join(', ')})`,
  );
  const {
    rows: [counted],
  } = await asking.query<{ many: number }>('SELECT count(*)::int AS many FROM events');
  const many = counted!.many;
  asking.release();
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
  const aims: Aim[] = [...Object.keys(WAYS), APART].flatMap((way): Aim[] => {
    const [before, after] = [alone.get(way), crowded.get(way)!];
    const slower = median(after.p99) / peerP99;
    const dearer = micro(after, 'server', 'database') / micro(crowded.get('peer')!, 'server', 'database');
    const beside: Aim[] = [
      { what: `${way}: p99, of the bare handler’s`, aim: '≤ 1.2', measured: show(slower), reached: slower <= 1.2 },
      { what: `${way}: CPU, of the bare handler’s`, aim: '≤ 1.2', measured: show(dearer), reached: dearer <= 1.2 },
    ];
    if (!before) return beside;
    const grown = micro(after, 'server', 'database') / micro(before, 'server', 'database');
    return [
      ...beside,
      {
        what: `${way}: CPU with others’ events, of that without`,
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
      `${many.toLocaleString('en')} events in the table, ${OWN} of each therapist; ${LINES} connections ask for the first page of 20 one after the other, ${ROUNDS} turns of ${SECONDS} s, medians. The peer is Fastify and \`pg\` with one prepared read over the same index: no filter, no places counted, no series, no validation, no limits. Strangers who ask for the same list while it is being read share the next read, so the four share some; in the row “${APART}” nobody does: ${OTHERS} lists by turns. The keyword finds ${found.totalElements}.`,
      table([
        ...[...Object.keys(WAYS), APART].map((way) => row(`Fieldroom, ${way}`, alone.get(way), crowded.get(way)!)),
        row('Fastify and pg, one read', alone.get('peer')!, crowded.get('peer')!),
      ]),
      table(aimRows(aims)),
      `The plan of the keyword:\n\n\`\`\`\n${plan.map((line) => line['QUERY PLAN']).join('\n')}\n\`\`\``,
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
