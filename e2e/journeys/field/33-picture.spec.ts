/** Pictures of the field (docs/product.md#5.30 to #5.32): the saved file shows the same as the field, and reveals no
 * more. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { addFigure, centerOf, figure, openField, openRoom, storedField } from '../people.ts';

interface Point {
  x: number;
  y: number;
}
type Rgb = [number, number, number];

/** Points in a figure's own box: middle, face, both sides, back. */
const BOX: readonly Point[] = [
  { x: 0, y: 0 },
  { x: 0, y: -18 },
  { x: -14, y: 8 },
  { x: 14, y: 8 },
  { x: 0, y: 20 },
];
/** Points of the background, as shares of the field: far from the figures of these journeys. */
const EDGES: readonly Point[] = [
  { x: 0.02, y: 0.5 },
  { x: 0.98, y: 0.5 },
  { x: 0.5, y: 0.03 },
];

const SECRET = 'Hannelore Ötvös';
const MALICIOUS = '<script>]]>&amp;';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Save a picture of the field' });
async function openFromRoom(page: Page) {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save a picture' }).click();
  await expect(dialogOf(page).getByRole('img', { name: /^Picture of the field/ })).toBeVisible();
  return dialogOf(page);
}
let downloads = 0;
async function save(page: Page, choices: readonly RegExp[]) {
  for (const name of choices) await dialogOf(page).getByRole('radio', { name }).check();
  const coming = page.waitForEvent('download');
  await dialogOf(page).getByRole('button', { name: 'Save picture' }).click();
  const download = await coming;
  await expect(dialogOf(page).getByText(`Saved among your downloads: ${download.suggestedFilename()}`)).toBeVisible();
  // Programs recognise files by the ends of their names.
  const name = download.suggestedFilename();
  const path = test.info().outputPath(String((downloads += 1)), name);
  await download.saveAs(path);
  return { name, path };
}

/** The pixels at a point: its own, and those around it. */
interface Drawn {
  at: Rgb;
  around: Rgb[];
}
/** The pixels of a picture at points in px. `reach`: how many px around count; lines get wider with the picture. */
async function drawn(page: Page, picture: Buffer, points: readonly Point[], reach: number): Promise<Drawn[]> {
  return page.evaluate(
    async ([bytes, wanted, far]) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d', { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
      context.drawImage(bitmap, 0, 0);
      return wanted.map(({ x, y }) => {
        const side = 2 * far + 1;
        const { data } = context.getImageData(Math.round(x) - far, Math.round(y) - far, side, side);
        const around = Array.from({ length: side * side }, (_, n) => [...data.slice(n * 4, n * 4 + 3)] as Rgb);
        return { at: around[(side * side - 1) / 2] as Rgb, around };
      });
    },
    [picture.toString('base64'), points, reach] as const,
  );
}
const apart = (one: Rgb, other: Rgb) => Math.max(...one.map((channel, at) => Math.abs(channel - (other[at] ?? 0))));
/**
 * Two drawings in different sizes show the same: at each point the pixel of one lies between those of the other,
 * because at an edge it is a mixture of both sides.
 */
function expectAlike(one: Drawn[], other: Drawn[], what: string): void {
  expect(other).toHaveLength(one.length);
  const far = one.flatMap(({ at }, index) => {
    const { around = [], at: instead } = other[index] ?? {};
    const between = at.every((value, channel) => {
      const values = around.map((pixel) => pixel[channel] ?? 0);
      return value >= Math.min(...values) - 14 && value <= Math.max(...values) + 14;
    });
    return between ? [] : [{ index, at, instead }];
  });
  expect(far, what).toEqual([]);
}

/** Where the points of all figures are drawn in the room, by figure in the order of painting, in px of the page. */
async function pointsInRoom(page: Page): Promise<Point[]> {
  const order = (await storedField(page)).sort((a, b) => a.order - b.order || a.id - b.id).map(({ id }) => id);
  return page.getByTestId('field').evaluate(
    (field, [ids, box, edges]) => {
      const world = field.querySelector('[data-figure]')?.parentElement as unknown as SVGGElement;
      const onPage = (element: SVGGraphicsElement, { x, y }: Point) => {
        const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(element.getScreenCTM() as DOMMatrix);
        return { x: left, y: top };
      };
      return [
        ...ids.flatMap((id) => {
          const body = field.querySelector(`[data-figure="${id}"]`) as SVGGElement;
          return box.map((point) => onPage(body, point));
        }),
        ...edges.map(({ x, y }) => onPage(world, { x: x * 1600, y: y * 1000 })),
      ];
    },
    [order, BOX, EDGES] as const,
  );
}

