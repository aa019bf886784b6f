/** Stored acts on a real database. Numbers are the rules of README.md. */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  FIGURES_MAX,
  UNDO_MAX,
  type FieldAct,
  type FieldSnapshot,
  type Figure,
  FIELD_SEND,
} from '@fieldroom/contract/field';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../access.ts';
import { aConstellation } from '../../builders/constellations.builders.ts';
import { aFigure, fieldOf } from '../../builders/field.builders.ts';
import { holdLock, untilLockWaits } from '../../../tests/support/locks.ts';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { aNode, aRoom, replay, type Node, type TestRoom } from './field.fixture.ts';
import { realScheduler, type Scheduler } from './lane/field.lane.scheduler.ts';
import { fieldActs } from './field.tables.ts';

/** Time that advances a little with each read: however long the machine pauses, no hand counts as resting. */
function patientHands(): Scheduler {
  let now = 0;
  return { ...realScheduler, now: () => (now += 40) };
}

let platform: TestPlatform;
let node: Node;
let room: TestRoom;
let therapist: RoomAccess;
let ada: RoomAccess;
let bela: RoomAccess;
const LONG = process.env.FIELDROOM_LONG === '1';

beforeAll(async () => {
  platform = await testPlatform();
}, 60_000);
afterAll(() => platform?.close());
beforeEach(async () => {
  node = aNode(platform, patientHands());
  room = await aRoom(platform, node);
  therapist = room.therapist;
  [ada, bela] = room.clients as unknown as [RoomAccess, RoomAccess];
  node.sent.length = 0;
});
afterEach(async () => {
  await node.stop();
  expect(node.faults).toEqual([]);
});

const figureHere = (wish: Partial<Figure> = {}) => aFigure(platform.db, { therapistId: room.therapistId, ...wish });
const place = (figure: { id: number }, x: number): FieldAct => ({ kind: 'place', figureId: figure.id, x, y: 10 });
const standing = async (id: number) => (await room.snapshot()).figures.find((figure) => figure.id === id);
const heard = (to: string) => node.sent.filter((one) => one.to === to).map((one) => one.change);
const inTheRoom = () => heard(roomDestination(room.therapistId));
const changesHeard = () => inTheRoom().flatMap((change) => (change.eventType === 'PLAYER_CHANGE' ? [change] : []));
/** Without the revision at which a figure last changed: only what a person sees. */
const seen = ({ figures, handsAllowed }: FieldSnapshot) => ({
  handsAllowed,
  figures: figures.map(({ updatedOn: _revision, ...figure }) => figure),
});

test('15 an act that waits while its client is removed is refused', async () => {
  const figure = await figureHere({ movableBy: 'everyone' });
  let acted: Promise<unknown>;
  await platform.db.transaction(async (tx) => {
    await node.room.lock(tx, room.therapistId);
    acted = room.tried(bela, place(figure, 70));
    await untilLockWaits(platform.db, 1);
    await tx.execute(sql`UPDATE clients SET ended_at = product_now(), state = 'removed' WHERE id = ${bela.personId}`);
  });
  expect(await acted!).toBe('not_admitted');
  expect(await standing(figure.id)).toMatchObject({ x: figure.x });
});

describe('while the therapist is away', () => {
  test('37 clients’ acts and undo are refused and change nothing, over HTTP too; an act stored before is confirmed', async () => {
    const figure = await figureHere({ movableBy: 'everyone' });
    const actId = await room.act(ada, place(figure, 30));
    await room.leave();
    const before = await room.copy();
    node.sent.length = 0;
    expect(await room.tried(ada, place(figure, 40))).toBe('therapist_away');
    expect(await room.tried(ada, { kind: 'undo', actId })).toBe('therapist_away');
    // It undoes an act that was refused a moment before, and will be sent again together with it.
    expect(await room.tried(ada, { kind: 'undo', actId: randomUUID() })).toBe('therapist_away');
    expect(await room.tried(ada, { kind: 'toggleText', figureId: figure.id })).not.toBe('done');
    expect(await room.copy()).toEqual(before);
    // Sent again because its answer was lost.
    expect(await room.tried(ada, place(figure, 30), actId)).toBe('done');
    expect(heard(ownDestination(ada.personId)).map(({ eventType }) => eventType)).toEqual(['PLAYER_CHANGE']);
    // The therapist may act by a call.
    expect(await room.tried(therapist, place(figure, 50))).toBe('done');
    await room.comeBack();
    expect(await room.tried(ada, place(figure, 60))).toBe('done');
  });

  test('37 the sender is told why, and dragged figures are dropped for everybody', async () => {
    const figure = await figureHere({ movableBy: 'everyone' });
    await expect
      .poll(() => {
        void node.send(ada, FIELD_SEND.drag, { figureId: figure.id, x: 5, y: 5 });
        return inTheRoom().some(({ eventType }) => eventType === 'PLAYER_DRAG');
      })
      .toBe(true);
    await room.leave();
    await expect.poll(() => JSON.stringify(inTheRoom())).toContain('"end":true');
    const actId = randomUUID();
    await node.send(ada, FIELD_SEND.act, { actId, act: place(figure, 9) });
    expect(heard(ownDestination(ada.personId))).toContainEqual({
      eventType: 'PROBLEM',
      contents: {
        actId,
        figureId: figure.id,
        problem: expect.objectContaining({ code: 'therapist_away', status: 409 }),
      },
    });
    expect(await standing(figure.id)).toMatchObject({ x: figure.x });
  });
});

