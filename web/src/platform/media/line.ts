/** One connection to the room from ticket to end: session, own publication, what arrives. Coming back makes a new one. */
import { applyEvent, applyList, type Feed } from './feeds.ts';
import type { DebugFlags } from './flags.ts';
import { openSession, videoAddress } from './janus.ts';
import { connected, joinRoom, type Outgoing, type Publisher } from './publisher.ts';
import type { Seal } from './seal.ts';
import { createSubscriber, type Subscriber } from './subscriber.ts';

const BEAT_MS = 1_000;
/** Where nobody's talking was told by itself so far, it is asked for each so many beats (specification 7.7 polls; our server tells). */
const POLL_BEATS = 5;
/** A connection that falters gets this long to find another way before all is made anew. */
const RESTART_MS = 3_500;
/** So long may the answer take that shows a line to be alive, and the leave-taking. */
const PROBE_MS = 4_000;

export interface LineParts {
  ticket: { ticket: string; room: number; iceServers: RTCIceServer[]; bitrate: number };
  me: { id: number; as: 'therapist' | 'client' };
  flags: DebugFlags;
  seal: Seal | null;
  events: {
    feeds(): void;
    arriving(): void;
    layers(at: string, layers: { substream?: number; temporal?: number }): void;
    /** It carries no more; told once. */
    lost(): void;
    /** The same person takes part elsewhere now, in place of this line; told once, instead of `lost`. */
    replaced(): void;
  };
}
export interface Line {
  feeds(): readonly Feed[];
  publisher: Publisher;
  subscriber: Subscriber;
  /** Sends what there is to send; at first or after `unpublish`. */
  publish(tracks: Outgoing, sending: { audio: boolean; video: boolean }, highQuality: boolean): Promise<void>;
  /** Asks for a sign of life; without it the line counts as lost. */
  probe(): void;
  /** `politely`: takes leave of the room; else only closes. */
  close(politely: boolean): Promise<void>;
}

/** Opens a line and joins. Throws LineFault. */
export async function openLine({
  ticket: { ticket, room, iceServers, bitrate },
  me,
  flags,
  seal,
  events,
}: LineParts): Promise<Line> {
  let over = false;
  let feeds: readonly Feed[] = [];
  let told = false;
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const lose = () => {
    if (over) return;
    stop();
    events.lost();
  };
  const stop = () => {
    over = true;
    clearInterval(beat);
    for (const timer of timers) clearTimeout(timer);
  };
  const session = await openSession({ address: videoAddress(), ticket, iceServers, lost: () => lose() });
  const setFeeds = (next: readonly Feed[]) => {
    if (next === feeds || over) return;
    feeds = next;
    events.feeds();
  };

  /** Another way is tried first, as people keep what they see; then all is made anew. */
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
    // Twice: after a page was held up, its timers may come before the answers that wait for it too.
    deadBeats = session.isDead() ? deadBeats + 1 : 0;
    if (deadBeats >= 2) return lose();
    beats += 1;
    if (!told && publisher && feeds.length > 0 && beats % POLL_BEATS === 0)
      publisher.list().then(
        (data) => setFeeds(applyList(feeds, data)),
        () => undefined,
      );
  }, BEAT_MS);
  try {
    const subscriber = createSubscriber({
      session,
      me,
      room,
      msid: flags.msid,
      seal,
      events: {
        streams: events.arriving,
        layers: events.layers,
        ice: (state) => downFalters(state),
        lost: () => lose(),
      },
    });
    const downFalters = falters(subscriber.pc, subscriber.restartIce);
    const joined = await joinRoom({
      session,
      me,
      room,
      flags,
      seal,
      events: {
        room(data) {
          told ||= data.videoroom === 'talking' || data.videoroom === 'stopped-talking';
          for (const gone of [data.leaving, data.unpublished, data.kicked])
            if (typeof gone === 'number') subscriber.forget(gone);
          setFeeds(applyEvent(feeds, data, me.id));
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
    publisher = joined;
    const upFalters = falters(joined.pc, joined.restartIce);
    return {
      feeds: () => feeds,
      publisher: joined,
      subscriber,
      publish: (tracks, sending, highQuality) => joined.publish(tracks, sending, { bitrate, highQuality }),
      probe() {
        if (over) return;
        const timer = setTimeout(lose, PROBE_MS);
        timers.add(timer);
        const alive = () => {
          clearTimeout(timer);
          timers.delete(timer);
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
            new Promise((resolve) => setTimeout(resolve, PROBE_MS)),
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
