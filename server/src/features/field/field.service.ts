/** Stored acts: each is one transaction, ordered by the room's row and announced after the commit. */
import { randomUUID } from 'node:crypto';
import type { ConstellationFigure } from '@fieldroom/contract/constellations';
import { UNDO_MAX, withStandIn, type FieldAct, type FieldChange, type Figure } from '@fieldroom/contract/field';
import { Problem } from '../../platform/problem.ts';
import type { Stamps } from '@fieldroom/contract/realtime';
import { revisionsOf, stampsOf } from '@fieldroom/contract/revisions';
import type { RoomAccess } from '../../access.ts';
import type { Clients } from '../clients/index.ts';
import type { Db } from '../../platform/db/db.ts';
import type { AfterCommit, Queries, Room, RoomNodes, RoomRow } from '../room/index.ts';
import type { Lane } from './lane/field.lane.ts';
import { withNodes } from './lane/field.lane.nodes.ts';
import {
  newFiguresOf,
  scopeOf,
  usesIcons,
  usesRoles,
  type Actor,
  type Command,
  type FieldState,
} from './rules/field.rules.commands.ts';
import { opsOf, type RoleStep, type RoleWish } from './rules/field.rules.decision.ts';
import { decide } from './rules/field.rules.ts';
import * as store from './field.store.ts';
import type { ActTrace } from './field.tables.ts';

/**
 * Acts that name what they need by an id, or that depend on the field. `toCommand` turns them into commands of the
 * rules.
 */
type Named = Extract<FieldAct, { kind: 'undo' | 'clear' | 'load' | 'backToMoment' }>;
/** What a caller may ask for. */
type Asked = Exclude<Command, { kind: 'undo' } | { kind: 'drop' }> | Named;

/** The figures of a constellation of this therapist; null if there is none with this id. */
export type FindConstellation = (
  tx: Queries,
  therapistId: number,
  constellationId: number,
) => Promise<readonly ConstellationFigure[] | null>;

/** An act that changed figures, in the form that other features get in its transaction. */
export interface StoredAct {
  readonly therapistId: number;
  /** The field's revision after it. */
  readonly revision: number;
  readonly by: 'therapist' | 'client';
  readonly kind: Asked['kind'] | 'drop';
  readonly figures: ActTrace['figures'];
  /** All figures after it. */
  readFigures(): Promise<Figure[]>;
}
type StoredHook = (tx: Queries, act: StoredAct) => Promise<void>;

export interface FieldService {
  /**
   * Carries out one act. Takes the actor, the id that makes a repetition harmless, and the command. Returns the trace,
   * which is empty if nothing changed. The actor always gets PLAYER_CHANGE. Problems: those of `decide`; `figure_held`;
   * `conflict` if another person used this id; `not_found` if the actor has no such act to undo; `constellation_gone`;
   * `therapist_away`; `not_admitted` if the client was removed after the act was received.
   */
  act(access: RoomAccess, actId: string, asked: Asked): Promise<ActTrace>;
  /**
   * Hides the texts of figures in somebody else's act on the room, as acts of the therapist. Takes its transaction and
   * the room's row; hidden texts stay hidden, and missing figures are left out.
   */
  hideTexts(tx: Queries, row: RoomRow, afterCommit: AfterCommit, figureIds: readonly number[]): Promise<void>;
  /** Sets what runs in the transaction of every act that changed figures. It must be quick: the act waits for it. */
  onStored(hook: StoredHook): void;
  /** Sets a listener that is called after the commit of every act that changed a field. It must be quick. */
  onAct(listener: (therapistId: number) => void): void;
  figures(therapistId: number): Promise<Figure[]>;
  /** Returns the stored figure. Problem: `not_found`. */
  figure(therapistId: number, figureId: number): Promise<Figure>;
  /** Deletes the stored acts, after the live session has ended. */
  forgetActs(tx: Queries, therapistId: number): Promise<void>;
  /** The sweep: deletes acts that can no longer be undone. Returns their number. */
  pruneActs(): Promise<number>;
}

/** Finds the figures of a moment of the running live session; null when there is none. */
export type MomentFigures = (tx: Queries, therapistId: number, momentId: number) => Promise<readonly Figure[] | null>;

/** Acts of a session that nobody ended are deleted after a day. */
const ACTS_KEPT_SECONDS = 24 * 3600;

/**
 * Creates the service. Takes the database, room and clients, the lane whose holds the acts respect, and how to find a
 * prepared constellation.
 */
