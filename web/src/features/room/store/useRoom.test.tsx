import type { Person } from '@fieldroom/contract/clients';
import type { Figure } from '@fieldroom/contract/field';
import { act, cleanup, render, renderHook } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import field from '../../../locales/en/field.json';
import { type FakeConnection, fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomStore, type RoomStore } from './roomStore.ts';
import { useFiguresOnField } from '../../field/room/useFiguresOnField.ts';
import { aFigure } from '../../field/figures.testing.ts';
import { useCanUndo } from '../../field/index.ts';
import { RoomProvider, useRoomPart } from './useRoom.ts';

let store: RoomStore;
let connection: FakeConnection;
const inRoom = ({ children }: { children: ReactNode }) => <RoomProvider store={store}>{children}</RoomProvider>;

beforeAll(() =>
  i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { field } }, interpolation: { escapeValue: false } }),
);
beforeEach(() => {
  connection = fakeConnection();
  store = createRoomStore({ connection, me: { id: 1, as: 'THERAPIST' } });
  connection.say({
    eventType: 'PLAYERS_VALUE',
    contents: { figures: [aFigure(1), aFigure(2)], handsAllowed: true },
    usersUpdatedOn: 1,
    participantsUpdatedOn: 1,
  });
  connection.say({
    eventType: 'UNREGISTER_USER',
    contents: { people: [], therapistHere: true },
    usersUpdatedOn: 1,
    participantsUpdatedOn: 1,
  });
});
afterEach(() => {
  cleanup();
  store.close();
});

/** The server stores the last sent act, as a figure. */
function confirm(revision: number, figure: Figure) {
  const { actId } = connection.sent.at(-1)!.body as { actId: string };
  act(() =>
    connection.say({
      eventType: 'PLAYER_CHANGE',
      contents: { revision, actId, by: 1, ops: [{ op: 'put', figure }] },
      usersUpdatedOn: 1,
      participantsUpdatedOn: revision,
    }),
  );
}

test('a component is redrawn only for its own slice', () => {
  const drawn = vi.fn();
  const Undo = () => {
    drawn(useCanUndo());
    return null;
  };
  render(<Undo />, { wrapper: inRoom });
  expect(drawn).toHaveBeenCalledTimes(1);
  act(() => {
    store.act({ kind: 'place', figureId: 1, x: 300, y: 300 });
  });
  expect(drawn).toHaveBeenCalledTimes(2);
  expect(drawn).toHaveBeenLastCalledWith({ undo: true, redo: false });
  confirm(2, aFigure(1, { x: 300, y: 300, updatedOn: 2 }));
  expect(drawn).toHaveBeenCalledTimes(2);
  act(() => {
    store.act({ kind: 'place', figureId: 1, x: 400, y: 300 });
  });
  confirm(3, aFigure(1, { x: 400, y: 300, updatedOn: 3 }));
  expect(drawn).toHaveBeenCalledTimes(2);
});

test('an equal selection keeps its first object', () => {
  const { result } = renderHook(
    () =>
      useRoomPart(
        (model) => model.field?.figures.map((figure) => figure.name),
        (a, b) => a?.join() === b?.join(),
      ),
    { wrapper: inRoom },
  );
  const first = result.current;
  act(() => {
    store.act({ kind: 'place', figureId: 1, x: 300, y: 300 });
  });
  confirm(2, aFigure(1, { x: 300, y: 300, updatedOn: 2 }));
  expect(result.current).toBe(first);
  act(() => {
    store.act({ kind: 'edit', figureId: 1, name: 'other' });
  });
  confirm(3, aFigure(1, { name: 'other', updatedOn: 3 }));
  expect(result.current).toEqual(['other', 'f2']);
});

/** The figures as the therapist's field receives them; their value changes with the room. */
function figuresOfTherapist() {
  const me = { id: 1, mover: { as: 'therapist' } as const };
  const nobody: Person[] = [];
  const library = {
    icons: null,
    urls: new Map(),
    sizes: new Map(),
    refresh: () => undefined,
    save: vi.fn(),
    remove: vi.fn(),
  };
  const { result } = renderHook(() => useFiguresOnField({ me, people: nobody, still: false, library }), {
    wrapper: inRoom,
  });
  return result;
}

test('only the moved figure is a new object, and the server’s answer changes none', () => {
  const result = figuresOfTherapist();
  const [, second] = result.current;
  expect(second?.label).toContain('f2');
  act(() => {
    store.act({ kind: 'place', figureId: 1, x: 1500, y: 900 });
  });
  const moved = result.current;
  expect(moved[0]).toMatchObject({ id: 1, x: 1500, y: 900 });
  expect(moved[1]).toBe(second);
  confirm(2, aFigure(1, { x: 1500, y: 900, updatedOn: 2 }));
  expect(result.current).toBe(moved);
});

test('5.35 the label of a figure with relations follows the names in it, but not moves of other figures', () => {
  const relation = { to: 1, kind: 'plain' as const, color: '#953300', word: '' };
  const result = figuresOfTherapist();
  act(() => {
    store.act({ kind: 'edit', figureId: 2, relations: [relation] });
  });
  confirm(2, aFigure(2, { relations: [relation], updatedOn: 2 }));
  const [, related] = result.current;
  expect(related?.label).toContain('f1');
  act(() => {
    store.act({ kind: 'place', figureId: 1, x: 1500, y: 900 });
  });
  expect(result.current[1]).toBe(related);
  act(() => {
    store.act({ kind: 'edit', figureId: 1, name: 'Grandmother' });
  });
  expect(result.current[1]?.label).toContain('Grandmother');
});
