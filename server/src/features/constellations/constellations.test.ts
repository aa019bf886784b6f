/** Prepared constellations over HTTP and STOMP on a real database. Numbers are those of README.md. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/constellations';
import { FIELD_SEND, FIGURES_MAX } from '@fieldroom/contract/field';
import type { Problem } from '../../platform/problem.ts';
import { sql } from 'drizzle-orm';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { inRoom } from '../../builders/clients.builders.ts';
import { aConstellation } from '../../builders/constellations.builders.ts';
import { aFigure, fieldOf } from '../../builders/field.builders.ts';
import { holdLock } from '../../../tests/support/locks.ts';
import { openClientScreen, openTherapistScreen } from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { lockRoom } from '../room/room.store.ts';
import { constellations } from './constellations.tables.ts';

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
});

const as = () => ({ token: therapist.token });
const list = () => t.api(calls.allConstellations, {}, as());
const figuresOf = (constellationId: number) =>
  t.api(calls.constellationFigures, { params: { constellationId } as never }, as());
const save = (name: string, replace?: boolean) =>
  t.api(calls.saveConstellation, { body: { name, ...(replace === undefined ? {} : { replace }) } }, as());
const rename = (constellationId: number, name: string) =>
  t.api(calls.renameConstellation, { params: { constellationId } as never, body: { name } }, as());
const remove = (constellationId: number) =>
  t.api(calls.deleteConstellation, { params: { constellationId } as never }, as());
/** The code of the problem and its places, or `done`. */
const tried = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (problem: Problem) => (problem.more.fields ? problem.more.fields : problem.code),
  );
const names = async () => (await list()).map(({ name }) => name);
const anIcon = async (): Promise<number> => {
  const { rows } = await t.db.execute<{ id: number }>(
    sql`INSERT INTO icons (therapist_id, name, file_id, width, height) VALUES (${therapist.id}, 'Tree', ${crypto.randomUUID()}, 30, 30) RETURNING id`,
  );
  return Number(rows[0]!.id);
};

test('9 relations are kept with the positions of their figures in the list; saved before there were any relations, there are none', async () => {
  const [mother, father] = await fieldOf(t.db, therapist.id, [{ name: 'Mother' }, { name: 'Father' }]);
  const misses = { to: father!.id, kind: 'arrow' as const, color: '#953300', word: 'misses' };
  const access = { as: 'therapist', therapistId: therapist.id, personId: therapist.id } as const;
  const relations = [misses];
  await t.app.field.act(access, crypto.randomUUID(), { kind: 'edit', figureId: mother!.id, relations });
  const kept = await save('Family');
  const shown = async () => (await figuresOf(kept.id)).map((figure) => figure.relations);
  expect(await shown()).toEqual([[{ ...misses, to: 1 }], []]);
  await t.db.execute(sql`UPDATE constellations SET figures = figures #- '{0,relations}' #- '{1,relations}'`);
  expect(await shown()).toEqual([[], []]);
});

test('1 only the figures of the field are kept: no ids, no roles and no holders', async () => {
  const client = await inRoom(t.app, therapist);
  const [mother] = await fieldOf(t.db, therapist.id, [
    { name: 'Mother', iconType: 'FEMALE_FIGURE', x: 300, y: 400, rotation: 90, scale: 2, showText: false, startX: 1 },
    { name: 'Fear', iconType: 'BAT', movableBy: 'therapist' },
  ]);
  const access = { as: 'therapist', therapistId: therapist.id, personId: therapist.id } as const;
  await t.app.field.act(access, crypto.randomUUID(), { kind: 'giveRole', clientId: client.id, figureId: mother!.id });
  const kept = await save('  The   family ');
  expect(kept).toEqual({ id: kept.id, name: 'The family', savedOn: kept.savedOn, figures: 2, standIns: 0 });
  expect(await list()).toEqual([kept]);
  expect(await figuresOf(kept.id)).toEqual([
    {
      name: 'Mother',
      iconType: 'FEMALE_FIGURE',
      iconId: null,
      color: mother!.color,
      showText: false,
      x: 300,
      y: 400,
      rotation: 90,
      scale: 2,
      order: 1000,
      movableBy: 'holders',
      relations: [],
    },
    expect.objectContaining({ name: 'Fear', iconType: 'BAT', movableBy: 'therapist', order: 1001 }),
  ]);
  const [row] = await t.db.select().from(constellations);
  const stored = JSON.stringify(row);
  expect(stored).not.toContain(client.name);
  for (const word of ['"clientId"', '"roles"', '"updatedOn"', '"startX"']) expect(stored).not.toContain(word);
});

test('1 an empty field is not kept', async () => {
  expect(await tried(save('Nothing'))).toBe('field_empty');
  expect(await list()).toEqual([]);
});

