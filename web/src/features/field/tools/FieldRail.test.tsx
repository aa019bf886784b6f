/** The rail beside the field: what its buttons show and send. */
import type { FieldAct } from '@fieldroom/contract/field';
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { aFigure } from '../figures.testing.ts';
import { FieldContext, type FieldModel, type FieldStore } from '../useField.ts';
import { FieldRail } from './FieldRail.tsx';

beforeAll(() => startWords(['field']));
beforeEach(() => {
  sent.length = 0;
});
afterEach(cleanup);

/** Everything that this screen sends. */
const sent: unknown[] = [];
const model: FieldModel = {
  field: { revision: 1, figures: [aFigure(3)], handsAllowed: true },
  pending: [],
  refused: [],
  undo: [],
  redo: [],
};
const store = {
  get: () => model,
  subscribe: () => () => undefined,
  standsStill: () => false,
  act: (act: FieldAct) => sent.push(act),
  drag: (message: unknown) => sent.push(message),
  point: (message: unknown) => sent.push(message),
} as unknown as FieldStore;

function open(beams = true) {
  const onBeams = vi.fn();
  const nothing = () => undefined;
  render(
    <MantineProvider env="test">
      <FieldContext value={store}>
        <FieldRail
          phone={false}
          scheme="light"
          beams={beams}
          onBeams={onBeams}
          onIcons={nothing}
          onConstellations={nothing}
          onReset={nothing}
          onPicture={nothing}
          onClear={nothing}
          onKeys={nothing}
        />
      </FieldContext>
    </MantineProvider>,
  );
  return onBeams;
}
const button = (name: string) => screen.getByRole('button', { name });

test.each([
  [true, 'Gaze only for me: hide directions'],
  [false, 'Gaze only for me: show directions'],
])('5.26 the gaze is switched only on this screen: nothing is sent', (beams, label) => {
  const onBeams = open(beams);
  expect(button(label).textContent).toBe('Gaze only for me');
  fireEvent.click(button(label));
  expect(onBeams).toHaveBeenCalledExactlyOnceWith(!beams);
  expect(sent).toEqual([]);
});

test('5.26 names are hidden for everybody', () => {
  open();
  fireEvent.click(button('Names for everyone: hide all'));
  expect(sent).toEqual([{ kind: 'showTexts', value: false }]);
});

test('one’s own icons have a plus with words, not a file format', () => {
  open();
  const own = button('My icons');
  expect(own.textContent).toBe('My icons');
  expect(own.querySelector('svg.tabler-icon-plus')).not.toBeNull();
});
