/** Moves and parts on a real database, and going back. Numbers: README.md. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FieldAct, Figure } from '@fieldroom/contract/field';
import { applySteps, MOVES_MAX, PART_MOVES } from '@fieldroom/contract/moments';
import type { RoomAccess } from '../../access.ts';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { aNode, aRoom, type Node, type TestRoom } from '../field/field.fixture.ts';
import { icons } from '../field/field.tables.ts';
import { aMoment } from '../../builders/moments.builders.ts';
import { moments, moveParts, moves } from './moments.tables.ts';
import * as store from './moments.store.ts';

let platform: TestPlatform;
let node: Node;
let room: TestRoom;
let therapist: RoomAccess;
let ada: RoomAccess;
let bela: RoomAccess;
beforeAll(async () => {
  platform = await testPlatform();
  // Quick repeats are judged by the product's clock, which runs only when a test moves it.
  await platform.clock.setSpeed(0.000001);
}, 60_000);
afterAll(() => platform?.close());
beforeEach(async () => {
  node = aNode(platform);
  room = await aRoom(platform, node);
  therapist = room.therapist;
  [ada, bela] = room.clients as unknown as [RoomAccess, RoomAccess];
});
afterEach(async () => {
  await node.stop();
  expect(node.faults).toEqual([]);
});

const act = (who: RoomAccess, what: FieldAct) => room.act(who, what);
async function add(wish: Partial<Figure> = {}): Promise<Figure> {
  const { figures } = await node.field.act(therapist, randomUUID(), {
    kind: 'add',
    figure: { iconType: 'STAR', x: 100, y: 100, movableBy: 'everyone', ...wish },
  });
  return figures[0]!.after!;
}
const place = (figure: { id: number }, x: number): FieldAct => ({ kind: 'place', figureId: figure.id, x });
const rows = () =>
  platform.db.select().from(moves).where(eq(moves.liveSessionId, room.liveSession.id)).orderBy(moves.number);
const numbers = async () => (await rows()).map(({ number }) => number);
const partNumbers = async () =>
  (
    await platform.db
      .select()
      .from(moveParts)
      .where(eq(moveParts.liveSessionId, room.liveSession.id))
      .orderBy(moveParts.afterMove)
  ).map(({ afterMove }) => afterMove);
/** The visible properties of figures. */
const seen = (figures: readonly Figure[]) =>
  figures.map(({ id, name, iconType, iconId, color, showText, x, y, rotation, scale, order }) => ({
    ...{ id, name, iconType, iconId, color, showText, x, y, rotation, scale, order },
  }));
const fieldNow = async () => seen((await room.snapshot()).figures);