describe('acts', () => {
  test('1 one act raises the revision by one and everybody gets it, with the sender’s id and both stamps', async () => {
    const figure = await figureHere({ movableBy: 'everyone' });
    const actId = await room.act(ada, { kind: 'place', figureId: figure.id, x: 30, y: 40, rotation: 90, scale: 2 });
    expect(inTheRoom()).toEqual([
      {
        eventType: 'PLAYER_CHANGE',
        participantsUpdatedOn: 1,
        usersUpdatedOn: expect.any(Number),
        contents: {
          revision: 1,
          actId,
          by: ada.personId,
          ops: [{ op: 'put', figure: { ...figure, x: 30, y: 40, rotation: 90, scale: 2, updatedOn: 1 } }],
        },
      },
    ]);
    expect((await room.snapshot()).figures).toEqual([
      { ...figure, x: 30, y: 40, rotation: 90, scale: 2, updatedOn: 1 },
    ]);
  });

  test('2 an act that changes nothing is confirmed only to its sender, without a revision', async () => {
    const figure = await figureHere({ x: 30, y: 10 });
    const actId = await room.act(therapist, place(figure, 30));
    expect(inTheRoom()).toEqual([]);
    expect(heard(ownDestination(therapist.personId))).toMatchObject([
      {
        eventType: 'PLAYER_CHANGE',
        participantsUpdatedOn: 0,
        contents: { revision: 0, actId, ops: [], unchanged: true },
      },
    ]);
    expect((await room.copy()).revision).toBe(0);
    // The ops of a role are empty too, but it has changed.
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    expect(changesHeard().map(({ contents }) => [contents.ops, contents.unchanged])).toEqual([[[], undefined]]);
  });

  test('3 an act sent twice acts once; only its sender gets the same change again', async () => {
    const figure = await figureHere({ x: 0 });
    const actId = await room.act(therapist, place(figure, 30));
    await room.act(therapist, place(figure, 50));
    const [first] = changesHeard();
    await room.act(therapist, place(figure, 30), actId);
    expect((await standing(figure.id))?.x).toBe(50);
    expect(changesHeard()).toHaveLength(2);
    expect(heard(ownDestination(therapist.personId))).toEqual([first]);
  });

  test('3 an act that changed nothing has no effect when it is sent again after others', async () => {
    const figure = await figureHere({ x: 30, y: 10 });
    const actId = await room.act(therapist, place(figure, 30));
    await room.act(therapist, place(figure, 50));
    await room.act(therapist, place(figure, 30), actId);
    expect((await standing(figure.id))?.x).toBe(50);
  });

  test('3 the id of another person’s act is refused and reveals nothing', async () => {
    const figure = await figureHere({ movableBy: 'everyone' });
    const actId = await room.act(therapist, place(figure, 30));
    expect(await room.tried(ada, place(figure, 60), actId)).toBe('conflict');
    expect((await standing(figure.id))?.x).toBe(30);
    expect(heard(ownDestination(ada.personId))).toEqual([]);
  });

  test('3 sent at once on two nodes, one act happens', async () => {
    const other = aNode(platform);
    const figure = await figureHere({ x: 0 });
    const actId = randomUUID();
    const blocked = await atBarrier(() => [
      node.field.act(therapist, actId, { kind: 'toggleText', figureId: figure.id }),
      other.field.act(therapist, actId, { kind: 'toggleText', figureId: figure.id }),
    ]);
    await Promise.all(blocked);
    expect((await standing(figure.id))?.showText).toBe(false);
    expect((await room.copy()).revision).toBe(1);
    const all = [...node.sent, ...other.sent].filter((one) => one.change.eventType === 'PLAYER_CHANGE');
    expect(all.map((one) => one.to).toSorted()).toEqual(
      [roomDestination(room.therapistId), ownDestination(therapist.personId)].toSorted(),
    );
    await other.stop();
  });

  test('1 simultaneous acts on two nodes get one revision each, and a copy that applies them equals the field', async () => {
    const other = aNode(platform);
    const figures = await fieldOf(
      platform.db,
      room.therapistId,
      Array.from({ length: 4 }, () => ({ movableBy: 'everyone' as const })),
    );
    const start = await room.copy();
    const blocked = await atBarrier(
      () =>
        figures.flatMap((figure, index) => [
          node.field.act(ada, randomUUID(), { kind: 'place', figureId: figure.id, x: index, y: 1 }),
          other.field.act(bela, randomUUID(), { kind: 'place', figureId: figure.id, x: 100 + index, y: 1 }),
        ]),
      2,
    );
    await Promise.all(blocked);
    const all = [...node.sent, ...other.sent]
      .flatMap((one) => (one.change.eventType === 'PLAYER_CHANGE' ? [one.change] : []))
      .toSorted((a, b) => a.participantsUpdatedOn - b.participantsUpdatedOn);
    expect(all.map((change) => change.contents.revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(replay(start, all)).toEqual(await room.copy());
    await other.stop();
  });

  test('4 of two people who add the last figure at once, one is refused', async () => {
    await fieldOf(
      platform.db,
      room.therapistId,
      Array.from({ length: FIGURES_MAX - 1 }, () => ({})),
    );
    const other = aNode(platform);
    const add = { kind: 'add', figure: { iconType: 'STAR', x: 1, y: 1 } } as const;
    const blocked = await atBarrier(() => [
      node.field.act(therapist, randomUUID(), add),
      other.field.act(therapist, randomUUID(), add),
    ]);
    const results = await Promise.allSettled(blocked);
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({ code: 'field_full' });
    expect((await room.snapshot()).figures).toHaveLength(FIGURES_MAX);
    await other.stop();
  });

  test('4 an icon of another therapist cannot be used', async () => {
    const figure = await figureHere();
    expect(await room.tried(therapist, { kind: 'edit', figureId: figure.id, iconId: 999_999 })).toBe('not_found');
    expect(await room.tried(therapist, { kind: 'edit', figureId: figure.id, iconType: 'CUSTOM' })).toBe(
      'invalid_input',
    );
    expect(await room.tried(therapist, { kind: 'add', figure: { iconType: 'CUSTOM', x: 1, y: 1 } })).toBe(
      'invalid_input',
    );
  });
});

describe('5 permissions', () => {
  const acts = (figure: Figure, client: RoomAccess): Record<string, FieldAct> => ({
    add: { kind: 'add', figure: { iconType: 'STAR', x: 1, y: 1 } },
    place: place(figure, 5),
    edit: { kind: 'edit', figureId: figure.id, name: 'New' },
    reorder: { kind: 'reorder', figureId: figure.id, to: 'front' },
    showTexts: { kind: 'showTexts', value: false },
    toggleText: { kind: 'toggleText', figureId: figure.id },
    toggleIconType: { kind: 'toggleIconType', figureId: figure.id },
    activeRole: { kind: 'activeRole', clientId: client.personId, figureId: figure.id },
    giveRole: { kind: 'giveRole', clientId: client.personId, figureId: figure.id },
    takeRole: { kind: 'takeRole', clientId: client.personId, figureId: figure.id },
    reset: { kind: 'reset' },
    hands: { kind: 'hands', allowed: true },
    remove: { kind: 'remove', figureId: figure.id },
  });

  test('allow the therapist everything, a holder position, text and active role, and others nothing', async () => {
    const figure = await figureHere();
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    const tried = async (who: RoomAccess, about: RoomAccess) => {
      const results: Record<string, string> = {};
      for (const [kind, act] of Object.entries(acts(figure, about))) results[kind] = await room.tried(who, act);
      return results;
    };
    const before = seen(await room.snapshot());
    expect(await tried(bela, bela)).toEqual({
      add: 'forbidden',
      place: 'figure_not_yours',
      edit: 'forbidden',
      reorder: 'forbidden',
      showTexts: 'forbidden',
      toggleText: 'figure_not_yours',
      toggleIconType: 'forbidden',
      activeRole: 'role_not_held',
      giveRole: 'forbidden',
      takeRole: 'forbidden',
      reset: 'forbidden',
      hands: 'forbidden',
      remove: 'forbidden',
    });
    expect(await room.tried(bela, { kind: 'activeRole', clientId: ada.personId, figureId: figure.id })).toBe(
      'forbidden',
    );
    expect(seen(await room.snapshot())).toEqual(before);
    expect(await tried(ada, ada)).toEqual({
      add: 'forbidden',
      place: 'done',
      edit: 'forbidden',
      reorder: 'forbidden',
      showTexts: 'forbidden',
      toggleText: 'done',
      toggleIconType: 'forbidden',
      activeRole: 'done',
      giveRole: 'forbidden',
      takeRole: 'forbidden',
      reset: 'forbidden',
      hands: 'forbidden',
      remove: 'forbidden',
    });
    expect(new Set(Object.values(await tried(therapist, ada)))).toEqual(new Set(['done']));
  });

  test('hide figures, clients and acts of other rooms', async () => {
    const elsewhere = await aRoom(platform, node, ['Cili']);
    const foreign = await aFigure(platform.db, { therapistId: elsewhere.therapistId, movableBy: 'everyone' });
    const own = await figureHere();
    const foreignAct = await elsewhere.act(elsewhere.therapist, place(foreign, 3));
    const before = await elsewhere.copy();
    for (const who of [therapist, ada]) {
      expect(await room.tried(who, place(foreign, 9))).toBe('not_found');
      expect(await room.tried(who, { kind: 'toggleText', figureId: foreign.id })).toBe('not_found');
      expect(await room.tried(who, { kind: 'undo', actId: foreignAct })).toBe('not_found');
    }
    for (const act of [
      { kind: 'edit', figureId: foreign.id, name: 'x' },
      { kind: 'remove', figureId: foreign.id },
      { kind: 'reorder', figureId: foreign.id, to: 'front' },
      { kind: 'toggleIconType', figureId: foreign.id },
      { kind: 'giveRole', clientId: ada.personId, figureId: foreign.id },
      { kind: 'takeRole', clientId: ada.personId, figureId: foreign.id },
      { kind: 'giveRole', clientId: elsewhere.clients[0]!.personId, figureId: own.id },
      { kind: 'takeRole', clientId: elsewhere.clients[0]!.personId, figureId: own.id },
      { kind: 'activeRole', clientId: elsewhere.clients[0]!.personId, figureId: null },
      { kind: 'giveRole', clientId: 999_999, figureId: own.id },
    ] satisfies FieldAct[])
      expect(await room.tried(therapist, act), JSON.stringify(act)).toBe('not_found');
    expect(await elsewhere.copy()).toEqual(before);
    expect((await room.copy()).revision).toBe(0);
  });

  test('let no client move anything while hands are stopped; texts still toggle', async () => {
    const figure = await figureHere({ movableBy: 'everyone' });
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    const moved = await room.act(ada, place(figure, 5));
    await room.act(therapist, { kind: 'hands', allowed: false });
    expect(await room.tried(ada, place(figure, 6))).toBe('hands_stopped');
    expect(await room.tried(bela, place(figure, 6))).toBe('hands_stopped');
    expect(await room.tried(ada, { kind: 'undo', actId: moved })).toBe('hands_stopped');
    expect(await room.tried(ada, { kind: 'toggleText', figureId: figure.id })).toBe('done');
    expect(await room.tried(therapist, place(figure, 7))).toBe('done');
    await room.act(therapist, { kind: 'edit', figureId: figure.id, movableBy: 'therapist' });
    expect(await room.tried(ada, place(figure, 6))).toBe('figure_not_yours');
  });
});

describe('painting order', () => {
  test('6 front, back, forward and backward work from any order, and name only changed figures', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 }),
        fc.array(fc.tuple(fc.nat(6), fc.constantFrom('front', 'back', 'forward', 'backward')), {
          minLength: 1,
          maxLength: 6,
        }),
        async (orders, moves) => {
          const one = await aRoom(platform, node, []);
          const figures = await fieldOf(
            platform.db,
            one.therapistId,
            orders.map((order) => ({ order })),
          );
          let wanted = (await one.snapshot()).figures.map((figure) => figure.id);
          for (const [which, to] of moves) {
            const figure = figures[which % figures.length]!;
            const at = wanted.indexOf(figure.id);
            const target =
              to === 'front'
                ? wanted.length - 1
                : to === 'back'
                  ? 0
                  : Math.max(0, Math.min(wanted.length - 1, at + (to === 'forward' ? 1 : -1)));
            wanted = wanted.toSpliced(at, 1).toSpliced(target, 0, figure.id);
            const before = new Map((await one.snapshot()).figures.map((standing) => [standing.id, standing.order]));
            await one.act(one.therapist, { kind: 'reorder', figureId: figure.id, to });
            const after = (await one.snapshot()).figures;
            expect(after.map((standing) => standing.id)).toEqual(wanted);
            const last = node.sent.at(-1)!.change;
            if (last.eventType === 'PLAYER_CHANGE')
              for (const op of last.contents.ops)
                if (op.op === 'put') expect(op.figure.order).not.toBe(before.get(op.figure.id));
          }
        },
      ),
      { numRuns: LONG ? 100 : 12 },
    );
  });

  test('6 two figures need only one step to the front or the back', async () => {
    const figures = await fieldOf(
      platform.db,
      room.therapistId,
      Array.from({ length: 5 }, () => ({})),
    );
    for (const [to, ops] of [
      ['forward', 2],
      ['backward', 2],
      ['front', 1],
      ['back', 1],
    ] as const) {
      await room.act(therapist, { kind: 'reorder', figureId: figures[2]!.id, to });
      expect(changesHeard().at(-1)?.contents.ops).toHaveLength(ops);
    }
  });
});

