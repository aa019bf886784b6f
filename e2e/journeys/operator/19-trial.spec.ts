/** The trial from its first hour to the first bill, with a client in the room; two tabs; inactivity. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { axeClean, DESK, expect, PHONE, resize, screenshot, signIn, test } from '../../journey.ts';
import { moveClock, productTime, roomIsAttended } from '../events.ts';
import {
  admit,
  expectAllInView,
  expectInRoom,
  figure,
  knockByCode,
  letIn,
  nextEmail,
  openField,
  registerAndConfirm,
  roomCode,
  understandTimerStays,
} from '../people.ts';

test.use({ settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development' } });

const ACCOUNT = { email: 'mira.trial@practice.example', password: 'quiet river under stones' };
const badge = (page: Page) => page.locator('[data-timer]');
const shown = (page: Page) => badge(page).getByText(/^\d+:\d\d$/);
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

test('a whole trial: four hours, five hours, the registration and the first bill', async ({ visit, server }) => {
  test.slow();
  const seen = new Set<string>();
  const clock = (await visit(DESK)).page;
  const mira = (await visit(DESK)).page;
  await registerAndConfirm(mira, server, ACCOUNT, seen);
  await signIn(mira, ACCOUNT);
  await openField(mira);
  await expect(badge(mira)).toHaveAttribute('data-timer', 'running');
  await expect(shown(mira)).toHaveText(/^0:0\d$/);
  const hanna = (await visit(PHONE)).page;
  await knockByCode(hanna, await roomCode(mira), 'Hanna');
  await letIn(mira, 'Hanna');
  await expectInRoom(hanna);
  // The time and trees are the same on every screen, even after the clock was moved and a page was reloaded. On a busy
  // machine the minutes of the journey itself count too.
  const expectSameTime = async (time: RegExp) => {
    for (const page of [mira, hanna]) await expect(shown(page)).toHaveText(time);
    await expect(async () => {
      const [own = '', client] = await Promise.all([mira, hanna].map((page) => shown(page).innerText()));
      expect(client).toBe(own);
    }).toPass();
  };
  await expectSameTime(/^0:0\d$/);
  await moveClock(clock, 3, 'hours');
  for (const page of [mira, hanna]) await page.reload();
  await expectSameTime(/^3:0\d$/);
  for (const page of [mira, hanna]) await expect(badge(page)).toHaveAccessibleName(/1 tree$/);

  await moveClock(clock, 1, 'hours');
  const notice = dialog(mira, 'Hello Mira');
  await expect(notice).toBeVisible();
  await expect(notice.getByRole('paragraph')).toHaveCount(4);
  await axeClean(mira, 'four hours');
  await screenshot(mira, 'four-hours-1440-light-en');
  await notice.getByRole('button', { name: 'Not now' }).click();
  await nextEmail(server, ACCOUNT.email, seen);
  await mira.reload();
  await expect(shown(mira)).toHaveText(/^4:0\d$/);
  await expect(notice).toHaveCount(0);

  await moveClock(clock, 1, 'hours');
  const over = dialog(mira, 'Your five free hours are used up');
  await expect(over).toBeVisible();
  await mira.keyboard.press('Escape');
  await expect(over).toBeVisible();
  await expect(over.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await axeClean(mira, 'the trial is over');
  await screenshot(mira, 'trial-over-1440-light-en');
  // The client sees a friendly goodbye, and nothing about money.
  await hanna.waitForURL(/\/user\/bye/);
  await expect(hanna.getByRole('heading', { level: 1 })).toHaveText('The session is over');
  await expect(hanna.getByText(/trial|free hours|registration/i)).toHaveCount(0);

  const send = over.getByRole('button', { name: 'Send' });
  await expect(send).toBeDisabled();
  await over.getByRole('textbox').fill('I would like to pay by the year.');
  await send.click();
  await expect(over.getByText('Thank you for your reply!')).toBeVisible();
  await expect(send).toBeDisabled();
  await expect
    .poll(async () => (await server.emails()).some(({ text }) => text.includes('I would like to pay by the year.')))
    .toBe(true);

  await mira.goto('/app/play-area');
  await mira.waitForURL(/\/app\/welcome/);
  await expect(mira.getByRole('heading', { name: 'Your five free hours are used up' })).toBeVisible();
  await axeClean(mira, 'help after the trial');
  await mira.getByRole('link', { name: 'Complete the registration' }).click();
  await mira.waitForURL(/\/app\/subscription\/professional-package/);
  await mira.getByLabel('First and family name').fill('Mira New');
  await mira.getByLabel('Telephone').fill('+43 660 1234567');
  const [own, company] = [
    mira.getByRole('combobox', { name: 'Country' }).first(),
    mira.getByRole('combobox', { name: 'Country' }).last(),
  ];
  const choose = async (field: typeof own, name: string) => {
    await field.fill(name);
    await mira.getByRole('option', { name, exact: true }).click();
  };
  await choose(own, 'Austria');
  await mira.getByLabel('Street and number').first().fill('Lindengasse 3');
  await mira.getByLabel('Postcode').first().fill('1070');
  await mira.getByLabel('City').first().fill('Wien');
  const entity = mira.getByRole('radio', { name: /Legal entity/ });
  await mira.locator('label', { has: entity }).click();
  await expect(entity).toBeChecked();
  await mira.getByLabel('Name of the legal entity').fill('Praxis Mira GmbH');
  await mira.getByRole('textbox', { name: 'Tax number' }).fill('ATU12345678');
  await choose(company, 'Austria');
  await mira.getByLabel('Street and number').last().fill('Lindengasse 3');
  await mira.getByLabel('Postcode').last().fill('1070');
  await mira.getByLabel('City').last().fill('Wien');
  await mira.getByLabel('Name of the contact person').fill('Mira New');
  await axeClean(mira, 'complete the registration');
  const complete = async () => {
    await mira.getByRole('button', { name: 'Check and complete' }).click();
    await dialog(mira, 'Is everything right?').getByRole('button', { name: 'Complete registration' }).click();
  };
  await complete();
  await expect(mira.getByText(/isn’t a valid tax number/)).toBeVisible();
  await mira.getByRole('textbox', { name: 'Tax number' }).fill('ATU12345675');
  await complete();
  await expect(mira.getByText(/your registration is complete/)).toBeVisible();
  await screenshot(mira, 'package-complete-1440-light-en');

  // One started hour, and the first of the next month. Usage across the end of a month would be on two bills.
  const now = await productTime(clock);
  const monthIn = (minutes: number) =>
    new Date(now.getTime() + minutes * 60_000).toLocaleDateString('en-CA', { timeZone: 'Europe/Budapest' }).slice(0, 7);
  if (monthIn(60) !== monthIn(0)) await moveClock(clock, 1, 'hours');
  await openField(mira);
  // The room must be connected first: otherwise the clock would move past the time of a therapist who is away.
  await expect(badge(mira)).toHaveAttribute('data-timer', 'running');
  await moveClock(clock, 20, 'minutes');
  await mira.getByRole('button', { name: 'End session' }).click();
  await mira.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(mira.getByText('The session has ended.')).toBeVisible();
  await moveClock(clock, 32, 'days');
  await expect
    .poll(async () => (await server.emails(ACCOUNT.email)).some(({ text }) => /FR-\d{4}-\d{6}/.test(text)), {
      message: 'the email with the bill',
    })
    .toBe(true);
  await signIn(mira, ACCOUNT);
  await mira.goto('/app/subscription/professional-package');
  const download = mira.waitForEvent('download');
  await mira.getByRole('button', { name: /^Download bill / }).click();
  const bytes = await readFile((await (await download).path())!);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  expect(text).toMatch(/FR-\d{4}-\d{6}/);
  expect(text).toContain('Praxis Mira GmbH');
  expect(text).toContain('ATU12345675');
  expect(text).toMatch(/3\.00/);
});

test('closing one of two tabs stops nothing; the timer loses no time in a restart and goes on', async ({
  visit,
  server,
}) => {
  const clock = (await visit(DESK)).page;
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const second = await anna.context().newPage();
  await openField(second);
  for (const page of [anna, second]) await roomIsAttended(page);
  const minutesShown = async () => {
    const [hours, minutes] = (await shown(anna).innerText()).split(':');
    return Number(hours) * 60 + Number(minutes);
  };
  const before = await minutesShown();
  await second.close();
  await moveClock(clock, 11, 'minutes');
  await anna.reload();
  await expect(badge(anna)).toHaveAttribute('data-timer', 'running');
  await expect.poll(minutesShown).toBeGreaterThanOrEqual(before + 11);

  // Stop it cleanly first: a crash may lose up to a minute, and the moved clock turned a moment into eleven minutes.
  for (const end of [server.stop, server.kill]) {
    await end();
    await server.start();
    await expect(badge(anna)).toHaveAttribute('data-timer', 'running');
    await anna.reload();
    await expect(badge(anna)).toHaveAttribute('data-timer', 'running');
    await expect.poll(minutesShown).toBeGreaterThanOrEqual(before + 11);
  }

  // Every other page of the app shows that the timer runs, says once that it stays on, and can stop it.
  await anna.goto('/app/dashboard');
  await understandTimerStays(anna);
  await axeClean(anna, 'dashboard with a running session');
  await screenshot(anna, 'dashboard-running-1440-light-en');
  await anna.getByRole('button', { name: 'End session' }).click();
  await dialog(anna, 'End the session?').getByRole('button', { name: 'End session' }).click();
  await expect(anna.getByRole('region', { name: 'Your session is running' })).toHaveCount(0);
  await expect(badge(anna)).toHaveAttribute('data-timer', 'stopped');
});

test('alone and idle: a warning with a countdown, then the end', async ({ visit }) => {
  const clock = (await visit(DESK)).page;
  const anna = (await visit(PHONE)).page;
  await signIn(anna);
  await openField(anna);
  // Only a connected room draws figures: otherwise the clock would move past the time of a therapist who is away.
  await expect(figure(anna, 'Mother')).toBeVisible();
  await moveClock(clock, 36, 'minutes');
  const warning = dialog(anna, 'Are you still there?');
  await expect(warning.locator('[data-countdown]')).toHaveText(/^2[34]:\d\d$/);
  await axeClean(anna, 'warning', '[role="dialog"]');
  await screenshot(anna, 'timeout-warning-390-light-en');
  // The server knows it too, before the clock moves past the countdown.
  const heard = anna.waitForResponse((response) => response.url().includes('/api/startTimer/') && response.ok());
  await warning.getByRole('button', { name: 'I am still here' }).click();
  await heard;
  await expect(warning).toHaveCount(0);
  await moveClock(clock, 36, 'minutes');
  await expect(warning).toBeVisible();
  await moveClock(clock, 26, 'minutes');
  await expect(
    anna.getByText('Due to inactivity the constellation has been stopped and the participants removed'),
  ).toBeVisible();
  await anna.getByRole('button', { name: 'Got it' }).click();
  await expect(anna.getByText('The session has ended.')).toBeVisible();
});

test('while the therapist is away a client sees the countdown, and an act postpones its end', async ({ visit }) => {
  const anna = await visit(DESK);
  await signIn(anna.page);
  await openField(anna.page);
  const { page: hanna } = await admit(visit, anna.page, { name: 'Hanna', options: PHONE });
  await anna.offline(true);
  await anna.page.close();
  await expect(hanna.getByText(/Your therapist is away/)).toBeVisible();
  await expect(hanna.locator('[data-idle]')).toContainText(/\b(?:9:\d\d|10:00)/);
  const expires = () => hanna.evaluate(() => Number(localStorage.getItem('logoutExpiredDate')));
  const before = await expires();
  await hanna.getByRole('button', { name: 'Raise hand' }).click();
  await expect.poll(expires).toBeGreaterThan(before);
  await expect(async () => {
    const note = await hanna.locator('[data-idle]').boundingBox();
    const zoom = await hanna.locator('[data-room=zoom]').boundingBox();
    expect(note!.y + note!.height).toBeLessThanOrEqual(zoom!.y);
  }, 'the button of the whole field stays free').toPass();
  await axeClean(hanna, 'the therapist is away');
  // 5.24: the countdown covers no figure and no name, also on a phone in landscape.
  const covered = () =>
    hanna.locator('[data-idle]').evaluate((note) => {
      const over = note.getBoundingClientRect();
      return [...document.querySelectorAll('[data-figure], [data-part=name], [data-room=zoom]')]
        .filter((part) => {
          const { left, top, right, bottom } = part.getBoundingClientRect();
          return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
        })
        .map((part) => part.ariaLabel ?? part.textContent);
    });
  for (const [width, height] of [
    [390, 844],
    [844, 390],
  ] as const) {
    await resize(hanna, width, height);
    await expect.poll(covered, `what the countdown covers at ${width} px`).toEqual([]);
    await expectAllInView(hanna);
    await screenshot(hanna, `client-idle-${width}-light-en`);
  }
});
