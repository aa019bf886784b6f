/** The bell as a therapist uses it (docs/product.md#11.20 to #11.23): its number, its panel, and its updates. */
import type { Notice, NoticesState } from '@fieldroom/contract/notices';
import { MantineProvider } from '@mantine/core';
import { notifyManager, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiProblem } from '../../platform/api/request.ts';
import { startWords } from '../../platform/i18n/app.ts';
import { CHANGES_WITH_NEWS } from '../../platform/fetching/news.ts';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { aNotice, aPage, minutesAgo, NOW } from './notices.testing.ts';
import { Bell } from './index.ts';

type Heard = { onState(state: NoticesState): void; onRoom(): void; onOpen(): void; onLost(): void };
const onRoom = vi.fn();
const world = vi.hoisted(() => ({
  called: [] as { path: string; input: { query?: object; params?: object; body?: object } }[],
  answers: {} as Record<string, (input: never) => unknown>,
  /** The listener of the open connection; null without one. */
  heard: null as unknown,
  opened: 0,
  /** How often the list beside the bell was requested. */
  listed: 0,
}));
vi.mock('./liveNotices.ts', () => ({
  listenToNotices(heard: unknown) {
    world.heard = heard;
    world.opened += 1;
    return () => {
      world.heard = null;
    };
  },
}));
vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, search, hash, children, onClick }: LinkProps) => (
    <a
      href={`${to}${search ? `?participants=${search.participants}` : ''}${hash ? `#${hash}` : ''}`}
      onClick={(event) => {
        event.preventDefault();
        onClick();
      }}
    >
      {children}
    </a>
  ),
}));
interface LinkProps {
  to: string;
  search?: { participants: number };
  hash?: string;
  children: ReactNode;
  onClick(): void;
}
vi.mock('../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: {
    async call({ path }: { path: string }, input: object = {}) {
      world.called.push({ path, input });
      return world.answers[path]?.(input as never);
    },
  },
}));
vi.mock('../../platform/time/useProductClock.ts', () => ({ useProductClock: () => () => Date.parse(NOW) }));
// `act` waits for this: answers are reported in its own microtasks, not in a timer.
notifyManager.setScheduler(queueMicrotask);

const LIST = '/api/me/notices';
const ONE = '/api/me/notices/{noticeId}/read';
const ALL = '/api/me/notices/read';
const count = (path: string) => world.called.filter((call) => call.path === path).length;
const heard = () => world.heard as Heard;
const lists = (...content: Notice[]) => {
  world.answers[LIST] = () => aPage(content);
};
const bell = () => screen.getByRole('button', { name: /^Notices/, hidden: true });
const told = () => screen.getAllByRole('status', { hidden: true })[0]!.textContent;
const panel = () => screen.findByRole('dialog', { name: 'Notices' });

/** A part of the page whose data changes with a notice. */
function Events() {
  useQuery({ queryKey: ['a list'], queryFn: () => (world.listed += 1), meta: CHANGES_WITH_NEWS });
  return null;
}

async function show() {
  const view = render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={createQueryClient()}>
        <Bell onRoom={onRoom} />
        <Events />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await waitFor(() => expect(world.heard).not.toBeNull());
  return view;
}
async function open() {
  await userEvent.click(bell());
  return within(await panel());
}
function look(visibility: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['notices']);
});
beforeEach(() => {
  world.called.length = 0;
  world.answers = {};
  world.heard = null;
  world.opened = 0;
  world.listed = 0;
  lists(aNotice(3), aNotice(2), aNotice(1, { read: true, at: minutesAgo(1440) }));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  look('visible');
});

