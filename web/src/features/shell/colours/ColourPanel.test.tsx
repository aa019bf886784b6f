/** The panel of colours: choices apply at once and are stored. */
import { PALETTES } from '@fieldroom/contract/colours/palettes';
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { setAppearance } from '../../../ui/theme/appearance.ts';
import { ColoursPanel, useColours } from './Colours.tsx';

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['shell']);
});
beforeEach(() => setAppearance({ palette: 'blueyale', scheme: 'light', radius: 'rounded' }));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

function Page() {
  const colours = useColours();
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={opener} type="button" onClick={() => colours.open(opener.current)}>
        Menu
      </button>
      <ColoursPanel {...colours} />
    </>
  );
}
const draw = () =>
  render(
    <MantineProvider env="test">
      <Page />
    </MantineProvider>,
  );
const shown = () =>
  ['data-palette', 'data-mantine-color-scheme', 'data-radius'].map((name) =>
    document.documentElement.getAttribute(name),
  );

test('each palette, both schemes and both kinds of corners apply at once and are stored', async () => {
  draw();
  await userEvent.click(screen.getByText('Menu'));
  const panel = within(await screen.findByRole('dialog', { name: 'Colours' }));
  expect(panel.getByRole('group', { name: 'Colour' }).querySelectorAll('input')).toHaveLength(PALETTES.length);
  expect(panel.getByLabelText<HTMLInputElement>('Yale blue').checked).toBe(true);
  await userEvent.click(panel.getByLabelText('Ruby red'));
  expect(shown()).toEqual(['redruby', 'light', 'rounded']);
  await userEvent.click(panel.getByLabelText('Dark'));
  expect(shown()).toEqual(['redruby', 'dark', 'rounded']);
  expect(document.body.classList.contains('rounded')).toBe(true);
  await userEvent.click(panel.getByLabelText('Square'));
  expect(shown()).toEqual(['redruby', 'dark', 'flat']);
  expect(document.body.classList.contains('rounded')).toBe(false);
  expect([localStorage.getItem('theme'), localStorage.getItem('radius')]).toEqual(['dark.redruby', 'flat']);
});

test('Escape closes it and returns the focus to its opener', async () => {
  draw();
  const opener = screen.getByText('Menu');
  await userEvent.click(opener);
  await screen.findByRole('dialog');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await expect.poll(() => document.activeElement).toBe(opener);
});

test('its own button opens it too', async () => {
  draw();
  const trigger = screen.getByRole('button', { name: 'Colours' });
  await userEvent.click(trigger);
  expect(await screen.findByRole('dialog', { name: 'Colours' })).toBeTruthy();
  expect(trigger.getAttribute('aria-expanded')).toBe('true');
});
