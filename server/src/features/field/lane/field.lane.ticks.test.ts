/** When moves are sent, on a clock that the test moves. */
import { beforeEach, expect, test } from 'vitest';
import { TICK_MS } from '@fieldroom/contract/field';
import { createTicks, type Ticks } from './field.lane.ticks.ts';
import { createHandClock, type HandClock } from './hand-clock.fixture.ts';

let clock: HandClock;
let done: string[];
let ticks: Ticks;
let isAlone: boolean;

beforeEach(() => {
  clock = createHandClock(1_000_003);
  done = [];
  isAlone = false;
  ticks = aNode('');
});

const aNode = (name: string): Ticks =>
  createTicks({
    scheduler: clock.scheduler,
    isAlone: () => isAlone,
    send: (therapistId) => void done.push(`${name}send ${therapistId}`),
    tell: (therapistId) => void done.push(`${name}tell ${therapistId}`),
  });

/** Has just sent to people and nodes, so that the next messages wait. */
function justSent(node: Ticks, ...therapistIds: number[]): void {
  for (const therapistId of therapistIds) {
    node.sendSoon(therapistId);
    node.tellSoon(therapistId);
  }
  clock.pass(0);
  done.length = 0;
}

test.each([true, false])('after a pause a move goes out at once (the room on this node alone: %s)', (alone) => {
  isAlone = alone;
  for (let i = 0; i < 5; i += 1) ticks.sendSoon(4);
  expect(clock.runNext()).toBe(0);
  expect([done, clock.due()]).toEqual([['send 4'], []]);
  clock.pass(18);
  ticks.sendSoon(4);
  expect(clock.runNext()).toBe(0);
});

test('the other nodes are told at once after a pause', () => {
  ticks.tellSoon(4);
  expect(clock.runNext()).toBe(0);
  expect(done).toEqual(['tell 4']);
});

test('all nodes send the moves of a room at the same moment, whenever they started', () => {
  const other = aNode('other ');
  justSent(ticks, 4);
  justSent(other, 4);
  ticks.sendSoon(4);
  clock.shift(5);
  other.sendSoon(4);
  expect(new Set(clock.due()).size).toBe(1);
});

test('the other nodes are told shortly before the tick', () => {
  justSent(ticks, 4);
  ticks.sendSoon(4);
  ticks.tellSoon(4);
  clock.runNext();
  expect(clock.runNext()).toBe(3);
  expect(done).toEqual(['tell 4', 'send 4']);
});

test('a shared room sends once per tick, however often it is asked', () => {
  justSent(ticks, 4);
  for (let i = 0; i < 5; i += 1) ticks.sendSoon(4);
  clock.runNext();
  expect([done, clock.due()]).toEqual([['send 4'], []]);
  ticks.sendSoon(4);
  expect(clock.runNext()).toBe(TICK_MS);
});

test('shared rooms do not all send at the same moment', () => {
  justSent(ticks, 4, 5, 6, 7);
  for (const therapistId of [4, 5, 6, 7]) ticks.sendSoon(therapistId);
  const moments = clock.due().map((at) => at % TICK_MS);
  expect(moments.toSorted((a, b) => a - b)).toEqual([0, 4, 8, 12]);
});

test('a timer that is early does not make a second message of one tick', () => {
  justSent(ticks, 4);
  ticks.sendSoon(4);
  clock.runNext(2);
  ticks.sendSoon(4);
  expect(clock.runNext()).toBe(TICK_MS + 2);
});

test('a clock that is set back causes no delay', () => {
  justSent(ticks, 4);
  ticks.sendSoon(4);
  clock.runNext();
  clock.shift(-3_600_000);
  ticks.sendSoon(4);
  expect(clock.runNext()).toBeLessThanOrEqual(TICK_MS);
});

test.each([
  { afterMs: 0, waitsMs: TICK_MS },
  { afterMs: 1, waitsMs: TICK_MS },
  { afterMs: 5.4, waitsMs: 13 },
  { afterMs: 17, waitsMs: 1 },
])('in an unshared room a move $afterMs ms after a message waits for $waitsMs ms', ({ afterMs, waitsMs }) => {
  isAlone = true;
  justSent(ticks, 4);
  clock.pass(afterMs);
  ticks.sendSoon(5);
  ticks.sendSoon(4);
  // Another room does not wait for this one's messages.
  expect(clock.runNext()).toBe(0);
  expect(clock.runNext()).toBe(waitsMs);
  expect(done).toEqual(['send 5', 'send 4']);
});

test('a new session of a room does not wait for a message of the last one', () => {
  justSent(ticks, 4);
  ticks.finish(4);
  ticks.sendSoon(4);
  expect(clock.runNext()).toBe(0);
});

test('pending work is done at once when a room ends, and never after a stop', () => {
  ticks.sendSoon(4);
  ticks.tellSoon(4);
  ticks.finish(4);
  expect([done, clock.due()]).toEqual([['tell 4', 'send 4'], []]);
  ticks.sendSoon(5);
  ticks.stop();
  expect(clock.due()).toEqual([]);
});
