/** Packets through the whole engine: layers by name, SSRCs learned, caps. Rules 36 and 39 of the README. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MediaStreamTrack, RTCRtpCodecParameters, RtpHeader } from 'werift';
import { createTestPeer } from '../werift.fixture.ts';
import { aRoom, jsepOf, openConnection, subscribe, until, vp8 } from './engine.fixture.ts';
import { createEmbeddedEngine } from './index.ts';

// Handshakes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let engine: ReturnType<typeof createEmbeddedEngine>;
beforeAll(() => {
  engine = createEmbeddedEngine({ workers: 1, loopback: true });
});
afterAll(() => engine.stop());

const RID = 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id';
const MID = 'urn:ietf:params:rtp-hdrext:sdes:mid';

/** A publisher whose packets the test writes: three layers of one picture. */
async function simulcast(room: ReturnType<typeof aRoom>, rids: readonly string[], bitrate: number) {
  const connection = await openConnection(engine, 5, { room });
  const handle = await connection.session.attach();
  await connection.ask(handle, { kind: 'joinPublisher', id: 5, display: '5' });
  const feedback = [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, { type: 'goog-remb' }];
  const pc = createTestPeer({
    codecs: {
      audio: [],
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/VP8',
          clockRate: 90_000,
          payloadType: 96,
          rtcpFeedback: feedback,
        }),
      ],
    },
  });
  pc.addTransceiver(new MediaStreamTrack({ kind: 'video' }), { direction: 'sendonly' });
  await pc.setLocalDescription(await pc.createOffer());
  const mid = /a=mid:(\S+)/.exec(pc.localDescription!.sdp)![1]!;
  const bare = pc.localDescription!.sdp.replace(/a=(ssrc|extmap).*\r\n/g, '');
  const sdp = `${bare}a=extmap:4 ${MID}\r\na=extmap:10 ${RID}\r\n${rids.map((rid) => `a=rid:${rid} send\r\n`).join('')}a=simulcast:send ${rids.join(';')}\r\n`;
  const reply = await connection.ask(handle, { kind: 'publish', bitrate }, { type: 'offer', sdp });
  const caps: number[] = [];
  const asked = new Set<number>();
  const answered: number[] = [];
  await pc.setRemoteDescription({
    type: 'answer',
    sdp: jsepOf(reply).sdp.replace(/a=(rid|simulcast|extmap).*\r\n/g, ''),
  });
  await until('up', () => connection.events.some(({ kind }) => kind === 'webrtcup'));
  const transport = pc.dtlsTransports[0]!;
  transport.onRtcp.subscribe((packet) => {
    const { feedback: told, type } = packet as unknown as {
      type: number;
      feedback?: { bitrate?: bigint; mediaSsrc?: number; count?: number };
    };
    if (told?.bitrate !== undefined) caps.push(Number(told.bitrate));
    else if (type === 206 && told?.mediaSsrc) asked.add(told.mediaSsrc);
  });
  const sequence = new Map<string, number>();
  return {
    connection,
    handle,
    reply,
    caps,
    answered,
    /**
     * One whole frame of a layer, a key frame at first and when asked; named as browsers do in their first packets, or
     * not.
     */
    send(rid: string, { named = true, payloadType = 96, ssrc = 1000 + rids.indexOf(rid), text = `layer-${rid}` } = {}) {
      const at = (sequence.get(rid) ?? 100) + 1;
      sequence.set(rid, at);
      const extensions = named
        ? [
            { id: 4, payload: Buffer.from(mid) },
            { id: 10, payload: Buffer.from(rid) },
          ]
        : [];
      const header = new RtpHeader({
        sequenceNumber: at,
        timestamp: at * 3000,
        payloadType,
        marker: true,
        ssrc,
        extension: named,
        extensionProfile: 0xbede,
        extensions,
      });
      const key = at === 101 || asked.has(ssrc);
      if (asked.delete(ssrc)) answered.push(ssrc);
      void transport.sendRtp(vp8(text, key), header);
    },
    async close() {
      await connection.session.close();
      await pc.close();
    },
  };
}

