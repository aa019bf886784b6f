/** The room of a client in a test: stores on a fake connection, and the server's first messages. */
import type { Client, Person } from '@fieldroom/contract/clients';
import { MantineProvider } from '@mantine/core';
import { act, render } from '@testing-library/react';
import { vi } from 'vitest';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { theme } from '../../../ui/theme/theme.ts';
import { PHONE_SCREEN } from '../../../ui/useMediaQuery.ts';
import { aFigure } from '../../field/figures.testing.ts';
import { createMessagesStore, MessagesContext } from '../../messages/index.ts';
import { createObserverWordsStore, ObserverWordsContext } from '../../observerWords/index.ts';
import { createTimerStore, TimerContext } from '../../usage/index.ts';
import { aTimer } from '../../usage/usage.testing.ts';
import { VideoContext } from '../../video/index.ts';
import { outside } from '../../video/store/videoStore.fixture.ts';
import { createVideoStore } from '../../video/store/videoStore.ts';
import { createRoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { ClientRoom } from './ClientRoom.tsx';

export const HANNA = 21;
export const JONAS = 22;
export const ANNA = 7;
export const client: Client = {
  id: HANNA,
  name: 'Hanna',
  therapist: { id: ANNA, joinLink: 'anna', firstName: 'Anna' },
  selected: false,
  active: true,
  participants: [1, 2],
  activeParticipant: 1,
  joinedOn: '2026-11-21T10:00:00Z',
};
/** Somebody in the room with the roles of these figures; the first is the active one. */
export const person = (id: number, name: string, roles: number[]): Person => ({
  id,
  name,
  connected: true,
  selected: false,
  active: true,
  roles,
  activeRole: roles[0] ?? null,
  handRaisedOn: null,
  joinedOn: '2026-11-21T10:00:00Z',
});

const GROUND = { color: null, url: null };

const closing: (() => void)[] = [];
/** Closes everything that the rooms of a test have opened. */
export function leaveAll(): void {
  for (const close of closing.splice(0)) close();
}

/**
 * Shows the room of Hanna, who has the roles of two figures; Jonas is there too. Returns its connection, and a function
 * that switches to a phone and back.
 */
export function enter({ phone, onLeave = async () => undefined }: { phone: boolean; onLeave?: () => Promise<void> }) {
  const screenIs = { phone };
  const matches = (query: string) => query === PHONE_SCREEN && screenIs.phone;
  const listeners = new Map<(event: { matches: boolean }) => void, string>();
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        get matches() {
          return matches(query);
        },
        addEventListener: (_: string, listener: () => void) => listeners.set(listener, query),
        removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
      }) as unknown as MediaQueryList,
  );
  const connection = fakeConnection();
  const room = createRoomStore({ connection, me: { id: HANNA, as: 'CLIENT' } });
  const messages = createMessagesStore({ connection, me: HANNA });
  const words = createObserverWordsStore({ connection });
  const timer = createTimerStore({ connection, therapistId: ANNA, ask: async () => aTimer(60) });
  const world = outside();
  const video = createVideoStore({ me: { id: HANNA, as: 'client' }, ...world });
  closing.push(...[room, messages, words, timer, video].map((store) => () => store.close()));
  const stamps = { usersUpdatedOn: 1, participantsUpdatedOn: 1 };
  connection.say({
    eventType: 'PLAYERS_VALUE',
    contents: {
      revision: 1,
      figures: [
        // Looks at the others.
        aFigure(1, { name: 'Grandmother Zora', rotation: 90 }),
        aFigure(2, { name: 'Uncle Bela', x: 700 }),
        aFigure(3, { name: 'Cousin Ilka', x: 1200 }),
      ],
      handsAllowed: true,
    },
    ...stamps,
  } as never);
  connection.say({
    eventType: 'UNREGISTER_USER',
    contents: { people: [person(HANNA, 'Hanna', [1, 2]), person(JONAS, 'Jonas', [])], therapistHere: true },
    ...stamps,
  });
  render(
    <MantineProvider theme={theme} env="test">
      <RoomProvider store={room}>
        <VideoContext value={video}>
          <MessagesContext value={messages}>
            <ObserverWordsContext value={words}>
              <TimerContext value={timer}>
                <ClientRoom
                  client={client}
                  nameTaken={false}
                  icons={{ list: async () => [], image: vi.fn(), save: vi.fn(), remove: vi.fn() }}
                  scheme="light"
                  ground={{ get: () => GROUND, subscribe: () => () => undefined } as never}
                  onHand={async () => undefined}
                  onLeave={onLeave}
                  onIdle={() => undefined}
                />
              </TimerContext>
            </ObserverWordsContext>
          </MessagesContext>
        </VideoContext>
      </RoomProvider>
    </MantineProvider>,
  );
  return {
    connection,
    world,
    video,
    become(next: boolean) {
      screenIs.phone = next;
      act(() => {
        for (const [listener, query] of listeners) listener({ matches: matches(query) });
      });
    },
  };
}
