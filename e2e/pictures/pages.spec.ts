/** The pages outside the room: a therapist's, and those of a client who books (docs/product.md#9). */
import { DESK, expect, signIn, test } from '../journey.ts';
import { cameraOf, LOOKS, textsOf } from './camera.ts';

/** A therapist's pages, by the name of their pictures. */
const PAGES = {
  dashboard: 'dashboard',
  events: 'manage-events-client',
  program: 'program',
  history: 'history',
  subscription: 'subscription',
  profile: 'profile',
  design: 'template',
  help: 'welcome',
  support: 'support',
} as const;

for (const look of LOOKS) {
  const options = { ...DESK, colorScheme: look.scheme };
  const say = textsOf(look);

  test(`a therapist’s pages, ${look.scheme}, ${look.language}`, async ({ visit }) => {
    const { page } = await visit(options);
    await signIn(page);
    await page.evaluate((code) => localStorage.setItem('language', code), look.language);
    const take = cameraOf(page, 'therapist', look);
    for (const [state, path] of Object.entries(PAGES)) {
      await page.goto(`/app/${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await take(state, { whole: true });
    }

    await test.step('my events', async () => {
      await page.goto(`/app/${PAGES.events}`);
      const more = page.locator('main li button[aria-haspopup=menu]').first();
      const choose = async (entry: string) => {
        await more.click();
        await page.getByRole('menuitem', { name: say('my-events', `list.${entry}`), exact: true }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
      };
      const close = async () => {
        await page.getByRole('dialog').locator('.mantine-Modal-close').click();
        await expect(page.getByRole('dialog')).toHaveCount(0);
      };
      await take('dates', {
        open: async () => {
          await page.getByRole('button', { name: say('my-events', 'filter.anyDate') }).click();
          await expect(page.getByRole('dialog')).toBeVisible();
        },
        close: async () => {
          await page.keyboard.press('Escape');
          await expect(page.getByRole('dialog')).toHaveCount(0);
        },
      });
      // Nobody is booked for the first one.
      await page
        .getByRole('button', { name: new RegExp(`^${say('my-events', 'list.participantsOf', { name: '' })}`) })
        .nth(1)
        .click();
      await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
      await take('participants');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      for (const entry of ['edit', 'cancel']) {
        await choose(entry);
        await take(`event-${entry}`);
        await close();
      }
      await page.getByText(say('my-events', 'list.asCalendar'), { exact: true }).click();
      await take('calendar', { whole: true });
    });
  });

  test(`a client’s pages, ${look.scheme}, ${look.language}`, async ({ visit }) => {
    const { page } = await visit({ ...options, locale: look.language === 'de' ? 'de-DE' : 'en-GB' });
    const take = cameraOf(page, 'client', look);
    for (const [state, path] of [
      ['sign-in', '/user/login'],
      ['register', '/user/register'],
      ['imprint', '/user/imprint'],
      ['code', '/user/code'],
      ['therapist', '/event/anna'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await take(state, { whole: true });
    }
    await page.locator('main a[href*="/event/anna/"]').first().click();
    const book = page.getByRole('button', { name: say('booking', 'card.book') }).first();
    await expect(book).toBeVisible();
    await take('event', { whole: true });
    await book.click();
    const dialog = page.getByRole('dialog', { name: say('booking', 'finalize.title') });
    await dialog.getByRole('button', { name: say('booking', 'finalize.save') }).click();
    await take('book-faults');
    for (const [field, text] of [
      ['firstName', 'Hanna'],
      ['familyName', 'Köhl'],
      ['email', 'hanna.k@mail.example'],
      ['phone', '+43 660 000 551'],
    ] as const)
      await dialog.getByLabel(say('booking', `finalize.${field}`)).fill(text);
    await take('book');
    await dialog.getByRole('button', { name: say('booking', 'finalize.save') }).click();
    await expect(page.getByRole('heading', { level: 1, name: say('booking', 'held.held.title') })).toBeVisible();
    await take('held', { whole: true });
  });
}