/** Opens an SVG file by itself: in a browser without network and without the app. */
async function openAlone(browser: Browser, path: string) {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 }, offline: true });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const faults: string[] = [];
  page.on('console', (message) => faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(pathToFileURL(path).href);
  const points = await page.evaluate(
    ([box, edges]) => {
      const svg = document.documentElement as unknown as SVGSVGElement;
      const world = [...svg.children].at(-1) as SVGGElement;
      const onPage = (element: SVGGraphicsElement, { x, y }: { x: number; y: number }) => {
        const { x: left, y: top } = new DOMPoint(x, y).matrixTransform(element.getScreenCTM() as DOMMatrix);
        return { x: left, y: top };
      };
      return [
        ...[...world.children].flatMap((body) => box.map((point) => onPage(body as SVGGElement, point))),
        ...edges.map(({ x, y }) => onPage(world, { x: x * 1600, y: y * 1000 })),
      ];
    },
    [BOX, EDGES] as const,
  );
  const shot = await page.screenshot();
  const texts = await page.evaluate(() => [...document.querySelectorAll('text')].map(({ textContent }) => textContent));
  return {
    points,
    shot,
    texts,
    outside: asked.filter((address) => !/^(?:file|data):/.test(address)),
    faults,
    close: () => context.close(),
  };
}
/** The text of the file besides the painted icons and backgrounds. */
const wordsIn = async (path: string) =>
  (await readFile(path, 'utf8')).replace(/data:image\/[a-z]+;base64,[\w+/=]*/g, '');

const today = (page: Page) =>
  page.evaluate(() => {
    const now = new Date();
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  });

test('5.30, 5.31, 5.32 from the room: both files show what the field shows, without names, and nothing is sent', async ({
  visit,
  browser,
}) => {
  test.slow();
  const anna = await openRoom(visit);
  await addFigure(anna, 'star', SECRET);
  await anna.keyboard.press('Escape');
  await figure(anna, SECRET).focus();
  for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft', 'Shift+]', '+', '+']) await anna.keyboard.press(key);
  await addFigure(anna, 'bat', MALICIOUS);
  await figure(anna, MALICIOUS).focus();
  for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowDown']) await anna.keyboard.press(key);
  await anna.getByRole('button', { name: 'My icons' }).click();
  await anna.getByTestId('icon-file').setInputFiles({
    name: 'Mutter.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><g id="Grossmutter"><rect width="30" height="30" fill="#12a05c"/></g></svg>',
    ),
  });
  await anna.getByRole('button', { name: 'Put on the field: Mutter' }).click();
  await expect.poll(async () => (await storedField(anna)).some(({ iconType }) => iconType === 'CUSTOM')).toBe(true);
  // Its tools appear with its name, and are closed: a selected figure has a ring.
  await expect(anna.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await anna.keyboard.press('Escape');
  await expect(anna.getByRole('region', { name: /^Selected figure/ })).toHaveCount(0);
  await expect(anna.getByRole('dialog')).toHaveCount(0);
  const stored = await storedField(anna);
  await expect(anna.getByTestId('field').locator('[data-figure] image')).toHaveAttribute('href', /^blob:/);

  const dialog = await openFromRoom(anna);
  await expect(dialog.getByRole('radio', { name: 'No names' })).toBeChecked();
  await axeClean(anna, 'picture of the field');
  await screenshot(anna, 'picture-1440-light-en');
  const sent: string[] = [];
  anna.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
  });
  const before = await today(anna);
  const svg = await save(anna, [/^SVG/]);
  const png = await save(anna, [/^PNG/, /^1600/]);
  const large = await save(anna, [/^3200/]);
  expect(sent).toEqual([]);
  const days = [before, await today(anna)];
  for (const [file, kind] of [
    [svg, 'svg'],
    [png, 'png'],
    [large, 'png'],
  ] as const)
    expect(days.map((day) => `field-${day}.${kind}`)).toContain(file.name);

  const words = await wordsIn(svg.path);
  for (const { name } of stored) if (name !== '') expect(words.toLowerCase()).not.toContain(name.toLowerCase());
  expect(words).not.toMatch(/mutter|<text|<title|<script|class=|style=|blob:/i);
  const initialled = await openAlone(browser, (await save(anna, [/^SVG/, /^Initials/])).path);
  expect(initialled.texts).toContain('HÖ');
  await initialled.close();
  const named = await openAlone(browser, (await save(anna, [/^Full names/])).path);
  for (const name of [SECRET, MALICIOUS]) expect(named.texts).toContain(name);
  expect([named.outside, named.faults]).toEqual([[], []]);
  await named.close();
  await screenshot(anna, 'picture-names-1440-light-en');
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await expect(dialog).toHaveCount(0);

  // The three drawings are the same, at the middle of each figure, around it, and on the background.
  const alone = await openAlone(browser, svg.path);
  expect(alone.points).toHaveLength(stored.length * BOX.length + EDGES.length);
  expect([alone.outside, alone.faults]).toEqual([[], []]);
  const inSvg = await drawn(anna, alone.shot, alone.points, 2);
  await anna.getByRole('button', { name: 'Fit', exact: true }).click();
  await anna.mouse.move(5, 5);
  // The view no longer moves, and no news lies over the figures.
  await centerOf(anna, SECRET);
  await expect(anna.getByText('“Mutter” has been saved.')).toHaveCount(0);
  const roomPoints = await pointsInRoom(anna);
  expectAlike(await drawn(anna, await anna.screenshot(), roomPoints, 1), inSvg, 'room and SVG');
  expectAlike(inSvg, await drawn(anna, await readFile(png.path), alone.points, 2), 'SVG and PNG');
  const twice = alone.points.map(({ x, y }) => ({ x: 2 * x, y: 2 * y }));
  expectAlike(inSvg, await drawn(anna, await readFile(large.path), twice, 4), 'SVG and the large PNG');
  await alone.close();
});

