/** The search as a person sees it: the box with its keys, and the results page (docs/product.md#11.27 to 11.33). */
import type { SearchGroup } from '@fieldroom/contract/search';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense, useState } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startWords } from '../../platform/i18n/app.ts';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { theme } from '../../ui/theme/theme.ts';
import { therapist } from '../events/eventPages.testing.tsx';
import { type MenuPage, SearchBox, ResultGroups } from './index.ts';

const LONG = { timeout: 60_000 };
const PATH = '/app/pages/miscellaneous/search';

const SESSIONS: MenuPage = { id: 'sessions', name: 'Sessions', to: '/app/history' };
const JOBS: MenuPage = { id: 'cron-job', name: 'Scheduled jobs', to: '/app/cron-job-conf' };

const EVENT = {
  kind: 'events',
  total: 1,
  items: [
    {
      id: 4,
      name: 'Evening for Réka',
      list: 'cancelled',
      startsOn: '2026-12-03T18:00:00.000Z',
      timeZone: 'Europe/Vienna',
      excerpt: null,
    },
  ],
} as const satisfies SearchGroup;
const session = (id: number) => ({
  id,
  startedOn: new Date(Date.UTC(2026, 10, 1) - id * 86_400_000).toISOString(),
  endedOn: null,
  names: ['Reka <b>N</b>'],
});
const sessions = (from: number, to: number, total = to): SearchGroup => ({
  kind: 'sessions',
  total,
  items: Array.from({ length: to - from }, (_, index) => session(from + index)),
});

/** The server's answer to a key that it refuses. */
const refusedKey = (code: string) =>
  Response.json({ code: 'invalid_input', status: 400, fields: [{ path: 'key', code }] }, { status: 400 });

/** Answers like the server, with these groups to every key except those that begin with "no". */
function searchServer(groups: readonly SearchGroup[] = [EVENT, sessions(0, 2)]) {
  const server = {
    asked: [] as Record<string, unknown>[],
    fail: false,
    /** The fault of every key. */
    refused: null as string | null,
    groups,
  };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!address.endsWith('/api/me/search')) return Response.json(therapist);
    const body = JSON.parse(init.body as string) as { key: string; kind?: string; from?: number };
    server.asked.push(body);
    if (server.refused !== null) return refusedKey(server.refused);
    if (server.fail) return Response.json({ code: 'too_many_requests', status: 429 }, { status: 429 });
    if (body.kind !== undefined) return Response.json({ groups: [sessions(body.from!, 25)] });
    return Response.json({ groups: body.key.startsWith('no') ? [] : server.groups });
  });
  return server;
}

