/** One room in one thread: its handles, the plugin's verbs, and what happens unasked. Shapes and words are those of Janus 1.x' videoroom, multistream. */
import { randomInt } from 'node:crypto';
import type { EngineEvent, Jsep, PluginBody, RoomSpec } from '../../video.types.ts';
import { createForwarding } from '../media/index.ts';
import { refuseSdp } from '../sdp/sdp.parse.ts';
import { addWishes, loseSource, readWishes, summary } from './m-lines.ts';
import { configurePublisher, describePublisher, endPublishing, negotiate, notify, talkingOf } from './publisher.ts';
import { read } from './requests.ts';
import {
  ERROR,
  Refusal,
  type Handle,
  type Member,
  type Outcome,
  type Publisher,
  type RoomPlatform,
  type RoomState,
  type Subscriber,
} from './room.types.ts';
import { createSubscriber, endSubscribing, offer, subscriberRequest } from './subscriber.ts';

export interface RoomStats {
  publishers: number;
  subscribers: number;
  packetsIn: number;
  packetsOut: number;
  retransmitted: number;
}

export interface Room {
  attach(member: Member): Handle;
  /** One request; refusals come as data. */
  request(handle: Handle, body: PluginBody, jsep: Jsep | undefined): Outcome;
  hangup(handle: Handle): void;
  detach(handle: Handle): void;
  /** Every 10 to 20 ms. */
  tick(nowMs: number): void;
  /** Once a second: lines that were not heard of, losses. */
  look(nowMs: number): void;
  stats(): RoomStats;
  /** Ends everything; members hear `destroyed` and `hangup`. */
  close(): void;
}

/** Packets lost in a second from which the handle hears of a slow link; Janus' own default. */
const SLOW_LINK_LOST = 4;

const failed = (code: number, error: string): Outcome => ({ data: { videoroom: 'event', error_code: code, error } });

