/**
 * The notice of a newer version above every page of the app.
 *
 * @alone It replaces what asks the server.
 */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { TopNotices } from './TopNotices.tsx';

const version = vi.hoisted(() => ({ outdated: false }));
vi.mock('../../../platform/newVersion.ts', () => ({ useOutdated: () => version.outdated }));

beforeAll(() => startWords(['shell']));
beforeEach(() => {
  version.outdated = true;
});
afterEach(cleanup);
const bar = () => screen.queryByText('There is a new version of Fieldroom.');

test('11.37 without a newer version nothing is shown', () => {
  version.outdated = false;
  render(<TopNotices />);
  expect(bar()).toBeNull();
});

test('11.37 a newer version is reported; the person reloads when it suits them', () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  render(<TopNotices />);
  expect(bar()?.parentElement?.getAttribute('role')).toBe('status');
  expect(reload).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText('Reload'));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('11.37 dismissing hides the bar and reloads nothing', () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
  reload.mockClear();
  const { rerender } = render(<TopNotices />);
  fireEvent.click(screen.getByText('Later'));
  expect(bar()).toBeNull();
  rerender(<TopNotices />);
  expect(bar()).toBeNull();
  expect(reload).not.toHaveBeenCalled();
});
