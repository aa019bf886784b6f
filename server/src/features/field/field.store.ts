/** Rows of `figures` and `field_acts`. Every function takes the transaction it belongs to. */
import { and, asc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm';
import { type Figure, withRelations } from '@fieldroom/contract/field';
import type { Queries } from '../room/index.ts';
import { fieldActs, figures, icons, type ActTrace } from './field.tables.ts';
import type { FigureStep } from './rules/field.rules.decision.ts';

const { therapistId: figureOwner, ...columns } = {
  id: figures.id,
  name: figures.name,
  iconType: figures.iconType,
  iconId: figures.iconId,
  color: figures.color,
  showText: figures.showText,
  x: figures.x,
  y: figures.y,
  rotation: figures.rotation,
  scale: figures.scale,
  order: figures.order,
  movableBy: figures.movableBy,
  relations: figures.relations,
  startX: figures.startX,
  startY: figures.startY,
  startRotation: figures.startRotation,
  startScale: figures.startScale,
  updatedOn: figures.updatedOn,
  therapistId: figures.therapistId,
};

/** All figures of a room in painting order, or the one asked for (none if it belongs to another room). */
export async function readFigures(tx: Queries, therapistId: number, which: number | 'all' = 'all'): Promise<Figure[]> {
  if (which === 0) return [];
  const where =
    which === 'all' ? eq(figureOwner, therapistId) : and(eq(figureOwner, therapistId), eq(figures.id, which));
  return tx.select(columns).from(figures).where(where).orderBy(asc(figures.order), asc(figures.id));
}

/** Takes `count` ids from the sequence. */
export async function takeFigureIds(tx: Queries, count: number): Promise<number[]> {
  if (count === 0) return [];
  const { rows } = await tx.execute<{ id: number }>(
    sql`SELECT nextval('figure_id')::bigint AS id FROM generate_series(1, ${count})`,
  );
  return rows.map(({ id }) => Number(id));
}

/** Writes the steps of an act: removes rows first, so that they do not conflict with new ones. */
export async function writeSteps(tx: Queries, therapistId: number, steps: readonly FigureStep[]): Promise<void> {
  const gone = steps.filter((step) => !step.after).map((step) => step.id);
  if (gone.length > 0) await tx.delete(figures).where(and(eq(figureOwner, therapistId), inArray(figures.id, gone)));
  const changed = steps.flatMap((step) => (step.before && step.after ? [step.after] : []));
  const [only] = changed;
  if (only && changed.length === 1) {
    const { id, ...values } = only;
    await tx
      .update(figures)
      .set(values)
      .where(and(eq(figureOwner, therapistId), eq(figures.id, id)));
  } else if (only) {
    await upsert(tx, therapistId, changed);
  }
  const made = steps.flatMap((step) => (!step.before && step.after ? [step.after] : []));
  if (made.length > 0) await tx.insert(figures).values(made.map((figure) => ({ ...figure, therapistId })));
}

/** Changes many rows in one statement. The rows were read under the room's lock, so all of them exist. */
async function upsert(tx: Queries, therapistId: number, changed: readonly Figure[]): Promise<void> {
  const { id: _, ...settable } = columns;
  const set = Object.fromEntries(
    Object.entries(settable).map(([property, column]) => [property, sql`excluded.${sql.identifier(column.name)}`]),
  );
  await tx
    .insert(figures)
    .values(changed.map((figure) => ({ ...figure, therapistId })))
    .onConflictDoUpdate({ target: figures.id, set });
}

/** The ids of a therapist's custom icons. */
export async function readIconIds(tx: Queries, therapistId: number): Promise<Set<number>> {
  const rows = await tx.select({ id: icons.id }).from(icons).where(eq(icons.therapistId, therapistId));
  return new Set(rows.map((row) => row.id));
}

export interface StoredAct {
  id: number;
  actId: string;
  actorId: number;
  revision: number;
  trace: ActTrace;
}

const actColumns = {
  id: fieldActs.id,
  actId: fieldActs.actId,
  actorId: fieldActs.actorId,
  revision: fieldActs.revision,
  trace: fieldActs.trace,
};

/** Finds the act of a room with this act id, no matter who did it; null if it is not stored or was forgotten. */
export async function findAct(tx: Queries, therapistId: number, actId: string): Promise<StoredAct | null> {
  const [act] = await tx
    .select(actColumns)
    .from(fieldActs)
    .where(and(eq(fieldActs.therapistId, therapistId), eq(fieldActs.actId, actId)));
  return act ? { ...act, trace: { ...act.trace, figures: act.trace.figures.map(asOfNow) } } : null;
}

/** Gives figures of acts that were stored before there were relations an empty list of them. */
const asOfNow = ({ id, before, after }: FigureStep): FigureStep => ({
  id,
  before: before && withRelations<Figure>(before),
  after: after && withRelations<Figure>(after),
});

/**
 * Kinds of rows that do not count among the acts that a person can undo: the person did not request them, they undo
 * others, undo skips them, or they changed nothing.
 */
const UNCOUNTED = ['undo', 'activeRole', 'drop', 'hideTexts', 'unchanged'];
/** Rows that are kept of each person, for each act that they can undo: enough for undo and redo of all, and again. */
const KEPT_PER_REACH = 4;

/**
 * Returns the act if it is this person's and among their last `reach`; otherwise null. Reads the rows after the act
 * alone: mostly a few, however many are stored.
 */
export async function findOwnAct(
  tx: Queries,
  therapistId: number,
  actorId: number,
  actId: string,
  reach: number,
): Promise<StoredAct | null> {
  const act = await findAct(tx, therapistId, actId);
  if (act?.actorId !== actorId) return null;
  const [tooMany] = await tx
    .select({ id: fieldActs.id })
    .from(fieldActs)
    .where(
      and(
        eq(fieldActs.therapistId, therapistId),
        eq(fieldActs.actorId, actorId),
        gt(fieldActs.id, act.id),
        notInArray(fieldActs.kind, UNCOUNTED),
      ),
    )
    .orderBy(asc(fieldActs.id))
    .offset(reach - 1)
    .limit(1);
  return tooMany ? null : act;
}

/** Stores an act with its trace. */
export async function writeAct(
  tx: Queries,
  act: { therapistId: number; actId: string; actorId: number; kind: string; revision: number; trace: ActTrace },
): Promise<void> {
  await tx.insert(fieldActs).values(act);
}

/**
 * Deletes acts that nobody can undo any more: all but each person's last `reach` with the undos since, and all that are
 * older than `keepSeconds` of product time. A person who undoes and redoes endlessly has a few times `reach` rows.
 * Returns the number deleted.
 */
export async function pruneActs(tx: Queries, reach: number, keepSeconds: number): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    DELETE FROM field_acts WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER newest AS place,
          count(*) FILTER (WHERE ${notInArray(fieldActs.kind, UNCOUNTED)})
            OVER (newest ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS later
        FROM field_acts WINDOW newest AS (PARTITION BY therapist_id, actor_id ORDER BY id DESC)
      ) ranked WHERE later >= ${reach} OR place > ${reach * KEPT_PER_REACH}
    ) OR acted_at < product_now() - make_interval(secs => ${keepSeconds})`);
  return rowCount ?? 0;
}

/** Deletes all acts of a room, after its live session has ended. */
export async function forgetActs(tx: Queries, therapistId: number): Promise<void> {
  await tx.delete(fieldActs).where(eq(fieldActs.therapistId, therapistId));
}
