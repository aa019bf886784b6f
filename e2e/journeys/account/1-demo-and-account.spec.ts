/**
 * The demo practice; registering, confirming the address, signing in and out, a forgotten password.
 * `5-languages-and-themes.spec.ts` looks at these pages in every language.
 */
import type { Locator, Page } from '@playwright/test';
import { axeClean, DEMO, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { figure, linkIn, nextEmail, openField, register, understandTimerStays } from '../people.ts';

test('the demo therapist signs in and finds a field with figures', async ({ visit }) => {
  const { page } = await visit(DESK);
  await page.goto('/');
  await page.waitForURL(/\/user\/login/);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  // A visitor reads what this is.
  await expect(page.getByText(/Fieldroom is an online room for group therapy/)).toBeVisible();
  await signIn(page);
  await page.goto('/app/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
  await page.locator('#play-area').click();
  await page.waitForURL(/\/app\/play-area/);
  await expect(figure(page, 'Mother')).toBeVisible();
});

/** Delays the app's script. Returns a function that releases it. */
async function holdApp(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/app-*.js', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test('11.66 before its scripts have run a page shows its outline, and has requested the files of its part', async ({
  visit,
}) => {
  const { page } = await visit(PHONE);
  await signIn(page);
  const release = await holdApp(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/app/welcome', { waitUntil: 'commit' });
  const outline = page.locator('#outline');
  await expect(outline.locator('svg')).toBeVisible();
  await expect(outline).toContainText('Help and info');
  const name = await outline.getByText('Help and info').boundingBox();
  const files = (await page.locator('script[data-frame]').getAttribute('data-frame'))?.split(' ') ?? [];
  expect(files.length).toBeGreaterThan(10);
  await expect.poll(() => files.filter((file) => !asked.includes(`/assets/${file}`))).toEqual([]);
  await screenshot(page, 'outline-390-light-en');
  release();
  const heading = page.getByRole('heading', { level: 1, name: 'Help and info' });
  await expect(heading).toBeVisible();
  await expect(outline).toHaveCount(0);
  // The name stays in its place.
  const { x, y } = (await heading.boundingBox())!;
  expect(name).toMatchObject({ x, y });
});

for (const { place, window, sentences } of [
  { place: 'on a phone', window: PHONE, sentences: 1 },
  { place: 'on a desk', window: DESK, sentences: 0 },
])
  test(`11.66 the outline shows a page’s purpose if the page does, ${place}`, async ({ visit }) => {
    const { page } = await visit(window);
    await signIn(page);
    const release = await holdApp(page);
    await page.goto('/app/program', { waitUntil: 'commit' });
    const outline = page.locator('#outline');
    const sentence = (where: Locator) => where.getByText(/^Describe your event here\./).filter({ visible: true });
    await expect(outline.locator('.card')).toBeVisible();
    await expect(sentence(outline)).toHaveCount(sentences);
    const before = sentences === 1 ? await sentence(outline).boundingBox() : null;
    release();
    await expect(outline).toHaveCount(0);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { name: 'About' })).toBeVisible();
    await expect(sentence(main)).toHaveCount(sentences);
    if (before === null) return;
    const { x, y, height } = (await sentence(main).boundingBox())!;
    expect(before).toMatchObject({ x, y, height });
  });

test('a wrong password is refused with a message, and the form keeps the address', async ({ visit }) => {
  const { page } = await visit(DESK);
  await page.goto('/user/login');
  await page.getByLabel('Email').fill(DEMO.email);
  await page.getByLabel('Password', { exact: true }).fill('not this one at all');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Invalid credentials')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(DEMO.email);
});

