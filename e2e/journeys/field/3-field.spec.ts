/** The field: figures, roles, undo, pointer, keyboard, custom icons; everybody sees each act. */
import type { Page } from '@playwright/test';
import { axeClean, expect, PHONE, resize, screenshot, test, toggle } from '../../journey.ts';
import {
  addFigure,
  admit,
  centerOf,
  chooseMore,
  dragBy,
  expectAllInView,
  expectDrawnAsStored,
  figure,
  giveRole,
  openRoom,
  outOfView,
  reachable,
  storedField,
  storedFigure,
} from '../people.ts';

const svg = (attributes: string, content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`);

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
  const anna = await openRoom(visit);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });

  for (const [kind, name, type] of KINDS) {
    const before = (await storedField(anna)).length;
    await anna.getByRole('button', { name: new RegExp(`: add ${kind}$`) }).click();
    await expect.poll(async () => (await storedField(anna)).length).toBe(before + 1);
    const input = anna.getByRole('textbox', { name: 'Name', exact: true });
    await expect(input).toBeFocused();
    await input.fill(`New ${name}`);
    await input.press('Enter');
    await expect(figure(hanna, `New ${name}`)).toBeVisible();
    expect((await storedFigure(anna, `New ${name}`))?.iconType).toBe(type);
  }
  await axeClean(anna, 'chosen figure');
  await screenshot(anna, 'room-chosen-1440-light-en');

  // The toolbar of the selected figure: rotation, size, colour, shape, order, name.
  await figure(anna, 'New Father').click();
  const bar = anna.getByRole('region', { name: /Selected figure: New Father/ });
  await bar.getByRole('button', { name: 'Rotate right' }).click();
  await bar.getByRole('button', { name: 'Larger' }).click();
  await bar.getByRole('button', { name: 'Colour' }).click();
  await anna.getByRole('radio', { name: 'Brick' }).click();
  await anna.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Change shape' }).click();
  await bar.getByRole('button', { name: 'Layers' }).click();
  await anna.getByRole('menuitem', { name: 'Send to back' }).click();
  await expect
    .poll(async () => {
      const father = await storedFigure(hanna, 'New Father');
      return (
        father && { rotation: father.rotation, scale: father.scale, color: father.color, iconType: father.iconType }
      );
    })
    .toEqual({ rotation: 15, scale: 1.1, color: '#953300', iconType: 'MALE_SQUARE' });
  await bar.getByRole('button', { name: 'Hide name' }).click();
  await expect.poll(async () => (await storedFigure(hanna, 'New Father'))?.showText).toBe(false);

  // All names at once.
  await anna.getByRole('button', { name: 'Names for everyone: hide all' }).click();
  await expect.poll(async () => (await storedField(hanna)).some((entry) => entry.showText)).toBe(false);
  await anna.getByRole('button', { name: 'Names for everyone: show all' }).click();
  await expect.poll(async () => (await storedField(hanna)).every((entry) => entry.showText)).toBe(true);

  // With a role the client can move the figure; the therapist sees it move.
  await giveRole(anna, 'Hanna', 'New Cousin');
  await expect(hanna.getByTestId('own-role')).toHaveText('New Cousin');
  const before = await storedFigure(anna, 'New Cousin');
  await dragBy(hanna, 'New Cousin', 40, 60);
  await expect.poll(async () => (await storedFigure(anna, 'New Cousin'))?.y).toBeGreaterThan((before?.y ?? 0) + 20);
  await screenshot(hanna, 'client-role-390-light-en');

  // The client undoes and redoes their own act.
  await chooseMore(hanna, 'Undo');
  await expect.poll(async () => (await storedFigure(anna, 'New Cousin'))?.y).toBe(before?.y);
  await chooseMore(hanna, 'Redo');
  await expect.poll(async () => (await storedFigure(anna, 'New Cousin'))?.y).not.toBe(before?.y);

  // A figure that is not among her roles does not move.
  const father = await storedFigure(anna, 'New Father');
  await dragBy(hanna, 'New Father', 50, 50);
  expect(await storedFigure(anna, 'New Father')).toEqual(father);

  // One switch stops all clients.
  const hands = anna.getByRole('switch', { name: 'Clients can move figures' });
  await toggle(hands, false);
  await expect(hanna.getByText('Anna has paused moving figures.')).toBeVisible();
  const still = await storedFigure(anna, 'New Cousin');
  await dragBy(hanna, 'New Cousin', -30, -30);
  expect(await storedFigure(anna, 'New Cousin')).toEqual(still);
  await toggle(hands, true);

  // Keyboard: arrows move, brackets rotate, plus enlarges; one act once all keys are released.
  await figure(anna, 'New Home').focus();
  const home = await storedFigure(anna, 'New Home');
  await anna.keyboard.press('ArrowRight');
  await anna.keyboard.press('Shift+ArrowRight');
  await anna.keyboard.press(']');
  await anna.keyboard.press('+');
  await expect
    .poll(async () => {
      const now = await storedFigure(hanna, 'New Home');
      return now && home && { dx: now.x - home.x, turned: now.rotation, scale: now.scale };
    })
    .toEqual({ dx: 60, turned: 15, scale: 1.1 });

  // M turns the pointer on.
  await anna.mouse.move(700, 500);
  await anna.keyboard.press('m');
  await expect(anna.getByRole('button', { name: 'Point' })).toHaveAttribute('aria-pressed', 'true');
  // The first position can be sent before the other page has subscribed to pointers, so move until it shows.
  await expect(async () => {
    await anna.mouse.move(720, 520);
    await anna.mouse.move(725, 525);
    await expect(hanna.getByTestId('field').getByText('Anna', { exact: true })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await anna.keyboard.press('m');
  await expect(hanna.getByTestId('field').getByText('Anna', { exact: true })).toHaveCount(0);

  // Removing, and resetting the field with confirmation and undo.
  // The tools follow the selection a moment later.
  await figure(anna, 'New Worry').click();
  await anna
    .getByRole('region', { name: /Selected figure: New Worry/ })
    .getByRole('button', { name: 'Remove', exact: true })
    .click();
  await anna.getByRole('button', { name: 'Yes, remove' }).click();
  await expect(figure(hanna, 'New Worry')).toHaveCount(0);
  const moved = await storedField(anna);
  await anna.getByRole('button', { name: 'More', exact: true }).click();
  await anna.getByRole('menuitem', { name: 'Reset field' }).click();
  await expect(anna.getByRole('dialog')).toBeVisible();
  await axeClean(anna, 'reset question');
  await anna.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect.poll(async () => (await storedFigure(anna, 'New Home'))?.x).toBe(home?.x);
  await expect(hanna.getByText('You’re watching')).toBeVisible();
  // Wait until the reset is confirmed to Anna: before that, Undo would take back the act before it.
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
  const anna = await openRoom(visit);
  const percent = anna.getByTestId('field').locator('output');
  // The field fits itself to its figures once it has them, and the percentage follows a moment later.
  let fitted = '';
  await expect(async () => {
    const before = fitted;
    await centerOf(anna, 'Mother');
    fitted = (await percent.textContent()) ?? '';
    expect(fitted).toBe(before);
  }, 'the view rests').toPass({ intervals: [50] });
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

test('figures and names stay in view: at first, after Fit, after a resize, and wherever somebody drags them', async ({
  visit,
}) => {
  const anna = await openRoom(visit);
  await addFigure(anna, 'star', 'The grandmother from the far village');
  const dragTo = async (page: Page, name: string, x: number, y: number) => {
    const at = await centerOf(page, name);
    await dragBy(page, name, x - at.x, y - at.y);
  };
  await dragTo(anna, 'The grandmother from the far village', 100, 400);
  await expectAllInView(anna);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna', options: PHONE });
  await expectAllInView(hanna);
  await screenshot(hanna, 'client-first-view-390-light-en');

  // A phone cannot drag a figure out of a desktop's view, nor a desktop out of a phone's.
  await giveRole(anna, 'Hanna', 'Father');
  await expect(hanna.getByTestId('own-role')).toHaveText('Father');
  await dragTo(hanna, 'Father', 300, 760);
  // The view widens for what somebody else has moved, but not while Anna reaches for the next figure.
  await expectDrawnAsStored(hanna, anna);
  await dragTo(anna, 'Mother', 100, 70);
  for (const page of [anna, hanna]) await expectAllInView(page);

  await resize(anna, 1000, 640);
  await resize(hanna, 320, 640);
  for (const page of [anna, hanna]) await expectAllInView(page);
  await anna.getByRole('button', { name: 'Zoom in' }).click();
  await anna.getByRole('button', { name: 'Zoom in' }).click();
  await expect(async () => expect(await outOfView(anna)).not.toEqual([])).toPass();
  await anna.getByRole('button', { name: 'Fit' }).click();
  await expectAllInView(anna);
  await screenshot(anna, 'room-fit-1000-light-en');
});

test('a custom icon has the same size for somebody who was in the room before the upload', async ({ visit }) => {
  const anna = await openRoom(visit);
  const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
  await anna.getByRole('button', { name: 'My icons' }).click();
  await anna.getByTestId('icon-file').setInputFiles({
    name: 'Tower.svg',
    mimeType: 'image/svg+xml',
    buffer: svg('width="8mm" height="20mm" viewBox="0 0 8 20"', '<path d="M0 20V4L4 0l4 4v16z" fill="#953300"/>'),
  });
  await expect(anna.getByText('“Tower” has been saved.')).toBeVisible();
  await anna.getByRole('button', { name: 'Put on the field: Tower' }).click();
  const sizeOf = (page: Page) =>
    page
      .getByTestId('field')
      .locator('image[href^="blob:"]')
      .evaluate((image) => [image.getAttribute('width'), image.getAttribute('height')]);
  await expect(figure(hanna, 'Tower')).toBeVisible();
  // 20 mm exceed the maximum of 50 px, so it is 20 px by 50 px and not the default square of 30 px.
  await expect
    .poll(async () => {
      const [width, height] = (await sizeOf(anna)).map(Number);
      return Number(height) / Number(width);
    })
    .toBeCloseTo(2.5, 1);
  await expect.poll(() => sizeOf(hanna)).toEqual(await sizeOf(anna));
});

test('the therapist uploads a custom icon, uses it and deletes it; an SVG file with a script is refused', async ({
  visit,
}) => {
  const anna = await openRoom(visit);
  await anna.getByRole('button', { name: 'My icons' }).click();
  await axeClean(anna, 'my icons, empty');
  await screenshot(anna, 'icons-empty-1440-light-en');
  await anna.getByTestId('icon-file').setInputFiles({
    name: 'evil.svg',
    mimeType: 'image/svg+xml',
    buffer: svg('viewBox="0 0 10 10"', '<script>alert(1)</script><rect width="5" height="5"/>'),
  });
  await expect(anna.getByText(/parts that aren’t allowed/)).toBeVisible();
  await anna.getByTestId('icon-file').setInputFiles({
    name: 'House.svg',
    mimeType: 'image/svg+xml',
    buffer: svg('width="20mm" height="10mm" viewBox="0 0 20 10"', '<path d="M0 10V4L10 0l10 4v6z" fill="#953300"/>'),
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
    .getByRole('region', { name: /Selected figure: House/ })
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
  const anna = await openRoom(visit);
  await addFigure(anna, 'star', 'Touched');
  const { page: hanna } = await admit(visit, anna, { name: 'Tap', options: PHONE });
  await giveRole(anna, 'Tap', 'Touched');
  await expect(hanna.getByTestId('own-role')).toHaveText('Touched');
  const before = await storedFigure(anna, 'Touched');
  const from = await reachable(hanna, 'Touched');
  const touch = await hanna.context().newCDPSession(hanna);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
  for (let step = 1; step <= 6; step += 1)
    await touch.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ x: from.x + step * 8, y: from.y + step * 6 }],
    });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(async () => (await storedFigure(anna, 'Touched'))?.x).toBeGreaterThan((before?.x ?? 0) + 50);
});
