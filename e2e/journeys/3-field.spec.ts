/** Journeys 4 and 5: figures, roles, undo, pointer, keys, own icons; everybody sees each act. */
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, picture, signIn, test, turn } from '../journey.ts';
import {
  addFigure,
  centerOf,
  dragBy,
  expectAllInView,
  figure,
  giveRole,
  inRoom,
  knockByLink,
  letIn,
  openField,
  outOfView,
  storedField,
} from './people.ts';

const KINDS = [
  ['male figure', 'Father', 'MALE_FIGURE'],
  ['female figure', 'Aunt', 'FEMALE_FIGURE'],
  ['male square', 'Work', 'MALE_SQUARE'],
  ['female circle', 'Cousin', 'FEMALE_CIRCLE'],
  ['star', 'Wish', 'STAR'],
  ['kiwi', 'Home', 'KIWI'],
  ['bat', 'Worry', 'BAT'],
] as const;

test('the therapist arranges figures of all kinds and the clients see each act', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const hanna = (await visit(PHONE)).page;
  await knockByLink(hanna, 'Hanna');
  await letIn(anna, 'Hanna');
  await inRoom(hanna);

  for (const [kind, name, type] of KINDS) {
    const before = (await storedField(anna)).length;
    await anna.getByRole('button', { name: new RegExp(`: add ${kind}$`) }).click();
    await expect.poll(async () => (await storedField(anna)).length).toBe(before + 1);
    const input = anna.getByRole('textbox', { name: 'Name', exact: true });
    await expect(input).toBeFocused();
    await input.fill(`New ${name}`);
    await input.press('Enter');
    await expect(figure(hanna, `New ${name}`)).toBeVisible();
    expect((await storedField(anna)).find((entry) => entry.name === `New ${name}`)?.iconType).toBe(type);
  }
  await axeClean(anna, 'chosen figure');
  await picture(anna, 'room-chosen-1440-light-en');

  // Turn, scale, recolour, shape, order, text: by the bar.
  await figure(anna, 'New Father').click();
  const bar = anna.getByRole('region', { name: /Selected figure: New Father/ });
  await bar.getByRole('button', { name: 'Rotate right' }).click();
  await bar.getByRole('button', { name: 'Larger' }).click();
  await bar.getByRole('button', { name: 'Colour' }).click();
  await anna.getByRole('radio', { name: 'Brick' }).click();
  await anna.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Change shape' }).click();
  await bar.getByRole('button', { name: 'Order' }).click();
  await anna.getByRole('menuitem', { name: 'Send to back' }).click();
  await expect
    .poll(async () => {
      const father = (await storedField(hanna)).find((entry) => entry.name === 'New Father');
      return (
        father && { rotation: father.rotation, scale: father.scale, color: father.color, iconType: father.iconType }
      );
    })
    .toEqual({ rotation: 15, scale: 1.1, color: '#953300', iconType: 'MALE_SQUARE' });
  await bar.getByRole('button', { name: 'Hide name' }).click();
  await expect
    .poll(async () => (await storedField(hanna)).find((entry) => entry.name === 'New Father')?.showText)
    .toBe(false);

  // All texts at once.
  await anna.getByRole('button', { name: 'Names: hide all' }).click();
  await expect.poll(async () => (await storedField(hanna)).some((entry) => entry.showText)).toBe(false);
  await anna.getByRole('button', { name: 'Names: show all' }).click();
  await expect.poll(async () => (await storedField(hanna)).every((entry) => entry.showText)).toBe(true);

  // A role: the client is told and moves the figure; the therapist sees it.
  await giveRole(anna, 'Hanna', 'New Cousin');
  await expect(hanna.getByTestId('own-role')).toHaveText('New Cousin');
  const before = (await storedField(anna)).find((entry) => entry.name === 'New Cousin');
  await dragBy(hanna, 'New Cousin', 40, 60);
  await expect
    .poll(async () => (await storedField(anna)).find((entry) => entry.name === 'New Cousin')?.y)
    .toBeGreaterThan((before?.y ?? 0) + 20);
  await picture(hanna, 'client-role-390-light-en');

  // Undo and redo of one's own act.
  await hanna.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(async () => (await storedField(anna)).find((entry) => entry.name === 'New Cousin')?.y)
    .toBe(before?.y);
  await hanna.getByRole('button', { name: 'Redo' }).click();
  await expect
    .poll(async () => (await storedField(anna)).find((entry) => entry.name === 'New Cousin')?.y)
    .not.toBe(before?.y);

  // A figure that is not hers does not move.
  const father = (await storedField(anna)).find((entry) => entry.name === 'New Father');
  await dragBy(hanna, 'New Father', 50, 50);
  expect((await storedField(anna)).find((entry) => entry.name === 'New Father')).toEqual(father);

  // One switch stops all hands.
  const hands = anna.getByRole('switch', { name: 'Clients can move figures' });
  await turn(hands, false);
  await expect(hanna.getByText('Anna has paused moving figures.')).toBeVisible();
  const still = (await storedField(anna)).find((entry) => entry.name === 'New Cousin');
  await dragBy(hanna, 'New Cousin', -30, -30);
  expect((await storedField(anna)).find((entry) => entry.name === 'New Cousin')).toEqual(still);
  await turn(hands, true);

  // Keys: arrows move, brackets turn, plus sizes; one act when the hand rests.
  await figure(anna, 'New Home').focus();
  const home = (await storedField(anna)).find((entry) => entry.name === 'New Home');
  await anna.keyboard.press('ArrowRight');
  await anna.keyboard.press('Shift+ArrowRight');
  await anna.keyboard.press(']');
  await anna.keyboard.press('+');
  await expect
    .poll(async () => {
      const now = (await storedField(hanna)).find((entry) => entry.name === 'New Home');
      return now && home && { dx: now.x - home.x, turned: now.rotation, scale: now.scale };
    })
    .toEqual({ dx: 60, turned: 15, scale: 1.1 });

  // The pointer on M.
  await anna.mouse.move(700, 500);
  await anna.keyboard.press('m');
  await expect(anna.getByRole('button', { name: 'Point' })).toHaveAttribute('aria-pressed', 'true');
  // A place that is told once can be told before the other page hears of such things.
  await expect(async () => {
    await anna.mouse.move(720, 520);
    await anna.mouse.move(725, 525);
    await expect(hanna.getByTestId('field').getByText('Anna', { exact: true })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await anna.keyboard.press('m');
  await expect(hanna.getByTestId('field').getByText('Anna', { exact: true })).toHaveCount(0);

  // Remove, and reset with its question and undo.
  await figure(anna, 'New Worry').click();
  await anna
    .getByRole('region', { name: /Selected figure/ })
    .getByRole('button', { name: 'Remove', exact: true })
    .click();
  await anna.getByRole('button', { name: 'Yes, remove' }).click();
  await expect(figure(hanna, 'New Worry')).toHaveCount(0);
  const moved = await storedField(anna);
  await anna.getByRole('button', { name: 'More', exact: true }).click();
  await anna.getByRole('menuitem', { name: 'Reset field' }).click();
  await axeClean(anna, 'reset question');
  await anna.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect.poll(async () => (await storedField(anna)).find((entry) => entry.name === 'New Home')?.x).toBe(home?.x);
  await expect(hanna.getByText('You’re watching')).toBeVisible();
  // What Anna has not been confirmed yet she could not take back: it would be the act before.
  await expect(
    anna.getByRole('complementary', { name: 'People' }).getByText('Watching', { exact: true }),
  ).toBeVisible();
  await anna.getByRole('navigation', { name: 'Add and arrange' }).getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(async () =>
      (await storedField(anna)).map(({ name, x, y, rotation, scale }) => ({ name, x, y, rotation, scale })),
    )
    .toEqual(moved.map(({ name, x, y, rotation, scale }) => ({ name, x, y, rotation, scale })));
  await expect(hanna.getByTestId('own-role')).toHaveText('New Cousin');
});

test('pan, zoom and fit', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const percent = anna.getByTestId('field').locator('output');
  const fitted = (await percent.textContent()) ?? '';
  await anna.getByRole('button', { name: 'Zoom in' }).click();
  await expect(percent).not.toHaveText(fitted);
  const before = await centerOf(anna, 'Mother');
  await anna.mouse.move(1000, 760);
  await anna.mouse.down();
  await anna.mouse.move(940, 700, { steps: 5 });
  await anna.mouse.up();
  await expect.poll(async () => (await centerOf(anna, 'Mother')).x).not.toBe(before.x);
  await anna.getByRole('button', { name: 'Fit' }).click();
  await expect(percent).toHaveText(fitted);
});

test('every figure with its name is in view at first, by Fit, in another window, and wherever somebody drags it', async ({
  visit,
}) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  await addFigure(anna, 'star', 'The grandmother from the far village');
  const dragTo = async (page: Page, name: string, x: number, y: number) => {
    const at = await centerOf(page, name);
    await dragBy(page, name, x - at.x, y - at.y);
  };
  await dragTo(anna, 'The grandmother from the far village', 100, 400);
  await expectAllInView(anna);
  const hanna = (await visit(PHONE)).page;
  await knockByLink(hanna, 'Hanna');
  await letIn(anna, 'Hanna');
  await inRoom(hanna);
  await expectAllInView(hanna);
  await picture(hanna, 'client-first-view-390-light-en');

  // A phone can't take a figure where others lose sight of it, and what a desk moves stays in the phone's view.
  await giveRole(anna, 'Hanna', 'Father');
  await expect(hanna.getByTestId('own-role')).toHaveText('Father');
  await dragTo(hanna, 'Father', 300, 760);
  await dragTo(anna, 'Mother', 100, 70);
  for (const page of [anna, hanna]) await expectAllInView(page);

  await anna.setViewportSize({ width: 1000, height: 640 });
  await hanna.setViewportSize({ width: 320, height: 640 });
  for (const page of [anna, hanna]) await expectAllInView(page);
  await anna.getByRole('button', { name: 'Zoom in' }).click();
  await anna.getByRole('button', { name: 'Zoom in' }).click();
  await expect(async () => expect(await outOfView(anna)).not.toEqual([])).toPass();
  await anna.getByRole('button', { name: 'Fit' }).click();
  await expectAllInView(anna);
  await picture(anna, 'room-fit-1000-light-en');
});

