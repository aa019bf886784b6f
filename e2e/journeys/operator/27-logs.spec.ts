/** What goes wrong in the browsers of a room reaches the operator, without anything about a person. */
import { type Page } from '@playwright/test';
import {
  axeClean,
  DESK,
  expect,
  expectNoSidewaysScrolling,
  PHONE,
  screenshot,
  signIn,
  test,
  type Visitor,
} from '../../journey.ts';
import { dayFromNow } from '../events.ts';
import { admit, openField } from '../people.ts';

const ADMIN = { email: 'admin@demo.example', password: 'constellation' } as const;
const UPLOAD = '/logger_api/logger/log/save';
const DAY_AND_FILE = /^\d{4}-\d\d-\d\d-\d+-own\.log$/;

/** Rejects a promise like a fault in our code, with everything in its message that must not leave the browser. */
const goWrong = (page: Page) =>
  page.evaluate(() => {
    void Promise.reject(new TypeError('Ildikóxq of ildiko@mailbox.example, token=secretxq, +36 30 123 4567'));
  });

/**
 * Causes a fault, and lets the page's clock run until the browser has reported it. Returns what it sent. The code that
 * collects faults is loaded when the page is idle, so the first ones may be too early.
 */
async function upload({ page, errors }: Visitor): Promise<string> {
  const bodies: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(UPLOAD)) bodies.push(request.postData() ?? '');
  });
  const taken = page.waitForResponse((response) => response.url().endsWith(UPLOAD) && response.ok());
  await expect
    .poll(async () => {
      await goWrong(page);
      await page.clock.fastForward('00:15');
      return bodies.length;
    })
    .toBeGreaterThan(0);
  await taken;
  // They were made on purpose.
  errors.splice(0);
  return bodies.join('\n');
}

test('an error in the room arrives within 15 seconds, and the operator reads it without names', async ({ visit }) => {
  const anna = await visit(DESK);
  await anna.page.clock.install();
  await signIn(anna.page);
  await openField(anna.page);
  const jonas = await admit(visit, anna.page, { name: 'Jonasxq', prepare: (page) => page.clock.install() });
  // The operator sees the files of one day (UTC): both browsers cause a fault again if it ended in between.
  let day: string;
  do {
    day = dayFromNow(0);
    for (const visitor of [anna, jonas]) {
      const sent = await upload(visitor);
      expect(sent).toContain('A promise was rejected: TypeError');
      expect(sent).not.toMatch(/xq|ildiko|mailbox|4567|secret/i);
    }
  } while (day !== dayFromNow(0));

  const { page } = await visit(DESK);
  await signIn(page, ADMIN);
  await page.goto('/app/browser-logs');
  const table = page.getByRole('table', { name: 'Log files' });
  await expect(table.getByRole('rowheader')).toHaveText(['Own browsers', 'Client 1']);
  await expect(page.getByLabel('Therapist', { exact: true })).toHaveValue(/^Anna Demo \(no\. \d+\)$/);
  await page.getByRole('button', { name: 'Show entries: Client 1' }).click();
  const entries = page.getByRole('region', { name: 'Entries: Client 1' });
  await expect(entries).toContainText('A promise was rejected: TypeError');
  await expect(entries).toContainText('page /app/play-area-view');
  await expect(page.locator('body')).not.toContainText('xq');
  await axeClean(page, 'browser logs');
  await screenshot(page, 'browser-logs-1440-light-en');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download: Own browsers' }).click();
  expect((await download).suggestedFilename()).toMatch(DAY_AND_FILE);

  await entries.getByLabel('Levels').click();
  await page.getByRole('option', { name: 'Fatal errors only' }).click();
  await expect(entries.getByText('There is no entry of these levels.')).toBeVisible();
});

test('without an error there is nothing to read; on a phone, dark and in German, it fits', async ({ visit }) => {
  const { page } = await visit({ ...PHONE, colorScheme: 'dark' });
  await page.addInitScript(() => {
    localStorage.setItem('theme', 'dark.blueyale');
    localStorage.setItem('language', 'de');
  });
  await page.goto('/user/login');
  await page.getByLabel('E-Mail').fill(ADMIN.email);
  await page.getByLabel('Passwort', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.waitForURL(/\/app\//);
  await page.goto('/app/browser-logs');
  await expect(page.getByRole('heading', { name: 'Noch keine Protokolle' })).toBeVisible();
  await screenshot(page, 'browser-logs-empty-390-dark-de');

  // Anna's room on the same server.
  const anna = await visit(DESK);
  await anna.page.clock.install();
  await signIn(anna.page);
  await openField(anna.page);
  await upload(anna);
  await page.reload();
  await page.getByRole('button', { name: 'Einträge anzeigen: Eigene Browser' }).click();
  await expect(page.locator('main')).toContainText('A promise was rejected: TypeError');
  await expectNoSidewaysScrolling(page);
  await axeClean(page, 'browser logs on a phone');
  await screenshot(page, 'browser-logs-390-dark-de');
});
