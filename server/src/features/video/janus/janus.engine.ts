/**
 * Rooms on Janus servers. Each room is on one server, with a random number and a secret that only this process knows.
 * It is not listed, and is destroyed with the live session. Source: Janus 1.x documentation, "VideoRoom plugin";
 * numbers by docs/product.md#10.6.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { Problem } from '../../../platform/problem.ts';
import { VIDEO_PLUGIN } from '@fieldroom/contract/video';
import {
  type EngineEvent,
  type EngineSession,
  type Jsep,
  REFUSAL,
  type RoomSpec,
  type TrickledCandidate,
  type VideoEngine,
} from '../video.types.ts';
import { createJanusHandle, type JanusHandle } from './janus.handle.ts';
import {
  createJanusLink,
  JanusFault,
  type JanusLink,
  type JanusMessage,
  type LinkOptions,
  NO_ANSWER,
} from './janus.link.ts';
import { type PluginBody, readEvents } from './janus.videoroom.ts';

export interface JanusEngineOptions extends Pick<LinkOptions, 'log' | 'answerMs' | 'quietMs' | 'retryMs' | 'secret'> {
  urls: readonly string[];
  /** The videoroom plugin's `admin_key`; where one is set, rooms cannot be created without it. */
  adminKey: string | null;
}

interface InnerRoom {
  link: JanusLink;
  number: number;
  secret: string;
  made: Promise<void>;
}

/** Requests of the plugin that name the room. */
const NAMES_ROOM: ReadonlySet<unknown> = new Set(['join', 'joinandconfigure', 'moderate']);

/**
 * Makes the engine on Janus. Takes addresses, secrets and log. It is ready as soon as one server answers. Lost
 * connections come back by themselves, and rooms of a lost server move to another one with the next person who joins.
 */