test('2 names have 1 to 60 visible characters', async () => {
  await aFigure(t.db, { therapistId: therapist.id });
  expect(await tried(save('x'.repeat(61)))).toEqual([{ path: 'name', code: 'too_long' }]);
  for (const name of ['', '   ', '\u200d'])
    expect(await tried(save(name)), JSON.stringify(name)).toEqual([{ path: 'name', code: 'required' }]);
  expect(await tried(save('a\u202eb'))).toEqual([{ path: 'name', code: 'unsafe_characters' }]);
  expect(await tried(save('x'.repeat(60)))).toBe('done');
});

test('2 names are case-insensitive; other therapists have their own', async () => {
  await aFigure(t.db, { therapistId: therapist.id });
  await save('Große Straße');
  expect(await tried(save('GROSSE STRASSE'))).toBe('constellation_name_taken');
  expect(await tried(save('große straße'))).toBe('constellation_name_taken');
  const { id } = await save('Gross');
  expect(await tried(rename(id, 'GROẞE STRAßE'))).toBe('constellation_name_taken');
  expect((await rename(id, 'GROSS')).name).toBe('GROSS');
  await aConstellation(t.db, { therapistId: (await aTherapist(t.db)).id, name: 'Mine' });
  expect(await tried(save('mine'))).toBe('done');
  expect(await names()).toEqual(['GROSS', 'Große Straße', 'mine']);
});

test('2 two at once cannot take one name or the last place twice', async () => {
  await aFigure(t.db, { therapistId: therapist.id });
  const atOnce = async (...work: (() => Promise<unknown>)[]) => {
    const lock = await holdLock(t.db, (tx) => lockRoom(tx, therapist.id));
    const all = work.map((each) => tried(each()));
    await lock.waited(work.length);
    await lock.release();
    return (await Promise.all(all)).toSorted();
  };
  expect(
    await atOnce(
      () => save('One'),
      () => save('ONE'),
    ),
  ).toEqual(['constellation_name_taken', 'done']);
  const other = await save('Other');
  expect(
    await atOnce(
      () => rename(other.id, 'Two'),
      () => save('two'),
    ),
  ).toEqual(['constellation_name_taken', 'done']);

  const missing = calls.CONSTELLATIONS_MAX - 1 - (await list()).length;
  for (let n = 0; n < missing; n += 1) await aConstellation(t.db, { therapistId: therapist.id, name: `More ${n}` });
  expect(
    await atOnce(
      () => save('Last'),
      () => save('Too many'),
    ),
  ).toEqual(['constellations_full', 'done']);
  expect(await list()).toHaveLength(calls.CONSTELLATIONS_MAX);
  // A full list still takes other figures for a name that it has.
  expect(await tried(save('one', true))).toBe('done');
});

test('3 replacing keeps the id, and takes the current name, figures and day', async () => {
  const figure = await aFigure(t.db, { therapistId: therapist.id, name: 'Before' });
  const first = await save('Family');
  await t.move(86_400);
  await fieldOf(t.db, therapist.id, [{ name: 'More' }]);
  expect(await tried(save('family'))).toBe('constellation_name_taken');
  const second = await save('FAMILY', true);
  expect([second.id, second.name, second.figures]).toEqual([first.id, 'FAMILY', 2]);
  expect(Date.parse(second.savedOn) - Date.parse(first.savedOn)).toBeGreaterThanOrEqual(86_400_000);
  expect((await figuresOf(first.id)).map(({ name }) => name)).toEqual([figure.name, 'More']);
  expect(await list()).toHaveLength(1);
  // A new name is simply kept.
  expect((await save('Another', true)).figures).toBe(2);
});

test('4 a missing custom icon is shown as a star and counted, in list, figures and answers', async () => {
  const [kept, gone] = [await anIcon(), await anIcon()];
  const { id } = await aConstellation(t.db, {
    therapistId: therapist.id,
    figures: [
      { name: 'Tree', iconType: 'CUSTOM', iconId: kept },
      { name: 'House', iconType: 'CUSTOM', iconId: gone },
      { name: 'Barn', iconType: 'CUSTOM', iconId: gone },
      {},
    ],
  });
  expect(await list()).toMatchObject([{ figures: 4, standIns: 0 }]);
  await t.db.execute(sql`DELETE FROM icons WHERE id = ${gone}`);
  expect(await list()).toMatchObject([{ figures: 4, standIns: 2 }]);
  expect((await figuresOf(id)).map(({ iconType, iconId }) => [iconType, iconId])).toEqual([
    ['CUSTOM', kept],
    ['STAR', null],
    ['STAR', null],
    ['MALE_FIGURE', null],
  ]);
  expect(await rename(id, 'Farm')).toMatchObject({ name: 'Farm', standIns: 2 });
});

test('5 renaming and deleting; a deleted one is not found', async () => {
  const { id } = await aConstellation(t.db, { therapistId: therapist.id, name: 'Before' });
  expect((await rename(id, 'After')).name).toBe('After');
  await remove(id);
  expect(await list()).toEqual([]);
  for (const work of [remove, figuresOf, (gone: number) => rename(gone, 'Again')])
    expect(await tried(work(id))).toBe('not_found');
});

