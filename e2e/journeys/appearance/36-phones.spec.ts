/**
 * Phones, in portrait and landscape, and who is shown large (docs/product.md#10.7, 11.2, 11.60 to 11.65). Compares the
 * boxes that the browser draws.
 */
import type { Locator, Page } from '@playwright/test';
import { axeClean, cutOff, DESK, expect, nextFrames, PHONE, resize, screenshot, test } from '../../journey.ts';
import { holdTimers, keepNews, news, NEWS_MS, tells } from '../news.ts';
import {
  admit,
  centerOf,
  chooseMore,
  expectAllInView,
  expectInRoom,
  figure,
  giveRole,
  knockByLink,
  letIn,
  openRoom,
} from '../people.ts';
import { accept, desk, devicesListed, join, phone, pressLayoutKey, seesMoving, tile, withDevices } from '../video.ts';

test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

const LOW = { width: 844, height: 390 };
const SMALLEST = { width: 320, height: 640 };
const UPRIGHT = { width: 390, height: 844 };

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
const boxOf = async (part: Locator): Promise<Box> => {
  const box = await part.boundingBox();
  if (!box) throw new Error('It is not drawn.');
  return box;
};
const right = (box: Box) => box.x + box.width;
const bottom = (box: Box) => box.y + box.height;
const area = (box: Box) => box.width * box.height;
const covers = (a: Box, b: Box) =>
  right(a) > b.x + 1 && right(b) > a.x + 1 && bottom(a) > b.y + 1 && bottom(b) > a.y + 1;

/** Waits until the measured value is as expected: layouts follow a change of the window after some time. */
const settled = (what: string, check: () => Promise<void>) => expect(check, what).toPass();

const topOf = (page: Page) => page.locator('[data-room=top]');
const controls = (page: Page) => page.locator('footer button');
const field = (page: Page) => page.getByTestId('field');

/** Every button of the top line and of the controls is fully on the screen, and none covers another. */
async function expectButtonsApart(page: Page): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await settled(`the buttons at ${width} px`, async () => {
    const boxes = await page
      .locator('[data-room=top] :is(a, button), footer button')
      .evaluateAll((buttons) =>
        buttons
          .map(
            (button) =>
              ({ name: button.textContent, ...button.getBoundingClientRect().toJSON() }) as Box & { name: string },
          )
          .filter((box) => box.width > 0),
      );
    expect(boxes.length).toBeGreaterThan(4);
    for (const box of boxes)
      expect(box.x >= 0 && box.y >= 0 && right(box) <= width && bottom(box) <= height, box.name).toBe(true);
    for (const [index, box] of boxes.entries())
      for (const other of boxes.slice(index + 1))
        expect(covers(box, other), `${box.name} and ${other.name}`).toBe(false);
  });
}

/** Waits until a part over the field is fully in the window, and covers no figure, no name and no tool. */
async function expectCoversNothing(page: Page, part: string): Promise<void> {
  await expect(page.locator(part)).toBeVisible();
  const { width, height } = page.viewportSize()!;
  const covered = () =>
    page.evaluate((over) => {
      const question = document.querySelector(over)!.getBoundingClientRect();
      const parts = document.querySelectorAll(
        '[data-figure], [data-part=name], [data-room=zoom], [data-room=corner], [data-room=top] button, footer button',
      );
      return {
        inWindow:
          question.top >= 0 && question.left >= 0 && question.right <= innerWidth && question.bottom <= innerHeight,
        covered: [...parts]
          .filter((part) => {
            const box = part.getBoundingClientRect();
            return (
              box.width > 0 &&
              box.left < question.right - 1 &&
              question.left < box.right - 1 &&
              box.top < question.bottom - 1 &&
              question.top < box.bottom - 1
            );
          })
          .map((part) => part.ariaLabel ?? part.textContent),
      };
    }, part);
  await expect.poll(covered, `${part} at ${width} × ${height}`).toEqual({ inWindow: true, covered: [] });
  await expectAllInView(page);
}

/** What a phone keeps free on its screen for gestures and its camera, px. */
interface Edges {
  left: number;
  right: number;
  bottom: number;
}

