/** Notices of arrivals and departures, by messages (docs/product.md#11.62). */
import type { Person } from '@fieldroom/contract/clients';
import type { FieldAct } from '@fieldroom/contract/field';
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
import { aFigure } from '../../field/figures.testing.ts';
import { useToast } from './Toast.tsx';
import { useRoomNotices } from './useRoomNotices.ts';

let store: RoomStore;
let connection: FakeConnection;
let stamp = 1;

beforeAll(() =>
  i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { field, room } }, interpolation: { escapeValue: false } }),
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
/** Somebody arrives; the list follows as the server sends it, unless it was lost. */
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

test('11.62: several arrivals are merged into one notice', () => {
  const said = open();
  act(() => {
    comes('Hanna', ['Hanna']);
    comes('Tom', ['Hanna', 'Tom']);
  });
  expect(said.current).toBe('2 people have joined.');
});

test('11.62: a person who left before the notice is shown is not named, even if that message was lost', () => {
  const said = open();
  act(() => {
    comes('Hanna', ['Hanna']);
    comes('Tom', null);
    stamp += 1;
    present('Tom');
  });
  expect(said.current).toBe('Tom has joined.');
});

test('11.62: a notice about somebody who has left ends, and does not count them with the next arrivals', () => {
  const said = open();
  act(() => comes('Hanna', ['Hanna']));
  expect(said.current).toBe('Hanna has joined.');
  stamp += 1;
  act(() => present());
  expect(said.current).toBeNull();
  act(() => comes('Mirela', ['Mirela']));
  expect(said.current).toBe('Mirela has joined.');
});

test('11.62: a person who is named before the list has them stays named', () => {
  const said = open();
  act(() => present());
  act(() => comes('Hanna', null));
  expect(said.current).toBe('Hanna has joined.');
  act(() => present('Hanna'));
  expect(said.current).toBe('Hanna has joined.');
});

test('5.13 an act that could not be stored is reported', () => {
  const said = open();
  act(() => {
    connection.become('lost');
    for (let count = 0; count <= 100; count += 1) store.act({ kind: 'showTexts', value: true });
  });
  expect(said.current).toBe('Too many changes are waiting to be sent. This one wasn’t kept.');
});

test.each<[string, FieldAct]>([
  ['This person is no longer in the room.', { kind: 'giveRole', clientId: 1, figureId: 7 }],
  ['This person is no longer in the room.', { kind: 'takeRole', clientId: 1, figureId: 7 }],
  ['This figure is no longer there.', { kind: 'giveRole', clientId: 1, figureId: 8 }],
  ['This step is no longer kept. Nothing has changed.', { kind: 'undo', actId: crypto.randomUUID() }],
  ['This icon no longer exists.', { kind: 'add', figure: { iconType: 'CUSTOM', iconId: 5, x: 1, y: 1 } }],
  ['This icon no longer exists.', { kind: 'edit', figureId: 7, iconType: 'CUSTOM', iconId: 5 }],
  ['This figure is no longer there.', { kind: 'edit', figureId: 8, iconType: 'CUSTOM', iconId: 5 }],
  ['This figure is no longer there.', { kind: 'edit', figureId: 7, name: 'Mother' }],
  ['This moment no longer exists. The field stays as it is.', { kind: 'backToMoment', momentId: 3 }],
])('a refused act names the missing thing: “%s”', (words, refused) => {
  connection.say({
    eventType: 'PLAYERS_VALUE',
    contents: { figures: [aFigure(7)], handsAllowed: true },
    usersUpdatedOn: 1,
    participantsUpdatedOn: 1,
  });
  present();
  const said = open();
  const actId = store.act(refused);
  act(() =>
    connection.say({
      eventType: 'PROBLEM',
      contents: { actId, figureId: null, problem: problemBody('not_found') },
    }),
  );
  expect(said.current).toBe(words);
});