describe('undo', () => {
  test('7 only a person’s own acts, the last 50', async () => {
    const figure = await figureHere({ movableBy: 'everyone', x: 0 });
    const first = await room.act(ada, place(figure, 1));
    expect(await room.tried(bela, { kind: 'undo', actId: first })).toBe('not_found');
    expect(await room.tried(therapist, { kind: 'undo', actId: first })).toBe('not_found');
    expect(await room.tried(ada, { kind: 'undo', actId: randomUUID() })).toBe('not_found');
    const other = await figureHere({ movableBy: 'everyone' });
    for (let i = 1; i < UNDO_MAX; i += 1) await room.act(ada, place(other, i));
    expect(await room.tried(ada, { kind: 'undo', actId: first })).toBe('done');
    const second = await room.act(ada, place(figure, 2));
    for (let i = 0; i < UNDO_MAX; i += 1) await room.act(ada, place(other, 100 + i));
    expect(await room.tried(ada, { kind: 'undo', actId: second })).toBe('not_found');
  });

  test('7 all 50 can be undone in a row, and done again; acts that undo skips do not count among them', async () => {
    const figure = await figureHere({ x: 0 });
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    const tooOld = await room.act(therapist, place(figure, 1));
    const acts: string[] = [];
    for (let i = 1; i <= UNDO_MAX; i += 1) acts.push(await room.act(therapist, place(figure, 1 + i)));
    const hidden = await figureHere({ showText: true });
    await node.room.act(room.therapistId, (tx, row, afterCommit) =>
      node.field.hideTexts(tx, row, afterCommit, [hidden.id]),
    );
    await room.act(therapist, place(figure, 1 + UNDO_MAX));
    await room.act(therapist, { kind: 'activeRole', clientId: ada.personId, figureId: null });
    expect((await standing(hidden.id))?.showText).toBe(false);
    const sweep = () => node.field.jobs[0]!.run();
    await sweep();
    const undos: string[] = [];
    for (const actId of acts.toReversed()) undos.push(await room.act(therapist, { kind: 'undo', actId }));
    expect((await standing(figure.id))?.x).toBe(1);
    expect(await room.tried(therapist, { kind: 'undo', actId: tooOld })).toBe('not_found');
    await sweep();
    const redos: string[] = [];
    for (const actId of undos.toReversed()) redos.push(await room.act(therapist, { kind: 'undo', actId }));
    await sweep();
    for (const actId of redos.toReversed()) await room.act(therapist, { kind: 'undo', actId });
    expect((await standing(figure.id))?.x).toBe(1);
  });

  test('8 a later change by somebody is kept, and reported', async () => {
    const figure = await figureHere({ movableBy: 'everyone', x: 0 });
    const moved = await room.act(ada, place(figure, 1));
    await room.act(bela, place(figure, 2));
    expect(await room.tried(ada, { kind: 'undo', actId: moved })).toBe('changed_since');
    expect((await standing(figure.id))?.x).toBe(2);
  });

  test('8 later changes to other properties stay', async () => {
    const figure = await figureHere({ movableBy: 'everyone', x: 0, name: 'Old' });
    const moved = await room.act(ada, place(figure, 1));
    await room.act(therapist, { kind: 'edit', figureId: figure.id, name: 'New' });
    await room.act(ada, { kind: 'undo', actId: moved });
    expect(await standing(figure.id)).toMatchObject({ x: 0, name: 'New' });
  });

  test('8 if one of several figures has changed since, nothing is undone', async () => {
    const [one, two] = await fieldOf(platform.db, room.therapistId, [
      { x: 1, startX: 100 },
      { x: 2, startX: 200 },
    ]);
    const reset = await room.act(therapist, { kind: 'reset' });
    await room.act(therapist, place(one!, 5));
    expect(await room.tried(therapist, { kind: 'undo', actId: reset })).toBe('changed_since');
    expect((await standing(two!.id))?.x).toBe(200);
  });

  test('8 a role that changed since is kept', async () => {
    const figure = await figureHere();
    const given = await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    const taken = await room.act(therapist, { kind: 'takeRole', clientId: ada.personId, figureId: figure.id });
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    await room.act(ada, { kind: 'activeRole', clientId: ada.personId, figureId: null });
    expect(await room.tried(therapist, { kind: 'undo', actId: given })).toBe('changed_since');
    expect(await room.tried(therapist, { kind: 'undo', actId: taken })).toBe('changed_since');
    expect(await room.roles()).toEqual({ [ada.personId]: [`${figure.id}`] });
  });

  test('8 an undo sent twice acts once', async () => {
    const figure = await figureHere({ x: 0 });
    const moved = await room.act(therapist, place(figure, 1));
    await room.act(therapist, { kind: 'undo', actId: moved });
    expect(await room.tried(therapist, { kind: 'undo', actId: moved })).toBe('changed_since');
  });

  test('9 a client can undo only what it may still do', async () => {
    const figure = await figureHere({ x: 0 });
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    const moved = await room.act(ada, place(figure, 1));
    const toggled = await room.act(ada, { kind: 'toggleText', figureId: figure.id });
    await room.act(therapist, { kind: 'takeRole', clientId: ada.personId, figureId: figure.id });
    expect(await room.tried(ada, { kind: 'undo', actId: moved })).toBe('figure_not_yours');
    expect(await room.tried(ada, { kind: 'undo', actId: toggled })).toBe('figure_not_yours');
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    expect(await room.tried(ada, { kind: 'undo', actId: toggled })).toBe('done');
    expect(await room.tried(ada, { kind: 'undo', actId: moved })).toBe('done');
    await room.act(therapist, { kind: 'remove', figureId: figure.id });
    expect(await room.tried(ada, { kind: 'undo', actId: moved })).toBe('changed_since');
  });

  test('10 a reset is undone completely: positions, rotations, sizes, texts, roles', async () => {
    const [one, two] = await fieldOf(platform.db, room.therapistId, [
      { x: 1, y: 2, rotation: 30, scale: 2, showText: false, startX: 9, startY: 9, startRotation: 0, startScale: 1 },
      {},
    ]);
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: one!.id });
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: two!.id });
    await room.act(therapist, { kind: 'giveRole', clientId: bela.personId, figureId: two!.id });
    const before = { field: seen(await room.snapshot()), roles: await room.roles() };
    expect(before.roles[ada.personId]).toEqual([`${one!.id}*`, `${two!.id}`]);
    const reset = await room.act(therapist, { kind: 'reset' });
    expect(await standing(one!.id)).toMatchObject({ x: 9, y: 9, rotation: 0, scale: 1, showText: true });
    expect(await room.roles()).toEqual({});
    await room.act(therapist, { kind: 'undo', actId: reset });
    expect({ field: seen(await room.snapshot()), roles: await room.roles() }).toEqual(before);
  });

  test('10 a removed figure comes back under its id with its roles, for clients who are still in', async () => {
    const figure = await figureHere({ name: 'Mother', x: 7 });
    const other = await figureHere();
    for (const [who, what] of [
      [ada, figure],
      [ada, other],
      [bela, figure],
    ] as const)
      await room.act(therapist, { kind: 'giveRole', clientId: who.personId, figureId: what.id });
    const roles = await room.roles();
    const removed = await room.act(therapist, { kind: 'remove', figureId: figure.id });
    expect(await room.roles()).toEqual({ [ada.personId]: [`${other.id}*`] });
    await room.act(therapist, { kind: 'undo', actId: removed });
    expect(seen({ handsAllowed: true, figures: [(await standing(figure.id))!] })).toEqual(
      seen({ handsAllowed: true, figures: [figure] }),
    );
    expect(await room.roles()).toEqual(roles);

    const again = await room.act(therapist, { kind: 'remove', figureId: figure.id });
    await node.clients.leave(bela.personId);
    await room.act(therapist, { kind: 'undo', actId: again });
    expect(await room.roles()).toEqual({ [ada.personId]: roles[ada.personId] });
  });

  test('10 a new figure whose role was given since is not removed', async () => {
    const added = await room.act(therapist, { kind: 'add', figure: { iconType: 'KIWI', x: 1, y: 1 } });
    const [figure] = (await room.snapshot()).figures;
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure!.id });
    expect(await room.tried(therapist, { kind: 'undo', actId: added })).toBe('changed_since');
    expect((await room.snapshot()).figures).toHaveLength(1);
  });

  test('11 the sweep keeps each person’s last 50 of a day, the end of a live session keeps none', async () => {
    const figure = await figureHere({ movableBy: 'everyone' });
    for (let i = 0; i < UNDO_MAX + 3; i += 1) await room.act(therapist, place(figure, i));
    await room.act(ada, place(figure, 500));
    const count = async () =>
      (
        await platform.db
          .select()
          .from(fieldActs)
          .where(sql`therapist_id = ${room.therapistId}`)
      ).length;
    await node.field.jobs[0]!.run();
    expect(await count()).toBe(UNDO_MAX + 1);
    // Rows that do not count do not pile up either.
    const [last] = await platform.db
      .select()
      .from(fieldActs)
      .where(sql`therapist_id = ${room.therapistId}`)
      .orderBy(sql`id DESC`)
      .limit(1);
    const { id: _, ...row } = last!;
    const unchanged = Array.from({ length: 4 * UNDO_MAX }, () => ({ ...row, actId: randomUUID(), kind: 'unchanged' }));
    await platform.db.insert(fieldActs).values(unchanged);
    await node.field.jobs[0]!.run();
    expect(await count()).toBe(4 * UNDO_MAX + UNDO_MAX);
    await platform.db.transaction((tx) => node.field.forgetActs(tx, room.therapistId));
    expect(await count()).toBe(0);
    await room.act(ada, place(figure, 600));
    await platform.move(24 * 3600 + 1);
    await node.field.jobs[0]!.run();
    expect(await count()).toBe(0);
  });
});

