/**
 * The volatile lane: who holds which figure, where it is in the hand, whose pointer shows where. Nothing here is stored.
 *
 * This is the path that runs for every move of every hand, so it neither asks the database nor the schemas: it keeps a
 * small picture of each room that somebody drags in, and checks messages by hand (`readDrag` equals the contract's schema,
 * held by a property test). A position overwrites the one before it in place; once a tick everything of a room goes out.
 */
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  HOLD_MS,
  mayMove,
  normalizeRotation,
  SCALE_MAX,
  SCALE_MIN,
  TICK_MS,
  VOLATILE_PER_SECOND,
  type FieldChange,
  type FieldDragMessage,
  type FieldPointMessage,
  type FieldSnapshot,
  type MovableBy,
} from '@fieldroom/contract/field';
import type { ProblemCode } from '@fieldroom/contract/problems';
import type { DragPosition, PlainChange, PointerPosition } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../access.ts';
import type { Actor, FigureStep, RoleStep } from './field.rules.ts';

/** Real time and one-shot timers; tests move them by hand. */
export interface Scheduler {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Runs `work` once after `ms`; the answer takes it back. */
  after(ms: number, work: () => void): () => void;
}

export const realScheduler: Scheduler = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** What the lane has to know of a room to let a hand move: read once, then kept by what the room announces. */
export interface LanePicture {
  field: FieldSnapshot;
  revision: number;
  roles: ReadonlyMap<number, readonly { figureId: number }[]>;
  /** The therapist's name on the pointer. */
  therapistName: string;
}

export interface Held {
  readonly figureId: number;
  readonly by: number;
  readonly x: number;
  readonly y: number;
  readonly rotation?: number;
  readonly scale?: number;
}

export interface Lane {
  drag(access: RoomAccess, body: unknown): void;
  point(access: RoomAccess, body: unknown): void;
  /** The person's last connection is gone, or it may not act any more: its hands open, its pointer goes. */
  personGone(therapistId: number, personId: number): void;
  /** Whether a client may not act on this figure because another hand has it. The therapist always may. */
  heldByOther(therapistId: number, figureId: number, personId: number): boolean;
  /** What clients have in their hands, with the last places seen. */
  clientsHolds(therapistId: number): Held[];
  /** A stored act was committed: `figures` and `roles` as in its trace. Figures moved by it leave all hands. */
  settled(
    therapistId: number,
    change: FieldChange,
    actor: Actor,
    figures: readonly FigureStep[],
    roles: readonly RoleStep[],
  ): void;
  /** The person let go and nothing was stored (refused, or nothing changed): everybody shows the stored place again. */
  letGo(therapistId: number, figureId: number, personId: number): void;
  /** Who holds which role may have changed: read it again. `taken` are known to be gone and count at once. */
  rolesChanged(therapistId: number, taken?: readonly { clientId: number; figureId: number }[]): void;
  /** A change announced by another process. */
  hear(therapistId: number, change: FieldChange): void;
  /** Drops all timers and rooms. */
  stop(): void;
}

export interface LaneDoors {
  announceVolatile(therapistId: number, change: PlainChange): void;
  /** Reads the picture so that no act of the room falls between reading and `then`. */
  load(therapistId: number, then: (picture: LanePicture) => void): Promise<void>;
  /** Tells the person why its hand does nothing. */
  refuse(personId: number, figureId: number | null, problem: ProblemCode): void;
  onFault(error: unknown): void;
}

interface Hold {
  figureId: number;
  by: number;
  client: boolean;
  at: number;
  x: number;
  y: number;
  rotation: number | undefined;
  scale: number | undefined;
  /** Moved since the last tick. */
  fresh: boolean;
}

interface PersonInLane {
  dragTokens: number;
  dragAt: number;
  pointTokens: number;
  pointAt: number;
  refusedAt: number;
  /** Figures taken out of this hand, by the time of the last drag that was ignored for it. */
  lost: Map<number, number> | null;
}

