/**
 * The volatile lane: who holds which figure, where that hand has it, and where everybody's pointer is. Nothing here is
 * stored.
 *
 * This path runs for every move of every hand, so it uses neither the database nor the schemas. It keeps a small
 * picture of each room in which somebody drags, and checks messages by hand (`isDrag` equals the contract's schema; a
 * property test compares them). A position overwrites the one before it in place; once a tick, all new positions of a
 * room go out in one message.
 */
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  HOLD_MS,
  mayMove,
  normalizeRotation,
  SCALE_MAX,
  SCALE_MIN,
  VOLATILE_PER_SECOND,
  type FieldChange,
  type FieldDragMessage,
  type FieldPointMessage,
  type FieldSnapshot,
  type MovableBy,
  type DragPosition,
  type PointerPosition,
} from '@fieldroom/contract/field';
import type { ProblemCode } from '@fieldroom/contract/problems';
import type { PlainChange } from '@fieldroom/contract/realtime';
import { judgeRevision } from '@fieldroom/contract/revisions';
import type { RoomAccess } from '../../../access.ts';
import { createRelay, type Moves } from './field.lane.relay.ts';
import { createTicks } from './field.lane.ticks.ts';
import type { Actor, FigureStep, RoleStep } from '../field.rules.ts';

/** Real time and one-shot timers; tests move them by hand. */
export interface Scheduler {
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Milliseconds of the machine's clock, on which nodes agree more or less. */
  clock(): number;
  /** Runs `work` once after `ms`. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const realScheduler: Scheduler = {
  now: () => performance.now(),
  clock: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** What the lane must know about a room before a hand may move. It is read once; stored acts keep it up to date. */
export interface LanePicture {
  field: FieldSnapshot;
  revision: number;
  roles: ReadonlyMap<number, readonly { figureId: number }[]>;
  /** The therapist's name on the pointer. */
  therapistName: string;
  /** While the therapist is disconnected, clients' hands do nothing. */
  therapistAway: boolean;
}

interface Held {
  readonly figureId: number;
  readonly by: number;
  readonly x: number;
  readonly y: number;
  readonly rotation?: number;
  readonly scale?: number;
}

/** A hold that another node told, and when. */
interface RemoteHold extends Held {
  readonly at: number;
}

export interface Lane {
  drag(access: RoomAccess, body: unknown): void;
  point(access: RoomAccess, body: unknown): void;
  /**
   * The person's last connection is gone, or they may not act any more: their hands open and their pointer disappears.
   */
  personGone(therapistId: number, personId: number): void;
  /** Whether a client may not act on this figure because another hand has it. The therapist always may. */
  heldByOther(therapistId: number, figureId: number, personId: number): boolean;
  /** Figures in clients' hands, with the last positions received. */
  clientsHolds(therapistId: number): Held[];
  /**
   * An act was committed; `figures` and `roles` are those of its trace. All hands let go of the figures that it moved.
   */
  settled(
    therapistId: number,
    change: FieldChange,
    actor: Actor,
    figures: readonly FigureStep[],
    roles: readonly RoleStep[],
  ): void;
  /**
   * The person let go and nothing was stored (refused, or nothing changed): everybody shows the stored position again.
   */
  release(therapistId: number, figureId: number, personId: number): void;
  /** Roles may have changed and are read again. Those in `taken` are certainly gone and end at once. */
  rolesChanged(therapistId: number, taken?: readonly { clientId: number; figureId: number }[]): void;
  /**
   * The therapist disconnected or reconnected. While they are away, clients' hands open and no client moves anything.
   */
  therapistHere(therapistId: number, here: boolean): void;
  /**
   * Where hands and pointers of people on another node are. If two hands have the same figure, the therapist's keeps
   * it, or the hand of the person with the lower number.
   */
  elsewhere(therapistId: number, moves: Moves): void;
  /** Reads the picture of a room again, of which something may have been missed. */
  refresh(therapistId: number): void;
  /** Drops all timers and rooms. */
  stop(): void;
}

export interface LaneNodes {
  /** Whether all people of the room are on this node, as far as it knows. */
  isAlone(therapistId: number): boolean;
  /** Tells the others where hands and pointers are that this node knows. */
  tell(therapistId: number, moves: Moves): void;
}

export interface LaneParts {
  /** The other nodes with people of the room; none in a service of one node. */
  readonly nodes?: LaneNodes;
  /** Sends to the people of the room who are on this node. */
  announceHere(therapistId: number, change: PlainChange): void;
  /** Reads the picture in such a way that no act of the room happens between reading and `then`. */
  load(therapistId: number, then: (picture: LanePicture) => void): Promise<void>;
  /** Tells a person why their hand does nothing. */
  refuse(personId: number, figureId: number | null, problem: ProblemCode): void;
  onFault(error: unknown): void;
}

/** Who hears of moves: the people on this node at the tick, the other nodes shortly before. */
interface Sides<T> {
  here: T;
  there: T;
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
  unheard: Sides<boolean>;
}

interface PersonInLane {
  dragTokens: number;
  dragAt: number;
  pointTokens: number;
  pointAt: number;
  refusedAt: number;
  /** Figures taken from this hand, with the time of the last drag that was ignored for that reason. */
  takenAway: Map<number, number> | null;
}

interface Pointer {
  by: number;
  name: string;
  x: number;
  y: number;
  client: boolean;
  at: number;
  unheard: Sides<boolean>;
}

interface LaneRoom {
  therapistId: number;
  /** null until read, and again after a gap. */
  movable: Map<number, MovableBy> | null;
  revision: number;
  handsAllowed: boolean;
  therapistAway: boolean;
  roles: Map<number, number[]>;
  therapistName: string;
  /** The reading under way. */
  reading: object | null;
  /** The newest change that came during this reading: the picture may lack it. */
  seen: number;
  /** To be read once more after this reading. */
  again: boolean;
  /** When to read the picture again after that failed; null when it did not. Until then the old one counts. */
  readAgainAt: number | null;
  holds: Map<number, Hold>;
  /** Holds and pointers that have ended, as far as it was not heard. */
  ended: Sides<Moves>;
  pointers: Map<number, Pointer>;
  people: Map<number, PersonInLane>;
  cancelSilence: (() => void) | null;
}

/** The maximum number at once after a pause of the connection; with more, a burst could pass twice. */
const BURST = 10;
const PER_MS = VOLATILE_PER_SECOND / 1000;
const REFUSE_AGAIN_MS = 1000;
/** After the picture could not be read, the next message after this time reads it again. */
const READ_AGAIN_MS = 1000;
const NO_ROLES: readonly number[] = [];
const NO_MOVES: Moves = { drags: [], pointers: [] };

/**
 * Creates the lane. Takes what it needs of the room, and real time. Numbers in comments are rules of this folder's
 * README. Source: docs/product.md#5, contract/src/realtime.ts invariant 6.
 */
export function createLane(parts: LaneParts, scheduler: Scheduler = realScheduler): Lane {
  const rooms = new Map<number, LaneRoom>();
  /** By therapist and figure: what hands on other nodes hold. It ends as holds do, after HOLD_MS of silence. */
  const remote = new Map<number, Map<number, RemoteHold>>();
  const relay = createRelay();
  const ticks = createTicks({ scheduler, send, tell });

  /** The hold of a figure by somebody on another node. */
  function remoteHold(therapistId: number, figureId: number, now: number): RemoteHold | null {
    const hold = remote.get(therapistId)?.get(figureId);
    return hold !== undefined && now - hold.at < HOLD_MS ? hold : null;
  }
  function endRemote(therapistId: number, which: (hold: RemoteHold) => boolean): void {
    const holds = remote.get(therapistId);
    if (holds === undefined) return;
    for (const [figureId, hold] of holds) if (which(hold)) holds.delete(figureId);
    if (holds.size === 0) remote.delete(therapistId);
  }

  function roomOf(therapistId: number): LaneRoom {
    let room = rooms.get(therapistId);
    if (!room) {
      room = {
        therapistId,
        movable: null,
        revision: -1,
        handsAllowed: true,
        therapistAway: false,
        roles: new Map(),
        therapistName: '',
        reading: null,
        seen: -1,
        again: false,
        readAgainAt: null,
        holds: new Map(),
        ended: { here: NO_MOVES, there: NO_MOVES },
        pointers: new Map(),
        people: new Map(),
        cancelSilence: null,
      };
      rooms.set(therapistId, room);
    }
    const isDue = room.readAgainAt === null ? !room.movable : scheduler.now() >= room.readAgainAt;
    if (isDue && room.reading === null) load(room);
    return room;
  }

  function load(room: LaneRoom): void {
    if (room.reading !== null) {
      room.again = true;
      return;
    }
    const reading = {};
    room.reading = reading;
    room.again = false;
    room.seen = -1;
    const take = ({ field, revision, roles, therapistName, therapistAway }: LanePicture) => {
      room.reading = null;
      room.readAgainAt = null;
      room.revision = revision;
      room.handsAllowed = field.handsAllowed;
      room.movable = new Map(field.figures.map((figure) => [figure.id, figure.movableBy]));
      room.roles = new Map([...roles].map(([clientId, held]) => [clientId, held.map((role) => role.figureId)]));
      room.therapistName = therapistName;
      room.therapistAway = therapistAway;
      openForbiddenHands(room);
      // Acts of other nodes keep no order with this reading.
      if (room.again || revision < room.seen) load(room);
    };
    parts
      .load(room.therapistId, take)
      .catch((error: unknown) => {
        room.readAgainAt = scheduler.now() + READ_AGAIN_MS;
        parts.onFault(error);
      })
      .finally(() => {
        if (room.reading === reading) room.reading = null;
      });
  }

  function personOf(room: LaneRoom, personId: number, now: number): PersonInLane {
    let person = room.people.get(personId);
    if (!person) {
      person = {
        dragTokens: BURST,
        dragAt: now,
        pointTokens: BURST,
        pointAt: now,
        refusedAt: -Infinity,
        takenAway: null,
      };
      room.people.set(personId, person);
    }
    return person;
  }

  /** Whether a client may move this figure; null if there is no such figure in this room. */
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
    parts.refuse(personId, figureId, problem);
  }

