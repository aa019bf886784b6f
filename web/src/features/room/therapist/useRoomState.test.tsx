/** The state of the therapist's room while calls fail and answers overtake each other. */
import type { RoomState } from '@fieldroom/contract/clients';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storage } from '../../../platform/storage.ts';
import { useRoomState } from './useRoomState.ts';

beforeEach(() => {
  vi.useFakeTimers();
  window.localStorage.clear();
  storage.set('user', {
    id: 7,
    firstName: 'Anna',
    lastName: 'Lind',
    email: 'anna@mail.example',
    roles: [],
    authorities: [],
    language: 'en',
    slug: 'anna',
    joinLink: 'first',
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const aRoom = (change: Partial<RoomState> = {}) => ({ code: '1111', joinLink: 'first', ...change }) as RoomState;

/** A server that answers on demand. */
function open() {
  const asked: PromiseWithResolvers<RoomState>[] = [];
  const calls = {
    getRoom() {
      const question = Promise.withResolvers<RoomState>();
      asked.push(question);
      return question.promise;
    },
  };
  const { result, unmount } = renderHook(() => useRoomState(calls));
  const answer = (index: number, room: RoomState) => act(async () => asked[index]?.resolve(room));
  const fail = (index: number) => act(async () => asked[index]?.reject(new TypeError('Failed to fetch')));
  return { asked, answer, fail, known: result, unmount };
}
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const keptLink = () => storage.get('user')?.joinLink;

test('a failed request is repeated, also when the connection returns, until the state is known', async () => {
  const { asked, answer, fail, known } = open();
  await fail(0);
  await later(5000);
  expect(asked).toHaveLength(2);
  await fail(1);
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(asked).toHaveLength(3);
  await answer(2, aRoom());
  expect(known.current.room?.code).toBe('1111');
  await later(600_000);
  expect(asked).toHaveLength(3);
});

test('an older answer that arrives later changes neither the room nor the stored link', async () => {
  const { answer, known } = open();
  act(() => known.current.refresh());
  await answer(1, aRoom({ code: '2222', joinLink: 'second' }));
  await answer(0, aRoom());
  expect([known.current.room?.code, known.current.room?.joinLink, keptLink()]).toEqual(['2222', 'second', 'second']);
});

test('an answer that was requested before a change does not undo the change', async () => {
  const { asked, answer, known } = open();
  await answer(0, aRoom());
  act(() => known.current.refresh());
  act(() => known.current.change({ joinLink: 'second' }));
  await answer(1, aRoom());
  expect([known.current.room?.joinLink, keptLink()]).toEqual(['second', 'second']);
  await answer(2, aRoom({ code: '3333', joinLink: 'second' }));
  expect([known.current.room?.code, keptLink()]).toEqual(['3333', 'second']);
  expect(asked).toHaveLength(3);
});

test('nothing is requested after leaving the room', async () => {
  const { asked, fail, unmount } = open();
  unmount();
  await fail(0);
  await later(600_000);
  expect(asked).toHaveLength(1);
});
