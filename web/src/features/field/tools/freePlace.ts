/** Where new figures stand at first. */
import { FIELD_HEIGHT, FIELD_WIDTH, findFreeCell, findRoom, type Standing } from '@fieldroom/contract/field';

const MIDDLE: Standing = { x: FIELD_WIDTH / 2, y: FIELD_HEIGHT / 2, scale: 1 };

/** A free place near the middle, so that new figures do not cover one another. */
export const freePlace = (figures: readonly Standing[]): { x: number; y: number } =>
  findRoom(MIDDLE, figures) ?? findFreeCell(MIDDLE, figures);
