/** Who is seen where. */
import { DEFAULT_VIDEO_SETTINGS, type VideoState } from '@fieldroom/contract/video';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MediaPerson, MediaState } from '../../../platform/media/mediaTypes.ts';
import {
  type Crowd,
  crowdTiles,
  gridPage,
  gridShape,
  phoneTiles,
  READABLE,
  type Seen,
  stageShape,
  stripTiles,
  tilesOf,
} from './tileModel.ts';
import { handsInOrder } from '../store/videoModel.ts';

const person = (id: number, patch: Partial<MediaPerson> = {}): MediaPerson => ({
  id,
  as: 'client',
  videoStream: null,
  sendsVideo: true,
  sendsAudio: true,
  talking: false,
  size: null,
  layers: null,
  kbps: 0,
  unreadable: false,
  ...patch,
});
const media = (patch: Partial<MediaState> = {}): MediaState => ({
  phase: 'on',
  own: { videoStream: null, audio: true, video: true, level: 0, talking: false, lost: null },
  people: [],
  choice: { audio: true, video: true },
  playBlocked: false,
  lowData: false,
  quality: 'good',
  fault: null,
  safetyCode: null,
  waitingForKey: false,
  limited: [],
  ...patch,
});
const room = (patch: Partial<VideoState['settings']> = {}): VideoState => ({
  running: true,
  settings: { ...DEFAULT_VIDEO_SETTINGS, ...patch },
  stage: null,
  faces: [{ id: 12, audio: true, video: true, mutedByTherapist: false, line: 'poor' }],
});
const seen = (patch: Partial<Seen> = {}): Seen => ({
  me: { id: 11, as: 'client', name: 'Jonas' },
  therapist: { id: 1, name: 'Anna' },
  people: [
    { id: 11, name: 'Jonas' },
    { id: 12, name: 'Mirela' },
  ],
  media: media({ people: [person(1, { as: 'therapist' }), person(12)] }),
  room: room(),
  showOwn: true,
  ...patch,
});
const ids = ({ lead, others, own }: ReturnType<typeof tilesOf>) => [
  lead?.id ?? null,
  ...others.map((tile) => tile.id),
  own?.id ?? null,
];

