/**
 * Relations between figures, and looking from a figure (docs/product.md#5.33 to #5.36): what the therapist's desktop
 * and a client's phone draw, what screen readers announce, and what dragging changes.
 */
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, nextFrames, PHONE, resize, screenshot, test } from '../../journey.ts';
import { tells } from '../news.ts';
import {
  admit,
  centerOf,
  dragBy,
  expectAllInView,
  expectDrawnAsStored,
  figure,
  giveRole,
  openRoom,
  storedField,
} from '../people.ts';

interface Stored {
  name: string;
  id: number;
  relations: { to: number; kind: string; word: string }[];
}
const stored = async (page: Page) => (await storedField(page)) as unknown as Stored[];
/** The stored relations by names: "Mother → Father: arrow misses". */
async function relations(page: Page): Promise<string[]> {
  const figures = await stored(page);
  const nameOf = (id: number) => figures.find((one) => one.id === id)?.name ?? '?';
  return figures.flatMap(({ name, relations: all }) =>
    all.map(({ to, kind, word }) => `${name} → ${nameOf(to)}: ${kind} ${word}`.trim()),
  );
}

/**
 * Whether every line of a page runs from the edge of one figure to that of the other, as drawn by the browser. Returns
 * the lines that do, by the ids of their figures, with kind and word.
 */
async function lines(page: Page): Promise<string[]> {
  return page.getByTestId('field').evaluate((field) => {
    const middle = (id: string | undefined) => {
      const { left, top, width, height } = field.querySelector(`[data-figure="${id}"]`)!.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2, radius: Math.hypot(width, height) / 2 };
    };
    return [...field.querySelectorAll<SVGGElement>('[data-relation]')].flatMap((group) => {
      const [from, to] = group.dataset['relation']!.split(' ').map(middle);
      const stroke = group.querySelector<SVGPathElement>('[data-stroke]')!;
      const matrix = stroke.getScreenCTM()!;
      const length = stroke.getTotalLength();
      const [start, end] = [0, length].map((at) => stroke.getPointAtLength(at).matrixTransform(matrix));
      const meets = (point: DOMPoint, { x, y, radius }: ReturnType<typeof middle>) => {
        const far = Math.hypot(point.x - x, point.y - y);
        return far > radius * 0.5 && far < radius + 30;
      };
      if (group.getAttribute('visibility') === 'hidden' || !meets(start!, from!) || !meets(end!, to!)) return [];
      return [
        `${group.dataset['relation']} ${group.dataset['kind']} ${field.querySelector(`[data-word="${group.dataset['relation']}"]`)?.textContent ?? ''}`,
      ];
    });
  });
}

/** Waits until each page draws the server's current relations: the last act may still be on its way. */
async function expectLines(therapist: Page, others: readonly Page[]): Promise<void> {
  const wanted = async () =>
    (await stored(therapist))
      .flatMap(({ id, relations: all }) => all.map(({ to, kind, word }) => `${id} ${to} ${kind} ${word}`))
      .sort();
  for (const page of [therapist, ...others])
    await expect(
      async () => expect((await lines(page)).sort()).toEqual(await wanted()),
      `the lines of “${await page.title()}”`,
    ).toPass();
}

/** Another client program of the therapist, which does not know relations (docs/product.md#1.2). */
const call = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([to, what]) => {
      const answer = await fetch(`/api/participant/${to}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('token')}` },
        body: JSON.stringify(what),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    [path, body] as const,
  );

/** Moves a figure to a position. */
async function put(page: Page, name: string, place: { x: number; y: number; rotation?: number }): Promise<void> {
  const { id } = (await stored(page)).find((one) => one.name === name)!;
  await call(page, 'save', { id, ...place });
}

const FAMILY = [
  { name: 'Mother', iconType: 'FEMALE_FIGURE', color: '#D7739C', x: 360, y: 560, rotation: 90 },
  { name: 'Father', iconType: 'MALE_FIGURE', color: '#4BA8E2', x: 980, y: 360, rotation: 200 },
  { name: 'Child', iconType: 'STAR', color: '#EFDA71', x: 760, y: 800, rotation: 0 },
  { name: 'Fear', iconType: 'BAT', color: '#2E2E2E', x: 1420, y: 700, rotation: 270 },
] as const;

