/** News of who comes and goes, as messages bring it (docs/product.md#11.62). */
import type { Person } from '@fieldroom/contract/clients';
import { problemBody } from '@fieldroom/contract/problems';
import { act, cleanup, renderHook } from '@testing-library/react';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import field from '../../../locales/en/field.json';
import room from '../../../locales/en/room.json';
import { type FakeConnection, fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomStore, type RoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { useToast } from './Toast.tsx';
import { useRoomNotices } from './useRoomNotices.ts';

let store: RoomStore;
let connection: FakeConnection;
let stamp = 1;

beforeAll(() =>
  i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { room, field } }, interpolation: { escapeValue: false } }),
);
beforeEach(() => {
  stamp = 1;
  connection = fakeConnection();
  store = createRoomStore({ connection, me: { id: 9, as: 'CLIENT' } });
});
afterEach(() => {
  cleanup();
  store.close();
});

const PEOPLE = { Hanna: 1, Tom: 2, Mirela: 3 };
type Name = keyof typeof PEOPLE;
const present = (...names: Name[]) =>
  connection.say({
    eventType: 'UNREGISTER_USER',
    contents: { people: names.map((name) => ({ id: PEOPLE[name], name }) as Person), therapistHere: true },
    usersUpdatedOn: stamp,
    participantsUpdatedOn: 1,
  });
/** Somebody comes in; the list follows as the server sends it, unless it got lost. */
const comes = (name: Name, list: Name[] | null) => {
  stamp += 1;
  connection.say({
    eventType: 'LOGIN',
    contents: { id: PEOPLE[name], name },
    usersUpdatedOn: stamp,
    participantsUpdatedOn: 1,
  });
  if (list) present(...list);
};
const open = () =>
  renderHook(
    () => {
      const toast = useToast();
      useRoomNotices(toast);
      return toast.told?.text ?? null;
    },
    { wrapper: ({ children }: { children: ReactNode }) => <RoomProvider store={store}>{children}</RoomProvider> },
  ).result;

test('11.62: several arrivals are told together', () => {
  const said = open();
  act(() => {
    comes('Hanna', ['Hanna']);
    comes('Tom', ['Hanna', 'Tom']);
  });
  expect(said.current).toBe('2 people have joined.');
});

test('11.62: who has gone before the news is shown is not named, though the message of it got lost', () => {
  const said = open();
  act(() => {
    comes('Hanna', ['Hanna']);
    comes('Tom', null);
    stamp += 1;
    present('Tom');
  });
  expect(said.current).toBe('Tom has joined.');
});

test('11.62: news about somebody who has gone since ends, and does not count them with who comes next', () => {
  const said = open();
  act(() => comes('Hanna', ['Hanna']));
  expect(said.current).toBe('Hanna has joined.');
  stamp += 1;
  act(() => present());
  expect(said.current).toBeNull();
  act(() => comes('Mirela', ['Mirela']));
  expect(said.current).toBe('Mirela has joined.');
});

test('11.62: who is named before the list has them stays named', () => {
  const said = open();
  act(() => present());
  act(() => comes('Hanna', null));
  expect(said.current).toBe('Hanna has joined.');
  act(() => present('Hanna'));
  expect(said.current).toBe('Hanna has joined.');
});

test.each([
  [{ kind: 'undo', actId: '11111111-1111-4111-8111-111111111111' }, 'This can’t be undone any more.'],
  [{ kind: 'place', figureId: 3, x: 5 }, 'This figure is no longer there.'],
] as const)('5.7 what is not found of an undo is no figure: %o', (refused, words) => {
  const said = open();
  act(() => {
    const actId = store.act(refused);
    connection.say({
      eventType: 'PROBLEM',
      contents: { actId, figureId: null, problem: problemBody('not_found', {}) },
    });
  });
  expect(said.current).toBe(words);
});

test('5.13 an act that could not be kept is told', () => {
  const said = open();
  act(() => {
    connection.become('lost');
    for (let count = 0; count <= 100; count += 1) store.act({ kind: 'showTexts', value: true });
  });
  expect(said.current).toBe('Too many changes are waiting to be sent. This one wasn’t kept.');
});
