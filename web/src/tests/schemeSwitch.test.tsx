/** Every page outside the frame of the app has the switch between light and dark (docs/product.md#11.2). */
import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { AccountLayout } from '../features/accounts/frame/AccountLayout.tsx';
import { LicensePage } from '../features/accounts/legal/AgreementPage.tsx';
import { ImprintPage } from '../features/accounts/legal/ImprintPage.tsx';
import { PageFrame } from '../features/bookings/frame/PageFrame.tsx';
import { JoinFrame } from '../features/join/JoinFrame.tsx';
import { RoomStopped } from '../features/room/frame/RoomStates.tsx';
import { PageFault, InFrame } from '../features/shell/errors/PageFault.tsx';
import { NotFoundPage } from '../features/shell/errors/NotFoundPage.tsx';
import { UnauthorizedPage } from '../features/shell/errors/UnauthorizedPage.tsx';
import { startWords } from '../platform/i18n/app.ts';
import { setAppearance } from '../ui/theme/appearance.ts';

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['accounts', 'shell', 'room']);
});
beforeEach(() => {
  setAppearance({ scheme: 'light' });
  vi.stubGlobal('fetch', () => new Promise(() => {}));
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

const nothing = () => undefined;
const PAGES: Record<string, () => ReactNode> = {
  'a page of accounts': () => (
    <AccountLayout pageTitle="Any" title="Any">
      The page
    </AccountLayout>
  ),
  'the licence': () => <LicensePage />,
  'the imprint': () => <ImprintPage />,
  'the 404 page': () => <NotFoundPage />,
  'the page for people without the right': () => <UnauthorizedPage />,
  'a page that broke': () => <PageFault error={new Error('Any')} />,
  'the room after its end': () => <RoomStopped kind="ended" onAgain={nothing} />,
  'the room that did not open': () => <RoomStopped kind="failed" onAgain={nothing} />,
  'the join page': () => <JoinFrame title="Any">The page</JoinFrame>,
  'a public page': () => <PageFrame title="Any">The page</PageFrame>,
};

test.each(Object.entries(PAGES))('11.2 %s has the switch between light and dark', async (_, page) => {
  draw(page);
  const button = await screen.findByRole('button', { name: 'Dark mode', pressed: false });
  fireEvent.click(button);
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).toBe('dark');
  // The router may just be drawing the page, whose button is another element then.
  expect(await screen.findByRole('button', { name: 'Dark mode', pressed: true })).toBeTruthy();
});

test('11.2 a page that broke within the frame has none of its own, as the top bar has it', async () => {
  draw(() => (
    <InFrame value>
      <PageFault error={new Error('Any')} />
    </InFrame>
  ));
  await screen.findByRole('heading', { name: 'Something went wrong' });
  expect(document.querySelector('.scheme')).toBeNull();
});
