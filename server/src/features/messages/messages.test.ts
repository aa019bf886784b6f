/** Messages over STOMP and HTTP on a real database. Numbers: README.md. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { logout, sessionOut } from '@fieldroom/contract/accounts';
import { endLiveSession, setNonActive } from '@fieldroom/contract/clients';
import {
  MESSAGE_MAX,
  MESSAGES_LIMIT,
  MESSAGES_SEND,
  MESSAGES_SHOWN,
  MESSAGES_WINDOW_SECONDS,
  message,
  setClientMessages,
} from '@fieldroom/contract/messages';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import { holdLock } from '../../../tests/support/locks.ts';
import { everyRow } from '../../../tests/support/people/practice.ts';
import {
  openClientScreen,
  openScreen,
  openTherapistScreen,
  rejoinTherapistScreen,
  type Screen,
} from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aClient, type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { createRoom } from '../room/index.ts';
import { createSessions } from '../sessions/index.ts';
import { liveSessions } from '../sessions/sessions.tables.ts';
import { createMessagesService } from './messages.service.ts';
import { messages, messageSettings } from './messages.tables.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // Its sweep finds the therapist here, while on another node, which restarts, nobody has arrived.
  await t.app.jobs.stop();
});
afterAll(() => t.close());

// ---- a room with a therapist, two clients and somebody who waits; all of them connected

let therapist: BuiltAccount;
let [ada, bela]: BuiltClient[] = [];
let desk: Screen;
let adas: Screen;
let belas: Screen;
let waiting: Screen;
beforeEach(async () => {
  therapist = await aTherapist(t.db, { firstName: 'Anna' });
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
const newId = () => crypto.randomUUID();
/** Sends a message, and returns its act once it was handled: by then every other connection has got its messages. */
async function write(from: Screen, to: 'all' | number, text = 'Hello', actId: string = newId()): Promise<string> {
  await from.send(MESSAGES_SEND.send, { actId, to, text });
  return actId;
}
/** What a connection got, once nothing more is on its way: the receipt comes after all earlier messages. */
async function heardBy(screen: Screen): Promise<Screen['heard']> {
  await screen.send('/app/check.connection', {});
  return screen.heard;
}
const textsOf = async (screen: Screen) =>
  (await heardBy(screen)).flatMap(({ change }) => (change.eventType === 'MESSAGE' ? [change.contents.text] : []));
const codeOf = async (screen: Screen, actId: string) =>
  (await heardBy(screen)).flatMap(({ change }) =>
    change.eventType === 'PROBLEM' && change.contents.actId === actId ? [change.contents.problem.code] : [],
  );
/** The content of MESSAGES for somebody who joins now. */
async function standingFor(opening: Promise<Screen>) {
  const screen = await opening;
  const { contents } = await screen.next('MESSAGES');
  await screen.leave();
  return contents;
}
const shownTo = async (client: BuiltClient) =>
  (await standingFor(openClientScreen(t.url, client))).messages.map(({ text }) => text);
const storedTexts = async () => (await t.db.select().from(messages)).map(({ text }) => text);
const setClients = (mayWrite: boolean) => t.api(setClientMessages, { body: { mayWrite } }, as(therapist));

