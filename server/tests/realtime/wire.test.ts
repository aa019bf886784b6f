/**
 * The wire attacked from outside, over real sockets: everything malformed, foreign, forged or out of bounds is refused
 * in clear words to its sender alone, changes no row, and disturbs nobody else's connection.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { fieldAct, type FieldAct, FIELD_SEND } from '@fieldroom/contract/field';
import { ownDestination, roomDestination, SEND, SOCKET_PATHS } from '@fieldroom/contract/realtime';
import { testApp, type TestApp } from '../support/test-app.ts';
import { openScreen, type Screen } from '../support/people/screen.ts';
import { aPractice, everyRow, linesOf, type Practice } from '../support/people/practice.ts';

let t: TestApp;
let ours: Practice;
let theirs: Practice;
let screen: Screen;
let holder: Screen;
let guest: Screen;
let waiting: Screen;
let stranger: Screen;

beforeAll(async () => {
  t = await testApp();
  [ours, theirs] = [await aPractice(t), await aPractice(t)];
  ({ screen, holder, guest, waiting } = await linesOf(t, ours));
  stranger = (await linesOf(t, theirs)).holder;
});
afterAll(() => t.close());

/** Everybody who must learn nothing of an attack and stay connected. */
const bystanders = () => [screen, holder, guest, waiting, stranger];
/** What came until nothing more is under way: each connection answers a receipt after everything before it. */
async function heardBy(page: Screen): Promise<unknown[]> {
  await page.send(FIELD_SEND.point, { off: true });
  // Stamps that follow the last change by a second, and news about connections, are no answer to an attack.
  return page.heard
    .map(({ change }) => change)
    .filter(({ eventType }) => !['STAMPS', 'UNREGISTER_USER', 'LOGIN', 'LOGOUT', 'REFRESH_ADMIN'].includes(eventType));
}
const problems = (page: Screen, from = 0) =>
  page.heard.slice(from).flatMap(({ change }) => (change.eventType === 'PROBLEM' ? [change.contents] : []));

let before: Record<string, string[]>;
let quiet: unknown[][];
beforeEach(async () => {
  before = await everyRow(t.db);
  quiet = await Promise.all(bystanders().map(heardBy));
});
/** Nothing was changed; everybody except the attackers received nothing and goes on. */
async function expectUnharmed(...attackers: Screen[]): Promise<void> {
  expect(await everyRow(t.db)).toEqual(before);
  for (const [index, page] of bystanders().entries()) {
    if (attackers.includes(page)) continue;
    expect(page.isOpen()).toBe(true);
    expect(await heardBy(page)).toEqual(quiet[index]);
  }
}

interface Named {
  figureId: number;
  clientId: number;
  constellationId: number;
  momentId: number;
  actId: string;
}

const idsOf = (practice: Practice, figure: { id: number }, client: { id: number }): Named => ({
  figureId: figure.id,
  clientId: client.id,
  constellationId: practice.constellationId,
  momentId: practice.momentId,
  actId: practice.therapistAct,
});

/** One act of every kind; there is no other kind. Takes the ids that it names. */
function acts({ figureId, clientId, constellationId, momentId, actId }: Named): {
  [K in FieldAct['kind']]: Extract<FieldAct, { kind: K }>;
} {
  return {
    add: { kind: 'add', figure: { iconType: 'STAR', x: 1, y: 1 } },
    place: { kind: 'place', figureId, x: 7 },
    edit: { kind: 'edit', figureId, name: 'Mine' },
    reorder: { kind: 'reorder', figureId, to: 'back' },
    remove: { kind: 'remove', figureId },
    showTexts: { kind: 'showTexts', value: false },
    toggleText: { kind: 'toggleText', figureId },
    toggleIconType: { kind: 'toggleIconType', figureId },
    reset: { kind: 'reset' },
    clear: { kind: 'clear' },
    load: { kind: 'load', constellationId, standing: 1000 },
    hands: { kind: 'hands', allowed: false },
    giveRole: { kind: 'giveRole', clientId, figureId },
    takeRole: { kind: 'takeRole', clientId, figureId },
    activeRole: { kind: 'activeRole', clientId, figureId },
    undo: { kind: 'undo', actId },
    backToMoment: { kind: 'backToMoment', momentId },
  };
}
const KINDS = fieldAct.def.options.map((option) => option.shape.kind.def.values[0]!);

