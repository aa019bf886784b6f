import { FIELD_SEND } from '@fieldroom/contract/field';
import { problemBody } from '@fieldroom/contract/problems';
import { ANSWER_EXPECTED_MS, SEND } from '@fieldroom/contract/realtime';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FakeConnection, fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomStore, type RoomStore } from './roomStore.ts';

const ME = 9;
let connection: FakeConnection;
let say: FakeConnection['say'];
let store: RoomStore;

function open(as: 'THERAPIST' | 'CLIENT') {
  connection = fakeConnection();
  ({ say } = connection);
  store = createRoomStore({ me: { id: ME, as }, connection });
  say({
    eventType: 'PLAYERS_VALUE',
    contents: { figures: [], handsAllowed: true },
    usersUpdatedOn: 1,
    participantsUpdatedOn: 1,
  });
  say({
    eventType: 'UNREGISTER_USER',
    contents: { people: [], therapistHere: true },
    usersUpdatedOn: 1,
    participantsUpdatedOn: 1,
  });
}
const to = (destination: string) =>
  connection.sent.filter((one) => one.destination === destination).map(({ body }) => body);
const therapistHere = (here: boolean, stamp: number) =>
  say({
    eventType: 'UNREGISTER_USER',
    contents: { people: [], therapistHere: here },
    usersUpdatedOn: stamp,
    participantsUpdatedOn: 1,
  });
/** An act of one's own that the server confirms. */
function acted(revision: number): string {
  const actId = store.act({ kind: 'showTexts', value: true });
  say({
    eventType: 'PLAYER_CHANGE',
    contents: { revision, actId, by: ME, ops: [] },
    usersUpdatedOn: 1,
    participantsUpdatedOn: revision,
  });
  return actId;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  store.close();
  vi.useRealTimers();
});

describe('while the therapist is away', () => {
  test('a client cannot undo, drag or point; a pointer that was shown is still removed', () => {
    open('CLIENT');
    acted(2);
    store.point({ x: 1, y: 1 });
    therapistHere(false, 2);
    expect(store.standsStill()).toBe(true);
    connection.sent.length = 0;
    store.undo();
    store.redo();
    store.drag({ figureId: 1, x: 1, y: 1 });
    store.point({ x: 2, y: 2 });
    vi.advanceTimersByTime(5_000);
    expect(connection.sent.filter(({ destination }) => destination !== SEND.checkUpdate)).toEqual([]);
    store.point({ off: true });
    expect(to(FIELD_SEND.point)).toEqual([{ off: true }]);
    therapistHere(true, 3);
    store.undo();
    store.drag({ figureId: 1, x: 1, y: 1 });
    expect([to(FIELD_SEND.act).length, to(FIELD_SEND.drag).length]).toEqual([1, 1]);
  });

  test('a client’s acts from a time without connection wait for the therapist too, and are sent once', () => {
    open('CLIENT');
    const refused = vi.fn();
    store.onNotice(refused);
    connection.become('lost');
    const actId = store.act({ kind: 'place', figureId: 1, x: 5, y: 5 });
    // The client is back first; the page does not know yet that the therapist is not.
    connection.become('open');
    expect(to(FIELD_SEND.act)).toHaveLength(1);
    say({
      eventType: 'PROBLEM',
      contents: {
        actId,
        figureId: null,
        problem: { type: 'about:blank', title: '', status: 409, code: 'therapist_away' },
      },
    });
    therapistHere(false, 2);
    expect(store.get().pending).toHaveLength(1);
    expect(to(FIELD_SEND.act)).toHaveLength(1);
    expect(refused).not.toHaveBeenCalled();
    therapistHere(true, 3);
    therapistHere(true, 4);
    expect(to(FIELD_SEND.act)).toEqual([expect.objectContaining({ actId }), expect.objectContaining({ actId })]);
    say({
      eventType: 'PLAYER_CHANGE',
      contents: { revision: 2, actId, by: ME, ops: [] },
      usersUpdatedOn: 4,
      participantsUpdatedOn: 2,
    });
    expect(store.get().pending).toEqual([]);
  });

  test('the therapist’s own acts are never paused', () => {
    open('THERAPIST');
    acted(2);
    therapistHere(false, 2);
    connection.sent.length = 0;
    store.undo();
    store.drag({ figureId: 1, x: 1, y: 1 });
    expect([to(FIELD_SEND.act).length, to(FIELD_SEND.drag).length]).toEqual([1, 1]);
  });
});