describe('1 the recipients', () => {
  test('are all, for messages from everybody in the room, with names and time', async () => {
    const actId = await write(adas, 'all', 'Good morning\r\n  all  ');
    for (const screen of [desk, adas, belas]) {
      const { contents } = await screen.next('MESSAGE');
      expect(message.parse(contents)).toEqual({
        id: expect.any(Number),
        actId,
        from: ada!.id,
        fromName: 'Ada',
        to: 'all',
        toName: null,
        text: 'Good morning\n  all',
        sentOn: expect.any(String),
      });
    }
    await write(desk, 'all', 'Welcome');
    const { contents } = await belas.next('MESSAGE', ({ contents: { text } }) => text === 'Welcome');
    expect(contents).toMatchObject({ from: therapist.id, fromName: 'Anna', to: 'all', toName: null });
  });

  test('are only the therapist for a client, and anyone in the room for the therapist', async () => {
    const other = await aTherapist(t.db);
    const stranger = await inRoom(t.app, other);
    const waits = await aClient(t.app, therapist);
    const left = await inRoom(t.app, therapist);
    await t.api(setNonActive, { params: { userId: left.id } as never }, as(left));
    for (const to of [bela!.id, ada!.id, waits.id, other.id, stranger.id, 987_654_321])
      expect(await codeOf(adas, await write(adas, to)), `client to ${to}`).toEqual(['not_found']);
    for (const to of [therapist.id, waits.id, left.id, other.id, stranger.id, 987_654_321])
      expect(await codeOf(desk, await write(desk, to)), `therapist to ${to}`).toEqual(['not_found']);
    expect(await storedTexts()).toEqual([]);
    await t.app.sessions.end(other.id, 'ended');
  });

  test('do not include people who wait, were removed, are away or belong elsewhere, who also cannot write', async () => {
    expect(await codeOf(waiting, await write(waiting, 'all'))).toEqual(['not_admitted']);
    expect(await codeOf(waiting, await write(waiting, therapist.id))).toEqual(['not_admitted']);

    await t.api(setNonActive, { params: { userId: bela!.id } as never }, as(bela!));
    expect(await codeOf(belas, await write(belas, 'all'))).toEqual(['not_admitted']);
    await write(desk, 'all', 'for those who are here');
    expect(await textsOf(belas)).toEqual([]);

    await t.app.clients.remove(therapist.id, ada!.id);
    await adas.closed;
    await expect(openScreen(t.url, ada!.token)).rejects.toMatchObject({ code: 'sent_out' });
    expect((await heardBy(waiting)).map(({ change }) => change.eventType)).not.toContain('MESSAGE');
    expect((await heardBy(waiting)).map(({ change }) => change.eventType)).not.toContain('MESSAGES');

    const other = await aTherapist(t.db);
    const elsewhere = await openTherapistScreen(t.url, other);
    const answered = await write(elsewhere, 'all', 'in another room');
    await elsewhere.next('MESSAGE', ({ contents }) => contents.actId === answered);
    expect(await textsOf(desk)).toEqual(['for those who are here']);
    await t.app.sessions.end(other.id, 'ended');
    await elsewhere.leave();
  });

  test('get no message from somebody removed while it is on its way', async () => {
    const { service } = anotherNode();
    await t.app.clients.remove(therapist.id, ada!.id);
    const access = { as: 'client', therapistId: therapist.id, personId: ada!.id, name: 'Ada' } as const;
    await expect(service.send(access, { actId: newId(), to: 'all', text: 'late' })).rejects.toMatchObject({
      code: 'not_admitted',
    });
    expect(await storedTexts()).toEqual([]);
  });

  test('get no text that the schema refuses; the refusal names its act', async () => {
    for (const text of ['', ' \n ', 'x'.repeat(MESSAGE_MAX + 1), 'turned \u202Eround', 'nul \u0000'])
      expect(await codeOf(adas, await write(adas, 'all', text)), JSON.stringify(text)).toEqual(['invalid_input']);
    expect(await codeOf(adas, await write(adas, 'x' as never))).toEqual(['invalid_input']);
    await write(adas, 'all', 'x'.repeat(MESSAGE_MAX));
    expect(await textsOf(belas)).toEqual(['x'.repeat(MESSAGE_MAX)]);
  });
});