/** Replaces the demo's figures by the family. */
async function aFamily(therapist: Page): Promise<void> {
  await call(therapist, `saveAll?participantsUpdatedOn=${10 ** 9}`, FAMILY);
  for (const { name } of FAMILY) await expect(figure(therapist, name)).toBeVisible();
  await expectDrawnAsStored(therapist);
}

/** The accessible name of a figure. */
const heard = (page: Page, name: string) => figure(page, name).getAttribute('aria-label');
/** Waits for animations to end: pictures show the final state. */
const calm = (page: Page) =>
  page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
const shoot = async (page: Page, name: string) => {
  await calm(page);
  await screenshot(page, name);
};
/** Keyboard focus continues at a sensible place, not at the top of the page. */
const expectFocusKept = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
const rail = (page: Page) => page.getByRole('navigation', { name: 'Add and arrange' });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Relations of ${name}` });
const more = (page: Page) =>
  page.getByRole('region', { name: /^Selected figure/ }).getByRole('button', { name: 'More' });

async function openRelations(page: Page, name: string, { behindMore = false } = {}) {
  await figure(page, name).click();
  if (behindMore) await more(page).click();
  await page.getByRole('button', { name: 'Relations', exact: true }).click();
  await expect(dialogOf(page, name)).toBeVisible();
  return dialogOf(page, name);
}

interface Wish {
  to: string;
  kind: string;
  color: string;
  word: string;
}
async function relate(page: Page, name: string, wishes: readonly Wish[], options = {}): Promise<void> {
  const dialog = await openRelations(page, name, options);
  for (const { to, kind, color, word } of wishes) {
    await dialog.getByLabel('To', { exact: true }).selectOption({ label: to });
    await dialog.getByRole('radio', { name: kind }).check();
    await dialog.getByRole('radio', { name: color, exact: true }).click();
    await dialog.getByLabel(/^Word on the line/).fill(word);
    await dialog.getByRole('button', { name: 'Add relation' }).click();
  }
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
}

test('5.33, 5.35: relations look the same on a desktop and a phone, follow a drag, and are changed and undone', async ({
  visit,
}) => {
  const therapist = await openRoom(visit, DESK);
  await aFamily(therapist);
  const { page: jonas } = await admit(visit, therapist, { name: 'Jonas', options: PHONE });
  await giveRole(therapist, 'Jonas', 'Mother');

  await test.step('the therapist relates figures', async () => {
    await relate(therapist, 'Mother', [
      { to: 'Father (Man)', kind: 'arrow', color: 'Brick', word: 'misses' },
      { to: 'Child (Star)', kind: 'double line', color: 'Moss', word: '' },
    ]);
    await relate(therapist, 'Father', [
      { to: 'Mother (Woman)', kind: 'arrow', color: 'Ink blue', word: 'avoids' },
      { to: 'Fear (Bat)', kind: 'plain line', color: 'Chalk', word: 'hides' },
    ]);
    await expect
      .poll(() => relations(therapist))
      .toEqual([
        'Mother → Father: arrow misses',
        'Mother → Child: double',
        'Father → Mother: arrow avoids',
        'Father → Fear: plain hides',
      ]);
  });

  await test.step('both draw them, and screen readers hear them', async () => {
    await expectLines(therapist, [jonas]);
    for (const page of [therapist, jonas])
      await expect
        .poll(() => heard(page, 'Mother'))
        .toMatch(/Related to Father \(arrow, “misses”\), Child \(double line\)$/);
    await shoot(therapist, 'relations-room-1440-light-en');
    await shoot(jonas, 'relations-client-390-light-en');
    await axeClean(therapist, 'the room with relations');
    await axeClean(jonas, 'the client with relations');
  });

  await test.step('lines follow a hand before it lets go, on both', async () => {
    const { x, y } = await centerOf(therapist, 'Father');
    await therapist.mouse.move(x, y);
    await therapist.mouse.down();
    for (let step = 1; step <= 6; step += 1) await therapist.mouse.move(x + step * 10, y + step * 22);
    await expectLines(therapist, [jonas]);
    await therapist.mouse.up();
    await dragBy(therapist, 'Child', 90, -60);
    await expectDrawnAsStored(therapist, jonas);
    await expectLines(therapist, [jonas]);
  });

  await test.step('a relation is changed, removed, and comes back with undo', async () => {
    const dialog = await openRelations(therapist, 'Mother');
    await shoot(therapist, 'relations-dialog-1440-light-en');
    await axeClean(therapist, 'the dialog of relations');
    await dialog.getByRole('button', { name: 'Change the relation to Father' }).click();
    await expect(dialog.getByRole('heading', { name: 'Relation to Father' })).toBeFocused();
    await dialog.getByLabel(/^Word on the line/).fill('waits for');
    await dialog.getByLabel(/^Word on the line/).press('Enter');
    await expect(dialog.getByRole('listitem').filter({ hasText: 'arrow, “waits for”' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Remove the relation to Child' }).click();
    await expect(dialog.getByRole('listitem')).toHaveCount(1);
    await therapist.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect.poll(() => relations(therapist)).not.toContain('Mother → Child: double');
    await expectLines(therapist, [jonas]);
    await rail(therapist).getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => relations(therapist)).toContain('Mother → Child: double');
    await expectLines(therapist, [jonas]);
  });

  await test.step('a removed figure takes its lines along, and undo brings all of them back', async () => {
    const before = await relations(therapist);
    await figure(therapist, 'Father').press('Delete');
    await expect(figure(jonas, 'Father')).toBeHidden();
    for (const page of [therapist, jonas]) await expect.poll(async () => (await lines(page)).length).toBe(1);
    await expect.poll(() => heard(jonas, 'Mother')).toMatch(/Related to Child \(double line\)$/);
    await rail(therapist).getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(figure(jonas, 'Father')).toBeVisible();
    await expect.poll(() => relations(therapist)).toEqual(before);
    await expectLines(therapist, [jonas]);
  });
});

test('5.35: comparing two moments shows which relations are new, changed or gone', async ({ visit }) => {
  const therapist = await openRoom(visit, DESK);
  await aFamily(therapist);
  const idOf = await stored(therapist).then((all) => (name: string) => all.find((one) => one.name === name)!.id);
  const save = (name: string, ...all: { to: string; word: string; color?: string }[]) =>
    call(therapist, 'save', {
      id: idOf(name),
      relations: all.map(({ to, ...look }) => ({ kind: 'arrow', color: '#953300', ...look, to: idOf(to) })),
    });
  const keep = (number: number) =>
    tells(therapist, `Moment ${number} is kept.`, () => therapist.getByRole('button', { name: 'Keep moment' }).click());
  await save('Mother', { to: 'Father', word: 'misses' }, { to: 'Child', word: '' }, { to: 'Fear', word: 'has' });
  await expect.poll(async () => (await lines(therapist)).length).toBe(3);
  await keep(1);
  await save('Mother', { to: 'Father', word: 'waits for' }, { to: 'Fear', word: 'has', color: '#4BA8E2' });
  await save('Father', { to: 'Child', word: 'holds' });
  await expect.poll(async () => (await lines(therapist)).join()).toContain('waits for');
  await keep(2);
  await therapist.getByRole('button', { name: 'Moments', exact: true }).click();
  await therapist.getByRole('button', { name: 'Compare', exact: true }).click();
  const compared = therapist.getByRole('dialog', { name: 'Comparing two moments' });
  await expect(compared.getByRole('heading', { name: '2 figures differ' })).toBeVisible();
  for (const said of [
    'Mother: relation to Father (arrow, “waits for”), before: arrow, “misses”',
    'Mother: relation to Fear (arrow, “has”), in another colour',
    'Mother: no longer related to Child (arrow)',
    'Father: new relation to Child (arrow, “holds”)',
  ])
    await expect(compared.getByText(said, { exact: true })).toBeVisible();
  await axeClean(therapist, 'two moments with other relations');
  await shoot(therapist, 'relations-compare-1440-light-en');
  await resize(therapist, 390, 844);
  await shoot(therapist, 'relations-compare-390-light-en');
});

/** Lines whose middles lie where other figures have their names. */
const UNDER_NAMES = [
  { name: 'Mother', iconType: 'FEMALE_FIGURE', color: '#D7739C', x: 200, y: 340, rotation: 90 },
  { name: 'Father', iconType: 'MALE_FIGURE', color: '#4BA8E2', x: 1400, y: 340, rotation: 270 },
  {
    name: 'Grandmother from the far village',
    iconType: 'FEMALE_FIGURE',
    color: '#7A9E5F',
    x: 800,
    y: 240,
    rotation: 0,
  },
  { name: 'The one who is missing', iconType: 'STAR', color: '#EFDA71', x: 500, y: 240, rotation: 0 },
  { name: 'The fear of all', iconType: 'BAT', color: '#2E2E2E', x: 1100, y: 240, rotation: 0 },
  { name: 'Child', iconType: 'STAR', color: '#EFDA71', x: 200, y: 820, rotation: 0 },
  { name: 'Great-uncle', iconType: 'MALE_SQUARE', color: '#4BA8E2', x: 1400, y: 820, rotation: 0 },
  { name: 'Work', iconType: 'KIWI', color: '#7A9E5F', x: 800, y: 700, rotation: 0 },
] as const;
const UNDER_NAMES_LINES = [
  ['Mother', 'Father', 'longs for a word from'],
  ['Father', 'Mother', 'avoids'],
  ['Child', 'Great-uncle', 'waits for'],
  ['Mother', 'Great-uncle', 'trusts'],
  ['Child', 'Father', 'is afraid of losing'],
  ['Grandmother from the far village', 'Work', 'holds on to'],
] as const;

/** The names and words that cover each other as drawn by the browser, and the words that it draws. */
const lettersOf = async (page: Page) => {
  await nextFrames(page);
  return page.getByTestId('field').evaluate((field) => {
    const boxes = (selector: string) =>
      [...field.querySelectorAll<SVGGraphicsElement>(selector)].map((element) => {
        const { x, y, width, height } = element.getBBox();
        const matrix = element.getScreenCTM()!;
        const [start, end] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)].map((point) =>
          point.matrixTransform(matrix),
        );
        return { text: element.textContent ?? '', left: start!.x, top: start!.y, right: end!.x, bottom: end!.y };
      });
    const words = boxes('[data-word]').filter(({ text }) => text !== '');
    const covered = boxes('[data-part=name] text').flatMap((name) =>
      words
        .filter(
          (word) =>
            word.left < name.right && word.right > name.left && word.top < name.bottom && word.bottom > name.top,
        )
        .map((word) => `“${word.text}” over “${name.text}”`),
    );
    return { covered, words: words.map(({ text }) => text).sort() };
  });
};

test('5.35: no word of a relation covers a name, on a desktop and a phone, also during a drag', async ({ visit }) => {
  const therapist = await openRoom(visit, DESK);
  await call(therapist, `saveAll?participantsUpdatedOn=${10 ** 9}`, UNDER_NAMES);
  const figures = await stored(therapist);
  const idOf = (name: string) => figures.find((one) => one.name === name)!.id;
  for (const { name } of UNDER_NAMES)
    await call(therapist, 'save', {
      id: idOf(name),
      relations: UNDER_NAMES_LINES.filter(([from]) => from === name).map(([, to, word]) => ({
        to: idOf(to),
        kind: 'arrow',
        color: '#953300',
        word,
      })),
    });
  const { page: jonas } = await admit(visit, therapist, { name: 'Jonas', options: PHONE });
  const { page: hanna } = await admit(visit, therapist, { name: 'Hanna', options: DESK });
  const words = UNDER_NAMES_LINES.map(([, , word]) => word).sort();
  // If space is short, some are shorter.
  const begun = words.map((word) => expect.stringContaining(word.slice(0, 4)));
  const expectApart = async (...pages: Page[]) => {
    for (const page of pages)
      await expect
        .poll(() => lettersOf(page), `the letters on “${await page.title()}”`)
        .toEqual({ covered: [], words: begun });
  };
  await expectDrawnAsStored(therapist, jonas, hanna);
  await expectApart(therapist, jonas, hanna);
  await expect.poll(async () => (await lettersOf(therapist)).words).toEqual(words);
  await shoot(therapist, 'relations-names-1440-light-en');
  await shoot(jonas, 'relations-names-390-light-en');
  await therapist.emulateMedia({ colorScheme: 'dark' });
  await jonas.emulateMedia({ colorScheme: 'dark' });
  await shoot(therapist, 'relations-names-1440-dark-en');
  await shoot(jonas, 'relations-names-390-dark-en');

  // A name dragged over words and lines: they move aside at once, on every screen.
  await centerOf(therapist, 'The fear of all');
  const { x, y } = (await figure(therapist, 'The fear of all').boundingBox())!;
  await therapist.mouse.move(x + 20, y + 20);
  await therapist.mouse.down();
  for (const [dx, dy] of [
    [-60, 30],
    [-160, 60],
    [-190, 110],
    [-190, 160],
  ] as const) {
    await therapist.mouse.move(x + 20 + dx, y + 20 + dy, { steps: 4 });
    expect((await lettersOf(therapist)).covered).toEqual([]);
    await expectApart(jonas);
  }
  await therapist.mouse.up();
  await expectDrawnAsStored(therapist, jonas, hanna);
  await expectApart(therapist, jonas, hanna);
});

test('5.36: somebody who looks from a figure sees a wedge and a list, which nobody else sees, from near to far', async ({
  visit,
}) => {
  const therapist = await openRoom(visit, DESK);
  await aFamily(therapist);
  const { page: jonas } = await admit(visit, therapist, { name: 'Jonas', options: PHONE });
  await giveRole(therapist, 'Jonas', 'Mother');
  const sight = (page: Page, name: string) => page.getByRole('region', { name: `${name} can see` });

  await test.step('the therapist', async () => {
    await figure(therapist, 'Mother').click();
    await therapist.getByRole('button', { name: 'Look from here' }).click();
    const list = sight(therapist, 'Mother');
    await expect(list.getByRole('listitem')).toHaveText([
      /Child.*star · near · right/,
      /Father.*male figure · in the middle · ahead/,
      /Fear.*bat · in the middle · ahead/,
    ]);
    await expect(therapist.locator('[data-part=sight]')).toBeVisible();
    await expect(jonas.locator('[data-part=sight]')).toHaveCount(0);
    await shoot(therapist, 'sight-room-1440-light-en');
    await axeClean(therapist, 'looking from a figure');
    await expectToolsFree(therapist, /^Fit$/);
  });

  await test.step('the list follows a hand that has not let go, and ends with Escape', async () => {
    const list = sight(therapist, 'Mother');
    const child = await centerOf(therapist, 'Child');
    await therapist.mouse.move(child.x, child.y);
    await therapist.mouse.down();
    const behind = (await figure(therapist, 'Mother').boundingBox())!;
    await therapist.mouse.move(behind.x - 60, behind.y + 60, { steps: 6 });
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await therapist.mouse.up();
    await expect(list.getByRole('listitem')).toHaveText([/Father/, /Fear/]);
    await put(therapist, 'Mother', { x: 360, y: 560, rotation: 270 });
    await put(therapist, 'Child', { x: 1200, y: 560 });
    await expect(list.getByText('Nobody is in sight.')).toBeVisible();
    await therapist.keyboard.press('Escape');
    await expect(list).toBeHidden();
    await expect(therapist.locator('[data-part=sight]')).toHaveCount(0);
  });

  await test.step('the client looks from the active role, on a phone', async () => {
    await put(therapist, 'Mother', { x: 360, y: 560, rotation: 90 });
    await chooseMoreLook(jonas);
    const list = sight(jonas, 'Mother');
    await expect(list.getByRole('listitem')).toHaveCount(3);
    await shoot(jonas, 'sight-client-390-light-en');
    await axeClean(jonas, 'the client looking');
    await expectToolsFree(jonas, /My figure|Whole field|Fit/);
    await resize(jonas, 390, 844);
    await expect(therapist.locator('[data-part=sight]')).toHaveCount(0);
    await list.getByRole('button', { name: 'Stop looking from here' }).click();
    await expect(list).toBeHidden();
  });
});

/** The buttons, figures and names of a page that the list of sight covers, by their drawn boxes. */
const coveredTools = (page: Page) =>
  page.evaluate(() => {
    const panel = document.querySelector('[data-room=sight]')!;
    const list = panel.getBoundingClientRect();
    return [...document.querySelectorAll('button, a, [data-figure], [data-part=name]')]
      .filter((tool) => !panel.contains(tool) && tool.checkVisibility())
      .filter((tool) => {
        const { left, top, right, bottom, width } = tool.getBoundingClientRect();
        return width > 1 && left < list.right && right > list.left && top < list.bottom && bottom > list.top;
      })
      .map((tool) => tool.textContent || tool.ariaLabel);
  });

/** The list of sight covers no tool, no figure and no name, and is in view, at the sizes of phones and of a desktop. */
async function expectToolsFree(page: Page, fit: RegExp): Promise<void> {
  for (const [width, height] of [
    [390, 844],
    [320, 640],
    [844, 390],
    [1440, 900],
  ] as const) {
    await resize(page, width, height);
    await expect.poll(() => coveredTools(page), `what the list covers at ${width} × ${height}`).toEqual([]);
    await expectAllInView(page);
    await expect(async () => {
      const list = (await page.locator('[data-room=sight]').boundingBox())!;
      const field = (await page.getByTestId('field').boundingBox())!;
      expect(list.y, 'the list is in the field').toBeGreaterThanOrEqual(field.y);
      expect(list.y + list.height).toBeLessThanOrEqual(field.y + field.height);
    }, `the list at ${width} × ${height}`).toPass();
    // A press there reaches the button, and nothing covers it.
    await page.getByTestId('field').getByRole('button', { name: fit }).click({ trial: true });
    if (width <= 844) await shoot(page, `sight-tools-${width}-light-en`);
  }
}

async function chooseMoreLook(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Look from here' }).click();
}

test('5.33, 5.36: the therapist relates figures and looks from one on a phone, in dark German', async ({ visit }) => {
  const therapist = await openRoom(visit, { ...PHONE, colorScheme: 'dark' });
  await aFamily(therapist);
  await therapist.evaluate(() => localStorage.setItem('language', 'de'));
  await therapist.reload();
  await expect(figure(therapist, 'Mother')).toBeVisible();

  const bar = therapist.getByRole('region', { name: /^Ausgewählte Figur/ });
  await figure(therapist, 'Mother').tap();
  await bar.getByRole('button', { name: 'Mehr' }).tap();
  await shoot(therapist, 'relations-more-390-dark-de');
  await therapist.getByRole('button', { name: 'Beziehungen', exact: true }).tap();
  const dialog = therapist.getByRole('dialog', { name: 'Beziehungen von Mother' });
  await expect(therapist.getByRole('dialog')).toHaveCount(1);
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await dialog.getByLabel('Zu', { exact: true }).selectOption({ label: 'Father (Mann)' });
  await dialog.getByRole('radio', { name: 'Pfeil' }).check();
  await dialog.getByRole('radio', { name: 'Kohle' }).tap();
  await dialog.getByLabel(/^Wort an der Linie/).fill('vermisst schmerzlich');
  await shoot(therapist, 'relations-dialog-390-dark-de');
  await axeClean(therapist, 'the dialog of relations on a phone', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Beziehung hinzufügen' }).tap();
  await dialog.getByRole('radio', { name: 'doppelte Linie' }).check();
  await dialog.getByRole('button', { name: 'Beziehung hinzufügen' }).tap();
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Beziehung zu Father ändern' }).tap();
  await shoot(therapist, 'relations-change-390-dark-de');
  await dialog.getByRole('button', { name: 'Abbrechen' }).tap();
  await dialog.getByRole('button', { name: 'Fertig' }).tap();
  await expect(dialog).toBeHidden();
  await expectLines(therapist, []);
  await expectFocusKept(therapist);
  // Its code has loaded.
  await bar.getByRole('button', { name: 'Mehr' }).tap();
  await therapist.getByRole('button', { name: 'Beziehungen', exact: true }).tap();
  await expect(dialog).toBeVisible();
  await calm(therapist);
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await therapist.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expectFocusKept(therapist);

  await bar.getByRole('button', { name: 'Mehr' }).tap();
  await therapist.getByRole('button', { name: 'Von hier schauen' }).tap();
  const list = therapist.getByRole('region', { name: 'Von hier sieht Mother' });
  await expect(list.getByRole('listitem')).toHaveCount(3);
  // Escape goes to the focused element.
  await expect(list).toBeFocused();
  await therapist.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await bar.getByRole('button', { name: 'Mehr' }).tap();
  await therapist.getByRole('button', { name: 'Von hier schauen' }).tap();
  await expect(list).toBeVisible();
  await shoot(therapist, 'sight-therapist-390-dark-de');
  await axeClean(therapist, 'looking on a phone, in the dark');
  await therapist.setViewportSize({ width: 1440, height: 900 });
  await shoot(therapist, 'sight-therapist-1440-dark-de');
});
