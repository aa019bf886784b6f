/** Why a search was refused, in words. */
import { ApiProblem } from '../../platform/api/index.ts';
import { sayProblem } from '../../platform/i18n/app.ts';
import { faultText, problemText } from '../../platform/i18n/faults.ts';

/**
 * The sentence about the key itself, null if something else went wrong: a search has no field to mark, so the general
 * words about marked fields would help nobody.
 */
export function keyFault(fault: unknown): string | null {
  if (!(fault instanceof ApiProblem) || fault.code !== 'invalid_input') return null;
  return faultText(sayProblem, 'key', fault.fields.find(({ path }) => path === 'key')?.code ?? 'invalid');
}

/** The sentence for anything that refused or stopped a search. */
export const searchFault = (fault: unknown): string => keyFault(fault) ?? problemText(sayProblem, fault);
