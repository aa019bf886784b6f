/** Each dialog about usage: its text, its effect, and how it is closed. */
import { FEEDBACK_MAX, TRIAL_STOP_DELAY_MS } from '@fieldroom/contract/usage';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import problems from '../../../locales/en/problems.json';
import words from '../../../locales/en/usage.json';
import { ApiProblem } from '../../../platform/api/request.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import type { OpenedDialog } from '../timer/dueDialogs.ts';
import { afterSeconds, BEGIN } from '../usage.testing.ts';
import { LazyUsageDialog } from './lazyUsageDialogs.tsx';
import { UsageDialog } from './UsageDialogs.tsx';

const world = vi.hoisted(() => ({
  clock: { now: () => Date.now() },
  called: [] as { path: string; input: unknown }[],
  answer: (): unknown => undefined,
}));
vi.mock('../../../platform/time/sharedClock.ts', () => ({ useSharedClock: () => world.clock }));
vi.mock('../../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: {
    async call({ path }: { path: string }, input: unknown) {
      world.called.push({ path, input });
      return world.answer();
    },
  },
}));

const PACKAGE = '/app/subscription/professional-package';
const closed = vi.fn();
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const dialog = () => screen.queryByRole('dialog');
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

async function open(which: OpenedDialog) {
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <UsageDialog opened which={which} onClose={closed} />
    </MantineProvider>,
  );
  await act(async () => {});
}

