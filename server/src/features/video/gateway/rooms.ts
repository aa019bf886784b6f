/**
 * What the gateway knows of each room: who is on the line, what they send and receive, who is muted, who talks. It is the cached state behind
 * `listparticipants` and VIDEO_STATE, and what caps, muting and hiding are decided by. The rules stand in ../README.md.
 */
import {
  bitrateOf,
  displayName,
  type VideoFace,
  type VideoLine,
  type VideoSettings,
  type VideoState,
} from '@fieldroom/contract/video';
import type { EngineSession, PluginBody } from '../video.types.ts';
import type { Member } from '../video.tickets.ts';
import type { HandleKind, Wanted } from './requests.ts';
import { createSettling, keyOf } from './settling.ts';

interface SentStream {
  mid: string;
  type: 'audio' | 'video';
}
export interface ReceivedStream {
  mid: string;
  type: string;
  feed: number;
  feedMid: string;
  /** What the engine says; undefined where it says nothing of it. */
  sent: boolean | undefined;
}

/** One socket with its session on the engine. */
export interface Line {
  readonly member: Member;
  readonly engine: EngineSession;
  /** By the engine's number. */
  readonly handles: Map<number, Handle>;
}

export interface Handle {
  readonly line: Line;
  readonly inner: number;
  kind: HandleKind;
  /** Detached, or about to be. */
  gone: boolean;
  /** Runs what is asked of this handle one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the handle from our side and tells its page. */
  evict(): Promise<void>;
  /** What a publisher sends; null while nothing. */
  sends: { streams: SentStream[]; off: Set<string>; silenced: Set<string>; cap: number } | null;
  /** What a subscriber was given; of it, what the page does not want and what the engine does not send. By stream, as a media line may come to carry another. */
  receives: { streams: ReceivedStream[]; unwanted: Set<string>; stopped: Set<string> };
  settling: Promise<void> | null;
}

export interface VideoRoom {
  readonly therapistId: number;
  settings: VideoSettings;
  /** The client whom the therapist selected. */
  selected: number | null;
  readonly lines: Set<Line>;
  /** Joined publishers by person, in the order they came. */
  readonly publishers: Map<number, Handle>;
  readonly muted: Set<number>;
  readonly talking: Set<number>;
  readonly carries: Map<number, VideoLine>;
  /** The last join of a person, so that two at once come one after the other. */
  readonly joins: Map<number, Promise<unknown>>;
}

export interface RoomsParts {
  /** The state of a room is another one. */
  changed(therapistId: number): void;
  /** Somebody began or ended to talk. */
  talkingChanged(therapistId: number): void;
  /** The therapist has begun to publish. */
  started(therapistId: number): void;
  log: { warn(fields: object, message: string): void };
}

export type Rooms = ReturnType<typeof createRooms>;

