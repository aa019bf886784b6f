/**
 * A running live session (docs/product.md#11.50 to #11.53): leaving asks, every page shows it, and nobody waits
 * unnoticed.
 */
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import type { RunningServer } from '../../server.ts';
import { moveClock } from '../events.ts';
import { admit, expectNotReloaded, figure, knockByLink, markLoaded, openField } from '../people.ts';

test.use({ settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development' } });

const NAMES = ['Ștefan', 'Réka', 'Mirela', 'Jonas', 'Ioana-Alexandra', 'Karim', 'Levente', 'Birgit', 'Zsófia'];
/** People who come to the waiting room by the join link, as their browsers do. */
async function knock(server: RunningServer, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const answer = await fetch(`${server.url}/api/room/enter`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ joinLink: 'anna', name }),
    });
    expect(answer.status).toBe(200);
  }
}

const bar = (page: Page) => page.getByRole('region', { name: 'Your session is running' });
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave the room?' });
const home = (page: Page) => page.getByRole('link', { name: 'Back to dashboard' });
const timerStays = (page: Page) => page.getByRole('dialog', { name: 'The timer stays on' });
async function openDashboard(page: Page): Promise<void> {
  await page.goto('/app/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
}

/**
 * Waits until the room asks people who leave it: the code for that loads after the room. Somebody has to be in the
 * room, because only then the browser asks too.
 */
const expectAsksOnLeaving = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))))
    .toBe(false);

/** Records in every frame whether the bar is there, and its text, each change once. */
async function watchBar(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { barsSeen: seen });
    const look = () => {
      const now = document.querySelector('[aria-label="Your session is running"] > span + span')?.textContent ?? '';
      if (seen.at(-1) !== now) seen.push(now);
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (window as unknown as { barsSeen: string[] }).barsSeen);
}