test('an own icon put on the field has the same size for somebody who was inside before the upload', async ({
  visit,
}) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  const hanna = (await visit(DESK)).page;
  await knockByLink(hanna, 'Hanna');
  await letIn(anna, 'Hanna');
  await inRoom(hanna);
  await anna.getByRole('button', { name: 'My icons' }).click();
  await anna.getByTestId('icon-file').setInputFiles({
    name: 'Tower.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8mm" height="20mm" viewBox="0 0 8 20"><path d="M0 20V4L4 0l4 4v16z" fill="#953300"/></svg>',
    ),
  });
  await expect(anna.getByText('“Tower” has been saved.')).toBeVisible();
  await anna.getByRole('button', { name: 'Put on the field: Tower' }).click();
  const sizeOf = (page: Page) =>
    page
      .getByTestId('field')
      .locator('image[href^="blob:"]')
      .evaluate((image) => [image.getAttribute('width'), image.getAttribute('height')]);
  await expect(figure(hanna, 'Tower')).toBeVisible();
  // 20 mm are more than the box of 50 px, so it is 20 px wide: taller than wide, and not the square of 30.
  await expect
    .poll(async () => {
      const [width, height] = (await sizeOf(anna)).map(Number);
      return Number(height) / Number(width);
    })
    .toBeCloseTo(2.5, 1);
  await expect.poll(() => sizeOf(hanna)).toEqual(await sizeOf(anna));
});

