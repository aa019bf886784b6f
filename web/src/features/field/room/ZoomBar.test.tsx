/** One switch between all figures and one's own (docs/product.md#5.24). */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { createRef } from 'react';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import words from '../../../locales/en/field.json';
import type { CameraView, FieldViewHandle } from '../drawing/index.ts';
import type { CameraListener } from './useOwnHand.ts';
import { ZoomBar } from './ZoomBar.tsx';

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', ns: ['field'], resources: { en: { field: words } } }));
afterEach(cleanup);

function open(own: boolean) {
  const view = { fit: vi.fn(), fitOwn: vi.fn(), keepClear: vi.fn() };
  const camera = { current: (() => undefined) as CameraListener };
  const handle = createRef<FieldViewHandle>();
  handle.current = view as unknown as FieldViewHandle;
  render(<ZoomBar view={handle} camera={camera} own={own} />);
  return { view, show: (shown: CameraView['view']) => act(() => camera.current({ zoom: 1, view: shown })) };
}
/** The words of the switch, which is the last button. */
const said = () => screen.getAllByRole('button').at(-1)?.textContent;
const press = () => fireEvent.click(screen.getAllByRole('button').at(-1) as HTMLElement);

test('5.24: it leads to one’s own figure while all are shown, and back from there and from any zoom', () => {
  const { view, show } = open(true);
  expect(said()).toBe('My figure');
  press();
  expect([view.fitOwn.mock.calls.length, view.fit.mock.calls.length]).toEqual([1, 0]);
  for (const shown of ['own', 'free'] as const) {
    show(shown);
    expect(said()).toBe('Whole field');
  }
  press();
  expect([view.fitOwn.mock.calls.length, view.fit.mock.calls.length]).toEqual([1, 1]);
  show('figures');
  expect(said()).toBe('My figure');
});

test('5.21: names avoid it', () => {
  const { view } = open(false);
  expect(view.keepClear).toHaveBeenCalledExactlyOnceWith(screen.getByRole('group'));
});

test('5.24: without an own figure, and on a desktop, it shows all figures', () => {
  const { view, show } = open(false);
  for (const shown of ['figures', 'free'] as const) {
    show(shown);
    expect(said()).toBe('Fit');
    press();
  }
  expect([view.fitOwn.mock.calls.length, view.fit.mock.calls.length]).toEqual([0, 2]);
});
