/** One clock for the whole page: requested once, and again after the computer slept. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const world = vi.hoisted(() => ({ asked: 0, answer: (): unknown => null }));
vi.mock('../api/index.ts', () => ({
  api: {
    async call() {
      world.asked += 1;
      return world.answer();
    },
  },
}));

const BEGIN = Date.parse('2026-11-23T10:00:00Z');
const says = (product: number) => () => {
  const time = new Date(product).toISOString();
  return { clock: { anchorProduct: time, anchorReal: time, serverNow: time, speed: 1 } };
};
let monotonicMs: number;
/** Lets time pass; while asleep, `performance.now()` stops. */
function pass(ms: number, { asleep = false } = {}): void {
  vi.setSystemTime(Date.now() + ms);
  if (!asleep) monotonicMs += ms;
}
const heard: [EventTarget, string, EventListenerOrEventListenerObject][] = [];
/** Opens a new page. */
async function open() {
  vi.resetModules();
  for (const target of [window, document])
    vi.spyOn(target, 'addEventListener').mockImplementation((type: string, listener) => {
      heard.push([target, type, listener as EventListener]);
      EventTarget.prototype.addEventListener.call(target, type, listener);
    });
  return import('./sharedClock.ts');
}

beforeEach(() => {
  vi.useFakeTimers({ now: BEGIN, toFake: ['Date'] });
  monotonicMs = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => monotonicMs);
  world.asked = 0;
  world.answer = says(BEGIN);
});
afterEach(() => {
  for (const [target, type, listener] of heard.splice(0)) target.removeEventListener(type, listener);
  vi.useRealTimers();
});

test('is requested once, however many callers want it', async () => {
  const { sharedClock } = await open();
  const [one, other] = await Promise.all([sharedClock(), sharedClock()]);
  expect([world.asked, one]).toEqual([1, other]);
  pass(5000);
  expect(one.now()).toBe(BEGIN + 5000);
});

test('is requested again after a fault', async () => {
  const { sharedClock } = await open();
  world.answer = () => {
    throw new Error('offline');
  };
  await expect(sharedClock()).rejects.toThrow('offline');
  world.answer = says(BEGIN);
  expect((await sharedClock()).now()).toBe(BEGIN);
});

test('is corrected for its current holders when the page is shown after a sleep', async () => {
  const { sharedClock } = await open();
  const clock = await sharedClock();
  pass(3_600_000, { asleep: true });
  expect(clock.now()).toBe(BEGIN);
  world.answer = says(BEGIN + 3_600_000);
  window.dispatchEvent(new Event('focus'));
  await vi.waitFor(() => expect(clock.now()).toBe(BEGIN + 3_600_000));
});

test('is not requested again without a sleep', async () => {
  const { sharedClock } = await open();
  await sharedClock();
  pass(3_600_000);
  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(world.asked).toBe(1);
});
