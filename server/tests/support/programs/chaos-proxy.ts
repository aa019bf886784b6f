/**
 * A TCP proxy between a program under test and what it talks to (PostgreSQL, Redis, the server itself), for faults that
 * the kernel has no means for: latency, a low rate, connections that are half open, reset, or cut in the middle of a
 * message, and a server that is down. Real sockets, real faults.
 *
 * *Up* is the way from the caller to the target, *down* the way back.
 */
import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { freePort } from './process.ts';

type Way = 'up' | 'down';
const WAYS: readonly Way[] = ['up', 'down'];

export interface ChaosProxy {
  /** The target's address through the proxy. */
  readonly url: string;
  /** How many connections there are. */
  connections(): number;
  /** Everything that comes waits this long, in its order. */
  delay(ms: number, way?: Way): void;
  /** Each connection carries at most this much. The sender is held up, as by a slow network. */
  limit(bytesPerSecond: number, way?: Way): void;
  /**
   * Nothing passes any more, nor does the end of a connection: the other side takes it for open, as when a cable is
   * pulled or a program is suspended. New connections are accepted and get no answer.
   */
  hang(way?: Way): void;
  /** Ends `delay`, `limit` and `hang`: what waited passes. */
  resume(): void;
  /** Resets the connections that there are, or those whose first line matches. Returns how many. */
  cut(firstLine?: RegExp): number;
  /**
   * Resets one connection in the middle of what it carries, once: the first that carries these bytes, half of which
   * pass, or the first that carries more than this number of bytes from now on, which pass. Resolves when it has
   * happened.
   */
  cutOnce(where: string | number, way: Way): Promise<void>;
  /** Refuses new connections and resets the others, like a server that is down. */
  down(): Promise<void>;
  /** Takes connections again, at the same address. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** The faults of one way; the same for all connections. */
interface Faults {
  delayMs: number;
  /** Infinity for no limit. */
  bytesPerSecond: number;
  hangs: boolean;
}

const noFaults = (): Faults => ({ delayMs: 0, bytesPerSecond: Infinity, hangs: false });

/** One way of one connection. */
interface Flow {
  /** Looks what may pass now. */
  look(): void;
  stop(): void;
}

interface Link {
  readonly flows: Flow[];
  /** What the caller sent first, with its first line. */
  beginning: string;
  reset(): void;
}

/** A cut that waits for its place. */
interface Cut {
  readonly way: Way;
  readonly where: Buffer | number;
  /** Bytes since it was asked for, by connection. */
  readonly carried: WeakMap<Link, number>;
  readonly done: () => void;
}

/** What PostgreSQL answers to COMMIT, for `cutOnce`: the message CommandComplete. */
export const COMMITTED = 'C\0\0\0\x0bCOMMIT\0';

/** Bytes that may wait here. What is more waits at the sender, who notices. */
const WAITING_BYTES = 65_536;
/** Into how many pieces the bytes of a second are divided. */
const PIECES_PER_SECOND = 20;
const BEGINNING_LENGTH = 1_000;

/**
 * Opens a proxy on 127.0.0.1. Takes the target's address: `redis://host:port`, `http://host:port`, or
 * `postgresql://user@host/database?host=folder` for a PostgreSQL behind a Unix socket.
 */
export async function chaosProxy(address: string): Promise<ChaosProxy> {
  const port = await freePort();
  const target = targetOf(address);
  const faults: Record<Way, Faults> = { up: noFaults(), down: noFaults() };
  const links = new Set<Link>();
  const cuts = new Set<Cut>();

  /** The cut whose place is in these bytes, and how many of them still pass. */
  function cutIn(link: Link, way: Way, bytes: Buffer): { cut: Cut; passing: number } | null {
    for (const cut of cuts) {
      if (cut.way !== way) continue;
      if (typeof cut.where === 'number') {
        const before = cut.carried.get(link) ?? 0;
        if (before + bytes.length > cut.where) return { cut, passing: cut.where - before };
        cut.carried.set(link, before + bytes.length);
      } else {
        const at = bytes.indexOf(cut.where);
        if (at >= 0) return { cut, passing: at + Math.floor(cut.where.length / 2) };
      }
    }
    return null;
  }

  /** Carries what `from` sends to `onto`. */
  function carry(link: Link, way: Way, from: Socket, onto: Socket): Flow {
    const fault = faults[way];
    /** What came and has not passed. */
    const waiting: { what: Buffer | 'end' | 'reset'; since: number }[] = [];
    let bytesWaiting = 0;
    let timer: NodeJS.Timeout | undefined;
    /** When the rate lets the next piece pass. */
    let nextAt = 0;
    let isFull = false;
    let stopped = false;

    /** Passes the first bytes that wait, as many as the rate allows. */
    function pass(bytes: Buffer): void {
      const piece = bytes.subarray(0, Math.max(1, Math.floor(fault.bytesPerSecond / PIECES_PER_SECOND)));
      if (piece.length === bytes.length) waiting.shift();
      else waiting[0]!.what = bytes.subarray(piece.length);
      bytesWaiting -= piece.length;
      nextAt = performance.now() + (piece.length / fault.bytesPerSecond) * 1_000;
      const found = cutIn(link, way, piece);
      const passing = found === null ? piece : piece.subarray(0, found.passing);
      if (passing.length > 0) isFull = !onto.write(passing);
      if (found === null) return;
      cuts.delete(found.cut);
      link.reset();
      found.cut.done();
    }

    function look(): void {
      clearTimeout(timer);
      while (!stopped && !isFull && !fault.hangs) {
        const [next] = waiting;
        if (next === undefined) break;
        const waitMs = Math.max(next.since + fault.delayMs, nextAt) - performance.now();
        if (waitMs > 0) {
          timer = setTimeout(look, waitMs);
          break;
        }
        if (typeof next.what !== 'string') {
          pass(next.what);
          continue;
        }
        waiting.shift();
        if (next.what === 'end') onto.end();
        else link.reset();
      }
      if (bytesWaiting < WAITING_BYTES) from.resume();
      else from.pause();
    }

    function take(what: Buffer | 'end' | 'reset'): void {
      if (stopped) return;
      waiting.push({ what, since: performance.now() });
      if (typeof what !== 'string') bytesWaiting += what.length;
      look();
    }
    from.on('data', take);
    from.on('end', () => take('end'));
    from.on('close', (hadError: boolean) => {
      if (hadError) take('reset');
    });
    onto.on('drain', () => {
      isFull = false;
      look();
    });
    return {
      look,
      stop() {
        stopped = true;
        clearTimeout(timer);
      },
    };
  }

  function join(caller: Socket): void {
    const far = connect({ ...target, allowHalfOpen: true });
    const sockets = [caller, far];
    const link: Link = {
      flows: [],
      beginning: '',
      reset() {
        links.delete(link);
        for (const flow of link.flows) flow.stop();
        // Unix sockets know no reset, nor do connections that are not made yet.
        for (const socket of sockets)
          if ('path' in target && socket === far) socket.destroy();
          else if (socket.connecting) socket.destroy();
          else socket.resetAndDestroy();
      },
    };
    links.add(link);
    caller.on('data', (bytes: Buffer) => {
      if (link.beginning.length < BEGINNING_LENGTH) link.beginning += bytes.toString('latin1', 0, BEGINNING_LENGTH);
    });
    link.flows.push(carry(link, 'up', caller, far), carry(link, 'down', far, caller));
    for (const socket of sockets) {
      socket.setNoDelay(true);
      // `close` follows.
      socket.on('error', () => {});
      socket.on('close', () => {
        if (sockets.every(({ destroyed }) => destroyed)) links.delete(link);
      });
    }
  }

  /** Changes the faults of one way or of both, for all connections. */
  function change(faulty: Partial<Faults>, way?: Way): void {
    for (const one of way === undefined ? WAYS : [way]) Object.assign(faults[one], faulty);
    for (const { flows } of links) for (const flow of flows) flow.look();
  }

  async function open(): Promise<Server> {
    const opened = createServer({ allowHalfOpen: true }, join).listen(port, '127.0.0.1');
    await once(opened, 'listening');
    return opened;
  }
  let server = await open();

  async function down(): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    for (const link of links) link.reset();
    await closed;
  }

