/**
 * Gestures on the field, as a pure reducer from pointer events to a new state and actions. It does not know the browser
 * or the figures, only what a pointer hit; positions are CSS px from the field's top left corner.
 */
import type { Point } from '../geometry.ts';

export type Hit =
  | { on: 'figure'; figureId: number; movable: boolean; selected: boolean }
  | { on: 'turn'; figureId: number }
  | { on: 'ground' };

type Pointer = 'mouse' | 'touch' | 'pen';

export type HandEvent =
  /**
   * `panning`: space is down or the middle button is used. `pointing`: the finger moves the named pointer and must not
   * pan.
   */
  | {
      type: 'down';
      id: number;
      pointer: Pointer;
      at: Point;
      time: number;
      hit: Hit;
      panning: boolean;
      pointing: boolean;
    }
  | { type: 'move'; id: number; at: Point }
  | { type: 'up'; id: number; at: Point; time: number }
  /** The browser cancelled the pointer. */
  | { type: 'cancel'; id: number }
  /** The figure may no longer be moved, or was removed. */
  | { type: 'taken'; figureId: number }
  /** Escape: the figure returns to where the drag began. */
  | { type: 'giveUp' };

type HandState =
  | { in: 'idle' }
  | { in: 'press'; id: number; pointer: Pointer; start: Point; hit: Hit; pointing: boolean }
  | { in: 'drag'; id: number; figureId: number }
  | { in: 'turn'; id: number; figureId: number }
  | { in: 'pan'; id: number; last: Point }
  /** A drag of a figure that this person may not move: nothing moves, and a second finger pinches. */
  | { in: 'refused'; id: number; last: Point }
  | { in: 'pinch'; ids: readonly [number, number]; last: readonly [Point, Point] }
  /** Two fingers on a selected figure: resize and rotate. */
  | { in: 'stretch'; ids: readonly [number, number]; last: readonly [Point, Point]; figureId: number }
  /** A gesture has ended while fingers are still down. */
  | { in: 'spent'; ids: readonly number[] }
  | { in: 'point'; id: number };

export type Action =
  | { do: 'tapFigure'; figureId: number }
  | { do: 'tapGround' }
  | { do: 'fit' }
  | { do: 'grab'; figureId: number; at: Point }
  | { do: 'drag'; figureId: number; at: Point }
  | { do: 'drop'; figureId: number; how: 'released' | 'interrupted' | 'givenUp' }
  | { do: 'turnStart'; figureId: number }
  | { do: 'turn'; figureId: number; at: Point }
  | { do: 'turnDrop'; figureId: number; how: 'released' | 'interrupted' | 'givenUp' }
  | { do: 'stretchStart'; figureId: number }
  | { do: 'stretch'; figureId: number; from: readonly [Point, Point]; to: readonly [Point, Point] }
  | { do: 'stretchDrop'; figureId: number; how: 'released' | 'interrupted' | 'givenUp' }
  | { do: 'pan'; dx: number; dy: number }
  | { do: 'pinch'; from: readonly [Point, Point]; to: readonly [Point, Point] }
  | { do: 'pointEnd' };

export interface Hand {
  state: HandState;
  /** The last tap on the background, to recognise a double tap. */
  lastTap: { at: Point; time: number } | null;
}

export const IDLE: Hand = { state: { in: 'idle' }, lastTap: null };

/** A mouse or pen drags after 3 px, a finger (it trembles) after 6. */
const slopOf = (pointer: Pointer) => (pointer === 'touch' ? 6 : 3);

const DOUBLE_TAP_MS = 320;
const DOUBLE_TAP_PX = 24;

const far = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

const swap = (pair: readonly [Point, Point], index: number, at: Point): readonly [Point, Point] =>
  index === 0 ? [at, pair[1]] : [pair[0], at];

/** The actions that end the hold of a figure in the given state; none if no figure is held. */
function release(state: HandState, how: 'released' | 'interrupted' | 'givenUp'): Action[] {
  if (state.in === 'drag') return [{ do: 'drop', figureId: state.figureId, how }];
  if (state.in === 'turn') return [{ do: 'turnDrop', figureId: state.figureId, how }];
  if (state.in === 'stretch') return [{ do: 'stretchDrop', figureId: state.figureId, how }];
  return [];
}

function idsOf(state: HandState): readonly number[] {
  if (state.in === 'idle') return [];
  return 'ids' in state ? state.ids : [state.id];
}

function down(hand: Hand, event: Extract<HandEvent, { type: 'down' }>): [Hand, Action[]] {
  const { state } = hand;
  if (state.in === 'idle') {
    if (event.panning) return [{ ...hand, state: { in: 'pan', id: event.id, last: event.at } }, []];
    if (event.hit.on === 'turn') {
      const { figureId } = event.hit;
      return [{ ...hand, state: { in: 'turn', id: event.id, figureId } }, [{ do: 'turnStart', figureId }]];
    }
    const press: HandState = {
      in: 'press',
      id: event.id,
      pointer: event.pointer,
      start: event.at,
      hit: event.hit,
      pointing: event.pointing,
    };
    return [{ ...hand, state: press }, []];
  }
  // A second finger; a mouse button pressed on the way changes nothing.
  if (event.pointer !== 'touch') return [hand, []];
  if (state.in === 'press' && state.pointer === 'touch') {
    const ids = [state.id, event.id] as const;
    const last = [state.start, event.at] as const;
    if (state.hit.on === 'figure' && state.hit.movable && state.hit.selected) {
      const { figureId } = state.hit;
      return [{ ...hand, state: { in: 'stretch', ids, last, figureId } }, [{ do: 'stretchStart', figureId }]];
    }
    return [{ ...hand, state: { in: 'pinch', ids, last } }, []];
  }
  if (state.in === 'pan' || state.in === 'refused') {
    return [{ ...hand, state: { in: 'pinch', ids: [state.id, event.id], last: [state.last, event.at] } }, []];
  }
  return [hand, []];
}

