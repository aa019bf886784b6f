/** Rows of `icons`. Every function takes the database or the transaction it belongs to. */
import { and, asc, count, eq } from 'drizzle-orm';
import type { Icon } from '@fieldroom/contract/field';
import type { Queries } from '../../room/index.ts';
import { figures, icons } from '../field.tables.ts';

const columns = {
  id: icons.id,
  name: icons.name,
  width: icons.width,
  height: icons.height,
  createdAt: icons.createdAt,
};
const toIcon = ({ createdAt, ...icon }: Pick<typeof icons.$inferSelect, keyof typeof columns>): Icon => ({
  ...icon,
  createdOn: createdAt.toISOString(),
});

/** The therapist's own icons, oldest first. */
export async function readIcons(db: Queries, therapistId: number): Promise<Icon[]> {
  return (await db.select(columns).from(icons).where(eq(icons.therapistId, therapistId)).orderBy(asc(icons.id))).map(
    toIcon,
  );
}

/** The number of the therapist's own icons. */
export async function countIcons(tx: Queries, therapistId: number): Promise<number> {
  const [row] = await tx.select({ icons: count() }).from(icons).where(eq(icons.therapistId, therapistId));
  return row!.icons;
}

/** Writes an icon and returns it in the answers' form. */
export async function insertIcon(tx: Queries, icon: typeof icons.$inferInsert): Promise<Icon> {
  const [row] = await tx.insert(icons).values(icon).returning(columns);
  return toIcon(row!);
}

/** The inner id of the file, or null if this therapist has no such icon. */
export async function findIconFile(db: Queries, therapistId: number, iconId: number): Promise<string | null> {
  const [icon] = await db
    .select({ fileId: icons.fileId })
    .from(icons)
    .where(and(eq(icons.therapistId, therapistId), eq(icons.id, iconId)));
  return icon?.fileId ?? null;
}

/** Whether any figure shows this icon. */
export async function isWorn(tx: Queries, iconId: number): Promise<boolean> {
  return (await tx.select({ id: figures.id }).from(figures).where(eq(figures.iconId, iconId)).limit(1)).length > 0;
}

/** Deletes an icon. Its file is removed separately. */
export async function deleteIcon(tx: Queries, iconId: number): Promise<void> {
  await tx.delete(icons).where(eq(icons.id, iconId));
}