beforeAll(async () => {
  configure({ defaultHidden: true });
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['shell', 'search']);
});
/** Whether the window is a phone's. */
let narrow = false;
beforeEach(() => {
  narrow = false;
  keepSignIn(storage, { token: 't', user: therapist });
  Element.prototype.scrollIntoView = () => {};
  window.scrollTo = () => {};
  window.matchMedia = (media) =>
    ({
      media,
      matches: narrow,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
    }) as never;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The box above the results page, or above an empty page. Returns the router, whose address is the page's. */
async function open(at = '/app/dashboard', pages: readonly MenuPage[] = [SESSIONS], drawnAtFirst = true) {
  const root = createRootRoute({
    component: function Frame() {
      const [drawn, setDrawn] = useState(drawnAtFirst);
      return (
        <Suspense>
          {drawn ? null : <button onClick={() => setDrawn(true)}>Draw the box</button>}
          <SearchBox pages={pages} drawn={drawn} />
          <Outlet />
        </Suspense>
      );
    },
  });
  const paths = ['app/dashboard', 'app/history', 'app/manage-events-client', 'app/play-area', 'app/user-system-usage'];
  const router = createRouter({
    routeTree: root.addChildren([
      ...paths.map((path) => createRoute({ getParentRoute: () => root, path })),
      createRoute({ getParentRoute: () => root, path: PATH, component: () => <ResultGroups pages={pages} /> }),
    ]),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await (drawnAtFirst ? screen.findByRole('search') : screen.findByRole('button'));
  return router;
}
const box = () => screen.getByRole('combobox', { name: 'Search' }) as HTMLInputElement;
const options = () => screen.getAllByRole('option');
/** Types words, and waits until their results are listed: slow typing finds results for the first letters before. */
async function searchFor(words: string): Promise<void> {
  await userEvent.type(box(), words);
  await screen.findByText(`All results for “${words}”`);
  await screen.findByText('3 results');
}
/** The option that the box refers to. */
const pointedAt = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;
const listed = () => box().getAttribute('aria-expanded') === 'true';

describe('the box', LONG, () => {
  test('11.28 requests nothing before the second character, and then once after typing pauses', async () => {
    const server = searchServer();
    await open();
    await userEvent.type(box(), 'r{Enter}');
    expect(await screen.findByText('Please type at least two characters.')).toBeTruthy();
    expect(box().getAttribute('aria-invalid')).toBe('true');
    await userEvent.type(box(), 'EK');
    await screen.findByText('3 results');
    expect(box().getAttribute('aria-invalid')).toBe('false');
    expect(server.asked).toEqual([{ key: 'rek', size: 4 }]);
  });

  test('11.32 the arrow keys cycle, Enter opens the highlighted entry', async () => {
    searchServer();
    const router = await open();
    await searchFor('reka');
    expect(pointedAt()).toBe(null);
    await userEvent.keyboard('{ArrowDown}');
    expect(pointedAt()).toContain('Evening for Réka');
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    expect(pointedAt()).toBe('All results for “reka”');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(
      options().filter((option) => option.ariaSelected === 'true' || option.getAttribute('aria-selected') === 'true'),
    ).toHaveLength(1);
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.href).toBe('/app/history?session=0'));
    expect(listed()).toBe(false);
  });

  test('11.31 an event leads to its place in its list; results are never drawn as markup', async () => {
    searchServer();
    const router = await open();
    await searchFor('reka');
    const found = options().find((option) => option.textContent?.includes('Reka <b>N</b>'))!;
    expect(
      within(found)
        .getAllByText('Reka')
        .map(({ tagName }) => tagName),
    ).toEqual(['MARK']);
    await userEvent.click(options()[0]!);
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/manage-events-client'));
    expect(router.state.location.search).toEqual({ list: 'cancelled', keyword: 'Evening for Réka', day: '2026-12-03' });
  });

  test('11.32 Enter without a highlighted entry runs the search; Escape clears, then closes', async () => {
    searchServer();
    const router = await open();
    await userEvent.type(box(), '  Réka  ');
    await screen.findByText('3 results');
    await userEvent.keyboard('{Escape}');
    expect([box().value, listed(), document.activeElement === box()]).toEqual(['', false, true]);
    await userEvent.keyboard('{Escape}');
    expect(document.activeElement).toBe(document.body);
    await userEvent.type(box(), '  Réka  {Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe(PATH));
    expect(router.state.location.search).toEqual({ key: 'réka' });
    expect(box().value).toBe('réka');
  });

  test('11.32 on a phone the first press opens the box, the second runs the search', async () => {
    narrow = true;
    searchServer();
    const router = await open();
    const form = screen.getByRole('search');
    expect(form.dataset.open).toBe(undefined);
    await userEvent.click(screen.getByRole('button', { name: 'Open search' }));
    expect(form.dataset.open).toBe('true');
    expect(document.activeElement).toBe(box());
    await userEvent.keyboard('{Escape}');
    expect(form.dataset.open).toBe(undefined);
    await userEvent.click(screen.getByRole('button', { name: 'Open search' }));
    await userEvent.type(box(), 'reka');
    await userEvent.click(screen.getByRole('button', { name: 'Run search' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ key: 'reka' }));
    expect(form.dataset.open).toBe(undefined);
  });

  test('11.32 Ctrl+K focuses the box', async () => {
    searchServer();
    await open();
    fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
    await waitFor(() => expect(document.activeElement).toBe(box()));
  });

  test('11.32 Ctrl+K before the box is drawn focuses it as soon as it is', async () => {
    searchServer();
    await open('/app/dashboard', [SESSIONS], false);
    fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
    expect(screen.queryByRole('search')).toBe(null);
    fireEvent.click(screen.getByRole('button', { name: 'Draw the box' }));
    await waitFor(() => expect(document.activeElement).toBe(box()));
  });

  test('11.27 pages of the person’s own menu are found without the server, and no others', async () => {
    const server = searchServer([]);
    await open();
    await userEvent.type(box(), 'jobs');
    await screen.findByText('0 results');
    await userEvent.clear(box());
    await userEvent.type(box(), 'sessions');
    await screen.findByText('1 result');
    expect(options()[0]!.textContent).toContain('Sessions');
    cleanup();
    server.asked = [];
    await open('/app/dashboard', [SESSIONS, JOBS]);
    await userEvent.type(box(), 'jobs');
    await screen.findByText('1 result');
  });

  test('reports a fault, and that nothing was found', async () => {
    const server = searchServer();
    await open();
    await userEvent.type(box(), 'nobody');
    await screen.findByText('Nothing found for “nobody”');
    server.fail = true;
    await userEvent.type(box(), 'x');
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
  });

  test('11.75 shows how much more text fits, before the rest is cut off', async () => {
    searchServer();
    await open();
    await userEvent.click(box());
    await userEvent.paste('x'.repeat(59));
    await screen.findByText('3 results');
    expect(screen.queryByText(/characters? left/)).toBeNull();
    await userEvent.paste('x'.repeat(60));
    expect(box().value).toHaveLength(100);
    const left = await screen.findByText('0 characters left');
    expect(box().getAttribute('aria-describedby')).toBe(left.id);
  });

  test('11.28 says what is wrong with a refused key', async () => {
    const server = searchServer();
    server.refused = 'unsafe_characters';
    await open();
    await userEvent.click(box());
    await userEvent.paste('reka\u200B');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'This contains characters that can’t be displayed safely.',
    );
  });
});

describe('the page', LONG, () => {
  test('11.33 shows groups with their counts, and further results on demand', async () => {
    const server = searchServer([EVENT, sessions(0, 20, 25)]);
    await open(`${PATH}?key=R%C3%A9ka`);
    await screen.findByText('26 results for “réka”');
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Events 1',
      'Sessions 25',
    ]);
    expect(screen.getByRole('link', { name: /Evening for Réka.*Cancelled/ }).getAttribute('href')).toContain(
      'day=2026-12-03',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(26));
    expect(server.asked.at(-1)).toEqual({ key: 'réka', kind: 'sessions', from: 20, size: 20 });
    expect(screen.queryByRole('button', { name: 'Show more' })).toBe(null);
  });

  test.each(['', '?key=', '?key=a', '?key=%20'])(
    '11.33 says for %j that the key is too short, and requests nothing',
    async (query) => {
      const server = searchServer();
      await open(PATH + query);
      await screen.findByRole('heading', { name: 'Type at least two characters' });
      expect(server.asked).toEqual([]);
    },
  );

  test.each([
    ['unsafe_characters', 'This contains characters that can’t be displayed safely.'],
    ['too_long', 'This is too long.'],
  ])('11.28 says what is wrong with a refused key: %s', async (code, text) => {
    const server = searchServer();
    server.refused = code;
    await open(`${PATH}?key=${'x'.repeat(101)}`);
    expect(within(await screen.findByRole('alert')).getByRole('heading', { name: text })).toBeTruthy();
    // It would be refused again.
    expect(screen.queryByRole('button', { name: /again/i })).toBeNull();
    expect(screen.queryByText(/marked fields/)).toBeNull();
  });

  test('11.33 a key of digits is searched as text; an empty result has hints; a fault can be retried', async () => {
    const server = searchServer([]);
    const router = await open(`${PATH}?key=2026`);
    await screen.findByRole('heading', { name: 'Nothing found for “2026”' });
    // Shown once.
    expect(screen.queryByText(/0 results/)).toBeNull();
    expect(server.asked).toEqual([{ key: '2026', size: 20 }]);
    server.fail = true;
    await router.navigate({ to: PATH, search: { key: 'reka' } as never });
    expect((await screen.findByRole('alert')).textContent).toMatch(/^We couldn’t search for “reka”\. /);
    server.fail = false;
    server.groups = [EVENT];
    await userEvent.click(screen.getByRole('button', { name: /again/i }));
    await screen.findByText('1 result for “reka”');
  });
});
