/** Rows of `moves`, `move_parts` and `moments`. */
import { and, asc, count, eq, gt, isNull, lte, max, sql } from 'drizzle-orm';
import { type Figure, withRelations } from '@fieldroom/contract/field';
import {
  type Moment,
  type Move,
  type MoveStep,
  PART_MOVES,
  SAME_MOVE_AT_MOST_SECONDS,
  SAME_MOVE_SECONDS,
} from '@fieldroom/contract/moments';
import type { Queryable } from '../../platform/db/db.ts';
import { liveSessions } from '../sessions/sessions.tables.ts';
import { moments, moveParts, moves } from './moments.tables.ts';

export interface NewMove {
  therapistId: number;
  revision: number;
  kind: Move['kind'];
  by: Move['by'];
  /** The figure, if the move only changes its position. */
  placedFigure: number | null;
  steps: readonly MoveStep[];
}

/**
 * Writes a move of the running live session (`write_move.sql`). A quick repeat joins the last move, unless a part or a
 * moment was kept after that. Returns the move's number and whether the live session has a part; null when it joined,
 * and when no live session runs.
 */
export async function writeMove(
  tx: Queryable,
  { therapistId, revision, kind, by, placedFigure, steps }: NewMove,
): Promise<{ liveSessionId: number; number: number; hasPart: boolean } | null> {
  const { rows } = await tx.execute<{ session_id: number; move_number: number; has_part: boolean }>(sql`
    SELECT * FROM write_move(${therapistId}, ${revision}, ${kind}, ${by}, ${placedFigure}, ${JSON.stringify(steps)},
                             ${PART_MOVES}, ${SAME_MOVE_SECONDS}, ${SAME_MOVE_AT_MOST_SECONDS})`);
  const [row] = rows;
  return row ? { liveSessionId: row.session_id, number: row.move_number, hasPart: row.has_part } : null;
}

/** Keeps the whole field after a move. */
export async function writePart(
  tx: Queryable,
  part: { liveSessionId: number; afterMove: number; figures: Figure[] },
): Promise<void> {
  await tx.insert(moveParts).values(part);
}

/**
 * Removes the earliest parts with their moves, as far as a live session has more than it may keep. Takes the number of
 * the move after which a part has just begun.
 */
export async function removeSurplus(
  tx: Queryable,
  {
    liveSessionId,
    lastMove,
    most,
    mostBytes,
  }: { liveSessionId: number; lastMove: number; most: number; mostBytes: number },
): Promise<void> {
  const { rows } = await tx.execute<{ first: number | null }>(sql`
    SELECT min(begins)::int AS first
      FROM (SELECT begins, sum(bytes) OVER (ORDER BY begins DESC) AS bytes
              FROM (SELECT (number - 1) / ${PART_MOVES}::int * ${PART_MOVES}::int AS begins, sum(pg_column_size(steps)) AS bytes
                      FROM moves WHERE live_session_id = ${liveSessionId} GROUP BY 1) each_part) added
     WHERE bytes <= ${mostBytes} AND begins >= ${lastMove - most}::int`);
  const first = rows[0]?.first ?? lastMove;
  await tx
    .delete(moveParts)
    .where(and(eq(moveParts.liveSessionId, liveSessionId), sql`${moveParts.afterMove} < ${first}`));
  await tx.delete(moves).where(and(eq(moves.liveSessionId, liveSessionId), lte(moves.number, first)));
}

// ---- looking back

/** A live session of this therapist; null when it is none of theirs. */
export async function findSession(
  db: Queryable,
  therapistId: number,
  id: number,
): Promise<{ startedAt: Date; endedAt: Date | null } | null> {
  const [row] = await db
    .select({ startedAt: liveSessions.startedAt, endedAt: liveSessions.endedAt })
    .from(liveSessions)
    .where(and(eq(liveSessions.id, id), eq(liveSessions.therapistId, therapistId)));
  return row ?? null;
}

/** The parts of a live session's moves, in order, and the number of its last move; 0 if it has none. */
export async function readParts(
  db: Queryable,
  liveSessionId: number,
): Promise<{ parts: { firstMove: number; startsOn: string }[]; lastMove: number }> {
  const parts = await db
    .select({ after: moveParts.afterMove, startsAt: moveParts.startsAt })
    .from(moveParts)
    .where(eq(moveParts.liveSessionId, liveSessionId))
    .orderBy(asc(moveParts.afterMove));
  return {
    parts: parts.map(({ after, startsAt }) => ({ firstMove: after + 1, startsOn: startsAt.toISOString() })),
    lastMove: Math.max((await lastMoveOf(db, liveSessionId)) ?? 0, parts.at(-1)?.after ?? 0),
  };
}

/** The number of the last move of a live session; null before the first one. */
async function lastMoveOf(db: Queryable, liveSessionId: number): Promise<number | null> {
  const [row] = await db
    .select({ last: max(moves.number) })
    .from(moves)
    .where(eq(moves.liveSessionId, liveSessionId));
  return row?.last ?? null;
}