describe('lists over HTTP', () => {
  const saveAll = (list: object[], more: { fromReset?: boolean; stamp?: number | null } = {}) =>
    node.field
      .act(therapist, randomUUID(), {
        kind: 'saveAll',
        list,
        fromReset: more.fromReset ?? false,
        stamp: more.stamp ?? null,
      })
      .then(
        () => 'done',
        (problem: { code: string }) => problem.code,
      );

  test('12 replace the field at once: changes, adds, removes; one revision', async () => {
    const [one, two] = await fieldOf(platform.db, room.therapistId, [{ name: 'One' }, { name: 'Two' }]);
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: two!.id });
    const { revision } = await room.copy();
    expect(
      await saveAll(
        [
          { ...one, x: 3 },
          { iconType: 'BAT', name: 'Three' },
        ],
        { stamp: revision },
      ),
    ).toBe('done');
    expect((await room.snapshot()).figures.map((figure) => [figure.name, figure.x])).toEqual([
      ['One', 3],
      ['Three', 800],
    ]);
    expect((await room.copy()).revision).toBe(revision + 1);
    expect(await room.roles()).toEqual({});
  });

  test('13 an outdated list is refused: any change after the stamp; without a stamp any newer figure', async () => {
    const [one, two] = await fieldOf(platform.db, room.therapistId, [{}, {}]);
    const list = (await room.snapshot()).figures;
    await room.act(therapist, place(one!, 1));
    expect(await saveAll(list, { stamp: 0 })).toBe('list_outdated');
    expect(await saveAll(list)).toBe('list_outdated');
    const fresh = (await room.snapshot()).figures;
    expect(await saveAll(fresh)).toBe('done');
    await room.act(therapist, { kind: 'remove', figureId: two!.id });
    const { revision } = await room.copy();
    expect(await saveAll(fresh, { stamp: revision - 1 })).toBe('list_outdated');
    expect(await saveAll(fresh)).toBe('not_found');
    expect((await room.copy()).revision).toBe(revision);
  });

  test('12 with foreign or duplicate ids change nothing', async () => {
    const elsewhere = await aRoom(platform, node, []);
    const foreign = await aFigure(platform.db, { therapistId: elsewhere.therapistId });
    const own = await figureHere();
    expect(await saveAll([own, foreign])).toBe('not_found');
    expect(await saveAll([own, own])).toBe('invalid_input');
    expect((await room.copy()).revision).toBe(0);
    expect((await elsewhere.snapshot()).figures).toHaveLength(1);
  });

  test('12 from a reset show texts and free roles, and can be undone', async () => {
    const figure = await figureHere({ showText: false });
    await room.act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    const before = { field: seen(await room.snapshot()), roles: await room.roles() };
    const actId = randomUUID();
    await node.field.act(therapist, actId, {
      kind: 'saveAll',
      list: (await room.snapshot()).figures,
      fromReset: true,
      stamp: (await room.copy()).revision,
    });
    expect((await standing(figure.id))?.showText).toBe(true);
    expect(await room.roles()).toEqual({});
    await room.act(therapist, { kind: 'undo', actId });
    expect({ field: seen(await room.snapshot()), roles: await room.roles() }).toEqual(before);
  });

  test('14 a client saves a whole figure back: its place counts, anything else that differs is refused', async () => {
    const figure = await figureHere({ movableBy: 'everyone' });
    const save = (input: object) =>
      node.field.act(ada, randomUUID(), { kind: 'save', figureId: figure.id, input }).then(
        () => 'done',
        (problem: { code: string }) => problem.code,
      );
    expect(await save({ ...figure, x: 77 })).toBe('done');
    expect(await save({ ...figure, x: 78, name: 'Mine' })).toBe('forbidden');
    expect(await save({ x: 79, startX: 1 })).toBe('forbidden');
    expect(await standing(figure.id)).toMatchObject({ x: 77, name: figure.name, startX: figure.startX });
  });
});

