/** Colours: the panel in which they are chosen, and the contrast of every variant on real pages. */
import { PALETTES } from '@fieldroom/contract/colours/palettes';
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { openField } from '../people.ts';

/** Shows each of the 20 variants in place, and measures the contrast of what is on the page. */
async function everyVariant(page: Page, what: string): Promise<void> {
  for (const scheme of ['light', 'dark'])
    for (const palette of PALETTES) {
      await page.evaluate(
        ([root, value]) => {
          document.documentElement.setAttribute('data-mantine-color-scheme', root ?? '');
          document.documentElement.setAttribute('data-palette', value ?? '');
        },
        [scheme, palette],
      );
      await axeClean(page, `${what} ${scheme}.${palette}`, undefined, ['color-contrast']);
    }
}

test('11.2 every palette, light and dark, can be read on signed-in pages', async ({ visit }) => {
  test.slow();
  const { page } = await visit(DESK);
  await signIn(page);
  for (const [path, heading] of [
    ['/app/dashboard', /Anna/],
    ['/app/manage-events-client', /My events/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await everyVariant(page, path);
  }
  // Including its messages about empty fields.
  await page.goto('/app/program');
  await page.getByRole('button', { name: 'Check and publish' }).click();
  await expect(page.getByRole('combobox', { name: 'Event name' })).toHaveAttribute('aria-invalid', 'true');
  await everyVariant(page, 'the form of an event');
  await openField(page);
  await everyVariant(page, 'the room');
});

test('11.2 every palette, light and dark, can be read on public pages', async ({ visit }) => {
  test.slow();
  const { page } = await visit(DESK);
  await page.goto('/user/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.locator('[aria-invalid=true]').first()).toBeVisible();
  await everyVariant(page, 'sign-in');
  await page.goto('/user/join/anna');
  await page.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(page.locator('[aria-invalid=true]')).toBeVisible();
  await everyVariant(page, 'join');
  await page.goto('/event/anna');
  await page.locator('a[href*="/event/anna/"]').first().click();
  await expect(page).toHaveURL(/\/event\/anna\/\d+/);
  await expect(page.getByRole('button', { name: /Book/ }).first()).toBeVisible();
  await everyVariant(page, 'the page of an event');
});

test('the colour panel: by menu and keyboard, kept over a reload, and in the other tab', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await page.goto('/app/dashboard');
  const other = await page.context().newPage();
  await other.goto('/app/dashboard');
  // A background page draws only once a second.
  await page.bringToFront();
  const menu = page.getByRole('button', { name: 'Your menu' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Colours' }).click();
  const panel = page.getByRole('dialog', { name: 'Colours' });
  await expect(panel).toBeVisible();
  await axeClean(page, 'colours', '[role="dialog"]');
  await screenshot(page, 'colours-1440-light-en');
  await panel.getByLabel('Yale blue').focus();
  await page.keyboard.press('ArrowDown');
  const root = page.locator('html');
  await expect(root).toHaveAttribute('data-palette', 'blueolympic');
  await panel.getByLabel('Moss green').check();
  await panel.getByLabel('Dark', { exact: true }).check();
  await panel.getByLabel('Square').check();
  await expect(other.locator('html')).toHaveAttribute('data-palette', 'greenmoss');
  await expect(other.locator('html')).toHaveAttribute('data-radius', 'flat');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(menu).toBeFocused();
  // Nothing whose corners use a token is round any more.
  await expect(page.locator('body')).not.toHaveClass(/rounded/);
  const round = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('button, section, input, a')]
        .map((element) => [element.className, getComputedStyle(element).borderTopLeftRadius])
        .filter(([, radius]) => !/^(?:0px|50%|999px)$/.test(radius ?? '')),
    );
  await expect.poll(round).toEqual([]);
  await screenshot(page, 'dashboard-flat-1440-dark-en');
  // The first paint has it already, and a press outside the panel closes it.
  await page.reload({ waitUntil: 'commit' });
  await expect(root).toHaveAttribute('data-palette', 'greenmoss');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Colours' }).click();
  await expect(panel).toBeVisible();
  await page.mouse.click(300, 450);
  await expect(panel).toHaveCount(0);

  // An unknown stored value is dropped.
  await page.evaluate(() => localStorage.setItem('theme', 'light.mauve'));
  await page.reload();
  await expect(root).toHaveAttribute('data-palette', 'blueyale');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme'))).toBeNull();
});

test('the colour panel on a phone, in German', async ({ visit }) => {
  const { page } = await visit(PHONE);
  await page.addInitScript(() => localStorage.setItem('language', 'de'));
  await page.goto('/user/login');
  await page.getByLabel('E-Mail').fill('anna@demo.example');
  await page.getByLabel('Passwort', { exact: true }).fill('constellation');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.waitForURL(/\/app\/|\/$/);
  await page.goto('/app/dashboard');
  await page.getByRole('button', { name: 'Ihr Menü' }).click();
  await page.getByRole('menuitem', { name: 'Farben' }).click();
  await expect(page.getByRole('dialog', { name: 'Farben' })).toBeVisible();
  await axeClean(page, 'colours on a phone', '[role="dialog"]');
  await screenshot(page, 'colours-390-light-de');
});
