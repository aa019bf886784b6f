/** A dialog's note about the therapist's room below it. */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeConnection } from '../../../../platform/realtime/connection.fixture.ts';
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx';
import { DialogNoteContext } from '../../../../ui/dialogs/dialogNote.ts';
import { theme } from '../../../../ui/theme/theme.ts';
import { type Told, toldOf } from '../../notices/Toast.tsx';
import { createRoomStore } from '../../store/roomStore.ts';
import { RoomProvider } from '../../store/useRoom.ts';
import { DialogNote } from './DialogNote.tsx';

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));
afterEach(cleanup);

const hanna: WaitingPerson = {
  id: 21,
  name: 'Hanna',
  arrivedOn: '2026-11-22T10:00:00Z',
  by: 'link',
  connected: true,
  doubleName: false,
};

interface Shown {
  waiting?: WaitingPerson[];
  phone?: boolean;
  told?: Told;
}

function show({ waiting = [hanna], phone = true, told = { text: 'Jonas has left.' } }: Shown = {}) {
  const connection = fakeConnection();
  const store = createRoomStore({ connection, me: { id: 7, as: 'THERAPIST' } });
  const contents = { people: [], therapistHere: true, waiting };
  connection.say({ eventType: 'UNREGISTER_USER', contents, usersUpdatedOn: 1, participantsUpdatedOn: 1 });
  const onAdmit = vi.fn(async (_ids: number[]) => undefined);
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <RoomProvider store={store}>
        <DialogNoteContext value={<DialogNote told={told} phone={phone} onAdmit={onAdmit} />}>
          <Dialog opened onClose={() => undefined} size={560} title="Look back" close="Close">
            What was
          </Dialog>
        </DialogNoteContext>
      </RoomProvider>
    </MantineProvider>,
  );
  return { onAdmit };
}

test('11.61 waiting people are named in a dialog, and admitted by one press', async () => {
  const { onAdmit } = show();
  const dialog = await screen.findByRole('dialog');
  expect(dialog.contains(screen.getByText('Hanna'))).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'people.letInName' }));
  expect(onAdmit.mock.calls).toEqual([[[21]]]);
});

test('4.10 a waiting person with a name that is already in the room is marked', async () => {
  show({ waiting: [{ ...hanna, doubleName: true }] });
  await screen.findByRole('dialog');
  expect(screen.getByText('people.doubleName')).toBeTruthy();
});

test('11.62 a phone, which shows nothing else of the room, has its notices there', async () => {
  show({ waiting: [] });
  const dialog = await screen.findByRole('dialog');
  expect(dialog.contains(screen.getByText('Jonas has left.'))).toBe(true);
  cleanup();
  show({ waiting: [], phone: false });
  await screen.findByRole('dialog');
  expect(screen.queryByText('Jonas has left.')).toBeNull();
});

test('11.62 a person who has arrived is named once', async () => {
  show({ told: toldOf({ kind: 'arrived', who: [hanna], text: () => 'Hanna is waiting.' }) });
  await screen.findByRole('dialog');
  expect(screen.getByText('Hanna')).toBeTruthy();
  expect(screen.queryByText('Hanna is waiting.')).toBeNull();
});
