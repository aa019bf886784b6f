/** Stored acts: one transaction an act, ordered by the room's row, announced after commit, confirmed to whoever asked twice. */
import { randomUUID } from 'node:crypto';
import {
  UNDO_MAX,
  type FieldAct,
  type FieldChange,
  type FieldSnapshot,
  type Participant,
} from '@fieldroom/contract/field';
import { Problem } from '@fieldroom/contract/problems';
import type { StampedChange, Stamps } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../access.ts';
import type { Clients } from '../clients/index.ts';
import type { Db } from '../../platform/db/db.ts';
import type { AfterCommit, Queries, Room, RoomRow } from '../room/index.ts';
import type { Lane, LanePicture } from './field.lane.ts';
import {
  decide,
  newFiguresOf,
  opsOf,
  scopeOf,
  usesIcons,
  usesRoles,
  type Actor,
  type Command,
  type FieldState,
  type RoleStep,
  type RoleWish,
} from './field.rules.ts';
import * as store from './field.store.ts';
import type { ActTrace } from './field.tables.ts';

/** What can be asked for: a command of the rules, or an undo by the id of the act it takes back. */
export type Asked = Exclude<Command, { kind: 'undo' } | { kind: 'drop' }> | Extract<FieldAct, { kind: 'undo' }>;

export interface FieldService {
  /**
   * Carries out one act. In: who asks, the id that makes sending it twice harmless, what for. Out: the trace, empty where nothing
   * changed. The asker has its confirmation by PLAYER_CHANGE in any case. Problems: those of `decide`, `figure_held`, `conflict`
   * where another person used this id, `not_found` where there is nothing of one's own to take back.
   */
  act(access: RoomAccess, actId: string, asked: Asked): Promise<ActTrace>;
  /** The whole field as it stands. */
  snapshot(therapistId: number, tx?: Queries): Promise<FieldSnapshot>;
  /** PLAYERS_VALUE for whoever joins or asks: the field and both stamps of one moment. */
  playersValue(therapistId: number): Promise<Extract<StampedChange, { eventType: 'PLAYERS_VALUE' }>>;
  /** What the volatile lane has to know; `then` runs before the room's next act. */
  loadPicture(therapistId: number, therapistName: string, then: (picture: LanePicture) => void): Promise<void>;
  figures(therapistId: number): Promise<Participant[]>;
  /** The figure as it stands. Problem: `not_found`. */
  figure(therapistId: number, figureId: number): Promise<Participant>;
  /** Forgets what can be taken back, when the live session has ended. */
  forgetActs(tx: Queries, therapistId: number): Promise<void>;
  /** The sweep: forgets acts beyond reach. Out: how many. */
  pruneActs(): Promise<number>;
}

/** Acts of a day that nobody closed are old enough to be forgotten. */
const ACTS_KEPT_SECONDS = 24 * 3600;

