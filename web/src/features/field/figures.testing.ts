/** A figure for the tests of field and room. */
import type { Figure } from '@fieldroom/contract/field';

/** Makes a star on the field. Takes its id, and values to put in place of the usual ones. */
export const aFigure = (id: number, change: Partial<Figure> = {}): Figure => ({
  id,
  name: `f${id}`,
  iconType: 'STAR',
  iconId: null,
  color: '#EFDA71',
  showText: true,
  x: 100,
  y: 100,
  rotation: 0,
  scale: 1,
  order: id,
  movableBy: 'holders',
  relations: [],
  startX: 100,
  startY: 100,
  startRotation: 0,
  startScale: 1,
  updatedOn: 0,
  ...change,
});
