/** Idle clients: rule 18 of README.md, docs/product.md#7.6. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/clients';
import { FIELD_SEND, type Figure } from '@fieldroom/contract/field';
import { MESSAGES_SEND } from '@fieldroom/contract/messages';
import { raiseHand } from '@fieldroom/contract/video';
import { openClientScreen, openTherapistScreen, rejoinTherapistScreen } from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist } from '../../builders/accounts.builders.ts';
import { inRoom } from '../../builders/clients.builders.ts';
import { aFigure } from '../../builders/field.builders.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // Here it runs only when a test calls it. Otherwise a sweep ends the live session after the same ten minutes.
  await t.app.jobs.stop();
});
afterAll(() => t.close());

const job = () => t.app.clients.scheduled.find(({ type }) => type === 'REMOVE_IDLE_CLIENTS')!.run();
const as = ({ token }: { token: string }) => ({ token });

async function aRoom() {
  const therapist = await aTherapist(t.db);
  const screen = await openTherapistScreen(t.url, therapist);
  const clients = [await inRoom(t.app, therapist), await inRoom(t.app, therapist)] as const;
  const pages = [await openClientScreen(t.url, clients[0]), await openClientScreen(t.url, clients[1])] as const;
  return {
    therapist,
    screen,
    clients,
    pages,
    people: async () => (await t.app.clients.people(therapist.id)).map(({ id }) => id),
    role: (client: { id: number }, figure: Figure) =>
      t.app.field.act({ as: 'therapist', therapistId: therapist.id, personId: therapist.id }, crypto.randomUUID(), {
        kind: 'giveRole',
        clientId: client.id,
        figureId: figure.id,
      }),
    async goesAway() {
      await screen.cut();
      await expect.poll(async () => (await t.app.room.row(therapist.id)).therapistAwaySince).toBeInstanceOf(Date);
    },
    async leave() {
      for (const page of pages) await page.leave();
      await t.app.sessions.end(therapist.id, 'ended');
    },
  };
}

test('18 a client who did nothing for ten minutes while the therapist was away leaves; an active one stays', async () => {
  const { therapist, clients, pages, people, role, goesAway, leave } = await aRoom();
  const [idle, busy] = clients;
  const [mine, shared, hidden] = [
    await aFigure(t.db, { therapistId: therapist.id, name: 'Mine' }),
    await aFigure(t.db, { therapistId: therapist.id, name: 'Shared' }),
    await aFigure(t.db, { therapistId: therapist.id, name: 'Hidden', showText: false }),
  ];
  for (const figure of [mine, shared, hidden]) await role(idle, figure);
  await role(busy, shared);
  // They may have listened for an hour: only the time of their page's countdown counts.
  await t.move(3600);
  await goesAway();
  await t.move(570);
  expect(await job()).toEqual({ removed: 0 });
  expect(await people()).toEqual([idle.id, busy.id]);
  await pages[1].send(FIELD_SEND.point, { x: 5, y: 5 });
  await t.move(40);
  expect(await job()).toEqual({ removed: 1 });
  expect(await people()).toEqual([busy.id]);
  const { figures } = await t.app.field.snapshot(therapist.id);
  expect(figures.map(({ name, showText }) => [name, showText])).toEqual([
    ['Mine', false],
    ['Shared', true],
    ['Hidden', false],
  ]);
  expect(await t.app.clients.rolesOf(therapist.id)).toEqual(
    new Map([[busy.id, [{ figureId: shared.id, active: true }]]]),
  );
  const { contents } = await pages[1].next('LOGOUT');
  expect(contents).toMatchObject({ id: idle.id, reason: 'left' });
  await pages[1].next('PLAYER_CHANGE', (change) =>
    change.contents.ops.some((op) => op.op === 'put' && op.figure.id === mine.id && !op.figure.showText),
  );
  // The token still lets them return without asking, with the roles that nobody has taken.
  expect((await t.api(calls.getSeat, {}, as(idle))).state).toBe('in');
  expect((await t.app.clients.rolesOf(therapist.id)).get(idle.id)).toHaveLength(2);
  expect(await job()).toEqual({ removed: 0 });
  await leave();
});

test('18 no client leaves while the therapist is here, or is back in time', async () => {
  const { therapist, people, goesAway, leave } = await aRoom();
  await t.move(1200);
  expect(await job()).toEqual({ removed: 0 });
  await goesAway();
  await t.move(700);
  const back = await rejoinTherapistScreen(t.url, therapist);
  expect(await job()).toEqual({ removed: 0 });
  expect(await people()).toHaveLength(2);
  await back.leave();
  await leave();
});

test('18 a page whose own countdown has ended: seat and roles are free, texts without a holder are hidden', async () => {
  const { therapist, clients, people, role, leave } = await aRoom();
  const [first, second] = clients;
  const mine = await aFigure(t.db, { therapistId: therapist.id, name: 'Mine' });
  const shared = await aFigure(t.db, { therapistId: therapist.id, name: 'Shared' });
  for (const figure of [mine, shared]) await role(first, figure);
  await role(second, shared);
  const texts = async () =>
    (await t.app.field.snapshot(therapist.id)).figures.map(({ name, showText }) => [name, showText]);
  const nonActive = () => t.api(calls.setNonActive, { params: { userId: first.id } }, as(first));
  await nonActive();
  expect(await people()).toEqual([second.id]);
  expect(await texts()).toEqual([
    ['Mine', false],
    ['Shared', true],
  ]);
  // A repetition changes nothing.
  await nonActive();
  expect(await people()).toEqual([second.id]);
  await leave();
});

const acts: Record<
  string,
  (
    client: { id: number; token: string },
    page: { send: (to: string, body: unknown) => Promise<void> },
  ) => Promise<unknown>
> = {
  'a drag': (_, page) => page.send(FIELD_SEND.drag, { figureId: 1, x: 1, y: 1 }),
  'an act, also a refused one': (_, page) =>
    page.send(FIELD_SEND.act, { actId: crypto.randomUUID(), act: { kind: 'hands', allowed: true } }),
  'a message': (_, page) => page.send(MESSAGES_SEND.send, { actId: crypto.randomUUID(), to: 'all', text: 'Hello' }),
  'a raised hand': (client) => t.api(raiseHand, { body: { raised: true } }, as(client)),
  'the call of a page': (client) => t.api(calls.setActive, { params: { userId: client.id } }, as(client)),
};
test.each(Object.keys(acts))('18 %s counts as activity', async (what) => {
  const { clients, pages, people, goesAway, leave } = await aRoom();
  await goesAway();
  await t.move(500);
  await acts[what]!(clients[0], pages[0]);
  await t.move(110);
  expect(await job()).toEqual({ removed: 1 });
  expect(await people()).toEqual([clients[0].id]);
  await leave();
});
