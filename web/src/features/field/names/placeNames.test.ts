import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NAME_RANK, nameLines } from './nameText.ts';
import type { Box } from './boxes.ts';
import { type NamedFigure, type NamePlace, type NameView, nameForms, placeNames } from './placeNames.ts';

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const view = (more: Partial<NameView> = {}): NameView => ({
  width: 1000,
  height: 640,
  font: 16,
  middle: { x: 500, y: 320 },
  occupied: [],
  ...more,
});
const figure = (id: number, x: number, y: number, more: Partial<NamedFigure> = {}): NamedFigure => ({
  id,
  x,
  y,
  radius: 36,
  rotation: 0,
  hasFace: true,
  rank: NAME_RANK.other,
  forms: nameForms('Grandmother'),
  lifted: false,
  taken: [],
  wears: [],
  ...more,
});
const captions = fc.constantFrom(
  'Me',
  'Grandmother',
  'Mother (Hanna)',
  'The one who is missing in it',
  'Großtante aus Klausenburg und ihre Schwester',
  'WWWWWWWWWWWWWWWW',
);
/** Any field: crowded, with held and selected figures, with names and without. */
const fields = (max: number) =>
  fc
    .array(
      fc.record({
        x: real(-50, 1050),
        y: real(-50, 700),
        radius: real(10, 60),
        rotation: real(0, 360),
        hasFace: fc.boolean(),
        caption: captions,
        shown: fc.nat(5),
        rank: fc.constantFrom(0, 1, 2, 3, 3, 3, 3),
      }),
      { minLength: 1, maxLength: max },
    )
    .map((all) =>
      all.map(({ caption, shown, ...more }, index) =>
        figure(index + 1, more.x, more.y, {
          ...more,
          lifted: more.rank === 0,
          forms: shown === 0 ? [] : nameForms(caption),
        }),
      ),
    );

const cross = (a: Box, b: Box) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
const faceOf = (of: NamedFigure) => {
  const turn = (of.rotation * Math.PI) / 180;
  return { x: of.x + Math.sin(turn) * of.radius * 0.5, y: of.y - Math.cos(turn) * of.radius * 0.5 };
};
const hides = (box: Box, at: { x: number; y: number }) =>
  box.left < at.x && at.x < box.right && box.top < at.y && at.y < box.bottom;
const namesOf = (figures: readonly NamedFigure[], places: ReadonlyMap<number, NamePlace>) =>
  figures.flatMap((of) => {
    const place = places.get(of.id);
    return place && of.forms.length > 0 ? [{ of, ...place, text: of.forms[place.form]?.lines.join(' ') ?? '' }] : [];
  });
const sides = (places: ReadonlyMap<number, NamePlace>, ...ids: number[]) => ids.map((id) => places.get(id)?.side);

test('5.20: every visible name is written, whatever surrounds it', () => {
  fc.assert(
    fc.property(fields(40), (figures) => {
      const names = namesOf(figures, placeNames(figures, view(), new Map()));
      expect(names).toHaveLength(figures.filter(({ forms }) => forms.length > 0).length);
      for (const { text } of names) expect(text).not.toBe('');
    }),
  );
});

test('5.20: a name has at most two lines, and each form is shorter than the previous one', () => {
  fc.assert(
    fc.property(fc.oneof(captions, fc.string({ unit: 'grapheme', maxLength: 60 })), (caption) => {
      const forms = nameForms(caption);
      expect(forms.length === 0).toBe(caption.trim() === '');
      for (const { lines } of forms) expect([1, 2]).toContain(lines.length);
      expect(forms[0]?.lines ?? []).toEqual(nameLines(caption));
      for (const [index, form] of forms.entries())
        if (index > 0) expect(form.width).toBeLessThanOrEqual(forms[index - 1]?.width ?? 0);
    }),
  );
  const written = (caption: string) => nameForms(caption).map(({ lines }) => lines.join(' | '));
  expect(written('The grandmother from the far village')).toEqual([
    'The grandmother from the | far village',
    'The | grandmother f…',
    'The gran…',
    'Tgf',
  ]);
  expect(written('Mother (Vera)')).toEqual(['Mother (Vera)', 'Mother…', 'MV']);
  expect(written('Mother')).toEqual(['Mother', 'M.']);
  expect(written('Me')).toEqual(['Me', 'M.']);
  expect(written('🌳')).toEqual(['🌳']);
});

