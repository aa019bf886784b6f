/** Menus whose code is fetched at the first press: that press counts, whatever the browser does with the focus. */
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { theme } from '../theme/theme.ts';

beforeEach(() => {
  // The code of the menu is fetched again by each test.
  vi.resetModules();
});
afterEach(cleanup);

async function draw() {
  const { LazyMenu } = await import('./LazyMenu.tsx');
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <input aria-label="Name" />
      {['First', 'Second'].map((name) => (
        <LazyMenu key={name} target={<button type="button">{name}</button>}>
          {(Parts) => <Parts.Item>{`Entry of ${name}`}</Parts.Item>}
        </LazyMenu>
      ))}
    </MantineProvider>,
  );
  return {
    input: screen.getByLabelText('Name'),
    first: screen.getByRole('button', { name: 'First' }),
    second: screen.getByRole('button', { name: 'Second' }),
  };
}
/** The fetch has ended and what follows from it is drawn. */
async function arrived() {
  await act(async () => {
    await import('./kitMenu.ts');
  });
  await act(async () => {});
}
const entry = (name: string) => screen.queryByText(`Entry of ${name}`);

describe('the first press of a lazy menu', () => {
  test('opens it and leaves the focus on its button', async () => {
    const { first } = await draw();
    first.focus();
    fireEvent.click(first);
    expect(await screen.findByText('Entry of First')).toBeTruthy();
  });

  test('opens it if a press moves no focus and a field keeps it (Safari)', async () => {
    const { input, first } = await draw();
    input.focus();
    fireEvent.click(first);
    expect(await screen.findByText('Entry of First')).toBeTruthy();
  });

  test('opens it even if the focus has moved automatically, or by Tab, in between', async () => {
    const { input, first } = await draw();
    first.focus();
    fireEvent.click(first);
    fireEvent.keyDown(first, { key: 'Tab' });
    input.focus();
    expect(await screen.findByText('Entry of First')).toBeTruthy();
  });

  test('does not open it if something else is pressed first', async () => {
    const { first } = await draw();
    first.focus();
    fireEvent.click(first);
    fireEvent.pointerDown(document.body);
    await arrived();
    expect(entry('First')).toBeNull();
  });

  test('does not open it if somebody types elsewhere first', async () => {
    const { input, first } = await draw();
    fireEvent.click(first);
    input.focus();
    fireEvent.keyDown(input, { key: 'a' });
    await arrived();
    expect(entry('First')).toBeNull();
  });

  test('opens only the menu that was pressed last', async () => {
    const { input, first, second } = await draw();
    input.focus();
    fireEvent.click(first);
    fireEvent.click(second);
    expect(await screen.findByText('Entry of Second')).toBeTruthy();
    expect(entry('First')).toBeNull();
  });

  test('11.36 shows a fault if the menu could not be fetched', async () => {
    vi.doMock('./kitMenu.ts', () => {
      throw new TypeError('Failed to fetch');
    });
    try {
      const { first } = await draw();
      fireEvent.click(first);
      expect(await screen.findByRole('alert')).toBeTruthy();
    } finally {
      vi.doUnmock('./kitMenu.ts');
    }
  });
});