describe('tiles', () => {
  test('a client sees the therapist apart, then "You", then the others with their names and marks', () => {
    const tiles = tilesOf(seen());
    expect(ids(tiles)).toEqual([1, 12, 11]);
    expect(tiles.lead).toMatchObject({ name: 'Anna', therapist: true, own: false });
    expect(tiles.own).toMatchObject({ own: true, name: 'Jonas' });
    expect(tiles.others[0]).toMatchObject({ name: 'Mirela', quality: 'poor', own: false });
  });
  test('10.7: for the therapist all clients are alike, and their own video is none of them', () => {
    expect(
      ids(
        tilesOf(
          seen({ me: { id: 1, as: 'therapist', name: 'Anna' }, media: media({ people: [person(11), person(12)] }) }),
        ),
      ),
    ).toEqual([null, 11, 12, 1]);
  });
  test('while clients are hidden, a client sees the therapist and itself, and the therapist still sees everybody', () => {
    expect(ids(tilesOf(seen({ room: room({ clientsVisible: false }) })))).toEqual([1, 11]);
    expect(
      ids(
        tilesOf(
          seen({
            me: { id: 1, as: 'therapist', name: 'Anna' },
            room: room({ clientsVisible: false }),
            media: media({ people: [person(11), person(12)] }),
          }),
        ),
      ),
    ).toEqual([null, 11, 12, 1]);
  });
  test('one’s own video can be hidden; a muted tile without video stays, to show one’s participation', () => {
    expect(ids(tilesOf(seen({ showOwn: false })))).toEqual([1, 12, null]);
    expect(
      ids(
        tilesOf(
          seen({
            showOwn: false,
            media: media({
              own: { videoStream: null, audio: true, video: false, level: 0, talking: false, lost: null },
              people: [person(12)],
            }),
          }),
        ),
      ),
    ).toEqual([null, 12, 11]);
  });
  test('somebody who only watches has a tile too, which does not appear while clients are hidden', () => {
    const faces = [
      { id: 1, audio: false, video: false, mutedByTherapist: false, line: 'good' as const },
      { id: 12, audio: false, video: false, mutedByTherapist: false, line: 'weak' as const },
      { id: 11, audio: true, video: true, mutedByTherapist: false, line: 'good' as const },
    ];
    const tiles = tilesOf(seen({ media: media(), room: { ...room(), faces } }));
    expect(ids(tiles)).toEqual([1, 12, 11]);
    expect(tiles.others[0]).toMatchObject({ name: 'Mirela', videoStream: null, quality: 'weak' });
    expect(ids(tilesOf(seen({ media: media(), room: { ...room({ clientsVisible: false }), faces } })))).toEqual([
      1, 11,
    ]);
  });
  describe('10.13: with a stage', () => {
    const staged = (
      stage: number[] | null,
      patch: Partial<Seen> = {},
      settings: Partial<VideoState['settings']> = {},
    ) =>
      tilesOf(
        seen({
          media: media({ people: [person(1, { as: 'therapist' }), person(12), person(13)] }),
          room: { ...room(settings), stage },
          ...patch,
        }),
      );
    const therapist: Partial<Seen> = {
      me: { id: 1, as: 'therapist', name: 'Anna' },
      media: media({ people: [person(11), person(12), person(13)] }),
    };
    const parts = ({ lead, stage, others, own, staged: on }: ReturnType<typeof tilesOf>) => [
      on,
      lead?.id ?? null,
      stage.map(({ id }) => id),
      others.map(({ id }) => id),
      own?.note ?? null,
    ];

    test('people on it are large beside the therapist, the others small; the therapist’s own tile stays small', () => {
      expect(parts(staged([13]))).toEqual([true, 1, [13], [12], null]);
      expect(parts(staged([11]))).toEqual([true, 1, [], [12, 13], 'onStage']);
      expect(parts(staged([11, 13], therapist))).toEqual([true, null, [11, 13], [12], null]);
    });
    test('an empty stage leaves all alike for the therapist, and the therapist large for the clients', () => {
      expect(parts(staged([], therapist))).toEqual([false, null, [], [11, 12, 13], null]);
      expect(parts(staged([]))).toEqual([true, 1, [], [12, 13], null]);
      expect(parts(staged(null))).toEqual([false, 1, [], [12, 13], null]);
    });
    test('with "only the stage" clients see nobody else, and read who sees them; the therapist sees everybody', () => {
      expect(parts(staged([13], {}, { stageOnly: true }))).toEqual([true, 1, [13], [], 'therapistOnly']);
      expect(parts(staged([11], {}, { stageOnly: true }))).toEqual([true, 1, [], [], 'onStage']);
      expect(parts(staged([13], therapist, { stageOnly: true }))).toEqual([true, null, [13], [11, 12], null]);
      expect(parts(staged([], {}, { stageOnly: true }))).toEqual([true, 1, [], [], 'therapistOnly']);
      expect(parts(staged(null, {}, { stageOnly: true }))).toEqual([false, 1, [], [12, 13], null]);
    });
    test('hidden clients stay hidden, and are reported', () => {
      expect(parts(staged([11, 13], {}, { clientsVisible: false }))).toEqual([true, 1, [], [], 'therapistOnly']);
    });
    test('more than a page of people on stage are a group: all alike', () => {
      const many = Array.from({ length: 13 }, (_, index) => 11 + index);
      const world = { ...therapist, media: media({ people: many.map((id) => person(id)) }) };
      expect(parts(staged(many, world)).slice(0, 3)).toEqual([false, null, []]);
      expect(parts(staged(many.slice(1), world)).slice(0, 3)).toEqual([true, null, many.slice(1)]);
    });
  });
  test('somebody not in the video has no tile', () => {
    expect(ids(tilesOf(seen({ media: media({ phase: 'off' }) })))).toEqual([null, null]);
  });
  test('raised hands are numbered in the order they were raised', () => {
    const people = [
      { id: 11, name: 'Jonas', handRaisedOn: '2026-11-21T10:00:02Z' },
      { id: 12, name: 'Mirela', handRaisedOn: '2026-11-21T10:00:01Z' },
      { id: 13, name: 'Ana', handRaisedOn: null },
    ];
    expect(handsInOrder(people)).toEqual([12, 11]);
    const { others, own } = tilesOf(seen({ people }));
    expect([own, ...others].map((tile) => tile?.hand)).toEqual([2, 1]);
  });
});

