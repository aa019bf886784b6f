/** The bell: events elsewhere appear on the therapist's pages automatically, link to their subject, and are read
 * once. */
import type { Locator, Page } from '@playwright/test';
import { axeClean, DESK, expect, expectWidth, PHONE, resize, screenshot, signIn, test } from '../../journey.ts';
import { book, openPublicEvent } from '../events.ts';
import {
  expectInRoom,
  expectNotReloaded,
  knockByLink,
  letIn,
  linkIn,
  markLoaded,
  nextEmail,
  understandTimerStays,
} from '../people.ts';

const HANNA = { firstName: 'Hanna', familyName: 'Köhl', email: 'hanna.k@mail.example', phone: '+43 660 000 551' };
const EVENT = 'A conversation for the two of us';

const bell = (page: Page) => page.getByRole('button', { name: /^Notices/ });
/** The demo begins with three. */
const expectUnread = (page: Page, count: number) =>
  expect(bell(page)).toHaveAccessibleName(count === 0 ? 'Notices' : `Notices, ${count} unread`);
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Notices' });
async function openPanel(page: Page) {
  await bell(page).click();
  await expect(panelOf(page)).toBeVisible();
  return panelOf(page);
}
/** The demo has more notices than one page of the list. */
async function showAll(panel: Locator): Promise<void> {
  await panel.getByRole('button', { name: 'Show older notices' }).click();
  await expect(panel.getByText('Notices are kept for 90 days.')).toBeVisible();
}
async function openDashboard(page: Page): Promise<void> {
  await page.goto('/app/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
}

test('a booking appears on all pages, leads to the participants, and stays read; so does its cancellation', async ({
  visit,
  server,
}) => {
  test.slow();
  const { page: anna, offline } = await visit(DESK);
  await signIn(anna);
  await openDashboard(anna);
  await expectUnread(anna, 3);
  const other = await anna.context().newPage();
  await openDashboard(other);
  await expectUnread(other, 3);
  for (const page of [anna, other]) await markLoaded(page);
  // A background page draws only once a second.
  await anna.bringToFront();
  await screenshot(anna, 'bell-1440-light-en');

  // A visitor books on a phone.
  const hanna = (await visit(PHONE)).page;
  const seen = new Set<string>();
  await openPublicEvent(hanna, EVENT);
  await book(hanna, HANNA);
  await hanna.goto(linkIn(await nextEmail(server, HANNA.email, seen), '/event/confirm'));
  await hanna.getByRole('button', { name: 'Confirm booking' }).click();
  await expect(hanna.getByRole('heading', { name: 'Your place is booked' })).toBeVisible();
  for (const page of [anna, other]) {
    await expectUnread(page, 4);
    await expect(page.getByText('You have 4 unread notices.')).toBeAttached();
    await expectNotReloaded(page);
  }

  // By keyboard: open, read, and back to the bell.
  await bell(anna).focus();
  await anna.keyboard.press('Enter');
  const panel = panelOf(anna);
  const booked = panel.getByRole('link', { name: /Hanna Köhl has booked/ });
  await expect(booked).toContainText(EVENT);
  await expect(booked).toContainText('Unread');
  // In the browser's own words. Midnight may have passed since she booked.
  const day = /^(?:Today|Yesterday)$/;
  await expect(panel.getByRole('heading', { name: day }).first()).toBeVisible();
  await axeClean(anna, 'notices');
  await screenshot(anna, 'notices-1440-light-en');
  await anna.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(bell(anna)).toBeFocused();
  // A notice that was seen is not read yet.
  await expectUnread(anna, 4);

  // It leads to the participants, and the other tab shows it as read.
  await openPanel(anna);
  await booked.click();
  const participants = anna.getByRole('dialog', { name: 'Participants' });
  await expect(participants.getByRole('row', { name: /Hanna Köhl/ })).toContainText('Confirmed');
  await expect(panel).toHaveCount(0);
  await expectNotReloaded(anna);
  for (const page of [anna, other]) await expectUnread(page, 3);
  await participants.getByRole('button', { name: 'Close' }).first().click();
  await expect(participants).toHaveCount(0);
  await expect(anna).toHaveURL(/\/app\/manage-events-client$/);
  const listens = anna.waitForEvent('websocket');
  await anna.reload();
  await expectUnread(anna, 3);
  await openPanel(anna);
  await expect(booked).not.toContainText('Unread');
  await panel.getByRole('button', { name: 'Close notices' }).click();
  // The code of its connection has loaded: without it the page would only ask once a minute.
  await listens;

  // She cancels while the desktop has no connection; the desktop catches up.
  await offline(true);
  await hanna.goto(linkIn(await nextEmail(server, HANNA.email, seen), '/event/booking'));
  await hanna.getByRole('button', { name: 'Cancel booking' }).click();
  await hanna.getByRole('button', { name: 'Yes, cancel booking' }).click();
  await expect(hanna.getByRole('heading', { name: 'Your booking is cancelled' })).toBeVisible();
  await offline(false);
  for (const page of [anna, other]) await expectUnread(page, 4);
  await openPanel(other);
  await expect(panelOf(other).getByRole('link', { name: /Hanna Köhl has cancelled/ })).toContainText('Unread');

  // All are marked at once, on both.
  await panelOf(other).getByRole('button', { name: 'Mark all as read' }).click();
  for (const page of [anna, other]) await expectUnread(page, 0);
  await expect(panelOf(other).getByText('All read')).toBeVisible();
  await showAll(panelOf(other));
});

test('someone who waits while the therapist is elsewhere is announced, and the room has no bell', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openDashboard(anna);
  await expectUnread(anna, 3);
  const [jonas, mira] = [(await visit(PHONE)).page, (await visit(PHONE)).page];
  await knockByLink(jonas, 'Jonas');
  await expectUnread(anna, 4);
  await knockByLink(mira, 'Mira');
  await openPanel(anna);
  const arrival = panelOf(anna).getByRole('link', { name: /Jonas and 1 other person came to your waiting room/ });
  await expect(arrival).toBeVisible();
  await expectUnread(anna, 4);
  await arrival.click();
  await expect(anna.getByTestId('field')).toBeVisible();
  await expect(anna.getByText('Jonas').first()).toBeVisible();
  await expect(bell(anna)).toHaveCount(0);
  // People who arrive while she is in the room are shown there.
  await knockByLink((await visit(PHONE)).page, 'Levente');
  await expect(anna.getByText('Levente').first()).toBeVisible();
  // Clients have no bell on the pages that they may see.
  await letIn(anna, 'Jonas');
  await expectInRoom(jonas);
  await jonas.goto('/app/welcome');
  await expect(jonas.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(jonas.getByRole('banner')).toBeVisible();
  await expect(bell(jonas)).toHaveCount(0);
  await openDashboard(anna);
  await understandTimerStays(anna);
  await expectUnread(anna, 3);
});

test('the bell on a phone, in dark German; a bill leads to the bills', async ({ visit }) => {
  const anna = (await visit(PHONE)).page;
  await signIn(anna);
  await openDashboard(anna);
  await expectUnread(anna, 3);
  await openPanel(anna);
  await expect.poll(async () => (await panelOf(anna).boundingBox())?.width).toBe(390);
  await axeClean(anna, 'notices on a phone', '[role="dialog"]');
  await screenshot(anna, 'notices-390-light-en');
  await showAll(panelOf(anna));
  const bill = panelOf(anna)
    .getByRole('link', { name: /Your bill for/ })
    .first();
  await bill.click();
  await expect(anna.getByRole('heading', { name: 'Bills' })).toBeInViewport();

  await anna.evaluate(() => {
    localStorage.setItem('language', 'de');
    localStorage.setItem('theme', 'dark.blueyale');
  });
  await openDashboard(anna);
  await screenshot(anna, 'bell-390-dark-de');
  await expectWidth(anna, 390);
  await anna.getByRole('button', { name: /^Benachrichtigungen/ }).click();
  const sheet = anna.getByRole('dialog', { name: 'Benachrichtigungen' });
  await expect(sheet.getByRole('heading').first()).toBeVisible();
  await axeClean(anna, 'notices in the dark', '[role="dialog"]');
  await screenshot(anna, 'notices-390-dark-de');
  await resize(anna, 320, 640);
  await expectWidth(anna, 320);
  await screenshot(anna, 'notices-320-dark-de');
  await anna.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expectWidth(anna, 320);
  await screenshot(anna, 'bell-320-dark-de');
  await resize(anna, 1440, 900);
  await anna.getByRole('button', { name: /^Benachrichtigungen/ }).click();
  await expect(sheet).toBeVisible();
  await screenshot(anna, 'notices-1440-dark-de');
});
