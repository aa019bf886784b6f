import { type Timer, TIMER_POLL_MS } from '@fieldroom/contract/usage';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeConnection, type FakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { afterSeconds, aTimer } from '../usage.testing.ts';
import type { OpenedDialog } from './dueDialogs.ts';
import { createTimerStore, type TimerStore } from './timerStore.ts';

let connection: FakeConnection;
let store: TimerStore;
/** Pending requests. */
let questions: { answer(timer: Timer): void; fail(): void }[];

function create(state: 'open' | 'lost' = 'open') {
  connection = fakeConnection(state);
  store = createTimerStore({
    connection,
    therapistId: 7,
    ask: () =>
      new Promise((resolve, reject) => questions.push({ answer: resolve, fail: () => reject(new Error('offline')) })),
  });
}
const push = (timer: Timer) => connection.say({ eventType: 'TIMER_UPDATE', contents: timer });
const settled = async () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  questions = [];
});
afterEach(() => {
  store.close();
  vi.useRealTimers();
});

describe('the server’s messages', () => {
  test('are applied as they arrive, also when a restarted timer counts from a moment ago', () => {
    create();
    expect(store.get().timer).toBeNull();
    const stopped = aTimer(5, { counting: false, at: afterSeconds(10.5) });
    push(stopped);
    expect(store.get().timer).toEqual(stopped);
    const running = aTimer(5, { at: afterSeconds(10.1) });
    push(running);
    expect(store.get().timer).toEqual(running);
  });

  test('are not needed for dialogs that the page opens by itself', () => {
    create();
    const due: OpenedDialog = { dialog: 'timeoutwarning', until: afterSeconds(1500) };
    expect(store.get().opened).toBeNull();
    store.open(due);
    expect(store.get().opened).toEqual(due);
    store.closeDialog('fourhours');
    expect(store.get().opened).toEqual(due);
    store.closeDialog('timeoutwarning');
    expect(store.get().opened).toBeNull();
  });
});

describe('the fallback (7.8)', () => {
  test('polls every three seconds while the connection is lost, and never while it is open', async () => {
    create();
    await vi.advanceTimersByTimeAsync(10 * TIMER_POLL_MS);
    expect(questions).toHaveLength(0);
    connection.become('lost');
    await vi.advanceTimersByTimeAsync(TIMER_POLL_MS);
    expect(questions).toHaveLength(1);
    questions[0]!.answer(aTimer(50));
    await settled();
    expect(store.get().timer).toEqual(aTimer(50));
    await vi.advanceTimersByTimeAsync(TIMER_POLL_MS);
    expect(questions).toHaveLength(2);
    questions[1]!.fail();
    await settled();
    await vi.advanceTimersByTimeAsync(TIMER_POLL_MS);
    expect(questions).toHaveLength(3);
    questions[2]!.answer(aTimer(56));
    connection.become('open');
    await vi.advanceTimersByTimeAsync(10 * TIMER_POLL_MS);
    expect(questions).toHaveLength(3);
  });

  test('starts at once if the connection is lost from the start', async () => {
    create('lost');
    await vi.advanceTimersByTimeAsync(TIMER_POLL_MS);
    expect(questions).toHaveLength(1);
  });

  test('sends one request at a time', async () => {
    create('lost');
    await vi.advanceTimersByTimeAsync(5 * TIMER_POLL_MS);
    expect(questions).toHaveLength(1);
  });

  test('an answer that arrives after the connection is back is ignored', async () => {
    create('lost');
    await vi.advanceTimersByTimeAsync(TIMER_POLL_MS);
    connection.become('open');
    push(aTimer(90, { counting: false }));
    questions[0]!.answer(aTimer(80));
    await settled();
    expect(store.get().timer).toEqual(aTimer(90, { counting: false }));
  });

  test('ends with the store, which then receives nothing', async () => {
    create('lost');
    await vi.advanceTimersByTimeAsync(TIMER_POLL_MS);
    store.close();
    questions[0]!.answer(aTimer(80));
    push(aTimer(90));
    store.open({ dialog: 'fourhours', until: null });
    await vi.advanceTimersByTimeAsync(5 * TIMER_POLL_MS);
    expect(questions).toHaveLength(1);
    expect(store.get()).toEqual({ timer: null, opened: null });
  });
});
