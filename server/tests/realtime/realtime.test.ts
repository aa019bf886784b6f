/** The real-time channel with everything behind it: who is let in, what somebody who joins gets, what is refused. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyChange, type FieldCopy, FIELD_SEND } from '@fieldroom/contract/field';
import { remove } from '@fieldroom/contract/clients';
import { ownDestination, roomDestination, SEND, SOCKET_PATHS } from '@fieldroom/contract/realtime';
import { testApp, type TestApp } from '../support/test-app.ts';
import { aTherapist, type BuiltAccount } from '../../src/builders/accounts.builders.ts';
import { inRoom } from '../../src/builders/clients.builders.ts';
import { openClientScreen, openScreen, openTherapistScreen, type Screen } from '../support/people/screen.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const act = (therapist: BuiltAccount, x: number) =>
  t.app.field.act({ as: 'therapist', therapistId: therapist.id, personId: therapist.id }, crypto.randomUUID(), {
    kind: 'add',
    figure: { iconType: 'BAT', x, y: 1 },
  });
const problems = (screen: Screen) => screen.of('PROBLEM').map(({ contents }) => contents.problem.code);

test('no token, a wrong one and the guest’s login alone open nothing, on either path', async () => {
  await expect(openScreen(t.url, null)).rejects.toMatchObject({ code: 'not_signed_in' });
  for (const path of SOCKET_PATHS)
    await expect(openScreen(t.url, 'x'.repeat(43), { path })).rejects.toMatchObject({ code: 'session_expired' });
});

test('the token may come in a separate header', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openScreen(t.url, null, { headers: { token: therapist.token }, path: SOCKET_PATHS[1] });
  await screen.leave();
});

test('malformed, forged or unknown messages are refused to the sender alone, and the connection stays', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  const client = await inRoom(t.app, therapist);
  const page = await openClientScreen(t.url, client);
  await page.sendText(SEND.checkUpdate, '{');
  await page.send(SEND.checkUpdate, {
    userId: client.id,
    userType: 'CLIENT',
    usersUpdatedOn: 0,
    participantsUpdatedOn: 0,
    extra: 1,
  });
  await page.send(SEND.checkUpdate, {
    userId: therapist.id,
    userType: 'THERAPIST',
    usersUpdatedOn: 0,
    participantsUpdatedOn: 0,
  });
  await page.send(SEND.checkUpdate, {
    userId: client.id + 1,
    userType: 'CLIENT',
    usersUpdatedOn: 0,
    participantsUpdatedOn: 0,
  });
  await page.send(SEND.addUser, { userId: therapist.id, type: 'JOIN' });
  await page.send('/app/elsewhere', {});
  await page.send(roomDestination(therapist.id), { eventType: 'SESSION_OUT', contents: null });
  await expect
    .poll(() => problems(page))
    .toEqual([
      'frame_malformed',
      'invalid_input',
      'forbidden',
      'forbidden',
      'forbidden',
      'destination_unknown',
      'destination_unknown',
    ]);
  expect(page.of('PROBLEM')[1]!.contents.problem.fields).toEqual([{ path: 'extra', code: 'unknown_property' }]);
  expect(problems(screen)).toEqual([]);
  expect(screen.of('SESSION_OUT')).toEqual([]);
  expect(page.isOpen()).toBe(true);
  await page.leave();
  await screen.leave();
});

test('an act that does not fit its schema is refused to its sender alone, by the act’s id', async () => {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  const client = await inRoom(t.app, therapist);
  const page = await openClientScreen(t.url, client);
  const actId = crypto.randomUUID();
  await page.send(FIELD_SEND.act, { actId, act: { kind: 'place', figureId: 7, x: -5 } });
  await page.send(FIELD_SEND.act, 'nonsense');
  await expect.poll(() => problems(page)).toEqual(['invalid_input', 'invalid_input']);
  expect(page.of('PROBLEM').map(({ contents }) => contents)).toMatchObject([
    { actId, figureId: null, problem: { fields: [{ path: 'act.x', code: 'out_of_range' }] } },
    { actId: null, figureId: null },
  ]);
  expect(problems(screen)).toEqual([]);
  await page.leave();
  await screen.leave();
});

test('a person who joins in the middle of acts ends with the room’s field, without a gap', async () => {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  let go = true;
  const acting = (async () => {
    for (let x = 0; go && x < 400; x++) await act(therapist, x);
  })();
  const pages: Screen[] = [];
  for (let count = 0; count < 4; count++) pages.push(await openClientScreen(t.url, client));
  go = false;
  await acting;
  const last = (await t.app.room.stamps(therapist.id)).participantsUpdatedOn;
  for (const page of pages) {
    await expect
      .poll(() =>
        Math.max(
          0,
          ...page.heard.map(({ change }) => ('participantsUpdatedOn' in change ? change.participantsUpdatedOn : 0)),
        ),
      )
      .toBe(last);
    let copy: FieldCopy | null = null;
    for (const { change } of page.heard) {
      if (change.eventType === 'PLAYERS_VALUE') copy = { ...change.contents, revision: change.participantsUpdatedOn };
      if (change.eventType !== 'PLAYER_CHANGE' || copy === null) continue;
      const applied = applyChange(copy, change.contents);
      expect(applied.kind).not.toBe('gap');
      if (applied.kind === 'applied') copy = applied.field;
    }
    expect(copy).toEqual({ ...(await t.app.field.snapshot(therapist.id)), revision: last });
    await page.leave();
  }
});

test('check.update answers the asker alone, with what it lacks; stamps come once more after the last change', async () => {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  await act(therapist, 5);
  const [one, other] = [await openClientScreen(t.url, client), await openClientScreen(t.url, client)];
  // With both pages open: whatever came before is heard once the stamps after this change are.
  await act(therapist, 6);
  const last = (await t.app.room.stamps(therapist.id)).participantsUpdatedOn;
  const isLast = ({ participantsUpdatedOn }: { participantsUpdatedOn: number }) => participantsUpdatedOn === last;
  await one.next('STAMPS', isLast);
  const { contents, ...stamps } = await other.next('STAMPS', isLast);
  expect(contents).toBe(null);
  const heard = [one.heard.length, other.heard.length];
  /** On a slow machine stamps of a change before may have been read after it, so that the same ones come once more. */
  const answers = (page: Screen, from: number) =>
    page.heard.slice(from).filter(({ change }) => change.eventType !== 'STAMPS');
  const ask = (seen: object) =>
    one.send(SEND.checkUpdate, {
      userId: client.id,
      userType: 'CLIENT',
      usersUpdatedOn: stamps.usersUpdatedOn,
      participantsUpdatedOn: stamps.participantsUpdatedOn,
      ...seen,
    });
  await ask({});
  await ask({ participantsUpdatedOn: stamps.participantsUpdatedOn - 1 });
  await ask({ usersUpdatedOn: 0 });
  expect(answers(one, heard[0]!).map(({ change, destination }) => [change.eventType, destination])).toEqual([
    ['PLAYERS_VALUE', ownDestination(client.id)],
    ['UNREGISTER_USER', ownDestination(client.id)],
  ]);
  expect(answers(other, heard[1]!)).toEqual([]);
  await one.leave();
  await other.leave();
});

