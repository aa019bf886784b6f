/**
 * A proxy between a server under test and its PostgreSQL that can be cut, paused and removed: real sockets, real
 * faults.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DatabaseProxy {
  /** For DATABASE_URL. */
  readonly connectionString: string;
  /**
   * Nothing passes any more, in either direction; new connections are accepted and get no answer, as from a server that
   * hangs.
   */
  hang(): void;
  /** What waited passes. */
  resume(): void;
  /** Resets all connections that there are. Returns how many. */
  cut(): number;
  /** Refuses new connections and resets existing ones, like a server that is down. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a proxy to the tests' PostgreSQL. Takes the address of one of its databases. */
export async function databaseProxy(to: string): Promise<DatabaseProxy> {
  const target = new URL(to);
  const folder = target.searchParams.get('host');
  if (folder === null) throw new Error('the database of tests is reached by a Unix socket');
  const pairs = new Set<{ inner: Socket; outer: Socket }>();
  let hanging = false;

  function join(outer: Socket): void {
    const inner = connect(`${folder}/.s.PGSQL.5432`);
    const pair = { inner, outer };
    pairs.add(pair);
    for (const [from, onto] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on('data', (chunk) => void onto.write(chunk));
      from.on('end', () => onto.end());
      from.on('error', () => onto.destroy());
      from.on('close', () => {
        pairs.delete(pair);
        onto.destroy();
      });
      if (hanging) from.pause();
    }
  }

  const cut = () => {
    const all = [...pairs];
    for (const { inner, outer } of all) {
      outer.resetAndDestroy();
      inner.destroy();
    }
    return all.length;
  };
  let server = createServer(join).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function down(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  }

  const through = new URL(to);
  through.searchParams.delete('host');
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    connectionString: through.href,
    hang() {
      hanging = true;
      for (const { inner, outer } of pairs) for (const socket of [inner, outer]) socket.pause();
    },
    resume() {
      hanging = false;
      for (const { inner, outer } of pairs) for (const socket of [inner, outer]) socket.resume();
    },
    cut,
    down,
    async up() {
      server = createServer(join).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    async close() {
      if (server.listening) await down();
    },
  };
}
