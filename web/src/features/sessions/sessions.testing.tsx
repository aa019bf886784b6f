/** Shared by the tests of live sessions: a live session, a figure, a simulated server, and the page at its address. */
import type { Figure } from '@fieldroom/contract/field';
import type { LiveSessionDetails, SessionFilter } from '@fieldroom/contract/sessions';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { Suspense } from 'react';
import { vi } from 'vitest';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { theme } from '../../ui/theme/theme.ts';
import { SessionsPage } from './SessionsPage.tsx';

/** The figure "Mother", unless said otherwise. */
export const aFigure = (change: Partial<Figure> = {}): Figure => ({
  id: 1,
  name: 'Mother',
  iconType: 'FEMALE_FIGURE',
  iconId: null,
  color: '#953300',
  showText: true,
  x: 400,
  y: 300,
  rotation: 90,
  scale: 1,
  order: 0,
  movableBy: 'therapist',
  relations: [],
  startX: 400,
  startY: 300,
  startRotation: 0,
  startScale: 1,
  updatedOn: 1,
  ...change,
});

/** A live session with two clients that the therapist has ended, unless said otherwise. */
export const aSession = (change: Partial<LiveSessionDetails> = {}): LiveSessionDetails => ({
  id: 5,
  startedOn: '2026-12-03T09:30:00Z',
  endedOn: '2026-12-03T11:45:00Z',
  endReason: 'ended',
  countedSeconds: 7_800,
  clients: 2,
  attendance: [
    { name: 'Mirela', joinedOn: '2026-12-03T09:32:00Z', leftOn: '2026-12-03T11:45:00Z' },
    { name: 'Levente', joinedOn: '2026-12-03T09:40:00Z', leftOn: '2026-12-03T10:00:00Z' },
  ],
  field: { figures: [aFigure()], handsAllowed: true },
  ...change,
});

interface Asked {
  path: string;
  page: number;
  size: number;
  body: SessionFilter & { id?: number };
}

/** Answers as the server does. `fail` is the problem code of every call. */
export function sessionServer(sessions: readonly LiveSessionDetails[]) {
  const server = {
    sessions,
    fail: null as string | null,
    asked: [] as Asked[],
    emails: [] as { id: number; email: string | null }[],
  };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const url = new URL(address, 'http://here.example');
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : {};
    if (server.fail !== null) return Response.json({ code: server.fail, status: 429 }, { status: 429 });
    if (url.pathname === '/api/session/sendEmail') {
      server.emails.push(body as { id: number; email: string | null });
      return new Response(null, { status: 204 });
    }
    const page = Number(url.searchParams.get('page'));
    const size = Number(url.searchParams.get('size'));
    const filter = body as Asked['body'];
    server.asked.push({ path: url.pathname, page, size, body: filter });
    const word = filter.keyword?.toLowerCase() ?? '';
    const found = server.sessions.filter(
      ({ id, attendance }) =>
        (filter.id === undefined || filter.id === id) &&
        (word === '' || attendance.some(({ name }) => name.toLowerCase().includes(word))),
    );
    const content = found.slice(page * size, (page + 1) * size);
    return Response.json({ content, page, size, totalElements: found.length });
  });
  return server;
}

/** Draws the page at its address. Returns the router, whose address is the page's. */
export function drawSessions(search = '') {
  const root = createRootRoute();
  const here = createRoute({
    getParentRoute: () => root,
    path: 'app/history',
    validateSearch: (given: Record<string, unknown>): { session?: number } =>
      typeof given.session === 'number' ? { session: given.session } : {},
    component: () => (
      <Suspense>
        <SessionsPage />
      </Suspense>
    ),
  });
  const room = createRoute({ getParentRoute: () => root, path: 'app/play-area' });
  const subscription = createRoute({
    getParentRoute: () => root,
    path: 'app/subscription/professional-package',
    component: () => <h1>Professional package</h1>,
  });
  const router = createRouter({
    routeTree: root.addChildren([here, room, subscription]),
    history: createMemoryHistory({ initialEntries: [`/app/history${search}`] }),
  });
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return router;
}
