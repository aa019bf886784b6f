/** The operator's pages, live sessions and their email, the pages about usage in every language, and inactivity. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import {
  axeClean,
  DEMO,
  DESK,
  expect,
  expectNoSidewaysScrolling,
  PHONE,
  screenshot,
  signIn,
  test,
  toggle,
} from '../../journey.ts';
import { localDayFromNow, moveClock, roomIsAttended } from '../events.ts';
import {
  admit,
  expectInRoom,
  figure,
  giveRole,
  knockByCode,
  letIn,
  linkIn,
  nextEmail,
  openField,
  openRoom,
  registerAndConfirm,
  roomCode,
} from '../people.ts';

/** Names in the operator's form. */
const ANNA = 'Anna Demo';
const MIRA = 'Mira New';
const ADMIN = { email: 'admin@demo.example', password: 'constellation' } as const;
const DARK_PHONE: BrowserContextOptions = { ...PHONE, colorScheme: 'dark' };

interface Words {
  [key: string]: string | Words;
}
const wordsOf = (language: string, file: string): Words =>
  JSON.parse(readFileSync(new URL(`../../../web/src/locales/${language}/${file}.json`, import.meta.url), 'utf8'));

/** The texts of a file by their keys, without those that have placeholders. */
const textsOf = (words: Words, path = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value !== 'string' ? textsOf(value, `${path}${key}.`) : value.includes('{{') ? [] : [[path + key, value]],
  );

/** The English texts of the pages about usage that differ in a language. */
function englishTexts(language: string): Set<string> {
  const english = new Set<string>();
  const own = new Set<string>();
  for (const file of ['admin', 'sessions', 'usage', 'billing', 'dashboard', 'shell', 'common']) {
    for (const [, text] of textsOf(wordsOf('en', file))) english.add(text);
    for (const [, text] of textsOf(wordsOf(language, file))) own.add(text);
  }
  return new Set([...english].filter((text) => !own.has(text)));
}

/** Sets light or dark as an earlier choice. */
async function useTheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.addInitScript((value) => localStorage.setItem('theme', value), `${scheme}.blueyale`);
}

/** Rows of a CSV file as the product writes it in English. Every second quote in a cell is content. */
function rowsOf(csv: string): string[][] {
  expect(csv.startsWith('\uFEFF'), 'a byte order mark').toBe(true);
  expect(csv.endsWith('\r\n')).toBe(true);
  return csv
    .slice(1, -2)
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );
}

