/**
 * The agreement about one HTTP call between server and web: method, path, shapes, who may call, and what can go wrong.
 * The server refuses everything that is not declared here, and the web calls nothing else.
 */
import type * as z from 'zod/mini';
import type { ProblemCode } from './problems.ts';

/** Any zod schema, of `zod/mini` or of `zod`. */
export type Schema = z.core.$ZodType;
/** The schema of a part that a call does not have. */
export type NoSchema = z.core.$ZodNever;

type Method = 'GET' | 'POST' | 'DELETE';

/** The parts of an access rule. */
interface AccessRule {
  /** The sentence of `docs/calls.tsv`, for people. "client" means admitted and not sent out. */
  readonly who: string;
  /**
   * What a sign-in means to the rule: `required` (refused without one), `optional` (more is shown with one), `ignored`
   * (a token of the call decides, or anybody may call).
   */
  readonly signIn: 'required' | 'optional' | 'ignored';
  /** Anybody may call without a sign-in or token, so calls that change something are counted by address. */
  readonly open?: true;
}

/** The rules of who may call, by the short names that the declarations of calls and the server's gates use. */
const ACCESS = {
  anyone: { who: 'anyone', signIn: 'ignored', open: true },
  anyoneThrottled: { who: 'anyone, throttled', signIn: 'ignored', open: true },
  token: { who: 'token', signIn: 'ignored' },
  fromOurPage: { who: 'token, only from our page', signIn: 'ignored' },
  self: { who: 'self', signIn: 'required' },
  signedIn: { who: 'signed in', signIn: 'required' },
  anySignIn: { who: 'signed in, clients', signIn: 'required' },
  admin: { who: 'admin', signIn: 'required' },
  therapist: { who: 'therapist', signIn: 'required' },
  seatHolder: { who: 'client, waiting or admitted', signIn: 'required' },
  roomOfTherapist: { who: 'self, clients of that therapist', signIn: 'required' },
  roomDesign: { who: 'self, clients of that therapist; 0: anyone, the defaults', signIn: 'optional' },
  roomMember: { who: 'members of the room', signIn: 'required' },
  clientList: { who: 'self; its clients get names of the room only', signIn: 'required' },
  therapistOfClient: { who: 'therapist of that client', signIn: 'required' },
  itsTherapist: { who: 'its therapist', signIn: 'required' },
  clientOrItsTherapist: { who: 'that client, its therapist', signIn: 'required' },
  profile: { who: 'self in full; anyone the public part (name, picture)', signIn: 'optional' },
  figureMover: { who: 'therapist; a client only for a figure it may move', signIn: 'required' },
  roleHolder: { who: "therapist, the figure's role holder", signIn: 'required' },
  iconOwner: { who: 'therapist who owns it', signIn: 'required' },
  ownEvents: { who: 'therapist, own events', signIn: 'required' },
  ownRows: { who: 'therapist, own rows', signIn: 'required' },
  ownRowsToAddress: { who: 'therapist, own rows, to an address the therapist names', signIn: 'required' },
  selfOnce: { who: 'self, once', signIn: 'required' },
  ownImages: { who: 'therapist, own images', signIn: 'required' },
  published: { who: 'anyone, published events', signIn: 'ignored' },
  publishedOrOwn: { who: 'anyone, published events; the owner also the others', signIn: 'optional' },
} as const satisfies Readonly<Record<string, AccessRule>>;

export type Access = keyof typeof ACCESS;

/** The rule behind a name. */
export const accessRule = (access: Access): AccessRule => ACCESS[access];

/** A header of one call, by its lower-case name. */
interface HeaderRule {
  readonly required: boolean;
  /** One sentence for the OpenAPI document. */
  readonly description: string;
}

/** The file of a multipart form. */
interface UploadRule {
  readonly maxBytes: number;
  /** Name of its field in documents; `file` unless given. */
  readonly field?: string;
  /** Whether the form may be sent without it. */
  readonly optional?: boolean;
}

export interface Endpoint<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema | null = Schema | null,
  A extends Access = Access,
  Y extends readonly string[] | null = readonly string[] | null,
> {
  readonly method: Method;
  /** Path with its parameters in braces: `/api/getUser/{therapistId}`. */
  readonly path: string;
  readonly access: A;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly params: P | null;
  readonly query: Q | null;
  readonly body: B | null;
  readonly headers: Readonly<Record<string, HeaderRule>>;
  /** Takes a multipart form with one file instead of JSON; the other fields are the body. */
  readonly upload: UploadRule | null;
  /** null answers 204; declare a bytes reply with `bytes` instead. */
  readonly reply: R;
  /** Content types when the reply is bytes and not JSON. */
  readonly bytes: Y;
  readonly problems: readonly ProblemCode[];
}

interface Declaration<
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema | null,
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
  headers?: Readonly<Record<string, HeaderRule>>;
  upload?: UploadRule;
  reply?: R;
  bytes?: Y;
  problems?: readonly ProblemCode[];
}

/**
 * Declares one call. Takes method, path with `{name}` parts, who may call, zod shapes. Returns the frozen declaration
 * that the server mounts (`http.handle(endpoint, …)`) and the web calls (`api.call(endpoint, …)`).
 */
export function endpoint<
  A extends Access,
  P extends Schema = NoSchema,
  Q extends Schema = NoSchema,
  B extends Schema = NoSchema,
  R extends Schema | null = null,
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
    headers: declaration.headers ?? {},
    upload: declaration.upload ?? null,
    reply: (declaration.reply ?? null) as R,
    bytes: (declaration.bytes ?? null) as Y,
    problems: declaration.problems ?? [],
  });
}

type OutputOf<S> = S extends Schema ? z.output<S> : undefined;
type InputOf<S> = S extends Schema ? z.input<S> : undefined;

/** What a handler on the server receives, already parsed. */
export type ParamsOf<E extends Endpoint> = OutputOf<NonNullable<E['params']>>;
export type QueryOf<E extends Endpoint> = OutputOf<NonNullable<E['query']>>;
export type BodyOf<E extends Endpoint> = OutputOf<NonNullable<E['body']>>;
/** What the server answers and the web receives. */
export type ReplyOf<E extends Endpoint> = E['reply'] extends Schema ? z.output<E['reply']> : void;
/** What a caller passes, before parsing. */
export type BodyInputOf<E extends Endpoint> = InputOf<NonNullable<E['body']>>;

/** The header that scopes a call to a therapist. It never authorises (docs/product.md#3.2). */
export const THERAPIST_HEADER = 'x-therapist-id';
