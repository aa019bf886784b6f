/**
 * Holds spread evenly over 1,000 events: over HTTP, compared with pgbench, which calls the same SQL function for one
 * person at a time. See README.md. Settings: BENCH_SECONDS (4, of each turn), BENCH_ROUNDS (3), BENCH_HTTP_CONNECTIONS
 * (128), PGBENCH (path).
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bookEvent } from '@fieldroom/contract/bookings';
import { PLACES_MAX } from '@fieldroom/contract/events';
import { makeEvents, startDatabase, taken, therapistBySlug } from '../lib/service/database.ts';
import { startFieldroom } from '../lib/service/fieldroom.ts';
import { askAll, loopback, openHttp, requestOf } from '../lib/http.ts';
import { type Aim, aimRows, keep, median, percentile, type Row, setting, show, table } from '../lib/numbers.ts';
import { cpuMs, needLinux, program, tempFolder } from '../lib/service/processes.ts';

const SECONDS = setting('BENCH_SECONDS', 4);
const ROUNDS = setting('BENCH_ROUNDS', 3);
const HTTP_CONNECTIONS = setting('BENCH_HTTP_CONNECTIONS', 128);
const EVENTS = 1000;
const DATABASE_CONNECTIONS = 20;
/** A limit that nobody reaches, but that is counted as always. */
const OPEN_HOLDS_MAX = 100_000;
const run = promisify(execFile);

/** Returns the path of pgbench. Installs Debian's package if it is missing and installing is allowed, and says so. */
async function findPgbench(): Promise<string> {
  const known = () =>
    [process.env['PGBENCH'] ?? '', '/usr/bin/pgbench', ...globSync('/usr/lib/postgresql/*/bin/pgbench')].find(
      (path) => path !== '' && existsSync(path),
    );
  const found = known();
  if (found) return found;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error('pgbench is missing: install Debian’s package postgresql, or set PGBENCH');
  console.log('pgbench is missing: installing Debian’s package postgresql (apt-get)');
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 1 << 26,
  });
  const installed = known();
  if (!installed) throw new Error('the package postgresql did not contain pgbench');
  return installed;
}

/** One booking by a random person. The table `bench_email` contains one of our emails. */
const SCRIPT = `\\set event random(1, ${EVENTS})
\\set person random(1, 9000000000000000)
\\set source random(1, 100000)
SELECT take_holds(
  jsonb_build_array(jsonb_build_object(
    'n', 1, 'event_id', (SELECT id FROM bench_events WHERE n = :event), 'version', null,
    'source', sha256((:source)::text::bytea)::text, 'first_name', 'Bench', 'last_name', 'Person',
    'email', 'p' || :person || '@bench.example', 'email_normalized', 'p' || :person || '@bench.example',
    'phone', '+36 1 234 5678', 'language', 'en', 'held_until', product_now() + interval '10 minutes',
    'extended', false, 'token_hash', sha256(('t' || :person)::bytea)::text,
    'handle_hash', sha256(('h' || :person)::bytea)::text, 'words', 1, 'token', 'token-' || :person,
    'email_id', id, 'message_id', '<' || id || '@bench.example>')),
  jsonb_build_array(jsonb_build_object(
    'n', 1, 'kind', 'bookings.held', 'language', 'en', 'reply_to', null, 'subject', subject, 'text', text,
    'html', html, 'mark', 'token', 'sent', true)),
  ${OPEN_HOLDS_MAX}, true) FROM bench_email, gen_random_uuid() AS id;
`;

