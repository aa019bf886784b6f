/** The time zones that can be chosen, by city in the person's language. */
import type { Language } from '@fieldroom/contract/text';
import { zoneCity } from './zoneCity.ts';

export interface ZoneChoice {
  value: string;
  label: string;
}
const choicesOf = new Map<Language, ZoneChoice[]>();

/**
 * All zones by city, and the current one even if this browser does not list it. There are some 400, so they are made
 * once for each language.
 */
export function zoneChoices(language: Language, set: string): ZoneChoice[] {
  const choice = (zone: string) => ({
    value: zone,
    label: zone.includes('/') ? `${zoneCity(zone, language)} (${zone})` : zone,
  });
  let choices = choicesOf.get(language);
  if (!choices) {
    choices = Intl.supportedValuesOf('timeZone').map(choice);
    choicesOf.set(language, choices);
  }
  return choices.some(({ value }) => value === set) ? choices : [choice(set), ...choices];
}
