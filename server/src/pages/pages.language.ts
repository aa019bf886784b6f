/** The language in which the server draws a page for a browser. */
import { type Language, LANGUAGES } from '@fieldroom/contract/text';

/** The first of our languages that a browser asks for. Takes Accept-Language (RFC 9110 12.5.4). */
export function languageOf(accepted: string | undefined): Language {
  const wanted = (accepted ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters
        .map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1])
        .find((value) => value !== undefined);
      return { language: tag.split('-')[0]!, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return (
    wanted.map(({ language }) => LANGUAGES.find((known) => known === language)).find((known) => known !== undefined) ??
    'en'
  );
}
