/** The dialog as the therapist uses it, with an imagined server and a real store of the room. */
import type { Constellation } from '@fieldroom/contract/constellations';
import { FIELD_SEND, type Figure } from '@fieldroom/contract/field';
import { problemBody } from '@fieldroom/contract/problems';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../platform/i18n/app.ts';
import { queryClient } from '../../platform/fetching/queryClient.ts';
import { fakeConnection, type FakeConnection } from '../../platform/realtime/connection.fixture.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { theme } from '../../ui/theme/theme.ts';
import { therapist } from '../events/eventPages.testing.tsx';
import { aFigure } from '../field/figures.testing.ts';
import { createRoomStore } from '../room/store/roomStore.ts';
import { RoomProvider } from '../room/store/useRoom.ts';
import { ConstellationsDialog } from './ConstellationsDialog.tsx';

const aConstellation = (change: Partial<Constellation> = {}): Constellation => ({
  id: 1,
  name: 'Family',
  savedOn: '2026-11-25T09:00:00Z',
  figures: 2,
  standIns: 0,
  ...change,
});
const kept = ({ name, iconType, iconId, color, showText, x, y, rotation, scale, order, movableBy }: Figure) => ({
  ...{ name, iconType, iconId, color, showText, x, y, rotation, scale, order, movableBy, relations: [] },
});

let connection: FakeConnection;
let server: { list: Constellation[]; asked: [string, string, unknown][]; fail: Record<string, string> };
const onClose = vi.fn();
const onLoaded = vi.fn();
let news: () => void;
/** Reports every watched element as visible. */
let scroll: () => void;

