/**
 * HTTP: mounts what the contract declares, and nothing else. Each call passes the same stations: address limit, sign-in,
 * parsing by the contract's shapes, the gate of its access rule, the handler, and its reply checked against the
 * contract before it leaves. Refusals are problems (RFC 9457); everything else that is thrown is a bug and shows only
 * the number under which it stands in the log.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import type { Access, BodyOf, Endpoint, ParamsOf, QueryOf } from '@fieldroom/contract/http';
import { PROBLEMS, Problem } from '@fieldroom/contract/problems';
import type { ProblemBody } from '@fieldroom/contract/problems';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AccessValues, Principal } from '../../access.ts';
import type { Config } from '../config.ts';
import { addressBlock } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { fieldFaults } from './faults.ts';
import { NO_PAGE_POLICY, commonHeaders, isOwnOrigin } from './headers.ts';
import { type LagMeasure, watchLag } from './lag.ts';

/** 64 kB, the limit of bodies and of frames (SAFE). */
export const BODY_BYTES = 65_536;
/** Room in the path for a segment of a kilobyte, percent-encoded. */
const PARAM_LENGTH = 4096;
const TOKEN_LENGTH = 512;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Access rules that somebody without a sign-in may pass. */
const WITHOUT_SIGN_IN: readonly Access[] = [
  'anyone',
  'token',
  'self in full; anyone the public part (name, picture)',
  'anyone, throttled',
  'anyone, published events',
  'anyone, published events; the owner also the others',
  'token, only from our page',
];

/** A file that came in a multipart form. */
export interface Upload {
  readonly filename: string;
  /** What the sender says it is; never believed without a look at the bytes. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A reply that is bytes. */
export interface Bytes {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler receives: everything checked, nothing claimed. */
export interface Call<E extends Endpoint, P, A> {
  /** What the gate made of the sign-in. */
  readonly access: A;
  readonly principal: P | null;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The file, on calls mounted with `upload`. */
  readonly file: Upload | null;
  /** The caller's address; behind proxies named by TRUST_PROXY the one they tell. */
  readonly ip: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export type HandlerReply<E extends Endpoint> = E['bytes'] extends readonly string[]
  ? Bytes
  : E['reply'] extends z.ZodType
    ? z.input<E['reply']>
    : void;

/** What a gate sees: the sign-in, and the parsed input that names what is wanted. */
export interface GateContext<P> {
  readonly principal: P | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly request: FastifyRequest;
}
/** Answers the value of access for the handler, or throws a Problem. */
export type Gate<P, A> = (context: GateContext<P>) => A | Promise<A>;
export type Gates<P, AV extends Record<Access, unknown>> = { readonly [A in Access]?: Gate<P, AV[A]> };

export interface HandleOptions {
  /** Bytes of the body at most; 64 kB where nothing is said. */
  readonly bodyLimit?: number;
  /** Takes one file of so many bytes in a multipart form instead of JSON; the other fields are the body. */
  readonly upload?: { readonly maxBytes: number };
}

/** The words of access are the application's own (`access.ts`); another application brings others. */
export interface Http<P = Principal, AV extends Record<Access, unknown> = AccessValues> {
  /** Mounts one call of the contract. Throws at start when its access has no gate or it is mounted twice. */
  handle<E extends Endpoint>(
    endpoint: E,
    handler: (call: Call<E, P, AV[E['access']]>) => Promise<HandlerReply<E>> | HandlerReply<E>,
    options?: HandleOptions,
  ): void;
  /** Who answers where no route does: pages of the web. Null leaves it `not_found`. */
  fallback(answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null): void;
  /** Offers WebSocket upgrades: who answers true has taken the socket. What nobody takes is refused. */
  upgrade(take: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean): void;
  /** For what is no call of the contract: health, pages, static files. */
  readonly fastify: FastifyInstance;
  /** For faults that an answer survives. */
  readonly log: Log;
  /** The calls mounted so far. */
  readonly mounted: readonly Endpoint[];
  /** After the last mount: other methods of mounted paths answer 405. Called by `listen`. */
  finish(): Promise<void>;
  /** Opens the port. Out: the address. */
  listen(): Promise<string>;
  /** From now on new calls are answered `shutting_down`; those running finish. */
  stopTaking(): void;
  close(): Promise<void>;
}

export interface HttpParts<P, AV extends Record<Access, unknown>> {
  readonly config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'trustProxy' | 'limits'>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Who a bearer token belongs to; null for an unknown one, a Problem for one whose end can be told. Either counts as nobody where anybody may call. */
  readonly identify: (token: string) => Promise<P | Problem | null>;
  readonly gates: Gates<P, AV>;
  /** Milliseconds the event loop may lag before calls are turned away; 0 never turns away. */
  readonly maxLagMs?: number;
  readonly lagMeasure?: LagMeasure;
}

/** Makes the HTTP side. Nothing listens before `listen()`. */
export async function createHttp<P, AV extends Record<Access, unknown>>({
  config,
  log,
  metrics,
  identify,
  gates,
  maxLagMs = 2000,
  lagMeasure,
}: HttpParts<P, AV>): Promise<Http<P, AV>> {
  const app = fastify({
    // Our own line after each call: Fastify's would hold the path, and paths hold secrets.
    logger: false,
    genReqId: nextRequestId,
    bodyLimit: BODY_BYTES,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: trustOf(config.trustProxy),
    requestTimeout: 60_000,
    connectionTimeout: 0,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAM_LENGTH },
    frameworkErrors: (error, request, reply) =>
      sendProblem(reply, request, asProblem(error) ?? new Problem('bad_request')),
  }) as unknown as FastifyInstance;
  const mounted: Endpoint[] = [];
  const headers = commonHeaders(config);
  let stopping = false;
  let finished: Promise<void> | undefined;

