/** People's names in the order of each language. */
import { expect, test } from 'vitest';
import { firstLetter, fullName, inNameOrder } from './names.ts';
import { LANGUAGES } from './text.ts';

test('11.73 Hungarian puts the family name first, the other languages the first name', () => {
  const said = ['Réka Kis', 'Réka Kis', 'Kis Réka', 'Réka Kis'];
  expect(LANGUAGES.map((language) => inNameOrder(language, 'Réka', 'Kis').join(' '))).toEqual(said);
  expect(LANGUAGES.map((language) => fullName(language, { firstName: 'Réka', lastName: 'Kis' }))).toEqual(said);
});

test('the first letter is a whole character', () => {
  expect(['Réka', '🌿 Anna', ''].map(firstLetter)).toEqual(['R', '🌿', '']);
});

test('a name of one word has no spaces around it', () => {
  expect(LANGUAGES.map((language) => fullName(language, { firstName: 'Réka', lastName: '' }))).toEqual(
    LANGUAGES.map(() => 'Réka'),
  );
});
