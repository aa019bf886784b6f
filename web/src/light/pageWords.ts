/**
 * The words of a light page. Its own are there in all four languages, so that the first paint waits for nothing. Those
 * of problems come after it, for the language shown.
 */
import type { Language } from '@fieldroom/contract/text';
import { useEffect } from 'react';
import type { Say } from '../platform/i18n/faults.ts';
import { createLightWords, initialLanguage, type Translate, useLightWords, type Words } from './lightWords.ts';

const problemFiles = import.meta.glob<Words>('../locales/*/problems.json', { import: 'default' });

export interface PageWords {
  /** The language shown, for what goes to the server. */
  language(): Language;
  /** Another language at once, stored in this browser. */
  switchTo(language: Language): void;
  /** Another language for one rendering on the server; nothing is stored. */
  showLanguage(language: Language): void;
  /**
   * `t` for the page's words, `say` for problems and faults: a page without a connection from the start has its own
   * plain sentence (`trouble`).
   */
  useWords(): { t: Translate; say: Say; language: Language };
}

/** Takes the page's own words by language, with `trouble` among them. */
export function createPageWords(own: Readonly<Record<Language, Words>>): PageWords {
  const words = createLightWords(own, initialLanguage());
  const requested = new Set<Language>();
  const loadProblemWords = (language: Language) => {
    document.documentElement.lang = language;
    if (requested.has(language)) return;
    requested.add(language);
    // After a fault, again when words are next rendered.
    problemFiles[`../locales/${language}/problems.json`]?.().then(
      (problems) => words.add(language, 'problems', problems),
      () => requested.delete(language),
    );
  };
  return {
    language: words.language,
    switchTo: words.switchTo,
    showLanguage: words.showLanguage,
    useWords() {
      const { t, language } = useLightWords(words);
      useEffect(() => loadProblemWords(language), [language]);
      const say: Say = (key, values) => {
        const text = t(`problems.${key}`, values);
        return text === `problems.${key}` ? (key.startsWith('problem.') ? t('trouble') : key) : text;
      };
      return { t, say, language };
    },
  };
}
