/** Waiting people are shown where the list of people is not visible. */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { WaitingNote } from './WaitingNote.tsx';

vi.mock('react-i18next', () => ({
  useTranslation: () => ({ t: (key: string) => key }),
}));
afterEach(cleanup);

const NAMES = ['Hanna', 'Jonas', 'Mirela', 'Karim', 'Ioana'];

function show(count: number) {
  const connection = fakeConnection();
  const store = createRoomStore({ connection, me: { id: 7, as: 'THERAPIST' } });
  let revision = 0;
  /** This many people wait from now on. */
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
        <aside aria-label="panel" tabIndex={-1}>
          <WaitingNote {...acts} />
          <button type="button">elsewhere</button>
        </aside>
      </RoomProvider>
    </MantineProvider>,
  );
  return { ...acts, wait: (many: number) => act(() => wait(many)) };
}

/** The text about waiting people, without the number. */
const names = () => document.querySelector('p > span')?.textContent;

test('nothing is shown while nobody waits', () => {
  show(0);
  expect(screen.queryByText('people.waiting')).toBeNull();
});

test('one person is named and admitted, here or from the list', async () => {
  const { onShow, onAdmit } = show(1);
  expect(screen.getByText('Hanna')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'people.letInName' }));
  expect(onAdmit.mock.calls).toEqual([[[1]]]);
  await userEvent.click(screen.getByRole('button', { name: 'people.heading' }));
  expect(onShow).toHaveBeenCalledOnce();
});

test('11.53 two people are admitted here, both of them', async () => {
  const { onAdmit } = show(2);
  await userEvent.click(screen.getByRole('button', { name: 'people.letBothIn' }));
  expect(onAdmit.mock.calls).toEqual([[[1, 2]]]);
});

test('4.4 the button admits those who are named at the press', async () => {
  const { onAdmit, wait } = show(2);
  wait(3);
  expect(names()).toBe('Hanna, Jonas and Mirela');
  await userEvent.click(screen.getByRole('button', { name: 'people.letAllIn' }));
  expect(onAdmit.mock.calls).toEqual([[[1, 2, 3]]]);
});

test('4.4 all people who can be admitted are named, however many, each name in its own direction', () => {
  show(5);
  expect(names()).toBe('Hanna, Jonas, Mirela, Karim and Ioana');
  expect([...document.querySelectorAll('bdi')].map(({ textContent }) => textContent)).toEqual(NAMES);
});

test('a scrolling list of names can be focused, a short one cannot, and the focus stays when it becomes short', () => {
  const { wait } = show(3);
  const list = document.querySelector<HTMLElement>('p > span')!;
  expect(list.tabIndex).toBe(-1);
  wait(4);
  expect(screen.getByRole('group', { name: 'people.waiting' })).toBe(list);
  expect(list.tabIndex).toBe(0);
  list.focus();
  wait(3);
  expect(document.activeElement).toBe(list);
});

test('after the last person is admitted here, the focus moves to the panel', async () => {
  const { wait } = show(1);
  const panel = screen.getByRole('complementary', { name: 'panel' });
  await userEvent.click(screen.getByRole('button', { name: 'people.letInName' }));
  wait(0);
  expect(document.activeElement).toBe(panel);
  panel.blur();
  wait(1);
  wait(0);
  expect(document.activeElement).toBe(document.body);
});

test('the focus of a person who moved on elsewhere stays there', async () => {
  const { wait } = show(1);
  await userEvent.click(screen.getByRole('button', { name: 'people.letInName' }));
  const elsewhere = screen.getByRole('button', { name: 'elsewhere' });
  await userEvent.click(elsewhere);
  wait(0);
  expect(document.activeElement).toBe(elsewhere);
  elsewhere.blur();
  wait(1);
  wait(0);
  expect(document.activeElement).toBe(document.body);
});
