/**
 * Several nodes while something between them fails: one node's way to Redis or to PostgreSQL, the clocks of their
 * machines, nodes themselves. Rooms whose people are on one node go on, and all others end with what the database says.
 * Nothing here assumes how long anything takes.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { getPublicConfig, login, register } from '@fieldroom/contract/accounts';
import { bookEvent, CONFIRM_HEADER, confirmBooking, HOLD_MINUTES } from '@fieldroom/contract/bookings';
import { getRoom } from '@fieldroom/contract/clients';
import { MESSAGES_SEND } from '@fieldroom/contract/messages';
import { type Change, SEND } from '@fieldroom/contract/realtime';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { inRoom } from '../../src/builders/clients.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { aFigure, fieldOf } from '../../src/builders/field.builders.ts';
import { book } from '../../src/features/bookings/bookings.fixture.ts';
import type { RedisBusTimes } from '../../src/platform/nodes/redis-bus.ts';
import { type ChaosProxy, chaosProxy } from '../support/programs/chaos-proxy.ts';
import { fakeSmtp } from '../support/programs/fake-smtp.ts';
import { act, aNodeRoom, change, fieldOn } from '../support/people/node-room.ts';
import { METRICS_TOKEN, type TestNode, type TestNodes, testNodes, untilWhole } from '../support/nodes.ts';
import { COMMON_FORM, countActs, solvedCaptcha } from '../support/people/practice.ts';
import { hasRedis, type TestRedis, testRedis } from '../support/programs/redis.ts';
import { openClientScreen, openTherapistScreen, type Screen } from '../support/people/screen.ts';
import { startTraffic, TRAFFIC_ENV, TRAFFIC_TEST } from '../support/people/traffic.ts';

const WAIT = { timeout: 100_000, interval: 50 };
const FOREVER_MS = 3_600_000;
/** The end of a connection is noticed at once; silence is no fault. */
const PATIENT: Partial<RedisBusTimes> = { retryMs: 50, readyMs: 60_000, deadAfterMs: 60_000 };
/** People here act without a pause. */
const stompLimits = { framesPerSecond: 100_000, frameBurst: 100_000 };

let redis: TestRedis;
let ground: TestNodes;
/** Reaches Redis directly. */
let one: TestNode;
/** Reaches Redis through the proxy. */
let two: TestNode;
let proxy: ChaosProxy;

