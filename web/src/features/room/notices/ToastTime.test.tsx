/** How long a notice stays, and where the focus moves when it disappears (docs/product.md#11.71). */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import common from '../../../locales/en/common.json';
import field from '../../../locales/en/field.json';
import { takeBackNotFetched, tellNotFetched } from '../../../ui/lazy/notFetched.ts';
import { NEWS_MS, NEWS_WITH_ACT_MS } from '../../../ui/states/newsTimes.ts';
import { Toast, type Told, useToast } from './Toast.tsx';

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { common, field } } }));
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const REMOVED = 'Anna has been removed.';
const LINE = common.notFetched.text;
const undo = vi.fn();
const over = new Set<Element>();
const place = (element: Element) => {
  over.add(element);
  return () => void over.delete(element);
};
const withUndo: Told = { text: REMOVED, act: { label: 'Undo', run: undo } };

function draw() {
  let tell: (told: Told) => void = () => undefined;
  function Room() {
    const toast = useToast();
    tell = toast.tell;
    return (
      <>
        <input aria-label="Name" />
        <main id="field" />
        <Toast told={toast.told} onClose={toast.close} onPlace={place} />
      </>
    );
  }
  render(<Room />);
  return (told: Told) =>
    act(() => {
      tell(told);
    });
}
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });
const shown = (text: string) => screen.queryByText(text) !== null;
const button = () => screen.getByRole('button');
const name = () => screen.getByLabelText('Name');
const focus = (element: HTMLElement) =>
  act(() => {
    element.focus();
  });

test('11.71: a notice is shown for 6 s, with an act for 12 s, a fault until it is closed', () => {
  const tell = draw();
  tell({ text: 'Copied' });
  pass(NEWS_MS - 1);
  expect(shown('Copied')).toBe(true);
  pass(1);
  expect(shown('Copied')).toBe(false);
  tell(withUndo);
  pass(NEWS_WITH_ACT_MS - 1);
  expect(shown(REMOVED)).toBe(true);
  pass(1);
  expect(shown(REMOVED)).toBe(false);
  tell({ text: 'Failed', tone: 'fault' });
  pass(600_000);
  expect(shown('Failed')).toBe(true);
});

test('11.71: it stays under the pointer and while it has the focus; its time starts again after both', () => {
  const tell = draw();
  tell(withUndo);
  const news = screen.getByText(REMOVED);
  fireEvent.pointerEnter(news);
  focus(button());
  pass(600_000);
  fireEvent.pointerLeave(news);
  pass(600_000);
  expect(shown(REMOVED), 'has the focus').toBe(true);
  fireEvent.pointerEnter(news);
  focus(name());
  pass(600_000);
  expect(shown(REMOVED), 'under the pointer').toBe(true);
  fireEvent.pointerLeave(news);
  pass(NEWS_WITH_ACT_MS - 1);
  expect(shown(REMOVED)).toBe(true);
  pass(1);
  expect(shown(REMOVED)).toBe(false);
});

test('11.71: a notice that replaced it has its own time', () => {
  const tell = draw();
  tell(withUndo);
  fireEvent.pointerEnter(screen.getByText(REMOVED));
  tell({ text: 'Copied' });
  pass(NEWS_MS);
  expect(shown('Copied')).toBe(false);
});

test('11.71: the focus returns from a closed or replaced notice to where it was', () => {
  const tell = draw();
  for (const away of [() => fireEvent.click(button()), () => tell({ text: 'Copied' })]) {
    focus(name());
    tell(withUndo);
    focus(button());
    away();
    expect(shown(REMOVED)).toBe(false);
    expect(document.activeElement).toBe(name());
  }
  expect(undo).toHaveBeenCalledTimes(1);
});

test('11.71: if that element no longer exists, the field gets the focus', () => {
  const tell = draw();
  const figure = document.body.appendChild(document.createElement('button'));
  focus(figure);
  tell(withUndo);
  focus(screen.getByRole('button', { name: 'Undo' }));
  figure.remove();
  fireEvent.click(button());
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('11.71: a notice that never had the focus does not move it', () => {
  const tell = draw();
  focus(name());
  tell(withUndo);
  fireEvent.click(button());
  expect(document.activeElement).toBe(name());
  act(() => {
    name().blur();
  });
  tell(withUndo);
  pass(NEWS_WITH_ACT_MS);
  expect(document.activeElement).toBe(document.body);
});

test('11.62: the field receives the area that the notice covers, until it has disappeared', () => {
  const tell = draw();
  const lie = () => [...over].map((element) => element.textContent);
  tell({ text: 'Copied' });
  expect(lie()).toEqual(['Copied']);
  tell({ text: 'Saved' });
  expect(lie()).toEqual(['Saved']);
  pass(NEWS_MS);
  expect(lie()).toEqual([]);
});

test('11.36, 11.62: a failed load is shown as a fault, beside the room’s tools, until it has succeeded', () => {
  const part = {};
  const tell = draw();
  act(() => tellNotFetched(part));
  expect(over.size).toBe(1);
  expect(screen.getAllByText(LINE)).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
  pass(NEWS_WITH_ACT_MS);
  expect(shown(LINE)).toBe(true);
  act(() => takeBackNotFetched(part));
  expect(shown(LINE)).toBe(false);
  act(() => tellNotFetched(part));
  tell({ text: REMOVED });
  act(() => takeBackNotFetched(part));
  expect(shown(REMOVED)).toBe(true);
});

test('11.36: over a dialog, which may hide that place, it is a separate message', () => {
  const part = {};
  draw();
  render(<div role="dialog" />);
  act(() => tellNotFetched(part));
  expect(screen.getByRole('alert').textContent).toBe(LINE);
  act(() => takeBackNotFetched(part));
  expect(screen.queryByRole('alert')).toBeNull();
});
