/**
 * A computer that slept: the page's clock stopped, is behind when the server's message arrives, and is fetched again.
 */
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aTimer, BEGIN } from '../usage.testing.ts';
import { TimerBadge } from './TimerBadge.tsx';

const world = vi.hoisted(() => ({
  behind: 0,
  answers: 1,
  clock: { now: (): number => 0, answers: (): number => 0 },
}));
world.clock.now = () => Date.now() - world.behind;
world.clock.answers = () => world.answers;
vi.mock('../../../platform/time/sharedClock.ts', () => ({ useSharedClock: () => world.clock }));
vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));

const SLEPT_MS = 3_600_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.parse(BEGIN) }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test.each(['before', 'after'])(
  'an hour of sleep counts once if the server’s message arrives %s the clock is corrected',
  (when) => {
    const { rerender } = render(<TimerBadge timer={aTimer(60)} />);
    vi.setSystemTime(Date.parse(BEGIN) + SLEPT_MS);
    const askedAgain = () => {
      world.behind = 0;
      world.answers += 1;
    };
    world.behind = SLEPT_MS;
    if (when === 'after') askedAgain();
    rerender(<TimerBadge timer={aTimer(3660, { at: new Date(Date.parse(BEGIN) + SLEPT_MS).toISOString() })} />);
    if (when === 'before') askedAgain();
    act(() => void vi.advanceTimersByTime(2000));
    expect(screen.getByRole('img').textContent).toContain('1:01');
  },
);