  return {
    url: through(address, port),
    connections: () => links.size,
    delay: (delayMs, way) => change({ delayMs }, way),
    limit: (bytesPerSecond, way) => change({ bytesPerSecond }, way),
    hang: (way) => change({ hangs: true }, way),
    resume: () => change(noFaults()),
    cut(firstLine = /^/) {
      const found = [...links].filter(({ beginning }) => firstLine.test(beginning.split('\r\n', 1)[0]!));
      for (const link of found) link.reset();
      return found.length;
    },
    cutOnce: (where, way) =>
      new Promise((done) => {
        const place = typeof where === 'string' ? Buffer.from(where, 'latin1') : where;
        cuts.add({ way, where: place, carried: new WeakMap(), done });
      }),
    down,
    async up() {
      server = await open();
    },
    async close() {
      if (server.listening) await down();
    },
  };
}

/** Where an address leads. */
function targetOf(address: string): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(address);
  const folder = searchParams.get('host');
  if (folder !== null) return { path: `${folder}/.s.PGSQL.5432` };
  if (port === '') throw new Error('the address has no port');
  return { host: hostname, port: Number(port) };
}

/** The same address, by way of a port of this machine. */
function through(address: string, port: number): string {
  const url = new URL(address);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  // Without the slash that a URL adds and a caller would double.
  return address.endsWith('/') ? url.href : url.href.replace(/\/$/, '');
}