test('5.21: on a field with room no name touches another name or a figure, and all are below', () => {
  const figures = Array.from({ length: 40 }, (_, index) =>
    figure(index + 1, 100 + (index % 8) * 200, 60 + Math.floor(index / 8) * 120),
  );
  const places = placeNames(figures, view({ width: 1700, height: 700 }), new Map());
  const names = namesOf(figures, places);
  expect(new Set(names.map(({ side }) => side))).toEqual(new Set(['below']));
  expect(new Set(names.map(({ form }) => form))).toEqual(new Set([0]));
});

test('5.21: a name moves below, above, right, left, in this order, and is not shortened while one is free', () => {
  const me = figure(1, 500, 320);
  const below = figure(2, 500, 400, { forms: [] });
  const above = figure(3, 500, 250, { forms: [] });
  const right = figure(4, 590, 320, { forms: [] });
  const left = figure(5, 410, 320, { forms: [] });
  const sideAmong = (...others: NamedFigure[]) => {
    const place = placeNames([me, ...others], view(), new Map()).get(1);
    return [place?.side, place?.form];
  };
  expect(sideAmong()).toEqual(['below', 0]);
  expect(sideAmong(below)).toEqual(['above', 0]);
  expect(sideAmong(below, above)).toEqual(['right', 0]);
  expect(sideAmong(below, above, right)).toEqual(['left', 0]);
  // Drawings with an unknown front leave no free place, so it is shortened.
  const all = [below, above, right, left].map((of) => ({ ...of, hasFace: false }));
  expect(sideAmong(...all)[1]).toBeGreaterThan(0);
});

test('5.21: a whole name may cover the back of another figure', () => {
  const around = [
    { x: 500, y: 430, rotation: 180 },
    { x: 500, y: 210, rotation: 0 },
    { x: 590, y: 320, rotation: 90 },
    { x: 410, y: 320, rotation: 270 },
  ].map(({ x, y, rotation }, index) => figure(index + 2, x, y, { radius: 60, rotation, forms: [] }));
  expect(placeNames([figure(1, 500, 320), ...around], view(), new Map()).get(1)).toMatchObject({
    side: 'below',
    form: 0,
  });
});

test('5.21: if nothing is free, a name goes where it covers least; its present place counts a fifth less', () => {
  const me = figure(1, 500, 320, { rank: NAME_RANK.selected, forms: nameForms('Me') });
  const all = ['below', 'above', 'right', 'left'] as const;
  const boxAt = (side: (typeof all)[number]) =>
    placeNames([{ ...me, taken: all.filter((other) => other !== side) }], view(), new Map()).get(1)!.box;
  const [below, above, right, left] = all.map(boxAt) as [Box, Box, Box, Box];
  const across = { left: 0, right: 1000 };
  const upright = { top: 0, bottom: 640 };
  const occupied = [
    { ...across, top: below.top, bottom: below.top + 0.5 * (below.bottom - below.top) },
    { ...across, top: above.top, bottom: above.bottom },
    { ...upright, left: right.left, right: right.left + 0.55 * (right.right - right.left) },
    { ...upright, left: left.left, right: left.right },
  ];
  const sideAfter = (before: Map<number, NamePlace>, ...others: NamedFigure[]) =>
    placeNames([me, ...others], view({ occupied }), before).get(1)?.side;
  const onTheRight = placeNames([{ ...me, taken: ['below', 'above', 'left'] }], view(), new Map());
  expect(sideAfter(new Map())).toBe('below');
  expect(sideAfter(onTheRight)).toBe('right');
  // Now it covers a figure too.
  const body = figure(2, (right.left + right.right) / 2 + 10, 320, { radius: 30, rotation: 90, forms: [] });
  expect(sideAfter(onTheRight, body)).toBe('below');
});