describe('acts of every kind', () => {
  test('the list names each kind of the contract', () => {
    expect(
      Object.keys(acts({ figureId: 1, clientId: 1, constellationId: 1, momentId: 1, actId: '' })).toSorted(),
    ).toEqual(KINDS.toSorted());
  });

  /** What the sender reads if the ids are of their room but not their own, and if they are of another room. */
  const ONE_OF_OURS: Record<FieldAct['kind'], string> = {
    add: 'forbidden',
    place: 'figure_not_yours',
    edit: 'forbidden',
    reorder: 'forbidden',
    remove: 'forbidden',
    showTexts: 'forbidden',
    toggleText: 'figure_not_yours',
    toggleIconType: 'forbidden',
    reset: 'forbidden',
    clear: 'forbidden',
    load: 'forbidden',
    hands: 'forbidden',
    giveRole: 'forbidden',
    takeRole: 'forbidden',
    activeRole: 'forbidden',
    undo: 'not_found',
    backToMoment: 'forbidden',
  };
  const FOREIGN: Partial<Record<FieldAct['kind'], string>> = { place: 'not_found', toggleText: 'not_found' };

  test.each(KINDS)('%s from a client on what is the therapist’s, another client’s or another room’s', async (kind) => {
    const cases = [
      { ids: idsOf(ours, ours.free, ours.holder), code: ONE_OF_OURS[kind] },
      { ids: idsOf(ours, ours.held, ours.holder), code: ONE_OF_OURS[kind] },
      {
        ids: idsOf(theirs, theirs.free, theirs.holder),
        code: FOREIGN[kind] ?? ONE_OF_OURS[kind],
      },
      {
        ids: {
          figureId: Number.MAX_SAFE_INTEGER,
          clientId: Number.MAX_SAFE_INTEGER,
          constellationId: Number.MAX_SAFE_INTEGER,
          momentId: Number.MAX_SAFE_INTEGER,
          actId: crypto.randomUUID(),
        },
        code: FOREIGN[kind] ?? ONE_OF_OURS[kind],
      },
    ];
    for (const { ids, code } of cases) {
      const from = guest.heard.length;
      const actId = crypto.randomUUID();
      await guest.send(FIELD_SEND.act, { actId, act: acts(ids)[kind] });
      expect(problems(guest, from)).toEqual([
        expect.objectContaining({ actId, problem: expect.objectContaining({ code }) }),
      ]);
    }
    await expectUnharmed(guest);
  });

  test('none of them from somebody who waits, nor a drag or a pointer', async () => {
    for (const kind of KINDS) {
      const from = waiting.heard.length;
      await waiting.send(FIELD_SEND.act, {
        actId: crypto.randomUUID(),
        act: acts(idsOf(ours, ours.held, ours.waiting))[kind],
      });
      await waiting.send(FIELD_SEND.drag, { figureId: ours.held.id, x: 1, y: 1 });
      await waiting.send(FIELD_SEND.point, { x: 1, y: 1 });
      expect(
        problems(waiting, from).map(({ problem }) => problem.code),
        kind,
      ).toEqual(['not_admitted']);
    }
    await expectUnharmed(waiting);
  });

  test('a therapist reaches nothing of another room', async () => {
    for (const kind of [
      'place',
      'edit',
      'reorder',
      'remove',
      'toggleText',
      'toggleIconType',
      'giveRole',
      'takeRole',
      'activeRole',
      'undo',
      'load',
      'backToMoment',
    ] as const) {
      const from = screen.heard.length;
      await screen.send(FIELD_SEND.act, {
        actId: crypto.randomUUID(),
        act: acts(idsOf(theirs, theirs.held, theirs.holder))[kind],
      });
      expect(
        problems(screen, from).map(({ problem }) => problem.code),
        kind,
      ).toEqual([kind === 'load' ? 'constellation_gone' : 'not_found']);
    }
    await expectUnharmed(screen);
  });

  test('the id of another person’s act acts nothing', async () => {
    const from = holder.heard.length;
    await holder.send(FIELD_SEND.act, {
      actId: ours.therapistAct,
      act: { kind: 'place', figureId: ours.held.id, x: 3 },
    });
    expect(problems(holder, from).map(({ problem }) => problem.code)).toEqual(['conflict']);
    await expectUnharmed(holder);
  });
});