beforeAll(() => {
  // happy-dom has none; the text area measures itself when fonts come.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  return i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { usage: words, problems } },
    interpolation: { escapeValue: false },
  });
});
beforeEach(() => {
  world.called.length = 0;
  world.answer = () => undefined;
  closed.mockReset();
  localStorage.clear();
  keepSignIn(storage, {
    token: 't',
    user: {
      id: 7,
      firstName: 'Anna',
      lastName: 'Berg',
      email: 'anna@example.org',
      language: 'en',
      slug: 'anna',
      joinLink: 'anna',
      roles: ['ROLE_THERAPIST'],
      authorities: ['ROLE_THERAPIST'],
    },
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the warning (7.3)', () => {
  const warning: OpenedDialog = { dialog: 'timeoutwarning', until: afterSeconds(1500) };

  test('counts down from 25:00 by the product’s clock, and never below zero', async () => {
    vi.useFakeTimers({ now: Date.parse(BEGIN) });
    await open(warning);
    const left = () => screen.getByRole('timer').textContent;
    expect(left()).toBe('25:00');
    pass(1000);
    expect(left()).toBe('24:59');
    pass(1_499_000);
    expect(left()).toBe('0:00');
    pass(60_000);
    expect(left()).toBe('0:00');
  });

  test('starts at the current countdown when the page was opened in the middle of it', async () => {
    vi.useFakeTimers({ now: Date.parse(afterSeconds(1438)) });
    await open(warning);
    expect(screen.getByRole('timer').textContent).toBe('1:02');
  });

  test('is closed by its button, which has the focus, and by Escape', async () => {
    await open(warning);
    await waitFor(() => expect(document.activeElement).toBe(button('I am still here')));
    await userEvent.keyboard('{Enter}');
    expect(closed).toHaveBeenCalledOnce();
    await userEvent.keyboard('{Escape}');
    expect(closed).toHaveBeenCalledTimes(2);
  });
});

test('the end after a warning has the fixed words', async () => {
  await open({ dialog: 'timedout', until: null });
  expect(
    screen.getByText('Due to inactivity the constellation has been stopped and the participants removed'),
  ).toBeTruthy();
  await userEvent.click(button('Got it'));
  expect(closed).toHaveBeenCalledOnce();
});

test('four hours: a greeting by first name, four paragraphs, a link to the package, and a button to close', async () => {
  await open({ dialog: 'fourhours', until: null });
  expect(screen.getByRole('heading').textContent).toBe('Hello Anna');
  expect(dialog()!.querySelectorAll('p')).toHaveLength(4);
  expect(screen.getByRole('link', { name: 'Complete the registration' }).getAttribute('href')).toBe(PACKAGE);
  await userEvent.click(button('Not now'));
  expect(closed).toHaveBeenCalledOnce();
});

describe('the end of the trial (7.4)', () => {
  const over: OpenedDialog = { dialog: 'trialover', until: null };
  const reason = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /may we ask why/ });
  const feedback = () => world.called.filter(({ path }) => path === '/api/sendFeedbackEmail/');

  test('cannot be closed: no cross, no Escape, no press outside', async () => {
    await open(over);
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    await userEvent.keyboard('{Escape}');
    const outside = document.querySelector('[class*=overlay], [data-portal] > div')!;
    fireEvent.mouseDown(outside);
    fireEvent.click(outside);
    expect(closed).not.toHaveBeenCalled();
    expect(dialog()).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Complete the registration' }).getAttribute('href')).toBe(PACKAGE);
  });

  test('tells the server to stop the timer after a moment, once', async () => {
    vi.useFakeTimers();
    await open(over);
    pass(TRIAL_STOP_DELAY_MS - 1);
    expect(world.called).toEqual([]);
    pass(1);
    expect(world.called).toEqual([{ path: '/api/stopTimer/{userId}', input: { params: { userId: 7 } } }]);
    pass(60_000);
    expect(world.called).toHaveLength(1);
  });

  test('sends the reason with address and name, confirms it, and accepts no second one', async () => {
    await open(over);
    expect(button('Send').disabled).toBe(true);
    await userEvent.type(reason(), '  ');
    expect(button('Send').disabled).toBe(true);
    await userEvent.clear(reason());
    await userEvent.type(reason(), 'No time.{Enter}Later perhaps.');
    await userEvent.click(button('Send'));
    expect(await screen.findByText('Thank you for your reply!')).toBeTruthy();
    expect(feedback()).toEqual([
      {
        path: '/api/sendFeedbackEmail/',
        input: { body: { email: 'anna@example.org', username: 'Anna Berg', text: 'No time.\nLater perhaps.' } },
      },
    ]);
    expect(button('Send').disabled).toBe(true);
    expect(reason().readOnly).toBe(true);
  });

  test('reports invisible characters at the field, and does not send them', async () => {
    await open(over);
    fireEvent.change(reason(), { target: { value: 'No\u200B time.' } });
    expect(screen.getByText('This contains characters that can’t be displayed safely.')).toBeTruthy();
    expect(button('Send').disabled).toBe(true);
    fireEvent.submit(reason().closest('form')!);
    expect(feedback()).toEqual([]);
  });

  test('is sent once by two quick presses', async () => {
    let answer = () => {};
    world.answer = () => new Promise<void>((resolve) => (answer = resolve));
    await open(over);
    fireEvent.change(reason(), { target: { value: 'No time.' } });
    const form = reason().closest('form')!;
    act(() => {
      fireEvent.submit(form);
      fireEvent.submit(form);
    });
    expect(feedback()).toHaveLength(1);
    await act(async () => answer());
  });

  test('keeps the text when it could not be sent, says why, and can be sent again', async () => {
    world.answer = () => {
      throw new ApiProblem('offline');
    };
    await open(over);
    await userEvent.type(reason(), 'No time.');
    await userEvent.click(button('Send'));
    expect(await screen.findByText(problems.problem.offline)).toBeTruthy();
    expect(reason().value).toBe('No time.');
    world.answer = () => undefined;
    await userEvent.click(button('Send'));
    expect(await screen.findByText('Thank you for your reply!')).toBeTruthy();
  });

  test('offers five lines, and no more text than the server accepts', async () => {
    await open(over);
    expect(reason().maxLength).toBe(FEEDBACK_MAX);
    expect(reason().required).toBe(true);
    fireEvent.change(reason(), { target: { value: 'x'.repeat(FEEDBACK_MAX - 2) } });
    expect(screen.getByText(/2 characters left$/)).toBeTruthy();
  });
});

test('a dialog takes the focus, and returns it', async () => {
  function Page() {
    const [opened, setOpened] = useState(false);
    return (
      <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
        <button type="button" onClick={() => setOpened(true)}>
          before
        </button>
        <LazyUsageDialog
          opened={opened}
          which={{ dialog: 'fourhours', until: null }}
          onClose={() => setOpened(false)}
        />
      </MantineProvider>
    );
  }
  render(<Page />);
  await userEvent.click(button('before'));
  await waitFor(() => expect(dialog()!.contains(document.activeElement)).toBe(true));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog()).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button('before')));
});
