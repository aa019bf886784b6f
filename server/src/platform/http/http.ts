/**
 * HTTP: mounts what the contract declares, and nothing else. Each call passes the same steps: address limit, sign-in,
 * parsing by the contract's shapes, the gate of its access rule, the handler, and a check of the reply against the
 * contract before it is sent. Refusals are problems (RFC 9457). Every other error is a bug and shows only the number
 * under which it is in the log.
 */
import type { IncomingMessage } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import {
  type Access,
  accessRule,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type Schema,
} from '@fieldroom/contract/http';
import { Problem } from '../problem.ts';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { compileSchema } from '../input/compile-schema.ts';
import type { Config, Limit } from '../config.ts';
import { Waits, withWaits } from '../db/waits.ts';
import { finishedWithin } from '../scheduling/finished-within.ts';
import { addressBlock } from '../limits.ts';
import { createProxyId, trustOf } from './caller-address.ts';
import { isNestedTooDeeply } from '../input/json.ts';
import { type Log, sparing } from '../monitoring/log.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { bearerToken } from '../tokens.ts';
import { fieldFaults } from './faults.ts';
import { commonHeaders, dataHeaders, isOwnOrigin } from './headers.ts';
import { type LagMeasure, watchLag } from './lag.ts';
import { BODY_BYTES, isLarge, mayHaveNul, parsePart, readForm, type Upload, withoutNul } from './call-input.ts';
import { createLargeBodies } from './bodies/large-bodies.ts';
import { watchBodies } from './bodies/late-bodies.ts';
import { sendCompressed } from './compression.ts';
import { asProblem, passingFault, sendProblem } from './problem-replies.ts';
import { createRequestIds } from './request-ids.ts';
import { watchCalls } from './running-calls.ts';

const BODY_MS = 60_000;
/** A picture of 5 MB over a phone's connection of 100 kbit/s takes seven minutes. */
const UPLOAD_MS = 10 * BODY_MS;
/** Bodies of more than {@link BODY_BYTES} that arrive or are worked on at the same time: up to 5 MB each. */
const LARGE_BODIES = { each: 4, all: 32 };
const LARGE_RETRY_SECONDS = 5;
/** A connection on which no byte moves for this long is closed. What waits in it to be read would stay in memory. */
const STALLED_MS = 2 * BODY_MS;
/** Long enough for a path segment of a kilobyte, percent-encoded. */
const PARAM_LENGTH = 4096;
/** How long stopping waits for running calls, and then for the bytes of their answers. */
const CALLS_MS = 5000;
const LAST_BYTES_MS = 500;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the answer is data, which no browser shows as a document. */
    readonly isData?: boolean;
    /** Whether the body is a form with a file, which may come slowly. */
    readonly takesFile?: boolean;
  }
}

const changesAnything = ({ method }: Endpoint) => method !== 'GET';
const rateOf = ({ max, windowSeconds }: Limit) => ({ max, timeWindow: windowSeconds * 1000 });