  // The body is read by our own parsers alone.
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined);
    void parseJson(request, text as string, done);
  });

  app.addHook('onRequest', async (request, reply) => {
    for (const name in headers) reply.header(name, headers[name]!);
    reply.header('content-security-policy', NO_PAGE_POLICY);
    reply.header('x-request-id', request.id);
    if (stopping) throw new Problem('shutting_down', { retryAfterSeconds: 5 });
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    if (changes && !isOwnOrigin(request.headers, config)) throw new Problem('forbidden');
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    log.debug(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'call',
    );
  });

  await app.register(rateLimit, {
    global: true,
    hook: 'onRequest',
    max: config.limits.requests.max,
    timeWindow: config.limits.requests.windowSeconds * 1000,
    cache: 20_000,
    keyGenerator: (request) => addressBlock(request.ip),
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: (_request, { ttl }) =>
      new Problem('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1000)) }),
  });
  const { isLate, stop: stopLag } = watchLag(maxLagMs, lagMeasure);
  app.addHook('onClose', async () => stopLag());
  app.addHook('onRequest', async () => {
    if (isLate()) throw new Problem('shutting_down', { retryAfterSeconds: 5 });
  });
  await app.register(multipart, {
    limits: { files: 1, fields: 50, fieldSize: BODY_BYTES, fieldNameSize: 100, parts: 51, headerPairs: 50 },
  });

  app.setErrorHandler((error, request, reply) => {
    const problem = asProblem(error);
    if (problem) return sendProblem(reply, request, problem);
    log.error(
      { err: error, requestId: request.id, method: request.method, route: request.routeOptions.url },
      'a call failed',
    );
    return sendProblem(reply, request, new Problem('unknown_fault', { reference: request.id }));
  });
  const takers: ((request: IncomingMessage, socket: Duplex, head: Buffer) => boolean)[] = [];
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!stopping && takers.some((take) => take(request, socket, head))) return;
    socket.on('error', () => {});
    socket.end(
      `HTTP/1.1 ${stopping ? '503 Service Unavailable' : '404 Not Found'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
  });

  let fallback: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null = () => null;
  app.setNotFoundHandler(
    (request, reply) => fallback(request, reply) ?? sendProblem(reply, request, new Problem('not_found')),
  );

  async function principalOf(request: FastifyRequest, endpoint: Endpoint): Promise<P | null> {
    const { authorization } = request.headers;
    const token = authorization === undefined ? null : /^Bearer +([\w~+/.=-]+) *$/i.exec(authorization)?.[1];
    const found = typeof token === 'string' && token.length <= TOKEN_LENGTH ? await identify(token) : null;
    const principal = found instanceof Problem ? null : found;
    if (principal === null && !WITHOUT_SIGN_IN.includes(endpoint.access))
      throw found instanceof Problem ? found : new Problem(token ? 'session_expired' : 'not_signed_in');
    return principal;
  }

  function finish(): Promise<void> {
    return (finished ??= (async () => {
      const methods = new Map<string, Set<string>>();
      for (const { path, method } of mounted)
        methods.set(routeOf(path), (methods.get(routeOf(path)) ?? new Set()).add(method));
      for (const [url, offered] of methods) {
        app.route({
          method: METHODS.filter((method) => !offered.has(method)),
          url,
          exposeHeadRoute: false,
          onRequest: async (_request, reply) => {
            reply.header('allow', [...offered].join(', '));
            throw new Problem('method_not_allowed');
          },
          handler: () => {},
        });
      }
      await app.ready();
    })());
  }

  return {
    fastify: app,
    log,
    mounted,
    finish,
    upgrade: (take) => void takers.push(take),
    fallback(answer) {
      fallback = answer;
    },

    handle(endpoint, handler, options = {}) {
      const gate = gates[endpoint.access] as Gate<P, AV[typeof endpoint.access]> | undefined;
      if (gate === undefined)
        throw new Error(
          `${endpoint.method} ${endpoint.path} can't be mounted: its access "${endpoint.access}" has no gate`,
        );
      mounted.push(endpoint);
      const { upload } = options;
      app.route({
        method: endpoint.method,
        url: routeOf(endpoint.path),
        exposeHeadRoute: false,
        bodyLimit: upload ? upload.maxBytes + BODY_BYTES : (options.bodyLimit ?? BODY_BYTES),
        // Before the body is read: who may not call at all costs us no reading.
        onRequest: async (request) => {
          const kept = request as FastifyRequest & { principal?: P | null };
          kept.principal = await principalOf(request, endpoint);
        },
        handler: async (request, reply) => {
          const { principal = null } = request as FastifyRequest & { principal?: P | null };
          const form = upload ? await readForm(request, upload.maxBytes) : null;
          if (!form && request.isMultipart()) throw new Problem('not_json');
          const params = parse(endpoint.params, request.params);
          const query = parse(endpoint.query, request.query);
          const body = parse(endpoint.body, form ? form.fields : request.body);
          const access = await gate({
            principal,
            params: params as Record<string, unknown>,
            query: query as Record<string, unknown>,
            body,
            request,
          });
          const answer = await handler({
            access,
            principal,
            params,
            query,
            body,
            file: form?.file ?? null,
            ip: request.ip,
            request,
            reply,
          } as Parameters<typeof handler>[0]);
          reply.header('cache-control', 'no-store');
          if (endpoint.bytes !== null) return sendBytes(reply, endpoint, answer as Bytes);
          if (endpoint.reply === null) return reply.code(204).send();
          const checked = endpoint.reply.safeParse(answer);
          if (!checked.success)
            throw new Error(
              `The reply of ${endpoint.method} ${endpoint.path} is not as the contract says: ${fieldFaults(
                checked.error,
                answer,
              )
                .map(({ path, code }) => `${path} ${code}`)
                .join(', ')}`,
            );
          return reply.type('application/json; charset=utf-8').send(JSON.stringify(checked.data));
        },
      });
    },

    async listen() {
      await finish();
      return app.listen({ host: config.host, port: config.port });
    },

    stopTaking() {
      stopping = true;
    },

    close: () => app.close(),
  };
}

