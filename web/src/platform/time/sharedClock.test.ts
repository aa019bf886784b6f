/** One clock for the whole page: asked once, and again after the computer slept. */
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
/** Time passes; asleep, `performance.now()` stands. */
function pass(ms: number, { asleep = false } = {}): void {
  vi.setSystemTime(Date.now() + ms);
  if (!asleep) monotonicMs += ms;
}
const heard: [EventTarget, string, EventListenerOrEventListenerObject][] = [];
/** A page that has just been opened. */
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

test('is asked once, however many want it', async () => {
  const { sharedClock } = await open();
  const [one, other] = await Promise.all([sharedClock(), sharedClock()]);
  expect([world.asked, one]).toEqual([1, other]);
  pass(5000);
  expect(one.now()).toBe(BEGIN + 5000);
});

test('is asked again after a fault', async () => {
  const { sharedClock } = await open();
  world.answer = () => {
    throw new Error('offline');
  };
  await expect(sharedClock()).rejects.toThrow('offline');
  world.answer = says(BEGIN);
  expect((await sharedClock()).now()).toBe(BEGIN);
});

test('is right again for those who hold it, when the page is looked at after a sleep', async () => {
  const { sharedClock } = await open();
  const clock = await sharedClock();
  pass(3_600_000, { asleep: true });
  expect(clock.now()).toBe(BEGIN);
  world.answer = says(BEGIN + 3_600_000);
  window.dispatchEvent(new Event('focus'));
  await vi.waitFor(() => expect(clock.now()).toBe(BEGIN + 3_600_000));
});

test('is not asked again while nobody slept', async () => {
  const { sharedClock } = await open();
  await sharedClock();
  pass(3_600_000);
  window.dispatchEvent(new Event('focus'));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(world.asked).toBe(1);
});
