/**
 * The messages sent when somebody arrives, leaves or asks to enter: to the room, the therapist, people who wait, other
 * features.
 */
import type { Refreshes, Stamps } from '@fieldroom/contract/realtime';
import type { Db } from '../../platform/db/db.ts';
import type { Room, RoomNodes } from '../room/index.ts';
import * as store from './clients.store.ts';
import type { PeopleChange } from './clients.types.ts';
import type { Views } from './clients.views.ts';

/** Real time between two notices of the same kind to a therapist. The last one covers what happened in between. */
export const NOTICE_MS = 2_000;

type Notice = Refreshes['arrival' | 'wrongCodes'];

export interface Announcements {
  /** Sends the people to the room, and with those who wait to the therapist's own channel. */
  announcePeople(therapistId: number, stamps: Stamps): Promise<void>;
  tellTherapist(therapistId: number): Promise<void>;
  tellWaiting(therapistId: number): Promise<void>;
  /** For a sweep: sends messages whose data could not be read when they were due; no stamp would reveal that they are
   * missing. */
  tellAgain(): Promise<void>;
  /**
   * Sends a notice to a therapist's screens: at once, and the next one of that kind after a pause. Takes a function
   * that is called when the notice is sent and returns its content.
   */
  notify(therapistId: number, what: Notice['what'], notice: () => Notice): void;
  /** Tells other features that the people of a room have changed. */
  tellListeners(change: Partial<PeopleChange> & { therapistId: number }): void;
  onPeopleChanged(listener: (change: PeopleChange) => void): () => void;
}

/**
 * Makes the announcements of all rooms. `noticeMs` is the real time in milliseconds between two notices of one kind to
 * a therapist.
 */
export function createAnnouncements({
  db,
  room,
  roomNodes,
  views: { peopleValue, isTherapistHere },
  noticeMs,
}: {
  db: Db;
  room: Pick<Room, 'announce' | 'tell' | 'stamps' | 'inOrder'>;
  roomNodes: RoomNodes;
  views: Pick<Views, 'peopleValue' | 'isTherapistHere'>;
  noticeMs: number;
}): Announcements {
  const listeners = new Set<(change: PeopleChange) => void>();
  const notices = new Map<string, { again: boolean }>();
  /** Rooms that still need a message, by the function that sends it. */
  const untold = new Map<(therapistId: number) => Promise<void>, Set<number>>();

  /** Makes a message that is sent at once, or by `tellAgain`. */
  function stubborn(tell: (therapistId: number) => Promise<void>): (therapistId: number) => Promise<void> {
    const rooms = new Set<number>();
    const told = async (therapistId: number) => {
      try {
        await tell(therapistId);
      } catch (error) {
        rooms.add(therapistId);
        throw error;
      }
    };
    untold.set(told, rooms);
    return told;
  }

  async function announcePeople(therapistId: number, stamps: Stamps): Promise<void> {
    const { waiting, ...forAll } = await peopleValue(therapistId, { withWaiting: true });
    room.announce(therapistId, { eventType: 'UNREGISTER_USER', contents: forAll, ...stamps });
    room.tell(therapistId, { eventType: 'UNREGISTER_USER', contents: { ...forAll, waiting }, ...stamps });
  }

  /** For a change among people who wait: only the therapist gets it, and no revision goes up (rule 3). */
  const tellTherapist = stubborn(async (therapistId) => {
    // Stamps first: if another node changes the people in between, new people have an old stamp, never the reverse.
    const stamps = await room.stamps(therapistId);
    const contents = await peopleValue(therapistId, { withWaiting: true });
    room.tell(therapistId, { eventType: 'UNREGISTER_USER', contents, ...stamps });
  });

  /** People who wait learn whether the therapist is here, and nothing about others. */
  const tellWaiting = stubborn(async (therapistId) => {
    const stamps = await room.stamps(therapistId);
    const therapistHere = await isTherapistHere(therapistId);
    for (const { id } of await store.waiting(db, therapistId))
      room.tell(id, { eventType: 'UNREGISTER_USER', contents: { people: [], therapistHere }, ...stamps });
  });

  async function tellAgain(): Promise<void> {
    for (const [tell, rooms] of untold)
      for (const therapistId of [...rooms]) {
        rooms.delete(therapistId);
        // On a fault the next sweep retries; only the first fault is logged.
        await room.inOrder(therapistId, () => tell(therapistId)).catch(() => {});
      }
  }

  // What memory keeps of people has to change on every node.
  roomNodes.on<PeopleChange>('people', (_, change) => {
    for (const listener of listeners) listener(change);
  });

  const notify: Announcements['notify'] = (therapistId, what, notice) => {
    const key = `${what} ${therapistId}`;
    const running = notices.get(key);
    if (running) {
      running.again = true;
      return;
    }
    room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: notice() });
    notices.set(key, { again: false });
    setTimeout(() => {
      const again = notices.get(key)?.again;
      notices.delete(key);
      if (again) notify(therapistId, what, notice);
    }, noticeMs).unref();
  };

  return {
    announcePeople,
    tellTherapist,
    tellWaiting,
    tellAgain,
    notify,
    tellListeners(given) {
      const change = { gone: [], rolesTaken: [], ...given };
      for (const listener of listeners) listener(change);
      roomNodes.tell(change.therapistId, 'people', change);
    },
    onPeopleChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
