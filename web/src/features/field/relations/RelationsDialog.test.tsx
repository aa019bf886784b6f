/** The dialog of a figure's relations: the act that each of its buttons sends (docs/product.md#5.33). */
import { type FieldAct, FIGURE_COLORS, type Figure, type Relation, RELATIONS_MAX } from '@fieldroom/contract/field';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import common from '../../../locales/en/common.json';
import field from '../../../locales/en/field.json';
import problems from '../../../locales/en/problems.json';
import relations from '../../../locales/en/relations.json';
import { aFigure } from '../figures.testing.ts';
import { FieldContext, type FieldModel, type FieldStore } from '../useField.ts';
import { RelationsDialog } from './RelationsDialog.tsx';

const acts: FieldAct[] = [];
let model: FieldModel;
const store = {
  get: () => model,
  subscribe: () => () => undefined,
  act: (done: FieldAct) => void acts.push(done),
} as unknown as FieldStore;

beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { common, field, problems, relations } },
    interpolation: { escapeValue: false },
  }),
);
beforeEach(() => void (acts.length = 0));
afterEach(cleanup);

const to = (id: number, more: Partial<Relation> = {}): Relation => ({
  to: id,
  kind: 'arrow',
  color: FIGURE_COLORS.brick,
  word: 'misses',
  ...more,
});

async function open(figures: Figure[]) {
  model = { field: { figures, handsAllowed: true, revision: 1 }, pending: [], refused: [], undo: [], redo: [] };
  await act(
    async () =>
      void render(
        <MantineProvider env="test">
          <FieldContext value={store}>
            <RelationsDialog opened figure={figures[0] as Figure} onClose={vi.fn()} onFocusLost={vi.fn()} />
          </FieldContext>
        </MantineProvider>,
      ),
  );
  return within(await screen.findByRole('dialog', { name: 'Relations of Mother' }));
}
const press = (button: HTMLElement) => act(() => void fireEvent.click(button));
const mother = (...all: Relation[]) => aFigure(1, { name: 'Mother', relations: all });
const father = aFigure(2, { name: 'Father', iconType: 'MALE_FIGURE', relations: [to(1, { kind: 'plain', word: '' })] });
const child = aFigure(3, { name: 'Child' });

test('5.33 a new relation is added to the chosen figure with its kind, colour and word; existing ones stay', async () => {
  const dialog = await open([mother(to(2)), father, child]);
  expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Child (Star)']);
  press(dialog.getByRole('radio', { name: 'double line' }));
  press(dialog.getByRole('radio', { name: 'Moss' }));
  fireEvent.change(dialog.getByLabelText(/^Word on the line/), { target: { value: ' holds ' } });
  press(dialog.getByRole('button', { name: 'Add relation' }));
  const added = to(3, { kind: 'double', color: FIGURE_COLORS.moss, word: 'holds' });
  expect(acts).toEqual([{ kind: 'edit', figureId: 1, relations: [to(2), added] }]);
});

test('5.33 a relation is changed and removed; relations to this figure are listed', async () => {
  const dialog = await open([mother(to(2)), father, child]);
  expect(dialog.getByText('Leading here: Father (plain line)')).toBeTruthy();
  expect(dialog.getByRole('listitem').textContent).toContain('arrow, “misses”');
  press(dialog.getByRole('button', { name: 'Change the relation to Father' }));
  fireEvent.change(dialog.getByLabelText(/^Word on the line/), { target: { value: 'waits' } });
  press(dialog.getByRole('button', { name: 'Save' }));
  press(dialog.getByRole('button', { name: 'Remove the relation to Father' }));
  expect(acts).toEqual([
    { kind: 'edit', figureId: 1, relations: [to(2, { word: 'waits' })] },
    { kind: 'edit', figureId: 1, relations: [] },
  ]);
});

test('5.33 with no other figure, with relations to all, or with twelve it says why nothing can be added', async () => {
  const alone = await open([mother(to(99))]);
  expect(alone.getByText(/no other figure on the field/)).toBeTruthy();
  expect(alone.queryByRole('button', { name: 'Add relation' })).toBeNull();
  cleanup();
  const all = await open([mother(to(2), to(3)), father, child]);
  expect(all.getByText('There is a relation to every figure on the field.')).toBeTruthy();
  cleanup();
  const many = Array.from({ length: RELATIONS_MAX + 1 }, (_, index) => aFigure(index + 2));
  const full = await open([mother(...many.slice(1).map(({ id }) => to(id))), ...many]);
  expect(full.getByText('A figure can have up to 12 relations.')).toBeTruthy();
  expect(full.queryByRole('button', { name: 'Add relation' })).toBeNull();
});

test('12.32 invisible characters are reported at the word, which gets the focus, and nothing is sent', async () => {
  const dialog = await open([mother(), father]);
  const word = dialog.getByRole('textbox', { name: relations.word });
  act(() => void fireEvent.change(word, { target: { value: 'misses\u202E' } }));
  const fault = dialog.getByRole('alert');
  expect(fault.textContent).toBe('This contains characters that can’t be displayed safely.');
  expect([word.getAttribute('aria-invalid'), word.getAttribute('aria-describedby')]).toEqual(['true', fault.id]);
  act(() => void fireEvent.submit(word.closest('form')!));
  expect(acts).toEqual([]);
  expect(document.activeElement).toBe(word);
});