describe('grid', () => {
  test.each([
    [1, 1, 1],
    [2, 2, 1],
    [4, 2, 2],
    [5, 3, 2],
    [9, 4, 3],
    [12, 4, 3],
  ])('%i tiles have %i columns and %i rows', (count, columns, rows) => {
    expect(gridPage(count, 4, 0)).toMatchObject({ columns, rows, pages: 1 });
  });
  test('24 tiles make two pages of twelve; a page beyond the end is the last', () => {
    expect(gridPage(24, 4, 1)).toMatchObject({ from: 12, to: 24, pages: 2, columns: 4, rows: 3 });
    expect(gridPage(13, 4, 9)).toMatchObject({ page: 1, from: 12, to: 13 });
  });
  test('every tile is on exactly one page and has a place in its grid', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 12 }),
        (count, columns, perPage) => {
          let at = 0;
          const { pages } = gridPage(count, columns, 0, perPage);
          for (let page = 0; page < pages; page++) {
            const grid = gridPage(count, columns, page, perPage);
            expect(grid.from).toBe(at);
            expect(grid.columns).toBeLessThanOrEqual(columns);
            expect(grid.columns * grid.rows).toBeGreaterThanOrEqual(grid.to - grid.from);
            at = grid.to;
          }
          expect(at).toBe(count);
        },
      ),
    );
  });
});

