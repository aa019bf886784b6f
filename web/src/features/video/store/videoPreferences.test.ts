// @vitest-environment happy-dom
/** What this browser stores about audio and video. */
import { afterEach, expect, test, vi } from 'vitest';
import { browserPreferences } from './videoPreferences.ts';

afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

test('a recent participant may rejoin with one tap, one from yesterday is not asked', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-22T18:00:00Z') });
  const preferences = browserPreferences();
  preferences.setActive(true);
  expect(localStorage.getItem('myVideoActive')).toBe('1');
  vi.advanceTimersByTime(9 * 60_000);
  expect(browserPreferences().active()).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(browserPreferences().active()).toBe(false);
});

test('somebody who left does not rejoin automatically', () => {
  const preferences = browserPreferences();
  preferences.setActive(true);
  preferences.setActive(false);
  expect([localStorage.getItem('myVideoActive'), preferences.active()]).toEqual(['0', false]);
});
