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
import { startWords } from '../../../platform/i18n/app.ts';
import { NotFoundPage } from './NotFoundPage.tsx';

beforeAll(async () => {
  await startWords(['shell']);
});
afterEach(cleanup);

/** Opens the error page at an address. */
async function open(path: string) {
  const root = createRootRoute({ notFoundComponent: NotFoundPage });
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/', component: () => <p>Home</p> }),
    createRoute({ getParentRoute: () => root, path: '/error', component: NotFoundPage }),
  ]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [path] }) });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  return (await screen.findByRole('heading', { level: 1 })).textContent;
}
const address = () => document.querySelector('bdi')?.textContent;

test('11.6 it shows the code, marks the body while it is shown, and leads home', async () => {
  expect(await open('/error')).toBe('We can’t find this page');
  expect(screen.getByText('404', { selector: 'p' })).toBeTruthy();
  expect(document.body.classList.contains('background')).toBe(true);
  expect(address()).toBeUndefined();
  await userEvent.click(screen.getByRole('link', { name: 'Back to start' }));
  expect(await screen.findByText('Home')).toBeTruthy();
  expect(document.body.classList.contains('background')).toBe(false);
});

test('11.6 it shows the missing address as it was typed', async () => {
  await open('/napt%C3%A1r/j%C3%BAlius?day=1');
  expect(address()).toBe(`${window.location.host}/naptár/július`);
  expect(screen.getByText(/^There is nothing at this address/)).toBeTruthy();
});
