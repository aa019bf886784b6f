/** Signing out asks first if it would send clients away. */
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSigningOut } from './SigningOut.tsx';

const world = vi.hoisted(() => ({ room: (): unknown => null, signedOut: 0 }));
vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));
vi.mock('../../accounts/index.ts', () => ({
  signOut: async () => {
    world.signedOut += 1;
    return '/';
  },
}));
vi.mock('../../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: { call: async () => world.room() },
}));

const room =
  (people: number, running = true) =>
  () => ({ liveSession: running ? { id: 1 } : null, people: Array.from({ length: people }) });
const done = vi.fn();

function Page() {
  const { start, question } = useSigningOut(done);
  return (
    <>
      <button type="button" onClick={start}>
        sign out
      </button>
      {question}
    </>
  );
}
async function press(name: string) {
  await act(async () => screen.getByRole('button', { name }).click());
}

beforeEach(() => {
  world.signedOut = 0;
  done.mockClear();
  localStorage.setItem(
    'user',
    JSON.stringify({
      id: 7,
      firstName: 'Anna',
      roles: ['ROLE_ADMIN', 'ROLE_THERAPIST'],
      authorities: ['ROLE_ADMIN', 'ROLE_THERAPIST'],
    }),
  );
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <Page />
    </MantineProvider>,
  );
});
afterEach(cleanup);

test('with clients in the room it asks, keeps the sign-in on “no”, and ends it on “yes”', async () => {
  world.room = room(2);
  await press('sign out');
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(world.signedOut).toBe(0);
  await act(async () => screen.getByText('signOut.stay').click());
  expect(world.signedOut).toBe(0);
  await press('sign out');
  const leave = await screen.findByText('signOut.leave');
  await act(async () => leave.click());
  expect(world.signedOut).toBe(1);
  expect(done).toHaveBeenCalledWith('/');
});

test.each([
  ['nobody is inside', room(0)],
  ['no live session runs', room(0, false)],
  ['the server cannot be asked', () => Promise.reject(new Error('offline'))],
])('%s: it signs out at once', async (_, answer) => {
  world.room = answer;
  await press('sign out');
  expect(world.signedOut).toBe(1);
  expect(done).toHaveBeenCalledWith('/');
});
