/**
 * What the rest of the web knows of sound and picture: a room, people and tracks. How they travel (Janus protocol, one connection
 * up, one down) stays in this folder. Specification 2.4, 4.8, 7.7; PRODUCT 10.
 */
import type { VideoSettings } from '@fieldroom/contract/video';

export type MediaPhase = 'off' | 'connecting' | 'on' | 'reconnecting' | 'disconnecting';

/** Why it did not work, to be told in words. */
export type MediaFault =
  | 'camera_refused'
  | 'microphone_refused'
  | 'no_camera'
  | 'no_microphone'
  | 'device_busy'
  | 'insecure_page'
  | 'unsupported'
  | 'room_full'
  | 'video_unavailable'
  | 'no_way_through'
  | 'not_member'
  | 'encryption_unsupported'
  | 'other';

/** What a person chose to send. */
export interface MediaChoice {
  audio: boolean;
  video: boolean;
  /** Device ids; the browser's own choice when missing. */
  microphone?: string;
  camera?: string;
  speaker?: string;
}

export interface MediaPerson {
  id: number;
  as: 'therapist' | 'client';
  /** Ready for `srcObject`; the same object while its track is the same. null while nothing comes. */
  picture: MediaStream | null;
  /** The person sends a picture or voice, whether or not it is shown here. */
  sendsVideo: boolean;
  sendsAudio: boolean;
  talking: boolean;
  /** Size of the picture that arrives; null while none. */
  size: { width: number; height: number } | null;
  /** Layers that arrive and that were asked for; null where the picture has one layer. */
  layers: { substream: number; temporal: number; wantedSubstream: number; wantedTemporal: number } | null;
  /** Kilobits per second that arrive. */
  kbps: number;
  /** Pictures of this person can't be opened: another key, or none. */
  sealed: boolean;
}

export interface OwnMedia {
  /** For the tile "You"; null while nothing is sent. */
  picture: MediaStream | null;
  audio: boolean;
  video: boolean;
  /** 0..1, a few times a second while the microphone is open. */
  level: number;
  talking: boolean;
  /** What was lost (device pulled out, taken by the system) and can be taken again by an act. */
  lost: 'camera' | 'microphone' | null;
}

export interface MediaState {
  phase: MediaPhase;
  own: OwnMedia;
  /** Who takes part, in the order they came; without oneself. */
  people: readonly MediaPerson[];
  choice: MediaChoice;
  /** The browser refused to play sound until somebody taps. */
  playBlocked: boolean;
  lowData: boolean;
  line: 'good' | 'weak' | 'poor';
  fault: MediaFault | null;
  /** Shown to people to compare, when encryption is on and the key is there; null else. */
  safetyCode: string | null;
  /** The room is encrypted and this browser waits for the key. */
  waitingForKey: boolean;
}

export interface MediaRoom {
  get(): MediaState;
  subscribe(listener: () => void): () => void;
  /** Takes part. Opens only what `choice` says. Resolves when sound and picture flow or a fault is in the state; never rejects. */
  start(choice: MediaChoice): Promise<void>;
  /** Leaves: leave, hang up, devices closed. */
  stop(): Promise<void>;
  setAudio(on: boolean): Promise<void>;
  setVideo(on: boolean): Promise<void>;
  /** Another microphone, camera or speaker without leaving. */
  setDevice(kind: 'microphone' | 'camera' | 'speaker', deviceId: string): Promise<void>;
  /** Whose pictures are on the page right now; others' are not sent. Voices are not touched. */
  show(personIds: readonly number[]): void;
  setLayers(personId: number, layers: { substream?: 0 | 1 | 2; temporal?: 0 | 1 | 2 }): void;
  setLowData(on: boolean): void;
  /** To be called from a person's tap. */
  play(): Promise<void>;
  /** What the room says (VIDEO_STATE): who is seen, encryption. */
  setSettings(settings: VideoSettings): void;
  /** The therapist sent somebody out: where the room is encrypted, everybody else gets another key. */
  removed?(personId: number): void;
  /** What a join link may carry behind its `#`, so that who comes by it has the room's key at once; null where there is none. */
  linkFragment?(): string | null;
  /** The therapist muted this person: voice off, until an act of one's own. */
  muted(): void;
  close(): void;
}

/** What the room's feature lends: how to ask for a ticket and how key messages travel. */
export interface MediaDoor {
  me: { id: number; as: 'therapist' | 'client' };
  therapistId: number;
  ticket(): Promise<{
    ticket: string;
    room: number;
    iceServers: RTCIceServer[];
    bitrate: number;
    settings: VideoSettings;
  }>;
  sendLine(line: 'good' | 'weak' | 'poor'): void;
  sendKey(message: { to: number; publicKey: string; sealed?: string; generation?: number }): void;
  onKey(
    listener: (message: {
      from: number;
      publicKey: string;
      sealed?: string | undefined;
      generation?: number | undefined;
    }) => void,
  ): () => void;
}

/** Camera, microphone and speaker tried out before joining; nothing leaves the browser. `createDeviceCheck(choice)` makes one. */
export interface DeviceCheckState {
  /** null: not asked yet; a fault says why it could not be opened. */
  camera: 'opening' | 'on' | 'off' | MediaFault | null;
  microphone: 'opening' | 'on' | 'off' | MediaFault | null;
  picture: MediaStream | null;
  /** 0..1 */
  level: number;
  cameras: readonly { id: string; label: string }[];
  microphones: readonly { id: string; label: string }[];
  /** Empty where the browser does not let choose. */
  speakers: readonly { id: string; label: string }[];
  /** The browser has said once which devices there are. */
  listed: boolean;
  chosen: { camera?: string; microphone?: string; speaker?: string };
  /** The tone is playing. */
  tone: boolean;
}
export interface DeviceCheck {
  get(): DeviceCheckState;
  subscribe(listener: () => void): () => void;
  /** Opened and closed by a person's act only; another id changes the device. */
  setCamera(on: boolean, id?: string): Promise<void>;
  setMicrophone(on: boolean, id?: string): Promise<void>;
  setSpeaker(id: string): void;
  /** A short soft tone through the chosen speaker. */
  playTone(): Promise<void>;
  /** Everything is closed again. */
  close(): void;
}
/** The one door of this folder, loaded late: `await import('../../platform/media/index.ts')`. */
export interface MediaModule {
  createMediaRoom(door: MediaDoor): MediaRoom;
  createDeviceCheck(chosen?: DeviceCheckState['chosen']): DeviceCheck;
}