/** Makes the service. In: database, the doors of room and clients, the lane whose hands the acts respect. */
export function createFieldService({
  db,
  room,
  clients,
  lane,
}: {
  db: Db;
  room: Room;
  clients: Clients;
  lane: Lane;
}): FieldService {
  /** One act inside a running transaction. */
  async function perform(
    tx: Queries,
    row: RoomRow,
    afterCommit: AfterCommit,
    actor: Actor,
    actId: string,
    asked: Asked | Command,
  ): Promise<ActTrace> {
    const therapistId = row.therapistId;
    const earlier = await store.findAct(tx, therapistId, actId);
    if (earlier) {
      if (earlier.actorId !== actor.id) throw new Problem('conflict');
      const change = changeOf(actId, actor.id, earlier.revision, earlier.trace);
      afterCommit(() => confirm(actor.id, change, row));
      return earlier.trace;
    }

    const command = await toCommand(tx, therapistId, actor, asked);
    if (actor.as === 'client') {
      for (const figureId of handled(command))
        if (lane.heldByOther(therapistId, figureId, actor.id)) throw new Problem('figure_held');
    }
    const state = await readState(tx, row, actor, command);
    const newIds = await store.takeFigureIds(tx, newFiguresOf(command));
    const decision = decide(state, actor, command, {
      revision: row.fieldRevision + 1,
      standing: row.fieldRevision,
      newIds,
    });

    // Roles are taken before their figure goes and given after it has come.
    const roles = [
      ...(await setRoles(
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
    const changed = trace.figures.length > 0 || trace.roles.length > 0 || trace.hands !== undefined;
    const revision = changed ? row.fieldRevision + 1 : row.fieldRevision;
    // Also what changed nothing is remembered: sent again it might otherwise change something that came later.
    await store.writeAct(tx, { therapistId, actId, actorId: actor.id, kind: asked.kind, revision, trace });
    const change = changeOf(actId, actor.id, revision, trace);
    if (!changed) {
      afterCommit(() => {
        for (const figureId of handled(command)) lane.letGo(therapistId, figureId, actor.id);
        confirm(actor.id, change, row);
      });
      return trace;
    }
    let stamps: Stamps = await room.raiseFieldRevision(tx, therapistId);
    if (trace.roles.length > 0) stamps = await room.raisePeopleRevision(tx, therapistId);
    // A second act in the same transaction goes on from here.
    row.fieldRevision = stamps.participantsUpdatedOn;
    row.peopleRevision = stamps.usersUpdatedOn;
    if (trace.hands) row.handsAllowed = trace.hands.after;
    afterCommit(async () => {
      room.announce(therapistId, { eventType: 'PLAYER_CHANGE', contents: change, ...stamps });
      lane.settled(therapistId, change, actor, trace.figures, trace.roles);
      if (trace.roles.length > 0) await clients.announcePeople(therapistId, stamps);
    });
    return trace;
  }

  function confirm(personId: number, change: FieldChange, row: RoomRow): void {
    room.tell(personId, {
      eventType: 'PLAYER_CHANGE',
      contents: change,
      participantsUpdatedOn: change.revision,
      usersUpdatedOn: row.peopleRevision,
    });
  }

  async function toCommand(tx: Queries, therapistId: number, actor: Actor, asked: Asked | Command): Promise<Command> {
    if (asked.kind !== 'undo' || 'trace' in asked) return asked;
    const act = await store.findOwnAct(tx, therapistId, actor.id, asked.actId, UNDO_MAX);
    if (!act) throw new Problem('not_found');
    return { kind: 'undo', trace: act.trace };
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

  /** Carries out the wishes through the door of the clients, whose rules say what else follows (a next active role). */
  async function setRoles(
    tx: Queries,
    therapistId: number,
    command: Command,
    wishes: readonly RoleWish[],
  ): Promise<RoleStep[]> {
    if (wishes.length === 0) return [];
    const steps: RoleStep[] = [];
    switch (command.kind) {
      case 'reset':
        return clients.freeAllRoles(tx, therapistId);
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

  /** Whether this act, not known yet, would stop the clients' hands: said outright, or by taking back that they were let go. */
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
      return await room.act(access.therapistId, async (tx, row, afterCommit) => {
        // What clients have in their hands stays where they have it when their hands are stopped.
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
      });
    } catch (problem) {
      // A refused drop is a hand that opened all the same.
      if ('figureId' in asked && asked.figureId !== null)
        lane.letGo(access.therapistId, asked.figureId, access.personId);
      throw problem;
    }
  }

  async function read(tx: Queries, therapistId: number): Promise<{ field: FieldSnapshot; row: RoomRow }> {
    const row = await room.lock(tx, therapistId);
    return { field: { figures: await store.readFigures(tx, therapistId), handsAllowed: row.handsAllowed }, row };
  }
  const readNow = (therapistId: number) => db.transaction((tx) => read(tx, therapistId));

  return {
    act,
    snapshot: async (therapistId, tx) => (tx ? await read(tx, therapistId) : await readNow(therapistId)).field,
    async playersValue(therapistId) {
      const { field, row } = await readNow(therapistId);
      return {
        eventType: 'PLAYERS_VALUE',
        contents: field,
        participantsUpdatedOn: row.fieldRevision,
        usersUpdatedOn: row.peopleRevision,
      };
    },
    async loadPicture(therapistId, therapistName, then) {
      await room.inOrder(therapistId, async () => {
        const { field, row } = await readNow(therapistId);
        then({ field, revision: row.fieldRevision, roles: await clients.rolesOf(therapistId), therapistName });
      });
    },
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

function changeOf(actId: string, by: number, revision: number, trace: ActTrace): FieldChange {
  return { revision, actId, by, ops: opsOf(trace) };
}

/** Figures whose place or standing a client's command may change by hand, so that a hold of another stands in the way. */
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

/** Several changes of the same role as one: first before, last after; what came back to where it was is left out. */
export function netRoles(steps: readonly RoleStep[]): RoleStep[] {
  const net = new Map<string, RoleStep>();
  for (const step of steps) {
    const key = `${step.clientId}:${step.figureId}`;
    const known = net.get(key);
    net.set(key, known ? { ...known, after: step.after } : { ...step });
  }
  return [...net.values()].filter((step) => step.before !== step.after);
}
