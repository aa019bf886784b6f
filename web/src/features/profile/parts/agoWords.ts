import type { Language } from '@fieldroom/contract/text';
import { distanceFormat } from '../../../platform/i18n/formats.ts';

const MINUTE = 60_000;
const UNITS = [
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;

/** "3 hours ago", "yesterday", "now". Takes both instants in milliseconds, and the language. */
export function agoWords(then: number, now: number, language: Language): string {
  const words = distanceFormat(language);
  const passed = Math.max(0, now - then);
  for (const [unit, size] of UNITS) if (passed >= size) return words.format(-Math.floor(passed / size), unit);
  return words.format(0, 'second');
}