describe('2 the channels', () => {
  test('for one person are only both people’s own destinations, on all their connections', async () => {
    const second = await openClientScreen(t.url, ada!);
    const secondDesk = await rejoinTherapistScreen(t.url, therapist);
    await write(adas, therapist.id, 'for you');
    await write(desk, ada!.id, 'and back');
    for (const [screen, person] of [
      [adas, ada!],
      [second, ada!],
      [desk, therapist],
      [secondDesk, therapist],
    ] as const) {
      const private_ = (await heardBy(screen)).filter(({ change }) => change.eventType === 'MESSAGE');
      expect(private_.map(({ change }) => (change.contents as { text: string }).text)).toEqual(['for you', 'and back']);
      expect(new Set(private_.map(({ destination }) => destination))).toEqual(new Set([ownDestination(person.id)]));
      expect(private_[0]!.change.contents).toMatchObject({ fromName: 'Ada', to: therapist.id, toName: 'Anna' });
      expect(private_[1]!.change.contents).toMatchObject({ fromName: 'Anna', to: ada!.id, toName: 'Ada' });
    }
    expect(await textsOf(belas)).toEqual([]);
    await second.leave();
    await secondDesk.leave();
  });

  test('for all is the room’s destination', async () => {
    await write(adas, 'all');
    for (const screen of [desk, adas, belas]) {
      const found = (await heardBy(screen)).filter(({ change }) => change.eventType === 'MESSAGE');
      expect(found.map(({ destination }) => destination)).toEqual([roomDestination(therapist.id)]);
    }
  });
});

describe('3 once', () => {
  test('a message sent again reaches only its sender, whatever its text is now', async () => {
    const actId = await write(adas, 'all', 'once');
    await write(adas, 'all', 'twice', actId);
    await write(adas, therapist.id, 'thrice', actId);
    expect(await textsOf(adas)).toEqual(['once', 'once', 'once']);
    expect(new Set(adas.of('MESSAGE').map(({ contents }) => contents.id)).size).toBe(1);
    expect(await textsOf(belas)).toEqual(['once']);
    expect(await textsOf(desk)).toEqual(['once']);
    // The same act id of another person is another message.
    await write(belas, 'all', 'mine', actId);
    expect(await textsOf(desk)).toEqual(['once', 'mine']);
    expect(await storedTexts()).toEqual(['once', 'mine']);
  });

  test('both at once, by two processes, make one message', async () => {
    const access = { as: 'client', therapistId: therapist.id, personId: ada!.id, name: 'Ada' } as const;
    const same = { actId: newId(), to: 'all', text: 'once' } as const;
    await Promise.all([
      ...[0, 1].map(() => anotherNode().service.send(access, same)),
      adas.send(MESSAGES_SEND.send, same),
    ]);
    expect(await storedTexts()).toEqual(['once']);
  });

  test('a message sent again after clients were stopped is confirmed, a new one is refused', async () => {
    const actId = await write(adas, 'all', 'before');
    await setClients(false);
    await write(adas, 'all', 'before', actId);
    expect(await textsOf(adas)).toEqual(['before', 'before']);
    expect(await codeOf(adas, await write(adas, 'all', 'after'))).toEqual(['messages_off']);
  });
});

