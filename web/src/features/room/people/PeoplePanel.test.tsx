/** The panel of people as the therapist uses it: the warning about an open room, a new link, a cleared waiting list. */
import type { RoomState, WaitingPerson } from '@fieldroom/contract/clients';
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import de from '../../../locales/de/room.json';
import en from '../../../locales/en/room.json';
import hu from '../../../locales/hu/room.json';
import ro from '../../../locales/ro/room.json';
import { PeoplePanel } from './PeoplePanel.tsx';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));
vi.mock('../../observerWords/index.ts', () => ({ LazyInvitationSwitch: () => null, useWordOf: () => null }));
vi.mock('../../video/index.ts', () => ({
  handsInOrder: () => [],
  LazyStageControl: () => null,
  useVideoPart: () => null,
}));

const room: RoomState = {
  therapistId: 7,
  joinLink: 'anna',
  code: 'ABCDE',
  admission: 'ask',
  asksUntilEnd: false,
  handsAllowed: true,
  liveSession: { id: 1, startedOn: '2026-11-22T10:00:00Z' },
  people: [],
  waiting: [],
  wrongTries: 0,
};
const waitingPerson = (id: number): WaitingPerson => ({
  id,
  name: `Person ${id}`,
  arrivedOn: '2026-11-22T10:00:00Z',
  by: 'link',
  connected: true,
  doubleName: false,
});

function show(state: Partial<RoomState> = {}, waiting: WaitingPerson[] = []) {
  const connection = fakeConnection();
  const store = createRoomStore({ connection, me: { id: 7, as: 'THERAPIST' } });
  const contents = { people: [], therapistHere: true, waiting };
  connection.say({ eventType: 'UNREGISTER_USER', contents, usersUpdatedOn: 1, participantsUpdatedOn: 1 });
  const done = async () => undefined;
  const acts = {
    onRenewLink: vi.fn(done),
    onClearWaiting: vi.fn(done),
    onAdmit: vi.fn((_ids: number[]) => done()),
  };
  render(
    <MantineProvider env="test" withCssVariables={false} withGlobalClasses={false}>
      <RoomProvider store={store}>
        <PeoplePanel
          room={{ ...room, ...state }}
          scheme="light"
          sound={false}
          video={{} as never}
          {...acts}
          onSound={vi.fn()}
          onDecline={vi.fn()}
          onRemove={vi.fn()}
          onAdmission={vi.fn()}
          onFailed={vi.fn()}
        />
      </RoomProvider>
    </MantineProvider>,
  );
  return acts;
}
const press = async (name: string) => userEvent.click(await screen.findByText(name));
afterEach(cleanup);

test('says plainly that the link alone admits people, as long as that is so', () => {
  show({ admission: 'open' });
  expect(screen.getByText('people.openNote')).toBeTruthy();
  cleanup();
  show({ admission: 'ask' });
  expect(screen.queryByText('people.openNote')).toBeNull();
  cleanup();
  show({ admission: 'open', asksUntilEnd: true });
  expect(screen.queryByText('people.openNote')).toBeNull();
});

test('renews the join link only after a confirmation', async () => {
  const { onRenewLink } = show();
  await press('people.ask');
  await press('people.renewLink');
  await press('people.renewCancel');
  expect(onRenewLink).not.toHaveBeenCalled();
  await press('people.ask');
  await press('people.renewLink');
  await press('people.renewConfirm');
  expect(onRenewLink).toHaveBeenCalledOnce();
});

test('clears the waiting list in one act, after a confirmation', async () => {
  const { onClearWaiting } = show({}, [waitingPerson(1), waitingPerson(2)]);
  await press('people.clear');
  await press('people.clearCancel');
  expect(onClearWaiting).not.toHaveBeenCalled();
  await press('people.clear');
  await press('people.clearConfirm');
  expect(onClearWaiting).toHaveBeenCalledOnce();
});

test('one waiting person is declined by their own button', () => {
  show({}, [waitingPerson(1)]);
  expect(screen.queryByText('people.clear')).toBeNull();
});

test('11.53 the button that admits everybody is outside the scrolling list', () => {
  show({}, [1, 2, 3, 4, 5, 6, 7, 8, 9].map(waitingPerson));
  const all = screen.getByText('people.letAllIn').closest('button');
  expect(screen.getByText('Person 9').closest('ul')?.contains(all)).toBe(false);
});

test('4.4 it admits those whom the list shows, not people who arrive later', async () => {
  const { onAdmit } = show({}, [waitingPerson(1), waitingPerson(2)]);
  await press('people.letBothIn');
  expect(onAdmit.mock.calls).toEqual([[[1, 2]]]);
});

test('11.53 the panel says that nobody is here, unless somebody waits', () => {
  show();
  expect(screen.getByText('people.nobody')).toBeTruthy();
  cleanup();
  show({}, [waitingPerson(1)]);
  expect(screen.queryByText('people.nobody')).toBeNull();
  expect(screen.getByText('people.nobodyIn')).toBeTruthy();
});

test.each([
  [en, /yet/],
  [de, /noch/i],
  [hu, /még/i],
  [ro, /încă/i],
])('11.53 the words for an empty room also fit after people have left', ({ people }, before) => {
  expect(people.nobody).not.toMatch(before);
});
