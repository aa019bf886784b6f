/** Signing in before the app's scripts have run, as on a weak connection (docs/product.md#11.69). */
import type { Locator, Page } from '@playwright/test';
import { axeClean, DEMO, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';

/** Holds back the app's first script. Returns a function that releases it. */
async function withoutScripts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/app-*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

const drawing = (page: Page) => page.locator('#drawn');
const email = (page: Page) => page.getByLabel(/^E-?mail/);
const password = (page: Page) => page.getByLabel('Password', { exact: true });
const button = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

test('a therapist signs in before the scripts have loaded', async ({ visit }) => {
  const { page } = await visit(PHONE);
  const release = await withoutScripts(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openDrawn(page);
  await email(page).pressSequentially(DEMO.email);
  await axeClean(page, 'the drawn sign-in form');
  await password(page).pressSequentially(DEMO.password);
  await button(page).click();
  await expect(page.getByRole('status')).toHaveText('Signing in');
  // The browser itself submits nothing, whatever is pressed.
  await password(page).press('Enter');
  expect(new URL(page.url()).search).toBe('');
  await screenshot(page, 'early-sign-in-390-light-en');
  release();
  await page.waitForURL('**/app/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
  expect(asked.filter((url) => url.includes(DEMO.password))).toEqual([]);
  expect(asked.filter((url) => url.endsWith('/api/authentication/login'))).toHaveLength(1);
});

/** Opens the page and waits until it shows the drawn form. */
async function openDrawn(page: Page): Promise<void> {
  await page.goto('/user/login', { waitUntil: 'commit' });
  await expect(drawing(page).locator('form')).toBeVisible();
}

const controls = (page: Page): Locator => page.locator('h1, form, label, input, button, a').filter({ visible: true });
const boxes = (page: Page) =>
  controls(page).evaluateAll((all) =>
    all.map((each) => `${each.tagName} ${JSON.stringify(each.getBoundingClientRect())}`),
  );

/** Enough text that typing still goes on when the app takes over. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.repeat(4);

for (const [scheme, size] of [
  ['light', PHONE],
  ['dark', DESK],
] as const)
  test(`the app takes over while somebody types, and nothing moves (${scheme})`, async ({ visit }) => {
    const { page } = await visit({ ...size, colorScheme: scheme });
    const release = await withoutScripts(page);
    // The hint for the demo comes with an answer of the server, in the app too.
    await page.route('**/api/public/config', (route) => route.fulfill({ status: 404 }));
    await openDrawn(page);
    await email(page).pressSequentially('ana@demo.example');
    for (let letters = '@demo.example'.length; letters >= 0; letters--) await page.keyboard.press('ArrowLeft');
    await page.evaluate(() => document.fonts.ready);
    const before = await boxes(page);
    expect(before.length).toBeGreaterThan(10);
    release();
    await page.keyboard.type(LETTERS, { delay: 10 });
    await expect(drawing(page)).toHaveCount(0);
    await page.keyboard.type('n');
    await expect(email(page)).toHaveValue(`an${LETTERS}na@demo.example`);
    await expect(email(page)).toBeFocused();
    expect(await boxes(page)).toEqual(before);
  });

test('signed-in people never see the form', async ({ visit }) => {
  const { page } = await visit(PHONE);
  await signIn(page);
  const release = await withoutScripts(page);
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('[type=password]')?.checkVisibility()) document.documentElement.dataset.seen = 'form';
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto('/user/login', { waitUntil: 'commit' });
  await expect(page.locator('#outline svg')).toBeVisible();
  await expect(drawing(page)).toHaveCount(0);
  release();
  await page.waitForURL('**/app/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
  expect(await page.locator('html').getAttribute('data-seen')).toBeNull();
});

test('a language chosen earlier is shown at once', async ({ visit }) => {
  const { page } = await visit(DESK);
  await page.goto('/user/login');
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.locator('[role=menuitem][lang=hu]').click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Bejelentkezés');
  const release = await withoutScripts(page);
  await openDrawn(page);
  await expect(heading).toHaveText('Bejelentkezés', { useInnerText: true });
  await expect(page).toHaveTitle('Bejelentkezés · Fieldroom');
  await email(page).pressSequentially(DEMO.email);
  release();
  await expect(drawing(page)).toHaveCount(0);
  await expect(heading).toHaveText('Bejelentkezés');
  await expect(email(page)).toHaveValue(DEMO.email);
});

test('later content does not shift pressed buttons', async ({ visit }) => {
  const { page } = await visit(PHONE);
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/public/config', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.goto('/user/login');
  await expect(drawing(page)).toHaveCount(0);
  await email(page).fill(DEMO.email);
  await password(page).fill(DEMO.password);
  await button(page).hover();
  await page.mouse.down();
  answered.resolve();
  await expect(page.getByText('Try the demo practice')).toBeVisible();
  await page.mouse.up();
  await page.waitForURL('**/app/dashboard');
});
