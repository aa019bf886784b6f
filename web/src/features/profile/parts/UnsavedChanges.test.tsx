/** Text typed on the page is not lost without a question, and not by an answer of the server either. */
import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiProblem } from '../../../platform/api/index.ts';
import { storage } from '../../../platform/storage.ts';
import { FormFoot, Problem } from './Section.tsx';
import { UnsavedChanges } from './UnsavedChanges.tsx';
import { useSectionForm } from './useSectionForm.ts';

vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }));
vi.mock('../../../platform/i18n/app.ts', () => ({ sayProblem: (key: string) => key }));

const schema = z.strictObject({ one: z.string(), two: z.string() });
type Values = z.infer<typeof schema>;
const world = {
  saved: [] as Values[],
  refusal: null as ApiProblem | null,
  refetch: (() => {}) as (values: Values) => void,
};

function Form() {
  const [stored, setStored] = useState<Values>({ one: 'one', two: 'two' });
  world.refetch = setStored;
  const { form, submit, problem, changed, saving, saved } = useSectionForm<Values, Values>({
    schema,
    stored,
    fields: ['one'],
    async save(values) {
      if (world.refusal) throw world.refusal;
      world.saved.push(values);
      setStored(values);
      return values;
    },
  });
  return (
    <form onSubmit={submit}>
      <input aria-label="one" {...form.register('one')} />
      <input aria-label="two" {...form.register('two')} />
      <p data-testid="fault">{form.formState.errors.one?.message ?? ''}</p>
      <Problem fault={problem} />
      <FormFoot done={saved ? 'saved' : null} changed={changed} saving={saving} />
    </form>
  );
}

async function open() {
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({
        getParentRoute: () => root,
        path: '/profile',
        component: () => (
          <UnsavedChanges>
            <Form />
            <Link to={'/away' as never}>away</Link>
          </UnsavedChanges>
        ),
      }),
      createRoute({ getParentRoute: () => root, path: '/away', component: () => <p>elsewhere</p> }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/profile'] }),
  });
  render(
    <StrictMode>
      <MantineProvider env="test">
        <RouterProvider router={router as never} />
      </MantineProvider>
    </StrictMode>,
  );
  await screen.findByLabelText('one');
}
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const save = () => fireEvent.click(screen.getByRole('button', { name: 'save' }));
const type = (name: string, value: string) => fireEvent.input(field(name), { target: { value } });

beforeEach(() => {
  Object.assign(world, { saved: [], refusal: null });
  storage.setText('token', 'a');
});
afterEach(() => {
  cleanup();
  window.localStorage.clear();
});

test('leaving asks once while there are unsaved changes; staying keeps them, leaving discards them', async () => {
  await open();
  type('one', 'changed');
  fireEvent.click(await screen.findByText('away'));
  fireEvent.click(await screen.findByText('unsaved.stay'));
  await waitFor(() => expect(screen.queryByText('unsaved.stay')).toBeNull());
  expect(field('one').value).toBe('changed');
  fireEvent.click(screen.getByText('away'));
  fireEvent.click(await screen.findByText('unsaved.leave'));
  expect(await screen.findByText('elsewhere')).toBeTruthy();
});

test.each([
  ['nothing was typed', () => {}],
  ['what was typed was taken back', () => (type('one', 'changed'), type('one', 'one'))],
  ['nobody is signed in any more', () => (type('one', 'changed'), storage.remove('token'))],
])('leaving does not ask when %s', async (_, act) => {
  await open();
  act();
  fireEvent.click(screen.getByText('away'));
  expect(await screen.findByText('elsewhere')).toBeTruthy();
});

test('saving is confirmed once and allows leaving; the next change removes the confirmation', async () => {
  await open();
  type('one', 'changed');
  save();
  expect(await screen.findByText('saved')).toBeTruthy();
  expect(world.saved).toEqual([{ one: 'changed', two: 'two' }]);
  type('two', 'more');
  await waitFor(() => expect(screen.queryByText('saved')).toBeNull());
  type('two', 'two');
  fireEvent.click(screen.getByText('away'));
  expect(await screen.findByText('elsewhere')).toBeTruthy();
});

test('a new answer of the server fills only untouched fields', async () => {
  await open();
  type('one', 'typed');
  world.refetch({ one: 'elsewhere', two: 'newer' });
  await waitFor(() => expect(field('two').value).toBe('newer'));
  expect(field('one').value).toBe('typed');
});

test('a refusal is shown at its field, any other above the button, and the typed text stays', async () => {
  await open();
  type('one', 'typed');
  world.refusal = new ApiProblem('invalid_input', { fields: [{ path: 'one', code: 'taken' }] });
  save();
  await waitFor(() => expect(screen.getByTestId('fault').textContent).toBe('taken'));
  expect(screen.queryByRole('alert')).toBeNull();
  world.refusal = new ApiProblem('offline');
  save();
  expect((await screen.findByRole('alert')).textContent).toContain('problem.');
  expect(field('one').value).toBe('typed');
});
