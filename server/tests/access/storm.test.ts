/** Many requests at once: people who guess have to wait, everybody else goes on. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as accounts from '@fieldroom/contract/accounts';
import * as calls from '@fieldroom/contract/clients';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { aClient, inRoom } from '../../src/builders/clients.builders.ts';
import { testApp, type TestApp } from '../support/test-app.ts';
import { openClientScreen, openTherapistScreen } from '../support/people/screen.ts';

let t: TestApp;
beforeEach(async () => {
  // Callers come through our proxy, so that each may have a different address.
  t = await testApp({ env: { TRUST_PROXY: 'loopback' } });
});
afterEach(() => t.close());

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const code = (error: unknown) => (error as { code: string }).code;

describe('wrong codes', () => {
  test('a hundred at once from ten sources: right codes and links enter meanwhile, from the same sources too; every wrong one hears the same', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    const { code: right } = await t.api(calls.getRoom, {}, { token: therapist.token });
    const wrong = Array.from({ length: 100 }, (_, n) =>
      t
        .api(
          calls.enterRoom,
          { body: { code: right === 'ZZZZZ' ? 'YYYYY' : 'ZZZZZ', name: `Guess ${n}` } },
          from(`192.0.2.${n % 10}`),
        )
        .then(() => 'in', code),
    );
    await screen.next('REFRESH_ADMIN', ({ contents }) => contents.what === 'wrongCodes');
    const entered = await Promise.all(
      Array.from({ length: 10 }, (_, n) => [
        t.api(
          calls.enterRoom,
          { body: { code: right!, name: `Code ${n}` } },
          from(n < 5 ? `192.0.2.${n}` : `203.0.113.${n}`),
        ),
        t.api(
          calls.enterRoom,
          { body: { joinLink: therapist.joinLink, name: `Link ${n}` } },
          from(n < 5 ? `192.0.2.${n}` : `203.0.113.${n}`),
        ),
      ]).flat(),
    );
    expect(entered.map(({ state }) => state)).toEqual(Array.from({ length: 20 }, () => 'waiting'));
    // Everything that is held back is answered when the server stops; nobody got in by it.
    t.app.clients.stopTaking();
    expect(new Set(await Promise.all(wrong))).toEqual(new Set(['invalid_code']));
    const room = await t.api(calls.getRoom, {}, { token: therapist.token });
    expect(room.waiting.map(({ name }) => name).filter((name) => name.startsWith('Guess'))).toEqual([]);
    expect(room.waiting).toHaveLength(20);
    expect(room.wrongTries).toBe(100);
    expect(room.code).toBe(right);
    await screen.leave();
  });
});

describe('wrong passwords', () => {
  test('eighty at once stop neither calls nor the room nor other sign-ins', async () => {
    const victim = await aTherapist(t.db);
    const other = await aTherapist(t.db);
    const client = await inRoom(t.app, other);
    const screen = await openTherapistScreen(t.url, other);
    const page = await openClientScreen(t.url, client);
    let open = 80;
    const tries = Array.from({ length: 80 }, (_, n) =>
      t
        .api(
          accounts.login,
          { body: { email: n % 2 === 0 ? victim.email : `nobody-${n}@mailbox.example`, password: `wrong ${n}` } },
          from(`198.51.100.${n % 20}`),
        )
        .then(() => 'in', code)
        .finally(() => (open -= 1)),
    );
    // While they are under way: an act is stored and announced, calls are answered, others sign in.
    const actId = crypto.randomUUID();
    await screen.send(FIELD_SEND.act, { actId, act: { kind: 'add', figure: { iconType: 'STAR', x: 5, y: 5 } } });
    await page.next('PLAYER_CHANGE', ({ contents }) => contents.actId === actId);
    expect((await t.api(calls.getSeat, {}, { token: client.token })).state).toBe('in');
    expect(open).toBeGreaterThan(0);
    expect(
      (await t.api(accounts.login, { body: { email: other.email, password: other.password } }, from('203.0.113.9')))
        .user.id,
    ).toBe(other.id);
    const answers = new Set(await Promise.all(tries));
    expect(
      [...answers].filter(
        (answer) => !['invalid_credentials', 'too_many_requests', 'captcha_required'].includes(answer),
      ),
    ).toEqual([]);
    // The owner is not locked out by what strangers did.
    await t.move(3600);
    expect(
      (await t.api(accounts.login, { body: { email: victim.email, password: victim.password } }, from('203.0.113.9')))
        .user.id,
    ).toBe(victim.id);
    await page.leave();
    await screen.leave();
  });
});

describe('frames', () => {
  test('of a client that floods: nobody else notices anything, and the client is refused now and then, not each time', async () => {
    const therapist = await aTherapist(t.db);
    const [flooder, calm] = [await inRoom(t.app, therapist), await inRoom(t.app, therapist)];
    const screen = await openTherapistScreen(t.url, therapist);
    const [flood, page] = [await openClientScreen(t.url, flooder), await openClientScreen(t.url, calm)];
    for (let n = 0; n < 2000; n++) flood.send(FIELD_SEND.drag, { figureId: 1, x: n % 1600, y: 1 }).catch(() => {});
    const actId = crypto.randomUUID();
    await screen.send(FIELD_SEND.act, { actId, act: { kind: 'add', figure: { iconType: 'STAR', x: 5, y: 5 } } });
    await page.next('PLAYER_CHANGE', ({ contents }) => contents.actId === actId);
    expect(page.isOpen()).toBe(true);
    expect(page.of('PLAYER_DRAG')).toEqual([]);
    expect(flood.of('PROBLEM').length).toBeLessThan(20);
  });

  test('fifty wait, twenty-four seats: letting all in at once fills the room and no more', async () => {
    const therapist = await aTherapist(t.db);
    await t.app.sessions.open(therapist.id);
    const waiting = [];
    for (let n = 0; n < 50; n++) waiting.push(await aClient(t.app, therapist));
    const answers = await Promise.all(
      waiting.map(({ id }) => t.api(calls.admit, { body: { clientIds: [id] } }, { token: therapist.token })),
    );
    expect(answers.flatMap(({ admitted }) => admitted)).toHaveLength(24);
    expect(new Set(answers.flatMap(({ refused }) => refused.map((one) => one.code)))).toEqual(new Set(['room_full']));
    const room = await t.api(calls.getRoom, {}, { token: therapist.token });
    expect([room.people.length, room.waiting.length]).toEqual([24, 26]);
  });
});
