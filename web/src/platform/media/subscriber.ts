/**
 * What arrives: one connection for all voices and pictures, changed by `update` as people come, go and are looked at.
 * Source: Janus videoroom 1.x, "VideoRoom Subscribers" (multistream).
 */
import type { RoomData } from './feeds.ts';
import { type Jsep, LineFault, opaqueId, type Plugin, type Session } from './janus.ts';
import type { Seal } from './seal.ts';
import { type Arriving, arrivingOf, difference, type WantedStream } from './wanted.ts';

/** Faults of a subscription in a row before the whole line is taken for broken. */
const TRIES = 6;
const RETRY_MS = 300;

export interface SubscriberParts {
  session: Session;
  me: { id: number };
  room: number;
  msid: boolean;
  seal: Seal | null;
  events: {
    /** Whose streams arrive where, after each change; tracks by `track(at)`. */
    streams(): void;
    /** Which layers arrive on one stream. */
    layers(at: string, layers: { substream?: number; temporal?: number }): void;
    ice(state: RTCIceConnectionState): void;
    lost(): void;
  };
}
export interface Subscriber {
  /** The streams to have from now on; asked for one change after the other, the newest wish wins. */
  want(streams: readonly WantedStream[]): void;
  arriving(): readonly Arriving[];
  track(at: string): MediaStreamTrack | null;
  /** Layers of one picture (0..2 each). */
  setLayers(at: string, layers: { substream?: number; temporal?: number }): void;
  /** A feed ended: what stood for it is void, also where the same person comes again. */
  forget(feed: number): void;
  restartIce(): Promise<void>;
  leave(): Promise<void>;
  pc(): RTCPeerConnection | null;
}

/** Subscribes as soon as something is wanted. */
export function createSubscriber({ session, me, room, msid, seal, events }: SubscriberParts): Subscriber {
  let plugin: Plugin | null = null;
  let wanted: readonly WantedStream[] = [];
  let there: Arriving[] = [];
  let working = false;
  let ended = false;
  let faults = 0;
  /** Offers are answered one after the other, in the order they came. */
  let answering: Promise<void> = Promise.resolve();
  /** What was asked for while an offer was out comes by one more offer; asked for again before that, it would come twice. */
  let promised = false;
  const tracks = new Map<string, MediaStreamTrack>();
  const pcOf = () => plugin?.handle.webrtcStuff.pc ?? null;

  function take(data: RoomData) {
    if (data.streams === undefined) return;
    there = arrivingOf(data.streams);
    for (const { at, feed } of there) seal?.expect(at, feed);
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
    // The server takes streams off by itself when somebody leaves and comes again.
    void work();
  }
  async function answer(offer: Jsep) {
    if (!plugin || ended) return;
    const own = await plugin.answer(offer, seal?.legacy ? { externalEncryption: true } : {});
    await plugin.ask(
      { request: 'start' },
      { jsep: seal ? { ...own, e2ee: true } : own, until: ({ started }) => started === 'ok' },
    );
    events.streams();
  }
  async function open() {
    plugin = await session.attach(opaqueId(me.id, 'in'), {
      message: hear,
      remoteTrack(track, at, on) {
        if (on && seal && tracks.get(at) !== track) {
          const receiver = pcOf()
            ?.getReceivers()
            .find((one) => one.track === track);
          if (receiver) seal.open(receiver, track.kind as 'audio' | 'video', at);
        }
        // The same line of media keeps its track over pauses; only a closed connection ends it.
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
            // An offer that is on its way here has to be answered first, which waits for this request's end.
            { until: ({ videoroom }) => videoroom === 'updated' || videoroom === 'updating' },
          );
          // Without its list of streams an answer would be asked for for ever.
          if (data.streams === undefined)
            there = [
              ...there.filter((one) => !unsubscribe.some(({ feed, mid }) => one.feed === feed && one.mid === mid)),
            ];
        }
        await answering;
        faults = 0;
        if (promised) break;
        const left = difference(there, wanted).subscribe;
        // What was asked for and did not come is gone, and its feed's end is on its way.
        if (
          left.length > 0 &&
          left.every(({ feed, mid }) => subscribe.some((name) => name.feed === feed && name.mid === mid))
        )
          throw new LineFault(0, 'not there');
      }
    } catch (fault) {
      if (plugin && there.length === 0 && !pcOf()) {
        // A join that named a feed just gone was refused as a whole.
        plugin.detach();
        plugin = null;
      }
      faults += 1;
      if (!ended && faults >= TRIES && fault instanceof LineFault && fault.message !== 'not there') events.lost();
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
