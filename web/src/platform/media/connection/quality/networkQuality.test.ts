import { describe, expect, test } from 'vitest';
import type { NetworkQuality } from '@fieldroom/contract/video';
import {
  type Allowance,
  createQualityJudge,
  createVideoAllowance,
  judge,
  type Second,
  strainOf,
} from './networkQuality.ts';

const second = (more: Partial<Second> = {}): Second => ({
  roundTripSeconds: 0.05,
  lossIn: 0,
  lossOut: 0,
  availableOut: 300_000,
  ...more,
});
const WEAK = second({ roundTripSeconds: 0.4 });
const POOR = second({ lossIn: 0.2 });

test.each<[Partial<Second>, NetworkQuality]>([
  [{}, 'good'],
  [{ roundTripSeconds: null, lossIn: null, lossOut: null, availableOut: null }, 'good'],
  [{ roundTripSeconds: 0.35 }, 'weak'],
  [{ roundTripSeconds: 0.8 }, 'poor'],
  [{ lossIn: 0.04 }, 'weak'],
  [{ lossIn: 0.12 }, 'poor'],
  [{ lossOut: 0.05 }, 'weak'],
  [{ lossOut: 0.3 }, 'poor'],
  [{ availableOut: 90_000 }, 'weak'],
  [{ availableOut: 40_000 }, 'poor'],
])('one second with %j is %s', (more, quality) => expect(judge(second(more))).toBe(quality));

test.each<[Partial<Second>, NetworkQuality]>([
  [{ roundTripSeconds: 1.2, lossOut: 0.5, availableOut: 1_000 }, 'good'],
  [{ lossIn: 0.05 }, 'weak'],
  [{ lossIn: 0.2 }, 'poor'],
  [{ roundTripSeconds: 1.5 }, 'poor'],
])('for incoming video, a second with %j is %s', (more, quality) =>
  expect(judge(strainOf(second(more)))).toBe(quality),
);

describe('the reported quality', () => {
  const told = (...seconds: Second[]) => {
    const judgeLine = createQualityJudge();
    return seconds.map((one) => judgeLine(one));
  };
  const times = (count: number, one: Second) => Array.from({ length: count }, () => one);
  test('changes after three bad seconds, not after one or two', () => {
    expect(told(POOR, POOR, second(), POOR, POOR).at(-1)).toBe('good');
    expect(told(POOR, POOR, POOR)).toEqual(['good', 'good', 'poor']);
  });
  test('falls to the mildest of the bad seconds', () => expect(told(POOR, WEAK, POOR).at(-1)).toBe('weak'));
  test('rises only after a while, and a relapse delays it', () => {
    expect(told(...times(3, POOR), ...times(7, second())).at(-1)).toBe('poor');
    expect(told(...times(3, POOR), ...times(8, second())).at(-1)).toBe('good');
    expect(told(...times(3, POOR), ...times(7, second()), POOR, ...times(7, second())).at(-1)).toBe('poor');
    expect(told(...times(3, POOR), ...times(8, WEAK)).at(-1)).toBe('weak');
  });
});