describe('4 what people can read', () => {
  test('the therapist everything, a client their own and what came since they were let in, in order', async () => {
    await write(desk, 'all', '1 all');
    await write(adas, therapist.id, '2 Ada');
    await write(desk, bela!.id, '3 Béla');
    const cleo = await inRoom(t.app, therapist, { name: 'Cleo' });
    await write(belas, 'all', '4 all');
    await write(desk, cleo.id, '5 Cleo');
    await write(belas, therapist.id, '6 Béla');
    expect(await shownTo(ada!)).toEqual(['1 all', '2 Ada', '4 all']);
    expect(await shownTo(bela!)).toEqual(['1 all', '3 Béla', '4 all', '6 Béla']);
    expect(await shownTo(cleo)).toEqual(['4 all', '5 Cleo']);
    const standing = await standingFor(rejoinTherapistScreen(t.url, therapist));
    expect(standing.messages.map(({ text }) => text.slice(0, 1))).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(standing.messages.map(({ id }) => id)).toEqual(
      standing.messages.map(({ id }) => id).toSorted((a, b) => a - b),
    );
    expect(standing.liveSessionId).toBe((await t.app.sessions.running(therapist.id))!.id);
  });

  test('MESSAGES is sent only to the connection that joins', async () => {
    const before = (await heardBy(adas)).length;
    await shownTo(ada!);
    await shownTo(bela!);
    expect((await heardBy(adas)).slice(before).map(({ change }) => change.eventType)).not.toContain('MESSAGES');
    expect(adas.of('MESSAGES')).toHaveLength(1);
  });

  test('a lost connection and a minute away keep the first moment; the clock does not decide it', async () => {
    await write(desk, 'all', 'before Cleo');
    const cleo = await inRoom(t.app, therapist, { name: 'Cleo' });
    const screen = await openClientScreen(t.url, cleo);
    await write(desk, 'all', 'with Cleo');
    await screen.cut();
    expect(await shownTo(cleo)).toEqual(['with Cleo']);
    await t.api(setNonActive, { params: { userId: cleo.id } as never }, as(cleo));
    await write(desk, 'all', 'while Cleo was away');
    expect(await shownTo(cleo)).toEqual(['with Cleo', 'while Cleo was away']);
    // As after an operator put the clock back between the two.
    await t.db
      .update(messages)
      .set({ sentAt: sql`product_now() + interval '1 day'` })
      .where(eq(messages.text, 'before Cleo'));
    await t.db
      .update(messages)
      .set({ sentAt: new Date(0) })
      .where(eq(messages.text, 'with Cleo'));
    expect(await shownTo(cleo)).toEqual(['with Cleo', 'while Cleo was away']);
  });

  test('somebody removed and admitted again can read from then on', async () => {
    await write(desk, 'all', 'first visit');
    await write(desk, ada!.id, 'first visit, Ada');
    await t.app.clients.remove(therapist.id, ada!.id);
    await write(desk, 'all', 'in between');
    const again = await inRoom(t.app, therapist, { name: 'Ada' });
    await write(desk, 'all', 'second visit');
    expect(await shownTo(again)).toEqual(['second visit']);
  });

  test('somebody admitted only by the link can read from then on', async () => {
    await t.app.clients.setAdmission(therapist.id, 'open');
    await write(desk, 'all', 'before');
    const cleo = await aClient(t.app, therapist, { name: 'Cleo' });
    await write(desk, 'all', 'after');
    expect(await shownTo(cleo)).toEqual(['after']);
  });

  test('only the newest of many; the longest ones fit', async () => {
    const { id: liveSessionId } = (await t.app.sessions.running(therapist.id))!;
    const text = '言'.repeat(MESSAGE_MAX - 3);
    await t.db.insert(messages).values(
      Array.from({ length: MESSAGES_SHOWN + 10 }, (_, n) => ({
        liveSessionId,
        actId: newId(),
        fromId: bela!.id,
        fromName: '名'.repeat(60),
        text: String(n).padStart(3, '0') + text,
        peopleRevision: 1_000_000,
      })),
    );
    const numbers = (await shownTo(ada!)).map((shown) => Number(shown.slice(0, 3)));
    expect(numbers).toEqual(Array.from({ length: MESSAGES_SHOWN }, (_, n) => n + 10));
  });
});

describe('5 clients’ messages off', () => {
  test('are announced at once; clients can read but not write, the therapist can write; the setting stays', async () => {
    expect((await standingFor(openClientScreen(t.url, ada!))).clientsMayWrite).toBe(true);
    await setClients(false);
    for (const screen of [desk, adas, belas])
      expect((await screen.next('CLIENT_MESSAGES')).contents).toEqual({ mayWrite: false });
    expect((await heardBy(waiting)).map(({ change }) => change.eventType)).not.toContain('CLIENT_MESSAGES');
    for (const to of ['all', therapist.id] as const)
      expect(await codeOf(adas, await write(adas, to))).toEqual(['messages_off']);
    await write(desk, 'all', 'listen');
    await write(desk, ada!.id, 'you too');
    expect(await textsOf(adas)).toEqual(['listen', 'you too']);
    expect((await standingFor(openClientScreen(t.url, ada!))).clientsMayWrite).toBe(false);

    await t.app.sessions.end(therapist.id, 'ended');
    const late = await inRoom(t.app, therapist);
    expect((await standingFor(openClientScreen(t.url, late))).clientsMayWrite).toBe(false);
    await setClients(true);
    expect(await standingFor(openClientScreen(t.url, late))).toMatchObject({ clientsMayWrite: true, messages: [] });
  });

  test('can only be switched by the therapist', async () => {
    const other = await aTherapist(t.db);
    await expect(t.api(setClientMessages, { body: { mayWrite: false } }, as(ada!))).rejects.toMatchObject({
      code: 'forbidden',
    });
    await t.api(setClientMessages, { body: { mayWrite: false } }, as(other));
    await write(adas, 'all', 'heard');
    expect(await textsOf(desk)).toEqual(['heard']);
    expect((await heardBy(adas)).map(({ change }) => change.eventType)).not.toContain('CLIENT_MESSAGES');
  });
});

