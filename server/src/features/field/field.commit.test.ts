/**
 * The answer to a commit is lost on the way from a real database: the act is stored, and everybody gets it. Between the
 * server and the database is a proxy that the test can break at that moment.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import { aFigure } from '../../builders/field.builders.ts';
import { DatabaseUnavailable, openDatabase, type Database } from '../../platform/db/db.ts';
import { Waits, withWaits } from '../../platform/db/waits.ts';
import { type ChaosProxy, chaosProxy, COMMITTED } from '../../../tests/support/programs/chaos-proxy.ts';
import { logSpy, testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { aNode, aRoom, type Node } from './field.fixture.ts';

let platform: TestPlatform;
let proxy: ChaosProxy;
let database: Database;
let node: Node;

beforeAll(async () => {
  platform = await testPlatform();
  proxy = await chaosProxy(platform.config.databaseUrl!);
  // The product's own pool: with a bare one, drizzle keeps a connection that breaks at BEGIN and never finishes
  // closing.
  database = await openDatabase({ ...platform.config, databaseUrl: proxy.url }, logSpy().log);
  node = aNode({ ...platform, db: database.roomDb }, undefined, { stampsAfterMs: 20 });
});
afterAll(async () => {
  await node.stop();
  await database.close();
  await proxy.close();
  await platform.close();
});

/** Loses the next answer to a commit. Resolves when it is lost. */
const loseAnswer = () => proxy.cutOnce(COMMITTED, 'down');
const heard = (to: string) => node.sent.filter((one) => one.to === to).map(({ change }) => change);

test('an act whose commit was not answered is found by its id, announced and confirmed once', async () => {
  const room = await aRoom(platform, node);
  const [ada] = room.clients;
  const figure = await aFigure(platform.db, { therapistId: room.therapistId, movableBy: 'everyone' });
  node.sent.length = 0;
  const actId = randomUUID();
  const lost = loseAnswer();
  await node.send(ada!, FIELD_SEND.act, { actId, act: { kind: 'place', figureId: figure.id, x: 77, y: 7 } });
  await lost;
  expect(await room.copy()).toMatchObject({ revision: 1, figures: [{ x: 77 }] });
  const changes = heard(roomDestination(room.therapistId)).filter(({ eventType }) => eventType === 'PLAYER_CHANGE');
  expect(changes).toEqual([
    expect.objectContaining({
      participantsUpdatedOn: 1,
      contents: expect.objectContaining({ actId, revision: 1, by: ada!.personId }),
    }),
  ]);
  expect(heard(ownDestination(ada!.personId))).toEqual([]);
  expect(node.faults).toEqual([]);
});

test('everybody gets the roles given by such an act', async () => {
  const room = await aRoom(platform, node);
  const [ada] = room.clients;
  const figure = await aFigure(platform.db, { therapistId: room.therapistId });
  node.sent.length = 0;
  const lost = loseAnswer();
  await node.field.act(room.therapist, randomUUID(), {
    kind: 'giveRole',
    clientId: ada!.personId,
    figureId: figure.id,
  });
  await lost;
  const people = heard(roomDestination(room.therapistId)).flatMap((change) =>
    change.eventType === 'UNREGISTER_USER' ? change.contents.people : [],
  );
  expect(people).toContainEqual(expect.objectContaining({ id: ada!.personId, roles: [figure.id] }));
});

test('a live session whose end was not answered has ended for everybody', async () => {
  const room = await aRoom(platform, node);
  node.sent.length = 0;
  const lost = loseAnswer();
  expect(await node.sessions.end(room.therapistId, 'ended')).toBe(true);
  await lost;
  expect(await node.sessions.running(room.therapistId)).toBeNull();
  const ends = heard(roomDestination(room.therapistId)).filter(({ eventType }) => eventType === 'SESSION_OUT');
  expect(ends).toEqual([
    expect.objectContaining({ contents: { reason: 'ended' }, usersUpdatedOn: expect.any(Number) }),
  ]);
});

