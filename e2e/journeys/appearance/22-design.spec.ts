/**
 * The design: a therapist colours field and menus, and everybody sees what was chosen (docs/product.md#11.14).
 */
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, resize, screenshot, signIn, test } from '../../journey.ts';
import { addFigure, admit, expectNotReloaded, figure, markLoaded, openField } from '../people.ts';

type Rgb = [number, number, number];
const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Rgb;

/** Returns the colour at a point of an element, given as shares of its width and height. */
async function drawnAt(page: Page, selector: string, x: number, y: number): Promise<Rgb> {
  const shot = await page.locator(selector).first().screenshot();
  return page.evaluate(
    async ([bytes, atX, atY]) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
      context.drawImage(bitmap, 0, 0);
      return [
        ...context.getImageData(Math.round(bitmap.width * atX), Math.round(bitmap.height * atY), 1, 1).data.slice(0, 3),
      ] as Rgb;
    },
    [[...shot], x, y] as const,
  );
}
/** Rings over the background and a picture's encoding change a channel slightly. */
const near = (one: Rgb, other: Rgb) => one.every((channel, index) => Math.abs(channel - (other[index] ?? 0)) <= 12);
const FIELD = '[data-testid=field]';
async function expectDrawn(page: Page, color: string, selector = FIELD): Promise<void> {
  await expect(
    async () => {
      const drawn = await drawnAt(page, selector, 0.05, 0.5);
      expect(near(drawn, rgb(color)), `drawn ${drawn.join()}, chosen ${rgb(color).join()}`).toBe(true);
    },
    `${color} on “${await page.title()}”`,
  ).toPass();
}

/** A picture of one colour, as a file for the therapist. */
async function pictureFile(page: Page, color: string) {
  const bytes = await page.evaluate(async (fill) => {
    const canvas = new OffscreenCanvas(320, 200);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.fillStyle = fill;
    context.fillRect(0, 0, 320, 200);
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())];
  }, color);
  return { name: 'calm.png', mimeType: 'image/png', buffer: Buffer.from(bytes) };
}

/** Records in every frame what an element looks like, from its first frame on. */
async function watchLook(page: Page, selector: string, attribute: string | null): Promise<() => Promise<string[]>> {
  await page.addInitScript(
    ([of, name]) => {
      const seen: string[] = [];
      Object.assign(window, { looksSeen: seen });
      const look = () => {
        const element = document.querySelector(of);
        const now = element && (name === null ? getComputedStyle(element).backgroundColor : element.getAttribute(name));
        if (now && seen.at(-1) !== now) seen.push(now);
        requestAnimationFrame(look);
      };
      look();
    },
    [selector, attribute] as const,
  );
  return () => page.evaluate(() => (window as unknown as { looksSeen: string[] }).looksSeen);
}

const part = (page: Page, name: string) => page.getByRole('region', { name });
const colours = (page: Page, of: string, name: string) => part(page, of).getByRole('group', { name });
const save = (page: Page) => page.getByRole('button', { name: 'Save the design' });

async function openDesign(page: Page): Promise<void> {
  await page.goto('/app/template');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Design');
  await expect(save(page)).toBeVisible();
}

