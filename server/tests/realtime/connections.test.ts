/** Connections to the room over real sockets: how many there may be, and what one of them can block. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FIELD_SEND } from '@fieldroom/contract/field';
import type { Change } from '@fieldroom/contract/realtime';
import { ownDestination, SEND, SOCKET_PATHS } from '@fieldroom/contract/realtime';
import { STOMP_LIMITS } from '../../src/platform/realtime/stomp-broker.ts';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { aClient, inRoom } from '../../src/builders/clients.builders.ts';
import { holdLock } from '../support/locks.ts';
import { testApp, type TestApp } from '../support/test-app.ts';
import {
  openClientScreen,
  openScreen,
  openTherapistScreen,
  type Refused,
  type Screen,
} from '../support/people/screen.ts';

let t: TestApp;
beforeAll(async () => {
  // Sockets that say nothing stay as long as the tests take.
  t = await testApp({ env: { TRUST_PROXY: 'loopback' }, stompLimits: { connectMs: 600_000 } });
});
afterAll(() => t.close());

/** A socket that opens and says nothing. */
async function silent(from?: string): Promise<WebSocket> {
  const headers = from === undefined ? {} : { 'x-forwarded-for': from };
  const socket = new WebSocket(t.url.replace(/^http/, 'ws') + SOCKET_PATHS[0], { headers });
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.once('open', () => resolve()));
  return socket;
}

async function addFigure(screen: Screen): Promise<number> {
  const actId = crypto.randomUUID();
  await screen.send(FIELD_SEND.act, {
    actId,
    act: { kind: 'add', figure: { iconType: 'STAR', x: 5, y: 5, movableBy: 'everyone' } },
  });
  const { contents } = await screen.next('PLAYER_CHANGE', (change) => change.contents.actId === actId);
  const [op] = contents.ops;
  if (op?.op !== 'put') throw new Error('no figure came');
  return op.figure.id;
}

/** Locks the row of a room, as a slow database does, until it is released. */
const holdRoom = (therapistId: number) => holdLock(t.db, (tx) => t.app.room.lock(tx, therapistId));

describe('while an act waits for the database', () => {
  test('its sender’s drags and pointer go on, and the drop comes after the drags before it', async () => {
    const therapist = await aTherapist(t.db);
    const [mover, watcher] = [await inRoom(t.app, therapist), await inRoom(t.app, therapist)];
    const screen = await openTherapistScreen(t.url, therapist);
    const [hand, eye] = [await openClientScreen(t.url, mover), await openClientScreen(t.url, watcher)];
    const [first, second] = [await addFigure(screen), await addFigure(screen)];
    // The room is read for the moves in it once; only then does the database hang.
    await vi.waitFor(
      () => {
        hand.say(FIELD_SEND.drag, { figureId: first, x: 10, y: 10 });
        expect(eye.of('PLAYER_DRAG')).not.toEqual([]);
      },
      { timeout: 30_000 },
    );
    const lock = await holdRoom(therapist.id);
    const actId = crypto.randomUUID();
    hand.say(FIELD_SEND.drag, { figureId: first, x: 20, y: 20 });
    hand.say(FIELD_SEND.act, { actId, act: { kind: 'place', figureId: first, x: 30, y: 30 } });
    await lock.waited(1);
    hand.say(FIELD_SEND.drag, { figureId: second, x: 700, y: 10 });
    hand.say(FIELD_SEND.point, { x: 55, y: 55 });
    hand.say(SEND.checkConnection, {});
    const dragged = (figureId: number, x: number) => (change: Extract<Change, { eventType: 'PLAYER_DRAG' }>) =>
      change.contents.drags.some((drag) => drag.figureId === figureId && drag.x === x);
    await eye.next('PLAYER_DRAG', dragged(first, 20));
    await eye.next('PLAYER_DRAG', dragged(second, 700));
    await eye.next('POINTER', ({ contents }) => contents.pointers.some((pointer) => pointer.by === mover.id));
    await hand.next('ALIVE');
    expect(eye.of('PLAYER_CHANGE').filter(({ contents }) => contents.actId === actId)).toEqual([]);
    await lock.release();
    await eye.next('PLAYER_CHANGE', ({ contents }) => contents.actId === actId);
    await hand.send(FIELD_SEND.drag, { figureId: second, x: 701, y: 10 });
    await eye.next('PLAYER_DRAG', dragged(second, 701));
    // Nothing from the hand that let go comes after the drop.
    const dropped = eye.heard.findIndex(
      ({ change }) => change.eventType === 'PLAYER_CHANGE' && change.contents.actId === actId,
    );
    const after = eye.heard
      .slice(dropped)
      .flatMap(({ change }) => (change.eventType === 'PLAYER_DRAG' ? change.contents.drags : []));
    expect(after.filter((drag) => drag.figureId === first)).toEqual([]);
    for (const page of [hand, eye, screen]) await page.leave();
  });

  test('a move that is still looked up when its person goes is never drawn', async () => {
    const therapist = await aTherapist(t.db);
    const client = await inRoom(t.app, therapist);
    const screen = await openTherapistScreen(t.url, therapist);
    const figureId = await addFigure(screen);
    await vi.waitFor(
      async () => {
        await screen.send(FIELD_SEND.drag, { figureId, x: 3, y: 3 });
        expect(screen.of('PLAYER_DRAG')).not.toEqual([]);
      },
      { timeout: 30_000 },
    );
    await screen.send(FIELD_SEND.drag, { figureId, x: 3, y: 3, end: true });
    const looked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const { seatOf } = t.app.clients;
    vi.spyOn(t.app.clients, 'seatOf').mockImplementationOnce(async (id) => {
      looked.resolve();
      const seat = await seatOf(id);
      await answer.promise;
      return seat;
    });
    // In its own channel only: nobody has looked yet whether it is in the room.
    const page = await openScreen(t.url, client.token);
    await page.subscribe(ownDestination(client.id));
    page.say(FIELD_SEND.point, { x: 1, y: 1 });
    page.say(FIELD_SEND.drag, { figureId, x: 1, y: 1 });
    await looked.promise;
    await page.cut();
    await vi.waitFor(() => expect(t.app.realtime.broker.connectionsOf(({ id }) => id === client.id)).toEqual([]), {
      timeout: 30_000,
    });
    answer.resolve();
    // The room is read for its moves; once the therapist's is drawn, an older one would have been, too.
    await vi.waitFor(
      async () => {
        await screen.send(FIELD_SEND.point, { x: 2, y: 2 });
        expect(screen.of('POINTER')).not.toEqual([]);
      },
      { timeout: 30_000 },
    );
    expect(JSON.stringify([screen.of('PLAYER_DRAG'), screen.of('POINTER')])).not.toMatch(
      new RegExp(`"by":${client.id}\\b`),
    );
    await screen.leave();
  });
});

