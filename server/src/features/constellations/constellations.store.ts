/** Rows of `constellations`. Every function takes the database or the transaction it belongs to. */
import { and, count, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Constellation, ConstellationFigure } from '@fieldroom/contract/constellations';
import { withRelations } from '@fieldroom/contract/field';
import type { Queryable } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { constellations } from './constellations.tables.ts';

/** A name and its normalised form, unique per therapist. */
interface Name {
  readonly name: string;
  readonly nameKey: string;
}

const columns = {
  id: constellations.id,
  name: constellations.name,
  savedAt: constellations.savedAt,
  count: sql<number>`jsonb_array_length(${constellations.figures})`,
  /** One entry for each figure with an own icon. */
  iconIds: sql<number[]>`jsonb_path_query_array(${constellations.figures}, '$[*].iconId ? (@ != null)')`,
};
type Row = { id: number; name: string; savedAt: Date; count: number; iconIds: number[] };

const toConstellation = (
  { id, name, savedAt, count: figures, iconIds }: Row,
  icons: ReadonlySet<number>,
): Constellation => ({
  id,
  name,
  savedOn: savedAt.toISOString(),
  figures,
  standIns: iconIds.filter((iconId) => !icons.has(iconId)).length,
});

const ownRow = (therapistId: number, id: number): SQL =>
  and(eq(constellations.therapistId, therapistId), eq(constellations.id, id))!;

/** All of a therapist by name. Takes the ids of the therapist's icons too. */
export async function readConstellations(
  db: Queryable,
  therapistId: number,
  icons: ReadonlySet<number>,
): Promise<Constellation[]> {
  const rows = await db
    .select(columns)
    .from(constellations)
    .where(eq(constellations.therapistId, therapistId))
    .orderBy(constellations.nameKey);
  return rows.map((row) => toConstellation(row, icons));
}

/** The figures of one of the therapist's constellations; null if there is none with this id. */
export async function findFigures(
  db: Queryable,
  therapistId: number,
  id: number,
): Promise<readonly ConstellationFigure[] | null> {
  const [row] = await db
    .select({ figures: constellations.figures })
    .from(constellations)
    .where(ownRow(therapistId, id));
  return row?.figures.map((figure) => withRelations<ConstellationFigure>(figure)) ?? null;
}

/** The number of the therapist's constellations. */
export async function countConstellations(tx: Queryable, therapistId: number): Promise<number> {
  const [row] = await tx
    .select({ all: count() })
    .from(constellations)
    .where(eq(constellations.therapistId, therapistId));
  return row!.all;
}

/** The id of the therapist's constellation with this name, other than `except`; null if there is none. */
export async function findByName(
  tx: Queryable,
  therapistId: number,
  nameKey: string,
  except = 0,
): Promise<number | null> {
  const [row] = await tx
    .select({ id: constellations.id })
    .from(constellations)
    .where(
      and(
        eq(constellations.therapistId, therapistId),
        eq(constellations.nameKey, nameKey),
        ne(constellations.id, except),
      ),
    );
  return row?.id ?? null;
}

/** Writes a constellation and returns it. Takes the ids of the therapist's icons too. */
export async function insertConstellation(
  tx: Queryable,
  values: Name & { therapistId: number; figures: readonly ConstellationFigure[] },
  icons: ReadonlySet<number>,
): Promise<Constellation> {
  const [row] = await tx.insert(constellations).values(values).returning(columns);
  return toConstellation(row!, icons);
}

/** Replaces the kept figures by others. */
export async function replaceConstellation(
  tx: Queryable,
  { therapistId, id, ...values }: Name & { therapistId: number; id: number; figures: readonly ConstellationFigure[] },
  icons: ReadonlySet<number>,
): Promise<Constellation> {
  const [row] = await tx
    .update(constellations)
    .set({ ...values, savedAt: productNow })
    .where(ownRow(therapistId, id))
    .returning(columns);
  return toConstellation(row!, icons);
}

/** Returns null if the therapist has no constellation with this id. */
export async function renameConstellation(
  tx: Queryable,
  { therapistId, id, name, nameKey }: Name & { therapistId: number; id: number },
  icons: ReadonlySet<number>,
): Promise<Constellation | null> {
  const [row] = await tx
    .update(constellations)
    .set({ name, nameKey })
    .where(ownRow(therapistId, id))
    .returning(columns);
  return row ? toConstellation(row, icons) : null;
}

/** Returns whether there was one to delete. */
export async function deleteConstellation(db: Queryable, therapistId: number, id: number): Promise<boolean> {
  const { rowCount } = await db.delete(constellations).where(ownRow(therapistId, id));
  return rowCount === 1;
}