interface Pointer {
  by: number;
  name: string;
  x: number;
  y: number;
  fresh: boolean;
}

interface LaneRoom {
  therapistId: number;
  /** null until read, and again after a gap. */
  movable: Map<number, MovableBy> | null;
  revision: number;
  handsAllowed: boolean;
  roles: Map<number, number[]>;
  therapistName: string;
  loading: boolean;
  holds: Map<number, Hold>;
  ended: DragPosition[];
  pointers: Map<number, Pointer>;
  pointersOff: number[];
  people: Map<number, PersonInLane>;
  cancelTick: (() => void) | null;
  cancelHolds: (() => void) | null;
}

/** As many may come at once after the line stood still; more than a second's worth would let a burst through twice. */
const BURST = 10;
const PER_MS = VOLATILE_PER_SECOND / 1000;
const REFUSE_AGAIN_MS = 1000;
const NO_ROLES: readonly number[] = [];

/**
 * Makes the lane. In: what it needs of the room, and real time. Numbers in the text are rules of this folder's README.
 * Source: PRODUCT section 5, contract/realtime invariant 6.
 */
export function createLane(doors: LaneDoors, scheduler: Scheduler = realScheduler): Lane {
  const rooms = new Map<number, LaneRoom>();

  function roomOf(therapistId: number): LaneRoom {
    let room = rooms.get(therapistId);
    if (!room) {
      room = {
        therapistId,
        movable: null,
        revision: -1,
        handsAllowed: true,
        roles: new Map(),
        therapistName: '',
        loading: false,
        holds: new Map(),
        ended: [],
        pointers: new Map(),
        pointersOff: [],
        people: new Map(),
        cancelTick: null,
        cancelHolds: null,
      };
      rooms.set(therapistId, room);
    }
    if (!room.movable && !room.loading) load(room);
    return room;
  }

  function load(room: LaneRoom): void {
    room.loading = true;
    const take = ({ field, revision, roles, therapistName }: LanePicture) => {
      room.loading = false;
      room.revision = revision;
      room.handsAllowed = field.handsAllowed;
      room.movable = new Map(field.figures.map((figure) => [figure.id, figure.movableBy]));
      room.roles = new Map([...roles].map(([clientId, held]) => [clientId, held.map((role) => role.figureId)]));
      room.therapistName = therapistName;
      recheck(room);
    };
    doors
      .load(room.therapistId, take)
      .catch(doors.onFault)
      .finally(() => {
        room.loading = false;
      });
  }

  function personOf(room: LaneRoom, personId: number, now: number): PersonInLane {
    let person = room.people.get(personId);
    if (!person) {
      person = { dragTokens: BURST, dragAt: now, pointTokens: BURST, pointAt: now, refusedAt: -Infinity, lost: null };
      room.people.set(personId, person);
    }
    return person;
  }

  /** Whether a client may move this figure; null when there is no such figure here. */
  function clientMay(
    room: LaneRoom,
    clientId: number,
    figureId: number,
    handsAllowed = room.handsAllowed,
  ): boolean | null {
    const movableBy = room.movable!.get(figureId);
    if (movableBy === undefined) return null;
    return mayMove(
      { as: 'client', roles: room.roles.get(clientId) ?? NO_ROLES },
      { id: figureId, movableBy },
      handsAllowed,
    );
  }

  function refuse(room: LaneRoom, personId: number, figureId: number | null, problem: ProblemCode, now: number): void {
    const person = personOf(room, personId, now);
    if (now - person.refusedAt < REFUSE_AGAIN_MS) return;
    person.refusedAt = now;
    doors.refuse(personId, figureId, problem);
  }

  function tickSoon(room: LaneRoom): void {
    room.cancelTick ??= scheduler.after(TICK_MS, () => flush(room));
  }

  function flush(room: LaneRoom): void {
    room.cancelTick = null;
    const drags = room.ended;
    room.ended = [];
    for (const hold of room.holds.values()) {
      if (!hold.fresh) continue;
      hold.fresh = false;
      // An undefined property is left out of the JSON.
      drags.push({
        figureId: hold.figureId,
        x: hold.x,
        y: hold.y,
        rotation: hold.rotation,
        scale: hold.scale,
        by: hold.by,
      });
    }
    if (drags.length > 0) doors.announceVolatile(room.therapistId, { eventType: 'PLAYER_DRAG', contents: { drags } });
    const pointers: PointerPosition[] = room.pointersOff.map((by) => ({ by, off: true }));
    room.pointersOff.length = 0;
    for (const pointer of room.pointers.values()) {
      if (!pointer.fresh) continue;
      pointer.fresh = false;
      pointers.push({ by: pointer.by, name: pointer.name, x: pointer.x, y: pointer.y });
    }
    if (pointers.length > 0) doors.announceVolatile(room.therapistId, { eventType: 'POINTER', contents: { pointers } });
  }

  /** Ends a hold; `tell` when nothing stored follows, so that everybody shows the stored place again. */
  function end(room: LaneRoom, hold: Hold, tell: boolean): void {
    room.holds.delete(hold.figureId);
    if (!tell) return;
    room.ended.push({ figureId: hold.figureId, x: hold.x, y: hold.y, by: hold.by, end: true });
    tickSoon(room);
  }

  function watchHolds(room: LaneRoom, ms: number): void {
    room.cancelHolds ??= scheduler.after(ms, () => {
      room.cancelHolds = null;
      const now = scheduler.now();
      let next = Infinity;
      for (const hold of room.holds.values()) {
        const left = hold.at + HOLD_MS - now;
        if (left <= 0) end(room, hold, true);
        else next = Math.min(next, left);
      }
      if (next !== Infinity) watchHolds(room, next);
    });
  }

  /** Takes the figure out of another's hand; that hand stays off it until it opens or rests. */
  function takeOut(room: LaneRoom, hold: Hold, now: number, tell: boolean): void {
    const person = personOf(room, hold.by, now);
    (person.lost ??= new Map()).set(hold.figureId, now);
    end(room, hold, tell);
  }

  /** After permissions changed: hands that may not hold any more open. */
  function recheck(room: LaneRoom): void {
    if (!room.movable) return;
    for (const hold of room.holds.values()) {
      if (hold.client ? !clientMay(room, hold.by, hold.figureId) : !room.movable.has(hold.figureId))
        end(room, hold, true);
    }
  }

  return {
    drag(access, body) {
      const now = scheduler.now();
      const room = roomOf(access.therapistId);
      const personId = access.personId;
      if (!isDrag(body)) return refuse(room, personId, null, 'invalid_input', now);
      const { figureId } = body;
      const person = personOf(room, personId, now);
      if (body.end === true) {
        // Never counted: a hand that cannot be opened would be worse than any flood of these, which do nothing.
        person.lost?.delete(figureId);
        const hold = room.holds.get(figureId);
        if (hold?.by === personId) end(room, hold, true);
        return;
      }
      person.dragTokens = Math.min(BURST, person.dragTokens + (now - person.dragAt) * PER_MS);
      person.dragAt = now;
      if (person.dragTokens < 1) return;
      person.dragTokens -= 1;
      // What comes before the picture is there is not waited for: the next position is 33 ms away.
      if (!room.movable) return;

      const client = access.as === 'client';
      let hold = room.holds.get(figureId);
      if (client) {
        const may = clientMay(room, personId, figureId);
        if (may !== true) {
          if (hold?.by === personId) end(room, hold, true);
          return refuse(
            room,
            personId,
            figureId,
            may === null
              ? 'not_found'
              : clientMay(room, personId, figureId, true)
                ? 'hands_stopped'
                : 'figure_not_yours',
            now,
          );
        }
      } else if (!room.movable.has(figureId)) {
        return refuse(room, personId, figureId, 'not_found', now);
      }
      if (person.lost !== null) {
        const since = person.lost.get(figureId);
        if (since !== undefined && client) {
          if (now - since < HOLD_MS) {
            person.lost.set(figureId, now);
            return refuse(room, personId, figureId, 'figure_held', now);
          }
          person.lost.delete(figureId);
        }
      }
      if (hold && hold.by !== personId) {
        if (now - hold.at >= HOLD_MS) {
          end(room, hold, false);
        } else if (client) {
          return refuse(room, personId, figureId, 'figure_held', now);
        } else {
          takeOut(room, hold, now, false);
        }
        hold = undefined;
      }
      if (!hold) {
        hold = {
          figureId,
          by: personId,
          client,
          at: now,
          x: 0,
          y: 0,
          rotation: undefined,
          scale: undefined,
          fresh: true,
        };
        room.holds.set(figureId, hold);
        watchHolds(room, HOLD_MS);
      }
      hold.at = now;
      hold.x = Math.round(body.x * 10) / 10;
      hold.y = Math.round(body.y * 10) / 10;
      if (body.rotation !== undefined) hold.rotation = normalizeRotation(body.rotation);
      if (body.scale !== undefined) hold.scale = body.scale;
      hold.fresh = true;
      tickSoon(room);
    },

    point(access, body) {
      const now = scheduler.now();
      const room = roomOf(access.therapistId);
      if (!isPoint(body)) return refuse(room, access.personId, null, 'invalid_input', now);
      const pointer = room.pointers.get(access.personId);
      if ('off' in body) {
        if (!pointer) return;
        room.pointers.delete(access.personId);
        room.pointersOff.push(access.personId);
        return tickSoon(room);
      }
      const person = personOf(room, access.personId, now);
      person.pointTokens = Math.min(BURST, person.pointTokens + (now - person.pointAt) * PER_MS);
      person.pointAt = now;
      if (person.pointTokens < 1 || !room.movable) return;
      person.pointTokens -= 1;
      const x = Math.round(body.x * 10) / 10;
      const y = Math.round(body.y * 10) / 10;
      if (pointer) {
        pointer.x = x;
        pointer.y = y;
        pointer.fresh = true;
      } else {
        room.pointers.set(access.personId, {
          by: access.personId,
          name: access.as === 'client' ? access.name : room.therapistName,
          x,
          y,
          fresh: true,
        });
      }
      tickSoon(room);
    },

    personGone(therapistId, personId) {
      const room = rooms.get(therapistId);
      if (!room) return;
      for (const hold of room.holds.values()) if (hold.by === personId) end(room, hold, true);
      if (room.pointers.delete(personId)) {
        room.pointersOff.push(personId);
        tickSoon(room);
      }
      room.people.delete(personId);
      if (room.people.size > 0) return;
      room.cancelHolds?.();
      if (room.cancelTick) {
        room.cancelTick();
        flush(room);
      }
      rooms.delete(therapistId);
    },

    heldByOther(therapistId, figureId, personId) {
      const room = rooms.get(therapistId);
      if (!room) return false;
      const now = scheduler.now();
      const hold = room.holds.get(figureId);
      if (hold && hold.by !== personId && now - hold.at < HOLD_MS) return true;
      const lost = room.people.get(personId)?.lost?.get(figureId);
      return lost !== undefined && now - lost < HOLD_MS;
    },

    clientsHolds(therapistId) {
      const room = rooms.get(therapistId);
      return room
        ? [...room.holds.values()]
            .filter((hold) => hold.client)
            .map(({ figureId, by, x, y, rotation, scale }) => ({ figureId, by, x, y, rotation, scale }))
        : [];
    },

    settled(therapistId, change, actor, figures, roles) {
      const room = rooms.get(therapistId);
      if (!room) return;
      const now = scheduler.now();
      for (const { id, before, after } of figures) {
        const hold = room.holds.get(id);
        if (!hold) continue;
        const moved =
          !before ||
          !after ||
          before.x !== after.x ||
          before.y !== after.y ||
          before.rotation !== after.rotation ||
          before.scale !== after.scale;
        if (!moved) continue;
        if (hold.by === actor.id || !after) end(room, hold, false);
        else takeOut(room, hold, now, false);
      }
      applyToPicture(room, change);
      for (const { clientId, figureId, after } of roles) {
        const held = (room.roles.get(clientId) ?? []).filter((id) => id !== figureId);
        room.roles.set(clientId, after === 'none' ? held : [...held, figureId]);
      }
      recheck(room);
    },

    letGo(therapistId, figureId, personId) {
      const room = rooms.get(therapistId);
      if (!room) return;
      room.people.get(personId)?.lost?.delete(figureId);
      const hold = room.holds.get(figureId);
      if (hold?.by === personId) end(room, hold, true);
    },

    rolesChanged(therapistId, taken = []) {
      const room = rooms.get(therapistId);
      if (!room?.movable) return;
      for (const { clientId, figureId } of taken)
        room.roles.set(
          clientId,
          (room.roles.get(clientId) ?? []).filter((id) => id !== figureId),
        );
      recheck(room);
      load(room);
    },

    hear(therapistId, change) {
      const room = rooms.get(therapistId);
      if (!room) return;
      applyToPicture(room, change);
      for (const op of change.ops) {
        if (op.op === 'hands') continue;
        const hold = room.holds.get(op.op === 'put' ? op.figure.id : op.figureId);
        if (hold && hold.by === change.by) end(room, hold, false);
      }
      recheck(room);
    },

    stop() {
      for (const room of rooms.values()) {
        room.cancelTick?.();
        room.cancelHolds?.();
      }
      rooms.clear();
    },
  };

  /** Known changes are left aside; after a gap the picture is read again before any hand may move. */
  function applyToPicture(room: LaneRoom, change: FieldChange): void {
    if (!room.movable || change.revision <= room.revision) return;
    if (change.revision !== room.revision + 1) {
      room.movable = null;
      if (!room.loading) load(room);
      return;
    }
    room.revision = change.revision;
    for (const op of change.ops) {
      if (op.op === 'put') room.movable.set(op.figure.id, op.figure.movableBy);
      else if (op.op === 'remove') room.movable.delete(op.figureId);
      else room.handsAllowed = op.allowed;
    }
  }
}

