/**
 * The volatile lane: who holds which figure, where that hand has it, and where everybody's pointer is. Nothing here is
 * stored.
 *
 * This path runs for every move of every hand, so it uses neither the database nor the schemas. It keeps a small
 * picture of each room in which somebody drags, and checks messages by hand. A position overwrites the one before it in
 * place; once a tick, all new positions of a room go out in one message.
 */
import {
  HOLD_MS,
  normalizeRotation,
  type FieldChange,
  type DragPosition,
  type PointerPosition,
} from '@fieldroom/contract/field';
import type { ProblemCode } from '@fieldroom/contract/problems';
import type { PlainChange } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../../access.ts';
import type { Actor } from '../rules/field.rules.commands.ts';
import type { FigureStep, RoleStep } from '../rules/field.rules.decision.ts';
import { isDrag, isPoint } from './field.lane.checks.ts';
import { PersonInLane } from './field.lane.people.ts';
import { createRoomPicture, type LanePicture, type RoomPicture } from './field.lane.picture.ts';
import { createRelay, type Moves } from './field.lane.relay.ts';
import { createRemoteHolds, type Held } from './field.lane.remote.ts';
import { realScheduler, type Scheduler } from './field.lane.scheduler.ts';
import { createTicks } from './field.lane.ticks.ts';

export interface Lane {
  drag(access: RoomAccess, body: unknown): void;
  point(access: RoomAccess, body: unknown): void;
  /**
   * The person's last connection has ended, or they may no longer act: their holds end and their pointer disappears.
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
  /** Reads the picture of a room again after messages may have been missed. */
  refresh(therapistId: number): void;
  /** Drops all timers and rooms. */
  stop(): void;
}

export interface LaneNodes {
  /** Whether all people of the room are on this node, as far as this node knows. */
  isAlone(therapistId: number): boolean;
  /** Sends the others the positions of hands and pointers known to this node. */
  tell(therapistId: number, moves: Moves): void;
}

export interface LaneParts {
  /** The other nodes with people of the room; none in a service of one node. */
  readonly nodes?: LaneNodes;
  /** Sends to the people of the room who are on this node. */
  announceHere(therapistId: number, change: PlainChange): void;
  /** Reads the picture in such a way that no act of the room happens between reading and `then`. */
  load(therapistId: number, then: (picture: LanePicture) => void): Promise<void>;
  /** Tells a person why their drag has no effect. */
  refuse(personId: number, figureId: number | null, problem: ProblemCode): void;
  onFault(error: unknown): void;
}

/** The recipients of moves: the people on this node at the tick, the other nodes shortly before. */
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
  readonly therapistId: number;
  readonly picture: RoomPicture;
  readonly holds: Map<number, Hold>;
  readonly pointers: Map<number, Pointer>;
  readonly people: Map<number, PersonInLane>;
  /** Holds and pointers that have ended, if their end was not announced. */
  ended: Sides<Moves>;
  cancelSilence: (() => void) | null;
}

const NO_MOVES: Moves = { drags: [], pointers: [] };

/**
 * Creates the lane. Takes what it needs of the room, and real time. Numbers in comments are rules of this folder's
 * README. Source: docs/product.md#5, contract/src/realtime.ts invariant 6.
 */