beforeAll(() => startWords(['constellations', 'field']));
beforeEach(() => {
  keepSignIn(storage, { token: 't', user: therapist });
  server = { list: [], asked: [], fail: {} };
  scroll = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(listener: (entries: { isIntersecting: boolean }[]) => void) {
        scroll = () => listener([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit) => {
    const path = address.replace('/api/me/constellations', '');
    const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    server.asked.push([method, path, sent]);
    const code = server.fail[`${method} ${path}`];
    if (code)
      return Response.json(problemBody(code as 'not_found'), { status: problemBody(code as 'not_found').status });
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (method === 'POST' && path === '') {
      const { name } = sent as { name: string };
      return Response.json(aConstellation({ id: 9, name: name.trim() }));
    }
    if (method === 'POST') return Response.json(aConstellation({ id: 1, name: (sent as { name: string }).name }));
    return Response.json(
      path === '' ? server.list : [kept(aFigure(1, { name: 'Mother' })), kept(aFigure(2, { name: 'Me' }))],
    );
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  onClose.mockReset();
  onLoaded.mockReset();
  vi.unstubAllGlobals();
});

/** Opens the dialog over a field at revision 5. */
async function open({ list = [], standing = [aFigure(1)] }: { list?: Constellation[]; standing?: Figure[] } = {}) {
  server.list = list;
  connection = fakeConnection();
  const store = createRoomStore({ connection, me: { id: 7, as: 'THERAPIST' } });
  connection.say({
    eventType: 'PLAYERS_VALUE',
    contents: { figures: standing, handsAllowed: true },
    participantsUpdatedOn: 5,
    usersUpdatedOn: 1,
  });
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <RoomProvider store={store}>
        <ConstellationsDialog
          opened
          ground={null}
          onClose={onClose}
          onLoaded={onLoaded}
          onNews={(listener) => {
            news = listener;
            return () => {};
          }}
        />
      </RoomProvider>
    </MantineProvider>,
  );
  await screen.findByRole('heading', { name: 'Your constellations' });
  return { store, user: userEvent.setup() };
}
const card = (name: string) => screen.findByRole('listitem', { name });
const press = async (user: ReturnType<typeof userEvent.setup>, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));
const acts = () => connection.sent.flatMap(({ destination, body }) => (destination === FIELD_SEND.act ? [body] : []));
const answerTo = (sent: unknown, problem?: 'list_outdated') => {
  const { actId } = sent as { actId: string };
  act(() =>
    connection.say(
      problem
        ? { eventType: 'PROBLEM', contents: { actId, figureId: null, problem: problemBody(problem) } }
        : {
            eventType: 'PLAYER_CHANGE',
            contents: { revision: 6, actId, by: 7, ops: [{ op: 'remove', figureId: 1 }] },
            participantsUpdatedOn: 6,
            usersUpdatedOn: 1,
          },
    ),
  );
};

test('5.17 without constellations it explains what they are for', async () => {
  await open();
  expect(await screen.findByText('No constellations yet')).toBeTruthy();
  expect(screen.getByText(/a choice between two ways/)).toBeTruthy();
});

test('5.17 an empty field cannot be saved, and says so', async () => {
  const { user } = await open({ standing: [] });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save the field' }).disabled).toBe(true);
  expect(screen.getByText(/no figures on the field that could be saved/)).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Nothing{Enter}');
  expect(server.asked.filter(([method]) => method === 'POST')).toEqual([]);
});

test('5.18 a missing name is reported; a taken one is replaced only after a second press', async () => {
  const { user } = await open({ list: [aConstellation({ id: 9 })] });
  await press(user, 'Save the field');
  expect(await screen.findByText('Name required')).toBeTruthy();
  server.fail['POST '] = 'constellation_name_taken';
  const name = screen.getByRole('textbox', { name: 'Name' });
  await user.type(name, 'family{Enter}');
  expect(await screen.findByText('You already have a constellation with this name.')).toBeTruthy();
  // Another name withdraws the question.
  await user.type(name, ' x');
  expect(screen.queryByRole('button', { name: 'Replace it with this field' })).toBeNull();
  await user.type(name, '{Backspace}{Backspace}{Enter}');
  server.fail = {};
  await press(user, 'Replace it with this field');
  expect(await screen.findByText('“family” has been saved.')).toBeTruthy();
  expect(server.asked.filter(([method]) => method === 'POST').map(([, , body]) => body)).toEqual([
    { name: 'family', replace: false },
    { name: 'family', replace: false },
    { name: 'family', replace: true },
  ]);
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

test('5.19 over figures it asks first; the act carries the revision that this browser knows, and is reported once stored', async () => {
  const { user, store } = await open({ list: [aConstellation({ standIns: 2 })], standing: [aFigure(1), aFigure(2)] });
  expect(within(await card('Family')).getByText(/The icons of 2 figures no longer exist/)).toBeTruthy();
  await press(user, 'Load Family');
  expect(screen.getByText(/The 2 figures on the field are taken off/)).toBeTruthy();
  // The focus is on the answer that loses nothing, and returns to the pressed button.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep the field' }));
  await press(user, 'Keep the field');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Load Family' }));
  expect(acts()).toEqual([]);

  await press(user, 'Load Family');
  await press(user, 'Yes, load');
  expect(acts()).toMatchObject([{ act: { kind: 'load', constellationId: 1, standing: 5 } }]);
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(onLoaded).not.toHaveBeenCalled();
  answerTo(acts()[0]);
  await waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1));
  expect(onLoaded.mock.lastCall).toEqual([
    '“Family” is on the field. The icons of 2 figures no longer exist. Stars stand in for them.',
  ]);
  store.undo();
  expect(acts().at(-1)).toMatchObject({ act: { kind: 'undo', actId: (acts()[0] as { actId: string }).actId } });
});

test('5.19 on an empty field it does not ask; a refusal is not reported as done', async () => {
  const { user, store } = await open({ list: [aConstellation()], standing: [] });
  await press(user, 'Load Family');
  expect(acts()).toHaveLength(1);
  answerTo(acts()[0], 'list_outdated');
  await waitFor(() => expect(store.get().pending).toEqual([]));
  await Promise.resolve();
  expect(onLoaded).not.toHaveBeenCalled();
  expect(store.get().undo).toEqual([]);
});

test('5.19 while an act of this browser awaits its answer, nothing can be loaded or saved', async () => {
  const { user, store } = await open({ list: [aConstellation()] });
  await card('Family');
  act(() => void store.act({ kind: 'reset' }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Load Family' }).disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save the field' }).disabled).toBe(true);
  answerTo(acts()[0]);
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Load Family' }).disabled).toBe(false),
  );
  await user.click(screen.getByRole('button', { name: 'Load Family' }));
});

