/** Crowded fields are readable, figures out of view can be reached, and the tools belong to the dragged figure. */
import type { Page } from '@playwright/test';
import { axeClean, expect, nextFrames, PHONE, resize, screenshot, test } from '../../journey.ts';
import { admit, centerOf, dragBy, expectAllInView, figure, openRoom, outOfView, storedFigure } from '../people.ts';

const KINDS = ['MALE_FIGURE', 'FEMALE_FIGURE', 'MALE_SQUARE', 'FEMALE_CIRCLE', 'STAR', 'KIWI', 'BAT'] as const;
const NAMES = [
  'Mother',
  'Father',
  'The grandmother from the far village',
  'Sister',
  'Großtante aus Klausenburg',
  'The one who is missing',
  'Work',
  'First child',
  'What helps',
  'The fear',
  'New home',
  'Uncle Theodor',
  'Me',
  'The second wife of the father',
];

/** Replaces the field. Takes the position of each figure, in field units. */
async function putFigures(page: Page, places: readonly { x: number; y: number; rotation?: number }[]): Promise<void> {
  const figures = places.map((place, index) => ({
    name: NAMES[index % NAMES.length],
    iconType: KINDS[index % KINDS.length],
    order: index,
    ...place,
  }));
  const status = await page.evaluate(async (body) => {
    const answer = await fetch('/api/participant/saveAll?participantsUpdatedOn=999999999', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${localStorage.getItem('token')}`,
      },
      body: JSON.stringify(body),
    });
    return answer.status;
  }, figures);
  expect(status).toBe(200);
}

/** Two dense rows and some between them. */
const CROWD = NAMES.map((_, index) => ({
  x: 500 + (index % 5) * 125 + (index >= 10 ? 60 : 0),
  y: 380 + Math.floor(index / 5) * 150,
  rotation: (index * 47) % 360,
}));

interface Drawn {
  text: string;
  box: { left: number; top: number; right: number; bottom: number };
}

/** The names as the browser has laid them out, and the positions of faces, both in px of the page. */
async function drawnNames(page: Page): Promise<{ names: Drawn[]; faces: { x: number; y: number }[] }> {
  await nextFrames(page);
  return page.getByTestId('field').evaluate((field) => {
    const names = [...field.querySelectorAll('[data-part=name]')].map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { text: element.textContent ?? '', box: { left, top, right, bottom } };
    });
    const faces = [...field.querySelectorAll<SVGGElement>('[data-figure]')].flatMap((element) => {
      const matrix = element.getScreenCTM();
      return matrix ? [new DOMPoint(0, -24).matrixTransform(matrix)].map(({ x, y }) => ({ x, y })) : [];
    });
    return { names, faces };
  });
}

/** Waits until all names can be read: none is empty, overlaps another one or lies over a face. */
async function expectReadable(page: Page, count: number): Promise<void> {
  await expect(
    async () => {
      const { names, faces } = await drawnNames(page);
      expect(names).toHaveLength(count);
      for (const [index, { text, box }] of names.entries()) {
        expect(text.trim()).not.toBe('');
        for (const other of names.slice(index + 1)) {
          const apart =
            box.right <= other.box.left ||
            other.box.right <= box.left ||
            box.bottom <= other.box.top ||
            other.box.bottom <= box.top;
          expect(apart, `“${text}” and “${other.text}” stand apart`).toBe(true);
        }
        const hidden = faces.filter(({ x, y }) => box.left < x && x < box.right && box.top < y && y < box.bottom);
        expect(hidden, `“${text}” lies over no face`).toEqual([]);
      }
    },
    `the names on “${await page.title()}”`,
  ).toPass();
}

const textOf = async (page: Page, start: string) =>
  (await drawnNames(page)).names.find(({ text }) => text.startsWith(start))?.text;

test('5.20 and 5.21: in a crowd every name is readable, on a desktop and on a phone', async ({ visit }) => {
  const anna = await openRoom(visit);
  await putFigures(anna, CROWD);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
  await expectReadable(anna, CROWD.length);
  await expectAllInView(anna);
  await screenshot(anna, 'names-crowd-1440-light-en');
  // With an outline in the background's colour behind the letters.
  const edge = await anna
    .locator('[data-part=name] text')
    .first()
    .evaluate((text) => {
      const probe = document.createElement('i');
      probe.style.color = 'var(--fr-field-edge)';
      text.closest('svg')!.after(probe);
      const ground = getComputedStyle(probe).color;
      probe.remove();
      const { stroke, strokeWidth, paintOrder, fill } = getComputedStyle(text);
      return { isGround: stroke === ground && fill !== ground, width: Number.parseFloat(strokeWidth), paintOrder };
    });
  expect(edge).toEqual({ isGround: true, width: expect.any(Number), paintOrder: expect.stringMatching(/^stroke/) });
  expect(edge.width).toBeGreaterThanOrEqual(3);
  await expectReadable(hanna, CROWD.length);
  await expectAllInView(hanna);
  await screenshot(hanna, 'names-crowd-390-light-en');

  // 5.22: the selected figure has its whole name, and its tools hide none.
  await figure(anna, 'The second wife of the father').click();
  await expect.poll(() => textOf(anna, 'The second')).toMatch(/^The second wife of the\s*father$/);
  await expectReadable(anna, CROWD.length);

  // Both screens show the same once the figure is released, also for the names that had to move.
  await dragBy(anna, 'Mother', 130, 60);
  await expectReadable(anna, CROWD.length);
  await expectReadable(hanna, CROWD.length);
  await expectAllInView(hanna);
});

test('5.24: a mark leads to figures that a zoom leaves out of view, by pointer and by keyboard; after Fit there is none', async ({
  visit,
}) => {
  const anna = await openRoom(visit);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
  for (const page of [anna, hanna]) {
    const outside = page.getByTestId('field').getByRole('group', { name: 'Outside the view' });
    await expect(outside).toHaveCount(0);
    const at = await centerOf(page, 'Father');
    await page.mouse.move(at.x, at.y);
    if (page === anna) for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, -240);
    else {
      const touch = await page.context().newCDPSession(page);
      const fingers = (apart: number) => [
        { x: at.x - apart, y: at.y - 60, id: 1 },
        { x: at.x + apart, y: at.y - 60, id: 2 },
      ];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(20) });
      for (const apart of [30, 50, 70, 85])
        await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    }
    await expect(outside.getByRole('button').first()).toBeVisible();
    // A mark names every figure that is out of view.
    const named = async () =>
      (await outside.getByRole('button').evaluateAll((all) => all.map((mark) => mark.ariaLabel))).join();
    const box = await page.getByTestId('field').boundingBox();
    for (const name of ['New home', 'Grandmother']) {
      const { x } = await centerOf(page, name);
      if (box && x > box.x + box.width + 60) await expect.poll(named).toContain(name);
    }
    await axeClean(page, 'marks at the edge');
    await screenshot(page, page === anna ? 'marks-1440-light-en' : 'marks-390-light-en');
    const home = outside.locator('button[aria-label*="New home"]');
    if (page === anna) await home.press('Enter');
    else await home.click();
    await expect.poll(() => outOfView(page)).not.toContain('New home');
    await expect(home).toHaveCount(0);
    await page.getByRole('button', { name: page === anna ? 'Fit' : /Fit|Whole field/ }).click();
    await expect(outside).toHaveCount(0);
    await expectAllInView(page);
  }
});

const boxOf = async (page: Page, part: 'field' | 'tools') => {
  const box = await (
    part === 'field' ? page.getByTestId('field') : page.getByRole('region', { name: /Selected figure/ })
  ).boundingBox();
  if (!box) throw new Error(`no ${part}`);
  return box;
};

test('5.25: a dragged figure is selected; its tools cover no figure and change no other one', async ({ visit }) => {
  const anna = await openRoom(visit);
  const tools = anna.getByRole('region', { name: /Selected figure/ });
  const sizes = [
    { width: 1440, height: 900 },
    { width: 1366, height: 657 },
    { width: 1024, height: 768 },
    { width: 844, height: 390 },
    { width: 390, height: 844 },
  ];
  for (const [index, size] of sizes.entries()) {
    await resize(anna, size.width, size.height);
    // The tools of the previous size.
    if (index > 0) await tools.getByRole('button', { name: 'Close' }).click();
    await expect(tools).toHaveCount(0);
    await expectAllInView(anna);
    await centerOf(anna, 'Mother');
    const before = await boxOf(anna, 'field');
    await figure(anna, 'Mother').click();
    await expect(anna.getByRole('region', { name: 'Selected figure: Mother' })).toBeVisible();
    await expect(async () => {
      const field = await boxOf(anna, 'field');
      expect(field, 'the field keeps its box').toEqual(before);
      const bar = await boxOf(anna, 'tools');
      expect(
        bar.x >= field.x + field.width || bar.y >= field.y + field.height || bar.y + bar.height <= field.y,
        'the tools stand beside the field',
      ).toBe(true);
      expect(bar.x >= 0 && bar.y >= 0 && bar.x + bar.width <= size.width && bar.y + bar.height <= size.height).toBe(
        true,
      );
      // The people who wait can still be reached with one press.
      if (size.width < 1200) {
        const people = await anna.getByRole('button', { name: 'People', exact: true }).boundingBox();
        expect(people && (people.x >= bar.x + bar.width || people.y + people.height <= bar.y)).toBe(true);
      }
    }, `the tools at ${size.width} px`).toPass();
    await dragBy(anna, 'Sister', 12, 8);
    await expect(anna.getByRole('region', { name: 'Selected figure: Sister' })).toBeVisible();
    await axeClean(anna, `tools at ${size.width}`);
    await screenshot(anna, `tools-${size.width}-light-en`);
  }
  await anna.setViewportSize({ width: 1440, height: 900 });
  const before = [await storedFigure(anna, 'Mother'), await storedFigure(anna, 'Sister')];
  await anna
    .getByRole('region', { name: 'Selected figure: Sister' })
    .getByRole('button', { name: 'Rotate right' })
    .click();
  await expect
    .poll(async () => (await storedFigure(anna, 'Sister'))?.rotation)
    .toBe(((before[1]?.rotation ?? 0) + 15) % 360);
  expect((await storedFigure(anna, 'Mother'))?.rotation).toBe(before[0]?.rotation);
});

test('5.25: Enter leads from a figure to its name and back, Escape closes its tools', async ({ visit }) => {
  const anna = await openRoom(visit);
  const name = anna.getByRole('textbox', { name: 'Name', exact: true });
  // Before there are figures, the link leads to the empty field.
  await expect(figure(anna, 'Sister')).toBeVisible();
  // The first tab stop is a link past all tools.
  await anna.keyboard.press('Tab');
  await expect(anna.getByRole('link', { name: 'Skip to the field' })).toBeFocused();
  await anna.keyboard.press('Enter');
  await expect(anna.getByTestId('field').locator('[data-figure]').first()).toBeFocused();
  await figure(anna, 'Sister').focus();
  await anna.keyboard.press('Enter');
  await expect(name).toBeFocused();
  await name.fill('Little sister');
  await anna.keyboard.press('Enter');
  await expect(figure(anna, 'Little sister')).toBeFocused();
  await expect.poll(async () => (await storedFigure(anna, 'Little sister'))?.name).toBe('Little sister');
  await anna.keyboard.press('Enter');
  await expect(name).toBeFocused();
  await name.fill('Nobody');
  await anna.keyboard.press('Escape');
  await expect(anna.getByRole('region', { name: /Selected figure/ })).toHaveCount(0);
  await expect(figure(anna, 'Little sister')).toBeFocused();
  expect((await storedFigure(anna, 'Little sister'))?.name).toBe('Little sister');
});