const UPRIGHT_EDGES: Edges = { left: 0, right: 0, bottom: 34 };
const LOW_EDGES: Edges = { left: 47, right: 47, bottom: 21 };

/** Returns a function that gives the page's phone such edges. */
async function edgesOf(page: Page): Promise<(edges: Edges) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page);
  return (edges) => devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 0, ...edges } });
}

/** Waits until field and controls lie within the edges, and the controls cover no part of the field. */
async function expectWithinEdges(page: Page, edges: Edges): Promise<void> {
  const { width, height } = page.viewportSize()!;
  await settled(`within the edges at ${width} × ${height}`, async () => {
    const place = await boxOf(field(page));
    const buttons = await Promise.all((await controls(page).all()).map(boxOf));
    expect(buttons.length).toBeGreaterThan(2);
    for (const box of [place, ...buttons]) {
      expect(bottom(box)).toBeLessThanOrEqual(height - edges.bottom);
      expect(box.x).toBeGreaterThanOrEqual(edges.left);
      expect(right(box)).toBeLessThanOrEqual(width - edges.right);
    }
    for (const box of buttons) expect(covers(box, place)).toBe(false);
  });
}

/** The question of the video covers nothing, either. */
const expectQuestionApart = (page: Page) => expectCoversNothing(page, '[data-banner]');

