/** How long the waiting room stays visible (docs/product.md#11.67). */
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeConnection, type FakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomStore, type RoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { useFieldComing } from './useFieldComing.ts';

let connection: FakeConnection;
let store: RoomStore;
beforeEach(() => {
  connection = fakeConnection('connecting');
  store = createRoomStore({ connection, me: { id: 9, as: 'CLIENT' } });
});
afterEach(() => {
  cleanup();
  store.close();
});

const show = () =>
  renderHook(useFieldComing, {
    wrapper: ({ children }: { children: ReactNode }) => <RoomProvider store={store}>{children}</RoomProvider>,
  }).result;

test('until the field is known, also once the connection is open', () => {
  const coming = show();
  expect(coming.current).toBe(true);
  act(() => connection.become('open'));
  expect(coming.current).toBe(true);
  act(() =>
    connection.say({
      eventType: 'PLAYERS_VALUE',
      contents: { figures: [], handsAllowed: true },
      usersUpdatedOn: 1,
      participantsUpdatedOn: 1,
    }),
  );
  expect(coming.current).toBe(false);
});

test('or until the connection that would bring it is lost, which the room reports', () => {
  const coming = show();
  act(() => connection.become('lost'));
  expect(coming.current).toBe(false);
});
