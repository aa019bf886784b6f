/**
 * Prepared constellations and the whole field: save, change, load, undo, rename, replace, delete; empty and undo; reset
 * with shared start places. What both people see is compared figure by figure.
 */
import type { Locator, Page } from '@playwright/test';
import { axeClean, expect, PHONE, screenshot, signIn, test } from '../../journey.ts';
import { slowLine } from '../network-faults.ts';
import { keepNews } from '../news.ts';
import {
  addFigure,
  admit,
  centerOf,
  dragBy,
  expectDrawnAsStored,
  figure,
  giveRole,
  openField,
  openRoom,
  storedField,
} from '../people.ts';

interface Drawn {
  name: string;
  kind: string;
  at: string | null;
}

/** What is drawn on a screen: each figure by its name, with position, rotation and size, in painting order. */
async function drawn(page: Page): Promise<Drawn[]> {
  return page.getByTestId('field').evaluate((field) =>
    [...field.querySelectorAll<SVGGElement>('[data-figure]')].map((element) => {
      const [name = '', kind = ''] = (element.getAttribute('aria-label') ?? '').split(', ');
      return { name, kind, at: element.getAttribute('transform') };
    }),
  );
}
/** Waits until both screens draw the same, equal to what the server has stored. Returns it. */
async function drawnAlike(anna: Page, hanna: Page): Promise<Drawn[]> {
  await expectDrawnAsStored(anna, hanna);
  const field = await drawn(anna);
  expect(await drawn(hanna)).toEqual(field);
  return field;
}
const names = (field: readonly Drawn[]) => field.map(({ name }) => name).toSorted();