test('10.7, 11.60: large tiles on desktops and phones', async ({ visit }) => {
  const therapist = await openRoom(visit, { ...desk, viewport: { width: 1440, height: 900 } });
  const { page: jonas } = await admit(visit, therapist, { name: 'Jonas', options: phone });
  await join(therapist, 'Start video', 'Join with camera');
  await test.step('5.24, 11.62: the question of the video covers no figure, no name and no tool', async () => {
    for (const size of [UPRIGHT, SMALLEST, LOW]) {
      await resize(jonas, size.width, size.height);
      await expectQuestionApart(jonas);
      await screenshot(jonas, `video-question-${size.width}-light-en`);
    }
    await axeClean(jonas, 'the question of the video on a phone');
  });
  await accept(jonas, 'Join with camera');
  await seesMoving(therapist, 'Jonas');

  const faces = async (page: Page, ...names: string[]) => Promise.all(names.map((name) => boxOf(tile(page, name))));
  /** No tile covers another, nor the field or its preview. */
  const expectApart = async (page: Page, ...names: string[]) => {
    const boxes = [...(await faces(page, ...names)), await boxOf(field(page))];
    for (const [index, box] of boxes.entries())
      for (const other of boxes.slice(index + 1)) expect(covers(box, other)).toBe(false);
  };

  await test.step('the therapist sees the client large and themselves small, in every layout', async () => {
    for (const key of ['1', '2', '3']) {
      await pressLayoutKey(therapist, key);
      await settled(`layout ${key}`, async () => {
        const [client, own] = (await faces(therapist, 'Jonas', 'You')) as [Box, Box];
        expect(area(own)).toBeLessThan(area(client) * 0.6);
        await expectApart(therapist, 'Jonas', 'You');
      });
      // 5.24: the view follows; the gallery has only a preview.
      if (key !== '3') await expectAllInView(therapist);
      await screenshot(therapist, `faces-one-${key}-1440-light-en`);
    }
  });

  await test.step('a client sees the therapist large and themselves small', async () => {
    for (const size of [UPRIGHT, SMALLEST, LOW]) {
      await jonas.setViewportSize(size);
      await settled(`${size.width} px`, async () => {
        const [lead, own] = (await faces(jonas, 'Anna', 'You')) as [Box, Box];
        expect(area(own)).toBeLessThan(area(lead) * 0.4);
        await expectApart(jonas, 'Anna', 'You');
      });
      await expectAllInView(jonas);
      await screenshot(jonas, `client-faces-${size.width}-light-en`);
    }
  });

  const { page: mirela } = await admit(visit, therapist, { name: 'Mirela', options: desk });
  await test.step('11.7: on a desk a client’s tools show their words, and the question stands beside them', async () => {
    const corner = mirela.locator('[data-room=corner]');
    for (const width of [1280, 768]) {
      await resize(mirela, width, 720);
      await expectQuestionApart(mirela);
      for (const word of ['Point', 'Look from here', 'Undo', 'Redo'])
        await expect(corner.getByText(word, { exact: true })).toBeVisible();
      await screenshot(mirela, `video-question-${width}-light-en`);
    }
    await resize(mirela, 1280, 720);
  });
  await accept(mirela, 'Audio only');
  await expect(tile(therapist, 'Mirela')).toBeVisible();
  await test.step('on a desk, too, a client sees the therapist large, the others smaller and themselves small', async () => {
    await settled('a client on a desk', async () => {
      const [lead, other, own] = (await faces(mirela, 'Anna', 'Jonas', 'You')) as [Box, Box, Box];
      expect(area(lead)).toBeGreaterThan(area(other) * 1.2);
      expect(area(own)).toBeLessThan(area(other) * 0.7);
      await expectApart(mirela, 'Anna', 'Jonas', 'You');
    });
    await screenshot(mirela, 'client-faces-1280-light-en');
  });
  await test.step('two clients are alike and stand side by side on a wide screen', async () => {
    await pressLayoutKey(therapist, '3');
    await settled('gallery', async () => {
      const [first, second, own] = (await faces(therapist, 'Jonas', 'Mirela', 'You')) as [Box, Box, Box];
      expect([second.width, second.height, second.y]).toEqual([first.width, first.height, first.y]);
      expect(area(own)).toBeLessThan(area(first) * 0.6);
      await expectApart(therapist, 'Jonas', 'Mirela', 'You');
    });
    await axeClean(therapist, 'gallery with two clients');
    await screenshot(therapist, 'faces-two-gallery-1440-light-en');
    await pressLayoutKey(therapist, '1');
  });

  await test.step('5.24: faces that float cover no figure and no name, also where they are moved', async () => {
    const placeFaces = async (place: string) => {
      await therapist.getByRole('button', { name: 'Devices', exact: true }).click();
      await devicesListed(therapist);
      const dialog = therapist.getByRole('dialog', { name: 'Audio and video' });
      await dialog.getByText(place, { exact: true }).click();
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await expect(dialog).toHaveCount(0);
    };
    await placeFaces('Floating');
    await expectCoversNothing(therapist, '[data-form=float]');
    await screenshot(therapist, 'faces-float-1440-light-en');
    const grip = await boxOf(therapist.getByRole('button', { name: /^Move the videos/ }));
    await therapist.mouse.move(grip.x + 20, grip.y + 10);
    await therapist.mouse.down();
    await therapist.mouse.move(grip.x + 420, grip.y + 160, { steps: 6 });
    await therapist.mouse.up();
    await expectCoversNothing(therapist, '[data-form=float]');
    await placeFaces('Above');
    await expectAllInView(therapist);
  });

  await test.step('11.7: the layouts have their words, in a narrow bar behind one button', async () => {
    for (const width of [1280, 1100, 1099, 768])
      for (const page of [therapist, mirela]) {
        await resize(page, width, 720);
        for (const word of width < 1100 ? ['Layout'] : ['Field', 'Half and half', 'Gallery'])
          await expect(page.locator('[data-room=layouts]').getByText(word, { exact: true })).toBeVisible();
        await expectButtonsApart(page);
        await screenshot(page, `layouts-${page === mirela ? 'client' : 'therapist'}-${width}-light-en`);
      }
    await topOf(therapist).getByRole('button', { name: 'Layout: Field' }).click();
    await therapist.getByRole('menuitemradio', { name: 'Half and half' }).click();
    await expect(topOf(therapist).getByRole('button', { name: 'Layout: Half and half' })).toBeVisible();
    await pressLayoutKey(therapist, '1');
    await resize(mirela, 1280, 720);
  });

  await test.step('on a phone that lies on its side faces and controls are columns, and the field keeps the height', async () => {
    await jonas.setViewportSize(LOW);
    await therapist.setViewportSize(LOW);
    for (const page of [jonas, therapist])
      await settled('low', async () => {
        const place = await boxOf(field(page));
        expect(place.height).toBeGreaterThan(LOW.height * 0.8);
        expect(place.width).toBeGreaterThan(LOW.width * 0.6);
        const names = page === jonas ? ['Anna', 'Mirela', 'You'] : ['Jonas', 'Mirela', 'You'];
        for (const face of await faces(page, ...names)) {
          expect(face.x).toBeGreaterThanOrEqual(right(place));
          expect(bottom(face)).toBeLessThanOrEqual(LOW.height);
        }
        for (const control of await controls(page).all())
          expect(right(await boxOf(control))).toBeLessThanOrEqual(place.x);
      });
    await expectButtonsApart(jonas);
    await expectButtonsApart(therapist);
    await screenshot(jonas, 'client-844x390-light-en');
    await screenshot(therapist, 'therapist-844x390-light-en');
  });

  await test.step('11.60, 11.62: on such a phone the moments are one low line, the field fits above it, and names stay clear of news', async () => {
    await keepNews(therapist);
    await chooseMore(therapist, 'Keep moment');
    await expect(news(therapist)).toHaveCount(1);
    await chooseMore(therapist, 'Moments');
    const strip = therapist.getByRole('region', { name: 'Moments', exact: true });
    await expect(strip.locator('[data-moment]')).toHaveCount(1);
    await settled('moments', async () => {
      const place = await boxOf(field(therapist));
      expect(place.height).toBeGreaterThan(LOW.height * 0.6);
      expect((await boxOf(strip)).y).toBeGreaterThanOrEqual(bottom(place));
      expect(bottom(await boxOf(strip))).toBeLessThanOrEqual(LOW.height);
      const { news: told, names } = await newsBoxes(news(therapist));
      expect(names.filter((one) => one.width > 0 && covers(told, one)).map((one) => one.name)).toEqual([]);
    });
    await expectAllInView(therapist);
    await expectButtonsApart(therapist);
    await axeClean(therapist, 'moments on a phone that lies on its side');
    await screenshot(therapist, 'moments-844x390-light-en');
    await strip.getByRole('button', { name: 'Close the moments' }).click();
    await expect(strip).toHaveCount(0);
  });

  await test.step('a phone has four controls, and the rest behind one button, with words', async () => {
    for (const size of [UPRIGHT, SMALLEST]) {
      await jonas.setViewportSize(size);
      await expect(controls(jonas)).toHaveText(['Mute', 'Camera off', 'Raise hand', 'Leave']);
      await expectButtonsApart(jonas);
      await jonas.getByRole('button', { name: 'More', exact: true }).click();
      const menu = jonas.getByRole('menu');
      for (const words of ['Point', 'Undo', 'Redo', 'Half and half', 'Gallery', 'Devices', 'Leave video', 'Dark mode'])
        await expect(menu.getByText(words, { exact: true })).toBeAttached();
      await axeClean(jonas, `more at ${size.width} px`, '[role="menu"]');
      await screenshot(jonas, `client-more-${size.width}-light-en`);
      await jonas.keyboard.press('Escape');
      await expect(menu).toHaveCount(0);
      await settled('the field has no tools but its view', async () =>
        expect(await field(jonas).locator('button').allTextContents()).toEqual(['', '', expect.any(String)]),
      );
    }
    await chooseMore(jonas, 'Devices');
    await expect(jonas.getByRole('dialog', { name: 'Audio and video' })).toBeVisible();
    await jonas.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await chooseMore(jonas, 'Leave video');
    await expect(tile(therapist, 'Jonas')).toHaveCount(0);
    await expect(field(jonas)).toBeVisible();
  });
});