test('a person admitted by such an act is told once', async () => {
  const { therapistId, account } = await aRoom(platform, node);
  const { joinLink } = await node.clients.roomState(therapistId);
  const entered = await node.clients.enter({ joinLink, name: 'Cili' }, { principal: null, ip: '192.0.2.7' });
  node.sent.length = 0;
  const lost = loseAnswer();
  expect(await node.clients.admit(account.id, [entered.client.id])).toEqual({
    admitted: [entered.client.id],
    refused: [],
  });
  await lost;
  expect(heard(ownDestination(entered.client.id))).toEqual([
    expect.objectContaining({ eventType: 'ADMISSION', contents: { state: 'in' } }),
  ]);
});

test('an act whose transaction was rolled back is reported as failed', async () => {
  const { therapistId } = await aRoom(platform, node);
  node.sent.length = 0;
  const acted = node.room.act(therapistId, async (tx, _row, afterCommit) => {
    // Checked only at the commit.
    await tx.execute(
      sql`CREATE TEMPORARY TABLE late (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP`,
    );
    await tx.execute(sql`INSERT INTO late VALUES (1), (1)`);
    afterCommit(() => node.room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
  });
  await expect(acted).rejects.toThrow();
  expect(heard(ownDestination(therapistId))).toEqual([]);
});

test('if its outcome stays unknown, its sender is told so, and the stamps follow as soon as the database is back', async () => {
  const room = await aRoom(platform, node);
  const [ada] = room.clients;
  const figure = await aFigure(platform.db, { therapistId: room.therapistId, movableBy: 'everyone' });
  node.sent.length = 0;
  const actId = randomUUID();
  const gone = loseAnswer().then(() => proxy.down());
  await node.send(ada!, FIELD_SEND.act, { actId, act: { kind: 'place', figureId: figure.id, x: 77, y: 7 } });
  expect(heard(ownDestination(ada!.personId))).toEqual([
    expect.objectContaining({ eventType: 'PROBLEM', contents: expect.objectContaining({ actId }) }),
  ]);
  // Stamps of earlier changes may still be on their way.
  expect(
    heard(roomDestination(room.therapistId)).filter(
      (change) => 'participantsUpdatedOn' in change && change.participantsUpdatedOn > 0,
    ),
  ).toEqual([]);
  await gone;
  await proxy.up();
  await expect
    .poll(() => heard(roomDestination(room.therapistId)))
    .toContainEqual(expect.objectContaining({ eventType: 'STAMPS', participantsUpdatedOn: 1 }));
  // Sent again, it is confirmed and not repeated.
  await node.send(ada!, FIELD_SEND.act, { actId, act: { kind: 'place', figureId: figure.id, x: 77, y: 7 } });
  expect(heard(ownDestination(ada!.personId)).at(-1)).toMatchObject({
    eventType: 'PLAYER_CHANGE',
    contents: { actId, revision: 1 },
  });
});

test('no caller waits longer for the search than its total database time; its result is announced', async () => {
  const { therapistId } = await aRoom(platform, node);
  node.sent.length = 0;
  // All of the time is used up when the answer is lost, and not before, however slow this machine is. From then on the
  // search gets no answers either.
  let isLost = false;
  const lost = loseAnswer().then(() => {
    isLost = true;
    proxy.hang();
  });
  const waits = new Waits(60_000, 0, () => performance.now() + (isLost ? 60_000 : 0));
  const acted = withWaits(waits, () =>
    node.room.act(therapistId, async (_tx, _row, afterCommit) => {
      afterCommit(() => node.room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
    }),
  );
  await expect(acted).rejects.toMatchObject({ cause: expect.any(DatabaseUnavailable) });
  await lost;
  expect(heard(ownDestination(therapistId))).toEqual([]);
  proxy.resume();
  await expect
    .poll(() => heard(ownDestination(therapistId)).map(({ eventType }) => eventType))
    .toEqual(['REFRESH_ADMIN']);
});
