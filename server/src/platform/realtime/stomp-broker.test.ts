/** The broker over real sockets, as a STOMP 1.0, 1.1 and 1.2 program meets it. */
import { connect as connectTcp } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createLocalBus } from '../nodes/bus.ts';
import { StompRefusal, type StompBrokerOptions } from './stomp-broker.ts';
import type { StompVersion } from './stomp-frame.ts';
import { serializeStomp } from './stomp.fixture.ts';
import { HEARTBEAT_WIRE, PING_WIRE } from './stomp-outlet.ts';
import { bare, joined, stage as newStage, when, type Bare, type Someone, type Stage } from './stomp.fixture.ts';

let open: Stage[] = [];
const stage = async (overrides?: Partial<StompBrokerOptions<Someone>>) => {
  const one = await newStage(overrides);
  open.push(one);
  return one;
};
afterEach(async () => {
  await Promise.all(open.map((one) => one.stop()));
  open = [];
});

/** The ERROR frame and the close code that end a connection. */
async function end(client: Bare) {
  for (;;) {
    const frame = await client.next();
    if (frame.command === 'ERROR')
      return { ...frame, message: frame.headers['message'], close: (await client.closed).code };
  }
}
const barrier = () => {
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  return { held, release };
};
const VERSIONS: StompVersion[] = ['1.0', '1.1', '1.2'];

describe('upgrade', () => {
  const status = (url: string, options: object) =>
    new Promise<number>((resolve, reject) => {
      const ws = new WebSocket(url, options);
      ws.on('unexpected-response', (_, response) => {
        resolve(response.statusCode!);
        ws.terminate();
      });
      ws.on('open', () => {
        resolve(101);
        ws.terminate();
      });
      ws.on('error', reject);
    });

  it('refuses a foreign Origin with 403 before anything else', async () => {
    const { url, broker } = await stage();
    expect(await status(url, { origin: 'https://evil.example' })).toBe(403);
    expect(await status(url, { origin: 'https://good.example' })).toBe(101);
    expect(await status(url, {})).toBe(101);
    expect(broker.stats().refusedUpgrades).toBe(1);
  });

  it('takes only its own paths, with or without a query', async () => {
    const { url } = await stage();
    expect(await status(`${url}?x=1`, {})).toBe(101);
    await expect(status(`${url}/more`, {})).rejects.toThrow();
  });

  it('refuses more connections than it may have', async () => {
    const { url } = await stage({ limits: { connections: 1 } });
    await joined(url);
    expect(await status(url, {})).toBe(503);
  });

  it.each([
    [['v10.stomp', 'v11.stomp', 'v12.stomp'], 'v12.stomp'],
    [['v10.stomp', 'v11.stomp'], 'v11.stomp'],
    [['v10.stomp', 'other'], 'v10.stomp'],
    [[], ''],
  ])('of the subprotocols %j chooses %s', async (protocols, chosen) => {
    const { url } = await stage();
    const client = await bare(url, '1.2', { protocols });
    expect(client.ws.protocol).toBe(chosen);
    expect(client.ws.extensions).toBe('');
    expect((await client.connect()).command).toBe('CONNECTED');
  });
});

describe('CONNECT', () => {
  it.each([
    ['1.0,1.1,1.2', '1.2'],
    ['1.0,1.1,2.0', '1.1'],
    ['1.0', '1.0'],
  ])('of %s settles on %s', async (offered, version) => {
    const { url, told } = await stage();
    const answer = await (await bare(url)).connect({ 'accept-version': offered });
    expect(answer).toMatchObject({ command: 'CONNECTED', headers: { version, server: 'stomp' } });
    expect(answer.headers['session']).toMatch(/^[\w-]{16}$/);
    expect(told).toEqual(['connect ann']);
  });

  it('without accept-version speaks 1.0, padded as its examples are', async () => {
    const { url } = await stage();
    const client = await bare(url, '1.0');
    client.sendText('CONNECT\nlogin: ann\npasscode:x\n\n\0\n');
    const answer = await client.next();
    expect(answer.command).toBe('CONNECTED');
    expect(answer.headers['heart-beat']).toBeUndefined();
  });

  it('takes STOMP for CONNECT', async () => {
    const { url } = await stage();
    const client = await bare(url);
    client.send('STOMP', { 'accept-version': '1.2', login: 'ann', host: 'x' });
    expect((await client.next()).command).toBe('CONNECTED');
  });

  it('names its versions when there is none in common', async () => {
    const { url } = await stage();
    const client = await bare(url);
    client.send('CONNECT', { 'accept-version': '2.0', login: 'ann' });
    expect(await end(client)).toMatchObject({ headers: { version: '1.0,1.1,1.2' }, close: 1002 });
  });

  it('tells a refusal by code and words, and never calls onConnect or onDisconnect', async () => {
    const { url, told, broker } = await stage();
    const client = await bare(url);
    client.send('CONNECT', { 'accept-version': '1.2', passcode: 'secret' });
    const error = await end(client);
    expect(error).toMatchObject({ message: 'who are you?', headers: { code: 'unauthorized' }, close: 1008 });
    expect(JSON.stringify(error)).not.toContain('secret');
    await when(() => broker.stats().connections === 0);
    expect(told).toEqual([]);
  });

  it('gets login, passcode and other headers unescaped as they were sent', async () => {
    let seen: object = {};
    const { url } = await stage({
      authenticate(headers, request) {
        seen = { ...headers, agent: request.headers['user-agent'] };
        return { name: 'ann' };
      },
    });
    const ws = new WebSocket(url, { headers: { 'user-agent': 'me' } });
    await new Promise((resolve) => ws.on('open', resolve));
    ws.send('CONNECT\naccept-version:1.2\nlogin:guest\npasscode:a\\nb:c\ntoken:t\n\n\0');
    await new Promise((resolve) => ws.on('message', resolve));
    expect(seen).toEqual({ 'accept-version': '1.2', login: 'guest', passcode: 'a\\nb:c', token: 't', agent: 'me' });
    ws.terminate();
  });

  it('takes frames that came before CONNECTED in their order afterwards', async () => {
    const { held, release } = barrier();
    const { url, told } = await stage({ authenticate: () => held.then(() => ({ name: 'ann' })) });
    const client = await bare(url);
    client.send('CONNECT', { 'accept-version': '1.2' });
    client.send('SEND', { destination: '/app/x', 'a:b': '\r' }, 'one');
    release();
    await client.next();
    await when(() => told.length === 2);
    expect(told).toEqual(['connect ann', 'send ann /app/x one']);
  });

  it('a first frame that is not CONNECT, a second CONNECT and a bad heart-beat end it', async () => {
    const { url } = await stage();
    const first = await bare(url);
    first.send('SEND', { destination: '/app/echo', receipt: '5' }, 'x');
    expect(await end(first)).toMatchObject({
      message: 'the first frame has to be CONNECT',
      headers: { 'receipt-id': '5' },
      close: 1002,
    });
    const second = await joined(url);
    second.send('CONNECT', { 'accept-version': '1.2', login: 'ann' });
    expect((await end(second)).message).toMatch(/connected already/);
    const third = await bare(url);
    third.send('CONNECT', { 'accept-version': '1.2', login: 'ann', 'heart-beat': 'often' });
    expect((await end(third)).message).toMatch(/heart-beat/);
  });

  it.each(['0,4294967295', '2147483647,0', `${'9'.repeat(400)},${'9'.repeat(400)}`, '0000000000000,1'])(
    'takes heart-beats of any length: %.30s',
    async (beats) => {
      const { url } = await stage();
      expect((await (await bare(url)).connect({ 'heart-beat': beats })).command).toBe('CONNECTED');
    },
  );

  it.each(['-1,0', '1000, 1000', '1.5,0', '1,', '1e3,0'])('refuses %s as a heart-beat', async (beats) => {
    const { url } = await stage();
    const client = await bare(url);
    client.send('CONNECT', { 'accept-version': '1.2', login: 'ann', 'heart-beat': beats });
    expect((await end(client)).message).toMatch(/heart-beat/);
  });

  it('that does not come in time ends it', async () => {
    const { url } = await stage({ limits: { connectMs: 50 } });
    expect(await end(await bare(url))).toMatchObject({ headers: { code: 'timeout' }, close: 1008 });
  });

  it('onConnect may still refuse', async () => {
    const { url, told } = await stage({ onConnect: () => Promise.reject(new StompRefusal('full', 'full')) });
    const client = await bare(url);
    client.send('CONNECT', { 'accept-version': '1.2', login: 'ann' });
    expect((await end(client)).message).toBe('full');
    await when(() => told.includes('disconnect ann false 1008'));
  });
});