test('11.61: the therapist runs a session from 320 px', async ({ visit }) => {
  const anna = await openRoom(visit, { ...phone, viewport: SMALLEST });
  await join(anna, 'Start video', 'Join with camera');
  await expect(controls(anna)).toHaveText(['Add', 'Mute', 'Camera off', 'End session']);
  const { page: hanna } = await visit(PHONE);
  await knockByLink(hanna, 'Hanna');
  await expectButtonsApart(anna);
  const people = anna.getByRole('button', { name: 'People, 1 waiting' });
  await expect(people).toBeInViewport({ ratio: 1 });

  await test.step('the list of people is a dialog: the focus goes in, stays inside and comes back', async () => {
    await people.focus();
    await anna.keyboard.press('Enter');
    const drawer = anna.getByRole('dialog', { name: 'People' });
    await expect(drawer).toBeAttached();
    const inside = () => drawer.evaluate((element) => element.contains(document.activeElement));
    await expect.poll(inside).toBe(true);
    for (let press = 0; press < 12; press += 1) {
      expect(await inside()).toBe(true);
      await anna.keyboard.press(press < 8 ? 'Tab' : 'Shift+Tab');
    }
    await axeClean(anna, 'people at 320 px');
    await anna.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
    await expect(people).toBeFocused();
  });
  await people.click();
  await letIn(anna, 'Hanna');
  await expectInRoom(hanna);
  await anna.keyboard.press('Escape');
  await anna.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(anna.getByRole('dialog', { name: 'Add and arrange' })).toBeAttached();
  await anna.keyboard.press('Escape');
  await expect(anna.getByRole('dialog')).toHaveCount(0);
  await expect(anna.getByRole('button', { name: 'Add', exact: true })).toBeFocused();
  await anna.getByRole('button', { name: 'More', exact: true }).click();
  await expect(anna.getByRole('menuitem', { name: /^Copy code [A-Z2-9]{5}$/ })).toBeAttached();
  await expect(anna.getByRole('menuitem', { name: 'Copy link' })).toBeAttached();
  await anna.keyboard.press('Escape');

  await test.step('11.80: nothing of the room lies where a phone has its own gesture or its camera', async () => {
    const phones = [
      { page: anna, has: await edgesOf(anna) },
      { page: hanna, has: await edgesOf(hanna) },
    ];
    for (const { page, has } of phones) {
      await resize(page, UPRIGHT.width, UPRIGHT.height);
      await has(UPRIGHT_EDGES);
      await expectWithinEdges(page, UPRIGHT_EDGES);
    }
    await hanna.getByRole('button', { name: 'Messages' }).click();
    const messages = hanna.getByRole('complementary', { name: 'Messages' });
    await settled('the messages stand above the controls', async () =>
      expect(bottom(await boxOf(messages))).toBeLessThanOrEqual((await boxOf(controls(hanna).first())).y),
    );
    await screenshot(hanna, 'edges-messages-390-light-en');
    await messages.getByRole('button', { name: 'Close messages' }).click();
    for (const { page, has } of phones) {
      await resize(page, LOW.width, LOW.height);
      await has(LOW_EDGES);
      await expectWithinEdges(page, LOW_EDGES);
      await screenshot(page, `edges-${page === anna ? 'therapist' : 'client'}-844x390-light-en`);
    }
  });
});

