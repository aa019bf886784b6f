/** A dialog that is closing, what a page says in its dialogs, and the page behind them. */
import { Button, MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { theme } from '../theme/theme.ts';
import { DialogNoteContext } from './dialogNote.ts';
import { Modal } from './Modal.tsx';
import { SHEET } from './sheet.ts';

afterEach(cleanup);

test('a double press on an answer counts once, although the dialog is still fading out', async () => {
  const answered = vi.fn();
  function Question() {
    const [opened, setOpened] = useState(true);
    const answer = () => {
      answered();
      setOpened(false);
    };
    return (
      <Modal opened={opened} onClose={() => setOpened(false)} title="Sure?">
        <Button onClick={answer}>Yes</Button>
      </Modal>
    );
  }
  render(
    <MantineProvider theme={theme}>
      <Question />
    </MantineProvider>,
  );
  const yes = await screen.findByText('Yes');
  fireEvent.click(yes);
  expect(yes.isConnected).toBe(true);
  fireEvent.click(yes);
  expect(answered).toHaveBeenCalledOnce();
});

test('an Enter that is held down since before the dialog presses none of its buttons, but writes new lines', async () => {
  render(
    <MantineProvider theme={theme} env="test">
      <Modal opened onClose={() => undefined} title="Sure?">
        <Button leftSection={<span>!</span>}>Yes</Button>
        <textarea aria-label="Why" />
      </Modal>
    </MantineProvider>,
  );
  const yes = await screen.findByRole('button', { name: /Yes/ });
  // The browser's default for a key happens unless it is prevented.
  expect(fireEvent.keyDown(yes, { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(screen.getByText('!'), { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(yes, { key: 'Enter' })).toBe(true);
  expect(fireEvent.keyDown(yes, { key: ' ', repeat: true })).toBe(true);
  expect(fireEvent.keyDown(screen.getByRole('textbox', { name: 'Why' }), { key: 'Enter', repeat: true })).toBe(true);
});

test("the page's note is shown in its dialogs, but not in sheets, and never takes the initial focus", async () => {
  const close = () => undefined;
  render(
    <MantineProvider theme={theme} env="test">
      <DialogNoteContext value="Somebody waits">
        <Modal opened onClose={close} title="A dialog" />
        <Modal opened onClose={close} title="A sheet" classNames={SHEET} />
        <Modal opened onClose={close} title="One without a cross" withCloseButton={false} />
      </DialogNoteContext>
    </MantineProvider>,
  );
  const dialog = await screen.findByRole('dialog', { name: 'A dialog' });
  expect(await screen.findAllByRole('dialog')).toHaveLength(3);
  expect(screen.getAllByText('Somebody waits').map((note) => dialog.contains(note))).toEqual([true]);
});

test('the page behind is marked while a dialog is drawn, without any :has() style', () => {
  const page = document.documentElement;
  const dialogs = (...opened: boolean[]) => (
    <MantineProvider theme={theme} env="test">
      {opened.map((open, index) => (
        <Modal key={index} opened={open} onClose={() => undefined} title={`Dialog ${index}`} />
      ))}
    </MantineProvider>
  );
  const { rerender } = render(dialogs(false, false));
  const marked = () => page.hasAttribute('data-dialogs');
  expect(marked()).toBe(false);
  rerender(dialogs(true, false));
  expect(marked()).toBe(true);
  rerender(dialogs(true, true));
  rerender(dialogs(false, true));
  expect(marked()).toBe(true);
  rerender(dialogs(false, false));
  expect(marked()).toBe(false);
});
