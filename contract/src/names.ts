/** How a language says people's names (docs/product.md#11.73). */
import type { Language } from './text.ts';

/** Puts what belongs to first and family name into the order of the language: Hungarian has the family name first. */
export const inNameOrder = <T>(language: Language, first: T, family: T): [T, T] =>
  language === 'hu' ? [family, first] : [first, family];

/** The first character of a name, which may be an emoji; empty for an empty name. */
export const firstLetter = (name: string): string => [...name][0] ?? '';

/** A person's whole name in the order of the language. */
export const fullName = (
  language: Language,
  { firstName, lastName }: { firstName: string; lastName: string },
): string => inNameOrder(language, firstName, lastName).join(' ').trim();
