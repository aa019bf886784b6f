/** The dialogs of the room: their form on a phone. */
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import dialog from '../../../ui/dialogParts.module.css';
import { ConnectingDialog } from '../../video/dialogs/ConnectingDialog.tsx';
import { LeavingDialog, Question } from './RoomDialogs.tsx';

beforeAll(() => startWords(['room', 'field', 'video']));
afterEach(cleanup);

const nothing = () => undefined;
const words = { opened: true, title: 'Leave the room?', text: 'Nine people are in.', busy: false };

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