describe('how many', () => {
  test('a flood of silent sockets from one address keeps nobody out, not even from the same address', async () => {
    const therapist = await aTherapist(t.db);
    const client = await inRoom(t.app, therapist);
    const flood = [];
    for (let n = 0; n < STOMP_LIMITS.strangersOfAddress + 50; n++) flood.push(await silent());
    const elsewhere = await silent('192.0.2.1');
    const screen = await openTherapistScreen(t.url, therapist);
    const page = await openClientScreen(t.url, client);
    for (let n = 0; n < 50; n++) flood.push(await silent());
    await addFigure(screen);
    await page.next('PLAYER_CHANGE');
    expect(t.app.realtime.broker.stats().closedSilent).toBeGreaterThanOrEqual(100);
    expect(elsewhere.readyState).toBe(WebSocket.OPEN);
    for (const socket of [...flood, elsewhere]) socket.terminate();
    await page.leave();
    await screen.leave();
  });

  test('a person has a few windows: a further one closes the one that was silent longest', async () => {
    const therapist = await aTherapist(t.db);
    const [client, other] = [await inRoom(t.app, therapist), await inRoom(t.app, therapist)];
    const neighbour = await openClientScreen(t.url, other);
    const windows: Screen[] = [];
    for (let n = 0; n < STOMP_LIMITS.connectionsOfPerson; n++) windows.push(await openClientScreen(t.url, client));
    const further = await openClientScreen(t.url, client);
    expect(await windows[0]!.closed).toBe('too_many_connections');
    for (const page of [...windows.slice(1), further, neighbour]) {
      expect(page.isOpen()).toBe(true);
      await page.leave();
    }
  });

  test('somebody who waits costs the database little, however much it sends and however often it comes', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    const waiting = await aClient(t.app, therapist);
    const pages: Screen[] = [];
    for (let n = 0; n < 4; n++) pages.push(await openClientScreen(t.url, waiting, { room: false }));
    const seatOf = vi.spyOn(t.app.clients, 'seatOf');
    const connected = vi.spyOn(t.app.clients, 'connected');
    const from = performance.now();
    for (let n = 0; n < 100; n++) {
      for (const page of pages) {
        page.say(FIELD_SEND.point, { x: 1, y: 1 });
        page.say(SEND.checkUpdate, {
          userId: waiting.id,
          userType: 'CLIENT',
          usersUpdatedOn: 0,
          participantsUpdatedOn: 0,
        });
      }
    }
    for (const page of pages) {
      await page.next('PROBLEM', ({ contents }) => contents.problem.code === 'too_many_requests');
      await page.send(SEND.addUser, { userId: waiting.id, type: 'JOIN' });
    }
    const refused: unknown[] = [];
    // What a slow machine gives back in the meantime is used up again.
    for (let n = 0; n < 30 || (n < 500 && !refused.includes('too_many_requests')); n++) {
      refused.push(
        await openScreen(t.url, waiting.token).then(
          (page) => page.leave(),
          (error: unknown) => (error as Refused).code,
        ),
      );
    }
    const seconds = (performance.now() - from) / 1_000;
    expect(refused).toContain('too_many_requests');
    expect(seatOf.mock.calls.length + connected.mock.calls.length).toBeLessThanOrEqual(60 + 10 * Math.ceil(seconds));
    // In the meantime the room goes on.
    await addFigure(screen);
    for (const page of pages) await page.leave();
    await screen.leave();
  });
});