describe('5.7 undo and redo while acts are pending', () => {
  const told = vi.fn();
  const undos = () => to(FIELD_SEND.act).flatMap((body) => (isUndo(body) ? [body.act.actId] : []));
  const isUndo = (body: unknown): body is { actId: string; act: { actId: string } } =>
    (body as { act: { kind: string } }).act.kind === 'undo';
  const lastId = () => (to(FIELD_SEND.act).at(-1) as { actId: string }).actId;
  beforeEach(() => {
    open('THERAPIST');
    told.mockClear();
    store.onNotice(told);
  });
  const refused = (actId: string, code: 'figure_held' | 'not_found') =>
    say({ eventType: 'PROBLEM', contents: { actId, figureId: null, problem: problemBody(code, {}) } });

  test('the newest act can be undone before it is confirmed', () => {
    acted(2);
    const newest = store.act({ kind: 'place', figureId: 1, x: 5, y: 5 });
    store.undo();
    expect(undos()).toEqual([newest]);
  });

  test('each press undoes one more act, and redoes one more', () => {
    const [first, second, third] = [acted(2), acted(3), acted(4)];
    store.undo();
    store.undo();
    const secondUndo = lastId();
    store.undo();
    const thirdUndo = lastId();
    store.undo();
    expect(undos()).toEqual([third, second, first]);
    store.redo();
    store.redo();
    expect(undos().slice(3)).toEqual([thirdUndo, secondUndo]);
  });

  test('a refused act drops its undo, and only the act is reported', () => {
    const before = acted(2);
    const held = store.act({ kind: 'place', figureId: 1, x: 5, y: 5 });
    store.undo();
    const undo = lastId();
    refused(held, 'figure_held');
    refused(undo, 'not_found');
    expect([store.get().pending, told.mock.calls.length]).toEqual([[], 1]);
    store.undo();
    expect(undos()).toEqual([held, before]);
  });

  test('an act with a pending undo is sent with it, although a later place of the figure would replace it', () => {
    connection.become('lost');
    const first = store.act({ kind: 'place', figureId: 1, x: 5, y: 5 });
    store.undo();
    const later = store.act({ kind: 'place', figureId: 1, x: 9, y: 9 });
    connection.become('open');
    expect(undos()).toEqual([first]);
    expect(to(FIELD_SEND.act)).toMatchObject([{ actId: first }, { act: { kind: 'undo' } }, { actId: later }]);
  });
});

describe('5.13 many acts without a connection', () => {
  const texts = (count: number) => Array.from({ length: count }, () => store.act({ kind: 'showTexts', value: true }));
  const sentIds = () => to(FIELD_SEND.act).map((body) => (body as { actId: string }).actId);
  const answer = (actId: string, revision: number) =>
    say({
      eventType: 'PLAYER_CHANGE',
      contents: { revision, actId, by: ME, ops: [] },
      usersUpdatedOn: 1,
      participantsUpdatedOn: revision,
    });
  beforeEach(() => {
    open('THERAPIST');
    connection.become('lost');
  });

  test('are sent in order, 40 at a time, the next ones as answers arrive', () => {
    const acts = texts(60);
    connection.become('open');
    expect(sentIds()).toEqual(acts.slice(0, 40));
    answer(acts[0]!, 2);
    const problem = problemBody('not_found', {});
    say({ eventType: 'PROBLEM', contents: { actId: acts[1]!, figureId: null, problem } });
    expect(sentIds()).toEqual(acts.slice(0, 42));
    const [later] = texts(1);
    expect(sentIds()).toHaveLength(42);
    for (const [index, actId] of acts.entries()) answer(actId, 3 + index);
    expect(sentIds()).toEqual([...acts, later]);
  });

  test('are all kept up to a limit; the next one is refused with a message, not dropped silently', () => {
    const told = vi.fn();
    const refused = vi.fn();
    store.onNotice(told);
    store.onRefused(refused);
    const acts = texts(100);
    expect(told).not.toHaveBeenCalled();
    store.act({ kind: 'place', figureId: 7, x: 1 });
    expect(told.mock.calls).toEqual([[{ kind: 'notKept' }]]);
    expect(refused).toHaveBeenCalledWith(expect.objectContaining({ figureId: 7 }));
    expect(store.get().pending.map(({ actId }) => actId)).toEqual(acts);
  });
});

