/**
 * The CONNECT frame: the version of the protocol and the heart-beats that both sides agree on (STOMP 1.2), and the
 * sign-in.
 */
import type { StompCore } from '../stomp-core.ts';
import { STOMP_VERSIONS, type StompFrame, type StompVersion } from '../stomp-frame.ts';
import type { Sender } from '../stomp-sender.ts';
import { StompRefusal, type Heartbeat } from '../stomp-types.ts';
import type { Conn, Failure } from './stomp-connection.ts';
import type { Crowd } from './stomp-crowd.ts';
import type { Endings } from './stomp-endings.ts';
import type { Turns } from './stomp-turns.ts';

/**
 * Makes what handles CONNECT: it starts the sign-in and answers CONNECTED, or ends the connection. Frames that come
 * meanwhile wait.
 */
export function createHandshake<P extends object>(
  core: StompCore<P>,
  crowd: Pick<Crowd<P>, 'signIn'>,
  { answer }: Pick<Sender<P>, 'answer'>,
  { fail, failWith }: Pick<Endings<P>, 'fail' | 'failWith'>,
  { work }: Pick<Turns<P>, 'work'>,
): (connection: Conn<P>, frame: StompFrame) => void {
  const { options } = core;
  const serverName = options.serverName ?? 'stomp';

  return (connection, frame) => {
    const { headers } = frame;
    const agreed = agree(headers, core.heartbeat);
    if ('closeCode' in agreed) return fail(connection, agreed);
    const { version, beatOutMs, beatInMs } = agreed;
    connection.beatOutMs = beatOutMs;
    connection.beatInMs = beatInMs;
    connection.version = version;
    connection.parser.version = version;
    connection.state = 'connecting';
    connection.busy = true;
    const request = connection.request!;
    connection.request = null;
    const admit = async () => {
      const who = await options.authenticate(headers, request);
      if (who instanceof StompRefusal) throw who;
      if (connection.state !== 'connecting') return;
      connection.principal = who;
      connection.state = 'open';
      crowd.signIn(connection);
      const { verdicts } = connection;
      connection.verdicts = null;
      if (verdicts?.some((verdict) => verdict(who, connection))) return;
      connection.announced = true;
      await options.onConnect?.(who, connection);
      answer(connection, 'CONNECTED', {
        version: agreed.told,
        session: connection.id,
        server: serverName,
        'heart-beat': agreed.beats,
      });
    };
    void admit()
      .catch((error: unknown) => failWith(connection, error, frame))
      .then(() => work(connection));
  };
}

interface Agreement {
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
function agree(headers: StompFrame['headers'], heartbeat: Heartbeat): Agreement | Failure {
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
