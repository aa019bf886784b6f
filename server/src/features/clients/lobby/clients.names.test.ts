/** Names that look alike, and names that do not. Numbers: README.md. */
import { describe, expect, test } from 'vitest';
import { personName } from '@fieldroom/contract/text';
import { namesOf } from './clients.names.ts';

const alike = (one: string, other: string) => namesOf([{ id: 1, name: one }]).has({ id: 2, name: other });

describe('4 names that look alike', () => {
  test.each([
    ['Éva', 'éva'],
    ['Éva', 'E\u0301VA'],
    ['Jonas', 'Jo\u200Dnas'],
    ['Jonas', 'Jo\u200Cnas'],
    ['Jonas', 'Jo\u034Fnas'],
    ['Jonas', 'Jonas\uFE0F'],
    ['Jonas', 'Jonas\u3164'],
    ['Jonas', '\u2800Jonas'],
    ['Jonas', 'J\u043Enas'],
    ['Jonas', 'J\u03BFnas'],
    ['Jonas', 'Ｊｏｎａｓ'],
    ['Jonas', '𝐉𝐨𝐧𝐚𝐬'],
    ['Jonas', 'Ј\u043Enаѕ'],
    ['Eva', 'Ева'.replace('в', 'v')],
    ['HANNA', 'ΗΑΝΝΑ'],
    ['Hanna', 'ʜᴀɴɴᴀ'],
    ['Iris', 'lris'],
    ['Iris', 'iris'],
    ['Paul', 'PauI'],
    ['Otto', '0tto'],
    ['Martin', 'Maitin'.replace('i', 'r')],
    ['Emma', 'Ernrna'],
    ['Ådi', 'А\u030Adi'],
  ])('%s and %s', (one, other) => {
    expect(alike(one, other)).toBe(true);
    expect(alike(other, one)).toBe(true);
  });
  test.each([
    ['Eva', 'Éva'],
    ['Anna', 'Anne'],
    ['Jonas', 'Jonas B'],
    ['Marta', 'Martha'],
    ['Ольга', 'Олег'],
  ])('%s and %s differ', (one, other) => expect(alike(one, other)).toBe(false));
  test('a person never duplicates themselves', () =>
    expect(namesOf([{ id: 1, name: 'Jonas' }]).has({ id: 1, name: 'Jonas' })).toBe(false));
});

describe('a name must be visible', () => {
  test.each(['\u3164', '\u2800', '\u115F', '\u200D', '\u200D\u200C', '\u034F', '\uFE0F', ' \u2800 \u3164', '\u0301'])(
    '%j is refused',
    (name) => {
      expect(personName.safeParse(name).error?.issues[0]?.message).toBe('required');
    },
  );
  test.each(['Éva', '小明', '🙂', 'का', 'O’Neil', '👩‍👧', '7'])('%s is a name', (name) =>
    expect(personName.parse(name)).toBe(name),
  );
});
