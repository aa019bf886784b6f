/** The sizes of dialogs (docs/product.md#11.10): fixed widths on a desktop, the whole screen on a phone. */
import type { Locator, Page } from '@playwright/test';
import { DESK, expect, signIn, test } from '../../journey.ts';
import { eventMenu, onlyEvents } from '../events.ts';

const NAME = 'An evening of constellations';

/** The part of the screen that a dialog takes, in px. */
async function sizeOf(dialog: Locator): Promise<{ width: number; height: number }> {
  const { width = 0, height = 0 } = (await dialog.boundingBox()) ?? {};
  return { width: Math.round(width), height: Math.round(height) };
}

/** Opens each dialog and checks it repeatedly until it has opened completely: it grows as it opens. */
async function eachDialog(page: Page, fits: (dialog: Locator, width: number) => Promise<void>): Promise<void> {
  const check = async (dialog: Locator, width: number) => {
    await expect(dialog).toBeVisible();
    await expect(() => fits(dialog, width)).toPass();
  };
  await page.goto('/app/manage-events-client');
  await onlyEvents(page, NAME);
  await page
    .getByRole('button', { name: `Participants: ${NAME}` })
    .first()
    .click();
  const list = page.getByRole('dialog', { name: 'Participants', exact: true });
  await check(list, 800);
  await list.getByRole('button', { name: 'Add participants' }).click();
  const adding = page.getByRole('dialog', { name: 'Add participants' });
  await check(adding, 1000);
  await page.keyboard.press('Escape');
  await expect(adding).toBeHidden();
  // The list is shown again.
  await list.getByRole('button', { name: 'Close' }).click();
  await expect(list).toBeHidden();
  await eventMenu(page, NAME, 'Cancel event');
  const cancel = page.getByRole('dialog', { name: 'Cancel event' });
  await check(cancel, 700);
  await cancel.getByRole('button', { name: 'Close' }).click();
}

test('11.10 dialogs have fixed widths on a desktop, and at most 900 px of height', async ({ visit }) => {
  const { page } = await visit({ ...DESK, viewport: { width: 1440, height: 1200 } });
  await signIn(page);
  await eachDialog(page, async (dialog, wanted) => {
    const { width, height } = await sizeOf(dialog);
    expect(width).toBe(wanted);
    expect(height).toBeLessThanOrEqual(900);
  });
});

test('11.10 dialogs fill the screen of a phone', async ({ visit }) => {
  const { page } = await visit({ viewport: { width: 390, height: 844 } });
  await signIn(page);
  await eachDialog(page, async (dialog) => expect(await sizeOf(dialog)).toEqual({ width: 390, height: 844 }));
});
