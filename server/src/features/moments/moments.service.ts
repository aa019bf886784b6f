/** Moments and moves: writing and reading them. The numbered rules are in README.md. */
import type { Figure } from '@fieldroom/contract/field';
import {
  type KeepMoment,
  type Moment,
  MOMENTS_MAX,
  type MomentsValue,
  type Move,
  MOVES_BYTES_MAX,
  MOVES_MAX,
  type MoveStep,
  PART_MOVES,
  type Replay,
  type ReplayPart,
  stepsOf,
} from '@fieldroom/contract/moments';
import { Problem } from '../../platform/problem.ts';
import type { RoomAccess } from '../../access.ts';
import type { Db, Queryable } from '../../platform/db/db.ts';
import type { Field, StoredAct } from '../field/index.ts';
import type { Room } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import * as store from './moments.store.ts';

export interface MomentsParts {
  db: Db;
  room: Pick<Room, 'act' | 'inOrder' | 'tell'>;
  sessions: Pick<Sessions, 'running' | 'onOpening'>;
  field: Pick<Field, 'snapshot' | 'onStored'>;
}

export interface Moments {
  /**
   * Keeps the current field, only for the therapist. Sent again, it changes nothing. All screens of the therapist get
   * the list. Problems: `forbidden` for clients, `no_live_session`, `moments_full`.
   */
  keep(access: RoomAccess, wanted: KeepMoment): Promise<void>;
  /** Sends the moments of the running live session, before the room's next act; nothing if none runs. */
  sendCurrent(therapistId: number, tell: (value: MomentsValue) => void): Promise<void>;
  /** Names a moment; an empty name removes the name. Problem: `not_found`. */
  rename(therapistId: number, momentId: number, name: string): Promise<Moment>;
  /** Problem: `not_found`. */
  remove(therapistId: number, momentId: number): Promise<void>;
  /** The figures of a moment. Problem: `not_found`. */
  figures(therapistId: number, momentId: number): Promise<Figure[]>;
  /** The figures to which an act goes back: those of a moment of the running live session; null when there is none. */
  figuresToGoBackTo(tx: Queryable, therapistId: number, momentId: number): Promise<readonly Figure[] | null>;
  /** The start of a look back at a live session. Problem: `not_found`. */
  replay(therapistId: number, liveSessionId: number): Promise<Replay>;
  /** One of its parts. Problem: `not_found`. */
  replayPart(therapistId: number, liveSessionId: number, firstMove: number): Promise<ReplayPart>;
}