  /** Something has moved that the people here and the other nodes have to hear of. */
  function moved({ therapistId }: LaneRoom): void {
    ticks.sendSoon(therapistId);
    if (parts.nodes !== undefined && !parts.nodes.isAlone(therapistId)) ticks.tellSoon(therapistId);
  }

  function send(therapistId: number): void {
    const room = rooms.get(therapistId);
    const { drags, pointers } = joined(
      relay.take(therapistId),
      room === undefined ? NO_MOVES : takeUnheard(room, 'here'),
    );
    if (drags.length > 0) parts.announceHere(therapistId, { eventType: 'PLAYER_DRAG', contents: { drags } });
    if (pointers.length > 0) parts.announceHere(therapistId, { eventType: 'POINTER', contents: { pointers } });
    // Nodes that come later have not seen what has ended before.
    if (room && parts.nodes?.isAlone(therapistId) !== false) room.ended.there = NO_MOVES;
  }

  function tell(therapistId: number): void {
    const room = rooms.get(therapistId);
    const moves = room === undefined ? NO_MOVES : takeUnheard(room, 'there');
    if (moves.drags.length > 0 || moves.pointers.length > 0) parts.nodes?.tell(therapistId, moves);
  }

  /** Ends a hold. `tell` if nothing stored follows: then everybody shows the stored position again. */
  function endHold(room: LaneRoom, hold: Hold, tell: boolean): void {
    room.holds.delete(hold.figureId);
    if (!tell) return;
    end(room, {
      drags: [{ figureId: hold.figureId, x: hold.x, y: hold.y, by: hold.by, end: true }],
      pointers: [],
    });
  }