test('5.21: no two names overlap, and none covers a face, unless no place and no shorter form is free', () => {
  let crowded = 0;
  fc.assert(
    fc.property(fields(24), (figures) => {
      const names = namesOf(figures, placeNames(figures, view(), new Map()));
      for (const [index, { of, box }] of names.entries()) {
        // Names that are placed later give way.
        const before = names.filter(
          (other, at) => at !== index && cross(box, other.box) && other.of.rank >= of.rank && of.rank < 2,
        );
        for (const other of before) expect(other.of.rank <= 1 || other.form === other.of.forms.length - 1).toBe(true);
        const spoiled = names.some((other, at) => at !== index && cross(box, other.box));
        const faces = figures.some((other) => other !== of && hides(box, faceOf(other)));
        if (!spoiled && !faces) continue;
        crowded += 1;
        // Of two that overlap, at least one has tried everything.
        const fellows = names.filter((other) => other.of === of || cross(box, other.box));
        expect(fellows.some((other) => other.of.rank <= 1 || other.form === other.of.forms.length - 1)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect(crowded, 'the property has seen crowds').toBeGreaterThan(10);
});

test('5.21: with room around each figure no two names overlap, wherever the figures are in their cells', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ dx: real(-30, 30), dy: real(-20, 20), caption: captions }), {
        minLength: 20,
        maxLength: 20,
      }),
      (all) => {
        const figures = all.map(({ dx, dy, caption }, index) =>
          figure(index + 1, 125 + (index % 5) * 250 + dx, 90 + Math.floor(index / 5) * 180 + dy, {
            forms: nameForms(caption),
          }),
        );
        const names = namesOf(figures, placeNames(figures, view({ width: 1250, height: 720 }), new Map()));
        for (const [index, { box }] of names.entries())
          for (const other of names.slice(index + 1)) expect(cross(box, other.box)).toBe(false);
      },
    ),
  );
});

test('5.22: names of held and selected figures are whole, however crowded the field is', () => {
  fc.assert(
    fc.property(fields(60), (figures) => {
      for (const { of, form } of namesOf(figures, placeNames(figures, view(), new Map())))
        if (of.rank <= NAME_RANK.selected) expect(form).toBe(0);
    }),
  );
});

test('5.22: held precedes selected, selected precedes own, own precedes the rest, then the nearest to the middle', () => {
  // Two figures side by side, so near that only one name has room below.
  const pair = (one: Partial<NamedFigure>, other: Partial<NamedFigure>) =>
    sides(
      placeNames(
        [figure(1, 460, 320, one), figure(2, 535, 320, other)],
        view({ middle: { x: 535, y: 320 } }),
        new Map(),
      ),
      1,
      2,
    );
  expect(pair({}, {})).toEqual(['above', 'below']);
  expect(pair({ rank: NAME_RANK.own }, {})).toEqual(['below', 'above']);
  expect(pair({ rank: NAME_RANK.own }, { rank: NAME_RANK.selected })).toEqual(['above', 'below']);
  expect(pair({ rank: NAME_RANK.held }, { rank: NAME_RANK.selected })).toEqual(['below', 'above']);
});

test('5.21: no name covers the rotation handle or a holder’s name', () => {
  fc.assert(
    fc.property(fields(20), fc.constantFrom('below', 'above', 'right', 'left'), (figures, side) => {
      const taken = figures.map((of) => ({ ...of, taken: [side] }));
      for (const name of namesOf(taken, placeNames(taken, view(), new Map()))) expect(name.side).not.toBe(side);
    }),
  );
});

test('5.21: no name covers a handle or holder’s name that appears later, and it returns afterwards', () => {
  const other = figure(2, 500, 182);
  const bare = figure(1, 500, 320, { forms: [] });
  // Above it: the holder's name, at the place of the other figure's name.
  const worn = { ...bare, wears: [{ left: 450, top: 243, right: 550, bottom: 271 }] };
  const before = placeNames([bare, other], view(), new Map());
  expect(sides(before, 2)).toEqual(['below']);
  expect(sides(placeNames([worn, other], view(), new Map()), 2)).toEqual(['above']);
  const held = new Map([...before, ...placeNames([worn, other], view(), before, new Set([1]))]);
  expect(sides(held, 2)).toEqual(['above']);
  expect(sides(placeNames([bare, other], view(), held, new Set([1])), 2)).toEqual(['below']);
});

test('5.21: no name covers a mark at the edge', () => {
  const occupied = [{ left: 480, top: 360, right: 520, bottom: 400 }];
  expect(sides(placeNames([figure(1, 500, 320)], view({ occupied }), new Map()), 1)).toEqual(['above']);
});

test('5.21: the name of a visible figure is visible', () => {
  const corners = [figure(1, 40, 40), figure(2, 960, 600), figure(3, 40, 600), figure(4, 500, 600)];
  for (const { box } of namesOf(corners, placeNames(corners, view(), new Map()))) {
    expect([box.left >= 0, box.right <= 1000, box.top >= 0, box.bottom <= 640]).toEqual([true, true, true, true]);
  }
});