describe('the number', () => {
  test('is part of the name, and opening a page does not announce it', async () => {
    await show();
    await waitFor(() => expect(bell().getAttribute('aria-label')).toBe('Notices, 2 unread'));
    expect([bell().textContent, told()]).toEqual(['2', '']);
  });

  test('counts up by itself and is announced politely; reading elsewhere only counts down', async () => {
    await show();
    await waitFor(() => expect(bell().textContent).toBe('2'));
    lists(aNotice(4), aNotice(3), aNotice(2));
    act(() => heard().onState({ unread: 3, revision: 4 }));
    await waitFor(() => expect([bell().textContent, told()]).toEqual(['3', 'You have 3 unread notices.']));
    world.answers[LIST] = () => ({ ...aPage([aNotice(4, { read: true })]), revision: 5 });
    act(() => heard().onState({ unread: 0, revision: 5 }));
    await waitFor(() => expect([bell().textContent, bell().getAttribute('aria-label')]).toEqual(['', 'Notices']));
    await waitFor(() => expect(told()).toBe(''));
  });

  test('beyond 99 is abbreviated on screen and exact for screen readers', async () => {
    world.answers[LIST] = () => ({ ...aPage([aNotice(3)]), unread: 140 });
    await show();
    await waitFor(() => expect(bell().textContent).toBe('99+'));
    expect(bell().getAttribute('aria-label')).toBe('Notices, 140 unread');
  });

  test('needs no request for what the page knows already', async () => {
    await show();
    await waitFor(() => expect(count(LIST)).toBe(1));
    await act(async () => heard().onState({ unread: 2, revision: 3 }));
    expect(count(LIST)).toBe(1);
  });
});

describe('11.22 updates', () => {
  test('the list is fetched again each time the connection opens', async () => {
    await show();
    await waitFor(() => expect(count(LIST)).toBe(1));
    await act(async () => heard().onOpen());
    await waitFor(() => expect(count(LIST)).toBe(2));
    act(() => heard().onLost());
    await act(async () => heard().onOpen());
    await waitFor(() => expect(count(LIST)).toBe(3));
  });

  test('other data on the page is fetched again with a new notice, and only then', async () => {
    await show();
    await waitFor(() => expect(count(LIST)).toBe(1));
    await act(async () => heard().onState({ unread: 2, revision: 3 }));
    expect(world.listed).toBe(1);
    lists(aNotice(4), aNotice(3), aNotice(2));
    await act(async () => heard().onState({ unread: 3, revision: 4 }));
    await waitFor(() => expect(world.listed).toBe(2));
    // Reading elsewhere is not a new notice.
    world.answers[LIST] = () => ({ ...aPage([aNotice(4, { read: true })]), revision: 5 });
    await act(async () => heard().onState({ unread: 0, revision: 5 }));
    await waitFor(() => expect(bell().textContent).toBe(''));
    expect(world.listed).toBe(2);
  });

  test('that data is also fetched for notices missed while the connection was lost, even if a poll finds them', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await show();
    await waitFor(() => expect(bell().textContent).toBe('2'));
    act(() => heard().onOpen());
    act(() => heard().onLost());
    lists(aNotice(4), aNotice(3), aNotice(2));
    await act(async () => heard().onOpen());
    await waitFor(() => expect(world.listed).toBe(2));
    act(() => heard().onLost());
    lists(aNotice(5), aNotice(4), aNotice(3), aNotice(2));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    await waitFor(() => expect(world.listed).toBe(3));
  });

  test('the page polls each minute without a connection, and not with one', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await show();
    await waitFor(() => expect(count(LIST)).toBe(1));
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(count(LIST)).toBe(2);
    await act(async () => heard().onOpen());
    await waitFor(() => expect(count(LIST)).toBe(3));
    await act(() => vi.advanceTimersByTimeAsync(180_000));
    expect(count(LIST)).toBe(3);
  });

  test('the page closes its connection in the background, and opens another when it is visible again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await show();
    look('hidden');
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(world.heard).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(world.heard).toBeNull();
    look('visible');
    await waitFor(() => expect(world.opened).toBe(2));
  });

  test('nothing is requested after the page was left', async () => {
    const { unmount } = await show();
    unmount();
    expect(world.heard).toBeNull();
  });
});