await program(async () => {
  needLinux();
  const pgbench = await findPgbench();
  const { stdout: version } = await run(pgbench, ['--version']);
  const database = await startDatabase();
  const { pool, embedded } = database;
  const server = await startFieldroom({
    DATABASE_URL: database.connectionString,
    DATABASE_CONNECTIONS: String(DATABASE_CONNECTIONS),
    LIMIT_BOOKING: '100000000/60',
    LIMIT_OPEN_HOLDS: `${OPEN_HOLDS_MAX}/60`,
  });
  const anna = await therapistBySlug(pool, 'anna');
  const connections = await Promise.all(
    Array.from({ length: HTTP_CONNECTIONS }, (_, index) => openHttp(server.port, loopback(index))),
  );
  let person = 0;
  const request = (eventId: number) =>
    requestOf(
      server.port,
      bookEvent,
      { eventId },
      {
        firstName: 'Bench',
        lastName: 'Person',
        email: `person${++person}@bench.example`,
        phoneNumber: '+36 1 234 5678',
        language: 'en',
      },
    );
  const kindOf = (status: number, body: Buffer) =>
    status === 200 ? 'held' : ((JSON.parse(body.toString()) as { code?: string }).code ?? String(status));

  const [sample] = await makeEvents(pool, anna, 1, 8);
  await connections[0]!.ask(request(sample!));
  await pool.query(
    `CREATE TABLE bench_email AS
       SELECT subject, text, html FROM outbox_emails WHERE kind = 'bookings.held' ORDER BY number DESC LIMIT 1`,
  );
  await pool.query('CREATE TABLE bench_events (n integer PRIMARY KEY, id bigint NOT NULL)');
  const script = join(await tempFolder('pgbench'), 'hold.sql');
  await writeFile(script, SCRIPT);

  const ours = {
    rates: [] as number[],
    times: [] as number[],
    answers: 0,
    ms: 0,
    generator: 0,
    server: 0,
    database: 0,
  };
  const peer = { rates: [] as number[], latencies: [] as number[], answers: 0, ms: 0, database: 0 };

  async function overHttp(counted: boolean, seconds: number): Promise<void> {
    const ids = await makeEvents(pool, anna, EVENTS, PLACES_MAX);
    const end = performance.now() + seconds * 1000;
    let next = 0;
    const before = { generator: process.cpuUsage(), server: cpuMs(server.started.pid), database: database.cpuMs() };
    const { ms, times, kinds } = await askAll(
      connections,
      () => (performance.now() < end ? request(ids[next++ % EVENTS]!) : null),
      kindOf,
    );
    const { held } = await taken(pool, ids);
    if (held !== times.length || kinds.get('held') !== held)
      throw new Error(
        `${held} places are held after ${[...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')}`,
      );
    if (!counted) return;
    const { user, system } = process.cpuUsage(before.generator);
    ours.generator += (user + system) / 1000;
    ours.server += cpuMs(server.started.pid) - before.server;
    ours.database += database.cpuMs() - before.database;
    ours.rates.push((times.length * 1000) / ms);
    ours.answers += times.length;
    ours.ms += ms;
    for (const time of times) ours.times.push(time);
  }

  async function byPgbench(counted: boolean, seconds: number): Promise<void> {
    const ids = await makeEvents(pool, anna, EVENTS, PLACES_MAX);
    await pool.query('TRUNCATE bench_events');
    await pool.query(
      'INSERT INTO bench_events SELECT n, id FROM unnest($1::bigint[]) WITH ORDINALITY AS given(id, n)',
      [ids],
    );
    const before = database.cpuMs();
    const { stdout } = await run(pgbench, [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(DATABASE_CONNECTIONS),
      '-j',
      '1',
      '-T',
      String(seconds),
      '-f',
      script,
      '-h',
      embedded.host,
      '-U',
      embedded.user,
      embedded.database,
    ]);
    const processed = Number(/number of transactions actually processed: (\d+)/.exec(stdout)?.[1]);
    const { held } = await taken(pool, ids);
    if (held !== processed) throw new Error(`pgbench made ${processed} calls, ${held} places are held`);
    if (!counted) return;
    peer.database += database.cpuMs() - before;
    peer.rates.push(Number(/tps = ([\d.]+)/.exec(stdout)?.[1]));
    peer.latencies.push(Number(/latency average = ([\d.]+) ms/.exec(stdout)?.[1]));
    peer.answers += processed;
    peer.ms += seconds * 1000;
  }

  await overHttp(false, 2);
  await byPgbench(false, 1);
  for (let round = 0; round < ROUNDS; round++) {
    for (const turn of round % 2 === 0 ? [overHttp, byPgbench] : [byPgbench, overHttp])
      await turn(true, Math.round(SECONDS));
  }
  for (const connection of connections) connection.close();
  await server.stop();
  await database.stop();

  const share = (ms: number, of: number) => Math.round((ms / of) * 100);
  const rows: Row[] = [
    {
      Holds: 'Fieldroom over HTTP',
      'a second': Math.round(median(ours.rates)),
      'mean ms': show(ours.times.reduce((a, b) => a + b, 0) / ours.times.length, 1),
      'p99 ms': show(percentile(ours.times, 0.99), 1),
      'generator % of a core': share(ours.generator, ours.ms),
      'server % of a core': share(ours.server, ours.ms),
      'database % of a core': share(ours.database, ours.ms),
      'database µs each': Math.round((ours.database * 1000) / ours.answers),
    },
    {
      Holds: 'pgbench, the same function',
      'a second': Math.round(median(peer.rates)),
      'mean ms': show(median(peer.latencies), 1),
      'p99 ms': '–',
      'generator % of a core': '–',
      'server % of a core': '–',
      'database % of a core': share(peer.database, peer.ms),
      'database µs each': Math.round((peer.database * 1000) / peer.answers),
    },
  ];
  const ratio = median(ours.rates) / median(peer.rates);
  const aims: Aim[] = [
    { what: 'holds over 1,000 events, of pgbench’s', aim: '≥ 0.4', measured: show(ratio), reached: ratio >= 0.4 },
  ];
  await keep(
    'spread',
    'Holds over 1,000 events',
    [
      [
        `${EVENTS} events with ${PLACES_MAX} places, booked in turns over ${HTTP_CONNECTIONS} HTTP connections, each`,
        `from an address block of its own. ${version.trim()} calls \`take_holds\` as a prepared statement for one`,
        `person at a time over ${DATABASE_CONNECTIONS} database connections, as many as our server has, and reads the`,
        `email from a table instead of the wire. ${ROUNDS} alternating turns of ${SECONDS} s on the same database`,
        `(fsync on), each with events of its own; medians. Every hold that was confirmed to somebody is counted in the`,
        `table afterwards.`,
      ].join(' '),
      table(rows),
      table(aimRows(aims)),
    ],
    {
      rounds: ROUNDS,
      httpConnections: HTTP_CONNECTIONS,
      ours: { ...ours, times: undefined, p99: percentile(ours.times, 0.99) },
      peer,
      aims,
    },
  );
});