/** A reply of bytes, whole or as they come. */
export interface Bytes {
  readonly contentType: string;
  readonly bytes: Uint8Array | Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler receives: everything in it has been checked. */
interface Call<E extends Endpoint, P, A> {
  /** What the gate made of the sign-in. */
  readonly access: A;
  readonly principal: P | null;
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** The file, on calls declared with `upload`. */
  readonly file: Upload | null;
  /** The caller's address; behind proxies in TRUST_PROXY the one that they report. */
  readonly ip: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type HandlerReply<E extends Endpoint> = E['bytes'] extends readonly string[]
  ? Bytes
  : E['reply'] extends Schema
    ? z.input<E['reply']>
    : void;

/** What a gate sees: the sign-in, and the parsed input that names what the caller wants. */
export interface GateContext<P> {
  readonly principal: P | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly request: FastifyRequest;
}
/** Returns the value of access for the handler, or throws a Problem. */
export type Gate<P, A> = (context: GateContext<P>) => A | Promise<A>;
export type Gates<P, AV extends Record<Access, unknown>> = { readonly [A in Access]?: Gate<P, AV[A]> };

interface HandleOptions {
  /** Maximum number of bytes of the body; 64 kB by default. */
  readonly bodyLimit?: number;
}

/** The server below the calls: connections, pages, start and stop. */
export interface HttpServer {
  /** Answers requests that have no route: pages of the web. Null leaves it `not_found`. */
  fallback(answer: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null): void;
  /**
   * Offers WebSocket upgrades to a handler, which returns true if it has taken the socket. If none takes it, it is
   * refused.
   */
  upgrade(take: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean): void;
  /** For routes outside the contract: health, pages, static files. */
  readonly fastify: FastifyInstance;
  /** For faults that do not change the answer. */
  readonly log: Log;
  /** The ids under which logs name a request: ours, which people read, and the proxy's, if it gave one. */
  idsOf(request: FastifyRequest): { requestId: string; proxyId: string | undefined };
  /** The calls mounted so far. */
  readonly mounted: readonly Endpoint[];
  /** After the last mount: other methods of mounted paths answer 405. `listen` calls it. */
  finish(): Promise<void>;
  /** Opens the port. Returns the address. */
  listen(): Promise<string>;
  /** From now on new calls are answered `shutting_down`; running ones finish. */
  stopTaking(): void;
  close(): Promise<void>;
}

/**
 * Mounts the calls. `P` is the type of the token's owner, `AV` what the gate of each access rule hands to the handler.
 */
export interface Http<P, AV extends Record<Access, unknown>> extends HttpServer {
  /** Mounts one call of the contract. Throws at start if its access has no gate or it is mounted twice. */
  handle<E extends Endpoint>(
    endpoint: E,
    handler: (call: Call<E, P, AV[E['access']]>) => Promise<HandlerReply<E>> | HandlerReply<E>,
    options?: HandleOptions,
  ): void;
}

export interface HttpParts<P, AV extends Record<Access, unknown>> {
  readonly config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'trustProxy' | 'limits' | 'databaseTimeoutMs'>;
  readonly log: Log;
  readonly metrics: Metrics;
  /**
   * Returns the owner of a bearer token; null for an unknown one, a Problem if the reason for its end may be told.
   * Calls that anybody may make treat both as nobody.
   */
  readonly identify: (token: string) => Promise<P | Problem | null>;
  readonly gates: Gates<P, AV>;
  /** Who counts as one when several large bodies arrive; callers without a sign-in count by their address block. */
  readonly senderOf?: (principal: P) => string;
  /** Milliseconds by which the event loop may lag before calls are refused; 0 never refuses. */
  readonly maxLagMs?: number;
  readonly lagMeasure?: LagMeasure;
  /** Milliseconds in which the body of a call has to be here; uploads have longer. */
  readonly bodyMs?: number;
  /** Milliseconds after which a connection without traffic is closed. */
  readonly stalledMs?: number;
}

/** Makes the HTTP side. Nothing listens before `listen()`. */
export async function createHttp<P, AV extends Record<Access, unknown>>({
  config,
  log,
  metrics,
  identify,
  gates,
  senderOf,
  maxLagMs = 2000,
  lagMeasure,
  bodyMs = BODY_MS,
  stalledMs = STALLED_MS,
}: HttpParts<P, AV>): Promise<Http<P, AV>> {
  const app = fastify({
    // A log line after each call: Fastify's would contain the path, and paths contain secrets.
    logger: false,
    genReqId: createRequestIds(),
    bodyLimit: BODY_BYTES,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: trustOf(config.trustProxy),
    // Of all calls; `watchBodies` ends most of them earlier.
    requestTimeout: UPLOAD_MS,
    connectionTimeout: stalledMs,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAM_LENGTH },
    frameworkErrors(error, request, reply) {
      // Its hooks did not run.
      setHeaders(request, reply, headers.ofData);
      return sendProblem(reply, request, asProblem(error) ?? new Problem('bad_request'));
    },
  }) as unknown as FastifyInstance;
  const mounted: Endpoint[] = [];
  const unavailable = sparing((fields, message) => log.warn(fields, message));
  const headers = { ofData: dataHeaders(config), ofOthers: commonHeaders(config) };
  const proxyIdOf = createProxyId(config);
  const idsOf: HttpServer['idsOf'] = (request) => ({ requestId: request.id, proxyId: proxyIdOf(request.raw) });
  const largeBodies = createLargeBodies(LARGE_BODIES);
  const bodies = watchBodies(bodyMs);
  let stopping = false;
  let finished: Promise<void> | undefined;

