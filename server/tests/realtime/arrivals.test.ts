/** Who comes into a room waits among those who arrive; who is in it does not (platform/db/arrivals.ts). */
import { FIELD_SEND } from '@fieldroom/contract/field';
import { roomDestination } from '@fieldroom/contract/realtime';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { inRoom } from '../../src/builders/clients.builders.ts';
import { isArrival } from '../../src/platform/db/arrivals.ts';
import { LimitedPool } from '../../src/platform/db/limited-pool.ts';
import { openClientScreen, openTherapistScreen } from '../support/people/screen.ts';
import { testApp, type TestApp } from '../support/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // Sweeps ask for connections each second, and belong to nobody.
  await t.app.jobs.stop();
});
afterAll(() => t.close());
afterEach(() => void vi.restoreAllMocks());

/** A room's stamps, read again some time after its last change, whoever made that. */
const STAMPS = /^select "field_revision", "people_revision" from "rooms"/;

/** Of each connection to the database that is asked for from now on: whether somebody arrives with it. */
function connectionsAskedFor(): boolean[] {
  const asked: boolean[] = [];
  const connect = LimitedPool.prototype.connect as (told?: unknown) => unknown;
  const query = LimitedPool.prototype.query as unknown as (query: { text: string }, ...rest: unknown[]) => unknown;
  let text = '';
  // It asks for its connection before it returns.
  const queryNoted = function (this: LimitedPool, ...given: Parameters<typeof query>) {
    text = given[0].text;
    try {
      return query.apply(this, given);
    } finally {
      text = '';
    }
  };
  vi.spyOn(LimitedPool.prototype, 'query').mockImplementation(queryNoted as never);
  vi.spyOn(LimitedPool.prototype, 'connect').mockImplementation(function (this: LimitedPool, told?: unknown) {
    // Without a callback it calls itself with one.
    if (told && !STAMPS.test(text)) asked.push(isArrival());
    return connect.call(this, told) as never;
  });
  return asked;
}

test('the sign-in and the way into the room belong to the arrival, and no act afterwards', async () => {
  const therapist = await aTherapist(t.db);
  const client = await inRoom(t.app, therapist);
  const screen = await openTherapistScreen(t.url, therapist);
  const asked = connectionsAskedFor();
  const arrived = await openClientScreen(t.url, client, { room: false });
  await arrived.subscribe(roomDestination(therapist.id));
  expect(asked.length).toBeGreaterThan(10);
  expect(asked).not.toContain(false);
  asked.length = 0;
  const actId = crypto.randomUUID();
  await screen.send(FIELD_SEND.act, {
    actId,
    act: { kind: 'add', figure: { iconType: 'STAR', x: 5, y: 5, movableBy: 'everyone' } },
  });
  await arrived.next('PLAYER_CHANGE', ({ contents }) => contents.actId === actId);
  expect(asked).toContain(false);
  expect(asked).not.toContain(true);
  for (const page of [arrived, screen]) await page.leave();
});
