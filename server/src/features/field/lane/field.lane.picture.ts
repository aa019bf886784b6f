/**
 * The lane's picture of a room: its figures, and who may move them. It is read once, between two acts, and stored acts
 * keep it up to date. Numbers are rules of README.md.
 */
import { mayMove, type FieldChange, type FieldSnapshot, type MovableBy } from '@fieldroom/contract/field';
import { judgeRevision } from '@fieldroom/contract/revisions';
import type { Scheduler } from './field.lane.scheduler.ts';

/** A room in the form in which it is read. */
export interface LanePicture {
  field: FieldSnapshot;
  revision: number;
  roles: ReadonlyMap<number, readonly { figureId: number }[]>;
  /** The therapist's name on the pointer. */
  therapistName: string;
  /** While the therapist is disconnected, clients' hands do nothing. */
  therapistAway: boolean;
}

/** Whether a client holds the role of a figure. */
interface RoleOf {
  readonly clientId: number;
  readonly figureId: number;
  readonly isHeld: boolean;
}

export interface RoomPicture {
  /** Until the picture has been read, and again after a gap, no hand moves. */
  readonly isKnown: boolean;
  readonly therapistName: string;
  therapistAway: boolean;
  /** Whether the room has this figure; false where that is not known. */
  has(figureId: number): boolean;
  /**
   * Whether a client may move this figure; null if there is no such figure. `handsAllowed` overrides whether hands are
   * allowed.
   */
  clientMay(clientId: number, figureId: number, handsAllowed?: boolean): boolean | null;
  /** Reads what has not been read, or could not be; call it for each message. */
  readIfDue(): void;
  /** Reads it again, because messages may have been missed. */
  read(): void;
  /** An act was stored. Ignores known changes; after a gap the picture is read again. */
  apply(change: FieldChange): void;
  setRole(role: RoleOf): void;
}

export interface RoomPictureParts {
  readonly scheduler: Pick<Scheduler, 'now'>;
  /** Reads in such a way that no act of the room happens between reading and `then`. */
  load(then: (picture: LanePicture) => void): Promise<void>;
  /** A new picture was read: permissions may have changed. */
  onRead(): void;
  onFault(error: unknown): void;
}

/** After the picture could not be read, the next message after this time reads it again (29). */
const READ_AGAIN_MS = 1000;
const NO_ROLES: readonly number[] = [];

/** Makes the picture of a room; nothing is read yet. */
export function createRoomPicture({ scheduler, load, onRead, onFault }: RoomPictureParts): RoomPicture {
  /** Who may move each figure; null until read, and again after a gap. */
  let movable: Map<number, MovableBy> | null = null;
  let revision = -1;
  let handsAllowed = true;
  let roles = new Map<number, readonly number[]>();
  /** The reading under way. */
  let reading: object | null = null;
  /** The newest change that came during this reading: the picture may lack it. */
  let newestSeen = -1;
  /** To be read once more after this reading. */
  let isToReadAgain = false;
  /** When to read again after that failed; null when it did not. Until then the old picture counts. */
  let readAgainAt: number | null = null;

  function take(read: LanePicture): void {
    reading = null;
    readAgainAt = null;
    revision = read.revision;
    handsAllowed = read.field.handsAllowed;
    movable = new Map(read.field.figures.map((figure) => [figure.id, figure.movableBy]));
    roles = new Map([...read.roles].map(([clientId, held]) => [clientId, held.map(({ figureId }) => figureId)]));
    picture.therapistName = read.therapistName;
    picture.therapistAway = read.therapistAway;
    onRead();
    // Acts of other nodes keep no order with this reading.
    if (isToReadAgain || revision < newestSeen) picture.read();
  }

  const picture = {
    therapistName: '',
    therapistAway: false,

    get isKnown() {
      return movable !== null;
    },

    has: (figureId: number) => movable?.has(figureId) === true,

    clientMay(clientId: number, figureId: number, allowed = handsAllowed): boolean | null {
      const movableBy = movable?.get(figureId);
      if (movableBy === undefined) return null;
      return mayMove({ as: 'client', roles: roles.get(clientId) ?? NO_ROLES }, { id: figureId, movableBy }, allowed);
    },

    readIfDue(): void {
      const isDue = readAgainAt === null ? movable === null : scheduler.now() >= readAgainAt;
      if (isDue && reading === null) picture.read();
    },

    read(): void {
      if (reading !== null) {
        isToReadAgain = true;
        return;
      }
      const thisReading = {};
      reading = thisReading;
      isToReadAgain = false;
      newestSeen = -1;
      load(take)
        .catch((error: unknown) => {
          readAgainAt = scheduler.now() + READ_AGAIN_MS;
          onFault(error);
        })
        .finally(() => {
          if (reading === thisReading) reading = null;
        });
    },

    apply(change: FieldChange): void {
      newestSeen = Math.max(newestSeen, change.revision);
      const verdict = judgeRevision(revision, change.revision);
      if (movable === null || verdict === 'known') return;
      if (verdict === 'gap') {
        movable = null;
        picture.read();
        return;
      }
      revision = change.revision;
      for (const op of change.ops) {
        if (op.op === 'put') movable.set(op.figure.id, op.figure.movableBy);
        else if (op.op === 'remove') movable.delete(op.figureId);
        // A node of a later version may send more.
        else if (op.op === 'hands') handsAllowed = op.allowed;
      }
    },

    setRole({ clientId, figureId, isHeld }: RoleOf): void {
      const others = (roles.get(clientId) ?? NO_ROLES).filter((id) => id !== figureId);
      roles.set(clientId, isHeld ? [...others, figureId] : others);
    },
  };
  return picture;
}
