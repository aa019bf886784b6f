/** The page `/dev`: signing in as anyone in the demo with one click, and moving the clock. */
import { axeClean, expect, test } from '../../journey.ts';
import { moveClock } from '../events.ts';

test.use({ settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development' } });

test('a developer signs in with one click and moves the clock', async ({ visit }) => {
  const { page } = await visit();
  await page.goto('/dev');
  await axeClean(page, 'development page');
  await moveClock(page, 3, 'days');
  await page.getByRole('button', { name: 'Sign in as Olga' }).click();
  await page.waitForURL(/\/app\/dashboard/);
  await page.goto('/dev');
  await page.getByRole('button', { name: 'Sign in as Anna' }).click();
  await page.waitForURL(/\/app\/dashboard/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
});