test('the operator finds therapists, exports the list, suspends one and reinstates them', async ({ visit, server }) => {
  test.slow();
  const mira = { email: 'mira.new@practice.example', password: 'quiet river under stones' };
  await registerAndConfirm((await visit(DESK)).page, server, mira);
  const { page } = await visit(DESK);
  await signIn(page, ADMIN);
  await page.goto('/app/user-system-usage');
  const table = page.getByRole('table', { name: 'Therapists' });
  const row = (name: string) => table.getByRole('row', { name: new RegExp(name) });
  const names = () => table.getByRole('rowheader').allTextContents();
  await expect.poll(names).toEqual([ANNA, 'Olga Demo', MIRA]);
  const cells = row('Anna').getByRole('cell');
  await expect(cells).toHaveText([
    DEMO.email,
    'Active',
    'Professional',
    /^4[23]:\d\d$/,
    '30',
    '14',
    /\d{4}/,
    'Suspend',
  ]);
  await expect(row('Olga').getByRole('cell').last()).toHaveText('You');
  await axeClean(page, 'usage');
  await screenshot(page, 'usage-1440-light-en');

  const sort = async (column: string, order: string[]) => {
    await table.getByRole('button', { name: column, exact: true }).click();
    await expect.poll(names).toEqual(order);
  };
  await sort('Email', ['Olga Demo', ANNA, MIRA]);
  await sort('Email', [MIRA, ANNA, 'Olga Demo']);
  await expect(table.getByRole('columnheader', { name: 'Email' })).toHaveAttribute('aria-sort', 'descending');
  await sort('Name', [ANNA, 'Olga Demo', MIRA]);

  const search = page.getByRole('searchbox', { name: 'Name or email' });
  await search.fill('practice.EX');
  await expect.poll(names).toEqual([MIRA]);
  await expect(page.getByText('1 of 1 therapist', { exact: true })).toBeVisible();
  await search.fill('nobody at all');
  await expect(page.getByRole('heading', { name: 'Nobody found' })).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Clear' }).click();
  await expect.poll(names).toHaveLength(3);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^usage-\d{4}-\d\d-\d\d\.csv$/);
  const [head, ...rows] = rowsOf(await readFile((await file.path())!, 'utf8'));
  expect(head).toEqual([
    ...['Number', 'First name', 'Family name', 'Email', 'State', 'Plan', 'Hours used', 'Sessions', 'Trees'],
    ...['People helped', 'Registered on (UTC)', 'Last session (UTC)'],
  ]);
  expect(rows.map(([, first, last]) => `${first} ${last}`)).toEqual(await names());
  const shownCells = await cells.allTextContents();
  expect(rows[0]!.slice(3, 9)).toEqual([
    DEMO.email,
    'active',
    'professional package',
    shownCells[3],
    shownCells[4],
    shownCells[5],
  ]);
  await expect(page.getByText('The list has been downloaded.')).toBeAttached();

  // The other side: Anna is working at her dashboard.
  const { page: anna } = await visit(DESK);
  await signIn(anna);
  await expect(anna.getByRole('heading', { level: 1 })).toContainText('Anna');
  await page.getByRole('button', { name: `Suspend ${ANNA}` }).click();
  const question = page.getByRole('group', { name: `Suspend ${ANNA}?` });
  await expect(question.getByRole('button', { name: 'Leave active' })).toBeFocused();
  await axeClean(page, 'the question about a suspension');
  await screenshot(page, 'usage-question-1440-light-en');
  await question.getByRole('button', { name: 'Leave active' }).click();
  await expect(cells.nth(1)).toHaveText('Active');
  await page.getByRole('button', { name: `Suspend ${ANNA}` }).click();
  await question.getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByText(`${ANNA} is suspended.`)).toBeVisible();
  await expect(cells.nth(1)).toHaveText('Suspended');
  await screenshot(page, 'usage-suspended-1440-light-en');

  // Her page also checks every minute, and may have gone to the sign-in page already.
  await anna
    .getByRole('link', { name: 'Sessions', exact: true })
    .first()
    .or(anna.getByLabel('Password', { exact: true }))
    .click();
  await anna.waitForURL(/\/user\/login/);
  const tryToSignIn = async () => {
    await anna.getByLabel('Email').fill(DEMO.email);
    await anna.getByLabel('Password', { exact: true }).fill(DEMO.password);
    await anna.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await tryToSignIn();
  await expect(
    anna.getByText('Your account is suspended, to use the system please register', { exact: true }),
  ).toBeVisible();
  await axeClean(anna, 'sign-in of a suspended account');
  await screenshot(anna, 'suspended-sign-in-1440-light-en');

  // Reinstated on the phone.
  const { page: phone } = await visit(DARK_PHONE);
  await useTheme(phone, 'dark');
  await signIn(phone, ADMIN);
  await phone.goto('/app/user-system-usage');
  const reinstate = phone.getByRole('button', { name: `Reinstate ${ANNA}` });
  await expect(reinstate).toBeVisible();
  await expectNoSidewaysScrolling(phone);
  await axeClean(phone, 'usage on a phone');
  await screenshot(phone, 'usage-390-dark-en');
  await phone.getByRole('button', { name: `Suspend ${MIRA}` }).click();
  await axeClean(phone, 'the question about a suspension on a phone');
  await screenshot(phone, 'usage-question-390-dark-en');
  await phone.getByRole('button', { name: 'Leave active' }).click();
  await reinstate.click();
  await expect(phone.getByText(`${ANNA} can sign in again.`)).toBeVisible();
  await signIn(anna);
  await expect(anna.getByRole('heading', { level: 1 })).toContainText('Anna');
});

