/** Words of the app: i18next with one lazy file a language and namespace. Switching needs no reload. */
import type { Language } from '@fieldroom/contract/text';
import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { storage } from '../storage.ts';
import type { Say } from './faults.ts';
import { DEFAULT_LANGUAGE, LANGUAGES, pickLanguage } from './languages.ts';

const files = import.meta.glob<Record<string, unknown>>(
  ['../../locales/*/*.json', '!../../locales/*/join.json', '!../../locales/*/booking.json'],
  { import: 'default' },
);

const lazyFiles: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    const load = files[`../../locales/${language}/${namespace}.json`];
    if (!load) return done(new Error(`no words for ${language}/${namespace}`), null);
    load().then(
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
      ns: ['common', 'problems', ...more],
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
