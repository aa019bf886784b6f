/**
 * An S3 store for tests, on a real socket: one bucket by path, with PUT, GET, HEAD, DELETE and ListObjectsV2. It checks
 * each signature as AWS documents Signature Version 4 and shares no code with the client, so that neither can hide a
 * fault of the other. It can be down, hang, break off, refuse and be full.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from './process.ts';

/**
 * - `hang`: takes the request and never answers.
 * - `reset`: resets the connection instead of an answer.
 * - `half`: breaks off in the middle of the answer.
 * - `bare`: 404 without a word, as a proxy answers that does not know the store.
 * - one of {@link REFUSALS}.
 */
type Mood = 'hang' | 'reset' | 'half' | 'bare' | keyof typeof REFUSALS;

/**
 * Status and code of the moods that refuse. Swift answers with `quota` when a bucket's quota is used up, and with
 * `unknown` while its server of accounts is away.
 */
const REFUSALS = {
  error: [500, 'InternalError'],
  denied: [403, 'AccessDenied'],
  full: [507, 'XMinioStorageFull'],
  quota: [400, 'EntityTooLarge'],
  unknown: [404, 'NoSuchBucket'],
} as const;

interface StoredObject {
  bytes: Buffer;
  /** Milliseconds since 1970. */
  writtenAt: number;
}

interface Call {
  readonly method: string;
  /** Empty for the bucket. */
  readonly key: string;
  /** 0 if there was no answer. */
  status: number;
}

