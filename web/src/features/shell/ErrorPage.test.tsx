/** The 404 page (docs/product.md#11.6). */
import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startWords } from '../../platform/i18n/app.ts';
import { ErrorPage } from './ErrorPage.tsx';

beforeAll(async () => {
  await startWords(['shell']);
});
afterEach(cleanup);

test('11.6 it names the code, marks the body while it is shown, and leads home', async () => {
  const root = createRootRoute();
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/', component: () => <p>Home</p> }),
    createRoute({ getParentRoute: () => root, path: '/error', component: ErrorPage }),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/error'] }) });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('We can’t find this page');
  expect(screen.getByText('404', { selector: 'p' })).toBeTruthy();
  expect(document.body.classList.contains('background')).toBe(true);
  await userEvent.click(screen.getByRole('link', { name: 'Back to start' }));
  expect(await screen.findByText('Home')).toBeTruthy();
  expect(document.body.classList.contains('background')).toBe(false);
});
