/**
 * Calls by the contract's declarations: `api.call(login, { body })`. Shapes, path and reply are the endpoint's own
 * types.
 */
import type { BodyInputOf, Endpoint, NoSchema, ReplyOf, Schema } from '@fieldroom/contract/http';
import type * as z from 'zod/mini';
import { createEmitter } from '../emitter.ts';
import { type Store, storage } from '../storage.ts';
import { ApiProblem, fillPath, type Query, request } from './request.ts';

type Given<S> = S extends Schema ? z.input<S> : never;
type ParamsIn<E extends Endpoint> = { [K in keyof Given<NonNullable<E['params']>>]: string | number };
type QueryIn<E extends Endpoint> = {
  [K in keyof Given<NonNullable<E['query']>>]?: string | number | boolean | undefined;
};

/** What a call takes besides its endpoint; each part only if the endpoint declares it. */
type CallInput<E extends Endpoint> = {
  signal?: AbortSignal;
  /** For a call that must outlive the page. */
  keepalive?: boolean;
  /** Headers that the endpoint declares, besides those that identify the caller. */
  headers?: Readonly<Record<string, string>>;
} & (NonNullable<E['params']> extends NoSchema ? { params?: undefined } : { params: ParamsIn<E> }) &
  (NonNullable<E['query']> extends NoSchema ? { query?: undefined } : { query: QueryIn<E> }) &
  (NonNullable<E['body']> extends NoSchema ? { body?: undefined } : { body: BodyInputOf<E> });

type Arguments<E extends Endpoint> = {} extends CallInput<E> ? [input?: CallInput<E>] : [input: CallInput<E>];

export interface Api {
  /** Throws `ApiProblem`. */
  call<E extends Endpoint>(
    endpoint: E,
    ...input: Arguments<E>
  ): Promise<E['bytes'] extends readonly string[] ? ReplyOf<E> & Blob : ReplyOf<E>>;
  /** Calls back on every answer that says the sign-in has ended. Returns how to stop. */
  onSignedOut(listener: (problem: ApiProblem) => void): () => void;
}

/** Takes the store whose token is sent (the browser's by default) and the fetch to use. */
export function createApi(options: { store?: Store; fetch?: typeof fetch } = {}): Api {
  const store = options.store ?? storage;
  const signedOut = createEmitter<ApiProblem>();
  return {
    async call(endpoint, ...[input]) {
      const given = (input ?? {}) as {
        params?: Record<string, string | number>;
        query?: Query;
        body?: unknown;
        signal?: AbortSignal;
        keepalive?: boolean;
        headers?: Readonly<Record<string, string>>;
      };
      const sentToken = store.getText('token');
      try {
        return await request(endpoint.method, fillPath(endpoint.path, given.params), {
          ...given,
          asFile: endpoint.bytes !== null,
          store,
          fetch: options.fetch,
        });
      } catch (fault) {
        // A late answer to an older token says nothing about the current one.
        if (
          fault instanceof ApiProblem &&
          (fault.code === 'session_expired' || fault.code === 'not_signed_in') &&
          sentToken !== null &&
          sentToken === store.getText('token')
        ) {
          signedOut.emit(fault);
        }
        throw fault;
      }
    },
    onSignedOut: signedOut.on,
  };
}

/** The calls of this browser, with its stored sign-in. */
export const api: Api = createApi();
