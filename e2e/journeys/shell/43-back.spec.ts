/** The phone's back button closes what lies over a page before it leaves the page (docs/product.md#11.63, 11.70). */
import type { Page } from '@playwright/test';
import { expect, PHONE, signIn, test } from '../../journey.ts';
import { expectNotReloaded, markLoaded } from '../people.ts';

/** A step back as the phone's button makes it. Playwright's own `goBack` waits only for the first step. */
const back = (page: Page) => page.evaluate(() => history.back());
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });

/** Opens the dashboard, and from there a page by its entry in the drawer, within the document. */
async function openFromDashboard(page: Page, entry: string): Promise<void> {
  await page.goto('/app/dashboard');
  await expect(heading(page, /Anna/)).toBeVisible();
  await markLoaded(page);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await menu(page).getByRole('link', { name: entry, exact: true }).click();
}

test('11.70 in the app a step back closes menus, panels and dialogs one by one, then leaves with one press', async ({
  visit,
}) => {
  const { page } = await visit(PHONE);
  await signIn(page);
  await openFromDashboard(page, 'Sessions');
  const list = async () => {
    await expect(page).toHaveURL(/\/app\/history$/);
    await expect(heading(page, 'Sessions')).toBeVisible();
  };
  await list();

  await test.step('the drawer, the person’s menu, the panel of colours', async () => {
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(menu(page)).toBeVisible();
    await back(page);
    await expect(menu(page)).toBeHidden();
    await list();

    await page.getByRole('button', { name: /Your menu/ }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await back(page);
    await expect(page.getByRole('menu')).toHaveCount(0);
    await list();

    const colours = page.getByRole('dialog', { name: 'Colours' });
    for (const close of [() => back(page), () => colours.getByRole('button', { name: 'Close colours' }).click()]) {
      await page.getByRole('button', { name: /Your menu/ }).click();
      await page.getByRole('menuitem', { name: 'Colours' }).click();
      await expect(colours).toBeVisible();
      await close();
      await expect(colours).toHaveCount(0);
      await list();
    }
  });

  await test.step('the search, and the report of a problem', async () => {
    const box = page.getByRole('combobox', { name: 'Search' });
    await page.getByRole('button', { name: 'Open search' }).click();
    await expect(box).toBeFocused();
    await back(page);
    await expect(box).toBeHidden();
    await expect(page.getByRole('button', { name: 'Open search' })).toBeFocused();
    await list();

    const report = page.getByRole('dialog', { name: 'Report a problem' });
    await page.getByRole('button', { name: 'Report a problem' }).click();
    await expect(report).toBeVisible();
    await back(page);
    await expect(report).toHaveCount(0);
    await list();
  });

  await test.step('two dialogs, one by one', async () => {
    const picture = page.getByRole('img', { name: /^Picture of the field/ });
    const save = page.getByRole('button', { name: 'Save a picture' });
    await page
      .getByRole('link', { name: /show details/ })
      .first()
      .click();
    await save.click();
    await expect(picture).toBeVisible();
    await back(page);
    await expect(picture).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(save).toBeVisible();
    await back(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await list();
  });

  await test.step('then the page before, and forward again', async () => {
    await back(page);
    await expect(page).toHaveURL(/\/app\/dashboard$/);
    await expect(heading(page, /Anna/)).toBeVisible();
    await page.evaluate(() => history.forward());
    await list();
    await expectNotReloaded(page);
  });

  await test.step('a link in a menu leads to its page, and back to this one with one press', async () => {
    await page.getByRole('button', { name: /Your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Account', exact: true }).click();
    await expect(page).toHaveURL(/\/app\/profile$/);
    await expect(heading(page, 'Profile')).toBeVisible();
    await expect(page.getByRole('menu')).toHaveCount(0);
    await back(page);
    await list();
  });
});

test('11.70 in the room, opened in the app, a step back closes the drawer, then asks; another one stays', async ({
  visit,
}) => {
  const { page } = await visit(PHONE);
  await signIn(page);
  await openFromDashboard(page, 'Field');
  const field = page.getByTestId('field');
  await expect(field).toBeVisible();
  await expectNotReloaded(page);
  // The question is fetched after the room has been drawn. From then on the room has an entry for it.
  await expect.poll(() => page.evaluate(() => (history.state as { over?: number } | null)?.over)).toBe(1);

  const people = page.getByRole('dialog', { name: 'People' });
  await page.getByRole('button', { name: 'People', exact: true }).click();
  await expect(people).toBeVisible();
  await back(page);
  await expect(people).toHaveCount(0);
  await expect(field).toBeVisible();

  const question = page.getByRole('dialog', { name: 'Leave the room?' });
  await back(page);
  await expect(question).toBeVisible();
  await back(page);
  await expect(question).toHaveCount(0);
  await expect(field).toBeVisible();
  await expect(page).toHaveURL(/\/app\/play-area$/);

  await back(page);
  await question.getByRole('button', { name: 'Leave, keep it running' }).click();
  await expect(page).toHaveURL(/\/app\/dashboard$/);
  await expect(heading(page, /Anna/)).toBeVisible();
  await expectNotReloaded(page);
});

test('11.70 on a public event page a step back closes the booking form, then leads to the therapist’s page', async ({
  visit,
}) => {
  const { page } = await visit(PHONE);
  await page.goto('/event/anna');
  await page.getByRole('main').getByRole('link').first().click();
  const open = page.getByRole('button', { name: 'Book this place' }).first();
  const form = page.getByRole('dialog', { name: 'Your details' });
  // Opened again, it reuses the entry that was left, or adds one.
  for (const close of [() => form.getByRole('button', { name: 'Close' }).click(), () => back(page)]) {
    await open.click();
    await expect(form).toBeVisible();
    const address = page.url();
    await close();
    await expect(form).toHaveCount(0);
    await expect(page).toHaveURL(address);
    await expect(open).toBeVisible();
  }
  await back(page);
  await expect(page).toHaveURL(/\/event\/anna$/);
});