describe('moves', () => {
  test('1 every act with a visible change has its move, in order, with its revision; a crash before the commit leaves neither', async () => {
    const figure = await add();
    await act(ada, place(figure, 300));
    const revision = (await room.copy()).revision;
    expect(await rows()).toMatchObject([
      { number: 1, movedBy: 'therapist', kind: 'act', steps: [{ put: { id: figure.id, x: 100 } }] },
      { number: 2, movedBy: 'client', kind: 'act', revision, steps: [{ figureId: figure.id, set: { x: 300 } }] },
    ]);
    await platform.db.execute(sql`ALTER TABLE moves ADD CONSTRAINT refuse_all CHECK (number < 0) NOT VALID`);
    try {
      await expect(act(therapist, { kind: 'reset' })).rejects.toThrow();
    } finally {
      await platform.db.execute(sql`ALTER TABLE moves DROP CONSTRAINT refuse_all`);
    }
    expect((await room.copy()).revision).toBe(revision);
    expect(await numbers()).toEqual([1, 2]);
    await act(therapist, { kind: 'reset' });
    expect(await rows()).toMatchObject([{}, {}, { number: 3, kind: 'reset', revision: revision + 1 }]);
  });

  test('2 roles, hands, and who may move make no move; no name and no id of a client is in any row', async () => {
    const figure = await add();
    await act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: figure.id });
    await act(therapist, { kind: 'hands', allowed: false });
    await act(therapist, { kind: 'hands', allowed: true });
    await act(therapist, { kind: 'edit', figureId: figure.id, movableBy: 'holders' });
    expect(await numbers()).toEqual([1]);
    const actId = await act(ada, place(figure, 500));
    await act(ada, { kind: 'undo', actId });
    const all = await rows();
    expect(all.map(({ kind, movedBy }) => [kind, movedBy])).toEqual([
      ['act', 'therapist'],
      ['act', 'client'],
      ['undo', 'client'],
    ]);
    const { id: _id, liveSessionId: _session, ...columns } = moves;
    expect(Object.keys(columns).filter((name) => /actor|person|client/i.test(name))).toEqual([]);
    expect(JSON.stringify(all)).not.toContain(String((ada as { name: string }).name));
    for (const { steps } of all) expect(JSON.stringify(steps)).not.toContain(`"${ada.personId}"`);
  });

  test('3 without a live session nothing is kept, and the next one starts with the field of that time', async () => {
    const figure = await add();
    await node.sessions.end(room.therapistId, 'ended');
    await act(therapist, place(figure, 900));
    expect(await numbers()).toEqual([1]);
    const next = await node.sessions.open(room.therapistId);
    const part = await store.readPart(platform.db, next.id, 1);
    expect(seen(part!.figures)).toEqual(await fieldNow());
    expect(part!.moves).toEqual([]);
  });

  test('4 a figure that the same side moves again within two seconds is one move, with the last position and time', async () => {
    const figure = await add();
    const other = await add();
    for (const x of [110, 120, 130]) {
      await act(therapist, place(figure, x));
      await platform.move(1);
    }
    await act(therapist, { kind: 'place', figureId: figure.id, rotation: 90 });
    let all = await rows();
    expect(all).toHaveLength(3);
    expect(all[2]).toMatchObject({
      revision: (await room.copy()).revision,
      steps: [{ figureId: figure.id, set: { x: 130, rotation: 90 } }],
    });
    expect(all[2]!.movedAt.getTime() - all[2]!.begunAt.getTime()).toBeGreaterThanOrEqual(2900);
    // Another side, another figure, another act, later, or for too long: a separate move.
    await act(ada, place(figure, 200));
    await act(bela, place(figure, 210));
    await act(bela, place(other, 200));
    await act(bela, place(figure, 220));
    await act(therapist, { kind: 'edit', figureId: figure.id, color: '#000000' });
    await act(therapist, place(figure, 230));
    await platform.move(2.1);
    await act(therapist, place(figure, 240));
    all = await rows();
    expect(all.slice(3).map(({ movedBy, steps }) => [movedBy, steps[0]])).toEqual([
      ['client', { figureId: figure.id, set: { x: 210 } }],
      ['client', { figureId: other.id, set: { x: 200 } }],
      ['client', { figureId: figure.id, set: { x: 220 } }],
      ['therapist', { figureId: figure.id, set: { color: '#000000' } }],
      ['therapist', { figureId: figure.id, set: { x: 230 } }],
      ['therapist', { figureId: figure.id, set: { x: 240 } }],
    ]);
    for (let second = 0; second < 12; second += 1) {
      await act(therapist, place(figure, 300 + second));
      await platform.move(1);
    }
    expect(await rows()).toHaveLength(all.length + 1);
    expect((await rows()).at(-2)!.steps).toEqual([{ figureId: figure.id, set: { x: 309 } }]);
  });

  test('4 a move after which a moment was kept is not changed', async () => {
    const figure = await add();
    await act(therapist, place(figure, 300));
    await aMoment(platform.db, { liveSessionId: room.liveSession.id });
    await act(therapist, place(figure, 310));
    expect(await numbers()).toEqual([1, 2]);
    await platform.db.update(moments).set({ afterMove: 2 }).where(eq(moments.liveSessionId, room.liveSession.id));
    await act(therapist, place(figure, 320));
    expect((await rows()).map(({ steps }) => steps[0])).toMatchObject([
      { put: { id: figure.id } },
      { set: { x: 310 } },
      { set: { x: 320 } },
    ]);
  });

  test('5 from any part on, the moves lead to the field, after any acts', async () => {
    const command = fc.oneof(
      fc.record({ kind: fc.constant('place' as const), which: fc.nat(5), x: fc.integer({ min: 0, max: 1600 }) }),
      fc.record({ kind: fc.constant('add' as const) }),
      fc.record({ kind: fc.constant('remove' as const), which: fc.nat(5) }),
      fc.record({ kind: fc.constant('name' as const), which: fc.nat(5), name: fc.constantFrom('', 'Mother', 'Son') }),
      fc.record({ kind: fc.constant('reorder' as const), which: fc.nat(5), to: fc.constantFrom('front', 'back') }),
      fc.record({ kind: fc.constant('undo' as const) }),
      fc.record({ kind: fc.constant('reset' as const) }),
      fc.record({ kind: fc.constant('later' as const) }),
    );
    const three = [await add(), await add({ x: 200 }), await add({ x: 300 })];
    for (let n = 0; n < PART_MOVES - 10; n += 1) await act(therapist, place(three[n % 3]!, n));
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), async (commands) => {
        let last: string | null = null;
        for (const one of commands) {
          const { figures } = await room.snapshot();
          const figureId = 'which' in one ? figures[one.which]?.id : undefined;
          if ('which' in one && figureId === undefined) continue;
          const actId = randomUUID();
          const wanted: FieldAct | null =
            one.kind === 'place'
              ? { kind: 'place', figureId: figureId!, x: one.x }
              : one.kind === 'add'
                ? { kind: 'add', figure: { iconType: 'KIWI', x: 5, y: 5 } }
                : one.kind === 'remove'
                  ? { kind: 'remove', figureId: figureId! }
                  : one.kind === 'name'
                    ? { kind: 'edit', figureId: figureId!, name: one.name }
                    : one.kind === 'reorder'
                      ? { kind: 'reorder', figureId: figureId!, to: one.to as 'front' }
                      : one.kind === 'undo'
                        ? last === null
                          ? null
                          : { kind: 'undo', actId: last }
                        : one.kind === 'reset'
                          ? { kind: 'reset' }
                          : null;
          if (wanted === null) await platform.move(3);
          else if ((await room.tried(therapist, wanted, actId)) === 'done') last = actId;
        }
        const { parts, lastMove } = await store.readParts(platform.db, room.liveSession.id);
        let figures: Figure[] | null = null;
        let number = 0;
        for (const { firstMove } of parts) {
          const part = await store.readPart(platform.db, room.liveSession.id, firstMove);
          if (figures) expect(seen(figures)).toEqual(seen(part!.figures));
          figures = part!.figures;
          for (const move of part!.moves) {
            figures = applySteps(figures, move.steps);
            expect(move.number).toBe((number += 1));
          }
        }
        expect(number).toBe(lastMove);
        expect(seen(figures!)).toEqual(await fieldNow());
      }),
      { numRuns: 8 },
    );
    expect((await partNumbers()).length).toBeGreaterThan(1);
  }, 120_000);

  test('4 a move after which a part was kept is not changed', async () => {
    const figure = await add();
    await platform.db.execute(sql`
      INSERT INTO moves (live_session_id, number, revision, kind, moved_by, steps)
      SELECT ${room.liveSession.id}, n, n, 'act', 'therapist', '[]' FROM generate_series(2, ${PART_MOVES - 1}::int) n`);
    await act(therapist, place(figure, 300));
    await act(therapist, place(figure, 310));
    expect(await partNumbers()).toEqual([0, PART_MOVES]);
    expect((await rows()).slice(-2)).toMatchObject([
      { number: PART_MOVES, steps: [{ set: { x: 300 } }] },
      { number: PART_MOVES + 1, steps: [{ set: { x: 310 } }] },
    ]);
  });

  test('5 a live session without a part gets one with its next move', async () => {
    await platform.db.delete(moveParts).where(eq(moveParts.liveSessionId, room.liveSession.id));
    const figure = await add();
    await act(therapist, place(figure, 300));
    expect(await partNumbers()).toEqual([1]);
    const part = await store.readPart(platform.db, room.liveSession.id, 2);
    expect(part!.figures).toMatchObject([{ id: figure.id, x: 100 }]);
    expect(part!.moves.map(({ number }) => number)).toEqual([2]);
  });

  test('6 beyond the limits the earliest parts are deleted with their moves, and numbers continue', async () => {
    const figure = await add();
    const of = room.liveSession.id;
    await platform.db.execute(sql`
      INSERT INTO moves (live_session_id, number, revision, kind, moved_by, steps)
      SELECT ${of}, n, n, 'act', 'therapist', '[]' FROM generate_series(2, ${MOVES_MAX + PART_MOVES - 1}::int) n`);
    await platform.db.execute(sql`
      INSERT INTO move_parts (live_session_id, after_move, figures)
      SELECT ${of}, n, '[]' FROM generate_series(${PART_MOVES}::int, ${MOVES_MAX}::int, ${PART_MOVES}::int) n`);
    await act(therapist, place(figure, 300));
    const { parts, lastMove } = await store.readParts(platform.db, of);
    expect([parts[0]!.firstMove, lastMove]).toEqual([PART_MOVES + 1, MOVES_MAX + PART_MOVES]);
    expect((await numbers())[0]).toBe(PART_MOVES + 1);
    expect((await store.readPart(platform.db, of, lastMove + 1))!.figures).toMatchObject([{ id: figure.id, x: 300 }]);

    const surplus = (mostBytes: number) =>
      store.removeSurplus(platform.db, { liveSessionId: of, lastMove, most: MOVES_MAX, mostBytes });
    await platform.db.update(moves).set({ steps: [{ put: { ...figure, name: 'x'.repeat(50) } }] });
    await surplus(100_000);
    expect((await partNumbers())[0]).toBeGreaterThan(4000);
    await surplus(10);
    expect([await partNumbers(), await numbers()]).toEqual([[lastMove], []]);
    await act(therapist, place(figure, 400));
    expect(await numbers()).toEqual([lastMove + 1]);
  });
});

