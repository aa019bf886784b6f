/** The drawing shows what is stored: drags and pointers of others never outlive their messages. */
import type { Person } from '@fieldroom/contract/clients';
import {
  FIELD_SEND,
  type FieldActMessage,
  type Figure,
  HOLD_MS,
  type DragPosition,
  type PointerPosition,
} from '@fieldroom/contract/field';
import type { Change } from '@fieldroom/contract/realtime';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionState } from '../../../platform/realtime/index.ts';
import { type FakeConnection, fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { aFigure } from '../figures.testing.ts';
import { RoomField } from './RoomField.tsx';
import { createRoomStore, type RoomStore } from '../../room/store/roomStore.ts';
import { RoomProvider } from '../../room/store/useRoom.ts';

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => [key].flat()[0] }) }));

const ANNA = 1;
const HANNA = 2;
const mother = (change: Partial<Figure> = {}): Figure =>
  aFigure(7, { name: 'Mother', x: 400, y: 400, order: 1, movableBy: 'everyone', updatedOn: 1, ...change });

const frames: FrameRequestCallback[] = [];
let store: RoomStore;
let revision = 1;
let connection: FakeConnection;
const onSelect = vi.fn();
const onNameAsked = vi.fn();
const say = (change: Change) => act(() => connection.say(change));
const become = (state: ConnectionState) => act(() => connection.become(state));
const playersValue = (figure: Figure): Change => ({
  eventType: 'PLAYERS_VALUE',
  contents: { figures: [figure], handsAllowed: true },
  participantsUpdatedOn: (revision += 1),
  usersUpdatedOn: 1,
});
const stored = (figure: Figure, by: number): Change => {
  revision += 1;
  return {
    eventType: 'PLAYER_CHANGE',
    contents: { revision, actId: null, by, ops: [{ op: 'put', figure: { ...figure, updatedOn: revision } }] },
    participantsUpdatedOn: revision,
    usersUpdatedOn: 1,
  };
};
const drag = (patch: Partial<DragPosition> = {}): Change => ({
  eventType: 'PLAYER_DRAG',
  contents: { drags: [{ figureId: 7, x: 900, y: 700, by: HANNA, ...patch }] },
});
const point = (pointer: PointerPosition = { by: HANNA, name: 'Hanna', x: 10, y: 20 }): Change => ({
  eventType: 'POINTER',
  contents: { pointers: [pointer] },
});

/** Lets all glides end. */
function settle() {
  for (let count = 0; count < 4; count += 1) {
    act(() => {
      vi.advanceTimersByTime(150);
    });
    act(() => {
      for (const paint of frames.splice(0)) paint(performance.now());
    });
  }
}
const place = () =>
  /translate\(([^)]*)\)/.exec(screen.getByRole('button', { name: /figure/ }).getAttribute('transform') ?? '')?.[1];
const marks = () => document.querySelectorAll('[data-mark]').length;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => frames.splice(0));
  frames.length = 0;
  revision = 1;
  connection = fakeConnection();
  store = createRoomStore({ connection, me: { id: ANNA, as: 'THERAPIST' } });
  const me = { id: ANNA, mover: { as: 'therapist' } } as const;
  const nobody: Person[] = [];
  const library = { icons: [], urls: new Map(), sizes: new Map(), save: vi.fn(), remove: vi.fn(), refresh: vi.fn() };
  render(
    <RoomProvider store={store}>
      <RoomField
        me={me}
        people={nobody}
        still={false}
        therapistName="Anna"
        scheme="light"
        beams={false}
        library={library}
        selectedId={null}
        onSelect={onSelect}
        onNameAsked={onNameAsked}
        pointing={false}
        onPointing={vi.fn()}
        ownView={false}
        emptyText={{ title: '' }}
      />
    </RoomProvider>,
  );
  say(playersValue(mother()));
  settle();
  expect(place()).toBe('400 400');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function heldByHanna() {
  say(drag());
  say(point());
  settle();
  expect(place()).toBe('900 700');
  expect(marks()).toBe(3);
}

