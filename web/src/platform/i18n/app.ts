/** Words of the app: i18next with one lazy file a language and namespace. Switching needs no reload. */
import type { Language } from '@fieldroom/contract/text';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { storage } from '../storage.ts';
import { EVERY_PAGE_TEXTS } from './everyPageTexts.ts';
import type { Say } from './faults.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, pickLanguage } from './languages.ts';

/** The words that every page needs, and the room's. */
const files = import.meta.glob<Record<string, unknown>>(
  '../../locales/*/{common,problems,room,field,video,messages,usage}.json',
  { import: 'default' },
);

/** Where the words of all other pages are; fetched once. Called ahead by who knows that such a page comes. */
export const findPageWords = async () => (await import('./wordsOfPages.ts')).wordsOfPages;

async function findWords(file: string): Promise<Record<string, unknown>> {
  const load = files[file] ?? (await findPageWords())[file];
  if (!load) throw new Error(`no words in ${file}`);
  return load();
}

const lazyFiles: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    findWords(`../../locales/${language}/${namespace}.json`).then(
      (words) => done(null, words),
      (fault: unknown) => done(fault instanceof Error ? fault : new Error('words did not load'), null),
    );
  },
};

/** Starts the words of the app; resolves when those of every page and the ones in `more` are there. */
export async function startWords(more: readonly string[] = []): Promise<void> {
  await i18next
    .use(lazyFiles)
    .use(initReactI18next)
    .init({
      lng: pickLanguage({
        stored: storage.getText('language'),
        account: storage.get('user')?.language,
        browser: navigator.languages,
      }),
      fallbackLng: DEFAULT_LANGUAGE,
      supportedLngs: LANGUAGES.map(({ code }) => code),
      ns: [...EVERY_PAGE_TEXTS, ...more],
      defaultNS: 'common',
      partialBundledLanguages: true,
      returnNull: false,
      // React escapes by itself.
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
  document.documentElement.lang = i18next.language;
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
}

/** Fetches these texts in the language that is shown; resolves when they are there or could not be fetched. */
export async function loadWords(namespaces: readonly string[]): Promise<void> {
  await i18next.loadNamespaces(namespaces);
}

/** The texts that are loaded, in the language that is shown and in the one that stands in for what it lacks. */
export const allWords = (): unknown[] =>
  [...new Set([currentLanguage(), DEFAULT_LANGUAGE])].map((language) => i18next.getDataByLanguage(language));

/** Shows another language at once and keeps it in this browser. */
export async function switchLanguage(language: Language): Promise<void> {
  storage.setText('language', language);
  await i18next.changeLanguage(language);
}

export function currentLanguage(): Language {
  return (i18next.resolvedLanguage ?? DEFAULT_LANGUAGE) as Language;
}

/** Words for problems of any page, see faults.ts. */
export const sayProblem: Say = (key, values) => i18next.t(key, { ns: 'problems', ...values });
