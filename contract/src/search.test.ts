/** How a key and a text are compared (docs/product.md#11.28 and 11.29). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptOf, fits, foldForSearch, matchRanges, SEARCH_KEY_MAX, searchKey, searchWords } from './search.ts';

const finds = (key: string, text: string) => fits(text, searchWords(key));
/** The text with what matches in brackets. */
function marked(text: string, key: string): string {
  let out = '';
  let at = 0;
  for (const [from, to] of matchRanges(text, searchWords(key))) {
    out += `${text.slice(at, from)}[${text.slice(from, to)}]`;
    at = to;
  }
  return out + text.slice(at);
}

describe('11.28 the key', () => {
  const refused = (key: string) => searchKey.safeParse(key).error?.issues[0]?.message;
  test('is trimmed and in lower case', () => {
    expect(searchKey.parse('  Anna   MÜLLER ')).toBe('anna müller');
  });
  test('has at least two characters; a lone accent does not count', () => {
    expect(searchKey.parse('Li')).toBe('li');
    for (const key of ['a', ' a ', 'é', 'e\u0301', 'x\u0323\u0308']) expect(refused(key), key).toBe('too_short');
    for (const key of ['', '   ', '\u0301\u0302']) expect(refused(key), key).toBe('required');
  });
  test('is at most as long as its limit, and one safe line', () => {
    expect(searchKey.parse('x'.repeat(SEARCH_KEY_MAX))).toHaveLength(SEARCH_KEY_MAX);
    expect(refused('x'.repeat(SEARCH_KEY_MAX + 1))).toBe('too_long');
    for (const key of ['ab\u0000', 'a\u202Eb', 'ab\u200B', 'a\nb']) expect(refused(key), key).toBe('unsafe_characters');
  });
});

describe('11.29 matches', () => {
  test.each([
    ['reka', 'Réka Oláh'],
    ['RÉKA', 'reka'],
    ['oszi', 'Őszi nap'],
    ['sedinta', 'Ședință'],
    ['şedinţă', 'Ședință'],
    ['muller', 'Müller'],
    ['mueller', 'Müller'],
    ['müller', 'Mueller'],
    ['koehl', 'Köhler'],
    ['gross', 'Große Runde'],
    ['große', 'GROSSE Runde'],
    ['weg anna', 'Anna Thalweg'],
    ['  anna  ', 'Anna'],
  ])('%s finds %s', (key, text) => expect(finds(key, text)).toBe(true));

  test.each([
    ['zoe', 'Zoltán'],
    ['bauer', 'Baur'],
    ['anna bela', 'Anna'],
    ['%', 'Anna'],
    ['a_na', 'Anna'],
    ['a\\na', 'Anna'],
  ])('%s does not find %s', (key, text) => expect(finds(key, text)).toBe(false));

  test('a key finds every text that contains it, in any case and with or without accents', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aeouäöüőűșțâîzrk%_'), minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, letters, (before, key, after) => {
        const text = `${before}${key}${after}`;
        expect(finds(key, text)).toBe(true);
        expect(finds(key.toUpperCase().normalize('NFD'), text)).toBe(true);
        expect(finds(foldForSearch(key), text)).toBe(true);
        expect(matchRanges(text, searchWords(key)).length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('11.31 highlighted ranges', () => {
  test.each([
    ['Réka Oláh', 'olah re', '[Ré]ka [Oláh]'],
    ['Re\u0301ka', 're', '[Re\u0301]ka'],
    ['Große Müller', 'gross mueller', '[Groß]e [Müller]'],
    ['aaaa', 'aa', '[aaaa]'],
    ['🌲 Baum', 'baum', '🌲 [Baum]'],
    ['100 % da', '% da', '100 [% da]'.replace('% da', '%] [da')],
    ['nothing', 'zz', 'nothing'],
  ])('%s with %s', (text, key, wanted) => expect(marked(text, key)).toBe(wanted));

  test('ranges are in order, inside the text, and do not overlap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 1 }), (text, key) => {
        let end = -1;
        for (const [from, to] of matchRanges(text, searchWords(key))) {
          expect(from).toBeGreaterThan(end);
          expect(to).toBeGreaterThan(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

test('11.31 an excerpt is one short line around the first match', () => {
  const long = `${'Before it all. '.repeat(20)}Bring a blanket,\nplease. ${'Then we talk. '.repeat(20)}`;
  const excerpt = excerptOf(long, searchWords('blanket'))!;
  expect(excerpt).toMatch(/^….*Bring a blanket, please\. .*…$/);
  expect(excerpt.length).toBeLessThan(150);
  expect(excerptOf('Short', searchWords('sho'))).toBe('Short');
  expect(excerptOf('x'.repeat(500), searchWords('xxx'))!.length).toBeLessThan(160);
  expect(excerptOf('Nothing', searchWords('zz'))).toBe(null);
});