describe('the shape of a grid', () => {
  const wide = { width: 1100, height: 620 };
  const alike = { lead: false, own: true, most: 4 };
  test('two tiles and the therapist are below one another in a tall area, beside one another in a wide one', () => {
    const three = { count: 2, lead: true, own: false };
    expect(gridShape({ ...three, most: 3 }, { width: 500, height: 660 })).toMatchObject({
      columns: 2,
      leadBeside: false,
      tile: 245,
      lead: 367,
    });
    expect(gridShape({ ...three, most: 4 }, { width: 760, height: 330 })).toMatchObject({ leadBeside: true });
  });
  test('10.7: two people are side by side in a wide area, one above the other in a tall one', () => {
    expect(gridShape({ ...alike, count: 2 }, wide).columns).toBe(2);
    expect(gridShape({ ...alike, count: 2 }, { width: 500, height: 900 }).columns).toBe(1);
    expect(gridShape({ ...alike, count: 1 }, wide).ownBeside).toBe(true);
  });
  test('10.7: in the gallery of a laptop two people are side by side above the corner of the field’s preview', () =>
    expect(gridShape({ ...alike, count: 2, preview: true }, { width: 918, height: 644 })).toMatchObject({
      columns: 2,
      tile: 454,
      own: 200,
      ownBeside: false,
    }));
  test('three rows keep to all columns', () =>
    expect(gridShape({ ...alike, count: 12 }, { width: 500, height: 700 })).toMatchObject({ columns: 4 }));
  test('the therapist alone fills the area, and one’s own video stays small beside it', () => {
    const alone = { count: 0, lead: true, most: 4 };
    expect(gridShape({ ...alone, own: false }, { width: 800, height: 300 })).toMatchObject({ lead: 400, own: 0 });
    expect(gridShape({ ...alone, own: true }, wide)).toMatchObject({ lead: 826, own: 200, ownBeside: true });
  });
  test('a person alone sees their own video large', () =>
    expect(gridShape({ ...alike, count: 0 }, { width: 800, height: 300 })).toMatchObject({ own: 400 }));
  test('an area that is not measured yet has the usual columns', () =>
    expect(gridShape({ ...alike, count: 5, lead: true }, { width: 0, height: 0 })).toEqual({
      columns: 3,
      tile: 0,
      lead: 0,
      own: 0,
      leadBeside: false,
      ownBeside: false,
    }));
  test('10.7: everything is within the area, one’s own is smaller than all others, the therapist’s larger', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 3, max: 4 }),
        fc.integer({ min: 300, max: 2000 }),
        fc.integer({ min: 240, max: 2000 }),
        (count, lead, own, preview, most, width, height) => {
          const shape = gridShape({ count, lead, own, most, preview }, { width, height });
          const rows = Math.ceil(count / shape.columns);
          const high = (wide: number) => (wide * 3) / 4;
          let across = shape.columns * shape.tile + (shape.columns - 1) * 10;
          let down = rows * high(shape.tile) + (rows - 1) * 10;
          if (lead && shape.leadBeside) {
            across += 10 + shape.lead;
            down = Math.max(down, high(shape.lead));
          } else if (lead) {
            across = Math.max(across, shape.lead);
            down += 10 + high(shape.lead);
          }
          const corner = preview ? { width: 240, height: 150 } : { width: shape.own, height: high(shape.own) };
          if ((own || preview) && shape.ownBeside) across += 10 + corner.width;
          else if (own || preview) down += 10 + corner.height;
          if (preview) expect([shape.own <= 200, high(shape.own) <= 150]).toEqual([true, true]);
          expect(across).toBeLessThanOrEqual(width + 0.01);
          expect(down).toBeLessThanOrEqual(height + 0.01);
          expect(shape.tile).toBeGreaterThan(0);
          expect(shape.columns).toBeLessThanOrEqual(most);
          if (own) expect(shape.own).toBeLessThan(shape.tile * 0.61);
          if (lead) expect(shape.lead).toBeGreaterThanOrEqual(shape.tile * 1.5 - 1);
        },
      ),
    );
  });
});

describe('10.13: the shape of a stage', () => {
  test('large tiles and the row of small ones are within the area, clear of the preview', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 23 }),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 360, max: 2000 }),
        fc.integer({ min: 300, max: 2000 }),
        (large, others, own, preview, width, height) => {
          const shape = stageShape({ large, others, own, most: 4, preview }, { width, height });
          const rows = Math.ceil(large / shape.columns);
          const row = preview ? 150 : others > 0 || own ? shape.small * 0.75 : 0;
          expect(shape.columns * shape.tile + (shape.columns - 1) * 10).toBeLessThanOrEqual(width + 0.01);
          expect(rows * shape.tile * 0.75 + (rows - 1) * 10 + (row > 0 ? 10 : 0) + row).toBeLessThanOrEqual(
            height + 0.01,
          );
          const below = shape.perPage + Number(own);
          if (shape.perPage > 1)
            expect(below * shape.small + (below - 1) * 10 + (preview ? 250 : 0)).toBeLessThanOrEqual(width + 0.01);
          expect(shape.small).toBeLessThanOrEqual(shape.tile);
        },
      ),
    );
  });
  test('on a phone in landscape nine large tiles are in two rows, larger than the small ones', () => {
    const box = { width: 700, height: 240 };
    const { tile, small, columns } = stageShape({ large: 9, others: 3, own: true, most: 4, preview: false }, box);
    expect([columns, tile, small]).toEqual([6, 100, 75]);
  });
  test('two large tiles of a laptop are several times as wide as the small ones', () => {
    const { tile, small } = stageShape(
      { large: 2, others: 6, own: true, most: 4, preview: false },
      { width: 1200, height: 700 },
    );
    expect(tile / small).toBeGreaterThan(4);
  });
});

