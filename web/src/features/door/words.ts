/**
 * The words of the door: its own in all four languages, so that the first paint waits for nothing; those of problems come
 * after it, for the language shown.
 */
import type { Language } from '@fieldroom/contract/text';
import de from '../../locales/de/door.json';
import en from '../../locales/en/door.json';
import hu from '../../locales/hu/door.json';
import ro from '../../locales/ro/door.json';
import type { Say } from '../../platform/i18n/faults.ts';
import { createLightWords, startLanguage, useLightWords, type Words } from '../../platform/i18n/light.ts';

const problemFiles = import.meta.glob<Words>('../../locales/*/problems.json', { import: 'default' });

const words = createLightWords({ en, de, hu, ro }, startLanguage());
document.documentElement.lang = words.language();

/** A page whose line is down from the start has a plain sentence of the door for it. */
function loadProblems(language: Language): void {
  problemFiles[`../../locales/${language}/problems.json`]?.().then((problems) => words.add(language, 'problems', problems), () => {});
}
loadProblems(words.language());

export function switchDoorLanguage(language: Language): void {
  words.switchTo(language);
  loadProblems(language);
}
export const doorLanguage = words.language;

/** `t` for the door's words, `say` for problems and faults. */
export function useDoorWords() {
  const { t, language } = useLightWords(words);
  const say: Say = (key, values) => {
    const text = t(`problems.${key}`, values);
    return text === `problems.${key}` ? (key.startsWith('problem.') ? t('trouble') : key) : text;
  };
  return { t, say, language };
}