  /** Tells of holds or pointers that have ended. */
  function end(room: LaneRoom, moves: Moves): void {
    room.ended.here = joined(room.ended.here, moves);
    room.ended.there = joined(room.ended.there, moves);
    moved(room);
  }

  function removePointer(room: LaneRoom, by: number): void {
    if (room.pointers.delete(by)) end(room, { drags: [], pointers: [{ by, off: true }] });
  }

  /** Ends hands and pointers that have been silent for HOLD_MS: the message about their end was lost. */
  function watchSilence(room: LaneRoom, ms: number): void {
    room.cancelSilence ??= scheduler.after(ms, () => {
      room.cancelSilence = null;
      const now = scheduler.now();
      let next = Infinity;
      for (const hold of room.holds.values()) {
        const left = hold.at + HOLD_MS - now;
        if (left <= 0) endHold(room, hold, true);
        else next = Math.min(next, left);
      }
      for (const pointer of room.pointers.values()) {
        const left = pointer.at + HOLD_MS - now;
        if (left <= 0) removePointer(room, pointer.by);
        else next = Math.min(next, left);
      }
      if (next !== Infinity) watchSilence(room, next);
    });
  }

  /** Takes the figure from another hand. That hand cannot have it back before it opens or rests. */
  function takeFromHand(room: LaneRoom, hold: Hold, now: number, tell: boolean): void {
    const person = personOf(room, hold.by, now);
    (person.takenAway ??= new Map()).set(hold.figureId, now);
    endHold(room, hold, tell);
  }