// ---- the contract's schemas by hand: no allocation for a message that is right

const within = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

/** Whether this is what `fieldDragMessage` lets through; the turn is not yet brought into 0 ≤ r < 360. */
export function isDrag(body: unknown): body is FieldDragMessage {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  for (const property in body) {
    const value = (body as Record<string, unknown>)[property];
    switch (property) {
      case 'figureId':
        if (!Number.isSafeInteger(value) || (value as number) <= 0) return false;
        break;
      case 'x':
        if (!within(value, 0, FIELD_WIDTH)) return false;
        break;
      case 'y':
        if (!within(value, 0, FIELD_HEIGHT)) return false;
        break;
      case 'rotation':
        if (value !== undefined && !within(value, -3600, 3600)) return false;
        break;
      case 'scale':
        if (value !== undefined && !within(value, SCALE_MIN, SCALE_MAX)) return false;
        break;
      case 'end':
        if (value !== undefined && typeof value !== 'boolean') return false;
        break;
      default:
        return false;
    }
  }
  const { figureId, x, y } = body as Partial<FieldDragMessage>;
  return figureId !== undefined && x !== undefined && y !== undefined;
}

/** Whether this is what `fieldPointMessage` lets through. */
export function isPoint(body: unknown): body is FieldPointMessage {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  let count = 0;
  for (const property in body) {
    count += 1;
    if (property !== 'x' && property !== 'y' && property !== 'off') return false;
  }
  const { x, y, off } = body as { x?: unknown; y?: unknown; off?: unknown };
  if ('off' in body) return count === 1 && off === true;
  return within(x, 0, FIELD_WIDTH) && within(y, 0, FIELD_HEIGHT);
}
