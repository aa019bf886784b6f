/** Opaque tokens: a person has a random text, the database has its hash. */
import { hash as digest, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export interface NewToken {
  /** 43 characters base64url: goes to the person and is never stored or logged. */
  readonly token: string;
  /** SHA-256 of it: what is stored and looked up. */
  readonly hash: Buffer;
}

/**
 * Returns the stored form of a token, 32 bytes. Takes the token as the person sent it, any text. A plain SHA-256 is
 * enough, because the token has 256 random bits and cannot be guessed (docs/product.md#3.1).
 */
export function hashToken(token: string): Buffer {
  return digest('sha256', token, 'buffer');
}

/**
 * Makes a token of 256 bits with its stored form (docs/product.md#3.1).
 */
export function newToken(): NewToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

/**
 * Reads the token of a caller. Takes the value of an `Authorization` header. Returns null for one that carries no
 * bearer token. Source: RFC 6750, section 2.1.
 */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +([\w~+/.=-]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
