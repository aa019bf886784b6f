import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ApiProblem } from '../../../platform/api/index.ts';
import { faultReference } from '../../../platform/log/faultReference.ts';
import { startWords } from '../../../platform/i18n/app.ts';
import { PageFault, InFrame } from './PageFault.tsx';

beforeAll(async () => {
  await startWords([]);
});
afterEach(() => {
  cleanup();
  window.localStorage.clear();
});
const draw = (error: unknown, reload = () => {}) =>
  render(
    <MantineProvider env="test">
      <PageFault error={error} reload={reload} />
    </MantineProvider>,
  );

test('12.1 a page that broke shows a reference and no detail of the fault', async () => {
  const fault = new Error('Anna is not a function');
  draw(fault);
  expect(await screen.findByText('Something went wrong')).toBeTruthy();
  expect(screen.getByText(faultReference(fault))).toBeTruthy();
  expect(screen.getByText(/please tell us this reference number/)).toBeTruthy();
  expect(document.body.textContent).not.toContain('Anna');
});

test('12.1 outside the frame it is a page: title, landmark, and a link to the start', async () => {
  draw(new Error('x'));
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Something went wrong');
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong');
  expect(screen.getByRole('main')).toBeTruthy();
  expect(document.title).toBe('Something went wrong · Fieldroom');
  expect(screen.getByRole('link', { name: 'Back to start' }).getAttribute('href')).toBe('/app/dashboard');
});

test('12.1 a client gets no link to therapists’ pages', async () => {
  localStorage.setItem(
    'user',
    JSON.stringify({ id: 9, firstName: 'Hanna', roles: ['ROLE_CLIENT'], authorities: ['ROLE_CLIENT'] }),
  );
  draw(new Error('x'));
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

test('12.1 within the frame it is a part of the page, which has landmark, heading and title', async () => {
  document.title = 'Sessions · Fieldroom';
  render(
    <MantineProvider env="test">
      <InFrame value>
        <PageFault error={new Error('x')} reload={() => {}} />
      </InFrame>
    </MantineProvider>,
  );
  expect((await screen.findByRole('heading', { level: 2 })).textContent).toBe('Something went wrong');
  for (const role of ['main', 'link']) expect(screen.queryByRole(role), role).toBeNull();
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  expect(document.title).toBe('Sessions · Fieldroom');
});

test('12.1 the server’s own reference is kept', async () => {
  draw(new ApiProblem('unknown_fault', { status: 500, reference: 'req-77' }));
  expect(await screen.findByText('req-77')).toBeTruthy();
});

test.each([
  'Failed to fetch dynamically imported module: https://x.example/assets/a.js',
  'error loading dynamically imported module: https://x.example/assets/a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/a.css',
])('11.37 a part that could not be fetched is reported as that: %s', async (message) => {
  draw(new TypeError(message));
  expect(await screen.findByText('This page didn’t load')).toBeTruthy();
  expect(screen.queryByText(/reference number/)).toBe(null);
});

test('11.36 a part that could not be fetched is fetched again when the connection returns, a fault is not', async () => {
  const reload = vi.fn();
  draw(new TypeError('Importing a module script failed.'), reload);
  await screen.findByText('This page didn’t load');
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledTimes(1);
  cleanup();
  draw(new Error('x'), reload);
  await screen.findByText('Something went wrong');
  window.dispatchEvent(new Event('online'));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a fault keeps its reference, another one gets another, even if it is not an object', () => {
  const fault = new Error('x');
  expect(faultReference(fault)).toBe(faultReference(fault));
  expect(faultReference(fault)).not.toBe(faultReference(new Error('x')));
  for (const odd of [undefined, null, 'text', 7]) expect(faultReference(odd)).toMatch(/^[A-Z2-9]{8}$/);
});