test('the therapist uploads an own icon, uses it and deletes it; a drawing with a script is refused', async ({
  visit,
}) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  await anna.getByRole('button', { name: 'My icons' }).click();
  await axeClean(anna, 'my icons, empty');
  await picture(anna, 'icons-empty-1440-light-en');
  await anna.getByTestId('icon-file').setInputFiles({
    name: 'evil.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><script>alert(1)</script><rect width="5" height="5"/></svg>',
    ),
  });
  await expect(anna.getByText(/parts that aren’t allowed/)).toBeVisible();
  await anna.getByTestId('icon-file').setInputFiles({
    name: 'House.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="20mm" height="10mm" viewBox="0 0 20 10"><path d="M0 10V4L10 0l10 4v6z" fill="#953300"/></svg>',
    ),
  });
  await expect(anna.getByText('“House” has been saved.')).toBeVisible();
  await axeClean(anna, 'my icons');
  await anna.getByRole('button', { name: 'Put on the field: House' }).click();
  await expect(figure(anna, 'House')).toBeVisible();
  await expect(anna.getByTestId('field').locator('image[href^="blob:"]')).toHaveCount(1);

  await anna.getByRole('button', { name: 'My icons' }).click();
  await anna.getByRole('button', { name: 'Delete House' }).click();
  await anna.getByRole('button', { name: 'Delete?' }).click();
  await expect(anna.getByText(/still used by a figure/)).toBeVisible();
  await anna.keyboard.press('Escape');
  await figure(anna, 'House').click();
  await anna
    .getByRole('region', { name: /Selected figure/ })
    .getByRole('button', { name: 'Remove', exact: true })
    .click();
  await anna.getByRole('button', { name: 'Yes, remove' }).click();
  await expect(figure(anna, 'House')).toHaveCount(0);
  await anna.getByRole('button', { name: 'My icons' }).click();
  await anna.getByRole('button', { name: 'Delete House' }).click();
  await anna.getByRole('button', { name: 'Delete?' }).click();
  await expect(anna.getByText('“House” has been deleted.')).toBeVisible();
  await expect(anna.getByText('No icons of your own yet')).toBeVisible();
});

test('a figure is moved by touch', async ({ visit }) => {
  const anna = (await visit(DESK)).page;
  await signIn(anna);
  await openField(anna);
  await addFigure(anna, 'star', 'Touched');
  const hanna = (await visit(PHONE)).page;
  await knockByLink(hanna, 'Tap');
  await letIn(anna, 'Tap');
  await inRoom(hanna);
  await giveRole(anna, 'Tap', 'Touched');
  await expect(hanna.getByTestId('own-role')).toHaveText('Touched');
  const before = (await storedField(anna)).find((entry) => entry.name === 'Touched');
  const from = await centerOf(hanna, 'Touched');
  const touch = await hanna.context().newCDPSession(hanna);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (let step = 1; step <= 6; step += 1)
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x: from.x + step * 8, y: from.y + step * 6 }],
    });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect
    .poll(async () => (await storedField(anna)).find((entry) => entry.name === 'Touched')?.x)
    .toBeGreaterThan((before?.x ?? 0) + 50);
});