describe('the whole field', () => {
  const names = async () => (await room.snapshot()).figures.map(({ name }) => name);
  const prepared = (figures: Parameters<typeof aConstellation>[1]['figures']) =>
    aConstellation(platform.db, { therapistId: room.therapistId, figures });
  const load = (constellationId: number, standing: number): FieldAct => ({ kind: 'load', constellationId, standing });
  const standingNow = async () => (await room.copy()).revision;
  /** Three figures; Ada has the roles of two of them, Béla one of those. */
  async function aFamily(): Promise<void> {
    const [one, two] = await fieldOf(platform.db, room.therapistId, [
      { name: 'One' },
      { name: 'Two' },
      { name: 'Three' },
    ]);
    for (const [who, what] of [
      [ada, one],
      [ada, two],
      [bela, two],
    ] as const)
      await room.act(therapist, { kind: 'giveRole', clientId: who.personId, figureId: what!.id });
  }
  const everything = async () => ({ field: seen(await room.snapshot()), roles: await room.roles() });

  test('38 a reset separates figures that share a start place, and a second reset changes nothing', async () => {
    await fieldOf(platform.db, room.therapistId, [
      { name: 'Father', x: 100, startX: 800, startY: 500 },
      { name: 'Tree', x: 800, startX: 800, startY: 500 },
    ]);
    const before = await everything();
    const reset = await room.act(therapist, { kind: 'reset' });
    const [father, tree] = (await room.snapshot()).figures;
    expect(father).toMatchObject({ x: 800, y: 500 });
    expect(Math.hypot(tree!.x - 800, tree!.y - 500)).toBeGreaterThan(100);
    expect(tree).toMatchObject({ startX: 800, startY: 500 });
    const revision = await standingNow();
    await room.act(therapist, { kind: 'reset' });
    expect(await standingNow()).toBe(revision);
    await room.act(therapist, { kind: 'undo', actId: reset });
    expect(await everything()).toEqual(before);
  });

  test('39 emptying is one act, and its undo brings back figures and roles; redo empties again', async () => {
    await aFamily();
    const before = await everything();
    const revision = await standingNow();
    node.sent.length = 0;
    const cleared = await room.act(therapist, { kind: 'clear' });
    expect(await everything()).toEqual({ field: { figures: [], handsAllowed: true }, roles: {} });
    expect(changesHeard().map(({ contents }) => [contents.revision, contents.ops.length])).toEqual([[revision + 1, 3]]);
    const undone = await room.act(therapist, { kind: 'undo', actId: cleared });
    expect(await everything()).toEqual(before);
    await room.act(therapist, { kind: 'undo', actId: undone });
    expect(await names()).toEqual([]);
  });

  test('39 emptying an empty field changes nothing; emptying ends all drags', async () => {
    await room.act(therapist, { kind: 'clear' });
    expect(await standingNow()).toBe(0);
    const figure = await figureHere({ movableBy: 'everyone' });
    await node.send(ada, FIELD_SEND.drag, { figureId: figure.id, x: 3, y: 4 });
    await room.act(therapist, { kind: 'clear' });
    expect(await room.tried(ada, place(figure, 9))).toBe('not_found');
  });

  test('39 a load replaces all figures at once; their positions become start places', async () => {
    await aFamily();
    const before = await everything();
    const revision = await standingNow();
    const { id } = await prepared([
      { name: 'Mother', iconType: 'FEMALE_FIGURE', x: 300, y: 400, rotation: 90, scale: 2, showText: false, order: 7 },
      { name: 'Fear', iconType: 'BAT', x: 900, movableBy: 'therapist', order: 3 },
    ]);
    node.sent.length = 0;
    const loaded = await room.act(therapist, load(id, revision));
    const { figures } = await room.snapshot();
    expect(figures).toMatchObject([
      { name: 'Fear', iconType: 'BAT', x: 900, movableBy: 'therapist', startX: 900, showText: true },
      { name: 'Mother', x: 300, y: 400, rotation: 90, scale: 2, showText: false, startY: 400, startScale: 2 },
    ]);
    expect(await room.roles()).toEqual({});
    expect(changesHeard().map(({ contents }) => contents.revision)).toEqual([revision + 1]);
    await room.act(therapist, { kind: 'undo', actId: loaded });
    expect(await everything()).toEqual(before);
  });

  test('39 a load that is older than the field is refused and changes nothing', async () => {
    const figure = await figureHere({ movableBy: 'everyone' });
    const { id } = await prepared([{ name: 'Mother' }]);
    const revision = await standingNow();
    await room.act(ada, place(figure, 77));
    const before = await everything();
    expect(await room.tried(therapist, load(id, revision))).toBe('list_outdated');
    expect(await everything()).toEqual(before);
    expect(await room.tried(therapist, load(id, revision + 1))).toBe('done');
    expect(await names()).toEqual(['Mother']);
  });

  test('39 a load sent twice loads once; if somebody has moved its figures, its undo reports it', async () => {
    const { id } = await prepared([{ name: 'Mother', movableBy: 'everyone' }]);
    const actId = randomUUID();
    await room.act(therapist, load(id, 0), actId);
    await room.act(therapist, load(id, 0), actId);
    const [mother] = (await room.snapshot()).figures;
    expect(await standingNow()).toBe(1);
    await room.act(ada, place(mother!, 5));
    expect(await room.tried(therapist, { kind: 'undo', actId })).toBe('changed_since');
  });

  test('39 a missing icon is replaced by a star; one that is deleted at the same moment is replaced, or stays', async () => {
    const anIcon = async () => {
      const { rows } = await platform.db.execute<{ id: number }>(
        sql`INSERT INTO icons (therapist_id, name, file_id, width, height) VALUES (${room.therapistId}, 'Tree', ${randomUUID()}, 30, 30) RETURNING id`,
      );
      return Number(rows[0]!.id);
    };
    const [kept, gone] = [await anIcon(), await anIcon()];
    const { id } = await prepared([
      { name: 'Tree', iconType: 'CUSTOM', iconId: kept },
      { name: 'House', iconType: 'CUSTOM', iconId: gone, color: '#123456' },
    ]);
    await platform.db.execute(sql`DELETE FROM icons WHERE id = ${gone}`);
    await room.act(therapist, load(id, 0));
    expect((await room.snapshot()).figures).toMatchObject([
      { name: 'Tree', iconType: 'CUSTOM', iconId: kept },
      { name: 'House', iconType: 'STAR', iconId: null, color: '#123456' },
    ]);
    await room.act(therapist, { kind: 'clear' });

    // The deletion holds the room's lock, so the load waits for it.
    const revision = await standingNow();
    const deletion = await holdLock(platform.db, async (tx) => {
      await node.room.lock(tx, room.therapistId);
      await tx.execute(sql`DELETE FROM icons WHERE id = ${kept}`);
    });
    const loading = room.act(therapist, load(id, revision));
    await deletion.waited(1);
    await deletion.release();
    await loading;
    expect((await room.snapshot()).figures.map(({ iconType }) => iconType)).toEqual(['STAR', 'STAR']);
  });

  test('39 a client can do neither, and cannot detect constellations; another therapist’s is not found', async () => {
    await figureHere();
    const { id } = await prepared([{}]);
    for (const act of [{ kind: 'clear' }, load(id, 0), load(999_999, 0)] as const)
      expect(await room.tried(ada, act)).toBe('forbidden');
    const elsewhere = await aRoom(platform, node, []);
    expect(await elsewhere.tried(elsewhere.therapist, load(id, 0))).toBe('constellation_gone');
    expect((await room.snapshot()).figures).toHaveLength(1);
  });
});

