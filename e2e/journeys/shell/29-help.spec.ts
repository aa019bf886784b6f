/** Help, features, support, imprint, and what the shell says about a lost connection and a newer web. */
import { axeClean, DESK, expect, expectWidth, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { nextEmail } from '../people.ts';

test('11.38, 11.39 help, features, support and imprint are one click away', async ({ visit, server }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await page.goto('/app/dashboard');
  const person = page.getByRole('button', { name: /Your menu/ });
  const menu = async (name: string) => {
    await person.click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  await menu('Features');
  await page.waitForURL('**/app/features');
  const pictures = page.getByRole('main').getByRole('img');
  await expect(pictures).toHaveCount(6);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(960);
  }
  await axeClean(page, 'features');
  await page.evaluate(() => window.scrollTo(0, 0));
  await screenshot(page, 'features-1440-light-en');

  await menu('History');
  await page.waitForURL('**/app/history');
  await page.getByRole('main').getByRole('link', { name: 'Bills' }).click();
  await page.waitForURL('**/app/subscription/professional-package*');

  await menu('Support');
  await page.waitForURL('**/app/support');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Please write a message.')).toBeVisible();
  await page.getByLabel('Something doesn’t work').check();
  await page.getByLabel('Your message').fill('The field does not open.');
  await axeClean(page, 'support');
  await screenshot(page, 'support-1440-light-en');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText(/Your message is on its way/)).toBeVisible();

  const footer = page.getByRole('navigation', { name: 'About Fieldroom' });
  await expect(page.getByRole('contentinfo')).toContainText(
    String(await page.evaluate(() => new Date().getFullYear())),
  );
  await footer.getByRole('link', { name: 'Help' }).click();
  await page.waitForURL('**/app/welcome');
  await page.getByText('Is anything recorded?').click();
  await expect(page.getByText(/faces are never stored/)).toBeVisible();
  await screenshot(page, 'help-1440-light-en');
  for (const [name, heading] of [
    ['Privacy', 'Data protection agreement'],
    ['Licence', 'Licence agreement'],
    ['Imprint', 'Imprint'],
  ] as const) {
    await page.goto('/app/welcome');
    // The page moves the footer down as it loads.
    await expect(page.getByRole('heading', { level: 1, name: 'Help and info' })).toBeVisible();
    await footer.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  }
  const email = page.locator('address a[href^="mailto:"]');
  await expect(email).toBeVisible();
  const colours = await email.evaluate((link) => {
    const probe = link.parentElement!.appendChild(document.createElement('i'));
    probe.style.color = 'var(--fr-accent-ink)';
    const seen = [getComputedStyle(link).color, getComputedStyle(probe).color];
    probe.remove();
    return seen;
  });
  expect(colours[0], 'the link has the colour of the design').toBe(colours[1]);
  await axeClean(page, 'imprint');
  await screenshot(page, 'imprint-1440-light-en');
  const operator = `no-reply@${new URL(server.url).hostname}`;
  expect((await nextEmail(server, operator)).subject).toBe('A problem is reported');
});

test('11.39 the same on a phone, in German, dark', async ({ visit }) => {
  const { page } = await visit(PHONE);
  await signIn(page);
  await page.evaluate(() => {
    localStorage.setItem('language', 'de');
    localStorage.setItem('theme', 'dark.blueyale');
  });
  for (const [path, heading] of [
    ['welcome', 'Hilfe und Infos'],
    ['features', 'Funktionen'],
    ['support', 'Support'],
  ] as const) {
    await page.goto(`/app/${path}`);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    // The word for support is the same in English.
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await axeClean(page, `${path} de`);
    await expectWidth(page, 390);
    await screenshot(page, `${path}-390-dark-de`);
  }
});

test('11.36, 11.37 a lost connection and a newer web are shown, visible at any scroll position', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await page.goto('/app/welcome');
  await expect(page.getByRole('heading', { level: 1, name: 'Help and info' })).toBeVisible();
  await page.context().setOffline(true);
  const offline = page.getByText(/You’re offline/);
  await expect(offline).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(offline).toBeInViewport();
  await page.context().setOffline(false);
  await expect(offline).toBeHidden();

  // The server gets a newer web while the page is in the background.
  await page.clock.install();
  await page.reload();
  // The bell is drawn after everything else in the frame: by then the check for a newer web has set its timer.
  await expect(page.getByRole('button', { name: /^Notices/ })).toBeVisible();
  await page.route('**/', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replaceAll('/assets/app-', '/assets/newer-'),
    });
  });
  await page.clock.fastForward('10:00');
  const newer = page.getByText('There is a new version of Fieldroom.');
  await expect(newer).toBeVisible();
  await axeClean(page, 'newer web');
  await screenshot(page, 'newer-1440-light-en');
  await page.unroute('**/');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(newer).toBeHidden();
});
