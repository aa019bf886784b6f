/**
 * Blobs in a bucket of an S3-compatible store (docs/decisions/0027-files-in-an-s3-compatible-store.md). Requests are
 * signed by aws4fetch (AWS Signature Version 4) with the hash of their body, so the store refuses bytes that changed on
 * their way. Nothing that the store says is passed on or logged but its status and the name of its error: its texts
 * repeat keys and signatures.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Config } from '../config.ts';
import type { Log } from '../monitoring/log.ts';
import {
  type BlobInfo,
  type Blobs,
  BlobsFault,
  BlobsFull,
  BlobsUnavailable,
  checkedName,
  isBlobName,
  LISTED_AT_ONCE,
} from './blobs.ts';

interface S3Blobs extends Blobs {
  /**
   * Tries everything that is done later. A store that does not answer is only logged, because rooms work without it.
   * @throws BlobsFault with a sentence for the operator.
   */
  open(log: Log): Promise<void>;
  /** How many requests failed since the start, after all tries. */
  failed(): number;
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  /** The store's time, in milliseconds since 1970. */
  readonly at: number;
}

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Without the prefix; empty for the bucket itself. */
  readonly name: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** A connection that was kept open may have ended, and a store asks for another try by 503. */
const TRIES = 3;
const BETWEEN_TRIES_MS = 50;
const PASSING = new Set([429, 500, 502, 503, 504]);
/**
 * Names by which stores say that there is no room, or that it is used up. The last is Swift's for a quota. As the limit
 * of one object it never concerns us, because that is far above our largest file in every store.
 */
const FULL = new Set([
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'QuotaExceeded',
  'InsufficientStorage',
  'EntityTooLarge',
]);
/** Says whose files lie under the prefix. */
const OWNER = 'installation';
const PROBE = 'room-probe';
const PERMISSIONS = 's3:GetObject, s3:PutObject and s3:DeleteObject for its objects, and s3:ListBucket for the bucket';

/** A refusal, with what the store said in two words. */
class Refused extends BlobsUnavailable {
  readonly status: number;
  readonly reason: string;
  constructor(status: number, reason: string) {
    super(`the file store answered ${status}${reason === '' ? '' : ` (${reason})`}`);
    this.status = status;
    this.reason = reason;
  }
}