describe('hands and stored acts', () => {
  test('15 a figure that another person drags cannot be moved or undone by a client; the therapist takes over', async () => {
    const figure = await figureHere({ movableBy: 'everyone', x: 0 });
    const moved = await room.act(bela, place(figure, 1));
    await dragged(ada, figure, 300);
    expect(await room.tried(bela, place(figure, 5))).toBe('figure_held');
    expect(await room.tried(bela, { kind: 'undo', actId: moved })).toBe('figure_held');
    expect(await room.tried(therapist, place(figure, 6))).toBe('done');
    expect(await room.tried(ada, place(figure, 7))).toBe('figure_held');
    expect((await standing(figure.id))?.x).toBe(6);
    expect(await room.tried(ada, place(figure, 8))).toBe('done');
  });

  test('16 a figure whose drag is stopped stays where it was dragged, on behalf of that client', async () => {
    const figure = await figureHere({ movableBy: 'everyone', x: 0, y: 0 });
    await dragged(ada, figure, 321);
    await room.act(therapist, { kind: 'hands', allowed: false });
    expect(await standing(figure.id)).toMatchObject({ x: 321, y: 10 });
    expect(
      changesHeard().map((change) => [change.contents.by, change.contents.revision, change.contents.ops[0]!.op]),
    ).toEqual([
      [ada.personId, 1, 'put'],
      [therapist.personId, 2, 'hands'],
    ]);
    expect(await room.tried(ada, place(figure, 5))).toBe('hands_stopped');
  });

  test('16 the same if hands are stopped by an undo, and only once however often it is sent', async () => {
    const figure = await figureHere({ movableBy: 'everyone', x: 0, y: 0 });
    await room.act(therapist, { kind: 'hands', allowed: false });
    const allowed = await room.act(therapist, { kind: 'hands', allowed: true });
    await dragged(ada, figure, 222);
    const undo = await room.act(therapist, { kind: 'undo', actId: allowed });
    expect(await standing(figure.id)).toMatchObject({ x: 222, y: 10 });
    expect((await room.snapshot()).handsAllowed).toBe(false);
    await room.act(therapist, { kind: 'undo', actId: allowed }, undo);
    expect((await room.copy()).revision).toBe(4);
  });

  test('17 refusals reach only their sender, with the ids by which it finds its act', async () => {
    const figure = await figureHere();
    const actId = randomUUID();
    await node.send(bela, FIELD_SEND.act, { actId, act: place(figure, 5) });
    // The test of the whole connection (tests/realtime/realtime.test.ts) covers how these are sent.
    const invalid = { kind: 'place', figureId: figure.id, x: -5 };
    await node.send(bela, FIELD_SEND.act, { actId, act: invalid });
    await node.send(bela, FIELD_SEND.act, 'nonsense');
    const own = ownDestination(bela.personId);
    expect(node.sent.map((one) => one.to)).toEqual([own, own, 'this connection']);
    expect(node.sent.map(({ change }) => change.contents)).toMatchObject([
      { actId, figureId: figure.id, problem: { code: 'figure_not_yours', status: 403 } },
      { actId, figureId: null, problem: { code: 'invalid_input' } },
      { actId: null, figureId: null, problem: { code: 'invalid_input' } },
    ]);
  });

  /** Drags until the lane has read the room and sent the position. */
  async function dragged(who: RoomAccess, figure: Figure, x: number): Promise<void> {
    await expect
      .poll(
        () => {
          void node.send(who, FIELD_SEND.drag, { figureId: figure.id, x, y: 10 });
          return node.sent.some(
            (one) => one.change.eventType === 'PLAYER_DRAG' && one.change.contents.drags.some((drag) => drag.x === x),
          );
        },
        { timeout: 60_000, interval: 40 },
      )
      .toBe(true);
  }
});