/** Makes the rooms' state. In: who hears of changes. */
export function createRooms({ changed, talkingChanged, started, log }: RoomsParts) {
  const rooms = new Map<number, VideoRoom>();

  const roomOf = (handle: Handle) => rooms.get(handle.line.member.therapistId);

  /** People who take part, also those who only watch. */
  function facesOf(room: VideoRoom): VideoFace[] {
    const people = new Map<number, Handle | null>(room.publishers);
    for (const line of room.lines) {
      if (
        !people.has(line.member.personId) &&
        [...line.handles.values()].some((handle) => handle.kind === 'subscriber')
      )
        people.set(line.member.personId, null);
    }
    return [...people].map(([id, publisher]) => {
      const mutedByTherapist = room.muted.has(id);
      const sends = (type: SentStream['type']) =>
        publisher?.sends?.streams.some((stream) => stream.type === type && !publisher.sends!.off.has(stream.mid)) ??
        false;
      return {
        id,
        audio: sends('audio') && !mutedByTherapist,
        video: sends('video'),
        mutedByTherapist,
        line: room.carries.get(id) ?? 'good',
      };
    });
  }

  const clientsIn = (room: VideoRoom) => facesOf(room).filter(({ id }) => id !== room.therapistId).length;

  /** Bits a second a member may send; counted with this one among the clients. */
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

  /** Whether this person must not get that person's picture (rule 6). */
  const isHidden = (room: VideoRoom, member: Member, feed: number) =>
    !room.settings.clientsVisible && member.as === 'client' && feed !== room.therapistId && feed !== member.personId;

  const { settle, settleNow } = createSettling({ roomOf, capOf, isHidden, log });
  const settleAll = (room: VideoRoom) =>
    Promise.all([...room.lines].flatMap((line) => [...line.handles.values()].map(settle)));
  /** Caps follow how many take part; nobody waits for them. */
  const settleLater = (room: VideoRoom) =>
    void settleAll(room).catch((error: unknown) => log.warn({ err: error }, 'the caps of a room could not be set'));

  // ---- what happened to a handle

  function setSends(handle: Handle, sends: Handle['sends']): void {
    const room = roomOf(handle);
    const before = handle.sends;
    handle.sends = sends;
    if (room === undefined || room.publishers.get(handle.line.member.personId) !== handle) return;
    if (sends === null) stopTalking(room, handle.line.member.personId);
    if (sends !== null && before === null && handle.line.member.as === 'therapist') started(room.therapistId);
    changed(room.therapistId);
  }

  function stopTalking(room: VideoRoom, personId: number): void {
    if (room.talking.delete(personId)) talkingChanged(room.therapistId);
  }

  /** The handle is in no room any more: left, detached, or its socket went. */
  function left(handle: Handle): void {
    const room = roomOf(handle);
    const { kind } = handle;
    handle.kind = null;
    handle.sends = null;
    handle.receives = { streams: [], unwanted: new Set(), stopped: new Set() };
    if (room === undefined || kind === null) return;
    const { personId } = handle.line.member;
    if (room.publishers.get(personId) === handle) {
      room.publishers.delete(personId);
      stopTalking(room, personId);
    }
    changed(room.therapistId);
    settleLater(room);
  }

  return {
    find: (therapistId: number) => rooms.get(therapistId),
    /** The room, made with these settings where it was not known. */
    open(therapistId: number, settings: VideoSettings, selected: number | null): VideoRoom {
      let room = rooms.get(therapistId);
      if (room === undefined) {
        room = {
          therapistId,
          settings,
          selected,
          lines: new Set(),
          publishers: new Map(),
          muted: new Set(),
          talking: new Set(),
          carries: new Map(),
          joins: new Map(),
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

    enter(line: Line): void {
      rooms.get(line.member.therapistId)?.lines.add(line);
    },
    /** A socket went, with all its handles. */
    gone(line: Line): void {
      const room = rooms.get(line.member.therapistId);
      room?.lines.delete(line);
      for (const handle of line.handles.values()) {
        handle.gone = true;
        left(handle);
      }
      if (room && ![...room.lines].some((other) => other.member.personId === line.member.personId))
        room.carries.delete(line.member.personId);
    },

    /** Joins as publisher: the newest takes the place of an older line of the same person (rule 4). `join` asks the engine. */
    async joinPublisher(handle: Handle, join: () => Promise<boolean>): Promise<void> {
      const room = roomOf(handle);
      if (room === undefined) return;
      const { personId } = handle.line.member;
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

    /** What a publisher sends by the engine's answer. A later description keeps what was switched off. */
    published(handle: Handle, streams: SentStream[], cap: number): void {
      const kept = (set: Set<string> | undefined) =>
        new Set(streams.map(({ mid }) => mid).filter((mid) => set?.has(mid)));
      setSends(handle, { streams, off: kept(handle.sends?.off), silenced: kept(handle.sends?.silenced), cap });
    },
    unpublished: (handle: Handle) => setSends(handle, null),
    /** Own switches. To speak is an act of one's own, so it ends the therapist's muting (rule 5). */
    switched(handle: Handle, streams: readonly { mid: string; send: boolean }[]): void {
      const room = roomOf(handle);
      if (room === undefined || handle.sends === null) return;
      for (const { mid, send } of streams) {
        const stream = handle.sends.streams.find((one) => one.mid === mid);
        if (stream === undefined) continue;
        if (send) handle.sends.off.delete(mid);
        else handle.sends.off.add(mid);
        if (send && stream.type === 'audio') room.muted.delete(handle.line.member.personId);
        if (!send && stream.type === 'audio') stopTalking(room, handle.line.member.personId);
      }
      changed(room.therapistId);
    },

    /** What a subscriber receives by the engine's word. */
    given(handle: Handle, streams: unknown): void {
      if (!Array.isArray(streams)) return;
      const list = (streams as Record<string, unknown>[]).flatMap(
        ({ mid, type, feed_id: feed, feed_mid: feedMid, active, send }) =>
          active === false || typeof mid !== 'string' || typeof feed !== 'number'
            ? []
            : [
                {
                  mid,
                  type: String(type),
                  feed,
                  feedMid: String(feedMid),
                  sent: typeof send === 'boolean' ? send : undefined,
                },
              ],
      );
      const keys = new Set(list.map(keyOf));
      // A media line that carries another stream now may have kept its switch, or not: engines differ.
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
    /** What the page wants to have of what it was given. */
    wishes(handle: Handle, streams: readonly { mid: string; send: boolean }[]): void {
      for (const stream of handle.receives.streams) {
        const wish = streams.findLast(({ mid }) => mid === stream.mid);
        if (wish === undefined) continue;
        if (wish.send) handle.receives.unwanted.delete(keyOf(stream));
        else handle.receives.unwanted.add(keyOf(stream));
      }
    },
    settle,

    /** Takes out of a wish what this person must not get: other clients' pictures while they are hidden (rule 6). */
    allowed(handle: Handle, streams: readonly Wanted[]): Wanted[] {
      const room = roomOf(handle);
      if (room === undefined) return [];
      return streams.flatMap((wish) => {
        if (!isHidden(room, handle.line.member, wish.feed)) return [wish];
        const voices = room.publishers.get(wish.feed)?.sends?.streams.filter((stream) => stream.type === 'audio') ?? [];
        if (wish.mid !== undefined) return voices.some(({ mid }) => mid === wish.mid) ? [wish] : [];
        return voices.map(({ mid }) => ({ ...wish, mid }));
      });
    },

    /** Who talks, by the engine's word; it comes once for each handle. */
    talks(therapistId: number, personId: number, talking: boolean): void {
      const room = rooms.get(therapistId);
      if (room === undefined || talking === room.talking.has(personId)) return;
      if (!talking) return stopTalking(room, personId);
      if (!facesOf(room).some((face) => face.id === personId && face.audio)) return;
      room.talking.add(personId);
      talkingChanged(therapistId);
    },

    /** For `listparticipants` (specification 7.7), from what is known. */
    participants(therapistId: number): PluginBody[] {
      const room = rooms.get(therapistId);
      return [...(room?.publishers.values() ?? [])].map(({ line: { member }, sends }) => ({
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

    /** From now on; `settled` when the engine has carried it out. */
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
    /** Mutes those who take part. Out: who of them; resolves when nobody hears them any more. */
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
    carries(therapistId: number, personId: number, line: VideoLine): void {
      const room = rooms.get(therapistId);
      if (
        room === undefined ||
        (room.carries.get(personId) ?? 'good') === line ||
        !facesOf(room).some(({ id }) => id === personId)
      )
        return;
      room.carries.set(personId, line);
      changed(therapistId);
    },
    /** Ends the muting of somebody whose membership ended. */
    forgetPerson(therapistId: number, personId: number): void {
      rooms.get(therapistId)?.muted.delete(personId);
    },
  };
}