describe.each(VERSIONS)('in STOMP %s', (version) => {
  it('subscribes, hears, unsubscribes, disconnects, each with its receipt', async () => {
    const { url, broker, told } = await stage();
    const client = await joined(url, 'ann', version);
    await client.subscribe('/topic/a');
    broker.publish('/topic/a', 'hello', { contentType: 'text/plain', headers: { kind: 'x' } });
    broker.publish('/topic/b', 'not for you');
    const message = await client.next();
    expect(message).toMatchObject({
      command: 'MESSAGE',
      body: 'hello',
      headers: {
        subscription: '/topic/a',
        destination: '/topic/a',
        'content-type': 'text/plain',
        'content-length': '5',
        kind: 'x',
      },
    });
    expect(message.headers['message-id']).toBeTruthy();
    expect(message.headers['ack']).toBeUndefined();
    await client.settle('UNSUBSCRIBE', { id: '/topic/a' });
    broker.publish('/topic/a', 'again');
    await client.settle('DISCONNECT');
    expect((await client.closed).code).toBe(1000);
    expect(client.got).toEqual([]);
    await when(() => told.length === 4);
    expect(told).toEqual([
      'connect ann',
      'subscribe ann /topic/a',
      'unsubscribe ann /topic/a',
      'disconnect ann true 1000',
    ]);
    expect(broker.stats()).toMatchObject({ connections: 0, subscriptions: 0, destinations: 0, delivered: 1 });
  });

  it('carries binary bodies with NULs both ways', async () => {
    const { url } = await stage();
    const client = await joined(url, 'ann', version);
    await client.subscribe('/topic/echo');
    client.send('SEND', { destination: '/app/echo-bytes' }, Uint8Array.of(0, 1, 2, 0, 10));
    const message = await client.next();
    expect([...message.bytes]).toEqual([0, 1, 2, 0, 10]);
    expect(message.headers[':binary']).toBe('yes');
  });

  it('reads a frame byte by byte and several frames in one message, text and binary', async () => {
    const { url, told } = await stage();
    const client = await joined(url, 'ann', version);
    const bytes = serializeStomp({ command: 'SEND', headers: { destination: '/app/x' }, body: 'one' }, version);
    for (const byte of bytes) client.ws.send(Uint8Array.of(byte));
    const many = ['two', 'three', 'four'].map((body) =>
      serializeStomp({ command: 'SEND', headers: { destination: '/app/x' }, body }, version),
    );
    client.ws.send(Buffer.concat(many).toString());
    await client.settle('SEND', { destination: '/app/x' }, 'five');
    expect(told.slice(1)).toEqual(['one', 'two', 'three', 'four', 'five'].map((body) => `send ann /app/x ${body}`));
  });

  it('answers unknown commands with ERROR and receipt-id, then closes', async () => {
    const { url } = await stage();
    const client = await joined(url, 'ann', version);
    client.send('JUMP', { receipt: '9' });
    expect(await end(client)).toMatchObject({
      message: 'this command is unknown',
      headers: { 'receipt-id': '9', 'content-type': 'text/plain' },
      close: 1002,
    });
  });

  it('commits a transaction in order, and forgets an aborted one', async () => {
    const { url, told } = await stage();
    const client = await joined(url, 'ann', version);
    await client.settle('BEGIN', { transaction: 't' });
    await client.settle('BEGIN', { transaction: 'u' });
    await client.settle('SEND', { destination: '/app/x', transaction: 't' }, 'one');
    await client.settle('SEND', { destination: '/app/x', transaction: 'u' }, 'lost');
    await client.settle('SEND', { destination: '/app/x', transaction: 't' }, 'two');
    await client.settle('SEND', { destination: '/app/x' }, 'before');
    expect(told.slice(1)).toEqual(['send ann /app/x before']);
    await client.settle('ABORT', { transaction: 'u' });
    await client.settle('COMMIT', { transaction: 't' });
    expect(told.slice(1)).toEqual(['send ann /app/x before', 'send ann /app/x one', 'send ann /app/x two']);
    client.send('COMMIT', { transaction: 't' });
    expect((await end(client)).message).toMatch(/has not begun/);
  });

  it('keeps order from one sender to all readers', async () => {
    const { url } = await stage();
    const [sender, reader] = await Promise.all([joined(url, 'ann', version), joined(url, 'bea', version)]);
    await Promise.all([sender.subscribe('/topic/echo'), reader.subscribe('/topic/echo')]);
    for (let i = 0; i < 100; i++) sender.send('SEND', { destination: '/app/echo' }, String(i));
    const wanted = Array.from({ length: 100 }, (_, i) => String(i));
    await when(() => sender.got.length === 100 && reader.got.length === 100);
    expect(reader.got.map(({ body }) => body)).toEqual(wanted);
    expect(sender.got.map(({ body }) => body)).toEqual(wanted);
  });
});

describe('differences of versions', () => {
  it('1.0 lets the destination stand for the id', async () => {
    const { url, broker } = await stage();
    const client = await joined(url, 'ann', '1.0');
    await client.settle('SUBSCRIBE', { destination: '/topic/a' });
    broker.publish('/topic/a', 'x');
    expect((await client.next()).headers['subscription']).toBeUndefined();
    await client.settle('UNSUBSCRIBE', { destination: '/topic/a' });
    expect(broker.stats().subscriptions).toBe(0);
  });

  it.each<[StompVersion, string, Record<string, string>, RegExp]>([
    ['1.1', 'SUBSCRIBE', { destination: '/topic/a' }, /needs the header id/],
    ['1.2', 'UNSUBSCRIBE', { destination: '/topic/a' }, /needs the header id/],
    ['1.2', 'UNSUBSCRIBE', { id: 'x' }, /no subscription/],
    ['1.2', 'SUBSCRIBE', { id: '1' }, /needs the header destination/],
    ['1.2', 'SUBSCRIBE', { id: '1', destination: '/topic/a', ack: 'maybe' }, /ack mode/],
    ['1.0', 'SUBSCRIBE', { id: '1', destination: '/topic/a', ack: 'client-individual' }, /ack mode/],
    ['1.2', 'SUBSCRIBE', { id: '1', destination: '/topic/a', selector: 'a=1' }, /selectors/],
    ['1.2', 'SEND', {}, /needs the header destination/],
    ['1.0', 'NACK', { 'message-id': '1' }, /not part of STOMP 1.0/],
    ['1.1', 'ACK', { 'message-id': '1' }, /needs the header subscription/],
    ['1.2', 'ACK', { 'message-id': '1', subscription: '1' }, /needs the header id/],
    ['1.2', 'ACK', { id: '1@1' }, /awaits no acknowledgement/],
    ['1.2', 'BEGIN', {}, /needs the header transaction/],
    ['1.2', 'COMMIT', { transaction: 'x' }, /not begun/],
    ['1.2', 'SEND', { destination: '/app/x', transaction: 'x' }, /not begun/],
  ])('%s: %s %j is an ERROR', async (version, command, headers, message) => {
    const { url } = await stage();
    const client = await joined(url, 'ann', version);
    client.send(command, headers);
    const error = await end(client);
    expect(error.message).toMatch(message);
    expect(error.body).toMatch(message);
    expect(error.close).toBe(1002);
  });

  it('a body where none belongs and one id twice are ERRORs', async () => {
    const { url } = await stage();
    const first = await joined(url);
    first.send('SUBSCRIBE', { id: '1', destination: '/topic/a' }, 'body');
    expect((await end(first)).message).toMatch(/must not have a body/);
    const second = await joined(url);
    await second.subscribe('/topic/a');
    second.send('SUBSCRIBE', { id: '/topic/a', destination: '/topic/b' });
    expect((await end(second)).message).toMatch(/exists already/);
  });

  it('escapes by version: readers of one message each get theirs', async () => {
    const { url, broker } = await stage();
    const clients = await Promise.all(VERSIONS.map((version) => joined(url, version, version)));
    await Promise.all(clients.map((client) => client.subscribe('/topic/a:b', { id: 'i' })));
    broker.publish('/topic/a:b', 'ő', { headers: { note: 'x\ny' } });
    const messages = await Promise.all(clients.map((client) => client.next()));
    expect(messages.map(({ headers }) => headers['destination'])).toEqual(['/topic/a:b', '/topic/a:b', '/topic/a:b']);
    expect(messages.map(({ headers }) => headers['note'])).toEqual(['x y', 'x\ny', 'x\ny']);
    expect(messages.map(({ body }) => body)).toEqual(['ő', 'ő', 'ő']);
  });
});

