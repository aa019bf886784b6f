/**
 * Two nodes over one PostgreSQL and one Redis (docs/decisions/0024-several-nodes-over-postgresql-and-redis.md): people
 * of one room are on both, and calls come to either. Nothing here assumes how long anything takes.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { logout } from '@fieldroom/contract/accounts';
import * as calls from '@fieldroom/contract/clients';
import { FIELD_SEND, type Figure } from '@fieldroom/contract/field';
import { MESSAGES_SEND } from '@fieldroom/contract/messages';
import { type Change, SEND } from '@fieldroom/contract/realtime';
import { startTimer, stopTimer } from '@fieldroom/contract/usage';
import type { AppOptions } from '../../src/app.ts';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { aClient, inRoom } from '../../src/builders/clients.builders.ts';
import { aFigure } from '../../src/builders/field.builders.ts';
import type { RedisBus } from '../../src/platform/nodes/redis-bus.ts';
import { act, aNodeRoom, change, fieldOn } from '../support/people/node-room.ts';
import { METRICS_TOKEN, type TestNode, type TestNodes, testNodes, untilWhole } from '../support/nodes.ts';
import { hasRedis, type TestRedis, testRedis } from '../support/programs/redis.ts';
import { openClientScreen, openTherapistScreen, rejoinTherapistScreen } from '../support/people/screen.ts';

const WAIT = { timeout: 100_000, interval: 20 };
let redis: TestRedis;
let ground: TestNodes;
let one: TestNode;
let two: TestNode;

describe.skipIf(!hasRedis)('two nodes', () => {
  beforeAll(async () => {
    redis = await testRedis();
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    ground = await testNodes(redis.url);
    await startBoth();
  });
  afterEach(async () => {
    await redis.start();
    await ground.close();
  });

  async function startBoth(options: AppOptions = {}): Promise<void> {
    [one, two] = [await ground.start(options), await ground.start(options)];
    await untilWhole(one, two);
  }

  const aRoom = () => aNodeRoom(one, two);
  const figureNow = async ({ id }: Figure) => {
    const { rows } = await one.app.db.execute<{ x: number }>(sql`SELECT x FROM figures WHERE id = ${id}`);
    return rows[0]!.x;
  };

  test('an act on one is seen on the other, with the same revision, in both directions', async () => {
    const { screen, page, figure } = await aRoom();
    const first = await act(screen, { kind: 'place', figureId: figure.id, x: 200, y: 100 });
    const [here, there] = [await change(screen, first), await change(page, first)];
    expect(there).toEqual(here);
    const second = await act(screen, { kind: 'edit', figureId: figure.id, movableBy: 'everyone' });
    await change(page, second);
    const third = await act(page, { kind: 'place', figureId: figure.id, x: 300, y: 100 });
    expect((await change(screen, third)).contents.revision).toBe(here.contents.revision + 2);
    expect(await figureNow(figure)).toBe(300);
  });

  test('people on three nodes act at the same time: every act counts once, and all end with one field', async () => {
    const { therapist, client, screen, page, figure } = await aRoom();
    const three = await ground.start();
    const other = await inRoom(one.app, therapist);
    const otherPage = await openClientScreen(three.url, other);
    await change(page, await act(screen, { kind: 'edit', figureId: figure.id, movableBy: 'everyone' }));
    const people = [
      { screen, id: therapist.id, userType: 'THERAPIST' },
      { screen: page, id: client.id, userType: 'CLIENT' },
      { screen: otherPage, id: other.id, userType: 'CLIENT' },
    ];
    await Promise.all(
      people.flatMap((person, n) =>
        Array.from({ length: 12 }, (_, step) =>
          act(person.screen, { kind: 'place', figureId: figure.id, x: 100 * n + step + 1, y: step }),
        ),
      ),
    );
    const { participantsUpdatedOn, contents } = (await two.app.field.playersValue(therapist.id)) as Extract<
      Change,
      { eventType: 'PLAYERS_VALUE' }
    >;
    expect(participantsUpdatedOn).toBe(37);
    for (const person of people) {
      const stands = () => fieldOn(person.screen);
      // As a browser does when the stamps say that it lacks something.
      if ((stands()?.revision ?? -1) < participantsUpdatedOn)
        await person.screen.send(SEND.checkUpdate, {
          userId: person.id,
          userType: person.userType,
          usersUpdatedOn: 0,
          participantsUpdatedOn: Math.max(0, stands()?.revision ?? 0),
        });
      await vi.waitUntil(() => stands()?.revision === participantsUpdatedOn, WAIT);
      expect(stands()!.figures).toEqual(contents.figures);
    }
  });

  test('a hand on one node shows on the other, and keeps its figure from hands there', async () => {
    const { therapist, client, screen, page, figure } = await aRoom();
    const other = await inRoom(one.app, therapist);
    const otherPage = await openClientScreen(one.url, other);
    await act(screen, { kind: 'edit', figureId: figure.id, movableBy: 'everyone' });
    await page.next('PLAYER_CHANGE');
    // The hand moves on, as moves may be lost: until the other node's client sees it.
    const drag = (more: object = {}) => page.say(FIELD_SEND.drag, { figureId: figure.id, x: 111, y: 100, ...more });
    const move = setInterval(drag, 50);
    const isSeen = () => {
      const from = otherPage.heard.length;
      // A hand from which the figure was taken has it again once it has been open.
      drag({ end: true });
      return otherPage.next(
        'PLAYER_DRAG',
        ({ contents }) => contents.drags.some(({ by, end }) => by === client.id && end !== true),
        from,
      );
    };
    try {
      // A hand that rested while the machine was suspended keeps nothing; then once more.
      for (let problem: string | undefined; problem === undefined;) {
        await isSeen();
        const actId = await act(otherPage, { kind: 'place', figureId: figure.id, x: 500, y: 100 });
        const answer = await Promise.race([
          change(otherPage, actId),
          otherPage.next('PROBLEM', ({ contents }) => contents.actId === actId),
        ]);
        if (answer.eventType === 'PROBLEM') problem = answer.contents.problem.code;
        expect(problem ?? 'figure_held').toBe('figure_held');
      }
      // The therapist stops all hands: the figure stays where the hand on the other node has it.
      for (;;) {
        await isSeen();
        await change(screen, await act(screen, { kind: 'hands', allowed: false }));
        if ((await figureNow(figure)) === 111) break;
        await change(screen, await act(screen, { kind: 'hands', allowed: true }));
      }
    } finally {
      clearInterval(move);
    }
  });

  test('waiting, letting in, writing, sending out, and the end', async () => {
    const { therapist, screen, page, client } = await aRoom();
    const guest = await aClient(two.app, therapist);
    const waiting = await openClientScreen(two.url, guest, { room: false });
    await screen.next(
      'UNREGISTER_USER',
      ({ contents }) => contents.waiting?.some(({ id }) => id === guest.id) ?? false,
    );
    // A call comes to whatever node the proxy chose.
    await two.api(calls.admit, { body: { clientIds: [guest.id] } }, { token: therapist.token });
    await waiting.next('ADMISSION', ({ contents }) => contents.state === 'in');
    await screen.next('LOGIN', ({ contents }) => contents.id === guest.id);
    const text = { actId: randomUUID(), to: 'all', text: 'Good evening' };
    await page.send(MESSAGES_SEND.send, text);
    await screen.next('MESSAGE', ({ contents }) => contents.actId === text.actId);
    // From the node on which the client is not.
    await one.api(calls.remove, { body: { clientId: client.id } }, { token: therapist.token });
    await page.next('ADMISSION', ({ contents }) => contents.state === 'removed');
    await page.closed;
    await two.app.sessions.end(therapist.id, 'ended');
    await screen.next('SESSION_OUT');
    await waiting.closed;
  });

  test('signing out on one node ends the session, and closes the connection on the other', async () => {
    const { therapist, screen, page } = await aRoom();
    await two.api(logout, { params: { userId: therapist.id } }, { token: therapist.token });
    await page.next('SESSION_OUT', ({ contents }) => contents.reason === 'signed_out');
    expect(await screen.closed).toBe('session_expired');
  });

  test('somebody who moves from node to node stays connected, and is away when the last connection goes', async () => {
    const { therapist, client, page } = await aRoom();
    const isConnected = async () => (await one.app.clients.people(therapist.id)).find(({ id }) => id === client.id);
    const again = await openClientScreen(one.url, client);
    await page.leave();
    // Its end has been handled.
    await vi.waitUntil(() => two.app.realtime.broker.stats().connections === 0, WAIT);
    expect(await isConnected()).toMatchObject({ connected: true });
    await again.leave();
    await vi.waitUntil(async () => (await isConnected())?.connected === false, WAIT);
  });

  test('the timer of a room is one on all nodes', async () => {
    const { therapist, page } = await aRoom();
    const params = { userId: therapist.id };
    await two.api(stopTimer, { params }, { token: therapist.token });
    await page.next('TIMER_UPDATE', ({ contents }) => !contents.counting);
    expect((await one.app.usage.timerOf(therapist.id)).counting).toBe(false);
    const heard = page.heard.length;
    await one.api(startTimer, { params, body: {} }, { token: therapist.token });
    await page.next('TIMER_UPDATE', ({ contents }) => contents.counting, heard);
    await vi.waitUntil(async () => (await two.app.usage.timerOf(therapist.id)).counting, WAIT);
  });

  test('a room whose people sit on one node sends the others nothing', async () => {
    const therapist = await aTherapist(one.app.db);
    const figure = await aFigure(one.app.db, { therapistId: therapist.id });
    const screen = await openTherapistScreen(one.url, therapist);
    const client = await inRoom(one.app, therapist);
    const page = await openClientScreen(one.url, client);
    const received = () => (two.app.bus as RedisBus).numbers().received;
    const before = received();
    for (let x = 0; x < 20; x++) await act(screen, { kind: 'place', figureId: figure.id, x, y: 1 });
    // The hand moves on, as moves may be lost.
    const move = setInterval(() => screen.say(FIELD_SEND.drag, { figureId: figure.id, x: 50, y: 50 }), 50);
    await page.next('PLAYER_DRAG').finally(() => clearInterval(move));
    await one.api(calls.remove, { body: { clientId: client.id } }, { token: therapist.token });
    await page.closed;
    // What is sent to the other node now comes after whatever was sent to it before.
    const stranger = await aTherapist(one.app.db);
    const elsewhere = await openTherapistScreen(two.url, stranger);
    one.app.room.tell(stranger.id, { eventType: 'ALIVE', contents: null });
    await elsewhere.next('ALIVE');
    expect(received() - before).toBe(1);
  });

  test('without Redis rooms on one node go on, others find changes in the database, and nothing is missing after', async () => {
    const { therapist, client, screen, page, figure } = await aRoom();
    const second = await inRoom(one.app, therapist);
    const secondPage = await openClientScreen(two.url, second);
    await redis.kill();
    await vi.waitUntil(() => !one.app.bus.isWhole() && !two.app.bus.isWhole(), WAIT);
    // Every node is as good as before: the proxy must not take them out.
    await vi.waitUntil(async () => (await one.fetch('/readyz')).status === 200, WAIT);
    const heard = page.heard.length;
    const lost = await act(screen, { kind: 'place', figureId: figure.id, x: 700, y: 100 });
    const { usersUpdatedOn, participantsUpdatedOn } = await change(screen, lost);
    const newer = await page.next('STAMPS', (stamps) => stamps.participantsUpdatedOn >= participantsUpdatedOn, heard);
    expect(newer.usersUpdatedOn).toBeGreaterThanOrEqual(usersUpdatedOn);
    // What the page asks for then is the stored field.
    const text = { actId: randomUUID(), to: 'all', text: 'In the dark' };
    await screen.send(MESSAGES_SEND.send, text);
    // Somebody sent out on one node is out on the other.
    await one.api(calls.remove, { body: { clientId: second.id } }, { token: therapist.token });
    expect(await secondPage.closed).toBe('session_expired');
    // Somebody can come while there is no Redis.
    const late = await openClientScreen(two.url, client);
    await late.next('PLAYERS_VALUE', ({ contents }) => contents.figures.some(({ x }) => x === 700));
    await redis.start();
    await page.next('MESSAGES', ({ contents }) => contents.messages.some(({ actId }) => actId === text.actId), heard);
    await untilWhole(one, two);
    await change(page, await act(screen, { kind: 'place', figureId: figure.id, x: 800, y: 100 }));
  });

  test('the numbers tell whether nodes hear each other', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const number = async (name: string) => {
      const text = await one.fetch('/metrics', { headers }).then((answer) => answer.text());
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    await vi.waitUntil(async () => (await number('nodes')) === 2, WAIT);
    expect(await number('bus_whole')).toBe(1);
    await redis.kill();
    await vi.waitUntil(async () => (await number('bus_whole')) === 0, WAIT);
    one.app.bus.publish('somewhere', { body: '' });
    expect(await number('bus_lost')).toBeGreaterThan(0);
    await redis.start();
    await vi.waitUntil(async () => (await number('bus_whole')) === 1, WAIT);
  });

  test('what Redis keeps may be flushed', async () => {
    const { screen, page, figure } = await aRoom();
    const looking = redis.look();
    await looking.flushall();
    looking.disconnect();
    await change(page, await act(screen, { kind: 'place', figureId: figure.id, x: 250, y: 100 }));
  });

  test('the people of a node that was killed are away, and the others go on', async () => {
    for (const node of [one, two]) await node.close();
    await startBoth({ nodeDeadAfterMs: 20_000 });
    const { therapist, client, screen, page, figure } = await aRoom();
    const third = await ground.startProcess();
    const lost = await inRoom(one.app, therapist);
    const lostPage = await openClientScreen(third.url, lost);
    const isConnected = async () =>
      (await one.app.clients.people(therapist.id)).find(({ id }) => id === lost.id)?.connected;
    await vi.waitUntil(isConnected, WAIT);
    await third.stop('SIGKILL');
    await lostPage.closed;
    // For those on the other nodes nothing has happened.
    await change(page, await act(screen, { kind: 'place', figureId: figure.id, x: 260, y: 100 }));
    await screen.next(
      'UNREGISTER_USER',
      ({ contents: { people } }) =>
        people.some(({ id, connected }) => id === lost.id && !connected) &&
        people.some(({ id, connected }) => id === client.id && connected),
    );
    const back = await openClientScreen(two.url, lost);
    await vi.waitUntil(isConnected, WAIT);
    await back.leave();
  });

  test('a node that leaves sends its people to the others, whose session goes on', async () => {
    const { therapist, client, screen, page } = await aRoom();
    const leaving = one.close();
    await screen.next('RESTART');
    await screen.closed;
    const again = await rejoinTherapistScreen(two.url, therapist);
    await leaving;
    expect((await two.app.usage.timerOf(therapist.id)).counting).toBe(true);
    await again.next('UNREGISTER_USER', ({ contents }) => contents.people.some(({ id }) => id === client.id));
    expect(page.isOpen()).toBe(true);
  });

  test('of nodes that stop together the last one ends the timers', async () => {
    const { therapist } = await aRoom();
    await vi.waitUntil(async () => (await two.app.usage.timerOf(therapist.id)).counting, WAIT);
    const [left, asked] = [vi.spyOn(two.app.nodes, 'stop'), vi.spyOn(two.app.nodes, 'hasOthers')];
    await Promise.all([one.close(), two.close()]);
    // Or each could see the other, and none would end them.
    expect(asked.mock.invocationCallOrder.at(-1)).toBeGreaterThan(left.mock.invocationCallOrder[0]!);
    const looking = new pg.Client({ connectionString: ground.env['DATABASE_URL'] });
    await looking.connect();
    const { rows } = await looking.query<{ running: boolean }>(
      'SELECT ended_at IS NULL AS running FROM usage_intervals',
    );
    await looking.end();
    expect(rows.map(({ running }) => running)).toEqual([false]);
  });
});
