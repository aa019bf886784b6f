/**
 * A page of the app whose code throws.
 *
 * @alone It replaces a page.
 */
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PageFault } from './features/shell/errors/PageFault.tsx';
import { startWords } from './platform/i18n/app.ts';
import { router } from './routes.tsx';

vi.mock('./features/shell/errors/NotFoundPage.tsx', () => ({
  NotFoundPage: () => {
    throw new Error('Anna is not a function');
  },
}));
beforeAll(async () => {
  await startWords(['shell']);
});
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(cleanup);

test('12.1 a page whose code throws says so in words', async () => {
  await act(() => router.navigate({ to: '/error' }));
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Something went wrong');
  expect(document.body.textContent).not.toContain('Anna');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

test('12.1 a fault outside a page is explained in the same way', () => {
  expect([router.options.defaultErrorComponent, router.routeTree.options.errorComponent]).toEqual([
    PageFault,
    PageFault,
  ]);
});
