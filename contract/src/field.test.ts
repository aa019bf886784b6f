/** Properties of the pure rules of the field: how changes add up, who may move figures, what the schemas accept. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyChange,
  fieldAct,
  fieldActMessage,
  FIGURE_COLORS,
  ICON_TYPES,
  mayMove,
  MOVABLE_BY,
  normalizeRotation,
  RELATION_KINDS,
  RELATIONS_MAX,
  figure,
  figureInput,
  sameRelations,
  sortFigures,
  toggledIconType,
  type FieldChange,
  type FieldCopy,
  type FieldOp,
  type Figure,
  type Relation,
} from './field.ts';

const anyRelation: fc.Arbitrary<Relation> = fc.record({
  to: fc.integer({ min: 1, max: 9 }),
  kind: fc.constantFrom(...RELATION_KINDS),
  color: fc.constantFrom(...Object.values(FIGURE_COLORS)),
  word: fc.constantFrom('', 'misses', 'hiányzik neki', 'îi este dor'),
});
const anyFigure = (id: number): fc.Arbitrary<Figure> =>
  fc.record({
    id: fc.constant(id),
    name: fc.constantFrom('', 'Mother', 'Apa', 'Ștefan'),
    iconType: fc.constantFrom(...ICON_TYPES.slice(0, -1)),
    iconId: fc.constant(null),
    color: fc.constantFrom('#F4F3F3', '#2e2E2E'),
    showText: fc.boolean(),
    x: fc.double({ min: 0, max: 1600, noNaN: true }),
    y: fc.double({ min: 0, max: 1000, noNaN: true }),
    rotation: fc.integer({ min: 0, max: 3599 }).map((tenths) => tenths / 10),
    scale: fc.double({ min: 0.25, max: 4, noNaN: true }),
    order: fc.integer({ min: 0, max: 5 }),
    movableBy: fc.constantFrom(...MOVABLE_BY),
    relations: fc.uniqueArray(anyRelation, { maxLength: 3, selector: ({ to }) => to }),
    startX: fc.constant(800),
    startY: fc.constant(500),
    startRotation: fc.constant(0),
    startScale: fc.constant(1),
    updatedOn: fc.nat(100),
  });
const anyId = fc.integer({ min: 1, max: 6 });
const op: fc.Arbitrary<FieldOp> = fc.oneof(
  anyId.chain((id) => anyFigure(id).map((one) => ({ op: 'put' as const, figure: one }))),
  anyId.map((figureId) => ({ op: 'remove' as const, figureId })),
  fc.boolean().map((allowed) => ({ op: 'hands' as const, allowed })),
);
const history = fc
  .array(fc.array(op, { maxLength: 4 }), { maxLength: 12 })
  .map((all): FieldChange[] => all.map((ops, index) => ({ revision: index + 1, actId: null, by: null, ops })));
const empty: FieldCopy = { revision: 0, figures: [], handsAllowed: true };

function apply(field: FieldCopy, change: FieldChange): FieldCopy {
  const applied = applyChange(field, change);
  if (applied.kind !== 'applied') throw new Error(applied.kind);
  return applied.field;
}

/** Calculates the field in another way: a plain walk over all ops. */
function walk(changes: readonly FieldChange[]): FieldCopy {
  const figures: Figure[] = [];
  let handsAllowed = true;
  for (const one of changes.flatMap((change) => change.ops)) {
    if (one.op === 'hands') handsAllowed = one.allowed;
    else {
      const id = one.op === 'put' ? one.figure.id : one.figureId;
      const at = figures.findIndex((standing) => standing.id === id);
      if (at >= 0) figures.splice(at, 1);
      if (one.op === 'put') figures.push(one.figure);
    }
  }
  figures.sort((a, b) => (a.order === b.order ? a.id - b.id : a.order - b.order));
  return { revision: changes.length, figures, handsAllowed };
}

test('a snapshot from any revision and the later changes give the later snapshot', () => {
  fc.assert(
    fc.property(history, fc.nat(12), (changes, joined) => {
      const from = Math.min(joined, changes.length);
      const start = walk(changes.slice(0, from));
      expect(changes.slice(from).reduce(apply, start)).toEqual(walk(changes));
    }),
  );
});

