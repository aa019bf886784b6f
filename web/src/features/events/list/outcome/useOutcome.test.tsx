/**
 * How long the outcome of an act with events stays, and where the focus moves when it disappears
 * (docs/product.md#11.71).
 */
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { NEWS_MS, NEWS_WITH_ACT_MS } from '../../../../ui/states/newsTimes.ts';
import { type Outcome, OutcomeNotice } from './OutcomeNotice.tsx';
import { useOutcome } from './useOutcome.ts';

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', resources: {} }));
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const SAVED: Outcome = {
  text: 'Saved',
  tone: 'done',
  undo: { label: 'Undo', undone: 'Undone', act: () => Promise.resolve() },
};
const nothing = () => undefined;

/** Draws a page with a field and a message. Returns a function that shows another message. */
function draw() {
  let say: (outcome: Outcome) => void = nothing;
  function Page() {
    const { outcome, setOutcome, undo, newsHandlers } = useOutcome(nothing);
    say = setOutcome;
    return (
      <>
        <input aria-label="Name" />
        <OutcomeNotice outcome={outcome} newsHandlers={newsHandlers} onShare={nothing} onUndo={undo} />
      </>
    );
  }
  render(
    <MantineProvider env="test">
      <Page />
    </MantineProvider>,
  );
  return (outcome: Outcome) => act(() => say(outcome));
}
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });
const shown = (text: string) => screen.queryByText(text) !== null;
const name = () => screen.getByLabelText('Name');
const button = () => screen.getByRole('button', { name: 'Undo' });
const focus = (element: HTMLElement) => act(() => element.focus());

test('11.71: a notice with an act stays under pointer and focus, and then its time starts again', () => {
  const say = draw();
  say(SAVED);
  pass(NEWS_WITH_ACT_MS - 1);
  fireEvent.pointerEnter(screen.getByText('Saved'));
  focus(button());
  pass(600_000);
  fireEvent.pointerLeave(screen.getByText('Saved'));
  pass(600_000);
  expect(shown('Saved'), 'has the focus').toBe(true);
  fireEvent.pointerEnter(screen.getByText('Saved'));
  focus(name());
  pass(600_000);
  expect(shown('Saved'), 'under the pointer').toBe(true);
  fireEvent.pointerLeave(screen.getByText('Saved'));
  pass(NEWS_WITH_ACT_MS - 1);
  expect(shown('Saved')).toBe(true);
  pass(1);
  expect(shown('Saved')).toBe(false);
});

test('11.71: a notice that replaces another stays too, once the pointer moves on it or its button has the focus', () => {
  const say = draw();
  say({ ...SAVED, text: 'First' });
  fireEvent.pointerEnter(screen.getByText('First'));
  say(SAVED);
  fireEvent.pointerMove(screen.getByText('Saved'));
  pass(600_000);
  expect(shown('Saved'), 'under the pointer').toBe(true);
  focus(name());
  focus(button());
  fireEvent.pointerLeave(screen.getByText('Saved'));
  say({ ...SAVED, text: 'Third' });
  pass(600_000);
  expect(shown('Third'), 'has the focus').toBe(true);
  fireEvent.click(button());
  expect(document.activeElement).toBe(name());
});

test('11.71: undoing returns the focus, and its confirmation has its own time', async () => {
  const say = draw();
  focus(name());
  say(SAVED);
  focus(button());
  fireEvent.pointerEnter(screen.getByText('Saved'));
  fireEvent.click(button());
  await act(() => Promise.resolve());
  expect(document.activeElement).toBe(name());
  pass(NEWS_MS - 1);
  expect(shown('Undone')).toBe(true);
  pass(1);
  expect(shown('Undone')).toBe(false);
});
