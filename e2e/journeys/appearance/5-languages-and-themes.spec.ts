/** Pages in every language, light and dark, on phone and desktop: no console error, no axe violation, a screenshot. */
import { axeClean, DESK, expect, expectNoSidewaysScrolling, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { admit, expectInRoom, expectNotReloaded, knockByLink, markLoaded, openField, openRoom } from '../people.ts';

// Colours do not depend on the language: two languages with both themes, the others with one.
const COMBINATIONS = [
  ['en', 'light'],
  ['en', 'dark'],
  ['de', 'light'],
  ['de', 'dark'],
  ['hu', 'light'],
  ['ro', 'dark'],
] as const;
for (const [language, scheme] of COMBINATIONS) {
  test(`every page in ${language}, ${scheme}`, async ({ visit }) => {
    const desk = await visit({ ...DESK });
    const phone = await visit({ ...PHONE });
    for (const { page } of [desk, phone])
      await page.addInitScript(
        ([code, theme]) => {
          localStorage.setItem('language', code ?? 'en');
          localStorage.setItem('theme', theme ?? '');
        },
        [language, `${scheme}.blueyale`],
      );
    const size = (page: typeof desk.page) => (page === desk.page ? '1440' : '390');
    for (const { page } of [desk, phone]) {
      for (const [path, name] of [
        ['/user/login', 'sign-in'],
        ['/user/register', 'register'],
        ['/user/join/anna', 'join'],
        ['/user/code', 'code'],
      ] as const) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        // The phone's layout is the same in all languages, so one language is enough for axe there.
        if (page === desk.page || language === 'en')
          await axeClean(page, `${path} ${language} ${scheme} ${size(page)}`);
        await screenshot(page, `${name}-${size(page)}-${scheme}-${language}`);
        await expectNoSidewaysScrolling(page);
      }
    }
    const token = await desk.page.evaluate(async () => {
      const answer = await fetch('/api/authentication/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'anna@demo.example', password: 'constellation' }),
      });
      return answer.json();
    });
    await desk.page.addInitScript((signIn) => {
      localStorage.setItem('token', signIn.token);
      localStorage.setItem('user', JSON.stringify(signIn.user));
      localStorage.setItem(
        'therapist',
        JSON.stringify({ id: signIn.user.id, roles: signIn.user.roles, joinLink: signIn.user.joinLink }),
      );
    }, token);
    await desk.page.goto('/app/dashboard');
    await expect(desk.page.getByRole('heading', { level: 1 })).toContainText('Anna');
    await axeClean(desk.page, `dashboard ${language} ${scheme}`);
    await screenshot(desk.page, `dashboard-1440-${scheme}-${language}`);
    await openField(desk.page);
    await axeClean(desk.page, `room ${language} ${scheme}`);
    await screenshot(desk.page, `room-1440-${scheme}-${language}`);
  });
}

test('11.3 agreements, and the page to restore a former address, violate no rule of axe', async ({ visit }) => {
  for (const [options, look] of [
    [DESK, 'desk, light'],
    [{ ...PHONE, colorScheme: 'dark' }, 'phone, dark'],
  ] as const) {
    const { page } = await visit(options);
    for (const path of [
      `/user/restore-email#token=${'A'.repeat(43)}`,
      '/user/license',
      '/user/restore-email',
      '/user/data-agreement',
    ]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await axeClean(page, `${path}, ${look}`);
      await expectNoSidewaysScrolling(page);
    }
  }
});

test('11.2 every document knows its look before anything is drawn', async ({ visit }) => {
  const { page } = await visit(DESK);
  for (const path of ['/user/login', '/app/play-area', '/user/join/anna', '/event/anna']) {
    const html = await (await page.request.get(path)).text();
    // A script with data for search engines does not run.
    const [first = ''] = html.match(/<script\b(?! type="application\/ld\+json")[^>]*>/) ?? [];
    expect(first, path).toContain('src="/theme.js"');
    // The browser waits for it. The values name files, whatever their names are.
    expect(first.replace(/"[^"]*"/g, ''), path).not.toMatch(/async|defer|type=/);
    const styles = html.indexOf('rel="stylesheet"');
    expect(styles === -1 || styles > html.indexOf(first), `${path}: no style sheet before it`).toBe(true);
  }
});

test('the theme changes at once, without a reload', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await page.goto('/app/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
  await markLoaded(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page
    .getByRole('button', { name: /Dark|dark/ })
    .first()
    .click();
  await expect.poll(background).not.toBe(light);
  await expectNotReloaded(page);
});

test('11.2 a client chooses light or dark in the room on a desktop', async ({ visit }) => {
  const anna = await openRoom(visit, DESK);
  const { page } = await admit(visit, anna, { name: 'Hanna', options: DESK });
  await markLoaded(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.locator('[data-room=top]').getByRole('button', { name: 'Dark mode' }).click();
  await expect.poll(background).not.toBe(light);
  await axeClean(page, 'client’s room, dark');
  await expectNotReloaded(page);
});

test('the room works on the therapist’s phone', async ({ visit }) => {
  const anna = await openRoom(visit, PHONE);
  await axeClean(anna, 'room on a phone');
  await screenshot(anna, 'room-390-light-en');
  const hanna = (await visit(PHONE)).page;
  await knockByLink(hanna, 'Hanna');
  await anna.getByRole('button', { name: 'People, 1 waiting' }).click();
  await expect(anna.getByRole('button', { name: 'Let in Hanna' })).toBeVisible();
  await axeClean(anna, 'people on a phone');
  await screenshot(anna, 'people-390-light-en');
  await anna.getByRole('button', { name: 'Let in Hanna' }).click();
  await expectInRoom(hanna);
  await anna.getByRole('button', { name: 'Close the list of people' }).first().click();
  await anna.getByRole('button', { name: 'Add', exact: true }).click();
  await screenshot(anna, 'add-390-light-en');
  await anna.getByRole('button', { name: 'Star: add star' }).click();
  await expect(anna.getByRole('region', { name: /Selected figure/ })).toBeVisible();
  await axeClean(anna, 'selected figure on a phone');
  await screenshot(anna, 'chosen-390-light-en');
});
