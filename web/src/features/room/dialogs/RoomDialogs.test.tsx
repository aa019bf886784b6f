/** The dialogs of the room: their form on a phone, and the list of keys. */
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import dialog from '../../../ui/dialogs/dialogParts.module.css';
import { ConnectingDialog } from '../../video/dialogs/ConnectingDialog.tsx';
import { createVideoStore } from '../../video/store/videoStore.ts';
import { outside } from '../../video/store/videoStore.fixture.ts';
import { VideoContext } from '../../video/index.ts';
import { KeysDialog, LeavingDialog, Question } from './RoomDialogs.tsx';

beforeAll(() => startWords(['room', 'field', 'video']));
afterEach(cleanup);

const nothing = () => undefined;
const words = { opened: true, title: 'Leave the room?', text: 'Nine people are in the room.', busy: false };

test.each([
  ['a question', <Question key="1" {...words} yes="Leave" no="Stay" onYes={nothing} onNo={nothing} />],
  [
    'the therapist’s question before leaving',
    <LeavingDialog key="2" {...words} stay="Stay" go="Go" end="End" onStay={nothing} onGo={nothing} onEnd={nothing} />,
  ],
  ['connecting to the video', <ConnectingDialog key="3" phase="connecting" onCancel={nothing} />],
])('11.10 %s is a sheet on a phone', async (_, shown) => {
  render(<MantineProvider>{shown}</MantineProvider>);
  const content = await screen.findByRole('dialog');
  expect(content.classList.contains(dialog.sheet ?? 'no name')).toBe(true);
  expect(content.closest(`.${dialog.sheetPlace}`)).not.toBeNull();
});

test.each([
  ['that destroys has its focus on the other answer', true, 'Stay'],
  ['that does not has it on its act', false, 'Leave'],
])('a question %s', async (_, danger, focused) => {
  render(
    <MantineProvider env="test">
      <Question {...words} danger={danger} yes="Leave" no="Stay" onYes={nothing} onNo={nothing} />
    </MantineProvider>,
  );
  await waitFor(() => expect(document.activeElement?.textContent).toBe(focused));
});

test('11.7 the list of keys has Escape and Enter, and, during the video, 1, 2 and 3', async () => {
  const store = createVideoStore({ me: { id: 1, as: 'therapist' }, ...outside() });
  render(
    <MantineProvider>
      <VideoContext value={store}>
        <KeysDialog opened onClose={nothing} />
      </VideoContext>
    </MantineProvider>,
  );
  await screen.findByRole('dialog');
  const textOf = (keys: string) =>
    screen.getAllByRole('term').find((term) => term.textContent === keys)?.nextElementSibling?.textContent;
  expect(textOf('Esc')).toBe('close its tools');
  expect(textOf('Enter')).toBe('name the figure');
  expect(textOf('123')).toBeUndefined();
  await act(async () => store.join('camera'));
  expect(textOf('123')).toBe('in the video: field, half and half, gallery');
});
