/**
 * What can happen to the connections of a room's people: cut all at once, half open, far too slow, and a client whose
 * frames come twice, in another order and in crumbs. Nothing here assumes how long anything takes.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { FIELD_SEND, type Figure } from '@fieldroom/contract/field';
import { type Change, SOCKET_PATHS } from '@fieldroom/contract/realtime';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { type BuiltClient, inRoom } from '../../src/builders/clients.builders.ts';
import { fieldOf } from '../../src/builders/field.builders.ts';
import { type ChaosProxy, chaosProxy } from '../support/programs/chaos-proxy.ts';
import { holdLock } from '../support/locks.ts';
import { act, change, fieldOn } from '../support/people/node-room.ts';
import { countActs } from '../support/people/practice.ts';
import { openClientScreen, openTherapistScreen, rejoinTherapistScreen, type Screen } from '../support/people/screen.ts';
import { seeded } from '../support/seeded.ts';
import { testApp, type TestApp, type TestAppOptions } from '../support/test-app.ts';

const WAIT = { timeout: 100_000, interval: 20 };

let t: TestApp;
/** Between some of the people and the server. */
let proxy: ChaosProxy;
afterEach(async () => {
  await proxy.close();
  await t.close();
});

/** A therapist, some clients, and a figure for each of them that everybody may move. */
async function aRoom(clients: number, options: TestAppOptions = {}) {
  t = await testApp(options);
  proxy = await chaosProxy(t.url);
  const therapist = await aTherapist(t.db);
  const figures = await fieldOf(
    t.db,
    therapist.id,
    Array.from({ length: clients + 1 }, (_, n) => ({ x: 100 * n, movableBy: 'everyone' as const })),
  );
  const people: BuiltClient[] = [];
  for (let n = 0; n < clients; n++) people.push(await inRoom(t.app, therapist));
  return { therapist, clients: people, figures };
}
const place = (screen: Screen, { id: figureId }: Figure, x: number, actId = randomUUID()) =>
  act(screen, { kind: 'place', figureId, x, y: 10 }, actId);
const isConnected = async ({ id, therapistId }: BuiltClient) =>
  (await t.app.clients.people(therapistId)).find((person) => person.id === id)?.connected;

async function untilAllShow(therapistId: number, screens: readonly Screen[]): Promise<void> {
  const value = await t.app.field.playersValue(therapistId);
  const { participantsUpdatedOn, contents } = value as Extract<Change, { eventType: 'PLAYERS_VALUE' }>;
  for (const screen of screens) {
    await vi.waitUntil(() => fieldOn(screen)?.revision === participantsUpdatedOn, WAIT);
    expect(fieldOn(screen)!.figures).toEqual(contents.figures);
  }
}

test('all connections cut at once, with acts under way: everybody comes back to their seat, and no act counts twice', async () => {
  const { therapist, clients, figures } = await aRoom(4);
  const open = async (openTherapist = rejoinTherapistScreen) => [
    await openTherapist(proxy.url, therapist),
    ...(await Promise.all(clients.map((client) => openClientScreen(proxy.url, client)))),
  ];
  const screens = await open(openTherapistScreen);
  const acts = screens.map(() => randomUUID());
  const lock = await holdLock(t.db, (tx) => t.app.room.lock(tx, therapist.id));
  for (const [n, screen] of screens.entries())
    screen.say(FIELD_SEND.act, { actId: acts[n], act: { kind: 'place', figureId: figures[n]!.id, x: 500 + n, y: 10 } });
  await lock.waited(1);
  expect(proxy.cut(new RegExp(`^GET ${SOCKET_PATHS[0]}[ ?]`))).toBe(screens.length);
  expect(await Promise.all(screens.map((screen) => screen.closed))).toEqual(screens.map(() => null));
  await lock.release();
  await vi.waitUntil(() => t.app.realtime.broker.stats().connections === 0, WAIT);

  const back = await open();
  for (const [n, screen] of back.entries()) {
    // Whether it was stored nobody knows; so it is sent once more.
    await place(screen, figures[n]!, 500 + n, acts[n]!);
    await change(screen, acts[n]!);
  }
  await untilAllShow(therapist.id, back);
  expect(fieldOn(back[0]!)!.revision).toBe(screens.length);
  expect(await countActs(t.db, therapist.id)).toBe(screens.length);
  for (const client of clients) expect(await isConnected(client)).toBe(true);
});

