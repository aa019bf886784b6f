/**
 * A page of one version on a server of another, as while nodes are updated one after the other (docs/product.md#2.14).
 * The page is the web's own connection and store, on a real socket to the real server; the other version's messages are
 * inserted between them.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { admit } from '@fieldroom/contract/clients';
import type { FieldAct, Figure } from '@fieldroom/contract/field';
import type { Change } from '@fieldroom/contract/realtime';
import { aTherapist } from '../server/src/builders/accounts.builders.ts';
import { inRoom } from '../server/src/builders/clients.builders.ts';
import { fieldOf } from '../server/src/builders/field.builders.ts';
import { testApp, type TestApp } from '../server/tests/support/test-app.ts';
import { type Connection, createConnection } from '../web/src/platform/realtime/index.ts';
import { createRoomStore, type RoomStore } from '../web/src/features/room/store/roomStore.ts';

const WAIT = { timeout: 100_000, interval: 20 };

let t: TestApp;
let pages: Page[] = [];
beforeAll(async () => {
  // The connection reads from the page whether it is online and visible.
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  Object.assign(globalThis, { window: page, document: page });
  t = await testApp();
});
afterEach(() => {
  for (const { store, connection } of pages) {
    store.close();
    connection.close();
  }
  pages = [];
});
afterAll(() => t.close());

interface Page {
  readonly store: RoomStore;
  readonly connection: Connection;
  /** Codes of refused acts. */
  readonly refused: string[];
}

/** Opens it and waits for the field. `heard` replaces each message that it receives. */
async function openPage(
  person: { id: number; token: string; therapistId: number },
  as: 'THERAPIST' | 'CLIENT',
  heard: (change: Change) => readonly object[] = (change) => [change],
): Promise<Page> {
  const connection = createConnection({
    token: person.token,
    personId: person.id,
    therapistId: person.therapistId,
    kind: as,
    location: { protocol: 'http:', host: new URL(t.url).host },
  });
  const listeners = new Set<(change: Change) => void>();
  connection.onChange((change) => {
    for (const told of heard(change)) for (const listener of listeners) listener(told as Change);
  });
  const store = createRoomStore({
    connection: {
      send: connection.send,
      state: connection.state,
      onState: connection.onState,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    me: { id: person.id, as },
  });
  const page: Page = { store, connection, refused: [] };
  store.onRefused(({ problem }) => void page.refused.push(problem.code));
  pages.push(page);
  await vi.waitUntil(() => store.get().field !== null && store.get().peopleKnown, WAIT);
  return page;
}

/** A room with a figure for the therapist and one for a client. */
async function aRoom() {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  const figures = await fieldOf(t.db, therapist.id, Array(2).fill({ movableBy: 'everyone' }));
  return { therapist: { ...therapist, therapistId: therapist.id }, client, figures };
}
const places = (figures: readonly Figure[]) => figures.map(({ id, name, x, y }) => ({ id, name, x, y }));

/** Asserts that everybody's acts are answered, and that each page shows the server's state. */
async function expectOneField(therapistId: number): Promise<void> {
  await vi.waitUntil(() => pages.every(({ store }) => store.get().pending.length === 0), WAIT);
  const { contents, participantsUpdatedOn } = (await t.app.field.playersValue(therapistId)) as Extract<
    Change,
    { eventType: 'PLAYERS_VALUE' }
  >;
  for (const { store, connection } of pages) {
    await vi.waitUntil(() => store.get().field?.revision === participantsUpdatedOn, WAIT);
    const { figures, handsAllowed } = store.get().field!;
    expect({ figures: places(figures), handsAllowed }).toEqual({
      figures: places(contents.figures),
      handsAllowed: contents.handsAllowed,
    });
    expect(connection.state()).toBe('open');
  }
}

/** What a server of a later version might send instead: more messages, changes, kinds and properties. */
function byLaterServer(change: Change): object[] {
  const later = (figure: Figure) => ({
    ...figure,
    tilt: 5,
    iconType: figure.iconType === 'STAR' ? 'SPIRAL' : figure.iconType,
  });
  const before: object[] = [{ eventType: 'WEATHER', contents: { wind: 3 } }];
  if ('usersUpdatedOn' in change) {
    const { usersUpdatedOn, participantsUpdatedOn } = change;
    before.push({ eventType: 'TIDE', contents: null, usersUpdatedOn, participantsUpdatedOn });
  }
  if (change.eventType === 'PLAYERS_VALUE') {
    const { contents } = change;
    return [...before, { ...change, contents: { ...contents, figures: contents.figures.map(later), ground: 'sand' } }];
  }
  if (change.eventType === 'PLAYER_CHANGE') {
    const ops = change.contents.ops.map((op) => (op.op === 'put' ? { ...op, figure: later(op.figure) } : op));
    return [...before, { ...change, contents: { ...change.contents, ops: [{ op: 'tilt', degrees: 5 }, ...ops] } }];
  }
  return [...before, { ...change, mood: 'calm' }];
}

test('an earlier page on a later server ignores what it does not know, and otherwise works', async () => {
  const { therapist, client, figures } = await aRoom();
  const own = await openPage(therapist, 'THERAPIST');
  const earlier = await openPage(client, 'CLIENT', byLaterServer);
  const [first, second] = figures as [Figure, Figure];
  own.store.act({ kind: 'add', figure: { iconType: 'STAR', x: 50, y: 50 } });
  own.store.act({ kind: 'edit', figureId: first.id, name: 'Mother' });
  earlier.store.act({ kind: 'place', figureId: second.id, x: 300, y: 100 });
  await expectOneField(therapist.id);
  own.store.act({ kind: 'hands', allowed: false });
  await expectOneField(therapist.id);
  own.store.act({ kind: 'hands', allowed: true });
  await expectOneField(therapist.id);
  earlier.store.act({ kind: 'place', figureId: second.id, x: 400, y: 100 });
  own.store.act({ kind: 'remove', figureId: first.id });
  await expectOneField(therapist.id);
  expect([own.refused, earlier.refused]).toEqual([[], []]);
});

test('a later page on an earlier server names what the server does not know, and otherwise works', async () => {
  const { therapist, client, figures } = await aRoom();
  await openPage(therapist, 'THERAPIST');
  const later = await openPage(client, 'CLIENT');
  const { id: figureId } = figures[1]!;
  later.store.act({ kind: 'tilt', figureId, degrees: 5 } as unknown as FieldAct);
  later.store.act({ kind: 'place', figureId, x: 300, tilt: 5 } as FieldAct);
  later.connection.send('/app/weather.ask', { place: 'here' });
  later.store.act({ kind: 'place', figureId, x: 400 });
  await expectOneField(therapist.id);
  await vi.waitUntil(() => later.refused.length === 3, WAIT);
  // All screens of the person get refused acts, and only the sender gets an unknown destination: in any order.
  expect(later.refused.toSorted()).toEqual(['destination_unknown', 'invalid_input', 'invalid_input']);
  expect(later.store.get().field!.figures.find(({ id }) => id === figureId)).toMatchObject({ x: 400 });

  const post = (at: string, body: object) =>
    t.fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${therapist.token}` },
      body: JSON.stringify(body),
    });
  const unknownCall = await post('/api/room/weather', {});
  expect([unknownCall.status, await unknownCall.json()]).toMatchObject([404, { code: 'not_found' }]);
  const unknownPart = await post(admit.path, { clientIds: 'all', gently: true });
  expect([unknownPart.status, await unknownPart.json()]).toMatchObject([
    400,
    { code: 'invalid_input', fields: [{ path: 'gently', code: 'unknown_property' }] },
  ]);
});
