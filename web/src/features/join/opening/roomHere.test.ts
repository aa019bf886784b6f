// @vitest-environment happy-dom
/** The room opens in the document of the waiting room (docs/product.md#11.67). */
import { CLIENT_ROOM } from '@fieldroom/contract/pages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openRoomHere } from './roomHere.ts';

let waiting: HTMLElement;
const end = vi.fn();
const frame = () =>
  new Promise((next) => {
    requestAnimationFrame(next);
  });

beforeEach(() => {
  end.mockReset();
  window.history.replaceState(null, '', '/user/join/anna');
  waiting = document.createElement('div');
  waiting.id = 'root';
  waiting.textContent = 'Welcome';
  document.body.replaceChildren(waiting);
});
afterEach(() => void vi.restoreAllMocks());

test('the waiting room stays visible until something other than a loading view is drawn, then it is removed', async () => {
  const entries = window.history.length;
  let room: HTMLElement | undefined;
  await openRoomHere(waiting, async () => async (element) => void (room = element), end);
  expect(location.pathname).toBe(CLIENT_ROOM);
  expect(window.history.length).toBe(entries);
  expect(document.getElementById('root')).toBe(room);
  room!.innerHTML = '<div aria-busy="true">Loading</div>';
  await frame();
  await frame();
  expect(end).not.toHaveBeenCalled();
  expect(waiting.isConnected).toBe(true);
  expect(waiting.style.position).toBe('fixed');
  room!.innerHTML = '<div>Field</div>';
  await vi.waitFor(() => expect(waiting.isConnected).toBe(false));
  expect(end).toHaveBeenCalledOnce();
  expect(room!.textContent).toBe('Field');
});

test('if the app cannot be fetched or does not start, the room’s own document is loaded', async () => {
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => undefined);
  await openRoomHere(waiting, () => Promise.reject(new TypeError('offline')), end);
  await openRoomHere(waiting, async () => () => Promise.reject(new Error('broken')), end);
  expect(replace.mock.calls).toEqual([[CLIENT_ROOM], [CLIENT_ROOM]]);
  expect(waiting.isConnected).toBe(true);
});
