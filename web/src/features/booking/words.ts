/**
 * The words of the public pages: their own in all four languages, so that the first paint waits for nothing; those of
 * general problems come after it, for the language shown.
 */
import type { Language } from '@fieldroom/contract/text';
import de from '../../locales/de/booking.json';
import en from '../../locales/en/booking.json';
import hu from '../../locales/hu/booking.json';
import ro from '../../locales/ro/booking.json';
import { ApiProblem } from '../../platform/api/request.ts';
import { faultText, problemText, type Say } from '../../platform/i18n/faults.ts';
import { createLightWords, startLanguage, type Translate, useLightWords, type Words } from '../../platform/i18n/light.ts';

const problemFiles = import.meta.glob<Words>('../../locales/*/problems.json', { import: 'default' });

const words = createLightWords({ en, de, hu, ro }, startLanguage());
document.documentElement.lang = words.language();

/** A page whose line is down from the start has a plain sentence of its own for it. */
function loadProblems(language: Language): void {
  problemFiles[`../../locales/${language}/problems.json`]?.().then((problems) => words.add(language, 'problems', problems), () => {});
}
loadProblems(words.language());

export function switchLanguage(next: Language): void {
  words.switchTo(next);
  loadProblems(next);
}
export const shownLanguage = words.language;

/** `t` for the pages' words; `refusal` for a refused act, in the words of these pages with the next step; `fault` for what is wrong at a field. */
export function useWords() {
  const { t, language } = useLightWords(words);
  const say: Say = (key, values) => {
    const text = t(`problems.${key}`, values);
    return text === `problems.${key}` ? (key.startsWith('problem.') ? t('trouble') : key) : text;
  };
  /** What our own words name, for a code or a place; null where they have none. */
  const own = (key: string, values?: Parameters<Translate>[1]) => {
    const text = t(key, values);
    return text === key ? null : text;
  };
  const refusal = (problem: unknown): string => (problem instanceof ApiProblem && problem.retryAfterSeconds === null ? own(`refusal.${problem.code}`) : null) ?? problemText(say, problem);
  const fault = (place: string, key: string): string => own(`fault.${place}.${key}`) ?? own(`fault.${key}`) ?? faultText(say, place, key);
  return { t, language, refusal, fault };
}