test('6 while the therapist’s connection is down, clients are refused', async () => {
  await desk.cut();
  await adas.next('DISCONNECTED');
  for (const to of ['all', therapist.id] as const)
    expect(await codeOf(adas, await write(adas, to))).toEqual(['therapist_away']);
  desk = await rejoinTherapistScreen(t.url, therapist);
  await write(adas, 'all', 'back');
  expect(await textsOf(belas)).toEqual(['back']);
});

describe('7 the limit', () => {
  test('is 20 a minute of product time for each person; a message sent again is not counted', async () => {
    const first = await write(adas, 'all', '0');
    for (let n = 1; n < MESSAGES_LIMIT; n++) await write(adas, n % 2 ? 'all' : therapist.id, String(n));
    const refused = await write(adas, 'all', 'too many');
    const { contents } = await adas.next('PROBLEM', ({ contents: { actId } }) => actId === refused);
    expect(contents.problem).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: expect.any(Number) });
    await write(adas, 'all', '0', first);
    expect(await textsOf(adas)).toHaveLength(MESSAGES_LIMIT + 1);
    await write(belas, 'all', 'my first');
    await write(desk, 'all', 'my first too');
    expect((await storedTexts()).length).toBe(MESSAGES_LIMIT + 2);
    await t.move(MESSAGES_WINDOW_SECONDS);
    await write(adas, 'all', 'a minute later', refused);
    expect((await textsOf(desk)).at(-1)).toBe('a minute later');
  });
});

// ---- the end

/** The same features on the same database, as on another node. */
function anotherNode() {
  const { db, limits, clients, accounts: people } = t.app;
  const room = createRoom({ db, publish: () => {}, log: { error() {} } });
  const sessions = createSessions({ db, room, fieldAtEnd: async () => ({ figures: [], handsAllowed: true }) });
  const publish = () => {};
  const parts = { db, room, sessions, clients, limits, publish, therapistName: people.firstNameOf };
  return { service: createMessagesService(parts), sessions };
}

/** Stops each statement of a kind on a table until it is released. */
async function barrier(table: string, before: string) {
  const key = 640;
  await t.db.execute(sql`CREATE OR REPLACE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(640); RETURN coalesce(NEW, OLD); END'`);
  await t.db.execute(sql.raw(`CREATE TRIGGER held BEFORE ${before} ON ${table} FOR EACH ROW EXECUTE FUNCTION held()`));
  const lock = await holdLock(t.db, (tx) => tx.execute(sql`SELECT pg_advisory_xact_lock(${key})`));
  return {
    waited: lock.waited,
    async release() {
      await lock.release();
      await t.db.execute(sql.raw(`DROP TRIGGER held ON ${table}`));
    },
  };
}