describe('numbers and texts that cannot be', () => {
  /** JSON on the wire, for values that JSON.stringify would not write. */
  const UNFIT_NUMBERS = ['1e999', '-1e999', 'null', '"12"', '"NaN"', 'true', '[]', '{}', '-0.001', '1600.001', '1e15'];
  test('NaN, infinity and what is no number are no coordinates', async () => {
    for (const written of UNFIT_NUMBERS) {
      const from = holder.heard.length;
      await holder.sendText(
        FIELD_SEND.act,
        `{"actId":"${crypto.randomUUID()}","act":{"kind":"place","figureId":${ours.held.id},"x":${written}}}`,
      );
      expect(
        problems(holder, from).map(({ problem }) => [problem.code, problem.fields?.map(({ path }) => path)]),
        written,
      ).toEqual([['invalid_input', ['act.x']]]);
    }
    await expectUnharmed(holder);
  });

  test('no figure is placed, turned or scaled off the field', async () => {
    for (const [name, value] of [
      ['x', 1600.5],
      ['y', 1000.5],
      ['y', -1],
      ['rotation', 3601],
      ['rotation', -3601],
      ['scale', 0.24],
      ['scale', 4.01],
      ['scale', 0],
      ['scale', -1],
    ] as const) {
      const from = holder.heard.length;
      await holder.send(FIELD_SEND.act, {
        actId: crypto.randomUUID(),
        act: { kind: 'place', figureId: ours.held.id, [name]: value },
      });
      expect(
        problems(holder, from).map(({ problem }) => problem.fields),
        `${name} ${value}`,
      ).toEqual([[{ path: `act.${name}`, code: 'out_of_range' }]]);
    }
    await expectUnharmed(holder);
  });

  test('a body that is no JSON, or none of the messages', async () => {
    for (const body of [
      'NaN',
      'Infinity',
      '{"x":1',
      '',
      '\u0000',
      '"text"',
      '[]',
      'null',
      '{"__proto__":{"actId":1}}',
    ]) {
      const from = holder.heard.length;
      await holder.sendText(FIELD_SEND.act, body);
      expect(
        problems(holder, from).map(({ problem }) => problem.code),
        body,
      ).toEqual([expect.stringMatching(/^(?:frame_malformed|invalid_input)$/)]);
    }
    await expectUnharmed(holder);
  });

  test.each([
    ['10 kB', 'n'.repeat(10_240), 'too_long'],
    ['61 letters', 'n'.repeat(61), 'too_long'],
    ['a control character', 'a\u0007b', 'unsafe_characters'],
    ['a NUL', 'a\u0000b', 'unsafe_characters'],
    ['a line break', 'a\nb', 'unsafe_characters'],
    ['a bidi override', 'a\u202Eb', 'unsafe_characters'],
    ['a bidi isolate', 'a\u2066b', 'unsafe_characters'],
    ['a lone surrogate', 'a\uD800b', 'unsafe_characters'],
  ])('a name with %s', async (_what, name, code) => {
    const from = screen.heard.length;
    await screen.send(FIELD_SEND.act, {
      actId: crypto.randomUUID(),
      act: { kind: 'edit', figureId: ours.free.id, name },
    });
    await screen.send(FIELD_SEND.act, {
      actId: crypto.randomUUID(),
      act: { kind: 'add', figure: { iconType: 'STAR', x: 1, y: 1, name } },
    });
    expect(problems(screen, from).map(({ problem }) => problem.fields)).toEqual([
      [{ path: 'act.name', code }],
      [{ path: 'act.figure.name', code }],
    ]);
    const entered = await t.fetch('/api/room/enter', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ joinLink: ours.therapist.joinLink, name }),
    });
    expect(await entered.json()).toMatchObject({ code: 'invalid_input', fields: [{ path: 'name', code }] });
    await expectUnharmed(screen);
  });

  test('drags and pointers off the field, without numbers, under another name, of foreign and others’ figures: nobody sees any of it', async () => {
    const x = 5;
    const y = 5;
    const room = [screen, holder, guest];
    // The lane is open, and everything that may be seen is seen.
    await expect
      .poll(async () => {
        await holder.send(FIELD_SEND.drag, { figureId: ours.held.id, x: 6, y: 6 });
        return guest.of('PLAYER_DRAG').length;
      })
      .toBeGreaterThan(0);
    await holder.send(FIELD_SEND.drag, { figureId: ours.held.id, x: 6, y: 6, end: true });
    for (const page of room)
      await page.next('PLAYER_DRAG', ({ contents }) => contents.drags.some((drag) => drag.end === true));
    const from = room.map((page) => page.heard.length);
    for (const [page, destination, text] of [
      [holder, FIELD_SEND.drag, `{"figureId":${ours.held.id},"x":1e999,"y":1}`],
      [holder, FIELD_SEND.drag, JSON.stringify({ figureId: ours.held.id, x: 1601, y })],
      [holder, FIELD_SEND.drag, JSON.stringify({ figureId: ours.held.id, x: null, y })],
      [holder, FIELD_SEND.drag, JSON.stringify({ figureId: ours.held.id, x: '5', y })],
      [holder, FIELD_SEND.drag, JSON.stringify({ figureId: ours.held.id, x, y, scale: 5 })],
      [holder, FIELD_SEND.drag, JSON.stringify({ figureId: ours.held.id, x, y, by: ours.therapist.id })],
      [guest, FIELD_SEND.drag, JSON.stringify({ figureId: ours.held.id, x, y })],
      [guest, FIELD_SEND.drag, JSON.stringify({ figureId: ours.free.id, x, y })],
      [guest, FIELD_SEND.drag, JSON.stringify({ figureId: theirs.held.id, x, y })],
      [guest, FIELD_SEND.point, '{"x":1e999,"y":1}'],
      [guest, FIELD_SEND.point, JSON.stringify({ x: -1, y })],
      [guest, FIELD_SEND.point, JSON.stringify({ x, y, name: 'Somebody else' })],
      [guest, FIELD_SEND.point, JSON.stringify({ x, y, by: ours.therapist.id })],
      [waiting, FIELD_SEND.drag, JSON.stringify({ figureId: ours.held.id, x, y })],
      [waiting, FIELD_SEND.point, JSON.stringify({ x, y })],
    ] as const)
      await page.sendText(destination, text);
    // What is sent with the next tick comes after everything before it.
    await screen.send(FIELD_SEND.point, { x: 77, y: 77 });
    for (const page of room)
      await page.next('POINTER', ({ contents }) =>
        contents.pointers.some((pointer) => 'x' in pointer && pointer.x === 77),
      );
    await screen.send(FIELD_SEND.point, { off: true });
    for (const page of room)
      await page.next('POINTER', ({ contents }) => contents.pointers.some((pointer) => 'off' in pointer));
    for (const [index, page] of room.entries()) {
      const since = page.heard.slice(from[index]).map(({ change }) => change);
      expect(since.filter(({ eventType }) => eventType === 'PLAYER_DRAG')).toEqual([]);
      expect(
        since
          .flatMap((change) => (change.eventType === 'POINTER' ? change.contents.pointers.map(({ by }) => by) : []))
          .filter((by) => by !== ours.therapist.id),
      ).toEqual([]);
    }
    // The volatile lane says why once a second at most; what follows is silently ignored.
    for (const page of [holder, guest])
      expect(problems(page).at(-1)!.problem.code).toMatch(/^(?:invalid_input|not_found|figure_not_yours)$/);
    await expectUnharmed(screen, holder, guest);
  });
});

