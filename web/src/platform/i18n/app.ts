/** Words of the app: i18next with one lazy file for each language and namespace. Switching needs no reload. */
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

/** Fetches, once, the list of where the words of all other pages are. Call it early when such a page is known to
 * follow. */
export const findPageWords = async () => (await import('./wordsOfPages.ts')).wordsOfPages;

async function findWords(language: string, namespace: string): Promise<Record<string, unknown>> {
  const file = `../../locales/${language}/${namespace}.json`;
  const load = files[file] ?? (await findPageWords())[file];
  if (!load) throw new Error(`no words in ${file}`);
  return load();
}

/** What could not be fetched, as `language/namespace`: i18next never asks for it again. */
const failed = new Set<string>();

const lazyFiles: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    findWords(language, namespace).then(
      (words) => done(null, words),
      (fault: unknown) => {
        failed.add(`${language}/${namespace}`);
        done(fault instanceof Error ? fault : new Error('words did not load'), null);
      },
    );
  },
};

/** Starts the words of the app; resolves when those of every page and those in `more` are loaded. */
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

/**
 * Fetches these texts in the current language, and again what could not be fetched before. Throws the fault if a text
 * is available in no language. The caller tries again, as with the code of a part (docs/product.md#11.36).
 */
export async function loadWords(namespaces: readonly string[]): Promise<void> {
  await i18next.loadNamespaces(namespaces);
  await Promise.all([...EVERY_PAGE_TEXTS, ...namespaces].map(fetchAgain));
}

async function fetchAgain(namespace: string): Promise<void> {
  const language = currentLanguage();
  if (!failed.has(`${language}/${namespace}`)) return;
  try {
    const words = await findWords(language, namespace);
    failed.delete(`${language}/${namespace}`);
    i18next.addResourceBundle(language, namespace, words);
  } catch (fault) {
    if (!i18next.hasResourceBundle(DEFAULT_LANGUAGE, namespace)) throw fault;
  }
}

/** The texts that are loaded, in the current language and in the fallback language. */
export const allWords = (): unknown[] =>
  [...new Set([currentLanguage(), DEFAULT_LANGUAGE])].map((language) => i18next.getDataByLanguage(language));

/** Switches to another language at once and keeps it in this browser. */
export async function switchLanguage(language: Language): Promise<void> {
  storage.setText('language', language);
  await i18next.changeLanguage(language);
}

/** The current language; English until the words have arrived. */
export function currentLanguage(): Language {
  return (i18next.resolvedLanguage ?? DEFAULT_LANGUAGE) as Language;
}

/** Words for the problems of any page, see faults.ts. */
export const sayProblem: Say = (key, values) => i18next.t(key, { ns: 'problems', ...values });
