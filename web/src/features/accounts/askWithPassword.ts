/** Calls that prove a password. After a stranger's wrong attempts, the server requires a captcha first. */
import type { PasswordProof } from '@fieldroom/contract/accounts';
import { ApiProblem } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';

export interface AskOptions {
  /** Ends the calculation of a captcha. */
  signal: AbortSignal;
  /** Called with true while a captcha is being solved. */
  onChecking?: (isChecking: boolean) => void;
}

/**
 * Calls the server with the token by which it knows this browser. If the server requires a captcha, solves one and
 * calls once more. Takes what was typed and the call. Problems: those of the call.
 */
export async function askWithPassword<Reply>(
  typed: { email: string; password: string },
  call: (proof: PasswordProof) => Promise<Reply>,
  { signal, onChecking = () => {} }: AskOptions,
): Promise<Reply> {
  const device = storage.getText('device');
  const proof = device === null ? typed : { ...typed, device };
  try {
    return await call(proof);
  } catch (fault) {
    if (!(fault instanceof ApiProblem) || fault.code !== 'captcha_required') throw fault;
  }
  onChecking(true);
  try {
    const { solveCaptcha } = await import('./captcha.ts');
    return await call({ ...proof, captcha: await solveCaptcha(signal) });
  } finally {
    onChecking(false);
  }
}
