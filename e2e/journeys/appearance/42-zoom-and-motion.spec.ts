/** For people who enlarge pages, and for people who get sick from movement. */
import type { Page } from '@playwright/test';
import {
  cutOff,
  DESK,
  expect,
  nextFrames,
  expectNoSidewaysScrolling,
  PHONE,
  resize,
  screenshot,
  signIn,
  test,
  toggle,
} from '../../journey.ts';
import { linkIn, nextEmail, openField } from '../people.ts';

/** A window of 1440 × 900 zoomed to 200 %. */
const ZOOMED = { ...DESK, viewport: { width: 720, height: 450 } };

test('zoomed to 200 % no page scrolls sideways, and booking leaves the page visible', async ({ visit }) => {
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

/** German words are long. The journeys' shared steps are in English, so the language changes after them. */
const inGerman = (page: Page) => page.addInitScript(() => localStorage.setItem('language', 'de'));

/** Waits until a page is shown in German, with the data that it fetches. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

/** Opens each page and waits until nothing on it is wider than the window. */
async function expectPagesFit(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await settled(page);
    await expectNoSidewaysScrolling(page);
    await screenshot(page, `narrow${path.replace(/\?.*/, '').replaceAll('/', '-')}-320-light-de`);
  }
}

test('11.3 at 320 px no page of a therapist scrolls sideways', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await inGerman(page);
  await resize(page, 320, 640);
  await expectPagesFit(page, [
    '/app/dashboard',
    '/app/manage-events-client',
    '/app/program',
    '/app/history',
    '/app/profile',
    '/app/template',
    '/app/subscription/professional-package',
    '/app/welcome',
    '/app/features',
    '/app/support',
    '/app/pages/miscellaneous/search?key=weber',
  ]);
});

test('11.3 at 320 px no page of the operator scrolls sideways', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page, { email: 'admin@demo.example', password: 'constellation' });
  await inGerman(page);
  await resize(page, 320, 640);
  await expectPagesFit(page, ['/app/user-system-usage', '/app/cron-job-conf', '/app/browser-logs', '/app/bug-reports']);
});

