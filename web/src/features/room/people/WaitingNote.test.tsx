/** Who waits, told where the list of people is not. */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { WaitingNote } from './WaitingNote.tsx';

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));
afterEach(cleanup);

const NAMES = ['Hanna', 'Jonas', 'Mirela'];

function show(count: number) {
  const connection = fakeConnection();
  const store = createRoomStore({ connection, me: { id: 7, as: 'THERAPIST' } });
  let revision = 0;
  /** So many people wait from now on. */
  const wait = (many: number) => {
    revision += 1;
    const waiting = NAMES.slice(0, many).map((name, index): WaitingPerson => ({
      id: index + 1,
      name,
      arrivedOn: '2026-11-22T10:00:00Z',
      by: 'link',
      connected: true,
      doubleName: false,
    }));
    connection.say({
      eventType: 'UNREGISTER_USER',
      contents: { people: [], therapistHere: true, waiting },
      usersUpdatedOn: revision,
      participantsUpdatedOn: 1,
    });
  };
  wait(count);
  const acts = { onShow: vi.fn(), onAdmit: vi.fn(async (_ids: number[]) => undefined) };
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <RoomProvider store={store}>
        <WaitingNote {...acts} />
      </RoomProvider>
    </MantineProvider>,
  );
  return { ...acts, wait: (many: number) => act(() => wait(many)) };
}

test('nobody who waits is not told of', () => {
  show(0);
  expect(screen.queryByText('people.waiting')).toBeNull();
});

test('one is named and let in, here or from the list', async () => {
  const { onShow, onAdmit } = show(1);
  expect(screen.getByText('Hanna')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'people.letInName' }));
  expect(onAdmit.mock.calls).toEqual([[[1]]]);
  await userEvent.click(screen.getByRole('button', { name: 'people.heading' }));
  expect(onShow).toHaveBeenCalledOnce();
});

test('11.53 two are let in here, both of them', async () => {
  const { onAdmit } = show(2);
  await userEvent.click(screen.getByRole('button', { name: 'people.letBothIn' }));
  expect(onAdmit.mock.calls).toEqual([[[1, 2]]]);
});

test('4.4 all who are let in are those who are named at the press', async () => {
  const { onAdmit, wait } = show(2);
  wait(3);
  expect(screen.getByText('Hanna, Jonas, Mirela')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'people.letAllIn' }));
  expect(onAdmit.mock.calls).toEqual([[[1, 2, 3]]]);
});