test('scheduled jobs show when they run, are rescheduled, switched off and run at once', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page, ADMIN);
  await page.goto('/app/cron-job-conf');
  const job = (name: string) => page.getByRole('region', { name, exact: true });
  const fact = (card: Locator, name: string) =>
    card.locator('dl > div', { has: page.getByText(name, { exact: true }) });
  const lastRun = (card: Locator) => fact(card, 'Last run').locator('dd');
  const nextRun = (card: Locator) => fact(card, 'Next run').locator('dd');
  const schedules: Record<string, RegExp> = {
    'Monthly bills': /^Every month on day 1 at \d\d:\d\d/,
    'Delete old records': /^Every hour at minute 47/,
    'Delete old names': /^Every hour at minute 17/,
    'Stop forgotten timers': /^Every 10 minutes/,
    'Remove idle clients': /^Every minute/,
  };
  await expect(page.getByRole('region')).toHaveCount(Object.keys(schedules).length);
  for (const [name, schedule] of Object.entries(schedules)) {
    await expect(fact(job(name), 'Schedule').locator('dd')).toHaveText(schedule);
    await expect(fact(job(name), 'Schedule').locator('dd')).toContainText(/Time zone: (?:UTC|Europe\/Budapest)/);
    await expect(nextRun(job(name))).toContainText(/\d{4}, \d\d:\d\d (?:in |tomorrow|this minute)/);
    await expect(job(name).getByRole('switch')).toBeChecked();
  }
  await axeClean(page, 'jobs');
  await screenshot(page, 'jobs-1440-light-en');

  const logs = job('Delete old records');
  const before = (await logs.locator('code').textContent())!;
  const field = page.getByLabel('Schedule as a cron expression');
  const reschedule = async (expression: string) => {
    await logs.getByRole('button', { name: 'Change' }).click();
    await field.fill(expression);
    await logs.getByRole('button', { name: 'Save' }).click();
  };
  await reschedule('0 25 * * 1');
  await expect(logs.getByText(/We can’t read this schedule/)).toBeVisible();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('0 25 * * 1');
  await axeClean(page, 'a schedule that is refused');
  await screenshot(page, 'jobs-refused-1440-light-en');
  await page.reload();
  await expect(logs.locator('code')).toHaveText(before);

  await reschedule('0 3 * * 1');
  await expect(logs.getByText('Saved.')).toBeVisible();
  await expect(fact(logs, 'Schedule').locator('dd')).toContainText('Every Monday at 03:00');
  // The job's zone is UTC; the reader's is an hour or two ahead.
  await expect(nextRun(logs)).toContainText(/\b0[45]:00/);
  await page.reload();
  await expect(logs.locator('code')).toHaveText('0 3 * * 1');

  await toggle(logs.getByRole('switch'), false);
  await expect(nextRun(logs)).toHaveText('Not while it is off');
  await page.reload();
  await expect(nextRun(logs)).toHaveText('Not while it is off');
  // A job that is off can also be run.
  await logs.getByRole('button', { name: 'Run now' }).click();
  await expect(logs.getByText('The run has ended.')).toBeVisible();
  await expect(lastRun(logs)).toContainText('Done');
  await expect(lastRun(logs)).toContainText(/\d{4}/);
  await toggle(logs.getByRole('switch'), true);
  await expect(nextRun(logs)).toContainText(/\b0[45]:00/);

  const { page: phone } = await visit(DARK_PHONE);
  await useTheme(phone, 'dark');
  await signIn(phone, ADMIN);
  await phone.goto('/app/cron-job-conf');
  await expect(phone.getByRole('region')).toHaveCount(5);
  await expectNoSidewaysScrolling(phone);
  await axeClean(phone, 'jobs on a phone');
  await screenshot(phone, 'jobs-390-dark-en');
});