  /** Opens hands that may not hold any more. Call it whenever permissions may have changed. */
  function openForbiddenHands(room: LaneRoom): void {
    if (!room.movable) return;
    for (const hold of room.holds.values()) {
      if (
        hold.client ? room.therapistAway || !clientMay(room, hold.by, hold.figureId) : !room.movable.has(hold.figureId)
      )
        endHold(room, hold, true);
    }
    if (!room.therapistAway) return;
    for (const pointer of room.pointers.values()) if (pointer.client) removePointer(room, pointer.by);
  }

  /** Limits a person's drags to VOLATILE_PER_SECOND, with bursts of BURST. */
  function takeDragToken(person: PersonInLane, now: number): boolean {
    person.dragTokens = Math.min(BURST, person.dragTokens + (now - person.dragAt) * PER_MS);
    person.dragAt = now;
    if (person.dragTokens < 1) return false;
    person.dragTokens -= 1;
    return true;
  }

  /**
   * Returns why this person may not move this figure at all, or null. If their hand holds it nevertheless, the hand
   * opens.
   */
  function whyNotDrag(room: LaneRoom, access: RoomAccess, figureId: number): ProblemCode | null {
    if (access.as !== 'client') return room.movable!.has(figureId) ? null : 'not_found';
    if (room.therapistAway) return 'therapist_away';
    const may = clientMay(room, access.personId, figureId);
    if (may === true) return null;
    const hold = room.holds.get(figureId);
    if (hold?.by === access.personId) endHold(room, hold, true);
    if (may === null) return 'not_found';
    return clientMay(room, access.personId, figureId, true) ? 'hands_stopped' : 'figure_not_yours';
  }

  /** Returns why a client cannot take this figure now, or null. The therapist can take it from any hand. */
  function whyOutOfReach(
    room: LaneRoom,
    person: PersonInLane,
    access: RoomAccess,
    figureId: number,
    now: number,
  ): ProblemCode | null {
    if (access.as !== 'client') return null;
    const since = person.takenAway?.get(figureId);
    if (since !== undefined && now - since < HOLD_MS) {
      person.takenAway!.set(figureId, now);
      return 'figure_held';
    }
    if (since !== undefined) person.takenAway!.delete(figureId);
    const hold = room.holds.get(figureId);
    if (hold && hold.by !== access.personId && now - hold.at < HOLD_MS) return 'figure_held';
    const far = remoteHold(room.therapistId, figureId, now);
    return far !== null && far.by !== access.personId ? 'figure_held' : null;
  }