describe('acknowledgement', () => {
  const outstanding = 3;
  const ackOf = (
    version: StompVersion,
    message: { headers: Record<string, string | undefined> },
  ): Record<string, string> =>
    version === '1.2'
      ? { id: message.headers['ack']! }
      : { 'message-id': message.headers['message-id']!, subscription: message.headers['subscription']! };

  /** Publishes so many messages that only a reader that acknowledges them can stay. */
  const room = async (
    version: StompVersion,
    mode: string,
    acks: (messages: Awaited<ReturnType<Bare['next']>>[]) => [string, number][],
  ) => {
    const { url, broker } = await stage({ limits: { unacknowledged: outstanding } });
    const client = await joined(url, 'ann', version);
    await client.subscribe('/topic/a', { id: 's', ack: mode });
    for (let i = 0; i < outstanding; i++) broker.publish('/topic/a', String(i));
    const messages = [await client.next(), await client.next(), await client.next()];
    for (const [command, index] of acks(messages)) await client.settle(command, ackOf(version, messages[index]!));
    return { client, broker };
  };

  it.each<StompVersion>(['1.1', '1.2'])('%s client: one ACK frees all before it', async (version) => {
    const { client, broker } = await room(version, 'client', () => [['ACK', 2]]);
    for (let i = 0; i < outstanding; i++) broker.publish('/topic/a', `more ${i}`);
    await when(() => client.got.length === outstanding);
    broker.publish('/topic/a', 'one too many');
    expect(await end(client)).toMatchObject({ headers: { code: 'limit' }, close: 1013 });
  });

  it.each<StompVersion>(['1.1', '1.2'])('%s client-individual: an ACK frees its message alone', async (version) => {
    const { client, broker } = await room(version, 'client-individual', () => [
      ['ACK', 2],
      ['NACK', 0],
    ]);
    broker.publish('/topic/a', 'fits');
    broker.publish('/topic/a', 'fits too');
    await when(() => client.got.length === 2);
    broker.publish('/topic/a', 'one too many');
    expect((await end(client)).close).toBe(1013);
  });

  it('volatile messages give way instead', async () => {
    const { client, broker } = await room('1.2', 'client', () => []);
    broker.publish('/topic/a', 'lost', { lane: 'volatile' });
    await client.settle('SEND', { destination: '/app/x' }, '');
    expect(client.got).toEqual([]);
    expect(broker.stats().droppedVolatile).toBe(1);
  });

  it('is possible once, also within a transaction', async () => {
    const { url, broker } = await stage();
    const client = await joined(url);
    await client.subscribe('/topic/a', { ack: 'client' });
    await client.subscribe('/topic/a', { id: 'second', ack: 'client' });
    broker.publish('/topic/a', 'x');
    const [one, two] = [await client.next(), await client.next()];
    expect(one.headers['ack']).not.toBe(two.headers['ack']);
    await client.settle('BEGIN', { transaction: 't' });
    await client.settle('ACK', { id: one.headers['ack']!, transaction: 't' });
    await client.settle('COMMIT', { transaction: 't' });
    await client.settle('NACK', { id: two.headers['ack']! });
    client.send('ACK', { id: one.headers['ack']! });
    expect((await end(client)).message).toMatch(/awaits no acknowledgement/);
  });
});

