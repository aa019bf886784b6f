// @vitest-environment happy-dom
import type { FieldOp } from '@fieldroom/contract/field';
import { problemBody } from '@fieldroom/contract/problems';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeConnection, fakeConnection } from '../../../../platform/realtime/connection.fixture.ts';
import type { Told } from '../../notices/Toast.tsx';
import { createRoomStore, type RoomStore } from '../../store/roomStore.ts';
import { createStoredNews } from './storedNews.ts';

let connection: FakeConnection;
let store: RoomStore;
const tell = vi.fn<(told: Told) => void>();
let revision = 0;
beforeEach(() => {
  tell.mockReset();
  revision = 1;
  connection = fakeConnection();
  store = createRoomStore({ connection, me: { id: 7, as: 'THERAPIST' } });
  connection.say({
    eventType: 'PLAYERS_VALUE',
    contents: { figures: [], handsAllowed: true },
    usersUpdatedOn: 1,
    participantsUpdatedOn: revision,
  });
});
const confirm = async (actId: string, ops: FieldOp[] = [], more: { unchanged?: true } = {}) => {
  revision += 1;
  const contents = { revision, actId, by: 7, ops, ...more };
  connection.say({ eventType: 'PLAYER_CHANGE', contents, usersUpdatedOn: 1, participantsUpdatedOn: revision });
  await Promise.resolve();
  await Promise.resolve();
};
const news = (actId: string) => createStoredNews({ store, tell, undoLabel: 'Undo' })(actId, { text: 'done' });

test('an act is reported once it is stored, and its button undoes this act, not later ones', async () => {
  const removal = store.act({ kind: 'remove', figureId: 3 });
  void news(removal);
  expect(tell).not.toHaveBeenCalled();
  await confirm(removal);
  expect(tell).toHaveBeenCalledOnce();
  await confirm(store.act({ kind: 'place', figureId: 4, x: 10, y: 10 }));
  tell.mock.lastCall![0].act!.run();
  expect(store.get().pending.map(({ act }) => act)).toEqual([{ kind: 'undo', actId: removal }]);
});

test('an act that changed nothing is reported too, with nothing to undo', async () => {
  const reset = store.act({ kind: 'reset' });
  void news(reset);
  await confirm(reset, [], { unchanged: true });
  expect(tell.mock.calls).toEqual([[{ text: 'done' }]]);
});

test('an act that could not be stored is not reported as done', async () => {
  connection.become('lost');
  for (let count = 0; count < 100; count += 1) store.act({ kind: 'showTexts', value: true });
  await news(store.act({ kind: 'reset' }));
  expect(tell).not.toHaveBeenCalled();
});

test('a refused act is not reported as done', async () => {
  const removal = store.act({ kind: 'remove', figureId: 3 });
  const told = news(removal);
  const problem = problemBody('not_found', {});
  connection.say({ eventType: 'PROBLEM', contents: { actId: removal, figureId: 3, problem } });
  await told;
  expect(tell).not.toHaveBeenCalled();
});