test('11.50 to 11.53 nine wait, all are admitted at once, and leaving asks; other pages know at once', async ({
  visit,
  server,
}) => {
  test.slow();
  const { page: anna } = await visit(DESK);
  await signIn(anna);
  await openDashboard(anna);
  const desk = await anna.context().newPage();
  await openDashboard(desk);
  await expect(bar(desk)).toHaveCount(0);
  await expect(desk).toHaveTitle('Dashboard · Fieldroom');
  const seen = await watchBar(desk);
  await markLoaded(desk);
  // A background page draws only once a second.
  await anna.bringToFront();

  // The room opens from a page of the app, so that the browser's back button leads there.
  await anna.locator('#play-area').click();
  await expect(anna.getByTestId('field')).toBeVisible();
  await expect(bar(desk)).toContainText('Your session is running, nobody is in the room');
  // One frame has passed, so that the watch has recorded it too.
  await expect.poll(async () => (await seen()).at(-1)).toBe('Your session is running, nobody is in the room');
  await expect(anna.getByText('Nobody is here.')).toBeVisible();

  await knock(server, NAMES.slice(0, 1));
  await expect(anna).toHaveTitle('(1) Anna’s room · Fieldroom');
  await expect(desk).toHaveTitle('(1) Dashboard · Fieldroom');
  await expect(anna.getByText('Nobody is here.')).toHaveCount(0);
  await knock(server, NAMES.slice(1));
  await expect(anna).toHaveTitle('(9) Anna’s room · Fieldroom');
  await expect(bar(desk)).toContainText('nobody is in the room · 9 people are waiting');
  const all = anna.getByRole('button', { name: 'Let all 9 in' });
  await expect(all).toBeInViewport({ ratio: 1 });
  // No pixel of it is covered: the element at its edges is the button.
  await expect
    .poll(() =>
      all.evaluate((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        return [top + 3, bottom - 3].every((y) =>
          [left + 8, right - 8].every((x) => button.contains(document.elementFromPoint(x, y))),
        );
      }),
    )
    .toBe(true);
  await axeClean(anna, 'nine people wait');
  await screenshot(anna, 'room-nine-waiting-1440-light-en');
  await screenshot(desk, 'dashboard-nine-waiting-1440-light-en');
  // A low window, with the tools of a figure.
  await anna.setViewportSize({ width: 1366, height: 657 });
  await figure(anna, 'Father').click();
  const tools = anna.getByRole('region', { name: 'Selected figure: Father' });
  await expect(tools).toBeVisible();
  await expect(all).toBeInViewport({ ratio: 1 });
  await screenshot(anna, 'room-nine-waiting-1366-light-en');
  await tools.getByRole('button', { name: 'Close' }).click();
  await expect(tools).toHaveCount(0);
  await anna.setViewportSize({ width: 390, height: 700 });
  await anna.getByRole('button', { name: 'People, 9 waiting' }).click();
  await expect(all).toBeInViewport({ ratio: 1 });
  await screenshot(anna, 'room-nine-waiting-390-light-en');
  await anna.setViewportSize({ width: 1440, height: 900 });
  await all.click();
  await expect(anna).toHaveTitle('Anna’s room · Fieldroom');
  await expect(bar(desk)).toContainText('Your session is running, 9 people are in the room');
  await expect(desk).toHaveTitle('Dashboard · Fieldroom');
  await expect(desk.getByRole('status').filter({ hasText: '9 people are in the room' })).toBeAttached();

  // A link inside the app, and the browser's back button.
  await markLoaded(anna);
  await home(anna).click();
  await expect(question(anna)).toContainText('9 people are in the room.');
  await axeClean(anna, 'the question on leaving');
  await screenshot(anna, 'leaving-1440-light-en');
  await expect(question(anna).getByRole('button', { name: 'Stay' })).toBeFocused();
  await anna.keyboard.press('Escape');
  await expect(question(anna)).toHaveCount(0);
  await expect(anna).toHaveURL(/\/app\/play-area$/);
  await anna.goBack();
  await expect(question(anna)).toBeVisible();
  await question(anna).getByRole('button', { name: 'Stay' }).click();
  await expect(anna).toHaveURL(/\/app\/play-area$/);
  await expect(anna.getByTestId('field')).toBeVisible();

  // Closing the tab: the browser's own question, while clients are in.
  const closing = anna.waitForEvent('dialog');
  await anna.close({ runBeforeUnload: true });
  const asked = await closing;
  expect(asked.type()).toBe('beforeunload');
  await asked.dismiss();

  await home(anna).click();
  await question(anna).getByRole('button', { name: 'Leave, keep it running' }).click();
  await expect(anna).toHaveURL(/\/app\/dashboard$/);
  await expectNotReloaded(anna);
  await expect(bar(anna)).toContainText('9 people are in the room');
  await axeClean(anna, 'dashboard with nine people in the room');
  // The question has announced it.
  await expect(timerStays(anna)).toHaveCount(0);
  await bar(anna).getByRole('link', { name: 'Back to the field' }).click();
  await expect(anna.getByTestId('field')).toBeVisible();
  await expectAsksOnLeaving(anna);
  await home(anna).click();
  await question(anna).getByRole('button', { name: 'Leave, keep it running' }).click();
  await expect(anna).toHaveURL(/\/app\/dashboard$/);

  // Every page has the bar, and an end elsewhere removes it from each of them.
  for (const path of ['/app/history', '/app/welcome', '/app/profile']) {
    await anna.goto(path);
    await expect(bar(anna)).toContainText('9 people are in the room');
  }
  await desk.bringToFront();
  await bar(desk).getByRole('button', { name: 'End session' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(bar(anna)).toHaveCount(0);
  await expect(anna.getByRole('status').filter({ hasText: 'Your session has ended.' })).toBeAttached();
  await expect(bar(desk)).toHaveCount(0);
  await expectNotReloaded(desk);
  // It appeared once, announced each number once, and disappeared once.
  await expect.poll(async () => (await seen()).at(-1)).toBe('');
  const states = await seen();
  expect(states.slice(0, 2)).toEqual(['', 'Your session is running, nobody is in the room']);
  expect(states.filter((words) => words === '')).toHaveLength(2);
});

test('11.50 ending on the way out; and after an end elsewhere nothing is asked', async ({ visit }) => {
  const { page: anna } = await visit(DESK);
  await signIn(anna);
  await openDashboard(anna);
  await anna.locator('#play-area').click();
  await expect(anna.getByTestId('field')).toBeVisible();
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
  await expectAsksOnLeaving(anna);
  await home(anna).click();
  await expect(question(anna)).toContainText('1 person is in the room.');
  await question(anna).getByRole('button', { name: 'End session and leave' }).click();
  await expect(anna).toHaveURL(/\/app\/dashboard$/);
  await expect(anna.getByRole('heading', { level: 1 })).toContainText('Anna');
  await expect(bar(anna)).toHaveCount(0);
  await expect(question(anna)).toHaveCount(0);
  await expect(hanna.getByTestId('field')).toHaveCount(0);

  // An end elsewhere closes the question and says what happened.
  await openField(anna);
  const desk = await anna.context().newPage();
  await openDashboard(desk);
  await home(anna).click();
  await expect(question(anna)).toBeVisible();
  await bar(desk).getByRole('button', { name: 'End session' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(question(anna)).toHaveCount(0);
  await expect(anna.getByRole('heading', { name: 'The session has ended.' })).toBeVisible();
  await expect(anna).toHaveTitle('Anna’s room · Fieldroom');
  await anna.getByRole('link', { name: /dashboard/i }).click();
  await expect(anna.getByRole('heading', { level: 1 })).toContainText('Anna');
});

test('11.50 a room opened by its address asks too, in a document without the app', async ({ visit }) => {
  const { page: anna } = await visit(DESK);
  await signIn(anna);
  await openDashboard(anna);
  await anna.goto('/app/play-area');
  await expect(anna.getByTestId('field')).toBeVisible();
  const scripts = await anna
    .locator('script[type="module"]')
    .evaluateAll((all) => all.map((script) => (script as HTMLScriptElement).src));
  expect(scripts).toHaveLength(1);
  expect(scripts[0]).toContain('/assets/room-');
  await admit(visit, anna, { name: 'Hanna' });
  await expectAsksOnLeaving(anna);

  // A link, a step back with something open over the room, a step back, and closing the tab.
  await home(anna).click();
  await expect(question(anna)).toContainText('1 person is in the room.');
  await anna.keyboard.press('Escape');
  await expect(question(anna)).toHaveCount(0);
  await anna.getByRole('button', { name: 'Icons' }).first().click();
  await expect(anna.getByRole('dialog')).toBeVisible();
  await anna.goBack();
  await expect(anna.getByRole('dialog')).toHaveCount(0);
  await anna.goBack();
  await expect(question(anna)).toBeVisible();
  await question(anna).getByRole('button', { name: 'Stay' }).click();
  await expect(question(anna)).toHaveCount(0);
  await expect(anna).toHaveURL(/\/app\/play-area$/);
  const closing = anna.waitForEvent('dialog');
  await anna.close({ runBeforeUnload: true });
  const asked = await closing;
  expect(asked.type()).toBe('beforeunload');
  await asked.dismiss();

  // The step back leads to the page before the room; the question has said that the timer goes on.
  await anna.goBack();
  await question(anna).getByRole('button', { name: 'Leave, keep it running' }).click();
  await expect(anna).toHaveURL(/\/app\/dashboard$/);
  await expect(bar(anna)).toContainText('1 person is in the room');
  await expect(timerStays(anna)).toHaveCount(0);

  // The link too, and ending on the way out.
  await anna.goto('/app/play-area');
  await expect(anna.getByTestId('field')).toBeVisible();
  await expectAsksOnLeaving(anna);
  await home(anna).click();
  await question(anna).getByRole('button', { name: 'End session and leave' }).click();
  await expect(anna).toHaveURL(/\/app\/dashboard$/);
  await expect(bar(anna)).toHaveCount(0);

  // After the end there is no question: one step back leaves the last page.
  await anna.goto('/app/play-area');
  await expect(anna.getByTestId('field')).toBeVisible();
  await anna.getByTestId('field').click({ position: { x: 5, y: 5 } });
  const desk = await anna.context().newPage();
  await openDashboard(desk);
  await bar(desk).getByRole('button', { name: 'End session' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(anna.getByRole('heading', { name: 'The session has ended.' })).toBeVisible();
  await anna.goBack();
  await expect(anna).toHaveURL(/\/app\/dashboard$/);
});

test('11.51 pages that show the bar neither start a live session nor keep one running', async ({ visit }) => {
  const { page: clock } = await visit(DESK);
  const { page: anna } = await visit(PHONE);
  await signIn(anna);
  await openDashboard(anna);
  const sessions = () =>
    anna.evaluate(async () => {
      const answer = await fetch('/api/room/state', {
        headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
      });
      return ((await answer.json()) as { liveSession: { id: number } | null }).liveSession?.id ?? null;
    });
  expect(await sessions()).toBeNull();
  // Somebody who waits does not start one.
  const { page: jonas } = await visit(PHONE);
  await knockByLink(jonas, 'Jonas');
  await expect(anna).toHaveTitle('(1) Dashboard · Fieldroom');
  await expect(bar(anna)).toHaveCount(0);
  expect(await sessions()).toBeNull();

  // Only a page whose timer has begun says later that it stays on.
  const counts = anna.waitForResponse((answer) => answer.url().includes('/api/startTimer/'));
  await openField(anna);
  await counts;
  const running = await sessions();
  expect(running).not.toBeNull();
  await openDashboard(anna);
  await timerStays(anna).getByRole('button', { name: 'Got it' }).click();
  await expect(bar(anna)).toContainText('nobody is in the room · 1 person is waiting');
  await screenshot(anna, 'dashboard-running-390-light-en');
  // She has the page open all the time, and the session ends ten minutes after she left.
  await moveClock(clock, 11, 'minutes');
  await expect(bar(anna)).toHaveCount(0);
  expect(await sessions()).toBeNull();
});