export function createJanusEngine({
  urls,
  secret,
  adminKey,
  log,
  answerMs,
  quietMs,
  retryMs,
}: JanusEngineOptions): VideoEngine {
  const rooms = new Map<number, InnerRoom>();
  const sessions = new Set<{
    link: JanusLink;
    therapistId: number;
    listener: (event: EngineEvent) => void;
    handles: Map<number, JanusHandle>;
  }>();
  /** Rooms that could not be ended, by server: that is done when it answers again. */
  const leftBehind = new Map<JanusLink, InnerRoom[]>();
  /** Sessions for creating and destroying rooms, by server. */
  const offices = new Map<JanusLink, Promise<{ session_id: number; handle_id: number }>>();

  const links: readonly JanusLink[] = urls.map((url) => {
    const link: JanusLink = createJanusLink({
      url,
      secret,
      log,
      ...(answerMs === undefined ? {} : { answerMs }),
      ...(quietMs === undefined ? {} : { quietMs }),
      ...(retryMs === undefined ? {} : { retryMs }),
      onUp() {
        const left = leftBehind.get(link) ?? [];
        leftBehind.delete(link);
        for (const room of left) void endRoom(room);
      },
      onDown() {
        offices.delete(link);
        for (const [therapistId, room] of rooms) {
          if (room.link !== link) continue;
          rooms.delete(therapistId);
          leaveBehind(room);
        }
        for (const opened of sessions) {
          if (opened.link !== link) continue;
          sessions.delete(opened);
          opened.listener({ kind: 'gone' });
        }
      },
    });
    return link;
  });

  /**
   * Chooses the server of a room by rendezvous hashing: it stays the same while the servers do, and only rooms of a
   * server that is down move.
   */
  function linkFor(therapistId: number): JanusLink {
    const weight = ({ url }: JanusLink) => createHash('sha256').update(`${url} ${therapistId}`).digest('hex');
    const [best] = links
      .filter((link) => link.isUp())
      .map((link) => ({ link, weight: weight(link) }))
      .toSorted((a, b) => (a.weight < b.weight ? 1 : -1));
    if (best === undefined) throw new Problem('video_unavailable');
    return best.link;
  }

  /** A session with a handle, kept alive until it is forgotten. */
  async function office(link: JanusLink): Promise<{ session_id: number; handle_id: number }> {
    const known = offices.get(link);
    if (known !== undefined) return known;
    const made = (async () => {
      const session = await link.ask({ janus: 'create' });
      const session_id = session.data!.id;
      link.listen(session_id, ({ janus }) => {
        if (janus === 'timeout') offices.delete(link);
      });
      const handle = await link.ask({ janus: 'attach', session_id, plugin: VIDEO_PLUGIN });
      return { session_id, handle_id: handle.data!.id };
    })();
    offices.set(link, made);
    made.catch(() => offices.delete(link));
    return made;
  }

  async function askOffice(link: JanusLink, body: PluginBody): Promise<Record<string, unknown>> {
    const answer = await link.ask({ janus: 'message', ...(await office(link)), body });
    const data = answer.plugindata?.data ?? {};
    if (data.error_code !== undefined) throw new JanusFault(Number(data.error_code), String(data.error));
    return data;
  }

  function makeRoom(spec: RoomSpec): InnerRoom {
    const link = linkFor(spec.therapistId);
    const number = randomInt(1, 2 ** 48 - 1);
    const roomSecret = randomBytes(32).toString('base64url');
    const made = askOffice(link, {
      request: 'create',
      room: number,
      secret: roomSecret,
      ...(adminKey === null ? {} : { admin_key: adminKey }),
      description: 'room',
      is_private: true,
      permanent: false,
      publishers: spec.publishers,
      fir_freq: spec.keyframeSeconds,
      audiolevel_event: true,
      audio_level_average: spec.talkingLevel,
      audio_active_packets: spec.talkingPackets,
      audiocodec: 'opus',
      videocodec: 'vp8',
      opus_fec: true,
      record: false,
      lock_record: true,
    }).then(() => {});
    const room: InnerRoom = { link, number, secret: roomSecret, made };
    rooms.set(spec.therapistId, room);
    made.catch(() => {
      if (rooms.get(spec.therapistId) !== room) return;
      rooms.delete(spec.therapistId);
      // Janus may have made it although its answer came too late.
      void endRoom(room);
    });
    return room;
  }

  function leaveBehind(room: InnerRoom): void {
    leftBehind.set(room.link, [...(leftBehind.get(room.link) ?? []), room]);
  }

  /** Ends a room, now or when its server answers again. */
  async function endRoom(room: InnerRoom): Promise<void> {
    if (!room.link.isUp()) return leaveBehind(room);
    try {
      await askOffice(room.link, { request: 'destroy', room: room.number, secret: room.secret, permanent: false });
    } catch (error) {
      // A Janus that was started again has none of its rooms.
      if (error instanceof JanusFault && error.code === REFUSAL.noSuchRoom) return;
      log.warn({ err: error }, 'a room on Janus could not be ended');
      // If the server is lost, or hangs and is given up soon, its rooms are ended when it answers again.
      const isUnanswered = error instanceof JanusFault && error.code === NO_ANSWER;
      if (isUnanswered || !room.link.isUp()) leaveBehind(room);
    }
  }

  async function open(spec: RoomSpec, listener: (event: EngineEvent) => void): Promise<EngineSession> {
    const room = rooms.get(spec.therapistId) ?? makeRoom(spec);
    await room.made;
    const { link } = room;
    const session = await link.ask({ janus: 'create' });
    const session_id = session.data!.id;
    const opened = {
      link,
      therapistId: spec.therapistId,
      listener,
      handles: new Map<number, JanusHandle>(),
    };
    sessions.add(opened);
    let closed = false;
    link.listen(session_id, (message) => {
      if (closed) return;
      if (message.janus === 'timeout') {
        sessions.delete(opened);
        link.forget(session_id);
        listener({ kind: 'gone' });
        return;
      }
      for (const event of eventsOf(message)) {
        if ('handle' in event) opened.handles.get(event.handle)?.heard(event);
        if (event.kind === 'detached') opened.handles.delete(event.handle);
        listener(event);
      }
    });
    const at = (handle_id: number) => ({ session_id, handle_id });

    async function ask(handle: number, body: PluginBody, jsep?: Jsep) {
      const answer = await link.ask({
        janus: 'message',
        ...at(handle),
        body: { ...body, ...(NAMES_ROOM.has(body.request) ? { room: room.number } : {}) },
        ...(jsep === undefined ? {} : { jsep }),
      });
      return { data: withoutNumbers(answer.plugindata?.data ?? {}), jsep: answer.jsep };
    }
    const newHandle = (handle: number) =>
      createJanusHandle({
        ask: (body, jsep) => ask(handle, body, jsep),
        askAsOwner: async (body) => (await ask(handle, { ...body, secret: room.secret })).data,
        async hangup(error) {
          if (!opened.handles.has(handle)) return;
          log.warn({ err: error }, 'Janus did not keep to a restriction; the connection was hung up');
          await gracefully(link.ask({ janus: 'hangup', ...at(handle) }));
        },
      });

    return {
      async attach() {
        const answer = await link.ask({ janus: 'attach', session_id, plugin: VIDEO_PLUGIN });
        const handle = answer.data!.id;
        opened.handles.set(handle, newHandle(handle));
        return handle;
      },
      async request(handle, request, jsep) {
        const found = opened.handles.get(handle);
        if (found === undefined) return { kind: 'refused', code: REFUSAL.unknown, message: 'No such handle' };
        return found.request(request, jsep);
      },
      trickle(handle, candidate) {
        link.tell({ janus: 'trickle', ...at(handle), candidate: candidate ?? { completed: true } });
      },
      async hangup(handle) {
        await link.ask({ janus: 'hangup', ...at(handle) });
      },
      async detach(handle) {
        opened.handles.delete(handle);
        await gracefully(link.ask({ janus: 'detach', ...at(handle) }));
      },
      async close() {
        if (closed) return;
        closed = true;
        sessions.delete(opened);
        link.forget(session_id);
        if (link.isUp()) await gracefully(link.ask({ janus: 'destroy', session_id }));
      },
    };
  }

  const count = (kind: 'publisher' | 'subscriber') =>
    [...sessions].reduce(
      (sum, { handles }) => sum + [...handles.values()].filter((one) => one.kind === kind).length,
      0,
    );

  return {
    kind: 'janus',
    ready: () => links.some((link) => link.isUp()),
    async open(spec, _person, listener) {
      try {
        return await open(spec, listener);
      } catch (error) {
        if (!(error instanceof JanusFault)) throw error;
        log.warn({ err: error }, 'Janus did not open a session');
        throw new Problem('video_unavailable');
      }
    },
    async closeRoom(therapistId) {
      const room = rooms.get(therapistId);
      if (room === undefined) return;
      rooms.delete(therapistId);
      await gracefully(room.made);
      await endRoom(room);
    },
    stats: async () => ({
      rooms: rooms.size,
      publishers: count('publisher'),
      subscribers: count('subscriber'),
      packetsIn: 0,
      packetsOut: 0,
      retransmitted: 0,
      bytes: null,
    }),
    async stop() {
      await Promise.all([...rooms.keys()].map((therapistId) => this.closeRoom(therapistId)));
      for (const link of links) link.stop();
    },
  };
}

