/** Notices of waiting people (docs/product.md#11.62). */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { act, cleanup, renderHook } from '@testing-library/react';
import { type ReactNode, useCallback } from 'react';
import { afterEach, expect, test } from 'vitest';
import { fakeConnection } from '../../../../platform/realtime/connection.fixture.ts';
import { toldOf, useToast } from '../../notices/Toast.tsx';
import { createRoomStore } from '../../store/roomStore.ts';
import { RoomProvider } from '../../store/useRoom.ts';
import { useArrivals } from './useArrivals.ts';

afterEach(cleanup);

test('11.62: a person who has stopped waiting is neither named nor counted', () => {
  const connection = fakeConnection();
  const store = createRoomStore({ connection, me: { id: 9, as: 'THERAPIST' } });
  let stamp = 0;
  const waiting = (...names: string[]) => {
    stamp += 1;
    connection.say({
      eventType: 'UNREGISTER_USER',
      contents: {
        people: [],
        therapistHere: true,
        waiting: names.map((name) => ({ id: name.length, name }) as WaitingPerson),
      },
      usersUpdatedOn: stamp,
      participantsUpdatedOn: 1,
    });
  };
  const { result: said } = renderHook(
    () => {
      const { told, tell, onlyThose } = useToast();
      useArrivals(
        useCallback(
          (who) => tell(toldOf({ kind: 'arrived', who, text: (all) => all.map(({ name }) => name).join() })),
          [tell],
        ),
        useCallback((who) => onlyThose('arrived', who), [onlyThose]),
      );
      return told?.text ?? null;
    },
    { wrapper: ({ children }: { children: ReactNode }) => <RoomProvider store={store}>{children}</RoomProvider> },
  );
  act(() => waiting('Anna'));
  expect(said.current, 'waited at first').toBeNull();
  act(() => waiting('Anna', 'Tom'));
  expect(said.current).toBe('Tom');
  act(() => waiting('Anna', 'Tom', 'Hanne'));
  expect(said.current).toBe('Tom,Hanne');
  act(() => waiting('Hanne'));
  expect(said.current).toBe('Hanne');
  act(() => waiting());
  expect(said.current).toBeNull();
  store.close();
});