describe('hooks', () => {
  it('handles messages of one connection one after the other, receipts after the work', async () => {
    const { held, release } = barrier();
    const order: string[] = [];
    const { url } = await stage({
      async onSend(_, __, message) {
        const text = message.text();
        order.push(`begin ${text}`);
        if (text === 'slow') await held;
        order.push(`end ${text}`);
      },
    });
    const client = await joined(url);
    const other = await joined(url, 'bea');
    client.send('SEND', { destination: '/app/x', receipt: 'a' }, 'slow');
    client.send('SEND', { destination: '/app/x', receipt: 'b' }, 'quick');
    await when(() => order.length === 1);
    await other.settle('SEND', { destination: '/app/x' }, 'other');
    expect(order).toEqual(['begin slow', 'begin other', 'end other']);
    expect(client.got).toEqual([]);
    release();
    expect([(await client.next()).headers['receipt-id'], (await client.next()).headers['receipt-id']]).toEqual([
      'a',
      'b',
    ]);
    expect(order.slice(3)).toEqual(['end slow', 'begin quick', 'end quick']);
  });

  it('gives a mild refusal to onRefused, answers the receipt and goes on', async () => {
    const { url, told } = await stage();
    const client = await joined(url);
    await client.subscribe('/topic/own');
    await client.settle('SEND', { destination: '/app/refuse' }, '{}');
    expect((await client.next()).body).toBe('refused not_now');
    await client.settle('SEND', { destination: '/app/answer' }, '');
    expect((await client.next()).body).toBe('for ann');
    expect(told).toContain('refused ann /app/refuse not_now');
  });

  it('a mild refusal within a transaction does not stop the rest', async () => {
    const { url, told } = await stage();
    const client = await joined(url);
    await client.settle('BEGIN', { transaction: 't' });
    client.send('SEND', { destination: '/app/refuse', transaction: 't' }, '');
    client.send('SEND', { destination: '/app/x', transaction: 't' }, 'after');
    await client.settle('COMMIT', { transaction: 't' });
    expect(told.slice(-2)).toEqual(['refused ann /app/refuse not_now', 'send ann /app/x after']);
  });

  it('without onRefused every refusal is fatal', async () => {
    const { url } = await stage({ onRefused: undefined });
    const client = await joined(url);
    client.send('SEND', { destination: '/app/refuse', receipt: '3' }, '');
    expect(await end(client)).toMatchObject({
      message: 'not now',
      headers: { code: 'not_now', 'receipt-id': '3' },
      close: 1008,
    });
  });

  it('a hard refusal is an ERROR, and what waited behind it is not done', async () => {
    const { url, told } = await stage();
    const client = await joined(url);
    client.send('SEND', { destination: '/app/refuse-hard' }, '');
    client.send('SEND', { destination: '/app/x' }, 'never');
    expect(await end(client)).toMatchObject({ headers: { code: 'never' }, close: 1008 });
    await when(() => told.some((line) => line.startsWith('disconnect')));
    expect(told).not.toContain('send ann /app/x never');
  });

  it('an unknown fault is an ERROR with a reference, is logged without what was sent, and harms nobody else', async () => {
    const { url, logged, broker } = await stage();
    const [client, other] = await Promise.all([joined(url), joined(url, 'bea')]);
    await other.subscribe('/topic/echo');
    client.send('SEND', { destination: '/app/bug', receipt: '1', token: 'secret-token' }, 'secret-body');
    const error = await end(client);
    expect(error).toMatchObject({ headers: { code: 'internal', 'receipt-id': '1' }, close: 1011 });
    const reference = /reference (\w+)/.exec(error.body)![1]!;
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(reference);
    expect(logged[0]).toContain('SyntaxError');
    expect(logged.join()).not.toMatch(/secret/);
    expect(error.body).not.toMatch(/secret|SyntaxError/);
    await other.settle('SEND', { destination: '/app/echo' }, 'still here');
    expect((await other.next()).body).toBe('still here');
    expect(broker.stats().faults).toBe(1);
  });

  it('a body that is no UTF-8 is refused mildly by text()', async () => {
    const { url, told } = await stage();
    const client = await joined(url);
    await client.settle('SEND', { destination: '/app/x' }, Uint8Array.of(0xff));
    expect(told.at(-1)).toBe('refused ann /app/x bad_text');
  });

  it('refuses foreign destinations with ERROR, and has no wildcards', async () => {
    const { url, broker } = await stage();
    const client = await joined(url);
    await client.subscribe('/topic/*', { id: 'w' });
    broker.publish('/topic/a', 'x');
    client.send('SUBSCRIBE', { id: '1', destination: '/private' });
    const error = await end(client);
    expect(error).toMatchObject({ headers: { code: 'forbidden' }, close: 1008 });
    expect(client.messages).toBe(3);
  });

  it('after a mildly refused SUBSCRIBE the UNSUBSCRIBE of it is no fault', async () => {
    const { url, told, broker } = await stage({
      authorizeSubscribe() {
        throw new StompRefusal('waiting', 'wait', { fatal: false });
      },
    });
    const client = await joined(url);
    await client.subscribe('/topic/a');
    expect(told).toContain('refused ann /topic/a waiting');
    expect(broker.stats().subscriptions).toBe(0);
    await client.settle('UNSUBSCRIBE', { id: '/topic/a' });
  });

  it('onSubscribe comes when nothing can be missed any more, and what it sends comes first', async () => {
    const { held, release } = barrier();
    const { url, broker } = await stage({
      async onSubscribe(_, connection, destination) {
        broker.sendTo(connection, destination, 'snapshot');
        broker.publish('/topic/a', 'during');
        await held;
      },
    });
    const client = await joined(url);
    const subscribed = client.subscribe('/topic/a');
    await when(() => client.got.length === 2);
    expect(client.got.map(({ body }) => body)).toEqual(['snapshot', 'during']);
    release();
    await subscribed;
  });

  it('takes a subscription back when onSubscribe refuses', async () => {
    const { url, broker } = await stage({
      onSubscribe: () => Promise.reject(new StompRefusal('no', 'no', { fatal: false })),
    });
    const client = await joined(url);
    await client.subscribe('/topic/a');
    expect(broker.stats()).toMatchObject({ subscriptions: 0, destinations: 0 });
  });

  it('waits for the bus before a subscription is active', async () => {
    const { held, release } = barrier();
    const local = createLocalBus();
    const { url, told } = await stage({ bus: { ...local, ready: () => held } });
    const client = await joined(url);
    client.send('SUBSCRIBE', { id: '1', destination: '/topic/a', receipt: 's' });
    client.send('SEND', { destination: '/app/x' }, 'behind');
    // The other connection's round trip proves that the server had time for both.
    await (await joined(url, 'bea')).settle('SEND', { destination: '/app/x' }, 'other');
    expect(told).not.toContain('subscribe ann /topic/a');
    release();
    expect((await client.next()).headers['receipt-id']).toBe('s');
    await when(() => told.includes('send ann /app/x behind'));
    expect(told.indexOf('subscribe ann /topic/a')).toBeLessThan(told.indexOf('send ann /app/x behind'));
  });

  it('handles what came before an abrupt end, then tells of the end once', async () => {
    const { held, release } = barrier();
    const told: string[] = [];
    const { url, broker } = await stage({
      async onSend(_, __, message) {
        if (message.text() === 'slow') await held;
        told.push(message.text());
      },
      onDisconnect: (_, __, { graceful, code }) => void told.push(`gone ${graceful} ${code}`),
    });
    const client = await joined(url);
    client.send('SEND', { destination: '/app/x' }, 'slow');
    client.send('SEND', { destination: '/app/x' }, 'last');
    await when(() => broker.stats().framesIn === 3);
    client.ws.terminate();
    await when(() => broker.stats().connections === 0);
    expect(told).toEqual([]);
    release();
    await when(() => told.length === 3);
    expect(told).toEqual(['slow', 'last', 'gone false 1006']);
  });

  it('a transaction that was committed before an abrupt end is carried out; no subscription stays', async () => {
    const { held, release } = barrier();
    const done: string[] = [];
    const { url, broker } = await stage({
      async onSend(_, __, message) {
        if (message.text() === 'slow') await held;
        done.push(message.text());
      },
    });
    const client = await joined(url);
    await client.subscribe('/topic/a');
    client.send('BEGIN', { transaction: 't' });
    client.send('SEND', { destination: '/app/x', transaction: 't' }, 'in the transaction');
    client.send('SEND', { destination: '/app/x' }, 'slow');
    client.send('COMMIT', { transaction: 't' });
    await when(() => broker.stats().framesIn === 6);
    client.ws.terminate();
    await when(() => broker.stats().connections === 0);
    expect(broker.stats()).toMatchObject({ subscriptions: 0, destinations: 0 });
    expect(done).toEqual([]);
    release();
    await when(() => done.length === 2);
    expect(done).toEqual(['slow', 'in the transaction']);
  });

  it('survives an onDisconnect that throws', async () => {
    const { url, broker, logged } = await stage({
      onDisconnect() {
        throw new Error('secret');
      },
    });
    (await joined(url)).ws.terminate();
    await when(() => logged.length === 1);
    expect(logged[0]).not.toContain('secret');
    await (await joined(url, 'bea')).subscribe('/topic/a');
    expect(broker.stats().connections).toBe(1);
  });
});

describe('publish, sendTo, disconnect', () => {
  it('leaves one connection out', async () => {
    const { url, broker } = await stage();
    const [ann, bea] = await Promise.all([joined(url), joined(url, 'bea')]);
    await Promise.all([ann.subscribe('/topic/a'), bea.subscribe('/topic/a')]);
    const [connection] = broker.connectionsOf(({ name }) => name === 'ann');
    broker.publish('/topic/a', 'for others', { exceptConnectionId: connection!.id });
    broker.publish('/topic/a', 'for all');
    expect((await ann.next()).body).toBe('for all');
    expect([(await bea.next()).body, (await bea.next()).body]).toEqual(['for others', 'for all']);
  });

  it('sendTo reaches one connection, by its subscription only', async () => {
    const { url, broker } = await stage();
    const [ann, bea] = await Promise.all([joined(url), joined(url, 'bea')]);
    await Promise.all([ann.subscribe('/topic/a'), bea.subscribe('/topic/a')]);
    const [connection] = broker.connectionsOf(({ name }) => name === 'ann');
    expect(broker.isSubscribed(connection!, '/topic/b')).toBe(false);
    expect(broker.sendTo(connection!, '/topic/b', 'x')).toBe(false);
    expect(broker.sendTo(connection!, '/topic/a', 'x')).toBe(true);
    broker.publish('/topic/a', 'y');
    expect([(await ann.next()).body, (await ann.next()).body]).toEqual(['x', 'y']);
    expect((await bea.next()).body).toBe('y');
    expect(connection).toMatchObject({ framesOut: 4, framesIn: 2, version: '1.2', path: '/socket' });
  });

  it('two brokers on one bus are one', async () => {
    const bus = createLocalBus();
    const [left, right] = await Promise.all([stage({ bus }), stage({ bus })]);
    const client = await joined(right.url);
    await client.subscribe('/topic/a');
    left.broker.publish('/topic/a', Uint8Array.of(1, 2), { lane: 'volatile', contentType: 'x/y', headers: { k: 'v' } });
    expect(await client.next()).toMatchObject({
      bytes: Buffer.from([1, 2]),
      headers: { 'content-type': 'x/y', k: 'v' },
    });
  });

  it('disconnects by predicate with words and code, drops what they sent, and spares the others', async () => {
    const { held, release } = barrier();
    const done: string[] = [];
    const { url, broker } = await stage({
      async onSend(_, __, message) {
        await held;
        done.push(message.text());
      },
    });
    const [ann, bea] = await Promise.all([joined(url), joined(url, 'bea')]);
    ann.send('SEND', { destination: '/app/x' }, 'under way');
    ann.send('SEND', { destination: '/app/x' }, 'waiting');
    await when(() => broker.stats().framesIn === 4);
    expect(
      broker.disconnect(({ name }) => name === 'ann', {
        code: 4001,
        errorMessage: 'you are out',
        errorCode: 'removed',
      }),
    ).toBe(1);
    expect(await end(ann)).toMatchObject({ message: 'you are out', headers: { code: 'removed' }, close: 4001 });
    release();
    await bea.settle('SEND', { destination: '/app/x' }, 'bea');
    expect(done).toEqual(['under way', 'bea']);
  });

  it('disconnect also reaches a connection that is being authenticated', async () => {
    const { held, release } = barrier();
    const { url, broker, told } = await stage({ authenticate: () => held.then(() => ({ name: 'ann' })) });
    const client = await bare(url);
    client.send('CONNECT', { 'accept-version': '1.2' });
    await when(() => broker.stats().framesIn === 1);
    broker.disconnect(({ name }) => name === 'ann', { errorMessage: 'out' });
    release();
    expect((await end(client)).message).toBe('out');
    expect(told).toEqual([]);
  });

  it('unsubscribe ends a subscription from our side; asks again about those let in meanwhile', async () => {
    const { held, release } = barrier();
    let allowed = true;
    const { url, broker } = await stage({
      async authorizeSubscribe(_, destination) {
        const answer = allowed;
        if (destination === '/topic/slow') await held;
        return answer;
      },
    });
    const client = await joined(url);
    await client.subscribe('/topic/a');
    expect(broker.unsubscribe('/topic/a', ({ name }) => name === 'ann')).toBe(1);
    broker.publish('/topic/a', 'x');
    await client.settle('UNSUBSCRIBE', { id: '/topic/a' });
    expect(client.got).toEqual([]);
    client.send('SUBSCRIBE', { id: 's', destination: '/topic/slow' });
    await when(() => broker.stats().framesIn === 4);
    allowed = false;
    broker.unsubscribe('/topic/slow', () => true);
    release();
    expect((await end(client)).headers['code']).toBe('forbidden');
  });
});

