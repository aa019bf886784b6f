/**
 * A reverse proxy with TLS and HTTP/2 before the server, as the service is deployed (deploy/caddy, deploy/nginx): over
 * the internet nobody connects to the server itself, because browsers allow camera and microphone only with HTTPS.
 */
import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { createSecureServer } from 'node:http2';
import { connect } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { createCertificate } from '../../../server/src/features/video/engine/transport/dtls.ts';

const HOST = '127.0.0.1';
/** For browsers that open pages behind the proxy: its certificate is not signed by an authority. */
export const ACCEPT_CERTIFICATE = '--ignore-certificate-errors';
/** Headers of one connection; HTTP/2 does not have them. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection']);

const passedOn = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':') && !OF_CONNECTION.has(name)));
const nothing = () => undefined;

/** Takes the proxy's port and the server's. Returns a function that stops the proxy. */
export async function startFront(port: number, serverPort: number): Promise<() => Promise<void>> {
  const { pem, key } = await createCertificate();
  const agent = new Agent({ keepAlive: true });
  const connections = new Set<Duplex>();
  const front = createSecureServer({ cert: pem, key, allowHTTP1: true }, (asked, answer) => {
    const passed = request({
      host: HOST,
      port: serverPort,
      agent,
      method: asked.method,
      path: asked.url,
      headers: {
        ...passedOn(asked.headers),
        host: asked.headers[':authority'] ?? asked.headers.host,
        'x-forwarded-for': HOST,
      },
    });
    passed.on('response', (answered) => {
      answer.writeHead(answered.statusCode ?? 502, passedOn(answered.headers));
      pipeline(answered, answer, nothing);
    });
    passed.on('error', () => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end();
    });
    pipeline(asked, passed, nothing);
  });
  // WebSockets arrive over HTTP/1.1.
  front.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    const passed = connect(serverPort, HOST, () => {
      const { rawHeaders } = asked;
      const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
      passed.write([`GET ${asked.url} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
      passed.write(head);
      socket.pipe(passed).pipe(socket);
    });
    passed.on('error', () => socket.destroy());
    socket.on('error', () => passed.destroy());
    socket.on('close', () => passed.destroy());
  });
  front.on('secureConnection', (socket: Duplex) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  front.listen(port, HOST);
  await once(front, 'listening');
  return async () => {
    agent.destroy();
    for (const connection of connections) connection.destroy();
    front.close();
    await once(front, 'close');
  };
}
