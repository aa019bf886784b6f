/** Joining, leaving and coming back, with a connection and devices that the test controls. */
import { DEFAULT_VIDEO_SETTINGS } from '@fieldroom/contract/video';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RemotePublisher } from './connection/janus/publisherList.ts';
import type { MediaConnection, MediaConnectionParts } from './connection/mediaConnection.ts';
import type { MediaHost, MediaFault, OwnMedia } from './mediaTypes.ts';
import type { LocalTracks } from './connection/janus/publisher.ts';

interface FakeConnection {
  parts: MediaConnectionParts;
  published: { tracks: LocalTracks; sending: { audio: boolean; video: boolean } }[];
  sent: { audio: boolean; video: boolean }[];
  replaced: (MediaStreamTrack | null)[];
  closed: boolean[];
  publishers: RemotePublisher[];
  /** Lets `close` finish. */
  gone: () => void;
}
const connections: FakeConnection[] = [];
/** What the next connections do instead of opening. */
const refusals: unknown[] = [];
/** Lets the publishing of the next connections finish; null: it finishes at once. */
let publishing: (() => void)[] | null = null;
/** Whether leaving waits for `gone`. */
let slowLeave = false;

vi.mock('./connection/mediaConnection.ts', () => ({
  openConnection(parts: MediaConnectionParts): Promise<MediaConnection> {
    if (refusals.length > 0) return Promise.reject(refusals.shift() as Error);
    let gone: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      gone = resolve;
    });
    const fake: FakeConnection = { parts, published: [], sent: [], replaced: [], closed: [], publishers: [], gone };
    connections.push(fake);
    const publisher = {
      published: () => fake.published.length > 0,
      replace: (_kind: string, track: MediaStreamTrack | null) => Promise.resolve(void fake.replaced.push(track)),
      sending: (state: { audio: boolean; video: boolean }) => Promise.resolve(void fake.sent.push(state)),
      unpublish: () => Promise.resolve(),
      pc: () => null,
    };
    const subscriber = {
      arriving: () => [],
      want: () => undefined,
      setLayers: () => undefined,
      track: () => null,
      pc: () => null,
    };
    return Promise.resolve({
      publishers: () => fake.publishers,
      publisher,
      subscriber,
      async publish(tracks: LocalTracks, sending: { audio: boolean; video: boolean }) {
        await (publishing && new Promise<void>((resolve) => publishing!.push(resolve)));
        fake.published.push({ tracks, sending });
      },
      probe: () => undefined,
      close(politely: boolean) {
        fake.closed.push(politely);
        return politely && slowLeave ? left : Promise.resolve();
      },
    } as unknown as MediaConnection);
  },
}));

const devices = {
  opened: [] as string[],
  stopped: [] as string[],
  sizes: [] as string[],
  waiting: [] as (() => void)[],
  ask: false,
  fault: null as MediaFault | null,
  /** Ids of devices that another program uses. */
  busy: [] as string[],
  /** What happens to an open camera when another one is busy. */
  outcome: 'goes on' as 'goes on' | 'is opened again' | 'is gone',
  closedAll: 0,
};
vi.mock('./own/ownDevices.ts', () => {
  const OWN_OFF: OwnMedia = { videoStream: null, audio: false, video: false, level: 0, talking: false, lost: null };
  return {
    OWN_OFF,
    createOwnDevices(changed: (own: OwnMedia) => void) {
      const open: LocalTracks = { audio: null, video: null };
      let muted = false;
      const show = () => changed({ ...OWN_OFF, audio: open.audio !== null && !muted, video: open.video !== null });
      return {
        tracks: () => ({ ...open }),
        async open(kind: 'microphone' | 'camera', id: string | undefined, size: string, wanted: () => boolean) {
          devices.opened.push(kind);
          if (kind === 'camera') devices.sizes.push(size);
          if (devices.ask) await new Promise<void>((resolve) => devices.waiting.push(resolve));
          if (!wanted()) {
            devices.stopped.push(kind);
            return null;
          }
          if (devices.fault) return devices.fault;
          if (id !== undefined && devices.busy.includes(id)) {
            if (devices.outcome === 'goes on') return 'device_busy';
            open.video = devices.outcome === 'is gone' ? null : ({ kind, again: true } as unknown as MediaStreamTrack);
            show();
            return 'device_busy';
          }
          const track = { kind } as unknown as MediaStreamTrack;
          if (kind === 'camera') open.video = track;
          else open.audio = track;
          show();
          return null;
        },
        close(kind: 'microphone' | 'camera') {
          open[kind === 'camera' ? 'video' : 'audio'] = null;
          show();
        },
        mute(now: boolean) {
          muted = now;
          show();
        },
        resize: (size: string) => Promise.resolve(void devices.sizes.push(size)),
        closeAll() {
          devices.closedAll += 1;
          open.audio = null;
          open.video = null;
          show();
        },
      };
    },
  };
});