async function fromMore(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
async function openConstellations(page: Page): Promise<Locator> {
  await fromMore(page, 'Prepared constellations');
  const dialog = page.getByRole('dialog', { name: 'Prepared constellations' });
  await expect(dialog.getByRole('heading', { name: 'Your constellations' })).toBeVisible();
  return dialog;
}
const undo = (page: Page) =>
  page.getByRole('navigation', { name: 'Add and arrange' }).getByRole('button', { name: 'Undo' }).click();
/** Loads over the current field, and waits until the server has done it. */
async function load(page: Page, name: string): Promise<void> {
  const dialog = await openConstellations(page);
  await dialog.getByRole('button', { name: `Load ${name}`, exact: true }).click();
  await dialog.getByRole('button', { name: 'Yes, load' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(`“${name}” is on the field.`)).toBeVisible();
}

test('save, change, load, undo, rename, replace, delete, as both people see them', async ({ visit }) => {
  const anna = await openRoom(visit);
  await keepNews(anna);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
  await giveRole(anna, 'Hanna', 'Mother');
  await expect(hanna.getByTestId('own-role')).toHaveText('Mother');
  const first = await drawnAlike(anna, hanna);
  expect(first).toHaveLength(9);

  // The demo's two, and the message for an empty name.
  let dialog = await openConstellations(anna);
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByRole('listitem').first().getByRole('img')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save the field' }).click();
  await expect(dialog.getByText('Name required')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('  Today,   at first ');
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(dialog.getByText('“Today, at first” has been saved.')).toBeVisible();
  const card = (name: string) => dialog.getByRole('listitem', { name, exact: true });
  await expect(card('Today, at first')).toContainText('9 figures');
  // It contains no roles.
  await expect(card('Today, at first')).not.toContainText('Hanna');
  await axeClean(anna, 'constellations');
  await screenshot(anna, 'constellations-1440-light-en');
  await anna.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  // The field changes, and another constellation replaces it at once.
  await addFigure(anna, 'star', 'Wish');
  await dragBy(hanna, 'Mother', -30, 40);
  await expect.poll(async () => (await storedField(anna)).find(({ name }) => name === 'Mother')?.y).not.toBe(300);
  const changed = await drawnAlike(anna, hanna);
  expect(names(changed)).toContain('Wish');
  await load(anna, 'Family of origin');
  const family = await drawnAlike(anna, hanna);
  expect(names(family)).toEqual(['Child', 'Father', 'Grandfather', 'Grandmother', 'Mother']);
  expect(family.find(({ name }) => name === 'Child')).toEqual({
    name: 'Child',
    kind: 'star',
    at: 'translate(800 720) rotate(0) scale(1.2000)',
  });
  await expect(hanna.getByText('You’re watching')).toBeVisible();
  await screenshot(hanna, 'constellation-loaded-390-light-en');
  await screenshot(anna, 'constellation-loaded-1440-light-en');

  // One step back: figures and roles.
  await anna.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(hanna.getByTestId('own-role')).toHaveText('Mother');
  expect(await drawnAlike(anna, hanna)).toEqual(changed);

  // What was saved comes back unchanged, position by position.
  await load(anna, 'Today, at first');
  expect(await drawnAlike(anna, hanna)).toEqual(first);

  // Renaming: to a name that exists in another case, then to a free one. Escape leaves the name, not the dialog.
  dialog = await openConstellations(anna);
  const rename = card('Today, at first').getByRole('button', { name: 'Rename Today, at first' });
  await rename.click();
  const newName = dialog.getByRole('textbox', { name: 'New name' });
  await newName.fill('A CHOICE');
  await newName.press('Enter');
  await expect(dialog.getByText('You already have a constellation with this name.')).toBeVisible();
  await newName.press('Escape');
  await expect(rename).toBeFocused();
  await rename.click();
  await newName.fill('Day one');
  await newName.press('Enter');
  await expect(card('Day one')).toBeVisible();
  await expect(card('Day one').getByRole('button', { name: 'Rename Day one' })).toBeFocused();

  // An existing name is replaced after a second press.
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('a choice');
  await dialog.getByRole('button', { name: 'Save the field' }).click();
  await dialog.getByRole('button', { name: 'Replace it with this field' }).click();
  await expect(card('a choice')).toContainText('9 figures');
  await expect(dialog.getByRole('listitem')).toHaveCount(3);

  // Deleting asks in place.
  await card('Day one').getByRole('button', { name: 'Delete Day one' }).click();
  await axeClean(anna, 'constellation about to be deleted');
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await card('Day one').getByRole('button', { name: 'Delete Day one' }).click();
  await dialog.getByRole('button', { name: 'Yes, delete' }).click();
  await expect(dialog.getByText('“Day one” has been deleted.')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await anna.keyboard.press('Escape');
  expect(await drawnAlike(anna, hanna)).toEqual(first);
});

test('a load based on an older field is refused, and everybody keeps the current one', async ({ visit }) => {
  const { page: anna } = await visit();
  const line = await slowLine(anna);
  await signIn(anna);
  await openField(anna);
  await keepNews(anna);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
  await giveRole(anna, 'Hanna', 'Mother');
  await expect(hanna.getByTestId('own-role')).toHaveText('Mother');
  const dialog = await openConstellations(anna);
  await dialog.getByRole('button', { name: 'Load A choice' }).click();

  // Hanna’s move is stored, and Anna’s page does not know it yet.
  line.hold();
  const before = await storedField(hanna);
  await dragBy(hanna, 'Mother', -60, 60);
  await expect.poll(async () => storedField(hanna)).not.toEqual(before);
  await dialog.getByRole('button', { name: 'Yes, load' }).click();
  await expect(dialog).toHaveCount(0);
  line.release();
  await expect(anna.getByText('The field has just changed, so nothing was loaded.')).toBeVisible();
  expect(await drawnAlike(anna, hanna)).toHaveLength(9);

  // Now that Anna has seen it, it loads.
  await load(anna, 'A choice');
  expect(names(await drawnAlike(anna, hanna))).toEqual(['Both', 'Me', 'Neither', 'The one', 'The other']);
});

test('a custom icon that was deleted since: a star replaces it, and the therapist is warned before and after', async ({
  visit,
}) => {
  const anna = await openRoom(visit);
  await keepNews(anna);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
  await anna.getByRole('button', { name: 'My icons' }).click();
  await anna.getByTestId('icon-file').setInputFiles({
    name: 'House.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><path d="M2 28V12L15 2l13 10v16z" fill="#953300"/></svg>',
    ),
  });
  await anna.getByRole('button', { name: 'Put on the field: House' }).click();
  await expect(figure(hanna, 'House')).toBeVisible();
  // Later it would take the focus from the menu that opens next.
  await expect(anna.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await anna.keyboard.press('Escape');
  const dialog = await openConstellations(anna);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('With a house');
  await dialog.getByRole('button', { name: 'Save the field' }).click();
  const card = dialog.getByRole('listitem', { name: 'With a house' });
  await expect(card).toContainText('10 figures');
  await anna.keyboard.press('Escape');

  await load(anna, 'A choice');
  await anna.getByRole('button', { name: 'My icons' }).click();
  await anna.getByRole('button', { name: 'Delete House' }).click();
  await anna.getByRole('button', { name: 'Delete?' }).click();
  await expect(anna.getByText('“House” has been deleted.')).toBeVisible();
  await anna.keyboard.press('Escape');

  await openConstellations(anna);
  await expect(card).toContainText('The icon of one figure no longer exists. A star stands in for it.');
  await card.getByRole('button', { name: 'Load With a house' }).click();
  await dialog.getByRole('button', { name: 'Yes, load' }).click();
  await expect(anna.getByText('“With a house” is on the field.')).toContainText(
    'The icon of one figure no longer exists. A star stands in for it.',
  );
  const field = await drawnAlike(anna, hanna);
  expect(field.find(({ name }) => name === 'House')?.kind).toBe('star');
  expect(field).toHaveLength(10);
});

test('emptying the field, and its undo with the roles', async ({ visit }) => {
  const anna = await openRoom(visit);
  await keepNews(anna);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
  await giveRole(anna, 'Hanna', 'Sister');
  await expect(hanna.getByTestId('own-role')).toHaveText('Sister');
  const before = await drawnAlike(anna, hanna);

  await fromMore(anna, 'Empty the field');
  await axeClean(anna, 'question before the field is emptied');
  await screenshot(anna, 'empty-question-1440-light-en');
  await anna.getByRole('button', { name: 'Leave as it is' }).click();
  await expect(anna.getByRole('dialog')).toHaveCount(0);
  expect(await drawnAlike(anna, hanna)).toEqual(before);

  await fromMore(anna, 'Empty the field');
  await anna.getByRole('button', { name: 'Empty the field', exact: true }).click();
  await expect(anna.getByText('The field is empty.', { exact: true })).toBeVisible();
  expect(await drawnAlike(anna, hanna)).toEqual([]);
  await expect(hanna.getByText('You’re watching')).toBeVisible();
  await expect(anna.getByText('Or load a prepared constellation')).toBeVisible();
  await screenshot(anna, 'empty-field-1440-light-en');

  // An empty field has nothing to save, and a load does not ask.
  const dialog = await openConstellations(anna);
  await expect(dialog.getByRole('button', { name: 'Save the field' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Load A choice' }).click();
  await expect(figure(hanna, 'Neither')).toBeVisible();
  await expect(anna.getByText('“A choice” is on the field.')).toBeVisible();
  await undo(anna);
  await expect.poll(() => drawn(hanna)).toEqual([]);
  await undo(anna);
  await expect(figure(hanna, 'Sister')).toBeVisible();
  await expect(hanna.getByTestId('own-role')).toHaveText('Sister');
  expect(await drawnAlike(anna, hanna)).toEqual(before);
});

test('a reset puts figures with the same start place beside each other, on every screen', async ({ visit }) => {
  const anna = await openRoom(visit);
  await keepNews(anna);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
  await fromMore(anna, 'Empty the field');
  await anna.getByRole('button', { name: 'Empty the field', exact: true }).click();
  await expect(anna.getByText('The field is empty.', { exact: true })).toBeVisible();
  // Each is added in the middle, which the previous one has left.
  for (const [index, name] of ['Father', 'Tree', 'Child'].entries()) {
    await addFigure(anna, 'male figure', name);
    await dragBy(anna, name, 200, -150 + 150 * index);
  }
  const starts = (await storedField(anna)) as unknown as { name: string; startX: number; startY: number }[];
  expect(new Set(starts.map(({ startX, startY }) => `${startX} ${startY}`))).toEqual(new Set(['800 500']));

  await fromMore(anna, 'Reset field');
  await anna.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(anna.getByText('The field has been reset.')).toBeVisible();
  const field = await drawnAlike(anna, hanna);
  expect(field.find(({ name }) => name === 'Father')?.at).toContain('translate(800 500)');
  // By the browser’s own layout: no figure covers another one.
  for (const page of [anna, hanna]) {
    // The boxes are read one after the other, while the view may still move to the figures.
    await centerOf(page, 'Father');
    const boxes = await Promise.all(['Father', 'Tree', 'Child'].map((name) => figure(page, name).boundingBox()));
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1)) {
        const apart =
          one!.x + one!.width <= other!.x ||
          other!.x + other!.width <= one!.x ||
          one!.y + one!.height <= other!.y ||
          other!.y + other!.height <= one!.y;
        expect(apart, `${JSON.stringify(one)} and ${JSON.stringify(other)}`).toBe(true);
      }
  }
  await screenshot(anna, 'reset-shared-1440-light-en');

  // A second reset gives the same, and undo returns every figure to its place.
  await fromMore(anna, 'Reset field');
  await anna.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(anna.getByRole('dialog')).toHaveCount(0);
  expect(await drawnAlike(anna, hanna)).toEqual(field);
});
