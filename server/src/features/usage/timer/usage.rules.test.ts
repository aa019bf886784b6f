/** The pure rules of the timer at their limits. Numbers are those of README.md. */
import { describe, expect, test } from 'vitest';
import { counterAt } from '@fieldroom/contract/usage';
import { type Counter, countedAt, NEW_COUNTER, nextDue, nextLook, stopped, timerAt } from './usage.rules.ts';

const START = Date.parse('2026-11-23T10:00:00.250Z');
const running = (more: Partial<Counter> = {}): Counter => ({ ...NEW_COUNTER, startedMs: START, ...more });
const SECOND = 1000;

describe('2 the timer’s messages', () => {
  test('show the same second at the same moment within one interval', () => {
    const counter = running({ closedMs: 12_345 });
    for (const asked of [0, 1, 154, 654, 655, 656, 1_000, 90_001]) {
      const timer = timerAt(counter, START + asked);
      for (const later of [0, 300, 655, 999, 5_000])
        expect(counterAt(timer, START + asked + later)).toBe(Math.floor((12_345 + asked + later) / 1000));
    }
  });

  test('stop at the end of the trial, at the end of a warning and at a due stop, noticed or not', () => {
    const late = START + 100_000 * SECOND;
    expect(timerAt(running({ closedMs: 17_000_500 }), late)).toMatchObject({ counterState: 18_000, counting: false });
    const warned = timerAt(running({ warningMs: START + 70_400 }), START + 60_000);
    expect(warned).toMatchObject({ counterState: 60, counting: true, stopsAtSeconds: 70 });
    expect(counterAt(warned, late)).toBe(70);
    expect(timerAt(running({ stopMs: START + 70_000 }), START + 1000 * SECOND)).toMatchObject({
      counterState: 70,
      counting: true,
    });
    expect(timerAt(running({ plan: 'PROFESSIONAL', closedMs: 17_999_000 }), START + 5_000)).toMatchObject({
      counterState: 18_004,
      counting: true,
      stopsAtSeconds: null,
    });
  });

  test('never show less than before, even if the clock is behind the start', () => {
    expect(timerAt(running({ closedMs: 5_900 }), START - 10_000)).toMatchObject({ counterState: 5, counting: true });
    expect(stopped(running({ closedMs: 5_900 }), START - 10_000)).toMatchObject({ closedMs: 5_900, endedMs: START });
  });
});

describe('the next due work', () => {
  const due = (counter: Counter, quietSince = -Infinity) => {
    const next = nextDue(counter, quietSince);
    return next && [next.what, (next.atMs - START) / SECOND];
  };
  test('is chosen by time, and the end of the trial comes before everything else of the same moment', () => {
    expect(due(NEW_COUNTER)).toBe(null);
    expect(due(running())).toEqual(['idle', 2100]);
    expect(due(running(), START + 5 * SECOND)).toEqual(['idle', 2105]);
    expect(due(running({ stopMs: START + 600 * SECOND }))).toEqual(['stop', 600]);
    expect(due(running({ warningMs: START + 700 * SECOND }))).toEqual(['warningOver', 700]);
    expect(due(running({ closedMs: 14_000_000 }))).toEqual(['fourHours', 400]);
    const near = running({ closedMs: 17_400_000, isMailed: true, stopMs: START + 600_000, warningMs: START + 600_000 });
    expect(due(near)).toEqual(['trialOver', 600]);
  });
  test('is only what a crash left undone, for a stopped timer', () => {
    const standing: Counter = { ...NEW_COUNTER, closedMs: 18_000_000 };
    expect(nextDue(standing, 0)?.what).toBe('fourHours');
    expect(nextDue({ ...standing, isMailed: true }, 0)?.what).toBe('trialOver');
    expect(nextDue({ ...standing, isMailed: true, isTrialEnded: true }, 0)).toBe(null);
    expect(nextDue({ ...standing, plan: 'PROFESSIONAL' }, 0)).toBe(null);
  });
});

describe('4 checking a due stop', () => {
  const look = { atMs: 10_000, spanMs: 600 };
  const empty = { hereUntilMs: Infinity, isShared: false, lastActMs: -Infinity };
  test('stops in an empty room; after an act, or with others present, it checks again later', () => {
    expect(nextLook(look, empty, 10_000)).toBe(null);
    expect(nextLook(look, { ...empty, lastActMs: 9_400 }, 10_000)).toBe(null);
    expect(nextLook(look, { ...empty, lastActMs: 9_401 }, 50_000)).toBe(10_600);
    expect(nextLook(look, { ...empty, isShared: true }, 10_000)).toBe(10_600);
    expect(nextLook(look, { ...empty, isShared: true }, 12_399)).toBe(12_400);
    expect(nextLook(look, { ...empty, isShared: true }, 12_400)).toBe(13_000);
    expect(nextLook(look, { hereUntilMs: 10_000, isShared: true, lastActMs: 10_000 }, 10_000)).toBe(null);
  });
});

test('counts no time after the stop, whatever the clock says', () => {
  const counter = running({ stopMs: START + 60_000 });
  for (const now of [60_000, 61_000, 1e9]) expect(countedAt(counter, START + now)).toBe(60_000);
});
