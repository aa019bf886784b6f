/**
 * The answer to a commit is lost on the way from a real database: the act is stored, and everybody learns of it.
 * Between the server and the database is a proxy that the test can break at that very moment.
 */
import { randomUUID } from 'node:crypto';
import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import { aFigure } from '../../builders/field.builders.ts';
import { openDatabase, type Database } from '../../platform/db/db.ts';
import { logSpy, testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { aNode, aRoom, type Node } from './field.fixture.ts';

/** What PostgreSQL answers to COMMIT: the message CommandComplete. */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

let platform: TestPlatform;
let proxy: Server;
let database: Database;
let node: Node;
/** What happens to the next answer to a commit. */
let next: 'arrives' | 'is lost' | 'is lost, and the database is gone' = 'arrives';
let gone = false;
const ends = new Set<() => void>();

beforeAll(async () => {
  platform = await testPlatform();
  const there = new pg.Client({ connectionString: platform.config.databaseUrl! });
  const to = there.host.startsWith('/')
    ? { path: `${there.host}/.s.PGSQL.${there.port}` }
    : { host: there.host, port: there.port };
  proxy = createServer((near: Socket) => {
    const far = connect(to);
    const end = () => {
      ends.delete(end);
      near.destroy();
      far.destroy();
    };
    ends.add(end);
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
    if (gone) return end();
    near.pipe(far);
    far.on('data', (bytes: Buffer) => {
      if (next === 'arrives' || !bytes.includes(COMMITTED)) {
        near.write(bytes);
        return;
      }
      gone = next !== 'is lost';
      next = 'arrives';
      for (const each of gone ? [...ends] : [end]) each();
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const url = new URL(`postgres://127.0.0.1:${port}/${there.database}`);
  url.username = there.user ?? '';
  url.password = there.password ?? '';
  // The product's own pool: with a bare one, drizzle keeps a connection that breaks at BEGIN and never finishes
  // closing. ever.
  database = await openDatabase({ ...platform.config, databaseUrl: url.href }, logSpy().log);
  node = aNode({ ...platform, db: database.roomDb }, undefined, { stampsAfterMs: 20 });
});
afterAll(async () => {
  await node.stop();
  await database.close();
  await new Promise((resolve) => proxy.close(resolve));
  await platform.close();
});

const heard = (to: string) => node.sent.filter((one) => one.to === to).map(({ change }) => change);

test('an act whose commit was not answered is found by its id, announced and confirmed once', async () => {
  const room = await aRoom(platform, node);
  const [ada] = room.clients;
  const figure = await aFigure(platform.db, { therapistId: room.therapistId, movableBy: 'everyone' });
  node.sent.length = 0;
  const actId = randomUUID();
  next = 'is lost';
  await node.send(ada!, FIELD_SEND.act, { actId, act: { kind: 'place', figureId: figure.id, x: 77, y: 7 } });
  expect(next).toBe('arrives');
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
  next = 'is lost';
  await node.field.act(room.therapist, randomUUID(), {
    kind: 'giveRole',
    clientId: ada!.personId,
    figureId: figure.id,
  });
  const people = heard(roomDestination(room.therapistId)).flatMap((change) =>
    change.eventType === 'UNREGISTER_USER' ? change.contents.people : [],
  );
  expect(people).toContainEqual(expect.objectContaining({ id: ada!.personId, roles: [figure.id] }));
});

test('a live session whose end was not answered has ended for everybody', async () => {
  const room = await aRoom(platform, node);
  node.sent.length = 0;
  next = 'is lost';
  expect(await node.sessions.end(room.therapistId, 'ended')).toBe(true);
  expect(next).toBe('arrives');
  expect(await node.sessions.running(room.therapistId)).toBeNull();
  const ends = heard(roomDestination(room.therapistId)).filter(({ eventType }) => eventType === 'SESSION_OUT');
  expect(ends).toEqual([
    expect.objectContaining({ contents: { reason: 'ended' }, usersUpdatedOn: expect.any(Number) }),
  ]);
});

test('who was let in by such an act hears so, once', async () => {
  const { therapistId, account } = await aRoom(platform, node);
  const { joinLink } = await node.clients.roomState(therapistId);
  const entered = await node.clients.enter({ joinLink, name: 'Cili' }, { principal: null, ip: '192.0.2.7' });
  node.sent.length = 0;
  next = 'is lost';
  expect(await node.clients.admit(account.id, [entered.client.id])).toEqual({
    admitted: [entered.client.id],
    refused: [],
  });
  expect(heard(ownDestination(entered.client.id))).toEqual([
    expect.objectContaining({ eventType: 'ADMISSION', contents: { state: 'in' } }),
  ]);
});

test('an act whose transaction was taken back is no success', async () => {
  const { therapistId } = await aRoom(platform, node);
  node.sent.length = 0;
  const acted = node.room.act(therapistId, async (tx, _row, afterCommit) => {
    // Checked at the commit alone.
    await tx.execute(
      sql`CREATE TEMPORARY TABLE late (id int PRIMARY KEY DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP`,
    );
    await tx.execute(sql`INSERT INTO late VALUES (1), (1)`);
    afterCommit(() => node.room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'room' } }));
  });
  await expect(acted).rejects.toThrow();
  expect(heard(ownDestination(therapistId))).toEqual([]);
});

test('where it cannot be found out, its sender reads so, and the stamps come as soon as the database is back', async () => {
  const room = await aRoom(platform, node);
  const [ada] = room.clients;
  const figure = await aFigure(platform.db, { therapistId: room.therapistId, movableBy: 'everyone' });
  node.sent.length = 0;
  const actId = randomUUID();
  next = 'is lost, and the database is gone';
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
  gone = false;
  await expect
    .poll(() => heard(roomDestination(room.therapistId)))
    .toContainEqual(expect.objectContaining({ eventType: 'STAMPS', participantsUpdatedOn: 1 }));
  // Sent once more, it is confirmed and not done again.
  await node.send(ada!, FIELD_SEND.act, { actId, act: { kind: 'place', figureId: figure.id, x: 77, y: 7 } });
  expect(heard(ownDestination(ada!.personId)).at(-1)).toMatchObject({
    eventType: 'PLAYER_CHANGE',
    contents: { actId, revision: 1 },
  });
});
