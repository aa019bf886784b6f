/** Waiting without a page: what is asked and when, and that the end is told once. Time is moved by the test. */
import type { Change } from '@fieldroom/contract/realtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../../platform/api/request.ts';
import type { Connection, ConnectionState } from '../../platform/realtime/connection.ts';
import { seatRefused, type SeatAnswer } from './entry.ts';
import { ASK_EVERY_MS, type News, waitAtDoor } from './wait.ts';

const client = {
  id: 9,
  name: 'Hanna',
  therapist: { id: 7, joinLink: 'anna', firstName: 'Anna' },
  selected: false,
  active: true,
  participants: [],
  activeParticipant: null,
  joinedOn: '2026-11-21T10:00:00Z',
};
const seat = { client, state: 'waiting', therapistHere: false, nameTaken: false } as const;
const waiting: SeatAnswer = { kind: 'waiting', seat };
const people = (therapistHere: boolean): Change => ({
  eventType: 'UNREGISTER_USER',
  contents: { people: [], therapistHere },
  usersUpdatedOn: 1,
  participantsUpdatedOn: 1,
});

async function stage({ opens = true } = {}) {
  let line: ConnectionState = 'connecting';
  const hear = new Set<(change: Change) => void>();
  const lines = new Set<(line: ConnectionState) => void>();
  const refusals = new Set<(problem: ApiProblem) => void>();
  const close = vi.fn();
  const channel = {
    state: () => line,
    onChange: (one: (change: Change) => void) => hear.add(one),
    onState: (one: (line: ConnectionState) => void) => lines.add(one),
    onRefused: (one: (problem: ApiProblem) => void) => refusals.add(one),
    close,
  } as unknown as Connection;
  const news: News[] = [];
  const questions: ((answer: SeatAnswer) => void)[] = [];
  const wait = waitAtDoor({
    seat,
    openLine: () => (opens ? Promise.resolve(channel) : Promise.reject(new Error('no code'))),
    told: (one) => news.push(one),
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
      line = next;
      lines.forEach((one) => one(next));
    },
    async answer(answer: SeatAnswer) {
      const oldest = questions.shift();
      if (!oldest) throw new Error('nothing was asked');
      oldest(answer);
      await settled();
    },
    told: () => news.filter(({ kind }) => kind !== 'line'),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('while the line is open one question is asked, and the words alone say whether the therapist is here', async () => {
  const one = await stage();
  one.turn('open');
  await one.answer(waiting);
  one.say(people(true));
  one.say(people(false));
  await vi.advanceTimersByTimeAsync(20 * ASK_EVERY_MS);
  expect(one.questions).toHaveLength(0);
  expect(one.told().map((news) => news.kind === 'seat' && news.seat.therapistHere)).toEqual([false, true, false]);
});

test('while the line is lost it is asked at once, then every ten seconds, until it is open again', async () => {
  const one = await stage();
  one.turn('open');
  await one.answer(waiting);
  one.turn('lost');
  for (let count = 0; count < 3; count += 1) {
    await one.answer(seatRefused(new ApiProblem('offline')));
    expect(one.news.at(-1)).toEqual({ kind: 'line', lost: true });
    expect(one.questions).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(ASK_EVERY_MS);
  }
  one.turn('open');
  await one.answer(waiting);
  // What came back may have been answered before the line was open.
  await one.answer(waiting);
  await vi.advanceTimersByTimeAsync(20 * ASK_EVERY_MS);
  expect(one.questions).toHaveLength(0);
});

test('an answer that was no answer is asked for again, even with an open line', async () => {
  const one = await stage();
  one.turn('open');
  await one.answer(seatRefused(new ApiProblem('shutting_down')));
  await vi.advanceTimersByTimeAsync(ASK_EVERY_MS);
  await one.answer({ kind: 'full' });
  expect(one.news.at(-1)).toEqual({ kind: 'full' });
  await vi.advanceTimersByTimeAsync(ASK_EVERY_MS);
  expect(one.questions).toHaveLength(1);
});

test('an answer older than a word does not take the word back', async () => {
  const one = await stage();
  one.turn('open');
  one.say(people(true));
  await one.answer(waiting);
  expect(one.told()).toEqual([
    { kind: 'seat', seat: { ...seat, therapistHere: true } },
    { kind: 'seat', seat: { ...seat, therapistHere: true } },
  ]);
});

test.each([
  ['declined', { eventType: 'ADMISSION', contents: { state: 'declined' } }, { kind: 'bye', why: 'declined' }],
  ['removed', { eventType: 'ADMISSION', contents: { state: 'removed' } }, { kind: 'bye', why: 'removed' }],
  [
    'ended',
    { eventType: 'SESSION_OUT', contents: { reason: 'ended' }, usersUpdatedOn: 1, participantsUpdatedOn: 1 },
    { kind: 'bye', why: 'ended' },
  ],
  [
    'without its therapist',
    { eventType: 'SESSION_OUT', contents: { reason: 'therapist_away' }, usersUpdatedOn: 1, participantsUpdatedOn: 1 },
    { kind: 'bye', why: 'away' },
  ],
  ['let in', { eventType: 'ADMISSION', contents: { state: 'in' } }, { kind: 'in' }],
] as const)('%s is told once, whatever is answered, said or refused afterwards', async (_, word, told) => {
  const one = await stage();
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
] as const)('the line is refused with %s: %s', async (code, why) => {
  const one = await stage();
  one.refuse(code);
  expect(one.told()).toEqual([{ kind: 'bye', why }]);
});

test('a line whose code cannot be loaded leaves the questions', async () => {
  const one = await stage({ opens: false });
  await one.answer(waiting);
  await vi.advanceTimersByTimeAsync(ASK_EVERY_MS);
  await one.answer(seatRefused(new ApiProblem('declined')));
  expect(one.told().at(-1)).toEqual({ kind: 'bye', why: 'declined' });
});

test('stopped: nothing more is told or asked, the line is closed', async () => {
  const one = await stage();
  one.turn('open');
  one.wait.stop();
  one.say(people(true));
  await vi.advanceTimersByTimeAsync(3 * ASK_EVERY_MS);
  expect(one.told()).toEqual([]);
  expect(one.questions).toHaveLength(1);
  expect(one.close).toHaveBeenCalledOnce();
});
