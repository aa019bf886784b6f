/**
 * The cities that name time zones, for the app and the public pages: all languages at once, because they are a few
 * words.
 */
import type { Language } from '@fieldroom/contract/text';
import de from '../../../locales/de/cities.json';
import en from '../../../locales/en/cities.json';
import hu from '../../../locales/hu/cities.json';
import ro from '../../../locales/ro/cities.json';

const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { de, en, hu, ro };

/** The city of a zone, in the language's own word where it has one: "Europe/Vienna" is "Wien" in German. */
export function zoneCity(zone: string, language: Language): string {
  const city = (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
  return WORDS[language][city] ?? city;
}
