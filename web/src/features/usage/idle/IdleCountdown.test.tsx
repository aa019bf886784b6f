/** A client who is inactive while the therapist is away (docs/product.md#7.6). */
import { CLIENT_IDLE_SECONDS } from '@fieldroom/contract/usage';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import words from '../../../locales/en/usage.json';
import { storage } from '../../../platform/storage.ts';
import { BEGIN } from '../usage.testing.ts';
import { IdleCountdown } from './IdleCountdown.tsx';

const world = vi.hoisted(() => ({ clock: { now: () => Date.now() } }));
vi.mock('../../../platform/time/sharedClock.ts', () => ({ useSharedClock: () => world.clock }));

const expired = vi.fn();
const pass = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000));
const left = () => screen.queryByRole('timer')?.textContent ?? null;
const stored = () => storage.getText('logoutExpiredDate');
const from = (seconds: number) => String(Date.parse(BEGIN) + seconds * 1000);

/** The elements over the field. */
const over = new Set<Element>();
const onPlace = (element: Element) => {
  over.add(element);
  return () => void over.delete(element);
};

function show(away: boolean) {
  const tree = (next: boolean, connected = true) => (
    <IdleCountdown away={next} connected={connected} onExpired={expired} onPlace={onPlace} />
  );
  const { rerender } = render(tree(away));
  return (next: boolean, connected?: boolean) => rerender(tree(next, connected));
}

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { usage: words } } }));
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(BEGIN) });
  localStorage.clear();
  expired.mockReset();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('counts down only while the therapist is away, under the fixed key', () => {
  const change = show(false);
  expect([left(), stored()]).toEqual([null, null]);
  change(true);
  expect([left(), stored()]).toEqual(['10:00', from(CLIENT_IDLE_SECONDS)]);
  pass(61);
  expect(left()).toBe('8:59');
  change(false);
  expect([left(), stored()]).toEqual([null, null]);
  pass(CLIENT_IDLE_SECONDS);
  expect(expired).not.toHaveBeenCalled();
});

test('5.24 the field receives the area that it covers, until the therapist returns', () => {
  const change = show(true);
  expect([...over]).toEqual([screen.getByRole('region')]);
  change(false);
  expect(over.size).toBe(0);
});

test.each(['pointerdown', 'keydown', 'wheel', 'touchstart'])('each act (%s) postpones the end', (type) => {
  show(true);
  pass(300);
  fireEvent(document.body, new Event(type, { bubbles: true }));
  expect(stored()).toBe(from(300 + CLIENT_IDLE_SECONDS));
  pass(CLIENT_IDLE_SECONDS - 1);
  expect(expired).not.toHaveBeenCalled();
  pass(1);
  expect(expired).toHaveBeenCalledOnce();
});

test('ends once, and removes its key', () => {
  show(true);
  pass(CLIENT_IDLE_SECONDS);
  expect(expired).toHaveBeenCalledOnce();
  expect(stored()).toBeNull();
  pass(CLIENT_IDLE_SECONDS);
  expect(expired).toHaveBeenCalledOnce();
});

test('continues after a reload', () => {
  storage.setText('logoutExpiredDate', from(90));
  show(true);
  expect(left()).toBe('1:30');
  pass(90);
  expect(expired).toHaveBeenCalledOnce();
});

test.each([
  ['has passed', from(-5)],
  ['lies too far ahead', from(CLIENT_IDLE_SECONDS + 5)],
  ['is no time', 'soon'],
])('starts again when the stored moment %s', (_, moment) => {
  storage.setText('logoutExpiredDate', moment);
  show(true);
  expect(left()).toBe('10:00');
});

test('an act in another tab of the same client counts here, too', () => {
  show(true);
  pass(300);
  storage.setText('logoutExpiredDate', from(300 + CLIENT_IDLE_SECONDS));
  pass(CLIENT_IDLE_SECONDS - 1);
  expect(expired).not.toHaveBeenCalled();
  pass(1);
  expect(expired).toHaveBeenCalledOnce();
});

/** The page is suspended, and checks the time afterwards. */
const sleep = (seconds: number) => {
  vi.setSystemTime(Date.now() + seconds * 1000);
  pass(1);
};

test('a phone that slept first checks whether the therapist is back', () => {
  const change = show(true);
  sleep(CLIENT_IDLE_SECONDS + 100);
  expect(expired).not.toHaveBeenCalled();
  change(false);
  pass(60);
  expect(expired).not.toHaveBeenCalled();
});

test('a phone that slept is signed out if the therapist is still away, also in the background', () => {
  show(true);
  sleep(CLIENT_IDLE_SECONDS + 100);
  sleep(60);
  expect(expired).toHaveBeenCalledOnce();
});

test('7.6 a page without a connection signs nobody out, and checks the therapist once it is back', () => {
  const change = show(true);
  pass(60);
  change(true, false);
  pass(CLIENT_IDLE_SECONDS * 2);
  expect(expired).not.toHaveBeenCalled();
  change(true);
  pass(10);
  expect(expired).not.toHaveBeenCalled();
  change(false);
  pass(CLIENT_IDLE_SECONDS);
  expect(expired).not.toHaveBeenCalled();
});

test('7.6 if the therapist is still away when the connection returns, the client is signed out after the check', () => {
  const change = show(true);
  pass(CLIENT_IDLE_SECONDS - 2);
  change(true, false);
  pass(1);
  change(true);
  pass(13);
  expect(expired).not.toHaveBeenCalled();
  pass(5);
  expect(expired).toHaveBeenCalledOnce();
});
