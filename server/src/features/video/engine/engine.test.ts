/** The videoroom plugin's behaviour on real peers: rules 1 to 15 of the README. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  anOffer,
  aRoom,
  openLine,
  publish,
  subscribe,
  until,
  type LineOptions,
  type TestPublisher,
  type TestSubscriber,
} from './engine.fixture.ts';
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
async function aLine(id: number, options: LineOptions) {
  const line = await openLine(engine, id, options);
  kept({ close: () => line.session.close() });
  const handle = await line.session.attach();
  return {
    line,
    handle,
    ask: (body: Record<string, unknown>, jsep?: Parameters<typeof line.ask>[2]) => line.ask(handle, body, jsep),
    heard: () => line.heard(handle),
  };
}
async function aMember(id: number, options: LineOptions) {
  const member = await aLine(id, options);
  const joined = await member.ask({ request: 'join', ptype: 'publisher', id, display: String(id) });
  return { ...member, joined: joined.data };
}

describe('publishing and subscribing', () => {
  test('1: who publishes is announced, and heard and seen by who subscribes', async () => {
    const room = aRoom();
    const watcher = await aMember(9, { room });
    expect(watcher.joined).toMatchObject({
      videoroom: 'joined',
      room: room.therapistId,
      id: 9,
      private_id: expect.any(Number),
      publishers: [],
    });
    const publisher = await aPublisher(5, { room });
    expect(publisher.answer.data).toEqual({
      videoroom: 'event',
      room: room.therapistId,
      configured: 'ok',
      audio_codec: 'opus',
      video_codec: 'vp8',
      streams: [
        { type: 'audio', mindex: 0, mid: '0', codec: 'opus' },
        { type: 'video', mindex: 1, mid: '1', codec: 'vp8' },
      ],
    });
    const entry = {
      id: 5,
      display: '5',
      audio_codec: 'opus',
      video_codec: 'vp8',
      streams: [
        { type: 'audio', mindex: 0, mid: '0', codec: 'opus' },
        { type: 'video', mindex: 1, mid: '1', codec: 'vp8' },
      ],
    };
    await until('announced', () => watcher.heard().length > 0);
    expect(watcher.heard()).toMatchObject([{ videoroom: 'event', room: room.therapistId, publishers: [entry] }]);
    expect((await aMember(10, { room })).joined['publishers']).toMatchObject([entry]);
    // Never of oneself.
    expect(publisher.line.heard(publisher.handle)).toEqual([]);

    const subscriber = await aSubscriber(9, [{ feed: 5, crossrefid: 'tile-1' }], { room });
    expect(subscriber.attached.data).toEqual({
      videoroom: 'attached',
      room: room.therapistId,
      streams: [
        {
          type: 'audio',
          active: true,
          mindex: 0,
          mid: '0',
          crossrefid: 'tile-1',
          ready: false,
          send: true,
          feed_id: 5,
          feed_display: '5',
          feed_mid: '0',
          codec: 'opus',
        },
        {
          type: 'video',
          active: true,
          mindex: 1,
          mid: '1',
          crossrefid: 'tile-1',
          ready: false,
          send: true,
          feed_id: 5,
          feed_display: '5',
          feed_mid: '1',
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
      () => publisher.line.events.filter((event) => event.kind === 'media' && event.receiving).length === 2,
    );
    expect(publisher.line.events).toContainEqual({
      kind: 'media',
      handle: publisher.handle,
      mid: '1',
      media: 'video',
      receiving: true,
    });
    expect(await engine.stats()).toMatchObject({ publishers: 1, subscribers: 1 });
  });

  test('2: one line carries several people, each in its own m-lines', async () => {
    const room = aRoom();
    const anna = await aPublisher(5, { room }, ['audio']);
    const ben = await aPublisher(6, { room }, ['audio', 'video']);
    const subscriber = await aSubscriber(
      9,
      [
        { feed: 5, mid: '0' },
        { feed: 6, mid: '1' },
        { feed: 6, mid: '0' },
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

  test('3: nothing is sent before the subscriber starts, while paused, or where it switched off', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    publisher.keepSaying('audio', 'before');
    await until('some', () => subscriber.received('0').length > 0);
    const ask = (body: Record<string, unknown>) => subscriber.line.ask(subscriber.handle, body);

    /** Whether a marked packet that comes after the change is carried; another subscriber tells when it went by. */
    const witness = await aSubscriber(10, [{ feed: 5 }], { room });
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
    expect((await ask({ request: 'pause' })).data).toEqual({
      videoroom: 'event',
      room: room.therapistId,
      paused: 'ok',
    });
    expect(await carried()).toBe(false);
    expect((await ask({ request: 'start' })).data).toEqual({
      videoroom: 'event',
      room: room.therapistId,
      started: 'ok',
    });
    await until('again', () => subscriber.received('0').at(-1) === 'before');
    await until('carried', () => (publisher.say('audio', 'resumed'), subscriber.received('0').includes('resumed')));
    expect((await ask({ request: 'configure', mid: '0', send: false })).data).toEqual({
      videoroom: 'event',
      room: room.therapistId,
      configured: 'ok',
    });
    expect(await carried()).toBe(false);
    await ask({ request: 'configure', streams: [{ mid: '0', send: true }] });
    await until(
      'carried again',
      () => (publisher.say('audio', 'restored'), subscriber.received('0').includes('restored')),
    );
  });

  test('4: a switch changes who is carried, without a new offer, as one stream', async () => {
    const room = aRoom();
    const anna = await aPublisher(5, { room });
    const ben = await aPublisher(6, { room });
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    for (const publisher of [anna, ben])
      for (const kind of ['audio', 'video'] as const) publisher.keepSaying(kind, String(publisher.id));
    await until('anna', () => subscriber.received('0').includes('5') && subscriber.received('1').includes('5'));
    const { data, jsep } = await subscriber.line.ask(subscriber.handle, {
      request: 'switch',
      streams: [
        { feed: 6, mid: '1', sub_mid: '1' },
        { feed: 6, mid: '0', sub_mid: '0' },
        { feed: 6, mid: '0', sub_mid: '1' },
      ],
    });
    expect(jsep).toBeUndefined();
    expect(data).toMatchObject({
      videoroom: 'event',
      switched: 'ok',
      room: room.therapistId,
      changes: 2,
      streams: [
        { feed_id: 6, feed_mid: '0' },
        { feed_id: 6, feed_mid: '1' },
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

  test('5: one offer at a time; what changes meanwhile is one more offer after the answer', async () => {
    const room = aRoom();
    await aPublisher(5, { room }, ['audio']);
    await aPublisher(6, { room }, ['audio']);
    await aPublisher(7, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    const ask = (body: Record<string, unknown>) => subscriber.line.ask(subscriber.handle, body);
    const first = await ask({ request: 'subscribe', streams: [{ feed: 6 }] });
    expect(first.data).toMatchObject({
      videoroom: 'updated',
      streams: [{ feed_id: 5 }, { feed_id: 6, mid: '1', ready: false }],
    });
    expect(first.jsep).toMatchObject({ type: 'offer' });
    expect(await ask({ request: 'subscribe', streams: [{ feed: 7 }] })).toEqual({
      data: { videoroom: 'updating', room: room.therapistId },
      jsep: undefined,
    });
    expect(await ask({ request: 'unsubscribe', streams: [{ feed: 5 }] })).toEqual({
      data: { videoroom: 'updating', room: room.therapistId },
      jsep: undefined,
    });
    expect(subscriber.line.heard(subscriber.handle)).toEqual([]);
    expect((await subscriber.answerTo(first.jsep!)).data).toMatchObject({ started: 'ok' });
    const [event] = await until(
      'the one offer',
      () => subscriber.line.heard(subscriber.handle).length > 0 && subscriber.line.heard(subscriber.handle),
    );
    expect(event).toMatchObject({
      videoroom: 'updated',
      streams: [
        { active: false, mid: '0' },
        { feed_id: 6, ready: true },
        { feed_id: 7, mid: '2' },
      ],
      jsep: { type: 'offer' },
    });
    await subscriber.answerTo(event!.jsep!);
    await engine.stats();
    expect(subscriber.line.heard(subscriber.handle).length).toBe(1);
    // No change, no offer.
    expect(await ask({ request: 'unsubscribe', streams: [{ feed: 5 }] })).toEqual({
      data: { videoroom: 'updated', room: room.therapistId },
      jsep: undefined,
    });
  });

  test('6: inactive m-lines are taken over, so that a line does not grow with people coming and going', async () => {
    const room = aRoom();
    const anna = await aPublisher(5, { room });
    const ben = await aPublisher(6, { room });
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    const ssrcs = (sdp: string) => [...sdp.matchAll(/^a=ssrc:(\d+) cname/gm)].map(([, ssrc]) => ssrc);
    const before = ssrcs(subscriber.attached.jsep!.sdp);
    await subscriber.line.ask(subscriber.handle, { request: 'configure', mid: '0', send: false });
    const update = await subscriber.line.ask(subscriber.handle, {
      request: 'update',
      unsubscribe: [{ feed: 5 }],
      subscribe: [{ feed: 6 }],
    });
    expect(update.data['streams']).toMatchObject([
      { mid: '0', feed_id: 6 },
      { mid: '1', feed_id: 6 },
    ]);
    expect(update.jsep!.sdp.match(/^m=/gm)?.length).toBe(2);
    // Another source, another SSRC: browsers would not draw the one they have put away.
    expect(ssrcs(update.jsep!.sdp)).toHaveLength(2);
    expect(ssrcs(update.jsep!.sdp).filter((ssrc) => before.includes(ssrc))).toEqual([]);
    await subscriber.answerTo(update.jsep!);
    ben.keepSaying('audio', 'ben');
    anna.keepSaying('audio', 'anna');
    await until('ben', () => subscriber.received('0').includes('ben'));
    expect(subscriber.received('0')).not.toContain('anna');
  });

  test('7: who unpublishes is told to the others, their m-lines become inactive, and they may publish again', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const watcher = await aMember(9, { room });
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    expect((await publisher.line.ask(publisher.handle, { request: 'unpublish' })).data).toEqual({
      videoroom: 'event',
      room: room.therapistId,
      unpublished: 'ok',
    });
    await until('told', () => watcher.heard().some((event) => event['unpublished'] === 5));
    const event = await until('offer', () => subscriber.line.heard(subscriber.handle)[0]);
    expect(event).toMatchObject({
      videoroom: 'updated',
      streams: [{ active: false, mid: '0' }],
      jsep: { type: 'offer' },
    });
    expect(event.jsep!.sdp).toContain('a=inactive');
    expect(publisher.line.events).toContainEqual({ kind: 'hangup', handle: publisher.handle, reason: 'Close PC' });
    expect((await publisher.line.ask(publisher.handle, { request: 'unpublish' })).data).toMatchObject({
      error_code: 435,
    });
    expect((await publisher.line.ask(publisher.handle, { request: 'publish' }, await anOffer())).data).toMatchObject({
      configured: 'ok',
    });
  });

  test('8: who leaves is told to the others, and the handle is of no use any more', async () => {
    const room = aRoom();
    const watcher = await aMember(9, { room });
    const publisher = await aPublisher(5, { room }, ['audio']);
    expect((await publisher.line.ask(publisher.handle, { request: 'leave' })).data).toEqual({
      videoroom: 'event',
      room: room.therapistId,
      leaving: 'ok',
    });
    await until('told', () => watcher.heard().some((event) => event['leaving'] === 5));
    expect((await publisher.line.ask(publisher.handle, { request: 'join', ptype: 'publisher' })).data).toMatchObject({
      error_code: 425,
    });
    expect((await publisher.line.ask(publisher.handle, { request: 'configure' })).data).toMatchObject({
      error_code: 426,
    });
  });

  test('8: a closed line is like leaving', async () => {
    const room = aRoom();
    const watcher = await aMember(9, { room });
    const publisher = await aPublisher(5, { room }, ['audio']);
    await publisher.line.session.close();
    await until('told', () => watcher.heard().some((event) => event['leaving'] === 5));
    expect((await watcher.ask({ request: 'listparticipants' })).data).toEqual({
      videoroom: 'participants',
      room: room.therapistId,
      participants: [{ id: 9, display: '9', publisher: false }],
    });
  });

  test('9: a muted m-line is silent for all, whatever its owner does, until it is unmuted', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio', 'video']);
    const watcher = await aMember(9, { room });
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    publisher.keepSaying('audio', 'voice');
    publisher.keepSaying('video', 'picture');
    await until('both', () => subscriber.received('0').length > 0 && subscriber.received('1').length > 0);
    expect((await watcher.ask({ request: 'moderate', id: 5, mid: '0', mute: true })).data).toEqual({
      videoroom: 'success',
    });
    const told = { videoroom: 'event', room: room.therapistId, id: 5, mid: '0', moderation: 'muted' };
    await until(
      'told to both',
      () =>
        watcher.heard().some((event) => event['moderation'] === 'muted') &&
        publisher.line.heard(publisher.handle).some((event) => event['moderation'] === 'muted'),
    );
    expect(watcher.heard()).toContainEqual({ ...told, jsep: undefined });
    await publisher.line.ask(publisher.handle, { request: 'configure', audio: true });
    const heardSoFar = subscriber.received('0').length;
    const seenSoFar = subscriber.received('1').length;
    await until('picture goes on', () => subscriber.received('1').length > seenSoFar + 20);
    // What was on its way when it was muted.
    expect(subscriber.received('0').length - heardSoFar).toBeLessThanOrEqual(3);
    expect((await aMember(10, { room })).joined['publishers']).toMatchObject([
      { streams: [{ moderated: true }, { type: 'video' }] },
    ]);
    await watcher.ask({ request: 'moderate', id: 5, mid: '0', mute: false });
    await until('heard again', () => subscriber.received('0').length > heardSoFar + 10);
    expect((await watcher.ask({ request: 'moderate', id: 6, mid: '0', mute: true })).data).toMatchObject({
      error_code: 428,
    });
    expect((await watcher.ask({ request: 'moderate', id: 5, mid: 'x', mute: true })).data).toMatchObject({
      error_code: 428,
    });
    expect((await watcher.ask({ request: 'moderate', id: 5, mid: '0' })).data).toMatchObject({ error_code: 429 });
  });

  test('10: a publisher’s new offer is answered on the same line and told to the others', async () => {
    const room = aRoom();
    const watcher = await aMember(9, { room });
    const publisher = await aPublisher(5, { room }, ['audio']);
    await until('announced', () => watcher.heard().length === 1);
    publisher.pc.addTransceiver('video', { direction: 'sendonly' });
    await publisher.pc.setLocalDescription(await publisher.pc.createOffer());
    const { data, jsep } = await publisher.line.ask(
      publisher.handle,
      { request: 'configure', descriptions: [{ mid: '1', description: 'screen' }] },
      { type: 'offer', sdp: publisher.pc.localDescription!.sdp },
    );
    expect(data).toMatchObject({
      configured: 'ok',
      streams: [{ mid: '0' }, { mid: '1', type: 'video', description: 'screen' }],
    });
    expect(jsep!.sdp.match(/a=ice-ufrag:.*/)![0]).toBe(publisher.answer.jsep!.sdp.match(/a=ice-ufrag:.*/)![0]);
    await until('announced anew', () => watcher.heard().length === 2);
    expect(watcher.heard()[1]).toMatchObject({
      publishers: [{ id: 5, streams: [{ mid: '0' }, { mid: '1', description: 'screen' }] }],
    });
    expect(publisher.line.events.filter(({ kind }) => kind === 'hangup')).toEqual([]);
  });

  test('11: hangup ends the line and keeps the handle; detach ends the handle', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    await subscriber.line.session.hangup(subscriber.handle);
    await until('hung up', () => subscriber.line.events.some((event) => event.kind === 'hangup'));
    expect(
      (await subscriber.line.ask(subscriber.handle, { request: 'join', ptype: 'subscriber', streams: [{ feed: 5 }] }))
        .data,
    ).toMatchObject({ error_code: 425 });
    const again = await subscriber.line.ask(subscriber.handle, { request: 'subscribe', streams: [{ feed: 5 }] });
    expect(again.data).toMatchObject({ videoroom: 'updated', streams: [{ mid: '0', feed_id: 5 }] });
    await publisher.line.session.detach(publisher.handle);
    await until('detached', () => publisher.line.events.some((event) => event.kind === 'detached'));
    expect((await publisher.line.ask(publisher.handle, { request: 'configure' })).data).toMatchObject({
      error_code: 499,
    });
    expect((await subscriber.line.ask(subscriber.handle, { request: 'listparticipants' })).data).toMatchObject({
      participants: [],
    });
  });

  test('12: talking is told to everybody, the speaker too, and its end', async () => {
    const room = aRoom({ talkingPackets: 10 });
    const watcher = await aMember(9, { room });
    const publisher = await aPublisher(5, { room, levels: true }, ['audio']);
    publisher.loudness(20);
    publisher.keepSaying('audio', 'loud');
    await until('talking', () => watcher.heard().some((event) => event['videoroom'] === 'talking'));
    expect(watcher.heard().find((event) => event['videoroom'] === 'talking')).toMatchObject({
      room: room.therapistId,
      id: 5,
      mindex: 0,
      mid: '0',
      'audio-level-dBov-avg': 20,
    });
    await until('heard by the speaker', () =>
      publisher.line.heard(publisher.handle).some((event) => event['videoroom'] === 'talking'),
    );
    expect((await watcher.ask({ request: 'listparticipants' })).data['participants']).toContainEqual({
      id: 5,
      display: '5',
      publisher: true,
      talking: true,
    });
    publisher.loudness(127);
    await until('silence', () => watcher.heard().some((event) => event['videoroom'] === 'stopped-talking'));
  });
});

describe('refusals', () => {
  test('13: every code in its place', async () => {
    const room = aRoom({ publishers: 1 });
    const line = await aLine(5, { room });
    const code = async (body: Record<string, unknown>, jsep?: Parameters<typeof line.ask>[1]) =>
      (await line.ask(body, jsep)).data['error_code'];
    expect((await line.ask({ request: 'configure' })).data).toEqual({
      videoroom: 'event',
      error_code: 424,
      error: 'Invalid request on unconfigured participant',
    });
    expect(await code({})).toBe(429);
    expect(await code({ request: 7 })).toBe(430);
    expect(await code({ request: 'join' })).toBe(429);
    expect(await code({ request: 'join', ptype: 'king' })).toBe(430);
    expect(await code({ request: 'join', ptype: 'publisher', room: 1 })).toBe(426);
    expect(await code({ request: 'join', ptype: 'publisher', room: 'x' })).toBe(430);
    expect(await code({ request: 'join', ptype: 'publisher', id: 'x' })).toBe(430);
    expect(await code({ request: 'join', ptype: 'subscriber' })).toBe(429);
    expect(await code({ request: 'join', ptype: 'subscriber', streams: [{ feed: 5 }] })).toBe(428);
    expect(await code({ request: 'join', ptype: 'subscriber', streams: ['x'] })).toBe(430);
    expect(await code({ request: 'join', ptype: 'subscriber', streams: [{ mid: '0' }] })).toBe(429);
    expect(await code({ request: 'create' })).toBe(427);
    expect((await line.ask({ request: 'exists' })).data).toEqual({
      videoroom: 'success',
      room: room.therapistId,
      exists: true,
    });
    expect((await line.ask({ request: 'join', ptype: 'publisher', id: 5 })).data).toMatchObject({
      videoroom: 'joined',
    });
    expect(await code({ request: 'join', ptype: 'publisher', id: 6 })).toBe(425);
    expect(await code({ request: 'destroy' })).toBe(423);
    expect(await code({ request: 'rtp_forward' })).toBe(423);
    expect(await code({ request: 'publish' }, { type: 'answer', sdp: 'v=0' })).toBe(431);
    expect(await code({ request: 'publish' }, { type: 'offer', sdp: 'hello' })).toBe(437);

    const other = await aLine(5, { room });
    expect((await other.ask({ request: 'join', ptype: 'publisher' })).data).toMatchObject({
      error_code: 436,
      error: 'User ID 5 already exists',
    });
    const publisher = await aPublisher(7, { room }, ['audio']);
    expect((await line.ask({ request: 'publish' }, await anOffer())).data).toMatchObject({
      error_code: 432,
      error: 'Maximum number of publishers (1) already reached',
    });
    expect((await publisher.line.ask(publisher.handle, { request: 'publish' }, await anOffer())).data).toMatchObject({
      error_code: 434,
    });
    expect(
      (await other.ask({ request: 'join', ptype: 'subscriber', streams: [{ feed: 7, mid: '9' }] })).data,
    ).toMatchObject({ error_code: 428 });
    expect(
      (await other.ask({ request: 'join', ptype: 'subscriber', streams: [{ feed: 7, substream: 3 }] })).data,
    ).toMatchObject({ error_code: 430 });

    const subscriber = await aSubscriber(9, [{ feed: 7 }], { room });
    const refused = async (body: Record<string, unknown>, jsep?: Parameters<typeof line.ask>[1]) =>
      (await subscriber.line.ask(subscriber.handle, body, jsep)).data['error_code'];
    expect(await refused({ request: 'join', ptype: 'subscriber', streams: [{ feed: 7 }] })).toBe(425);
    expect(await refused({ request: 'subscribe', streams: [] })).toBe(430);
    expect(await refused({ request: 'update' })).toBe(429);
    expect(await refused({ request: 'subscribe', streams: [{ feed: 8 }] })).toBe(428);
    expect(await refused({ request: 'switch' })).toBe(429);
    expect(await refused({ request: 'switch', streams: [{ feed: 7, mid: '0' }] })).toBe(429);
    expect(await refused({ request: 'configure', mid: '0', temporal: 3 })).toBe(430);
    expect(await refused({ request: 'unpublish' })).toBe(423);
    expect(await refused({ request: 'start' }, { type: 'offer', sdp: 'v=0' })).toBe(431);
  });

  test('13: a refused offer changes nothing', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    const { data } = await publisher.line.ask(
      publisher.handle,
      { request: 'configure', audio: false },
      { type: 'offer', sdp: 'hello' },
    );
    expect(data).toMatchObject({ error_code: 437 });
    publisher.keepSaying('audio', 'still here');
    await until('carried', () => subscriber.received('0').includes('still here'));
  });

  test('14: a description of a megabyte or of a thousand m-lines is refused, and the others hear nothing of it', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
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
      expect((await attacker.ask({ request: 'publish' }, { type: 'offer', sdp })).data).toMatchObject({
        error_code: 437,
      });
    const sofar = subscriber.received('0').length;
    await until('still carried', () => subscriber.received('0').length > sofar + 5);
    expect((await attacker.ask({ request: 'publish' }, await anOffer())).data).toMatchObject({ configured: 'ok' });
  });

  test('15: an ended room tells everybody and takes no more requests; the next who comes opens it anew', async () => {
    const room = aRoom();
    const publisher = await aPublisher(5, { room }, ['audio']);
    const subscriber = await aSubscriber(9, [{ feed: 5 }], { room });
    await engine.closeRoom(room.therapistId);
    await until('hung up', () =>
      [publisher, subscriber].every(({ line }) => line.events.some(({ kind }) => kind === 'hangup')),
    );
    expect(publisher.line.heard(publisher.handle)).toMatchObject([{ videoroom: 'destroyed', room: room.therapistId }]);
    expect((await publisher.line.ask(publisher.handle, { request: 'configure' })).data).toMatchObject({
      error_code: 426,
    });
    expect((await publisher.line.ask(publisher.handle, { request: 'exists' })).data).toMatchObject({ error_code: 426 });
    await engine.closeRoom(room.therapistId);
    const anew = await aMember(5, { room });
    expect(anew.joined).toMatchObject({ videoroom: 'joined', publishers: [] });
    // The old line's end is not the new room's.
    await publisher.line.session.close();
    expect((await anew.ask({ request: 'listparticipants' })).data).toMatchObject({ participants: [{ id: 5 }] });
  });
});
