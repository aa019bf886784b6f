/** Rows of designs. Every function takes the database or the transaction it belongs to. */
import { eq } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/db.ts';
import { designs } from './design.tables.ts';

export type DesignRow = Omit<typeof designs.$inferSelect, 'therapistId'>;

export const NO_DESIGN: Readonly<DesignRow> = {
  background: null,
  backgroundImage: null,
  leftMenu: null,
  leftMenuText: null,
  leftMenuSelected: null,
  topMenu: null,
  topMenuText: null,
};

/** The design of a therapist; NO_DESIGN if nothing was ever chosen. */
export async function readDesign(db: Queryable, therapistId: number): Promise<DesignRow> {
  const [row] = await db.select().from(designs).where(eq(designs.therapistId, therapistId));
  return row ?? NO_DESIGN;
}

/** Writes the given columns and leaves the others. */
export async function writeDesign(tx: Queryable, therapistId: number, values: Partial<DesignRow>): Promise<void> {
  await tx
    .insert(designs)
    .values({ therapistId, ...values })
    .onConflictDoUpdate({ target: designs.therapistId, set: values });
}