test('11.3 at 320 px the dialogs about an event are fully visible', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await inGerman(page);
  await resize(page, 320, 640);
  await page.goto('/app/manage-events-client');
  await settled(page);
  const event = page.getByRole('listitem').filter({ hasText: 'An evening of constellations' }).first();
  const choose = async (entry: string) => {
    await event.getByRole('button', { name: /^Weitere Optionen/ }).click();
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  const expectWhole = async (name: string) => {
    await expect(page.getByRole('dialog', { name, exact: true })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expect.poll(() => cutOff(page, '[role=dialog]'), `cut off: ${name}`).toEqual([]);
    await expectNoSidewaysScrolling(page);
    await screenshot(page, `narrow-${name.replaceAll(' ', '-').toLowerCase()}-320-light-de`);
  };
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await event.getByRole('button', { name: /^Teilnehmende/ }).click();
  await expectWhole('Teilnehmende');
  await page.getByRole('button', { name: 'Teilnehmende hinzufügen' }).click();
  await expectWhole('Teilnehmende hinzufügen');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Teilnehmende', exact: true })).toBeVisible();
  await close();
  await choose('Bearbeiten');
  await expectWhole('Veranstaltung bearbeiten');
  await close();
  await choose('Veranstaltung absagen');
  await expectWhole('Veranstaltung absagen');
});

test('11.3 at 320 px nothing scrolls sideways from the sign-in to the private page of a booking', async ({
  visit,
  server,
}) => {
  const { page } = await visit(DESK);
  await inGerman(page);
  await resize(page, 320, 640);
  await expectPagesFit(page, [
    '/user/login',
    '/user/register',
    '/user/forgot-password',
    '/user/license',
    '/user/data-agreement',
    '/user/imprint',
    '/user/join/anna',
    '/user/code',
    '/error',
    '/event/anna',
  ]);
  await page.locator('a[href^="/event/anna/"]').first().click();
  const book = page.getByRole('button', { name: 'Diesen Platz buchen' }).first();
  await expect(book).toBeVisible();
  await expectNoSidewaysScrolling(page);
  await book.click();
  const form = page.getByRole('dialog', { name: 'Ihre Angaben' });
  await expect(form).toBeVisible();
  await expect.poll(() => cutOff(page, 'dialog[open]'), 'cut off: the booking form').toEqual([]);
  const email = 'hildegard.brunnmayr-steinbacher@a-long-name.mail.example';
  await form.getByLabel('Vorname').fill('Hildegard');
  await form.getByLabel('Nachname').fill('Brunnmayr-Steinbacher');
  await form.getByLabel('E-Mail').fill(email);
  await form.getByLabel('Telefon').fill('+43 660 000 551');
  await form.getByRole('button', { name: 'Platz reservieren' }).click();
  await expect(page.getByRole('heading', { name: 'Ihr Platz ist reserviert' })).toBeVisible();
  await expectNoSidewaysScrolling(page);
  const seen = new Set<string>();
  await page.goto(linkIn(await nextEmail(server, email, seen), '/event/confirm'));
  await expect(page.getByRole('heading', { name: 'Noch ein Schritt' })).toBeVisible();
  await expectNoSidewaysScrolling(page);
  await page.getByRole('button', { name: 'Buchung bestätigen' }).click();
  await expect(page.getByRole('heading', { name: 'Ihr Platz ist gebucht' })).toBeVisible();
  await expectNoSidewaysScrolling(page);
  await page.goto(linkIn(await nextEmail(server, email, seen), '/event/booking'));
  await expect(page.getByText('Schön, dass Sie kommen, Hildegard.', { exact: false })).toBeVisible();
  await expectNoSidewaysScrolling(page);
  // Without its link the page offers to send it again.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Meine Buchung finden' }).click();
  await expect(page.getByRole('button', { name: 'Links senden' })).toBeVisible();
  await expectNoSidewaysScrolling(page);
});

/** The browser's entry about something that has moved on the page. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  /** Somebody has pressed or typed just before, and so expects the movement. */
  hadRecentInput: boolean;
}

/** Starts to record how much of each document moves without an act (Layout Instability API). */
const noteShifts = (page: Page) =>
  page.addInitScript(() => {
    let sum = 0;
    const add = (entries: PerformanceEntryList) => {
      for (const { value, hadRecentInput } of entries as LayoutShift[]) if (!hadRecentInput) sum += value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, {
      shifts: () => {
        add(observer.takeRecords());
        return sum;
      },
    });
  });

/** The sum for the document, once it is drawn with its fonts. */
const shiftsOf = async (page: Page) => {
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  await nextFrames(page);
  return page.evaluate(() => (window as unknown as { shifts(): number }).shifts());
};

/** A fifth of what counts as good (web.dev/cls): a line of text that moves by its own height exceeds it. */
const SHIFT_MAX = 0.02;

test('11.74 nothing moves without an act while a page loads', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await noteShifts(page);
  for (const path of ['/app/dashboard', '/app/profile', '/app/program']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    expect(await shiftsOf(page), path).toBeLessThanOrEqual(SHIFT_MAX);
  }
  const { page: phone } = await visit(PHONE);
  await noteShifts(phone);
  await phone.goto('/event/anna');
  const event = await phone.locator('a[href^="/event/anna/"]').first().getAttribute('href');
  await phone.goto(event!);
  await expect(phone.getByRole('button', { name: 'Book this place' }).first()).toBeVisible();
  expect(await shiftsOf(phone), 'the page of an event').toBeLessThanOrEqual(SHIFT_MAX);
});

/** Lasting changes that move or resize something in view, as `element: properties`. */
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

test('with reduced motion nothing moves without an act', async ({ visit }) => {
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
