/** The side menu beside a page, over it and in its two levels (docs/product.md#11.35). */
import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { menuFor } from './mainMenu.ts';
import { menuType, setMenuType } from './menuType.ts';
import { SideMenu } from './SideMenu.tsx';
import { useSideMenu } from './useSideMenu.ts';

const ENTRIES = menuFor(['ROLE_THERAPIST']);

beforeAll(async () => {
  await startWords(['shell']);
});
beforeEach(() => {
  setMenuType('menu-default');
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  localStorage.clear();
});

function Frame() {
  const menu = useSideMenu(ENTRIES);
  return (
    <div data-testid="frame" className={menu.classNames.join(' ')}>
      <SideMenu menu={menu} entries={ENTRIES} foot={null} look={{}} />
      <button ref={menu.button} type="button" aria-expanded={menu.open} onClick={menu.toggle}>
        Button
      </button>
      <p>Page</p>
      <Outlet />
    </div>
  );
}

/**
 * Shows the menu beside the page of a path, in a window of some width in px. Takes a function that fetches the page
 * `/app/profile`. Returns a function that goes to a path.
 */
async function draw(path: string, width: number, fetchProfile = () => Promise.resolve()) {
  window.innerWidth = width;
  const root = createRootRoute({ component: Frame });
  const any = createRoute({ getParentRoute: () => root, path: '$' });
  const slow = createRoute({ getParentRoute: () => root, path: '/app/profile', loader: fetchProfile });
  const router = createRouter({
    routeTree: root.addChildren([any, slow]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  await screen.findByText('Page');
  return (to: string) => act(() => void router.navigate({ to } as never));
}
const shown = () => screen.getByTestId('frame').className;
const button = () => screen.getByText('Button');
const help = () => screen.getByText('Help').closest('button') as HTMLElement;

/** A resize as the browser reports it. */
function resize(width: number, isTrusted = true) {
  window.innerWidth = width;
  const event = new Event('resize');
  Object.defineProperty(event, 'isTrusted', { value: isTrusted });
  act(() => void window.dispatchEvent(event));
}

test('the entry of the page is expanded; each press shows the next part', async () => {
  await draw('/app/welcome', 1440);
  expect(help().getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByText('Help and info').closest('a')?.getAttribute('data-active')).toBe('true');
  const seen = [shown()];
  for (let press = 0; press < 4; press++) {
    await userEvent.click(button());
    seen.push(shown());
  }
  expect(seen).toEqual([
    'menu-default',
    'menu-default sub-hidden',
    'menu-default main-hidden sub-hidden',
    'menu-default sub-show-temporary',
    'menu-default',
  ]);
});

test('an entry with sub-entries expands them without navigating; a second press collapses them', async () => {
  await draw('/app/dashboard', 1440);
  expect(help().getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(help());
  expect(help().getAttribute('aria-expanded')).toBe('true');
  const list = document.getElementById(help().getAttribute('aria-controls') ?? '') as HTMLElement;
  expect(within(list).getAllByRole('link')).toHaveLength(4);
  expect(screen.getByText('Dashboard').closest('a')?.getAttribute('data-active')).toBe('true');
  await userEvent.click(help());
  expect(help().getAttribute('aria-expanded')).toBe('false');
});

test('an entry may open a new window, which says so', async () => {
  await draw('/app/welcome', 1440);
  const link = screen.getByRole('link', { name: 'API (opens in a new window)' });
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noreferrer']);
});

test('a rail expands over the page, until a press elsewhere, Escape or another page', async () => {
  await draw('/app/dashboard', 1200);
  const rest = 'menu-default menu-sub-hidden sub-hidden';
  const wide = 'menu-default menu-sub-hidden sub-show-temporary';
  expect(shown()).toBe(rest);
  await userEvent.click(help());
  expect(shown()).toBe(wide);
  await userEvent.click(screen.getByText('Page'));
  expect(shown()).toBe(rest);
  await userEvent.click(help());
  await userEvent.keyboard('{Escape}');
  expect(shown()).toBe(rest);
  await expect.poll(() => document.activeElement).toBe(button());
  await userEvent.click(help());
  await userEvent.click(screen.getByText('My events'));
  await expect.poll(shown).toBe(rest);
});

test('a drawer takes the focus and returns it', async () => {
  await draw('/app/dashboard', 390);
  expect(shown()).toBe('menu-default menu-mobile main-hidden sub-hidden');
  expect(button().getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(button());
  expect(shown()).toBe('menu-default menu-mobile main-show-temporary sub-show-temporary');
  expect(screen.getByRole('navigation').contains(document.activeElement)).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Close menu' }));
  await expect.poll(() => document.activeElement).toBe(button());
});

test('it follows the window’s width, and ignores resize events that a script dispatched', async () => {
  await draw('/app/dashboard', 1440);
  resize(700, false);
  expect(shown()).not.toContain('menu-mobile');
  resize(767);
  expect(shown()).toContain('menu-mobile');
  // Parts opened in the drawer do not cover the rail.
  await userEvent.click(button());
  resize(768);
  expect(shown()).toBe('menu-default menu-sub-hidden sub-hidden');
  resize(1440);
  expect(shown()).toBe('menu-default sub-hidden');
});

test('after a press, the page receives a resize event', async () => {
  await draw('/app/dashboard', 1440);
  vi.useFakeTimers();
  const told = vi.fn();
  window.addEventListener('resize', told);
  act(() => button().click());
  vi.advanceTimersByTime(349);
  expect(told).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(told).toHaveBeenCalledTimes(1);
  window.removeEventListener('resize', told);
});

test('the chosen layout is stored; an invalid stored value is dropped', async () => {
  await draw('/app/dashboard', 1440);
  act(() => setMenuType('menu-hidden'));
  expect(shown()).toBe('menu-hidden main-hidden sub-hidden');
  expect(localStorage.getItem('menu')).toBe('menu-hidden');
  localStorage.setItem('menu', '<b>');
  expect(menuType()).toBe('menu-default');
  expect(localStorage.getItem('menu')).toBe(null);
});

test('opening another page closes what covers the page; a press while it is fetched stays in effect', async () => {
  const fetched = Promise.withResolvers<void>();
  const goTo = await draw('/app/dashboard', 390, () => fetched.promise);
  await userEvent.click(button());
  expect(shown()).toContain('main-show-temporary');
  goTo('/app/profile');
  await waitFor(() => expect(shown()).toContain('main-hidden'));
  expect(screen.getByText('Profile').closest('a')?.getAttribute('aria-current')).toBe('page');
  await userEvent.click(button());
  expect(shown()).toContain('main-show-temporary');
  await act(async () => {
    fetched.resolve();
    await fetched.promise;
  });
  await screen.findByText('Page');
  expect(shown()).toContain('main-show-temporary');
});
