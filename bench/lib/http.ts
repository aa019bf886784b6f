/**
 * An HTTP/1.1 client with only what a load generator needs, so that it costs less than what it measures. It has a
 * persistent connection, one request at a time, and answers with a status and a body of known length.
 */
import { connect } from 'node:net';
import type { Endpoint } from '@fieldroom/contract/http';

export interface HttpConnection {
  /** Sends a whole request. Returns the answer's status and body, the latter valid until the next request. */
  ask(request: string | Buffer): Promise<{ status: number; body: Buffer }>;
  close(): void;
}

/** The bytes of a request with a JSON body. */
export function requestOf(
  port: number,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  params: Record<string, string | number>,
  body: unknown,
  query = '',
): string {
  const json = JSON.stringify(body);
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return [
    `${method} ${target}${query} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Origin: http://127.0.0.1:${port}`,
    'Accept: application/json',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
    '',
    json,
  ].join('\r\n');
}

/** A loopback address (127.0.0.0/8) for each person, in its own address block. Takes the person's index. */
export const loopback = (index: number): string => `127.${1 + (index >> 8)}.${index & 255}.1`;

/** Opens a connection to a port of this machine, from a loopback address. */
export function openHttp(port: number, localAddress = '127.0.0.1'): Promise<HttpConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    let rest: Buffer = Buffer.alloc(0);
    let waiting: {
      resolve: (answer: { status: number; body: Buffer }) => void;
      reject: (error: Error) => void;
    } | null = null;
    const fail = (error: Error) => {
      waiting?.reject(error);
      waiting = null;
    };
    socket.on('data', (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = rest.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(head);
      const status = Number(head.slice(9, 12));
      if (!length && status !== 204) return fail(new Error(`an answer of unknown length: ${head}`));
      const whole = end + 4 + Number(length?.[1] ?? 0);
      if (rest.length < whole) return;
      const body = rest.subarray(end + 4, whole);
      rest = rest.subarray(whole);
      const asked = waiting;
      waiting = null;
      asked?.resolve({ status, body });
    });
    socket.on('error', (error) => {
      reject(error);
      fail(error);
    });
    socket.on('close', () => fail(new Error('the server closed the connection')));
    socket.on('connect', () =>
      resolve({
        ask: (request) =>
          new Promise((done, refuse) => {
            // A server closes connections that were idle for long; nobody would answer.
            if (socket.destroyed) return refuse(new Error('the server closed the connection'));
            waiting = { resolve: done, reject: refuse };
            socket.write(request);
          }),
        close: () => socket.destroy(),
      }),
    );
  });
}

/**
 * Sends requests over all connections at the same time, one after the other on each, until `next` returns null. Returns
 * the time of each answer in ms, and the number of answers of each kind.
 */
export async function askAll(
  connections: readonly HttpConnection[],
  next: () => string | null,
  kindOf: (status: number, body: Buffer) => string,
): Promise<{ ms: number; times: number[]; kinds: Map<string, number> }> {
  const times: number[] = [];
  const kinds = new Map<string, number>();
  const began = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let request = next(); request !== null; request = next()) {
        const from = performance.now();
        const { status, body } = await connection.ask(request);
        times.push(performance.now() - from);
        const kind = kindOf(status, body);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }),
  );
  return { ms: performance.now() - began, times, kinds };
}