describe('limits', () => {
  it('of one frame: 64 kB, told with ERROR', async () => {
    const { url } = await stage();
    const client = await joined(url);
    client.send('SEND', { destination: '/app/x' }, 'x'.repeat(65_000));
    client.send('SEND', { destination: '/app/x', receipt: 'big' }, 'x'.repeat(66_000));
    expect(await end(client)).toMatchObject({ headers: { code: 'too_large', 'receipt-id': 'big' }, close: 1009 });
  });

  it('of a claimed length, before anything of it came', async () => {
    const { url } = await stage();
    const client = await joined(url);
    client.sendText('SEND\ndestination:/app/x\ncontent-length:999999999\n\n');
    expect((await end(client)).headers['code']).toBe('too_large');
  });

  it('of a WebSocket message', async () => {
    const { url } = await stage();
    const client = await joined(url);
    client.ws.send(Buffer.alloc(200_000));
    expect((await client.closed).code).toBe(1009);
  });

  it('a malformed frame is an ERROR that echoes nothing', async () => {
    const { url } = await stage();
    const client = await joined(url);
    client.sendText('SEND\nsecret\n\n\0');
    const error = await end(client);
    expect(error).toMatchObject({ headers: { code: 'malformed' }, close: 1002 });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it('text that is not UTF-8 ends the WebSocket', async () => {
    const { url } = await stage();
    const client = await joined(url);
    client.ws.send(Buffer.from([0xc3, 0x28]), { binary: false });
    expect((await client.closed).code).toBe(1007);
  });

  it('of subscriptions', async () => {
    const { url, broker } = await stage();
    const client = await joined(url);
    for (let i = 0; i < 20; i++) await client.subscribe(`/topic/${i}`);
    client.send('SUBSCRIBE', { id: 'x', destination: '/topic/x' });
    expect(await end(client)).toMatchObject({ headers: { code: 'limit' }, close: 1008 });
    expect(broker.stats().subscriptions).toBe(0);
  });

  it('of transactions: their number, frames and bytes', async () => {
    const { url } = await stage({ limits: { transactions: 2, transactionFrames: 2, transactionBytes: 10 } });
    const clients = await Promise.all([joined(url), joined(url), joined(url)]);
    for (const client of clients) await client.settle('BEGIN', { transaction: 't' });
    const [one, two, three] = clients;
    one!.send('BEGIN', { transaction: 'u' });
    one!.send('BEGIN', { transaction: 'v' });
    for (let i = 0; i < 3; i++) two!.send('SEND', { destination: '/app/x', transaction: 't' }, '');
    three!.send('SEND', { destination: '/app/x', transaction: 't' }, '12345678901');
    for (const client of clients) expect((await end(client)).headers['code']).toBe('limit');
  });

  describe('of the rate', () => {
    const clock = { at: 1_000 };
    const setUp = (more: Partial<StompBrokerOptions<Someone>> = {}) => stage({ now: () => clock.at, ...more });

    it('lets a burst of 120 through and then 60 a second', async () => {
      const { url, told } = await setUp();
      const client = await joined(url);
      for (let i = 0; i < 118; i++) client.send('SEND', { destination: '/app/x' }, '');
      await client.settle('SEND', { destination: '/app/x' }, '');
      clock.at += 1_000;
      for (let i = 0; i < 59; i++) client.send('SEND', { destination: '/app/x' }, '');
      await client.settle('SEND', { destination: '/app/x' }, '');
      expect(told.length).toBe(180);
      client.send('SEND', { destination: '/app/x' }, '');
      expect(await end(client)).toMatchObject({ headers: { code: 'rate' }, close: 1008 });
    });

    it('drops what may be lost above it, and bounds that too', async () => {
      const { url, told, broker } = await setUp({ volatileSend: (destination) => destination === '/app/drag' });
      const client = await joined(url);
      for (let i = 0; i < 200; i++) client.send('SEND', { destination: '/app/drag' }, '');
      await when(() => broker.stats().framesIn === 201);
      // Connecting is counted separately.
      expect(told.length).toBe(121);
      expect(broker.stats().droppedIncoming).toBe(80);
      clock.at += 100;
      await client.settle('SEND', { destination: '/app/x' }, '');
      for (let i = 0; i < 1_000; i++) client.send('SEND', { destination: '/app/drag' }, '');
      expect((await end(client)).headers['code']).toBe('rate');
    });

    it('a stream of what may be lost leaves room for what may not', async () => {
      const { url, told, broker } = await setUp({ volatileSend: (destination) => destination === '/app/drag' });
      const client = await joined(url);
      for (let i = 0; i < 300; i++) client.send('SEND', { destination: '/app/drag' }, '');
      await client.settle('SEND', { destination: '/app/drop' }, '');
      expect(told.filter((one) => one.includes('/app/drop'))).toHaveLength(1);
      expect(broker.stats().errors).toBe(0);
    });

    it('frames collected while the network or the server stood still are no flood', async () => {
      const { url, told, broker } = await setUp({
        volatileSend: (destination) => destination === '/app/drag',
        onVolatile: () => {},
      });
      const client = await joined(url);
      // For eight seconds a hand drags and points at thirty a second each, and lets go ten times a second.
      const moves = () => {
        for (let i = 0; i < 80; i++) {
          for (let n = 0; n < 6; n++) client.send('SEND', { destination: '/app/drag' }, '');
          client.send('SEND', { destination: '/app/drop' }, String(i));
          client.send('SEND', { destination: '/app/drop' }, String(i));
        }
      };
      // It was busy before: nothing is left of the burst.
      for (let i = 0; i < 118; i++) client.send('SEND', { destination: '/app/x' }, '');
      await client.settle('SEND', { destination: '/app/x' }, '');
      for (let stalls = 0; stalls < 3; stalls++) {
        clock.at += 8_000;
        moves();
        await client.settle('SEND', { destination: '/app/x' }, '');
      }
      expect(told.filter((one) => one.includes('/app/drop'))).toHaveLength(480);
      expect(broker.stats()).toMatchObject({ errors: 0, droppedIncoming: 0, connections: 1 });
    });

    it('after silence a flood is still a flood, and silence is not saved up without end', async () => {
      const { url, told } = await setUp();
      const client = await joined(url);
      clock.at += 5_000;
      for (let i = 0; i < 119 + 5 * 60; i++) client.send('SEND', { destination: '/app/x' }, '');
      await when(() => told.length === 120 + 5 * 60);
      client.send('SEND', { destination: '/app/x' }, '');
      expect((await end(client)).headers['code']).toBe('rate');

      const patient = await joined(url, 'bea');
      for (let silences = 0; silences < 5; silences++) {
        clock.at += 29_000;
        await patient.settle('SEND', { destination: '/app/x' }, '');
      }
      clock.at += 3_600_000;
      const before = told.length;
      for (let i = 0; i < 2_500; i++) patient.send('SEND', { destination: '/app/x' }, '');
      expect((await end(patient)).headers['code']).toBe('rate');
      expect(told.length - before).toBeLessThanOrEqual(120 + 30 * 60);
    });

    it('bounds heart-beats and crumbs of frames as well', async () => {
      const { url } = await setUp();
      const client = await joined(url);
      for (let i = 0; i < 2_000; i++) client.ws.send('\n');
      expect((await end(client)).headers['code']).toBe('rate');
    });
  });

  describe('of connections', () => {
    const refused = (url: string) =>
      new Promise<boolean>((resolve) => {
        const ws = new WebSocket(url);
        ws.on('unexpected-response', () => resolve(true));
        ws.on('open', () => resolve(false));
        ws.on('error', () => {});
      });
    /** Each one comes from the address that it reports. */
    const addressOf: StompBrokerOptions<Someone>['addressOf'] = (request) =>
      new URL(request.url!, 'http://x').searchParams.get('from')!;
    const silent = (url: string, from: string) => bare(`${url}?from=${from}`);

    it('that say nothing: the oldest of an address gives way, so that a browser that signs in gets in', async () => {
      const { url, broker } = await stage({ addressOf, limits: { strangersOfAddress: 5 } });
      const elsewhere = await silent(url, 'b');
      const crowd: Bare[] = [];
      for (let i = 0; i < 5; i++) crowd.push(await silent(url, 'a'));
      const person = await silent(url, 'a');
      expect((await crowd[0]!.closed).code).toBe(1006);
      expect((await person.connect()).command).toBe('CONNECTED');
      // Signed in, it takes no place of those that have not signed in.
      crowd.push(await silent(url, 'a'));
      expect((await crowd[1]!.connect()).command).toBe('CONNECTED');
      expect((await elsewhere.connect()).command).toBe('CONNECTED');
      expect(broker.stats()).toMatchObject({ closedSilent: 1, refusedUpgrades: 0 });
    });

    it('from many addresses the fullest one gives way', async () => {
      const { url, broker } = await stage({ addressOf, limits: { strangers: 4 } });
      const alone = await silent(url, 'b');
      const crowd: Bare[] = [];
      for (let i = 0; i < 3; i++) crowd.push(await silent(url, 'a'));
      const person = await silent(url, 'c');
      expect((await crowd[0]!.closed).code).toBe(1006);
      expect((await person.connect()).command).toBe('CONNECTED');
      expect((await alone.connect()).command).toBe('CONNECTED');
      expect(broker.stats().closedSilent).toBe(1);
    });

    it('in a house that is full, silent ones give way to those who sign in', async () => {
      const { url } = await stage({ addressOf, limits: { connections: 3 } });
      const [first, second] = [await silent(url, 'a'), await silent(url, 'a')];
      await first.connect();
      const quiet = await silent(url, 'a');
      const person = await silent(url, 'b');
      expect((await second.closed).code).toBe(1006);
      expect((await person.connect()).command).toBe('CONNECTED');
      expect((await quiet.connect()).command).toBe('CONNECTED');
      await when(() => first.ws.readyState === WebSocket.OPEN);
      // Now three people are in.
      expect(await refused(`${url}?from=c`)).toBe(true);
    });

    it('a connection whose sign-in is being looked up stays; while all are looked up, a new one is refused', async () => {
      const { held, release } = barrier();
      let lookedUp = 0;
      const authenticate = async () => {
        lookedUp++;
        await held;
        return { name: 'ann' };
      };
      const { url } = await stage({ addressOf, limits: { strangersOfAddress: 2 }, authenticate });
      const [one, other] = [await silent(url, 'a'), await silent(url, 'a')];
      for (const client of [one, other]) client.send('CONNECT', { 'accept-version': '1.2' });
      await when(() => lookedUp === 2);
      expect(await refused(`${url}?from=a`)).toBe(true);
      release();
      for (const client of [one, other]) expect((await client.next()).command).toBe('CONNECTED');
    });

    it('of one person the one that was silent longest is closed', async () => {
      const clock = { at: 1_000 };
      const { url, told, broker } = await stage({
        now: () => clock.at,
        personOf: ({ name }) => name,
        limits: { connectionsOfPerson: 3 },
      });
      const own: Bare[] = [];
      for (let i = 0; i < 3; i++) own.push(await joined(url, 'ann'));
      const other = await joined(url, 'bea');
      clock.at += 10;
      await own[0]!.settle('SEND', { destination: '/app/x' }, '');
      const newest = await joined(url, 'ann');
      expect(await end(own[1]!)).toMatchObject({ headers: { code: 'too_many_connections' }, close: 1008 });
      await when(() => told.includes('disconnect ann false 1008'));
      for (const client of [own[0]!, own[2]!, newest, other])
        await client.settle('SEND', { destination: '/app/x' }, '');
      // A place is free again once one has left.
      await newest.settle('DISCONNECT');
      await newest.closed;
      const again = await joined(url, 'ann');
      for (const client of [own[0]!, own[2]!, again]) await client.settle('SEND', { destination: '/app/x' }, '');
      expect(broker.stats().errors).toBe(1);
    });
  });

  it('pauses reading while much waits, and gives the sender the time back', async () => {
    const { held, release } = barrier();
    const clock = { at: 1_000 };
    let handled = 0;
    const { url, broker } = await stage({
      now: () => clock.at,
      limits: { pendingFrames: 10, frameBurst: 40 },
      async onSend() {
        await held;
        handled++;
      },
    });
    const client = await joined(url);
    for (let i = 0; i < 30; i++) client.send('SEND', { destination: '/app/x' }, String(i));
    await when(() => broker.stats().framesIn >= 11);
    // The next ones must stay outside, in a separate write.
    await (await joined(url, 'bea')).subscribe('/topic/a');
    const inside = broker.stats().framesIn;
    for (let i = 0; i < 60; i++) client.send('SEND', { destination: '/app/x' }, String(i));
    await (await joined(url, 'cleo')).subscribe('/topic/a');
    expect(broker.stats().framesIn).toBeLessThanOrEqual(inside + 2);
    clock.at += 2_000;
    release();
    await when(() => handled === 90);
    expect(broker.stats().errors).toBe(0);
  });
});

it('a connection that is not read, because much waits, is closed by the handshake nevertheless', async () => {
  const { held, release } = barrier();
  const { url, broker, told } = await stage({ limits: { pendingFrames: 10 }, onSend: () => held });
  const client = await joined(url);
  for (let i = 0; i < 11; i++) client.send('SEND', { destination: '/app/x' }, String(i));
  await when(() => broker.stats().framesIn === 12);
  expect(broker.disconnect(() => true, { code: 4001 })).toBe(1);
  expect((await client.closed).code).toBe(4001);
  release();
  // The code is the one of the client's answer; without it, 1006.
  await when(() => told.length === 2);
  expect(told).toEqual(['connect ann', 'disconnect ann false 4001']);
});

describe('messages that may be lost', () => {
  const volatileSend = (destination: string) => destination === '/app/drag';

  it('go past frames that wait, and nothing that follows goes past them', async () => {
    const { held, release } = barrier();
    const order: string[] = [];
    const { url } = await stage({
      volatileSend,
      onVolatile: (_, __, message) => void order.push(message.text()),
      async onSend(_, __, message) {
        order.push(`${message.text()} begins`);
        if (message.text() === 'drop 1') await held;
        order.push(`${message.text()} ends`);
      },
    });
    const client = await joined(url);
    const send = (destination: string, body: string, headers = {}) =>
      client.send('SEND', { destination, ...headers }, body);
    send('/app/drag', 'drag 1');
    send('/app/drop', 'drop 1');
    send('/app/drop', 'drop 2');
    send('/app/drag', 'drag 2');
    // With a receipt it must be answered in its place.
    send('/app/drag', 'drag 3', { receipt: 'x' });
    send('/app/drag', 'drag 4');
    await when(() => order.includes('drag 4'));
    expect(order).toEqual(['drag 1', 'drop 1 begins', 'drag 2', 'drag 4']);
    release();
    expect((await client.next()).headers['receipt-id']).toBe('x');
    expect(order.slice(4)).toEqual(['drop 1 ends', 'drop 2 begins', 'drop 2 ends', 'drag 3 begins', 'drag 3 ends']);
  });

  it('are refused, and their faults told, like others', async () => {
    const { url, told, logged } = await stage({
      volatileSend,
      onVolatile(_, __, message) {
        if (message.text() === 'refuse') throw new StompRefusal('not_now', 'not now', { fatal: false });
        throw new Error('secret');
      },
    });
    const client = await joined(url);
    await client.subscribe('/topic/own');
    client.send('SEND', { destination: '/app/drag' }, 'refuse');
    expect((await client.next()).body).toBe('refused not_now');
    client.send('SEND', { destination: '/app/drag' }, 'bug');
    expect((await end(client)).headers['code']).toBe('internal');
    expect(told).toContain('refused ann /app/drag not_now');
    expect(logged.join('')).not.toContain('secret');
  });

  it('wait for CONNECTED', async () => {
    const { held, release } = barrier();
    const { url, told } = await stage({
      volatileSend,
      authenticate: () => held.then(() => ({ name: 'ann' })),
      onVolatile: ({ name }) => void told.push(`past ${name}`),
    });
    const client = await bare(url);
    client.send('CONNECT', { 'accept-version': '1.2' });
    client.send('SEND', { destination: '/app/drag' }, 'early');
    release();
    await client.next();
    await when(() => told.length === 2);
    expect(told).toEqual(['connect ann', 'send ann /app/drag early']);
  });
});

it('garbage ends its own connection with an ERROR at most, never the broker', async () => {
  const { url, broker, logged } = await stage();
  const witness = await joined(url, 'bea');
  await witness.subscribe('/topic/echo');
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .constantFrom(
        'SEND\n',
        'SUBSCRIBE\n',
        'ACK\n',
        'COMMIT\n',
        'BEGIN\n',
        'DISCONNECT\n',
        'id:1\n',
        'transaction:t\n',
        'destination:/topic/a\n',
        'destination:/app/x\n',
        'receipt:1\n',
        '\n',
        '\0',
        '\n\0',
      )
      .map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 25 }), fc.boolean(), async (pieces, whole) => {
      const client = await joined(url);
      for (const chunk of whole ? [Buffer.concat(pieces)] : pieces) client.ws.send(chunk, { binary: true });
      client.ws.close(1000);
      await client.closed;
      expect(client.got.filter(({ command }) => command === 'ERROR').length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 100 },
  );
  await witness.settle('SEND', { destination: '/app/echo' }, 'alive');
  expect((await witness.next()).body).toBe('alive');
  await when(() => broker.stats().connections === 1);
  expect(broker.stats()).toMatchObject({ faults: 0, subscriptions: 1 });
  expect(logged).toEqual([]);
});

