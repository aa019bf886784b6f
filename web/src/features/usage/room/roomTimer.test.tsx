/** The dialogs in the therapist's room: which is shown when, and the effect of closing it. */
import type { DialogName, Usage } from '@fieldroom/contract/usage';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import problems from '../../../locales/en/problems.json';
import words from '../../../locales/en/usage.json';
import type { Connection } from '../../../platform/realtime/index.ts';
import { fakeConnection, type FakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { TimerContext } from '../timer/timerContext.ts';
import { afterSeconds, aTimer, aUsage } from '../usage.testing.ts';
import { createTimerStore, type TimerStore } from '../timer/timerStore.ts';
import { createRoomTimer, type RoomTimer } from './roomTimer.ts';
import { RoomUsageDialogs } from './RoomUsageDialogs.tsx';

const world = vi.hoisted(() => ({
  clock: { now: () => Date.now() },
  called: [] as string[],
  usage: (): unknown => null,
  claim: (): unknown => null,
}));
vi.mock('../../../platform/time/sharedClock.ts', () => ({ useSharedClock: () => world.clock }));
vi.mock('../../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: {
    async call({ path }: { path: string }) {
      world.called.push(path);
      if (path === '/api/me/usage') return world.usage();
      return path === '/api/me/usage/four-hours' ? world.claim() : undefined;
    },
  },
}));

let connection: FakeConnection;
let timer: RoomTimer;
let store: TimerStore;
const UNTIL = afterSeconds(1500);
const START = '/api/startTimer/{userId}';
const TITLES: Record<DialogName, string> = {
  timeoutwarning: words.warning.title,
  timedout: words.timedOut.title,
  fourhours: 'Hello',
  trialover: words.trialOver.title,
};
const count = (path: string) => world.called.filter((called) => called === path).length;
const tell = (dialog: DialogName) =>
  act(async () =>
    connection.say({ eventType: 'DIALOG', contents: { dialog, until: dialog === 'timeoutwarning' ? UNTIL : null } }),
  );
const update = () => act(async () => connection.say({ eventType: 'TIMER_UPDATE', contents: aTimer(1) }));
const shown = () => screen.queryByRole('heading')?.textContent ?? null;
const sees = (dialog: DialogName | null) =>
  waitFor(() => expect(shown()).toBe(dialog === null ? null : TITLES[dialog]));

async function enter(usage: Partial<Usage> = {}) {
  world.usage = () => aUsage(usage);
  connection = fakeConnection();
  store = createTimerStore({ connection, therapistId: 7 });
  timer = createRoomTimer({ connection: connection as unknown as Connection, userId: 7, store });
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <TimerContext value={store}>
        <button type="button">the field</button>
        <RoomUsageDialogs onStay={timer.duty.start} />
      </TimerContext>
    </MantineProvider>,
  );
  await act(async () => {});
}

beforeAll(() => {
  // happy-dom has none; the text area measures itself when fonts come.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  return i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { usage: { ...words, fourHours: { ...words.fourHours, greeting: 'Hello' } }, problems } },
  });
});
beforeEach(() => {
  world.called.length = 0;
  world.claim = () => ({ show: true });
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  timer.close();
});

test('a warning opens over the field; closing it restarts the timer, and returns the focus', async () => {
  await enter();
  screen.getByText('the field').focus();
  await tell('timeoutwarning');
  await sees('timeoutwarning');
  expect(count(START)).toBe(1);
  await userEvent.click(screen.getByRole('button', { name: 'I am still here' }));
  expect(count(START)).toBe(2);
  await sees(null);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByText('the field')));
});

test('a running warning is shown to a page that is opened in the middle of it', async () => {
  await enter({ warningUntil: UNTIL });
  await sees('timeoutwarning');
  expect(store.get().opened).toEqual({ dialog: 'timeoutwarning', until: UNTIL });
});

test('a warning that was cancelled by another tab or an act on the field closes here, too', async () => {
  await enter();
  await tell('timeoutwarning');
  await sees('timeoutwarning');
  world.usage = () => aUsage({ warningUntil: UNTIL });
  await update();
  await sees('timeoutwarning');
  world.usage = () => aUsage();
  await update();
  await sees(null);
  expect(count(START)).toBe(1);
});

