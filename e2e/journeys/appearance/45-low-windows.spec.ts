/**
 * Positions in small and low windows: what is needed is visible, what belongs together is aligned, and nothing covers
 * what is pressed next (docs/product.md#11.3, 11.60 to 11.62). Compares the boxes that are drawn.
 */
import type { Locator, Page } from '@playwright/test';
import { cutOff, expect, expectNoSidewaysScrolling, resize, screenshot, signIn, test } from '../../journey.ts';
import { localDayFromNow } from '../events.ts';
import { keepNews, news } from '../news.ts';
import { admit, expectInRoom, figure, giveRole, knockByLink, letIn, openRoom } from '../people.ts';
import { accept, desk, join, pressLayoutKey, withDevices } from '../video.ts';

test.use({ launchOptions: withDevices() });

const LOW = [844, 390] as const;
const SMALLEST = [320, 640] as const;

const expectInSight = async (...parts: Locator[]) => {
  for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
};
type Measure = 'left' | 'top' | 'bottom' | 'width' | 'height';
/** One measure of several parts, rounded to px. */
const measuresOf = (parts: Locator, measure: Measure) =>
  parts.evaluateAll(
    (elements, side) => elements.map((element) => Math.round(element.getBoundingClientRect()[side])),
    measure,
  );
/** Waits until two or more parts exist and have the same measure. */
const expectAlike = (parts: Locator, measure: Measure) =>
  expect
    .poll(async () => {
      const found = await measuresOf(parts, measure);
      return found.length < 2 ? `only ${found.length} to compare` : new Set(found).size;
    }, `the same ${measure}`)
    .toBe(1);
/** The measure of a part that exists once. */
const measureOf = (part: Locator, measure: Measure) =>
  part.evaluate((element, side) => element.getBoundingClientRect()[side], measure);
/** Waits until one of two parts ends where the other begins, or they are apart. */
async function expectApart(page: Page, one: string, other: string): Promise<void> {
  const overlap = () =>
    page.evaluate(
      ([first, second]) => {
        const [a, b] = [first, second].map((part) => document.querySelector(part)!.getBoundingClientRect());
        return a!.left < b!.right && b!.left < a!.right && a!.top < b!.bottom && b!.top < a!.bottom;
      },
      [one, other] as const,
    );
  await expect.poll(overlap, `${one} and ${other} stand apart`).toBe(false);
}

test('11.60: on a phone in landscape, joining needs no scrolling', async ({ visit }) => {
  const anna = await openRoom(visit);
  const { page } = await visit();
  await resize(page, ...LOW);
  await page.goto('/user/join/anna');
  await page.getByLabel('Your name').fill('Hanna');
  await expectInSight(
    page.getByRole('heading', { level: 1 }),
    page.getByLabel('Your name'),
    page.getByRole('button', { name: 'Knock at the door' }),
    page.getByText('No account, no recording.', { exact: false }),
  );
  await knockByLink(page, 'Hanna');
  const leave = page.getByRole('button', { name: 'I’d rather not join' });
  await expectInSight(page.getByRole('heading', { level: 1 }), page.getByText('You can turn on camera'), leave);
  await leave.click();
  await expectInSight(
    page.getByRole('heading', { name: 'Another time' }),
    page.getByRole('link', { name: 'Join again' }),
    page.getByText('You can close this page.'),
  );
  await knockByLink(page, 'Hanna');
  await letIn(anna, 'Hanna');
  await expectInRoom(page);
});

