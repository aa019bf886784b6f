/** Observers' words over STOMP and HTTP on a real database. Numbers: README.md. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setNonActive } from '@fieldroom/contract/clients';
import { FIELD_SEND } from '@fieldroom/contract/field';
import {
  inviteWords,
  OBSERVER_WORD_MAX,
  OBSERVER_WORDS_LIMIT,
  OBSERVER_WORDS_SEND,
  OBSERVER_WORDS_WINDOW_SECONDS,
} from '@fieldroom/contract/observerWords';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import { everyRow } from '../../../tests/support/people/practice.ts';
import {
  openClientScreen,
  openTherapistScreen,
  rejoinTherapistScreen,
  type Screen,
} from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aClient, type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { aFigure } from '../../builders/field.builders.ts';
import { observerInvitations } from './observerWords.tables.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

let therapist: BuiltAccount;
let [ada, bela]: BuiltClient[] = [];
let desk: Screen;
let adas: Screen;
let belas: Screen;
let waiting: Screen;
beforeEach(async () => {
  therapist = await aTherapist(t.db);
  desk = await openTherapistScreen(t.url, therapist);
  ada = await inRoom(t.app, therapist, { name: 'Ada' });
  bela = await inRoom(t.app, therapist, { name: 'Béla' });
  adas = await openClientScreen(t.url, ada);
  belas = await openClientScreen(t.url, bela);
  waiting = await openClientScreen(t.url, await aClient(t.app, therapist), { room: false });
  return async () => {
    await t.app.sessions.end(therapist.id, 'ended');
    await desk.leave();
  };
});

const as = ({ token }: { token: string }) => ({ token });
const invite = (invited: boolean) => t.api(inviteWords, { body: { invited } }, as(therapist));
/** Sends a word, and returns its act once it was handled: by then every other connection has got its messages. */
async function say(from: Screen, text = 'warm'): Promise<string> {
  const actId = crypto.randomUUID();
  await from.send(OBSERVER_WORDS_SEND.say, { actId, text });
  return actId;
}
/** The messages that a connection got, once nothing more is on its way. */
async function heardBy(screen: Screen): Promise<Screen['heard']> {
  await screen.send('/app/check.connection', {});
  return screen.heard;
}
const wordsOf = async (screen: Screen) =>
  (await heardBy(screen)).flatMap(({ change }) =>
    change.eventType === 'OBSERVER_WORD' ? [[change.contents.personId, change.contents.text]] : [],
  );
const codeOf = async (screen: Screen, actId: string) =>
  (await heardBy(screen)).flatMap(({ change }) =>
    change.eventType === 'PROBLEM' && change.contents.actId === actId ? [change.contents.problem.code] : [],
  );
const invitationsOf = async (screen: Screen) =>
  (await heardBy(screen)).flatMap(({ change }) =>
    change.eventType === 'OBSERVER_INVITATION' ? [change.contents.invited] : [],
  );

describe('1 the invitation', () => {
  test('is announced at its start and end, and joiners are told its state', async () => {
    expect(await invitationsOf(adas)).toEqual([false]);
    await invite(true);
    for (const screen of [desk, adas, belas]) expect(await invitationsOf(screen)).toEqual([false, true]);
    expect(await invitationsOf(waiting)).toEqual([]);
    const again = await rejoinTherapistScreen(t.url, therapist);
    expect(await invitationsOf(again)).toEqual([true]);
    await invite(true);
    await invite(false);
    expect(await invitationsOf(again)).toEqual([true, true, false]);
    await again.leave();
  });

  test('ends with the live session, and does not exist in the next', async () => {
    await invite(true);
    await t.app.sessions.end(therapist.id, 'ended');
    expect(await t.db.select().from(observerInvitations)).toEqual([]);
    await expect(invite(true)).rejects.toMatchObject({ code: 'no_live_session' });
    const next = await openTherapistScreen(t.url, therapist);
    expect(await invitationsOf(next)).toEqual([false]);
    await next.leave();
  });
});

