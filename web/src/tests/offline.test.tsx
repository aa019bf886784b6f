/** Every page says that the connection is lost (docs/product.md#11.36). */
import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AccountLayout } from '../features/accounts/frame/AccountLayout.tsx';
import { LicensePage } from '../features/accounts/legal/AgreementPage.tsx';
import { ImprintPage } from '../features/accounts/legal/ImprintPage.tsx';
import { PageFrame } from '../features/bookings/frame/PageFrame.tsx';
import { JoinFrame } from '../features/join/JoinFrame.tsx';
import { TopNotices } from '../features/shell/notices/TopNotices.tsx';
import { NotFoundPage } from '../features/shell/errors/NotFoundPage.tsx';
import { UnauthorizedPage } from '../features/shell/errors/UnauthorizedPage.tsx';
import { startWords } from '../platform/i18n/app.ts';

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['accounts', 'shell']);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function draw(page: () => ReactNode) {
  const root = createRootRoute();
  const route = createRoute({ getParentRoute: () => root, path: '/', component: page });
  const router = createRouter({ routeTree: root.addChildren([route]), history: createMemoryHistory() });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
}

const connection = (online: boolean) =>
  act(async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    window.dispatchEvent(new Event(online ? 'online' : 'offline'));
  });
const bar = () => screen.queryByText(/^You’re offline/);

const PAGES: Record<string, () => ReactNode> = {
  'a page of the shell': () => <TopNotices />,
  'a page of accounts': () => (
    <AccountLayout pageTitle="Any" title="Any">
      The page
    </AccountLayout>
  ),
  'the licence': () => <LicensePage />,
  'the imprint': () => <ImprintPage />,
  'the 404 page': () => <NotFoundPage />,
  'the page for people without the right': () => <UnauthorizedPage />,
  'the join page': () => <JoinFrame title="Any">The page</JoinFrame>,
  'a public page': () => <PageFrame title="Any">The page</PageFrame>,
};

test.each(Object.entries(PAGES))('11.36 %s says that the connection is lost, until it is back', async (_, page) => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  draw(page);
  await connection(true);
  expect(bar()).toBeNull();
  await connection(false);
  expect(bar()?.role).toBe('status');
  await connection(true);
  expect(bar()).toBeNull();
});
