/** Moments and the look back over STOMP and HTTP on the whole server. Numbers: README.md. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FIELD_SEND, type Figure } from '@fieldroom/contract/field';
import {
  applySteps,
  deleteMoment,
  getMomentField,
  getReplay,
  getReplayPart,
  MOMENT_NAME_MAX,
  type Moment,
  MOMENTS_MAX,
  MOMENTS_SEND,
  renameMoment,
  replay,
} from '@fieldroom/contract/moments';
import { setRetention } from '@fieldroom/contract/retention';
import { eq, sql } from 'drizzle-orm';
import {
  openClientScreen,
  openTherapistScreen,
  rejoinTherapistScreen,
  type Screen,
} from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aSignIn, aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { aMoment } from '../../builders/moments.builders.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { moments, moveParts, moves } from './moments.tables.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

let therapist: BuiltAccount;
let ada: BuiltClient;
let desk: Screen;
let adas: Screen;
let sessionId: number;
beforeEach(async () => {
  therapist = await aTherapist(t.db);
  desk = await openTherapistScreen(t.url, therapist);
  ada = await inRoom(t.app, therapist, { name: 'Ada' });
  adas = await openClientScreen(t.url, ada);
  sessionId = (await t.app.sessions.running(therapist.id))!.id;
  return async () => {
    await t.app.sessions.end(therapist.id, 'ended');
    await desk.leave();
    await adas.leave();
  };
});

const add = async (figure: Partial<Figure> = {}) => {
  const { figures } = await t.app.field.act(
    { as: 'therapist', therapistId: therapist.id, personId: therapist.id },
    crypto.randomUUID(),
    { kind: 'add', figure: { iconType: 'STAR', x: 100, y: 100, movableBy: 'everyone', ...figure } },
  );
  return figures[0]!.after!;
};
/** Keeps a moment from a screen, and waits for the list that has it. */
async function keep(screen = desk, name?: string, actId: string = crypto.randomUUID()): Promise<Moment> {
  const from = screen.heard.length;
  await screen.send(MOMENTS_SEND.keep, { actId, ...(name === undefined ? {} : { name }) });
  const { contents } = await screen.next(
    'MOMENTS',
    ({ contents: { moments: kept } }) => kept.some((one) => one.actId === actId),
    from,
  );
  return contents.moments.find((one) => one.actId === actId)!;
}
const figuresOf = (momentId: number, { token } = therapist) =>
  t.api(getMomentField, { params: { momentId } }, { token });
const lookBack = (id = sessionId, { token } = therapist) => t.api(getReplay, { params: { sessionId: id } }, { token });
const part = (firstMove: number, { token } = therapist) =>
  t.api(getReplayPart, { params: { sessionId, firstMove } }, { token });
const refusedCode = async (screen: Screen, body: object) => {
  const actId = crypto.randomUUID();
  await screen.send(MOMENTS_SEND.keep, { actId, ...body });
  return (await screen.next('PROBLEM', ({ contents }) => contents.actId === actId)).contents.problem.code;
};

test('7 relations are kept and looked back at; data stored before there were any has none', async () => {
  const father = await add({ name: 'Father' });
  const misses = { to: father.id, kind: 'arrow' as const, color: '#953300', word: 'misses' };
  const mother = await add({ name: 'Mother', relations: [misses] });
  const edit = { kind: 'edit', figureId: mother.id, relations: [] } as const;
  await desk.send(FIELD_SEND.act, { actId: crypto.randomUUID(), act: edit });
  const kept = await keep();
  expect((await figuresOf(kept.id)).map(({ relations }) => relations)).toEqual([[], []]);
  const steps = (await part(1)).moves.flatMap((move) => move.steps);
  expect(steps).toMatchObject([
    { put: { relations: [] } },
    { put: { relations: [misses] } },
    { figureId: mother.id, set: { relations: [] } },
  ]);
  const without = (column: string) =>
    sql.raw(`(SELECT coalesce(jsonb_agg(one - 'relations'), '[]') FROM jsonb_array_elements(${column}) one)`);
  await t.db.execute(sql`UPDATE moments SET figures = ${without('figures')} WHERE id = ${kept.id}`);
  await t.db.execute(sql`UPDATE move_parts SET figures = ${without('figures')} WHERE live_session_id = ${sessionId}`);
  await t.db.execute(sql`UPDATE moves SET steps = steps #- '{0,put,relations}' WHERE live_session_id = ${sessionId}`);
  expect((await figuresOf(kept.id)).map(({ relations }) => relations)).toEqual([[], []]);
  expect((await part(1)).moves.flatMap((move) => move.steps)).toMatchObject([
    { put: { relations: [] } },
    { put: { relations: [] } },
    {},
  ]);
});

