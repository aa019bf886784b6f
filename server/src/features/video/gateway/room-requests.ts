/**
 * Carries out a browser's requests to the videoroom once they are parsed: answers from what the gateway knows, or asks
 * the engine with what the server decides (ids, names, caps, what is hidden).
 */
import { displayName } from '@fieldroom/contract/video';
import type { PluginBody } from '../janus/janus.videoroom.ts';
import type { Member } from '../video.tickets.ts';
import {
  type EngineReply,
  type EngineRequest,
  type Jsep,
  type PublishOptions,
  REFUSAL,
  type StreamWish,
} from '../video.types.ts';
import { RoomRefusal } from './janus-wire.ts';
import type { RoomRequest } from './requests.ts';
import type { Handle, Rooms } from './rooms.ts';

/** What a publisher sends, by the engine's answer: its m-lines that are taken, under the mids of the offer. */
function streamsOf(sdp: string): { mid: string; type: 'audio' | 'video' }[] {
  return sdp
    .split(/\r?\nm=/)
    .slice(1)
    .flatMap((section) => {
      const [, type, port] = /^(audio|video) (\d+)/.exec(section) ?? [];
      const mid = /\r?\na=mid:(\S+)/.exec(section)?.[1];
      const takes = /\r?\na=(?:recvonly|sendrecv)\b/.test(section);
      return (type === 'audio' || type === 'video') && port !== '0' && mid !== undefined && takes
        ? [{ mid, type }]
        : [];
    });
}

type Of<K extends RoomRequest['kind']> = Extract<RoomRequest, { kind: K }>;

export interface RoomRequests {
  /** Answers what is known without the engine. Throws RoomRefusal. */
  known(member: Member, request: RoomRequest): PluginBody;
  /** Carries out any other request, in the handle's turn. Throws RoomRefusal. */
  ask(handle: Handle, request: RoomRequest, jsep: Jsep | undefined): Promise<EngineReply>;
}

/** Takes what the gateway knows of the rooms. */
export function createRoomRequests(rooms: Rooms): RoomRequests {
  const toEngine = (handle: Handle, request: EngineRequest, jsep?: Jsep) =>
    handle.session.engine.request(handle.inner, request, jsep);

  function capOf({ session: { member } }: Handle): number {
    const room = rooms.find(member.therapistId);
    return rooms.capOf(room, member, room?.settings.highQuality ?? false);
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
    const bitrate = capOf(handle);
    let reply: EngineReply | null = null;
    await rooms.joinPublisher(handle, async () => {
      reply =
        request.kind === 'joinPublisher'
          ? await toEngine(handle, { kind: 'joinPublisher', id, display })
          : await toEngine(handle, { ...request, kind: 'joinAndPublish', id, display, bitrate }, jsep);
      return reply.kind !== 'refused';
    });
    // The room ended meanwhile.
    if (reply === null) throw new RoomRefusal(REFUSAL.noSuchRoom, 'No such room');
    if (request.kind === 'joinAndPublish') await published(handle, reply, bitrate);
    return reply;
  }

  async function publish(
    handle: Handle,
    request: Extract<EngineRequest, { kind: 'publish' | 'configurePublisher' }>,
    jsep: Jsep | undefined,
  ): Promise<EngineReply> {
    if (jsep !== undefined && jsep.type !== 'offer')
      throw new RoomRefusal(REFUSAL.invalidSdpType, 'An offer is needed');
    const bitrate = capOf(handle);
    const reply = await toEngine(handle, { ...request, bitrate }, jsep);
    await published(handle, reply, bitrate);
    return reply;
  }

  /** Settles before the page has the answer, so that nobody is heard who must not be. */
  async function published(handle: Handle, reply: EngineReply, cap: number): Promise<void> {
    if (!('jsep' in reply) || reply.jsep === undefined) return;
    rooms.published(handle, streamsOf(reply.jsep.sdp), cap);
    await rooms.settleNow(handle);
  }

  async function configurePublisher(
    handle: Handle,
    { streams, audio, video, keyframe, restart, update, ...options }: Of<'configurePublisher'>,
    jsep: Jsep | undefined,
  ): Promise<EngineReply> {
    const own = handle.sends?.streams ?? [];
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
      await rooms.settleNow(handle);
    }
    return reply;
  }

  async function configureSubscriber(
    handle: Handle,
    { mid, send, audio, video, restart, streams, kind, ...layers }: Of<'configureSubscriber'>,
  ): Promise<EngineReply> {
    const ofMain = handle.receives.streams.flatMap((stream) => {
      if (mid !== undefined && mid !== stream.mid) return [];
      const wish = send ?? (stream.type === 'audio' ? audio : stream.type === 'video' ? video : undefined);
      return wish === undefined ? [] : [{ mid: stream.mid, send: wish }];
    });
    // Whether a stream is sent is settled together with what this person may get at all. Layers and a new start go on
    // to the engine as they are.
    rooms.wishes(handle, [
      ...ofMain,
      ...streams.flatMap((stream) => (stream.send === undefined ? [] : [{ mid: stream.mid, send: stream.send }])),
    ]);
    const changes = [{ mid, ...layers }, ...streams.map(({ send: _send, ...change }) => change)].filter(
      ({ mid: _mid, ...change }) => Object.keys(change).length > 0,
    );
    const reply: EngineReply =
      changes.length > 0 || restart !== undefined
        ? await toEngine(handle, { kind, restart, streams: changes })
        : { kind: 'configured' };
    await rooms.settleNow(handle);
    return reply;
  }

  async function resubscribed(handle: Handle, reply: EngineReply): Promise<EngineReply> {
    if (reply.kind === 'refused') return reply;
    if ('streams' in reply && reply.streams !== undefined) rooms.given(handle, reply.streams);
    if (reply.kind === 'attached') rooms.joinedSubscriber(handle);
    await rooms.settleNow(handle);
    return reply;
  }

  return {
    known({ as, therapistId }, request) {
      switch (request.kind) {
        case 'create':
          // The room exists as long as the live session; its settings are the server's to decide.
          if (as !== 'therapist') throw new RoomRefusal(REFUSAL.unauthorized, 'Unauthorized');
          return { videoroom: 'created', room: therapistId, permanent: false };
        case 'exists':
          return { videoroom: 'success', room: request.room, exists: request.room === therapistId };
        case 'listParticipants':
          return { videoroom: 'participants', room: therapistId, participants: rooms.participants(therapistId) };
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
          return resubscribed(
            handle,
            await toEngine(handle, { ...request, streams: allowed(handle, request.streams) }),
          );
        case 'update': {
          const { subscribe, unsubscribe } = request;
          // Only where something is also to go may all of the new wishes be forbidden.
          const wishes =
            subscribe === undefined
              ? []
              : unsubscribe === undefined
                ? allowed(handle, subscribe)
                : rooms.allowed(handle, subscribe);
          return resubscribed(
            handle,
            await toEngine(handle, { kind: 'update', subscribe: wishes, unsubscribe: unsubscribe ?? [] }),
          );
        }
        case 'switch':
          if (allowed(handle, request.streams).length < request.streams.length)
            throw new RoomRefusal(REFUSAL.noSuchFeed, 'No such feed');
          return resubscribed(handle, await toEngine(handle, request));
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