describe('forged names of oneself', () => {
  test('userId, userType and X-Therapist-Id give nothing', async () => {
    const from = guest.heard.length;
    const seen = { usersUpdatedOn: 0, participantsUpdatedOn: 0 };
    await guest.send(SEND.checkUpdate, { userId: ours.therapist.id, userType: 'THERAPIST', ...seen });
    await guest.send(SEND.checkUpdate, { userId: ours.guest.id, userType: 'THERAPIST', ...seen });
    await guest.send(SEND.checkUpdate, { userId: theirs.holder.id, userType: 'CLIENT', ...seen });
    await guest.send(SEND.addUser, { userId: ours.therapist.id, type: 'JOIN' });
    await guest.send(SEND.addUser, { userId: ours.guest.id, type: 'LEAVE' });
    await guest.send(FIELD_SEND.act, {
      actId: crypto.randomUUID(),
      act: { kind: 'remove', figureId: ours.free.id },
      userId: ours.therapist.id,
      userType: 'THERAPIST',
    });
    expect(problems(guest, from).map(({ problem }) => problem.code)).toEqual([
      'forbidden',
      'forbidden',
      'forbidden',
      'forbidden',
      'invalid_input',
      'invalid_input',
    ]);
    expect(guest.heard.slice(from)).toHaveLength(6);
    await expectUnharmed(guest);
  });

  test('headers of CONNECT and SEND that claim to be the therapist', async () => {
    const claims = {
      'X-Therapist-Id': String(ours.therapist.id),
      userId: String(ours.therapist.id),
      userType: 'THERAPIST',
      roles: 'ROLE_THERAPIST',
    };
    const page = await openScreen(t.url, ours.guest.token, { headers: claims });
    await page.subscribe(ownDestination(ours.guest.id));
    const from = page.heard.length;
    await page.send(FIELD_SEND.act, { actId: crypto.randomUUID(), act: { kind: 'reset' } });
    expect(problems(page, from).map(({ problem }) => problem.code)).toEqual(['forbidden']);
    await expect(page.subscribe(ownDestination(ours.therapist.id))).rejects.toMatchObject({ code: 'forbidden' });
    await expectUnharmed(guest);
  });

  test('X-Therapist-Id of HTTP scopes and never authorises', async () => {
    const headers = { 'x-therapist-id': String(theirs.therapist.id), 'content-type': 'application/json' };
    for (const [path, body, code] of [
      ['/api/participant/save', { id: theirs.free.id, x: 9 }, 'not_found'],
      ['/api/participant/toggleIconType', { id: theirs.free.id }, 'not_found'],
      ['/api/room/remove', { clientId: theirs.holder.id }, 'not_found'],
    ] as const) {
      const answer = await t.fetch(path, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${ours.therapist.token}` },
        body: JSON.stringify(body),
      });
      expect(await answer.json(), path).toMatchObject({ code });
    }
    await expectUnharmed();
  });
});

describe('destinations', () => {
  const foreign = () => [
    roomDestination(theirs.therapist.id),
    ownDestination(ours.therapist.id),
    ownDestination(ours.holder.id),
    ownDestination(theirs.holder.id),
    '/sb/user/*',
    '/sb/user/**',
    '/sb/user/only/*',
    '/sb/user/#',
    '/sb/user/',
    '/sb/user/only/',
    '/sb/*',
    '*',
    '/',
    '',
    `${roomDestination(ours.therapist.id)}/`,
    `${roomDestination(ours.therapist.id)}/../${theirs.therapist.id}`,
    `/sb/user/0${theirs.therapist.id}`,
    `/sb/user/${theirs.therapist.id}.0`,
    '/sb/user/9007199254740993',
    `/topic/${ours.therapist.id}`,
    'connections',
    '/app/field.act',
    '/sb/user/__proto__',
  ];

  test('nobody can subscribe where they don’t belong: an ERROR, and the connection ends', async () => {
    for (const destination of foreign()) {
      const page = await openScreen(t.url, ours.guest.token);
      await expect(page.subscribe(destination), destination).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:forbidden|protocol)$/),
      });
      expect(await page.closed).toMatch(/^(?:forbidden|protocol)$/);
      expect(page.heard).toEqual([]);
    }
    await expectUnharmed(guest);
  });

  test('a person who waits can’t subscribe to the room, and receives nothing of it', async () => {
    for (const destination of [roomDestination(ours.therapist.id), ...foreign()]) {
      const page = await openScreen(t.url, ours.waiting.token);
      await expect(page.subscribe(destination), destination).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:forbidden|protocol)$/),
      });
    }
    await expectUnharmed(waiting);
  });

  test('nobody can publish on /sb/, whatever they send', async () => {
    const forged = {
      eventType: 'SESSION_OUT',
      contents: { reason: 'ended' },
      usersUpdatedOn: 99,
      participantsUpdatedOn: 99,
    };
    for (const page of [guest, screen]) {
      const from = page.heard.length;
      const destinations = [
        roomDestination(ours.therapist.id),
        ownDestination(ours.holder.id),
        ownDestination(ours.guest.id),
        roomDestination(theirs.therapist.id),
        '/sb/user/*',
        'connections',
        '/app/field.act/',
        '/app/__proto__',
      ];
      for (const destination of destinations) await page.send(destination, forged);
      expect(problems(page, from).map(({ problem }) => problem.code)).toEqual(
        destinations.map(() => 'destination_unknown'),
      );
      expect(page.of('SESSION_OUT')).toEqual([]);
    }
    await expectUnharmed(guest, screen);
  });
});

describe('frames', () => {
  /** A socket without any library. Returns all that came until the server closed it. */
  function raw(...chunks: (string | Buffer)[]): Promise<{ code: number; text: string }> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(t.url.replace(/^http/, 'ws') + SOCKET_PATHS[0], ['v12.stomp']);
      let text = '';
      socket.on('message', (data) => (text += String(data)));
      socket.on('close', (code) => resolve({ code, text }));
      socket.on('error', reject);
      socket.on('open', () => {
        for (const chunk of chunks) socket.send(chunk);
      });
    });
  }
  const connect = () =>
    `CONNECT\naccept-version:1.2\nlogin:guest\npasscode:guest\nAuthorization:Bearer ${ours.guest.token}\n\n\0`;
  const act = () =>
    JSON.stringify({ actId: crypto.randomUUID(), act: { kind: 'place', figureId: ours.held.id, x: 1 } });

  test.each([
    ['no frame at all', () => ['GET / HTTP/1.1\r\nHost: x\r\n\r\n\0']],
    ['a frame before CONNECT', () => [`SEND\ndestination:${FIELD_SEND.act}\n\n${act()}\0`]],
    ['an unknown command', () => [connect(), 'DROP\ndestination:/x\n\n\0']],
    ['a header without a colon', () => [connect(), `SEND\ndestination\n\n${act()}\0`]],
    ['an unknown escape', () => [connect(), `SEND\ndestination:/a\\q\n\n${act()}\0`]],
    ['no destination', () => [connect(), `SEND\n\n${act()}\0`]],
    [
      'a length that is none',
      () => [connect(), `SEND\ndestination:${FIELD_SEND.act}\ncontent-length:-1\n\n${act()}\0`],
    ],
    [
      'a length longer than may be',
      () => [connect(), `SEND\ndestination:${FIELD_SEND.act}\ncontent-length:99999999\n\n`],
    ],
    [
      'a length shorter than the body',
      () => [connect(), `SEND\ndestination:${FIELD_SEND.act}\ncontent-length:2\n\n${act()}\0`],
    ],
    ['a frame of 70 kB', () => [connect(), `SEND\ndestination:${FIELD_SEND.act}\n\n${'x'.repeat(70_000)}\0`]],
    ['a message of 1 MB', () => [connect(), `SEND\ndestination:${FIELD_SEND.act}\n\n${'x'.repeat(1_000_000)}\0`]],
    ['a head of 100 kB', () => [connect(), `SEND\n${'a:b\n'.repeat(25_000)}\n\0`]],
    [
      'bytes that are no UTF-8',
      () => [
        connect(),
        Buffer.concat([Buffer.from(`SEND\nx:`), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('\n\n\0')]),
      ],
    ],
    ['a second CONNECT', () => [connect(), connect()]],
  ] as [string, () => (string | Buffer)[]][])(
    '%s ends this connection alone, and echoes nothing',
    async (_what, chunks) => {
      const { code, text } = await raw(...chunks());
      expect([1002, 1003, 1007, 1008, 1009]).toContain(code);
      if (code !== 1009 && code !== 1007) expect(text).toMatch(/ERROR\n/);
      expect(text).not.toContain(ours.guest.token);
      expect(text).not.toMatch(/\bat .*\.ts:\d/);
      await expectUnharmed(guest);
    },
  );
});