describe('a slow reader', () => {
  const limits = { softBytes: 100_000, hardBytes: 1_500_000 };
  const big = 'x'.repeat(50_000);
  // Sent once per turn, so that the kernel takes what it can and we keep what it refuses.
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('loses volatile messages, never stored ones, and order stays', async () => {
    const { url, broker } = await stage({ limits: { ...limits, hardBytes: 100_000_000 }, flushMs: 0 });
    const [slow, quick] = await Promise.all([joined(url), joined(url, 'bea')]);
    await Promise.all([slow.subscribe('/topic/a'), quick.subscribe('/topic/a')]);
    slow.ws.pause();
    const [connection] = broker.connectionsOf(({ name }) => name === 'ann');
    let stored = 0;
    while (connection!.droppedVolatile < 20) {
      broker.publish('/topic/a', `${++stored} ${big}`);
      broker.publish('/topic/a', `v${stored} ${big}`, { lane: 'volatile' });
      await when(() => quick.got.length === stored * 2);
    }
    expect(broker.stats().droppedVolatile).toBe(connection!.droppedVolatile);
    slow.ws.resume();
    const kept = stored * 2 - connection!.droppedVolatile;
    await when(() => slow.got.length === kept);
    const heads = slow.got.map(({ body }) => body.split(' ')[0]!);
    expect(heads.filter((head) => !head.startsWith('v'))).toEqual(
      Array.from({ length: stored }, (_, i) => String(i + 1)),
    );
    const numbers = heads.map((head) => Number(head.replace('v', '')));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  it('is closed with 1013 past the hard mark, and nobody else', async () => {
    const metrics = vi.fn();
    const { url, broker, told, logged } = await stage({ limits, flushMs: 0, metrics });
    const [slow, quick] = await Promise.all([joined(url), joined(url, 'bea')]);
    await Promise.all([slow.subscribe('/topic/a'), quick.subscribe('/topic/a')]);
    slow.ws.pause();
    for (let i = 0; i < 2_000 && broker.stats().closedSlow === 0; i++) {
      broker.publish('/topic/a', big);
      if (i % 8 === 0) await turn();
      if (i % 8 === 0) await when(() => quick.got.length === i + 1);
    }
    expect(broker.stats().closedSlow).toBe(1);
    expect(metrics).toHaveBeenCalledWith('closedSlow');
    expect(logged).toHaveLength(1);
    slow.ws.resume();
    expect((await slow.closed).code).toBe(1013);
    await when(() => told.includes('disconnect ann false 1013'));
    await quick.settle('SEND', { destination: '/app/x' }, '');
  });
});

describe('writes', () => {
  it('gathers a tick into one write, each frame as a separate message', async () => {
    const { url, broker, http } = await stage({ flushMs: 16 });
    let socket!: import('node:net').Socket;
    http.once('connection', (one) => (socket = one));
    const client = await joined(url);
    await client.subscribe('/topic/a');
    const write = vi.spyOn(socket, 'write');
    const before = client.messages;
    for (let i = 0; i < 10; i++) broker.publish('/topic/a', String(i), { lane: i % 2 === 0 ? 'stored' : 'volatile' });
    expect(write).not.toHaveBeenCalled();
    await when(() => client.got.length === 10);
    expect(write).toHaveBeenCalledTimes(1);
    expect(client.messages - before).toBe(10);
    expect(client.got.map(({ body }) => body).join('')).toBe('0123456789');
  });

  it('shares the bytes between readers with the same id', async () => {
    const { url, broker, http } = await stage();
    // What is written to each socket, in the order in which the clients joined.
    const written: Uint8Array[][] = [];
    http.on('connection', (socket) => {
      const own: Uint8Array[] = [];
      written.push(own);
      const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
      socket.write = ((...parts: unknown[]) => {
        if (parts[0] !== PING_WIRE && parts[0] !== HEARTBEAT_WIRE) own.push(parts[0] as Uint8Array);
        return write(...parts);
      }) as typeof socket.write;
    });
    const clients = [await joined(url), await joined(url, 'bea'), await joined(url, 'cleo')];
    for (const client of clients) await client.subscribe('/topic/a', { id: client === clients[2] ? 'mine' : 'same' });
    // Clients whose receipts have just left may be listed for the tick, in any order, and only neighbours share a
    // batch. A tick that serves everybody empties the list; from then on they are served in the order of their
    // subscriptions.
    broker.publish('/topic/a', 'zero');
    await when(() => clients.every((client) => client.got.length === 1));
    for (const own of written) own.length = 0;
    broker.publish('/topic/a', 'one');
    broker.publish('/topic/a', 'two');
    await when(() => clients.every((client) => client.got.length === 3));
    expect(written.map((own) => own.length)).toEqual([1, 1, 1]);
    const [ann, bea, cleo] = written.map((own) => own[0]);
    expect(ann).toBe(bea);
    expect(ann).not.toBe(cleo);
    expect(clients.map((client) => client.got[0]!.headers['subscription'])).toEqual(['same', 'same', 'mine']);
  });

  it.each([100, 125, 126, 65_535, 65_536, 200_000])('carries %i octets', async (length) => {
    const { url, broker } = await stage();
    const client = await joined(url);
    await client.subscribe('/topic/a');
    broker.publish('/topic/a', 'é'.repeat(length / 2));
    broker.publish('/topic/a', new Uint8Array(length).fill(7));
    expect((await client.next()).body).toBe('é'.repeat(length / 2));
    expect((await client.next()).bytes.equals(Buffer.alloc(length, 7))).toBe(true);
  });
});

describe('signs of life', () => {
  it.each([
    ['0,0', false],
    ['0,60', true],
    ['20000,0', false],
  ])('a client of heart-beat %s gets beats: %s', async (theirs, beats) => {
    const { url } = await stage({
      heartbeat: { sendMs: 60, wantMs: 60 },
      limits: { deadAfterMs: 100_000 },
      sweepMs: 5,
    });
    const client = await bare(url);
    const answer = await client.connect({ 'heart-beat': theirs });
    expect(answer.headers['heart-beat']).toBe('60,60');
    const witness = await bare(url);
    await witness.connect({ 'heart-beat': '0,1' });
    await when(() => witness.beats >= 4);
    expect(client.beats >= 2).toBe(beats);
  });

  it('a connection that answers no ping is cut, one that only answers pings is not', async () => {
    const { url, broker, told } = await stage({ limits: { deadAfterMs: 1_000 }, sweepMs: 10 });
    const alive = await joined(url, 'bea');
    const dead = await joined(url);
    const pings = vi.fn();
    alive.ws.on('ping', pings);
    dead.ws.pause();
    await when(() => broker.stats().closedDead === 1);
    await when(() => told.includes('disconnect ann false 1006'));
    await when(() => pings.mock.calls.length >= 8);
    expect(broker.stats()).toMatchObject({ connections: 1, closedDead: 1 });
  });

  it('a client that breaks its promise of heart-beats is cut sooner', async () => {
    const { url, broker } = await stage({
      heartbeat: { sendMs: 0, wantMs: 50 },
      limits: { deadAfterMs: 60_000 },
      sweepMs: 10,
    });
    const client = await bare(url);
    expect((await client.connect({ 'heart-beat': '50,0' })).headers['heart-beat']).toBe('0,50');
    await when(() => broker.stats().closedDead === 1);
    await client.closed;
  });

  it('nobody is judged by a time in which this process itself stood still', async () => {
    const clock = { at: 1_000 };
    const { url, broker } = await stage({
      now: () => clock.at,
      limits: { deadAfterMs: 1_000 },
      heartbeat: { sendMs: 100, wantMs: 100 },
      sweepMs: 5,
    });
    const client = await bare(url);
    await client.connect({ 'heart-beat': '100,100' });
    clock.at += 600_000;
    // The heart-beat shows that the sweep has looked at all.
    await when(() => client.beats === 1);
    expect(broker.stats()).toMatchObject({ connections: 1, closedDead: 0 });
    // From here on silence counts again: small steps, no pong in between.
    client.ws.pause();
    const step = setInterval(() => (clock.at += 50), 5);
    await when(() => broker.stats().closedDead === 1);
    clearInterval(step);
  });

  it('a CONNECT that came while this process stood still is in time', async () => {
    const clock = { at: 1_000 };
    const { url, broker } = await stage({
      now: () => clock.at,
      limits: { connectMs: 200, deadAfterMs: 60_000 },
      heartbeat: { sendMs: 100, wantMs: 0 },
      sweepMs: 5,
    });
    const witness = await bare(url);
    await witness.connect({ 'heart-beat': '0,100' });
    const client = await bare(url);
    clock.at += 11_000;
    // The heart-beat shows that the sweep has looked.
    await when(() => witness.beats === 1);
    expect((await client.connect()).command).toBe('CONNECTED');
    // From here on the time counts again: small steps.
    await bare(url);
    const step = setInterval(() => (clock.at += 2), 1);
    await when(() => broker.stats().errors === 1);
    clearInterval(step);
  });

  it('a peer that falls silent below the WebSocket is found too', async () => {
    const { url, broker } = await stage({ limits: { deadAfterMs: 100 }, sweepMs: 10 });
    const { port } = new URL(url);
    const socket = connectTcp(Number(port), '127.0.0.1');
    socket.write(
      `GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    );
    socket.resume();
    socket.on('error', () => {});
    await new Promise((resolve) => socket.on('close', resolve));
    expect(broker.stats().closedDead).toBe(1);
  });
});

describe('graceful stop', () => {
  it('finishes and answers work under way, flushes, closes with 1012, and lets nobody new in', async () => {
    const { held, release } = barrier();
    const one = await stage({
      async onSend(_, __, message) {
        await held;
        one.broker.publish('/topic/a', `done ${message.text()}`);
      },
      flushMs: 16,
    });
    const { url, broker, told } = one;
    const client = await joined(url);
    await client.subscribe('/topic/a');
    client.send('SEND', { destination: '/app/x', receipt: '1' }, 'work');
    await when(() => broker.stats().framesIn === 3);
    // With more patience than this test needs, however slow the machine is.
    const drained = broker.drain(60_000);
    client.send('SEND', { destination: '/app/x', receipt: '2' }, 'too late');
    await expect(bare(url)).rejects.toThrow(/503/);
    expect(client.got).toEqual([]);
    release();
    expect(await client.closed).toEqual({ code: 1012, reason: 'service restart' });
    expect(client.got.map((frame) => frame.body || frame.headers['receipt-id'])).toEqual(['done work', '1']);
    await drained;
    expect(told.at(-1)).toBe('disconnect ann false 1012');
    expect(broker.stats()).toMatchObject({ connections: 0, subscriptions: 0, destinations: 0 });
  });

  it('cuts what does not end in time', async () => {
    const { url, broker, logged } = await stage({ onSend: () => new Promise<void>(() => {}) });
    const client = await joined(url);
    client.send('SEND', { destination: '/app/x' }, 'forever');
    await when(() => broker.stats().framesIn === 2);
    await broker.drain(50);
    await client.closed;
    expect(logged.join()).toContain('cut');
  });
});

describe('local bus', () => {
  it('keeps one order for all handlers when one publishes while handling, and survives one that throws', async () => {
    const errors: unknown[] = [];
    const bus = createLocalBus({ onError: (error) => errors.push(error) });
    const seen: string[] = [];
    const hear = (name: string) => (message: { body: string | Uint8Array }) =>
      void seen.push(`${name}${String(message.body)}`);
    bus.subscribe('c', (message) => {
      hear('a')(message);
      if (message.body === '1') bus.publish('c', { body: '2' });
      throw new Error('x');
    });
    const leave = bus.subscribe('c', hear('b'));
    bus.publish('c', { body: '1' });
    expect(seen).toEqual(['a1', 'b1', 'a2', 'b2']);
    expect(errors).toHaveLength(2);
    leave();
    leave();
    bus.publish('c', { body: '3' });
    bus.publish('other', { body: '4' });
    expect(seen.slice(4)).toEqual(['a3']);
    await bus.close();
    bus.publish('c', { body: '5' });
    expect(seen).toHaveLength(5);
    await expect(bus.ready()).rejects.toThrow(/closed/);
  });
});
