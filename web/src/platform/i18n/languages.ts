/**
 * The four languages and how one is chosen: stored, then the account's language, then the browser's, then English
 * (docs/product.md#11.1).
 */
import type { Language } from '@fieldroom/contract/text';

export const LANGUAGES: readonly { code: Language; label: string }[] = [
  { code: 'en', label: 'English' },
  { code: 'de', label: 'Deutsch' },
  { code: 'hu', label: 'Magyar' },
  { code: 'ro', label: 'Română' },
];
export const DEFAULT_LANGUAGE: Language = 'en';

/** The language of a code such as `de-AT`, or null if the product does not have it. */
function knownLanguage(code: string | null | undefined): Language | null {
  const short = (code ?? '').slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language.code === short)?.code ?? null;
}

/**
 * Returns the first preferred language that the product has, else English. Takes codes such as `de` or `de-AT`, in the
 * browser's order.
 */
export function pickLanguage(wishes: {
  stored?: string | null;
  account?: string | null;
  browser?: readonly string[];
}): Language {
  for (const wish of [wishes.stored, wishes.account, ...(wishes.browser ?? [])]) {
    const language = knownLanguage(wish);
    if (language) return language;
  }
  return DEFAULT_LANGUAGE;
}