test('5.23: the same figures and the same places give the same places', () => {
  fc.assert(
    fc.property(fields(30), (figures) => {
      const first = placeNames(figures, view(), new Map());
      expect(placeNames(figures, view(), new Map())).toEqual(first);
    }),
  );
});

test('5.23: placing again moves nothing while nothing changes', () => {
  fc.assert(
    fc.property(fields(30), (figures) => {
      const first = placeNames(figures, view(), new Map());
      expect(placeNames(figures, view(), first)).toEqual(first);
    }),
  );
});

test('5.23: a trembling hand does not make names flutter', () => {
  const still = figure(1, 500, 320);
  // Back and forth across the point at which the name of the resting figure has to give way.
  const passing = (y: number) => figure(2, 500, y, { rank: NAME_RANK.held });
  let places = placeNames([still, passing(500)], view(), new Map());
  let edge = 0;
  for (let y = 500; y > 400; y -= 1) {
    places = placeNames([still, passing(y)], view(), places);
    if (places.get(1)?.side === 'below') continue;
    edge = y;
    break;
  }
  expect(edge).toBeGreaterThan(0);
  const changes = new Set<string | undefined>();
  for (const y of [edge + 1, edge - 1, edge + 2, edge - 2, edge + 3, edge]) {
    places = placeNames([still, passing(y)], view(), places);
    changes.add(places.get(1)?.side);
  }
  expect(changes.size).toBe(1);
  // Once the dragged figure is far away, the name is back.
  expect(sides(placeNames([still, passing(600)], view(), places), 1)).toEqual(['below']);
});

test('5.23: only moved figures and their neighbours are placed again, and none overlaps the others', () => {
  fc.assert(
    fc.property(fields(40), fc.nat(), real(-200, 200), real(-200, 200), (figures, pick, dx, dy) => {
      const before = placeNames(figures, view(), new Map());
      const moved = figures[pick % figures.length] as NamedFigure;
      const now = figures.map((of) => (of === moved ? { ...of, x: of.x + dx, y: of.y + dy } : of));
      const again = placeNames(now, view(), before, new Set([moved.id]));
      const is = now.find(({ id }) => id === moved.id) as NamedFigure;
      const zones = [before.get(moved.id)?.zone, again.get(moved.id)?.zone].filter((zone) => zone !== undefined);
      for (const { of, zone } of namesOf(now, again))
        expect(of === is || zones.some((stirred) => cross(stirred, zone))).toBe(true);
    }),
  );
  const far = [figure(1, 100, 100), figure(2, 800, 500), figure(3, 800, 400)];
  const before = placeNames(far, view(), new Map());
  const again = placeNames([figure(1, 110, 100), ...far.slice(1)], view(), before, new Set([1]));
  expect([...again.keys()]).toEqual([1]);
});

test('5.23: a name with unchanged surroundings keeps the place that it would find again', () => {
  // A band of small figures with names: a move changes the name of a neighbour, and that the next one's, and so on.
  const bands = fc
    .array(fc.tuple(real(0, 1000), real(280, 360), captions), { minLength: 10, maxLength: 40 })
    .map((all) =>
      all.map(([x, y, caption], index) => figure(index + 1, x, y, { radius: 14, forms: nameForms(caption) })),
    );
  const moves = fc.array(fc.tuple(fc.nat(), real(-30, 30), real(-30, 30)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.oneof(bands, fields(40)), moves, (figures, moved) => {
      let now = figures;
      const places = placeNames(now, view(), new Map());
      for (const [pick, dx, dy] of moved) {
        const hand = now[pick % now.length] as NamedFigure;
        now = now.map((of) => (of === hand ? { ...of, x: of.x + dx, y: of.y + dy } : of));
        const changed = new Set([hand.id]);
        // Without the memory of neighbours, every name that may have changed is placed again.
        const forgetful = new Map([...places].map(([id, { among: _among, ...place }]) => [id, place]));
        const wanted = placeNames(now, view(), forgetful, changed);
        for (const [id, place] of placeNames(now, view(), places, changed)) places.set(id, place);
        for (const [id, { among: _among, ...place }] of wanted) expect(places.get(id)).toMatchObject(place);
      }
    }),
    // A change that reaches a name only through another name is rare.
    { numRuns: 500 },
  );
});