test('past live sessions: who was there, the field at the end, and an email about one', async ({ visit, server }) => {
  const anna = await openRoom(visit);
  await admit(visit, anna, { name: 'Nadja', options: PHONE });
  await anna.getByRole('button', { name: 'End session' }).click();
  await anna.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(anna.getByText('The session has ended.')).toBeVisible();

  await anna.goto('/app/history');
  const links = anna.getByRole('link', { name: /: show details$/ });
  await expect(anna.getByText(/of 31 sessions$/)).toBeVisible();
  await axeClean(anna, 'live sessions');
  await screenshot(anna, 'sessions-1440-light-en');

  const name = anna.getByRole('searchbox', { name: 'Name of a client' });
  await name.fill('STEF');
  await expect(links).toHaveCount(1);
  await expect(anna.getByText('1 of 1 session', { exact: true })).toBeVisible();
  await name.fill('nobody at all');
  await expect(anna.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await anna.getByRole('button', { name: 'Clear filters' }).click();
  await anna.getByLabel('From').fill(localDayFromNow(-3.5));
  await expect(links).toHaveCount(2);
  await name.fill('nadja');
  await expect(links).toHaveCount(1);

  await links.click();
  const dialog = anna.getByRole('dialog');
  await expect(dialog.getByRole('row', { name: /Nadja/ })).toBeVisible();
  const picture = dialog.getByRole('group', { name: 'Field with 9 figures' });
  await expect(picture.locator('[data-figure]')).toHaveCount(9);
  const smallest = () =>
    picture.locator('[data-figure]').evaluateAll((figures) =>
      Math.min(
        ...figures.map((figure) => {
          const { width, height } = figure.getBoundingClientRect();
          return Math.min(width, height);
        }),
      ),
    );
  await expect.poll(smallest, 'every figure is drawn').toBeGreaterThan(5);
  await expect(picture.locator('text').getByText('Mother', { exact: true })).toBeVisible();
  await axeClean(anna, 'a live session');
  await screenshot(anna, 'session-1440-light-en');

  const to = 'supervision@practice.example';
  await dialog.getByRole('button', { name: 'To another address' }).click();
  await dialog.getByLabel('Email address').fill(to);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const sure = dialog.getByRole('group', { name: `Send it to ${to}?` });
  await expect(sure).toBeVisible();
  await screenshot(anna, 'session-email-1440-light-en');
  expect(await server.emails(to), 'nothing is sent before the second look').toEqual([]);
  await sure.getByRole('button', { name: 'Yes, send' }).click();
  await expect(dialog.getByText(`On its way to ${to}.`)).toBeVisible();
  const email = await nextEmail(server, to);
  expect(`${email.subject}\n${email.text}\n${email.html}`).not.toContain('Nadja');

  // The link opens this live session, after a sign-in.
  const { page: phone } = await visit(DARK_PHONE);
  await useTheme(phone, 'dark');
  await phone.goto(linkIn(email, '/app/history'));
  await phone.getByLabel('Email').fill(DEMO.email);
  await phone.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(phone.getByRole('dialog').getByRole('row', { name: /Nadja/ })).toBeVisible();
  await axeClean(phone, 'a live session on a phone', '[role="dialog"]');
  await screenshot(phone, 'session-390-dark-en');
  await phone.getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(phone.getByRole('dialog')).toHaveCount(0);
  await expectNoSidewaysScrolling(phone);
  await axeClean(phone, 'live sessions on a phone');
  await screenshot(phone, 'sessions-390-dark-en');
});

const ON_DESK = [1440, DESK] as const;
const ON_PHONE = [390, PHONE] as const;
// Each width has both themes; German, with the longest words, has both too.
const COMBINATIONS = {
  de: [
    [...ON_DESK, 'light'],
    [...ON_PHONE, 'dark'],
  ],
  hu: [[...ON_DESK, 'dark']],
  ro: [[...ON_PHONE, 'light']],
} as const;
for (const language of ['de', 'hu', 'ro'] as const) {
  test(`the pages about usage in ${language}`, async ({ visit, server }) => {
    const english = englishTexts(language);
    expect(english.size).toBeGreaterThan(300);
    const menu = wordsOf(language, 'shell')['menu'] as Words;
    const sessionWords = wordsOf(language, 'sessions');
    const pages = {
      [DEMO.email]: [
        ['/app/dashboard', 'Anna', 'dashboard'],
        ['/app/history', String(menu['history']), 'sessions'],
        ['/app/subscription/professional-package', String(menu['professional-package']), 'package'],
      ],
      [ADMIN.email]: [
        ['/app/user-system-usage', String(menu['user-system-usage']), 'usage'],
        ['/app/cron-job-conf', String(menu['cron-job-conf']), 'jobs'],
      ],
    } as const;
    for (const [width, options, scheme] of COMBINATIONS[language])
      for (const [email, ways] of Object.entries(pages)) {
        const { page } = await visit(options);
        await signedIn(page, server.url, email, { language, scheme });
        for (const [path, title, name] of ways) {
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
          await expect(page.locator('html')).toHaveAttribute('lang', language);
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
          await expectNothingOf(page, english);
          await expectNoSidewaysScrolling(page);
          await axeClean(page, `${path} ${language} ${width}`);
          await screenshot(page, `${name}-${width}-${scheme}-${language}`);
          if (name !== 'sessions') continue;
          await page.locator('a[href*="session="]').first().click();
          await expect(
            page.getByRole('heading', { name: String((sessionWords['email'] as Words)['title']) }),
          ).toBeVisible();
          await expectNothingOf(page, english);
          await axeClean(page, `a live session ${language} ${width}`, '[role="dialog"]');
          await screenshot(page, `session-${width}-${scheme}-${language}`);
        }
      }
  });
}

/** Signs in without the form, and chooses language and theme as earlier choices. */
async function signedIn(
  page: Page,
  url: string,
  email: string,
  { language, scheme }: { language: string; scheme: string },
): Promise<void> {
  const answer = await page.request.post(`${url}/api/authentication/login`, {
    data: { email, password: DEMO.password },
  });
  await page.addInitScript(
    ([{ token, user }, code, theme]) => {
      localStorage.setItem('token', token);
      localStorage.setItem('user', JSON.stringify(user));
      localStorage.setItem('therapist', JSON.stringify({ id: user.id, roles: user.roles, joinLink: user.joinLink }));
      localStorage.setItem('language', code);
      localStorage.setItem('theme', theme);
    },
    [await answer.json(), language, `${scheme}.blueyale`] as const,
  );
}

/** Waits until no line of the complete page, and no name for screen readers, is one of these texts. */
async function expectNothingOf(page: Page, texts: ReadonlySet<string>): Promise<void> {
  await expect(async () => {
    const lines = await page.evaluate(() => [
      ...document.body.innerText.split('\n'),
      ...[...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap((element) =>
        ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name) ?? ''),
      ),
    ]);
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.map((line) => line.trim()).filter((line) => texts.has(line))).toEqual([]);
  }).toPass();
}

