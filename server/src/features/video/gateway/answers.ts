/** Requests to the videoroom that were read and are allowed: answered from what is known, or asked of the engine with what the server decides. */
import { displayName } from '@fieldroom/contract/video';
import type { Member } from '../video.tickets.ts';
import type { EngineAnswer, Jsep, PluginBody } from '../video.types.ts';
import { ROOM, RoomRefusal } from './janus-wire.ts';
import type { RoomRequest } from './requests.ts';
import type { Handle, Rooms } from './rooms.ts';

/** What a publisher sends, by the engine's answer: lines that it takes. The numbers of the media lines are the offer's. */
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

/** Makes the answers. In: what is known of the rooms. */
export function createAnswers(rooms: Rooms) {
  /** What is answered from what is known, without the engine. */
  function known({ as, therapistId }: Member, { name, body }: RoomRequest): PluginBody {
    switch (name) {
      case 'create':
        // The room is there as long as the live session; what the therapist's program asks to set is the server's to decide.
        if (as !== 'therapist') throw new RoomRefusal(ROOM.unauthorized, 'Unauthorized');
        return { videoroom: 'created', room: therapistId, permanent: false };
      case 'exists':
        return { videoroom: 'success', room: body.room, exists: body.room === therapistId };
      case 'listparticipants':
        return { videoroom: 'participants', room: therapistId, participants: rooms.participants(therapistId) };
      default:
        throw new RoomRefusal(ROOM.badRequest, 'Unknown request');
    }
  }

  async function ask(handle: Handle, request: RoomRequest, jsep: Jsep | undefined): Promise<EngineAnswer> {
    const { engine, member } = handle.line;
    const pass = (body: PluginBody, withJsep = jsep) => engine.message(handle.inner, body, withJsep);
    switch (request.name) {
      case 'joinPublisher':
      case 'joinandconfigure': {
        let answer: EngineAnswer | null = null;
        const cap = capOf(handle);
        await rooms.joinPublisher(handle, async () => {
          const { personId: id, as } = member;
          const who = { ptype: 'publisher', id, display: displayName({ as, id }) };
          if (request.name === 'joinPublisher') answer = await pass({ request: 'join', ...who }, undefined);
          else {
            const { room: _room, ptype: _ptype, audio: _audio, video: _video, data: _data, ...fields } = request.body;
            answer = await pass({ request: 'joinandconfigure', ...who, ...fields, bitrate: cap });
          }
          return answer.data.error_code === undefined;
        });
        // The room ended meanwhile.
        if (answer === null) throw new RoomRefusal(ROOM.noRoom, 'No such room');
        if (request.name === 'joinandconfigure') await publishedBy(handle, answer, cap);
        return answer;
      }
      case 'publish':
        return publish(handle, 'publish', request.body, jsep);
      case 'configurePublisher':
        return configurePublisher(handle, request.body, jsep);
      case 'unpublish': {
        const answer = await pass({ request: 'unpublish' }, undefined);
        if (answer.data.error_code === undefined) rooms.unpublished(handle);
        return answer;
      }
      case 'leave': {
        const answer = await pass({ request: 'leave' }, undefined);
        if (answer.data.error_code === undefined) rooms.left(handle);
        return answer;
      }
      case 'joinSubscriber': {
        const { room: _room, ptype: _ptype, feed, streams, substream, temporal, fallback, ...rest } = request.body;
        const layers = Object.fromEntries(
          Object.entries({ substream, temporal, fallback }).filter(([, value]) => value !== undefined),
        );
        const answer = await pass(
          {
            request: 'join',
            ptype: 'subscriber',
            ...rest,
            streams: wished(handle, streams ?? [{ feed: feed!, ...layers }]),
          },
          undefined,
        );
        if (answer.data.error_code === undefined) {
          rooms.given(handle, answer.data.streams);
          rooms.joinedSubscriber(handle);
          await rooms.settleNow(handle);
        }
        return answer;
      }
      case 'subscribe':
        return resubscribed(
          handle,
          await pass({ request: 'subscribe', streams: wished(handle, request.body.streams) }, undefined),
        );
      case 'unsubscribe':
        return resubscribed(handle, await pass({ request: 'unsubscribe', streams: request.body.streams }, undefined));
      case 'update': {
        const { subscribe, unsubscribe } = request.body;
        const wanted = subscribe === undefined ? [] : rooms.allowed(handle, subscribe);
        if (wanted.length === 0 && unsubscribe === undefined) throw new RoomRefusal(ROOM.noFeed, 'No such feed');
        return resubscribed(
          handle,
          await pass(
            {
              request: 'update',
              ...(wanted.length > 0 ? { subscribe: wanted } : {}),
              ...(unsubscribe ? { unsubscribe } : {}),
            },
            undefined,
          ),
        );
      }
      case 'switch': {
        const { streams } = request.body;
        if (wished(handle, streams).length < streams.length) throw new RoomRefusal(ROOM.noFeed, 'No such feed');
        return resubscribed(handle, await pass({ request: 'switch', streams }, undefined));
      }
      case 'configureSubscriber':
        return configureSubscriber(handle, request.body);
      case 'start':
        if (jsep !== undefined && jsep.type !== 'answer') throw new RoomRefusal(ROOM.badSdpType, 'An answer is needed');
        return pass({ request: 'start' });
      case 'pause':
        return pass({ request: 'pause' }, undefined);
      default:
        return { data: known(member, request) };
    }
  }

  function capOf({ line: { member } }: Handle): number {
    const room = rooms.find(member.therapistId);
    return rooms.capOf(room, member, room?.settings.highQuality ?? false);
  }

  /** The streams this person may have; 428 where none of those asked for is left. */
  function wished(handle: Handle, streams: Parameters<Rooms['allowed']>[1]) {
    const allowed = rooms.allowed(handle, streams);
    if (allowed.length === 0) throw new RoomRefusal(ROOM.noFeed, 'No such feed');
    return allowed;
  }

  async function resubscribed(handle: Handle, answer: EngineAnswer): Promise<EngineAnswer> {
    if (answer.data.error_code === undefined) {
      rooms.given(handle, answer.data.streams);
      await rooms.settleNow(handle);
    }
    return answer;
  }

  type Published = Extract<RoomRequest, { name: 'publish' }>['body'];
  async function publish(
    handle: Handle,
    request: 'publish' | 'configure',
    { audio: _audio, video: _video, data: _data, ...fields }: Published,
    jsep: Jsep | undefined,
  ): Promise<EngineAnswer> {
    if (jsep !== undefined && jsep.type !== 'offer') throw new RoomRefusal(ROOM.badSdpType, 'An offer is needed');
    const cap = capOf(handle);
    const answer = await handle.line.engine.message(handle.inner, { request, ...fields, bitrate: cap }, jsep);
    await publishedBy(handle, answer, cap);
    return answer;
  }

  /** Before the page learns of it, so that nothing is heard that must not be. */
  async function publishedBy(handle: Handle, answer: EngineAnswer, cap: number): Promise<void> {
    if (answer.data.error_code !== undefined || answer.jsep === undefined) return;
    rooms.published(handle, streamsOf(answer.jsep.sdp), cap);
    await rooms.settleNow(handle);
  }

  async function configurePublisher(
    handle: Handle,
    body: Extract<RoomRequest, { name: 'configurePublisher' }>['body'],
    jsep: Jsep | undefined,
  ): Promise<EngineAnswer> {
    const { streams = [], audio, video, data: _data, ...fields } = body;
    const own = handle.sends?.streams ?? [];
    // As programs for Janus 0.x switch: by kind. With a description it says only what is offered.
    const byKind =
      jsep !== undefined
        ? []
        : own.flatMap(({ mid, type }) =>
            (type === 'audio' ? audio : video) === undefined
              ? []
              : [{ mid, send: (type === 'audio' ? audio : video)! }],
          );
    const switches = [...byKind, ...streams.flatMap(({ mid, send }) => (send === undefined ? [] : [{ mid, send }]))];
    if (streams.some(({ mid }) => !own.some((stream) => stream.mid === mid)) && jsep === undefined)
      throw new RoomRefusal(ROOM.badElement, 'Invalid element (streams.mid)');
    const keyframes = streams.flatMap(({ mid, keyframe }) => (keyframe ? [{ mid, keyframe }] : []));
    const rest = { ...fields, ...(keyframes.length > 0 ? { streams: keyframes } : {}) };
    const passOn = jsep !== undefined || Object.values(rest).some((value) => value !== undefined);
    const answer: EngineAnswer = passOn
      ? await publish(handle, 'configure', rest, jsep)
      : { data: { videoroom: 'event', room: handle.line.member.therapistId, configured: 'ok' } };
    if (answer.data.error_code === undefined && switches.length > 0) {
      rooms.switched(handle, switches);
      await rooms.settleNow(handle);
    }
    return answer;
  }

  async function configureSubscriber(
    handle: Handle,
    body: Extract<RoomRequest, { name: 'configureSubscriber' }>['body'],
  ): Promise<EngineAnswer> {
    const { streams = [], mid, send, audio, video, data: _data, ...fields } = body;
    const all = handle.receives.streams;
    const byKind = all.flatMap((stream) => {
      const wish =
        mid === undefined || mid === stream.mid
          ? (send ?? (stream.type === 'audio' ? audio : stream.type === 'video' ? video : undefined))
          : undefined;
      return wish === undefined ? [] : [{ mid: stream.mid, send: wish }];
    });
    // Whether something is sent is settled with what this person may get at all; layers and a new start go on as they are.
    rooms.wishes(handle, [
      ...byKind,
      ...streams.flatMap((stream) => (stream.send === undefined ? [] : [{ mid: stream.mid, send: stream.send }])),
    ]);
    const layers = streams.map(({ send: _send, ...rest }) => rest).filter((one) => Object.keys(one).length > 1);
    const rest = {
      ...fields,
      ...(mid === undefined ? {} : { mid }),
      ...(layers.length > 0 ? { streams: layers } : {}),
    };
    const passOn = layers.length > 0 || Object.values(fields).some((value) => value !== undefined);
    const answer: EngineAnswer = passOn
      ? await handle.line.engine.message(handle.inner, { request: 'configure', ...rest })
      : { data: { videoroom: 'event', room: handle.line.member.therapistId, configured: 'ok' } };
    await rooms.settleNow(handle);
    return answer;
  }

  return { known, ask };
}
