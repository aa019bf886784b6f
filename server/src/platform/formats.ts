/**
 * Formats of dates and numbers in the product's languages. Each is made once, because making one costs as much as
 * composing an email with it.
 */
import { localeOf } from '@fieldroom/contract/locales';
import type { Language } from '@fieldroom/contract/text';
import { setBounded } from './small.ts';

/** Enough for all languages with the zones and currencies in use. */
const KEPT_MAX = 200;

function kept<Options, Format>(make: (locale: string, options: Options) => Format) {
  const formats = new Map<string, Format>();
  return (language: Language, options: Options): Format => {
    const key = JSON.stringify([language, options]);
    const format = formats.get(key) ?? make(localeOf(language), options);
    setBounded(formats, KEPT_MAX, key, format);
    return format;
  };
}

/** The format of dates in a language. Takes options of `Intl.DateTimeFormat`. */
export const dateFormat = kept(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);
/** The format of numbers in a language. Takes options of `Intl.NumberFormat`. */
export const numberFormat = kept((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
