/** Opaque tokens: what a person holds is random, what the database holds is its hash. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export interface NewToken {
  /** 43 characters base64url: goes to the person and is never stored or logged. */
  readonly token: string;
  /** SHA-256 of it: what is stored and looked up. */
  readonly hash: Buffer;
}

/**
 * The stored form of a token. In: the token as the person sent it, any text. Out: 32 bytes.
 * A plain SHA-256 is enough, because the token carries 256 bits of chance and cannot be searched (PRODUCT 3).
 */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** A fresh token of 256 bits with its stored form (PRODUCT 3). Used for sign-ins, letters and the seats of clients. */
export function newToken(): NewToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}