test('5 other therapists’ constellations do not exist for the caller: not listed, read, renamed, replaced or deleted', async () => {
  const other = await aTherapist(t.db);
  await aFigure(t.db, { therapistId: therapist.id });
  const theirs = await aConstellation(t.db, { therapistId: other.id, name: 'Theirs' });
  expect(await list()).toEqual([]);
  for (const work of [remove, figuresOf, (id: number) => rename(id, 'Mine')])
    expect(await tried(work(theirs.id))).toBe('not_found');
  expect((await save('Theirs', true)).id).not.toBe(theirs.id);
  expect(await t.api(calls.allConstellations, {}, { token: other.token })).toMatchObject([
    { id: theirs.id, name: 'Theirs', figures: 1 },
  ]);
});

test('6 the therapist’s screens are told that the list has changed; clients are not', async () => {
  const desk = await openTherapistScreen(t.url, therapist);
  const client = await openClientScreen(t.url, await inRoom(t.app, therapist));
  await aFigure(t.db, { therapistId: therapist.id });
  const news = () => desk.next('REFRESH_ADMIN', ({ contents }) => contents.what === 'constellations', from);
  let from = desk.heard.length;
  const { id } = await save('Family');
  await news();
  from = desk.heard.length;
  await rename(id, 'Clan');
  await news();
  from = desk.heard.length;
  await remove(id);
  await news();
  await client.send('/app/check.connection', {});
  expect(client.of('REFRESH_ADMIN')).toEqual([]);
  for (const screen of [desk, client]) await screen.leave();
  await t.app.sessions.end(therapist.id, 'ended');
});

test('7 loading sends everybody in the room the new field at once; undo sends the old one with its roles', async () => {
  const desk = await openTherapistScreen(t.url, therapist);
  const client = await inRoom(t.app, therapist);
  const screen = await openClientScreen(t.url, client);
  await screen.next('PLAYERS_VALUE');
  const { id } = await aConstellation(t.db, {
    therapistId: therapist.id,
    figures: [{ name: 'Mother' }, { name: 'Me' }],
  });
  const figure = await aFigure(t.db, { therapistId: therapist.id, name: 'Old' });
  const act = (actId: string, body: object) => desk.send(FIELD_SEND.act, { actId, act: body });
  await act(crypto.randomUUID(), { kind: 'giveRole', clientId: client.id, figureId: figure.id });
  const { contents } = await screen.next('PLAYER_CHANGE');

  const [refused, loaded] = [crypto.randomUUID(), crypto.randomUUID()];
  await act(refused, { kind: 'load', constellationId: id, standing: contents.revision - 1 });
  const problem = await desk.next('PROBLEM', (change) => change.contents.actId === refused);
  expect(problem.contents.problem).toMatchObject({ code: 'list_outdated', status: 409 });
  await act(loaded, { kind: 'load', constellationId: id, standing: contents.revision });
  const change = await screen.next('PLAYER_CHANGE', (heard) => heard.contents.actId === loaded);
  expect(
    change.contents.ops.map((op) => (op.op === 'put' ? op.figure.name : op.op === 'remove' ? op.figureId : op)),
  ).toEqual(['Mother', 'Me', figure.id]);
  await screen.next('UNREGISTER_USER', (heard) => heard.contents.people.every(({ roles }) => roles.length === 0));

  const from = screen.heard.length;
  await act(crypto.randomUUID(), { kind: 'undo', actId: loaded });
  const back = await screen.next('PLAYER_CHANGE', () => true, from);
  expect(back.contents.ops.filter((op) => op.op === 'put').map((op) => op.figure.name)).toEqual(['Old']);
  await screen.next('UNREGISTER_USER', (heard) => heard.contents.people[0]?.activeRole === figure.id, from);
  for (const each of [desk, screen]) await each.leave();
  await t.app.sessions.end(therapist.id, 'ended');
});

test('8 a full field is kept and loaded completely', async () => {
  await fieldOf(
    t.db,
    therapist.id,
    Array.from({ length: FIGURES_MAX }, (_, n) => ({ name: `Figure ${n}`, x: n })),
  );
  const { id, figures } = await save('Crowd');
  expect(figures).toBe(FIGURES_MAX);
  const access = { as: 'therapist', therapistId: therapist.id, personId: therapist.id } as const;
  await t.app.field.act(access, crypto.randomUUID(), { kind: 'load', constellationId: id, standing: 0 });
  const loaded = (await t.app.field.snapshot(therapist.id)).figures;
  expect(loaded.map(({ name, x }) => [name, x])).toEqual(
    Array.from({ length: FIGURES_MAX }, (_, n) => [`Figure ${n}`, n]),
  );
});
