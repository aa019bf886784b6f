/** The minimum for a small JSON answer over HTTP: a bare Fastify. */
import Fastify from 'fastify';

const app = Fastify();
app.get('/hello', async () => ({ hello: 'world' }));
app.get('/', async () => 'here');
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
