/** A dialog that is closing. */
import { Button, MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { theme } from '../theme/theme.ts';
import { Modal } from './Modal.tsx';

afterEach(cleanup);

test('a double press on an answer gives it once, though the dialog is still fading out', async () => {
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