/** Ignores errors: what is gone already needs no ending. */
async function gracefully(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof JanusFault) && !(error instanceof Problem)) throw error;
  }
}

/** Keeps the inner number inside, also where Janus writes it into an error message. */
function withoutNumbers(data: Record<string, unknown>): PluginBody {
  return typeof data.error === 'string' ? { ...data, error: data.error.replace(/ ?\(?\d{6,}\)?/g, '') } : data;
}

/** Reads a message of Janus' as events; there are none for messages the gateway has no use for. */
function eventsOf(message: JanusMessage): EngineEvent[] {
  const handle = message.sender;
  if (handle === undefined) return [];
  switch (message.janus) {
    case 'event':
      return readEvents(handle, message.plugindata?.data ?? {}, message.jsep satisfies Jsep | undefined);
    case 'webrtcup':
      return [{ kind: 'webrtcup', handle }];
    case 'trickle': {
      const { completed, ...candidate } = message.candidate as TrickledCandidate & { completed?: true };
      return [{ kind: 'trickle', handle, candidate: completed ? null : candidate }];
    }
    case 'media':
      return [
        {
          kind: 'media',
          handle,
          mid: String(message.mid),
          media: message.type === 'audio' ? 'audio' : 'video',
          receiving: message.receiving === true,
          ...(typeof message.substream === 'number' ? { substream: message.substream } : {}),
        },
      ];
    case 'slowlink':
      return [
        {
          kind: 'slowlink',
          handle,
          uplink: message.uplink === true,
          lost: Number(message.lost ?? message.nacks ?? 0),
          ...(typeof message.mid === 'string' ? { mid: message.mid } : {}),
          ...(message.media === 'audio' || message.media === 'video' ? { media: message.media } : {}),
        },
      ];
    case 'hangup':
      return [{ kind: 'hangup', handle, reason: String(message.reason ?? '') }];
    case 'detached':
      return [{ kind: 'detached', handle }];
    default:
      return [];
  }
}
