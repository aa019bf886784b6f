// @vitest-environment happy-dom
/** The differences between two fields, and their wording (docs/product.md#5.35). */
import { type Figure, FIGURE_COLORS, type Relation } from '@fieldroom/contract/field';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { startWords, switchLanguage } from '../../../platform/i18n/app.ts';
import { aFigure } from '../../sessions/sessions.testing.tsx';
import { compareFields } from './compareFields.ts';
import { relationDifferenceWords } from './compareWords.ts';

beforeAll(() => startWords(['moments', 'field']));

const misses: Relation = { to: 2, kind: 'arrow', color: FIGURE_COLORS.brick, word: 'misses' };
const mother = (...relations: Relation[]) => aFigure({ id: 1, name: 'Mother', relations });
const father = (...relations: Relation[]) => aFigure({ id: 2, name: 'Father', relations });
const child = (...relations: Relation[]) => aFigure({ id: 3, name: 'Child', relations });
const NAMES = ['', 'Mother', 'Father', 'Child'];
/** The figures that differ, and the changes of relations. */
const differences = (one: Figure[], other: Figure[]) =>
  compareFields(one, other).map(({ figureId, relations }) => [
    NAMES[figureId],
    ...relations.map((found) =>
      relationDifferenceWords(
        i18next.getFixedT(null, 'moments'),
        i18next.getFixedT(null, 'field'),
        found,
        (id) => NAMES[id]!,
      ),
    ),
  ]);

test('5.35 a figure with different relations is a difference, one with the same relations is not', () => {
  expect(compareFields([mother(misses), father()], [mother({ ...misses }), father()])).toEqual([]);
  expect(compareFields([mother(misses), father()], [mother(), father()]).map(({ figureId }) => figureId)).toEqual([1]);
});

const ALL = [
  mother(misses, { ...misses, to: 3, kind: 'double', word: '' }),
  father({ ...misses, to: 3, word: '' }),
  child({ ...misses, to: 1, kind: 'plain' }),
];
const ALL_OTHER = [
  mother({ ...misses, word: 'waits for' }),
  father({ ...misses, to: 3, word: '', color: FIGURE_COLORS.moss }),
  child({ ...misses, to: 1, kind: 'plain' }, { ...misses, word: 'holds' }),
];

test.each([
  [
    'en',
    'Mother: relation to Father (arrow, “waits for”), before: arrow, “misses”',
    'Mother: no longer related to Child (double line)',
    'Father: relation to Child (arrow), in another colour',
    'Child: new relation to Father (arrow, “holds”)',
  ],
  [
    'de',
    'Mother: Beziehung zu Father (Pfeil, „waits for“), vorher: Pfeil, „misses“',
    'Mother: keine Beziehung mehr zu Child (doppelte Linie)',
    'Father: Beziehung zu Child (Pfeil), in anderer Farbe',
    'Child: neue Beziehung zu Father (Pfeil, „holds“)',
  ],
  [
    'hu',
    'Mother: kapcsolat: Father (nyíl, „waits for”), korábban: nyíl, „misses”',
    'Mother: megszűnt kapcsolat: Child (kettős vonal)',
    'Father: kapcsolat más színben: Child (nyíl)',
    'Child: új kapcsolat: Father (nyíl, „holds”)',
  ],
  [
    'ro',
    'Mother: relația cu Father (săgeată, „waits for”), înainte: săgeată, „misses”',
    'Mother: nu mai are relație cu Child (linie dublă)',
    'Father: relația cu Child (săgeată), în altă culoare',
    'Child: relație nouă cu Father (săgeată, „holds”)',
  ],
] as const)('5.35 added, changed and removed relations are named in %s', async (language, ...said) => {
  await switchLanguage(language);
  expect(differences(ALL, ALL_OTHER)).toEqual([
    ['Mother', said[0], said[1]],
    ['Father', said[2]],
    ['Child', said[3]],
  ]);
});

test('5.35 relations that appear or disappear with a figure are part of it, and no other figure differs for them', async () => {
  await switchLanguage('en');
  // Mother's relation is kept while Father is away, and not drawn.
  const [both, alone] = [[mother(misses), father({ ...misses, to: 1, word: '' })], [mother(misses)]];
  expect(differences(both, alone)).toEqual([
    ['Father', 'Father: no longer related to Mother (arrow)', 'Mother: no longer related to Father (arrow, “misses”)'],
  ]);
  expect(differences(alone, both)).toEqual([
    ['Father', 'Father: new relation to Mother (arrow)', 'Mother: new relation to Father (arrow, “misses”)'],
  ]);
  // A relation between two new figures is listed once.
  expect(differences([], [mother(misses), father()])).toEqual([
    ['Mother', 'Mother: new relation to Father (arrow, “misses”)'],
    ['Father'],
  ]);
});

test('5.35 undrawn properties are not differences: relations to nobody, and their order', () => {
  expect(compareFields([mother({ ...misses, to: 9 })], [mother()])).toEqual([]);
  const more = { ...misses, to: 3 };
  expect(compareFields([mother(misses, more), father(), child()], [mother(more, misses), father(), child()])).toEqual(
    [],
  );
});
