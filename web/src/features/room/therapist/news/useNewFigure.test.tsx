/** Recognises the figure that this browser added, in either order of snapshot and confirmation. */
import { FIELD_SEND, type Figure } from '@fieldroom/contract/field';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FakeConnection, fakeConnection } from '../../../../platform/realtime/connection.fixture.ts';
import { aFigure } from '../../../field/figures.testing.ts';
import { createRoomStore, type RoomStore } from '../../store/roomStore.ts';
import { leadToNewFigure, useNewFigure } from './useNewFigure.ts';

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
/** A figure that somebody has added; with the id of the act, its confirmation. */
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

test('one’s own figure is recognised once it is confirmed, another person’s is not', () => {
  const onAdded = open();
  const actId = add();
  put(2, aFigure(2), null);
  expect(onAdded).not.toHaveBeenCalled();
  put(3, aFigure(3), actId);
  put(4, aFigure(4), null);
  expect(onAdded.mock.calls).toEqual([[3]]);
});

test('it is recognised if the connection broke and the snapshot arrives before the confirmation', () => {
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

test('it is recognised if the confirmation came after a gap, once the snapshot has it', () => {
  const onAdded = open();
  const actId = add();
  put(3, aFigure(3), actId);
  expect(onAdded).not.toHaveBeenCalled();
  field(4, 1, 2, 3, 4);
  expect(onAdded.mock.calls).toEqual([[3]]);
});

test('a confirmed act of another kind is ignored', () => {
  const onAdded = open();
  const actId = store.act({ kind: 'edit', figureId: 1, name: 'Anna' });
  put(2, aFigure(1, { name: 'Anna' }), actId);
  expect(onAdded).not.toHaveBeenCalled();
});

describe('5.25 the focus', () => {
  const selection = { get: () => ({ selectedId: 1 }), select: vi.fn(), askName: vi.fn() };
  beforeEach(() => {
    selection.select.mockReset();
    selection.askName.mockReset();
  });
  afterEach(() => document.body.replaceChildren());
  /** The focused element when the new figure appears. */
  const focused = (html: string) => {
    document.body.innerHTML = html;
    document.body.querySelector<HTMLElement>('button, input, textarea')!.focus();
  };
  const comes = (phone = false) => {
    leadToNewFigure(2, { store, selection, phone });
    return [selection.select.mock.calls, selection.askName.mock.calls];
  };
  const tools = (name: string) => focused(`<section data-room="figure-bar"><input value="${name}" /></section>`);

  test('moves to the name of a new figure from the button that adds it, except on a phone', () => {
    focused('<button>Star</button>');
    expect(comes()).toEqual([[], [[2]]]);
    expect(comes(true)).toEqual([[[2]], [[2]]]);
  });

  test('moves there from the list of own icons while it closes', () => {
    focused('<div role="dialog"><button>Put on the field</button></div>');
    expect(comes()).toEqual([[], [[2]]]);
  });

  test.each([
    ['a text', '<textarea></textarea>'],
    ['a text of a dialog', '<div role="dialog"><input /></div>'],
  ])('stays in %s: the figure is only selected', (_, html) => {
    focused(html);
    expect(comes()).toEqual([[[2]], []]);
  });

  test('stays in the name of another figure once something is typed there', () => {
    tools('f1');
    expect(comes()).toEqual([[], [[2]]]);
    tools('f1 and more');
    expect(comes()).toEqual([[], [[2]]]);
    expect(comes(true)).toEqual([[], [[2]]]);
  });
});
