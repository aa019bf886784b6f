// @vitest-environment happy-dom
import { BLUR_STOP_SECONDS, CLOSE_STOP_SECONDS } from '@fieldroom/contract/usage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type api, ApiProblem } from '../../../platform/api/index.ts';
import { createTimerDuty, type TimerDuty } from './timerDuty.ts';

interface Called {
  path: string;
  tab: string;
  seconds?: number;
  keepalive?: boolean;
}
let called: Called[];
let warning: boolean;
let fault: Error;
let duties: TimerDuty[];

const call = (async ({ path }: { path: string }, input: Record<string, unknown>) => {
  const { params, body, keepalive } = input as {
    params: { userId: number; seconds?: number };
    body: { tab: string };
    keepalive?: boolean;
  };
  expect(params.userId).toBe(7);
  called.push({
    path,
    tab: body.tab,
    ...(params.seconds === undefined ? {} : { seconds: params.seconds, keepalive }),
  } as Called);
  throw fault;
}) as unknown as typeof api.call;

function begin(): TimerDuty {
  const duty = createTimerDuty({ userId: 7, isWarning: () => warning, call });
  duties.push(duty);
  return duty;
}
const START = '/api/startTimer/{userId}';
const STOP = '/api/scheduleTimerStop/{userId}/{seconds}';
const paths = () => called.map(({ path }) => path);
const happens = (type: string, more: object = {}) => window.dispatchEvent(Object.assign(new Event(type), more));

beforeEach(() => {
  called = [];
  duties = [];
  warning = false;
  fault = new Error('offline');
});
afterEach(() => {
  for (const duty of duties) duty.close();
});

describe('the therapist’s page reports to the server (7.2)', () => {
  test('that it shows the room, when it opens and each time it gets the focus', () => {
    begin();
    expect(paths()).toEqual([START]);
    happens('focus');
    expect(paths()).toEqual([START, START]);
  });

  test('that it lost the focus: a stop after 30 minutes', () => {
    begin();
    happens('blur');
    expect(called[1]).toMatchObject({ path: STOP, seconds: BLUR_STOP_SECONDS, keepalive: false });
  });

  test('nothing when it loses the focus while a warning is shown: its countdown is shorter', () => {
    begin();
    warning = true;
    happens('blur');
    expect(paths()).toEqual([START]);
  });

  test('that it closes: a stop after 10 minutes, by a call that outlives the page, and no other one afterwards', () => {
    begin();
    happens('pagehide');
    happens('blur');
    happens('pagehide');
    expect(called.slice(1)).toMatchObject([{ path: STOP, seconds: CLOSE_STOP_SECONDS, keepalive: true }]);
  });

  test('that it is back, when the browser had cached it', () => {
    begin();
    happens('pagehide');
    happens('pageshow', { persisted: false });
    expect(paths()).toEqual([START, STOP]);
    happens('pageshow', { persisted: true });
    expect(paths()).toEqual([START, STOP, START]);
    happens('pagehide');
    expect(paths()).toEqual([START, STOP, START, STOP]);
  });

  test('that the person left for another page of the app, like a closed tab', () => {
    const duty = begin();
    duty.leave();
    expect(called[1]).toMatchObject({ path: STOP, seconds: CLOSE_STOP_SECONDS });
  });

  test('which tab it is: the same one for all its calls, another one for each page', () => {
    begin();
    happens('blur');
    const [first, blurred] = called;
    expect(blurred!.tab).toBe(first!.tab);
    duties[0]!.close();
    begin();
    expect(called.at(-1)!.tab).not.toBe(first!.tab);
  });

  test('a failed start again, because a start cancels a warning; not a refused one, nor after losing the focus', async () => {
    const settled = () => new Promise((resolve) => setTimeout(resolve));
    begin();
    await settled();
    happens('online');
    expect(paths()).toEqual([START, START]);
    await settled();
    happens('blur');
    happens('online');
    expect(paths()).toEqual([START, START, STOP]);
    fault = new ApiProblem('no_live_session', { status: 409 });
    happens('focus');
    await settled();
    happens('online');
    expect(paths()).toEqual([START, START, STOP, START]);
  });

  test('nothing after it was closed', () => {
    begin().close();
    for (const type of ['focus', 'blur', 'pagehide']) happens(type);
    happens('pageshow', { persisted: true });
    expect(paths()).toEqual([START]);
  });
});