describe('the reduction of incoming video', () => {
  const LOOKED = 8;
  function run(
    steps: [quality: NetworkQuality, seconds: number][],
    { lowData = false, looked = LOOKED } = {},
  ): Allowance {
    const spare = createVideoAllowance();
    let nowMs = 100_000;
    let last: Allowance = { others: 0, therapist: false };
    for (const [quality, seconds] of steps)
      for (let count = 0; count < seconds; count += 1)
        last = spare({ quality, looked, lowData, nowMs: (nowMs += 1_000) });
    return last;
  }
  test('good: nothing is reduced', () =>
    expect(run([['good', 5]])).toEqual({ others: Number.POSITIVE_INFINITY, therapist: true }));
  test("weak: other clients' video is halved in steps, the therapist's stays", () => {
    expect(run([['weak', 1]])).toEqual({ others: 4, therapist: true });
    expect(run([['weak', 5]])).toEqual({ others: 2, therapist: true });
    expect(run([['weak', 60]])).toEqual({ others: 0, therapist: true });
  });
  test("poor: all other video ends at once, the therapist's last", () => {
    expect(run([['poor', 1]])).toEqual({ others: 0, therapist: true });
    expect(run([['poor', 5]])).toEqual({ others: 0, therapist: false });
  });
  test('good again: videos come back one by one, the therapist’s first', () => {
    const down: [NetworkQuality, number] = ['poor', 5];
    expect(run([down, ['good', 5]])).toEqual({ others: 0, therapist: true });
    expect(run([down, ['good', 10]])).toEqual({ others: 1, therapist: true });
    expect(run([down, ['good', 15]])).toEqual({ others: 2, therapist: true });
    expect(run([down, ['good', 100]])).toEqual({ others: Number.POSITIVE_INFINITY, therapist: true });
  });
  test('a video that was too much comes back later each time', () => {
    const down: [NetworkQuality, number] = ['poor', 5];
    const relapse: [NetworkQuality, number][] = [down, ['good', 5], ['poor', 5]];
    expect(run([...relapse, ['good', 5]])).toEqual({ others: 0, therapist: false });
    expect(run([...relapse, ['good', 10]])).toEqual({ others: 0, therapist: true });
  });
  /** The levels, second by second, over a connection that carries `carried` others. */
  function over(carried: (second: number) => number, seconds: number, looked: number) {
    const spare = createVideoAllowance();
    const judgeLine = createQualityJudge();
    const shown: number[] = [];
    let allowed: Allowance = { others: looked, therapist: true };
    for (let count = 1; count <= seconds; count += 1) {
      const level = allowed.therapist ? Math.min(looked, allowed.others) : -1;
      const quality = judgeLine(level > carried(count) ? POOR : second());
      allowed = spare({ quality, looked, lowData: false, nowMs: count * 1_000 });
      shown.push(allowed.therapist ? Math.min(looked, allowed.others) : -1);
    }
    return shown;
  }
  test.each([
    [4, 120],
    [12, 160],
  ])('after a bad start %i others are soon back on a good connection', (looked, within) => {
    const bad = 300;
    const shown = over((at) => (at < bad ? -1 : looked), bad + 600, looked);
    expect(shown[bad - 1]).toBeLessThan(1);
    expect(shown.indexOf(looked, bad) - bad).toBeLessThan(within);
    expect(shown.at(-1)).toBe(looked);
  });
  test.each([-1, 0, 2, 6])('a connection that carries %i others is rarely tried with more', (carried) => {
    const shown = over(() => carried, 3_600, LOOKED);
    const tries = shown.filter((level, at) => at > 600 && level > carried && shown[at - 1]! <= carried);
    expect(tries.length).toBeGreaterThan(5);
    expect(tries.length).toBeLessThanOrEqual(50);
  });
  test('after a failed try the number that the connection carries is soon back', () => {
    const shown = over(() => 2, 3_600, LOOKED);
    const carried = shown.filter((level, at) => at > 600 && level === 2);
    expect(carried.length).toBeGreaterThan(1_500);
  });
  test('after a long good time the long wait is forgotten', () => {
    const looked = 4;
    // Bad, then good for a long time, then bad for a moment.
    const [good, blip] = [300, 900];
    const shown = over((at) => (at < good || (at > blip && at < blip + 5) ? -1 : looked), 1_200, looked);
    expect(shown.indexOf(looked, blip + 6) - blip).toBeLessThan(60);
  });
  test('low data shows only the therapist, and ends at once', () => {
    expect(run([['good', 3]], { lowData: true })).toEqual({ others: 0, therapist: true });
    expect(run([['poor', 5]], { lowData: true })).toEqual({ others: 0, therapist: false });
    const spare = createVideoAllowance();
    spare({ quality: 'good', looked: 3, lowData: true, nowMs: 1_000 });
    expect(spare({ quality: 'good', looked: 3, lowData: false, nowMs: 1_001 }).others).toBe(Number.POSITIVE_INFINITY);
  });
});