export interface S3Server {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Settings of a server that uses it, with patience for a busy machine. */
  readonly env: Readonly<Record<string, string>>;
  /** The bucket, by key. Tests may change it. */
  readonly objects: Map<string, StoredObject>;
  /** What came, in its order. */
  readonly calls: readonly Call[];
  /** How many keys a list has at most. */
  pageSize: number;
  /** How far its clock is ahead of this machine's. */
  aheadMs: number;
  /** What it does instead of its work; null for nothing. Takes the methods that it concerns, and how often. */
  mood(mood: Mood | null, about?: { methods?: readonly string[]; times?: number }): void;
  /** Closes the port and all connections; the same address answers again after `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

const BUCKET = 'fieldroom-test';
const REGION = 'eu-test-1';
/** A signature is refused when its time is further away. */
const SKEW_MS = 15 * 60_000;

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

/** Percent-encodes all but the unreserved characters of RFC 3986. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const decoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

/** What a signature is made of. */
interface Signed {
  readonly method: string;
  /** As it came: path and query, percent-encoded. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signedHeaders: readonly string[];
  /** `20130524T000000Z` */
  readonly time: string;
  readonly region: string;
}

/**
 * Returns the signature in hexadecimal digits.
 * Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signatureOf(
  { method, target, headers, signedHeaders, time, region }: Signed,
  secretKey: string,
): string {
  const [path = '', query = ''] = target.split('?');
  const canonicalQuery = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [encoded(decoded(name)), encoded(decoded(value))] as const;
    })
    .toSorted(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&');
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    canonicalQuery,
    ...signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    headers['x-amz-content-sha256'] ?? '',
  ].join('\n');
  const day = time.slice(0, 8);
  const toSign = ['AWS4-HMAC-SHA256', time, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, day), region), 's3'), 'aws4_request');
  return hmac(key, toSign).toString('hex');
}

/** `20130524T000000Z` in milliseconds since 1970. */
const timeOf = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Starts it on a free port of this machine. */
export async function s3Server(): Promise<S3Server> {
  const port = await freePort();
  const accessKey = `ACCESS${randomBytes(8).toString('hex').toUpperCase()}`;
  const secretKey = randomBytes(24).toString('base64');
  const objects = new Map<string, StoredObject>();
  const calls: Call[] = [];
  const callOf = new WeakMap<ServerResponse, Call>();
  let mood: Mood | null = null;
  let moodMethods: readonly string[] | null = null;
  let moodTimes = Infinity;
  let server: Server | null = null;

  const now = (): number => Date.now() + settings.aheadMs;

  function answer(reply: ServerResponse, status: number, body: Buffer | string = ''): void {
    callOf.get(reply)!.status = status;
    reply.writeHead(status, { date: new Date(now()).toUTCString(), 'content-length': Buffer.byteLength(body) });
    reply.end(body);
  }
  /** AWS repeats the caller's key and what was signed; so does this, for tests that look for it in logs. */
  function refuse(reply: ServerResponse, status: number, code: string, more = ''): void {
    answer(
      reply,
      status,
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message>${more}<RequestId>1</RequestId></Error>`,
    );
  }

  /** Why the request is not from somebody who knows the secret; null if it is. The status is 403 if there is none. */
  function fault(request: IncomingMessage, body: Buffer): { status?: number; code: string; more?: string } | null {
    const { authorization = '' } = request.headers;
    const match =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
        authorization,
      );
    if (match === null) return { code: 'AccessDenied' };
    const [, key, day, region, names = '', signature] = match;
    if (key !== accessKey) return { code: 'InvalidAccessKeyId', more: `<AWSAccessKeyId>${key}</AWSAccessKeyId>` };
    if (region !== REGION) return { status: 400, code: 'AuthorizationHeaderMalformed' };
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value!]),
    );
    const time = headers['x-amz-date'] ?? '';
    if (!time.startsWith(day!) || !(Math.abs(timeOf(time) - now()) <= SKEW_MS)) return { code: 'RequestTimeTooSkewed' };
    const signedHeaders = names.split(';');
    const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
    const isComplete = needed.every((name) => signedHeaders.includes(name));
    const isSorted = signedHeaders.toSorted().join(';') === names;
    const right = signatureOf(
      { method: request.method!, target: request.url!, headers, signedHeaders, time, region },
      secretKey,
    );
    if (!isComplete || !isSorted || right !== signature)
      return {
        code: 'SignatureDoesNotMatch',
        more: `<AWSAccessKeyId>${key}</AWSAccessKeyId><StringToSign>${authorization}</StringToSign>`,
      };
    return headers['x-amz-content-sha256'] === sha256(body) ? null : { status: 400, code: 'XAmzContentSHA256Mismatch' };
  }

  function list(reply: ServerResponse, query: URLSearchParams): void {
    const prefix = query.get('prefix') ?? '';
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
    const size = Math.min(settings.pageSize, Number(query.get('max-keys') ?? 1000));
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
    const shown = keys.slice(0, size);
    const contents = shown.map((key) => {
      const { bytes, writtenAt } = objects.get(key)!;
      // In whole seconds, as AWS says it. Swift rounds up, so a new object may be of the next second.
      const modified = new Date(Math.ceil(writtenAt / 1000) * 1000).toISOString();
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${modified}</LastModified><Size>${bytes.length}</Size></Contents>`;
    });
    const isTruncated = keys.length > shown.length;
    const next = isTruncated
      ? `<NextContinuationToken>${Buffer.from(shown.at(-1)!).toString('base64')}</NextContinuationToken>`
      : '';
    answer(
      reply,
      200,
      `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name><KeyCount>${shown.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  }

  function work(request: IncomingMessage, reply: ServerResponse, key: string, body: Buffer): void {
    const refused = fault(request, body);
    if (refused !== null) return refuse(reply, refused.status ?? 403, refused.code, refused.more);
    const query = new URL(request.url!, 'http://store').searchParams;
    if (key === '')
      return query.get('list-type') === '2' && request.method === 'GET'
        ? list(reply, query)
        : refuse(reply, 400, 'InvalidRequest');
    const found = objects.get(key);
    switch (request.method) {
      case 'PUT':
        objects.set(key, { bytes: body, writtenAt: now() });
        return answer(reply, 200);
      case 'DELETE':
        objects.delete(key);
        return answer(reply, 204);
      case 'GET':
        return found === undefined ? refuse(reply, 404, 'NoSuchKey') : answer(reply, 200, found.bytes);
      case 'HEAD':
        return answer(reply, found === undefined ? 404 : 200);
      default:
        return refuse(reply, 405, 'MethodNotAllowed');
    }
  }

  /** Does what the mood says. Returns whether it has. */
  function moody(request: IncomingMessage, reply: ServerResponse): boolean {
    if (mood === null || moodTimes <= 0 || moodMethods?.includes(request.method!) === false) return false;
    moodTimes -= 1;
    switch (mood) {
      case 'hang':
        break;
      case 'reset':
        request.socket.resetAndDestroy();
        break;
      case 'half':
        reply.writeHead(200, { 'content-length': 1000 });
        reply.write('half of it', () => request.socket.resetAndDestroy());
        break;
      case 'bare':
        answer(reply, 404, 'nothing here');
        break;
      default: {
        const [status, code] = REFUSALS[mood];
        refuse(reply, status, code);
      }
    }
    return true;
  }

  async function take(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const [, bucket, ...parts] = new URL(request.url!, 'http://store').pathname.split('/');
    const key = parts.map(decodeURIComponent).join('/');
    const call: Call = { method: request.method!, key, status: 0 };
    calls.push(call);
    callOf.set(reply, call);
    const body = await buffer(request);
    if (moody(request, reply)) return;
    if (bucket !== BUCKET) refuse(reply, 404, 'NoSuchBucket');
    else work(request, reply, key, body);
  }

  async function up(): Promise<void> {
    if (server !== null) return;
    // A request that breaks off is the caller's business.
    const next = createServer((request, reply) => void take(request, reply).catch(() => reply.destroy()));
    next.listen(port, '127.0.0.1');
    await once(next, 'listening');
    server = next;
  }
  async function down(): Promise<void> {
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    server = null;
    await closed;
  }

  const settings: S3Server = {
    accessKey,
    secretKey,
    env: {
      ...{ S3_URL: `http://127.0.0.1:${port}`, S3_BUCKET: BUCKET, S3_REGION: REGION, S3_TIMEOUT_MS: '45000' },
      ...{ S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey },
    },
    objects,
    calls,
    pageSize: 1000,
    aheadMs: 0,
    mood(next, { methods, times = Infinity } = {}) {
      mood = next;
      moodMethods = methods ?? null;
      moodTimes = times;
    },
    down,
    up,
    close: down,
  };
  await up();
  return settings;
}
