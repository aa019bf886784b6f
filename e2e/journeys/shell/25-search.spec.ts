/** The search: only by keyboard, on a phone, in dark German; and nobody finds what belongs to another. */
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, resize, screenshot, signIn, test } from '../../journey.ts';
import { openRoom, registerAndConfirm, understandTimerStays } from '../people.ts';

const box = (page: Page) => page.getByRole('combobox', { name: /^(Search|Suche)$/ });
/** The option that Enter would open. */
const pointedAt = (page: Page) => page.locator('[role=option][aria-selected=true]');
/** Focuses the box with its key and writes at once: with single keys a part of the text may be searched for first. */
async function search(page: Page, key: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(box(page)).toBeFocused();
  await page.keyboard.insertText(key);
}
/** The page and its data have loaded: before its code has loaded, nothing is busy either. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** The last button of the top bar is fully in the window; a fraction of a pixel is rounding. */
async function expectBarFits(page: Page): Promise<void> {
  const last = page.getByRole('banner').getByRole('button').last();
  await expect(last).toBeInViewport({ ratio: 0.99 });
}

test('only by keyboard: to an attendee, a live session and the results page', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await page.goto('/app/dashboard');
  await settled(page);
  await search(page, 'szucs');
  await expect(page.getByRole('option').first()).toContainText('Levente Szűcs');
  await expect(page.getByRole('option').first().locator('mark')).toHaveText(['Szűcs', 'szucs']);
  await page.keyboard.press('ArrowDown');
  await expect(pointedAt(page)).toContainText('Levente Szűcs');
  await axeClean(page, 'the box with what it found');
  await screenshot(page, 'search-box');
  await page.keyboard.press('Enter');
  // His row in the list of attendees.
  await expect(page.getByRole('dialog').locator('tr[aria-current]')).toContainText('Levente Szűcs');
  await screenshot(page, 'search-attendee');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).not.toHaveURL(/booking/);

  await search(page, 'mirela');
  await expect(page.getByRole('group', { name: 'Sessions' }).getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/app\/pages\/miscellaneous\/search\?key=mirela/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search');
  await settled(page);
  await expect(box(page)).toHaveValue('mirela');
  await axeClean(page, 'the page of results');
  await screenshot(page, 'search-page');
  await page
    .getByRole('region', { name: /^Sessions/ })
    .getByRole('link')
    .first()
    .press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Mirela');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // Escape clears the box, then leaves it.
  await search(page, 'evening');
  await expect(box(page)).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(box(page)).toHaveValue('');
  await expect(box(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box(page)).not.toBeFocused();

  // An event leads to its list, filtered to that event.
  await search(page, 'open air');
  await expect(page.getByRole('option').first()).toContainText('A circle in the open air');
  await page.keyboard.press('ArrowDown');
  await expect(pointedAt(page)).toContainText('A circle in the open air');
  await page.keyboard.press('Enter');
  await page.waitForURL(/manage-events-client/);
  await settled(page);
  await expect(page.getByRole('main')).toContainText('A circle in the open air');
  await expect(page.getByRole('main')).toContainText('1 of 1 cancelled event');
  await screenshot(page, 'search-event');
});

test('on a phone, in dark German: the first press opens the box, the second searches', async ({ visit }) => {
  const { page } = await visit({ ...PHONE, colorScheme: 'dark', locale: 'de-DE' });
  await page.addInitScript(() => {
    localStorage.setItem('language', 'de');
    localStorage.setItem('theme', 'dark.blueyale');
  });
  await page.goto('/user/login');
  await page.getByLabel('E-Mail').fill('anna@demo.example');
  await page.getByLabel('Passwort', { exact: true }).fill('constellation');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.waitForURL(/\/app\//);
  await page.goto('/app/dashboard');
  await settled(page);
  await expect(box(page)).toBeHidden();
  await page.getByRole('button', { name: 'Suche öffnen' }).click();
  await expect(box(page)).toBeFocused();
  await page.getByRole('button', { name: 'Suchen', exact: true }).click();
  await expect(page.getByText('Bitte geben Sie mindestens zwei Zeichen ein.')).toBeVisible();
  await box(page).fill('Weber');
  await expect(page.getByRole('option').first()).toContainText('Hanna');
  await screenshot(page, 'search-phone-box');
  await axeClean(page, 'the box on a phone', '[role=search]');
  await page.getByRole('button', { name: 'Suchen', exact: true }).click();
  await page.waitForURL(/search\?key=weber/);
  await expect(page.getByText(/^\d+ Treffer zu „weber“/)).toBeVisible();
  await expect(box(page)).toBeHidden();
  await screenshot(page, 'search-phone-page');
  await axeClean(page, 'the page of results on a phone');
  await expectBarFits(page);
  // The bar has room for its button on smaller phones too.
  await page.goto('/app/dashboard');
  for (const width of [428, 375, 360, 320]) {
    await resize(page, width, 640);
    await settled(page);
    await expectBarFits(page);
    await screenshot(page, `search-${width}`);
  }
  await page.goto('/app/pages/miscellaneous/search?key=zzzz');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('Nichts gefunden zu „zzzz“');
  await screenshot(page, 'search-phone-nothing');
  await page.goto('/app/pages/miscellaneous/search?key=a');
  await expect(page.getByRole('heading', { name: 'Geben Sie mindestens zwei Zeichen ein' })).toBeVisible();
});

test('11.33 the icon of the field says that it opens the field, and is marked there', async ({ visit }) => {
  const page = await openRoom(visit);
  await page.getByRole('button', { name: 'My icons' }).click();
  await page.getByTestId('icon-file').setInputFiles({
    name: 'Lighthouse.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><path d="M8 28L12 4h6l4 24z" fill="#953300"/></svg>',
    ),
  });
  await expect(page.getByText('“Lighthouse” has been saved.')).toBeVisible();
  await page.goto('/app/dashboard');
  await understandTimerStays(page);
  await settled(page);
  await search(page, 'lighthouse');
  const found = page.getByRole('group', { name: 'Your icons' }).getByRole('option');
  await expect(found).toContainText('Opens the field, which starts a session if none is running');
  await found.click();
  const marked = page.getByRole('dialog', { name: 'My icons' }).locator('li[aria-current]');
  await expect(marked).toContainText('Lighthouse');
  await expect(marked).toBeInViewport();
  await axeClean(page, 'the icon that was found', '[role=dialog]');
});

test('another therapist finds nothing of Anna’s; the operator finds therapists', async ({ visit, server }) => {
  const { page } = await visit(DESK);
  const mira = { email: 'mira@new.example', password: 'seven blue kettles' };
  await registerAndConfirm(page, server, mira);
  await signIn(page, mira);
  for (const key of ['szucs', 'evening', 'mirela', 'weber']) {
    await page.goto(`/app/pages/miscellaneous/search?key=${key}`);
    await expect(page.getByRole('heading', { name: `Nothing found for “${key}”` })).toBeVisible();
  }
  await axeClean(page, 'nothing found');
  await screenshot(page, 'search-nothing');

  const { page: operator } = await visit(DESK);
  await signIn(operator, { email: 'admin@demo.example', password: 'constellation' });
  await operator.goto('/app/pages/miscellaneous/search?key=mira');
  await operator
    .getByRole('region', { name: /Therapists/ })
    .getByRole('link')
    .click();
  await operator.waitForURL(/user-system-usage/);
  await settled(operator);
  await expect(operator.getByRole('row')).toHaveCount(2);
  await expect(operator.getByRole('row').last()).toContainText('Mira New');
  await screenshot(operator, 'search-operator');
});