export function createLane(parts: LaneParts, scheduler: Scheduler = realScheduler): Lane {
  const rooms = new Map<number, LaneRoom>();
  const remote = createRemoteHolds();
  const relay = createRelay();
  const isAlone = (therapistId: number) => parts.nodes?.isAlone(therapistId) !== false;
  const ticks = createTicks({ scheduler, isAlone, send, tell });

  /** The room, created at its first message; reads its picture if that is due. */
  function roomOf(therapistId: number): LaneRoom {
    const room = rooms.get(therapistId) ?? makeRoom(therapistId);
    room.picture.readIfDue();
    return room;
  }

  function makeRoom(therapistId: number): LaneRoom {
    const room: LaneRoom = {
      therapistId,
      picture: createRoomPicture({
        scheduler,
        load: (then) => parts.load(therapistId, then),
        onRead: () => openForbiddenHands(room),
        onFault: parts.onFault,
      }),
      holds: new Map(),
      pointers: new Map(),
      people: new Map(),
      ended: { here: NO_MOVES, there: NO_MOVES },
      cancelSilence: null,
    };
    rooms.set(therapistId, room);
    return room;
  }

  function personOf(room: LaneRoom, personId: number, now: number): PersonInLane {
    let person = room.people.get(personId);
    if (!person) room.people.set(personId, (person = new PersonInLane(now)));
    return person;
  }

  function refuse(room: LaneRoom, personId: number, figureId: number | null, problem: ProblemCode, now: number): void {
    if (personOf(room, personId, now).mayBeRefused(now)) parts.refuse(personId, figureId, problem);
  }

  /** Something has moved that must be sent to the people here and the other nodes. */
  function moved({ therapistId }: LaneRoom): void {
    ticks.sendSoon(therapistId);
    if (!isAlone(therapistId)) ticks.tellSoon(therapistId);
  }

  function send(therapistId: number): void {
    const room = rooms.get(therapistId);
    const { drags, pointers } = joined(
      relay.take(therapistId),
      room === undefined ? NO_MOVES : takeUnheard(room, 'here'),
    );
    if (drags.length > 0) parts.announceHere(therapistId, { eventType: 'PLAYER_DRAG', contents: { drags } });
    if (pointers.length > 0) parts.announceHere(therapistId, { eventType: 'POINTER', contents: { pointers } });
    // Nodes that join later have not seen what ended before.
    if (room && isAlone(therapistId)) room.ended.there = NO_MOVES;
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

  /** Announces holds or pointers that have ended. */
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
    personOf(room, hold.by, now).takeAway(hold.figureId, now);
    endHold(room, hold, tell);
  }

  /** Opens hands that may not hold any more. Call it whenever permissions may have changed. */
  function openForbiddenHands(room: LaneRoom): void {
    const { picture } = room;
    if (!picture.isKnown) return;
    for (const hold of room.holds.values()) {
      const may = hold.client
        ? !picture.therapistAway && picture.clientMay(hold.by, hold.figureId) === true
        : picture.has(hold.figureId);
      if (!may) endHold(room, hold, true);
    }
    if (!picture.therapistAway) return;
    for (const pointer of room.pointers.values()) if (pointer.client) removePointer(room, pointer.by);
  }

  /**
   * Returns why this person may not move this figure at all, or null. If their hand holds it nevertheless, the hand
   * opens.
   */
  function whyNotDrag(room: LaneRoom, access: RoomAccess, figureId: number): ProblemCode | null {
    const { picture } = room;
    if (access.as !== 'client') return picture.has(figureId) ? null : 'not_found';
    if (picture.therapistAway) return 'therapist_away';
    const may = picture.clientMay(access.personId, figureId);
    if (may === true) return null;
    const hold = room.holds.get(figureId);
    if (hold?.by === access.personId) endHold(room, hold, true);
    if (may === null) return 'not_found';
    return picture.clientMay(access.personId, figureId, true) ? 'hands_stopped' : 'figure_not_yours';
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
    if (person.dragsLost(figureId, now)) return 'figure_held';
    const hold = room.holds.get(figureId);
    if (hold && hold.by !== access.personId && now - hold.at < HOLD_MS) return 'figure_held';
    return remote.heldByOther(room.therapistId, figureId, access.personId, now) ? 'figure_held' : null;
  }

  /**
   * Returns this person's hold of the figure. Somebody else's hold ends: it has been silent too long, or the therapist
   * takes over.
   */
  function holdOf(room: LaneRoom, access: RoomAccess, figureId: number, now: number): Hold {
    const before = room.holds.get(figureId);
    if (before?.by === access.personId) return before;
    remote.end(room.therapistId, (far) => far.figureId === figureId);
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
        person.giveBack(figureId);
        const hold = room.holds.get(figureId);
        if (hold?.by === personId) endHold(room, hold, true);
        return;
      }
      if (!person.drags.take(now)) return;
      // Until the picture has been read, positions are dropped: the next one comes within 33 ms.
      if (!room.picture.isKnown) return;
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
      if (!room.picture.isKnown || !person.points.take(now)) return;
      const client = access.as === 'client';
      if (client && room.picture.therapistAway) return refuse(room, access.personId, null, 'therapist_away', now);
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
          name: client ? access.name : room.picture.therapistName,
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
      remote.end(therapistId, ({ by }) => by === personId);
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
      if (remote.heldByOther(therapistId, figureId, personId, now)) return true;
      const room = rooms.get(therapistId);
      if (!room) return false;
      const hold = room.holds.get(figureId);
      if (hold && hold.by !== personId && now - hold.at < HOLD_MS) return true;
      return room.people.get(personId)?.hasLost(figureId, now) === true;
    },

    clientsHolds(therapistId) {
      const now = scheduler.now();
      const here = [...(rooms.get(therapistId)?.holds.values() ?? [])].filter((hold) => hold.client);
      const far = remote
        .ofClients(therapistId, now)
        .filter(({ figureId }) => !here.some((hold) => hold.figureId === figureId));
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
      remote.end(therapistId, ({ figureId }) => figures.some(({ id }) => id === figureId));
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
      room.picture.apply(change);
      for (const { clientId, figureId, after } of roles)
        room.picture.setRole({ clientId, figureId, isHeld: after !== 'none' });
      openForbiddenHands(room);
    },

    release(therapistId, figureId, personId) {
      remote.end(therapistId, (far) => far.figureId === figureId && far.by === personId);
      const room = rooms.get(therapistId);
      if (!room) return;
      room.people.get(personId)?.giveBack(figureId);
      const hold = room.holds.get(figureId);
      if (hold?.by === personId) endHold(room, hold, true);
    },

    rolesChanged(therapistId, taken = []) {
      const room = rooms.get(therapistId);
      if (!room?.picture.isKnown) return;
      for (const role of taken) room.picture.setRole({ ...role, isHeld: false });
      openForbiddenHands(room);
      room.picture.read();
    },

    therapistHere(therapistId, here) {
      const room = rooms.get(therapistId);
      if (!room) return;
      room.picture.therapistAway = !here;
      openForbiddenHands(room);
    },

    elsewhere(therapistId, { drags, pointers }) {
      const now = scheduler.now();
      const room = rooms.get(therapistId);
      remote.tidy(therapistId, now);
      const shown: DragPosition[] = [];
      for (const drag of drags) {
        const { figureId, by, end: isEnd } = drag;
        if (isEnd === true) {
          remote.end(therapistId, (hold) => hold.figureId === figureId && hold.by === by);
          shown.push(drag);
          continue;
        }
        const mine = room?.holds.get(figureId);
        if (room && mine && mine.by !== by) {
          // Both nodes decide the same, because each learns of the other's hand.
          if (by !== therapistId && (mine.by === therapistId || mine.by < by)) continue;
          takeFromHand(room, mine, now, false);
        }
        shown.push(drag);
        remote.add(therapistId, drag, now);
      }
      relay.add(therapistId, { drags: shown, pointers });
      ticks.sendSoon(therapistId);
    },

    refresh(therapistId) {
      rooms.get(therapistId)?.picture.read();
    },

    stop() {
      remote.clear();
      relay.clear();
      ticks.stop();
      for (const room of rooms.values()) room.cancelSilence?.();
      rooms.clear();
    },
  };
}

// ---- sending

const joined = (one: Moves, two: Moves): Moves =>
  one.drags.length === 0 && one.pointers.length === 0
    ? two
    : { drags: [...one.drags, ...two.drags], pointers: [...one.pointers, ...two.pointers] };

const unheardYet = (): Sides<boolean> => ({ here: true, there: true });

/** The part that one side has not received; from now on it counts as received. */
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