const { createMediaRoom } = await import('./room.ts');
const PLAIN = DEFAULT_VIDEO_SETTINGS;
const both = { audio: true, video: true };
let tickets: number;
const aRoom = () => {
  const host: MediaHost = {
    me: { id: 8, as: 'client' },
    therapistId: 1,
    ticket: () =>
      Promise.resolve({ ticket: `t${++tickets}`, room: 1, iceServers: [], bitrate: 100_000, settings: PLAIN }),
    sendNetworkQuality: () => true,
    onRoomOpen: () => () => undefined,
    sendKey: () => undefined,
    onKey: () => () => undefined,
  };
  return createMediaRoom(host);
};
/** Runs all that is due now, and what follows from it. */
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('RTCPeerConnection', class {});
  Object.assign(devices, { opened: [], stopped: [], sizes: [], waiting: [], ask: false, fault: null, closedAll: 0 });
  Object.assign(devices, { busy: [], outcome: 'goes on' });
  connections.length = 0;
  refusals.length = 0;
  publishing = null;
  slowLeave = false;
  tickets = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('nothing opens before the act; then the microphone, the camera, and one connection with both', async () => {
  const room = aRoom();
  await settle();
  expect([devices.opened, connections, tickets]).toEqual([[], [], 0]);
  const phases: string[] = [];
  room.subscribe(() => {
    if (phases.at(-1) !== room.get().phase) phases.push(room.get().phase);
  });
  const started = room.start(both);
  await vi.runOnlyPendingTimersAsync();
  await started;
  expect(phases).toEqual(['connecting', 'on']);
  expect(devices.opened).toEqual(['microphone', 'camera']);
  expect(connections).toHaveLength(1);
  expect(connections[0]!.parts.ticket.ticket).toBe('t1');
  expect(connections[0]!.parts.address).toMatch(/^ws:\/\/[^/]+\/video\?room=1$/);
  expect(connections[0]!.published).toEqual([
    { tracks: { audio: { kind: 'microphone' }, video: { kind: 'camera' } }, sending: both },
  ]);
});

test('someone who only watches opens no device and sends nothing', async () => {
  const room = aRoom();
  void room.start({ audio: false, video: false });
  await settle();
  expect(room.get().phase).toBe('on');
  expect([devices.opened, connections[0]!.published]).toEqual([[], []]);
});

test('someone who leaves while the browser still asks for the camera sends nothing, and a device opened after that is closed', async () => {
  devices.ask = true;
  const room = aRoom();
  void room.start({ audio: false, video: true });
  await settle();
  void room.stop();
  await settle();
  expect(room.get().phase).toBe('off');
  devices.waiting.forEach((allow) => allow());
  await settle();
  expect(devices.stopped).toEqual(['camera']);
  expect(room.get().own.video).toBe(false);
  expect(connections.flatMap(({ published }) => published)).toEqual([]);
  expect(connections.every(({ closed }) => closed.length > 0)).toBe(true);
});

test("a connection that is lost during the browser's prompt for the camera is not used when the person allows it", async () => {
  devices.ask = true;
  const room = aRoom();
  void room.start({ audio: false, video: true });
  await settle();
  connections[0]!.parts.events.lost();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(connections).toHaveLength(2);
  devices.waiting.forEach((answer) => answer());
  await settle();
  expect(connections.map(({ published }) => published.length)).toEqual([0, 1]);
  expect(room.get().phase).toBe('on');
});

/** In the room with audio, with the browser's prompt for the camera open. */
async function askedForCamera() {
  const room = aRoom();
  void room.start({ audio: true, video: false });
  await settle();
  devices.ask = true;
  void room.setVideo(true);
  await settle();
  return room;
}
const allow = async () => {
  devices.ask = false;
  for (const answer of devices.waiting.splice(0)) answer();
  await settle();
};

test('a camera that is allowed after leaving is closed, and not sent when the person comes back with audio', async () => {
  const room = await askedForCamera();
  void room.stop();
  await settle();
  await allow();
  expect(devices.stopped).toEqual(['camera']);
  expect(room.get().own.video).toBe(false);
  void room.start({ audio: true, video: false });
  await settle();
  expect(connections[1]!.published).toEqual([
    { tracks: { audio: { kind: 'microphone' }, video: null }, sending: { audio: true, video: false } },
  ]);
});

