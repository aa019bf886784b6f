/**
 * Whether a tax number has the form of its country, check digits included (docs/product.md#8.5). The forms come from
 * `stdnum`: it knows the tax and company numbers of 75 countries and territories, where libraries for VAT alone know
 * the EU's and a few more.
 */

/**
 * The Hungarian number of a company: eight digits, the kind of taxation and the county. The EU's number is its first
 * part, and the only one that the library knows.
 */
const HUNGARIAN = /^(\d{8})-?[1-5]-?\d{2}$/;

/** The prefix of the EU's number, if it is not the country's ISO code. */
const EU_PREFIX: Readonly<Record<string, string>> = { GR: 'EL' };

/**
 * Takes the ISO code of a country and a number as somebody typed it, with or without the EU's two letters. If the
 * library knows no form for the country, any text is accepted.
 */
export async function isTaxNumber(country: string, typed: string): Promise<boolean> {
  // The library takes a third of a second to load, and most starts of the server never need it.
  const { default: library } = await import('stdnum');
  const forms = [...(library.entityValidators[country] ?? []), ...(library.euVat[country] ?? [])];
  if (forms.length === 0) return true;
  const number = typed.trim().toUpperCase();
  const prefix = EU_PREFIX[country] ?? country;
  const bare = number.startsWith(prefix) ? number.slice(prefix.length).trim() : number;
  const ways = [number, bare, country === 'HU' ? bare.replace(HUNGARIAN, '$1') : prefix + bare];
  return forms.some((form) => ways.some((way) => form.validate(way).isValid));
}
