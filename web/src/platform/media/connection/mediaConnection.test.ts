/** When a connection counts as lost, with a session whose replies the test gives. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MediaConnectionParts } from './mediaConnection.ts';

/** Replies to probes that are still pending. */
const probes: (() => void)[] = [];
vi.mock('./janus/janusSession.ts', () => ({
  ConnectionFault: class extends Error {},
  openSession: async () => ({ isDead: () => false, close: () => undefined }),
}));
vi.mock('./janus/publisher.ts', () => ({
  connected: async () => undefined,
  joinRoom: async () => ({
    pc: () => null,
    list: () => new Promise<object>((resolve) => probes.push(() => resolve({}))),
  }),
}));
vi.mock('./janus/subscriber.ts', () => ({ createSubscriber: () => ({ pc: () => null }) }));
const { openConnection } = await import('./mediaConnection.ts');

/** The connection's timer, which does not run while the page is blocked. */
let beat: () => void = () => undefined;
const lost = vi.fn();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('setInterval', (work: () => void) => void (beat = work));
  lost.mockClear();
  probes.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const opened = () =>
  openConnection({ ticket: {}, me: {}, flags: {}, events: { lost } } as unknown as MediaConnectionParts);
const beats = (count: number) => {
  for (let done = 0; done < count; done += 1) beat();
};

test('an unanswered probe ends the connection', async () => {
  const connection = await opened();
  connection.probe();
  beats(4);
  expect(lost).not.toHaveBeenCalled();
  beats(1);
  expect(lost).toHaveBeenCalledTimes(1);
});

test('a page that is blocked while a reply waits keeps its connection', async () => {
  const connection = await opened();
  connection.probe();
  beats(1);
  // Due timers run first.
  vi.advanceTimersByTime(60_000);
  beats(1);
  expect(lost).not.toHaveBeenCalled();
  probes.shift()!();
  await vi.advanceTimersByTimeAsync(0);
  beats(10);
  expect(lost).not.toHaveBeenCalled();
});

test('only one probe is pending at a time, and the next one starts a new count', async () => {
  const connection = await opened();
  connection.probe();
  connection.probe();
  expect(probes).toHaveLength(1);
  beats(4);
  probes.shift()!();
  await vi.advanceTimersByTimeAsync(0);
  connection.probe();
  expect(probes).toHaveLength(1);
  beats(4);
  expect(lost).not.toHaveBeenCalled();
});
