/**
 * A newer version while the therapist is in the room.
 *
 * @alone It replaces what asks the server.
 */
import { act, cleanup, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import common from '../../../locales/en/common.json';
import room from '../../../locales/en/room.json';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createRoomStore } from '../store/roomStore.ts';
import { RoomProvider } from '../store/useRoom.ts';
import { ConnectionBar } from '../frame/ConnectionBar.tsx';
import { LazyOutdatedNotice } from './LazyOutdatedNotice.tsx';

const version = vi.hoisted(() => ({ outdated: false }));
vi.mock('../../../platform/newVersion.ts', () => ({ useOutdated: () => version.outdated }));

beforeAll(() => i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { room, common } } }));
afterEach(cleanup);

test.each([true, false])(
  '11.37 the room reports a newer version (%s), until the notice is closed',
  async (outdated) => {
    version.outdated = outdated;
    const store = createRoomStore({ me: { id: 7, as: 'THERAPIST' }, connection: fakeConnection() });
    render(
      <RoomProvider store={store}>
        <ConnectionBar therapistName="Anna" own>
          <LazyOutdatedNotice />
        </ConnectionBar>
      </RoomProvider>,
    );
    await act(() => vi.dynamicImportSettled());
    const status = screen.getByRole('status');
    expect(status.textContent).toBe(outdated ? room.outdated + common.close : '');
    if (outdated) act(() => screen.getByRole('button', { name: common.close }).click());
    expect(status.textContent).toBe('');
    store.close();
  },
);
