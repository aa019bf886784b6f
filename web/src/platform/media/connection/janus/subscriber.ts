/**
 * The subscriber: one peer connection for everything received, changed by `update` as people come, go and are shown.
 * Source: Janus videoroom 1.x, "VideoRoom Subscribers" (multistream).
 */
import type { RoomData } from './publisherList.ts';
import { type Jsep, ConnectionFault, opaqueId, type Plugin, type Session } from './janusSession.ts';
import type { ConnectionEncryption } from '../../encryption/encodedTransform.ts';
import { type ReceivedStream, readReceivedStreams, difference, type WantedStream } from './subscription.ts';

/** Failed subscriptions in a row before the whole connection counts as broken. */
const TRIES = 6;
const RETRY_MS = 300;

export interface SubscriberParts {
  session: Session;
  me: { id: number };
  room: number;
  msid: boolean;
  encryption: ConnectionEncryption | null;
  events: {
    /** Which stream arrives on which m-line has changed; read the tracks by `track(at)`. */
    streams(): void;
    /** The layers received on one m-line. */
    layers(at: string, layers: { substream?: number; temporal?: number }): void;
    ice(state: RTCIceConnectionState): void;
    lost(): void;
  };
}
export interface Subscriber {
  /** Sets the streams to receive from now on. Changes are requested one after the other; the newest call wins. */
  want(streams: readonly WantedStream[]): void;
  arriving(): readonly ReceivedStream[];
  track(at: string): MediaStreamTrack | null;
  /** Sets the layers of one video (0..2 each). */
  setLayers(at: string, layers: { substream?: number; temporal?: number }): void;
  /** A publisher has left: forget its streams, even if the same person comes back. */
  forget(feed: number): void;
  restartIce(): Promise<void>;
  leave(): Promise<void>;
  pc(): RTCPeerConnection | null;
}