test.describe('with a clock that moves', () => {
  test.use({ settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development' } });
  const badge = (page: Page) => page.locator('[data-timer]');
  /** The time that the server counts, whatever the page knows. */
  const secondsCounted = (page: Page): Promise<number> =>
    page.evaluate(async () => {
      const { id } = JSON.parse(localStorage.getItem('therapist') ?? '{}');
      const answer = await fetch(`/api/timer/${id}`, {
        headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
      });
      return (await answer.json()).counterState;
    });
  const minutesShown = async (page: Page) => {
    const [hours, minutes] = (
      (await badge(page)
        .getByText(/^\d+:\d\d$/)
        .textContent()) ?? ''
    ).split(':');
    return Number(hours) * 60 + Number(minutes);
  };

  test('a client who does nothing while the therapist is away is signed out to the join page', async ({ visit }) => {
    const anna = await visit(DESK);
    await signIn(anna.page);
    await openField(anna.page);
    const { page: hanna } = await visit(PHONE);
    // Her own clock, which runs as usual until the journey moves it.
    await hanna.clock.install();
    await knockByCode(hanna, await roomCode(anna.page), 'Hanna');
    await letIn(anna.page, 'Hanna');
    await expectInRoom(hanna);
    await giveRole(anna.page, 'Hanna', 'Mother');
    const { page: jonas } = await admit(visit, anna.page, {
      name: 'Jonas',
      options: PHONE,
      prepare: (page) => page.clock.install(),
    });
    expect(await hanna.evaluate(() => localStorage.getItem('secret_code'))).not.toBeNull();
    await anna.offline(true);
    await anna.page.close();
    for (const page of [hanna, jonas]) await expect(page.locator('[data-idle]')).toContainText(/\b(?:9:\d\d|10:00)/);

    for (const page of [hanna, jonas]) {
      await page.clock.fastForward('05:00');
      await expect(page.locator('[data-idle]')).toContainText(/\b(?:4:\d\d|5:00)/);
    }
    await jonas.getByRole('button', { name: 'Raise hand' }).click();
    await expect(jonas.locator('[data-idle]')).toContainText(/\b(?:9:\d\d|10:00)/);
    for (const page of [hanna, jonas]) await page.clock.fastForward('05:00');
    // A page whose clock leaps has slept, and first checks whether the therapist is back.
    await hanna.clock.fastForward('00:20');
    await expect(jonas.locator('[data-idle]')).toContainText(/\b4:\d\d/);
    await hanna.waitForURL(/\/user\/code/);
    for (const key of ['secret_code', 'token', 'client', 'logoutExpiredDate'])
      expect(await hanna.evaluate((name) => localStorage.getItem(name), key), key).toBeNull();
    await expect(hanna.getByLabel('Code')).toBeVisible();
    await expect(hanna.getByText(/Nothing happened here for ten minutes/)).toBeVisible();
    await axeClean(hanna, 'signed out after ten minutes');
    await screenshot(hanna, 'client-signed-out-390-light-en');
    await jonas.clock.fastForward('05:00');
    await jonas.clock.fastForward('00:20');
    await jonas.waitForURL(/\/user\/join\/anna/);
    await expect(jonas.getByLabel('Your name')).toBeVisible();
    await expect(jonas.getByText(/Nothing happened here for ten minutes/)).toBeVisible();

    // Their places are free, and the figure stays.
    const { page: back } = await visit(DESK);
    await signIn(back);
    await openField(back);
    await expect(figure(back, 'Mother')).toBeVisible();
    for (const name of ['Hanna', 'Jonas']) await expect(back.getByText(name, { exact: true })).toHaveCount(0);
  });

  test('a page without the focus stops the timer after half an hour, unless a client is there', async ({ visit }) => {
    const clock = (await visit(DESK)).page;
    const anna = await openRoom(visit);
    await expect(badge(anna)).toHaveAttribute('data-timer', 'running');
    await roomIsAttended(anna);
    const scheduled = (page: Page) =>
      page.waitForResponse((response) => response.url().includes('/1800') && response.ok());
    const blur = async () => {
      const told = scheduled(anna);
      await anna.evaluate(() => window.dispatchEvent(new Event('blur')));
      await told;
    };
    const before = await minutesShown(anna);
    await blur();
    await moveClock(clock, 29, 'minutes');
    await expect(badge(anna)).toHaveAttribute('data-timer', 'running');
    await moveClock(clock, 5, 'minutes');
    await expect(badge(anna)).toHaveAttribute('data-timer', 'stopped');
    await expect.poll(() => minutesShown(anna)).toBeGreaterThanOrEqual(before + 30);
    // Out of the 34 minutes; a busy machine may need one or two until the page reports that it lost the focus.
    expect((await minutesShown(anna)) - before, 'half an hour counts, the rest does not').toBeLessThanOrEqual(32);
    await screenshot(anna, 'room-timer-stopped-1440-light-en');
    const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
    await expect(badge(hanna)).toHaveAttribute('data-timer', 'stopped');
    await screenshot(hanna, 'client-timer-stopped-390-light-en');
    await expect.poll(() => minutesShown(hanna)).toBe(await minutesShown(anna));

    await anna.evaluate(() => window.dispatchEvent(new Event('focus')));
    for (const page of [anna, hanna]) await expect(badge(page)).toHaveAttribute('data-timer', 'running');
    // With a client in the room nothing stops.
    await blur();
    await moveClock(clock, 61, 'minutes');
    // Until the server has checked the stop that was due, no reload may make somebody appear to be gone.
    await expect.poll(() => secondsCounted(anna)).toBeGreaterThanOrEqual((before + 91) * 60);
    for (const page of [anna, hanna]) {
      await page.reload();
      await expect(badge(page)).toHaveAttribute('data-timer', 'running');
      await expect.poll(() => minutesShown(page)).toBeGreaterThanOrEqual(before + 91);
    }
  });
});