test('5.18 renaming: Escape keeps the name, a fault is shown at it, and a deletion in another tab is reported', async () => {
  const { user } = await open({ list: [aConstellation(), aConstellation({ id: 2, name: 'Team' })] });
  await press(user, 'Rename Family');
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'New name' });
  expect(document.activeElement).toBe(name);
  await user.clear(name);
  await user.type(name, '{Enter}');
  expect(screen.getByText('Name required')).toBeTruthy();
  await user.type(name, '{Escape}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename Family' }));
  expect(onClose).not.toHaveBeenCalled();

  await press(user, 'Rename Family');
  await user.type(screen.getByRole('textbox', { name: 'New name' }), ' of old{Enter}');
  expect(await card('Family of old')).toBeTruthy();

  server.fail['POST /2/rename'] = 'not_found';
  await press(user, 'Rename Team');
  await user.type(screen.getByRole('textbox', { name: 'New name' }), '!{Enter}');
  expect(await screen.findByText('This constellation no longer exists.')).toBeTruthy();
});

test('5.18 deleting asks next to the button; changes from another screen fetch the list again', async () => {
  const { user } = await open({ list: [aConstellation(), aConstellation({ id: 2, name: 'Team' })] });
  await press(user, 'Delete Family');
  expect(screen.getByText(/It can’t be brought back/)).toBeTruthy();
  await press(user, 'Yes, delete');
  expect(await screen.findByText('“Family” has been deleted.')).toBeTruthy();
  expect(screen.queryByRole('listitem', { name: 'Family' })).toBeNull();
  expect(server.asked.filter(([method]) => method === 'DELETE').map(([, path]) => path)).toEqual(['/1']);

  server.list = [aConstellation({ id: 3, name: 'From the tablet' })];
  act(() => news());
  expect(await card('From the tablet')).toBeTruthy();
});

test('5.17 a failed list says so, and can be loaded again', async () => {
  server.fail['GET '] = 'unavailable';
  const { user } = await open({ list: [aConstellation()] });
  expect(await screen.findByText(/We couldn’t fetch your constellations/)).toBeTruthy();
  server.fail = {};
  await press(user, 'Try again');
  const found = await card('Family');
  // Its figures are fetched once it is visible.
  expect(server.asked.some(([, path]) => path === '/1')).toBe(false);
  act(() => scroll());
  await waitFor(() => expect(within(found).getByText('Mother, Me')).toBeTruthy());
  expect(within(found).getByRole('img', { name: 'Picture of Family' })).toBeTruthy();
});

test('a constellation saved while the first list loads is in the list', async () => {
  let answerFirst = () => {};
  const { fetch } = globalThis;
  let first = true;
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (!first || init.method === 'POST') return fetch(address, init);
    first = false;
    return new Promise((resolve) => (answerFirst = () => resolve(Response.json([]))));
  });
  const { user } = await open({ list: [aConstellation({ id: 9, name: 'Team' })] });
  await user.type(screen.getByLabelText('Name'), 'Team');
  await user.click(screen.getByRole('button', { name: 'Save the field' }));
  await screen.findByRole('listitem', { name: 'Team' });
  await act(async () => answerFirst());
  expect(screen.getByRole('listitem', { name: 'Team' })).toBeTruthy();
});
