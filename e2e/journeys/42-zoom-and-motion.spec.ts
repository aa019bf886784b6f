/** For people who enlarge pages, and for people whom movement makes sick. */
import type { Page } from '@playwright/test';
import { DESK, expect, expectNoSidewaysScrolling, signIn, test, toggle } from '../journey.ts';
import { openField } from './people.ts';

/** A window of 1440 × 900 that is zoomed to 200 %. */
const ZOOMED = { ...DESK, viewport: { width: 720, height: 450 } };

test('zoomed to 200 % no page scrolls sideways, and booking leaves the page in sight', async ({ visit }) => {
  const { page } = await visit(ZOOMED);
  await page.goto('/event/anna');
  await page.locator('a[href^="/event/anna/"]').first().click();
  const book = page.getByRole('button', { name: 'Book this place' });
  await expect(book).toBeVisible();
  await expectNoSidewaysScrolling(page);
  expect(await book.evaluate((button) => getComputedStyle(button.parentElement!).position)).toBe('static');
  await signIn(page);
  for (const path of ['/app/dashboard', '/app/manage-events-client', '/app/program', '/app/profile']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoSidewaysScrolling(page);
  }
});

/** Changes that move or resize something in view and last, as `element: properties`. */
const movements = (page: Page) =>
  page.evaluate(() => {
    const MOVES = /^(?:all|transform|translate|scale|rotate|margin|padding|inset|left|right|top|bottom|width|height)/;
    const found = [...document.querySelectorAll('body *')].flatMap((element) => {
      const { transitionProperty, transitionDuration } = getComputedStyle(element);
      const lasts = transitionDuration.split(', ').some((duration) => Number.parseFloat(duration) > 0.02);
      const moving = transitionProperty.split(', ').filter((property) => MOVES.test(property));
      return lasts && moving.length > 0
        ? [`${element.getAttribute('class') ?? element.tagName}: ${moving.join(' ')}`]
        : [];
    });
    return [...new Set(found)];
  });

test('with reduced motion nothing moves by itself', async ({ visit }) => {
  const { page } = await visit({ ...DESK, reducedMotion: 'reduce' });
  await signIn(page);
  for (const path of ['/app/dashboard', '/app/profile']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await movements(page), path).toEqual([]);
  }
  await page.goto('/app/program');
  await toggle(page.getByRole('switch', { name: 'Repeat' }), true);
  expect(await movements(page), 'the form of an event').toEqual([]);
  await openField(page);
  expect(await movements(page), 'the room').toEqual([]);
});
