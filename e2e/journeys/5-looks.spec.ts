/** Pages in every language, light and dark, phone and desk: no console error, axe clean, a picture to be looked at. */
import { axeClean, DESK, expect, PHONE, picture, signIn, test } from '../journey.ts';
import { inRoom, knockByLink, openField } from './people.ts';

// Colours do not depend on words: both schemes in two languages, one in the others.
const LOOKS = [
  ['en', 'light'],
  ['en', 'dark'],
  ['de', 'light'],
  ['de', 'dark'],
  ['hu', 'light'],
  ['ro', 'dark'],
] as const;
for (const [language, scheme] of LOOKS) {
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
        // Names come from the words and colours from the scheme; what a phone arranges otherwise is the same in all
        // languages.
        if (page === desk.page || language === 'en')
          await axeClean(page, `${path} ${language} ${scheme} ${size(page)}`);
        await picture(page, `${name}-${size(page)}-${scheme}-${language}`);
        // Nothing wider than the screen.
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} fits`)
          .toBe(true);
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
    await picture(desk.page, `dashboard-1440-${scheme}-${language}`);
    await openField(desk.page);
    await axeClean(desk.page, `room ${language} ${scheme}`);
    await picture(desk.page, `room-1440-${scheme}-${language}`);
  });
}

test('dark and light switch at once without reload', async ({ visit }) => {
  const { page } = await visit(DESK);
  await signIn(page);
  await page.goto('/app/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Anna');
  await page.evaluate(() => {
    (window as unknown as { stays: boolean }).stays = true;
  });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page
    .getByRole('button', { name: /Dark|dark/ })
    .first()
    .click();
  await expect.poll(ground).not.toBe(light);
  expect(await page.evaluate(() => (window as unknown as { stays?: boolean }).stays)).toBe(true);
});

test('the room works on the therapist’s phone', async ({ visit }) => {
  const anna = (await visit(PHONE)).page;
  await signIn(anna);
  await openField(anna);
  await axeClean(anna, 'room on a phone');
  await picture(anna, 'room-390-light-en');
  const hanna = (await visit(PHONE)).page;
  await knockByLink(hanna, 'Hanna');
  await anna.getByRole('button', { name: 'People, 1 waiting' }).click();
  await axeClean(anna, 'people on a phone');
  await picture(anna, 'people-390-light-en');
  await anna.getByRole('button', { name: 'Let in Hanna' }).click();
  await inRoom(hanna);
  await anna.getByRole('button', { name: 'Close the list of people' }).first().click();
  await anna.getByRole('button', { name: 'Add', exact: true }).click();
  await picture(anna, 'add-390-light-en');
  await anna.getByRole('button', { name: 'Star: add star' }).click();
  await expect(anna.getByRole('region', { name: /Selected figure/ })).toBeVisible();
  await axeClean(anna, 'chosen figure on a phone');
  await picture(anna, 'chosen-390-light-en');
});
