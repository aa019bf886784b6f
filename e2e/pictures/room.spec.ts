/** Every state of the room without video: the therapist's, and a client's way through it (docs/product.md#11.9). */
import { OBSERVER_WORD_SECONDS } from '@fieldroom/contract/observerWords';
import type { Page } from '@playwright/test';
import { DESK, expect, test, toggle } from '../journey.ts';
import { holdTimers, keepNews } from '../journeys/news.ts';
import { admit, figure, giveRole, knockByLink, openRoom } from '../journeys/people.ts';
import { cameraOf, hasDrawer, isPhone, LOOKS, speak, textsOf } from './camera.ts';

const escape = async (page: Page) => {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};
const closeMenu = async (page: Page) => {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
};

for (const look of LOOKS) {
  const options = { ...DESK, colorScheme: look.scheme };
  const say = textsOf(look);

  test(`the therapist’s room, ${look.scheme}, ${look.language}`, async ({ visit }) => {
    const anna = await openRoom(visit, options);
    await admit(visit, anna, { name: 'Hanna' });
    await giveRole(anna, 'Hanna', 'Mother');
    await admit(visit, anna, { name: 'Jonas' });
    await speak(anna, look);
    await keepNews(anna);
    const take = cameraOf(anna, 'therapist', look);
    const button = (name: string) => anna.getByRole('button', { name, exact: true });
    const dialog = (name: string) => anna.getByRole('dialog', { name });
    await take('room');

    await test.step('dialogs of the field', async () => {
      for (const [state, entry, title] of [
        ['constellations', say('field', 'rail.constellations'), say('constellations', 'title')],
        ['picture', say('field', 'rail.picture'), say('picture', 'title')],
        ['reset', say('field', 'rail.reset'), say('field', 'reset.title')],
        ['keys', say('field', 'rail.keys'), say('field', 'keys.title')],
      ] as const) {
        await button(say('field', 'rail.more')).click();
        await anna.getByRole('menuitem', { name: entry, exact: true }).click();
        await expect(dialog(title)).toBeVisible();
        await take(state);
        await escape(anna);
      }
    });

    await test.step('moments', async () => {
      await button(say('moments', 'keep.button')).click();
      await button(say('moments', 'heading')).click();
      const strip = anna.getByRole('region', { name: say('moments', 'heading'), exact: true });
      await expect(anna.locator('[data-moment]')).toHaveCount(1);
      await take('moments');
      for (const state of ['compare', 'replay'] as const) {
        await strip.getByRole('button', { name: say('moments', `${state}.open`), exact: true }).click();
        await expect(dialog(say('moments', `${state}.title`))).toBeVisible();
        await take(state);
        await escape(anna);
      }
      await strip.getByRole('button', { name: say('moments', 'close') }).click();
      await expect(strip).toHaveCount(0);
    });

    await test.step('a figure, its relations and its sight', async () => {
      await figure(anna, 'Mother').focus();
      await anna.keyboard.press('Enter');
      await take('selected');
      await button(say('field', 'bar.relations')).click();
      await expect(dialog(say('relations', 'title', { name: 'Mother' }))).toBeVisible();
      await take('relations');
      await escape(anna);
      await button(say('field', 'bar.look')).click();
      await expect(anna.locator('[data-room=sight]')).toBeVisible();
      await take('sight');
      await button(say('field', 'bar.look')).click();
      await expect(anna.locator('[data-room=sight]')).toHaveCount(0);
      await button(say('field', 'bar.close')).click();
    });

    await test.step('people who wait, drawers, messages, the end', async () => {
      for (const name of ['Mirela', 'Karim']) await knockByLink((await visit()).page, name);
      await expect(button(say('room', 'people.letBothIn'))).toBeVisible();
      await take('waiting');
      await take('people', {
        where: hasDrawer,
        open: async () => {
          await anna.locator(`[data-room=top] [aria-label^="${say('room', 'top.people')}"]`).click();
          await expect(dialog(say('room', 'people.heading'))).toBeAttached();
        },
        close: () => escape(anna),
      });
      await take('add', {
        where: isPhone,
        open: async () => {
          await button(say('field', 'rail.addTitle')).click();
          await expect(dialog(say('field', 'rail.label'))).toBeAttached();
        },
        close: () => escape(anna),
      });
      await take('more', {
        where: isPhone,
        open: async () => {
          await anna.locator('[data-room=more]').click();
          await expect(anna.getByRole('menu')).toBeVisible();
        },
        close: () => closeMenu(anna),
      });
      await button(say('messages', 'heading')).click();
      const messages = anna.getByRole('complementary', { name: say('messages', 'heading') });
      await expect(messages).toBeVisible();
      await take('messages');
      await messages.getByRole('button', { name: say('messages', 'close') }).click();
      await expect(messages).toHaveCount(0);
      await button(say('room', 'end.button')).click();
      await expect(dialog(say('room', 'end.title'))).toBeVisible();
      await take('end');
    });
  });

  test(`a client’s way, ${look.scheme}, ${look.language}`, async ({ visit }) => {
    const anna = await openRoom(visit);

    await test.step('the join form, the waiting room, the goodbye', async () => {
      const locale = look.language === 'de' ? 'de-DE' : 'en-GB';
      const { page } = await visit({ ...options, locale });
      const take = cameraOf(page, 'client', look);
      await page.goto('/user/join/anna');
      await page.getByLabel(say('join', 'join.name')).fill('Hanna');
      await take('join');
      await page.getByRole('button', { name: say('join', 'join.submit') }).click();
      await expect(page.getByRole('heading', { name: say('join', 'waiting.title', { name: 'Hanna' }) })).toBeVisible();
      await take('waiting');
      await page.getByRole('button', { name: say('join', 'waiting.leave') }).click();
      await expect(page.getByRole('heading', { name: say('join', 'bye.stayedOut.title') })).toBeVisible();
      await take('bye');
    });

    const jonas = await admit(visit, anna, { name: 'Jonas', options });
    const { page } = jonas;
    await speak(page, look);
    await keepNews(page);
    await holdTimers(page, OBSERVER_WORD_SECONDS * 1000);
    const take = cameraOf(page, 'client', look);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await take('watching');

    await test.step('the question for a word, and what is said', async () => {
      await toggle(anna.getByRole('switch', { name: 'Ask for a word' }), true);
      await expect(page.getByRole('form')).toBeVisible();
      await take('question');
      await button(say('observerWords', 'word.warm')).click();
      await expect(page.getByRole('form')).toHaveCount(0);
      await take('words');
      await toggle(anna.getByRole('switch', { name: 'Ask for a word' }), false);
    });

    await test.step('a role, more, messages, leaving', async () => {
      await giveRole(anna, 'Jonas', 'Mother');
      await expect(page.getByTestId('own-role')).toHaveText('Mother');
      await take('role');
      await take('my-figure', {
        where: isPhone,
        open: () => button(say('field', 'zoom.own')).click(),
        close: () => button(say('field', 'zoom.whole')).click(),
      });
      await take('more', {
        where: isPhone,
        open: async () => {
          await page.locator('[data-room=more]').click();
          await expect(page.getByRole('menu')).toBeVisible();
        },
        close: () => closeMenu(page),
      });
      await button(say('messages', 'heading')).click();
      const messages = page.getByRole('complementary', { name: say('messages', 'heading') });
      await expect(messages).toBeVisible();
      await take('messages');
      await messages.getByRole('button', { name: say('messages', 'close') }).click();
      await expect(messages).toHaveCount(0);
      await button(say('room', 'client.leave')).click();
      await expect(page.getByRole('dialog', { name: say('room', 'client.leaveTitle') })).toBeVisible();
      await take('leave');
      await escape(page);
    });

    await test.step('a lost connection, a therapist who is away', async () => {
      await jonas.offline(true);
      await expect(page.getByText(say('room', 'connection.offline'))).toBeVisible();
      await take('offline');
      await jonas.offline(false);
      await expect(page.getByText(say('room', 'connection.offline'))).toHaveCount(0);
      await anna.close();
      await expect(page.getByText(say('room', 'connection.therapistAway', { name: 'Anna' }))).toBeVisible();
      await take('therapist-away');
    });
  });
}