function move(hand: Hand, { id, at }: Extract<HandEvent, { type: 'move' }>): [Hand, Action[]] {
  const { state } = hand;
  if (state.in === 'press' && state.id === id) {
    if (far(state.start, at) < slopOf(state.pointer)) return [hand, []];
    if (state.hit.on === 'figure' && state.hit.movable) {
      const { figureId } = state.hit;
      return [
        { ...hand, state: { in: 'drag', id, figureId } },
        [
          { do: 'grab', figureId, at: state.start },
          { do: 'drag', figureId, at },
        ],
      ];
    }
    if (state.pointing) return [{ ...hand, state: { in: 'point', id } }, []];
    // A press on a figure is not about the view, which keeps showing all of them.
    if (state.hit.on === 'figure') return [{ ...hand, state: { in: 'refused', id, last: at } }, []];
    return [
      { ...hand, state: { in: 'pan', id, last: at } },
      [{ do: 'pan', dx: at.x - state.start.x, dy: at.y - state.start.y }],
    ];
  }
  if (state.in === 'drag' && state.id === id) return [hand, [{ do: 'drag', figureId: state.figureId, at }]];
  if (state.in === 'turn' && state.id === id) return [hand, [{ do: 'turn', figureId: state.figureId, at }]];
  if (state.in === 'pan' && state.id === id) {
    const action: Action = { do: 'pan', dx: at.x - state.last.x, dy: at.y - state.last.y };
    return [{ ...hand, state: { ...state, last: at } }, [action]];
  }
  if (state.in === 'refused' && state.id === id) return [{ ...hand, state: { ...state, last: at } }, []];
  if (state.in === 'pinch' || state.in === 'stretch') {
    const index = state.ids.indexOf(id);
    if (index < 0) return [hand, []];
    const from = state.last;
    const to = swap(from, index, at);
    const next: Hand = { ...hand, state: { ...state, last: to } };
    if (state.in === 'pinch') return [next, [{ do: 'pinch', from, to }]];
    return [next, [{ do: 'stretch', figureId: state.figureId, from, to }]];
  }
  return [hand, []];
}

function tap(hand: Hand, hit: Hit, at: Point, time: number): [Hand, Action[]] {
  if (hit.on === 'figure')
    return [{ state: { in: 'idle' }, lastTap: null }, [{ do: 'tapFigure', figureId: hit.figureId }]];
  const { lastTap } = hand;
  if (lastTap && time - lastTap.time <= DOUBLE_TAP_MS && far(lastTap.at, at) <= DOUBLE_TAP_PX) {
    return [{ state: { in: 'idle' }, lastTap: null }, [{ do: 'fit' }]];
  }
  return [{ state: { in: 'idle' }, lastTap: { at, time } }, [{ do: 'tapGround' }]];
}

function up(hand: Hand, id: number, ended: { at: Point; time: number } | null): [Hand, Action[]] {
  const { state } = hand;
  if (!idsOf(state).includes(id)) return [hand, []];
  const idle: Hand = { ...hand, state: { in: 'idle' } };
  if (state.in === 'press') return ended ? tap(hand, state.hit, ended.at, ended.time) : [idle, []];
  if (state.in === 'point') return [idle, [{ do: 'pointEnd' }]];
  // A cancelled pointer (a call comes in, the system takes a gesture) drops the figure at its position.
  const actions = release(state, 'released');
  if (state.in === 'pinch') {
    const rest = state.ids[0] === id ? 1 : 0;
    return [{ ...hand, state: { in: 'pan', id: state.ids[rest], last: state.last[rest] } }, actions];
  }
  const left = idsOf(state).filter((other) => other !== id);
  return [left.length > 0 ? { ...hand, state: { in: 'spent', ids: left } } : idle, actions];
}

/**
 * The next state of the gesture and its actions, in order. A hold that begins always ends with exactly one drop action,
 * whatever happens in between.
 */
export function hand(before: Hand, event: HandEvent): [Hand, Action[]] {
  const { state } = before;
  switch (event.type) {
    case 'down': {
      // The same pointer down twice: its end was lost, so it ends now.
      const [cleared, ended] = up(before, event.id, null);
      const [after, begun] = down(cleared, event);
      return [after, [...ended, ...begun]];
    }
    case 'move':
      return move(before, event);
    case 'up':
      return up(before, event.id, event);
    case 'cancel':
      return up(before, event.id, null);
    case 'taken': {
      if (!('figureId' in state) || state.figureId !== event.figureId) return [before, []];
      return [{ ...before, state: { in: 'spent', ids: idsOf(state) } }, release(state, 'interrupted')];
    }
    case 'giveUp': {
      const actions = release(state, 'givenUp');
      return actions.length > 0 ? [{ ...before, state: { in: 'spent', ids: idsOf(state) } }, actions] : [before, []];
    }
  }
}
