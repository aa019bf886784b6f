/**
 * A light page whose code throws leaves words and a button, not a white page.
 *
 * @alone It replaces what the pages draw.
 */
import { act, cleanup, screen } from '@testing-library/react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hydratePage } from '../../bookings/rendering/hydrate.tsx';
import { hydrateJoinPage } from './hydrateJoinPage.tsx';

function Thrower(): never {
  throw new Error('Anna is not a function');
}
vi.mock('../JoinPage.tsx', () => ({ JoinPage: () => <Thrower /> }));
vi.mock('../../bookings/PublicArea.tsx', () => ({ PublicArea: () => <Thrower /> }));

let root: HTMLElement;
let drawn: Root | null = null;
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  root = document.body.appendChild(document.createElement('div'));
});
afterEach(async () => {
  await act(async () => drawn?.unmount());
  cleanup();
  document.body.replaceChildren();
});

test.each([
  ['the join page', (ready: () => void) => hydrateJoinPage(root, vi.fn(), ready)],
  ['a public page', (ready: () => void) => hydratePage(root, ready)],
])('12.13 %s that breaks says so, and reloads on request', async (_, draw) => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  const ready = vi.fn();
  await act(async () => {
    drawn = draw(ready);
  });
  expect(screen.getByRole('heading').textContent).toBe('Something went wrong');
  expect(document.body.textContent).not.toContain('Anna');
  // The switch between light and dark, too (11.2).
  expect(screen.getByRole('button', { name: 'Dark mode' })).toBeTruthy();
  screen.getByRole('button', { name: 'Try again' }).click();
  expect(reload).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(ready).toHaveBeenCalled());
});