/** A number means: so many proxies stand before us, whatever their addresses. */
function trustOf(setting: Config['trustProxy']): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (setting === false) return false;
  return typeof setting === 'number' ? (_address, hop) => hop < setting : [...setting];
}

/** `/api/getUser/{therapistId}` → `/api/getUser/:therapistId`. */
const routeOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Parses one part of the call. A part that the contract does not have may only be empty. */
function parse(schema: z.ZodType | null, input: unknown): unknown {
  if (schema === null) {
    if (input === undefined || input === null) return undefined;
    const keys = typeof input === 'object' && !Array.isArray(input) ? Object.keys(input) : [''];
    if (keys.length > 0)
      throw new Problem('invalid_input', {
        fields: keys.slice(0, 50).map((key) => ({ path: key.slice(0, 100), code: 'unknown_property' })),
      });
    return undefined;
  }
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new Problem('invalid_input', { fields: fieldFaults(parsed.error, input) });
  return parsed.data;
}

/** Reads a multipart form: one file and text fields. */
async function readForm(
  request: FastifyRequest,
  maxBytes: number,
): Promise<{ file: Upload; fields: Record<string, string> }> {
  if (!request.isMultipart()) throw new Problem('bad_request');
  const fields: Record<string, string> = {};
  let file: Upload | null = null;
  for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
    if (part.type === 'file')
      file = { filename: part.filename.slice(0, 200), contentType: part.mimetype, bytes: await part.toBuffer() };
    else fields[part.fieldname] = String(part.value);
  }
  if (!file) throw new Problem('invalid_input', { fields: [{ path: 'file', code: 'required' }] });
  return { file, fields };
}

