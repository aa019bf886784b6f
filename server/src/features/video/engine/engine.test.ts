/** The videoroom plugin's behaviour on real peers: rules 1 to 15 of the README. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  anOffer,
  aRoom,
  jsepOf,
  openConnection,
  publish,
  subscribe,
  until,
  type ConnectionOptions,
  type TestPublisher,
  type TestSubscriber,
} from './engine.fixture.ts';
import type { EngineReply, EngineRequest } from '../video.types.ts';
import { createEmbeddedEngine } from './index.ts';

// Handshakes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let engine: ReturnType<typeof createEmbeddedEngine>;
const toClose: { close(): Promise<void> }[] = [];
const kept = <T extends { close(): Promise<void> }>(what: T): T => {
  toClose.push(what);
  return what;
};

beforeAll(() => {
  engine = createEmbeddedEngine({ workers: 1, loopback: true });
});
afterEach(async () => {
  await Promise.all(toClose.splice(0).map((what) => what.close()));
});
afterAll(() => engine.stop());

const aPublisher = async (
  ...args: Parameters<typeof publish> extends [unknown, ...infer Rest] ? Rest : never
): Promise<TestPublisher> => kept(await publish(engine, ...args));
const aSubscriber = async (
  ...args: Parameters<typeof subscribe> extends [unknown, ...infer Rest] ? Rest : never
): Promise<TestSubscriber> => kept(await subscribe(engine, ...args));
async function aConnection(id: number, options: ConnectionOptions) {
  const connection = await openConnection(engine, id, options);
  kept({ close: () => connection.session.close() });
  const handle = await connection.session.attach();
  return {
    connection,
    handle,
    ask: (request: EngineRequest, jsep?: Parameters<typeof connection.ask>[2]) => connection.ask(handle, request, jsep),
    heard: () => connection.heard(handle),
  };
}
async function aMember(id: number, options: ConnectionOptions) {
  const member = await aConnection(id, options);
  const joined = await member.ask({ kind: 'joinPublisher', id, display: String(id) });
  return { ...member, joined };
}

describe('publishing and subscribing', () => {
  test('1: a publisher is announced, and subscribers receive their media', async () => {
    const room = aRoom();
    const watcher = await aMember(9, { room });
    expect(watcher.joined).toMatchObject({
      kind: 'joined',
      id: 9,
      privateId: expect.any(Number),
      publishers: [],
    });
    const publisher = await aPublisher(5, { room });
    expect(publisher.answer).toEqual({
      kind: 'configured',
      publication: {
        audioCodec: 'opus',
        videoCodec: 'vp8',
        streams: [
          { type: 'audio', mindex: 0, mid: '0', codec: 'opus' },
          { type: 'video', mindex: 1, mid: '1', codec: 'vp8' },
        ],
      },
      jsep: { type: 'answer', sdp: expect.any(String) },
    });
    const entry = {
      id: 5,
      display: '5',
      audioCodec: 'opus',
      videoCodec: 'vp8',
      streams: [
        { type: 'audio', mindex: 0, mid: '0', codec: 'opus' },
        { type: 'video', mindex: 1, mid: '1', codec: 'vp8' },
      ],
    };
    await until('announced', () => watcher.heard().length > 0);
    expect(watcher.heard()).toMatchObject([{ kind: 'publishers', publishers: [entry] }]);
    expect((await aMember(10, { room })).joined).toMatchObject({ publishers: [entry] });
    // Never of the person's own.
    expect(publisher.connection.heard(publisher.handle)).toEqual([]);

    const subscriber = await aSubscriber(9, [{ publisherId: 5, crossRefId: 'tile-1' }], { room });
    expect(subscriber.attached).toEqual({
      kind: 'attached',
      jsep: { type: 'offer', sdp: expect.any(String) },
      streams: [
        {
          type: 'audio',
          active: true,
          mindex: 0,
          mid: '0',
          crossRefId: 'tile-1',
          ready: false,
          send: true,
          publisherId: 5,
          publisherDisplay: '5',
          publisherMid: '0',
          codec: 'opus',
        },
        {
          type: 'video',
          active: true,
          mindex: 1,
          mid: '1',
          crossRefId: 'tile-1',
          ready: false,
          send: true,
          publisherId: 5,
          publisherDisplay: '5',
          publisherMid: '1',
          codec: 'vp8',
        },
      ],
    });
    publisher.keepSaying('audio', 'voice');
    publisher.keepSaying('video', 'picture');
    await until(
      'media',
      () => subscriber.received('0').includes('voice') && subscriber.received('1').includes('picture'),
    );
    await until(
      'media events',
      () => publisher.connection.events.filter((event) => event.kind === 'media' && event.receiving).length === 2,
    );
    expect(publisher.connection.events).toContainEqual({
      kind: 'media',
      handle: publisher.handle,
      mid: '1',
      media: 'video',
      receiving: true,
    });
    expect(await engine.stats()).toMatchObject({ publishers: 1, subscribers: 1 });
  });

  test('2: one connection carries several people, each in its own m-lines', async () => {
    const room = aRoom();
    const anna = await aPublisher(5, { room }, ['audio']);
    const ben = await aPublisher(6, { room }, ['audio', 'video']);
    const subscriber = await aSubscriber(
      9,
      [
        { publisherId: 5, mid: '0' },
        { publisherId: 6, mid: '1' },
        { publisherId: 6, mid: '0' },
      ],
      { room },
    );
    anna.keepSaying('audio', 'anna');
    ben.keepSaying('audio', 'ben');
    ben.keepSaying('video', 'ben');
    await until('all three', () => ['0', '1', '2'].every((mid) => subscriber.received(mid).length > 3));
    expect(new Set(subscriber.received('0'))).toEqual(new Set(['anna']));
    expect(subscriber.packets('1')[0]!.header.payloadType).toBe(96);
    expect(new Set(subscriber.received('2'))).toEqual(new Set(['ben']));
  });

  test('3: nothing is sent before the subscriber starts, while paused, or on a stream that is switched off', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    publisher.keepSaying('audio', 'before');
    await until('some', () => subscriber.received('0').length > 0);
    const ask = (request: EngineRequest) => subscriber.connection.ask(subscriber.handle, request);

    /** Whether a marked packet that comes after the change is carried; another subscriber shows when it passed. */
    const witness = await aSubscriber(10, [{ publisherId: 5 }], { room });
    let mark = 0;
    async function carried(): Promise<boolean> {
      const text = `mark ${++mark}`;
      // A voice is not repeated: several, so that one lost does not decide.
      for (let i = 0; i < 5; i++) publisher.say('audio', text);
      await until('the witness', () => witness.received('0').includes(text));
      await engine.stats();
      return subscriber.received('0').includes(text);
    }
    await until('the witness hears', () => witness.received('0').length > 0);
    expect(await ask({ kind: 'pause' })).toEqual({
      kind: 'paused',
    });
    expect(await carried()).toBe(false);
    expect(await ask({ kind: 'start' })).toEqual({
      kind: 'started',
    });
    await until('again', () => subscriber.received('0').at(-1) === 'before');
    await until('carried', () => (publisher.say('audio', 'resumed'), subscriber.received('0').includes('resumed')));
    expect(await ask({ kind: 'configureSubscriber', streams: [{ mid: '0', send: false }] })).toEqual({
      kind: 'configured',
    });
    expect(await carried()).toBe(false);
    await ask({ kind: 'configureSubscriber', streams: [{ mid: '0', send: true }] });
    await until(
      'carried again',
      () => (publisher.say('audio', 'restored'), subscriber.received('0').includes('restored')),
    );
  });

  test('4: a switch changes the person on a stream, without a new offer, as one continuous stream', async () => {
    const room = aRoom();
    const anna = await aPublisher(5, { room });
    const ben = await aPublisher(6, { room });
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    for (const publisher of [anna, ben])
      for (const kind of ['audio', 'video'] as const) publisher.keepSaying(kind, String(publisher.id));
    await until('anna', () => subscriber.received('0').includes('5') && subscriber.received('1').includes('5'));
    const reply = await subscriber.connection.ask(subscriber.handle, {
      kind: 'switch',
      streams: [
        { publisherId: 6, mid: '1', subMid: '1' },
        { publisherId: 6, mid: '0', subMid: '0' },
        { publisherId: 6, mid: '0', subMid: '1' },
      ],
    });
    expect(reply).toEqual(expect.not.objectContaining({ jsep: expect.anything() }));
    expect(reply).toMatchObject({
      kind: 'switched',
      changes: 2,
      streams: [
        { publisherId: 6, publisherMid: '0' },
        { publisherId: 6, publisherMid: '1' },
      ],
    });
    await until('ben', () => subscriber.received('0').at(-1) === '6' && subscriber.received('1').at(-1) === '6');
    for (const mid of ['0', '1']) {
      const headers = subscriber.packets(mid).map(({ header }) => header);
      expect(new Set(headers.map(({ ssrc }) => ssrc)).size).toBe(1);
      const steps = headers
        .slice(1)
        .map(({ sequenceNumber }, i) => (sequenceNumber - headers[i]!.sequenceNumber) & 0xffff);
      expect(steps.every((step) => step < 100 || step > 65_000)).toBe(true);
    }
  });

  test('5: one offer at a time; changes in between make one more offer after the answer', async () => {
    const room = aRoom();
    await aPublisher(5, { room }, ['audio']);
    await aPublisher(6, { room }, ['audio']);
    await aPublisher(7, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    const ask = (request: EngineRequest) => subscriber.connection.ask(subscriber.handle, request);
    const first = await ask({ kind: 'update', subscribe: [{ publisherId: 6 }], unsubscribe: [] });
    expect(first).toMatchObject({
      kind: 'updated',
      streams: [{ publisherId: 5 }, { publisherId: 6, mid: '1', ready: false }],
    });
    expect(jsepOf(first).type).toBe('offer');
    expect(await ask({ kind: 'update', subscribe: [{ publisherId: 7 }], unsubscribe: [] })).toEqual({
      kind: 'updating',
    });
    expect(await ask({ kind: 'update', subscribe: [], unsubscribe: [{ publisherId: 5 }] })).toEqual({
      kind: 'updating',
    });
    expect(subscriber.connection.heard(subscriber.handle)).toEqual([]);
    expect(await subscriber.answerTo(jsepOf(first))).toMatchObject({ kind: 'started' });
    const [event] = await until(
      'the one offer',
      () => subscriber.connection.heard(subscriber.handle).length > 0 && subscriber.connection.heard(subscriber.handle),
    );
    expect(event).toMatchObject({
      kind: 'updated',
      streams: [
        { active: false, mid: '0' },
        { publisherId: 6, ready: true },
        { publisherId: 7, mid: '2' },
      ],
      jsep: { type: 'offer' },
    });
    await subscriber.answerTo(jsepOf(event!));
    await engine.stats();
    expect(subscriber.connection.heard(subscriber.handle).length).toBe(1);
    // No change, no offer.
    expect(await ask({ kind: 'update', subscribe: [], unsubscribe: [{ publisherId: 5 }] })).toEqual({
      kind: 'updated',
    });
  });

  test('6: inactive m-lines are reused, so that a connection does not grow as people join and leave', async () => {
    const room = aRoom();
    const anna = await aPublisher(5, { room });
    const ben = await aPublisher(6, { room });
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    const ssrcs = (sdp: string) => [...sdp.matchAll(/^a=ssrc:(\d+) cname/gm)].map(([, ssrc]) => ssrc);
    const before = ssrcs(jsepOf(subscriber.attached).sdp);
    await subscriber.connection.ask(subscriber.handle, {
      kind: 'configureSubscriber',
      streams: [{ mid: '0', send: false }],
    });
    const update = await subscriber.connection.ask(subscriber.handle, {
      kind: 'update',
      unsubscribe: [{ publisherId: 5 }],
      subscribe: [{ publisherId: 6 }],
    });
    expect(update).toMatchObject({
      streams: [
        { mid: '0', publisherId: 6 },
        { mid: '1', publisherId: 6 },
      ],
    });
    expect(jsepOf(update).sdp.match(/^m=/gm)?.length).toBe(2);
    // Another source, another SSRC: browsers would not draw the one they have put away.
    expect(ssrcs(jsepOf(update).sdp)).toHaveLength(2);
    expect(ssrcs(jsepOf(update).sdp).filter((ssrc) => before.includes(ssrc))).toEqual([]);
    await subscriber.answerTo(jsepOf(update));
    ben.keepSaying('audio', 'ben');
    anna.keepSaying('audio', 'anna');
    await until('ben', () => subscriber.received('0').includes('ben'));
    expect(subscriber.received('0')).not.toContain('anna');
  });

  test('7: a person who unpublishes is announced, their m-lines become inactive, and they may publish again', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const watcher = await aMember(9, { room });
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    expect(await publisher.connection.ask(publisher.handle, { kind: 'unpublish' })).toEqual({
      kind: 'unpublished',
    });
    await until('told', () => watcher.heard().some((event) => event.kind === 'unpublished' && event.id === 5));
    const event = await until('offer', () => subscriber.connection.heard(subscriber.handle)[0]);
    expect(event).toMatchObject({
      kind: 'updated',
      streams: [{ active: false, mid: '0' }],
      jsep: { type: 'offer' },
    });
    expect(jsepOf(event).sdp).toContain('a=inactive');
    expect(publisher.connection.events).toContainEqual({
      kind: 'hangup',
      handle: publisher.handle,
      reason: 'Close PC',
    });
    expect(await publisher.connection.ask(publisher.handle, { kind: 'unpublish' })).toMatchObject({
      code: 435,
    });
    expect(await publisher.connection.ask(publisher.handle, { kind: 'publish' }, await anOffer())).toMatchObject({
      kind: 'configured',
    });
  });

  test('8: a person who leaves is announced, and their handle becomes unusable', async () => {
    const room = aRoom();
    const watcher = await aMember(9, { room });
    const publisher = await aPublisher(5, { room }, ['audio']);
    expect(await publisher.connection.ask(publisher.handle, { kind: 'leave' })).toEqual({
      kind: 'leaving',
    });
    await until('told', () => watcher.heard().some((event) => event.kind === 'leaving' && event.id === 5));
    expect(
      await publisher.connection.ask(publisher.handle, { kind: 'joinPublisher', id: 5, display: '5' }),
    ).toMatchObject({
      code: 425,
    });
    expect(await publisher.connection.ask(publisher.handle, { kind: 'configurePublisher' })).toMatchObject({
      code: 426,
    });
  });

  test('8: a closed connection counts as leaving', async () => {
    const room = aRoom();
    const watcher = await aMember(9, { room });
    const publisher = await aPublisher(5, { room }, ['audio']);
    await publisher.connection.session.close();
    await until('told', () => watcher.heard().some((event) => event.kind === 'leaving' && event.id === 5));
    expect((await aMember(10, { room })).joined).toMatchObject({ publishers: [] });
  });

  test('9: a muted m-line is silent for all, in spite of its owner, until it is unmuted', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio', 'video']);
    const watcher = await aMember(9, { room });
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    publisher.keepSaying('audio', 'voice');
    publisher.keepSaying('video', 'picture');
    await until('both', () => subscriber.received('0').length > 0 && subscriber.received('1').length > 0);
    const silence = (silent: { audio: boolean; mids: string[] }) =>
      publisher.connection.ask(publisher.handle, { kind: 'configurePublisher', silent });
    expect(await silence({ audio: false, mids: ['0'] })).toMatchObject({ kind: 'configured' });
    const told = { kind: 'moderated', id: 5, mid: '0', muted: true };
    await until(
      'told to both',
      () =>
        watcher.heard().some((event) => event.kind === 'moderated' && event.muted) &&
        publisher.connection.heard(publisher.handle).some((event) => event.kind === 'moderated' && event.muted),
    );
    expect(watcher.heard()).toContainEqual({ ...told, handle: watcher.handle });
    await publisher.connection.ask(publisher.handle, { kind: 'configurePublisher', keyFrames: 'all' });
    const heardSoFar = subscriber.received('0').length;
    const seenSoFar = subscriber.received('1').length;
    await until('picture goes on', () => subscriber.received('1').length > seenSoFar + 20);
    // What was on its way when it was muted.
    expect(subscriber.received('0').length - heardSoFar).toBeLessThanOrEqual(3);
    expect((await aMember(10, { room })).joined).toMatchObject({
      publishers: [{ streams: [{ moderated: true }, { type: 'video' }] }],
    });
    await silence({ audio: false, mids: ['x'] });
    await until('heard again', () => subscriber.received('0').length > heardSoFar + 10);
    // A repetition is announced once.
    await silence({ audio: false, mids: [] });
    await engine.stats();
    expect(watcher.heard().filter((event) => event.kind === 'moderated')).toHaveLength(2);
  });

  test('44: only video that the gateway allows is sent, whatever the subscription; the subscriber’s own switch is kept separately', async () => {
    const room = aRoom();
    const anna = await aPublisher(5, { room });
    const ben = await aPublisher(6, { room });
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }, { publisherId: 6 }], { room });
    const configure = (change: Partial<Extract<EngineRequest, { kind: 'configureSubscriber' }>>) =>
      subscriber.connection.ask(subscriber.handle, { kind: 'configureSubscriber', streams: [], ...change });
    const [annas, bens] = ['1', '3'];
    anna.keepSaying('video', 'anna');
    for (const kind of ['audio', 'video'] as const) ben.keepSaying(kind, 'ben');
    await until('both', () => [annas, bens].every((mid) => subscriber.received(mid!).length > 0));

    expect(await configure({ videoFrom: [5, 9] })).toEqual({ kind: 'configured' });
    const before = subscriber.received(bens!).length;
    // Neither the subscriber's own switch nor a switch of streams lifts it.
    await configure({ streams: [{ send: true }, { media: 'video', send: true }] });
    await subscriber.connection.ask(subscriber.handle, {
      kind: 'switch',
      streams: [{ publisherId: 6, mid: '1', subMid: annas! }],
    });
    const [seen, heard] = [subscriber.received(annas!).length, subscriber.received('2').length];
    await until('audio goes on', () => subscriber.received('2').length > heard + 20);
    // What was on its way when it was hidden.
    expect(subscriber.received(bens!).length - before).toBeLessThanOrEqual(3);
    expect(subscriber.received(annas!).length - seen).toBeLessThanOrEqual(3);
    expect(subscriber.received(annas!)).not.toContain('ben');

    await configure({ streams: [{ mid: bens!, send: false }] });
    await configure({ videoFrom: 'everybody' });
    await until('ben in the first place', () => subscriber.received(annas!).includes('ben'));
    expect(subscriber.received(bens!).length - before).toBeLessThanOrEqual(3);
  });

  test('44: an m-line that becomes video is hidden as video', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const reply = await publisher.connection.ask(
      publisher.handle,
      { kind: 'configurePublisher' },
      await anOffer(['video']),
    );
    expect(reply).toMatchObject({ publication: { streams: [{ type: 'video', mid: '0', codec: 'vp8' }] } });
  });

  test('10: a publisher’s new offer is answered on the same connection and announced to the others', async () => {
    const room = aRoom();
    const watcher = await aMember(9, { room });
    const publisher = await aPublisher(5, { room }, ['audio']);
    await until('announced', () => watcher.heard().length === 1);
    publisher.pc.addTransceiver('video', { direction: 'sendonly' });
    await publisher.pc.setLocalDescription(await publisher.pc.createOffer());
    const reply = await publisher.connection.ask(
      publisher.handle,
      { kind: 'configurePublisher', descriptions: [{ mid: '1', description: 'screen' }] },
      { type: 'offer', sdp: publisher.pc.localDescription!.sdp },
    );
    expect(reply).toMatchObject({
      kind: 'configured',
      publication: { streams: [{ mid: '0' }, { mid: '1', type: 'video', description: 'screen' }] },
    });
    const nameIn = ({ sdp }: { sdp: string }) => /a=ice-ufrag:.*/.exec(sdp)![0];
    expect(nameIn(jsepOf(reply))).toBe(nameIn(jsepOf(publisher.answer)));
    await until('announced again', () => watcher.heard().length === 2);
    expect(watcher.heard()[1]).toMatchObject({
      publishers: [{ id: 5, streams: [{ mid: '0' }, { mid: '1', description: 'screen' }] }],
    });
    expect(publisher.connection.events.filter(({ kind }) => kind === 'hangup')).toEqual([]);
  });

  test('11: hangup ends the connection and keeps the handle; detach ends the handle', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    await subscriber.connection.session.hangup(subscriber.handle);
    await until('hung up', () => subscriber.connection.events.some((event) => event.kind === 'hangup'));
    expect(
      await subscriber.connection.ask(subscriber.handle, { kind: 'joinSubscriber', streams: [{ publisherId: 5 }] }),
    ).toMatchObject({ code: 425 });
    const again = await subscriber.connection.ask(subscriber.handle, {
      kind: 'update',
      subscribe: [{ publisherId: 5 }],
      unsubscribe: [],
    });
    expect(again).toMatchObject({ kind: 'updated', streams: [{ mid: '0', publisherId: 5 }] });
    await publisher.connection.session.detach(publisher.handle);
    await until('detached', () => publisher.connection.events.some((event) => event.kind === 'detached'));
    expect(await publisher.connection.ask(publisher.handle, { kind: 'configurePublisher' })).toMatchObject({
      code: 499,
    });
    expect((await aMember(10, { room })).joined).toMatchObject({ publishers: [] });
  });

  test('12: the start and end of talking are announced to everybody, including the speaker', async () => {
    const room = aRoom({ talkingPackets: 10 });
    const watcher = await aMember(9, { room });
    const publisher = await aPublisher(5, { room, levels: true }, ['audio']);
    publisher.loudness(20);
    publisher.keepSaying('audio', 'loud');
    await until('talking', () => watcher.heard().some((event) => event.kind === 'talking' && event.talking));
    expect(watcher.heard().find((event) => event.kind === 'talking' && event.talking)).toMatchObject({
      id: 5,
      mindex: 0,
      mid: '0',
      level: 20,
    });
    await until('heard by the speaker', () =>
      publisher.connection.heard(publisher.handle).some((event) => event.kind === 'talking' && event.talking),
    );
    expect((await aMember(10, { room })).joined).toMatchObject({ publishers: [{ id: 5, talking: true }] });
    publisher.loudness(127);
    await until('silence', () => watcher.heard().some((event) => event.kind === 'talking' && !event.talking));
  });
});