test('after reconnecting, a figure that was released is not held, and no pointer remains', () => {
  heldByHanna();
  become('lost');
  become('open');
  expect(marks()).toBe(0);
  say(playersValue(mother({ x: 200, y: 300, updatedOn: 5 })));
  settle();
  expect(place()).toBe('200 300');
});

test('a new snapshot of the whole field replaces earlier drags', () => {
  heldByHanna();
  say(playersValue(mother({ x: 200, y: 300, updatedOn: 5 })));
  settle();
  expect([place(), marks()]).toEqual(['200 300', 0]);
  // A drag that is still running is repeated by its next move.
  say(drag({ x: 210 }));
  settle();
  expect([place(), marks()]).toEqual(['210 700', 2]);
});

test('a drag and a pointer without further messages end after the hold time', () => {
  heldByHanna();
  act(() => {
    vi.advanceTimersByTime(HOLD_MS - 700);
  });
  expect(marks()).toBe(3);
  say(drag({ x: 910 }));
  act(() => {
    vi.advanceTimersByTime(800);
  });
  expect(marks()).toBe(2);
  act(() => {
    vi.advanceTimersByTime(HOLD_MS);
  });
  settle();
  expect([place(), marks()]).toEqual(['400 400', 0]);
});

test('5.13 a person’s drag and pointer on another screen of theirs are shown; this browser’s own are not', () => {
  const marksAfter = (...changes: Change[]) => {
    changes.forEach(say);
    settle();
    return [place(), marks()];
  };
  const byAnna = [drag({ by: ANNA }), point({ by: ANNA, name: 'Anna', x: 10, y: 20 })];
  expect(marksAfter(...byAnna)).toEqual(['900 700', 3]);
  expect(marksAfter(drag({ by: ANNA, end: true }), stored(mother({ x: 900, y: 700 }), ANNA))).toEqual(['900 700', 1]);
  expect(marksAfter(point({ by: ANNA, off: true }))).toEqual(['900 700', 0]);
  store.drag({ figureId: 7, x: 100, y: 100 });
  store.point({ x: 10, y: 20 });
  expect(marksAfter(drag({ x: 100, y: 100, by: ANNA }), byAnna[1]!)).toEqual(['900 700', 0]);
  act(() => {
    vi.advanceTimersByTime(HOLD_MS);
  });
  expect(marksAfter(...byAnna.slice(1), drag({ x: 300, by: ANNA }))).toEqual(['300 700', 3]);
});

test('a stored move ends any drag of the figure, a new name does not', () => {
  heldByHanna();
  say(stored(mother({ name: 'Grandmother' }), ANNA));
  expect(marks()).toBe(3);
  say(stored(mother({ name: 'Grandmother', x: 500, y: 500 }), ANNA));
  settle();
  expect([place(), marks()]).toEqual(['500 500', 1]);
});

test('5.25: dragging a figure selects it; Enter on it opens its name', () => {
  HTMLElement.prototype.setPointerCapture = () => {};
  const figure = screen.getByRole('button', { name: /figure/ });
  const at = (clientX: number) => ({ pointerId: 1, pointerType: 'mouse', button: 0, clientX, clientY: 10 });
  fireEvent.pointerDown(figure, at(10));
  expect(onSelect).not.toHaveBeenCalled();
  fireEvent.pointerMove(figure, at(40));
  expect(onSelect.mock.calls).toEqual([[7]]);
  fireEvent.pointerUp(figure, at(40));
  expect(onNameAsked).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByRole('button', { name: /figure/ }), { key: 'Enter' });
  expect(onNameAsked.mock.calls).toEqual([[7]]);
});

