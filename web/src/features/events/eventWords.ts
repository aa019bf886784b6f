/** Sentences about events that several of their pages and dialogs use. */
import type { EventType, RepetitionRule } from '@fieldroom/contract/events';
import type { TFunction } from 'i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { faultText } from '../../platform/i18n/faults.ts';
import { zoneCity } from './dates/zoneCity.ts';

/** The page's `t` of the namespace `events`. */
export type Say = TFunction<'events'>;

/** The sentence for a fault at a place of the form: this feature's own words first, then the shared ones. */
export function faultWords(t: Say, place: string, code: string | undefined): string | null {
  if (code === undefined) return null;
  // i18next would treat a key that ends in `_many` as a plural form.
  const name = code === 'too_many' ? 'tooMany' : code;
  for (const key of [`fault.${place}.${name}`, `fault.${name}`]) {
    const text = t(key);
    if (text !== key && text !== '') return text;
  }
  return faultText(sayProblem, place, code);
}

/** The city of a zone in the person's language. */
export const cityWords = (zone: string): string => zoneCity(zone, currentLanguage());

/** "every 4 weeks". */
export const ruleWords = (t: Say, { unit, frequency }: Pick<RepetitionRule, 'unit' | 'frequency'>): string =>
  t(`rule.${unit}`, { count: frequency });

/** "Group" or "one-to-one" in the person's language. */
export const typeWords = (t: Say, type: EventType): string => t(type === 'GROUP' ? 'type.group' : 'type.oneToOne');
