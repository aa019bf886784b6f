/** Actions that several journeys share: people, their emails, the waiting room, and figures on the field. */
import { FIGURE_SIZE } from '@fieldroom/contract/field';
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { nextFrames, signIn, type Visit, type Visitor } from '../journey.ts';
import type { Email, RunningServer } from '../server.ts';

/** Field units for one unit of a figure's own coordinates at scale 1. */
const UNITS_PER_BOX = FIGURE_SIZE / 100;

/** Waits for the next email to an address. Takes the ids of the emails seen so far, and adds the new one. */
export async function nextEmail(server: RunningServer, to: string, seen = new Set<string>()): Promise<Email> {
  let found: Email | undefined;
  await expect
    .poll(
      async () => {
        found = (await server.emails(to)).find(({ id }) => !seen.has(id));
        return found !== undefined;
      },
      { message: `an email to ${to}` },
    )
    .toBe(true);
  if (!found) throw new Error('no email');
  seen.add(found.id);
  return found;
}

/** The first link in an email that leads to a page. Takes a part of the page's address. */
export function linkIn(email: Email, page: string): string {
  const link = email.text.match(/https?:\/\/\S+/g)?.find((address) => address.includes(page));
  if (!link) throw new Error(`no link to ${page} in: ${email.text}`);
  return link;
}

/** Fills in the registration of a therapist called Mira New; ends when the page refers to the email. */
export async function register(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/user/register');
  await page.getByLabel('First name').fill('Mira');
  await page.getByLabel('Family name').fill('New');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Repeat the password').fill(password);
  await page.getByText('Female', { exact: true }).click();
  await page.getByRole('checkbox', { name: /licence agreement/ }).check();
  await page.getByRole('checkbox', { name: /data protection agreement/ }).check();
  await page.getByRole('button', { name: 'Create the account' }).click();
  // The security check may take long on a busy machine.
  await expect(page.getByText('Check your email')).toBeVisible({ timeout: 120_000 });
}

/** Registers a therapist and confirms the address by the email. */
export async function registerAndConfirm(
  page: Page,
  server: RunningServer,
  account: { email: string; password: string },
  seen = new Set<string>(),
): Promise<void> {
  await register(page, account);
  await page.goto(linkIn(await nextEmail(server, account.email, seen), '/user/verify'));
  await page.getByRole('button', { name: 'Yes, confirm my address' }).click();
  await expect(page.getByText('Your address is confirmed')).toBeVisible();
}

/** Closes the note that pages outside the room show while the live session runs. */
export async function understandTimerStays(page: Page): Promise<void> {
  const note = page.getByRole('dialog', { name: 'The timer stays on' });
  await note.getByRole('button', { name: 'Got it' }).click();
  await expect(note).toHaveCount(0);
}

/** Opens the therapist's room, and waits for its field and code. The page must be signed in. */
export async function openField(page: Page): Promise<void> {
  await page.goto('/app/play-area');
  await expect(page.getByTestId('field')).toBeVisible();
  await expect(page.getByTestId('room-code')).toHaveText(/^[A-Z2-9]{5}$/);
}

/** Signs in as the demo's therapist and opens the field. */
export async function openRoom(visit: Visit, options?: BrowserContextOptions): Promise<Page> {
  const { page } = await visit(options);
  await signIn(page);
  await openField(page);
  return page;
}

/** The code of the room. The field must be open. */
export async function roomCode(page: Page): Promise<string> {
  return (await page.getByTestId('room-code').textContent()) ?? '';
}

/** Opens a join link and gives a name; ends in the waiting room. Takes the link's last part, or a whole address. */
export async function knockByLink(page: Page, name: string, joinLink = 'anna'): Promise<void> {
  await page.goto(joinLink.startsWith('http') ? joinLink : `/user/join/${joinLink}`);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(page.getByText(`Welcome, ${name}`)).toBeVisible();
}

/** Enters the room's code and a name; ends in the waiting room. */
export async function knockByCode(page: Page, code: string, name: string): Promise<void> {
  await page.goto('/user/code');
  await page.getByLabel('Code').fill(code);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Knock at the door' }).click();
  await expect(page.getByText(`Welcome, ${name}`)).toBeVisible();
}

/** The therapist admits one person who waits. */
export async function letIn(therapist: Page, name: string): Promise<void> {
  await therapist.getByRole('button', { name: `Let in ${name}`, exact: true }).click();
}

/** Waits until a client's page has drawn the room and the waiting room no longer covers it. */
export async function expectInRoom(client: Page): Promise<void> {
  await client.waitForURL(/\/app\/play-area-view/);
  await expect(client.getByTestId('field')).toBeVisible();
  // The waiting room lies over the room until that is drawn, and receives every press of a mouse or finger.
  await expect(client.getByRole('heading', { name: /^Welcome, / })).toHaveCount(0);
}

export interface Guest {
  name: string;
  options?: BrowserContextOptions;
  joinLink?: string;
  /** Runs on the new page before it opens anything. */
  prepare?: (page: Page) => Promise<void>;
}

