/** What the program's thread and the engine's threads say to each other; all of it, both ways. Plain data: it is copied between threads. */
import type { EngineAnswer, EngineEvent, Jsep, PluginBody, RoomSpec } from '../video.types.ts';

/** Asked with a `call`, answered once by `reply` or `failed`. */
export type Ask =
  | { type: 'attach'; call: number; session: number }
  | { type: 'message'; call: number; session: number; handle: number; body: PluginBody; jsep?: Jsep }
  | { type: 'hangup'; call: number; session: number; handle: number }
  | { type: 'detach'; call: number; session: number; handle: number }
  | { type: 'close'; call: number; session: number }
  | { type: 'closeRoom'; call: number; therapistId: number }
  | { type: 'stats'; call: number }
  /** Ends all rooms and closes the sockets; the thread ends by itself after its reply. */
  | { type: 'stop'; call: number };

export type ToWorker =
  | Ask
  | { type: 'open'; session: number; room: RoomSpec; person: { id: number; as: 'therapist' | 'client' } };

export interface WorkerStats {
  rooms: number;
  publishers: number;
  subscribers: number;
  packetsIn: number;
  packetsOut: number;
  retransmitted: number;
  bytes: number;
  /** Of the transport, for the leak test. */
  names: number;
  addresses: number;
}

/** What the calls are answered with. */
export interface Replies {
  attach: number;
  message: EngineAnswer;
  hangup: null;
  detach: null;
  close: null;
  closeRoom: null;
  stats: WorkerStats;
  stop: null;
}

export type FromWorker =
  | { type: 'ready' }
  /** The sockets could not be opened. */
  | { type: 'unable'; message: string }
  | { type: 'reply'; call: number; value: Replies[keyof Replies] }
  | { type: 'failed'; call: number; message: string }
  | { type: 'event'; session: number; event: EngineEvent }
  | { type: 'fault'; message: string };
