/** Relations between figures on a real database (docs/product.md#5.33 and #5.34; rule 41 of README.md). */
import { sql } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { FIGURE_COLORS, RELATIONS_MAX, type Figure, type Relation } from '@fieldroom/contract/field';
import { Problem } from '../../platform/problem.ts';
import { roomDestination } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../access.ts';
import { aConstellation } from '../../builders/constellations.builders.ts';
import { aFigure, fieldOf } from '../../builders/field.builders.ts';
import { aMoment } from '../../builders/moments.builders.ts';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { keptOf } from '../constellations/constellations.rules.ts';
import { aNode, aRoom, replay, type Node, type TestRoom } from './field.fixture.ts';

let platform: TestPlatform;
let node: Node;
let room: TestRoom;
let therapist: RoomAccess;
let ada: RoomAccess;
let mother: Figure;
let father: Figure;
let child: Figure;

beforeAll(async () => {
  platform = await testPlatform();
}, 60_000);
afterAll(() => platform?.close());
beforeEach(async () => {
  node = aNode(platform);
  room = await aRoom(platform, node);
  therapist = room.therapist;
  ada = room.clients[0] as RoomAccess;
  [mother, father, child] = (await fieldOf(platform.db, room.therapistId, [
    { name: 'Mother', movableBy: 'everyone' },
    { name: 'Father' },
    { name: 'Child' },
  ])) as [Figure, Figure, Figure];
  node.sent.length = 0;
});
afterEach(async () => {
  await node.stop();
  expect(node.faults).toEqual([]);
});

const to = (figure: { id: number }, look: Partial<Relation> = {}): Relation => ({
  to: figure.id,
  kind: 'arrow',
  color: FIGURE_COLORS.brick,
  word: 'misses',
  ...look,
});
const relate = (from: Figure, ...relations: Relation[]) =>
  room.act(therapist, { kind: 'edit', figureId: from.id, relations });
const relationsOf = async (figure: { id: number }) =>
  (await room.snapshot()).figures.find(({ id }) => id === figure.id)?.relations;
