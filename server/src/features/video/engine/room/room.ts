/**
 * One room in one thread: its handles, what is asked of them, and the events it sends by itself. It behaves as the
 * videoroom plugin of Janus 1.x (multistream) does.
 */
import { randomInt } from 'node:crypto';
import { REFUSAL, type EngineEvent, type EngineRequest, type Jsep, type RoomSpec } from '../../video.types.ts';
import { createForwarding } from '../forwarding/forwarding.ts';
import { refuseSdp } from '../sdp/sdp.parse.ts';
import { addWishes, findWishes, loseSource, summary } from './m-lines.ts';
import { configurePublisher, describePublisher, endPublishing, negotiate, notify } from './publisher-handle.ts';
import {
  Refusal,
  type Handle,
  type Member,
  type Outcome,
  type Publisher,
  type RoomPlatform,
  type RoomState,
  type Subscriber,
} from './room.types.ts';
import { createSubscriber, endSubscribing, offer, subscriberRequest } from './subscriber-handle.ts';

interface RoomStats {
  publishers: number;
  subscribers: number;
  packetsIn: number;
  packetsOut: number;
  retransmitted: number;
}

export interface Room {
  attach(member: Member): Handle;
  /** Carries out one request. Refusals are replies. */
  request(handle: Handle, request: EngineRequest, jsep: Jsep | undefined): Outcome;
  hangup(handle: Handle): void;
  detach(handle: Handle): void;
  /** Every 10 to 20 ms. */
  tick(nowMs: number): void;
  /** Once a second: ends connections that have gone silent, and reports losses. */
  look(nowMs: number): void;
  stats(): RoomStats;
  /** Ends everything; members hear `destroyed` and `hangup`. */
  close(): void;
}

/** Packets lost in a second from which the handle hears of a slow link; Janus' own default. */
const SLOW_LINK_LOST = 4;

const refused = ({ code, message }: Refusal): Outcome => ({ reply: { kind: 'refused', code, message } });

/**
 * Opens a room. Takes its spec, what the thread lends it, where events go, and `nextHandle`, which numbers handles
 * (never repeated in a thread).
 */
