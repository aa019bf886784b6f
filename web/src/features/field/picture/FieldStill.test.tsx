/** A field as a picture: nothing in it can be moved or focused, and own icons are fetched with the sign-in. */
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { therapist } from '../../events/eventPages.testing.tsx';
import { aFigure } from '../../sessions/sessions.testing.tsx';
import { FieldStill } from './FieldStill.tsx';

beforeAll(() => startWords(['field']));
beforeEach(() => {
  keepSignIn(storage, { token: 't', user: therapist });
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:icon', revokeObjectURL: () => {} }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
const draw = (...figures: Parameters<typeof FieldStill>[0]['figures']) =>
  act(async () => void render(<FieldStill figures={figures} label="The field" names ground={null} />));
const bodies = () => [...screen.getByRole('img').querySelectorAll('[data-figure]')];

test('figures are in their painting order and places, and none takes the focus', async () => {
  await draw(
    aFigure({ id: 1, order: 2, x: 100, y: 200, rotation: 45, scale: 0.5 }),
    aFigure({ id: 2, order: 1, x: 1500, y: 900, rotation: 0 }),
  );
  expect(bodies().map((body) => [body.getAttribute('data-figure'), body.getAttribute('transform')])).toEqual([
    ['2', 'translate(1500 900) rotate(0) scale(1.2)'],
    ['1', 'translate(100 200) rotate(45) scale(0.6)'],
  ]);
  expect(screen.getByRole('img').querySelectorAll('[tabindex], button, a')).toHaveLength(0);
});

test('an own icon is fetched with the sign-in and shown in its size; until then a placeholder is visible', async () => {
  const asked: [string, string | null][] = [];
  let answer: (response: Response) => void = () => {};
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    asked.push([address, new Headers(init.headers).get('authorization')]);
    return new Promise<Response>((resolve) => (answer = resolve));
  });
  await draw(aFigure({ iconType: 'CUSTOM', iconId: 9 }), aFigure({ id: 2, iconType: 'CUSTOM', iconId: 9 }));
  expect(bodies().every((body) => body.querySelector('rect'))).toBe(true);
  expect(asked).toEqual([['/api/svg_img/image/7/9', 'Bearer t']]);
  answer(new Response('<svg width="30" height="60"></svg>', { headers: { 'content-type': 'image/svg+xml' } }));
  await waitFor(() =>
    expect(bodies().map((body) => body.querySelector('image')?.getAttribute('href'))).toHaveLength(2),
  );
  await waitFor(() => expect(bodies()[0]?.querySelector('image')?.getAttribute('href')).toBe('blob:icon'));
  const image = bodies()[0]?.querySelector('image');
  expect(Number(image?.getAttribute('height'))).toBe(2 * Number(image?.getAttribute('width')));
});

test('a deleted icon leaves its place marked', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ code: 'not_found', status: 404 }, { status: 404 }));
  await draw(aFigure({ iconType: 'CUSTOM', iconId: 9 }));
  expect(bodies()[0]?.querySelector('rect')).toBeTruthy();
});

test('figures glide within a view; a change of the view moves them at once', async () => {
  const near = [aFigure({ id: 1, x: 700, y: 500 }), aFigure({ id: 2, x: 900, y: 500 })];
  const moved = [aFigure({ id: 1, x: 720, y: 520 }), aFigure({ id: 2, x: 900, y: 500 })];
  const wide = [aFigure({ id: 1, x: 100, y: 100 }), aFigure({ id: 2, x: 1500, y: 900 })];
  const still = (figures: typeof near, fit: typeof near) => (
    <FieldStill figures={figures} fit={fit} label="The field" names ground={null} glide />
  );
  const { rerender } = render(still(near, near));
  const gliding = () => bodies().filter((body) => body.classList.contains('glide')).length;
  expect(gliding()).toBe(2);
  rerender(still(moved, near));
  expect(gliding()).toBe(2);
  rerender(still(wide, wide));
  expect(gliding()).toBe(0);
  rerender(still(near, wide));
  expect(gliding()).toBe(2);
});

test('5.35 no word of a relation covers a name, and all are above the lines', async () => {
  const misses = { to: 2, kind: 'arrow' as const, color: '#953300', word: 'misses' };
  const ends = [
    aFigure({ id: 1, name: 'Mother', x: 300, y: 500, relations: [misses] }),
    aFigure({ id: 2, name: 'Father', x: 1300, y: 500 }),
  ];
  const middleOf = (text: string) => {
    const written = [...screen.getByRole('img').querySelectorAll('text')].find((one) => one.textContent === text);
    return written
      ?.getAttribute('transform')
      ?.match(/-?[\d.]+/g)
      ?.map(Number);
  };
  await draw(...ends);
  const free = middleOf('misses');
  cleanup();
  // Its name is at the middle of the line.
  await draw(...ends, aFigure({ id: 3, name: 'The one between', x: 800, y: 400 }));
  const [x = 0, y = 0] = middleOf('misses') ?? [];
  const [nameX = 0, nameY = 0] = middleOf('The one between') ?? [];
  expect(free?.[0]).toBeCloseTo(nameX, -1);
  expect(Math.abs(x - nameX) > 60 || Math.abs(y - nameY) > 20).toBe(true);
  const all = [...screen.getByRole('img').querySelectorAll('path, text')];
  const lastLine = all.findLastIndex((element) => element.matches('[data-stroke], [data-head]'));
  expect(all.findIndex((element) => element.textContent === 'misses')).toBeGreaterThan(lastLine);
});