describe('going back', () => {
  const back = (momentId: number): FieldAct => ({ kind: 'backToMoment', momentId });
  async function keep(): Promise<number> {
    const { figures } = await room.snapshot();
    return aMoment(platform.db, { liveSessionId: room.liveSession.id, figures });
  }

  test('10 restores the field in one act that is undone in one; figures that stay keep their roles', async () => {
    const stays = await add({ name: 'Mother' });
    const goes = await add({ name: 'Son', x: 700 });
    await act(therapist, { kind: 'giveRole', clientId: ada.personId, figureId: stays.id });
    const momentId = await keep();
    const then = await fieldNow();
    await act(therapist, { kind: 'remove', figureId: goes.id });
    const came = await add({ name: 'Guest' });
    await act(therapist, { kind: 'giveRole', clientId: bela.personId, figureId: came.id });
    await act(therapist, { kind: 'giveRole', clientId: bela.personId, figureId: stays.id });
    await act(ada, place(stays, 1200));
    await act(therapist, { kind: 'hands', allowed: false });
    const [before, rolesBefore] = [await fieldNow(), await room.roles()];
    const { revision } = await room.copy();

    const actId = await act(therapist, back(momentId));
    expect(await fieldNow()).toEqual(then);
    expect(await room.roles()).toEqual({ [ada.personId]: [`${stays.id}*`], [bela.personId]: [`${stays.id}*`] });
    const copy = await room.copy();
    expect([copy.revision, copy.handsAllowed]).toEqual([revision + 1, false]);
    expect((await rows()).at(-1)).toMatchObject({ kind: 'back', movedBy: 'therapist' });

    const undone = await act(therapist, { kind: 'undo', actId });
    expect([await fieldNow(), await room.roles()]).toEqual([before, rolesBefore]);
    await act(therapist, { kind: 'undo', actId: undone });
    expect(await fieldNow()).toEqual(then);
  });

  test('10 is undone without overwriting later changes', async () => {
    const figure = await add();
    const momentId = await keep();
    await act(therapist, place(figure, 500));
    const actId = await act(therapist, back(momentId));
    await act(ada, place(figure, 800));
    expect(await room.tried(therapist, { kind: 'undo', actId })).toBe('changed_since');
    expect(await fieldNow()).toMatchObject([{ x: 800 }]);
  });

  test('10 is refused for clients, and for a moment of another room or of an earlier live session', async () => {
    await add();
    const momentId = await keep();
    await add();
    const before = await fieldNow();
    expect(await room.tried(ada, back(momentId))).toBe('forbidden');
    expect(await room.tried(ada, back(1_000_000))).toBe('forbidden');
    expect(await room.tried(therapist, back(1_000_000))).toBe('not_found');
    const other = await aRoom(platform, node);
    expect(await other.tried(other.therapist, back(momentId))).toBe('not_found');
    await node.sessions.end(room.therapistId, 'ended');
    await node.sessions.open(room.therapistId);
    expect(await room.tried(therapist, back(momentId))).toBe('not_found');
    expect(await fieldNow()).toEqual(before);
  });

  test('10 shows a figure whose custom icon was deleted since as a star', async () => {
    const [icon] = await platform.db
      .insert(icons)
      .values({ therapistId: room.therapistId, name: 'Dog', fileId: randomUUID(), width: 30, height: 30 })
      .returning();
    const figure = await add({ iconType: 'CUSTOM', iconId: icon!.id });
    const momentId = await keep();
    await act(therapist, { kind: 'remove', figureId: figure.id });
    await platform.db.delete(icons).where(eq(icons.id, icon!.id));
    await act(therapist, back(momentId));
    expect(await fieldNow()).toMatchObject([{ id: figure.id, iconType: 'STAR', iconId: null }]);
  });
});
