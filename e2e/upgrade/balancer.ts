/** A balancer in front of the nodes, like a proxy of `deploy/`, except that the scenario chooses the node. */
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface Balancer {
  readonly url: string;
  /** Sends calls and new sockets to the node at this port from now on; open sockets stay where they are. */
  routeTo(port: number): void;
  /** The number of open sockets to the node at this port. */
  socketsAt(port: number): number;
  /** Calls that the node at this port has answered so far, as `POST /path 200`. */
  answeredBy(port: number): readonly string[];
  close(): Promise<void>;
}

/** Starts it at a free port of this machine. */
export async function startBalancer(): Promise<Balancer> {
  let target = 0;
  const sockets = new Map<Socket, number>();
  const answered = new Map<number, string[]>();

  function forwardCall(request: IncomingMessage, response: ServerResponse): void {
    const port = target;
    const { method, url, headers } = request;
    // A connection for each call, so that none is left open at a node that stops.
    const upstream = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, (answer) => {
      answered.set(port, [...(answered.get(port) ?? []), `${method} ${url} ${answer.statusCode}`]);
      const { connection: _, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    upstream.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'retry-after': '1' }).end();
    });
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  }

  function forwardSocket(request: IncomingMessage, client: Socket, head: Buffer): void {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    sockets.set(client, target);
    const lines = [`GET ${request.url} HTTP/1.1`];
    for (let at = 0; at < request.rawHeaders.length; at += 2)
      lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    upstream.on('error', () => upstream.destroy());
    client.on('error', () => client.destroy());
    upstream.on('close', () => client.destroySoon());
    client.on('close', () => {
      sockets.delete(client);
      upstream.destroySoon();
    });
    client.pipe(upstream).pipe(client);
  }

  const server = createServer(forwardCall)
    .on('upgrade', (request, client, head) => forwardSocket(request, client as Socket, head))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    routeTo(port) {
      target = port;
    },
    socketsAt: (port) => [...sockets.values()].filter((at) => at === port).length,
    answeredBy: (port) => answered.get(port) ?? [],
    async close() {
      for (const client of sockets.keys()) client.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
