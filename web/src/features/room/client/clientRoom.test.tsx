/** A client's room when roles come and go. Numbers: docs/product.md. */
import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { enter, HANNA, leaveAll, person } from './clientRoom.fixture.tsx';

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['room', 'field', 'video', 'messages', 'usage']);
});
beforeEach(() => {
  stamp = 1;
  vi.stubGlobal('fetch', async () => Response.json({ code: 'not_found', status: 404 }, { status: 404 }));
});
afterEach(() => {
  cleanup();
  leaveAll();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

let stamp = 1;
/** Hanna, the client of these tests, has the roles of these figures from now on. */
function standsFor(connection: ReturnType<typeof enter>['connection'], ...roles: number[]) {
  stamp += 1;
  act(() =>
    connection.say({
      eventType: 'UNREGISTER_USER',
      contents: { people: [person(HANNA, 'Hanna', roles)], therapistHere: true },
      usersUpdatedOn: stamp,
      participantsUpdatedOn: 1,
    }),
  );
}

test('5.36 losing the role closes the gaze; another role changes neither focus nor view', async () => {
  const { connection } = enter({ phone: false });
  const look = await screen.findByRole('button', { name: 'Look from here' });
  await userEvent.click(look);
  const panel = await screen.findByRole('region', { name: /Zora/ });
  expect(document.activeElement).toBe(panel);
  const messages = screen.getByRole('button', { name: /^Messages/ });
  messages.focus();
  // The look follows the active role and leaves the focus where it is.
  standsFor(connection, 2);
  await screen.findByRole('region', { name: /Bela/ });
  expect(document.activeElement).toBe(messages);
  standsFor(connection);
  expect(screen.queryByRole('region', { name: /Bela/ })).toBeNull();
  standsFor(connection, 1);
  expect(look.getAttribute('aria-pressed')).toBe('false');
  expect(screen.queryByRole('region', { name: /Zora/ })).toBeNull();
  expect(document.activeElement).toBe(messages);
});

/** The announcement; the zoom has a separate status. */
const news = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .filter((text) => !/^(\d+%)?$/.test(text));

test('changes of roles are announced to a client, and nothing is announced when the room opens', async () => {
  const { connection } = enter({ phone: false });
  await screen.findByText('You stand for');
  expect(news()).toEqual([]);
  standsFor(connection, 1, 2, 3);
  expect(news()).toEqual(['You also stand for Cousin Ilka.']);
  standsFor(connection, 1, 2);
  expect(news()).toEqual(['You no longer stand for Cousin Ilka.']);
  standsFor(connection, 2);
  expect(news()).toEqual(['You now stand for Uncle Bela.']);
  standsFor(connection);
  expect(news()).toEqual(['You no longer stand for Uncle Bela.']);
});

test('5.5 a client is told when moving figures is paused, and when it is allowed again', async () => {
  const { connection } = enter({ phone: false });
  await screen.findByText('You stand for');
  let revision = 1;
  const hands = (after: boolean) => {
    revision += 1;
    act(() =>
      connection.say({
        eventType: 'PLAYER_CHANGE',
        contents: { revision, actId: null, by: 7, ops: [{ op: 'hands', allowed: after }] },
        usersUpdatedOn: stamp,
        participantsUpdatedOn: revision,
      }),
    );
  };
  hands(false);
  expect(news()).toEqual(['Anna has paused moving figures.']);
  hands(true);
  expect(news()).toEqual(['Anna has allowed moving figures again.']);
});
