/** Observers' words: the therapist asks, clients without a role say how they feel, everybody sees the words for a
 * while. */
import type { Locator, Page } from '@playwright/test';
import { axeClean, DESK, expect, nextFrames, PHONE, resize, screenshot, test, toggle } from '../../journey.ts';
import { admit, giveRole, openRoom } from '../people.ts';
import { accept, desk, join, pressLayoutKey, withDevices } from '../video.ts';

test.use({ launchOptions: withDevices() });

const words = (page: Page) => page.getByRole('log', { name: 'Words of people without a role' });
const question = (page: Page) => page.getByRole('form', { name: /how do you feel right now/ });

/**
 * Repeats the drawn word eight times with other names, as if eight more people had sent it: each of them would need a
 * browser. The copies stay.
 */
const eightMore = (page: Page) =>
  words(page).evaluate((list) => {
    const [drawn] = list.children;
    for (let guest = 1; guest <= 8; guest += 1) {
      const line = drawn!.cloneNode(true) as Element;
      line.querySelector('bdi')!.textContent = `Guest ${guest}`;
      list.append(line);
    }
  });

/** Waits until the newest word is fully drawn, and no name of a figure is below the words. */
async function expectWordsApart(page: Page): Promise<void> {
  const drawn = async () => {
    // Names move aside in the next frame.
    await nextFrames(page);
    return words(page).evaluate((list) => {
      const place = list.getBoundingClientRect();
      const newest = list.lastElementChild!.getBoundingClientRect();
      const covered = [...document.querySelectorAll('[data-part=name]')].filter((name) => {
        const { left, top, right, bottom } = name.getBoundingClientRect();
        return left < place.right && right > place.left && top < place.bottom && bottom > place.top;
      });
      return {
        whole: newest.top > place.top - 1 && newest.bottom < place.bottom + 1 && newest.right <= innerWidth,
        covered: covered.map((name) => name.textContent),
      };
    });
  };
  await expect.poll(drawn, `the words on “${await page.title()}”`).toEqual({ whole: true, covered: [] });
}

test('6.30 6.31 the therapist asks, people without a role answer, and everybody sees the words beside the name', async ({
  visit,
}) => {
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

  await test.step('6.35 of nine words the newest is drawn whole, and they cover no name', async () => {
    for (const page of [anna, hanna]) await eightMore(page);
    await expectWordsApart(anna);
    await screenshot(anna, 'words-nine-1440-light-en');
    for (const [width, height] of [
      [844, 390],
      [390, 844],
    ] as const) {
      await resize(hanna, width, height);
      await expectWordsApart(hanna);
      await screenshot(hanna, `words-nine-${width}-light-en`);
    }
  });

  // A reloaded page knows that words are wanted, but not which were sent.
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

/** Waits until a part is fully in the window and nothing covers it, judged by what a press would reach there. */
async function expectUncovered(part: Locator): Promise<void> {
  const covered = () =>
    part.evaluate((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const points = [
        { x, y, name: 'middle' },
        { x: left + 2, y, name: 'left' },
        { x: right - 2, y, name: 'right' },
        { x, y: top + 2, name: 'top' },
        { x, y: bottom - 2, name: 'bottom' },
      ];
      return points.filter((at) => !element.contains(document.elementFromPoint(at.x, at.y))).map(({ name }) => name);
    });
  await expect.poll(covered, 'nothing lies over it').toEqual([]);
}

/** Waits until a part is beside the field, or beside the gallery's preview of it. */
async function expectBeside(part: Locator, field: Locator): Promise<void> {
  await expect(async () => {
    const [over, below] = [(await part.boundingBox())!, (await field.boundingBox())!];
    expect(over.x + over.width <= below.x || over.y + over.height <= below.y).toBe(true);
  }, 'it stands beside the preview').toPass();
}

const LAYOUTS = ['field', 'half', 'gallery'] as const;
/** By its key, which works as soon as the code of the layouts has loaded. */
async function chooseLayout(page: Page, layout: (typeof LAYOUTS)[number]): Promise<void> {
  await expect(async () => {
    await pressLayoutKey(page, String(LAYOUTS.indexOf(layout) + 1));
    expect(await page.locator('[data-room=area]').getAttribute('data-layout')).toBe(layout);
  }, layout).toPass();
}

test('6.35, 5.36: in the gallery and in half of a phone the question is fully visible, and a look leads to the field', async ({
  visit,
}) => {
  const anna = await openRoom(visit, desk);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: desk });
  await join(anna, 'Start video', 'Join with camera');
  await accept(hanna, 'Audio only');
  const area = hanna.locator('[data-room=area]');
  await expect(area).toHaveAttribute('data-tiles');
  await chooseLayout(anna, 'gallery');
  await toggle(anna.getByRole('switch', { name: 'Ask for a word' }), true);
  await chooseLayout(hanna, 'gallery');
  for (const size of [
    { width: 1280, height: 720 },
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ]) {
    await resize(hanna, size.width, size.height);
    await expectUncovered(question(hanna));
    await expectBeside(question(hanna), hanna.getByTestId('field'));
    await axeClean(hanna, `the question in the gallery at ${size.width} px`);
    await screenshot(hanna, `words-question-gallery-${size.width}-light-en`);
  }

  await resize(hanna, 390, 844);
  await chooseLayout(hanna, 'half');
  await expectUncovered(question(hanna));
  await expect(async () => {
    const [asked, field] = [await question(hanna).boundingBox(), await hanna.getByTestId('field').boundingBox()];
    expect(asked!.y).toBeGreaterThanOrEqual(field!.y);
  }, 'its heading is not cut').toPass();
  await screenshot(hanna, 'words-question-half-390-light-en');

  await chooseLayout(hanna, 'gallery');
  await question(hanna).getByRole('button', { name: 'heavy' }).click();
  for (const page of [anna, hanna]) {
    const said = words(page).getByText('heavy');
    await expect(said).toBeInViewport({ ratio: 1 });
    await expectBeside(said, page.getByTestId('field'));
    await screenshot(page, `words-gallery-${page === anna ? 1280 : 390}-light-en`);
  }
  await expectUncovered(hanna.getByRole('button', { name: 'Say a word' }));

  await giveRole(anna, 'Hanna', 'Mother');
  const look = () => hanna.getByRole('menuitemcheckbox', { name: 'Look from here' }).click();
  const more = () => hanna.getByRole('button', { name: 'More', exact: true }).click();
  const sight = hanna.getByRole('region', { name: 'Mother can see' });
  await more();
  await look();
  await expect(area).toHaveAttribute('data-layout', 'field');
  await expectUncovered(sight);
  await chooseLayout(hanna, 'gallery');
  await expect(sight).toHaveCount(0);
  await chooseLayout(hanna, 'field');
  await expect(sight).toBeVisible();
});
