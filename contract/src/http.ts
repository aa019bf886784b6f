/**
 * How one HTTP call is agreed between server and web: method, path, shapes, who may call, and what can go wrong.
 * The server refuses whatever is not declared here; the web calls nothing else.
 */
import type { z } from 'zod';
import type { ProblemCode } from './problems.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/**
 * Who may call. The words are those of `docs/calls.tsv`, so that the table a person reads and the rule the gate
 * enforces cannot drift apart. "client" means admitted and not sent out.
 */
export type Access =
  | 'anyone'
  | 'token'
  | 'self'
  | 'signed in'
  | 'admin'
  | 'therapist'
  | 'client, waiting or admitted'
  | 'signed in, clients'
  | 'self, clients of that therapist'
  | 'members of the room'
  | 'self in full; anyone the public part (name, picture)'
  | 'self; its clients get names of the room only'
  | 'therapist of that client'
  | 'its therapist'
  | 'that client, its therapist'
  | 'therapist; a client only for a figure it may move'
  | "therapist, the figure's role holder"
  | 'therapist who owns it'
  | 'therapist, own events'
  | 'therapist, own images'
  | 'anyone, throttled'
  | 'anyone, published events'
  | 'anyone, published events; the owner also the others'
  | 'token, only from our page';

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType | null = z.ZodType | null,
  A extends Access = Access,
  Y extends readonly string[] | null = readonly string[] | null,
> {
  readonly method: Method;
  /** Path as the specification writes it: `/api/getUser/{therapistId}`. */
  readonly path: string;
  readonly access: A;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly params: P | null;
  readonly query: Q | null;
  readonly body: B | null;
  /** null answers 204; a bytes reply is declared with `bytes` instead. */
  readonly reply: R;
  /** Content types when the reply is bytes and not JSON. */
  readonly bytes: Y;
  readonly problems: readonly ProblemCode[];
}

interface Declaration<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType | null,
  A extends Access,
  Y extends readonly string[] | null,
> {
  method: Method;
  path: string;
  access: A;
  summary: string;
  params?: P;
  query?: Q;
  body?: B;
  reply?: R;
  bytes?: Y;
  problems?: readonly ProblemCode[];
}

/**
 * Declares one call. In: method, path with `{name}` parts, who may call, zod shapes. Out: the frozen declaration that
 * the server mounts (`http.handle(endpoint, …)`) and the web calls (`api.call(endpoint, …)`).
 */
export function endpoint<
  A extends Access,
  P extends z.ZodType = z.ZodNever,
  Q extends z.ZodType = z.ZodNever,
  B extends z.ZodType = z.ZodNever,
  R extends z.ZodType | null = null,
  Y extends readonly string[] | null = null,
>(declaration: Declaration<P, Q, B, R, A, Y>): Endpoint<P, Q, B, R, A, Y> {
  return Object.freeze({
    method: declaration.method,
    path: declaration.path,
    access: declaration.access,
    summary: declaration.summary,
    params: declaration.params ?? null,
    query: declaration.query ?? null,
    body: declaration.body ?? null,
    reply: (declaration.reply ?? null) as R,
    bytes: (declaration.bytes ?? null) as Y,
    problems: declaration.problems ?? [],
  });
}

type OutputOf<S> = S extends z.ZodType ? z.output<S> : undefined;
type InputOf<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler on the server receives, already parsed. */
export type ParamsOf<E extends Endpoint> = OutputOf<NonNullable<E['params']>>;
export type QueryOf<E extends Endpoint> = OutputOf<NonNullable<E['query']>>;
export type BodyOf<E extends Endpoint> = OutputOf<NonNullable<E['body']>>;
/** What the server answers and the web receives. */
export type ReplyOf<E extends Endpoint> = E['reply'] extends z.ZodType ? z.output<E['reply']> : void;
/** What a caller hands in, before parsing. */
export type BodyInputOf<E extends Endpoint> = InputOf<NonNullable<E['body']>>;

/** The header that scopes a call to a therapist. It never authorises (SAFE). */
export const THERAPIST_HEADER = 'x-therapist-id';
