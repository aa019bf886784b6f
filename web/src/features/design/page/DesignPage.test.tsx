/** The page of the design: the theme's values, choices, refusals, and what leaving would lose. */
import type { Template } from '@fieldroom/contract/design';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { theme } from '../../../ui/theme/theme.ts';
import { json, network, nothing, refuse, therapist } from '../../events/eventPages.testing.tsx';
import { stubUploads } from '../../../platform/fetching/sendFile.testing.ts';
import { DesignPage } from './DesignPage.tsx';

const [ALL, SAVE, RESET] = ['GET /api/template/all/7', 'POST /api/template/save', 'POST /api/me/design/reset'];
const [UPLOAD, IMAGE] = ['POST /api/template/image/upload/7', 'GET /api/template/image/7'];
const IMAGE_ID = '0d5f5fd0-1c1f-4a53-9c59-3c43e2f6a111';
const LEFT = { type: 'LEFT_MENU', bgColor: null, textColor: null, selectedColor: null } as const;
const PARTS: Template[] = [
  { type: 'BACKGROUND_COLOR', bgColor: null },
  { type: 'BACKGROUND_IMAGE', imageId: null },
  LEFT,
  { type: 'TOP_MENU', bgColor: null, textColor: null },
];
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

beforeAll(async () => {
  configure({ defaultHidden: true });
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['design', 'shell', 'field']);
});
beforeEach(() => {
  localStorage.clear();
  keepSignIn(storage, { token: 't', user: therapist });
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:local', revokeObjectURL: () => {} }));
  stubUploads();
  HTMLImageElement.prototype.decode = async () => {};
  window.scrollTo = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function open(parts: Template[] = PARTS, answers: Parameters<typeof network>[0] = {}) {
  const world = network({ [ALL]: json(parts), [SAVE]: nothing, [RESET]: nothing, ...answers });
  const root = createRootRoute({
    component: () => (
      <Suspense>
        <Link to={'/elsewhere' as never}>Elsewhere</Link>
        <Outlet />
      </Suspense>
    ),
  });
  const here = createRoute({ getParentRoute: () => root, path: 'app/template', component: DesignPage });
  const elsewhere = createRoute({
    getParentRoute: () => root,
    path: 'elsewhere',
    component: () => <p>Another page</p>,
  });
  const router = createRouter({
    routeTree: root.addChildren([here, elsewhere]),
    history: createMemoryHistory({ initialEntries: ['/app/template'] }),
  });
  render(
    <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText('Save the design');
  return world;
}
const card = (name: string) => within(screen.getByRole('region', { name }));
const group = (of: string, name: string) => within(card(of).getByRole('group', { name }));
const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save the design' });
const press = (element: HTMLElement) => act(async () => void fireEvent.click(element));
/** The frame around the preview; the field in it has the same words and is hidden from screen readers. */
const shown = () => screen.getAllByRole('img', { name: /^Preview/ })[0] as HTMLElement;

test('11.14: without a design the page says what the theme provides, and nothing can be saved or reset', async () => {
  await open();
  expect(screen.getByText(/Everything follows your theme/)).toBeTruthy();
  expect(saveButton().disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Reset the design' }).disabled).toBe(true);
  // Text and selected entry have no colour of their own without a background.
  expect(card('Side menu').queryByRole('group', { name: 'Text and icons' })).toBeNull();
});

test('11.14: a colour shows in the preview at once and is saved as its own part; the menus are unchanged', async () => {
  const { sent, all } = await open();
  await press(group('The field', 'Colour of the field').getByLabelText('Forest'));
  await press(group('Side menu', 'Background').getByLabelText('Night blue'));
  expect(shown().querySelector('[data-ground=own]')).toBeTruthy();
  expect(sent).toEqual([]);
  expect(screen.getByText('Not saved yet.')).toBeTruthy();
  all[ALL] = json([{ type: 'BACKGROUND_COLOR', bgColor: '#2f4a3c' }, PARTS[1], { ...LEFT, bgColor: '#1f2d4a' }]);
  await press(saveButton());
  await screen.findByText('Saved. The room shows it already.');
  expect(sent).toEqual([
    { name: SAVE, body: { type: 'BACKGROUND_COLOR', bgColor: '#2f4a3c' } },
    { name: SAVE, body: { ...LEFT, bgColor: '#1f2d4a' } },
  ]);
  expect(JSON.parse(localStorage.getItem('menus') ?? '')).toMatchObject({ id: 7, left: { bgColor: '#1f2d4a' } });
  expect(saveButton().disabled).toBe(true);
});

test('any colour can be typed; an invalid one is ignored and replaced by the previous one', async () => {
  const { sent } = await open();
  const input = group('Top bar', 'Background').getByRole<HTMLInputElement>('textbox');
  fireEvent.change(input, { target: { value: '#AB3' } });
  expect(shown().querySelector('[style*="--menu-bg: #aabb33"]')).toBeTruthy();
  for (const none of ['red', '#12345', '<b>', '\u202e#ffffff']) {
    fireEvent.change(input, { target: { value: none } });
    expect(group('Top bar', 'Background').getByText('Write a colour such as #2f4a3c.')).toBeTruthy();
  }
  fireEvent.blur(input);
  expect(input.value).toBe('#aabb33');
  await press(screen.getByText('Discard'));
  expect(input.value).toBe('');
  expect([sent, saveButton().disabled]).toEqual([[], true]);
});

test('11.14: an unreadable text colour is reported at its place and is not sent', async () => {
  const { sent } = await open();
  await press(group('Side menu', 'Background').getByLabelText('Night blue'));
  await press(group('Side menu', 'Text and icons').getByLabelText('Slate'));
  const input = group('Side menu', 'Text and icons').getByRole('textbox');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(group('Side menu', 'Text and icons').getByText(/its contrast is 1\.\d, and 4\.5 is needed/)).toBeTruthy();
  await press(saveButton());
  expect(screen.getByText(/Nothing was saved/)).toBeTruthy();
  expect(sent).toEqual([]);
  await waitFor(() => expect(document.activeElement).toBe(input));
  // Also if only the selected entry makes it unreadable.
  await press(group('Side menu', 'Text and icons').getByLabelText('Sand'));
  expect(input.getAttribute('aria-invalid')).toBeNull();
  await press(group('Side menu', 'Behind the selected entry').getByLabelText('Rose'));
  expect(input.getAttribute('aria-invalid')).toBe('true');
  // Without a background of its own the menu has neither.
  await press(group('Side menu', 'Background').getByLabelText('Use the theme’s colour'));
  expect(saveButton().disabled).toBe(true);
});

test('a refused part is reported at its place and kept; the others are saved', async () => {
  const { sent } = await open(PARTS, {
    [SAVE]: (body) => ((body as Template).type === 'TOP_MENU' ? refuse(429, 'too_many_requests')(body) : nothing(body)),
  });
  await press(group('The field', 'Colour of the field').getByLabelText('Sky'));
  await press(group('Top bar', 'Background').getByLabelText('Rose'));
  await press(saveButton());
  await screen.findByText(/Not everything was saved/);
  expect(card('Top bar').getByRole('alert').textContent).toContain('Too many attempts');
  expect(card('The field').queryByRole('alert')).toBeNull();
  expect(sent).toHaveLength(2);
  await press(saveButton());
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent[2]?.body).toMatchObject({ type: 'TOP_MENU' });
});

test('a picture is previewed before its upload; an invalid or too large one is refused at once', async () => {
  const { sent } = await open(PARTS, { [UPLOAD]: json({ imageId: IMAGE_ID }) });
  const input = card('The field').getByLabelText('Choose a picture for the field');
  for (const [file, why] of [
    [new File(['<svg/>'], 'x.png', { type: 'image/png' }), /can’t read this file/],
    [new File([PNG, new Uint8Array(5 * 1024 * 1024)], 'x.png', { type: 'image/png' }), /too large.*up to 5 MB/],
  ] as const) {
    await userEvent.upload(input, file);
    expect((await card('The field').findByRole('alert')).textContent).toMatch(why);
    expect(saveButton().disabled).toBe(true);
  }
  await userEvent.upload(input, new File([PNG], 'calm.png', { type: 'image/png' }));
  await waitFor(() => expect(shown().querySelector('img')?.getAttribute('src')).toBe('blob:local'));
  expect(card('The field').queryByRole('alert')).toBeNull();
  expect(sent).toEqual([]);
  await press(saveButton());
  await screen.findByText('Saved. The room shows it already.');
  expect(sent.map(({ name }) => name)).toEqual([UPLOAD]);
  // The chosen picture stays visible while the server's own is not needed.
  expect(shown().querySelector('img')?.getAttribute('src')).toBe('blob:local');
});

test('colours chosen while a picture is being read stay, and so does a later picture', async () => {
  await open();
  const reads: (() => void)[] = [];
  HTMLImageElement.prototype.decode = () => new Promise((resolve) => reads.push(() => resolve()));
  let made = 0;
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => `blob:${(made += 1)}` }));
  const input = card('The field').getByLabelText('Choose a picture for the field');
  for (const name of ['first.png', 'second.png'])
    await userEvent.upload(input, new File([PNG], name, { type: 'image/png' }));
  await waitFor(() => expect(reads).toHaveLength(2));
  await press(group('The field', 'Colour of the field').getByLabelText('Sky'));
  await act(async () => reads[1]?.());
  await act(async () => reads[0]?.());
  expect(shown().querySelector('img')?.getAttribute('src')).toBe('blob:2');
  expect(group('The field', 'Colour of the field').getByLabelText<HTMLInputElement>('Sky').checked).toBe(true);
});

