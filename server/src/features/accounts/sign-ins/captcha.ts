/**
 * Proof of work for forms that anybody may send: ALTCHA's challenge (version 2), made and checked here, without a third
 * party.
 */
import { createHash, hkdfSync } from 'node:crypto';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import { Problem } from '../../../platform/problem.ts';
import { once } from '../../../platform/small.ts';

const GOOD_FOR_MINUTES = 10;

/** How much work a browser does: `counter` keys on average, each of `cost` rounds. */
export interface CaptchaEffort {
  cost: number;
  counterMin: number;
  counterMax: number;
}
/** About a second on one core of a laptop, less with the widget's workers, three on an old phone. */
const EFFORT: CaptchaEffort = { cost: 1_000, counterMin: 1_000, counterMax: 3_000 };

/**
 * What the widget puts into the form field: this, as base64 of JSON. `parameters` may be anything until the signature,
 * which covers them, is checked.
 */
const payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.string(),
      nonce: z.string(),
      salt: z.string(),
      cost: z.number(),
      keyLength: z.number(),
      keyPrefix: z.string(),
      data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

export interface CaptchaParts {
  /** 32 random bytes that survive restarts; all nodes share them. */
  secret: () => Promise<Buffer>;
  /** The product's time and how fast it runs. */
  clock: { now(): Promise<Date>; describe(): Promise<{ speed: number; serverNow: string }> };
  /** Marks a challenge as used in one statement, unless it is already used or too old. Returns whether it did. */
  spend: (challengeHash: Buffer, until: Date) => Promise<boolean>;
  effort?: CaptchaEffort | undefined;
}

export interface Captcha {
  /**
   * Makes a new challenge in the widget's format: `{parameters, signature}`; valid for 10 minutes of product time and
   * one use.
   */
  challenge(): Promise<Record<string, unknown>>;
  /**
   * Checks a solution and uses it up. Takes the widget's value of the form field. Problem: captcha_failed if it is
   * malformed, not solved, not ours, too old, or was used before.
   */
  spend(solution: string): Promise<void>;
}

/**
 * Makes the captcha of the product. Source: docs/product.md#3.5; altcha-lib 2.8, `createChallenge` with a known
 * counter.
 */
export function createCaptcha({ secret, clock, spend, effort = EFFORT }: CaptchaParts): Captcha {
  // Two keys from one secret: the challenge's signature and the signature of the key to find must not be
  // interchangeable.
  const key = (bytes: Buffer, use: string) =>
    Buffer.from(hkdfSync('sha256', bytes, '', `captcha ${use}`, 32)).toString('hex');
  const signingKeys = once(async () => {
    const bytes = await secret();
    return { hmacSignatureSecret: key(bytes, 'challenge'), hmacKeySignatureSecret: key(bytes, 'solution') };
  });

  return {
    async challenge() {
      const [signing, now, { speed, serverNow }] = await Promise.all([signingKeys(), clock.now(), clock.describe()]);
      const { parameters, signature } = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: effort.cost,
        counter: randomInt(effort.counterMax, effort.counterMin),
        deriveKey,
        // The server decides by the product's clock.
        data: { until: now.getTime() + GOOD_FOR_MINUTES * 60_000 },
        ...signing,
      });
      // The widget uses this to fetch a new one. It is not signed, or the library would compare it with this machine's
      // clock, and those of several nodes differ.
      const expiresAt = Math.floor((Date.parse(serverNow) + (GOOD_FOR_MINUTES * 60_000) / speed) / 1000);
      return { parameters: { ...parameters, expiresAt }, signature };
    },

    async spend(solution) {
      const parsed = payload.safeParse(decode(solution));
      if (!parsed.success) throw new Problem('captcha_failed');
      const { solution: found } = parsed.data;
      const { expiresAt: _expiresAt, ...parameters } = parsed.data.challenge.parameters;
      const challenge = { parameters, signature: parsed.data.challenge.signature };
      const { until } = parameters.data;
      const { verified } = await verifySolution({ challenge, solution: found, deriveKey, ...(await signingKeys()) });
      if (!verified || typeof until !== 'number') throw new Problem('captcha_failed');
      // Nonce and salt identify the challenge: it has one use, however its solution is written.
      const challengeHash = createHash('sha256').update(`${parameters.nonce} ${parameters.salt}`).digest();
      if (!(await spend(challengeHash, new Date(until)))) throw new Problem('captcha_failed');
    },
  };
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    return null;
  }
}
