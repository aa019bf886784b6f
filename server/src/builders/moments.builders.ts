/** Builders of moments. */
import { randomUUID } from 'node:crypto';
import type { Figure } from '@fieldroom/contract/field';
import { moments } from '../features/moments/moments.tables.ts';
import type { Queryable } from '../platform/db/db.ts';

export interface MomentWish {
  liveSessionId: number;
  number?: number;
  name?: string | null;
  figures?: Figure[];
}

/** Makes a moment of a live session, by default of an empty field before the first move. Returns its id. */
export async function aMoment(
  db: Queryable,
  { liveSessionId, number = 1, name = null, figures = [] }: MomentWish,
): Promise<number> {
  const [row] = await db
    .insert(moments)
    .values({ liveSessionId, actId: randomUUID(), number, name, afterMove: 0, figures })
    .returning({ id: moments.id });
  if (!row) throw new Error('the moment was not written');
  return row.id;
}
