/** The broker with the browser's own library: @stomp/stompjs on real WebSockets, in each version. */
import { Client, Versions, type IFrame, type IMessage, type StompConfig } from '@stomp/stompjs';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { StompBrokerOptions } from './stomp-broker.ts';
import { stage as newStage, when, type Someone, type Stage } from './stomp.fixture.ts';

let stages: Stage[] = [];
let clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.map((client) => client.deactivate({ force: true })));
  await Promise.all(stages.map((one) => one.stop()));
  stages = [];
  clients = [];
});
const stage = async (overrides?: Partial<StompBrokerOptions<Someone>>) => {
  const one = await newStage(overrides);
  stages.push(one);
  return one;
};

/** An activated client; resolves with its first CONNECTED. */
async function activated(
  url: string,
  version: string,
  config: StompConfig = {},
): Promise<{ client: Client; connected: IFrame }> {
  const client = new Client({
    webSocketFactory: () => new WebSocket(url, Versions.default.protocolVersions()) as never,
    stompVersions: new Versions([version]),
    connectHeaders: { login: 'ann', passcode: 'guest' },
    reconnectDelay: 0,
    ...config,
  });
  clients.push(client);
  const connected = await new Promise<IFrame>((resolve, reject) => {
    client.onConnect = resolve;
    client.onStompError = (frame) => reject(new Error(frame.headers['message']));
    client.activate();
  });
  return { client, connected };
}
/** Does something with a receipt and waits for it. */
let receipts = 0;
const settle = (client: Client, act: (receipt: string) => void) =>
  new Promise<void>((resolve) => {
    const receipt = `receipt-${++receipts}`;
    client.watchForReceipt(receipt, () => resolve());
    act(receipt);
  });

