/**
 * Words of the light pages, without a library: dotted keys, `{{name}}` and Intl's plural forms, in i18next's file
 * format so that one set of checks covers all words. All four languages are at hand: no page must wait for a second
 * request.
 */
import type { Language } from '@fieldroom/contract/text';
import { useSyncExternalStore } from 'react';
import { storage } from '../platform/storage.ts';
import { pickLanguage } from '../platform/i18n/languages.ts';

export type Words = { [key: string]: string | Words };
export type Translate = (key: string, values?: Record<string, string | number>) => string;

export interface LightWords {
  t: Translate;
  language(): Language;
  switchTo(language: Language): void;
  /** Shows another language without keeping it. */
  speak(language: Language): void;
  /** Brings in more words of a language under a key; who shows words hears of it where one was missing. */
  add(language: Language, key: string, words: Words): void;
  /** Changes with each switch and each addition that was missed. */
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

/** Making one costs a weak phone milliseconds. */
const plurals: Partial<Record<Language, Intl.PluralRules>> = {};
const pluralOf = (language: Language, count: number) =>
  (plurals[language] ??= new Intl.PluralRules(language)).select(count);

/**
 * Takes the words by language. Returns `t` for the language shown; a missing word shows in English, then as its key.
 */
export function createLightWords(first: Readonly<Record<Language, Words>>, start: Language): LightWords {
  const listeners = new Set<() => void>();
  const all: Record<Language, Words> = { ...first };
  let language = start;
  let version = 0;
  /** A word was asked for that the language has not: only then is there anything to draw anew when more come. */
  let missed = false;
  const tell = () => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const speak = (next: Language) => {
    language = next;
    tell();
  };
  return {
    t(key, values = {}) {
      const path = key.split('.');
      let text: string | undefined;
      for (const tongue of [language, 'en'] as const) {
        if (typeof values.count === 'number') {
          const last = path.at(-1);
          text = find(all[tongue], [...path.slice(0, -1), `${last}_${pluralOf(tongue, values.count)}`]);
        }
        text ??= find(all[tongue], path);
        if (text !== undefined) break;
        missed = true;
      }
      return (text ?? key).replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
        name in values ? String(values[name]) : whole,
      );
    },
    language: () => language,
    speak,
    switchTo(next) {
      document.documentElement.lang = next;
      storage.setText('language', next);
      speak(next);
    },
    add(tongue, key, words) {
      all[tongue] = { ...all[tongue], [key]: words };
      if (missed) tell();
      missed = false;
    },
    version: () => version,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The language of a light page: stored, then the browser's. */
export function startLanguage(): Language {
  return pickLanguage({ stored: storage.getText('language'), browser: navigator.languages });
}

export function useLightWords(words: LightWords): { t: Translate; language: Language } {
  useSyncExternalStore(words.subscribe, words.version, words.version);
  return { t: words.t, language: words.language() };
}