/** The therapist's view of this many clients, some of whom talk. */
const clients = (count: number, talks: number[] = []) =>
  tilesOf(
    seen({
      me: { id: 1, as: 'therapist', name: 'Anna' },
      media: media({
        people: Array.from({ length: count }, (_, index) => ({
          ...person(11 + index),
          talking: talks.includes(11 + index),
        })),
      }),
    }),
  );

describe('the tiles of a phone', () => {
  const shown = (as: 'therapist' | 'client', tiles: ReturnType<typeof tilesOf>) => {
    const { others, hidden } = phoneTiles(as, tiles);
    return [others.map(({ id }) => id), hidden];
  };
  test('10.7: the therapist sees six clients in order of arrival; of more, five including the talkers', () => {
    expect(shown('therapist', clients(6, [16]))).toEqual([[11, 12, 13, 14, 15, 16], 0]);
    expect(shown('therapist', clients(7, [17]))).toEqual([[17, 11, 12, 13, 14], 2]);
  });
  test('10.7: a client sees three beside the therapist and themselves, or one more without themselves', () => {
    expect(shown('client', clients(3))).toEqual([[11, 12, 13], 0]);
    expect(shown('client', clients(4))).toEqual([[11, 12], 2]);
    expect(shown('client', { ...clients(4), own: null })).toEqual([[11, 12, 13, 14], 0]);
  });
  test('10.13: with a stage up to three large ones are beside one other or the button for all; in landscape two', () => {
    const stood = (onStage: number, others: number, form?: 'phone' | 'low') => {
      const { stage, others: small, hidden, crowd } = phoneTiles('therapist', world(onStage, others), form);
      return [stage.map(({ id }) => id), small.map(({ id }) => id), hidden, crowd !== null];
    };
    expect(stood(2, 1)).toEqual([[11, 12], [13], 0, false]);
    expect(stood(2, 2)).toEqual([[11, 12], [], 2, false]);
    expect(stood(4, 1)).toEqual([[11, 12, 13, 14], [15], 0, true]);
    expect(stood(4, 3)).toEqual([[11, 12, 13, 14], [], 3, true]);
    expect(stood(3, 1, 'low')).toEqual([[11, 12, 13], [14], 0, true]);
  });
});

/** This many on stage, the last of them talking, and others; with one's own tile, and the therapist's for a client. */
const world = (onStage: number, others: number, as: 'client' | 'therapist' = 'therapist') => {
  const tiles = clients(onStage + others, [10 + onStage]);
  const all = tiles.others;
  return {
    ...tiles,
    lead: as === 'client' ? (clients(1).others[0] ?? null) : null,
    stage: all.slice(0, onStage),
    others: all.slice(onStage),
    staged: true,
  };
};

describe('10.13: a stage in a strip', () => {
  const stood = (tiles: ReturnType<typeof world>, form: 'top' | 'right' | 'float', length: number) => {
    const { stage, others, hidden, crowd } = stripTiles(form, tiles, { width: length, height: length });
    return [stage.map(({ id }) => id), others.map(({ id }) => id), hidden, crowd !== null];
  };

  test('a few are large, and the others small', () => {
    for (const form of ['top', 'right', 'float'] as const)
      expect(stood(world(3, 2), form, 1100)).toEqual([[11, 12, 13], [14, 15], 0, false]);
  });
  test('if many large ones leave no room beside them, all are shown, and the others are behind a button', () => {
    expect(stood(world(9, 2), 'float', 300)).toEqual([[11, 12, 13, 14, 15, 16, 17, 18, 19], [], 2, true]);
    expect(stood(world(9, 2), 'top', 800)).toEqual([[11, 12, 13, 14, 15, 16, 17, 18, 19], [], 2, true]);
    expect(stood(world(9, 1), 'top', 800)).toEqual([[11, 12, 13, 14, 15, 16, 17, 18, 19], [20], 0, true]);
  });
});

