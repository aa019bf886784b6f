/** The field as a file: its content, its omissions, and that it needs nothing from outside. */
import type { Figure } from '@fieldroom/contract/field';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../../../platform/fetching/queryClient.ts';
import { startWords } from '../../../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../../../platform/storage.ts';
import { theme } from '../../../../ui/theme/theme.ts';
import { therapist } from '../../../events/eventPages.testing.tsx';
import { aFigure } from '../../figures.testing.ts';
import { SavePictureDialog } from './SavePictureDialog.tsx';

const saved: { bytes: Blob; name: string }[] = [];
vi.mock('../../../../ui/saveFile.ts', () => ({
  saveFile: (bytes: Blob, name: string) => void saved.push({ bytes, name }),
}));

const MORNING = new Date(2026, 10, 5, 0, 30);
/** Painted pixels are recognised by what was painted. */
const PAINTED = { png: 'data:image/png;base64,aWNvbg==', jpeg: 'data:image/jpeg;base64,Z3JvdW5k' };

beforeAll(() => startWords(['picture', 'field']));
beforeEach(() => {
  saved.length = 0;
  keepSignIn(storage, { token: 't', user: therapist });
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:here', revokeObjectURL: () => {} }));
  const context = {
    fillRect() {},
    drawImage() {},
    getImageData: () => ({ data: [10, 20, 30, 255] }),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockImplementation((type) =>
    type === 'image/jpeg' ? PAINTED.jpeg : PAINTED.png,
  );
  HTMLImageElement.prototype.decode = async () => {};
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

async function open(figures: readonly Figure[], ground: { color: string | null; url: string | null } | null = null) {
  const moment = { figures, at: MORNING, gazes: true };
  const given = ground ?? { color: null, url: null };
  await act(
    async () =>
      void render(
        <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
          <SavePictureDialog opened onClose={() => {}} takeMoment={() => moment} ground={given} />
        </MantineProvider>,
      ),
  );
  return screen.findByRole('dialog');
}
const ready = async (dialog: HTMLElement) =>
  waitFor(() =>
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save picture' }).disabled).toBe(false),
  );
const choose = (name: string | RegExp) => userEvent.click(screen.getByRole('radio', { name }));

/** Saves as SVG. Returns the file's text, and the drawing in it. */
async function svgOf(dialog: HTMLElement) {
  await ready(dialog);
  await choose(/^SVG/);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save picture' }));
  const text = await saved.at(-1)!.bytes.text();
  const drawn = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  return { text, drawn };
}
const bodies = (drawn: Element) => [...[...drawn.children].at(-1)!.children];
const textsIn = (drawn: Element) => [...drawn.querySelectorAll('text')].map(({ textContent }) => textContent);

test('5.30 every figure has its place, rotation, size, colour and painting order', async () => {
  const dialog = await open([
    aFigure(1, { x: 400, y: 300, rotation: 45, scale: 0.5, order: 2, color: '#953300' }),
    aFigure(2, { x: 1200, y: 700, rotation: 270, scale: 2, order: 1, color: '#2B549D' }),
  ]);
  const { drawn } = await svgOf(dialog);
  expect(bodies(drawn).map((body) => body.getAttribute('transform'))).toEqual([
    'translate(1200 700) rotate(270) scale(2.4)',
    'translate(400 300) rotate(45) scale(0.6)',
  ]);
  const colours = bodies(drawn).map((body) =>
    [...body.querySelectorAll('path')].map((path) => path.getAttribute('fill')),
  );
  expect(colours[0]).toContain('#2B549D');
  expect(colours[1]).toContain('#953300');
  // The whole field, in the middle of the picture.
  expect([...drawn.children].at(-1)?.getAttribute('transform')).toBe('translate(0 0) scale(0.6)');
  expect(drawn.getAttribute('viewBox')).toBe('0 0 960 600');
  expect(drawn.querySelectorAll('[fill^="url(#light-"]')).toHaveLength(2);
});

test('5.35 relations are in the file, and their words only with names', async () => {
  const misses = { to: 2, kind: 'arrow' as const, color: '#953300', word: 'misses' };
  const dialog = await open([
    aFigure(1, { name: 'Mother', x: 400, relations: [misses, { ...misses, to: 99, word: 'gone' }] }),
    aFigure(2, { name: 'Father', x: 1200 }),
  ]);
  const { text, drawn } = await svgOf(dialog);
  expect(drawn.querySelectorAll('[data-head]')).toHaveLength(2);
  expect(drawn.querySelector('[data-stroke]')?.getAttribute('d')).toMatch(/^M[\d.]+ [\d.]+Q/);
  expect(text).not.toMatch(/misses|gone/);
  await choose('Initials');
  expect(textsIn((await svgOf(dialog)).drawn)).toEqual(['misses', 'M', 'F']);
  await choose('Full names');
  expect(textsIn((await svgOf(dialog)).drawn)).toEqual(['misses', 'Mother', 'Father']);
});

test('5.31 the file contains no name unless one is chosen: not as text, title, id or label', async () => {
  const dialog = await open([aFigure(1, { name: 'Hannelore Ötvös' }), aFigure(2, { name: 'Zsuzsi', showText: false })]);
  const { text, drawn } = await svgOf(dialog);
  expect(text).not.toMatch(/hannelore|tv(?:ö|&#)s|zsuzsi/i);
  expect(drawn.querySelectorAll('text, tspan, title, desc, metadata, [aria-label]')).toHaveLength(0);
  for (const { id } of drawn.querySelectorAll('[id]')) expect(id).toMatch(/^(?:lit|light-[0-9A-Fa-f]{6})$/);

  await choose('Initials');
  const short = await svgOf(dialog);
  expect(textsIn(short.drawn)).toEqual(['HÖ', 'Z']);
  expect(short.text).not.toMatch(/hannelore|zsuzsi/i);

  // Also a name that the room hides.
  await choose('Full names');
  expect(textsIn((await svgOf(dialog)).drawn)).toEqual(['Hannelore Ötvös', 'Zsuzsi']);
});

test.each([
  ['<script>x()</script>', '<script>x()</script>'],
  ['a]]>b & "c" \'d\'', 'a]]>b & "c" \'d\''],
  ['<!-- --> <image href="//evil"/>', '<!-- --> <image href="//evil"/>'],
  ['\u202eabc\u2066', 'abc'],
  ['a\u0000\u0008\ud800b', 'ab'],
])('5.31 the name %j is only text', async (name, shown) => {
  const dialog = await open([aFigure(1, { name })]);
  await choose('Full names');
  const { text, drawn } = await svgOf(dialog);
  expect(text).not.toMatch(/<script|<!--|\]\]>/);
  expect(drawn.querySelectorAll('script, image')).toHaveLength(0);
  expect([...drawn.querySelectorAll('tspan')].map(({ textContent }) => textContent).join(' ')).toBe(shown);
});

test('5.32 the file is self-contained, and its file name has the local day and no person’s name', async () => {
  const dialog = await open([aFigure(1, { name: 'Hanna' })], { color: null, url: 'blob:ground' });
  const { text, drawn } = await svgOf(dialog);
  expect(text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<svg ')).toBe(true);
  expect(drawn.querySelectorAll('script, style, foreignObject, a, use, [class], [style]')).toHaveLength(0);
  const outside = text.replaceAll(/xmlns(?::xlink)?="[^"]*"/g, '');
  expect(outside).not.toMatch(/https?:|blob:|var\(|@import|\son\w+=/);
  expect(drawn.querySelector('image')?.getAttribute('xlink:href')).toBe(PAINTED.jpeg);
  expect([drawn.getAttribute('width'), drawn.getAttribute('height')]).toEqual(['1600', '1000']);
  expect(
    drawn
      .getAttributeNames()
      .filter((name) => !name.startsWith('xmlns'))
      .sort(),
  ).toEqual(['height', 'viewBox', 'width']);
  expect(text).toMatch(/font-family="Figtree, [^"]*sans-serif"/);
  expect(saved.at(-1)?.name).toBe('field-2026-11-05.svg');
  expect(await screen.findByText('Saved among your downloads: field-2026-11-05.svg')).toBeTruthy();
});

test('5.30 the background is that of the field: its colour, its picture, or the theme’s with light in the middle', async () => {
  const plain = await svgOf(await open([aFigure(1)], { color: '#224466', url: null }));
  expect(plain.drawn.querySelectorAll('rect[fill="url(#lit)"], image')).toHaveLength(0);
  expect(plain.drawn.querySelector('rect')?.getAttribute('fill')).toBe('#0a141e');
  cleanup();
  const lit = await svgOf(await open([aFigure(1)]));
  expect(lit.drawn.querySelectorAll('rect[fill="url(#lit)"]')).toHaveLength(1);
  expect(lit.drawn.querySelector('radialGradient#lit')?.getAttribute('r')).toBe('75%');
});

test('5.30 an own icon is in the file in its own size; a deleted one leaves its place marked', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    if (address.endsWith('/10')) return Response.json({ code: 'not_found', status: 404 }, { status: 404 });
    return new Response('<svg width="30" height="60"><title>Hanna</title></svg>', {
      headers: { 'content-type': 'image/svg+xml' },
    });
  });
  const dialog = await open([
    aFigure(1, { iconType: 'CUSTOM', iconId: 9 }),
    aFigure(2, { iconType: 'CUSTOM', iconId: 9 }),
    aFigure(3, { iconType: 'CUSTOM', iconId: 10 }),
  ]);
  const { text, drawn } = await svgOf(dialog);
  expect(asked.sort()).toEqual(['/api/svg_img/image/7/10', '/api/svg_img/image/7/9']);
  const [one, two, gone] = bodies(drawn);
  for (const body of [one, two]) {
    const image = body!.querySelector('image')!;
    expect(image.getAttribute('xlink:href')).toBe(PAINTED.png);
    expect(Number(image.getAttribute('height'))).toBe(2 * Number(image.getAttribute('width')));
  }
  expect(gone!.querySelector('image')).toBeNull();
  expect(gone!.querySelector('rect')).toBeTruthy();
  expect(text).not.toContain('Hanna');
});

test('an icon that does not arrive is reported and fetched again: no file lacks it silently', async () => {
  let broken = true;
  vi.stubGlobal('fetch', async () =>
    broken
      ? Response.json({ code: 'unavailable', status: 503 }, { status: 503 })
      : new Response('<svg width="30" height="30"></svg>', { headers: { 'content-type': 'image/svg+xml' } }),
  );
  const dialog = await open([aFigure(1, { iconType: 'CUSTOM', iconId: 9 })]);
  await within(dialog).findByText(/own icons couldn’t be loaded/);
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save picture' }).disabled).toBe(true);
  broken = false;
  await userEvent.click(within(dialog).getByRole('button', { name: 'Try again' }));
  await ready(dialog);
});

test('5.32 a PNG has the chosen width; if the browser makes none, that is reported', async () => {
  const sizes: number[][] = [];
  let made: Blob | null = new Blob(['png']);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function take(this: HTMLCanvasElement, done) {
    sizes.push([this.width, this.height]);
    done(made);
  });
  const dialog = await open([aFigure(1)]);
  await ready(dialog);
  const save = () => userEvent.click(within(dialog).getByRole('button', { name: 'Save picture' }));
  await save();
  await screen.findByText(/field-2026-11-05\.png/);
  await choose(/3200/);
  expect(screen.queryByText(/field-2026-11-05\.png/)).toBeNull();
  await save();
  await screen.findByText(/field-2026-11-05\.png/);
  expect(sizes).toEqual([
    [1600, 1000],
    [3200, 2000],
  ]);
  made = null;
  await save();
  await screen.findByText(/couldn’t be saved/);
  expect(saved).toHaveLength(2);
});
