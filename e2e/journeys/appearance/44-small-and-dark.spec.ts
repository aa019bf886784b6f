/**
 * The room's tools in the smallest window and in dark mode (docs/product.md#11.3, #11.72): each drawer, dialog and
 * strip violates no rule of axe, and none of its buttons is cut off.
 */
import type { Page } from '@playwright/test';
import { axeClean, cutOff, expect, resize, screenshot, test, toggle } from '../../journey.ts';
import { keepNews } from '../news.ts';
import { admit, figure, giveRole, knockByLink, openRoom } from '../people.ts';

const DARK = { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' } as const;

/**
 * Asserts that the page is fully visible and accessible. `within`: the part whose tools count, and for a dialog the
 * only part that axe analyses.
 */
async function expectSound(page: Page, what: string, within: string): Promise<void> {
  await axeClean(page, `${what}, 320 px, dark`, within === '[role=dialog]' ? within : undefined);
  await expect.poll(() => cutOff(page, within), `cut off: ${what}`).toEqual([]);
  await screenshot(page, `small-${what.replaceAll(' ', '-')}-320-dark-de`);
}
const escape = async (page: Page) => {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};
/** German words are long. The journeys' shared steps are in English, so the language changes after them. */
async function inGerman(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.setItem('language', 'de'));
  await page.reload();
  await expect(figure(page, 'Mother')).toBeVisible();
}

test('11.3, 11.72: at 320 px, in dark German, the therapist’s tools are fully visible', async ({ visit }) => {
  const anna = await openRoom(visit, DARK);
  await admit(visit, anna, { name: 'Hanna' });
  await giveRole(anna, 'Hanna', 'Mother');
  const jonas = await admit(visit, anna, { name: 'Jonas' });
  await knockByLink((await visit()).page, 'Mirela');
  await inGerman(anna);
  await keepNews(anna);
  await resize(anna, 320, 640);
  const dialog = (name: string | RegExp) => anna.getByRole('dialog', { name });
  const add = () => anna.getByRole('button', { name: 'Hinzufügen', exact: true }).click();
  const more = async (item: string) => {
    await anna.getByRole('button', { name: 'Mehr', exact: true }).click();
    await anna.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const fromDrawer = async (item: string) => {
    await add();
    await dialog('Hinzufügen und ordnen').getByRole('button', { name: 'Mehr', exact: true }).click();
    await anna.getByRole('menuitem', { name: item, exact: true }).click();
  };

  await test.step('the drawers, with somebody whose connection is lost', async () => {
    await jonas.offline(true);
    await anna.getByRole('button', { name: /^Personen/ }).click();
    await expect(dialog('Personen').getByText(/^Verbindung verloren/)).toBeVisible();
    await expectSound(anna, 'people', '[data-room=therapist]');
    await escape(anna);
    await jonas.offline(false);
    await add();
    await expect(dialog('Hinzufügen und ordnen')).toBeAttached();
    await expectSound(anna, 'add', '[data-room=therapist]');
    await escape(anna);
  });

  await test.step('constellations, picture, keys', async () => {
    await fromDrawer('Vorbereitete Aufstellungen');
    await expect(dialog('Vorbereitete Aufstellungen').getByRole('listitem')).toHaveCount(2);
    // 11.61: a dialog hides the room.
    const letIn = dialog('Vorbereitete Aufstellungen').getByRole('button', { name: 'Mirela einlassen' });
    await expect(letIn).toBeInViewport({ ratio: 1 });
    await dialog('Vorbereitete Aufstellungen').getByRole('button', { name: 'Laden: A choice', exact: true }).click();
    await expect(anna.getByRole('button', { name: 'Ja, laden' })).toBeVisible();
    await expectSound(anna, 'constellations', '[role=dialog]');
    await escape(anna);
    for (const [item, title] of [
      ['Als Bild speichern', 'Das Feld als Bild speichern'],
      ['Tasten und Gesten', 'Tasten und Gesten'],
    ] as const) {
      await fromDrawer(item);
      await expect(dialog(title)).toBeVisible();
      await expectSound(anna, title, '[role=dialog]');
      await escape(anna);
    }
  });

  await test.step('moments, compared and looked back at', async () => {
    await more('Moment festhalten');
    await more('Momente');
    const strip = anna.getByRole('region', { name: 'Momente', exact: true });
    await expect(anna.locator('[data-moment]')).toHaveCount(1);
    await expectSound(anna, 'moments', '[data-room=moments]');
    for (const [button, title] of [
      ['Vergleichen', 'Zwei Momente vergleichen'],
      ['Rückblick', 'Rückblick'],
    ] as const) {
      await strip.getByRole('button', { name: button, exact: true }).click();
      await expect(dialog(title)).toBeVisible();
      await expectSound(anna, title, '[role=dialog]');
      await escape(anna);
    }
    await strip.getByRole('button', { name: 'Momente schließen' }).click();
    await expect(strip).toHaveCount(0);
  });

  await test.step('relations, and looking from a figure', async () => {
    const bar = anna.getByRole('region', { name: /^Ausgewählte Figur/ });
    await figure(anna, 'Mother').focus();
    await anna.keyboard.press('Enter');
    await expectSound(anna, 'selected', '[data-room=therapist]');
    await bar.getByRole('button', { name: 'Mehr', exact: true }).click();
    await anna.getByRole('button', { name: 'Beziehungen', exact: true }).click();
    await expect(dialog('Beziehungen von Mother')).toBeVisible();
    await expectSound(anna, 'relations', '[role=dialog]');
    await escape(anna);
    await bar.getByRole('button', { name: 'Mehr', exact: true }).click();
    await anna.getByRole('button', { name: 'Von hier schauen', exact: true }).click();
    await expect(anna.getByRole('region', { name: 'Von hier sieht Mother' }).getByRole('list')).toBeVisible();
    await expectSound(anna, 'sight', '[data-room=sight]');
  });
});

test('11.3, 11.72: at 320 px, in dark German, a client’s tools are fully visible', async ({ visit }) => {
  const anna = await openRoom(visit);
  const { page: jonas } = await admit(visit, anna, { name: 'Jonas', options: DARK });
  await inGerman(jonas);
  await resize(jonas, 320, 640);
  await toggle(anna.getByRole('switch', { name: 'Ask for a word' }), true);
  await expect(jonas.getByRole('form', { name: /Wie geht es Ihnen gerade/ })).toBeVisible();
  await expectSound(jonas, 'question', '[data-room=client]');
  await jonas.getByRole('button', { name: 'Jetzt nicht' }).click();
  await jonas.getByRole('button', { name: 'Verlassen', exact: true }).click();
  await expect(jonas.getByRole('dialog', { name: 'Den Raum verlassen?' })).toBeVisible();
  await expectSound(jonas, 'leaving', '[role=dialog]');
});