test('11.61: strip, look back, menus and news are in their places', async ({ visit }) => {
  const anna = await openRoom(visit);
  await admit(visit, anna, { name: 'Hanna' });
  await giveRole(anna, 'Hanna', 'Mother');
  await keepNews(anna);
  const button = (name: string) => anna.getByRole('button', { name, exact: true });
  const strip = anna.getByRole('region', { name: 'Moments', exact: true });

  await test.step('the list of people goes on beside the strip of moments, and the figure’s tools do', async () => {
    await button('Keep moment').click();
    // The strip must not be open before: otherwise no news is shown.
    await expect(news(anna)).toContainText('Moment 1 is kept.');
    await button('Moments').click();
    await expect(strip).toBeVisible();
    await expectAlike(anna.locator('aside, [data-room=moments]'), 'bottom');
    await figure(anna, 'Mother').focus();
    await anna.keyboard.press('Enter');
    await expect(anna.locator('[data-form=panel]').first()).toBeVisible();
    const ends = anna.locator('[data-room=therapist] > [data-form=panel], [data-room=moments]');
    await expectAlike(ends, 'bottom');
    await anna.getByRole('button', { name: 'Close', exact: true }).first().click();
  });

  await test.step('a window of any height shows every tool of the rail whole', async () => {
    const hidden = () =>
      anna
        .getByRole('navigation', { name: 'Add and arrange' })
        .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    for (const height of [720, 884, 885, 921, 922]) {
      await resize(anna, 1440, height);
      await expect.poll(hidden, `px of the rail that are cut off at a height of ${height}`).toBe(0);
    }
  });

  await test.step('in a low window the look back shows the field and what plays it', async () => {
    await resize(anna, ...LOW);
    await strip.getByRole('button', { name: 'Look back', exact: true }).click();
    const dialog = anna.getByRole('dialog', { name: 'Looking back' });
    await expectInSight(
      dialog.getByTestId('look-back'),
      dialog.getByRole('button', { name: 'Play' }),
      dialog.getByRole('slider'),
    );
    await anna.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('the words of a menu stand below each other, and all keys are alike', async () => {
    await resize(anna, ...SMALLEST);
    await button('More').click();
    await expect(anna.getByRole('menu')).toBeVisible();
    await expectAlike(anna.locator('.mantine-Menu-itemLabel'), 'left');
    await anna.keyboard.press('Escape');
    await expect(anna.getByRole('menu')).toHaveCount(0);
    await button('Add').click();
    await anna.getByRole('dialog').getByRole('button', { name: 'More', exact: true }).click();
    await anna.getByRole('menuitem', { name: 'Keys and gestures' }).click();
    await expect(anna.getByRole('dialog', { name: 'Keys and gestures' })).toBeVisible();
    await expectAlike(anna.locator('dt kbd'), 'height');
    await anna.keyboard.press('Escape');
    await expect(anna.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('11.62: news lies neither over who waits nor over the head of the messages', async () => {
    await expect(news(anna)).toBeVisible();
    for (const name of ['Karim', 'Mirela']) await knockByLink((await visit()).page, name);
    await anna.getByRole('button', { name: 'People, 2 waiting' }).click();
    const waiting = anna.getByRole('region', { name: '2 people are waiting' });
    await expect(waiting).toBeVisible();
    await waiting.evaluate((element) => element.setAttribute('data-waiting-here', ''));
    await expectApart(anna, '[data-room=area] > [role=status]:not([data-banner]) > *', '[data-waiting-here] > ul');
    await anna.keyboard.press('Escape');
    await button('Messages').click();
    const close = anna.getByRole('button', { name: 'Close messages' });
    await expect(close).toBeVisible();
    const free = () =>
      anna.getByRole('complementary', { name: 'Messages' }).evaluate((panel) => {
        const { left, right, top } = panel.getBoundingClientRect();
        return [left + 24, (left + right) / 2, right - 24].every((x) =>
          panel.contains(document.elementFromPoint(x, top + 24)),
        );
      });
    await expect.poll(free, 'nothing lies over the head of the messages').toBe(true);
  });
});

test('10.7: the answers to the video’s question have equal size, and the way back to the field stays on one line', async ({
  visit,
}) => {
  const anna = await openRoom(visit, desk);
  const { page: jonas } = await admit(visit, anna, { name: 'Jonas', options: desk });
  await join(anna, 'Start video', 'Join with camera');
  await resize(jonas, ...LOW);
  await expect(jonas.locator('[data-banner]')).toBeVisible();
  const answers = jonas.getByRole('button', { name: /^(?:Join with camera|Audio only|Just watch and listen)$/ });
  await expectAlike(answers, 'width');
  await accept(jonas, 'Just watch and listen');
  await expect(jonas.locator('figure[data-person]').first()).toBeVisible();
  await resize(jonas, 1440, 900);
  await expect(jonas.getByRole('radio', { name: 'Gallery' })).toBeAttached();
  await pressLayoutKey(jonas, '3');
  await expect(jonas.locator('[data-layout=gallery]')).toBeAttached();
  for (const [width, height] of [LOW, SMALLEST] as const) {
    await resize(jonas, width, height);
    const words = jonas.getByRole('button', { name: 'Back to field' }).locator('span');
    await expect(words).toBeVisible();
    await expect.poll(() => measureOf(words, 'height'), 'one line').toBeLessThan(30);
  }
});

test('11.3: the event filters are fully visible at 320 px, in German too, and names have the width of a tablet', async ({
  visit,
}) => {
  const { page } = await visit({ colorScheme: 'dark' });
  await signIn(page);
  await page.evaluate(() => localStorage.setItem('language', 'de'));
  await page.goto('/app/manage-events-client');
  const names = page.locator('main li h2, main li h3');
  await expect(names.first()).toBeVisible();
  await resize(page, 768, 1024);
  expect(await measureOf(names.first(), 'height'), 'a name takes one line').toBeLessThan(40);
  await screenshot(page, 'my-events-768-dark-de');

  await resize(page, ...SMALLEST);
  const switchWords = page.locator('main .mantine-SegmentedControl-label');
  await expect(switchWords.first()).toBeVisible();
  const cutWords = () =>
    switchWords.evaluateAll((labels) =>
      labels
        .filter((label) => {
          const edge = label.closest('.mantine-SegmentedControl-root')!.getBoundingClientRect().right;
          return label.getBoundingClientRect().right > edge || label.scrollWidth > label.clientWidth;
        })
        .map(({ textContent }) => textContent),
    );
  await expect.poll(cutWords, 'which words of the switches are cut').toEqual([]);
  const filters = page.getByRole('search', { name: 'Veranstaltungen finden' });
  const dates = filters.getByRole('button').first();
  await dates.click();
  // Its name is its button's text, which changes with the chosen dates.
  const popover = filters.getByRole('dialog');
  // It takes the focus to its first choice a moment after it has opened.
  await expect(popover.locator(':focus')).toHaveCount(1);
  await expectNoSidewaysScrolling(page);
  expect(await cutOff(page, '[role=dialog]')).toEqual([]);
  await popover.getByLabel('Von', { exact: true }).fill(localDayFromNow(2));
  await popover.getByLabel('Bis', { exact: true }).fill(localDayFromNow(40));
  await screenshot(page, 'my-events-dates-320-dark-de');
  await page.keyboard.press('Escape');
  await expect(popover).toHaveCount(0);
  const cut = () => dates.locator('.mantine-Button-label').evaluate((words) => words.scrollWidth - words.clientWidth);
  await expect.poll(cut, 'the chosen dates are whole').toBeLessThanOrEqual(0);
  await screenshot(page, 'my-events-320-dark-de');
});