/** A client opens the join link, the therapist lets them in, and both see it. */
export async function admit(
  visit: Visit,
  therapist: Page,
  { name, options, joinLink, prepare }: Guest,
): Promise<Visitor> {
  const visitor = await visit(options);
  await prepare?.(visitor.page);
  await knockByLink(visitor.page, name, joinLink);
  await letIn(therapist, name);
  await expectInRoom(visitor.page);
  return visitor;
}

/** Chooses an entry of the menu “More”, which on a phone has what its bars have no space for. */
export async function chooseMore(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page
    .getByRole('menu')
    .getByRole(/Point|Dark mode/.test(entry) ? 'menuitemcheckbox' : 'menuitem', { name: entry, exact: true })
    .click();
}

/** A figure on the field by its name, by its accessible name. */
export function figure(page: Page, name: string) {
  return page.getByTestId('field').getByRole('button', { name: new RegExp(`^${RegExp.escape(name)},`) });
}

/** Adds a figure with the toolbar and gives it a name. */
export async function addFigure(page: Page, kind: string, name: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`: add ${kind}$`) }).click();
  const input = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(input).toBeFocused();
  await input.fill(name);
  await input.press('Enter');
  await expect(figure(page, name)).toBeVisible();
}

/** Gives a client a role with the menu of that person. */
export async function giveRole(therapist: Page, person: string, figureName: string): Promise<void> {
  await therapist.getByRole('button', { name: `More options for ${person}`, exact: true }).click();
  await therapist.getByRole('menuitemcheckbox', { name: figureName, exact: true }).click();
  await expect(therapist.getByRole('menuitemcheckbox', { name: figureName, exact: true })).toHaveAttribute(
    'aria-checked',
    'true',
  );
  await therapist.keyboard.press('Escape');
  // It covers what is below until it has faded out.
  await expect(therapist.getByRole('menu')).toHaveCount(0);
}

/**
 * The centre of a figure on the page, in px, once it no longer moves: zooming and other people's moves are animated.
 */
export async function centerOf(page: Page, name: string): Promise<{ x: number; y: number }> {
  const frame = async () => {
    await nextFrames(page);
    return figure(page, name).evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
  };
  let at = await frame();
  await expect(async () => {
    const before = at;
    at = await frame();
    expect(at).toEqual(before);
  }, `${name} stands still`).toPass({ intervals: [50] });
  return at;
}

/**
 * The centre of a figure as above, once nothing lies over the field there. Messages cover it for six seconds, and a
 * mouse move does not wait for that, as a click does.
 */
export async function reachable(page: Page, name: string): Promise<{ x: number; y: number }> {
  let at = { x: 0, y: 0 };
  await expect(async () => {
    at = await centerOf(page, name);
    const free = await page.getByTestId('field').evaluate((field, { x, y }) => {
      const hit = document.elementFromPoint(x, y);
      return hit instanceof SVGElement && field.contains(hit);
    }, at);
    expect(free).toBe(true);
  }, `nothing lies over ${name}`).toPass();
  return at;
}

/** Drags a figure with the mouse by a distance in px, in steps, as a person does. */
export async function dragBy(page: Page, name: string, dx: number, dy: number): Promise<void> {
  const from = await reachable(page, name);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let step = 1; step <= 8; step += 1) await page.mouse.move(from.x + (dx * step) / 8, from.y + (dy * step) / 8);
  await page.mouse.up();
}

/** The figures that the server has stored, as far as this page's person may read them. */
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

/** The figure of this name as the server has stored it; undefined if there is none. */
export async function storedFigure(page: Page, name: string) {
  return (await storedField(page)).find((figure) => figure.name === name);
}

/**
 * Waits until every screen draws what the server has stored: position, rotation and size of every figure, no figure
 * held and no pointer. Do not call it while somebody holds a figure or points.
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
          marks: field.querySelectorAll('[data-mark]').length,
        }));
        const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
        expect({ ...drawn, figures: drawn.figures.sort(byId) }).toEqual({ figures: stored.sort(byId), marks: 0 });
      },
      `the figures drawn on “${await page.title()}”`,
    ).toPass();
  }
}

/** The figures and names that are partly outside the visible field, by the browser's layout. */
export async function outOfView(page: Page): Promise<string[]> {
  await nextFrames(page);
  return page.getByTestId('field').evaluate((field) => {
    const box = field.getBoundingClientRect();
    return [...field.querySelectorAll('[data-figure], [data-part=name]')].flatMap((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const inside = left >= box.left && top >= box.top && right <= box.right && bottom <= box.bottom;
      return inside ? [] : [element.getAttribute('aria-label') ?? element.textContent ?? ''];
    });
  });
}

/** Waits until every figure and name is inside the visible field. */
export async function expectAllInView(page: Page): Promise<void> {
  await expect(
    async () => expect(await outOfView(page)).toEqual([]),
    `all figures and names in view on “${await page.title()}”`,
  ).toPass();
}

/** Marks the loaded document, so that {@link expectNotReloaded} can tell it from a later one. */
export const markLoaded = (page: Page) => page.evaluate(() => Object.assign(window, { loadedOnce: true }).loadedOnce);

/** Fails if the document is not the one of `markLoaded`. */
export async function expectNotReloaded(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'loadedOnce' in window), 'the page was not reloaded').toBe(true);
}
