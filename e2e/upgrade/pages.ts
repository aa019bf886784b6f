/** What the scenarios do and look for on pages, beside what they share with journeys. */
import { type Locator, type Page } from '@playwright/test';
import { firstScript } from '../../web/src/platform/newVersion.ts';
import { expect } from '../journey.ts';
import { reachable } from '../journeys/people.ts';
import type { Node } from './versions.ts';
import type { Reader } from './values.ts';

/** The sign-in of an open page. */
export const readerOf = (page: Page): Promise<Reader> =>
  page.evaluate(() => ({
    token: localStorage.getItem('token') ?? '',
    therapistId: JSON.parse(localStorage.getItem('therapist') ?? 'null')?.id as number,
  }));

/** Address of the first script of the web that runs in a page. */
export const scriptOf = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.querySelector('script[type="module"][src^="/assets/"]')?.getAttribute('src') ?? null);

/** Address of the first script that a node offers at a page's address. */
export async function scriptAt(node: Node, page: Page): Promise<string | null> {
  const answer = await fetch(`${node.url}${new URL(page.url()).pathname}`);
  return firstScript(await answer.text());
}

/** Asserts that a page that has just been loaded runs the web of this node's version. */
export async function expectWebOf(page: Page, node: Node): Promise<void> {
  const script = await scriptAt(node, page);
  expect(script, `the ${node.version} node has the page ${page.url()}`).not.toBeNull();
  expect(await scriptOf(page), `the web of the ${node.version} node on ${page.url()}`).toBe(script);
}

/** Takes a figure and moves it a little; it stays in the hand. */
export async function take(page: Page, name: string): Promise<void> {
  const from = await reachable(page, name);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 30, from.y + 20, { steps: 3 });
}

/** Moves what is in the hand further, from where it was taken, and lets it go. */
export async function putDown(page: Page, dx: number, dy: number, from: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x + dx, from.y + dy, { steps: 4 });
  await page.mouse.up();
}

const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Messages' });

/** Opens the panel with the messages of the live session. */
export async function openMessages(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Messages/ }).click();
  await expect(panel(page)).toBeVisible();
}

/** Writes a message to all. The panel must be open. */
export async function write(page: Page, text: string): Promise<void> {
  await panel(page).getByRole('textbox').fill(text);
  await panel(page).getByRole('button', { name: 'Send' }).click();
}

/** Waits until each page shows these messages, once each and in this order. */
export async function expectMessages(texts: readonly string[], ...pages: Page[]): Promise<void> {
  for (const page of pages) {
    const shown = panel(page).getByRole('listitem');
    await expect(shown).toContainText([...texts]);
    // The line above would let one be there twice.
    for (const text of texts) await expect(shown.filter({ hasText: text })).toHaveCount(1);
  }
}

/** Waits until each page shows that the timer of the live session runs. */
export async function expectTimerRuns(...pages: Page[]): Promise<void> {
  for (const page of pages) await expect(page.locator('[data-timer]')).toHaveAttribute('data-timer', 'running');
}

/**
 * Sends a message of a later version on the page's own socket. Returns the code by which it is refused. Needs a page of
 * the service, which keeps its socket.
 */
export const sendUnknown = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const { lastSocket: socket } = window as unknown as { lastSocket: WebSocket };
        socket.addEventListener('message', ({ data }) => {
          const code = /"code":"(\w+)"/.exec(String(data))?.[1];
          if (code !== undefined) resolve(code);
        });
        socket.send('SEND\ndestination:/app/weather.ask\ncontent-type:application/json\n\n{"place":"here"}\0');
      }),
  );

/** Posts to a node from a page, with its sign-in. Returns the status and the code of the problem. */
export const post = (page: Page, path: string, body: object): Promise<[number, string]> =>
  page.evaluate(
    async ([address, content]) => {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('token')}` },
        body: content,
      });
      return [answer.status, ((await answer.json()) as { code: string }).code] as [number, string];
    },
    [path, JSON.stringify(body)] as const,
  );
