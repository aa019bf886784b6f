/** Deeds that several journeys share, done as a person does them. */
import { FIGURE_SIZE } from '@fieldroom/contract/field';
import { expect, type Page } from '@playwright/test';
import type { Letter, RunningServer } from '../server.ts';

/** Field units for one unit of a figure's box at scale 1. */
const UNITS_PER_BOX = FIGURE_SIZE / 100;

/** Waits for a letter to an address that the test has not seen yet. */
export async function nextLetter(server: RunningServer, to: string, seen = new Set<string>()): Promise<Letter> {
  let found: Letter | undefined;
  await expect
    .poll(
      async () => {
        found = (await server.letters(to)).find((letter) => !seen.has(letter.id));
        return found !== undefined;
      },
      { message: `a letter to ${to}` },
    )
    .toBe(true);
  if (!found) throw new Error('no letter');
  seen.add(found.id);
  return found;
}

/** The first link of a letter that leads to a page. */
export function linkIn(letter: Letter, page: string): string {
  const link = letter.text.match(/https?:\/\/\S+/g)?.find((address) => address.includes(page));
  if (!link) throw new Error(`no link to ${page} in: ${letter.text}`);
  return link;
}

export async function openField(page: Page): Promise<void> {
  await page.goto('/app/play-area');
  await expect(page.getByTestId('field')).toBeVisible();
  await expect(page.getByTestId('room-code')).toHaveText(/^[A-Z2-9]{5}$/);
}

/** To be asked when the field is open. */
export async function roomCode(page: Page): Promise<string> {
  return (await page.getByTestId('room-code').textContent()) ?? '';
}

/** Knocks by the join link, or by a whole address that was copied; ends in the waiting room. */
export async function knockByLink(page: Page, name: string, joinLink = 'anna'): Promise<void> {
  await page.goto(joinLink.startsWith('http') ? joinLink : `/user/join/${joinLink}`);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(page.getByText(`Welcome, ${name}`)).toBeVisible();
}

/** Knocks by the code. */
export async function knockByCode(page: Page, code: string, name: string): Promise<void> {
  await page.goto('/user/code');
  await page.getByLabel('Code').fill(code);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(page.getByText(`Welcome, ${name}`)).toBeVisible();
}

export async function letIn(therapist: Page, name: string): Promise<void> {
  await therapist.getByRole('button', { name: `Let in ${name}`, exact: true }).click();
}

export async function inRoom(client: Page): Promise<void> {
  await client.waitForURL(/\/app\/play-area-view/);
  await expect(client.getByTestId('field')).toBeVisible();
}

/** A figure on the field by its name, as a screen reader finds it. */
export function figure(page: Page, name: string) {
  return page
    .getByTestId('field')
    .getByRole('button', { name: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')},`) });
}

/** Adds a figure by the rail and names it in the bar. */
export async function addFigure(page: Page, kind: string, name: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`: add ${kind}$`) }).click();
  const input = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(input).toBeFocused();
  await input.fill(name);
  await input.press('Enter');
  await expect(figure(page, name)).toBeVisible();
}

/** Gives a role by the person's menu. */
export async function giveRole(therapist: Page, person: string, figureName: string): Promise<void> {
  await therapist.getByRole('button', { name: `More options for ${person}`, exact: true }).click();
  await therapist.getByRole('menuitemcheckbox', { name: figureName, exact: true }).click();
  await expect(therapist.getByRole('menuitemcheckbox', { name: figureName, exact: true })).toHaveAttribute(
    'aria-checked',
    'true',
  );
  await therapist.keyboard.press('Escape');
}

/**
 * Where a figure stands on the page, in px, once it stands still: the field glides when it is zoomed and when others
 * move.
 */
export async function centerOf(page: Page, name: string): Promise<{ x: number; y: number }> {
  const frame = () =>
    figure(page, name).evaluate(async (element) => {
      await new Promise((resolve) => {
        requestAnimationFrame(() => {
          requestAnimationFrame(resolve);
        });
      });
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
  let at = await frame();
  await expect(async () => {
    const before = at;
    at = await frame();
    expect(at).toEqual(before);
  }, `${name} stands still`).toPass({ intervals: [50] });
  return at;
}

/** Drags a figure by the mouse by so many px, in steps as a hand does. */
export async function dragBy(page: Page, name: string, dx: number, dy: number): Promise<void> {
  const from = await centerOf(page, name);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 1; step <= 8; step += 1) await page.mouse.move(from.x + (dx * step) / 8, from.y + (dy * step) / 8);
  await page.mouse.up();
}

/** The stored field as the server tells it to the signed-in person. */
export async function storedField(page: Page): Promise<
  {
    id: number;
    name: string;
    x: number;
    y: number;
    rotation: number;
    scale: number;
    showText: boolean;
    iconType: string;
    color: string;
    order: number;
  }[]
> {
  return page.evaluate(async () => {
    const therapistId =
      JSON.parse(localStorage.getItem('client') ?? 'null')?.therapist.id ??
      JSON.parse(localStorage.getItem('therapist') ?? 'null')?.id;
    const answer = await fetch(`/api/participant/all/${therapistId}`, {
      headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
    });
    return answer.json();
  });
}

/**
 * Compares what is drawn on each screen with what the server has stored: place, turn and size of every figure, once
 * nothing glides any more; no figure is in a hand, and no pointer shows. Who holds a figure meanwhile, or points, is
 * not to be asked.
 */
export async function expectDrawnAsStored(...pages: Page[]): Promise<void> {
  for (const page of pages) {
    await expect(
      async () => {
        const stored = (await storedField(page)).map(({ id, x, y, rotation, scale }) => ({
          id,
          at: `translate(${x} ${y}) rotate(${rotation}) scale(${(scale * UNITS_PER_BOX).toFixed(4)})`,
        }));
        const drawn = await page.getByTestId('field').evaluate((field) => ({
          figures: [...field.querySelectorAll<SVGGElement>('[data-figure]')].map((element) => ({
            id: Number(element.dataset['figure']),
            at: element.getAttribute('transform'),
          })),
          marks: field.querySelectorAll('.fr-held-ring, .fr-pointer, .fr-lifted').length,
        }));
        const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
        expect({ ...drawn, figures: drawn.figures.sort(byId) }).toEqual({ figures: stored.sort(byId), marks: 0 });
      },
      `what is drawn at ${await page.title()}`,
    ).toPass();
  }
}

/** The figures and names that reach beyond the field on this screen, as the browser lays them out. */
export async function outOfView(page: Page): Promise<string[]> {
  return page.getByTestId('field').evaluate(async (field) => {
    await new Promise((resolve) => {
      requestAnimationFrame(() => {
        requestAnimationFrame(resolve);
      });
    });
    const box = field.getBoundingClientRect();
    return [...field.querySelectorAll('[data-figure], .fr-name')].flatMap((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const inside = left >= box.left && top >= box.top && right <= box.right && bottom <= box.bottom;
      return inside ? [] : [element.getAttribute('aria-label') ?? element.textContent ?? ''];
    });
  });
}

export async function expectAllInView(page: Page): Promise<void> {
  await expect(
    async () => expect(await outOfView(page)).toEqual([]),
    `all figures and names at ${await page.title()}`,
  ).toPass();
}
