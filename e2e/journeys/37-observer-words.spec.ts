/** Observers' words: the therapist asks, clients without a role say how they feel, everybody sees it for a while. */
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, screenshot, test, toggle } from '../journey.ts';
import { admit, giveRole, openRoom } from './people.ts';

const words = (page: Page) => page.getByRole('log', { name: 'Words of people without a role' });
const question = (page: Page) => page.getByRole('form', { name: /how do you feel right now/ });

test('6.30 6.31 asked by the therapist, said by who has no role, seen by all beside the name', async ({ visit }) => {
  const anna = await openRoom(visit, DESK);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
  const { page: jonas } = await admit(visit, anna, { name: 'Jonas' });
  await giveRole(anna, 'Jonas', 'Father');
  await expect(question(hanna)).toHaveCount(0);

  await toggle(anna.getByRole('switch', { name: 'Ask for a word' }), true);
  await expect(question(hanna)).toBeVisible();
  await axeClean(hanna, 'the question on a phone');
  await screenshot(hanna, 'words-question-390-light-en');
  await expect(words(jonas)).toBeAttached();
  await expect(question(jonas)).toHaveCount(0);

  await question(hanna).getByRole('button', { name: 'heavy' }).click();
  for (const page of [anna, hanna, jonas]) await expect(words(page)).toHaveText('Hanna heavy');
  await expect(anna.getByRole('listitem').filter({ hasText: 'Hanna' })).toContainText('heavy');
  await screenshot(anna, 'words-1440-light-en');
  await screenshot(hanna, 'words-390-light-en');
  await hanna.getByRole('button', { name: 'Say a word' }).click();
  await question(hanna).getByRole('textbox').fill('a little lighter');
  await hanna.keyboard.press('Enter');
  for (const page of [anna, hanna, jonas]) await expect(words(page)).toHaveText('Hanna a little lighter');
  await axeClean(anna, 'a word over the field');

  // A page that is loaded again knows that words are asked for, but not what was said.
  await jonas.reload();
  await expect(words(jonas)).toBeAttached();
  await expect(words(jonas)).toHaveText('');

  await toggle(anna.getByRole('switch', { name: 'Ask for a word' }), false);
  for (const page of [anna, hanna, jonas]) await expect(words(page)).toHaveCount(0);
  await expect(hanna.getByRole('button', { name: 'Say a word' })).toHaveCount(0);

  // In German and in the dark.
  await hanna.evaluate(() => {
    localStorage.setItem('language', 'de');
    localStorage.setItem('theme', 'dark.blueyale');
  });
  await hanna.reload();
  await toggle(anna.getByRole('switch', { name: 'Ask for a word' }), true);
  await expect(hanna.getByRole('form', { name: 'Anna möchte wissen: Wie geht es Ihnen gerade?' })).toBeVisible();
  await axeClean(hanna, 'the question in German, dark');
  await screenshot(hanna, 'words-question-390-dark-de');
});
