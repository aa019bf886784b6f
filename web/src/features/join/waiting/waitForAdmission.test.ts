/**
 * Waiting without a page: the requests and their times, and that the end is reported once. The test controls the time.
 */
import type { Change } from '@fieldroom/contract/realtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../../../platform/api/request.ts';
import type { Connection, ConnectionState } from '../../../platform/realtime/connection.ts';
import { answerToRefusal, type SeatAnswer } from '../seat.ts';
import { ASK_EVERY_MS, type WaitingNews, waitForAdmission } from './waitForAdmission.ts';
import { client } from '../../../platform/client.testing.ts';

const seat = { client, state: 'waiting', therapistHere: false, nameTaken: false } as const;
const waiting: SeatAnswer = { kind: 'waiting', seat };
const people = (therapistHere: boolean): Change => ({
  eventType: 'UNREGISTER_USER',
  contents: { people: [], therapistHere },
  usersUpdatedOn: 1,
  participantsUpdatedOn: 1,
});

async function startWaiting({ opens = true } = {}) {
  let state: ConnectionState = 'connecting';
  const hear = new Set<(change: Change) => void>();
  const onStates = new Set<(state: ConnectionState) => void>();
  const refusals = new Set<(problem: ApiProblem) => void>();
  const close = vi.fn();
  const connection = {
    state: () => state,
    onChange: (one: (change: Change) => void) => hear.add(one),
    onState: (one: (state: ConnectionState) => void) => onStates.add(one),
    onRefused: (one: (problem: ApiProblem) => void) => refusals.add(one),
    close,
  } as unknown as Connection;
  const news: WaitingNews[] = [];
  const questions: ((answer: SeatAnswer) => void)[] = [];
  const wait = waitForAdmission({
    seat,
    openConnection: () => (opens ? Promise.resolve(connection) : Promise.reject(new Error('no code'))),
    onNews: (one) => news.push(one),
    ask: (signal) =>
      new Promise((resolve, reject) => {
        questions.push(resolve);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  });
  const settled = () => vi.advanceTimersByTimeAsync(0);
  await settled();
  return {
    news,
    questions,
    close,
    wait,
    settled,
    say: (change: Change) => hear.forEach((one) => one(change)),
    refuse: (code: ApiProblem['code']) => refusals.forEach((one) => one(new ApiProblem(code))),
    turn(next: ConnectionState) {
      state = next;
      onStates.forEach((one) => one(next));
    },
    async answer(answer: SeatAnswer) {
      const oldest = questions.shift();
      if (!oldest) throw new Error('nothing was asked');
      oldest(answer);
      await settled();
    },
    told: () => news.filter(({ kind }) => kind !== 'connection'),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('while the connection is open, one request is made, and only messages report whether the therapist is here', async () => {
  const one = await startWaiting();
  one.turn('open');
  await one.answer(waiting);
  one.say(people(true));
  one.say(people(false));
  await vi.advanceTimersByTimeAsync(20 * ASK_EVERY_MS);
  expect(one.questions).toHaveLength(0);
  expect(one.told().map((news) => news.kind === 'seat' && news.seat.therapistHere)).toEqual([false, true, false]);
});

test('while the connection is lost, a request is made at once, then every ten seconds, until it is open again', async () => {
  const one = await startWaiting();
  one.turn('open');
  await one.answer(waiting);
  one.turn('lost');
  for (let count = 0; count < 3; count += 1) {
    await one.answer(answerToRefusal(new ApiProblem('offline')));
    expect(one.news.at(-1)).toEqual({ kind: 'connection', lost: true });
    expect(one.questions).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(ASK_EVERY_MS);
  }
  one.turn('open');
  await one.answer(waiting);
  // The answer may be from before the connection was open.
  await one.answer(waiting);
  await vi.advanceTimersByTimeAsync(20 * ASK_EVERY_MS);
  expect(one.questions).toHaveLength(0);
});

test('a failed request is repeated, even with an open connection', async () => {
  const one = await startWaiting();
  one.turn('open');
  await one.answer(answerToRefusal(new ApiProblem('shutting_down')));
  await vi.advanceTimersByTimeAsync(ASK_EVERY_MS);
  await one.answer({ kind: 'full' });
  expect(one.news.at(-1)).toEqual({ kind: 'full' });
  await vi.advanceTimersByTimeAsync(ASK_EVERY_MS);
  expect(one.questions).toHaveLength(1);
});

test('an answer older than a message does not undo the message', async () => {
  const one = await startWaiting();
  one.turn('open');
  one.say(people(true));
  await one.answer(waiting);
  expect(one.told()).toEqual([
    { kind: 'seat', seat: { ...seat, therapistHere: true } },
    { kind: 'seat', seat: { ...seat, therapistHere: true } },
  ]);
});

test.each([
  ['declined', { eventType: 'ADMISSION', contents: { state: 'declined' } }, { kind: 'goodbye', why: 'declined' }],
  ['removed', { eventType: 'ADMISSION', contents: { state: 'removed' } }, { kind: 'goodbye', why: 'removed' }],
  [
    'ended',
    { eventType: 'SESSION_OUT', contents: { reason: 'ended' }, usersUpdatedOn: 1, participantsUpdatedOn: 1 },
    { kind: 'goodbye', why: 'ended' },
  ],
  [
    'without its therapist',
    { eventType: 'SESSION_OUT', contents: { reason: 'therapist_away' }, usersUpdatedOn: 1, participantsUpdatedOn: 1 },
    { kind: 'goodbye', why: 'away' },
  ],
  ['let in', { eventType: 'ADMISSION', contents: { state: 'in' } }, { kind: 'in' }],
] as const)('%s is reported once, whatever arrives afterwards', async (_, word, told) => {
  const one = await startWaiting();
  one.turn('open');
  one.say(word);
  one.questions[0]!(waiting);
  await one.settled();
  one.say({ eventType: 'SESSION_OUT', contents: { reason: 'ended' }, usersUpdatedOn: 1, participantsUpdatedOn: 1 });
  one.refuse('session_expired');
  one.turn('lost');
  await vi.advanceTimersByTimeAsync(3 * ASK_EVERY_MS);
  expect(one.told()).toEqual([told]);
  expect(one.questions).toHaveLength(1);
  expect(one.close).toHaveBeenCalledTimes(told.kind === 'in' ? 0 : 1);
});

test.each([
  ['declined', 'declined'],
  ['sent_out', 'removed'],
  ['live_session_over', 'ended'],
  ['session_expired', 'ended'],
] as const)('the connection is refused with %s: %s', async (code, why) => {
  const one = await startWaiting();
  one.refuse(code);
  expect(one.told()).toEqual([{ kind: 'goodbye', why }]);
});

test('a connection whose code cannot be loaded leaves only the requests', async () => {
  const one = await startWaiting({ opens: false });
  await one.answer(waiting);
  await vi.advanceTimersByTimeAsync(ASK_EVERY_MS);
  await one.answer(answerToRefusal(new ApiProblem('declined')));
  expect(one.told().at(-1)).toEqual({ kind: 'goodbye', why: 'declined' });
});

test('stopped: nothing more is reported or requested, and the connection is closed', async () => {
  const one = await startWaiting();
  one.turn('open');
  one.wait.stop();
  one.say(people(true));
  await vi.advanceTimersByTimeAsync(3 * ASK_EVERY_MS);
  expect(one.told()).toEqual([]);
  expect(one.questions).toHaveLength(1);
  expect(one.close).toHaveBeenCalledOnce();
});