test('a camera allowed only after leaving and rejoining is not sent: requests from before leaving are void', async () => {
  const room = await askedForCamera();
  void room.setDevice('camera', 'another');
  void room.stop();
  await settle();
  void room.start({ audio: true, video: false });
  await settle();
  await allow();
  expect(room.get().phase).toBe('on');
  expect(devices.opened).toEqual(['microphone', 'camera', 'microphone']);
  expect(connections.flatMap(({ published }) => published.map(({ tracks }) => tracks.video))).toEqual([null, null]);
});

test('a camera that was switched off during the prompt is closed', async () => {
  const room = await askedForCamera();
  void room.setVideo(false);
  await allow();
  expect(devices.stopped).toEqual(['camera']);
  expect([room.get().own.video, connections[0]!.sent.some(({ video }) => video)]).toEqual([false, false]);
});

test('a microphone that is allowed after the therapist has muted is not heard', async () => {
  const room = aRoom();
  void room.start({ audio: false, video: true });
  await settle();
  devices.ask = true;
  void room.setAudio(true);
  await settle();
  room.muted();
  await allow();
  expect(devices.stopped).toEqual(['microphone']);
  expect([room.get().own.audio, connections[0]!.sent.some(({ audio }) => audio)]).toEqual([false, false]);
});

test('someone who changes a muted microphone gets no prompt, and is heard through the new one when unmuted', async () => {
  const room = aRoom();
  void room.start(both);
  await settle();
  void room.setAudio(false);
  void room.setDevice('microphone', 'headset');
  await settle();
  expect(devices.opened).toEqual(['microphone', 'camera']);
  void room.setAudio(true);
  await settle();
  expect(devices.opened).toEqual(['microphone', 'camera', 'microphone']);
  expect(room.get().choice).toMatchObject({ audio: true, microphone: 'headset' });
});

test('a join during leaving waits until leaving ends and is not lost', async () => {
  slowLeave = true;
  const room = aRoom();
  void room.start({ audio: true, video: false });
  await settle();
  void room.stop();
  await settle();
  expect(room.get().phase).toBe('disconnecting');
  void room.start({ audio: true, video: false });
  await settle();
  expect(connections).toHaveLength(1);
  connections[0]!.gone();
  await settle();
  expect(connections).toHaveLength(2);
  expect(room.get().phase).toBe('on');
});

test('a join during leaving that is cancelled before its end joins nothing', async () => {
  slowLeave = true;
  const room = aRoom();
  void room.start(both);
  await settle();
  void room.stop();
  await settle();
  void room.start(both);
  void room.stop();
  await settle();
  connections[0]!.gone();
  await settle();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([room.get().phase, connections.length]).toEqual(['off', 1]);
});

test('a lost connection is opened again with the same devices, and switches pressed during that time count', async () => {
  const room = aRoom();
  void room.start(both);
  await settle();
  refusals.push(new Error('no server yet'), new Error('no server yet'));
  connections[0]!.parts.events.lost();
  await settle();
  expect(room.get().phase).toBe('reconnecting');
  expect(connections[0]!.closed).toEqual([false]);
  void room.setAudio(false);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(room.get().phase).toBe('on');
  expect(devices.opened).toEqual(['microphone', 'camera']);
  expect(connections).toHaveLength(2);
  expect(connections[1]!.published.at(-1)?.sending).toEqual({ audio: false, video: true });
});

test('a switch pressed while the connection opens reaches it', async () => {
  publishing = [];
  const room = aRoom();
  void room.start(both);
  await settle();
  expect(publishing).toHaveLength(1);
  void room.setVideo(false);
  await settle();
  publishing.forEach((done) => done());
  await settle();
  expect(room.get().phase).toBe('on');
  expect(connections[0]!.sent.at(-1)).toEqual({ audio: true, video: false });
});

test('a ticket is used for one connection only: each try requests its own', async () => {
  const room = aRoom();
  refusals.push(new Error('no server yet'));
  void room.start(both);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(connections[0]!.parts.ticket.ticket).toBe('t2');
});

test('somebody who joins elsewhere is out here, and does not rejoin automatically', async () => {
  const room = aRoom();
  void room.start(both);
  await settle();
  connections[0]!.parts.events.replaced();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([room.get().phase, room.get().fault, connections.length]).toEqual(['off', null, 1]);
  expect(devices.closedAll).toBe(1);
});

test('a full room is reported, and the devices are closed', async () => {
  const room = aRoom();
  refusals.push({ code: 432 });
  void room.start(both);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(room.get()).toMatchObject({ phase: 'off', fault: 'room_full' });
  expect(devices.closedAll).toBe(1);
});

