/** The bar at the top of the app's pages. */
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../platform/i18n/app.ts';
import { TopBar } from './TopBar.tsx';

const toggle = vi.fn();

beforeAll(async () => {
  await startWords(['shell', 'search']);
});
beforeEach(() => {
  toggle.mockReset();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function draw(isClient: boolean): Promise<HTMLButtonElement> {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const menu = { open: false, toggle, button: () => {} };
  const root = createRootRoute();
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => (
      <TopBar
        menu={menu as never}
        user={null}
        isClient={isClient}
        tools={false}
        signingOut={{ busy: false, start: vi.fn(), question: null }}
        onColours={vi.fn()}
        look={{}}
      />
    ),
  });
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return screen.findByRole<HTMLButtonElement>('button', { name: 'Open menu' });
}

test.each([
  ['clients do nothing with it', true, 0],
  ['everybody else moves the menu', false, 1],
] as const)('11.35 the menu button: %s', async (_, isClient, presses) => {
  const button = await draw(isClient);
  expect(button.disabled).toBe(isClient);
  await userEvent.click(button);
  expect(toggle).toHaveBeenCalledTimes(presses);
});

test.each([
  ['a client to the room', true, '/app/play-area-view'],
  ['everybody else to the dashboard', false, '/app/dashboard'],
] as const)('11.5 the brand leads %s', async (_, isClient, target) => {
  await draw(isClient);
  expect(screen.getByRole('link', { name: 'Fieldroom' }).getAttribute('href')).toBe(target);
});
