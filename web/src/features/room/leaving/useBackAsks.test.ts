// @vitest-environment happy-dom
/** The browser's way back in the client's room. The history is the browser's own. */
import { renderHook, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { replaceRoom, useBackAsks } from './useBackAsks.ts';

const back = async () => {
  const stepped = new Promise((resolve) => {
    window.addEventListener('popstate', resolve, { once: true });
  });
  window.history.back();
  await stepped;
};
const ask = vi.fn();
let stop = () => undefined as void;
beforeEach(() => {
  ask.mockClear();
  window.history.pushState(null, '', '/app/play-area-view');
  stop = renderHook(() => useBackAsks(ask)).unmount;
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
  window.history.pushState(null, '', '/');
});

test('11.63: after a first touch every step back asks, and the room stays', async () => {
  await userEvent.click(document.body);
  await back();
  expect(ask).toHaveBeenCalledTimes(1);
  await back();
  expect(ask).toHaveBeenCalledTimes(2);
  expect(window.location.pathname).toBe('/app/play-area-view');
});

test('11.63: what lies over the room closes first', async () => {
  await userEvent.click(document.body);
  const menu = document.body.appendChild(document.createElement('div'));
  menu.setAttribute('role', 'menu');
  const keys: string[] = [];
  menu.addEventListener('keydown', ({ key }) => {
    keys.push(key);
    menu.remove();
  });
  await back();
  expect([keys, ask.mock.calls.length]).toEqual([['Escape'], 0]);
  await back();
  expect(ask).toHaveBeenCalledTimes(1);
});

test('11.63: who leaves is not asked again, and the page after takes the place of the room', async () => {
  await userEvent.click(document.body);
  const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
  replaceRoom('/user/bye');
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/user/bye'));
  expect(ask).not.toHaveBeenCalled();
  expect((window.history.state as { room?: true } | null)?.room).toBeUndefined();
  replace.mockRestore();
});