test('a new therapist registers, confirms the address, signs in and out, and resets a forgotten password', async ({
  visit,
  server,
}) => {
  const { page } = await visit(PHONE);
  const email = 'mira.new@practice.example';
  const seen = new Set<string>();

  await register(page, { email, password: 'quiet river under stones' });
  await nextEmail(server, email, seen);
  await page.getByRole('button', { name: 'Send the email again' }).click();
  await expect(page.getByText(/We’ve sent another email/)).toBeVisible();
  await axeClean(page, 'registered');
  await screenshot(page, 'registered-390-light-en');

  // Nobody can sign in before the address is confirmed.
  await page.goto('/user/login');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill('quiet river under stones');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText(/isn’t confirmed yet/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send the email again' })).toBeVisible();
  await axeClean(page, 'sign-in before the address is confirmed');
  await screenshot(page, 'unverified-390-light-en');

  await page.goto(linkIn(await nextEmail(server, email, seen), '/user/verify'));
  // Opening the link does not confirm, whatever scripts run; the button does.
  await expect(page.getByRole('button', { name: 'Yes, confirm my address' })).toBeVisible();
  await expect(page).not.toHaveURL(/token=/);
  await axeClean(page, 'verify');
  await page.getByRole('button', { name: 'Yes, confirm my address' }).click();
  await expect(page.getByText('Your address is confirmed')).toBeVisible();
  await axeClean(page, 'verified');

  await signIn(page, { email, password: 'quiet river under stones' });
  await openField(page);
  await expect(page.getByText('The field is empty')).toBeVisible();
  await page.goto('/app/dashboard');
  await understandTimerStays(page);
  // A tab that stays open must not keep showing the person's data.
  const otherTab = await page.context().newPage();
  await otherTab.goto('/app/profile');
  await expect(otherTab.getByText(email).first()).toBeVisible();
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/user\/login/);
  await otherTab.waitForURL(/\/user\/login$/);
  await expect(otherTab.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(otherTab.getByText(email)).toHaveCount(0);
  await otherTab.close();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();

  await page.getByRole('link', { name: 'Forgot it?' }).click();
  // The previous page has a field of the same name, so wait for this page's button.
  await expect(page.getByRole('button', { name: 'Send link' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await axeClean(page, 'forgot');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('Check your email')).toBeVisible();
  const resetLink = linkIn(await nextEmail(server, email, seen), '/user/reset-password');
  await page.goto(resetLink);
  await page.getByLabel('New password').fill('another river, slower');
  await page.getByLabel('Repeat the password').fill('another river, slower');
  await axeClean(page, 'reset');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Your password has been changed')).toBeVisible();
  await signIn(page, { email, password: 'another river, slower' });

  // The link works once. The person is forgotten on a page that requests nothing about them: the dashboard may still be
  // drawing their data, and stores answers that are on their way.
  await page.goto('/user/join/anna');
  await expect(page.getByText(/You have an active therapist login session/)).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/user/login');
  await page.goto(resetLink);
  await expect(page.getByText('This link has expired')).toBeVisible();
});

test('missing and forbidden pages say so, and every entry of the dashboard opens its page', async ({ visit }) => {
  const { page } = await visit(DESK);
  await page.goto('/no/such/page');
  await expect(page.getByRole('paragraph').filter({ hasText: '404' })).toBeVisible();
  await expect(page.getByText('/no/such/page')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/no/such/page');
  await axeClean(page, 'error');
  await page.goto('/auth/unauthorized');
  await expect(page.getByText('This page isn’t for you')).toBeVisible();
  await axeClean(page, 'unauthorized');
  await page.goto('/app/dashboard');
  await page.waitForURL(/\/user\/login\?returnUrl=/);
  await signIn(page);
  for (const [id, path] of [
    ['events', '/app/manage-events-client'],
    ['programmes', '/app/program'],
    ['sessions', '/app/history'],
    ['profile', '/app/profile'],
    ['template', '/app/template'],
    ['faq', '/app/welcome'],
  ] as const) {
    await page.goto('/app/dashboard');
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toContainText('Anna');
    const dashboard = await heading.textContent();
    if (id === 'faq') await page.locator('#help').click();
    await page.locator(`#${id}`).click();
    await page.waitForURL((url) => url.pathname === path);
    // The previous page stays until the next one's code has loaded.
    await expect(heading).not.toHaveText(dashboard ?? '');
    await expect(heading).toHaveCount(1);
    await axeClean(page, path);
  }
});
