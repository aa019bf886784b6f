/** Whose figure is new: the one that this browser added, in whichever order field and confirmation come. */
import { FIELD_SEND, type Figure } from '@fieldroom/contract/field';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeConnection, fakeConnection } from '../../../../platform/realtime/connection.fixture.ts';
import { aFigure } from '../../../field/figures.testing.ts';
import { createRoomStore, type RoomStore } from '../../store/roomStore.ts';
import { useNewFigure } from './useNewFigure.ts';

const ME = 9;
let connection: FakeConnection;
let store: RoomStore;

const field = (revision: number, ...ids: number[]) =>
  act(() =>
    connection.say({
      eventType: 'PLAYERS_VALUE',
      contents: { figures: ids.map((id) => aFigure(id)), handsAllowed: true },
      usersUpdatedOn: 1,
      participantsUpdatedOn: revision,
    }),
  );
/** A figure that somebody has put; with the id of the act, the confirmation of it. */
const put = (revision: number, figure: Figure, actId: string | null, stamp = revision) =>
  act(() =>
    connection.say({
      eventType: 'PLAYER_CHANGE',
      contents: { revision, actId, by: actId === null ? 8 : ME, ops: [{ op: 'put', figure }] },
      usersUpdatedOn: 1,
      participantsUpdatedOn: stamp,
    }),
  );
const add = () => store.act({ kind: 'add', figure: { iconType: 'STAR', x: 100, y: 100 } });

function open() {
  const onAdded = vi.fn();
  renderHook(() => useNewFigure(store, onAdded));
  return onAdded;
}

beforeEach(() => {
  connection = fakeConnection();
  store = createRoomStore({ connection, me: { id: ME, as: 'THERAPIST' } });
  field(1, 1);
});
afterEach(() => {
  cleanup();
  store.close();
});

test('a figure of one’s own is new once it is confirmed, another person’s is not', () => {
  const onAdded = open();
  const actId = add();
  put(2, aFigure(2), null);
  expect(onAdded).not.toHaveBeenCalled();
  put(3, aFigure(3), actId);
  put(4, aFigure(4), null);
  expect(onAdded.mock.calls).toEqual([[3]]);
});

test('it is new when the connection broke meanwhile and the field comes before the confirmation', () => {
  const onAdded = open();
  const actId = add();
  act(() => connection.become('lost'));
  act(() => connection.become('open'));
  // Somebody else has added one since.
  field(3, 1, 2, 3);
  expect(onAdded).not.toHaveBeenCalled();
  expect(connection.sent.filter(({ destination }) => destination === FIELD_SEND.act)).toHaveLength(2);
  put(2, aFigure(2), actId, 3);
  expect(onAdded.mock.calls).toEqual([[2]]);
});

test('it is new when the confirmation came after a gap, once the field has it', () => {
  const onAdded = open();
  const actId = add();
  put(3, aFigure(3), actId);
  expect(onAdded).not.toHaveBeenCalled();
  field(4, 1, 2, 3, 4);
  expect(onAdded.mock.calls).toEqual([[3]]);
});

test('what is confirmed of another kind is not new', () => {
  const onAdded = open();
  const actId = store.act({ kind: 'edit', figureId: 1, name: 'Anna' });
  put(2, aFigure(1, { name: 'Anna' }), actId);
  expect(onAdded).not.toHaveBeenCalled();
});