describe('2 the sender', () => {
  test('is a client without a role; everybody in the room gets the word on its destination', async () => {
    await invite(true);
    const actId = await say(adas, '  a  little lighter ');
    for (const screen of [desk, adas, belas]) {
      const found = (await heardBy(screen)).filter(({ change }) => change.eventType === 'OBSERVER_WORD');
      expect(found).toEqual([
        {
          destination: roomDestination(therapist.id),
          change: { eventType: 'OBSERVER_WORD', contents: { actId, personId: ada!.id, text: 'a little lighter' } },
        },
      ]);
    }
    expect(await wordsOf(waiting)).toEqual([]);
  });

  test('is refused before the invitation and after its end', async () => {
    expect(await codeOf(adas, await say(adas))).toEqual(['words_not_invited']);
    await invite(true);
    await invite(false);
    expect(await codeOf(adas, await say(adas))).toEqual(['words_not_invited']);
    expect(await wordsOf(belas)).toEqual([]);
  });

  test('is refused with a role, and accepted once it is taken back', async () => {
    await invite(true);
    const { id: figureId } = await aFigure(t.db, { therapistId: therapist.id });
    const role = { clientId: ada!.id, figureId };
    await desk.send(FIELD_SEND.act, { actId: crypto.randomUUID(), act: { kind: 'giveRole', ...role } });
    expect(await codeOf(adas, await say(adas))).toEqual(['words_only_without_role']);
    await desk.send(FIELD_SEND.act, { actId: crypto.randomUUID(), act: { kind: 'takeRole', ...role } });
    await say(adas, 'free');
    expect(await wordsOf(belas)).toEqual([[ada!.id, 'free']]);
  });

  test('is refused if it is the therapist, or somebody who waits, is away or belongs to another room', async () => {
    await invite(true);
    expect(await codeOf(desk, await say(desk))).toEqual(['forbidden']);
    expect(await codeOf(waiting, await say(waiting))).toEqual(['not_admitted']);
    await t.api(setNonActive, { params: { userId: bela!.id } as never }, as(bela!));
    expect(await codeOf(belas, await say(belas))).toEqual(['not_admitted']);
    const other = await aTherapist(t.db);
    const elsewhere = await openTherapistScreen(t.url, other);
    const stranger = await openClientScreen(t.url, await inRoom(t.app, other));
    expect(await codeOf(stranger, await say(stranger))).toEqual(['words_not_invited']);
    expect(await wordsOf(desk)).toEqual([]);
    await t.app.sessions.end(other.id, 'ended');
    await elsewhere.leave();
  });

  test('is refused while the therapist’s connection is down', async () => {
    await invite(true);
    await desk.cut();
    await adas.next('DISCONNECTED');
    expect(await codeOf(adas, await say(adas))).toEqual(['therapist_away']);
    desk = await rejoinTherapistScreen(t.url, therapist);
    await say(adas, 'here');
    expect(await wordsOf(belas)).toEqual([[ada!.id, 'here']]);
  });

  test('is refused with a text that breaks the schema, and the refusal names the act', async () => {
    await invite(true);
    for (const text of ['', '  ', 'x'.repeat(OBSERVER_WORD_MAX + 1), 'two\nlines\u0000', 'turned \u202Eround'])
      expect(await codeOf(adas, await say(adas, text)), JSON.stringify(text)).toEqual(['invalid_input']);
    expect(await wordsOf(belas)).toEqual([]);
  });
});

test('3 a word is stored nowhere, and later joiners do not get it', async () => {
  await invite(true);
  await say(adas, 'verysecretfeeling');
  expect(await wordsOf(belas)).toEqual([[ada!.id, 'verysecretfeeling']]);
  const late = await openClientScreen(t.url, bela!);
  expect(await wordsOf(late)).toEqual([]);
  expect((await heardBy(late)).map(({ destination }) => destination)).toContain(ownDestination(bela!.id));
  expect(JSON.stringify(await everyRow(t.db))).not.toContain('verysecretfeeling');
  await late.leave();
});

test('4 ten words a minute are allowed, including refused ones', async () => {
  await invite(true);
  for (let n = 0; n < OBSERVER_WORDS_LIMIT; n += 1) await say(adas, `word ${n}`);
  expect(await codeOf(adas, await say(adas, 'too many'))).toEqual(['too_many_requests']);
  await say(belas, 'of another person');
  expect(await wordsOf(desk)).toHaveLength(OBSERVER_WORDS_LIMIT + 1);
  await t.move(OBSERVER_WORDS_WINDOW_SECONDS);
  await say(adas, 'later');
  expect(await wordsOf(desk)).toContainEqual([ada!.id, 'later']);
});
