/** Builders of figures. */
import { sql } from 'drizzle-orm';
import { FIELD_HEIGHT, FIELD_WIDTH, FIGURE_COLORS, type Figure } from '@fieldroom/contract/field';
import { figures } from '../features/field/field.tables.ts';
import type { Queryable } from '../platform/db/db.ts';

export interface FigureWish extends Partial<Omit<Figure, 'id' | 'updatedOn'>> {
  therapistId: number;
}

/**
 * Makes a figure, by default in the middle; its present position is also its start. Takes the therapist, and what the
 * case needs.
 */
export async function aFigure(db: Queryable, { therapistId, ...wish }: FigureWish): Promise<Figure> {
  const [figure] = await fieldOf(db, therapistId, [wish]);
  if (!figure) throw new Error('the figure was not written');
  return figure;
}

/** Makes many figures at once, painted in this order. They exist before the first act, at revision 0. */
export async function fieldOf(
  db: Queryable,
  therapistId: number,
  wishes: readonly Partial<Omit<Figure, 'id' | 'updatedOn'>>[],
): Promise<Figure[]> {
  if (wishes.length === 0) return [];
  const rows = await db
    .insert(figures)
    .values(
      wishes.map((wish, index) => {
        const { x = FIELD_WIDTH / 2, y = FIELD_HEIGHT / 2, rotation = 0, scale = 1 } = wish;
        return {
          id: sql`nextval('figure_id')`,
          therapistId,
          iconType: 'MALE_FIGURE' as const,
          color: FIGURE_COLORS.sky,
          order: 1000 + index,
          startX: x,
          startY: y,
          startRotation: rotation,
          startScale: scale,
          updatedOn: 0,
          ...wish,
          x,
          y,
          rotation,
          scale,
        };
      }),
    )
    .returning();
  return rows.map(({ therapistId: _owner, ...figure }) => figure);
}