test('a request to the therapist’s screens to fetch again is passed on unchanged', () => {
  open('THERAPIST');
  const told = vi.fn();
  store.onNotice(told);
  for (const about of [{ what: 'constellations' }, { what: 'wrongCodes', wrongTries: 3 }] as const) {
    say({ eventType: 'REFRESH_ADMIN', contents: about });
    expect(told).toHaveBeenLastCalledWith({ kind: 'refresh', about });
  }
});

test('an act gets an answer; a drag and a pointer do not', () => {
  open('THERAPIST');
  store.act({ kind: 'showTexts', value: true });
  store.drag({ figureId: 1, x: 1, y: 1 });
  store.point({ x: 1, y: 1 });
  expect(connection.unanswered).toEqual([FIELD_SEND.drag, FIELD_SEND.point]);
});

test('a refused message of another feature is not reported as a refused act', () => {
  open('CLIENT');
  const told = vi.fn();
  store.onNotice(told);
  const problem = { type: 'about:blank', title: '', status: 403, code: 'messages_off' } as const;
  const actId = '11111111-1111-4111-8111-111111111111';
  say({ eventType: 'PROBLEM', contents: { actId, figureId: null, problem } });
  expect(told).not.toHaveBeenCalled();
  // A message about a drag has no actId.
  say({ eventType: 'PROBLEM', contents: { actId: null, figureId: 1, problem } });
  expect(told).toHaveBeenCalledOnce();
});

test('a refused act names its figure, even if the server could not read it', () => {
  open('THERAPIST');
  const refused: (number | null)[] = [];
  store.onRefused(({ figureId }) => refused.push(figureId));
  const problem = { type: 'about:blank', title: '', status: 400, code: 'invalid_input' } as const;
  for (const act of [{ kind: 'place', figureId: 7, x: 1 } as const, { kind: 'clear' } as const])
    say({ eventType: 'PROBLEM', contents: { actId: store.act(act), figureId: null, problem } });
  expect(refused).toEqual([7, null]);
});

describe('an act without an answer', () => {
  const told = vi.fn();
  beforeEach(() => {
    open('CLIENT');
    told.mockClear();
    store.subscribe(told);
  });

  test('is marked as unconfirmed after a few seconds, until the answer arrives', () => {
    const actId = store.act({ kind: 'showTexts', value: true });
    vi.advanceTimersByTime(ANSWER_EXPECTED_MS - 1);
    expect(store.unanswered()).toBe(false);
    told.mockClear();
    vi.advanceTimersByTime(1);
    expect(store.unanswered()).toBe(true);
    expect(told).toHaveBeenCalled();
    // A later, answered act does not hide it.
    const later = acted(2);
    expect(later).not.toBe(actId);
    expect(store.unanswered()).toBe(true);
    say({
      eventType: 'PLAYER_CHANGE',
      contents: { revision: 3, actId, by: ME, ops: [] },
      usersUpdatedOn: 1,
      participantsUpdatedOn: 3,
    });
    expect(store.unanswered()).toBe(false);
  });

  test('a refusal is an answer, too', () => {
    const actId = store.act({ kind: 'showTexts', value: true });
    vi.advanceTimersByTime(ANSWER_EXPECTED_MS);
    const problem = { type: 'about:blank', title: '', status: 503, code: 'unavailable' } as const;
    say({ eventType: 'PROBLEM', contents: { actId, figureId: null, problem } });
    expect(store.unanswered()).toBe(false);
  });

  test('while the connection is lost that is shown instead, and the time starts when it is sent again', () => {
    store.act({ kind: 'showTexts', value: true });
    vi.advanceTimersByTime(ANSWER_EXPECTED_MS);
    connection.become('lost');
    expect(store.unanswered()).toBe(false);
    store.act({ kind: 'showTexts', value: false });
    vi.advanceTimersByTime(60_000);
    expect(store.unanswered()).toBe(false);
    connection.become('open');
    vi.advanceTimersByTime(ANSWER_EXPECTED_MS - 1);
    expect(store.unanswered()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(store.unanswered()).toBe(true);
  });
});
