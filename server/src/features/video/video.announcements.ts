/** What a room is told of its video, and when: its state, who talks, and the therapist's offer (rules 11 and 12). */
import { roomDestination } from '@fieldroom/contract/realtime';
import type { VideoState } from '@fieldroom/contract/video';
import { createRoomReading, type Publish, type Room } from '../room/index.ts';
import type { Rooms } from './gateway/rooms.ts';
import type { Facts } from './video.facts.ts';

interface AnnouncementsParts {
  readonly rooms: Pick<Rooms, 'find' | 'state'>;
  readonly facts: Pick<Facts, 'read'>;
  readonly room: Pick<Room, 'inOrder' | 'announceVolatile'>;
  readonly publish: Publish;
  /** Whether another node may have the room. */
  isElsewhere(therapistId: number): boolean;
  /** Changes of a room within this real time are announced as one. */
  readonly gatherMs: number;
  readonly log: { error(fields: object, message: string): void };
}

export interface Announcements {
  state(therapistId: number): Promise<VideoState>;
  /**
   * The state as it is between two acts on the room. A room that nobody's video has opened is read from the database,
   * and what is read there before an act must not be told after it.
   */
  stateInOrder(therapistId: number): Promise<VideoState>;
  /** Tells the room its state. Inside an act on the room, or for a room that is open. */
  announceState(therapistId: number): Promise<void>;
  /** The same between two acts on the room. */
  announceInOrder(therapistId: number): Promise<void>;
  /** The same soon, once for all changes until then. */
  announceSoon(therapistId: number): void;
  /** Tells the room soon who talks. */
  announceTalkingSoon(therapistId: number): void;
  /** Tells the room that the therapist has started to publish. */
  announceOffer(therapistId: number): void;
  stop(): void;
}

/** Makes the announcements of all rooms. */
export function createAnnouncements({
  rooms,
  facts,
  room,
  publish,
  isElsewhere,
  gatherMs,
  log,
}: AnnouncementsParts): Announcements {
  const timers = new Map<string, NodeJS.Timeout>();

  /** Runs something soon, once for all calls until then. */
  function soon(key: string, work: () => void): void {
    if (timers.has(key)) return;
    const timer = setTimeout(() => {
      timers.delete(key);
      work();
    }, gatherMs);
    timer.unref();
    timers.set(key, timer);
  }

  async function state(therapistId: number): Promise<VideoState> {
    const known = rooms.find(therapistId);
    if (known !== undefined) return rooms.state(known);
    const { settings, stage } = await facts.read(therapistId);
    return { running: false, settings, stage, faces: [] };
  }

  async function announceState(therapistId: number): Promise<void> {
    try {
      publish(
        roomDestination(therapistId),
        { eventType: 'VIDEO_STATE', contents: await state(therapistId) },
        { lane: 'stored' },
      );
    } catch (error) {
      log.error({ err: error }, 'the state of a room’s video could not be told');
    }
  }

  const readState = createRoomReading(room, state);
  const announceInOrder = (therapistId: number): Promise<void> =>
    rooms.find(therapistId) === undefined
      ? room.inOrder(therapistId, () => announceState(therapistId))
      : announceState(therapistId);

  return {
    state,
    async stateInOrder(therapistId) {
      const known = rooms.find(therapistId);
      if (known !== undefined) return rooms.state(known);
      const found = Promise.withResolvers<VideoState>();
      await readState(therapistId, found.resolve);
      return found.promise;
    },
    announceState,
    announceInOrder,
    announceSoon: (therapistId) =>
      soon(`state ${therapistId}`, () => {
        // What is left here of a room that another node has now.
        if (!isElsewhere(therapistId)) void announceInOrder(therapistId);
      }),
    announceTalkingSoon: (therapistId) =>
      soon(`talking ${therapistId}`, () =>
        room.announceVolatile(therapistId, {
          eventType: 'TALKING',
          contents: { ids: [...(rooms.find(therapistId)?.talking ?? [])] },
        }),
      ),
    announceOffer: (therapistId) =>
      publish(
        roomDestination(therapistId),
        { eventType: 'START_VIDEO', contents: { userId: therapistId } },
        { lane: 'stored' },
      ),
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