test('a person who was sent out between two messages changes nothing any more', async () => {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  const page = await openClientScreen(t.url, client);
  const before = await t.app.room.stamps(therapist.id);
  await t.api(remove, { body: { clientId: client.id } }, { token: therapist.token });
  page
    .send(FIELD_SEND.act, { actId: crypto.randomUUID(), act: { kind: 'add', figure: { iconType: 'BAT', x: 1, y: 1 } } })
    .catch(() => {});
  await page.closed;
  expect((await t.app.room.stamps(therapist.id)).participantsUpdatedOn).toBe(before.participantsUpdatedOn);
});

test('moves keep their place behind the acts of the same hand, the therapist’s too', async () => {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  const screen = await openTherapistScreen(t.url, therapist);
  const page = await openClientScreen(t.url, client);
  const send = (one: Screen, what: object) => one.send(FIELD_SEND.act, { actId: crypto.randomUUID(), act: what });
  await send(screen, { kind: 'add', figure: { iconType: 'BAT', x: 1, y: 1, movableBy: 'everyone' } });
  const figureId = (await page.next('PLAYER_CHANGE')).contents.ops.flatMap((op) =>
    op.op === 'put' ? [op.figure.id] : [],
  )[0]!;
  let released = 0;
  const release = async (hand: Screen) => {
    const x = 100 + ++released;
    await hand.send(FIELD_SEND.drag, { figureId, x: 2, y: 1, end: true });
    // The pointer goes out after the end of the hold, which comes by itself if the machine was suspended for seconds.
    await hand.send(FIELD_SEND.point, { x, y: 1 });
    await page.next('POINTER', ({ contents }) =>
      contents.pointers.some((pointer) => 'x' in pointer && pointer.x === x),
    );
    expect(page.of('PLAYER_DRAG').some(({ contents }) => contents.drags.some((drag) => drag.end))).toBe(true);
  };
  // The lane reads the room's picture when somebody first moves; earlier moves are dropped.
  await expect
    .poll(async () => (await screen.send(FIELD_SEND.drag, { figureId, x: 2, y: 1 }), page.of('PLAYER_DRAG').length))
    .toBeGreaterThan(0);
  await release(screen);
  for (const [hand, x] of [
    [page, 10],
    [screen, 20],
  ] as const) {
    const after = page.heard.length;
    // Not awaited: the move arrives while the act is being stored.
    await Promise.all([
      send(hand, { kind: 'place', figureId, x, y: 1 }),
      hand.send(FIELD_SEND.drag, { figureId, x, y: 1 }),
    ]);
    await page.next('PLAYER_DRAG', () => true, after);
    expect(
      page.heard
        .slice(after)
        .map(({ change }) => change.eventType)
        .filter((type) => type.startsWith('PLAYER_')),
    ).toEqual(['PLAYER_CHANGE', 'PLAYER_DRAG']);
    await release(hand);
  }
  await page.leave();
  await screen.leave();
});

