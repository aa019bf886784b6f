/** Words for refusals and for faults at a field. Pages hand in their `t` with the namespace `problems`. */
import { ApiProblem } from '../api/request.ts';

/** Just what is used of i18next's `t` and of the light pages', so that both fit. */
export type Say = (key: string, values?: Record<string, string | number>) => string;

/**
 * The sentence for a fault at a place of a form. Takes the place (`email`, `code`, …) and its stable key (`required`,
 * …). Returns the sentence for that place if there is one, otherwise for the key, otherwise a general one.
 */
export function faultText(say: Say, place: string, key: string): string {
  for (const candidate of [`field.${place}.${key}`, `field.${key}`]) {
    const text = say(candidate);
    if (text !== candidate && text !== '') return text;
  }
  return say('field.invalid');
}

/** The sentence for a refusal, with the wait or the reference number where the server gave one. */
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