/** Makes the moments. From here on every act on a field is written as a move in its own transaction. */
export function createMomentsService({ db, room, sessions, field }: MomentsParts): Moments {
  sessions.onOpening(async (tx, { therapistId, liveSession }) => {
    const { figures } = await field.snapshot(therapistId, tx);
    await store.writePart(tx, { liveSessionId: liveSession.id, afterMove: 0, figures });
  });

  field.onStored(async (tx, act) => {
    const steps = stepsOf(act.figures);
    if (steps.length === 0) return;
    const { therapistId, revision, by } = act;
    const placedFigure = act.kind === 'place' ? placedBy(steps) : null;
    const written = await store.writeMove(tx, { therapistId, revision, by, kind: kindOf(act), placedFigure, steps });
    if (written === null) return;
    const { liveSessionId, number, hasPart } = written;
    // A live session that ran when the server learnt to keep moves has no part: its moves are kept from here on.
    if (number % PART_MOVES !== 0 && hasPart) return;
    await store.writePart(tx, { liveSessionId, afterMove: number, figures: await act.readFigures() });
    await store.removeSurplus(tx, { liveSessionId, lastMove: number, most: MOVES_MAX, mostBytes: MOVES_BYTES_MAX });
  });

  const valueOf = async (queries: Queryable, liveSessionId: number): Promise<MomentsValue> => ({
    liveSessionId,
    moments: await store.readMoments(queries, liveSessionId),
  });

  /** Sends the list to all screens of the therapist, if the live session still runs. */
  async function tellAll(therapistId: number, liveSessionId: number): Promise<void> {
    if ((await sessions.running(therapistId, db))?.id !== liveSessionId) return;
    room.tell(therapistId, { eventType: 'MOMENTS', contents: await valueOf(db, liveSessionId) });
  }

  return {
    async keep(access, { actId, name }) {
      if (access.as !== 'therapist') throw new Problem('forbidden');
      const { therapistId } = access;
      await room.act<true>(
        therapistId,
        async (tx, _row, afterCommit) => {
          const running = await sessions.running(therapistId, tx);
          if (running === null) throw new Problem('no_live_session');
          if (!(await store.hasMoment(tx, running.id, actId))) {
            if ((await store.countMoments(tx, running.id)) >= MOMENTS_MAX) throw new Problem('moments_full');
            const { figures } = await field.snapshot(therapistId, tx);
            await store.writeMoment(tx, { liveSessionId: running.id, actId, name: name || null, figures });
          }
          afterCommit(() => tellAll(therapistId, running.id));
          return true;
        },
        async (tx, _row, afterCommit) => {
          const running = await sessions.running(therapistId, tx);
          if (running === null || !(await store.hasMoment(tx, running.id, actId))) return null;
          afterCommit(() => tellAll(therapistId, running.id));
          return true;
        },
      );
    },

    sendCurrent: (therapistId, tell) =>
      room.inOrder(therapistId, async () => {
        const running = await sessions.running(therapistId, db);
        if (running !== null) tell(await valueOf(db, running.id));
      }),

    rename: (therapistId, momentId, name) =>
      room.act(therapistId, async (tx, _row, afterCommit) => {
        const named = await store.nameMoment(tx, therapistId, momentId, name || null);
        if (named === null) throw new Problem('not_found');
        const { liveSessionId, ...moment } = named;
        afterCommit(() => tellAll(therapistId, liveSessionId));
        return moment;
      }),

    remove: (therapistId, momentId) =>
      room.act(therapistId, async (tx, _row, afterCommit) => {
        const liveSessionId = await store.removeMoment(tx, therapistId, momentId);
        if (liveSessionId === null) throw new Problem('not_found');
        afterCommit(() => tellAll(therapistId, liveSessionId));
      }),

    async figures(therapistId, momentId) {
      const figures = await store.readMomentFigures(db, therapistId, momentId);
      if (figures === null) throw new Problem('not_found');
      return figures;
    },

    figuresToGoBackTo: (tx, therapistId, momentId) =>
      store.readMomentFigures(tx, therapistId, momentId, { running: true }),

    async replay(therapistId, liveSessionId) {
      const session = await store.findSession(db, therapistId, liveSessionId);
      if (session === null) throw new Problem('not_found');
      return {
        liveSessionId,
        startedOn: session.startedAt.toISOString(),
        endedOn: session.endedAt?.toISOString() ?? null,
        ...(await store.readParts(db, liveSessionId)),
        moments: await store.readMoments(db, liveSessionId),
      };
    },

    async replayPart(therapistId, liveSessionId, firstMove) {
      const session = await store.findSession(db, therapistId, liveSessionId);
      const part = session === null ? null : await store.readPart(db, liveSessionId, firstMove);
      if (part === null) throw new Problem('not_found');
      return { firstMove, ...part };
    },
  };
}

/** The figure if the steps only move it; null for anything else. */
function placedBy([step, ...others]: readonly MoveStep[]): number | null {
  return step !== undefined && others.length === 0 && 'set' in step ? step.figureId : null;
}

function kindOf({ kind }: StoredAct): Move['kind'] {
  switch (kind) {
    case 'undo':
    case 'reset':
      return kind;
    case 'backToMoment':
      return 'back';
    default:
      return 'act';
  }
}