test('someone who leaves while its seat is being read is not taken for present by what was read', async () => {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  const screen = await openTherapistScreen(t.url, therapist);
  const page = await openClientScreen(t.url, client);
  const pointing = (after: number) =>
    screen.heard
      .slice(after)
      .flatMap(({ change }) => (change.eventType === 'POINTER' ? change.contents.pointers.map(({ by }) => by) : []));
  // As above: until one is seen.
  await expect.poll(async () => (await page.send(FIELD_SEND.point, { x: 2, y: 1 }), pointing(0))).toContain(client.id);

  const { seatOf } = t.app.clients;
  const [read, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  t.app.clients.seatOf = async (id) => {
    const seat = await seatOf(id);
    read.resolve();
    await told.promise;
    return seat;
  };
  try {
    const asked = page.send(SEND.checkUpdate, {
      userId: client.id,
      userType: 'CLIENT',
      usersUpdatedOn: 0,
      participantsUpdatedOn: 0,
    });
    await read.promise;
    await t.app.clients.setNonActive(client.id);
    told.resolve();
    await asked;
  } finally {
    t.app.clients.seatOf = seatOf;
  }
  // Its pointer went with it; when the therapist's own shows, everything before it has been shown.
  await screen.next('POINTER', ({ contents }) => contents.pointers.some((pointer) => 'off' in pointer));
  const after = screen.heard.length;
  for (let round = 0; round < 2; round++) {
    const seen = screen.heard.length;
    await expect
      .poll(
        async () => (
          await page.send(FIELD_SEND.point, { x: 3, y: 1 }),
          await screen.send(FIELD_SEND.point, { x: 4, y: 1 }),
          pointing(seen)
        ),
      )
      .toContain(therapist.id);
  }
  expect(pointing(after)).not.toContain(client.id);
  await page.leave();
  await screen.leave();
});

test('a graceful stop tells every browser first', async () => {
  const own = await testApp();
  const therapist = await aTherapist(own.db);
  const screen = await openTherapistScreen(own.url, therapist);
  await own.close();
  await screen.closed;
  expect(screen.heard.at(-1)!.change).toEqual({ eventType: 'RESTART', contents: null });
});
