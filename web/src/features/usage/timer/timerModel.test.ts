import { treesOf, TREE_SECONDS, TRIAL_SECONDS } from '@fieldroom/contract/usage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterSeconds, aTimer, BEGIN } from '../usage.testing.ts';
import { minutesAndSeconds, plantedTree, shownSeconds } from './timerModel.ts';

const at = (seconds: number) => Date.parse(afterSeconds(seconds));

describe('the shown seconds', () => {
  it('grow with the clock while the timer runs, and stop with the timer', () => {
    expect(shownSeconds(aTimer(100), at(7), 0)).toBe(107);
    expect(shownSeconds(aTimer(100, { counting: false }), at(7), 0)).toBe(100);
  });

  it('end with the trial, however late the page is told (7.4)', () => {
    const timer = aTimer(TRIAL_SECONDS - 5, { stopsAtSeconds: TRIAL_SECONDS });
    expect(shownSeconds(timer, at(60), 0)).toBe(TRIAL_SECONDS);
  });

  it('never go back, whatever the server and the clock report (7.1)', () => {
    const moment = fc.record({
      counterState: fc.nat(20_000),
      counting: fc.boolean(),
      nowMs: fc.integer({ min: -5000, max: 60_000 }),
    });
    fc.assert(
      fc.property(fc.array(moment, { minLength: 1 }), (moments) => {
        let before = 0;
        for (const { counterState, counting, nowMs } of moments) {
          const shown = shownSeconds(aTimer(counterState, { counting }), Date.parse(BEGIN) + nowMs, before);
          expect(shown).toBeGreaterThanOrEqual(before);
          expect(shown).toBeGreaterThanOrEqual(counterState);
          before = shown;
        }
      }),
    );
  });
});

describe('formats of times', () => {
  it.each([
    [1_500_000, '25:00'],
    [1_499_001, '25:00'],
    [1_499_000, '24:59'],
    [59_000, '0:59'],
    [1, '0:01'],
    [0, '0:00'],
    [-5000, '0:00'],
  ])('%i ms are %s minutes and seconds', (ms, text) => expect(minutesAndSeconds(ms)).toBe(text));
});

describe('a tree is planted', () => {
  it('for each full block of three hours that passes while the page is open (7.5)', () => {
    expect(plantedTree(TREE_SECONDS - 1, TREE_SECONDS)).toBe(true);
    expect(plantedTree(TREE_SECONDS, TREE_SECONDS + 1)).toBe(false);
    expect(plantedTree(3 * TREE_SECONDS - 30, 3 * TREE_SECONDS + 30)).toBe(true);
  });

  it('and none for a block that the page missed', () => {
    expect(plantedTree(null, TREE_SECONDS)).toBe(false);
    expect(plantedTree(TREE_SECONDS - 1, 3 * TREE_SECONDS)).toBe(false);
  });

  it('as often as trees are counted, however irregularly the page updates', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: TREE_SECONDS - 1 }), { maxLength: 60 }), (steps) => {
        let [seconds, planted] = [0, 0];
        for (const step of steps) {
          if (plantedTree(seconds, seconds + step)) planted += 1;
          seconds += step;
        }
        expect(planted).toBe(treesOf(seconds));
      }),
    );
  });
});
