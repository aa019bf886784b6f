/** What a CONNECT frame and the server agree on: the version of the protocol and the heart-beats (STOMP 1.2). */
import { STOMP_VERSIONS, type StompFrame, type StompVersion } from '../stomp-frame.ts';
import type { Failure } from './stomp-connection.ts';

/** How often the server sends a sign of life, and wants one, in milliseconds; 0 for never. */
export interface Heartbeat {
  readonly sendMs: number;
  readonly wantMs: number;
}

export interface Agreement {
  readonly version: StompVersion;
  /** The header `version` of the answer: a client that names none knows no such header. */
  readonly told: StompVersion | undefined;
  /** The header `heart-beat` of the answer. */
  readonly beats: string | undefined;
  /** Agreed heart-beats in milliseconds, 0 for none. */
  readonly beatOutMs: number;
  readonly beatInMs: number;
}

/** Takes the headers of CONNECT and what the server offers. Returns what holds, or why the connection has to end. */
export function agree(headers: StompFrame['headers'], heartbeat: Heartbeat): Agreement | Failure {
  const wanted = headers['accept-version'];
  const version =
    wanted === undefined
      ? '1.0'
      : STOMP_VERSIONS.find((one) => wanted.split(',').some((other) => other.trim() === one));
  if (version === undefined) {
    const ours = STOMP_VERSIONS.toReversed();
    return {
      code: 'version',
      message: `Supported protocol versions are ${ours.join(' ')}`,
      closeCode: 1002,
      headers: { version: ours.join(',') },
    };
  }
  const told = wanted === undefined ? undefined : version;
  if (version === '1.0') return { version, told, beats: undefined, beatOutMs: 0, beatInMs: 0 };
  const offer = /^(\d+),(\d+)$/.exec(headers['heart-beat'] ?? '0,0');
  if (offer === null)
    return { code: 'protocol', message: 'heart-beat is not two numbers of milliseconds', closeCode: 1002 };
  const [theirs, wish] = [beatMs(offer[1]!), beatMs(offer[2]!)];
  return {
    version,
    told,
    beats: `${heartbeat.sendMs},${heartbeat.wantMs}`,
    beatOutMs: wish === 0 || heartbeat.sendMs === 0 ? 0 : Math.max(wish, heartbeat.sendMs),
    beatInMs: theirs === 0 || heartbeat.wantMs === 0 ? 0 : Math.max(theirs, heartbeat.wantMs),
  };
}

/** A time in the heart-beat header: a number of any length. Beyond the longest timer they are all the same. */
const beatMs = (digits: string) => Math.min(Number(digits), 2 ** 31 - 1);