/** Makes blobs in a bucket. Takes the settings, and the name of this installation; it must be the same on all nodes. */
export function createS3Blobs(config: S3Config, installation: () => Promise<string>): S3Blobs {
  const { accessKey: accessKeyId, secretKey: secretAccessKey, region, prefix } = config;
  /** By path: all self-hosted stores understand it, and it needs no DNS name or certificate for each bucket. */
  const bucketUrl = `${config.url}/${config.bucket}`;
  /** Keys for signing, by day. */
  const cache = new Map<string, ArrayBuffer>();
  /** By how much the store's clock is ahead of ours: it refuses signatures that are more than 15 minutes off. */
  let aheadMs = 0;
  let failures = 0;
  let writeFailed = false;
  /** Whether our name was there when we last looked. */
  let isOurs = false;

  async function tryOnce({ method, name, query, body }: S3Request, signal: AbortSignal): Promise<Answer> {
    const url = new URL(`${bucketUrl}/${name === '' ? '' : `${prefix}${name}`}`);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const signed = await new AwsV4Signer({
      ...{ method, url: url.href, accessKeyId, secretAccessKey, region, cache, service: 's3' },
      datetime: new Date(Date.now() + aheadMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
    }).sign();
    // Never to another address: the signature is for this one.
    const answer = await fetch(signed.url, {
      method,
      headers: signed.headers,
      // Its type would allow memory that threads share.
      body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
      redirect: 'manual',
      signal,
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const at = Date.parse(answer.headers.get('date') ?? '');
    return { status: answer.status, bytes, at: Number.isNaN(at) ? Date.now() + aheadMs : at };
  }

  /** Tries a request until the time for all tries is over. @throws BlobsUnavailable if there is no answer. */
  async function send(request: S3Request): Promise<Answer> {
    const signal = AbortSignal.timeout(config.timeoutMs);
    for (let left = TRIES - 1; ; left -= 1) {
      try {
        const answer = await tryOnce(request, signal);
        if (left === 0) return answer;
        if (reasonOf(answer) === 'RequestTimeTooSkewed') aheadMs = answer.at - Date.now();
        else if (!PASSING.has(answer.status)) return answer;
      } catch (error) {
        if (signal.aborted) throw new BlobsUnavailable('the file store did not answer in time');
        if (left === 0) throw new BlobsUnavailable('the file store cannot be reached', { cause: error });
      }
      // If the time is over meanwhile, the next try says so.
      await pause(BETWEEN_TRIES_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Sends, and returns the answer if it has one of these states. @throws BlobsUnavailable otherwise. */
  async function ask(request: S3Request, fine: (answer: Answer) => boolean): Promise<Answer> {
    try {
      const answer = await send(request);
      if (fine(answer)) return answer;
      const reason = reasonOf(answer);
      if (answer.status === 507 || FULL.has(reason)) throw new BlobsFull('the file store has no room left');
      throw new Refused(answer.status, reason);
    } catch (error) {
      failures += 1;
      throw error;
    }
  }

  async function put(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await ask({ method: 'PUT', name: checkedName(name), body: bytes }, ({ status }) => status === 200);
      writeFailed = false;
    } catch (error) {
      writeFailed = true;
      throw error;
    }
  }

  async function read(name: string): Promise<Buffer | null> {
    const { status, bytes } = await ask(
      { method: 'GET', name: checkedName(name) },
      (answer) => answer.status === 200 || isMissing(answer),
    );
    return status === 200 ? bytes : null;
  }

  /** 204 also for what is not there, in most stores. */
  async function remove(name: string): Promise<void> {
    await ask(
      { method: 'DELETE', name: checkedName(name) },
      (answer) => answer.status === 204 || answer.status === 200 || isMissing(answer),
    );
  }

  /** Makes sure that no other installation has its files here: the sweep of each would remove those of the other. */
  async function claim(): Promise<void> {
    const mine = await installation();
    const found = await read(OWNER);
    isOurs = found?.toString() === mine;
    if (isOurs) return;
    if (found !== null)
      throw new BlobsFault(
        'The bucket has files of another installation under S3_PREFIX. Choose another S3_PREFIX, or start with the database that belongs to them.',
      );
    await put(OWNER, Buffer.from(mine));
    isOurs = true;
  }

  async function* list(folder: string): AsyncGenerator<readonly BlobInfo[]> {
    // Each time: what is removed is listed before, and two that start on an empty bucket at once both find no name.
    await claim();
    const beginning = `${prefix}${checkedName(folder)}/`;
    const query: Record<string, string> = {
      'list-type': '2',
      'max-keys': String(LISTED_AT_ONCE),
      prefix: beginning,
    };
    for (;;) {
      const { bytes, at } = await ask({ method: 'GET', name: '', query }, ({ status }) => status === 200);
      const text = bytes.toString();
      const found: BlobInfo[] = [];
      for (const entry of text.split('<Contents>').slice(1)) {
        const key = textOf(entry, 'Key') ?? '';
        const name = key.slice(prefix.length);
        const writtenAt = Date.parse(textOf(entry, 'LastModified') ?? '');
        // Skips what somebody else put there.
        if (key.startsWith(beginning) && isBlobName(name) && !Number.isNaN(writtenAt))
          found.push({ name, ageMs: at - writtenAt });
      }
      if (found.length > 0) yield found;
      const token = textOf(text, 'IsTruncated') === 'true' ? textOf(text, 'NextContinuationToken') : null;
      if (token === null) return;
      query['continuation-token'] = token;
    }
  }

  /** Writes, reads, lists and removes one blob of its own. */
  async function tryAll(): Promise<void> {
    const name = `probe/${randomUUID()}`;
    const bytes = Buffer.from('probe');
    await claim();
    await put(name, bytes);
    const back = await read(name);
    await list('probe').next();
    await remove(name);
    if (back === null || !back.equals(bytes))
      throw new BlobsFault('The file store does not give back what is written. Check S3_URL and S3_BUCKET.');
  }

  return {
    async open(log) {
      try {
        await tryAll();
      } catch (error) {
        // A bucket that has just given our name is there: Swift says so while the server of its accounts is away.
        const isThere = isOurs && error instanceof Refused && error.reason === 'NoSuchBucket';
        const fault = error instanceof Refused && !isThere ? sentenceFor(error) : null;
        if (fault !== null) throw new BlobsFault(fault);
        if (error instanceof BlobsFault || !(error instanceof BlobsUnavailable)) throw error;
        log.warn({ err: error }, 'the file store cannot be used; pictures are missing until it can');
      }
    },
    // The store may have been away at the start.
    async write(name, bytes) {
      if (!isOurs) await claim();
      await put(name, bytes);
    },
    read,
    list,
    remove,
    // One small request until a write has failed; then only another write shows that there is room again.
    async probe() {
      await claim();
      if (writeFailed) await put(PROBE, Buffer.from('probe'));
    },
    failed: () => failures,
  };
}

/** What an operator has to do about a refusal; null for one that may pass by itself. */
function sentenceFor({ status, reason }: Refused): string | null {
  const said = `(${status}${reason === '' ? '' : ` ${reason}`})`;
  switch (reason) {
    case 'InvalidAccessKeyId':
      return `The file store does not know S3_ACCESS_KEY ${said}.`;
    case 'SignatureDoesNotMatch':
      // Some stores answer so to an unknown access key too.
      return `The file store refuses the signature ${said}. Check S3_ACCESS_KEY, S3_SECRET_KEY and S3_REGION.`;
    case 'NoSuchBucket':
      return `The file store has no bucket with the name in S3_BUCKET ${said}. Create it and keep it private, or check S3_URL.`;
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
    case 'IllegalLocationConstraintException':
      return `The bucket lies in another region or at another address ${said}. Check S3_REGION and S3_URL.`;
    case 'AccessDenied':
      return `The file store denies access ${said}. S3_ACCESS_KEY needs ${PERMISSIONS}.`;
    default:
      return status < 500 && status !== 429
        ? `The file store refuses what Fieldroom asks for ${said}. Check S3_URL, S3_BUCKET, S3_REGION, and that S3_ACCESS_KEY has ${PERMISSIONS}.`
        : null;
  }
}

/** Only the store itself says so: a bare 404 may come from a proxy before it. */
const isMissing = (answer: Answer): boolean => answer.status === 404 && reasonOf(answer) === 'NoSuchKey';

/** The name of an error, which its answer has as XML; empty if there is none. */
function reasonOf({ status, bytes }: Answer): string {
  if (status < 300) return '';
  const code = textOf(bytes.toString('utf8', 0, 2000), 'Code') ?? '';
  return /^[A-Za-z]{1,50}$/.test(code) ? code : '';
}

/** The text of the first element with a name; null if there is none. S3 puts neither attributes nor comments there. */
function textOf(xml: string, element: string): string | null {
  const from = xml.indexOf(`<${element}>`);
  const to = xml.indexOf(`</${element}>`, from);
  if (from < 0 || to < 0) return null;
  return xml
    .slice(from + element.length + 2, to)
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#43;', '+')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
