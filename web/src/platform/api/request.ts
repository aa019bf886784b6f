/**
 * The core of every call. It takes types and the name of a header from the contract, but no schemas, so that a page
 * which checks no input, such as the room, carries no schema library. Adds the bearer token and the therapist header
 * from the store, and reads problem+json (RFC 9457).
 */
import { THERAPIST_HEADER } from '@fieldroom/contract/http';
import type { FieldFault, ProblemCode } from '@fieldroom/contract/problems';
import { storage, type Store } from '../storage.ts';

/** A refusal as pages meet it: the contract's codes and `offline` for a request that got no answer. */
export class ApiProblem extends Error {
  readonly code: ProblemCode | 'offline';
  readonly status: number;
  readonly fields: readonly FieldFault[];
  readonly retryAfterSeconds: number | null;
  readonly reference: string | null;
  constructor(
    code: ProblemCode | 'offline',
    more: {
      status?: number;
      fields?: readonly FieldFault[];
      retryAfterSeconds?: number | null;
      reference?: string | null;
    } = {},
  ) {
    super(code);
    this.name = 'ApiProblem';
    this.code = code;
    this.status = more.status ?? 0;
    this.fields = more.fields ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.reference = more.reference ?? null;
  }
}

/** Faults that end by themselves: a lost connection, a restart, a full server, a fault of the server's. */
export function isTemporary({ code, status }: ApiProblem): boolean {
  return code === 'offline' || code === 'too_many_requests' || status >= 500 || status === 429;
}
/** How long a page that was stopped by such a fault waits before it tries again, in ms of real time. */
export const TRY_AGAIN_MS = 5_000;

export type Query = Record<string, string | number | boolean | null | undefined>;
export interface RequestOptions {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  /** For a call that must outlive the page (leaving). */
  keepalive?: boolean;
  headers?: Readonly<Record<string, string>>;
  /** A file is wanted: do not parse JSON either. */
  asFile?: boolean;
  /** A store other than the browser's, for tests. */
  store?: Store;
  fetch?: typeof fetch;
}

/** Puts `{name}` parts into a path; each is encoded, so that no value can reach another path. */
export function fillPath(path: string, params: Record<string, string | number> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`path ${path} lacks ${name}`);
    return encodeURIComponent(String(value));
  });
}

/** Identifies the caller from the store: the headers of every call and of the socket's CONNECT. */
export function personHeaders(store: Store): Record<string, string> {
  const headers: Record<string, string> = {};
  const token = store.getText('token');
  if (token) headers.authorization = `Bearer ${token}`;
  const therapistId = store.get('therapist')?.id ?? store.get('client')?.therapist.id;
  if (therapistId !== undefined) headers[THERAPIST_HEADER] = String(therapistId);
  return headers;
}

/**
 * Makes one call. Takes method, filled path, query, body (JSON, or FormData as it is). Returns the parsed answer,
 * undefined on 204, a Blob for a file and for anything that is not JSON. Throws `ApiProblem`; an abort stays an
 * AbortError.
 */
export async function request<Reply>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  options: RequestOptions = {},
): Promise<Reply> {
  const store = options.store ?? storage;
  const headers = { ...personHeaders(store), ...options.headers };
  headers.accept = 'application/json, application/problem+json';
  let body: BodyInit | undefined;
  if (options.body instanceof FormData) body = options.body;
  else if (options.body !== undefined) {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(options.body);
  }
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (value !== undefined && value !== null) search.set(name, String(value));
  const address = search.size > 0 ? `${path}?${search}` : path;
  let response: Response;
  try {
    response = await (options.fetch ?? fetch)(address, {
      method,
      headers,
      body,
      signal: options.signal,
      keepalive: options.keepalive ?? false,
      cache: 'no-store',
      credentials: 'omit',
    });
  } catch (fault) {
    if (options.signal?.aborted) throw fault;
    throw new ApiProblem('offline');
  }
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return undefined as Reply;
  const type = response.headers.get('content-type') ?? '';
  try {
    return (type.includes('json') && !options.asFile ? await response.json() : await response.blob()) as Reply;
  } catch {
    // The connection broke while the answer was read.
    throw new ApiProblem('offline');
  }
}

/**
 * Describes a refused answer. Anything that is not problem+json (a proxy's page) becomes the nearest code we have words
 * for.
 */
async function problemOf(response: Response): Promise<ApiProblem> {
  const retryHeader = Number(response.headers.get('retry-after'));
  const retryAfterSeconds = Number.isFinite(retryHeader) && retryHeader > 0 ? retryHeader : null;
  let body: unknown = null;
  try {
    body = await response.json();
  } catch {
    // Not JSON: the status below decides.
  }
  return problemFromBody(body, response.status, retryAfterSeconds);
}

/** Reads a problem out of anything that came over HTTP or STOMP. */
export function problemFromBody(body: unknown, status: number, retryAfterSeconds: number | null = null): ApiProblem {
  const known = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const fields = Array.isArray(known.fields)
    ? known.fields.filter(
        (fault): fault is FieldFault =>
          typeof fault === 'object' &&
          fault !== null &&
          typeof (fault as FieldFault).path === 'string' &&
          typeof (fault as FieldFault).code === 'string',
      )
    : [];
  return new ApiProblem(typeof known.code === 'string' ? (known.code as ProblemCode) : codeByStatus(status), {
    status,
    fields,
    retryAfterSeconds: typeof known.retryAfterSeconds === 'number' ? known.retryAfterSeconds : retryAfterSeconds,
    reference: typeof known.reference === 'string' ? known.reference : null,
  });
}

function codeByStatus(status: number): ProblemCode | 'offline' {
  switch (status) {
    case 403:
      return 'forbidden';
    case 404:
      return 'not_found';
    case 413:
      return 'payload_too_large';
    case 429:
      return 'too_many_requests';
    // No case for 401: our server says why in a code, and a proxy's 401 must not end a sign-in. If a proxy cannot reach
    // the server, the person is offline.
    case 502:
    case 504:
      return 'offline';
    case 503:
      return 'shutting_down';
    default:
      return 'unknown_fault';
  }
}
