import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RoomDrawer } from './RoomDrawer.tsx';

function Room() {
  const [open, setOpen] = useState(false);
  const [waits, setWaits] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        People
      </button>
      {open && (
        <RoomDrawer label="People" onClose={() => setOpen(false)}>
          {waits && (
            <button type="button" onClick={() => setWaits(false)}>
              Let in
            </button>
          )}
          <button type="button">More</button>
          <input aria-label="Hands" />
        </RoomDrawer>
      )}
      <button type="button">Leave</button>
    </>
  );
}
const named = (name: string) => screen.getByRole('button', { name });
beforeEach(() => {
  render(<Room />);
});
afterEach(cleanup);

test('11.61: the focus moves into a drawer, stays inside in both directions, and returns on Escape', async () => {
  await userEvent.click(named('People'));
  expect(document.activeElement).toBe(named('Let in'));
  await userEvent.tab({ shift: true });
  expect(document.activeElement).toBe(screen.getByLabelText('Hands'));
  await userEvent.tab();
  expect(document.activeElement).toBe(named('Let in'));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(named('People'));
});

test('11.61: a drawer still handles keys after its pressed button was removed', async () => {
  await userEvent.click(named('People'));
  await userEvent.click(named('Let in'));
  expect(document.activeElement).toBe(document.body);
  await userEvent.tab();
  expect(document.activeElement).toBe(named('More'));
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('11.61: Escape in a menu of a drawer closes only the menu', async () => {
  await userEvent.click(named('People'));
  const menu = document.body.appendChild(Object.assign(document.createElement('div'), { role: 'menu' }));
  menu.setAttribute('role', 'menu');
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).not.toBeNull();
  menu.remove();
});
