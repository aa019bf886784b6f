/** Builders for the tests of usage. */
import type { Timer, Usage } from '@fieldroom/contract/usage';

/** The product time at which the tests begin. */
export const BEGIN = '2026-11-23T10:00:00.000Z';
/** This many seconds after `BEGIN`, as ISO text. */
export const afterSeconds = (seconds: number): string => new Date(Date.parse(BEGIN) + seconds * 1000).toISOString();

/** A timer that runs without a limit, unless said otherwise. */
export function aTimer(counterState: number, patch: Partial<Timer> = {}): Timer {
  return { counterState, counting: true, at: BEGIN, stopsAtSeconds: null, ...patch };
}

/** An unused trial, unless said otherwise. */
export function aUsage(patch: Partial<Usage> = {}): Usage {
  return {
    plan: 'TRIAL',
    trialOver: false,
    fourHoursDue: false,
    warningUntil: null,
    timer: aTimer(0, { counting: false }),
    peopleHelped: 0,
    weeks: [],
    ...patch,
  };
}
