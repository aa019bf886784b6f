/** The dashboard shows the join link that holds, also when it is renewed elsewhere. */
import { MantineProvider } from '@mantine/core';
import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { createQueryClient } from '../../platform/queryClient.ts';
import { DashboardPage } from './DashboardPage.tsx';

const user = {
  id: 7,
  firstName: 'Anna',
  lastName: 'B',
  email: 'a@b.example',
  language: 'en' as const,
  slug: 'anna',
  joinLink: 'old-link',
  roles: ['ROLE_THERAPIST' as const],
  authorities: ['ROLE_THERAPIST' as const],
};
const world = vi.hoisted(() => ({ answer: (): unknown => null }));
vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));
vi.mock('@tanstack/react-router', () => ({ Link: () => null }));
vi.mock('../../ui/FieldPicture.tsx', () => ({ FieldPicture: () => null }));
vi.mock('../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: { call: async () => world.answer() },
}));

async function show() {
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={createQueryClient()}>
        <DashboardPage />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await act(async () => {});
}
const shown = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));
// What `act` waits for: answers are told in its own microtasks, not in a timer.
notifyManager.setScheduler(queueMicrotask);
beforeEach(() => {
  localStorage.clear();
  keepSignIn(storage, { token: 't', user });
  world.answer = () => user;
});
afterEach(cleanup);

test('another tab of this browser has renewed it', async () => {
  await show();
  expect(shown()).toContain('/user/join/old-link');
  storage.set('user', { ...user, joinLink: 'new-link' });
  await act(async () => window.dispatchEvent(new Event('storage')));
  expect(shown()).toContain('/user/join/new-link');
});

test('another browser has renewed it: coming back to the page shows the new one', async () => {
  await show();
  world.answer = () => ({ ...user, joinLink: 'new-link' });
  await act(async () => window.dispatchEvent(new Event('focus')));
  expect(shown()).toContain('/user/join/new-link');
  expect(storage.get('user')?.joinLink).toBe('new-link');
});

test('a server that cannot answer takes nothing away', async () => {
  world.answer = () => {
    throw new Error('offline');
  };
  await show();
  expect(shown()).toContain('/user/join/old-link');
});
