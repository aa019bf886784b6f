/** The position of a look back (docs/product.md#6.16), and the differences between two fields (#6.13). */
import type { Figure } from '@fieldroom/contract/field';
import type { Move, MoveStep, Replay, ReplayPart } from '@fieldroom/contract/moments';
import { expect, test } from 'vitest';
import { aFigure } from '../../sessions/sessions.testing.tsx';
import { compareFields } from '../compare/compareFields.ts';
import { clampTo, isComplete, partAt, placesIn, positionOf, spanOf, standingAt } from './replayModel.ts';

const replay = (change: Partial<Replay> = {}): Replay => ({
  liveSessionId: 5,
  startedOn: '2026-12-03T09:30:00Z',
  endedOn: null,
  parts: [
    { firstMove: 1, startsOn: '2026-12-03T09:30:00Z' },
    { firstMove: 101, startsOn: '2026-12-03T10:00:00Z' },
  ],
  lastMove: 130,
  moments: [],
  ...change,
});
const move = (number: number, steps: MoveStep[]): Move => ({
  number,
  revision: number,
  movedOn: `2026-12-03T10:00:0${number % 10}Z`,
  by: 'therapist',
  kind: 'act',
  steps,
});
const mother = aFigure({ id: 1, x: 100 });
const part: ReplayPart = {
  firstMove: 101,
  startsOn: '2026-12-03T10:00:00Z',
  figures: [mother],
  moves: [
    move(101, [{ figureId: 1, set: { x: 200 } }]),
    move(102, [{ put: aFigure({ id: 2, name: 'Son', x: 700 }) }]),
    move(103, [{ gone: 1 }]),
  ],
};
const seen = (figures: readonly Figure[]) => figures.map(({ id, x }) => [id, x]);

test('the first position is the start; if the earliest moves are gone, it is the field after them', () => {
  expect(spanOf(replay())).toEqual({ first: 0, last: 130 });
  expect(spanOf(replay({ parts: [{ firstMove: 101, startsOn: '' }], lastMove: 130 }))).toEqual({
    first: 100,
    last: 130,
  });
  expect(spanOf(replay({ parts: [], lastMove: 0 }))).toBeNull();
  expect(spanOf(replay({ parts: [{ firstMove: 1, startsOn: '' }], lastMove: 0 }))).toEqual({ first: 0, last: 0 });
  expect([-5, 60, 999].map((to) => clampTo({ first: 50, last: 130 }, to))).toEqual([50, 60, 130]);
  expect(positionOf({ first: 50, last: 130 }, { afterMove: 7 })).toBe(50);
});

test('a move belongs to the part that contains it; a part followed by another one is complete', () => {
  expect([0, 1, 100, 101, 130].map((position) => partAt(replay(), position).firstMove)).toEqual([1, 1, 1, 101, 101]);
  expect([isComplete(replay(), 1), isComplete(replay(), 101)]).toEqual([true, false]);
});

test('the field at each position, with the previous field and the move between', () => {
  expect(standingAt(part, 100)).toEqual({ figures: [mother], before: null, move: null, at: part.startsOn });
  const [second, third] = [standingAt(part, 102), standingAt(part, 103)];
  expect([seen(second.figures), seen(second.before!), second.move!.number]).toEqual([
    [
      [1, 200],
      [2, 700],
    ],
    [[1, 200]],
    102,
  ]);
  expect([seen(third.figures), third.at]).toEqual([[[2, 700]], '2026-12-03T10:00:03Z']);
  expect(seen(placesIn(part))).toEqual([
    [1, 100],
    [1, 200],
    [2, 700],
  ]);
});

test('figures differ only in visible properties, each under one number; painting order and permissions are ignored', () => {
  const one = [mother, aFigure({ id: 2, rotation: 0 }), aFigure({ id: 3 }), aFigure({ id: 4, order: 1 })];
  const other = [
    aFigure({ id: 1, x: 150 }),
    aFigure({ id: 2, rotation: 0, movableBy: 'everyone', startX: 9 }),
    aFigure({ id: 4, order: 8 }),
    aFigure({ id: 9 }),
  ];
  expect(compareFields(one, other).map(({ number, figureId, step }) => [number, figureId, Object.keys(step)])).toEqual([
    [1, 1, ['figureId', 'set']],
    [2, 3, ['gone']],
    [3, 9, ['put']],
  ]);
  expect(compareFields(one, one)).toEqual([]);
});