test('a stored picture can be removed; if the upload is refused, the file stays chosen', async () => {
  const { sent } = await open(
    PARTS.map((part): Template => (part.type === 'BACKGROUND_IMAGE' ? { ...part, imageId: IMAGE_ID } : part)),
    {
      [IMAGE]: () => new Response('x', { headers: { 'content-type': 'image/webp' } }),
      [UPLOAD]: refuse(409, 'quota_reached'),
    },
  );
  await waitFor(() => expect(card('The field').getByAltText('The picture of the field')).toBeTruthy());
  await userEvent.upload(
    card('The field').getByLabelText('Choose a picture for the field'),
    new File([PNG], 'calm.png', { type: 'image/png' }),
  );
  await waitFor(() => expect(saveButton().disabled).toBe(false));
  await press(saveButton());
  expect((await card('The field').findByRole('alert')).textContent).toContain('no space');
  expect(saveButton().disabled).toBe(false);
  await press(card('The field').getByText('Remove the picture'));
  expect(card('The field').queryByRole('alert')).toBeNull();
  await press(saveButton());
  await screen.findByText('Saved. The room shows it already.');
  expect(sent.at(-1)).toEqual({ name: SAVE, body: { type: 'BACKGROUND_IMAGE', imageId: null } });
});

test('11.14: the reset asks, says why it failed, and resets everything', async () => {
  const { all } = await open(
    PARTS.map((part): Template => (part.type === 'BACKGROUND_COLOR' ? { ...part, bgColor: '#d3e4ef' } : part)),
    { [RESET]: refuse(429, 'too_many_requests') },
  );
  await press(screen.getByRole('button', { name: 'Reset the design' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reset the whole design?' }));
  await press(dialog.getByText('Reset it'));
  expect((await dialog.findByRole('alert')).textContent).toContain('Too many attempts');
  all[RESET] = nothing;
  await press(dialog.getByText('Reset it'));
  await screen.findByText('Everything follows your theme again.');
  expect(
    group('The field', 'Colour of the field').getByLabelText<HTMLInputElement>('Use the theme’s colour').checked,
  ).toBe(true);
});

test('leaving asks once while something is unsaved, and never otherwise', async () => {
  await open();
  await press(group('The field', 'Colour of the field').getByLabelText('Sky'));
  await press(screen.getByText('Elsewhere'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await press(dialog.getByText('Stay here'));
  expect(group('The field', 'Colour of the field').getByLabelText<HTMLInputElement>('Sky').checked).toBe(true);
  await press(screen.getByText('Elsewhere'));
  await press(await screen.findByText('Leave without saving'));
  await screen.findByText('Another page');
});

test('leaving does not ask somebody who has changed nothing', async () => {
  await open();
  await press(screen.getByText('Elsewhere'));
  await screen.findByText('Another page');
});
