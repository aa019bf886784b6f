/** What screen readers call a button, in all languages, beside what is written on it. */
import { expect, test } from 'vitest';

type Words = { readonly [key: string]: string | Words };
const files = import.meta.glob<Words>('./*/*.json', { eager: true, import: 'default' });

/** Pairs of a text and the same with somebody's or something's name: `load` and `loadName`. */
function* pairs(words: Words, path: string): Generator<[string, string, string]> {
  for (const [key, value] of Object.entries(words)) {
    if (typeof value !== 'string') yield* pairs(value, `${path}.${key}`);
    const named = words[`${key}Name`];
    if (typeof value === 'string' && typeof named === 'string' && named.includes('{{name}}'))
      yield [`${path}.${key}`, value, named];
  }
}
const spoken = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N} ]+/gu, ' ')} `.replace(/ +/g, ' ');

// WCAG 2.2, 2.5.3: people who speak to their browser say what they see.
test('11.3 the words on a button are whole in its name', () => {
  const found = Object.entries(files).flatMap(([file, words]) => [...pairs(words, file)]);
  expect(found.filter(([where]) => where.endsWith('room.json.people.letIn'))).toHaveLength(4);
  expect(found.filter(([, text, named]) => !spoken(named).includes(spoken(text)))).toEqual([]);
});