  /**
   * Returns this person's hold of the figure. Somebody else's hold ends: it has been silent too long, or the therapist
   * takes over.
   */
  function holdOf(room: LaneRoom, access: RoomAccess, figureId: number, now: number): Hold {
    const before = room.holds.get(figureId);
    if (before?.by === access.personId) return before;
    endRemote(room.therapistId, (far) => far.figureId === figureId);
    if (before && now - before.at >= HOLD_MS) endHold(room, before, false);
    else if (before) takeFromHand(room, before, now, false);
    const hold: Hold = {
      figureId,
      by: access.personId,
      client: access.as === 'client',
      at: now,
      x: 0,
      y: 0,
      rotation: undefined,
      scale: undefined,
      unheard: unheardYet(),
    };
    room.holds.set(figureId, hold);
    watchSilence(room, HOLD_MS);
    return hold;
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
        // Never limited: a hand that cannot be opened would be worse than a flood of messages without effect.
        person.takenAway?.delete(figureId);
        const hold = room.holds.get(figureId);
        if (hold?.by === personId) endHold(room, hold, true);
        return;
      }
      if (!takeDragToken(person, now)) return;
      // Until the picture has been read, positions are dropped: the next one comes within 33 ms.
      if (!room.movable) return;
      const problem = whyNotDrag(room, access, figureId) ?? whyOutOfReach(room, person, access, figureId, now);
      if (problem !== null) return refuse(room, personId, figureId, problem, now);
      const hold = holdOf(room, access, figureId, now);
      hold.at = now;
      hold.x = Math.round(body.x * 10) / 10;
      hold.y = Math.round(body.y * 10) / 10;
      if (body.rotation !== undefined) hold.rotation = normalizeRotation(body.rotation);
      if (body.scale !== undefined) hold.scale = body.scale;
      hold.unheard = unheardYet();
      moved(room);
    },

    point(access, body) {
      const now = scheduler.now();
      const room = roomOf(access.therapistId);
      if (!isPoint(body)) return refuse(room, access.personId, null, 'invalid_input', now);
      if ('off' in body) return removePointer(room, access.personId);
      const person = personOf(room, access.personId, now);
      person.pointTokens = Math.min(BURST, person.pointTokens + (now - person.pointAt) * PER_MS);
      person.pointAt = now;
      if (person.pointTokens < 1 || !room.movable) return;
      person.pointTokens -= 1;
      const client = access.as === 'client';
      if (client && room.therapistAway) return refuse(room, access.personId, null, 'therapist_away', now);
      const pointer = room.pointers.get(access.personId);
      const x = Math.round(body.x * 10) / 10;
      const y = Math.round(body.y * 10) / 10;
      if (pointer) {
        // A pointer that rests sends its position again. The lane passes it on, because browsers remove silent
        // pointers.
        pointer.at = now;
        pointer.x = x;
        pointer.y = y;
        pointer.unheard = unheardYet();
      } else {
        room.pointers.set(access.personId, {
          by: access.personId,
          name: client ? access.name : room.therapistName,
          x,
          y,
          client,
          at: now,
          unheard: unheardYet(),
        });
        watchSilence(room, HOLD_MS);
      }
      moved(room);
    },

    personGone(therapistId, personId) {
      endRemote(therapistId, ({ by }) => by === personId);
      const room = rooms.get(therapistId);
      if (!room) return;
      for (const hold of room.holds.values()) if (hold.by === personId) endHold(room, hold, true);
      removePointer(room, personId);
      room.people.delete(personId);
      if (room.people.size > 0) return;
      room.cancelSilence?.();
      ticks.finish(therapistId);
      rooms.delete(therapistId);
    },

    heldByOther(therapistId, figureId, personId) {
      const now = scheduler.now();
      const far = remoteHold(therapistId, figureId, now);
      if (far !== null && far.by !== personId) return true;
      const room = rooms.get(therapistId);
      if (!room) return false;
      const hold = room.holds.get(figureId);
      if (hold && hold.by !== personId && now - hold.at < HOLD_MS) return true;
      const takenAway = room.people.get(personId)?.takenAway?.get(figureId);
      return takenAway !== undefined && now - takenAway < HOLD_MS;
    },

    clientsHolds(therapistId) {
      const now = scheduler.now();
      const here = [...(rooms.get(therapistId)?.holds.values() ?? [])].filter((hold) => hold.client);
      const far = [...(remote.get(therapistId)?.values() ?? [])].filter(
        ({ by, at, figureId }) =>
          by !== therapistId && now - at < HOLD_MS && !here.some((hold) => hold.figureId === figureId),
      );
      return [...here, ...far].map(({ figureId, by, x, y, rotation, scale }) => ({
        figureId,
        by,
        x,
        y,
        ...(rotation !== undefined && { rotation }),
        ...(scale !== undefined && { scale }),
      }));
    },

    settled(therapistId, change, actor, figures, roles) {
      endRemote(therapistId, ({ figureId }) => figures.some(({ id }) => id === figureId));
      relay.drop(
        therapistId,
        figures.map(({ id }) => id),
      );
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
        if (hold.by === actor.id || !after) endHold(room, hold, false);
        else takeFromHand(room, hold, now, false);
      }
      applyToPicture(room, change);
      for (const { clientId, figureId, after } of roles) {
        const held = (room.roles.get(clientId) ?? []).filter((id) => id !== figureId);
        room.roles.set(clientId, after === 'none' ? held : [...held, figureId]);
      }
      openForbiddenHands(room);
    },

    release(therapistId, figureId, personId) {
      endRemote(therapistId, (far) => far.figureId === figureId && far.by === personId);
      const room = rooms.get(therapistId);
      if (!room) return;
      room.people.get(personId)?.takenAway?.delete(figureId);
      const hold = room.holds.get(figureId);
      if (hold?.by === personId) endHold(room, hold, true);
    },

    rolesChanged(therapistId, taken = []) {
      const room = rooms.get(therapistId);
      if (!room?.movable) return;
      for (const { clientId, figureId } of taken)
        room.roles.set(
          clientId,
          (room.roles.get(clientId) ?? []).filter((id) => id !== figureId),
        );
      openForbiddenHands(room);
      load(room);
    },

    therapistHere(therapistId, here) {
      const room = rooms.get(therapistId);
      if (!room) return;
      room.therapistAway = !here;
      openForbiddenHands(room);
    },

    elsewhere(therapistId, { drags, pointers }) {
      const now = scheduler.now();
      const room = rooms.get(therapistId);
      endRemote(therapistId, ({ at }) => now - at >= HOLD_MS);
      const shown: DragPosition[] = [];
      for (const drag of drags) {
        const { figureId, by, x, y, rotation, scale, end: isEnd } = drag;
        if (isEnd === true) {
          endRemote(therapistId, (hold) => hold.figureId === figureId && hold.by === by);
          shown.push(drag);
          continue;
        }
        const mine = room?.holds.get(figureId);
        if (room && mine && mine.by !== by) {
          // Both nodes decide alike, as each hears of the other's hand.
          if (by !== therapistId && (mine.by === therapistId || mine.by < by)) continue;
          takeFromHand(room, mine, now, false);
        }
        shown.push(drag);
        const holds = remote.get(therapistId) ?? new Map<number, RemoteHold>();
        remote.set(therapistId, holds);
        holds.set(figureId, {
          ...{ figureId, by, x, y, at: now },
          ...(rotation !== undefined && { rotation }),
          ...(scale !== undefined && { scale }),
        });
      }
      relay.add(therapistId, { drags: shown, pointers });
      ticks.sendSoon(therapistId);
    },

    refresh(therapistId) {
      const room = rooms.get(therapistId);
      if (room) load(room);
    },

    stop() {
      remote.clear();
      relay.clear();
      ticks.stop();
      for (const room of rooms.values()) room.cancelSilence?.();
      rooms.clear();
    },
  };

  /** Ignores known changes; after a gap the picture is read again before any hand may move. */
  function applyToPicture(room: LaneRoom, change: FieldChange): void {
    room.seen = Math.max(room.seen, change.revision);
    const verdict = judgeRevision(room.revision, change.revision);
    if (!room.movable || verdict === 'known') return;
    if (verdict === 'gap') {
      room.movable = null;
      load(room);
      return;
    }
    room.revision = change.revision;
    for (const op of change.ops) {
      if (op.op === 'put') room.movable.set(op.figure.id, op.figure.movableBy);
      else if (op.op === 'remove') room.movable.delete(op.figureId);
      // A node of a later version may tell of more.
      else if (op.op === 'hands') room.handsAllowed = op.allowed;
    }
  }
}