test('doubled, delayed and reordered changes give the same field once gaps are requested', () => {
  fc.assert(
    fc.property(history, fc.array(fc.nat(30), { maxLength: 60 }), (changes, arrivals) => {
      const all = walk(changes);
      let copy = empty;
      for (const arrival of arrivals) {
        const change = changes[arrival % Math.max(1, changes.length)];
        if (!change) continue;
        const applied = applyChange(copy, change);
        if (change.revision <= copy.revision) expect(applied.kind).toBe('known');
        else if (change.revision > copy.revision + 1) {
          expect(applied.kind).toBe('gap');
          copy = walk(changes.slice(0, change.revision));
        } else expect(applied.kind).toBe('applied');
        if (applied.kind === 'applied') copy = applied.field;
      }
      for (const change of changes) if (change.revision > copy.revision) copy = apply(copy, change);
      expect(copy).toEqual(all);
    }),
  );
});

test('unknown parts of a newer version’s messages are ignored, and the known parts are applied', () => {
  const tilt = { op: 'tilt', degrees: 5 } as unknown as FieldOp;
  const change = (ops: FieldOp[]): FieldChange => ({ revision: 1, actId: null, by: null, ops });
  expect(apply(empty, change([tilt]))).toEqual({ ...empty, revision: 1 });
  const known: FieldOp = { op: 'hands', allowed: false };
  expect(apply(empty, change([known, tilt]))).toEqual({ revision: 1, figures: [], handsAllowed: false });
});

test('applying a change leaves the previous copy alone, and unchanged figures keep their identity', () => {
  fc.assert(
    fc.property(
      history.filter((changes) => changes.length > 0),
      (changes) => {
        const before = walk(changes.slice(0, -1));
        const frozen = structuredClone(before);
        const last = changes.at(-1)!;
        const after = apply(before, last);
        expect(before).toEqual(frozen);
        const touched = new Set(
          last.ops.flatMap((one) => (one.op === 'hands' ? [] : [one.op === 'put' ? one.figure.id : one.figureId])),
        );
        for (const standing of after.figures) if (!touched.has(standing.id)) expect(before.figures).toContain(standing);
      },
    ),
  );
});

test('figures are painted by order, then by id', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyId).chain((ids) => fc.tuple(...ids.map(anyFigure))),
      (figures) => {
        const sorted = sortFigures([...figures]);
        for (const [index, one] of sorted.entries()) {
          const next = sorted[index + 1];
          if (next) expect(one.order < next.order || (one.order === next.order && one.id < next.id)).toBe(true);
        }
      },
    ),
  );
});

test('a rotation becomes 0 ≤ r < 360 in tenths; a normalised one stays; a whole turn changes nothing', () => {
  fc.assert(
    fc.property(fc.double({ min: -3600, max: 3600, noNaN: true }), (degrees) => {
      const turned = normalizeRotation(degrees);
      expect(turned).toBeGreaterThanOrEqual(0);
      expect(turned).toBeLessThan(360);
      expect(normalizeRotation(turned)).toBe(turned);
      expect(Math.round(turned * 10) / 10).toBe(turned);
      const apart = Math.abs((((degrees % 360) + 360) % 360) - turned);
      expect(Math.min(apart, 360 - apart)).toBeLessThanOrEqual(0.0500001);
    }),
  );
  expect([-90, 359.96, 360, 720.04, -0.04].map(normalizeRotation)).toEqual([270, 0, 0, 0, 0]);
});

test('toggling a kind twice restores it; kinds without a pair stay', () => {
  for (const type of ICON_TYPES) expect(toggledIconType(toggledIconType(type))).toBe(type);
  expect(ICON_TYPES.map(toggledIconType)).toEqual([
    'MALE_SQUARE',
    'FEMALE_CIRCLE',
    'MALE_FIGURE',
    'FEMALE_FIGURE',
    'STAR',
    'KIWI',
    'BAT',
    'CUSTOM',
  ]);
});

test('who may move a figure: every case', () => {
  for (const hands of [true, false]) {
    for (const movableBy of MOVABLE_BY) {
      expect(mayMove({ as: 'therapist' }, { id: 1, movableBy }, hands)).toBe(true);
      for (const roles of [[], [1], [2], [2, 1]]) {
        const expected = hands && (movableBy === 'everyone' || (movableBy === 'holders' && roles.includes(1)));
        expect(mayMove({ as: 'client', roles }, { id: 1, movableBy }, hands)).toBe(expected);
      }
    }
  }
});

