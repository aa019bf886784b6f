/**
 * Addresses without a page (docs/product.md#11.6).
 *
 * @alone The page has one router, which keeps what earlier files did to it.
 */
import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startWords } from './platform/i18n/app.ts';
import { router } from './routes.tsx';

beforeAll(async () => {
  await startWords(['shell']);
});
afterEach(cleanup);

test('11.6 an unknown address stays in the address bar, and the error page is shown', async () => {
  window.history.replaceState(null, '', '/user/nothing');
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  for (const path of ['/user/nothing', '/nothing', '/app/nothing/at/all', '/event']) {
    await act(() => router.navigate({ to: path }));
    expect(await screen.findByText(`${window.location.host}${path}`)).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('We can’t find this page');
    expect(window.location.pathname).toBe(path);
  }
});