describe('the panel', () => {
  test('has the notices by day, marks unread ones in words, and returns the focus', async () => {
    await show();
    const inside = await open();
    expect(inside.getAllByRole('heading', { level: 3 }).map((head) => head.textContent)).toEqual([
      'Today',
      'Yesterday',
    ]);
    expect(inside.getAllByRole('link').map((link) => link.textContent.startsWith('Unread: '))).toEqual([
      true,
      true,
      false,
    ]);
    expect(count(ONE) + count(ALL)).toBe(0);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(bell()));
  });

  test('each leads to its subject and marks itself as read by that, once', async () => {
    world.answers[ONE] = () => ({ unread: 1, revision: 4 });
    lists(
      aNotice(3),
      aNotice(2, { kind: 'bill', billId: 9, number: 'FR-1', month: '2026-10', read: true } as never),
      aNotice(1, { kind: 'arrival', name: 'Bori', others: 0 } as never),
    );
    await show();
    const inside = await open();
    const links = inside.getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/app/manage-events-client?participants=31',
      '/app/subscription/professional-package#bills-title',
      '/app/play-area',
    ]);
    await userEvent.click(links[0]!);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.called.filter(({ path }) => path === ONE)).toMatchObject([{ input: { params: { noticeId: 3 } } }]);
    expect(bell().textContent).toBe('1');
    expect(document.activeElement).not.toBe(bell());
    await userEvent.click((await open()).getAllByRole('link')[1]!);
    expect(count(ONE)).toBe(1);
  });

  test('a button marks one, another all that were shown', async () => {
    world.answers[ONE] = () => ({ unread: 1, revision: 4 });
    world.answers[ALL] = () => ({ unread: 0, revision: 5 });
    await show();
    const inside = await open();
    await userEvent.click(inside.getAllByRole('button', { name: /^Mark as read: Réka Oláh/ })[0]!);
    await inside.findByText('1 unread');
    await userEvent.click(inside.getByRole('button', { name: 'Mark all as read' }));
    await inside.findByText('All read');
    expect(world.called.find(({ path }) => path === ALL)?.input).toMatchObject({ body: { upTo: 4 } });
    expect(inside.queryByText(/^Unread/)).toBeNull();
    expect(inside.getByRole('button', { name: 'Mark all as read' }).hasAttribute('disabled')).toBe(true);
  });

  test('missed notices are fetched', async () => {
    world.answers[ONE] = () => ({ unread: 2, revision: 5 });
    await show();
    const inside = await open();
    await waitFor(() => expect(count(LIST)).toBe(2));
    lists(aNotice(5), aNotice(3, { read: true }), aNotice(2));
    await userEvent.click(inside.getAllByRole('button', { name: /^Mark as read/ })[0]!);
    await inside.findByText('2 unread');
    await waitFor(() => expect(inside.getAllByRole('link')).toHaveLength(3));
    expect(count(LIST)).toBe(3);
  });

  test('says when marking failed, and the notice stays unread', async () => {
    world.answers[ONE] = () => {
      throw new ApiProblem('offline');
    };
    await show();
    const inside = await open();
    await userEvent.click(inside.getAllByRole('button', { name: /^Mark as read/ })[0]!);
    await inside.findByText('That couldn’t be marked as read. Please try again.');
    expect(inside.getByText('2 unread')).toBeTruthy();
  });

  test('shows older ones on demand, and at the end how long they are stored', async () => {
    world.answers[LIST] = ({ query }: { query: { before?: string } }) =>
      query.before === undefined
        ? aPage([aNotice(3)], true)
        : { ...aPage([aNotice(2), aNotice(1)]), revision: 3, unread: 1 };
    await show();
    const inside = await open();
    expect(inside.queryByText(/90 days/)).toBeNull();
    await userEvent.click(inside.getByRole('button', { name: 'Show older notices' }));
    await inside.findByText(/90 days/);
    expect(world.called.at(-1)?.input.query).toEqual({ before: '3' });
    expect(inside.getAllByRole('link')).toHaveLength(3);
  });

  test('a request for older ones survives a refresh of the list, and ignores its answer', async () => {
    const asked: { before: string | undefined; answer: PromiseWithResolvers<unknown> }[] = [];
    const begins = aPage([aNotice(3)], true);
    world.answers[LIST] = () => begins;
    await show();
    const inside = await open();
    await inside.findByRole('button', { name: 'Show older notices' });
    world.answers[LIST] = ({ query }: { query: { before?: string } }) => {
      const answer = Promise.withResolvers<unknown>();
      asked.push({ before: query.before, answer });
      return answer.promise;
    };
    const answer = (index: number, page: unknown) => act(async () => asked[index]?.answer.resolve(page));
    const press = () => userEvent.click(inside.getByRole('button', { name: 'Show older notices' }));
    await press();
    // The connection is open again before the older ones have arrived.
    act(() => heard().onOpen());
    await answer(1, aPage([aNotice(4), aNotice(3)], true));
    await answer(2, { ...aPage([aNotice(2)], true), revision: 4 });
    expect(asked.map(({ before }) => before)).toEqual(['3', undefined, '3']);
    expect(inside.getAllByRole('link')).toHaveLength(3);
    // The other way round: a pending request is waited for.
    act(() => heard().onState({ unread: 9, revision: 5 }));
    await press();
    await answer(3, aPage([aNotice(5), aNotice(4), aNotice(3)], true));
    await answer(4, { ...aPage([aNotice(2)], true), revision: 5 });
    await answer(5, { ...aPage([aNotice(1)]), revision: 5 });
    expect(asked.map(({ before }) => before).slice(3)).toEqual([undefined, '3', '2']);
    expect(inside.getAllByRole('link')).toHaveLength(5);
  });

  test('older ones that could not be fetched are fetched again only on demand', async () => {
    world.answers[LIST] = ({ query }: { query: { before?: string } }) => {
      if (query.before !== undefined) throw new ApiProblem('offline');
      return aPage([aNotice(3)], true);
    };
    await show();
    const inside = await open();
    await userEvent.click(await inside.findByRole('button', { name: 'Show older notices' }));
    const alert = await inside.findByRole('alert');
    const times = count(LIST);
    await act(async () => {});
    expect(count(LIST)).toBe(times);
    world.answers[LIST] = () => aPage([aNotice(2)]);
    await userEvent.click(within(alert).getByRole('button', { name: /try again/i }));
    await waitFor(() => expect(inside.getAllByRole('link')).toHaveLength(2));
  });

  test('explains its purpose while it is empty', async () => {
    lists();
    await show();
    const inside = await open();
    expect(await inside.findByRole('heading', { name: 'No notices' })).toBeTruthy();
    expect(inside.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  });

  test('is busy until the first answer; a fault is shown and can be retried', async () => {
    const first = Promise.withResolvers<unknown>();
    world.answers[LIST] = () => first.promise;
    await show();
    const inside = await open();
    expect(inside.getByRole('status', { name: 'Loading' }).getAttribute('aria-busy')).toBe('true');
    await act(async () => first.reject(new ApiProblem('offline')));
    expect((await inside.findByRole('alert')).textContent).toContain('Your notices couldn’t be fetched.');
    lists(aNotice(3));
    await userEvent.click(inside.getByRole('button', { name: /try again/i }));
    expect(await inside.findByRole('link')).toBeTruthy();
    expect(inside.queryByRole('alert')).toBeNull();
  });

  test('keeps its list while the browser is offline, and says so', async () => {
    await show();
    const inside = await open();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(await inside.findByText(/You’re offline/)).toBeTruthy();
    expect(inside.getAllByRole('link')).toHaveLength(3);
    onLine.mockRestore();
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(inside.queryByText(/You’re offline/)).toBeNull());
  });
});

test('11.51 its connection also reports on the room: new messages, and possible gaps while it was lost', async () => {
  onRoom.mockClear();
  await show();
  act(() => heard().onRoom());
  expect(onRoom).toHaveBeenCalledTimes(1);
  act(() => heard().onLost());
  act(() => heard().onOpen());
  expect(onRoom).toHaveBeenCalledTimes(2);
});
