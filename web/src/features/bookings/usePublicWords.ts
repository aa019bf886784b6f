/** The words of the public pages (light/pageWords.ts), and those for refusals and faults. */
import de from '../../locales/de/booking.json';
import en from '../../locales/en/booking.json';
import hu from '../../locales/hu/booking.json';
import ro from '../../locales/ro/booking.json';
import { ApiProblem } from '../../platform/api/request.ts';
import { charactersLeft } from '../../platform/i18n/charactersLeft.ts';
import { faultText, problemText } from '../../platform/i18n/faults.ts';
import type { Translate } from '../../light/lightWords.ts';
import { createPageWords } from '../../light/pageWords.ts';

const page = createPageWords({ en, de, hu, ro });
export const { language: shownLanguage, switchTo: switchLanguage, showLanguage } = page;

/**
 * The words of the public pages. `t` returns any of them. `refusal` explains why an act was refused and the next step,
 * `fault` the fault of a field, and `left` how much more text fits into one.
 */
export function usePublicWords() {
  const { t, say, language } = page.useWords();
  /** Our own words for a code or a place; null if there are none. */
  const own = (key: string, values?: Parameters<Translate>[1]) => {
    const text = t(key, values);
    return text === key ? null : text;
  };
  const refusal = (problem: unknown): string =>
    (problem instanceof ApiProblem && problem.retryAfterSeconds === null ? own(`refusal.${problem.code}`) : null) ??
    problemText(say, problem);
  const fault = (place: string, key: string): string =>
    own(`fault.${place}.${key}`) ?? own(`fault.${key}`) ?? faultText(say, place, key);
  const left = (typed: string, max: number): string => charactersLeft(say, typed, max);
  return { t, language, refusal, fault, left };
}