/** Boxes while news about an arrival is shown. */
interface NewsBoxes {
  news: Box;
  field: Box;
  /** By the element that they belong to. */
  tools: (Box & { name: string })[];
  /** The figures' names on the field. */
  names: (Box & { name: string })[];
}
const newsBoxes = async (told: Locator): Promise<NewsBoxes> => {
  await told.evaluate((element) => {
    for (const animation of element.getAnimations()) animation.finish();
  });
  // Names move aside in the next frame.
  await nextFrames(told.page());
  return told.evaluate((element) => {
    const box = (part: Element) => part.getBoundingClientRect().toJSON() as Box;
    const tools = document.querySelectorAll<HTMLElement>(
      '[data-room=zoom] button, [data-room=corner], [data-room=top], [data-timer], footer button, figure',
    );
    return {
      news: box(element),
      field: box(document.querySelector('[data-room=field]')!),
      names: [...document.querySelectorAll('[data-part=name]')].map((name) => ({
        ...box(name),
        name: name.textContent,
      })),
      tools: [...tools].map((tool) => ({ ...box(tool), name: tool.dataset['room'] ?? tool.textContent })),
    };
  });
};

test('11.62: news covers no tool and no name', async ({ visit }) => {
  const anna = await openRoom(visit, desk);
  const { page: jonas } = await admit(visit, anna, { name: 'Jonas', options: phone });
  await join(anna, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await expect(tile(anna, 'Jonas')).toBeVisible();
  for (const [size, name] of [
    [UPRIGHT, 'Hanna'],
    [SMALLEST, 'Mirela'],
    [LOW, 'Tom'],
  ] as const) {
    // Otherwise the previous person's news would be measured too.
    for (const page of [anna, jonas]) await expect(news(page)).toHaveCount(0);
    await resize(jonas, size.width, size.height);
    await settled('resized', async () => expect((await boxOf(field(jonas))).width).toBeLessThan(size.width));
    const releases = await Promise.all([anna, jonas].map((page) => holdTimers(page, ...NEWS_MS)));
    await admit(visit, anna, { name });
    for (const page of [anna, jonas]) {
      const told = news(page).filter({ hasText: `${name} has joined` });
      await expect(told).toHaveCount(1);
      const { news: shown, field: ground, tools, names } = await newsBoxes(told);
      expect(tools.length).toBeGreaterThan(5);
      expect(tools.filter((tool) => tool.width > 0 && covers(shown, tool)).map((tool) => tool.name)).toEqual([]);
      expect([shown.x >= ground.x, right(shown) <= right(ground), bottom(shown) <= bottom(ground)]).toEqual([
        true,
        true,
        true,
      ]);
      // On a phone in portrait: at the field's top, where few figures are.
      if (page === jonas && size !== LOW) expect(shown.y - ground.y).toBeLessThanOrEqual(16);
      expect(names.length).toBeGreaterThan(5);
      expect(names.filter((one) => one.width > 0 && covers(shown, one)).map((one) => one.name)).toEqual([]);
      await screenshot(page, `news-${name}-${page.viewportSize()!.width}`);
    }
    for (const release of releases) await release();
    // Its time starts again, and ends.
    for (const page of [anna, jonas]) {
      await news(page).hover();
      await page.mouse.move(1, 1);
    }
  }

  await test.step('in the gallery no button and no name of a face', async () => {
    await expect(news(anna)).toHaveCount(0);
    await pressLayoutKey(anna, '3');
    await expect(anna.locator('[data-layout=gallery]')).toBeAttached();
    await keepNews(anna);
    await admit(visit, anna, { name: 'Zora' });
    await expectApartFromWords(news(anna).filter({ hasText: 'Zora has joined' }));
    await screenshot(anna, 'news-gallery-1280');
    await pressLayoutKey(anna, '1');
  });

  await test.step('nor on the therapist’s own phone', async () => {
    await resize(anna, UPRIGHT.width, UPRIGHT.height);
    await knockByLink((await visit(PHONE)).page, 'Elena');
    const told = news(anna).filter({ hasText: 'Elena is waiting' });
    await expect(told).toHaveCount(1);
    await settled('news on the therapist’s phone', async () => {
      const { news: shown, tools, names } = await newsBoxes(told);
      expect(tools.filter((tool) => tool.width > 0 && covers(shown, tool)).map((tool) => tool.name)).toEqual([]);
      expect(names.filter((one) => one.width > 0 && covers(shown, one)).map((one) => one.name)).toEqual([]);
    });
    await screenshot(anna, 'news-therapist-390');
  });

  await test.step('nor in the drawer of people, which ends above it', async () => {
    for (const { width, height } of [UPRIGHT, SMALLEST]) {
      await resize(anna, width, height);
      await anna.getByRole('button', { name: 'People, 1 waiting' }).click();
      const drawer = anna.getByRole('dialog', { name: 'People' }).getByRole('complementary');
      await settled(`news below the drawer at ${width} px`, async () => {
        const [above, shown] = [await boxOf(drawer), await boxOf(news(anna))];
        expect(bottom(above)).toBeLessThanOrEqual(shown.y);
        expect(bottom(above)).toBeGreaterThan(shown.y - 24);
        expect([shown.x >= 0, right(shown) <= width, bottom(shown) <= height]).toEqual([true, true, true]);
      });
      await expect(drawer.getByRole('switch', { name: 'Ask for a word' })).toBeAttached();
      await screenshot(anna, `news-people-${width}`);
      await anna.keyboard.press('Escape');
    }
  });
});

/** Waits until news covers no button and no name on a tile: in the gallery it lies over the tiles. */
async function expectApartFromWords(told: Locator): Promise<void> {
  await expect(told).toHaveCount(1);
  await expect
    .poll(() =>
      told.evaluate((element) => {
        for (const animation of element.getAnimations()) animation.finish();
        const news = element.getBoundingClientRect();
        return [...document.querySelectorAll('button, figcaption')]
          .filter((part) => {
            const box = part.getBoundingClientRect();
            return (
              !element.contains(part) &&
              box.width > 0 &&
              box.left < news.right - 1 &&
              news.left < box.right - 1 &&
              box.top < news.bottom - 1 &&
              news.top < box.bottom - 1
            );
          })
          .map((part) => part.ariaLabel ?? part.textContent);
      }),
    )
    .toEqual([]);
}

test('11.62: the bar of a lost connection pushes the role line down', async ({ visit }) => {
  const anna = await openRoom(visit, DESK);
  const jonas = await admit(visit, anna, { name: 'Jonas', options: { ...PHONE, viewport: SMALLEST } });
  const line = topOf(jonas.page).locator('[data-watching] > span');
  await expect(line).toHaveText('Anna will give you a figure.');
  // The last one belongs to the next step.
  for (const language of ['de', 'hu', 'ro', 'en']) {
    await jonas.page.evaluate((code) => localStorage.setItem('language', code), language);
    await jonas.page.reload();
    await expect(jonas.page.locator('html')).toHaveAttribute('lang', language);
    await settled(`in one line: ${language}`, async () => expect((await boxOf(line)).height).toBeLessThan(24));
    await expect(jonas.page.locator('[data-room="more"]')).toBeVisible();
    expect(await cutOff(jonas.page, '[data-room="top"]'), `whole: ${language}`).toEqual([]);
    await screenshot(jonas.page, `client-watching-320-light-${language}`);
  }
  await jonas.offline(true);
  const bar = jonas.page.getByText('You’re offline', { exact: false });
  await expect(bar).toBeVisible();
  await settled('pushed', async () => {
    expect((await boxOf(topOf(jonas.page))).y).toBeGreaterThanOrEqual(bottom(await boxOf(bar)) - 1);
    expect(bottom(await boxOf(controls(jonas.page).first()))).toBeLessThanOrEqual(SMALLEST.height);
  });
  await jonas.offline(false);
});

test('11.64: another person’s figure says whose it is; the way back asks', async ({ visit }) => {
  const anna = await openRoom(visit, DESK);
  const { page: jonas } = await admit(visit, anna, { name: 'Jonas', options: PHONE });
  await admit(visit, anna, { name: 'Tom' });
  await giveRole(anna, 'Jonas', 'Sister');
  await giveRole(anna, 'Tom', 'Father');
  await expect(jonas.getByTestId('own-role')).toHaveText('Sister');
  await expect(figure(jonas, 'Father')).toHaveAttribute('aria-label', /Tom/);
  const father = await centerOf(jonas, 'Father');
  await tells(jonas, 'This figure belongs to Tom.', () => jonas.touchscreen.tap(father.x, father.y));
  const mother = await centerOf(jonas, 'Mother');
  await tells(jonas, 'Only Anna moves this figure.', () => jonas.touchscreen.tap(mother.x, mother.y));
  const own = await centerOf(jonas, 'Sister');
  await jonas.touchscreen.tap(own.x, own.y);

  await test.step('5.24: “My figure” shows one’s own, larger, and “Whole field” all', async () => {
    await expectAllInView(jonas);
    const small = await boxOf(figure(jonas, 'Sister'));
    await jonas.getByRole('button', { name: 'My figure' }).click();
    await settled('my figure', async () => {
      const large = await boxOf(figure(jonas, 'Sister'));
      const place = await boxOf(field(jonas));
      expect(large.height).toBeGreaterThan(small.height * 1.2);
      expect(large.x >= place.x && right(large) <= right(place)).toBe(true);
      expect(large.y >= place.y && bottom(large) <= bottom(place)).toBe(true);
    });
    await screenshot(jonas, 'client-my-figure-390-light-en');
    await jonas.getByRole('button', { name: 'Whole field' }).click();
    await expectAllInView(jonas);
  });
  await test.step('back closes what is open first', async () => {
    await jonas.getByRole('button', { name: 'More', exact: true }).click();
    await expect(jonas.getByRole('menu')).toBeVisible();
    await jonas.evaluate(() => history.back());
    await expect(jonas.getByRole('menu')).toHaveCount(0);
    await expect(jonas.getByRole('dialog')).toHaveCount(0);
    await jonas.getByRole('button', { name: 'Messages' }).click();
    await expect(jonas.getByRole('complementary', { name: 'Messages' })).toBeVisible();
    await jonas.evaluate(() => history.back());
    await expect(jonas.getByRole('complementary', { name: 'Messages' })).toHaveCount(0);
    await expect(jonas.getByRole('dialog')).toHaveCount(0);
  });
  await test.step('then it asks, in a sheet over the dimmed room', async () => {
    const question = jonas.getByRole('dialog', { name: 'Leave the room?' });
    await jonas.evaluate(() => history.back());
    await expect(question).toBeVisible();
    await settled('a sheet', async () => {
      const sheet = await boxOf(question.locator('section').or(question).first());
      const panel = await jonas.locator('.mantine-Modal-content').boundingBox();
      expect(panel!.height).toBeLessThan(UPRIGHT.height * 0.4);
      expect(bottom(panel!)).toBeCloseTo(UPRIGHT.height, 0);
      expect(sheet.width).toBeGreaterThan(0);
    });
    await axeClean(jonas, 'the question before leaving');
    await screenshot(jonas, 'client-leave-390-light-en');
    await jonas.evaluate(() => history.back());
    await expect(question).toHaveCount(0);
    await expectInRoom(jonas);
    await jonas.evaluate(() => history.back());
    await question.getByRole('button', { name: 'Leave' }).click();
  });
  await jonas.waitForURL(/\/user\/bye/);
  await expect(jonas.getByText('Until next time')).toBeVisible();
  await jonas.getByRole('link', { name: 'Join again' }).click();
  await expect(jonas.getByText('Welcome to Anna’s room')).toBeVisible();
});

test('11.63: a step back closes the booking form, and what was typed is kept', async ({ visit }) => {
  const { page } = await visit(PHONE);
  await page.goto('/event/anna');
  await page.getByRole('main').getByRole('link').first().click();
  const open = page.getByRole('button', { name: 'Book this place' }).first();
  await open.click();
  const form = page.getByRole('dialog', { name: 'Your details' });
  await form.getByLabel('First name').fill('Hanna');
  const address = page.url();
  await page.goBack();
  await expect(form).toHaveCount(0);
  expect(page.url()).toBe(address);
  await open.click();
  await expect(form.getByLabel('First name')).toHaveValue('Hanna');
  // Closed with its button, the form leaves an entry in the history, which the way back skips.
  await form.getByRole('button', { name: 'Close' }).click();
  await expect(form).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/event\/anna$/);
});

