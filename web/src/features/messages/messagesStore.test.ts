// @vitest-environment happy-dom
import { MESSAGES_SEND } from '@fieldroom/contract/messages';
import { problemBody } from '@fieldroom/contract/problems';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeConnection, type FakeConnection } from '../../platform/realtime/connection.fixture.ts';
import { forgetPerson, storage } from '../../platform/storage.ts';
import { aMessage, HANNA, standing, THERAPIST } from './messages.testing.ts';
import { createMessagesStore, type MessagesStore } from './messagesStore.ts';

let connection: FakeConnection;
let store: MessagesStore;
const sent = () =>
  connection.sent.filter(({ destination }) => destination === MESSAGES_SEND.send).map(({ body }) => body);
const sayAll = (...args: Parameters<typeof standing>) =>
  connection.say({ eventType: 'MESSAGES', contents: standing(...args) });
const over = () =>
  connection.say({
    eventType: 'SESSION_OUT',
    contents: { reason: 'ended' },
    usersUpdatedOn: 1,
    participantsUpdatedOn: 1,
  });
/** Reloads the page, which closes nothing: another store on another connection, in the same tab. */
function reload() {
  connection = fakeConnection();
  store = createMessagesStore({ connection, me: HANNA });
}

beforeEach(() => {
  sessionStorage.clear();
  connection = fakeConnection();
  store = createMessagesStore({ connection, me: HANNA });
});
afterEach(() => store.close());

describe('sending', () => {
  test('waits until the server has named the live session', () => {
    store.send('hello');
    expect(sent()).toEqual([]);
    sayAll([]);
    expect(sent()).toEqual([{ actId: expect.any(String), to: 'all', text: 'hello' }]);
  });

  test('is repeated with the same actId after a lost connection, once for each connection', () => {
    sayAll([]);
    store.send('one');
    connection.become('lost');
    store.send('two');
    connection.become('open');
    expect(sent()).toHaveLength(1);
    sayAll([]);
    sayAll([]);
    const [first, again, second] = sent();
    expect(again).toEqual(first);
    expect(second).toMatchObject({ text: 'two' });
    expect(sent()).toHaveLength(3);
  });

  test('does not happen for people of another live session', () => {
    sayAll([]);
    connection.become('lost');
    store.send('for those of before');
    connection.become('open');
    sayAll([], { liveSessionId: 2 });
    expect([sent(), store.get().unsent]).toEqual([[], []]);
  });

  test('continues after a reload', () => {
    sayAll([]);
    connection.become('lost');
    store.send('one');
    const { actId } = store.get().unsent[0]!;
    reload();
    sayAll([]);
    expect(sent()).toEqual([{ actId, to: 'all', text: 'one' }]);
  });

  test('is withdrawn when it is refused', () => {
    sayAll([]);
    store.send('one');
    const { actId } = store.get().unsent[0]!;
    const contents = { actId, figureId: null, problem: problemBody('messages_off') };
    connection.say({ eventType: 'PROBLEM', contents });
    expect(store.get().draft).toMatchObject({ text: 'one', refused: { code: 'messages_off' } });
  });

  test('is repeated with the same actId after a refusal, until the text changes', () => {
    sayAll([]);
    store.send('one');
    const { actId } = store.get().unsent[0]!;
    const refuse = () =>
      connection.say({
        eventType: 'PROBLEM',
        contents: { actId, figureId: null, problem: problemBody('unavailable') },
      });
    refuse();
    store.send('one');
    refuse();
    store.edit({ text: 'one!' });
    store.send('one!');
    const [first, again, changed] = sent();
    expect([again, sent().length]).toEqual([first, 3]);
    expect(changed).toMatchObject({ actId: expect.not.stringContaining(actId), text: 'one!' });
  });
});

test('other people’s messages are reported, except those from before the page was opened', () => {
  const told = vi.fn();
  store.onNews(told);
  sayAll([aMessage(1, { from: THERAPIST })]);
  expect(told).not.toHaveBeenCalled();
  connection.say({ eventType: 'MESSAGE', contents: aMessage(2, { from: THERAPIST }) });
  connection.say({ eventType: 'MESSAGE', contents: aMessage(3, { from: HANNA }) });
  expect(told.mock.calls).toEqual([[[expect.objectContaining({ id: 2 })]]]);
  // Messages missed while the connection was lost are reported, too.
  connection.become('lost');
  connection.become('open');
  sayAll([aMessage(2, { from: THERAPIST }), aMessage(4, { from: THERAPIST })]);
  expect(told).toHaveBeenLastCalledWith([expect.objectContaining({ id: 4 })]);
  expect(told).toHaveBeenCalledTimes(2);
});

describe('nothing remains in this tab', () => {
  beforeEach(() => {
    sayAll([aMessage(1)]);
    store.send('one');
    store.edit({ text: 'begun' });
  });

  test('after the end of the live session (invariant 4)', () => {
    over();
    expect(store.get()).toMatchObject({ messages: [], unsent: [], draft: { text: '' }, liveSessionId: null });
    expect(sessionStorage).toHaveLength(0);
  });

  test('except drafts and pending messages of a client who returns', () => {
    store.close(true);
    expect(store.get().messages).toEqual([]);
    reload();
    sayAll([aMessage(1)]);
    expect(store.get()).toMatchObject({ unsent: [{ text: 'one' }], draft: { text: 'begun' } });
  });

  test('after a person left', () => {
    store.close();
    expect(store.get().messages).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
  });

  test('after a person was forgotten, on any page', () => {
    expect(sessionStorage).toHaveLength(1);
    forgetPerson(storage);
    expect(sessionStorage).toHaveLength(0);
  });
});

test('the switch changes at once, also when another screen changed it', async () => {
  sayAll([]);
  connection.say({ eventType: 'CLIENT_MESSAGES', contents: { mayWrite: false } });
  expect(store.get().clientsMayWrite).toBe(false);
  await expect(store.allowClients(true)).rejects.toThrow('only the therapist');
  store.close();
  const allowClients = vi.fn(async () => undefined);
  store = createMessagesStore({ connection, me: THERAPIST, allowClients });
  sayAll([]);
  await store.allowClients(false);
  expect(allowClients).toHaveBeenCalledWith(false);
  expect(store.get().clientsMayWrite).toBe(false);
});

test('a late answer about the switch does not overwrite a newer change from another screen', async () => {
  store.close();
  let answer: () => void = () => undefined;
  const allowClients = () => new Promise<void>((resolve) => (answer = resolve));
  store = createMessagesStore({ connection, me: THERAPIST, allowClients });
  sayAll([]);
  const turned = store.allowClients(false);
  connection.say({ eventType: 'CLIENT_MESSAGES', contents: { mayWrite: false } });
  connection.say({ eventType: 'CLIENT_MESSAGES', contents: { mayWrite: true } });
  answer();
  await turned;
  expect(store.get().clientsMayWrite).toBe(true);
});