describe.each(['1.0', '1.1', '1.2'])('stompjs in %s', (version) => {
  it('connects, subscribes, sends, hears, unsubscribes and leaves gracefully', async () => {
    const { url, told, broker } = await stage();
    const { client, connected } = await activated(url, version);
    expect(connected.headers['version']).toBe(version);
    const heard: IMessage[] = [];
    await settle(client, (receipt) => client.subscribe('/topic/echo', (message) => heard.push(message), { receipt }));
    await settle(client, (receipt) =>
      client.publish({ destination: '/app/echo', body: '{"ő":"🙂"}', headers: { receipt } }),
    );
    await when(() => heard.length === 1);
    expect(heard[0]!.body).toBe('{"ő":"🙂"}');
    expect(heard[0]!.headers).toMatchObject({
      destination: '/topic/echo',
      'content-type': 'text/plain',
      subscription: 'sub-0',
    });
    client.publish({ destination: '/app/echo-bytes', binaryBody: Uint8Array.of(0, 200, 0) });
    await when(() => heard.length === 2);
    expect([...heard[1]!.binaryBody]).toEqual([0, 200, 0]);
    client.unsubscribe('sub-0');
    await client.deactivate();
    await when(() => told.length === 6);
    expect(told.at(-2)).toBe('unsubscribe ann /topic/echo');
    expect(told.at(-1)).toMatch(/^disconnect ann true /);
    expect(broker.stats().connections).toBe(0);
  });

  it('sends large frames in pieces and hears large ones whole', async () => {
    const { url } = await stage();
    const { client } = await activated(url, version, { splitLargeFrames: true, maxWebSocketChunkSize: 1_000 });
    const heard: string[] = [];
    client.subscribe('/topic/echo', (message) => heard.push(message.body));
    const body = 'abcdefő'.repeat(7_000);
    client.publish({ destination: '/app/echo', body });
    await when(() => heard.length === 1);
    expect(heard[0]).toBe(body);
  });

  it('hears every one of many messages that leave in one write, in order', async () => {
    const { url, broker } = await stage({ flushMs: 16 });
    const { client } = await activated(url, version);
    const heard: string[] = [];
    await settle(client, (receipt) => client.subscribe('/topic/a', (message) => heard.push(message.body), { receipt }));
    for (let i = 0; i < 200; i++) broker.publish('/topic/a', String(i));
    await when(() => heard.length === 200);
    expect(heard).toEqual(Array.from({ length: 200 }, (_, i) => String(i)));
  });

  it('commits and aborts transactions', async () => {
    const { url, told } = await stage();
    const { client } = await activated(url, version);
    const kept = client.begin();
    const dropped = client.begin();
    client.publish({ destination: '/app/x', body: 'kept', headers: { transaction: kept.id } });
    client.publish({ destination: '/app/x', body: 'dropped', headers: { transaction: dropped.id } });
    dropped.abort();
    await settle(client, (receipt) => client.publish({ destination: '/app/x', body: 'between', headers: { receipt } }));
    expect(told).toEqual(['connect ann', 'send ann /app/x between']);
    kept.commit();
    await when(() => told.length === 3);
    expect(told[2]).toBe('send ann /app/x kept');
  });

  it('acknowledges', async () => {
    const { url, broker } = await stage({ limits: { unacknowledged: 2 } });
    const { client } = await activated(url, version);
    const heard: string[] = [];
    await settle(client, (receipt) =>
      client.subscribe(
        '/topic/a',
        (message) => {
          heard.push(message.body);
          if (version === '1.0' || heard.length % 2 === 1) message.ack();
          else message.nack();
        },
        { receipt, ack: version === '1.0' ? 'client' : 'client-individual' },
      ),
    );
    for (let i = 0; i < 6; i++) {
      broker.publish('/topic/a', String(i));
      await when(() => heard.length === i + 1);
      await settle(client, (receipt) => client.publish({ destination: '/app/x', headers: { receipt } }));
    }
    expect(broker.stats().errors).toBe(0);
  });

  it('learns of an ERROR and of the close after it', async () => {
    const { url } = await stage();
    const { client } = await activated(url, version);
    const error = new Promise<IFrame>((resolve) => (client.onStompError = resolve));
    const closed = new Promise<{ code: number }>((resolve) => (client.onWebSocketClose = resolve));
    client.subscribe('/private', () => {});
    const frame = await error;
    expect(frame.headers).toMatchObject({ message: 'this destination is not for you', code: 'forbidden' });
    expect(frame.body).toBe('this destination is not for you\n');
    expect((await closed).code).toBe(1008);
  });
});

/** Either side gives up after twice this time, so it is longer than a busy machine keeps anybody waiting. */
const BEAT_MS = 1_000;

it('keeps a connection by heart-beats both ways', async () => {
  const { url, broker } = await stage({
    heartbeat: { sendMs: BEAT_MS, wantMs: BEAT_MS },
    limits: { deadAfterMs: 60_000 },
    sweepMs: 5,
  });
  const { client, connected } = await activated(url, '1.2', { heartbeatIncoming: BEAT_MS, heartbeatOutgoing: BEAT_MS });
  expect(connected.headers['heart-beat']).toBe(`${BEAT_MS},${BEAT_MS}`);
  let beats = 0;
  client.onHeartbeatReceived = () => void beats++;
  // Several times the time after which either side would have given up the other.
  await when(() => beats >= 6);
  expect(client.connected).toBe(true);
  expect(broker.stats()).toMatchObject({ connections: 1, closedDead: 0 });
});

it('comes back by itself after a restart', async () => {
  const first = await stage();
  const second = await stage();
  let url = first.url;
  const { client } = await activated(url, '1.2', {
    webSocketFactory: () => new WebSocket(url, Versions.default.protocolVersions()) as never,
    reconnectDelay: 10,
  });
  const back = new Promise((resolve) => (client.onConnect = resolve));
  const closed = new Promise<{ code: number }>((resolve) => (client.onWebSocketClose = resolve));
  url = second.url;
  await first.broker.drain();
  expect((await closed).code).toBe(1012);
  await back;
  expect(second.broker.stats().connections).toBe(1);
});
