/**
 * What the gateway knows of each room: who is connected, what they send and receive, who is muted, who talks. It is
 * the state behind `listparticipants` and VIDEO_STATE, and decides caps, mutes and hidden video. The rules are in
 * ../README.md.
 */
import {
  bitrateOf,
  displayName,
  OFFER_KEPT_SECONDS,
  type VideoFace,
  type VideoLine,
  type VideoSettings,
  type VideoState,
} from '@fieldroom/contract/video';
import type { PluginBody } from '../janus/janus.videoroom.ts';
import type { EngineSession, StreamWish, SubscribedStream } from '../video.types.ts';
import type { Member } from '../video.tickets.ts';
import type { HandleKind } from './requests.ts';
import { createSettling, keyOf } from './settling.ts';

interface SentStream {
  mid: string;
  type: 'audio' | 'video';
}
export interface ReceivedStream {
  mid: string;
  type: string;
  publisherId: number;
  publisherMid: string;
  /** Whether the engine sends it; undefined when the engine does not say. */
  sent: boolean | undefined;
}

/** One socket with its session in the engine. */
export interface MemberSession {
  readonly member: Member;
  readonly engine: EngineSession;
  /** By the engine's number. */
  readonly handles: Map<number, Handle>;
}

export interface Handle {
  readonly session: MemberSession;
  readonly inner: number;
  kind: HandleKind;
  /** Detached, or about to be. */
  gone: boolean;
  /** Was in the room and left it. */
  hasLeft: boolean;
  /** Runs the requests of this handle one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the handle from our side and tells its page. */
  evict(): Promise<void>;
  /** What a publisher sends; null while it sends nothing. */
  sends: { streams: SentStream[]; off: Set<string>; silenced: Set<string>; cap: number } | null;
  /** What the engine holds back because more came than the cap allows. */
  limited: ReadonlySet<SentStream['type']>;
  /**
   * What a subscriber receives; of it, what the page does not want, and what the engine does not send. By stream,
   * because an m-line may come to carry another one.
   */
  receives: { streams: ReceivedStream[]; unwanted: Set<string>; stopped: Set<string> };
  settling: Promise<void> | null;
}

export interface VideoRoom {
  readonly therapistId: number;
  settings: VideoSettings;
  /** The client the therapist has selected. */
  selected: number | null;
  readonly sessions: Set<MemberSession>;
  /** Joined publishers by person, in the order they came. */
  readonly publishers: Map<number, Handle>;
  readonly muted: Set<number>;
  readonly talking: Set<number>;
  readonly qualities: Map<number, VideoLine>;
  /** The last join of a person, so that two joins at once run one after the other. */
  readonly joins: Map<number, Promise<unknown>>;
  /**
   * The therapist's offer to take part, made when they first publish; null while there is none. `lostMs`: since
   * when they have published nothing (process clock); null while they publish.
   */
  offer: { lostMs: number | null } | null;
}

export interface RoomsParts {
  /** The state of a room has changed. */
  changed(therapistId: number): void;
  /** Somebody has started or stopped talking. */
  talkingChanged(therapistId: number): void;
  /** The therapist has started to publish; called once per offer. */
  started(therapistId: number): void;
  /** Milliseconds of the process clock, for tests. */
  now?(): number;
  log: { warn(fields: object, message: string): void };
}

export type Rooms = ReturnType<typeof createRooms>;

