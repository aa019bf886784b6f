/** A PostgreSQL for a benchmark, started as the product embeds it (fsync on). Server and comparison use it in turns. */
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@fieldroom/server/platform/db/embedded-postgres';
import { newToken } from '@fieldroom/server/platform/tokens';
import { onDatabase } from '../../../server/tests/support/database.ts';
import type { Therapist } from './fieldroom.ts';
import { cpuMs, tempFolder } from './processes.ts';

export interface BenchDatabase {
  readonly connectionString: string;
  readonly embedded: EmbeddedPostgres;
  readonly pool: pg.Pool;
  /** User and system time of all its processes in ms, including those that have ended. */
  cpuMs(): number;
  stop(): Promise<void>;
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

/** Starts PostgreSQL in its own folder. It is stopped with the program at the latest. */
export async function startDatabase(): Promise<BenchDatabase> {
  const embedded = await startEmbeddedPostgres({ dataDir: await tempFolder('database'), log: silent });
  const pool = new pg.Pool({ connectionString: embedded.connectionString, max: 4 });
  pool.on('error', () => undefined);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= pool.end().then(() => embedded.stop()));
  process.once('exit', () => void stop());
  return { connectionString: embedded.connectionString, embedded, pool, cpuMs: () => familyCpuMs(embedded.pid), stop };
}

/** Creates one more database on the same server, for a separate service. Takes its name. The caller ends the pool. */
export async function addDatabase(
  { pool, connectionString }: BenchDatabase,
  name: string,
): Promise<Pick<BenchDatabase, 'connectionString' | 'pool'>> {
  await pool.query(`CREATE DATABASE ${name}`);
  const added = onDatabase(connectionString, name);
  const own = new pg.Pool({ connectionString: added, max: 4 });
  own.on('error', () => undefined);
  return { connectionString: added, pool: own };
}

/** CPU time of a process, its running children, and its ended children. */
function familyCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // cutime and cstime, in ticks of 10 ms.
  let ms = cpuMs(pid) + (Number(fields[13]) + Number(fields[14])) * 10;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    for (const child of readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ')) {
      if (child === '') continue;
      try {
        ms += cpuMs(Number(child));
      } catch {
        // The child has just ended, so the parent's time includes it from now on.
      }
    }
  }
  return ms;
}

/** Inserts published events over the next 300 days. Returns their ids in order. */
export async function makeEvents(pool: pg.Pool, therapistId: number, many: number, places: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO events
       (series_id, therapist_id, type, is_online, name, location, address, description, dates, start_time, end_time,
        time_zone, starts_at, ends_at, price_minor, currency, places, search_text)
     SELECT 0, $1, 'GROUP', false, 'Evening ' || n, 'Studio', 'Main street ' || n, 'What happens on evening ' || n,
            ARRAY[day], '18:00', '20:00', 'Europe/Budapest', (day + time '18:00') AT TIME ZONE 'Europe/Budapest',
            (day + time '20:00') AT TIME ZONE 'Europe/Budapest', 2500, 'EUR', $3,
            'evening ' || n || ' what happens on evening ' || n || ' studio main street ' || n
       FROM generate_series(1, $2::int) AS n,
            LATERAL (SELECT (product_now() + make_interval(days => 1 + n % 300))::date AS day) AS d
     RETURNING id`,
    [therapistId, many, places],
  );
  const ids = rows.map(({ id }) => Number(id));
  await pool.query('UPDATE events SET series_id = id WHERE id = ANY($1) AND series_id = 0', [ids]);
  return ids;
}

/** Inserts therapists without a valid password, once on a database. Returns their ids, slugs and join links. */
export async function makeTherapists(
  pool: pg.Pool,
  many: number,
): Promise<{ id: number; slug: string; joinLink: string }[]> {
  const { rows } = await pool.query<{ id: number; slug: string; join_link: string }>(
    `INSERT INTO accounts
       (email, email_normalized, password_hash, first_name, last_name, gender, language, roles, slug, join_link,
        email_verified_at, time_zone)
     SELECT 'bench' || n || '@bench.example', 'bench' || n || '@bench.example', 'none', 'Bench', 'Number ' || n,
            'female', 'en', ARRAY['ROLE_THERAPIST'], 'bench-' || n, 'bench-link-' || n, product_now(),
            'Europe/Budapest'
       FROM generate_series(1, $1::int) AS n
     RETURNING id, slug, join_link`,
    [many],
  );
  return rows.map(({ id, slug, join_link: joinLink }) => ({ id: Number(id), slug, joinLink }));
}

/** Inserts such therapists, each with a sign-in. */
export async function signInTherapists(pool: pg.Pool, many: number): Promise<Therapist[]> {
  const therapists = await makeTherapists(pool, many);
  const tokens = therapists.map(() => newToken());
  await pool.query(`INSERT INTO sign_ins (token_hash, account_id) SELECT * FROM unnest($1::bytea[], $2::bigint[])`, [
    tokens.map(({ hash }) => hash),
    therapists.map(({ id }) => id),
  ]);
  return therapists.map(({ id, joinLink }, index) => ({ id, joinLink, token: tokens[index]!.token }));
}

/** The id of the account with this slug. Throws if there is none. */
export const therapistBySlug = async (pool: pg.Pool, slug: string): Promise<number> =>
  Number((await pool.query<{ id: number }>('SELECT id FROM accounts WHERE slug = $1', [slug])).rows[0]!.id);

/** Counts the held and confirmed places of events, and the maximum of any event. */
export async function taken(
  pool: pg.Pool,
  eventIds: readonly number[],
): Promise<{ held: number; confirmed: number; most: number }> {
  const { rows } = await pool.query<{ held: string; confirmed: string; most: string }>(
    `SELECT coalesce(sum(held), 0) AS held, coalesce(sum(confirmed), 0) AS confirmed,
            coalesce(max(held + confirmed), 0) AS most
       FROM (SELECT count(*) FILTER (WHERE state = 'HELD' AND held_until > product_now()) AS held,
                    count(*) FILTER (WHERE state = 'CONFIRMED') AS confirmed
               FROM bookings WHERE event_id = ANY($1) GROUP BY event_id) AS counted`,
    [eventIds],
  );
  const [row] = rows;
  return { held: Number(row!.held), confirmed: Number(row!.confirmed), most: Number(row!.most) };
}

/** Fills all places of an event with confirmed bookings. */
export async function fillEvent(pool: pg.Pool, eventId: number): Promise<void> {
  await pool.query(
    `INSERT INTO bookings
       (event_id, state, first_name, last_name, email, email_normalized, phone, language, confirmed_at)
     SELECT e.id, 'CONFIRMED', 'Full', 'House ' || n, 'full' || n || '@bench.example', 'full' || n || '@bench.example',
            '', 'en', product_now()
       FROM events e, generate_series(1, e.places) AS n WHERE e.id = $1`,
    [eventId],
  );
}
