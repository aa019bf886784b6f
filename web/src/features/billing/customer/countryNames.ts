/** Countries by name in a language, in alphabetical order. */
import { COUNTRIES } from '@fieldroom/contract/countries';
import type { Language } from '@fieldroom/contract/text';
import { alphabet } from '../../../platform/i18n/formats.ts';
import { localeOf } from '@fieldroom/contract/locales';

const CODES: ReadonlySet<string> = new Set(COUNTRIES);
/** Whether a code is one of our countries (ISO 3166-1 alpha-2). */
export const isCountry = (code: string): boolean => CODES.has(code);

export interface NamedCountry {
  value: string;
  label: string;
}

const lists = new Map<Language, NamedCountry[]>();
const names = new Map<Language, Intl.DisplayNames>();

/** The name of a country; the code itself where the browser knows no name. */
export function countryName(code: string, language: Language): string {
  let known = names.get(language);
  if (!known) {
    known = new Intl.DisplayNames(localeOf(language), { type: 'region' });
    names.set(language, known);
  }
  return isCountry(code) ? (known.of(code) ?? code) : code;
}

/** All countries as a list to choose from. */
export function countryList(language: Language): NamedCountry[] {
  let list = lists.get(language);
  if (!list) {
    const { compare } = alphabet(language);
    list = COUNTRIES.map((value) => ({ value, label: countryName(value, language) })).toSorted((one, other) =>
      compare(one.label, other.label),
    );
    lists.set(language, list);
  }
  return list;
}

/** A text without case and accents, so that "osterreich" finds "Österreich". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The countries whose name contains the typed text, those that begin with it first, or whose code it is. */
export function matching(list: readonly NamedCountry[], typed: string): NamedCountry[] {
  const wanted = plain(typed.trim());
  if (wanted === '') return [...list];
  const found = list.filter(({ value, label }) => plain(label).includes(wanted) || value.toLowerCase() === wanted);
  const begins = ({ value, label }: NamedCountry) => value.toLowerCase() === wanted || plain(label).startsWith(wanted);
  return [...found.filter(begins), ...found.filter((country) => !begins(country))];
}
