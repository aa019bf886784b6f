import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ApiProblem } from '../../platform/api/index.ts';
import { faultReference } from '../../platform/faultReference.ts';
import { startWords } from '../../platform/i18n/app.ts';
import { Broken } from './Broken.tsx';

beforeAll(async () => {
  await startWords([]);
});
afterEach(cleanup);
const draw = (error: unknown, reload = () => {}) =>
  render(
    <MantineProvider env="test">
      <Broken error={error} reload={reload} />
    </MantineProvider>,
  );

test('12.1 a page that broke shows a reference and no word of the fault', async () => {
  const fault = new Error('Anna is not a function');
  draw(fault);
  expect(await screen.findByText('Something went wrong')).toBeTruthy();
  expect(screen.getByText(`Reference ${faultReference(fault)}.`)).toBeTruthy();
  expect(document.body.textContent).not.toContain('Anna');
});

test('12.1 the server’s own reference is kept', async () => {
  draw(new ApiProblem('unknown_fault', { status: 500, reference: 'req-77' }));
  expect(await screen.findByText('Reference req-77.')).toBeTruthy();
});

test.each([
  'Failed to fetch dynamically imported module: https://x.example/assets/a.js',
  'error loading dynamically imported module: https://x.example/assets/a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/a.css',
])('11.37 a part that could not be fetched is told as that: %s', async (message) => {
  draw(new TypeError(message));
  expect(await screen.findByText('This page did not load')).toBeTruthy();
  expect(screen.queryByText(/Reference/)).toBe(null);
});

test('11.36 a part that could not be fetched is fetched again when the connection is back, a fault is not', async () => {
  const reload = vi.fn();
  draw(new TypeError('Importing a module script failed.'), reload);
  await screen.findByText('This page did not load');
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledTimes(1);
  cleanup();
  draw(new Error('x'), reload);
  await screen.findByText('Something went wrong');
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a fault keeps its reference, another gets another, and what is no object has one too', () => {
  const fault = new Error('x');
  expect(faultReference(fault)).toBe(faultReference(fault));
  expect(faultReference(fault)).not.toBe(faultReference(new Error('x')));
  for (const odd of [undefined, null, 'text', 7]) expect(faultReference(odd)).toMatch(/^[A-Z2-9]{8}$/);
});