describe('keeping', () => {
  test('7 a moment includes everything its connection sent before; a repeated act keeps it once', async () => {
    const figure = await add({ name: 'Mother' });
    desk.say(FIELD_SEND.act, { actId: crypto.randomUUID(), act: { kind: 'place', figureId: figure.id, x: 777 } });
    const actId = crypto.randomUUID();
    const first = await keep(desk, undefined, actId);
    expect(first).toMatchObject({ number: 1, name: null, figures: 1 });
    expect(await figuresOf(first.id)).toMatchObject([{ id: figure.id, name: 'Mother', x: 777 }]);
    expect((await lookBack()).lastMove).toBe(first.afterMove);
    expect(await keep(desk, undefined, actId)).toEqual(first);
    expect(await keep(desk, '  After the turn ')).toMatchObject({ number: 2, name: 'After the turn' });
    expect((await lookBack()).moments.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('8 at most 50 are kept, announced with the act’s id; a deleted one makes room', async () => {
    for (let number = 1; number < MOMENTS_MAX; number += 1) await aMoment(t.db, { liveSessionId: sessionId, number });
    const last = await keep();
    expect(last.number).toBe(MOMENTS_MAX);
    expect(await refusedCode(desk, {})).toBe('moments_full');
    await t.api(deleteMoment, { params: { momentId: last.id } }, therapist);
    expect((await keep()).number).toBe(MOMENTS_MAX);
  });

  test('8 if two screens keep one at once with one place left, one is refused', async () => {
    for (let number = 1; number < MOMENTS_MAX; number += 1) await aMoment(t.db, { liveSessionId: sessionId, number });
    const other = await rejoinTherapistScreen(t.url, therapist);
    await Promise.all([desk, other].map((one) => one.send(MOMENTS_SEND.keep, { actId: crypto.randomUUID() })));
    expect((await lookBack()).moments).toHaveLength(MOMENTS_MAX);
    expect([...desk.of('PROBLEM'), ...other.of('PROBLEM')].map(({ contents }) => contents.problem.code)).toEqual([
      'moments_full',
    ]);
    await other.leave();
  });

  test('7 names of more than 60 characters, with control characters, or a foreign property are refused', async () => {
    expect(await refusedCode(desk, { name: 'x'.repeat(MOMENT_NAME_MAX + 1) })).toBe('invalid_input');
    expect(await refusedCode(desk, { name: 'turned \u202E round' })).toBe('invalid_input');
    expect(await refusedCode(desk, { figures: [] })).toBe('invalid_input');
    expect((await lookBack()).moments).toEqual([]);
  });

  test('9 all screens of the therapist are told and a new one gets the list; clients neither keep nor receive any', async () => {
    await add();
    const other = await rejoinTherapistScreen(t.url, therapist);
    await keep();
    await other.next('MOMENTS', ({ contents }) => contents.moments.length === 1);
    const third = await rejoinTherapistScreen(t.url, therapist);
    expect((await third.next('MOMENTS')).contents).toMatchObject({
      liveSessionId: sessionId,
      moments: [{ number: 1 }],
    });
    expect(await refusedCode(adas, {})).toBe('forbidden');
    const again = await openClientScreen(t.url, ada);
    await again.next('PLAYERS_VALUE');
    for (const screen of [adas, again]) expect(screen.of('MOMENTS')).toEqual([]);
    await Promise.all([other, third, again].map((one) => one.leave()));
  });

  test('7 without a live session nothing is kept', async () => {
    await t.app.sessions.end(therapist.id, 'ended');
    expect(await refusedCode(desk, {})).toBe('no_live_session');
  });
});

describe('afterwards', () => {
  test('moments can be named and deleted, during the live session and after it; others find nothing', async () => {
    await add();
    const kept = await keep();
    const rename = (name: string, { token } = therapist) =>
      t.api(renameMoment, { params: { momentId: kept.id }, body: { name } }, { token });
    const from = desk.heard.length;
    expect(await rename('Calm')).toMatchObject({ ...kept, name: 'Calm' });
    await desk.next('MOMENTS', ({ contents }) => contents.moments[0]?.name === 'Calm', from);
    expect(await rename('  ')).toMatchObject({ name: null });

    const stranger = await aTherapist(t.db);
    await expect(rename('Mine', stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(figuresOf(kept.id, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(t.api(deleteMoment, { params: { momentId: kept.id } }, stranger)).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(lookBack(sessionId, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(part(1, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(part(7)).rejects.toMatchObject({ code: 'not_found' });

    await t.app.sessions.end(therapist.id, 'ended');
    expect(await rename('After the end')).toMatchObject({ name: 'After the end' });
    expect(desk.of('MOMENTS').at(-1)!.contents.moments[0]!.name).toBeNull();
    await t.api(deleteMoment, { params: { momentId: kept.id } }, therapist);
    await expect(figuresOf(kept.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('5 the look back leads from the start of the live session to its end', async () => {
    const figure = await add({ name: 'Son' });
    await adas.send(FIELD_SEND.act, {
      actId: crypto.randomUUID(),
      act: { kind: 'place', figureId: figure.id, x: 400, y: 500 },
    });
    const kept = await keep();
    await t.app.sessions.end(therapist.id, 'ended');
    const look = await lookBack();
    expect(replay.parse(look)).toEqual(look);
    expect(look).toMatchObject({ lastMove: 2, parts: [{ firstMove: 1 }], moments: [{ id: kept.id, afterMove: 2 }] });
    expect(look.endedOn).not.toBeNull();
    const { figures, moves: made } = await part(1);
    expect(figures).toEqual([]);
    expect(made.map(({ by }) => by)).toEqual(['therapist', 'client']);
    const end = made.reduce<Figure[]>((standing, { steps }) => applySteps(standing, steps), figures);
    expect(end).toMatchObject([{ id: figure.id, name: 'Son', x: 400, y: 500 }]);
    expect(JSON.stringify(made)).not.toContain('Ada');
  });

  const left = async () => {
    const counts = await Promise.all(
      [moments, moves, moveParts].map((table) => t.db.select().from(table).where(eq(table.liveSessionId, sessionId))),
    );
    return counts.map((rows) => rows.length);
  };

  test('moments, moves and parts are deleted after the therapist’s period, but not before or while the session runs', async () => {
    await add({ name: 'Grandmother Ilona' });
    await keep(desk, 'Ilona turns');
    await t.api(setRetention, { body: { attendanceMonths: 1 } }, therapist);
    await t.move(40 * 86_400);
    await t.app.retention.erase();
    expect(await left()).toEqual([1, 1, 1]);
    await t.app.sessions.end(therapist.id, 'ended');
    await t.move(25 * 86_400);
    await t.app.retention.erase();
    expect(await left()).toEqual([1, 1, 1]);
    await t.move(8 * 86_400);
    expect((await t.app.retention.erase()).lookBacks).toBe(1);
    expect(await left()).toEqual([0, 0, 0]);
    const token = await aSignIn(t.db, therapist.id);
    expect(await lookBack(sessionId, { ...therapist, token })).toMatchObject({ parts: [], lastMove: 0, moments: [] });
    expect((await t.app.retention.erase()).lookBacks).toBe(0);
  });

  test('everything is deleted with the account', async () => {
    const { id } = await aTherapist(t.db);
    sessionId = (await t.app.sessions.open(id)).id;
    const as = { as: 'therapist', therapistId: id, personId: id } as const;
    await t.app.field.act(as, crypto.randomUUID(), { kind: 'add', figure: { iconType: 'BAT', x: 1, y: 1 } });
    await aMoment(t.db, { liveSessionId: sessionId });
    expect(await left()).toEqual([1, 1, 1]);
    await t.db.delete(accounts).where(eq(accounts.id, id));
    expect(await left()).toEqual([0, 0, 0]);
  });
});