test('an answer to a request from before the warning does not close it', async () => {
  let answer: (usage: unknown) => void = () => {};
  world.usage = () => new Promise((resolve) => (answer = resolve));
  connection = fakeConnection();
  store = createTimerStore({ connection, therapistId: 7 });
  timer = createRoomTimer({ connection: connection as unknown as Connection, userId: 7, store });
  connection.say({ eventType: 'DIALOG', contents: { dialog: 'timeoutwarning', until: UNTIL } });
  await act(async () => answer(aUsage()));
  expect(store.get().opened?.dialog).toBe('timeoutwarning');
});

test('the end after a warning replaces it', async () => {
  await enter();
  await tell('timeoutwarning');
  await sees('timeoutwarning');
  await tell('timedout');
  await sees('timedout');
  await userEvent.click(screen.getByRole('button', { name: 'Got it' }));
  await sees(null);
  expect(count(START)).toBe(1);
});

test('losing the focus schedules no stop while a warning is shown', async () => {
  await enter();
  await tell('timeoutwarning');
  window.dispatchEvent(new Event('blur'));
  expect(count('/api/scheduleTimerStop/{userId}/{seconds}')).toBe(0);
  await act(async () => store.closeDialog('timeoutwarning'));
  window.dispatchEvent(new Event('blur'));
  expect(count('/api/scheduleTimerStop/{userId}/{seconds}')).toBe(1);
});

test.each([
  [
    'the message',
    async () => {
      await enter();
      await tell('fourhours');
    },
  ],
  ['the usage when the room opens', () => enter({ fourHoursDue: true })],
])('the fourth hour, reported by %s, is shown by the page that successfully claims it', async (_, due) => {
  await due();
  await sees('fourhours');
  expect(count('/api/me/usage/four-hours')).toBe(1);
  cleanup();
  timer.close();
  world.claim = () => ({ show: false });
  await due();
  expect(count('/api/me/usage/four-hours')).toBe(2);
  expect(store.get().opened).toBeNull();
});

test('the fourth hour waits until a warning is closed', async () => {
  await enter();
  await tell('timeoutwarning');
  await tell('fourhours');
  await sees('timeoutwarning');
  await userEvent.click(screen.getByRole('button', { name: 'I am still here' }));
  await sees('fourhours');
});

test('the end of the trial replaces everything', async () => {
  await enter();
  await tell('fourhours');
  await sees('fourhours');
  await tell('trialover');
  await sees('trialover');
  await userEvent.keyboard('{Escape}');
  await sees('trialover');
});

test('7.3 a warning sent while the connection was lost is shown once it returns', async () => {
  await enter();
  connection.become('lost');
  world.usage = () => aUsage({ warningUntil: UNTIL });
  await act(async () => connection.become('open'));
  await sees('timeoutwarning');
});

test('7.3 a failed first request is repeated', async () => {
  await enter();
  cleanup();
  timer.close();
  world.usage = () => {
    throw new Error('offline');
  };
  connection = fakeConnection();
  timer = createRoomTimer({ connection: connection as unknown as Connection, userId: 7, store });
  await act(async () => {});
  world.usage = () => aUsage({ warningUntil: UNTIL });
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(store.get().opened?.dialog).toBe('timeoutwarning');
});

test('the answer to an older request does not restore a cancelled warning', async () => {
  await enter();
  await tell('timeoutwarning');
  let answer: (usage: unknown) => void = () => {};
  world.usage = () => new Promise((resolve) => (answer = resolve));
  await update();
  world.usage = () => aUsage();
  await update();
  await act(async () => answer(aUsage({ warningUntil: UNTIL })));
  await sees(null);
});

test('7.4 the fourth hour is claimed again if the claim failed', async () => {
  await enter();
  world.claim = () => {
    throw new Error('offline');
  };
  await tell('fourhours');
  expect(store.get().opened).toBeNull();
  world.claim = () => ({ show: true });
  await act(async () => void window.dispatchEvent(new Event('online')));
  await sees('fourhours');
});
