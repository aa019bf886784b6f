/** Microphones, cameras and speakers of the browser, and the codes for why one cannot be used. */
import type { MediaFault } from '../mediaTypes.ts';

export type DeviceKind = 'microphone' | 'camera' | 'speaker';
interface Device {
  id: string;
  /** Empty until the person has allowed a device of this kind once. */
  name: string;
}
export interface DeviceLists {
  microphone: readonly Device[];
  camera: readonly Device[];
  speaker: readonly Device[];
}

/**
 * Size of the person's own video. `large`: the room's "high quality" is on, and layers are cut from it. `modest`: what
 * 100–200 kbit/s can carry well, at twenty frames a second. `gallery`: the size of a tile, at a frame rate that a phone
 * can draw a dozen times. `small`: "low data".
 */
export type VideoSize = 'large' | 'modest' | 'gallery' | 'small';
const video = (width: number, height: number, rate: number): MediaTrackConstraints => ({
  width: { ideal: width },
  height: { ideal: height },
  frameRate: { ideal: rate, max: rate },
});
export const VIDEO_CONSTRAINTS: Record<VideoSize, MediaTrackConstraints> = {
  large: video(1280, 720, 30),
  modest: video(640, 360, 20),
  gallery: video(480, 270, 15),
  small: video(320, 180, 12),
};

/**
 * A gallery begins at this many others and ends at that many; the two differ so that one person coming and going does
 * not change it each time.
 */
const GALLERY_FROM = 8;
const GALLERY_UNTIL = 5;

/**
 * Chooses the size. Takes the switches, the role (the therapist's tile is separate and stays large), how many others
 * take part, and the previous size.
 */
export function videoSize({
  lowData,
  highQuality,
  as,
  others,
  before,
}: {
  lowData: boolean;
  highQuality: boolean;
  as: 'therapist' | 'client';
  others: number;
  before: VideoSize;
}): VideoSize {
  if (lowData) return 'small';
  if (highQuality) return 'large';
  if (as === 'therapist') return 'modest';
  return others >= GALLERY_FROM || (before === 'gallery' && others > GALLERY_UNTIL) ? 'gallery' : 'modest';
}

/** Takes what getUserMedia threw (W3C Media Capture, 9.2) and for which device. Returns the fault to show. */
export function deviceFault(thrown: unknown, kind: 'microphone' | 'camera'): MediaFault {
  const name = thrown instanceof Error || thrown instanceof DOMException ? thrown.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
      return kind === 'camera' ? 'camera_refused' : 'microphone_refused';
    case 'SecurityError':
      return 'insecure_page';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return kind === 'camera' ? 'no_camera' : 'no_microphone';
    case 'NotReadableError':
    case 'AbortError':
      return 'device_busy';
    case 'TypeError':
      return globalThis.isSecureContext === false ? 'insecure_page' : 'unsupported';
    default:
      return 'other';
  }
}

/**
 * Opens a microphone or camera; call it only on a person's act. If a remembered device is gone, the browser chooses.
 * Takes the kind, a device id if one was chosen, and the video size. Returns the track or the fault.
 */
export async function openDevice(
  kind: 'microphone' | 'camera',
  deviceId: string | undefined,
  size: VideoSize,
): Promise<{ track: MediaStreamTrack } | { fault: MediaFault }> {
  const plain: MediaTrackConstraints =
    kind === 'microphone'
      ? { echoCancellation: true, noiseSuppression: true, autoGainControl: true }
      : VIDEO_CONSTRAINTS[size];
  const ask = async (constraints: MediaTrackConstraints) => {
    const stream = await navigator.mediaDevices.getUserMedia(
      kind === 'microphone' ? { audio: constraints } : { video: constraints },
    );
    return stream.getTracks()[0]!;
  };
  try {
    if (deviceId !== undefined && deviceId !== '') {
      try {
        return { track: await ask({ ...plain, deviceId: { exact: deviceId } }) };
      } catch (thrown) {
        if (!(thrown instanceof Error) || !['OverconstrainedError', 'NotFoundError'].includes(thrown.name))
          throw thrown;
      }
    }
    return { track: await ask(kind === 'camera' ? { ...plain, facingMode: 'user' } : plain) };
  } catch (thrown) {
    return { fault: deviceFault(thrown, kind) };
  }
}

/**
 * Lists the devices. Names stay empty until a device of that kind was allowed. Returns empty lists where the browser
 * has no devices.
 */
export async function listDevices(): Promise<DeviceLists> {
  const all = await (navigator.mediaDevices?.enumerateDevices?.() ?? Promise.resolve([])).catch(
    () => [] as MediaDeviceInfo[],
  );
  const of = (kind: MediaDeviceKind): Device[] =>
    all
      .filter((device) => device.kind === kind && device.deviceId !== '')
      .map((device) => ({ id: device.deviceId, name: device.label }));
  return { microphone: of('audioinput'), camera: of('videoinput'), speaker: of('audiooutput') };
}

/** Calls the listener when devices come or go. Returns a function that stops. */
export function onDevicesChange(listener: () => void): () => void {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  devices?.addEventListener?.('devicechange', listener);
  return () => devices?.removeEventListener?.('devicechange', listener);
}
