/**
 * All messages between the main thread and the engine's threads, in both directions. Plain data: it is copied between
 * threads.
 */
import type { EngineEvent, EngineReply, EngineRequest, Jsep, RoomSpec } from '../video.types.ts';

/** Carries a `call`; answered once by `reply` or `failed`. */
export type Ask =
  | { type: 'attach'; call: number; session: number }
  | { type: 'request'; call: number; session: number; handle: number; request: EngineRequest; jsep?: Jsep | undefined }
  | { type: 'hangup'; call: number; session: number; handle: number }
  | { type: 'detach'; call: number; session: number; handle: number }
  | { type: 'close'; call: number; session: number }
  | { type: 'closeRoom'; call: number; therapistId: number }
  | { type: 'stats'; call: number }
  /** Ends all rooms and closes the sockets; the thread exits by itself after its reply. */
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
  /** Transport statistics, for the leak test. */
  names: number;
  addresses: number;
}

/** The reply to each call. */
export interface Replies {
  attach: number;
  request: EngineReply;
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
  /** `refused`: too much was asked; otherwise it is a bug. */
  | { type: 'failed'; call: number; message: string; refused: boolean }
  | { type: 'event'; session: number; event: EngineEvent }
  | { type: 'fault'; message: string };