test('acts refuse places off the field, NaN and Infinity, unknown kinds and properties of other acts', () => {
  const place = { kind: 'place', figureId: 1, x: 10, y: 10 };
  expect(fieldAct.safeParse(place).success).toBe(true);
  for (const bad of [
    { x: -1 },
    { x: 1600.1 },
    { y: 1000.1 },
    { x: Number.NaN },
    { x: Infinity },
    { y: -Infinity },
    { x: '10' },
    { scale: 0.2 },
    { scale: 4.1 },
    { rotation: 3601 },
    { rotation: Number.NaN },
    { figureId: 0 },
    { figureId: 1.5 },
    { figureId: -1 },
    { figureId: 2 ** 53 },
    { name: 'x' },
    { therapistId: 1 },
    { kind: 'steal' },
    { x: null },
  ])
    expect(fieldAct.safeParse({ ...place, ...bad }).success, JSON.stringify(bad)).toBe(false);
  expect(fieldActMessage.safeParse({ actId: 'not-a-uuid', act: place }).success).toBe(false);
  expect(
    fieldActMessage.safeParse({ actId: '6f0f8b6e-6c4b-4a6c-9d5e-1a2b3c4d5e6f', act: place, userId: 3 }).success,
  ).toBe(false);
  for (const value of [null, [], 'place', 3, {}]) expect(fieldAct.safeParse(value).success).toBe(false);
});

test('names of figures are limited and contain no characters that change the text around them', () => {
  expect(figureInput.parse({ name: '  Édes   anya ' })).toEqual({ name: 'Édes anya' });
  for (const name of ['a'.repeat(61), 'a'.repeat(10_000), 'a\u202Eb', 'a\u0000', 'a\nb', '\u200B', '\uD800'])
    expect(figureInput.safeParse({ name }).success).toBe(false);
  expect(figureInput.safeParse({ name: '' }).success).toBe(true);
});

test('every input that the schema accepts is valid on the field', () => {
  fc.assert(
    fc.property(anyFigure(1), fc.double({ min: -3600, max: 3600, noNaN: true }), (one, turn) => {
      const input = figureInput.parse({ ...one, rotation: turn });
      expect(figure.safeParse({ ...one, ...input }).success).toBe(true);
    }),
  );
});

// ---- relations (docs/product.md#5.33)

const edit = (relations: unknown) => fieldAct.safeParse({ kind: 'edit', figureId: 1, relations });
const misses = { to: 2, kind: 'arrow', color: FIGURE_COLORS.brick, word: 'misses' };

test('5.33 a relation has another figure, a kind, a colour and a word, which may be empty', () => {
  expect(edit([misses]).data).toEqual({ kind: 'edit', figureId: 1, relations: [misses] });
  expect(edit([{ ...misses, word: '' }]).success).toBe(true);
  expect(edit([{ ...misses, word: '  so   far  ' }]).data).toMatchObject({ relations: [{ word: 'so far' }] });
  expect(edit([{ ...misses, word: 'x'.repeat(30) }]).success).toBe(true);
});

test.each([
  ['an unknown kind', [{ ...misses, kind: 'dotted' }]],
  ['a colour by name', [{ ...misses, color: 'red' }]],
  ['a word with NUL', [{ ...misses, word: 'mis\0ses' }]],
  ['a word that turns the direction', [{ ...misses, word: 'mis\u202eses' }]],
  ['a word of 31 characters', [{ ...misses, word: 'x'.repeat(31) }]],
  ['no word', [{ to: 2, kind: 'arrow', color: FIGURE_COLORS.brick }]],
  ['no figure', [{ ...misses, to: 0 }]],
  ['something more', [{ ...misses, from: 1 }]],
  ['two to the same figure', [misses, { ...misses, kind: 'plain' }]],
  ['a thirteenth', Array.from({ length: RELATIONS_MAX + 1 }, (_, index) => ({ ...misses, to: index + 2 }))],
])('5.33 refused: %s', (_what, relations) => {
  expect(edit(relations).success).toBe(false);
});

test('5.33 twelve relations are accepted', () => {
  expect(edit(Array.from({ length: RELATIONS_MAX }, (_, index) => ({ ...misses, to: index + 2 }))).success).toBe(true);
});

test('5.33 lists of relations are equal if all their relations are, whatever the order of properties', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyRelation, { selector: ({ to }) => to }), (list) => {
      const turned = list.map(({ to, kind, color, word }) => ({ word, color, kind, to }));
      expect(sameRelations(list, turned)).toBe(true);
      for (const [index, one] of list.entries())
        for (const other of [
          { ...one, to: 77 },
          { ...one, word: 'other' },
          { ...one, color: '#123456' },
        ])
          expect(sameRelations(list, list.with(index, other))).toBe(false);
      expect(sameRelations(list, [...list, { ...misses, to: 88, kind: 'plain' as const }])).toBe(false);
    }),
  );
});
