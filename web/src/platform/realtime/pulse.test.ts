import { ALIVE_WITHIN_MS, ANSWER_EXPECTED_MS, QUIET_MS } from '@fieldroom/contract/realtime';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPulse, type Pulse } from './pulse.ts';

const check = vi.fn();
const onDead = vi.fn();
let pulse: Pulse;
const pass = (ms: number) => vi.advanceTimersByTime(ms);
/** The page is suspended: time passes, timers do not run. */
const standStill = (ms: number) => vi.setSystemTime(Date.now() + ms);

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  // The page's own time, which passes while its timers do not run.
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now());
  pulse = createPulse({ check, onDead });
  pulse.start();
});
afterEach(() => {
  pulse.stop();
  vi.useRealTimers();
});

describe('a sign of life is requested', () => {
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

  test('when nothing arrived for a while, but not while messages arrive', () => {
    for (let i = 0; i < 10; i++) {
      pass(QUIET_MS - 1_000);
      pulse.heard();
    }
    expect(check).not.toHaveBeenCalled();
    pass(QUIET_MS + 1_000);
    expect(check).toHaveBeenCalledOnce();
  });

  test('but not for a question that was answered', () => {
    pulse.asked();
    pass(1_000);
    pulse.heard();
    pass(ANSWER_EXPECTED_MS + 1_000);
    expect(check).not.toHaveBeenCalled();
  });
});

describe('the connection counts as dead', () => {
  test('when no sign of life arrives in time, reported once', () => {
    pulse.checkNow();
    pulse.checkNow();
    expect(check).toHaveBeenCalledOnce();
    pass(ALIVE_WITHIN_MS - 1_000);
    expect(onDead).not.toHaveBeenCalled();
    pass(60_000);
    expect(onDead).toHaveBeenCalledOnce();
  });

  test('but not when anything at all arrives', () => {
    pulse.checkNow();
    pass(ALIVE_WITHIN_MS - 1_000);
    pulse.heard();
    pass(QUIET_MS - 1_000);
    expect(onDead).not.toHaveBeenCalled();
  });

  test('but a page that was suspended asks once more before it reports it', () => {
    pulse.checkNow();
    pass(1_000);
    standStill(60_000);
    pass(1_000);
    expect(onDead).not.toHaveBeenCalled();
    expect(check).toHaveBeenCalledTimes(2);
    pass(ALIVE_WITHIN_MS);
    expect(onDead).toHaveBeenCalledOnce();
  });

  test('but not after the pulse was stopped', () => {
    pulse.checkNow();
    pulse.stop();
    pass(60_000);
    pulse.checkNow();
    expect(check).toHaveBeenCalledOnce();
    expect(onDead).not.toHaveBeenCalled();
  });
});
