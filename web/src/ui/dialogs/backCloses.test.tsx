// @vitest-environment happy-dom
/**
 * The browser's back button closes what lies over a page (docs/product.md#11.63). The history is the window's own.
 * @alone: the test's listener must come before the module's.
 */
import { createBrowserHistory } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { leaveBack, replacePage, useBackAsks, useBackCloses, useOpened } from './backCloses.ts';

let stepped = (): void => {};
window.addEventListener('popstate', () => stepped(), { capture: true });
/** Waits until a step is done and its result is drawn. */
const step = async (move: () => void) => {
  const done = new Promise<void>((resolve) => {
    stepped = resolve;
  });
  move();
  await done;
  await act(async () => {});
};
const back = () => step(() => window.history.back());
const path = () => window.location.pathname + window.location.search;
/** A listener besides the module: the router, or a page without one. */
const heard = vi.fn();

beforeEach(() => {
  heard.mockClear();
  window.history.pushState(null, '', '/before');
  window.history.pushState(null, '', '/page');
  window.addEventListener('popstate', heard);
});
afterEach(() => {
  window.removeEventListener('popstate', heard);
  cleanup();
  document.body.replaceChildren();
});

function Layer({ name, busy = false }: { name: string; busy?: boolean }) {
  const [opened, setOpened] = useState(false);
  useBackCloses(opened, () => (busy ? false : setOpened(false)));
  return (
    <>
      <button type="button" onClick={() => setOpened(true)}>
        {name}
      </button>
      {opened && (
        <div role="dialog" aria-label={name}>
          <button type="button" onClick={() => setOpened(false)}>
            Close {name}
          </button>
        </div>
      )}
    </>
  );
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
/** Closes without a touch, as a server's answer does. */
const close = (name: string) => fireEvent.click(screen.getByRole('button', { name: `Close ${name}` }));
const open = () => screen.queryAllByRole('dialog').map((dialog) => dialog.getAttribute('aria-label'));

function Page() {
  return (
    <>
      <Layer name="panel" />
      <Layer name="dialog" />
    </>
  );
}

test('11.63 several layers close one by one, the topmost first; the next step leaves the page', async () => {
  render(<Page />);
  await press('panel');
  await press('dialog');
  await back();
  expect([open(), path()]).toEqual([['panel'], '/page']);
  await back();
  expect([open(), path()]).toEqual([[], '/page']);
  expect(heard).not.toHaveBeenCalled();
  await back();
  expect([heard.mock.calls.length, path()]).toEqual([1, '/before']);
});

test('11.63 layers closed in another way cost no further press, whatever was opened since', async () => {
  render(<Page />);
  for (const name of ['panel', 'dialog']) await press(name);
  const entries = window.history.length;
  for (const name of ['Close dialog', 'dialog', 'Close panel', 'Close dialog', 'dialog', 'Close dialog'])
    await press(name);
  expect(window.history.length).toBe(entries);
  window.history.back();
  await waitFor(() => expect(path()).toBe('/before'));
  expect(heard).toHaveBeenCalledTimes(1);
});

test('11.63 an open layer closes at once, even if more layers were open before', async () => {
  render(<Page />);
  for (const name of ['panel', 'dialog', 'Close panel']) await press(name);
  window.history.back();
  await waitFor(() => expect(open()).toEqual([]));
  expect([path(), heard.mock.calls.length]).toEqual(['/page', 0]);
  await back();
  expect(path()).toBe('/before');
});

test('11.63 going to another page replaces the entry of the open layer', async () => {
  render(<Page />);
  await press('dialog');
  const entries = window.history.length;
  window.history.pushState({ next: true }, '', '/next');
  close('dialog');
  expect([window.history.length, path(), window.history.state]).toEqual([entries, '/next', { next: true }]);
  await back();
  expect([path(), heard.mock.calls.length]).toEqual(['/page', 1]);
  await step(() => window.history.forward());
  expect([path(), heard.mock.calls.length]).toEqual(['/next', 2]);
});

test('11.63 forward from the previous page leads to the page, and on to the next one', async () => {
  render(<Page />);
  for (const name of ['panel', 'dialog', 'Close dialog', 'Close panel']) await press(name);
  // The entry of the dialog is reused, that of the panel stays.
  window.history.pushState(null, '', '/next');
  window.history.go(-3);
  await waitFor(() => expect(path()).toBe('/before'));
  await step(() => window.history.forward());
  expect(path()).toBe('/page');
  window.history.forward();
  await waitFor(() => expect(path()).toBe('/next'));
});

test('11.63 an address that changed while a layer was open stays', async () => {
  render(<Page />);
  await press('dialog');
  window.history.replaceState({ page: 2 }, '', '/page?page=2');
  await back();
  expect([open(), path(), window.history.state]).toEqual([[], '/page?page=2', { page: 2 }]);
  await back();
  expect(path()).toBe('/before');
});

test('11.63 a busy layer stays open, and keeps the page', async () => {
  const { rerender } = render(<Layer name="dialog" busy />);
  await press('dialog');
  await back();
  await back();
  expect([open(), path()]).toEqual([['dialog'], '/page']);
  rerender(<Layer name="dialog" />);
  await back();
  expect([open(), path()]).toEqual([[], '/page']);
});

test('11.63 a layer that stays open on another page has an entry again after a touch', async () => {
  render(<Page />);
  await press('panel');
  window.history.pushState(null, '', '/next');
  await userEvent.click(document.body);
  await back();
  expect([open(), path()]).toEqual([[], '/next']);
  await back();
  expect(path()).toBe('/page');
});

test('11.63 a menu of the kit closes', async () => {
  const { result } = renderHook(useOpened);
  act(() => result.current.onChange(true));
  await back();
  expect([result.current.opened, path()]).toEqual([false, '/page']);
});

test('11.63 the app’s router is notified only of steps between pages', async () => {
  const router = createBrowserHistory();
  const told = vi.fn();
  const blocks = vi.fn(() => false);
  router.subscribe(({ location, action }) => told(action.type, location.pathname));
  router.block({ blockerFn: blocks, enableBeforeUnload: false });
  try {
    router.push('/page/of/router');
    await waitFor(() => expect(path()).toBe('/page/of/router'));
    render(<Page />);
    await press('dialog');
    await back();
    await press('dialog');
    await press('Close dialog');
    expect(told.mock.calls).toEqual([['PUSH', '/page/of/router']]);
    expect(blocks).toHaveBeenCalledTimes(1);
    // The router's own way back skips the kept entries.
    router.back();
    await waitFor(() => expect(told).toHaveBeenLastCalledWith('BACK', '/page'));
    expect(path()).toBe('/page');
    router.push('/next');
    await waitFor(() => expect(path()).toBe('/next'));
    await press('dialog');
    router.push('/last');
    await waitFor(() => expect(path()).toBe('/last'));
    close('dialog');
    router.back();
    await waitFor(() => expect(told).toHaveBeenLastCalledWith('BACK', '/next'));
  } finally {
    router.destroy();
  }
});

test('11.63: with no layer over the page, every step back asks, and the page stays', async () => {
  const ask = vi.fn();
  render(<Page />);
  await press('dialog');
  const { unmount } = renderHook(() => useBackAsks(ask));
  await back();
  expect([open(), ask.mock.calls.length]).toEqual([[], 0]);
  await back();
  await back();
  expect([ask.mock.calls.length, path()]).toEqual([2, '/page']);
  leaveBack();
  await waitFor(() => expect(path()).toBe('/before'));
  expect(ask).toHaveBeenCalledTimes(2);
  unmount();
});

test('11.63: the person is not asked once the page has stopped asking', async () => {
  const ask = vi.fn();
  renderHook(() => useBackAsks(ask)).unmount();
  window.history.back();
  await waitFor(() => expect(path()).toBe('/before'));
  expect(ask).not.toHaveBeenCalled();
});

test('11.63: the next page replaces this one, and the person is not asked', async () => {
  const ask = vi.fn();
  renderHook(() => useBackAsks(ask));
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  replacePage('/user/bye');
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/user/bye'));
  expect([ask.mock.calls.length, window.history.state, path()]).toEqual([0, null, '/page']);
  replace.mockRestore();
});
