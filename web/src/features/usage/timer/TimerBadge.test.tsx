/** The badge as people see and hear it, and the tree. */
import { type Timer, TREE_SECONDS, TREE_SHOWN_MS } from '@fieldroom/contract/usage';
import { act, cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import words from '../../../locales/en/usage.json';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { aTimer, BEGIN } from '../usage.testing.ts';
import { RoomTimerBadge, TimerBadge } from './TimerBadge.tsx';
import { createTimerStore } from './timerStore.ts';
import { TimerContext } from './timerContext.ts';

const world = vi.hoisted(() => ({ clock: { now: () => Date.now() }, known: true }));
vi.mock('../../../platform/time/sharedClock.ts', () => ({ useSharedClock: () => (world.known ? world.clock : null) }));

const badge = () => screen.getByRole('img');
const pass = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000));
function show(timer: Timer | null, short = false) {
  const tree = (next: Timer | null) => <TimerBadge timer={next} short={short} />;
  const { rerender } = render(tree(timer));
  return (next: Timer | null) => rerender(tree(next));
}

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { usage: words } } }));
beforeEach(() => {
  world.known = true;
  vi.useFakeTimers({ now: Date.parse(BEGIN) });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the badge', () => {
  test('shows hours, minutes and trees, and names them together with whether it runs', () => {
    show(aTimer(43 * 3600 + 42 * 60));
    expect(badge().textContent).toBe('43:4214 trees');
    expect(badge().getAttribute('aria-label')).toBe('The timer is running: 43 h 42 min used, 14 trees');
    expect(badge().dataset.timer).toBe('running');
    expect(badge().title).toBe('This is the time spent on the field so far. We plant a tree for every 3 hours.');
  });

  test('is grey and stopped while the timer is stopped', () => {
    show(aTimer(TREE_SECONDS, { counting: false }));
    expect(badge().dataset.timer).toBe('stopped');
    expect(badge().getAttribute('aria-label')).toBe('The timer is stopped: 3 h 0 min used, 1 tree');
    pass(120);
    expect(badge().textContent).toBe('3:001 tree');
  });

  test('counts between two messages by itself, and stops at the timer’s limit', () => {
    show(aTimer(3590, { stopsAtSeconds: 3660 }));
    expect(badge().textContent).toBe('0:590 trees');
    pass(10);
    expect(badge().textContent).toBe('1:000 trees');
    pass(600);
    expect(badge().textContent).toBe('1:010 trees');
  });

  test('never goes back when the server reports less', () => {
    const change = show(aTimer(119));
    pass(5);
    expect(badge().textContent).toBe('0:020 trees');
    change(aTimer(110, { counting: false }));
    expect(badge().textContent).toBe('0:020 trees');
  });

  test('is not announced: it is not a live region, and its name changes once a minute', () => {
    show(aTimer(0));
    const name = badge().getAttribute('aria-label');
    expect(badge().closest('[aria-live], [role=status], [role=timer]')).toBeNull();
    pass(59);
    expect(badge().getAttribute('aria-label')).toBe(name);
  });

  test('is not there before the timer is known, and shows the server’s value before the clock is known', () => {
    const change = show(null);
    expect(screen.queryByRole('img')).toBeNull();
    world.known = false;
    change(aTimer(60));
    expect(badge().textContent).toBe('0:010 trees');
  });

  test('is short if there is little room', () => {
    show(aTimer(TREE_SECONDS), true);
    expect(badge().textContent).toBe('3:001');
    expect(badge().getAttribute('aria-label')).toContain('1 tree');
  });

  test('of the room follows its connection', () => {
    const connection = fakeConnection();
    const store = createTimerStore({ connection, therapistId: 7 });
    render(
      <TimerContext value={store}>
        <RoomTimerBadge />
      </TimerContext>,
    );
    expect(screen.queryByRole('img')).toBeNull();
    act(() => connection.say({ eventType: 'TIMER_UPDATE', contents: aTimer(60) }));
    expect(badge().dataset.timer).toBe('running');
    act(() => connection.say({ eventType: 'TIMER_UPDATE', contents: aTimer(61, { counting: false }) }));
    expect(badge().dataset.timer).toBe('stopped');
    store.close();
  });
});

describe('a tree', () => {
  const planted = () => screen.getByRole('status').textContent;

  test('appears for five seconds when three hours are full, and is announced once', () => {
    show(aTimer(TREE_SECONDS - 3));
    expect(planted()).toBe('');
    pass(3);
    expect(planted()).toBe('The first tree has been planted.');
    pass(TREE_SHOWN_MS / 1000 - 1);
    expect(planted()).not.toBe('');
    pass(1);
    expect(planted()).toBe('');
    pass(60);
    expect(planted()).toBe('');
  });

  test('says how many there are', () => {
    show(aTimer(3 * TREE_SECONDS - 1));
    pass(1);
    expect(planted()).toBe('A tree has been planted. That makes 3.');
  });

  test('does not appear for trees from before the page was opened', () => {
    show(aTimer(2 * TREE_SECONDS));
    pass(10);
    expect(planted()).toBe('');
  });
});
