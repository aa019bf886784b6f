/** The place of a new figure, also before the server has confirmed earlier acts. */
import { expect, test } from 'vitest';
import { FIELD_HEIGHT, FIELD_WIDTH } from '@fieldroom/contract/field';
import type { FieldModel } from '../useField.ts';
import { aFigure } from '../figures.testing.ts';
import { freePlace } from './freePlace.ts';

const MIDDLE = { x: FIELD_WIDTH / 2, y: FIELD_HEIGHT / 2 };
const model = (figures: ReturnType<typeof aFigure>[], ...acts: FieldModel['pending'][number]['act'][]): FieldModel => ({
  field: { figures } as FieldModel['field'],
  pending: acts.map((act, index) => ({ actId: `act ${index}`, act })),
  refused: [],
  undo: [],
  redo: [],
});

test('in the middle, or beside a figure that is there', () => {
  expect(freePlace(model([]))).toMatchObject(MIDDLE);
  expect(freePlace(model([aFigure(1, MIDDLE)]))).not.toMatchObject(MIDDLE);
});

test('a figure that was moved away frees its place before confirmation', () => {
  const moved = model([aFigure(1, MIDDLE)], { kind: 'place', figureId: 1, x: 100, y: 100 });
  expect(freePlace(moved)).toMatchObject(MIDDLE);
});

test('a new figure that is not confirmed keeps its place', () => {
  const first = { kind: 'add', figure: { iconType: 'STAR', ...MIDDLE } } as const;
  expect(freePlace(model([], first))).not.toMatchObject(MIDDLE);
});
