import { ALIVE_WITHIN_MS, ANSWER_EXPECTED_MS, QUIET_MS } from '@fieldroom/contract/realtime';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPulse, type Pulse } from './pulse.ts';

const check = vi.fn();
const onDead = vi.fn();
let pulse: Pulse;
const pass = (ms: number) => vi.advanceTimersByTime(ms);
/** The page stands still: time goes on, timers do not. */
const standStill = (ms: number) => vi.setSystemTime(Date.now() + ms);

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  // The page's own time, which goes on while its timers stand still.
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  pulse = createPulse({ check, onDead });
  pulse.start();
});
afterEach(() => {
  pulse.stop();
  vi.useRealTimers();
});

describe('a sign of life is asked for', () => {
  test('when an answer is late', () => {
    pass(5_000);
    pulse.heard();
    pulse.asked();
    pass(ANSWER_EXPECTED_MS - 1);
    pulse.asked();
    expect(check).not.toHaveBeenCalled();
    pass(1_001);
    expect(check).toHaveBeenCalledOnce();
    expect(onDead).not.toHaveBeenCalled();
  });

  test('when nothing was heard for a while, and not while something is', () => {
    for (let i = 0; i < 10; i++) {
      pass(QUIET_MS - 1_000);
      pulse.heard();
    }
    expect(check).not.toHaveBeenCalled();
    pass(QUIET_MS + 1_000);
    expect(check).toHaveBeenCalledOnce();
  });

  test('not for a question that was answered', () => {
    pulse.asked();
    pass(1_000);
    pulse.heard();
    pass(ANSWER_EXPECTED_MS + 1_000);
    expect(check).not.toHaveBeenCalled();
  });
});

describe('the connection is dead', () => {
  test('when none comes in time, said once', () => {
    pulse.checkNow();
    pulse.checkNow();
    expect(check).toHaveBeenCalledOnce();
    pass(ALIVE_WITHIN_MS - 1_000);
    expect(onDead).not.toHaveBeenCalled();
    pass(60_000);
    expect(onDead).toHaveBeenCalledOnce();
  });

  test('and not when anything at all comes', () => {
    pulse.checkNow();
    pass(ALIVE_WITHIN_MS - 1_000);
    pulse.heard();
    pass(QUIET_MS - 1_000);
    expect(onDead).not.toHaveBeenCalled();
  });

  test('a page that stood still asks once more before it says so', () => {
    pulse.checkNow();
    pass(1_000);
    standStill(60_000);
    pass(1_000);
    expect(onDead).not.toHaveBeenCalled();
    expect(check).toHaveBeenCalledTimes(2);
    pass(ALIVE_WITHIN_MS);
    expect(onDead).toHaveBeenCalledOnce();
  });

  test('nor is one watched that is gone', () => {
    pulse.checkNow();
    pulse.stop();
    pass(60_000);
    pulse.checkNow();
    expect(check).toHaveBeenCalledOnce();
    expect(onDead).not.toHaveBeenCalled();
  });
});
