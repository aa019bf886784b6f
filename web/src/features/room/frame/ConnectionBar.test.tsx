import { type Change, ANSWER_EXPECTED_MS } from '@fieldroom/contract/realtime';
import { act, cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import room from '../../../locales/en/room.json';
import { type ConnectionState } from '../../../platform/realtime/index.ts';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { NEWS_MS } from '../../../ui/states/newsTimes.ts';
import { ConnectionBar } from './ConnectionBar.tsx';
import { createRoomStore, type RoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';

let store: RoomStore;
let say: (change: Change) => void;
let become: (state: ConnectionState) => void;

beforeAll(() =>
  i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { room } }, interpolation: { escapeValue: false } }),
);
beforeEach(() => {
  vi.useFakeTimers();
  const connection = fakeConnection();
  say = (change) => act(() => connection.say(change));
  become = (state) => act(() => connection.become(state));
  store = createRoomStore({ me: { id: 9, as: 'CLIENT' }, connection });
  render(
    <RoomProvider store={store}>
      <ConnectionBar therapistName="Anna" />
    </RoomProvider>,
  );
});
afterEach(() => {
  cleanup();
  store.close();
  vi.useRealTimers();
});

const shown = () => screen.getByRole('status').textContent;
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

test('says within five seconds that acts are not confirmed, and stops when they are', () => {
  let actId = '';
  act(() => {
    actId = store.act({ kind: 'showTexts', value: true });
  });
  pass(ANSWER_EXPECTED_MS);
  expect(shown()).toBe('');
  pass(5_000 - ANSWER_EXPECTED_MS);
  expect(shown()).toBe(room.connection.unanswered);
  say({
    eventType: 'PLAYER_CHANGE',
    contents: { revision: 1, actId, by: 9, ops: [] },
    usersUpdatedOn: 0,
    participantsUpdatedOn: 1,
  });
  expect(shown()).toBe('The connection works again.');
  pass(NEWS_MS);
  expect(shown()).toBe('');
});

test('a lost connection is reported first', () => {
  act(() => {
    store.act({ kind: 'showTexts', value: true });
  });
  pass(5_000);
  become('lost');
  pass(2_000);
  expect(shown()).toBe(room.connection.offline);
});

test('the end of a message is announced once; a message that was never shown has none', () => {
  expect(shown()).toBe('');
  become('lost');
  pass(500);
  become('open');
  expect(shown()).toBe('');
  become('lost');
  pass(2_000);
  become('open');
  expect(shown()).toBe('You’re back online.');
  expect(screen.getByText('You’re back online.').className).toBe('fr-hidden');
  pass(NEWS_MS);
  expect(shown()).toBe('');
});

test('no end is announced once the live session is over', () => {
  become('lost');
  pass(2_000);
  say({ eventType: 'SESSION_OUT', contents: { reason: 'ended' }, usersUpdatedOn: 1, participantsUpdatedOn: 1 });
  become('open');
  expect(shown()).toBe('');
});

test('4.12 the words fit a therapist who left and one who lost the connection', () => {
  say({
    eventType: 'PLAYERS_VALUE',
    contents: { figures: [], handsAllowed: true },
    usersUpdatedOn: 1,
    participantsUpdatedOn: 1,
  });
  say({
    eventType: 'UNREGISTER_USER',
    contents: { people: [], therapistHere: false },
    usersUpdatedOn: 1,
    participantsUpdatedOn: 1,
  });
  pass(2_000);
  expect(shown()).toBe('Anna is not in the room at the moment. Please wait – the field is paused.');
  say({
    eventType: 'UNREGISTER_USER',
    contents: { people: [], therapistHere: true },
    usersUpdatedOn: 2,
    participantsUpdatedOn: 1,
  });
  expect(shown()).toBe('Anna is back in the room.');
});
