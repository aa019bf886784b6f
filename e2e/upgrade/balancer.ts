/** A balancer before the nodes, as a proxy of `deploy/` is, except that the scenario says which node takes people. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** From now on calls and new sockets go to the node at this port; open sockets stay where they are. */
  lead(port: number): void;
  /** How many sockets are open at the node at this port. */
  socketsAt(port: number): number;
  /** Calls answered so far by the node at this port, as `POST /path 200`. */
  answeredBy(port: number): readonly string[];
  close(): Promise<void>;
}

/** Starts it at a free port of this machine. */
export async function startBalancer(): Promise<Balancer> {
  let to = 0;
  const sockets = new Map<Socket, number>();
  const answered = new Map<number, string[]>();

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const port = to;
    const { method, url, headers } = asked;
    // A connection for each call: none is left over at a node that stops.
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (got) => {
      answered.set(port, [...(answered.get(port) ?? []), `${method} ${url} ${got.statusCode}`]);
      const { connection: _, ...passed } = got.headers;
      answer.writeHead(got.statusCode ?? 502, passed);
      got.pipe(answer);
      got.on('error', () => answer.destroy());
    });
    onward.on('error', () => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(503, { 'retry-after': '1' }).end();
    });
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  }

  function passSocket(asked: IncomingMessage, person: Socket, head: Buffer): void {
    const way = connect({ port: to, host: '127.0.0.1', noDelay: true });
    sockets.set(person, to);
    const lines = [`GET ${asked.url} HTTP/1.1`];
    for (let at = 0; at < asked.rawHeaders.length; at += 2)
      lines.push(`${asked.rawHeaders[at]}: ${asked.rawHeaders[at + 1]}`);
    way.write(`${lines.join('\r\n')}\r\n\r\n`);
    way.write(head);
    way.on('error', () => way.destroy());
    person.on('error', () => person.destroy());
    way.on('close', () => person.destroySoon());
    person.on('close', () => {
      sockets.delete(person);
      way.destroySoon();
    });
    person.pipe(way).pipe(person);
  }

  const server = createServer(pass)
    .on('upgrade', (asked, person, head) => passSocket(asked, person as Socket, head))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead(port) {
      to = port;
    },
    socketsAt: (port) => [...sockets.values()].filter((at) => at === port).length,
    answeredBy: (port) => answered.get(port) ?? [],
    async close() {
      for (const person of sockets.keys()) person.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