test('a dragged figure is dropped when its move is refused, and not when another figure’s is', () => {
  HTMLElement.prototype.setPointerCapture = () => {};
  const refused = (figureId: number | null): Change => ({
    eventType: 'PROBLEM',
    contents: { actId: null, figureId, problem: { type: 'about:blank', title: '', status: 409, code: 'figure_held' } },
  });
  const figure = screen.getByRole('button', { name: /figure/ });
  const at = (clientX: number) => ({ pointerId: 1, pointerType: 'mouse', button: 0, clientX, clientY: 10 });
  fireEvent.pointerDown(figure, at(10));
  fireEvent.pointerMove(figure, at(40));
  settle();
  const held = place();
  expect(held).not.toBe('400 400');
  say(refused(8));
  say(refused(null));
  settle();
  expect(place()).toBe(held);
  say(refused(7));
  settle();
  expect(place()).toBe('400 400');
});

describe('moving by key', () => {
  const key = (name: string) => fireEvent.keyDown(screen.getByRole('button', { name: /figure/ }), { key: name });
  const acts = () =>
    connection.sent.flatMap(({ destination, body }) =>
      destination === FIELD_SEND.act ? [(body as FieldActMessage).act] : [],
    );
  const step = { kind: 'place', figureId: 7, x: 410, y: 400 };

  test('5.7 a step is stored before it is undone, at once', () => {
    key('ArrowRight');
    expect(acts()).toEqual([]);
    act(() => store.undo());
    const actId = store.get().pending[0]?.actId;
    expect(acts()).toEqual([expect.objectContaining(step), { kind: 'undo', actId }]);
    act(() => {
      vi.advanceTimersByTime(1_000);
    });
    expect(acts()).toHaveLength(2);
  });

  test('a step is stored before the next act, and when storing is requested', () => {
    key('ArrowRight');
    act(() => void store.act({ kind: 'showTexts', value: true }));
    expect(acts()).toEqual([expect.objectContaining(step), { kind: 'showTexts', value: true }]);
    key('ArrowRight');
    act(() => store.storeSteps());
    expect(acts()[2]).toMatchObject({ ...step, x: 420 });
  });

  test('removing a figure discards its step that is not stored yet', () => {
    key('ArrowRight');
    say({
      eventType: 'PLAYER_CHANGE',
      contents: { revision: (revision += 1), actId: null, by: HANNA, ops: [{ op: 'remove', figureId: 7 }] },
      participantsUpdatedOn: revision,
      usersUpdatedOn: 1,
    });
    act(() => {
      vi.advanceTimersByTime(1_000);
    });
    expect(acts()).toEqual([]);
  });

  test.each([
    ['undo', () => store.undo()],
    [
      'rest',
      () => {
        vi.advanceTimersByTime(1_000);
      },
    ],
  ])('5.7 steps of several figures are stored in the order of their last steps: %s', (_, end) => {
    say(stored(mother({ id: 8, name: 'Father', x: 700 }), HANNA));
    const [first, second] = screen.getAllByRole('button', { name: /figure/ });
    for (const figure of [first, second, first]) if (figure) fireEvent.keyDown(figure, { key: 'ArrowRight' });
    act(end);
    expect(acts().slice(0, 2)).toMatchObject([
      { kind: 'place', figureId: 8, x: 710 },
      { kind: 'place', figureId: 7, x: 420 },
    ]);
    const undone = acts().slice(2);
    if (undone.length > 0) expect(undone).toEqual([{ kind: 'undo', actId: store.get().pending[1]?.actId }]);
  });

  test.each([
    ['ArrowRight', 'ArrowLeft', { x: 400, y: 400 }],
    [']', '[', { rotation: 0 }],
  ])('a step back is stored before the step out is confirmed: %s', (out, back, place) => {
    key(out);
    act(() => store.storeSteps());
    key(back);
    act(() => store.storeSteps());
    expect(acts()).toHaveLength(2);
    expect(acts()[1]).toMatchObject({ kind: 'place', figureId: 7, ...place });
  });
});
