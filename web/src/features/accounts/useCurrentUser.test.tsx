/** The signed-in person while requests are pending. */
import type { User } from '@fieldroom/contract/accounts';
import { focusManager, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { forgetPerson, keepSignIn, storage } from '../../platform/storage.ts';
import { therapist } from '../events/eventPages.testing.tsx';
import { useCurrentUser } from './useCurrentUser.ts';

let asked: PromiseWithResolvers<Response>[] = [];
const answer = (index: number, change: Partial<User> = {}) =>
  act(async () => asked[index]?.resolve(Response.json({ ...therapist, ...change })));

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
    const question = Promise.withResolvers<Response>();
    signal?.addEventListener('abort', () => question.reject(signal.reason));
    asked.push(question);
    return question.promise;
  });
  keepSignIn(storage, { token: 't', user: therapist });
});
afterEach(() => {
  cleanup();
  window.localStorage.clear();
  vi.unstubAllGlobals();
});

function open() {
  const queries = createQueryClient();
  return renderHook(() => useCurrentUser(), {
    wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
}

test('an answer to a request from before a change does not undo the change', async () => {
  const { result } = open();
  await waitFor(() => expect(asked).toHaveLength(1));
  await act(async () => result.current.changed());
  await waitFor(() => expect(asked).toHaveLength(2));
  await answer(1, { joinLink: 'new-link' });
  await answer(0, { joinLink: 'old-link' });
  await waitFor(() => expect(result.current.user?.joinLink).toBe('new-link'));
  expect(storage.get('user')?.joinLink).toBe('new-link');
});

test('3.26 the user is fetched again when somebody returns to the page', async () => {
  open();
  await waitFor(() => expect(asked).toHaveLength(1));
  await answer(0);
  act(() => focusManager.setFocused(false));
  act(() => focusManager.setFocused(true));
  await waitFor(() => expect(asked).toHaveLength(2));
  focusManager.setFocused(undefined);
});

test('a late answer does not restore a person who has signed out in another tab', async () => {
  open();
  await waitFor(() => expect(asked).toHaveLength(1));
  // Only the storage is shared with the other tab.
  storage.remove('user', 'token', 'therapist');
  await answer(0);
  expect(storage.get('user')).toBeNull();
  forgetPerson(storage);
});
