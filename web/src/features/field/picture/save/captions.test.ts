/** Names under the figures of a saved picture: whole, initials, or none. */
import { expect, test } from 'vitest';
import { captionFor, initials } from './captions.ts';

test.each([
  ['Mother', 'M'],
  ['my inner child', 'MIC'],
  ['the fear of being alone', 'TFO'],
  ['  Anna-Maria   Berg ', 'AMB'],
  ['O’Brien', 'O'],
  ['(mother) & “father”', 'MF'],
  ['2nd wife', '2W'],
  ['', ''],
  ['— · —', ''],
])('5.31 initials of “%s” are the first letters of its words, at most three', (name, short) => {
  expect(initials(name, 'en')).toBe(short);
});

test.each([
  ['árva Őrző Űr', 'hu', 'ÁŐŰ'],
  ['zsófia gyula', 'hu', 'ZsGy'],
  ['Dzsenifer Szabó Nyúl', 'hu', 'DzsSzNy'],
  ['Zsófia Gyula', 'de', 'ZG'],
  ['ängstliche Übermutter Österreich', 'de', 'ÄÜÖ'],
  ['ße', 'de', 'ß'],
  ['ștefan Țepeș în', 'ro', 'ȘȚÎ'],
  // A letter and its accents as two characters.
  ['s\u0326tefan a\u0302', 'ro', 'S\u0326A\u0302'],
  ['u\u0308ber', 'de', 'U\u0308'],
] as const)('5.31 “%s” in %s gives %s', (name, language, short) => {
  expect(initials(name, language).normalize('NFC')).toBe(short.normalize('NFC'));
});

test.each([
  ['🦊', '🦊'],
  ['👩‍👩‍👧 family', '👩‍👩‍👧F'],
  ['🇭🇺 home', '🇭🇺H'],
  ['👍🏽 yes', '👍🏽Y'],
  // A letter represents a name better than the emoji before it.
  ['🦊Fox', 'F'],
])('5.31 an emoji of “%s” stays whole', (name, short) => {
  expect(initials(name, 'en')).toBe(short);
});

test('5.31 “none” is empty, and a whole name has no character that a file cannot contain or that reverses text', () => {
  expect(captionFor('Mother', 'none', 'en')).toBe('');
  expect(captionFor('Mother', 'initials', 'en')).toBe('M');
  expect(captionFor('Mother', 'full', 'en')).toBe('Mother');
  expect(captionFor('\u202eMo\u2066ther\u0000\u0007\ufffe \ud800', 'full', 'en')).toBe('Mother');
  expect(captionFor('\u202eMother', 'initials', 'en')).toBe('M');
  expect(captionFor('<script>]]>', 'full', 'en')).toBe('<script>]]>');
  // Right-to-left text and its joiner are unchanged.
  expect(captionFor('אמא', 'full', 'en')).toBe('אמא');
  expect(captionFor('👩‍👩‍👧', 'full', 'en')).toBe('👩‍👩‍👧');
});
