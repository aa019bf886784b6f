/** Devices tried out before joining, with browser devices that the test controls. */
import { afterEach, expect, test, vi } from 'vitest';
import { createDeviceCheck } from './deviceCheck.ts';

class Track extends EventTarget {
  enabled = true;
  stopped = false;
  readonly kind: string;
  constructor(kind: string) {
    super();
    this.kind = kind;
  }
  stop() {
    this.stopped = true;
  }
}
/** Takes the answer of `enumerateDevices`; without it, that call never answers. Returns the tracks that were opened. */
function devices(listed: Promise<MediaDeviceInfo[]>): Track[] {
  const opened: Track[] = [];
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
      enumerateDevices: () => listed,
      getUserMedia({ video }: MediaStreamConstraints) {
        const track = new Track(video ? 'video' : 'audio');
        opened.push(track);
        return Promise.resolve({ getTracks: () => [track] });
      },
    },
  });
  return opened;
}
afterEach(() => vi.unstubAllGlobals());

test('camera and microphone open one after the other, even if the browser does not list its devices', async () => {
  // Firefox does this while its window is in the background.
  const opened = devices(new Promise(() => undefined));
  const check = createDeviceCheck();
  void check.setCamera(true);
  void check.setMicrophone(true);
  await vi.waitFor(() => expect([check.get().camera, check.get().microphone]).toEqual(['on', 'on']));
  expect(opened.map(({ kind }) => kind)).toEqual(['video', 'audio']);
  expect(check.get().videoStream).not.toBeNull();
  await check.setCamera(false);
  expect([check.get().camera, opened[0]!.stopped, opened[1]!.stopped]).toEqual(['off', true, false]);
  check.close();
  expect(opened.every(({ stopped }) => stopped)).toBe(true);
});

test('the available devices are shown with their names once these are known', async () => {
  devices(
    Promise.resolve([
      { kind: 'audiooutput', deviceId: 'a', label: 'Loud' },
      { kind: 'videoinput', deviceId: 'b', label: '' },
    ] as MediaDeviceInfo[]),
  );
  const check = createDeviceCheck();
  await vi.waitFor(() => expect(check.get().cameras).toHaveLength(1));
  expect([check.get().cameras, check.get().microphones, check.get().speakers]).toEqual([
    [{ id: 'b', label: '' }],
    [],
    [{ id: 'a', label: 'Loud' }],
  ]);
  check.close();
});