test.each([
  ['hml', ['h', 'm', 'l']],
  ['lmh', ['l', 'm', 'h']],
])('36, 39: layers in the order %s are distinguished by name, and by SSRC once learned', async (_name, rids) => {
  const room = aRoom();
  const publisher = await simulcast(room, rids, 600_000);
  expect(publisher.reply).toMatchObject({ publication: { streams: [{ type: 'video', simulcast: true }] } });
  const subscriber = await subscribe(engine, 9, [{ publisherId: 5, substream: 0 }], { room });
  expect(subscriber.attached.streams).toMatchObject([{ simulcast: { substreamTarget: 0, temporalTarget: 2 } }]);
  let named = true;
  const timer = setInterval(() => {
    for (const rid of rids) publisher.send(rid, { named });
  }, 20);
  const shown = () => subscriber.received('0').at(-1);
  await until('the lowest', () => shown() === 'layer-l');
  named = false;
  const sofar = subscriber.received('0').length;
  await until('still the lowest, unnamed', () => subscriber.received('0').length > sofar + 5);
  expect(shown()).toBe('layer-l');
  for (const [substream, rid] of [
    [2, 'h'],
    [1, 'm'],
    [0, 'l'],
  ] as const) {
    await subscriber.connection.ask(subscriber.handle, {
      kind: 'configureSubscriber',
      streams: [{ mid: '0', substream }],
    });
    await until(`layer ${substream}`, () => shown() === `layer-${rid}`);
    await until('told', () =>
      subscriber.connection
        .heard(subscriber.handle)
        .some((event) => event.kind === 'layers' && event.substream === substream),
    );
  }
  // Requested again although it is there: the browser is told at once.
  const before = subscriber.connection.heard(subscriber.handle).length;
  await subscriber.connection.ask(subscriber.handle, {
    kind: 'configureSubscriber',
    streams: [{ mid: '0', substream: 0 }],
  });
  const again = await until('told again', () => subscriber.connection.heard(subscriber.handle)[before]);
  expect(again).toMatchObject({ kind: 'layers', mid: '0', substream: 0 });

  // The receiver saw one stream.
  const headers = subscriber.packets('0').map(({ header }) => header);
  expect(new Set(headers.map(({ ssrc }) => ssrc)).size).toBe(1);
  expect(headers.every(({ extensions }) => extensions.length === 0)).toBe(true);
  // The cap is sent repeatedly, key frames are requested by SSRC.
  await until('caps', () => publisher.caps.length >= 2);
  expect(new Set(publisher.caps)).toEqual(new Set([600_000]));
  expect(publisher.answered).toContain(1000 + rids.indexOf('h'));
  await publisher.connection.ask(publisher.handle, { kind: 'configurePublisher', bitrate: 150_000 });
  await until('the new cap', () => publisher.caps.at(-1) === 150_000);
  clearInterval(timer);
  await Promise.all([publisher.close(), subscriber.close()]);
});

test('39: packets that were not negotiated or name nothing known are dropped without harm', async () => {
  const room = aRoom();
  const publisher = await simulcast(room, ['h', 'm', 'l'], 0);
  const subscriber = await subscribe(engine, 9, [{ publisherId: 5, substream: 0 }], { room });
  publisher.send('l', { payloadType: 97 });
  publisher.send('h', { named: false, ssrc: 9999 });
  publisher.send('x');
  for (let ssrc = 5000; ssrc < 5100; ssrc++) publisher.send('m', { ssrc });
  const timer = setInterval(() => publisher.send('l'), 20);
  await until('the lowest', () => subscriber.received('0').includes('layer-l'));
  // Also of a stream that is already known.
  publisher.send('l', { payloadType: 97, text: 'redundant' });
  const sofar = subscriber.received('0').length;
  await until('more of the lowest', () => subscriber.received('0').length > sofar + 5);
  expect(subscriber.received('0')).not.toContain('redundant');
  expect(subscriber.received('0')).not.toContain('layer-h');
  expect(subscriber.received('0')).not.toContain('layer-x');
  clearInterval(timer);
  await Promise.all([publisher.close(), subscriber.close()]);
});

test('43: a publisher far above the cap is not forwarded, and is told so, and again when it is over', async () => {
  const room = aRoom();
  const publisher = await simulcast(room, ['l'], 75_000);
  const limited = () =>
    publisher.connection.heard(publisher.handle).flatMap((event) => (event.kind === 'limited' ? [event] : []));
  const flood = setInterval(() => {
    for (let packet = 0; packet < 20; packet++) publisher.send('l', { text: 'x'.repeat(1000) });
  }, 20);
  await until('held back', () => limited().length > 0);
  expect(limited()[0]).toMatchObject({
    media: ['video'],
    bitrate: 75_000,
  });
  clearInterval(flood);
  await until('passed on again', () => limited().length > 1);
  expect(limited()[1]).toMatchObject({ media: [] });
  await publisher.close();
});
