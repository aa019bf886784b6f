/**
 * Moments: kept, compared, restored and undone; looking back in the room and in the history, until all is erased.
 */
import type { Locator, Page } from '@playwright/test';
import { axeClean, DESK, expect, PHONE, resize, screenshot, signIn, test } from '../../journey.ts';
import { moveClock } from '../events.ts';
import { keepNews } from '../news.ts';
import {
  addFigure,
  admit,
  centerOf,
  chooseMore,
  dragBy,
  expectDrawnAsStored,
  figure,
  giveRole,
  openRoom,
  storedField,
} from '../people.ts';

const strip = (page: Page) => page.getByRole('region', { name: 'Moments', exact: true });
const cards = (page: Page) => page.locator('[data-moment]');
const card = (page: Page, number: number) => page.locator(`[data-moment="${number}"]`);
const toast = (page: Page, text: string | RegExp) => page.locator('[role="status"] > div').filter({ hasText: text });

/** The visible part of the server's field, as a list to compare. */
async function fieldNow(page: Page) {
  const stored = await storedField(page);
  return stored
    .map(({ id, name, x, y, rotation, scale, color, iconType }) => ({
      ...{ id, name, x, y, rotation, scale, color, iconType },
    }))
    .sort((a, b) => a.id - b.id);
}
type Field = Awaited<ReturnType<typeof fieldNow>>;

/** Waits until a picture draws a field as it was: each figure with its position, rotation and size. */
async function expectPicture(picture: Locator, field: Field): Promise<void> {
  const wanted = field.map(({ id, x, y, rotation, scale }) => ({
    id,
    at: `translate(${x} ${y}) rotate(${rotation}) scale(${scale * 1.2})`,
  }));
  await expect(async () => {
    const drawn = await picture.evaluate((element) =>
      [...element.querySelectorAll<SVGGElement>('[data-figure]')].map((one) => ({
        id: Number(one.dataset['figure']),
        at: one.getAttribute('transform'),
      })),
    );
    expect(drawn.sort((a, b) => a.id - b.id)).toEqual(wanted);
  }).toPass();
}

/** Waits until the server has this field, and every screen draws it. */
async function expectField(field: Field, first: Page, ...others: Page[]): Promise<void> {
  await expect.poll(() => fieldNow(first)).toEqual(field);
  await expectDrawnAsStored(first, ...others);
}