test('colour and picture of the field reach a client’s screen at once; the reset takes them back', async ({
  visit,
}) => {
  test.slow();
  const { page: anna } = await visit(DESK);
  await signIn(anna);
  await openField(anna);
  await addFigure(anna, 'star', 'Lighthouse');
  const { page: desk } = await visit(DESK);
  await signIn(desk);
  await openDesign(desk);
  await expect(desk.getByText('Everything follows your theme')).toBeVisible();
  await axeClean(desk, 'design, as the theme');
  await screenshot(desk, 'design-empty-1440-light-en');
  const seenBy = await visit(DESK);
  const watched = await watchLook(seenBy.page, FIELD, 'data-ground');
  const { page: hanna } = await admit(async () => seenBy, anna, { name: 'Hanna' });
  await markLoaded(hanna);

  // The choice shows only in the preview until it is saved.
  await colours(desk, 'The field', 'Colour of the field').getByLabel('Forest').check();
  await expectDrawn(desk, '#2f4a3c', '[role=img] [data-ground=own]');
  await expect(hanna.getByTestId('field')).toHaveAttribute('data-ground', 'theme');
  await save(desk).click();
  await expect(desk.getByText('Saved. The room shows it already.')).toBeVisible();
  await expect(save(desk)).toBeDisabled();
  for (const page of [hanna, anna]) await expectDrawn(page, '#2f4a3c');
  // A name has the colour that is readable there.
  await expect(figure(hanna, 'Lighthouse')).toBeVisible();
  await expect(hanna.locator(`${FIELD} [data-part=name] text`).first()).toHaveCSS('fill', 'rgb(255, 255, 255)');
  await axeClean(hanna, 'a room on a dark ground');
  await screenshot(hanna, 'design-room-colour-1440-light-en');

  await part(desk, 'The field')
    .locator('input[type=file]')
    .setInputFiles(await pictureFile(desk, '#c46a2b'));
  await expect(part(desk, 'The field').getByRole('img', { name: 'The picture of the field' })).toBeVisible();
  await expectDrawn(desk, '#c46a2b', '[role=img] [data-ground=own]');
  await save(desk).click();
  await expect(desk.getByText('Saved. The room shows it already.')).toBeVisible();
  for (const page of [hanna, anna]) await expectDrawn(page, '#c46a2b');
  await screenshot(hanna, 'design-room-picture-1440-light-en');
  await screenshot(desk, 'design-full-1440-light-en');
  await expectNotReloaded(hanna);
  // Dark mode changes everything except what was chosen.
  await hanna.evaluate(() => document.documentElement.setAttribute('data-mantine-color-scheme', 'dark'));
  await expectDrawn(hanna, '#c46a2b');

  // Somebody who joins late never sees another background first.
  const late = await visit(PHONE);
  const lateWatched = await watchLook(late.page, FIELD, 'data-ground');
  await admit(async () => late, anna, { name: 'Levi' });
  await expectDrawn(late.page, '#c46a2b');
  expect((await lateWatched()).filter((look) => look !== 'unknown')).toEqual(['own']);
  expect((await watched()).filter((look) => look !== 'unknown')).toEqual(['theme', 'own']);
  await screenshot(late.page, 'design-room-picture-390-light-en');

  // The pictures of the field have it too.
  await desk.goto('/app/dashboard');
  await expectDrawn(desk, '#c46a2b', 'main [role=img][data-ground]');
  await screenshot(desk, 'design-dashboard-1440-light-en');

  await openDesign(desk);
  await desk.getByRole('button', { name: 'Reset the design' }).click();
  const question = desk.getByRole('dialog', { name: 'Reset the whole design?' });
  await axeClean(desk, 'reset', '[role=dialog]');
  await question.getByRole('button', { name: 'Reset it' }).click();
  await expect(question).toHaveCount(0);
  await expect(desk.getByText('follows your theme again')).toBeVisible();
  await expect(hanna.getByTestId('field')).toHaveAttribute('data-ground', 'theme');
  await expect(hanna.locator(`${FIELD} img`)).toHaveCount(0);
  await expectNotReloaded(hanna);
});

