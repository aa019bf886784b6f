/** The minimum for a list over HTTP: Fastify and `pg`, with one prepared read by the index of a therapist's events. */
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL']!, max: 20 });
const app = Fastify();
app.post<{ Params: { therapistId: string } }>('/events/:therapistId', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'list',
    text: `SELECT id, series_id, therapist_id, status, type, is_online, name, location, address, description,
                  dates::text[], start_time, end_time, time_zone, starts_at, ends_at, price_minor, currency, places
             FROM events WHERE therapist_id = $1 AND ends_at > product_now() ORDER BY ends_at LIMIT 20`,
    values: [params.therapistId],
  });
  return { content: rows, page: 0, size: 20 };
});
app.get('/', async () => 'here');
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
