/**
 * The stage: people on it and the therapist are large for everybody, the others small or only heard
 * (docs/product.md#10.13).
 */
import type { Page } from '@playwright/test';
import { axeClean, expect, resize, screenshot, test, toggle } from '../../journey.ts';
import { giveRole } from '../people.ts';
import { accept, join, openVideoRoom, phone, pressLayoutKey, seesMoving, tile, withDevices } from '../video.ts';

test.use({ launchOptions: withDevices() });

/** The area of a tile, in px². */
async function area(page: Page, name: string): Promise<number> {
  const { width = 0, height = 0 } = (await tile(page, name).boundingBox()) ?? {};
  return width * height;
}
/** Waits until the first tile is clearly larger than the second on the page. */
const expectLarger = (page: Page, large: string, small: string) =>
  expect
    .poll(async () => (await area(page, large)) / (await area(page, small)), `${large} is larger than ${small}`)
    .toBeGreaterThan(1.6);
/** The share of a tile in the height of all tiles: a phone's large ones take all of it. */
const shareOfHeight = (page: Page, name: string) =>
  tile(page, name).evaluate((element) => element.clientHeight / element.closest('section')!.clientHeight);
const expectAlike = (page: Page, one: string, other: string) =>
  expect
    .poll(async () => Math.abs((await area(page, one)) / (await area(page, other)) - 1), `${one} is like ${other}`)
    .toBeLessThan(0.05);

test('10.13 people with a role are large on every screen; then only they are seen, and everybody is heard', async ({
  visit,
}) => {
  test.slow();
  const { therapist, guests } = await openVideoRoom(
    visit,
    { name: 'Jonas' },
    { name: 'Mirela', options: phone },
    { name: 'Levente' },
  );
  const [jonas, mirela, levente] = guests.map(({ page }) => page) as [Page, Page, Page];
  await giveRole(therapist, 'Jonas', 'Father');
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await accept(mirela, 'Join with camera');
  await accept(levente, 'Audio only');
  await seesMoving(levente, 'Mirela');
  await expectAlike(therapist, 'Jonas', 'Mirela');

  await therapist.getByRole('button', { name: 'Those with a role' }).click();
  await expect(therapist.getByText('1 person, large for everyone')).toBeVisible();
  for (const page of [therapist, levente]) await expectLarger(page, 'Jonas', 'Mirela');
  await expectLarger(mirela, 'Jonas', 'Levente');
  await expectAlike(mirela, 'Jonas', 'Anna');
  await expect(jonas.getByText('You’re on stage')).toBeVisible();
  await seesMoving(levente, 'Jonas');
  await axeClean(therapist, 'the stage’s control');
  await axeClean(mirela, 'a phone with a stage');
  await screenshot(therapist, 'stage-1280-light-en');
  await screenshot(mirela, 'stage-390-light-en');
  await screenshot(jonas, 'stage-own-1280-light-en');

  // In the gallery, and with a window as narrow as a phone's.
  await pressLayoutKey(levente, '3');
  await expectLarger(levente, 'Jonas', 'Mirela');
  await expectAlike(levente, 'Jonas', 'Anna');
  await screenshot(levente, 'stage-gallery-1280-light-en');
  await resize(mirela, 844, 390);
  await expectLarger(mirela, 'Jonas', 'Levente');
  await screenshot(mirela, 'stage-844-light-en');
  await resize(mirela, 390, 844);
  await mirela.getByRole('button', { name: 'More', exact: true }).click();
  await mirela.getByRole('menuitemradio', { name: 'Gallery' }).click();
  await expectLarger(mirela, 'Jonas', 'Levente');
  await screenshot(mirela, 'stage-gallery-390-light-en');

  // Only the stage: clients see nobody else, and a text says so. The therapist sees everybody.
  await toggle(therapist.getByRole('switch', { name: 'Show only the stage' }), true);
  await expect(tile(levente, 'Mirela')).toHaveCount(0);
  await expect(tile(jonas, 'Mirela')).toHaveCount(0);
  await expect(tile(mirela, 'Levente')).toHaveCount(0);
  for (const page of [mirela, levente]) await expect(page.getByText('Only Anna sees you')).toBeVisible();
  await seesMoving(therapist, 'Mirela');
  await seesMoving(mirela, 'Jonas');
  // Nobody else is there: the large ones still have the whole height of a phone's strip.
  await mirela.getByRole('button', { name: 'Back to field' }).click();
  for (const name of ['Anna', 'Jonas']) await expect.poll(() => shareOfHeight(mirela, name)).toBeGreaterThan(0.95);
  await expectLarger(therapist, 'Jonas', 'Mirela');
  await screenshot(levente, 'stage-only-1280-light-en');
  await screenshot(mirela, 'stage-only-390-light-en');

  // A reload finds the stage; somebody who is added to it is seen again.
  await levente.reload();
  await accept(levente, 'Audio only');
  await expect(levente.getByText('Only Anna sees you')).toBeVisible();
  await therapist.getByRole('button', { name: 'More options for Mirela', exact: true }).click();
  await therapist.getByRole('menuitemcheckbox', { name: 'On stage' }).click();
  await therapist.keyboard.press('Escape');
  await expect(therapist.getByText('2 people, large for everyone')).toBeVisible();
  await seesMoving(levente, 'Mirela');
  await expect(mirela.getByText('You’re on stage')).toBeVisible();

  await therapist.getByRole('button', { name: 'End stage' }).click();
  for (const page of [therapist, levente]) await expectAlike(page, 'Jonas', 'Mirela');
  await expect(mirela.getByText('You’re on stage')).toHaveCount(0);
});
