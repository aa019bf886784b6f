/**
 * Settings, hands, tickets, keys and network quality: what is in the database and what goes over STOMP. Numbers are
 * those of README.md.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { leaveRoom, setNonActive } from '@fieldroom/contract/clients';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import {
  DEFAULT_VIDEO_SETTINGS,
  getVideoTicket,
  muteClients,
  raiseHand,
  setStage,
  setVideoSettings,
  askToUnmute,
  VIDEO_PATH,
  VIDEO_SEND,
} from '@fieldroom/contract/video';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aClient, type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { aFigure } from '../../builders/field.builders.ts';
import { signIns } from '../accounts/accounts.tables.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import {
  openClientScreen,
  openScreen,
  openTherapistScreen,
  type Screen,
} from '../../../tests/support/people/screen.ts';
import { createAllowance } from './members/allowance.ts';
import { openProgram, openSocket } from './video.fixture.ts';
import { readRoom } from './video.store.ts';
import { createTickets, type Member } from './members/tickets.ts';
import { iceServersOf } from './members/turn.ts';
import { candidatesOf, JanusRefusal } from './gateway/janus-wire.ts';
import { readRequest } from './gateway/requests.ts';
import { hashToken, newToken } from '../../platform/tokens.ts';

describe('1: tickets', () => {
  const member: Member = { as: 'client', therapistId: 1, personId: 7, firefox: false, signIn: null };
  const at = { ms: 0 };
  const box = () => createTickets(() => at.ms);

  test('are valid for 60 seconds, once', () => {
    const tickets = box();
    const [one, two] = [tickets.issue(member), tickets.issue({ ...member, firefox: true })];
    expect(Buffer.from(one, 'base64url')).toHaveLength(32);
    at.ms += 59_999;
    expect(tickets.take(one)).toEqual(member);
    expect(tickets.take(one)).toBeNull();
    at.ms += 1;
    expect(tickets.take(two)).toBeNull();
  });
  test('are limited to five per person; the oldest is dropped, others’ stay', () => {
    const tickets = box();
    const other = tickets.issue({ ...member, personId: 8 });
    const mine = Array.from({ length: 7 }, () => tickets.issue(member));
    expect(mine.map((ticket) => tickets.take(ticket) !== null)).toEqual([false, false, true, true, true, true, true]);
    expect(tickets.take(other)).not.toBeNull();
  });
  test('are not kept when old, and void when their member has left', () => {
    const tickets = box();
    tickets.issue({ ...member, personId: 9 });
    at.ms += 60_000;
    const [gone, stays] = [tickets.issue(member), tickets.issue({ ...member, therapistId: 2, personId: 10 })];
    expect(tickets.count()).toBe(2);
    tickets.forget(({ therapistId }) => therapistId === 1);
    expect([tickets.take(gone), tickets.take(stays)?.personId]).toEqual([null, 10]);
  });
});

test('an allowance is used, refills, and is separate for each person', () => {
  const at = { ms: 0 };
  const { take } = createAllowance(() => at.ms);
  const rate = { atOnce: 3, aSecond: 2 };
  expect([1, 2, 3, 4].map(() => take(1, rate))).toEqual([true, true, true, false]);
  expect(take(2, rate)).toBe(true);
  at.ms += 500;
  expect([take(1, rate), take(1, rate)]).toEqual([true, false]);
});

test('TURN passwords have expiry and a random part as user, its HMAC-SHA1 as password; none without a server', () => {
  const [server] = iceServersOf({ urls: ['turn:t.example:3478'], secret: 'north' }, 1_000_000);
  expect(server!.urls).toEqual(['turn:t.example:3478']);
  expect(server!.username).toMatch(/^1043200:[\w-]{12}$/);
  expect(server!.credential).toBe(createHmac('sha1', 'north').update(server!.username!).digest('base64'));
  expect(iceServersOf({ urls: ['turn:t.example:3478'], secret: 'north' })[0]!.username).not.toBe(server!.username);
  expect(iceServersOf(null)).toEqual([]);
});

describe('parsing of requests', () => {
  test('any input is parsed or refused, and only known fields pass', () => {
    const names = [
      'create',
      'exists',
      'join',
      'joinandconfigure',
      'publish',
      'configure',
      'unpublish',
      'leave',
      'start',
      'pause',
      'subscribe',
      'unsubscribe',
      'update',
      'switch',
      'listparticipants',
      'edit',
      'toString',
      '__proto__',
    ];
    const body = fc.record(
      {
        request: fc.constantFrom(...names),
        ptype: fc.constantFrom('publisher', 'subscriber', undefined),
        room: fc.constantFrom(5, 6, '5', undefined),
        streams: fc.anything(),
        feed: fc.anything(),
        subscribe: fc.anything(),
      },
      { requiredKeys: ['request'] },
    );
    fc.assert(
      fc.property(
        body,
        fc.dictionary(fc.string(), fc.anything()),
        fc.constantFrom('publisher', 'subscriber', null),
        (known, unknown, kind) => {
          try {
            const read = readRequest({ ...unknown, ...known }, kind as 'publisher', 5);
            expect(JSON.stringify(read)).not.toMatch(/secret|admin_key|rec_dir|"bitrate"|"display"|"pin"/);
          } catch (error) {
            expect(error).toBeInstanceOf(JanusRefusal);
          }
        },
      ),
      { numRuns: process.env.FIELDROOM_LONG === '1' ? 5_000 : 300 },
    );
  });
  test('local network names are removed from candidates', () => {
    const local = {
      candidate: 'candidate:1 1 UDP 2122252543 5f4e7b1c-0f8e-4d6a-9a43-000000000000.local 50000 typ host',
      sdpMid: '0',
    };
    const direct = {
      candidate: 'candidate:2 1 UDP 2122252543 192.0.2.9 50000 typ host',
      sdpMid: '0',
      sdpMLineIndex: 0,
    };
    expect(candidatesOf({ candidates: [local, direct, { completed: true }] })).toEqual([direct, null]);
    expect(candidatesOf({ candidate: local })).toEqual([]);
    expect(candidatesOf({ candidate: { candidate: '' } })).toEqual([null]);
    expect(candidatesOf({ candidate: null })).toEqual([null]);
    expect(candidatesOf({ candidates: [direct, null] })).toEqual([direct, null]);
  });
});

describe('with people', () => {
  let t: TestApp;
  let therapist: BuiltAccount;
  let bori: BuiltClient;
  let mihai: BuiltClient;
  beforeAll(async () => {
    t = await testApp({ env: { TURN_URL: 'turn:t.example:3478', TURN_SECRET: 'north' } });
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    therapist = await aTherapist(t.db);
    bori = await inRoom(t.app, therapist, { name: 'Bori' });
    mihai = await inRoom(t.app, therapist, { name: 'Mihai' });
  });
  const screens: Screen[] = [];
  afterEach(async () => {
    for (const screen of screens.splice(0)) await screen.leave();
  });
  const keep = async (opening: Promise<Screen>) => {
    const screen = await opening;
    screens.push(screen);
    return screen;
  };
  const people = () => t.app.clients.people(therapist.id);
  const hand = (who: { token: string }, body: { raised: boolean; clientId?: number }) =>
    t.api(raiseHand, { body }, { token: who.token });

  test('settings stay in the database, are set one by one, and are announced to the room', async () => {
    const page = await keep(openClientScreen(t.url, bori));
    expect((await page.next('VIDEO_STATE')).contents).toEqual({
      running: false,
      settings: DEFAULT_VIDEO_SETTINGS,
      stage: null,
      faces: [],
    });
    const set = (body: object) => t.api(setVideoSettings, { body }, { token: therapist.token });
    const [one, two] = await Promise.all([set({ encrypted: true }), set({ clientsVisible: false })]);
    expect([one.encrypted, two.clientsVisible]).toEqual([true, false]);
    expect(await set({})).toEqual({ ...DEFAULT_VIDEO_SETTINGS, clientsVisible: false, encrypted: true });
    await page.next('VIDEO_STATE', ({ contents }) => contents.settings.encrypted && !contents.settings.clientsVisible);
    expect((await t.app.video.state(therapist.id)).settings).toEqual({
      ...DEFAULT_VIDEO_SETTINGS,
      clientsVisible: false,
      encrypted: true,
    });
    expect((await t.app.video.state((await aTherapist(t.db)).id)).settings.encrypted).toBe(false);
    const { settings, room } = await t.api(getVideoTicket, { body: {} }, { token: bori.token });
    expect([settings.encrypted, room]).toEqual([true, therapist.id]);
  });

  test('6: settings changed while somebody connects apply to that connection', async () => {
    const program = await openProgram(t, bori);
    await t.api(setVideoSettings, { body: { highQuality: true } }, { token: therapist.token });
    expect((await t.api(getVideoTicket, { body: { firefox: true } }, { token: mihai.token })).bitrate).toBe(1_200_000);
    await program.close();
  });

  describe('14: the stage', () => {
    const set = (clientIds: 'withRole' | number[] | null) =>
      t.api(setStage, { body: { clientIds } }, { token: therapist.token });
    const stage = async () => (await t.app.video.state(therapist.id)).stage;

    test.each([
      ['before', false],
      ['while', true],
    ])(
      'is announced to the room %s there is video, with those of the list who are in the room',
      async (_when, video) => {
        const program = video ? await openProgram(t, mihai) : null;
        const page = await keep(openClientScreen(t.url, bori));
        const stranger = await inRoom(t.app, await aTherapist(t.db));
        const waiting = await aClient(t.app, therapist);
        expect(await set([mihai.id, stranger.id, bori.id, waiting.id])).toEqual({ stage: [bori.id, mihai.id] });
        await page.next('VIDEO_STATE', ({ contents }) => contents.stage?.join() === `${bori.id},${mihai.id}`);
        await expect(set([stranger.id])).rejects.toMatchObject({ code: 'not_found' });
        expect(await stage()).toEqual([bori.id, mihai.id]);
        expect(await set([])).toEqual({ stage: [] });
        expect(await set(null)).toEqual({ stage: null });
        await page.next('VIDEO_STATE', ({ contents }) => contents.stage === null);
        await program?.close();
      },
    );

    test('takes those with a role in one act', async () => {
      expect(await set('withRole')).toEqual({ stage: [] });
      const figure = await aFigure(t.db, { therapistId: therapist.id });
      await t.app.field.act({ as: 'therapist', therapistId: therapist.id, personId: therapist.id }, randomUUID(), {
        kind: 'giveRole',
        clientId: mihai.id,
        figureId: figure.id,
      });
      expect(await set('withRole')).toEqual({ stage: [mihai.id] });
    });

    test.each(['before', 'after'])(
      'loses a person who leaves, and otherwise stays: %s the video began',
      async (when) => {
        const program = when === 'after' ? await openProgram(t, mihai) : null;
        await set([bori.id]);
        await t.api(leaveRoom, {}, { token: bori.token });
        await expect.poll(stage).toEqual([]);
        await program?.close();
      },
    );

    test('survives the loss of the server’s memory, and ends with the live session', async () => {
      await set([bori.id]);
      const kept = async () => (await readRoom(t.db, therapist.id)).stage;
      expect(await kept()).toEqual([bori.id]);
      await t.app.sessions.end(therapist.id, 'ended');
      expect([await kept(), await stage()]).toEqual([null, null]);
      await expect(set([bori.id])).rejects.toMatchObject({ code: 'no_live_session' });
    });

    test('can be changed only by the therapist', async () => {
      await expect(t.api(setStage, { body: { clientIds: [] } }, { token: bori.token })).rejects.toMatchObject({
        code: 'forbidden',
      });
    });
  });

  test('9: hands are shown in the order they were raised, and lowered by their owner or the therapist', async () => {
    const page = await keep(openTherapistScreen(t.url, therapist));
    const before = (await t.app.room.stamps(therapist.id)).usersUpdatedOn;
    await hand(mihai, { raised: true });
    await t.move(5);
    await hand(bori, { raised: true, clientId: bori.id });
    const [first, second] = [
      (await people()).find(({ id }) => id === mihai.id)!,
      (await people()).find(({ id }) => id === bori.id)!,
    ];
    expect(Date.parse(second.handRaisedOn!)).toBeGreaterThan(Date.parse(first.handRaisedOn!));
    // Raised once more it keeps its place, and nothing is told.
    await hand(mihai, { raised: true });
    expect((await t.app.room.stamps(therapist.id)).usersUpdatedOn).toBe(before + 2);
    expect((await people()).find(({ id }) => id === mihai.id)!.handRaisedOn).toBe(first.handRaisedOn);
    await page.next(
      'UNREGISTER_USER',
      ({ contents }) => contents.people.filter((person) => person.handRaisedOn !== null).length === 2,
    );
    await hand(therapist, { raised: false, clientId: mihai.id });
    await hand(bori, { raised: false });
    await page.next(
      'UNREGISTER_USER',
      ({ contents, usersUpdatedOn }) =>
        usersUpdatedOn === before + 4 && contents.people.every((person) => person.handRaisedOn === null),
    );
  });

  test('9: nobody raises or lowers the hand of another', async () => {
    await hand(bori, { raised: true });
    const elsewhere = await aTherapist(t.db);
    const refused = (who: { token: string }, body: { raised: boolean; clientId?: number }, code: string) =>
      expect(hand(who, body)).rejects.toMatchObject({ code });
    await refused(mihai, { raised: false, clientId: bori.id }, 'forbidden');
    await refused(mihai, { raised: true, clientId: bori.id }, 'forbidden');
    await refused(therapist, { raised: true, clientId: mihai.id }, 'forbidden');
    await refused(therapist, { raised: true }, 'forbidden');
    await refused(therapist, { raised: false }, 'forbidden');
    await refused(elsewhere, { raised: false, clientId: bori.id }, 'not_found');
    await refused(await aClient(t.app, therapist), { raised: true }, 'not_admitted');
    expect((await people()).map((person) => person.handRaisedOn !== null)).toEqual([true, false]);
  });

  test('9: a hand is lowered when its owner leaves the room', async () => {
    await hand(bori, { raised: true });
    await hand(mihai, { raised: true });
    await t.api(setNonActive, { params: { userId: bori.id } }, { token: bori.token });
    await t.app.clients.setActive(bori.id);
    expect((await people()).map(({ id, handRaisedOn }) => [id, handRaisedOn !== null]).toSorted()).toEqual([
      [bori.id, false],
      [mihai.id, true],
    ]);
    await t.api(leaveRoom, {}, { token: mihai.token });
    expect(await people()).toHaveLength(1);
  });

  test('tickets contain the cap and the ICE servers; somebody who waits, or has no session, gets none', async () => {
    const ticket = (token: string, firefox = false) => t.api(getVideoTicket, { body: { firefox } }, { token });
    expect(await ticket(therapist.token)).toMatchObject({
      expiresInSeconds: 60,
      room: therapist.id,
      bitrate: 200_000,
      iceServers: [{ urls: ['turn:t.example:3478'], credential: expect.any(String) }],
    });
    expect((await ticket(bori.token)).bitrate).toBe(200_000);
    expect((await ticket(bori.token, true)).bitrate).toBe(150_000);
    await expect(ticket((await aClient(t.app, therapist)).token)).rejects.toMatchObject({ code: 'not_admitted' });
    await expect(ticket((await aTherapist(t.db)).token)).rejects.toMatchObject({ code: 'no_live_session' });
    const many = await Promise.allSettled(Array.from({ length: 60 }, () => ticket(mihai.token)));
    expect(
      many
        .filter(({ status }) => status === 'rejected')
        .map((one) => ((one as PromiseRejectedResult).reason as { code: string }).code),
    ).toContain('too_many_requests');
    expect((await ticket(bori.token)).room).toBe(therapist.id);
  });

  test('muting and asking reach only clients of the room', async () => {
    const page = await keep(openClientScreen(t.url, bori));
    const elsewhere = await aTherapist(t.db);
    await t.app.sessions.open(elsewhere.id);
    await expect(t.api(askToUnmute, { body: { clientId: bori.id } }, { token: elsewhere.token })).rejects.toMatchObject(
      { code: 'not_found' },
    );
    await t.api(muteClients, { body: { clientIds: [bori.id] } }, { token: elsewhere.token });
    await t.api(askToUnmute, { body: { clientId: bori.id } }, { token: therapist.token });
    await page.next('VIDEO_ASK');
    expect(page.of('VIDEO_ASK').map(({ contents }) => contents.ask)).toEqual(['unmute']);
  });

  test('10: key messages pass only between the therapist and one client of the room, and are not stored', async () => {
    const page = await keep(openTherapistScreen(t.url, therapist));
    const [one, other] = [await keep(openClientScreen(t.url, bori)), await keep(openClientScreen(t.url, mihai))];
    await one.send(VIDEO_SEND.key, { to: therapist.id, publicKey: 'public-of-bori' });
    expect((await page.next('VIDEO_KEY')).contents).toEqual({ from: bori.id, publicKey: 'public-of-bori' });
    await page.send(VIDEO_SEND.key, {
      to: bori.id,
      publicKey: 'public-of-judit',
      sealed: 'sealed-for-bori',
      generation: 3,
    });
    expect((await one.next('VIDEO_KEY')).contents).toEqual({
      from: therapist.id,
      publicKey: 'public-of-judit',
      sealed: 'sealed-for-bori',
      generation: 3,
    });
    const elsewhere = await aTherapist(t.db);
    const theirs = await inRoom(t.app, elsewhere);
    const refusals = (screen: Screen) => screen.of('PROBLEM').map(({ contents }) => contents.problem.code);
    await one.send(VIDEO_SEND.key, { to: mihai.id, publicKey: 'p' });
    await one.send(VIDEO_SEND.key, { to: elsewhere.id, publicKey: 'p' });
    await page.send(VIDEO_SEND.key, { to: therapist.id, publicKey: 'p' });
    await page.send(VIDEO_SEND.key, { to: theirs.id, publicKey: 'p' });
    await page.send(VIDEO_SEND.key, { to: (await aClient(t.app, therapist)).id, publicKey: 'p' });
    await page.send(VIDEO_SEND.key, { to: bori.id, publicKey: 'not/base64url' });
    await expect
      .poll(() => [refusals(one), refusals(page)])
      .toEqual([
        ['forbidden', 'forbidden'],
        ['forbidden', 'not_found', 'not_found', 'invalid_input'],
      ]);
    // Again and again, because time that passes gives some back.
    await expect
      .poll(async () => (await one.send(VIDEO_SEND.key, { to: therapist.id, publicKey: 'p' }), refusals(one)), {
        interval: 1,
      })
      .toContain('too_many_requests');
    expect(other.of('VIDEO_KEY')).toEqual([]);
    for (const word of ['public-of-bori', 'sealed-for-bori', bori.token]) expect(t.logged.text()).not.toContain(word);
  });

  test('waiting people send neither keys nor network quality', async () => {
    const waiting = await aClient(t.app, therapist);
    const page = await keep(openClientScreen(t.url, waiting, { room: false }));
    await page.send(VIDEO_SEND.key, { to: therapist.id, publicKey: 'p' });
    await page.send(VIDEO_SEND.networkQuality, { line: 'poor' });
    await expect
      .poll(() => page.of('PROBLEM').map(({ contents }) => contents.problem.code))
      .toEqual(['not_admitted', 'not_admitted']);
  });

  test('network quality is announced while its owner takes part', async () => {
    const page = await keep(openClientScreen(t.url, bori));
    const program = await openProgram(t, bori);
    await page.send(VIDEO_SEND.networkQuality, { line: 'poor' });
    await program.room(await program.attach(), { request: 'join', ptype: 'publisher', room: therapist.id });
    expect(
      (await page.next('VIDEO_STATE', ({ contents }) => contents.faces.length === 1)).contents.faces[0]!.line,
    ).toBe('good');
    await page.send(VIDEO_SEND.networkQuality, { line: 'weak' });
    expect(
      (await page.next('VIDEO_STATE', ({ contents }) => contents.faces[0]?.line === 'weak')).contents.faces,
    ).toEqual([{ id: bori.id, audio: false, video: false, mutedByTherapist: false, line: 'weak' }]);
    const before = page.heard.length;
    await program.close();
    await page.next('VIDEO_STATE', ({ contents }) => contents.faces.length === 0, before);
  });

  test('VIDEO_STATE is sent to a connection that subscribes to the room, after field and people, on its own destination', async () => {
    const page = await keep(openScreen(t.url, bori.token));
    await page.subscribe(ownDestination(bori.id));
    await page.subscribe(roomDestination(therapist.id));
    await page.next('VIDEO_STATE');
    // Other features may send more to people who join; it comes after this.
    expect(page.heard.slice(0, 3).map(({ change, destination }) => [change.eventType, destination])).toEqual(
      ['PLAYERS_VALUE', 'UNREGISTER_USER', 'VIDEO_STATE'].map((type) => [type, ownDestination(bori.id)]),
    );
  });

  test('2: other pages, other protocols and other paths do not open the connection', async () => {
    const status = (path: string, protocols: string[], headers: Record<string, string> = {}) =>
      new Promise<number>((resolve, reject) => {
        const ws = new WebSocket(t.url.replace('http', 'ws') + path, protocols, { headers });
        ws.on('unexpected-response', (_request, response) => resolve(response.statusCode!));
        ws.on('open', () => {
          ws.terminate();
          resolve(101);
        });
        ws.on('error', reject);
      });
    expect(await status(VIDEO_PATH, ['janus-protocol'])).toBe(101);
    expect(await status(VIDEO_PATH, ['janus-protocol'], { origin: 'http://fieldroom.test' })).toBe(101);
    expect(await status(VIDEO_PATH, ['janus-protocol'], { origin: 'https://elsewhere.example' })).toBe(404);
    expect(await status(VIDEO_PATH, [])).toBe(400);
    expect(await status(VIDEO_PATH, ['janus-admin-protocol'])).toBe(400);
    expect(await status(`${VIDEO_PATH}/admin`, ['janus-protocol'])).toBe(404);
  });

  test("13: the therapist's connection ends with the sign-in that opened it, and with no other one", async () => {
    const { token, hash } = newToken();
    await t.db.insert(signIns).values({ tokenHash: hash, accountId: therapist.id });
    const [one, other] = [await openProgram(t, therapist), await openProgram(t, { id: therapist.id, token })];
    await t.db
      .update(signIns)
      .set({ createdAt: sql`product_now() - interval '31 days'` as never })
      .where(eq(signIns.tokenHash, hashToken(therapist.token)));
    // What was changed behind the server's back shows after two seconds.
    await t.move(2);
    await t.app.video.checkMembers();
    expect([await one.closed, one.reason()]).toEqual([1008, 'no member any more']);
    expect((await other.say({ janus: 'keepalive' })).janus).toBe('ack');
    const ticket = (await t.api(getVideoTicket, { body: {} }, { token })).ticket;
    await t.db
      .update(signIns)
      .set({ endedAt: sql`product_now()` as never })
      .where(eq(signIns.tokenHash, hash));
    await t.move(2);
    const late = await openSocket(t.url, ticket);
    expect((await late.ask({ janus: 'create', token: ticket })).error?.code).toBe(403);
    await other.close();
  });

  test('8: a membership whose end was missed is ended by the next check', async () => {
    const program = await openProgram(t, bori);
    await t.db.execute(`UPDATE clients SET state = 'away' WHERE id = ${bori.id}`);
    await t.app.video.checkMembers();
    expect(await program.closed).toBe(1008);
  });
});

test('7: strangers behind a trusted proxy are counted by the address it names', async () => {
  const t = await testApp({ env: { TRUST_PROXY: '1' }, videoLimits: { unauthenticatedPerAddress: 1 } });
  const from = (address: string) => openSocket(t.url, '', { headers: { 'x-forwarded-for': address } });
  const [one, other] = [await from('198.51.100.7'), await from('203.0.113.7')];
  await from('198.51.100.7');
  expect(await one.closed).toBe(1006);
  expect((await other.ask({ janus: 'create' })).error?.code).toBe(403);
  await t.close();
});

test('8: a socket without a ticket, and a session without a sign of life, are closed', async () => {
  // Longer than a machine keeps somebody waiting who does show signs of life.
  const t = await testApp({ videoLimits: { createWithinMs: 12_000, sessionTimeoutMs: 15_000 } });
  const therapist = await aTherapist(t.db);
  const [bori, mihai] = [await inRoom(t.app, therapist), await inRoom(t.app, therapist)];
  const stranger = await openSocket(t.url);
  const living = await openProgram(t, bori);
  const alive = setInterval(
    () =>
      living.raw(
        JSON.stringify({ janus: 'keepalive', token: living.ticket, session_id: living.session, transaction: 'k' }),
      ),
    100,
  );
  const silent = await openProgram(t, mihai);
  await silent.room(await silent.attach(), { request: 'join', ptype: 'publisher', room: therapist.id });
  await silent.next('timeout', (told) => told.janus === 'timeout');
  expect(await silent.closed).toBe(1000);
  expect(await stranger.closed).toBe(1000);
  expect((await t.app.video.state(therapist.id)).faces).toEqual([]);
  expect(living.ws.readyState).toBe(WebSocket.OPEN);
  clearInterval(alive);
  await living.close();
  await t.close();
});