describe('refusals', () => {
  test('13: have the right codes', async () => {
    const room = aRoom({ publishers: 1 });
    const connection = await aConnection(5, { room });
    const codeOf = (reply: EngineReply) => (reply.kind === 'refused' ? reply.code : null);
    const code = async (request: EngineRequest, jsep?: Parameters<typeof connection.ask>[1]) =>
      codeOf(await connection.ask(request, jsep));
    expect(await connection.ask({ kind: 'configurePublisher' })).toEqual({
      kind: 'refused',
      code: 424,
      message: 'Invalid request on unconfigured participant',
    });
    expect(await code({ kind: 'joinSubscriber', streams: [{ publisherId: 5 }] })).toBe(428);
    expect(await connection.ask({ kind: 'joinPublisher', id: 5, display: '5' })).toMatchObject({ kind: 'joined' });
    expect(await code({ kind: 'joinPublisher', id: 6, display: '6' })).toBe(425);
    expect(await code({ kind: 'pause' })).toBe(423);
    expect(await code({ kind: 'publish' }, { type: 'answer', sdp: 'v=0' })).toBe(431);
    expect(await code({ kind: 'publish' }, { type: 'offer', sdp: 'hello' })).toBe(437);

    const other = await aConnection(5, { room });
    expect(await other.ask({ kind: 'joinPublisher', id: 5, display: '5' })).toMatchObject({
      code: 436,
      message: 'User ID 5 already exists',
    });
    const publisher = await aPublisher(7, { room }, ['audio']);
    expect(await connection.ask({ kind: 'publish' }, await anOffer())).toMatchObject({
      code: 432,
      message: 'Maximum number of publishers (1) already reached',
    });
    expect(await publisher.connection.ask(publisher.handle, { kind: 'publish' }, await anOffer())).toMatchObject({
      code: 434,
    });
    expect(await other.ask({ kind: 'joinSubscriber', streams: [{ publisherId: 7, mid: '9' }] })).toMatchObject({
      code: 428,
    });

    const subscriber = await aSubscriber(9, [{ publisherId: 7 }], { room });
    const refused = async (request: EngineRequest, jsep?: Parameters<typeof connection.ask>[1]) =>
      codeOf(await subscriber.connection.ask(subscriber.handle, request, jsep));
    expect(await refused({ kind: 'joinSubscriber', streams: [{ publisherId: 7 }] })).toBe(425);
    expect(await refused({ kind: 'update', subscribe: [{ publisherId: 8 }], unsubscribe: [] })).toBe(428);
    expect(await refused({ kind: 'switch', streams: [{ publisherId: 7, mid: '9', subMid: '0' }] })).toBe(428);
    expect(await refused({ kind: 'unpublish' })).toBe(423);
    expect(await refused({ kind: 'start' }, { type: 'offer', sdp: 'v=0' })).toBe(431);
  });

  test('13: change nothing for an offer', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    const reply = await publisher.connection.ask(
      publisher.handle,
      { kind: 'configurePublisher', bitrate: 1 },
      { type: 'offer', sdp: 'hello' },
    );
    expect(reply).toMatchObject({ code: 437 });
    publisher.keepSaying('audio', 'still here');
    await until('carried', () => subscriber.received('0').includes('still here'));
  });

  test('14: include a description of a megabyte or a thousand m-lines, without effect on others', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    publisher.keepSaying('audio', 'voice');
    await until('carried', () => subscriber.received('0').length > 0);
    const attacker = await aMember(8, { room });
    const good = (await anOffer()).sdp;
    const section = good.slice(good.indexOf('m='));
    // Seventeen sections that are each right by themselves.
    const named = Array.from({ length: 16 }, (_, i) => section.replace(/a=mid:\S+/, `a=mid:x${i}`)).join('');
    const seventeen =
      good.replace(/(a=group:BUNDLE \S+)/, `$1 ${Array.from({ length: 16 }, (_, i) => `x${i}`).join(' ')}`) + named;
    for (const sdp of [
      seventeen,
      `${good}a=${'x'.repeat(1 << 20)}\r\n`,
      good + section.repeat(1000),
      good + section.repeat(100),
      `v=0\r\n${'m=audio 9 UDP/TLS/RTP/SAVPF 111\r\n'.repeat(128)}`,
    ])
      expect(await attacker.ask({ kind: 'publish' }, { type: 'offer', sdp })).toMatchObject({
        code: 437,
      });
    const sofar = subscriber.received('0').length;
    await until('still carried', () => subscriber.received('0').length > sofar + 5);
    expect(await attacker.ask({ kind: 'publish' }, await anOffer())).toMatchObject({ kind: 'configured' });
  });

  test('15: an ended room notifies everybody and takes no more requests; the next person opens it again', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ publisherId: 5 }], { room });
    await engine.closeRoom(room.therapistId);
    await until('hung up', () =>
      [publisher, subscriber].every(({ connection }) => connection.events.some(({ kind }) => kind === 'hangup')),
    );
    expect(publisher.connection.heard(publisher.handle)).toMatchObject([{ kind: 'destroyed' }]);
    expect(await publisher.connection.ask(publisher.handle, { kind: 'configurePublisher' })).toMatchObject({
      code: 426,
    });
    await engine.closeRoom(room.therapistId);
    const reopened = await aMember(5, { room });
    expect(reopened.joined).toMatchObject({ kind: 'joined', publishers: [] });
    // The old connection's end is not the new room's.
    await publisher.connection.session.close();
    expect(await reopened.ask({ kind: 'configurePublisher' })).toMatchObject({ kind: 'configured' });
  });
});
