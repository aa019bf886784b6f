/** Microphones, cameras and speakers as the browser lends them, and why it does not, in codes for words. */
import type { MediaFault } from './media.types.ts';

export type DeviceKind = 'microphone' | 'camera' | 'speaker';
export interface Device {
  id: string;
  /** Empty until the person has allowed a device of this kind once. */
  name: string;
}
export interface DeviceLists {
  microphone: readonly Device[];
  camera: readonly Device[];
  speaker: readonly Device[];
}

/** Pictures of a room with the "high quality" switch are taken large, as their layers are cut from it; else as large as 100–200 kbit/s can carry. */
const LARGE: MediaTrackConstraints = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } };
const MODEST: MediaTrackConstraints = { width: { ideal: 640 }, height: { ideal: 360 }, frameRate: { ideal: 24, max: 24 } };

/** Size and pace of the own picture. In: the room's switch. */
export const pictureOf = (highQuality: boolean): MediaTrackConstraints => (highQuality ? LARGE : MODEST);

/** In: what getUserMedia threw (MediaDevices.getUserMedia, W3C Media Capture 9.2) and for what. Out: the fault to tell. */
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
 * Opens a microphone or camera; called only on a person's act. A remembered device that is gone gives way to the browser's own choice.
 * In: kind, device id if one was chosen, size of the picture. Out: its track, or the fault.
 */
export async function openDevice(kind: 'microphone' | 'camera', deviceId: string | undefined, highQuality = false): Promise<{ track: MediaStreamTrack } | { fault: MediaFault }> {
  const plain: MediaTrackConstraints = kind === 'microphone' ? { echoCancellation: true, noiseSuppression: true, autoGainControl: true } : pictureOf(highQuality);
  const ask = async (constraints: MediaTrackConstraints) => {
    const stream = await navigator.mediaDevices.getUserMedia(kind === 'microphone' ? { audio: constraints } : { video: constraints });
    return stream.getTracks()[0]!;
  };
  try {
    if (deviceId !== undefined && deviceId !== '') {
      try {
        return { track: await ask({ ...plain, deviceId: { exact: deviceId } }) };
      } catch (thrown) {
        if (!(thrown instanceof Error) || !['OverconstrainedError', 'NotFoundError'].includes(thrown.name)) throw thrown;
      }
    }
    return { track: await ask(kind === 'camera' ? { ...plain, facingMode: 'user' } : plain) };
  } catch (thrown) {
    return { fault: deviceFault(thrown, kind) };
  }
}

/** What there is to choose from. Names stay empty until a device of the kind was allowed. Harmless where the browser has no devices. */
export async function listDevices(): Promise<DeviceLists> {
  const all = await (navigator.mediaDevices?.enumerateDevices?.() ?? Promise.resolve([])).catch(() => [] as MediaDeviceInfo[]);
  const of = (kind: MediaDeviceKind): Device[] => all.filter((device) => device.kind === kind && device.deviceId !== '').map((device) => ({ id: device.deviceId, name: device.label }));
  return { microphone: of('audioinput'), camera: of('videoinput'), speaker: of('audiooutput') };
}

/** Tells when devices come or go. Out: the way to stop. */
export function onDevicesChange(listener: () => void): () => void {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  devices?.addEventListener?.('devicechange', listener);
  return () => devices?.removeEventListener?.('devicechange', listener);
}