test('a muted person stays muted after reconnecting, until they unmute', async () => {
  const room = aRoom();
  void room.start(both);
  await settle();
  room.muted();
  await settle();
  expect(connections[0]!.sent.at(-1)).toEqual({ audio: false, video: true });
  expect(room.get().choice).toEqual({ audio: false, video: true });
  connections[0]!.parts.events.lost();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(connections[1]!.published.at(-1)?.sending).toEqual({ audio: false, video: true });
  void room.setAudio(true);
  await settle();
  expect(connections[1]!.sent.at(-1)).toEqual({ audio: true, video: true });
  expect(devices.opened).toEqual(['microphone', 'camera']);
});

test('a refused camera is reported, and audio takes part', async () => {
  devices.fault = 'camera_refused';
  const room = aRoom();
  void room.start({ audio: false, video: true });
  await settle();
  expect(room.get()).toMatchObject({ phase: 'on', fault: 'camera_refused' });
  devices.fault = null;
  void room.setAudio(true);
  await settle();
  expect(connections[0]!.published.at(-1)).toMatchObject({ sending: { audio: true, video: false } });
  expect(room.get().fault).toBeNull();
});

test.each([
  ['goes on', true, []],
  ['is opened again', true, [{ kind: 'camera', again: true }]],
  ['is gone', false, [null]],
] as const)('a busy camera is reported; the previous one %s, and is chosen again', async (outcome, video, replaced) => {
  const room = aRoom();
  void room.start({ ...both, camera: 'front' });
  await settle();
  Object.assign(devices, { busy: ['back'], outcome });
  connections[0]!.replaced = [];
  void room.setDevice('camera', 'back');
  await settle();
  expect(room.get()).toMatchObject({ fault: 'device_busy', choice: { ...both, camera: 'front' }, own: { video } });
  expect(connections[0]!.replaced).toEqual(replaced);
  expect(connections[0]!.sent.at(-1)?.video ?? true).toBe(video);
});

test('a busy microphone is reported, and the previous one, the browser’s own choice, is chosen again', async () => {
  const room = aRoom();
  void room.start(both);
  await settle();
  devices.busy = ['headset'];
  void room.setDevice('microphone', 'headset');
  await settle();
  expect(room.get()).toMatchObject({ fault: 'device_busy', own: { audio: true } });
  expect(room.get().choice).toEqual(both);
});

test('a choice made while another camera was found busy is kept', async () => {
  const room = aRoom();
  void room.start({ ...both, camera: 'front' });
  await settle();
  Object.assign(devices, { busy: ['back'], ask: true });
  void room.setDevice('camera', 'back');
  await settle();
  void room.setDevice('camera', 'third');
  await allow();
  expect(room.get().choice.camera).toBe('third');
});

test('of two busy cameras chosen quickly, neither stays chosen', async () => {
  const room = aRoom();
  void room.start({ ...both, camera: 'front' });
  await settle();
  devices.busy = ['back', 'third'];
  void room.setDevice('camera', 'back');
  void room.setDevice('camera', 'third');
  await settle();
  expect(room.get().choice.camera).toBe('front');
});

test('a camera that is busy when it is switched on stays chosen', async () => {
  const room = aRoom();
  void room.start({ audio: true, video: false, camera: 'front' });
  await settle();
  devices.busy = ['front'];
  void room.setVideo(true);
  await settle();
  expect(room.get()).toMatchObject({ fault: 'device_busy', choice: { camera: 'front', video: true } });
  expect(connections[0]!.sent.some(({ video }) => video)).toBe(false);
});

test('the person’s own video becomes gallery-sized when many people are there, and large again when few are', async () => {
  const room = aRoom();
  void room.start(both);
  await settle();
  const come = async (count: number) => {
    connections[0]!.publishers = Array.from({ length: count }, (_, index) => ({
      id: 100 + index,
      as: 'client' as const,
      talking: false,
      streams: [],
    }));
    connections[0]!.parts.events.publishers();
    await settle();
  };
  for (const count of [7, 8, 24, 5]) await come(count);
  expect(devices.sizes).toEqual(['modest', 'gallery', 'modest']);
});

test('what the server holds back is known until it says otherwise or the connection ends', async () => {
  const room = aRoom();
  void room.start(both);
  await settle();
  connections[0]!.parts.events.limited(['video']);
  expect(room.get().limited).toEqual(['video']);
  connections[0]!.parts.events.limited([]);
  expect(room.get().limited).toEqual([]);
  connections[0]!.parts.events.limited(['audio', 'video']);
  connections[0]!.parts.events.lost();
  await settle();
  expect(room.get()).toMatchObject({ phase: 'on', limited: [] });
});