async function choose(page: Page, number: number, item: string): Promise<void> {
  await card(page, number).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Drags a figure and waits until the server has it. Returns the field then. */
async function drag(page: Page, name: string, dx: number, dy: number): Promise<Field> {
  const before = await fieldNow(page);
  await dragBy(page, name, dx, dy);
  await expect.poll(() => fieldNow(page)).not.toEqual(before);
  return fieldNow(page);
}

test('two moments are kept, compared, restored and undone; clients see only the field', async ({ visit }) => {
  const anna = await openRoom(visit, DESK);
  await keepNews(anna);
  const heard: string[] = [];
  const { page: hanna } = await admit(visit, anna, {
    name: 'Hanna',
    options: PHONE,
    prepare: async (page) => {
      page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(String(payload))));
    },
  });
  const { page: jonas } = await admit(visit, anna, { name: 'Jonas' });
  await giveRole(anna, 'Hanna', 'Mother');

  // Nothing is kept yet: the strip explains its purpose.
  await anna.getByRole('button', { name: 'Moments', exact: true }).click();
  await expect(strip(anna)).toContainText('Nothing is kept yet');
  await screenshot(anna, 'moments-empty-1440-light-en');
  await anna.getByRole('button', { name: 'Close the moments' }).click();
  await expect(anna.getByRole('button', { name: 'Moments', exact: true })).toBeFocused();

  // A phone has both in its menu, with words; the focus comes back to what opened the strip.
  await resize(anna, 390, 844);
  await chooseMore(anna, 'Moments');
  await expect(strip(anna)).toContainText('Nothing is kept yet');
  await screenshot(anna, 'moments-empty-390-light-en');
  await anna.getByRole('button', { name: 'Close the moments' }).click();
  await expect(anna.getByRole('button', { name: 'More', exact: true })).toBeFocused();
  await anna.setViewportSize({ width: 1440, height: 900 });

  const first = await fieldNow(anna);
  await anna.getByRole('button', { name: 'Keep moment' }).click();
  await expect(toast(anna, 'Moment 1 is kept.')).toBeVisible();
  await anna.getByRole('button', { name: 'Show', exact: true }).click();
  await expect(cards(anna)).toHaveCount(1);
  await expect(card(anna, 1)).toHaveText(/^Moment 1, \d\d:\d\d$/);
  await expectPicture(card(anna, 1), first);

  await drag(anna, 'Mother', 120, 60);
  await addFigure(anna, 'star', 'Wish');
  await anna.keyboard.press('Escape');
  // K keeps it while the mouse is over the field; in a text field it is a letter.
  const at = await centerOf(anna, 'Mother');
  await anna.mouse.move(at.x, at.y);
  await anna.keyboard.press('k');
  await expect(cards(anna)).toHaveCount(2);
  const second = await fieldNow(anna);
  await expectPicture(card(anna, 2), second);
  await axeClean(anna, 'the strip of moments');
  await screenshot(anna, 'moments-strip-1440-light-en');

  // Side by side: what differs has a number in both pictures and words in the list.
  await strip(anna).getByRole('button', { name: 'Compare', exact: true }).click();
  const compared = anna.getByRole('dialog', { name: 'Comparing two moments' });
  await expect(compared.getByRole('heading', { name: '2 figures differ' })).toBeVisible();
  await expect(compared.getByRole('listitem').filter({ hasText: 'Mother moved' })).toHaveCount(1);
  await expect(
    compared.getByRole('listitem').filter({ hasText: 'Wish' }).filter({ hasText: 'is only in' }),
  ).toHaveCount(1);
  await expect(compared.locator('[data-marks]')).toHaveCount(3);
  const [left, right] = [
    compared.getByRole('group', { name: /^Moment 1/ }),
    compared.getByRole('group', { name: /^Moment 2/ }),
  ];
  await expectPicture(left, first);
  await expectPicture(right, second);
  await axeClean(anna, 'two moments compared');
  await screenshot(anna, 'moments-compare-1440-light-en');
  await anna.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(async () => {
      const [above, below] = [(await left.boundingBox())!, (await right.boundingBox())!];
      return [above.y < below.y, above.x - below.x];
    })
    .toEqual([true, 0]);
  await screenshot(anna, 'moments-compare-390-light-en');
  await anna.setViewportSize({ width: 1440, height: 900 });
  await anna.keyboard.press('Escape');
  await expect(compared).toHaveCount(0);

  // Back to the first one: all screens, position by position; Hanna keeps her role. Undone in one step.
  await choose(anna, 1, 'Go back to it');
  await screenshot(anna, 'moments-go-back-1440-light-en');
  await anna.getByRole('dialog', { name: 'Go back to this moment?' }).getByRole('button', { name: 'Go back' }).click();
  await expect(toast(anna, 'The field is as it was at “Moment 1')).toBeVisible();
  await expectField(first, anna, hanna, jonas);
  await expect(figure(hanna, 'Wish')).toHaveCount(0);
  await expect(hanna.getByText('You stand for')).toBeVisible();
  await toast(anna, 'The field is as it was').getByRole('button', { name: 'Undo' }).click();
  await expectField(second, anna, hanna, jonas);
  await anna.getByRole('button', { name: 'Redo' }).click();
  await expectField(first, anna, hanna, jonas);

  // A name that survives a reload; a moment that is removed.
  await choose(anna, 2, 'Rename');
  const naming = anna.getByRole('dialog', { name: 'Name this moment' });
  await naming.getByLabel('Name', { exact: true }).fill('Everyone turns to her');
  await screenshot(anna, 'moments-rename-1440-light-en');
  await naming.getByLabel('Name', { exact: true }).press('Enter');
  await expect(card(anna, 2)).toContainText('Everyone turns to her');
  await axeClean(anna, 'a moment with a name');
  await choose(anna, 1, 'Delete');
  await anna.getByRole('dialog', { name: 'Delete this moment?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(cards(anna)).toHaveCount(1);
  await anna.reload();
  await anna.getByRole('button', { name: 'Moments', exact: true }).click();
  await expect(card(anna, 2)).toContainText('Everyone turns to her');
  await expectPicture(card(anna, 2), second);

  // None of it reached the client, neither drawn nor on the wire.
  for (const page of [hanna, jonas]) await expect(page.getByText(/Moment/)).toHaveCount(0);
  expect(heard.join('\n')).toContain('PLAYER_CHANGE');
  expect(heard.join('\n')).not.toMatch(/MOMENTS|Everyone turns to her/);
});

test.describe('looking back', () => {
  test.use({ settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development' } });

  test('the moves of the session are replayed, in the room and afterwards, until they are erased', async ({
    visit,
  }) => {
    const anna = await openRoom(visit, DESK);
    await keepNews(anna);
    const { page: hanna } = await admit(visit, anna, { name: 'Hanna' });
    await giveRole(anna, 'Hanna', 'Mother');
    const fields: Field[] = [await fieldNow(anna)];
    fields.push(await drag(anna, 'Father', 90, 40));
    fields.push(await drag(hanna, 'Mother', -60, 50));
    await anna.getByRole('button', { name: 'Keep moment' }).click();
    await expect(toast(anna, 'Moment 1 is kept.')).toBeVisible();
    fields.push(await drag(anna, 'Mother', 150, -40));

    await anna.getByRole('button', { name: 'Moments', exact: true }).click();
    await strip(anna).getByRole('button', { name: 'Look back' }).click();
    const dialog = anna.getByRole('dialog', { name: 'Looking back' });
    const picture = dialog.getByTestId('look-back');
    const slider = dialog.getByRole('slider', { name: 'Moves of the session' });
    await expect(dialog).toContainText('You’re looking at the past.');
    await expectPicture(picture, fields[0]!);
    await slider.focus();
    for (const [position, what] of [
      [1, 'Father moved'],
      [2, 'Mother moved'],
      [3, 'Mother moved'],
    ] as const) {
      await anna.keyboard.press('ArrowRight');
      await expect(slider).toHaveAttribute(
        'aria-valuetext',
        new RegExp(`^Move ${position} of 3, ${what}, \\d\\d:\\d\\d$`),
      );
      await expectPicture(picture, fields[position]!);
    }
    // With the mouse: dragged to the start, then pressed at the end.
    const bar = (await slider.boundingBox())!;
    const middle = bar.y + bar.height / 2;
    await anna.mouse.move(bar.x + bar.width - 8, middle);
    await anna.mouse.down();
    await anna.mouse.move(bar.x + bar.width / 2, middle);
    await anna.mouse.move(bar.x + 2, middle);
    await anna.mouse.up();
    await expect(slider).toHaveAttribute('aria-valuetext', /^Start of 3 moves, /);
    await expectPicture(picture, fields[0]!);
    await anna.mouse.click(bar.x + bar.width - 4, middle);
    await expect(slider).toHaveAttribute('aria-valuetext', /^Move 3 of 3, /);
    await expectPicture(picture, fields[3]!);
    await anna.keyboard.press('ArrowLeft');
    await expect(dialog).toContainText('by a client');
    await axeClean(anna, 'looking back in the room');
    await screenshot(anna, 'look-back-1440-light-en');

    // The live field continues behind it: a client moves a figure, the look back stays where it is and has one more
    // move.
    fields.push(await drag(hanna, 'Mother', 40, 40));
    await expect(slider).toHaveAttribute('aria-valuetext', /^Move 2 of 4, /);
    await expectPicture(picture, fields[2]!);
    await dialog.getByRole('button', { name: /^Moment 1, / }).click();
    await expect(slider).toHaveAttribute('aria-valuetext', /^Move 2 of 4, /);
    // It plays to the end, and pauses there.
    await dialog.getByRole('button', { name: 'Speed 4' }).click();
    await dialog.getByRole('button', { name: 'Play' }).click();
    await expect(slider).toHaveAttribute('aria-valuetext', /^Move 4 of 4, /);
    await expect(dialog.getByRole('button', { name: 'Play' })).toBeVisible();
    await expectPicture(picture, fields[4]!);
    await anna.setViewportSize({ width: 390, height: 844 });
    await screenshot(anna, 'look-back-390-light-en');
    await axeClean(anna, 'looking back on a phone');
    await anna.setViewportSize({ width: 1440, height: 900 });
    await anna.keyboard.press('Escape');
    await expectField(fields[4]!, anna, hanna);

    // After the end, in the details of the session.
    await anna.getByRole('button', { name: 'End session' }).click();
    await anna.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await expect(anna.getByText('The session has ended.')).toBeVisible();
    await anna.goto('/app/history');
    const openDetails = async () => {
      await anna
        .getByRole('link', { name: /show details$/ })
        .first()
        .click();
      await anna.getByRole('button', { name: 'Look back at the moves' }).click();
    };
    await openDetails();
    const past = anna.getByTestId('look-back');
    const pastSlider = anna.getByRole('slider', { name: 'Moves of the session' });
    await expect(pastSlider).toHaveAttribute('aria-valuetext', /^Start of 4 moves, /);
    for (const [position, field] of fields.entries()) {
      if (position > 0) await anna.getByRole('button', { name: 'One move on' }).click();
      await expectPicture(past, field);
    }
    await expect(card(anna, 1)).toHaveText(/^Moment 1, /);
    await axeClean(anna, 'looking back in the history');
    await past.scrollIntoViewIfNeeded();
    await screenshot(anna, 'look-back-history-1440-light-en');
    await choose(anna, 1, 'Look back from here');
    await expect(pastSlider).toHaveAttribute('aria-valuetext', /^Move 2 of 4, /);

    // After the period nothing is left. Her current page is signed out by then.
    const sessionId = new URL(anna.url()).searchParams.get('session');
    const clock = (await visit(DESK)).page;
    await moveClock(clock, 380, 'days');
    const { page: later } = await visit(DESK);
    await signIn(later);
    await expect
      .poll(() =>
        later.evaluate(async (id) => {
          const answer = await fetch(`/api/me/session/${id}/replay`, {
            headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
          });
          const { parts, moments, lastMove } = await answer.json();
          return { parts, moments, lastMove };
        }, sessionId),
      )
      .toEqual({ parts: [], moments: [], lastMove: 0 });
    await later.goto(`/app/history?session=${sessionId}`);
    await later.getByRole('button', { name: 'Look back at the moves' }).click();
    await expect(later.getByText('No moves are kept of this session')).toBeVisible();
    await screenshot(later, 'look-back-erased-1440-light-en');
  });
});
