/**
 * Words of the light pages, without a library: dotted keys, `{{name}}` and Intl's plural forms, in i18next's file
 * format so that one set of checks covers all words. All four languages are there at once: no page has to wait for a
 * second request.
 */
import type { Language } from '@fieldroom/contract/text';
import { useSyncExternalStore } from 'react';
import { createEmitter } from '../platform/emitter.ts';
import { storage } from '../platform/storage.ts';
import { pickLanguage } from '../platform/i18n/languages.ts';

export type Words = { [key: string]: string | Words };
export type Translate = (key: string, values?: Record<string, string | number>) => string;

export interface LightWords {
  t: Translate;
  language(): Language;
  /** Shows another language and stores it. */
  switchTo(language: Language): void;
  /** Shows another language without storing it. */
  showLanguage(language: Language): void;
  /** Adds words of a language under a key; pages that miss one of them render again. */
  add(language: Language, key: string, words: Words): void;
  /** Changes with each switch, and with each addition that a page missed. */
  version(): number;
  subscribe(listener: () => void): () => void;
}

function find(words: Words | string | undefined, path: readonly string[]): string | undefined {
  let found: Words | string | undefined = words;
  for (const part of path) {
    if (typeof found !== 'object') return undefined;
    found = found[part];
  }
  return typeof found === 'string' ? found : undefined;
}

/** Kept, as making one costs a slow phone milliseconds. */
const plurals: Partial<Record<Language, Intl.PluralRules>> = {};
const pluralOf = (language: Language, count: number) =>
  (plurals[language] ??= new Intl.PluralRules(language)).select(count);

/**
 * Takes the words by language. Returns `t` for the language shown; a missing word shows in English, then as its key.
 */
export function createLightWords(initial: Readonly<Record<Language, Words>>, start: Language): LightWords {
  const changed = createEmitter();
  const all: Record<Language, Words> = { ...initial };
  let language = start;
  let version = 0;
  /** A word was asked for that is not there: only then must pages render again when more words come. */
  let missing = false;
  const notify = () => {
    version += 1;
    changed.emit();
  };
  const showLanguage = (next: Language) => {
    language = next;
    notify();
  };
  return {
    t(key, values = {}) {
      const path = key.split('.');
      let text: string | undefined;
      for (const tried of [language, 'en'] as const) {
        if (typeof values.count === 'number') {
          const last = path.at(-1);
          text = find(all[tried], [...path.slice(0, -1), `${last}_${pluralOf(tried, values.count)}`]);
        }
        text ??= find(all[tried], path);
        if (text !== undefined) break;
        missing = true;
      }
      return (text ?? key).replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
        name in values ? String(values[name]) : whole,
      );
    },
    language: () => language,
    showLanguage,
    switchTo(next) {
      document.documentElement.lang = next;
      storage.setText('language', next);
      showLanguage(next);
    },
    add(target, key, words) {
      all[target] = { ...all[target], [key]: words };
      if (missing) notify();
      missing = false;
    },
    version: () => version,
    subscribe: changed.on,
  };
}

/** Returns the language of a light page: the stored one, then the browser's. */
export function initialLanguage(): Language {
  return pickLanguage({ stored: storage.getText('language'), browser: navigator.languages });
}

/**
 * The words of a light page for a component, which renders again when the language changes or missing words have come.
 */
export function useLightWords(words: LightWords): { t: Translate; language: Language } {
  useSyncExternalStore(words.subscribe, words.version, words.version);
  return { t: words.t, language: words.language() };
}