test('5.30 from a past live session: the field at its end, on today’s background, on a phone too', async ({
  visit,
  browser,
}) => {
  test.slow();
  const { page: anna } = await visit(DESK);
  await signIn(anna);
  const before = await today(anna);
  await openField(anna);
  await addFigure(anna, 'star', SECRET);
  await anna.getByRole('button', { name: 'End session' }).click();
  await anna.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(anna.getByRole('heading', { name: 'The session has ended.' })).toBeVisible();
  const days = [before, await today(anna)];

  // A picture and a colour behind the figures.
  await anna.goto('/app/template');
  const ground = await anna.evaluate(async () => {
    const canvas = new OffscreenCanvas(320, 200);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.fillStyle = '#c46a2b';
    context.fillRect(0, 0, 320, 200);
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())];
  });
  const part = anna.getByRole('region', { name: 'The field' });
  await part
    .locator('input[type=file]')
    .setInputFiles({ name: 'calm.png', mimeType: 'image/png', buffer: Buffer.from(ground) });
  await expect(part.getByRole('img', { name: 'The picture of the field' })).toBeVisible();
  await anna.getByRole('button', { name: 'Save the design' }).click();
  await expect(anna.getByText('Saved. The room shows it already.')).toBeVisible();

  const openFromHistory = async (page: Page) => {
    await page.goto('/app/history');
    await page
      .getByRole('link', { name: /show details/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Save a picture' }).click();
    await expect(dialogOf(page).getByRole('img', { name: /^Picture of the field/ })).toBeVisible();
  };
  await openFromHistory(anna);
  await axeClean(anna, 'picture of a past field');
  const svg = await save(anna, [/^SVG/]);
  expect(days.map((day) => `field-${day}.svg`)).toContain(svg.name);
  expect(await wordsIn(svg.path)).not.toMatch(/hannelore|<text/i);
  const alone = await openAlone(browser, svg.path);
  const edge = (await drawn(anna, alone.shot, alone.points, 0)).at(-1)?.at as Rgb;
  expect(apart(edge, [0xc4, 0x6a, 0x2b]), edge.join()).toBeLessThanOrEqual(14);
  expect([alone.outside, alone.faults]).toEqual([[], []]);
  await alone.close();
  await screenshot(anna, 'picture-history-1440-light-en');
  // Escape closes only the top dialog, and the focus is where it was.
  await anna.keyboard.press('Escape');
  await expect(dialogOf(anna)).toHaveCount(0);
  await expect(anna.getByRole('button', { name: 'Save a picture' })).toBeFocused();
  await anna.keyboard.press('Escape');
  await expect(anna.getByRole('dialog')).toHaveCount(0);

  const { page: phone } = await visit({ ...PHONE, colorScheme: 'dark' });
  await phone.addInitScript(() => localStorage.setItem('language', 'en'));
  await signIn(phone);
  await phone.addInitScript(() => {
    localStorage.setItem('language', 'de');
    localStorage.setItem('theme', 'dark.blueyale');
  });
  await phone.goto('/app/history');
  await phone
    .getByRole('link', { name: /Einzelheiten/ })
    .first()
    .click();
  await phone.getByRole('button', { name: 'Als Bild speichern' }).click();
  await expect(phone.getByRole('img', { name: /^Bild des Feldes/ })).toBeVisible();
  await axeClean(phone, 'picture of a past field on a phone', '[role=dialog]:last-of-type');
  await screenshot(phone, 'picture-history-390-dark-de');
  await phone.getByRole('radio', { name: 'Vollständige Namen' }).check();
  await phone.getByRole('radio', { name: /^SVG/ }).scrollIntoViewIfNeeded();
  await screenshot(phone, 'picture-history-choices-390-dark-de');
});