describe('8 the end', () => {
  const ways: Record<string, () => Promise<unknown>> = {
    'the therapist ends it': () => t.api(endLiveSession, {}, as(therapist)),
    'the fixed call ends it': () => t.api(sessionOut, { params: { userId: therapist.id } as never }, as(therapist)),
    'the therapist signs out': () => t.api(logout, { params: { userId: therapist.id } as never }, as(therapist)),
    'the therapist is away for too long': async () => {
      await desk.cut();
      await adas.next('DISCONNECTED');
      await t.move(10 * 60 + 1);
      await t.app.sessions.sweep();
    },
    'the server restarts and nobody comes': async () => {
      const { sessions } = anotherNode();
      await sessions.afterStart();
      await t.move(10 * 60 + 1);
      await sessions.sweep();
    },
  };

  test.each(Object.keys(ways))('%s: none of its messages is left in any table', async (way) => {
    const words = ['Mondscheinxq', 'Regenbogenxq', 'Sternwartexq'];
    await write(desk, 'all', words[0]);
    await write(desk, ada!.id, words[1]);
    await write(belas, therapist.id, words[2]);
    expect(JSON.stringify(await everyRow(t.db))).toContain(words[2]);
    await ways[way]!();
    expect(await t.app.sessions.running(therapist.id)).toBe(null);
    expect(await t.db.select().from(messages)).toEqual([]);
    const rows = JSON.stringify(await everyRow(t.db));
    for (const word of words) expect(rows).not.toContain(word);
  });

  test('other rooms keep theirs, and the next live session starts without messages', async () => {
    const other = await aTherapist(t.db);
    const theirs = await openTherapistScreen(t.url, other);
    await write(theirs, 'all', 'theirs');
    await write(desk, 'all', 'ours');
    await t.app.sessions.end(therapist.id, 'ended');
    expect(await storedTexts()).toEqual(['theirs']);
    const ended = await write(desk, 'all', 'too late');
    expect(await codeOf(desk, ended)).toEqual(['no_live_session']);
    const again = await standingFor(openTherapistScreen(t.url, therapist));
    expect(again).toMatchObject({ messages: [], liveSessionId: (await t.app.sessions.running(therapist.id))!.id });
    await t.app.sessions.end(other.id, 'ended');
    await theirs.leave();
  });

  test('a message that is written just before the end is deleted with the others', async () => {
    const { sessions } = anotherNode();
    const { release, waited } = await barrier('messages', 'INSERT');
    const writing = write(adas, 'all', 'at the last moment');
    await waited(1);
    const ending = sessions.end(therapist.id, 'ended');
    await waited(2);
    await release();
    await writing;
    expect(await ending).toBe(true);
    expect(await textsOf(belas)).toEqual(['at the last moment']);
    expect(await t.db.select().from(messages)).toEqual([]);
  });

  test('a message that arrives while the end is written is refused', async () => {
    const { service } = anotherNode();
    await write(adas, 'all', 'in time');
    const { release, waited } = await barrier('live_sessions', 'UPDATE');
    const ending = t.app.sessions.end(therapist.id, 'ended');
    await waited(1);
    const writing = service
      .send(
        { as: 'therapist', therapistId: therapist.id, personId: therapist.id },
        { actId: newId(), to: 'all', text: 'late' },
      )
      .catch((problem: unknown) => problem);
    await waited(2);
    await release();
    expect(await ending).toBe(true);
    expect(await writing).toMatchObject({ code: 'no_live_session' });
    expect(await t.db.select().from(messages)).toEqual([]);
  });

  test('the messages of deleted live sessions and accounts are deleted too', async () => {
    await write(adas, 'all', 'gone');
    await t.db.delete(liveSessions).where(eq(liveSessions.therapistId, therapist.id));
    expect(await t.db.select().from(messages)).toEqual([]);
    const other = await aTherapist(t.db);
    await t.api(setClientMessages, { body: { mayWrite: false } }, as(other));
    await t.db.delete(accounts).where(eq(accounts.id, other.id));
    expect(await t.db.select().from(messageSettings).where(eq(messageSettings.therapistId, other.id))).toEqual([]);
  });
});

describe('9 texts appear nowhere else', () => {
  test('a fault is reported with its reference and logged without the text; the connection stays', async () => {
    await t.db.execute(sql`ALTER TABLE messages ADD CONSTRAINT no_such_text CHECK (text <> 'faultyxq')`);
    const actId = await write(adas, 'all', 'faultyxq');
    const { contents } = await adas.next('PROBLEM', (change) => change.contents.actId === actId);
    expect(contents.problem).toMatchObject({ code: 'unknown_fault', reference: expect.any(String) });
    expect(t.logged.text()).toContain(contents.problem.reference);
    expect(t.logged.text()).not.toContain('faultyxq');
    await t.db.execute(sql`ALTER TABLE messages DROP CONSTRAINT no_such_text`);
    await write(adas, 'all', 'faultyxq', actId);
    expect(await textsOf(belas)).toEqual(['faultyxq']);
  });
});
