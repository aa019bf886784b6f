/** Words for refusals and for faults at a field. Pages hand in their `t` with the namespace `problems`. */
import { ApiProblem } from '../api/request.ts';

/** Only the part of i18next's `t` that is used here, so that the `t` of light pages fits too. */
export type Say = (key: string, values?: Record<string, string | number>) => string;

/**
 * Returns the sentence for a fault at a place in a form. Takes the place (`email`, `code`, …) and its stable key
 * (`required`, …). Prefers the sentence for that place, then the one for the key, then a general one.
 */
export function faultText(say: Say, place: string, key: string): string {
  for (const candidate of [`field.${place}.${key}`, `field.${key}`]) {
    const text = say(candidate);
    if (text !== candidate && text !== '') return text;
  }
  return say('field.invalid');
}

/** The sentence for a refusal, with the wait or the reference number if the server gave one. */
export function problemText(say: Say, fault: unknown): string {
  if (!(fault instanceof ApiProblem)) return say('problem.unknown_fault');
  const key = `problem.${fault.code}`;
  const known = say(key);
  let text = known === key ? say('problem.unknown_fault') : known;
  if (fault.retryAfterSeconds !== null) {
    const minutes = Math.ceil(fault.retryAfterSeconds / 60);
    text += ` ${fault.retryAfterSeconds <= 90 ? say('wait.seconds', { count: Math.ceil(fault.retryAfterSeconds) }) : say('wait.minutes', { count: minutes })}`;
  }
  if (fault.reference !== null) text += ` ${say('reference', { reference: fault.reference })}`;
  return text;
}
