/** The person's own microphone and camera: opened and closed by a person's acts, watched for loss, measured for the
 * level. */
import { type DeviceKind, openDevice, VIDEO_CONSTRAINTS, type VideoSize } from './devices.ts';
import { createLevelMeter, type LevelMeter } from './microphoneLevel.ts';
import type { MediaFault, OwnMedia } from '../mediaTypes.ts';
import type { LocalTracks } from '../connection/janus/publisher.ts';

type Opened = Exclude<DeviceKind, 'speaker'>;

export const OWN_OFF: OwnMedia = {
  videoStream: null,
  audio: false,
  video: false,
  level: 0,
  talking: false,
  lost: null,
};

export interface OwnDevices {
  tracks(): LocalTracks;
  /**
   * Opens a device in place of an open one. Returns why it did not work, or null. The browser may ask the person first,
   * for as long as they like; a device that is then no longer `wanted` is closed at once. Where only one camera can be
   * open at a time, the open one is closed for the other. If that can't be opened even so, the first one is opened
   * again, as another track.
   */
  open(kind: Opened, deviceId: string | undefined, size: VideoSize, wanted: () => boolean): Promise<MediaFault | null>;
  close(kind: Opened): void;
  /** Mutes audio and keeps the device open, so that it is back at once. */
  mute(muted: boolean): void;
  /** Changes the video size without opening the camera again. */
  resize(size: VideoSize): Promise<void>;
  closeAll(): void;
}

const faultOf = (opened: Awaited<ReturnType<typeof openDevice>>) => ('fault' in opened ? opened.fault : null);

/** Takes a callback for each change, and one for a lost device. */
export function createOwnDevices(changed: (own: OwnMedia) => void, lostDevice: (kind: Opened) => void): OwnDevices {
  let state = OWN_OFF;
  const open: Record<Opened, MediaStreamTrack | null> = { microphone: null, camera: null };
  let meter: LevelMeter | null = null;
  const set = (patch: Partial<OwnMedia>) => {
    state = { ...state, ...patch };
    changed(state);
  };
  /** Derives the state from the tracks. */
  const show = (patch: Partial<OwnMedia> = {}) => {
    const { microphone, camera } = open;
    const same = state.videoStream?.getVideoTracks()[0] === camera;
    set({
      audio: microphone?.enabled ?? false,
      video: camera !== null,
      videoStream: camera === null ? null : same ? state.videoStream : new MediaStream([camera]),
      ...(microphone?.enabled ? {} : { level: 0, talking: false }),
      ...patch,
    });
  };
  function drop(kind: Opened) {
    const track = open[kind];
    open[kind] = null;
    if (kind === 'microphone') {
      meter?.close();
      meter = null;
    }
    track?.stop();
  }
  function keep(kind: Opened, track: MediaStreamTrack) {
    drop(kind);
    open[kind] = track;
    // Fires when the device is pulled out or claimed by the system, not when we stop it.
    track.addEventListener('ended', () => {
      if (open[kind] !== track) return;
      drop(kind);
      show({ lost: kind });
      lostDevice(kind);
    });
    if (kind === 'microphone') meter = createLevelMeter(track, (level, talking) => set({ level, talking }));
    show(state.lost === kind ? { lost: null } : {});
  }
  return {
    tracks: () => ({ audio: open.microphone, video: open.camera }),
    async open(kind, deviceId, size, wanted) {
      let opened = await openDevice(kind, deviceId, size);
      let fault = faultOf(opened);
      const before = open[kind];
      // Many phones open only one camera at a time.
      if (kind === 'camera' && before !== null && fault === 'device_busy' && wanted()) {
        const beforeId = before.getSettings().deviceId;
        // It stays in the state, so that nobody is shown "camera off" unless no camera opens.
        before.stop();
        opened = await openDevice(kind, deviceId, size);
        fault = faultOf(opened);
        if (fault !== null && wanted()) opened = await openDevice(kind, beforeId, size);
        // A stopped device must not count as open; on leaving it was dropped already.
        if (open[kind] === before && (faultOf(opened) !== null || !wanted())) {
          drop(kind);
          show();
        }
      }
      if (!wanted()) {
        if ('track' in opened) opened.track.stop();
        return null;
      }
      if ('track' in opened) keep(kind, opened.track);
      return fault;
    },
    close(kind) {
      drop(kind);
      show(state.lost === kind ? { lost: null } : {});
    },
    mute(muted) {
      if (!open.microphone) return;
      open.microphone.enabled = !muted;
      show();
    },
    async resize(size) {
      await open.camera?.applyConstraints(VIDEO_CONSTRAINTS[size]).catch(() => undefined);
    },
    closeAll() {
      drop('microphone');
      drop('camera');
      set(OWN_OFF);
    },
  };
}