function sendBytes(reply: FastifyReply, endpoint: Endpoint, { contentType, bytes, headers = {} }: Bytes): FastifyReply {
  if (!endpoint.bytes!.includes(contentType))
    throw new Error(`${endpoint.path} answers ${contentType}, which the contract does not name`);
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  return reply.type(contentType).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** What Fastify refuses by itself, in our words; null for what is a bug. */
function asProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
    case 'FST_FILES_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return new Problem('payload_too_large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('not_json');
    case 'FST_ERR_RATE_LIMIT':
      return new Problem('too_many_requests');
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? new Problem(statusCode === 404 ? 'not_found' : statusCode === 413 ? 'payload_too_large' : 'bad_request')
        : null;
  }
}

const asItIs = (text: unknown) => text as string;

function sendProblem(reply: FastifyReply, request: FastifyRequest, problem: Problem): FastifyReply {
  const body: ProblemBody = problem.body();
  const { status } = PROBLEMS[problem.code];
  if (body.retryAfterSeconds !== undefined) reply.header('retry-after', String(Math.ceil(body.retryAfterSeconds)));
  // RFC 9110 wants a challenge with every 401.
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  reply.removeHeader('content-length');
  return (
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .type('application/problem+json')
      // With a serializer of its own, else a charset is added, which this type does not have. As text it leaves with its head in one write.
      .serializer(asItIs)
      .send(request.method === 'HEAD' ? '' : JSON.stringify(body))
  );
}

/** Random bytes of a request's id, and for how many they are drawn at once: a draw costs as much as a whole answer's head. */
const ID_BYTES = 9;
const IDS_TOGETHER = 256;
let drawn = Buffer.alloc(0);
let used = 0;

/** A number that nobody guesses, for the log and for whoever reports a fault. */
function nextRequestId(): string {
  if (used === drawn.length) [drawn, used] = [randomBytes(ID_BYTES * IDS_TOGETHER), 0];
  return drawn.toString('base64url', used, (used += ID_BYTES));
}