describe('generated histories', () => {
  const number = (min: number, max: number) => fc.integer({ min, max });
  const who = fc.constantFrom<'therapist' | 'ada' | 'bela'>('therapist', 'therapist', 'ada', 'bela');
  type Step = {
    who: 'therapist' | 'ada' | 'bela';
    make: (figures: readonly number[], clients: readonly number[], own: readonly string[]) => FieldAct;
  };
  const pick = (list: readonly number[], index: number) => list[index % Math.max(1, list.length)] ?? 999_999;
  const step: fc.Arbitrary<Step> = fc
    .tuple(
      who,
      fc.oneof(
        {
          weight: 3,
          arbitrary: fc
            .tuple(
              number(0, 1600),
              number(0, 1000),
              fc.constantFrom(...(['therapist', 'holders', 'everyone'] as const)),
            )
            .map(([x, y, movableBy]) => (): FieldAct => ({
              kind: 'add',
              figure: { iconType: 'MALE_FIGURE', x, y, movableBy },
            })),
        },
        {
          weight: 6,
          arbitrary: fc
            .tuple(number(0, 9), number(0, 1600), number(-400, 800))
            .map(([which, x, turn]) => (figures: readonly number[]): FieldAct => ({
              kind: 'place',
              figureId: pick(figures, which),
              x,
              rotation: ((turn % 360) + 360) % 360,
            })),
        },
        {
          weight: 2,
          arbitrary: fc
            .tuple(number(0, 9), fc.constantFrom('A', 'B'), fc.constantFrom('STAR', 'BAT'))
            .map(([which, name, iconType]) => (figures: readonly number[]): FieldAct => ({
              kind: 'edit',
              figureId: pick(figures, which),
              name,
              iconType: iconType as 'STAR',
            })),
        },
        {
          weight: 2,
          arbitrary: fc
            .tuple(number(0, 9), fc.constantFrom('front', 'back', 'forward', 'backward'))
            .map(([which, to]) => (figures: readonly number[]): FieldAct => ({
              kind: 'reorder',
              figureId: pick(figures, which),
              to: to as 'front',
            })),
        },
        {
          weight: 1,
          arbitrary: number(0, 9).map((which) => (figures: readonly number[]): FieldAct => ({
            kind: 'remove',
            figureId: pick(figures, which),
          })),
        },
        { weight: 1, arbitrary: fc.boolean().map((value) => (): FieldAct => ({ kind: 'showTexts', value })) },
        {
          weight: 2,
          arbitrary: number(0, 9).map((which) => (figures: readonly number[]): FieldAct => ({
            kind: 'toggleText',
            figureId: pick(figures, which),
          })),
        },
        {
          weight: 1,
          arbitrary: number(0, 9).map((which) => (figures: readonly number[]): FieldAct => ({
            kind: 'toggleIconType',
            figureId: pick(figures, which),
          })),
        },
        { weight: 1, arbitrary: fc.constant((): FieldAct => ({ kind: 'reset' })) },
        { weight: 1, arbitrary: fc.constant((): FieldAct => ({ kind: 'clear' })) },
        { weight: 1, arbitrary: fc.boolean().map((allowed) => (): FieldAct => ({ kind: 'hands', allowed })) },
        {
          weight: 3,
          arbitrary: fc
            .tuple(number(0, 9), number(0, 1))
            .map(([which, client]) => (figures: readonly number[], clients: readonly number[]): FieldAct => ({
              kind: 'giveRole',
              clientId: pick(clients, client),
              figureId: pick(figures, which),
            })),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(number(0, 9), number(0, 1))
            .map(([which, client]) => (figures: readonly number[], clients: readonly number[]): FieldAct => ({
              kind: 'takeRole',
              clientId: pick(clients, client),
              figureId: pick(figures, which),
            })),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(number(0, 9), number(0, 1))
            .map(([which, client]) => (figures: readonly number[], clients: readonly number[]): FieldAct => ({
              kind: 'activeRole',
              clientId: pick(clients, client),
              figureId: which === 9 ? null : pick(figures, which),
            })),
        },
        {
          weight: 4,
          arbitrary: number(0, 5).map(
            (back) =>
              (_f: readonly number[], _c: readonly number[], own: readonly string[]): FieldAct => ({
                kind: 'undo',
                actId: own.at(-1 - back) ?? '00000000-0000-4000-8000-000000000000',
              }),
          ),
        },
      ),
    )
    .map(([by, make]) => ({ who: by, make: make as Step['make'] }));

  test(
    '18 the room’s messages, applied to a snapshot of any moment, give the field; acts are simultaneous, some repeated',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(step, fc.boolean()), { minLength: 5, maxLength: LONG ? 80 : 30 }),
          fc.integer({ min: 1, max: 5 }),
          async (history, together) => {
            const one = await aRoom(platform, node);
            const people = { therapist: one.therapist, ada: one.clients[0]!, bela: one.clients[1]! };
            const own: Record<string, string[]> = { therapist: [], ada: [], bela: [] };
            const copies = [await one.copy()];
            const from = node.sent.length;
            let running: Promise<unknown>[] = [];
            for (const [{ who: by, make }, twice] of history) {
              const { figures } = await one.snapshot();
              const act = make(
                figures.map((figure) => figure.id),
                one.clients.map((client) => client.personId),
                own[by]!,
              );
              const actId = randomUUID();
              running.push(
                one.tried(people[by], act, actId).then((result) => result === 'done' && own[by]!.push(actId)),
              );
              if (twice) running.push(one.tried(people[by], act, actId));
              if (running.length >= together) {
                await Promise.all(running);
                running = [];
                copies.push(await one.copy());
              }
            }
            await Promise.all(running);
            const end = await one.copy();
            const changes = node.sent
              .slice(from)
              .filter((sent) => sent.to === roomDestination(one.therapistId))
              .map((sent) => sent.change);
            const revisions = changes.flatMap((change) =>
              change.eventType === 'PLAYER_CHANGE' ? [change.contents.revision] : [],
            );
            expect(revisions).toEqual(revisions.map((_, index) => index + 1));
            for (const copy of copies) expect(replay(copy, changes)).toEqual(end);
            const newest = end.figures.reduce((most, figure) => Math.max(most, figure.updatedOn), 0);
            expect(newest).toBeLessThanOrEqual(end.revision);
          },
        ),
        { numRuns: LONG ? 60 : 8 },
      );
    },
    LONG ? 600_000 : 90_000,
  );

  test(
    '19 undo after a person’s own act restores the earlier state; undo and redo equal the act',
    async () => {
      let undone = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (history) => {
          const one = await aRoom(platform, node);
          const figures = await fieldOf(platform.db, one.therapistId, [
            { movableBy: 'everyone' },
            {},
            { showText: false },
          ]);
          await one.act(one.therapist, {
            kind: 'giveRole',
            clientId: one.clients[0]!.personId,
            figureId: figures[1]!.id,
          });
          const people = { therapist: one.therapist, ada: one.clients[0]!, bela: one.clients[1]! };
          const own: Record<string, string[]> = { therapist: [], ada: [], bela: [] };
          const state = async () => ({ field: seen(await one.snapshot()), roles: await one.roles() });
          for (const { who: by, make } of history) {
            const before = await state();
            const actId = randomUUID();
            const act = make(
              before.field.figures.map((figure) => figure.id),
              one.clients.map((client) => client.personId),
              own[by]!,
            );
            if ((await one.tried(people[by], act, actId)) !== 'done') continue;
            own[by]!.push(actId);
            const after = await state();
            const undo = randomUUID();
            const result = await one.tried(people[by], { kind: 'undo', actId }, undo);
            // A client's own act may have ended their right to undo it; the therapist's act never does.
            if (by === 'therapist') expect(result).toBe('done');
            if (result !== 'done') continue;
            undone += 1;
            expect(await state()).toEqual(before);
            expect(await one.tried(people[by], { kind: 'undo', actId: undo })).toBe('done');
            expect(await state()).toEqual(after);
          }
        }),
        { numRuns: LONG ? 100 : 8 },
      );
      expect(undone).toBeGreaterThan(5);
    },
    LONG ? 600_000 : 90_000,
  );
});

/**
 * Locks the room's row until this many acts wait for it, then lets them race. Takes the function that starts them.
 * Returns their promises.
 */
async function atBarrier(start: () => Promise<unknown>[], waiting = 2): Promise<Promise<unknown>[]> {
  let started: Promise<unknown>[] = [];
  await platform.db.transaction(async (tx) => {
    await node.room.lock(tx, room.therapistId);
    started = start();
    for (const promise of started) promise.catch(() => {});
    await untilLockWaits(platform.db, waiting);
  });
  return started;
}
