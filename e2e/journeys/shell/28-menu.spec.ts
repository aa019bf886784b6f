/** The side menu at every width: beside the page, as a rail, as a drawer, hidden (docs/product.md#11.35). */
import { axeClean, DESK, expect, resize, screenshot, signIn, test } from '../../journey.ts';

const WIDE = [1440, 900] as const;
const MIDDLE = [1200, 800] as const;
const NARROW = [390, 844] as const;

test('the menu is beside the page, a rail, over the page or hidden', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await page.goto('/app/dashboard');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  const main = page.getByRole('main');
  const leftOf = async () => (await main.boundingBox())?.x ?? -1;
  const help = menu.getByRole('button', { name: 'Help' });
  await expect(menu.getByText('Dashboard')).toBeVisible();
  await expect.poll(leftOf).toBe(248);

  // Two levels, by keyboard.
  await expect(help).toHaveAttribute('aria-expanded', 'false');
  await help.press('Enter');
  await expect(menu.getByRole('link', { name: 'Help and info' })).toBeVisible();
  await axeClean(page, 'menu-unfolded');
  await screenshot(page, 'menu-unfolded-1440-light-en');
  const opened = page.context().waitForEvent('page');
  await menu.getByRole('link', { name: /^API/ }).click();
  await (await opened).close();
  await menu.getByRole('link', { name: 'Help and info' }).click();
  await page.waitForURL('**/app/welcome');
  // The address changes before the menu learns of the new page; then the menu returns to its first state.
  await expect(page.getByRole('heading', { level: 1, name: 'Help and info' })).toBeVisible();
  await expect(help).toHaveAttribute('aria-expanded', 'true');

  // Presses on the button: sub-entries hidden, all hidden, back.
  const button = page.getByRole('banner').getByRole('button', { name: /menu$/ }).first();
  await button.click();
  await expect(help).toHaveAttribute('aria-expanded', 'false');
  await button.click();
  await expect(menu).toBeHidden();
  await expect.poll(leftOf).toBe(0);
  await button.click();
  await expect(menu).toBeVisible();

  // The next page starts at the top.
  const scrolled = () => page.evaluate(() => scrollY);
  await page.evaluate(() => scrollTo(0, 400));
  await expect.poll(scrolled).toBe(400);
  await menu.getByRole('link', { name: 'Features' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Features' })).toBeVisible();
  await expect.poll(scrolled).toBe(0);

  // A rail, which widens over the page and leaves the page where it is.
  await resize(page, ...MIDDLE);
  await expect.poll(leftOf).toBe(72);
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(72);
  await menu.getByRole('link', { name: 'My events' }).hover();
  await expect(page.getByRole('tooltip', { name: 'My events' })).toBeVisible();
  await screenshot(page, 'menu-rail-1200-light-en');
  await help.click();
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(248);
  await expect.poll(leftOf).toBe(72);
  await axeClean(page, 'menu-rail-widened');
  await screenshot(page, 'menu-rail-widened-1200-light-en');
  await page.getByRole('heading', { level: 1 }).click();
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(72);

  // Hidden by choice, and it stays hidden.
  await resize(page, ...WIDE);
  await page.getByRole('button', { name: /Your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Colours' }).click();
  await page.getByRole('dialog', { name: 'Colours' }).getByText('Put away').click();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(menu).toBeHidden();
  await button.click();
  await expect(menu).toBeVisible();
  await expect.poll(leftOf).toBe(0);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();

  // A drawer.
  await resize(page, ...NARROW);
  await button.click();
  await expect(menu).toBeVisible();
  await help.click();
  await axeClean(page, 'menu-drawer');
  await screenshot(page, 'menu-drawer-390-light-en');
  await menu.getByRole('link', { name: 'My events' }).click();
  await page.waitForURL('**/app/manage-events-client');
  await expect(menu).toBeHidden();
});

test('full screen, and back', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await page.goto('/app/dashboard');
  const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect.poll(isFull).toBe(true);
  await page.getByRole('button', { name: 'Exit full screen' }).click();
  await expect.poll(isFull).toBe(false);
  await expect(page.getByRole('button', { name: 'Full screen' })).toBeVisible();
});
