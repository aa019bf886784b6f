/**
 * The person's own devices: a device that is no longer wanted when the browser opens it is closed at once, and the
 * camera can be changed even if the browser opens only one at a time.
 */
import { afterEach, expect, test, vi } from 'vitest';
import type { OwnMedia } from '../mediaTypes.ts';
import { createOwnDevices } from './ownDevices.ts';

afterEach(() => vi.unstubAllGlobals());

class Track extends EventTarget {
  enabled = true;
  stopped = false;
  readonly deviceId: string;
  constructor(deviceId = '') {
    super();
    this.deviceId = deviceId;
  }
  getSettings() {
    return { deviceId: this.deviceId };
  }
  stop() {
    this.stopped = true;
  }
}

test.each(['microphone', 'camera'] as const)(
  'a %s that is no longer wanted is stopped, and never shown',
  async (kind) => {
    const track = new Track();
    let allow: () => void = () => undefined;
    const allowed = new Promise<void>((resolve) => (allow = resolve));
    vi.stubGlobal('navigator', {
      mediaDevices: { getUserMedia: () => allowed.then(() => ({ getTracks: () => [track] })) },
    });
    const changed = vi.fn();
    const own = createOwnDevices(changed, () => undefined);
    let wanted = true;
    const opening = own.open(kind, undefined, 'modest', () => wanted);
    wanted = false;
    allow();
    expect(await opening).toBeNull();
    expect(track.stopped).toBe(true);
    expect(own.tracks()).toEqual({ audio: null, video: null });
    expect(changed).not.toHaveBeenCalled();
  },
);

/**
 * A phone that opens one device at a time, with the first one open. `fails` maps devices that it does not open to the
 * reason. `before` is called each time before it answers.
 */
async function aPhone(kind: 'microphone' | 'camera' = 'camera') {
  const phone = {
    fails: {} as Record<string, string>,
    asked: [] as string[],
    tracks: [] as Track[],
    before: (_asked: number) => {},
    live: () => phone.tracks.filter(({ stopped }) => !stopped).map(({ deviceId }) => deviceId),
  };
  vi.stubGlobal(
    'MediaStream',
    class {
      readonly tracks: Track[];
      constructor(tracks: Track[]) {
        this.tracks = tracks;
      }
      getVideoTracks() {
        return this.tracks;
      }
    },
  );
  vi.stubGlobal('navigator', {
    mediaDevices: {
      async getUserMedia({ video, audio }: { [kind in 'video' | 'audio']?: { deviceId?: { exact: string } } }) {
        const id = (video ?? audio)?.deviceId?.exact ?? 'any';
        phone.asked.push(id);
        phone.before(phone.asked.length);
        const fault = phone.fails[id] ?? (phone.live().length > 0 ? 'NotReadableError' : null);
        if (fault !== null) throw new DOMException('', fault);
        const track = new Track(id);
        phone.tracks.push(track);
        return { getTracks: () => [track] };
      },
    },
  });
  const shown: OwnMedia[] = [];
  const own = createOwnDevices(
    (next) => shown.push(next),
    () => undefined,
  );
  await own.open(kind, 'front', 'modest', () => true);
  phone.asked.length = 0;
  shown.length = 0;
  return { phone, own, shown, first: phone.tracks[0]! };
}
const yes = () => true;

test('if only one camera can be open, another one replaces it without a moment of "camera off"', async () => {
  const { phone, own, shown } = await aPhone();
  expect(await own.open('camera', 'back', 'modest', yes)).toBeNull();
  expect(phone.asked).toEqual(['back', 'back']);
  expect(phone.live()).toEqual(['back']);
  expect(own.tracks().video).toBe(phone.tracks.at(-1));
  expect(shown.map(({ video }) => video)).toEqual([true]);
  expect(shown[0]!.videoStream!.getVideoTracks()).toEqual([own.tracks().video]);
});

test('if the other one still can’t be opened, the first one is opened again, and the fault is reported', async () => {
  const { phone, own, shown } = await aPhone();
  phone.fails = { back: 'NotReadableError' };
  expect(await own.open('camera', 'back', 'modest', yes)).toBe('device_busy');
  expect(phone.asked).toEqual(['back', 'back', 'front']);
  expect(phone.live()).toEqual(['front']);
  expect(own.tracks().video).toBe(phone.tracks.at(-1));
  expect(shown.map(({ video }) => video)).toEqual([true]);
});

test('if no camera opens any more, none is shown', async () => {
  const { phone, own, shown } = await aPhone();
  phone.fails = { back: 'NotReadableError', front: 'NotReadableError' };
  expect(await own.open('camera', 'back', 'modest', yes)).toBe('device_busy');
  expect([phone.live(), own.tracks().video]).toEqual([[], null]);
  expect(shown.at(-1)).toMatchObject({ video: false, videoStream: null });
});

test.each([
  ['for another one', 1, true, ['back'], ['front']],
  ['once more, and gets it', 2, false, ['back', 'back'], []],
  ['once more, in vain', 2, true, ['back', 'back'], []],
  ['for the old one again', 3, true, ['back', 'back', 'front'], []],
])('switching off while the browser is asked %s opens nothing new', async (_name, at, busy, asked, live) => {
  const { phone, own, shown } = await aPhone();
  if (busy) phone.fails = { back: 'NotReadableError' };
  let wanted = true;
  phone.before = (count) => {
    if (count === at) wanted = false;
  };
  expect(await own.open('camera', 'back', 'modest', () => wanted)).toBeNull();
  expect(phone.asked).toEqual(asked);
  // A device that is not stopped yet is closed by the act that switches off.
  expect(phone.live()).toEqual(live);
  expect(own.tracks().video?.getSettings().deviceId).toBe(live[0]);
  expect(shown.map(({ video }) => video)).toEqual(live.length > 0 ? [] : [false]);
});

test.each([2, 3])(
  'leaving while the camera changes (question %i) leaves none open, and nothing is shown afterwards',
  async (at) => {
    const { phone, own, shown } = await aPhone();
    if (at === 3) phone.fails = { back: 'NotReadableError' };
    let wanted = true;
    phone.before = (count) => {
      if (count !== at) return;
      wanted = false;
      own.closeAll();
      shown.length = 0;
    };
    expect(await own.open('camera', 'back', 'modest', () => wanted)).toBeNull();
    expect([phone.live(), own.tracks().video, shown]).toEqual([[], null, []]);
  },
);

test.each([
  ['camera', 'NotAllowedError', 'camera_refused'],
  ['microphone', 'NotReadableError', 'device_busy'],
] as const)('an open %s stays open when opening another one fails with %s', async (kind, name, fault) => {
  const { phone, own, shown, first } = await aPhone(kind);
  phone.fails = { back: name };
  expect(await own.open(kind, 'back', 'modest', yes)).toBe(fault);
  expect([phone.asked, phone.live(), shown]).toEqual([['back'], ['front'], []]);
  expect(own.tracks()[kind === 'camera' ? 'video' : 'audio']).toBe(first);
});