// ---- what goes out

const joined = (one: Moves, two: Moves): Moves =>
  one.drags.length === 0 && one.pointers.length === 0
    ? two
    : { drags: [...one.drags, ...two.drags], pointers: [...one.pointers, ...two.pointers] };

const unheardYet = (): Sides<boolean> => ({ here: true, there: true });

/** What one side has not heard; from now on it has. */
function takeUnheard(room: LaneRoom, side: keyof Sides<unknown>): Moves {
  const ended = room.ended[side];
  room.ended[side] = NO_MOVES;
  const moves: { drags: DragPosition[]; pointers: PointerPosition[] } = { drags: [], pointers: [] };
  for (const hold of room.holds.values()) {
    if (hold.unheard[side]) moves.drags.push(placeOf(hold));
    hold.unheard[side] = false;
  }
  for (const pointer of room.pointers.values()) {
    if (pointer.unheard[side]) moves.pointers.push(spotOf(pointer));
    pointer.unheard[side] = false;
  }
  return joined(ended, moves);
}

/** JSON leaves out an undefined property. */
const placeOf = ({ figureId, x, y, rotation, scale, by }: Hold): DragPosition => ({
  ...{ figureId, x, y },
  rotation,
  scale,
  by,
});

const spotOf = ({ by, name, x, y }: Pointer): PointerPosition => ({ by, name, x, y });

// ---- the contract's schemas by hand: a right message causes no allocation

const within = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

/** Whether `fieldDragMessage` accepts this; the rotation is not yet brought into 0 ≤ r < 360. */
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

/** Whether `fieldPointMessage` accepts this. */
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
