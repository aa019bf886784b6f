/** When moves go out, on a clock that the test moves. */
import { beforeEach, expect, test } from 'vitest';
import { TICK_MS } from '@fieldroom/contract/field';
import { createTicks, type Ticks } from './field.lane.ticks.ts';

let now: number;
let timers: { at: number; work: () => void }[];
let done: string[];
let ticks: Ticks;

beforeEach(() => {
  now = 1_000_003;
  timers = [];
  done = [];
  ticks = aNode('');
});

function aNode(name: string): Ticks {
  return createTicks({
    scheduler: {
      clock: () => now,
      after(ms, work) {
        const timer = { at: now + ms, work };
        timers.push(timer);
        return () => void (timers = timers.filter((one) => one !== timer));
      },
    },
    send: (therapistId) => void done.push(`${name}send ${therapistId}`),
    tell: (therapistId) => void done.push(`${name}tell ${therapistId}`),
  });
}

/** Moves the clock to the next timer, or to a little before it, and returns how long that took. */
function next(earlyMs = 0): number {
  const [timer] = timers.toSorted((a, b) => a.at - b.at);
  timers = timers.filter((one) => one !== timer);
  const ms = timer!.at - earlyMs - now;
  now += ms;
  timer!.work();
  return ms;
}

test('all nodes send the moves of a room at the same moment, whenever they began', () => {
  const other = aNode('other ');
  ticks.sendSoon(4);
  now += 5;
  other.sendSoon(4);
  expect(new Set(timers.map(({ at }) => at)).size).toBe(1);
});

test('the other nodes are told shortly before', () => {
  ticks.sendSoon(4);
  ticks.tellSoon(4);
  next();
  expect(next()).toBe(3);
  expect(done).toEqual(['tell 4', 'send 4']);
});

test('a room sends once a tick, however often it is asked', () => {
  for (let i = 0; i < 5; i += 1) ticks.sendSoon(4);
  next();
  expect([done, timers]).toEqual([['send 4'], []]);
  ticks.sendSoon(4);
  expect(next()).toBe(TICK_MS);
});

test('rooms do not all send at the same moment', () => {
  for (const therapistId of [4, 5, 6, 7]) ticks.sendSoon(therapistId);
  const moments = timers.map(({ at }) => at % TICK_MS);
  expect(moments.toSorted((a, b) => a - b)).toEqual([0, 4, 8, 12]);
});

test('a timer that is early does not make a second message of one tick', () => {
  ticks.sendSoon(4);
  next(2);
  ticks.sendSoon(4);
  expect(next()).toBe(TICK_MS + 2);
});

test('a clock that is set back delays nothing', () => {
  ticks.sendSoon(4);
  next();
  now -= 3_600_000;
  ticks.sendSoon(4);
  expect(next()).toBeLessThanOrEqual(TICK_MS);
});

test('what was to come is done at once when a room ends, and never after a stop', () => {
  ticks.sendSoon(4);
  ticks.tellSoon(4);
  ticks.finish(4);
  expect([done, timers]).toEqual([['tell 4', 'send 4'], []]);
  ticks.sendSoon(5);
  ticks.stop();
  expect(timers).toEqual([]);
});
