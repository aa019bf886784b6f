/** Who is seen where. */
import type { VideoState } from '@fieldroom/contract/video';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MediaPerson, MediaState } from '../../platform/media/mediaTypes.ts';
import { layoutFrom, choiceOf, gridPage, gridShape, handsInOrder, joinOf, type Seen, tilesOf } from './videoModel.ts';

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
  settings: { clientsVisible: true, highQuality: false, encrypted: false, ...patch },
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
const ids = ({ therapist, others }: ReturnType<typeof tilesOf>) => [
  therapist?.id ?? null,
  ...others.map((tile) => tile.id),
];

describe('tiles', () => {
  test('a client sees the therapist apart, then "You", then the others with their names and marks', () => {
    const tiles = tilesOf(seen());
    expect(ids(tiles)).toEqual([1, 11, 12]);
    expect(tiles.therapist).toMatchObject({ name: 'Anna', therapist: true, own: false });
    expect(tiles.others[0]).toMatchObject({ own: true, name: 'Jonas' });
    expect(tiles.others[1]).toMatchObject({ name: 'Mirela', quality: 'poor', own: false });
  });
  test("the therapist's own video stands apart, the clients are the others", () => {
    expect(
      ids(
        tilesOf(
          seen({ me: { id: 1, as: 'therapist', name: 'Anna' }, media: media({ people: [person(11), person(12)] }) }),
        ),
      ),
    ).toEqual([1, 11, 12]);
  });
  test('while clients are hidden a client sees the therapist and itself, and the therapist still sees everybody', () => {
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
    ).toEqual([1, 11, 12]);
  });
  test('one’s own video can be hidden; a muted tile without video stays, to show that one takes part', () => {
    expect(ids(tilesOf(seen({ showOwn: false })))).toEqual([1, 12]);
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
    ).toEqual([null, 11, 12]);
  });
  test('who only watches is there too, and who is hidden is not brought back by it', () => {
    const faces = [
      { id: 1, audio: false, video: false, mutedByTherapist: false, line: 'good' as const },
      { id: 12, audio: false, video: false, mutedByTherapist: false, line: 'weak' as const },
      { id: 11, audio: true, video: true, mutedByTherapist: false, line: 'good' as const },
    ];
    const tiles = tilesOf(seen({ media: media(), room: { ...room(), faces } }));
    expect(ids(tiles)).toEqual([1, 11, 12]);
    expect(tiles.others[1]).toMatchObject({ name: 'Mirela', videoStream: null, quality: 'weak' });
    expect(ids(tilesOf(seen({ media: media(), room: { ...room({ clientsVisible: false }), faces } })))).toEqual([
      1, 11,
    ]);
  });
  test('who takes no part has no tile', () => {
    expect(ids(tilesOf(seen({ media: media({ phase: 'off' }) })))).toEqual([null]);
  });
  test('raised hands are numbered in the order they went up', () => {
    const people = [
      { id: 11, name: 'Jonas', handRaisedOn: '2026-11-21T10:00:02Z' },
      { id: 12, name: 'Mirela', handRaisedOn: '2026-11-21T10:00:01Z' },
      { id: 13, name: 'Ana', handRaisedOn: null },
    ];
    expect(handsInOrder(people)).toEqual([12, 11]);
    const { others } = tilesOf(seen({ people }));
    expect(others.map((tile) => tile.hand)).toEqual([2, 1]);
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
  ])('%i tiles stand in %i columns and %i rows', (count, columns, rows) => {
    expect(gridPage(count, 4, 0)).toMatchObject({ columns, rows, pages: 1 });
  });
  test('24 tiles make two pages of twelve; a page beyond the end is the last', () => {
    expect(gridPage(24, 4, 1)).toMatchObject({ from: 12, to: 24, pages: 2, columns: 4, rows: 3 });
    expect(gridPage(13, 4, 9)).toMatchObject({ page: 1, from: 12, to: 13 });
  });
  test('every tile stands on exactly one page and finds a place in its grid', () => {
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
  test('two tiles and the therapist stand below one another in a tall place, beside one another in a wide one', () => {
    expect(gridShape(2, true, 3, { width: 500, height: 660 })).toMatchObject({
      columns: 2,
      beside: false,
      tile: 245,
      lead: 367,
    });
    expect(gridShape(2, true, 4, { width: 760, height: 330 })).toMatchObject({ beside: true });
  });
  test('three rows keep to all columns', () =>
    expect(gridShape(12, true, 4, { width: 500, height: 700 })).toMatchObject({ columns: 4 }));
  test('the therapist alone takes all there is', () =>
    expect(gridShape(0, true, 4, { width: 800, height: 300 })).toMatchObject({ lead: 400 }));
  test('a place that is not measured yet has the usual columns', () =>
    expect(gridShape(5, true, 4, { width: 0, height: 0 })).toEqual({ columns: 3, tile: 0, lead: 0, beside: false }));
  test('everything stands inside of the place', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        fc.integer({ min: 3, max: 4 }),
        fc.integer({ min: 200, max: 2000 }),
        fc.integer({ min: 200, max: 2000 }),
        (count, lead, most, width, height) => {
          const shape = gridShape(count, lead, most, { width, height });
          const rows = Math.ceil(count / shape.columns);
          const across = shape.columns * shape.tile + (shape.columns - 1) * 10;
          const down = (rows * shape.tile * 3) / 4 + (rows - 1) * 10;
          const [leadWide, leadHigh] = lead ? [shape.lead, (shape.lead * 3) / 4] : [0, 0];
          expect(shape.beside ? across + 10 + leadWide : Math.max(across, leadWide)).toBeLessThanOrEqual(width);
          expect(shape.beside ? Math.max(down, leadHigh) : down + (lead ? 10 : 0) + leadHigh).toBeLessThanOrEqual(
            height + 0.01,
          );
          expect(shape.tile).toBeGreaterThan(0);
          expect(shape.columns).toBeLessThanOrEqual(most);
        },
      ),
    );
  });
});

test('a way of joining and its choice mean the same', () => {
  for (const how of ['camera', 'microphone', 'watch'] as const) expect(joinOf(choiceOf(how))).toBe(how);
  expect(choiceOf('watch', { camera: 'c' })).toEqual({ audio: false, video: false, camera: 'c' });
});

test('a layout that a browser kept is taken, the gallery also by its old name, and nothing else', () => {
  expect(['half', 'gallery', 'faces', 'tiles', undefined, 3].map(layoutFrom)).toEqual([
    'half',
    'gallery',
    'gallery',
    null,
    null,
    null,
  ]);
});
