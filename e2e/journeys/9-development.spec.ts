/** `/dev` as `npm run dev` shows it: signed in as anyone of the demo with one click, the clock moved by a form. */
import { axeClean, expect, test } from '../journey.ts';

test.use({ settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development' } });

test('somebody who works on Fieldroom signs in with one click and moves the clock', async ({ visit }) => {
  const { page } = await visit();
  await page.goto('/dev');
  await axeClean(page, 'development page');
  const time = page.locator('time');
  const before = Date.parse((await time.getAttribute('datetime')) ?? '');
  await page.getByLabel('Forward by').fill('3');
  await page.getByLabel('Unit').selectOption('days');
  await page.getByRole('button', { name: 'Move the clock' }).click();
  await expect
    .poll(async () => Date.parse((await time.getAttribute('datetime')) ?? '') - before)
    .toBeGreaterThanOrEqual(3 * 86_400_000);
  await page.getByRole('button', { name: 'Sign in as Olga' }).click();
  await page.waitForURL(/\/app\/dashboard/);
  await page.goto('/dev');
  await page.getByRole('button', { name: 'Sign in as Anna' }).click();
  await page.waitForURL(/\/app\/dashboard/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
});