test('a connection that is half open: the room goes on and sees its person away, who is back by another one', async () => {
  const { therapist, clients, figures } = await aRoom(2, { stompLimits: { deadAfterMs: 3_000 } });
  const [gone, there] = [clients[0]!, clients[1]!];
  const screen = await openTherapistScreen(t.url, therapist);
  const page = await openClientScreen(t.url, there);
  const lost = await openClientScreen(proxy.url, gone);
  await vi.waitUntil(() => isConnected(gone), WAIT);
  proxy.hang();
  const heard = screen.heard.length;
  const seen = (connected: boolean, after: number) =>
    screen.next(
      'UNREGISTER_USER',
      ({ contents: { people } }) => people.some((person) => person.id === gone.id && person.connected === connected),
      after,
    );
  // At once, and after the server has given it up.
  await change(page, await place(screen, figures[0]!, 300));
  await seen(false, heard);
  await change(page, await place(screen, figures[0]!, 301));
  const after = screen.heard.length;
  const back = await openClientScreen(t.url, gone);
  await seen(true, after);
  proxy.resume();
  await lost.closed;
  await vi.waitUntil(() => proxy.connections() === 0, WAIT);
  await change(back, await place(screen, figures[0]!, 302));
  expect(await isConnected(gone)).toBe(true);
  expect([page.isOpen(), back.isOpen()]).toEqual([true, true]);
});

test('people on lines of 20 bytes a second hold up nobody, and end with the field of the others', async () => {
  const { therapist, clients, figures } = await aRoom(4, { stompLimits: { deadAfterMs: 3_600_000 } });
  const screen = await openTherapistScreen(t.url, therapist);
  const page = await openClientScreen(t.url, clients[0]!);
  const slow = await Promise.all(clients.slice(1).map((client) => openClientScreen(proxy.url, client)));
  proxy.limit(20, 'down');
  let last = '';
  // Somewhat below the rate that a connection may have; far more than the slow ones read in the time of a test.
  for (let x = 1; x <= 100; x++) {
    last = await place(screen, figures[0]!, x);
    screen.say(FIELD_SEND.point, { x, y: x });
  }
  await change(page, last);
  for (const one of slow) expect(one.of('PLAYER_CHANGE').filter(({ contents }) => contents.actId === last)).toEqual([]);
  proxy.resume();
  await untilAllShow(therapist.id, [screen, page, ...slow]);
  // Each change in its order, without a snapshot in between.
  const revisions = Array.from({ length: 100 }, (_, n) => n + 1);
  for (const one of slow) expect(one.of('PLAYER_CHANGE').map(({ contents }) => contents.revision)).toEqual(revisions);
  expect(slow.map((one) => one.isOpen())).toEqual(slow.map(() => true));
});

test.each([1, 2])(
  'a client whose frames come twice, shuffled, late and in crumbs (%i): each act counts once, and the others see one field',
  async (seed) => {
    const { therapist, clients, figures } = await aRoom(2);
    const [own, other] = [figures[1]!, figures[2]!];
    const screen = await openTherapistScreen(t.url, therapist);
    const page = await openClientScreen(t.url, clients[0]!);
    const odd = await openClientScreen(proxy.url, clients[1]!);
    const random = seeded(seed);
    const frames = Array.from({ length: 25 }, (_, n) => [
      { to: FIELD_SEND.act, body: { actId: randomUUID(), act: { kind: 'place', figureId: own.id, x: n + 1, y: 20 } } },
      { to: FIELD_SEND.drag, body: { figureId: n % 2 === 0 ? own.id : other.id, x: n, y: 30 } },
      { to: FIELD_SEND.drag, body: { figureId: own.id, x: n, y: 40, end: true } },
      { to: FIELD_SEND.point, body: { x: n, y: n } },
    ]).flat();
    const shuffled = [...frames, ...frames]
      .map((frame) => ({ frame, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ frame }) => frame);
    proxy.delay(30, 'up');
    proxy.limit(40_000, 'up');
    for (const { to, body } of shuffled) odd.say(to, body);
    // Others act at the same time.
    for (let x = 1; x <= 10; x++) await change(page, await place(screen, figures[0]!, x));
    // What was sent before has been handled when this is.
    await change(odd, await place(odd, own, 700));
    await untilAllShow(therapist.id, [screen, page, odd]);
    expect(await countActs(t.db, therapist.id)).toBe(fieldOn(screen)!.revision);
    expect(fieldOn(screen)!.figures.find(({ id }) => id === own.id)).toMatchObject({ x: 700, y: 10 });
    expect([page.isOpen(), odd.isOpen()]).toEqual([true, true]);
    expect(screen.of('PROBLEM')).toEqual([]);
  },
);