/** One part with its moves; null when there is none that begins with this move. */
export async function readPart(
  db: Queryable,
  liveSessionId: number,
  firstMove: number,
): Promise<{ startsOn: string; figures: Figure[]; moves: Move[] } | null> {
  const after = firstMove - 1;
  const [part] = await db
    .select({ startsAt: moveParts.startsAt, figures: moveParts.figures })
    .from(moveParts)
    .where(and(eq(moveParts.liveSessionId, liveSessionId), eq(moveParts.afterMove, after)));
  if (!part) return null;
  const next = (Math.floor(after / PART_MOVES) + 1) * PART_MOVES;
  const rows = await db
    .select({
      number: moves.number,
      revision: moves.revision,
      movedAt: moves.movedAt,
      by: moves.movedBy,
      kind: moves.kind,
      steps: moves.steps,
    })
    .from(moves)
    .where(and(eq(moves.liveSessionId, liveSessionId), gt(moves.number, after), lte(moves.number, next)))
    .orderBy(asc(moves.number));
  return {
    startsOn: part.startsAt.toISOString(),
    figures: part.figures.map((figure) => withRelations<Figure>(figure)),
    moves: rows.map(({ movedAt, steps, ...rest }) => ({
      ...rest,
      steps: steps.map((step) => ('put' in step ? { put: withRelations<Figure>(step.put) } : step)),
      movedOn: movedAt.toISOString(),
    })),
  };
}

// ---- moments

const shown = {
  id: moments.id,
  actId: moments.actId,
  number: moments.number,
  name: moments.name,
  keptAt: moments.keptAt,
  afterMove: moments.afterMove,
  figures: sql<number>`jsonb_array_length(${moments.figures})`,
};
const asMoment = ({ keptAt, ...rest }: Omit<Moment, 'keptOn'> & { keptAt: Date }): Moment => ({
  ...rest,
  keptOn: keptAt.toISOString(),
});

/** The moments of a live session in the order in which they were kept. */
export async function readMoments(db: Queryable, liveSessionId: number): Promise<Moment[]> {
  const rows = await db
    .select(shown)
    .from(moments)
    .where(eq(moments.liveSessionId, liveSessionId))
    .orderBy(asc(moments.number), asc(moments.id));
  return rows.map(asMoment);
}

/** Whether the live session has a moment with this act id, so that a repeated one is kept once. */
export async function hasMoment(tx: Queryable, liveSessionId: number, actId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: moments.id })
    .from(moments)
    .where(and(eq(moments.liveSessionId, liveSessionId), eq(moments.actId, actId)));
  return rows.length > 0;
}

/** The number of moments of the live session. */
export async function countMoments(tx: Queryable, liveSessionId: number): Promise<number> {
  const [row] = await tx.select({ count: count() }).from(moments).where(eq(moments.liveSessionId, liveSessionId));
  return row!.count;
}

/** Writes a moment with the next number, after the last move. The caller holds the room's lock. */
export async function writeMoment(
  tx: Queryable,
  moment: { liveSessionId: number; actId: string; name: string | null; figures: Figure[] },
): Promise<void> {
  const of = moment.liveSessionId;
  await tx.insert(moments).values({
    ...moment,
    number: sql`1 + coalesce((SELECT max(number) FROM moments WHERE live_session_id = ${of}), 0)`,
    afterMove: sql`coalesce((SELECT max(number) FROM moves WHERE live_session_id = ${of}),
                            (SELECT max(after_move) FROM move_parts WHERE live_session_id = ${of}), 0)`,
  });
}

/** The figures of a moment of this therapist; `running` requires one of the running live session. */
export async function readMomentFigures(
  db: Queryable,
  therapistId: number,
  momentId: number,
  { running = false } = {},
): Promise<Figure[] | null> {
  const [row] = await db
    .select({ figures: moments.figures })
    .from(moments)
    .innerJoin(liveSessions, eq(liveSessions.id, moments.liveSessionId))
    .where(
      and(
        eq(moments.id, momentId),
        eq(liveSessions.therapistId, therapistId),
        running ? isNull(liveSessions.endedAt) : undefined,
      ),
    );
  return row?.figures.map((figure) => withRelations<Figure>(figure)) ?? null;
}

const ownedBy = (therapistId: number) =>
  sql`${moments.liveSessionId} IN (SELECT s.id FROM live_sessions s WHERE s.therapist_id = ${therapistId})`;

/** Names a moment of this therapist. Returns it; null when it is none of theirs. */
export async function nameMoment(
  tx: Queryable,
  therapistId: number,
  momentId: number,
  name: string | null,
): Promise<(Moment & { liveSessionId: number }) | null> {
  const [row] = await tx
    .update(moments)
    .set({ name })
    .where(and(eq(moments.id, momentId), ownedBy(therapistId)))
    .returning({ ...shown, liveSessionId: moments.liveSessionId });
  return row ? { ...asMoment(row), liveSessionId: row.liveSessionId } : null;
}

/** Deletes a moment of this therapist. Returns its live session; null when it is none of theirs. */
export async function removeMoment(tx: Queryable, therapistId: number, momentId: number): Promise<number | null> {
  const [row] = await tx
    .delete(moments)
    .where(and(eq(moments.id, momentId), ownedBy(therapistId)))
    .returning({ liveSessionId: moments.liveSessionId });
  return row?.liveSessionId ?? null;
}