export function createRoom(
  spec: RoomSpec,
  platform: RoomPlatform,
  emit: (handle: Handle, event: EngineEvent) => void,
  nextHandle: () => number,
): Room {
  const handles = new Set<Handle>();
  let closed = false;
  const room: RoomState = {
    spec,
    platform,
    publishers: new Map(),
    subscribers: new Set(),
    streamOf: new Map(),
    subscriptionOf: new Map(),
    emit: (handle, event) => {
      if (handles.has(handle)) emit(handle, event);
    },
    forwarding: createForwarding({
      epochMs: performance.timeOrigin,
      loudestVoices: spec.loudestVoices,
      talkingLevel: spec.talkingLevel,
      talkingPackets: spec.talkingPackets,
      keyframeSeconds: spec.keyframeSeconds,
      onTalking(track, talking, averageLevel) {
        const stream = room.streamOf.get(track);
        if (!stream) return;
        stream.talking = talking;
        const { publisher, mindex, mid } = stream;
        notify(room, publisher, { kind: 'talking', id: publisher.id, talking, mindex, mid, level: averageLevel }, true);
      },
      onLayer(track, substream, temporal) {
        const stream = room.subscriptionOf.get(track);
        if (!stream || substream < 0 || (stream.source?.accepted?.rids.length ?? 0) === 0) return;
        const { handle } = stream.subscriber;
        room.emit(handle, { kind: 'layers', handle: handle.number, mid: stream.mid, substream, temporal });
      },
      onMedia(track, layer, receiving) {
        const stream = room.streamOf.get(track);
        if (!stream || stream.type === 'data') return;
        const { handle } = stream.publisher;
        const substream = (stream.accepted?.rids.length ?? 0) > 0 ? { substream: layer } : {};
        room.emit(handle, {
          kind: 'media',
          handle: handle.number,
          mid: stream.mid,
          media: stream.type,
          receiving,
          ...substream,
        });
      },
    }),
  };

  /** Takes a publisher out of the room. */
  function leave(publisher: Publisher, reason: string) {
    if (publisher.gone) return;
    publisher.gone = true;
    room.publishers.delete(publisher.id);
    notify(room, publisher, { kind: 'leaving', id: publisher.id });
    endPublishing(room, publisher, reason);
  }

  function endConnection(part: Publisher | Subscriber, reason: string) {
    if (part.kind === 'subscriber') endSubscribing(room, part, reason);
    else endPublishing(room, part, reason);
  }

  type PublisherJoin = Extract<EngineRequest, { kind: 'joinPublisher' | 'joinAndPublish' }>;
  function joinAsPublisher(handle: Handle, request: PublisherJoin, jsep: Jsep | undefined): Outcome {
    const { id, display } = request;
    if (room.publishers.has(id)) throw new Refusal(REFUSAL.idExists, `User ID ${id} already exists`);
    const publisher: Publisher = {
      kind: 'publisher',
      handle,
      id,
      display,
      privateId: randomInt(1, 2 ** 32),
      streams: [],
      bySsrc: new Map(),
      peer: null,
      media: null,
      started: false,
      gone: false,
      bitrate: (request.kind === 'joinAndPublish' && request.bitrate) || 0,
      silent: (request.kind === 'joinAndPublish' && request.silent) || { audio: false, mids: [] },
      e2ee: false,
      sdp: { id: randomInt(1, 2 ** 47), version: 0 },
      remoteUfrag: '',
    };
    const joined = {
      kind: 'joined' as const,
      id,
      privateId: publisher.privateId,
      description: `Room ${spec.therapistId}`,
      publishers: [...room.publishers.values()].filter(({ started }) => started).map(describePublisher),
    };
    room.publishers.set(id, publisher);
    handle.part = publisher;
    if (request.kind === 'joinPublisher' || !jsep) return { reply: joined };
    try {
      const { after, ...published } = negotiate(room, publisher, request, jsep);
      return { reply: { ...joined, ...published }, after };
    } catch (error) {
      // As with Janus, the handle has joined even though its offer is refused.
      if (error instanceof Refusal) return refused(error);
      throw error;
    }
  }

  type SubscriberJoin = Extract<EngineRequest, { kind: 'joinSubscriber' }>;
  function joinAsSubscriber(handle: Handle, request: SubscriberJoin): Outcome {
    const { streams, useMsid, autoUpdate, videoFrom } = request;
    const wishes = findWishes(room, streams);
    if (wishes.every(({ sources }) => sources.length === 0))
      throw new Refusal(REFUSAL.invalidSdp, "Can't offer an SDP with no stream");
    const subscriber = createSubscriber(handle, {
      useMsid: useMsid ?? false,
      autoUpdate: autoUpdate ?? true,
      videoFrom: videoFrom ?? 'everybody',
    });
    try {
      addWishes(room, subscriber, wishes);
    } catch (error) {
      for (const stream of subscriber.streams) loseSource(room, stream);
      throw error;
    }
    handle.part = subscriber;
    room.subscribers.add(subscriber);
    const jsep = offer(room, subscriber);
    return { reply: { kind: 'attached', streams: summary(subscriber), jsep } };
  }

  function join(handle: Handle, request: EngineRequest, jsep: Jsep | undefined): Outcome {
    switch (request.kind) {
      case 'joinPublisher':
      case 'joinAndPublish':
        return joinAsPublisher(handle, request, jsep);
      case 'joinSubscriber':
        return joinAsSubscriber(handle, request);
      default:
        throw new Refusal(REFUSAL.joinFirst, 'Invalid request on unconfigured participant');
    }
  }

  function publisherRequest(publisher: Publisher, request: EngineRequest, jsep: Jsep | undefined): Outcome {
    const joins = request.kind.startsWith('join');
    if (publisher.gone)
      throw joins
        ? new Refusal(REFUSAL.alreadyJoined, 'Not in a room (create a new handle)')
        : new Refusal(REFUSAL.noSuchRoom, 'No such room');
    if (joins) throw new Refusal(REFUSAL.alreadyJoined, 'Already in as a publisher on this handle');
    switch (request.kind) {
      case 'publish':
      case 'configurePublisher':
        return configurePublisher(room, publisher, request, jsep);
      case 'unpublish':
        if (!publisher.started) throw new Refusal(REFUSAL.notPublished, "Can't unpublish, not published");
        endConnection(publisher, 'Close PC');
        return { reply: { kind: 'unpublished' } };
      case 'leave':
        leave(publisher, 'Close PC');
        return { reply: { kind: 'leaving' } };
      default:
        throw new Refusal(REFUSAL.invalidRequest, 'Not a subscriber');
    }
  }

  function carryOut(handle: Handle, request: EngineRequest, jsep: Jsep | undefined): Outcome {
    if (closed) throw new Refusal(REFUSAL.noSuchRoom, `No such room (${spec.therapistId})`);
    const badSdp = jsep && refuseSdp(jsep.sdp);
    if (badSdp) throw new Refusal(REFUSAL.invalidSdp, badSdp);
    if (!handle.part) return join(handle, request, jsep);
    return handle.part.kind === 'publisher'
      ? publisherRequest(handle.part, request, jsep)
      : subscriberRequest(room, handle.part, request, jsep);
  }

  function lookAtLosses(
    handle: Handle,
    record: { lost: number; mid: string; type: 'audio' | 'video' | 'data' },
    lostInAll: number,
    uplink: boolean,
  ) {
    const lost = lostInAll - record.lost;
    record.lost = lostInAll;
    if (lost >= SLOW_LINK_LOST && record.type !== 'data')
      room.emit(handle, {
        kind: 'slowlink',
        handle: handle.number,
        uplink,
        lost,
        mid: record.mid,
        media: record.type,
      });
  }

  return {
    attach(member) {
      const handle: Handle = { number: nextHandle(), member, part: null };
      handles.add(handle);
      return handle;
    },
    request(handle, request, jsep) {
      try {
        return carryOut(handle, request, jsep);
      } catch (error) {
        if (error instanceof Refusal) return refused(error);
        throw error;
      }
    },
    hangup(handle) {
      if (handle.part) endConnection(handle.part, 'Janus API');
    },
    detach(handle) {
      if (handle.part?.kind === 'publisher') leave(handle.part, 'Detach');
      else if (handle.part) {
        endSubscribing(room, handle.part, 'Detach');
        room.subscribers.delete(handle.part);
      }
      handle.part = null;
      room.emit(handle, { kind: 'detached', handle: handle.number });
      handles.delete(handle);
    },
    tick: (nowMs) => room.forwarding.tick(nowMs),
    look(nowMs) {
      for (const handle of handles) {
        const { part } = handle;
        part?.peer?.tick(nowMs);
        if (part?.kind === 'publisher') {
          for (const stream of part.streams)
            if (stream.track)
              lookAtLosses(
                handle,
                stream,
                stream.track.stats().layers.reduce((sum, { lost }) => sum + lost, 0),
                true,
              );
        } else if (part) {
          for (const stream of part.streams)
            if (stream.track) lookAtLosses(handle, stream, stream.track.stats().lostInAll, false);
        }
      }
    },
    stats() {
      const { packetsIn, packetsOut, retransmitted } = room.forwarding.stats();
      return {
        publishers: [...room.publishers.values()].filter(({ started }) => started).length,
        subscribers: [...room.subscribers].filter(({ started }) => started).length,
        packetsIn,
        packetsOut,
        retransmitted,
      };
    },
    close() {
      if (closed) return;
      closed = true;
      for (const publisher of room.publishers.values())
        room.emit(publisher.handle, { kind: 'destroyed', handle: publisher.handle.number });
      for (const { part } of handles) {
        // Nobody is left to be told who left.
        if (part?.kind === 'publisher') {
          part.gone = true;
          room.publishers.delete(part.id);
        }
      }
      for (const { part } of handles) if (part?.kind === 'subscriber') endSubscribing(room, part, 'Close PC');
      for (const { part } of handles) if (part?.kind === 'publisher') endPublishing(room, part, 'Close PC');
      room.forwarding.close();
    },
  };
}