/** Makes a subscriber; it subscribes as soon as something is wanted. */
export function createSubscriber({ session, me, room, msid, encryption, events }: SubscriberParts): Subscriber {
  let plugin: Plugin | null = null;
  let wanted: readonly WantedStream[] = [];
  let there: ReceivedStream[] = [];
  let working = false;
  let ended = false;
  let faults = 0;
  /** Offers are answered one after the other, in the order they came. */
  let answering: Promise<void> = Promise.resolve();
  /**
   * What was requested while an offer was out arrives with one more offer; if it were requested again before that, it
   * would arrive twice.
   */
  let promised = false;
  const tracks = new Map<string, MediaStreamTrack>();
  const pcOf = () => plugin?.handle.webrtcStuff.pc ?? null;

  function take(data: RoomData) {
    if (data.streams === undefined) return;
    there = readReceivedStreams(data.streams);
    for (const { at, feed } of there) encryption?.expect(at, feed);
    events.streams();
  }
  function hear(data: RoomData, jsep: Jsep | undefined) {
    if (ended) return;
    if (data.videoroom === 'updating' || data.videoroom === 'updated') promised = data.videoroom === 'updating';
    if (jsep?.type === 'offer') answering = answering.then(() => answer(jsep)).catch(() => events.lost());
    if (data.videoroom === 'attached' || data.videoroom === 'updated') take(data);
    if (data.mid !== undefined && (data.substream !== undefined || data.temporal !== undefined))
      events.layers(data.mid, {
        ...(data.substream === undefined ? {} : { substream: data.substream }),
        ...(data.temporal === undefined ? {} : { temporal: data.temporal }),
      });
    // The server itself removes streams when somebody leaves and comes back.
    void work();
  }
  async function answer(offer: Jsep) {
    if (!plugin || ended) return;
    const own = await plugin.answer(offer, encryption?.legacy ? { externalEncryption: true } : {});
    await plugin.ask(
      { request: 'start' },
      { jsep: encryption ? { ...own, e2ee: true } : own, until: ({ started }) => started === 'ok' },
    );
    events.streams();
  }
  async function open() {
    plugin = await session.attach(opaqueId(me.id, 'in'), {
      message: hear,
      remoteTrack(track, at, on) {
        if (on && encryption && tracks.get(at) !== track) {
          const receiver = pcOf()
            ?.getReceivers()
            .find((one) => one.track === track);
          if (receiver) encryption.decrypt(receiver, track.kind as 'audio' | 'video', at);
        }
        // An m-line keeps its track during pauses; only a closed connection ends it.
        if (on) tracks.set(at, track);
        events.streams();
      },
      ice: (state) => events.ice(state),
      lost: () => !ended && events.lost(),
    });
    await plugin.ask(
      {
        request: 'join',
        ptype: 'subscriber',
        room,
        streams: wanted.map(({ feed, mid }) => ({ feed, mid })),
        ...(msid ? { use_msid: true } : {}),
      },
      { until: ({ videoroom }) => videoroom === 'attached' },
    );
  }
  async function work() {
    if (working || ended) return;
    working = true;
    try {
      for (;;) {
        await answering;
        if (promised) break;
        const { subscribe, unsubscribe } = difference(there, wanted);
        if (ended || (subscribe.length === 0 && unsubscribe.length === 0)) break;
        if (!plugin) {
          if (wanted.length === 0) break;
          await open();
        } else {
          const { data } = await plugin.ask(
            {
              request: 'update',
              ...(subscribe.length > 0 ? { subscribe } : {}),
              ...(unsubscribe.length > 0 ? { unsubscribe } : {}),
            },
            // An offer on its way here must be answered first, and its answer waits for the end of this request.
            { until: ({ videoroom }) => videoroom === 'updated' || videoroom === 'updating' },
          );
          // Without the list of streams in the reply, the same request would be repeated endlessly.
          if (data.streams === undefined)
            there = [
              ...there.filter((one) => !unsubscribe.some(({ feed, mid }) => one.feed === feed && one.mid === mid)),
            ];
        }
        await answering;
        faults = 0;
        if (promised) break;
        const left = difference(there, wanted).subscribe;
        // Requested streams that did not arrive have ended; the event that says so is on its way.
        if (
          left.length > 0 &&
          left.every(({ feed, mid }) => subscribe.some((name) => name.feed === feed && name.mid === mid))
        )
          throw new ConnectionFault(0, 'not there');
      }
    } catch (fault) {
      if (plugin && there.length === 0 && !pcOf()) {
        // A join that named a publisher who has just left was refused as a whole.
        plugin.detach();
        plugin = null;
      }
      faults += 1;
      if (!ended && faults >= TRIES && fault instanceof ConnectionFault && fault.message !== 'not there') events.lost();
      else if (!ended) setTimeout(() => void work(), Math.min(5_000, RETRY_MS * 2 ** faults));
    } finally {
      working = false;
    }
  }

  return {
    want(streams) {
      wanted = streams;
      void work();
    },
    arriving: () => there,
    track: (at) => tracks.get(at) ?? null,
    setLayers(at, layers) {
      plugin
        ?.ask(
          { request: 'configure', streams: [{ mid: at, ...layers }] },
          { until: ({ configured }) => configured === 'ok' },
        )
        .catch(() => undefined);
    },
    forget(feed) {
      there = there.filter((one) => one.feed !== feed);
      events.streams();
    },
    async restartIce() {
      if (plugin && pcOf())
        await plugin.ask(
          { request: 'configure', restart: true },
          { until: ({ videoroom, configured }) => videoroom === 'updated' || configured === 'ok' },
        );
    },
    async leave() {
      ended = true;
      if (!plugin) return;
      await plugin.ask({ request: 'leave' }, { until: ({ left }) => left === 'ok' }).catch(() => undefined);
      plugin.handle.hangup(false);
      plugin.detach();
    },
    pc: pcOf,
  };
}
