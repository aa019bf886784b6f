/** The pages about one's own booking are in a separate file, which may fail to load. */
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import en from '../../../locales/en/booking.json';
import { OwnPages, prefetchOwnPages } from './LazyOwnPages.tsx';

const file = vi.hoisted(() => ({ comes: false }));
vi.mock('./ownPages.ts', () => {
  if (!file.comes) throw new TypeError('Failed to fetch dynamically imported module');
  return { ConfirmPage: () => <h1>Here it is</h1>, HeldPage: null, OwnBookingPage: null };
});
afterEach(cleanup);

test('a failed load is reported, and retried by reloading the document', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  prefetchOwnPages();
  render(<OwnPages>{({ ConfirmPage }) => <ConfirmPage token="t" />}</OwnPages>);
  expect(await screen.findByRole('heading', { name: en.troubleTitle })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: en.tryAgain }));
  expect(reload).toHaveBeenCalledOnce();
  cleanup();
  file.comes = true;
  render(<OwnPages>{({ ConfirmPage }) => <ConfirmPage token="t" />}</OwnPages>);
  expect(await screen.findByRole('heading', { name: 'Here it is' })).toBeTruthy();
});
