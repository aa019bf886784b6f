/**
 * Audio and video as the rest of the web sees them: a room, people and tracks. The transport (Janus protocol, one peer
 * connection up and one down) stays inside this folder. Rules: docs/product.md#10.
 */
import type { NetworkQuality, VideoSettings } from '@fieldroom/contract/video';

type MediaPhase = 'off' | 'connecting' | 'on' | 'reconnecting' | 'disconnecting';

/** Why audio or video did not work; each has words in the locales. */
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
  | 'live_session_over'
  | 'encryption_unsupported'
  | 'other';

/** What a person has chosen to send. */
export interface MediaChoice {
  audio: boolean;
  video: boolean;
  /** Device ids; undefined: the browser's own choice. */
  microphone?: string;
  camera?: string;
  speaker?: string;
}

export interface MediaPerson {
  id: number;
  as: 'therapist' | 'client';
  /** Ready for `srcObject`, and the same object as long as the track is the same. null while no video arrives. */
  videoStream: MediaStream | null;
  /** The person sends video or audio, whether or not it is shown here. */
  sendsVideo: boolean;
  sendsAudio: boolean;
  talking: boolean;
  /** Size of the received video; null while there is none. */
  size: { width: number; height: number } | null;
  /** Layers received and requested; null for video with one layer. */
  layers: { substream: number; temporal: number; wantedSubstream: number; wantedTemporal: number } | null;
  /** Kilobits per second received. */
  kbps: number;
  /** This browser cannot decrypt the person's video: it has no key, or another one. */
  unreadable: boolean;
}

export interface OwnMedia {
  /** For the person's own tile ("You"); null while no video is sent. */
  videoStream: MediaStream | null;
  audio: boolean;
  video: boolean;
  /** 0..1, a few times a second while the microphone is open. */
  level: number;
  talking: boolean;
  /** A device that was lost (pulled out, taken by the system); the person can open it again. */
  lost: 'camera' | 'microphone' | null;
}

export interface MediaState {
  phase: MediaPhase;
  own: OwnMedia;
  /** Everybody else who takes part, in order of arrival. */
  people: readonly MediaPerson[];
  choice: MediaChoice;
  /** The browser refused to play sound until the person taps. */
  playBlocked: boolean;
  lowData: boolean;
  quality: NetworkQuality;
  fault: MediaFault | null;
  /** Digits for people to compare, when encryption is on and the key is available; otherwise null. */
  safetyCode: string | null;
  /** The room is encrypted and this browser waits for the key. */
  waitingForKey: boolean;
  /** Which of this person's media the server holds back because more arrived than it allows. */
  limited: readonly ('audio' | 'video')[];
}

export interface MediaRoom {
  get(): MediaState;
  subscribe(listener: () => void): () => void;
  /** Takes part. Opens only the devices in `choice`. Resolves when media flows or the state has a fault; never
   * rejects. */
  start(choice: MediaChoice): Promise<void>;
  /** Leaves the room, closes the connection and the devices. */
  stop(): Promise<void>;
  setAudio(on: boolean): Promise<void>;
  setVideo(on: boolean): Promise<void>;
  /** Changes microphone, camera or speaker without leaving. */
  setDevice(kind: 'microphone' | 'camera' | 'speaker', deviceId: string): Promise<void>;
  /** Sets whose video is on the page; other video is not received. Audio is not affected. */
  show(personIds: readonly number[]): void;
  setLayers(personId: number, layers: { substream?: 0 | 1 | 2; temporal?: 0 | 1 | 2 }): void;
  setLowData(on: boolean): void;
  /** Call it when a person taps. */
  play(): Promise<void>;
  /** Applies the room's settings (VIDEO_STATE): who is seen, encryption. */
  setSettings(settings: VideoSettings): void;
  /** The therapist removed somebody: in an encrypted room everybody else gets a new key. */
  removed(personId: number): void;
  /**
   * What a join link may carry behind its `#`, so that the person who opens it has the room's key at once; null when
   * there is no key.
   */
  linkFragment(): string | null;
  /** The therapist muted this person: audio stays off until they switch it on themselves. */
  muted(): void;
  close(): void;
}

/** What the room's feature provides: tickets, quality reports and key messages. */
export interface MediaHost {
  me: { id: number; as: 'therapist' | 'client' };
  therapistId: number;
  ticket(): Promise<{
    ticket: string;
    room: number;
    iceServers: RTCIceServer[];
    bitrate: number;
    settings: VideoSettings;
  }>;
  /** Returns false while there is no connection to the room. */
  sendNetworkQuality(quality: NetworkQuality): boolean;
  /** Calls the listener each time the connection to the room opens again. Returns a function that stops. */
  onRoomOpen(listener: () => void): () => void;
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

/** Camera, microphone and speaker, tried out before joining; nothing leaves the browser. Made by
 * `createDeviceCheck`. */
export interface DeviceCheckState {
  /** null: not requested yet; a fault says why it could not be opened. */
  camera: 'opening' | 'on' | 'off' | MediaFault | null;
  microphone: 'opening' | 'on' | 'off' | MediaFault | null;
  videoStream: MediaStream | null;
  /** 0..1 */
  level: number;
  cameras: readonly { id: string; label: string }[];
  microphones: readonly { id: string; label: string }[];
  /** Empty where the browser offers no choice of speaker. */
  speakers: readonly { id: string; label: string }[];
  chosen: { camera?: string; microphone?: string; speaker?: string };
  /** The test tone is playing. */
  tone: boolean;
}
export interface DeviceCheck {
  get(): DeviceCheckState;
  subscribe(listener: () => void): () => void;
  /** Devices open and close only when a person acts; another id switches to that device. */
  setCamera(on: boolean, id?: string): Promise<void>;
  setMicrophone(on: boolean, id?: string): Promise<void>;
  setSpeaker(id: string): void;
  /** Plays a short soft tone through the chosen speaker. */
  playTone(): Promise<void>;
  /** Closes everything. */
  close(): void;
}