test('11.2: dark follows the system until somebody chooses, on pages of every kind', async ({ visit }) => {
  const anna = await openRoom(visit, DESK);
  const dark = { ...PHONE, colorScheme: 'dark' as const };
  const { page } = await visit(dark);
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  for (const path of ['/user/join/anna', '/event/anna', '/user/login']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await scheme(), path).toBe('dark');
    const toggle = page.getByRole('button', { name: 'Dark mode' });
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    // The other languages need one word or two; the bar has room for all.
    await expect(toggle).toBeInViewport({ ratio: 1 });
    await axeClean(page, `${path} in the dark`);
    await screenshot(page, `dark-${path.replaceAll('/', '-').slice(1)}-390`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(scheme).toBe('light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(scheme).toBe('dark');
  await knockByLink(page, 'Hanna');
  await expect(page.getByText('You can turn on camera and microphone once you’re inside.')).toBeVisible();
  expect(await scheme()).toBe('dark');
  await letIn(anna, 'Hanna');
  await expectInRoom(page);
  expect(await scheme()).toBe('dark');
  await chooseMore(page, 'Dark mode');
  await expect.poll(scheme).toBe('light');
  await page.reload();
  await expect(field(page)).toBeVisible();
  expect(await scheme()).toBe('light');
  await page.goto('/event/anna');
  expect(await scheme()).toBe('light');
});
