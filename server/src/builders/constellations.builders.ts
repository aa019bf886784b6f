/** Builders of prepared constellations. */
import type { Constellation, ConstellationFigure } from '@fieldroom/contract/constellations';
import { FIELD_HEIGHT, FIELD_WIDTH, FIGURE_COLORS } from '@fieldroom/contract/field';
import { keyOf } from '../features/constellations/constellations.rules.ts';
import { insertConstellation } from '../features/constellations/constellations.store.ts';
import type { Queryable } from '../platform/db/db.ts';

interface ConstellationWish {
  therapistId: number;
  name?: string;
  figures?: readonly Partial<ConstellationFigure>[];
}

/** Makes a constellation with one figure in the middle. Takes the therapist, and what the case needs. */
export async function aConstellation(
  db: Queryable,
  { therapistId, name = 'A family', figures = [{}] }: ConstellationWish,
): Promise<Constellation> {
  const kept = figures.map((wish, index): ConstellationFigure => ({
    name: '',
    iconType: 'MALE_FIGURE',
    iconId: null,
    color: FIGURE_COLORS.sky,
    showText: true,
    x: FIELD_WIDTH / 2,
    y: FIELD_HEIGHT / 2,
    rotation: 0,
    scale: 1,
    order: 1000 + index,
    movableBy: 'holders',
    relations: [],
    ...wish,
  }));
  return insertConstellation(db, { therapistId, name, nameKey: keyOf(name), figures: kept }, new Set());
}
