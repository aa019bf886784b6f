import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDLE, hand } from './gesture.ts';
import type { Action, Hand, HandEvent, Hit } from './gesture.ts';

const ground: Hit = { on: 'ground' };
const figure = (more: Partial<Extract<Hit, { on: 'figure' }>> = {}): Hit => ({
  on: 'figure',
  figureId: 7,
  movable: true,
  selected: false,
  ...more,
});
const down = (hit: Hit, x = 100, y = 100, more: Partial<Extract<HandEvent, { type: 'down' }>> = {}): HandEvent => ({
  type: 'down',
  id: 1,
  pointer: 'mouse',
  at: { x, y },
  time: 0,
  hit,
  panning: false,
  pointing: false,
  ...more,
});
const move = (x: number, y = 100, id = 1): HandEvent => ({ type: 'move', id, at: { x, y } });
const up = (x = 100, y = 100, id = 1, time = 50): HandEvent => ({ type: 'up', id, at: { x, y }, time });

function play(events: readonly HandEvent[], from: Hand = IDLE): { hand: Hand; actions: Action[] } {
  let state = from;
  const actions: Action[] = [];
  for (const event of events) {
    const [next, done] = hand(state, event);
    state = next;
    actions.push(...done);
  }
  return { hand: state, actions };
}
const kinds = (events: readonly HandEvent[]) => play(events).actions.map((action) => action.do);

test('a tap selects, even if the hand trembles a little', () => {
  expect(kinds([down(figure()), move(102), up(102)])).toEqual(['tapFigure']);
  expect(kinds([down(figure(), 100, 100, { pointer: 'touch' }), move(105), up(105)])).toEqual(['tapFigure']);
});

test('a mouse drags from 3 px on, a finger from 6 px', () => {
  expect(kinds([down(figure()), move(103)])).toEqual(['grab', 'drag']);
  expect(kinds([down(figure(), 100, 100, { pointer: 'touch' }), move(105)])).toEqual([]);
  expect(kinds([down(figure(), 100, 100, { pointer: 'touch' }), move(106)])).toEqual(['grab', 'drag']);
});

test('the grip is where the pointer was pressed, not where the drag began', () => {
  expect(play([down(figure()), move(110)]).actions[0]).toEqual({ do: 'grab', figureId: 7, at: { x: 100, y: 100 } });
});

test('11.64 dragging a figure that may not be moved does nothing: no move, no pan, no tap', () => {
  for (const pointer of ['mouse', 'touch', 'pen'] as const) {
    const { actions, hand: after } = play([
      down(figure({ movable: false }), 100, 100, { pointer }),
      move(120),
      move(130),
      up(130),
    ]);
    expect(actions).toEqual([]);
    expect(after.state.in).toBe('idle');
  }
  // The space bar always pans, and the named pointer shows what is there.
  expect(kinds([down(figure({ movable: false }), 100, 100, { panning: true }), move(120), up(120)])).toEqual(['pan']);
  expect(
    kinds([down(figure({ movable: false }), 100, 100, { pointer: 'touch', pointing: true }), move(120), up(120)]),
  ).toEqual(['pointEnd']);
});

test('dragging the background or holding the space bar pans', () => {
  expect(play([down(ground), move(120), move(125)]).actions).toEqual([
    { do: 'pan', dx: 20, dy: 0 },
    { do: 'pan', dx: 5, dy: 0 },
  ]);
  expect(kinds([down(figure(), 100, 100, { panning: true }), move(101), up(101)])).toEqual(['pan']);
});

test('a pointer that the browser cancels drops the figure at its position', () => {
  expect(play([down(figure()), move(150), { type: 'cancel', id: 1 }]).actions.at(-1)).toEqual({
    do: 'drop',
    figureId: 7,
    how: 'released',
  });
  // The lost capture after an ordinary release is not a second drop.
  expect(kinds([down(figure()), move(150), up(150), { type: 'cancel', id: 1 }])).toEqual(['grab', 'drag', 'drop']);
});

test('a cancelled press is not a tap', () => {
  expect(kinds([down(figure()), { type: 'cancel', id: 1 }])).toEqual([]);
});

test('losing permission drops at once and the rest of the gesture does nothing', () => {
  const { actions, hand: after } = play([
    down(figure()),
    move(150),
    { type: 'taken', figureId: 7 },
    move(200),
    up(200),
  ]);
  expect(actions.slice(2)).toEqual([{ do: 'drop', figureId: 7, how: 'interrupted' }]);
  expect(after.state.in).toBe('idle');
  expect(kinds([down(figure()), move(150), { type: 'taken', figureId: 8 }, up(150)]).at(-1)).toBe('drop');
});

test('Escape cancels the hold', () => {
  expect(play([down(figure()), move(150), { type: 'giveUp' }]).actions.at(-1)).toEqual({
    do: 'drop',
    figureId: 7,
    how: 'givenUp',
  });
});

test('the handle rotates from the first move on', () => {
  expect(kinds([down({ on: 'turn', figureId: 7 }), move(101), up(101)])).toEqual(['turnStart', 'turn', 'turnDrop']);
});