export function createFieldService({
  db,
  room,
  clients,
  lane,
  roomNodes,
  findConstellation,
  momentFigures,
}: {
  db: Db;
  room: Room;
  clients: Clients;
  lane: Lane;
  roomNodes: Pick<RoomNodes, 'tell'>;
  findConstellation: FindConstellation;
  momentFigures: MomentFigures;
}): FieldService {
  const everyLane = withNodes(lane, roomNodes);
  let acted: (therapistId: number) => void = () => {};
  let stored: StoredHook = async () => {};

  /** One act inside a running transaction. */
  async function perform(
    tx: Queries,
    row: RoomRow,
    afterCommit: AfterCommit,
    actor: Actor,
    actId: string,
    asked: Asked | Command,
    kind: Asked['kind'] | 'drop' | 'hideTexts' = asked.kind,
  ): Promise<ActTrace> {
    const therapistId = row.therapistId;
    const earlier = await store.findAct(tx, therapistId, actId);
    if (earlier) {
      if (earlier.actorId !== actor.id) throw new Problem('conflict');
      const change = changeOf(actId, actor.id, earlier.revision, earlier.trace);
      afterCommit(() => confirm(actor.id, change, row));
      return earlier.trace;
    }

    // A drop on behalf of a client whose drag the therapist stops is done anyway. An undo is not looked up first: the
    // act that it undoes may wait for the therapist too.
    if (actor.as === 'client' && asked.kind !== 'drop' && row.therapistAwaySince !== null)
      throw new Problem('therapist_away');
    const command = await toCommand(tx, row, actor, asked);
    if (actor.as === 'client') {
      for (const figureId of handled(command))
        if (lane.heldByOther(therapistId, figureId, actor.id)) throw new Problem('figure_held');
    }
    const state = await readState(tx, row, actor, command);
    // The sender may have been removed since the act was received.
    if (actor.as === 'client' && command.kind !== 'drop' && !state.present.has(actor.id))
      throw new Problem('not_admitted');
    const newIds = await store.takeFigureIds(tx, newFiguresOf(command));
    const decision = decide(state, actor, command, {
      revision: row.fieldRevision + 1,
      standing: row.fieldRevision,
      newIds,
    });

    // Roles are taken before their figure is removed and given after it was added.
    const roles = [
      ...(command.kind === 'reset'
        ? await clients.freeAllRoles(tx, therapistId)
        : await setRoles(
            tx,
            therapistId,
            command,
            decision.roles.filter((wish) => wish.to === 'none'),
          )),
    ];
    await store.writeSteps(tx, therapistId, decision.figures);
    roles.push(
      ...(await setRoles(
        tx,
        therapistId,
        command,
        decision.roles.filter((wish) => wish.to !== 'none'),
      )),
    );
    if (decision.hands) await room.setHandsAllowed(tx, therapistId, decision.hands.after);

    const trace: ActTrace = {
      figures: decision.figures,
      roles: netRoles(roles),
      ...(decision.hands && { hands: decision.hands }),
    };
    const changed = !isEmpty(trace);
    const revision = changed ? row.fieldRevision + 1 : row.fieldRevision;
    // An act that changed nothing is stored too: sent again, it might change something that came later.
    const storedKind = changed ? kind : 'unchanged';
    await store.writeAct(tx, { therapistId, actId, actorId: actor.id, kind: storedKind, revision, trace });
    const change = changeOf(actId, actor.id, revision, trace);
    if (!changed) {
      afterCommit(() => {
        for (const figureId of handled(command)) everyLane.release(therapistId, figureId, actor.id);
        confirm(actor.id, change, row);
      });
      return trace;
    }
    let stamps: Stamps = await room.raiseFieldRevision(tx, therapistId);
    if (trace.roles.length > 0) stamps = await room.raisePeopleRevision(tx, therapistId);
    // A second act in the same transaction continues from here.
    Object.assign(row, revisionsOf(stamps));
    if (trace.hands) row.handsAllowed = trace.hands.after;
    if (trace.figures.length > 0)
      await stored(tx, {
        therapistId,
        revision,
        by: actor.as,
        kind: asked.kind,
        figures: trace.figures,
        readFigures: () => store.readFigures(tx, therapistId),
      });
    afterCommit(() => tell(therapistId, actor, change, trace, stamps));
    return trace;
  }

  /** Announces a stored act to the room. */
  async function tell(
    therapistId: number,
    actor: Actor,
    change: FieldChange,
    trace: ActTrace,
    stamps: Stamps,
  ): Promise<void> {
    acted(therapistId);
    // This comes first, so that no node sends a move after the change that has settled it.
    everyLane.settled(therapistId, change, actor, trace.figures, trace.roles);
    room.announce(therapistId, { eventType: 'PLAYER_CHANGE', contents: change, ...stamps });
    if (trace.roles.length > 0) await clients.announcePeople(therapistId, stamps);
  }

  /** Announces an act whose commit was not answered, as if it had been answered; returns null if it was not stored. */
  async function findStored(
    tx: Queries,
    row: RoomRow,
    afterCommit: AfterCommit,
    actor: Actor,
    actId: string,
  ): Promise<ActTrace | null> {
    const known = await store.findAct(tx, row.therapistId, actId);
    if (known?.actorId !== actor.id) return null;
    const { trace, revision } = known;
    const change = changeOf(actId, actor.id, revision, trace);
    const stamps = stampsOf(row);
    if (isEmpty(trace)) afterCommit(() => confirm(actor.id, change, row));
    else afterCommit(() => tell(row.therapistId, actor, change, trace, stamps));
    return trace;
  }

  function confirm(personId: number, change: FieldChange, row: RoomRow): void {
    room.tell(personId, {
      eventType: 'PLAYER_CHANGE',
      contents: change,
      ...stampsOf({ fieldRevision: change.revision, peopleRevision: row.peopleRevision }),
    });
  }

  async function toCommand(
    tx: Queries,
    { therapistId, fieldRevision }: RoomRow,
    actor: Actor,
    asked: Asked | Command,
  ): Promise<Command> {
    switch (asked.kind) {
      case 'undo': {
        if ('trace' in asked) return asked;
        const act = await store.findOwnAct(tx, therapistId, actor.id, asked.actId, UNDO_MAX);
        if (!act) throw new Problem('not_found');
        return { kind: 'undo', trace: act.trace };
      }
      case 'clear':
        return { kind: 'saveAll', list: [], fromReset: false, stamp: fieldRevision };
      case 'load': {
        // The rules would refuse it too, but only after reading what the client must not learn.
        if (actor.as === 'client') throw new Problem('forbidden');
        const kept = await findConstellation(tx, therapistId, asked.constellationId);
        if (kept === null) throw new Problem('constellation_gone');
        const icons = await store.readIconIds(tx, therapistId);
        const relations = kept.map((figure) => figure.relations);
        // Their positions in the list mean nothing to the rules of single figures.
        const list = kept.map((figure) => ({ ...withStandIn(figure, icons), relations: undefined }));
        return { kind: 'saveAll', list, relations, fromReset: false, stamp: asked.standing };
      }
      case 'backToMoment': {
        if (actor.as === 'client') throw new Problem('forbidden');
        const figures = await momentFigures(tx, therapistId, asked.momentId);
        if (figures === null) throw new Problem('not_found');
        return { kind: 'replaceFigures', figures };
      }
      default:
        return asked;
    }
  }

  async function readState(tx: Queries, row: RoomRow, actor: Actor, command: Command): Promise<FieldState> {
    const figures = await store.readFigures(tx, row.therapistId, scopeOf(command));
    const icons = usesIcons(command) ? await store.readIconIds(tx, row.therapistId) : new Set<number>();
    const withRoles = usesRoles(command, actor);
    const held = withRoles
      ? await clients.rolesOf(row.therapistId, tx)
      : new Map<number, { figureId: number; active: boolean }[]>();
    const present = withRoles ? (await clients.people(row.therapistId, tx)).map((person) => person.id) : [];
    return {
      figures: new Map(figures.map((figure) => [figure.id, figure])),
      handsAllowed: row.handsAllowed,
      roles: [...held].flatMap(([clientId, roles]) =>
        roles.map((role) => ({ clientId, figureId: role.figureId, active: role.active })),
      ),
      present: new Set(present),
      icons,
    };
  }

  /**
   * Carries out the wishes in the clients feature, whose rules decide what follows from them (the next active role).
   */
  async function setRoles(
    tx: Queries,
    therapistId: number,
    command: Command,
    wishes: readonly RoleWish[],
  ): Promise<RoleStep[]> {
    if (wishes.length === 0) return [];
    const steps: RoleStep[] = [];
    switch (command.kind) {
      case 'activeRole':
        return clients.setActiveRole(tx, { therapistId, clientId: command.clientId, figureId: command.figureId });
      case 'giveRole':
        return clients.giveRole(tx, { therapistId, clientId: command.clientId, figureId: command.figureId });
      case 'undo':
        return clients.restoreRoles(tx, therapistId, wishes);
      default:
        for (const { clientId, figureId } of wishes)
          steps.push(...(await clients.takeRole(tx, { therapistId, clientId, figureId })));
        return steps;
    }
  }

  /** Whether this act, if it is new, stops the clients' hands: directly, or by undoing the act that allowed them. */
  async function stopsHands(
    tx: Queries,
    therapistId: number,
    actor: Actor,
    actId: string,
    asked: Asked,
  ): Promise<boolean> {
    if (asked.kind !== 'hands' && asked.kind !== 'undo') return false;
    if (asked.kind === 'hands' && asked.allowed) return false;
    if (
      asked.kind === 'undo' &&
      (await store.findOwnAct(tx, therapistId, actor.id, asked.actId, UNDO_MAX))?.trace.hands?.before !== false
    )
      return false;
    return (await store.findAct(tx, therapistId, actId)) === null;
  }

  async function act(access: RoomAccess, actId: string, asked: Asked): Promise<ActTrace> {
    const actor: Actor = { as: access.as, id: access.personId };
    try {
      return await room.act(
        access.therapistId,
        async (tx, row, afterCommit) => {
          // When clients' hands are stopped, the figures that they drag stay where they are.
          if (
            actor.as === 'therapist' &&
            row.handsAllowed &&
            (await stopsHands(tx, row.therapistId, actor, actId, asked))
          ) {
            for (const { by, figureId, x, y, rotation, scale } of lane.clientsHolds(row.therapistId)) {
              if ((await store.readFigures(tx, row.therapistId, figureId)).length === 0) continue;
              await perform(tx, row, afterCommit, { as: 'client', id: by }, randomUUID(), {
                kind: 'drop',
                figureId,
                x,
                y,
                rotation,
                scale,
              });
            }
          }
          return perform(tx, row, afterCommit, actor, actId, asked);
        },
        (tx, row, afterCommit) => findStored(tx, row, afterCommit, actor, actId),
      );
    } catch (problem) {
      // Even after a refused drop the hand no longer holds the figure.
      if ('figureId' in asked && asked.figureId !== null)
        everyLane.release(access.therapistId, asked.figureId, access.personId);
      throw problem;
    }
  }

  return {
    act,
    async hideTexts(tx, row, afterCommit, figureIds) {
      const { therapistId } = row;
      for (const figureId of figureIds) {
        const [figure] = await store.readFigures(tx, therapistId, figureId);
        if (!figure?.showText) continue;
        const therapist: Actor = { as: 'therapist', id: therapistId };
        const edit = { kind: 'edit', figureId, showText: false } as const;
        await perform(tx, row, afterCommit, therapist, randomUUID(), edit, 'hideTexts');
      }
    },
    onStored: (hook) => void (stored = hook),
    onAct: (listener) => void (acted = listener),
    figures: (therapistId) => store.readFigures(db, therapistId),
    async figure(therapistId, figureId) {
      const [figure] = await store.readFigures(db, therapistId, figureId);
      if (!figure) throw new Problem('not_found');
      return figure;
    },
    forgetActs: store.forgetActs,
    pruneActs: () => store.pruneActs(db, UNDO_MAX, ACTS_KEPT_SECONDS),
  };
}

function isEmpty(trace: ActTrace): boolean {
  return trace.figures.length === 0 && trace.roles.length === 0 && trace.hands === undefined;
}

function changeOf(actId: string, by: number, revision: number, trace: ActTrace): FieldChange {
  return { revision, actId, by, ops: opsOf(trace), ...(isEmpty(trace) && { unchanged: true }) };
}

/**
 * Figures that a client's command moves or changes by hand: somebody else's hold prevents it.
 */
function handled(command: Command): number[] {
  switch (command.kind) {
    case 'place':
    case 'drop':
    case 'save':
      return [command.figureId];
    case 'undo':
      return command.trace.figures.map((step) => step.id);
    default:
      return [];
  }
}

/**
 * Joins several changes of the same role: before is the first one's, after is the last one's; changes that cancel out
 * are left out.
 */
function netRoles(steps: readonly RoleStep[]): RoleStep[] {
  const net = new Map<string, RoleStep>();
  for (const step of steps) {
    const key = `${step.clientId}:${step.figureId}`;
    const known = net.get(key);
    net.set(key, known ? { ...known, after: step.after } : { ...step });
  }
  return [...net.values()].filter((step) => step.before !== step.after);
}