  // Only our own parsers read the body.
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') return done(null, undefined);
    if (isNestedTooDeeply(text as string)) return done(new Problem('bad_request'), undefined);
    if (mayHaveNul(text as string)) (request as KeptRequest<P>).isNulPossible = true;
    void parseJson(request, text as string, done);
  });

  function setHeaders(request: FastifyRequest, reply: FastifyReply, names: Readonly<Record<string, string>>): void {
    for (const name in names) reply.header(name, names[name]!);
    reply.header('x-request-id', request.id);
  }
  const calls = watchCalls(app.server);

  // Hooks of every call take `done`: a promise for each costs as much as what they do.
  app.addHook('onRequest', (request, reply, done) => {
    calls.begin(request.raw.socket);
    const kept = request as KeptRequest<P>;
    // Fastify makes these options anew each time they are read.
    const { config: route, url } = request.routeOptions;
    kept.route = url;
    setHeaders(request, reply, route?.isData === true ? headers.ofData : headers.ofOthers);
    if (route?.takesFile !== true) bodies.watch(request.raw);
    const changes = request.method !== 'GET' && request.method !== 'HEAD';
    if (stopping) return done(new Problem('shutting_down', { retryAfterSeconds: 5 }));
    if (changes && !isOwnOrigin(request.headers, config)) return done(new Problem('forbidden'));
    kept.waits = new Waits(config.databaseTimeoutMs);
    withWaits(kept.waits, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { waits, route = 'none' } = request as KeptRequest<P>;
    waits?.end();
    calls.end(request.raw.socket);
    bodies.answered(request.raw);
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    if (log.isLevelEnabled('debug'))
      log.debug(
        {
          ...idsOf(request),
          method: request.method,
          route,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'call',
      );
    done();
  });

  await app.register(rateLimit, {
    global: true,
    hook: 'onRequest',
    ...rateOf(config.limits.requests),
    cache: 20_000,
    keyGenerator: (request) => addressBlock(request.ip),
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    errorResponseBuilder: (_request, { ttl }) =>
      new Problem('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1000)) }),
  });
  const { isLate, stop: stopLag } = watchLag(maxLagMs, lagMeasure);
  app.addHook('onClose', async () => {
    stopLag();
    bodies.stop();
  });
  // Calls with a file have an instance of their own, because the parser of forms hooks into every call of its instance.
  let withForms = app;
  await app.register(async (instance) => {
    withForms = instance;
    await instance.register(multipart, {
      limits: { files: 1, fields: 50, fieldSize: BODY_BYTES, fieldNameSize: 100, parts: 51, headerPairs: 50 },
    });
  });

  app.setErrorHandler((error, request, reply) => {
    const problem = asProblem(error);
    if (problem) return sendProblem(reply, request, problem);
    const fields = { err: error, ...idsOf(request), method: request.method, route: request.routeOptions.url };
    const passing = passingFault(error);
    if (passing) {
      const { saying, retryAfterSeconds, isFull } = passing;
      unavailable(fields, saying);
      const isUpload = request.routeOptions.config?.takesFile === true;
      const code = isFull && isUpload ? 'storage_full' : 'unavailable';
      return sendProblem(reply, request, new Problem(code, { retryAfterSeconds }));
    }
    log.error(fields, 'a call failed');
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

  /** Returns at once where nobody says who they are. Problems: `not_signed_in`, `session_expired`. */
  function principalOf(request: FastifyRequest, { access }: Endpoint): P | null | Promise<P | null> {
    const token = bearerToken(request.headers.authorization);
    const isRequired = accessRule(access).signIn === 'required';
    if (token !== null) return ownerOf(token, isRequired);
    if (isRequired) throw new Problem('not_signed_in');
    return null;
  }
  async function ownerOf(token: string, isRequired: boolean): Promise<P | null> {
    const found = await identify(token);
    const principal = found instanceof Problem ? null : found;
    if (principal === null && isRequired) throw found instanceof Problem ? found : new Problem('session_expired');
    return principal;
  }

  /** Takes a place for a large body until the call is answered. Problem: `too_many_requests`. */
  function takeLargeBody(request: FastifyRequest, reply: FastifyReply, principal: P | null): void {
    // A client that has gone already sends no body, and `close` would not come again.
    if (reply.raw.destroyed) return;
    const sender = principal !== null && senderOf ? senderOf(principal) : `address ${addressBlock(request.ip)}`;
    const giveBack = largeBodies.take(sender);
    if (giveBack === null) throw new Problem('too_many_requests', { retryAfterSeconds: LARGE_RETRY_SECONDS });
    // Also when the connection ends before the answer.
    reply.raw.once('close', giveBack);
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
    idsOf,
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
      for (const part of [endpoint.params, endpoint.query, endpoint.body, endpoint.reply])
        if (part !== null) compileSchema(part);
      const { upload } = endpoint;
      const bodyLimit = upload ? upload.maxBytes + BODY_BYTES : (options.bodyLimit ?? BODY_BYTES);
      (upload ? withForms : app).route({
        method: endpoint.method,
        url: routeOf(endpoint.path),
        exposeHeadRoute: false,
        // Counted before the body is read, and by call: callers without a sign-in make the calls that cost most.
        config: {
          isData: endpoint.bytes === null,
          takesFile: upload !== null,
          ...(changesAnything(endpoint) && accessRule(endpoint.access).open
            ? { rateLimit: rateOf(config.limits.openCalls) }
            : {}),
        },
        bodyLimit,
        // Before the body is read: callers who may not make this call must not cost us reading.
        onRequest(request, reply, done) {
          // Pages and their files are answered all the same: they cost little, and half a page cannot try again.
          if (isLate()) return done(new Problem('shutting_down', { retryAfterSeconds: 5 }));
          const goOn = (principal: P | null) => {
            (request as KeptRequest<P>).principal = principal;
            if (bodyLimit > BODY_BYTES && isLarge(request.raw)) takeLargeBody(request, reply, principal);
          };
          try {
            const principal = principalOf(request, endpoint);
            if (principal instanceof Promise) return void principal.then(goOn).then(() => done(), done);
            goOn(principal);
          } catch (refusal) {
            return done(refusal as Error);
          }
          done();
        },
        handler: async (request, reply) => {
          const { principal = null, isNulPossible = false } = request as KeptRequest<P>;
          const form = upload ? await readForm(request, upload) : null;
          const params = parsePart(endpoint.params, request.params);
          const query = parsePart(endpoint.query, withoutNul(request.query));
          const sent = form ? form.fields : request.body;
          const body = parsePart(endpoint.body, form || isNulPossible ? withoutNul(sent) : sent);
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
          const checked = z.safeParse(endpoint.reply, answer);
          if (!checked.success)
            throw new Error(
              `The reply of ${endpoint.method} ${endpoint.path} is not as the contract says: ${fieldFaults(
                checked.error,
                answer,
              )
                .map(({ path, code }) => `${path} ${code}`)
                .join(', ')}`,
            );
          reply.type('application/json; charset=utf-8');
          return sendCompressed(request, reply, JSON.stringify(checked.data));
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

    async close() {
      stopping = true;
      const closed = app.close();
      // Running calls are answered; a request that its sender never finishes is not waited for any longer.
      if (!(await finishedWithin(CALLS_MS, calls.quiet())))
        log.warn({ calls: calls.count() }, 'stopping goes on without waiting for calls');
      for (const socket of calls.sockets()) socket.destroySoon();
      // Some never read their answer.
      if (!(await finishedWithin(LAST_BYTES_MS, closed))) for (const socket of calls.sockets()) socket.destroy();
      await closed;
    },
  };
}

/** `/api/getUser/{therapistId}` → `/api/getUser/:therapistId`. */
const routeOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** What the steps of a call keep for later ones. */
type KeptRequest<P> = FastifyRequest & {
  principal?: P | null;
  /** The pattern of its path; undefined if no route has it. */
  route?: string | undefined;
  /** What the call waits for the database, from its head to its answer. */
  waits?: Waits;
  /** Whether a text in the JSON may contain a NUL. */
  isNulPossible?: boolean;
};

function sendBytes(reply: FastifyReply, endpoint: Endpoint, { contentType, bytes, headers = {} }: Bytes): FastifyReply {
  if (!endpoint.bytes!.includes(contentType))
    throw new Error(`${endpoint.path} answers ${contentType}, which the contract does not name`);
  for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  if (bytes instanceof Readable) return reply.type(contentType).send(bytes);
  return reply.type(contentType).send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