/**
 * Opens a room. In: its numbers, what the thread lends it, and where events go.
 * `nextHandle` numbers handles; numbers never repeat in a thread.
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
    participants: new Map(),
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
        notify(
          room,
          publisher,
          {
            videoroom: talking ? 'talking' : 'stopped-talking',
            room: spec.therapistId,
            id: publisher.id,
            mindex,
            mid,
            'audio-level-dBov-avg': averageLevel,
          },
          true,
        );
      },
      onLayer(slot, substream, temporal) {
        const stream = room.subscriptionOf.get(slot);
        if (!stream || substream < 0 || (stream.source?.accepted?.rids.length ?? 0) === 0) return;
        const { handle } = stream.subscriber;
        room.emit(handle, {
          kind: 'event',
          handle: handle.number,
          data: { videoroom: 'event', room: spec.therapistId, mid: stream.mid, substream, temporal },
        });
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

  /** Takes a publisher out of the room; `word` is what the others hear. */
  function leave(publisher: Publisher, word: 'leaving' | 'kicked', reason: string) {
    if (publisher.gone) return;
    publisher.gone = true;
    room.participants.delete(publisher.id);
    notify(room, publisher, { videoroom: 'event', room: spec.therapistId, [word]: publisher.id });
    endPublishing(room, publisher, reason);
  }

  function endLine(part: Publisher | Subscriber, reason: string) {
    if (part.kind === 'subscriber') endSubscribing(room, part, reason);
    else endPublishing(room, part, reason);
  }

  function joinAsPublisher(handle: Handle, body: PluginBody, jsep: Jsep | undefined, verb: string): Outcome {
    const id = read.number(body, 'id') ?? handle.member.person.id;
    const display = read.text(body, 'display') ?? null;
    const bitrate = read.number(body, 'bitrate') ?? 0;
    if (room.participants.has(id)) throw new Refusal(ERROR.idExists, `User ID ${id} already exists`);
    const publisher: Publisher = {
      kind: 'publisher',
      handle,
      id,
      display,
      privateId: randomInt(1, 2 ** 32),
      streams: [],
      bySsrc: new Map(),
      peer: null,
      uplink: null,
      started: false,
      gone: false,
      kicked: false,
      bitrate,
      e2ee: false,
      sdp: { id: randomInt(1, 2 ** 47), version: 0 },
      remoteUfrag: '',
    };
    const data = {
      videoroom: 'joined',
      room: spec.therapistId,
      description: `Room ${spec.therapistId}`,
      id,
      private_id: publisher.privateId,
      publishers: [...room.participants.values()].filter(({ started }) => started).map(describePublisher),
    };
    room.participants.set(id, publisher);
    handle.part = publisher;
    if (verb !== 'joinandconfigure' || !jsep) return { data };
    try {
      return negotiate(room, publisher, body, jsep, data);
    } catch (error) {
      // The plugin has joined by then, and so has this handle.
      if (error instanceof Refusal) return failed(error.code, error.message);
      throw error;
    }
  }

  function joinAsSubscriber(handle: Handle, body: PluginBody): Outcome {
    let entries = read.list(body, 'streams');
    const legacy = !entries || entries.length === 0;
    if (!entries || entries.length === 0) {
      const feed = read.number(body, 'feed');
      if (feed === undefined)
        throw new Refusal(ERROR.missingElement, "At least one between 'streams' and 'feed' must be specified");
      entries = [{ feed }];
    }
    const wishes = readWishes(room, entries);
    const offers = { audio: read.flag(body, 'offer_audio') ?? true, video: read.flag(body, 'offer_video') ?? true };
    if (legacy)
      for (const wish of wishes) wish.sources = wish.sources.filter(({ type }) => type !== 'data' && offers[type]);
    if (wishes.every(({ sources }) => sources.length === 0))
      throw new Refusal(ERROR.invalidSdp, "Can't offer an SDP with no stream");
    const subscriber = createSubscriber(handle, {
      useMsid: read.flag(body, 'use_msid') ?? false,
      autoUpdate: read.flag(body, 'autoupdate') ?? true,
    });
    try {
      addWishes(room, subscriber, wishes);
    } catch (error) {
      for (const stream of subscriber.streams) loseSource(room, stream);
      throw error;
    }
    handle.part = subscriber;
    room.subscribers.add(subscriber);
    const publisher = wishes[0]?.sources[0]?.publisher;
    const jsep = offer(room, subscriber);
    return {
      data: {
        videoroom: 'attached',
        room: spec.therapistId,
        ...(legacy &&
          publisher && {
            id: publisher.id,
            ...(publisher.display !== null && { display: publisher.display }),
            warning: 'deprecated_api',
          }),
        streams: summary(subscriber),
      },
      jsep,
    };
  }

  function join(handle: Handle, body: PluginBody, jsep: Jsep | undefined, verb: string): Outcome {
    const ptype = read.string(body, 'ptype');
    if (ptype === 'publisher') return joinAsPublisher(handle, body, jsep, verb);
    if (ptype === 'subscriber') return joinAsSubscriber(handle, body);
    throw new Refusal(ERROR.invalidElement, 'Invalid element (ptype)');
  }

  function publisherRequest(publisher: Publisher, verb: string, body: PluginBody, jsep: Jsep | undefined): Outcome {
    const joins = verb === 'join' || verb === 'joinandconfigure';
    if (publisher.gone)
      throw joins
        ? new Refusal(ERROR.alreadyJoined, 'Not in a room (create a new handle)')
        : new Refusal(ERROR.noSuchRoom, 'No such room');
    if (joins) throw new Refusal(ERROR.alreadyJoined, 'Already in as a publisher on this handle');
    switch (verb) {
      case 'configure':
      case 'publish':
        return configurePublisher(room, publisher, body, jsep, verb);
      case 'unpublish':
        if (!publisher.started) throw new Refusal(ERROR.notPublished, "Can't unpublish, not published");
        endLine(publisher, 'Close PC');
        return { data: { videoroom: 'event', room: spec.therapistId, unpublished: 'ok' } };
      case 'leave':
        leave(publisher, 'leaving', 'Close PC');
        return { data: { videoroom: 'event', room: spec.therapistId, leaving: 'ok' } };
      default:
        throw new Refusal(ERROR.invalidRequest, `Unknown request '${verb.slice(0, 64)}'`);
    }
  }

  /** Requests that any handle may make, joined or not; null when it is none of them. */
  function anybodysRequest(verb: string, body: PluginBody): Outcome | null {
    switch (verb) {
      case 'exists':
        return { data: { videoroom: 'success', room: spec.therapistId, exists: true } };
      case 'create':
        throw new Refusal(ERROR.roomExists, `Room ${spec.therapistId} already exists`);
      case 'listparticipants':
        return {
          data: {
            videoroom: 'participants',
            room: spec.therapistId,
            participants: [...room.participants.values()].map((publisher) => {
              const talking = publisher.started ? talkingOf(publisher) : undefined;
              return {
                id: publisher.id,
                ...(publisher.display !== null && { display: publisher.display }),
                publisher: publisher.started,
                ...(talking !== undefined && { talking }),
              };
            }),
          },
        };
      case 'moderate': {
        const publisher = participant(read.id(body, 'id'));
        const mid = read.string(body, 'mid');
        const muted = read.must(body, 'mute');
        const stream = publisher.streams.find((candidate) => candidate.mid === mid);
        if (!stream) throw new Refusal(ERROR.noSuchFeed, `No such stream ${mid.slice(0, 32)}`);
        stream.muted = muted;
        stream.track?.mute(muted || !stream.active);
        notify(
          room,
          publisher,
          {
            videoroom: 'event',
            room: spec.therapistId,
            id: publisher.id,
            mid,
            moderation: muted ? 'muted' : 'unmuted',
          },
          true,
        );
        return { data: { videoroom: 'success' } };
      }
      case 'kick': {
        const publisher = participant(read.id(body, 'id'));
        publisher.kicked = true;
        room.emit(publisher.handle, {
          kind: 'event',
          handle: publisher.handle.number,
          data: { videoroom: 'event', room: spec.therapistId, leaving: 'ok', reason: 'kicked' },
        });
        leave(publisher, 'kicked', 'Close PC');
        return { data: { videoroom: 'success' } };
      }
      default:
        return null;
    }
  }

  function participant(id: number): Publisher {
    const publisher = room.participants.get(id);
    if (!publisher) throw new Refusal(ERROR.noSuchFeed, `No such user ${id} in room ${spec.therapistId}`);
    return publisher;
  }

  function answer(handle: Handle, body: PluginBody, jsep: Jsep | undefined): Outcome {
    const verb = read.string(body, 'request');
    const number = read.number(body, 'room');
    if (closed || (number !== undefined && number !== spec.therapistId))
      throw new Refusal(ERROR.noSuchRoom, `No such room (${number ?? spec.therapistId})`);
    const refused = jsep && refuseSdp(jsep.sdp);
    if (refused) throw new Refusal(ERROR.invalidSdp, refused);
    const common = anybodysRequest(verb, body);
    if (common) return common;
    if (!handle.part) {
      if (verb !== 'join' && verb !== 'joinandconfigure')
        throw new Refusal(ERROR.joinFirst, 'Invalid request on unconfigured participant');
      return join(handle, body, jsep, verb);
    }
    return handle.part.kind === 'publisher'
      ? publisherRequest(handle.part, verb, body, jsep)
      : subscriberRequest(room, handle.part, verb, body, jsep);
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
      room.emit(handle, { kind: 'slowlink', handle: handle.number, uplink, lost, mid: record.mid, media: record.type });
  }

  return {
    attach(member) {
      const handle: Handle = { number: nextHandle(), member, part: null };
      handles.add(handle);
      return handle;
    },
    request(handle, body, jsep) {
      try {
        return answer(handle, body, jsep);
      } catch (error) {
        if (error instanceof Refusal) return failed(error.code, error.message);
        throw error;
      }
    },
    hangup(handle) {
      if (handle.part) endLine(handle.part, 'Janus API');
    },
    detach(handle) {
      if (handle.part?.kind === 'publisher') leave(handle.part, 'leaving', 'Detach');
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
            if (stream.slot) lookAtLosses(handle, stream, stream.slot.stats().lostInAll, false);
        }
      }
    },
    stats() {
      const { packetsIn, packetsOut, retransmitted } = room.forwarding.stats();
      return {
        publishers: [...room.participants.values()].filter(({ started }) => started).length,
        subscribers: [...room.subscribers].filter(({ started }) => started).length,
        packetsIn,
        packetsOut,
        retransmitted,
      };
    },
    close() {
      if (closed) return;
      closed = true;
      for (const publisher of room.participants.values())
        room.emit(publisher.handle, {
          kind: 'event',
          handle: publisher.handle.number,
          data: { videoroom: 'destroyed', room: spec.therapistId },
        });
      for (const { part } of handles) {
        // Nobody is left to hear who left whom.
        if (part?.kind === 'publisher') {
          part.gone = true;
          room.participants.delete(part.id);
        }
      }
      for (const { part } of handles) if (part?.kind === 'subscriber') endSubscribing(room, part, 'Close PC');
      for (const { part } of handles) if (part?.kind === 'publisher') endPublishing(room, part, 'Close PC');
      room.forwarding.close();
    },
  };
}
