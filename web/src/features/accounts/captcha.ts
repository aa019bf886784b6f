/**
 * Proof of work for forms that anybody may send: ALTCHA's challenge, solved with its own solver. Its widget is left out
 * on purpose: it builds itself through innerHTML and starts workers by address, which our policy (Trusted Types)
 * forbids. The work is done by WebCrypto off the page's thread, so that typing stays smooth.
 */
import { getCaptcha } from '@fieldroom/contract/accounts';
import { type Challenge, pbkdf2, solveChallenge } from 'altcha/lib';
import { api } from '../../platform/api/index.ts';

/** Derivations at a time: WebCrypto distributes them over the cores. */
const SOLVERS = 4;

/**
 * Fetches and solves a challenge. Returns what `register` takes as `captcha` (base64 of challenge and solution). Throws
 * when it cannot.
 */
export async function solveCaptcha(signal: AbortSignal): Promise<string> {
  const challenge = (await api.call(getCaptcha, { signal })) as unknown as Challenge;
  const controller = new AbortController();
  const stop = () => controller.abort();
  signal.addEventListener('abort', stop);
  try {
    const solution = await Promise.any(
      Array.from({ length: SOLVERS }, async (_, solver) => {
        const found = await solveChallenge({
          challenge,
          controller,
          counterStart: solver,
          counterStep: SOLVERS,
          deriveKey: pbkdf2.deriveKey,
        });
        if (!found) throw new Error('not found');
        return found;
      }),
    );
    const { codeChallenge: _unused, ...plain } = challenge;
    return btoa(JSON.stringify({ challenge: plain, solution }));
  } finally {
    stop();
    signal.removeEventListener('abort', stop);
  }
}