describe.skipIf(!hasRedis)('several nodes', () => {
  beforeAll(async () => {
    redis = await testRedis();
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    proxy = await chaosProxy(redis.url);
    ground = await testNodes(redis.url);
  });
  afterEach(async () => {
    proxy.resume();
    await ground.close();
    await proxy.close();
  });

  async function startBoth(busTimes = PATIENT): Promise<void> {
    one = await ground.start({ busTimes, stompLimits });
    two = await ground.start({ busTimes, stompLimits }, { REDIS_URL: proxy.url });
    await untilWhole(one, two);
  }

  interface Person {
    id: number;
    userType: 'THERAPIST' | 'CLIENT';
    screen: Screen;
  }
  /** A room with the therapist on the first node and a client on the second, who may move the figure. */
  async function aRoom() {
    const room = await aNodeRoom(one, two);
    const { therapist, client, figure, screen, page } = room;
    await change(page, await act(screen, { kind: 'edit', figureId: figure.id, movableBy: 'everyone' }));
    const place = (on: Screen, x: number, actId = randomUUID()) =>
      act(on, { kind: 'place', figureId: figure.id, x, y: 100 }, actId);
    const people: Person[] = [
      { id: therapist.id, userType: 'THERAPIST', screen },
      { id: client.id, userType: 'CLIENT', screen: page },
    ];
    return { ...room, place, people };
  }
  const stored = async (therapistId: number) =>
    (await one.app.field.playersValue(therapistId)) as Extract<Change, { eventType: 'PLAYERS_VALUE' }>;

  /** As a browser does: asks for what it lacks by the stamps that it heard. */
  async function askIfBehind({ id: userId, userType, screen }: Person): Promise<void> {
    const known = Math.max(
      0,
      ...screen.heard.map(({ change: heard }) =>
        'participantsUpdatedOn' in heard ? Number(heard.participantsUpdatedOn) : 0,
      ),
    );
    const shown = fieldOn(screen)?.revision ?? 0;
    if (known <= shown) return;
    const stamps = { usersUpdatedOn: 0, participantsUpdatedOn: shown };
    await screen.send(SEND.checkUpdate, { userId, userType, ...stamps });
  }
  /** Waits until everybody shows the field of the database. */
  async function untilAllShow(therapistId: number, people: readonly Person[]): Promise<void> {
    const { participantsUpdatedOn, contents } = await stored(therapistId);
    for (const person of people) {
      const shows = () => fieldOn(person.screen)?.revision === participantsUpdatedOn;
      await vi.waitUntil(
        async () => {
          if (!shows()) await askIfBehind(person);
          return shows();
        },
        { ...WAIT, interval: 200 },
      );
      expect(fieldOn(person.screen)!.figures).toEqual(contents.figures);
    }
  }

  describe('between a node and Redis', () => {
    test('a slow way: all of it arrives, and a room on one node does not wait for it', async () => {
      await startBoth();
      const { therapist, screen, page, place, people } = await aRoom();
      const alone = await aNodeRoom(two, two);
      proxy.delay(100);
      await Promise.all(Array.from({ length: 10 }, (_, n) => [place(screen, n), place(page, 500 + n)]).flat());
      await untilAllShow(therapist.id, people);
      proxy.delay(FOREVER_MS);
      const aside = { kind: 'place', figureId: alone.figure.id, x: 300, y: 300 };
      await change(alone.page, await act(alone.screen, aside));
      proxy.resume();
      await change(page, await place(screen, 700));
    });

    test('half open: rooms on one node go on, others find changes in the database on both nodes, and all is told after', async () => {
      await startBoth({ retryMs: 50, readyMs: 200, echoEveryMs: 50, deadAfterMs: 2_000 });
      const { therapist, screen, page, place, people } = await aRoom();
      const alone = await aNodeRoom(two, two);
      proxy.hang();
      // Before anybody can know.
      await change(screen, await place(screen, 300));
      const aside = { kind: 'place', figureId: alone.figure.id, x: 300, y: 300 };
      await change(alone.page, await act(alone.screen, aside));
      await vi.waitUntil(() => !two.app.bus.isWhole(), WAIT);
      await untilAllShow(therapist.id, people);
      // The first node hears Redis well, and yet nothing of the second one.
      await change(page, await place(page, 400));
      await untilAllShow(therapist.id, people);
      await change(screen, await place(screen, 500));
      await untilAllShow(therapist.id, people);
      const heard = screen.heard.length;
      const text = { actId: randomUUID(), to: 'all', text: 'In the dark' };
      await page.send(MESSAGES_SEND.send, text);
      proxy.resume();
      await screen.next(
        'MESSAGES',
        ({ contents }) => contents.messages.some(({ actId }) => actId === text.actId),
        heard,
      );
      await untilWhole(one, two);
      await place(screen, 600);
      await untilAllShow(therapist.id, people);
    });

    test.each(['up', 'down'] as const)('reset in the middle of a message (%s): nobody misses it', async (way) => {
      await startBoth();
      const { therapist, screen, page, place, people } = await aRoom();
      const [here, there] = way === 'up' ? [page, screen] : [screen, page];
      const actId = randomUUID();
      const cut = proxy.cutOnce(actId, way);
      await change(here, await place(here, 640, actId));
      await cut;
      // What was told to nobody comes as a snapshot.
      await there.next('PLAYERS_VALUE', ({ contents }) => contents.figures.some(({ x }) => x === 640));
      await untilWhole(one, two);
      await place(here, 650);
      await untilAllShow(therapist.id, people);
    });

    test('cut after some bytes, again and again: nobody stays behind', async () => {
      await startBoth();
      const { therapist, screen, page, place, people } = await aRoom();
      for (const bytes of [0, 30, 700])
        for (const way of ['up', 'down'] as const) {
          let isCut = false;
          void proxy.cutOnce(bytes, way).then(() => (isCut = true));
          for (let x = 1; !isCut; x++) await place(x % 2 === 0 ? screen : page, x);
          await untilAllShow(therapist.id, people);
        }
      expect(await countActs(one.app.db, therapist.id)).toBe((await stored(therapist.id)).participantsUpdatedOn);
    });
  });

  test('a node whose PostgreSQL hangs refuses in time, its people hear the others, and it is well afterwards', async () => {
    const database = await chaosProxy(ground.env['DATABASE_URL']!);
    one = await ground.start();
    two = await ground.start({}, { DATABASE_URL: database.url, DATABASE_TIMEOUT_MS: '2000' });
    try {
      await untilWhole(one, two);
      const { therapist, screen, page, place, people } = await aRoom();
      database.hang();
      const refused = await two.call(getPublicConfig);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await two.fetch('/readyz')).status).toBe(503);
      // What is committed by another node is heard all the same.
      await change(page, await place(screen, 300));
      const actId = await place(page, 400);
      const { contents } = await page.next('PROBLEM', (problem) => problem.contents.actId === actId);
      expect(contents.problem).toMatchObject({ code: 'unavailable', status: 503 });
      await vi.waitUntil(async () => (await one.fetch('/readyz')).status === 200, WAIT);
      database.resume();
      await vi.waitUntil(async () => (await two.fetch('/readyz')).status === 200, WAIT);
      // An act that PostgreSQL has got, but not answered, may have been stored; sent again, it counts once.
      for (let x = 500; !page.of('PLAYER_CHANGE').some(({ contents: { by } }) => by === people[1]!.id); x++)
        await place(page, x, actId);
      await untilAllShow(therapist.id, people);
      expect(await countActs(one.app.db, therapist.id)).toBe((await stored(therapist.id)).participantsUpdatedOn);
    } finally {
      database.resume();
      await two.close();
      await database.close();
    }
  });

  test('a node that stands still: its people are away to the others, and back when it goes on', async () => {
    one = await ground.start({ busTimes: PATIENT, stompLimits, nodeDeadAfterMs: 5_000 });
    const still = await ground.startProcess();
    const therapist = await aTherapist(one.app.db);
    const { id: figureId } = await aFigure(one.app.db, { therapistId: therapist.id, movableBy: 'everyone' });
    const screen = await openTherapistScreen(one.url, therapist);
    const client = await inRoom(one.app, therapist);
    const page = await openClientScreen(still.url, client);
    const untilSeen = (connected: boolean) =>
      vi.waitUntil(() => {
        const people = screen.of('UNREGISTER_USER').at(-1)?.contents.people ?? [];
        return people.some((person) => person.id === client.id && person.connected === connected);
      }, WAIT);
    await untilSeen(true);
    still.child.kill('SIGSTOP');
    try {
      await untilSeen(false);
      await change(screen, await act(screen, { kind: 'place', figureId, x: 300, y: 100 }));
    } finally {
      still.child.kill('SIGCONT');
    }
    await untilSeen(true);
    // On a machine that stalls, the therapist's node may be taken for dead for a moment as well.
    const isDone = (actId: string) => page.of('PLAYER_CHANGE').some(({ contents }) => contents.actId === actId);
    const isRefused = (actId: string) => page.of('PROBLEM').some(({ contents }) => contents.actId === actId);
    await vi.waitUntil(async () => {
      const actId = await act(page, { kind: 'place', figureId, x: 400, y: 100 });
      await vi.waitUntil(() => isDone(actId) || isRefused(actId), WAIT);
      return isDone(actId);
    }, WAIT);
    await untilAllShow(therapist.id, [
      { id: therapist.id, userType: 'THERAPIST', screen },
      { id: client.id, userType: 'CLIENT', screen: page },
    ]);
    expect(page.isOpen()).toBe(true);
  });

  test('an email that a node was sending when it was killed leaves over another', async () => {
    const smtp = await fakeSmtp();
    try {
      // Without a mail server.
      one = await ground.start();
      const sends = { SMTP_URL: smtp.url, MAIL_FROM: 'Fieldroom <room@fieldroom.test>' };
      const killed = await ground.startProcess(sends);
      const { id } = await anEvent(one.app.db, { therapistId: (await aTherapist(one.app.db)).id });
      smtp.mood = 'held';
      await book(killed, id);
      await smtp.waitFor(1);
      await ground.startProcess(sends);
      smtp.mood = 'well';
      await killed.stop('SIGKILL');
      const [first, second] = await smtp.waitFor(2);
      expect(second!.mail.messageId).toBe(first!.mail.messageId);
    } finally {
      await smtp.close();
    }
  });

  test('clocks an hour ahead and behind: rooms, bookings, captchas and sign-ins are one', TRAFFIC_TEST, async () => {
    one = await ground.start({ captchaEffort: { cost: 10, counterMin: 5, counterMax: 20 } });
    const shifted = (ms: number) =>
      ground.startProcess({
        ...TRAFFIC_ENV,
        NODE_OPTIONS: `--import ${new URL('../support/programs/shifted-clock.ts', import.meta.url).href}`,
        CLOCK_SHIFT_MS: String(ms),
      });
    const [ahead, behind] = await Promise.all([shifted(3_600_000), shifted(-3_600_000)]);
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const metrics = async ({ fetch }: Pick<TestNode, 'fetch'>) => (await fetch('/metrics', { headers })).text();
    const startOf = async (node: Pick<TestNode, 'fetch'>) =>
      Number(/^process_start_time_seconds (\S+)$/m.exec(await metrics(node))![1]);
    expect((await startOf(ahead)) - (await startOf(behind))).toBeGreaterThan(3_600);

    const traffic = await startTraffic({ db: one.app.db, urls: () => [ahead.url, behind.url] });
    onTestFinished(() => traffic.stop());
    await traffic.goOnFor(5);
    const therapist = await aTherapist(one.app.db);
    await inRoom(one.app, therapist);
    for (const node of [one, ahead, behind])
      await vi.waitUntil(async () => /^nodes 3$/m.test(await metrics(node)), WAIT);

    const { id: eventId } = await anEvent(one.app.db, { therapistId: therapist.id });
    const email = 'somebody@mail.example';
    const person = { firstName: 'Ana', lastName: 'Pop', email, phoneNumber: '+40 721 555 123' };
    const before = (await one.app.clock.now()).getTime();
    const { heldUntil } = await ahead.api(bookEvent, { params: { eventId }, body: person });
    const heldFor = Date.parse(heldUntil) - HOLD_MINUTES * 60_000;
    expect(heldFor).toBeGreaterThanOrEqual(before - 1);
    expect(heldFor).toBeLessThanOrEqual((await one.app.clock.now()).getTime());
    const written = (await one.app.outbox.list()).find(({ to }) => to === email)!;
    const token = /#token=([\w-]{43})/.exec(written.text ?? '')![1]!;
    const confirmed = await behind.api(confirmBooking, { query: { token } }, { headers: { [CONFIRM_HEADER]: '1' } });
    expect(confirmed.state).toBe('CONFIRMED');

    for (const [n, node] of [ahead, behind].entries()) {
      const form = { ...COMMON_FORM, firstName: 'Ildikó', lastName: 'Szabó', email: `new-${n}@mail.example` };
      const captcha = await solvedCaptcha(one);
      await node.api(register, { body: { ...form, password: 'six quiet paper moons', captcha } });
    }
    const { email: own, password } = therapist;
    const { token: signedIn } = await ahead.api(login, { body: { email: own, password } });
    expect((await behind.api(getRoom, {}, { token: signedIn })).people).toHaveLength(1);
    await traffic.goOnFor(5);
    await traffic.settle();
    expect(traffic.lost()).toBe(0);
  });

  test('nodes come and go under a room whose people act on: each act counts once, and all end with one field', async () => {
    await startBoth();
    const third = await ground.startProcess();
    const therapist = await aTherapist(one.app.db);
    let living: { url: string }[] = [two, third];
    interface Actor extends Person {
      figureId: number;
      /** Own acts that were answered. */
      confirmed: number;
      open: (url: string) => Promise<Screen>;
    }
    const actors: Actor[] = [];
    const figures = await fieldOf(one.app.db, therapist.id, Array(3).fill({ movableBy: 'everyone' }));
    async function join(id: number, userType: Actor['userType'], url: string, open: Actor['open']): Promise<void> {
      const figureId = figures[actors.length]!.id;
      actors.push({ id, userType, open, screen: await open(url), figureId, confirmed: 0 });
    }
    await join(therapist.id, 'THERAPIST', one.url, () => openTherapistScreen(one.url, therapist));
    for (const { url } of living) {
      const client = await inRoom(one.app, therapist);
      await join(client.id, 'CLIENT', url, (at) => openClientScreen(at, client));
    }
    let goes = true;
    /**
     * Acts on, one act after the other. Without an answer it comes back by another node and sends the same once more.
     */
    async function goOn(actor: Actor): Promise<void> {
      for (let x = 1; goes; x++) {
        const actId = randomUUID();
        for (let isAnswered = false; !isAnswered;) {
          try {
            const { screen } = actor;
            const from = screen.heard.length;
            const place = { kind: 'place', figureId: actor.figureId, x: x % 1600, y: Math.floor(x / 1600) };
            await act(screen, place, actId);
            const answers = () =>
              screen.heard.slice(from).flatMap(({ change: heard }) => {
                if (heard.eventType !== 'PLAYER_CHANGE' && heard.eventType !== 'PROBLEM') return [];
                return heard.contents.actId === actId ? [heard.eventType] : [];
              });
            await vi.waitUntil(() => answers().length > 0 || !screen.isOpen(), { ...WAIT, interval: 5 });
            isAnswered = answers().includes('PLAYER_CHANGE');
          } catch {
            const { url } = living[x % living.length]!;
            actor.screen = await actor.open(url).catch(() => actor.screen);
          }
        }
        actor.confirmed += 1;
      }
    }
    /** Everybody has had some more acts answered. */
    async function goOnFor(acts: number): Promise<void> {
      const from = actors.map(({ confirmed }) => confirmed);
      await vi.waitUntil(() => actors.every(({ confirmed }, n) => confirmed >= from[n]! + acts), WAIT);
    }
    const going = actors.map(goOn);
    await goOnFor(5);
    living = [two];
    await third.stop('SIGKILL');
    await goOnFor(5);
    const four = await ground.start({ busTimes: PATIENT, stompLimits });
    living = [two, four];
    await goOnFor(5);
    living = [four];
    await two.close();
    await goOnFor(5);
    goes = false;
    await Promise.all(going);
    await untilAllShow(therapist.id, actors);
    const { participantsUpdatedOn } = await stored(therapist.id);
    // Each moved something, so each that is stored raised the revision.
    expect(participantsUpdatedOn).toBe(actors.reduce((sum, { confirmed }) => sum + confirmed, 0));
  });
});
