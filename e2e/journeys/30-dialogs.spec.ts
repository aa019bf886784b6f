/** The sizes of dialogs (docs/product.md#11.10): fixed widths on a desk, the whole screen on a phone. */
import type { Locator, Page } from '@playwright/test';
import { DESK, expect, signIn, test } from '../journey.ts';
import { eventMenu } from './events.ts';

const NAME = 'An evening of constellations';

/** What a dialog takes of the screen, in px, once it stands still. */
async function sizeOf(dialog: Locator): Promise<{ width: number; height: number }> {
  await expect(dialog).toBeVisible();
  let before = '';
  // Transitions of the library end by themselves; two equal measures in a row say that they have.
  await expect
    .poll(async () => {
      const now = JSON.stringify(await dialog.boundingBox());
      const still = now === before;
      before = now;
      return still;
    })
    .toBe(true);
  const { width, height } = JSON.parse(before) as { width: number; height: number };
  return { width: Math.round(width), height: Math.round(height) };
}

async function eachDialog(page: Page, check: (dialog: Locator, width: number) => Promise<void>): Promise<void> {
  await page.goto('/app/manage-events-client');
  await page.getByLabel('Name or place').fill(NAME);
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
  if (await list.isVisible()) await list.getByRole('button', { name: 'Close' }).click();
  await eventMenu(page, NAME, 'Cancel event');
  const cancel = page.getByRole('dialog', { name: 'Cancel event' });
  await check(cancel, 700);
  await cancel.getByRole('button', { name: 'Close' }).click();
}

test('11.10 dialogs have their widths on a desk, and 900 px of height at most', async ({ visit }) => {
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
