/**
 * Carries out a browser's requests to the videoroom once they are parsed. It answers from what the gateway knows, or
 * asks the engine with what the server decides (ids, names, caps, what is hidden).
 */
import { isDeepStrictEqual } from 'node:util';
import { displayName } from '@fieldroom/contract/video';
import type { Member } from '../members/tickets.ts';
import {
  type EngineReply,
  type EngineRequest,
  type GatewayReply,
  type Jsep,
  type PublisherRestrictions,
  type PublishOptions,
  REFUSAL,
  type StreamChange,
  type StreamWish,
} from '../video.types.ts';
import { RoomRefusal } from './janus-wire.ts';
import type { RoomRequest } from './requests.ts';
import type { Handle, Rooms } from './rooms.ts';

type Of<K extends RoomRequest['kind']> = Extract<RoomRequest, { kind: K }>;

export interface RoomRequests {
  /** Answers what is known without the engine. Throws RoomRefusal. */
  known(member: Member, request: RoomRequest): GatewayReply;
  /** Carries out any other request, in the handle's turn. Throws RoomRefusal. */
  ask(handle: Handle, request: RoomRequest, jsep: Jsep | undefined): Promise<EngineReply>;
}

/** Takes what the gateway knows of the rooms. */
export function createRoomRequests(rooms: Rooms): RoomRequests {
  const toEngine = (handle: Handle, request: EngineRequest, jsep?: Jsep) =>
    handle.session.engine.request(handle.inner, request, jsep);

  /** What the server decides about a handle. Throws 426 when the room is over. */
  function restrictions<T>(of: (handle: Handle) => T | null, handle: Handle): T {
    const found = of(handle);
    if (found === null) throw new RoomRefusal(REFUSAL.noSuchRoom, 'No such room');
    return found;
  }

  /** The streams this person may have. Throws 428 when none of them is left. */
  function allowed(handle: Handle, streams: readonly StreamWish[]): StreamWish[] {
    const left = rooms.allowed(handle, streams);
    if (left.length === 0) throw new RoomRefusal(REFUSAL.noSuchFeed, 'No such feed');
    return left;
  }

  async function join(
    handle: Handle,
    request: Of<'joinPublisher' | 'joinAndPublish'>,
    jsep: Jsep | undefined,
  ): Promise<EngineReply> {
    const { personId: id, as } = handle.session.member;
    const display = displayName({ as, id });
    const restricted = restrictions(rooms.publisherRestrictions, handle);
    let reply: EngineReply | null = null;
    await rooms.joinPublisher(handle, async () => {
      reply =
        request.kind === 'joinPublisher'
          ? await toEngine(handle, { kind: 'joinPublisher', id, display })
          : await toEngine(handle, { ...request, kind: 'joinAndPublish', id, display, ...restricted }, jsep);
      return reply.kind !== 'refused';
    });
    // The room has ended since.
    if (reply === null) throw new RoomRefusal(REFUSAL.noSuchRoom, 'No such room');
    if (request.kind === 'joinAndPublish') await published(handle, reply, restricted);
    return reply;
  }

  async function publish(
    handle: Handle,
    request: Extract<EngineRequest, { kind: 'publish' | 'configurePublisher' }>,
    jsep: Jsep | undefined,
  ): Promise<EngineReply> {
    if (jsep !== undefined && jsep.type !== 'offer')
      throw new RoomRefusal(REFUSAL.invalidSdpType, 'An offer is needed');
    const restricted = restrictions(rooms.publisherRestrictions, handle);
    const reply = await toEngine(handle, { ...request, ...restricted }, jsep);
    await published(handle, reply, restricted);
    return reply;
  }

  /** Takes what the engine was told about the publisher, and tells it again what has changed since. */
  async function published(handle: Handle, reply: EngineReply, told: PublisherRestrictions): Promise<void> {
    if (!('publication' in reply) || reply.publication === undefined) return;
    rooms.published(handle, reply.publication.streams);
    // Before the page has the answer, so that nobody is heard who must not be.
    if (!isDeepStrictEqual(rooms.publisherRestrictions(handle), told)) await rooms.enforceNow(handle);
  }

  async function configurePublisher(
    handle: Handle,
    { streams, audio, video, keyframe, restart, update, ...options }: Of<'configurePublisher'>,
    jsep: Jsep | undefined,
  ): Promise<EngineReply> {
    const own = handle.publishes?.streams ?? [];
    // Programs written for Janus 0.x switch by kind. Beside an offer these fields say only what is offered.
    const byKind = own.flatMap(({ mid, type }) => {
      const send = type === 'audio' ? audio : video;
      return jsep !== undefined || send === undefined ? [] : [{ mid, send }];
    });
    const switches = [...byKind, ...streams.flatMap(({ mid, send }) => (send === undefined ? [] : [{ mid, send }]))];
    if (streams.some(({ mid }) => !own.some((stream) => stream.mid === mid)) && jsep === undefined)
      throw new RoomRefusal(REFUSAL.invalidElement, 'Invalid element (streams.mid)');
    const asked = streams.flatMap(({ mid, keyframe: wanted }) => (wanted ? [mid] : []));
    const keyFrames = keyframe ? ('all' as const) : asked.length > 0 ? asked : undefined;
    const { kind, ...published }: { kind: 'configurePublisher' } & PublishOptions = options;
    const hasMore = [keyframe, keyFrames, restart, update, ...Object.values(published)].some(
      (value) => value !== undefined,
    );
    const reply: EngineReply =
      jsep !== undefined || hasMore
        ? await publish(handle, { kind, ...published, keyFrames, restart, update }, jsep)
        : { kind: 'configured' };
    if (reply.kind !== 'refused' && switches.length > 0) {
      rooms.switched(handle, switches);
      await rooms.enforceNow(handle);
    }
    return reply;
  }

  /**
   * What the page wants of the streams it receives. What it may have is a restriction, which the engine keeps
   * separately.
   */
  async function configureSubscriber(
    handle: Handle,
    { mid, send, audio, video, restart, streams, kind, ...layers }: Of<'configureSubscriber'>,
  ): Promise<EngineReply> {
    const changes: StreamChange[] = [
      { mid, media: 'audio' as const, send: send ?? audio },
      { mid, media: 'video' as const, send: send ?? video },
    ].filter((change) => change.send !== undefined);
    if (Object.keys(layers).length > 0) changes.push({ mid, ...layers });
    changes.push(
      ...streams.filter(({ mid: _mid, ...change }) => Object.values(change).some((value) => value !== undefined)),
    );
    if (changes.length === 0 && restart === undefined) return { kind: 'configured' };
    return toEngine(handle, { kind, restart, streams: changes });
  }

  async function joinSubscriber(handle: Handle, request: Of<'joinSubscriber'>): Promise<EngineReply> {
    const restricted = restrictions(rooms.subscriberRestrictions, handle);
    const streams = allowed(handle, request.streams);
    const reply = await toEngine(handle, { ...request, streams, ...restricted });
    if (reply.kind === 'refused') return reply;
    rooms.joinedSubscriber(handle);
    if (!isDeepStrictEqual(rooms.subscriberRestrictions(handle), restricted)) await rooms.enforceNow(handle);
    return reply;
  }

  return {
    known({ as, therapistId }, request) {
      switch (request.kind) {
        case 'create':
          // The room exists as long as the live session; its settings are the server's to decide.
          if (as !== 'therapist') throw new RoomRefusal(REFUSAL.unauthorized, 'Unauthorized');
          return { kind: 'created' };
        case 'exists':
          return { kind: 'exists', room: request.room };
        case 'listParticipants':
          return { kind: 'participants', participants: rooms.participants(therapistId) };
        default:
          throw new RoomRefusal(REFUSAL.invalidRequest, 'Unknown request');
      }
    },

    async ask(handle, request, jsep) {
      switch (request.kind) {
        case 'joinPublisher':
        case 'joinAndPublish':
          return join(handle, request, jsep);
        case 'publish':
          return publish(handle, request, jsep);
        case 'configurePublisher':
          return configurePublisher(handle, request, jsep);
        case 'unpublish': {
          const reply = await toEngine(handle, { kind: 'unpublish' });
          if (reply.kind !== 'refused') rooms.unpublished(handle);
          return reply;
        }
        case 'leave': {
          const reply = await toEngine(handle, { kind: 'leave' });
          if (reply.kind !== 'refused') rooms.tookLeave(handle);
          return reply;
        }
        case 'joinSubscriber':
          return joinSubscriber(handle, request);
        case 'update': {
          const { subscribe, unsubscribe } = request;
          // Only where something is also to go may all of the new wishes be forbidden.
          const wishes =
            subscribe === undefined
              ? []
              : unsubscribe === undefined
                ? allowed(handle, subscribe)
                : rooms.allowed(handle, subscribe);
          return toEngine(handle, { kind: 'update', subscribe: wishes, unsubscribe: unsubscribe ?? [] });
        }
        case 'switch':
          if (allowed(handle, request.streams).length < request.streams.length)
            throw new RoomRefusal(REFUSAL.noSuchFeed, 'No such feed');
          return toEngine(handle, request);
        case 'configureSubscriber':
          return configureSubscriber(handle, request);
        case 'start':
          if (jsep !== undefined && jsep.type !== 'answer')
            throw new RoomRefusal(REFUSAL.invalidSdpType, 'An answer is needed');
          return toEngine(handle, { kind: 'start' }, jsep);
        case 'pause':
          return toEngine(handle, { kind: 'pause' });
        default:
          throw new RoomRefusal(REFUSAL.invalidRequest, 'Unknown request');
      }
    },
  };
}
