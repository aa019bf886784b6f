/** What Janus is told beside the requests: restrictions that it has no words for. Without Janus. */
import { expect, test } from 'vitest';
import type { SubscribedStream } from '../video.types.ts';
import { createJanusHandle } from './janus.handle.ts';
import type { PluginBody } from './janus.videoroom.ts';

const OFFER = { type: 'offer' as const, sdp: 'v=0\r\nm=audio 9 x\r\nm=video 9 x\r\n' };

/** A handle on a Janus that answers with these streams, and everything it is told. */
function aHandle(answer: () => PluginBody) {
  const told: PluginBody[] = [];
  const hungUp: unknown[] = [];
  let refuses = false;
  const handle = createJanusHandle({
    async ask(body) {
      told.push(body);
      return { data: answer() };
    },
    async askAsOwner(body) {
      told.push(body);
      return refuses ? { error_code: 428, error: 'No such feed' } : {};
    },
    hangup: async (error) => void hungUp.push(error),
  });
  return { handle, hungUp, refuse: () => void (refuses = true), told: () => told.splice(0) };
}
const published = (...mids: string[]) => ({
  videoroom: 'event',
  streams: mids.map((mid, mindex) => ({ type: mindex === 1 ? 'video' : 'audio', mindex, mid })),
});

async function aPublisher(...mids: string[]) {
  let data: PluginBody = { videoroom: 'joined', id: 5, publishers: [] };
  const janus = aHandle(() => data);
  await janus.handle.request({ kind: 'joinPublisher', id: 5, display: '5' }, undefined);
  data = published(...mids);
  await janus.handle.request({ kind: 'publish', bitrate: 9, silent: { audio: false, mids: [] } }, OFFER);
  janus.told();
  return { ...janus, publishes: (...next: string[]) => void (data = published(...next)) };
}
const mute = (mid: string, on: boolean) => ({ request: 'moderate', id: 5, mid, mute: on });

test('5: a mute reaches all existing streams, once, and every stream of a later description', async () => {
  const { handle, told, publishes } = await aPublisher('0', '1');
  const silent = { audio: true, mids: [] };
  await handle.request({ kind: 'configurePublisher', bitrate: 9, silent }, undefined);
  expect(told()).toEqual([mute('0', true)]);
  await handle.request({ kind: 'configurePublisher', bitrate: 8, silent }, undefined);
  expect(told()).toEqual([{ request: 'configure', bitrate: 8 }]);
  // Janus keeps the mute with the m-line, whatever its name is now.
  publishes('9', '1', '0');
  await handle.request(
    { kind: 'configurePublisher', bitrate: 8, silent },
    { ...OFFER, sdp: `${OFFER.sdp}m=audio 9 x` },
  );
  expect(told().slice(1)).toEqual([mute('9', true), mute('1', false), mute('0', true)]);
});

test('5: the connection is hung up when Janus does not mute', async () => {
  const { handle, hungUp, refuse } = await aPublisher('0');
  refuse();
  await handle.request({ kind: 'configurePublisher', silent: { audio: true, mids: [] } }, undefined);
  expect(hungUp).toHaveLength(1);
});

test('6: an m-line that was audio does not become video', async () => {
  const { handle, told } = await aPublisher('0', '1');
  const swapped = { type: 'offer' as const, sdp: 'v=0\r\nm=video 9 x\r\nm=video 9 x\r\n' };
  expect(await handle.request({ kind: 'configurePublisher' }, swapped)).toMatchObject({ kind: 'refused', code: 437 });
  expect(told()).toEqual([]);
});

test('6: hidden streams are stopped, unwanted ones stay stopped, and each returns independently', async () => {
  const streams = [
    { type: 'video', mindex: 0, mid: '0', feed_id: 7, feed_mid: '1', active: true, send: true },
    { type: 'video', mindex: 1, mid: '1', feed_id: 8, feed_mid: '1', active: true, send: true },
  ];
  const { handle, told } = aHandle(() => ({ videoroom: 'attached', streams }));
  await handle.request({ kind: 'joinSubscriber', streams: [{ publisherId: 7 }], videoFrom: [7] }, undefined);
  const sends = (...changes: { mid: string; send: boolean }[]) => [{ request: 'configure', streams: changes }];
  expect(told().slice(1)).toEqual(sends({ mid: '1', send: false }));
  await handle.request({ kind: 'configureSubscriber', streams: [{ mid: '1', send: true }] }, undefined);
  expect(told()).toEqual([]);
  await handle.request({ kind: 'configureSubscriber', streams: [{ media: 'video', send: false }] }, undefined);
  expect(told()).toEqual(sends({ mid: '0', send: false }));
  await handle.request({ kind: 'configureSubscriber', streams: [], videoFrom: 'everybody' }, undefined);
  expect(told()).toEqual([]);
  await handle.request({ kind: 'configureSubscriber', streams: [{ mid: '1', send: true, substream: 0 }] }, undefined);
  expect(told()).toEqual([
    { request: 'configure', streams: [{ mid: '1', substream: 0 }] },
    ...sends({ mid: '1', send: true }),
  ]);
});

test('6: a hidden stream that Janus offers on its own is stopped', async () => {
  const { handle, told } = aHandle(() => ({ videoroom: 'attached', streams: [] }));
  await handle.request({ kind: 'joinSubscriber', streams: [{ publisherId: 7 }], videoFrom: [7] }, undefined);
  told();
  const stream: SubscribedStream = { type: 'video', mindex: 0, mid: '0', active: true, publisherId: 8, send: true };
  handle.heard({ kind: 'updated', handle: 1, streams: [stream] });
  await expect.poll(told).toEqual([{ request: 'configure', streams: [{ mid: '0', send: false }] }]);
});
