/** The question before the therapist leaves a room that has a document to itself (docs/product.md#11.50). */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDocumentLeaving } from './useDocumentLeaving.ts';

const asks = vi.fn(() => true);
const warns = vi.fn(() => true);
const assign = vi.fn();
const go = vi.fn();

function Room() {
  const { asked, stay, go: leave } = useDocumentLeaving({ asks, warns });
  return (
    <>
      <a href="/app/dashboard">Back</a>
      <a href="/app/play-area#field">To the field</a>
      <a href="/bill.pdf" download>
        Bill
      </a>
      <a href="/help" target="_blank" rel="noreferrer">
        Help
      </a>
      <a href="https://elsewhere.example/">Elsewhere</a>
      {asked && (
        <div role="dialog">
          <button type="button" onClick={stay}>
            Stay
          </button>
          <button type="button" onClick={leave}>
            Leave
          </button>
        </div>
      )}
    </>
  );
}
const isAsked = () => screen.queryByRole('dialog') !== null;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
/** Clicks a link. Returns whether the browser follows it. */
const follow = (name: string, keys: MouseEventInit = {}) => {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...keys });
  let followed = false;
  // A click that nobody prevented is prevented here.
  const last = (one: Event) => {
    followed = !one.defaultPrevented;
    one.preventDefault();
  };
  window.addEventListener('click', last, { once: true });
  fireEvent(screen.getByRole('link', { name }), event);
  return followed;
};
const back = () => window.history.back();
const closing = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

beforeEach(() => {
  for (const rule of [asks, warns]) rule.mockReset().mockReturnValue(true);
  assign.mockReset();
  go.mockReset();
  history.replaceState(null, '', '/app/dashboard');
  history.pushState(null, '', '/app/play-area');
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
  vi.spyOn(window.history, 'go').mockImplementation(go);
  render(<Room />);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('11.50 a link within the site asks; staying stays, and leaving follows it', () => {
  expect(follow('Back')).toBe(false);
  expect(isAsked()).toBe(true);
  press('Stay');
  expect([isAsked(), assign.mock.calls]).toEqual([false, []]);
  follow('Back');
  press('Leave');
  expect(assign.mock.calls).toEqual([[new URL('/app/dashboard', location.href).href]]);
});

test('11.50 links that do not leave the room do not ask: the page itself, another tab, a file', () => {
  for (const name of ['To the field', 'Bill', 'Help']) expect(follow(name)).toBe(true);
  for (const keys of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])
    expect(follow('Back', keys)).toBe(true);
  // The browser asks there.
  expect(follow('Elsewhere')).toBe(true);
  expect(isAsked()).toBe(false);
});

test('11.50 links lead on at once if nothing is running', () => {
  asks.mockReturnValue(false);
  expect(follow('Back')).toBe(true);
  expect(isAsked()).toBe(false);
});

test('11.50 the browser’s back button asks too, and leaving skips the guarding history entry', async () => {
  fireEvent.pointerDown(document.body);
  back();
  await waitFor(() => expect(isAsked()).toBe(true));
  expect(location.pathname).toBe('/app/play-area');
  press('Stay');
  expect(isAsked()).toBe(false);
  back();
  await waitFor(() => expect(isAsked()).toBe(true));
  press('Leave');
  expect(go.mock.calls).toEqual([[-2]]);
});

test('11.50 the back button leads on at once if nothing is running, and to the start if there is no earlier page', async () => {
  asks.mockReturnValue(false);
  fireEvent.pointerDown(document.body);
  back();
  await waitFor(() => expect(go.mock.calls).toEqual([[-2]]));
  vi.spyOn(window.history, 'length', 'get').mockReturnValue(2);
  back();
  await waitFor(() => expect(assign.mock.calls).toEqual([['/']]));
});

test('11.50 closing the tab asks as the rules say, but not after the question was answered', () => {
  expect(closing()).toBe(true);
  warns.mockReturnValue(false);
  expect(closing()).toBe(false);
  warns.mockReturnValue(true);
  follow('Back');
  press('Leave');
  expect(closing()).toBe(false);
});

test('11.63 from the page after the room, one step back leaves', async () => {
  fireEvent.pointerDown(document.body);
  cleanup();
  back();
  await waitFor(() => expect(go.mock.calls).toEqual([[-1]]));
  expect(isAsked()).toBe(false);
});