/** Makes the rooms' state. Takes a listener for changes. */
export function createRooms({ changed, talkingChanged, started, now = () => performance.now(), log }: RoomsParts) {
  const rooms = new Map<number, VideoRoom>();

  const roomOf = (handle: Handle) => rooms.get(handle.session.member.therapistId);

  /** People who take part, including those who only watch. */
  function facesOf(room: VideoRoom): VideoFace[] {
    const people = new Map<number, Handle | null>(room.publishers);
    for (const session of room.sessions) {
      if (
        !people.has(session.member.personId) &&
        [...session.handles.values()].some((handle) => handle.kind === 'subscriber')
      )
        people.set(session.member.personId, null);
    }
    return [...people].map(([id, publisher]) => {
      const mutedByTherapist = room.muted.has(id);
      const sends = (type: SentStream['type']) =>
        !publisher?.limited.has(type) &&
        (publisher?.sends?.streams.some((stream) => stream.type === type && !publisher.sends!.off.has(stream.mid)) ??
          false);
      return {
        id,
        audio: sends('audio') && !mutedByTherapist,
        video: sends('video'),
        mutedByTherapist,
        line: room.qualities.get(id) ?? 'good',
      };
    });
  }

  const clientsIn = (room: VideoRoom) => facesOf(room).filter(({ id }) => id !== room.therapistId).length;

  /** Bits per second a member may send; this member counts among the clients. */
  function capOf(room: VideoRoom | undefined, member: Member, highQuality: boolean): number {
    const clients = room === undefined ? 0 : clientsIn(room);
    const counted =
      member.as === 'therapist' || (room !== undefined && facesOf(room).some(({ id }) => id === member.personId))
        ? clients
        : clients + 1;
    return bitrateOf({
      as: member.as,
      firefox: member.firefox,
      selected: room?.selected === member.personId,
      clients: counted,
      highQuality,
    });
  }

  /** Whether this person must not receive that person's video (rule 6). */
  const isHidden = (room: VideoRoom, member: Member, feed: number) =>
    !room.settings.clientsVisible && member.as === 'client' && feed !== room.therapistId && feed !== member.personId;

  const { settle, settleNow } = createSettling({ roomOf, capOf, isHidden, log });
  const settleAll = (room: VideoRoom) =>
    Promise.all([...room.sessions].flatMap((session) => [...session.handles.values()].map(settle)));
  /** Caps depend on how many take part; nobody waits for them. */
  const settleLater = (room: VideoRoom) =>
    void settleAll(room).catch((error: unknown) => log.warn({ err: error }, 'the caps of a room could not be set'));

  // ---- what happened to a handle

  function setSends(handle: Handle, sends: Handle['sends']): void {
    const room = roomOf(handle);
    const before = handle.sends;
    handle.sends = sends;
    if (sends === null) handle.limited = new Set();
    if (room === undefined || room.publishers.get(handle.session.member.personId) !== handle) return;
    if (sends === null) stopTalking(room, handle.session.member.personId);
    if (handle.session.member.as === 'therapist' && (sends === null) !== (before === null))
      followOffer(room, sends !== null);
    changed(room.therapistId);
  }

  /** The therapist has started or stopped publishing. If they come back soon, the same offer continues. */
  function followOffer(room: VideoRoom, sends: boolean): void {
    if (!sends) {
      if (room.offer !== null) room.offer.lostMs = now();
      return;
    }
    const lostMs = room.offer?.lostMs ?? null;
    const goesOn = room.offer !== null && (lostMs === null || now() - lostMs < OFFER_KEPT_SECONDS * 1000);
    room.offer = { lostMs: null };
    if (!goesOn) started(room.therapistId);
  }

  function stopTalking(room: VideoRoom, personId: number): void {
    if (room.talking.delete(personId)) talkingChanged(room.therapistId);
  }

  /** The handle is in no room any more: it left, was detached, or its socket closed. */
  function left(handle: Handle): void {
    const room = roomOf(handle);
    const { kind } = handle;
    handle.kind = null;
    handle.sends = null;
    handle.limited = new Set();
    handle.receives = { streams: [], unwanted: new Set(), stopped: new Set() };
    if (room === undefined || kind === null) return;
    const { personId } = handle.session.member;
    if (room.publishers.get(personId) === handle) {
      if (handle.session.member.as === 'therapist' && room.offer !== null) room.offer.lostMs ??= now();
      room.publishers.delete(personId);
      stopTalking(room, personId);
    }
    changed(room.therapistId);
    settleLater(room);
  }

  return {
    find: (therapistId: number) => rooms.get(therapistId),
    /** Returns the room; makes it with these settings if it is not known. */
    open(therapistId: number, settings: VideoSettings, selected: number | null): VideoRoom {
      let room = rooms.get(therapistId);
      if (room === undefined) {
        room = {
          therapistId,
          settings,
          selected,
          sessions: new Set(),
          publishers: new Map(),
          muted: new Set(),
          talking: new Set(),
          qualities: new Map(),
          joins: new Map(),
          offer: null,
        };
        rooms.set(therapistId, room);
      }
      return room;
    },
    forget: (therapistId: number) => void rooms.delete(therapistId),
    count: () => rooms.size,
    capOf,
    settleNow,
    left,
    /** The person left the room, which ends a therapist's offer. */
    tookLeave(handle: Handle): void {
      handle.hasLeft = true;
      const room = roomOf(handle);
      if (room !== undefined && handle.session.member.as === 'therapist' && handle.kind === 'publisher')
        room.offer = null;
      left(handle);
    },

    enter(session: MemberSession): void {
      rooms.get(session.member.therapistId)?.sessions.add(session);
    },
    /** A socket closed, with all its handles. */
    gone(session: MemberSession): void {
      const room = rooms.get(session.member.therapistId);
      room?.sessions.delete(session);
      for (const handle of session.handles.values()) {
        handle.gone = true;
        left(handle);
      }
      if (room && ![...room.sessions].some((other) => other.member.personId === session.member.personId))
        room.qualities.delete(session.member.personId);
    },

    /** Joins as publisher. The newest connection of a person replaces an older one (rule 4). `join` asks the engine. */
    async joinPublisher(handle: Handle, join: () => Promise<boolean>): Promise<void> {
      const room = roomOf(handle);
      if (room === undefined) return;
      const { personId } = handle.session.member;
      const turn = (room.joins.get(personId) ?? Promise.resolve()).then(async () => {
        await room.publishers.get(personId)?.evict();
        if (handle.gone || !(await join()) || handle.gone) return;
        handle.kind = 'publisher';
        room.publishers.set(personId, handle);
        changed(room.therapistId);
        settleLater(room);
      });
      const settled = turn.catch(() => {});
      room.joins.set(personId, settled);
      void settled.then(() => {
        if (room.joins.get(personId) === settled) room.joins.delete(personId);
      });
      await turn;
    },
    joinedSubscriber(handle: Handle): void {
      handle.kind = 'subscriber';
      const room = roomOf(handle);
      if (room === undefined) return;
      changed(room.therapistId);
      settleLater(room);
    },

    /** What a publisher sends, by the engine's answer. A later description keeps what was switched off. */
    published(handle: Handle, streams: SentStream[], cap: number): void {
      const kept = (set: Set<string> | undefined) =>
        new Set(streams.map(({ mid }) => mid).filter((mid) => set?.has(mid)));
      setSends(handle, { streams, off: kept(handle.sends?.off), silenced: kept(handle.sends?.silenced), cap });
    },
    unpublished: (handle: Handle) => setSends(handle, null),
    /** The engine holds something back, or has ceased to. */
    limited(handle: Handle, media: readonly SentStream['type'][]): void {
      handle.limited = new Set(media);
      changed(handle.session.member.therapistId);
    },
    /** The person's own switches. To unmute is their own act, so it ends the therapist's mute (rule 5). */
    switched(handle: Handle, streams: readonly { mid: string; send: boolean }[]): void {
      const room = roomOf(handle);
      if (room === undefined || handle.sends === null) return;
      for (const { mid, send } of streams) {
        const stream = handle.sends.streams.find((one) => one.mid === mid);
        if (stream === undefined) continue;
        if (send) handle.sends.off.delete(mid);
        else handle.sends.off.add(mid);
        if (send && stream.type === 'audio') room.muted.delete(handle.session.member.personId);
        if (!send && stream.type === 'audio') stopTalking(room, handle.session.member.personId);
      }
      changed(room.therapistId);
    },

    /** What a subscriber receives, as the engine says. */
    given(handle: Handle, streams: readonly SubscribedStream[]): void {
      const list = streams.flatMap(({ mid, type, publisherId, publisherMid, active, send }): ReceivedStream[] =>
        active && publisherId !== undefined
          ? [{ mid, type, publisherId, publisherMid: publisherMid ?? '', sent: send }]
          : [],
      );
      const keys = new Set(list.map(keyOf));
      // An m-line that now carries another stream may have kept its switch or not: engines differ.
      for (const stream of list) {
        if (stream.sent === false) handle.receives.stopped.add(keyOf(stream));
        if (stream.sent === true) handle.receives.stopped.delete(keyOf(stream));
      }
      const still = (set: Set<string>) => new Set([...set].filter((key) => keys.has(key)));
      handle.receives = {
        streams: list,
        unwanted: still(handle.receives.unwanted),
        stopped: still(handle.receives.stopped),
      };
    },
    /** What the page wants of the streams it receives. */
    wishes(handle: Handle, streams: readonly { mid: string; send: boolean }[]): void {
      for (const stream of handle.receives.streams) {
        const wish = streams.findLast(({ mid }) => mid === stream.mid);
        if (wish === undefined) continue;
        if (wish.send) handle.receives.unwanted.delete(keyOf(stream));
        else handle.receives.unwanted.add(keyOf(stream));
      }
    },
    settle,

    /** Removes from a wish what this person must not receive: other clients' video while it is hidden (rule 6). */
    allowed(handle: Handle, streams: readonly StreamWish[]): StreamWish[] {
      const room = roomOf(handle);
      if (room === undefined) return [];
      return streams.flatMap((wish) => {
        if (!isHidden(room, handle.session.member, wish.publisherId)) return [wish];
        const voices =
          room.publishers.get(wish.publisherId)?.sends?.streams.filter((stream) => stream.type === 'audio') ?? [];
        if (wish.mid !== undefined) return voices.some(({ mid }) => mid === wish.mid) ? [wish] : [];
        return voices.map(({ mid }) => ({ ...wish, mid }));
      });
    },

    /** Who talks, as the engine says; it comes once per handle. */
    talks(therapistId: number, personId: number, talking: boolean): void {
      const room = rooms.get(therapistId);
      if (room === undefined || talking === room.talking.has(personId)) return;
      if (!talking) return stopTalking(room, personId);
      if (!facesOf(room).some((face) => face.id === personId && face.audio)) return;
      room.talking.add(personId);
      talkingChanged(therapistId);
    },

    /** The answer to `listparticipants` (docs/product.md#10.8), from what is known. */
    participants(therapistId: number): PluginBody[] {
      const room = rooms.get(therapistId);
      return [...(room?.publishers.values() ?? [])].map(({ session: { member }, sends }) => ({
        id: member.personId,
        display: displayName({ as: member.as, id: member.personId }),
        publisher: sends !== null,
        talking: room!.talking.has(member.personId),
      }));
    },

    state(room: VideoRoom): VideoState {
      return {
        running: (room.publishers.get(room.therapistId)?.sends ?? null) !== null,
        settings: room.settings,
        faces: facesOf(room),
      };
    },
    faces: facesOf,

    /** Applies settings at once; `settled` resolves when the engine has carried them out. */
    applySettings(therapistId: number, settings: VideoSettings): { settled: Promise<unknown> } {
      const room = rooms.get(therapistId);
      if (room === undefined) return { settled: Promise.resolve() };
      room.settings = settings;
      changed(therapistId);
      return { settled: settleAll(room) };
    },
    async applySelected(therapistId: number, selected: number | null): Promise<void> {
      const room = rooms.get(therapistId);
      if (room === undefined || room.selected === selected) return;
      room.selected = selected;
      await settleAll(room);
    },
    /** Mutes people who take part. Resolves with who was muted, when nobody hears them any more. */
    async mute(therapistId: number, clientIds: 'all' | readonly number[]): Promise<number[]> {
      const room = rooms.get(therapistId);
      if (room === undefined) return [];
      const ids = facesOf(room)
        .map(({ id }) => id)
        .filter((id) => id !== therapistId && (clientIds === 'all' || clientIds.includes(id)));
      for (const id of ids) {
        room.muted.add(id);
        stopTalking(room, id);
      }
      changed(therapistId);
      await Promise.all(ids.flatMap((id) => room.publishers.get(id) ?? []).map(settle));
      return ids;
    },
    setQuality(therapistId: number, personId: number, quality: VideoLine): void {
      const room = rooms.get(therapistId);
      if (
        room === undefined ||
        (room.qualities.get(personId) ?? 'good') === quality ||
        !facesOf(room).some(({ id }) => id === personId)
      )
        return;
      room.qualities.set(personId, quality);
      changed(therapistId);
    },
    /** Ends the mute of somebody whose membership has ended. */
    forgetPerson(therapistId: number, personId: number): void {
      rooms.get(therapistId)?.muted.delete(personId);
    },
  };
}
