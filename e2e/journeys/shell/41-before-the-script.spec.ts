/**
 * Pages of the app and the join page before their scripts have loaded, and the room in the join page's document
 * (docs/product.md#11.66, #11.68 and #11.67).
 */
import type { Page } from '@playwright/test';
import { axeClean, expect, expectWidth, nextFrames, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { slowLine } from '../network-faults.ts';
import {
  expectDrawnAsStored,
  expectInRoom,
  expectNotReloaded,
  knockByLink,
  letIn,
  markLoaded,
  openRoom,
} from '../people.ts';

/** Holds back all scripts of a page except the first, until the function that it returns is called. */
async function holdScript(page: Page): Promise<() => void> {
  const { promise: comes, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/(?!join-)[^/]*\.js$/, async (route) => {
    await comes;
    await route.continue();
  });
  return release;
}
const nameOf = (page: Page) => page.getByRole('textbox', { name: /name|Name/ });

test('somebody types their name and knocks while the script is on its way', async ({ visit }) => {
  const anna = await openRoom(visit);
  const { page } = await visit(PHONE);
  const release = await holdScript(page);
  await page.goto('/user/join/anna', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome to Anna’s room' })).toBeVisible();
  await expectWidth(page, 390);
  await axeClean(page, 'join form without its script');
  await screenshot(page, 'join-drawn-390-light-en');
  const name = nameOf(page);
  await name.tap();
  await page.keyboard.type('Hanna');
  await page.keyboard.press('Enter');
  await expect(name).toHaveValue('Hanna');
  await expect(page).toHaveURL(/\/user\/join\/anna$/);
  // The same input stays: with a screen reader or a phone's keyboard nothing is lost.
  await name.evaluate((input) => Object.assign(input, { drawnByServer: true }));
  const kept = page.evaluate(async () => {
    const input = document.querySelector('input');
    while (document.querySelector('form button[aria-disabled="true"]') === null && document.querySelector('form'))
      await new Promise(requestAnimationFrame);
    return input !== null && 'drawnByServer' in input && input.value === 'Hanna';
  });
  release();
  await expect(page.getByText('Welcome, Hanna')).toBeVisible();
  expect(await kept).toBe(true);
  await expect(anna.getByRole('button', { name: 'Let in Hanna', exact: true })).toBeVisible();
});

test('with a language chosen earlier, and by code: what was typed stays', async ({ visit }) => {
  await openRoom(visit);
  const { page } = await visit(PHONE);
  await page.goto('/user/code');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mit Code beitreten');
  const release = await holdScript(page);
  await page.goto('/user/code', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Enter with a code' })).toBeVisible();
  await page.getByLabel('Code').fill('AB');
  await nameOf(page).tap();
  await page.keyboard.type('Han');
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Mit Code beitreten' })).toBeVisible();
  await expect(nameOf(page)).toBeFocused();
  await page.keyboard.type('na');
  await expect(nameOf(page)).toHaveValue('Hanna');
  await expect(page.getByLabel('Code')).toHaveValue('AB');
});

test('someone who waits already sees no form for strangers', async ({ visit }) => {
  await openRoom(visit);
  const { page } = await visit(PHONE);
  await page.goto('/user/join/anna');
  await nameOf(page).fill('Hanna');
  await page.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(page.getByText('Welcome, Hanna')).toBeVisible();
  const release = await holdScript(page);
  await page.goto('/user/join/anna', { waitUntil: 'commit' });
  const form = page.locator('form');
  await expect(form).toBeAttached();
  await page.evaluate(() => document.fonts.ready);
  await expect(form).toBeHidden();
  release();
  await expect(page.getByText('Welcome, Hanna')).toBeVisible();
});

test('11.67 after waiting, the room opens in the same document, and a reload finds the room', async ({ visit }) => {
  const anna = await openRoom(visit);
  const { page } = await visit(PHONE);
  const line = await slowLine(page, 'PLAYERS_VALUE');
  await knockByLink(page, 'Hanna');
  await expect.poll(() => page.locator('head link[rel="modulepreload"][href*="/assets/"]').count()).toBeGreaterThan(15);
  await markLoaded(page);
  await test.step('the waiting room stays in sight until the figures are there', async () => {
    line.hold();
    await letIn(anna, 'Hanna');
    await expect(page.locator('[data-room=client] [data-room=top]')).toBeAttached();
    await nextFrames(page, 3);
    await expect(page.getByRole('heading', { name: 'Welcome, Hanna' })).toBeVisible();
    const figuresAtItsEnd = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const waiting = document.querySelector('h1')!;
          const watch = new MutationObserver(() => {
            if (waiting.isConnected) return;
            watch.disconnect();
            resolve(document.querySelectorAll('[data-figure]').length);
          });
          watch.observe(document.body, { childList: true, subtree: true });
        }),
    );
    line.release();
    expect(await figuresAtItsEnd).toBeGreaterThan(0);
  });
  await expectInRoom(page);
  await expect(page.getByText('Welcome, Hanna')).toHaveCount(0);
  await expectNotReloaded(page);
  await expectDrawnAsStored(anna, page);
  await page.reload();
  await expectInRoom(page);
});

test('11.66 a page of the app is painted before its scripts and the UI kit’s styles have loaded', async ({ visit }) => {
  const { page } = await visit(PHONE);
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
  // The styles at the end of the body.
  const html = await (await page.request.get('/app/dashboard')).text();
  const late = [...html.slice(html.indexOf('<body>')).matchAll(/<link rel="stylesheet"[^>]*href="([^"]+)"/g)];
  const held = late.map(([, address]) => address);
  expect(held.length).toBeGreaterThan(0);
  const { promise: comes, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/[^/]*\.(?:js|css)$/, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('.js') || held.includes(pathname)) await comes;
    await route.continue();
  });
  await page.goto('/app/dashboard', { waitUntil: 'commit' });
  await expect(page.locator('#outline svg')).toBeVisible();
  await expect.poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)).toBe(1);
  await screenshot(page, 'outline-390-light-en');
  release();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
  await expect(page.locator('#outline')).toHaveCount(0);
});