test('the menus have their colours from the first frame on, and unreadable text is not saved', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await openDesign(page);
  await colours(page, 'Side menu', 'Background').getByLabel('Night blue').check();
  await colours(page, 'Top bar', 'Background').getByLabel('Rose').check();
  const text = colours(page, 'Side menu', 'Text and icons');
  await text.getByLabel('Another colour').fill('#223355');
  await expect(text.getByText('This text can’t be read')).toBeVisible();
  await save(page).click();
  await expect(page.getByText('Nothing was saved.')).toBeVisible();
  await expect(text.getByLabel('Another colour')).toBeFocused();
  await axeClean(page, 'design with a fault');
  await screenshot(page, 'design-fault-1440-light-en');
  await text.getByLabel('Chosen for you').check();

  // Leaving asks once.
  await page.locator('#dashboard').click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await axeClean(page, 'leaving', '[role=dialog]');
  await question.getByRole('button', { name: 'Stay here' }).click();
  await expect(question).toHaveCount(0);
  await save(page).click();
  await expect(page.getByText('Saved. The room shows it already.')).toBeVisible();
  await expect(page.locator('#side-menu')).toHaveCSS('background-color', 'rgb(31, 45, 74)');
  await axeClean(page, 'design with coloured menus');
  await screenshot(page, 'design-menus-1440-light-en');

  const seen = await watchLook(page, '#side-menu', null);
  await page.goto('/app/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect(await seen()).toEqual(['rgb(31, 45, 74)']);
  await expect(page.locator('header').first()).toHaveCSS('background-color', 'rgb(241, 219, 219)');
  await page.locator('#template').hover();
  await axeClean(page, 'dashboard with coloured menus', undefined, ['color-contrast']);
  await page.getByRole('button', { name: 'Your menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Colours' })).toBeVisible();
  await axeClean(page, 'a menu on a coloured bar', undefined, ['color-contrast']);
  await screenshot(page, 'design-menus-dashboard-1440-light-en');
  await page.keyboard.press('Escape');
  await page.evaluate(() => localStorage.setItem('theme', 'dark.blueyale'));
  await page.reload();
  await expect(page.locator('#side-menu')).toHaveCSS('background-color', 'rgb(31, 45, 74)');
  await axeClean(page, 'dashboard with coloured menus, dark', undefined, ['color-contrast']);
  await screenshot(page, 'design-menus-dashboard-1440-dark-en');
  // What is on the bar of a phone is visible with these colours too; the theme's own would not be.
  await resize(page, 390, 844);
  await expect(async () => {
    const onBar = await page
      .locator('header')
      .first()
      .evaluate((bar) =>
        [...bar.querySelectorAll(':scope > button, :scope > a, :scope > span > button, :scope > form > button')]
          .filter((element) => element.checkVisibility())
          .map((element) => getComputedStyle(element).color),
      );
    expect(onBar.length).toBeGreaterThan(3);
    expect(new Set(onBar)).toEqual(new Set(['rgb(31, 39, 50)']));
  }).toPass();
  await screenshot(page, 'design-menus-390-dark-en');
  await resize(page, 1440, 900);
  // None of it stays for the next person on this browser.
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('menus'))).toBeNull();
});

test('on a phone, in German, dark, only by keyboard', async ({ visit }) => {
  const { page } = await visit(PHONE);
  await signIn(page);
  await page.evaluate(() => {
    localStorage.setItem('language', 'de');
    localStorage.setItem('theme', 'dark.blueyale');
  });
  await page.goto('/app/template');
  await expect(page.getByRole('button', { name: 'Gestaltung speichern' })).toBeVisible();
  await axeClean(page, 'design on a phone');
  await screenshot(page, 'design-empty-390-dark-de');
  await page.getByRole('group', { name: 'Farbe des Feldes' }).getByLabel('Wie im Farbschema').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('Salbei').first()).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('group', { name: 'Farbe des Feldes' }).getByLabel('Andere Farbe')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('#ff7700');
  // The picker follows, and its arrow keys work too.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('slider', { name: 'Helligkeit und Sättigung' })).toBeFocused();
  await axeClean(page, 'the picker');
  await screenshot(page, 'design-picker-390-dark-de');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  const written = page.getByRole('group', { name: 'Farbe des Feldes' }).getByRole('textbox');
  await expect(written).not.toHaveValue('#ff7700');
  await expect(page.getByText('Noch nicht gespeichert.')).toBeVisible();
  await screenshot(page, 'design-full-390-dark-de');
  await written.press('Enter');
  await expect(page.getByText('Gespeichert. Der Raum zeigt es bereits.')).toBeVisible();
  await axeClean(page, 'design on a phone, saved');
  await screenshot(page, 'design-long-390-dark-de', true);
});
