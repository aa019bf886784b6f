/** One's own microphone and camera: opened and closed by acts, watched for loss, listened to for the level. */
import { type DeviceKind, openDevice, PICTURES, type PictureSize } from './devices.ts';
import { createLevelMeter, type LevelMeter } from './level.ts';
import type { MediaFault, OwnMedia } from './media.types.ts';
import type { Outgoing } from './publisher.ts';

type Opened = Exclude<DeviceKind, 'speaker'>;

export const OWN_OFF: OwnMedia = { picture: null, audio: false, video: false, level: 0, talking: false, lost: null };

export interface Own {
  tracks(): Outgoing;
  /** Opens a device, in place of one that is open. Out: why it did not work, or null. */
  open(kind: Opened, deviceId: string | undefined, size: PictureSize): Promise<MediaFault | null>;
  close(kind: Opened): void;
  /** Voice off with the device kept open, so that it is back in a moment. */
  mute(muted: boolean): void;
  /** Another size of the picture, without opening anew. */
  resize(size: PictureSize): Promise<void>;
  closeAll(): void;
}

/** In: who hears of each change, and of a device that was lost. */
export function createOwn(changed: (own: OwnMedia) => void, lostDevice: (kind: Opened) => void): Own {
  let state = OWN_OFF;
  const open: Record<Opened, MediaStreamTrack | null> = { microphone: null, camera: null };
  let meter: LevelMeter | null = null;
  const set = (patch: Partial<OwnMedia>) => {
    state = { ...state, ...patch };
    changed(state);
  };
  /** What stands in the state follows from the tracks. */
  const show = (patch: Partial<OwnMedia> = {}) => {
    const { microphone, camera } = open;
    const same = state.picture?.getVideoTracks()[0] === camera;
    set({
      audio: microphone?.enabled ?? false,
      video: camera !== null,
      picture: camera === null ? null : same ? state.picture : new MediaStream([camera]),
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
    // Fires when the device is pulled out or taken by the system, not when we stop it ourselves.
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
    async open(kind, deviceId, size) {
      const opened = await openDevice(kind, deviceId, size);
      if ('fault' in opened) return opened.fault;
      keep(kind, opened.track);
      return null;
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
      await open.camera?.applyConstraints(PICTURES[size]).catch(() => undefined);
    },
    closeAll() {
      drop('microphone');
      drop('camera');
      set(OWN_OFF);
    },
  };
}