const touch = (id: number, hit: Hit, x: number): HandEvent => ({
  type: 'down',
  id,
  pointer: 'touch',
  at: { x, y: 100 },
  time: 0,
  hit,
  panning: false,
  pointing: false,
});

test('two fingers pinch; the remaining one pans on', () => {
  const { actions } = play([
    touch(1, ground, 100),
    touch(2, ground, 200),
    move(220, 100, 2),
    up(220, 100, 2),
    move(110),
  ]);
  expect(actions).toEqual([
    {
      do: 'pinch',
      from: [
        { x: 100, y: 100 },
        { x: 200, y: 100 },
      ],
      to: [
        { x: 100, y: 100 },
        { x: 220, y: 100 },
      ],
    },
    { do: 'pan', dx: 10, dy: 0 },
  ]);
});

test('11.64 two fingers pinch if the first is on a figure that may not be moved, even after it has dragged', () => {
  const refused = figure({ movable: false, selected: true });
  const pinch = (first: number) => ({
    do: 'pinch',
    from: [
      { x: first, y: 100 },
      { x: 200, y: 100 },
    ],
    to: [
      { x: first, y: 100 },
      { x: 240, y: 100 },
    ],
  });
  expect(play([touch(1, refused, 100), touch(2, ground, 200), move(240, 100, 2)]).actions).toEqual([pinch(100)]);
  const { actions } = play([touch(1, refused, 100), move(120), move(130), touch(2, ground, 200), move(240, 100, 2)]);
  expect(actions).toEqual([pinch(130)]);
});

test('two fingers on the selected figure resize and rotate it; a second finger during a drag changes nothing', () => {
  expect(
    kinds([
      touch(1, figure({ selected: true }), 100),
      touch(2, ground, 200),
      move(220, 100, 2),
      up(220, 100, 2),
      up(100),
    ]),
  ).toEqual(['stretchStart', 'stretch', 'stretchDrop']);
  expect(
    kinds([touch(1, figure(), 100), move(120), touch(2, ground, 300), move(310, 100, 2), move(130), up(130)]),
  ).toEqual(['grab', 'drag', 'drag', 'drop']);
});

test('a double tap on the background fits the field; two slow or distant taps do not', () => {
  const tap = (time: number, x = 100) => [down(ground, x, 100, { time }), up(x, 100, 1, time + 40)];
  expect(kinds([...tap(0), ...tap(200)])).toEqual(['tapGround', 'fit']);
  expect(kinds([...tap(0), ...tap(900)])).toEqual(['tapGround', 'tapGround']);
  expect(kinds([...tap(0), ...tap(200, 300)])).toEqual(['tapGround', 'tapGround']);
  expect(kinds([...tap(0), ...tap(200), ...tap(300)])).toEqual(['tapGround', 'fit', 'tapGround']);
});

test('every hold ends with exactly one drop before the next begins', () => {
  const at = fc.record({ x: fc.integer({ min: 0, max: 400 }), y: fc.integer({ min: 0, max: 400 }) });
  const id = fc.integer({ min: 1, max: 3 });
  const hit = fc.oneof(
    fc.constant(ground),
    fc.record({ on: fc.constant('turn' as const), figureId: fc.integer({ min: 1, max: 2 }) }),
    fc.record({
      on: fc.constant('figure' as const),
      figureId: fc.integer({ min: 1, max: 2 }),
      movable: fc.boolean(),
      selected: fc.boolean(),
    }),
  );
  const event: fc.Arbitrary<HandEvent> = fc.oneof(
    fc.record({
      type: fc.constant('down' as const),
      id,
      pointer: fc.constantFrom('mouse' as const, 'touch' as const, 'pen' as const),
      at,
      time: fc.nat(5000),
      hit,
      panning: fc.boolean(),
      pointing: fc.boolean(),
    }),
    fc.record({ type: fc.constant('move' as const), id, at }),
    fc.record({ type: fc.constant('move' as const), id, at }),
    fc.record({ type: fc.constant('up' as const), id, at, time: fc.nat(5000) }),
    fc.record({ type: fc.constant('cancel' as const), id }),
    fc.record({ type: fc.constant('taken' as const), figureId: fc.integer({ min: 1, max: 2 }) }),
    fc.constant({ type: 'giveUp' as const }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      // All fingers are lifted at the end.
      const all = [...events, ...[1, 2, 3].map((finger): HandEvent => ({ type: 'cancel', id: finger }))];
      const { actions, hand: after } = play(all);
      let held: number | null = null;
      for (const action of actions) {
        if (action.do === 'grab' || action.do === 'turnStart' || action.do === 'stretchStart') {
          expect(held).toBeNull();
          held = action.figureId;
        } else if (action.do === 'drag' || action.do === 'turn' || action.do === 'stretch') {
          expect(held).toBe(action.figureId);
        } else if (action.do === 'drop' || action.do === 'turnDrop' || action.do === 'stretchDrop') {
          expect(held).toBe(action.figureId);
          held = null;
        }
      }
      expect(held).toBeNull();
      expect(after.state.in).toBe('idle');
    }),
    { numRuns: 500 },
  );
});
