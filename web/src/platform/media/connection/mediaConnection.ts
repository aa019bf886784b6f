/** One connection to the room from ticket to end: session, publisher and subscriber. Reconnecting makes a new one. */
import { applyEvent, applyList, type RemotePublisher } from './janus/publisherList.ts';
import type { DebugFlags } from './debugFlags.ts';
import { ConnectionFault, openSession } from './janus/janusSession.ts';
import { connected, joinRoom, type LocalTracks, type Publisher } from './janus/publisher.ts';
import type { ConnectionEncryption } from '../encryption/encodedTransform.ts';
import { createSubscriber, type Subscriber } from './janus/subscriber.ts';

const BEAT_MS = 1_000;
/** Until the server has pushed talking state once, poll for it every this many seconds (docs/product.md#10.8). */
const POLL_BEATS = 5;
/** Time for an ICE restart before a new connection is made. */
const RESTART_MS = 3_500;
/**
 * A probe without a reply after this many beats (about as many seconds) means that the connection is lost. Beats, not
 * the clock: a page that was blocked counts one, and reads the reply that waits before the next.
 */
const PROBE_BEATS = 4;
/** Maximum wait for leaving. */
const LEAVE_MS = 4_000;

export interface MediaConnectionParts {
  /** Where the gateway listens. */
  address: string;
  ticket: { ticket: string; room: number; iceServers: RTCIceServer[]; bitrate: number };
  me: { id: number; as: 'therapist' | 'client' };
  flags: DebugFlags;
  encryption: ConnectionEncryption | null;
  events: {
    publishers(): void;
    arriving(): void;
    /** Which of this person's media the server holds back from now on. */
    limited(kinds: readonly ('audio' | 'video')[]): void;
    layers(at: string, layers: { substream?: number; temporal?: number }): void;
    /** The connection is lost; called once. */
    lost(): void;
    /** The same person joined elsewhere and replaced this connection; called once, instead of `lost`. */
    replaced(): void;
  };
}
export interface MediaConnection {
  publishers(): readonly RemotePublisher[];
  publisher: Publisher;
  subscriber: Subscriber;
  /** Publishes the tracks, for the first time or after `unpublish`. */
  publish(tracks: LocalTracks, sending: { audio: boolean; video: boolean }, highQuality: boolean): Promise<void>;
  /** Requests a sign of life, unless one is pending; without a reply the connection counts as lost. */
  probe(): void;
  /** `politely`: leaves the room first; otherwise only closes. */
  close(politely: boolean): Promise<void>;
}

/** Opens a connection and joins. Throws ConnectionFault. */
export async function openConnection({
  address,
  ticket: { ticket, room, iceServers, bitrate },
  me,
  flags,
  encryption,
  events,
}: MediaConnectionParts): Promise<MediaConnection> {
  let over = false;
  let publishers: readonly RemotePublisher[] = [];
  let told = false;
  /** Beats since a probe was sent; null while none is pending. */
  let probeBeats: number | null = null;
  let giveUp: (fault: ConnectionFault) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => (giveUp = reject));
  lost.catch(() => undefined);
  const lose = () => {
    if (over) return;
    stop();
    giveUp(new ConnectionFault(0, 'The connection was lost'));
    events.lost();
  };
  const stop = () => {
    over = true;
    clearInterval(beat);
  };
  const session = await openSession({ address, ticket, iceServers, lost: () => lose() });
  const setPublishers = (next: readonly RemotePublisher[]) => {
    if (next === publishers || over) return;
    publishers = next;
    events.publishers();
  };

  /** Try an ICE restart first, because the picture stays; otherwise connect again. */
  const falters = (which: () => RTCPeerConnection | null, restart: () => Promise<void>) => {
    let restarting = false;
    return (state: RTCIceConnectionState) => {
      if (over) return;
      if (state === 'failed') return lose();
      if (state !== 'disconnected' || restarting) return;
      restarting = true;
      const pc = which();
      if (!pc) return lose();
      restart()
        .then(() => connected(pc, RESTART_MS))
        .catch(() => {
          if (which() === pc && pc.connectionState !== 'connected') lose();
        })
        .finally(() => (restarting = false));
    };
  };

  let publisher: Publisher | null = null;
  let deadBeats = 0;
  let beats = 0;
  const beat = setInterval(() => {
    // Twice: after a page was blocked, its timers may run before the replies that wait for it too.
    deadBeats = session.isDead() ? deadBeats + 1 : 0;
    if (deadBeats >= 2) return lose();
    if (probeBeats !== null && (probeBeats += 1) > PROBE_BEATS) return lose();
    beats += 1;
    if (!told && publisher && publishers.length > 0 && beats % POLL_BEATS === 0)
      publisher.list().then(
        (data) => setPublishers(applyList(publishers, data)),
        () => undefined,
      );
  }, BEAT_MS);
  try {
    const subscriber = createSubscriber({
      session,
      me,
      room,
      msid: flags.msid,
      encryption,
      events: {
        streams: events.arriving,
        layers: events.layers,
        ice: (state) => downFalters(state),
        lost: () => lose(),
      },
    });
    const downFalters = falters(subscriber.pc, subscriber.restartIce);
    const joining = joinRoom({
      session,
      me,
      room,
      flags,
      encryption,
      events: {
        room(data) {
          const { limited } = data;
          if (Array.isArray(limited))
            return events.limited((['audio', 'video'] as const).filter((kind) => limited.includes(kind)));
          told ||= data.videoroom === 'talking' || data.videoroom === 'stopped-talking';
          for (const gone of [data.leaving, data.unpublished, data.kicked])
            if (typeof gone === 'number') subscriber.forget(gone);
          setPublishers(applyEvent(publishers, data, me.id));
        },
        ice: (state) => upFalters(state),
        replaced() {
          if (over) return;
          stop();
          events.replaced();
        },
        lost: () => lose(),
      },
    });
    // The client never answers a request on a lost connection.
    const joined = await Promise.race([joining, lost]);
    publisher = joined;
    const upFalters = falters(joined.pc, joined.restartIce);
    return {
      publishers: () => publishers,
      publisher: joined,
      subscriber,
      publish: (tracks, sending, highQuality) => joined.publish(tracks, sending, { bitrate, highQuality }),
      probe() {
        if (over || probeBeats !== null) return;
        probeBeats = 0;
        const alive = () => {
          probeBeats = null;
          for (const pc of [joined.pc(), subscriber.pc()])
            if (pc && (pc.iceConnectionState === 'failed' || pc.connectionState === 'failed')) lose();
        };
        joined.list().then(alive, () => undefined);
      },
      async close(politely) {
        stop();
        if (politely) {
          await Promise.race([
            Promise.all([subscriber.leave(), joined.unpublish().then(() => joined.leave())]),
            new Promise((resolve) => setTimeout(resolve, LEAVE_MS)),
          ]);
        }
        session.close();
      },
    };
  } catch (fault) {
    stop();
    session.close();
    throw fault;
  }
}