/** The code of the problem, or its fields. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (problem) => (problem instanceof Problem ? (problem.more.fields ?? problem.code) : problem),
  );

test('41 a figure gets relations, everybody gets them with it, and they are undone and redone', async () => {
  const before = await room.copy();
  const wished = [to(father), to(child, { kind: 'double', word: '' })];
  const actId = await relate(mother, ...wished);
  expect(await relationsOf(mother)).toEqual(wished);
  const heard = node.sent.filter((one) => one.to === roomDestination(room.therapistId)).map(({ change }) => change);
  expect(replay(before, heard).figures).toEqual((await room.snapshot()).figures);
  const undoId = await room.act(therapist, { kind: 'undo', actId });
  expect(await relationsOf(mother)).toEqual([]);
  await room.act(therapist, { kind: 'undo', actId: undoId });
  expect(await relationsOf(mother)).toEqual(wished);
});

test('41 equal relations change nothing; later relations prevent the undo, a later move does not', async () => {
  const first = await relate(mother, to(father));
  const { revision } = await room.copy();
  await relate(mother, to(father));
  expect((await room.copy()).revision).toBe(revision);
  await room.act(ada, { kind: 'place', figureId: mother.id, x: 10, y: 10 });
  expect(await relationsOf(mother)).toEqual([to(father)]);
  const second = await relate(mother, to(father, { word: 'waits for' }));
  expect(await room.tried(therapist, { kind: 'undo', actId: first })).toBe('changed_since');
  await room.act(therapist, { kind: 'undo', actId: second });
  expect(await relationsOf(mother)).toEqual([to(father)]);
});

test('8, 41 undoing a move of a related figure leaves its relations, and a client may do it', async () => {
  await relate(mother, to(father));
  const moved = await room.act(ada, { kind: 'place', figureId: mother.id, x: 10, y: 10 });
  await relate(mother, to(father), to(child));
  await room.act(ada, { kind: 'undo', actId: moved });
  expect((await room.snapshot()).figures[0]).toMatchObject({ x: mother.x, relations: [to(father), to(child)] });
});

test('41 relations to itself, to no figure and to a figure of another room are refused', async () => {
  const other = await aRoom(platform, node, []);
  const foreign = await aFigure(platform.db, { therapistId: other.therapistId });
  const edit = (...relations: Relation[]) =>
    refusal(node.field.act(therapist, randomUUID(), { kind: 'edit', figureId: mother.id, relations }));
  expect(await edit(to(father), to(mother))).toEqual([{ path: 'relations.1.to', code: 'itself' }]);
  expect(await edit(to({ id: 999_999_999 }))).toBe('not_found');
  expect(await edit(to(foreign))).toBe('not_found');
  expect(await relationsOf(mother)).toEqual([]);
  const figure = { iconType: 'STAR' as const, x: 1, y: 1, relations: [to(foreign)] };
  expect(await room.tried(therapist, { kind: 'add', figure })).toBe('not_found');
});

test('5.33 clients change no relations, not even of figures that they may move, and a move loses none', async () => {
  await relate(mother, to(father));
  const { updatedOn: _, id, ...all } = (await room.snapshot()).figures[0]!;
  const save = (input: object) =>
    refusal(node.field.act(ada, randomUUID(), { kind: 'save', figureId: id, input: input as never }));
  expect(await room.tried(ada, { kind: 'edit', figureId: mother.id, relations: [] })).toBe('forbidden');
  expect(await save({ ...all, relations: [] })).toBe('forbidden');
  expect(await save({ ...all, relations: [to(child)] })).toBe('forbidden');
  // Programs send the whole figure.
  expect(await save({ ...all, x: 77 })).toBe('done');
  expect(await save({ x: 88 })).toBe('done');
  expect((await room.snapshot()).figures[0]).toMatchObject({ x: 88, relations: [to(father)] });
});

test('5.34 a removal keeps the relation that led to the figure, and its undo brings back those of the figure', async () => {
  await relate(mother, to(father));
  await relate(father, to(child, { word: 'holds' }));
  const actId = await room.act(therapist, { kind: 'remove', figureId: father.id });
  expect(await relationsOf(mother)).toEqual([to(father)]);
  // A relation to a missing figure may stay, and others may be added.
  await relate(mother, to(father), to(child));
  expect(await relationsOf(mother)).toEqual([to(father), to(child)]);
  expect(await room.tried(therapist, { kind: 'edit', figureId: child.id, relations: [to(father)] })).toBe('not_found');
  await room.act(therapist, { kind: 'undo', actId });
  expect(await relationsOf(father)).toEqual([to(child, { word: 'holds' })]);
});

test('5.34 a removal stored before there were relations can be undone too', async () => {
  const actId = await room.act(therapist, { kind: 'remove', figureId: father.id });
  await platform.db.execute(
    sql`UPDATE field_acts SET trace = trace #- '{figures,0,before,relations}' WHERE act_id = ${actId}`,
  );
  node.sent.length = 0;
  await room.act(therapist, { kind: 'undo', actId });
  expect(await relationsOf(father)).toEqual([]);
  expect(node.sent.map(({ change }) => change)).toContainEqual(
    expect.objectContaining({
      contents: expect.objectContaining({
        ops: [{ op: 'put', figure: expect.objectContaining({ id: father.id, relations: [] }) }],
      }),
    }),
  );
});

test('5.34 lists that name no relations leave them, lists that do replace them, and new figures may start some', async () => {
  await relate(mother, to(father));
  const stamp = (await room.copy()).revision;
  const save = (list: object[], of = stamp) =>
    node.field.act(therapist, randomUUID(), { kind: 'saveAll', list, fromReset: true, stamp: of } as never);
  const all = [mother, father, child].map(({ id }) => ({ id }));
  await save(all);
  expect(await relationsOf(mother)).toEqual([to(father)]);
  await save([...all.slice(1), { id: mother.id, relations: [to(child)] }], (await room.copy()).revision);
  expect(await relationsOf(mother)).toEqual([to(child)]);
  await save([...all, { name: 'New', relations: [to(child)] }], (await room.copy()).revision);
  expect((await room.snapshot()).figures.find(({ name }) => name === 'New')?.relations).toEqual([to(child)]);
  expect(await refusal(save([{ id: mother.id, relations: [to(mother)] }], (await room.copy()).revision))).toEqual([
    { path: 'relations.0.to', code: 'itself' },
  ]);
});

test('5.34 a constellation keeps the relations between its figures, and a load gives them the new ids', async () => {
  await relate(mother, to(child), to(father));
  await relate(child, to(father, { kind: 'plain', word: '' }));
  await room.act(therapist, { kind: 'remove', figureId: father.id });
  const kept = keptOf((await room.snapshot()).figures);
  expect(kept.map(({ name, relations }) => [name, relations])).toEqual([
    ['Mother', [to({ id: 1 })]],
    ['Child', []],
  ]);
  const { therapistId } = room;
  const { id } = await aConstellation(platform.db, { therapistId, figures: [...kept, { name: 'Alone' }] });
  const load = async () => {
    const standing = (await room.copy()).revision;
    return room.act(therapist, { kind: 'load', constellationId: id, standing });
  };
  await load();
  const { figures } = await room.snapshot();
  expect(figures.map(({ name }) => name)).toEqual(['Mother', 'Child', 'Alone']);
  expect(figures.map(({ relations }) => relations)).toEqual([[to(figures[1]!)], [], []]);
  expect(figures[1]!.id).not.toBe(child.id);
  // Stored before there were relations.
  await platform.db.execute(sql`UPDATE constellations SET figures = figures #- '{0,relations}' WHERE id = ${id}`);
  await load();
  expect((await room.snapshot()).figures.map(({ relations }) => relations)).toEqual([[], [], []]);
});

test('5.33 going back to a moment restores its relations; an old moment has none', async () => {
  await relate(mother, to(father));
  const keep = async (number: number) => {
    const { figures } = await room.snapshot();
    return aMoment(platform.db, { liveSessionId: room.liveSession.id, number, figures });
  };
  const then = await keep(1);
  await room.act(therapist, { kind: 'remove', figureId: father.id });
  await relate(mother, to(child, { kind: 'double' }));
  const later = await keep(2);
  await room.act(therapist, { kind: 'backToMoment', momentId: then });
  expect(await relationsOf(mother)).toEqual([to(father)]);
  await room.act(therapist, { kind: 'backToMoment', momentId: later });
  expect(await relationsOf(mother)).toEqual([to(child, { kind: 'double' })]);
  expect(await relationsOf(father)).toBeUndefined();
  await platform.db.execute(
    sql`UPDATE moments SET figures = (SELECT jsonb_agg(one - 'relations') FROM jsonb_array_elements(figures) one) WHERE id = ${then}`,
  );
  await room.act(therapist, { kind: 'backToMoment', momentId: then });
  expect(await relationsOf(mother)).toEqual([]);
});

test('5.33 at most twelve start at one figure', async () => {
  const others = await fieldOf(
    platform.db,
    room.therapistId,
    Array.from({ length: RELATIONS_MAX }, (_, index) => ({ name: `${index}` })),
  );
  await relate(mother, ...others.map((other) => to(other)));
  expect(await relationsOf(mother)).toHaveLength(RELATIONS_MAX);
});