describe('10.13: a stage of many', () => {
  const GAP = 6;
  const SMALL = { width: 64, height: 48 };
  /** The boxes of the forms in windows of these sizes, as in the style sheet. */
  const boxes = {
    phone: [320, 360, 390, 430].map((width) => ({ width: width - 16, height: 142 })),
    low: [
      [640, 360],
      [667, 375],
      [844, 390],
      [932, 430],
    ].map(([width = 0, height = 0]) => ({
      width: Math.min(240, Math.max(160, width - 600)),
      height: height - 56,
    })),
    top: [592, 736, 1008, 1248, 1408].map((width) => ({ width, height: 104 })),
    right: [380, 584, 752].map((height) => ({ width: 176, height })),
    float: [{ width: 288, height: 300 }],
  };
  /** The sizes of the large tiles in the box of a form. */
  const tilesIn = (form: keyof typeof boxes, { width, height }: { width: number; height: number }, crowd: Crowd) => {
    const high = crowd.grown && form !== 'low' ? { phone: 216, top: 176 }[form as 'phone' | 'top'] : height;
    const across = width - (crowd.side === 'beside' ? SMALL.width + GAP : 0);
    const down = high - (crowd.side === 'below' ? SMALL.height + GAP : 0);
    return {
      width: (across - (crowd.columns - 1) * GAP) / crowd.columns,
      height: form === 'float' ? Infinity : (down - (crowd.rows - 1) * GAP) / crowd.rows,
    };
  };

  test('nine and the therapist are visible in every strip, legible, and larger than a small tile', () => {
    for (const [form, all] of Object.entries(boxes) as [keyof typeof boxes, (typeof boxes)['top']][])
      for (const box of all)
        for (const [onStage, as] of [
          [9, 'client'],
          [9, 'therapist'],
          [6, 'client'],
          [4, 'therapist'],
        ] as const) {
          const tiles = world(onStage, 12, as);
          const { stage, others, hidden, crowd } = crowdTiles(form, tiles, box);
          const what = `${onStage} for the ${as}, ${form} ${box.width} × ${box.height}`;
          expect([stage, others, hidden], what).toEqual([tiles.stage, [], 12]);
          expect(crowd, what).not.toBeNull();
          const tile = tilesIn(form, box, crowd!);
          expect(tile.width, what).toBeGreaterThanOrEqual(READABLE.width);
          expect(tile.height, what).toBeGreaterThanOrEqual(READABLE.height);
          expect(tile.width * tile.height, what).toBeGreaterThan(SMALL.width * SMALL.height * 1.1);
          expect(crowd!.columns * crowd!.rows, what).toBeGreaterThanOrEqual(onStage + Number(as === 'client'));
        }
  });
  test('if some would not be legible, talkers come first, and nobody is lost', () => {
    const box = { width: 160, height: 250 };
    const tiles = world(12, 3, 'therapist');
    const { stage, others, hidden, crowd } = crowdTiles('low', tiles, box);
    expect(stage.length).toBeLessThan(12);
    expect(stage[0]?.id).toBe(22);
    expect([others, stage.length + hidden]).toEqual([[], 15]);
    const tile = tilesIn('low', box, crowd!);
    expect(tile.height).toBeGreaterThanOrEqual(READABLE.height);
  });
  test('the strip grows for people who would not fit otherwise, and only for them', () => {
    const grown = (form: 'phone' | 'top' | 'low', onStage: number, width: number) =>
      crowdTiles(form, world(onStage, 3), { width, height: 330 }).crowd?.grown;
    expect([grown('phone', 6, 374), grown('phone', 7, 374)]).toEqual([false, true]);
    expect([grown('low', 8, 160), grown('low', 9, 240)]).toEqual([false, true]);
    expect([grown('top', 9, 800), grown('top', 9, 600)]).toEqual([false, true]);
  });
  test('in a row over the field they are upright beside one another, on a phone as square as possible', () => {
    const columns = (form: 'phone' | 'top', onStage: number, width: number) =>
      crowdTiles(form, world(onStage, 3), { width, height: 104 }).crowd?.columns;
    expect(columns('top', 9, 800)).toBe(9);
    expect(columns('phone', 4, 374)).toBe(2);
    expect(columns('phone', 9, 374)).toBe(3);
  });
});
