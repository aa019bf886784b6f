/** What differs between two fields (docs/product.md#5.35). */
import { expect, test } from 'vitest';
import { aFigure } from '../../sessions/sessions.testing.tsx';
import { compareFields, compareRelations } from './compareFields.ts';

const misses = { to: 2, kind: 'arrow' as const, color: '#953300', word: 'misses' };

test('5.35 a figure whose relations differ is one of the differences, one with the same relations is none', () => {
  const [before, after] = [aFigure({ id: 1, relations: [misses] }), aFigure({ id: 1, relations: [{ ...misses }] })];
  expect(compareFields([before], [after])).toEqual([]);
  expect(compareFields([before], [{ ...after, relations: [] }]).map(({ figureId }) => figureId)).toEqual([1]);
});

test('5.35 relations are new, changed or gone', () => {
  const waits = { ...misses, word: 'waits for' };
  const holds = { ...misses, to: 3, word: 'holds' };
  expect(compareRelations([misses], [misses])).toEqual([]);
  expect(compareRelations([misses], [waits, holds])).toEqual([
    { kind: 'changed', relation: waits, before: misses },
    { kind: 'added', relation: holds },
  ]);
  expect(compareRelations([misses, holds], [misses])).toEqual([{ kind: 'removed', relation: holds }]);
});
