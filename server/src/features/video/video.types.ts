/**
 * The door to what carries sound and picture. The gateway in front of it authenticates, authorises, allow-lists and caches, and is
 * the same for both engines: the embedded one (`engine/`) and Janus servers (`janus/`). Bodies are those of the videoroom
 * plugin (Janus 1.x, multistream); the gateway has checked every field.
 */

/** A session description as Janus carries it. */
export interface Jsep {
  type: 'offer' | 'answer';
  sdp: string;
  /** Sealed from browser to browser: the engine must not look into the payload. */
  e2ee?: boolean;
  /** How the layers of a simulcast offer are ordered; highest first where nothing is said. */
  rid_order?: 'hml' | 'lmh';
}

/** A trickled candidate; null when there are no more. */
export interface TrickledCandidate {
  candidate: string;
  sdpMid?: string | null;
  sdpMLineIndex?: number | null;
}

export type PluginBody = Readonly<Record<string, unknown>>;

/** The final answer to a request: never the acknowledgement before it. `error_code` and `error` stand in the data, as the plugin puts them. */
export interface EngineAnswer {
  data: PluginBody;
  jsep?: Jsep;
}

/** What happens unasked, per handle. */
export type EngineEvent =
  | { kind: 'event'; handle: number; data: PluginBody; jsep?: Jsep }
  | { kind: 'webrtcup'; handle: number }
  /** A candidate of the engine's that did not stand in its description; null after the last. */
  | { kind: 'trickle'; handle: number; candidate: TrickledCandidate | null }
  | { kind: 'media'; handle: number; mid: string; media: 'audio' | 'video'; receiving: boolean; substream?: number }
  | { kind: 'slowlink'; handle: number; uplink: boolean; lost: number; mid?: string; media?: 'audio' | 'video' }
  | { kind: 'hangup'; handle: number; reason: string }
  | { kind: 'detached'; handle: number }
  /** The engine behind the session is gone (worker died, Janus lost): everything in it is void and the browser has to come anew. */
  | { kind: 'gone' };

/** One person's line into one room. */
export interface EngineSession {
  /** A new handle of the videoroom plugin. */
  attach(): Promise<number>;
  /**
   * One request: join (publisher with `id` and `display`, subscriber with `streams`), joinandconfigure, publish, configure (a publisher's with
   * `bitrate`; a subscriber's with `streams[{mid, send, substream, temporal}]`), unpublish, leave, start, pause, subscribe, unsubscribe,
   * update, switch, and the server's own `moderate {id, mid, mute}`, by which voices and pictures are silenced at the source. The engine adds the inner room number and, where the verb wants it, the room's secret; in answers and events it
   * leaves `room` as it is, the gateway puts the outer number there. What fails comes as data with `error_code` (426, 427, 429, 432 …), not as a throw.
   */
  message(handle: number, body: PluginBody, jsep?: Jsep): Promise<EngineAnswer>;
  trickle(handle: number, candidate: TrickledCandidate | null): void;
  /** Closes the peer connection, keeps the handle. */
  hangup(handle: number): Promise<void>;
  detach(handle: number): Promise<void>;
  /** Ends the session with all its handles. */
  close(): Promise<void>;
}

/** How a room is made: numbers of specification 9, server's choice alone. */
export interface RoomSpec {
  /** Whose room; the inner number is the engine's secret. */
  therapistId: number;
  publishers: number;
  keyframeSeconds: number;
  talkingLevel: number;
  talkingPackets: number;
  /** Voices forwarded at once beside the therapist's; engines that can't choose forward all. */
  loudestVoices: number;
}

export interface EngineStats {
  rooms: number;
  publishers: number;
  subscribers: number;
  /** Since the start. */
  packetsIn: number;
  packetsOut: number;
  retransmitted: number;
  /** Memory of the engine's workers; null where it is another program's. */
  bytes: number | null;
}

export interface VideoEngine {
  readonly kind: 'embedded' | 'janus';
  /** Whether rooms can be carried right now; for tickets and health. */
  ready(): boolean;
  /**
   * Opens one person's line into a room, which is made when it is not there yet. `listener` hears what happens unasked.
   * Throws Problem `video_unavailable` when nothing can carry it.
   */
  open(
    room: RoomSpec,
    person: { id: number; as: 'therapist' | 'client' },
    listener: (event: EngineEvent) => void,
  ): Promise<EngineSession>;
  /** Ends a room: all handles in it hang up. Harmless when there is none. */
  closeRoom(therapistId: number): Promise<void>;
  stats(): Promise<EngineStats>;
  stop(): Promise<void>;
}
