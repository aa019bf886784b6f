/**
 * What the gateway knows of each room: who is connected, who has joined, settings, mutes and switches. These facts are
 * the gateway's own and outlast the engine. What somebody publishes and who talks is the engine's to know; the gateway
 * keeps the engine's latest word on it, as VIDEO_STATE and `listparticipants` need it (`published`, `limited`,
 * `talks`). What a subscriber receives is not kept here. Rules, and who owns which fact: ../README.md.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  bitrateOf,
  displayName,
  OFFER_KEPT_SECONDS,
  type VideoPerson,
  type NetworkQuality,
  type VideoSettings,
  type VideoState,
} from '@fieldroom/contract/video';
import type {
  EngineSession,
  PublishedStream,
  PublisherRestrictions,
  RoomParticipant,
  StreamWish,
  SubscriberRestrictions,
} from '../video.types.ts';
import type { Member } from '../members/tickets.ts';
import type { HandleKind } from './requests.ts';
import { createRestrictions } from './restrictions.ts';

type Kind = 'audio' | 'video';

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
  /**
   * What is published, by the engine's last answer, and what of it the person has switched off; null while nothing is.
   */
  publishes: { streams: readonly { mid: string; type: Kind }[]; off: Set<string> } | null;
  /** What the engine holds back because more came than the cap allows. */
  limited: ReadonlySet<Kind>;
  /** Restrictions that wait for the handle's turn. */
  enforcing: Promise<void> | null;
}

/** Facts of a room that the database keeps. */
export interface RoomFacts {
  settings: VideoSettings;
  /** Clients on stage; null without a stage. */
  stage: readonly number[] | null;
  /** The client the therapist has selected. */
  selected: number | null;
}

export interface VideoRoom extends RoomFacts {
  readonly therapistId: number;
  readonly sessions: Set<MemberSession>;
  /** Joined publishers by person, in the order they came. */
  readonly publishers: Map<number, Handle>;
  /** Muted by the therapist. */
  readonly muted: Set<number>;
  /** By the engine's word. */
  readonly talking: Set<number>;
  readonly networkQuality: Map<number, NetworkQuality>;
  /** The last join of a person, so that two joins at once run one after the other. */
  readonly joins: Map<number, Promise<unknown>>;
  /**
   * The therapist's offer to take part, made when they first publish; null while there is none. `lostMs`: since when
   * they have published nothing (process clock); null while they publish.
   */
  offer: { lostMs: number | null } | null;
}

