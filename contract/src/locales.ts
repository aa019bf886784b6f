/** How each language writes dates, numbers and lists, in emails, on pages and in bills (docs/product.md#11.1). */
import type { Language } from './text.ts';

/** The locale of a language, for `Intl`: our English is British. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);
