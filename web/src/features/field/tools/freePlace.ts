/** Initial places of new figures. */
import { FIELD_HEIGHT, FIELD_WIDTH, findFreeCell, findRoom, type Standing } from '@fieldroom/contract/field';
import { type FieldModel, shownOf } from '../useField.ts';

const MIDDLE: Standing = { x: FIELD_WIDTH / 2, y: FIELD_HEIGHT / 2, scale: 1 };

/**
 * A free place near the middle, so that new figures do not cover one another. Includes this person's acts that the
 * server has not confirmed yet: figures that were moved away, and new ones.
 */
export function freePlace(model: FieldModel): { x: number; y: number } {
  const added = model.pending.flatMap(({ act }) =>
    act.kind === 'add' ? [{ ...MIDDLE, ...act.figure, scale: act.figure.scale ?? MIDDLE.scale }] : [],
  );
  const standing = [...shownOf(model), ...added];
  return findRoom(MIDDLE, standing) ?? findFreeCell(MIDDLE, standing);
}
