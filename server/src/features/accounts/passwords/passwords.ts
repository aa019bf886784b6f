/** Passwords: argon2id, only a few at a time, so that many sign-ins at once cannot block everything else. */
import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { Problem } from '../../../platform/problem.ts';

/**
 * OWASP's password storage cheat sheet: argon2id with 19 MiB, two passes, one lane. The algorithm is the library's
 * default.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/**
 * The work runs on Node's thread pool of four threads, which files and name lookups share; two at a time leave half of
 * it free and limit the memory to 2 × 19 MiB.
 */
const AT_ONCE = 2;
/**
 * About two seconds of work. Further people are asked to try again, because their answer would arrive too late.
 */
const WAITING_MAX = 100;
const BUSY_RETRY_SECONDS = 5;

/** Replaces the hash if no password may open the account. */
export const NO_PASSWORD = '!';

export interface Passwords {
  /** Takes a normalised password. Returns PHC text (`$argon2id$…`). Problem: too_many_requests for a full queue. */
  hash(password: string): Promise<string>;
  /**
   * Whether a password matches a hash; null (an account that does not exist) and NO_PASSWORD cost the same work, so
   * that the time of the answer reveals nothing. Problem: too_many_requests when the queue is full.
   */
  verify(passwordHash: string | null, password: string): Promise<boolean>;
}

/** The form in which passwords are hashed and compared, however the keyboard composed them (docs/product.md#3.4). */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

/** Makes the hasher. Takes how many hashes may run and wait at a time (for tests of the limit). */
export function createPasswords(bounds: { atOnce?: number; waitingMax?: number } = {}): Passwords {
  const atOnce = bounds.atOnce ?? AT_ONCE;
  const waitingMax = bounds.waitingMax ?? WAITING_MAX;
  const waiting: (() => void)[] = [];
  let working = 0;
  let decoy: Promise<string> | null = null;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (working < atOnce) working += 1;
    else {
      if (waiting.length >= waitingMax)
        throw new Problem('too_many_requests', { retryAfterSeconds: BUSY_RETRY_SECONDS });
      // The slot goes directly to the next one, so `working` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) working -= 1;
      else next();
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, PARAMETERS)),
    verify: (passwordHash, password) =>
      inTurn(async () => {
        if (passwordHash !== null && passwordHash !== NO_PASSWORD) return verify(passwordHash, password);
        decoy ??= hash(randomBytes(32), PARAMETERS);
        await verify(await decoy, password);
        return false;
      }),
  };
}
