/**
 * The obvious way to book, without an HTTP server: a transaction for each booking with BEGIN, SELECT FOR UPDATE, count,
 * INSERT, COMMIT through `pg`. It writes the same rows as the product (booking, token, handle, email) in one statement,
 * and keeps the same rules. The parent process says the events, the number of people and the number of connections.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';

export interface PlainOrder {
  readonly connectionString: string;
  readonly connections: number;
  /** Events that are booked in turns. */
  readonly eventIds: readonly number[];
  readonly people: number;
  /** Stops after this time, even if people are left. */
  readonly maxMs: number;
  readonly email: { readonly subject: string; readonly text: string; readonly html: string };
  /** Makes the email addresses of this round unique. */
  readonly round: string;
}
export interface PlainReport {
  readonly held: number;
  readonly refused: number;
  readonly ms: number;
  readonly times: readonly number[];
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

const LOCK = {
  name: 'lock',
  text: `SELECT places, status, starts_at > product_now() AS open FROM events WHERE id = $1 FOR UPDATE`,
};
const COUNT = {
  name: 'count',
  text: `SELECT count(*) FILTER (WHERE state = 'HELD' AND held_until > product_now()) AS held,
                count(*) FILTER (WHERE state = 'CONFIRMED') AS confirmed,
                count(*) FILTER (
                  WHERE email_normalized = $2 AND (state = 'CONFIRMED' OR held_until > product_now())
                ) AS mine
           FROM bookings WHERE event_id = $1 AND state IN ('HELD', 'CONFIRMED')`,
};
const INSERT = {
  name: 'insert',
  text: `WITH booking AS (
    INSERT INTO bookings (event_id, state, first_name, last_name, email, email_normalized, phone, language, held_until)
    VALUES ($1, 'HELD', $2, $3, $4, $4, $5, 'en', product_now() + interval '10 minutes') RETURNING id, held_until
  ), token AS (
    INSERT INTO booking_tokens (token_hash, booking_id, purpose) SELECT $6, id, 'email' FROM booking
  ), handle AS (
    INSERT INTO booking_handles
      (handle_hash, event_id, booking_id, source, first_name, last_name, email, phone, language, held_until)
    SELECT $7, $1, id, $8, $2, $3, $4, $5, 'en', held_until FROM booking
  )
  INSERT INTO outbox_emails (id, message_id, kind, language, to_address, subject, text, html, about, sent_at)
  SELECT $9::uuid, '<' || $9 || '@bench.example>', 'bookings.held', 'en', $4, $10, $11, $12,
         'booking ' || id, product_now()
    FROM booking`,
};

async function book(
  client: pg.PoolClient,
  { email: content, round }: PlainOrder,
  eventId: number,
  person: number,
): Promise<boolean> {
  const email = `plain-${round}-${person}@bench.example`;
  await client.query('BEGIN');
  const {
    rows: [event],
  } = await client.query<{ places: number; status: string; open: boolean }>({ ...LOCK, values: [eventId] });
  const {
    rows: [taken],
  } = await client.query<{ held: number; confirmed: number; mine: number }>({ ...COUNT, values: [eventId, email] });
  const { places, status, open } = event!;
  const { held, confirmed, mine } = taken!;
  if (
    status !== 'PUBLISHED' ||
    !open ||
    mine > 0 ||
    held + confirmed >= places ||
    held >= (places > 4 ? Math.floor(places / 2) : places)
  ) {
    await client.query('ROLLBACK');
    return false;
  }
  const [token, handle] = [randomBytes(32), randomBytes(32)];
  await client.query({
    ...INSERT,
    values: [
      eventId,
      'Bench',
      `Person ${person}`,
      email,
      '+36 1 234 5678',
      hash(token),
      hash(handle),
      hash(Buffer.from(round)),
      randomUUID(),
      content.subject,
      content.text,
      content.html,
    ],
  });
  await client.query('COMMIT');
  return true;
}

async function work(order: PlainOrder): Promise<PlainReport> {
  const pool = new pg.Pool({ connectionString: order.connectionString, max: order.connections });
  const clients = await Promise.all(Array.from({ length: order.connections }, () => pool.connect()));
  for (const client of clients) await client.query({ ...LOCK, values: [0] });
  const times: number[] = [];
  let [next, held, refused] = [0, 0, 0];
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let person = next++; person < order.people && performance.now() - began < order.maxMs; person = next++) {
        const from = performance.now();
        if (await book(client, order, order.eventIds[person % order.eventIds.length]!, person)) held += 1;
        else refused += 1;
        times.push(performance.now() - from);
      }
    }),
  );
  const ms = performance.now() - began;
  for (const client of clients) client.release();
  await pool.end();
  return { held, refused, ms, times };
}

process.on('message', (order: PlainOrder) => {
  void work(order).then((report) => process.send!(report));
});