/** What another node has to know of a room that it takes over. */
export interface HandedOver {
  /** Whether anybody sends sound or picture. */
  flows: boolean;
  muted: readonly number[];
  /** The therapist's offer stands. */
  offered: boolean;
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
  function peopleIn(room: VideoRoom): VideoPerson[] {
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
      const published = publisher?.publishes;
      const sends = (kind: Kind) =>
        !publisher?.limited.has(kind) &&
        (published?.streams.some(({ type, mid }) => type === kind && !published.off.has(mid)) ?? false);
      return {
        id,
        audio: sends('audio') && !mutedByTherapist,
        video: sends('video'),
        mutedByTherapist,
        line: room.networkQuality.get(id) ?? 'good',
      };
    });
  }

  const clientsIn = (room: VideoRoom) => peopleIn(room).filter(({ id }) => id !== room.therapistId).length;

  /** Bits per second a member may send; this member counts among the clients. */
  function capOf(room: VideoRoom | undefined, member: Member, highQuality: boolean): number {
    const clients = room === undefined ? 0 : clientsIn(room);
    const counted =
      member.as === 'therapist' || (room !== undefined && peopleIn(room).some(({ id }) => id === member.personId))
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

  const restrictions = createRestrictions({ roomOf, capOf, log });
  const { change } = restrictions;
  /** Changes a room when caps may follow; nobody waits for them. */
  const changeSoon = (room: VideoRoom, apply: () => void) =>
    void change(room, apply).catch((error: unknown) => log.warn({ err: error }, 'the caps of a room could not be set'));

  // ---- what happened to a handle

  function setPublishes(handle: Handle, publishes: Handle['publishes']): void {
    const room = roomOf(handle);
    const before = handle.publishes;
    handle.publishes = publishes;
    if (publishes === null) handle.limited = new Set();
    if (room === undefined || room.publishers.get(handle.session.member.personId) !== handle) return;
    if (publishes === null) stopTalking(room, handle.session.member.personId);
    if (handle.session.member.as === 'therapist' && (publishes === null) !== (before === null))
      followOffer(room, publishes !== null);
    changed(room.therapistId);
  }

  /** Whether the offer stands: the therapist publishes, or may continue it. */
  const isOffered = ({ offer }: VideoRoom): boolean =>
    offer !== null && (offer.lostMs === null || now() - offer.lostMs < OFFER_KEPT_SECONDS * 1000);

  /** The therapist has started or stopped publishing. If they come back soon, the same offer continues. */
  function followOffer(room: VideoRoom, publishes: boolean): void {
    if (!publishes) {
      if (room.offer !== null) room.offer.lostMs = now();
      return;
    }
    const goesOn = isOffered(room);
    room.offer = { lostMs: null };
    if (!goesOn) started(room.therapistId);
  }

  /** Whether anybody in the room sends sound or picture. */
  const mediaFlow = (therapistId: number): boolean =>
    [...(rooms.get(therapistId)?.publishers.values() ?? [])].some(({ publishes }) =>
      publishes?.streams.some(({ mid }) => !publishes.off.has(mid)),
    );

  function stopTalking(room: VideoRoom, personId: number): void {
    if (room.talking.delete(personId)) talkingChanged(room.therapistId);
  }

  /** These handles are in no room any more: they left, were detached, or their socket closed. */
  function leave(room: VideoRoom | undefined, handles: Iterable<Handle>): void {
    for (const handle of handles) {
      handle.kind = null;
      handle.publishes = null;
      handle.limited = new Set();
      const { as, personId } = handle.session.member;
      if (room?.publishers.get(personId) !== handle) continue;
      if (as === 'therapist' && room.offer !== null) room.offer.lostMs ??= now();
      room.publishers.delete(personId);
      stopTalking(room, personId);
    }
  }
  function left(handle: Handle): void {
    const room = roomOf(handle);
    if (room === undefined || handle.kind === null) return leave(room, [handle]);
    changeSoon(room, () => leave(room, [handle]));
    changed(room.therapistId);
  }

  return {
    find: (therapistId: number) => rooms.get(therapistId),
    /** Returns the room; makes it with these facts if it is not known, and with what another node has handed over. */
    open(therapistId: number, facts: RoomFacts, before: HandedOver | null = null): VideoRoom {
      let room = rooms.get(therapistId);
      if (room === undefined) {
        room = {
          therapistId,
          ...facts,
          sessions: new Set(),
          publishers: new Map(),
          muted: new Set(before?.muted),
          talking: new Set(),
          networkQuality: new Map(),
          joins: new Map(),
          offer: before?.offered ? { lostMs: now() } : null,
        };
        rooms.set(therapistId, room);
      }
      return room;
    },
    forget: (therapistId: number) => void rooms.delete(therapistId),
    count: () => rooms.size,
    capOf,
    enforceNow: restrictions.enforceNow,
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
      for (const handle of session.handles.values()) handle.gone = true;
      const room = rooms.get(session.member.therapistId);
      if (room === undefined) return leave(room, session.handles.values());
      const { personId } = session.member;
      changeSoon(room, () => {
        leave(room, session.handles.values());
        room.sessions.delete(session);
      });
      if (![...room.sessions].some((other) => other.member.personId === personId)) room.networkQuality.delete(personId);
      changed(room.therapistId);
    },

    /** Joins as publisher. The newest connection of a person replaces an older one (rule 4). `join` asks the engine. */
    async joinPublisher(handle: Handle, join: () => Promise<boolean>): Promise<void> {
      const room = roomOf(handle);
      if (room === undefined) return;
      const { personId } = handle.session.member;
      const turn = (room.joins.get(personId) ?? Promise.resolve()).then(async () => {
        await room.publishers.get(personId)?.evict();
        if (handle.gone || !(await join()) || handle.gone) return;
        changeSoon(room, () => {
          handle.kind = 'publisher';
          room.publishers.set(personId, handle);
        });
        changed(room.therapistId);
      });
      const settled = turn.catch(() => {});
      room.joins.set(personId, settled);
      void settled.then(() => {
        if (room.joins.get(personId) === settled) room.joins.delete(personId);
      });
      await turn;
    },
    joinedSubscriber(handle: Handle): void {
      const room = roomOf(handle);
      if (room === undefined) return;
      changeSoon(room, () => (handle.kind = 'subscriber'));
      changed(room.therapistId);
    },
    /** What the server decides about a publisher now; null when the room is over. */
    publisherRestrictions(handle: Handle): PublisherRestrictions | null {
      const room = roomOf(handle);
      return room === undefined ? null : restrictions.ofPublisher(room, handle);
    },
    /** What the server decides about a subscriber now; null when the room is over. */
    subscriberRestrictions(handle: Handle): SubscriberRestrictions | null {
      const room = roomOf(handle);
      return room === undefined ? null : restrictions.ofSubscriber(room, handle);
    },

    /** What is published, by the engine's answer. A later description keeps what was switched off. */
    published(handle: Handle, published: readonly PublishedStream[]): void {
      const streams = published.flatMap(({ mid, type, disabled }) =>
        disabled || type === 'data' ? [] : [{ mid, type }],
      );
      const before = handle.publishes?.off;
      const off = new Set(streams.map(({ mid }) => mid).filter((mid) => before?.has(mid)));
      setPublishes(handle, { streams, off });
    },
    unpublished: (handle: Handle) => setPublishes(handle, null),
    mediaFlow,
    /** What another node would have to know; null of a room that is not known. */
    toHandOver(therapistId: number): HandedOver | null {
      const room = rooms.get(therapistId);
      if (room === undefined) return null;
      return { flows: mediaFlow(therapistId), muted: [...room.muted], offered: isOffered(room) };
    },
    /** The engine holds something back, or has ceased to. */
    limited(handle: Handle, media: readonly Kind[]): void {
      handle.limited = new Set(media);
      changed(handle.session.member.therapistId);
    },
    /** The person's own switches. To unmute is their own act, so it ends the therapist's mute (rule 5). */
    switched(handle: Handle, streams: readonly { mid: string; send: boolean }[]): void {
      const room = roomOf(handle);
      if (room === undefined || handle.publishes === null) return;
      for (const { mid, send } of streams) {
        const stream = handle.publishes.streams.find((one) => one.mid === mid);
        if (stream === undefined) continue;
        if (send) handle.publishes.off.delete(mid);
        else handle.publishes.off.add(mid);
        if (send && stream.type === 'audio') room.muted.delete(handle.session.member.personId);
        if (!send && stream.type === 'audio') stopTalking(room, handle.session.member.personId);
      }
      changed(room.therapistId);
    },

    /** Removes from a wish what this person must not receive: other clients' video while it is hidden (rules 6, 14). */
    allowed(handle: Handle, streams: readonly StreamWish[]): StreamWish[] {
      const room = roomOf(handle);
      if (room === undefined) return [];
      const { videoFrom } = restrictions.ofSubscriber(room, handle);
      return streams.flatMap((wish) => {
        if (videoFrom === 'everybody' || videoFrom.includes(wish.publisherId)) return [wish];
        const audio =
          room.publishers.get(wish.publisherId)?.publishes?.streams.filter((stream) => stream.type === 'audio') ?? [];
        if (wish.mid !== undefined) return audio.some(({ mid }) => mid === wish.mid) ? [wish] : [];
        return audio.map(({ mid }) => ({ ...wish, mid }));
      });
    },

    /** Notes that somebody started or stopped talking, as the engine says; it comes once per handle. */
    talks(therapistId: number, personId: number, talking: boolean): void {
      const room = rooms.get(therapistId);
      if (room === undefined || talking === room.talking.has(personId)) return;
      if (!talking) return stopTalking(room, personId);
      if (!peopleIn(room).some(({ id, audio }) => id === personId && audio)) return;
      room.talking.add(personId);
      talkingChanged(therapistId);
    },

    /** The answer to `listparticipants` (docs/product.md#10.8), from what is known. */
    participants(therapistId: number): RoomParticipant[] {
      const room = rooms.get(therapistId);
      return [...(room?.publishers.values() ?? [])].map(({ session: { member }, publishes }) => ({
        id: member.personId,
        display: displayName({ as: member.as, id: member.personId }),
        publisher: publishes !== null,
        talking: room!.talking.has(member.personId),
      }));
    },

    state(room: VideoRoom): VideoState {
      return {
        running: (room.publishers.get(room.therapistId)?.publishes ?? null) !== null,
        settings: room.settings,
        stage: room.stage,
        faces: peopleIn(room),
      };
    },

    /** Applies settings at once; `settled` resolves when the engine has carried them out. */
    applySettings(therapistId: number, settings: VideoSettings): { settled: Promise<unknown> } {
      const room = rooms.get(therapistId);
      if (room === undefined) return { settled: Promise.resolve() };
      const settled = change(room, () => (room.settings = settings));
      changed(therapistId);
      return { settled };
    },
    /** Applies at once who is selected and on stage; `settled` resolves when the engine has carried it out. */
    applyPeople(
      therapistId: number,
      { selected, stage }: Partial<Pick<RoomFacts, 'selected' | 'stage'>>,
    ): { settled: Promise<unknown> } {
      const room = rooms.get(therapistId);
      if (room === undefined) return { settled: Promise.resolve() };
      const staged = stage !== undefined && !isDeepStrictEqual(stage, room.stage);
      const settled = change(room, () => {
        if (selected !== undefined) room.selected = selected;
        if (staged) room.stage = stage;
      });
      if (staged) changed(therapistId);
      return { settled };
    },
    /** Mutes people who take part. Resolves with who was muted, when nobody hears them any more. */
    async mute(therapistId: number, clientIds: 'all' | readonly number[]): Promise<number[]> {
      const room = rooms.get(therapistId);
      if (room === undefined) return [];
      const ids = peopleIn(room)
        .map(({ id }) => id)
        .filter((id) => id !== therapistId && (clientIds === 'all' || clientIds.includes(id)));
      const muted = change(room, () => {
        for (const id of ids) {
          room.muted.add(id);
          stopTalking(room, id);
        }
      });
      changed(therapistId);
      await muted;
      return ids;
    },
    setNetworkQuality(therapistId: number, personId: number, quality: NetworkQuality): void {
      const room = rooms.get(therapistId);
      if (
        room === undefined ||
        (room.networkQuality.get(personId) ?? 'good') === quality ||
        !peopleIn(room).some(({ id }) => id === personId)
      )
        return;
      room.networkQuality.set(personId, quality);
      changed(therapistId);
    },
    /** Ends the mute of somebody whose membership has ended. */
    forgetPerson(therapistId: number, personId: number): void {
      rooms.get(therapistId)?.muted.delete(personId);
    },
  };
}
