/** What every journey shares: a server of its own, people in browsers of their own, no console error, axe on what is seen. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { test as base, type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { runServer, type RunningServer } from './server.ts';

export { expect };
export const DEMO = { email: 'anna@demo.example', password: 'constellation' } as const;
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };

const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url));

/** A person with a browser of their own. */
export interface Visitor {
  page: Page;
  /** Faults the browser spoke of; a journey ends red when one is left. */
  faults: string[];
  /** Drops and restores the network. */
  offline(off: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Sentences that belong to a fault which the journey makes itself (a dropped line, a refused call). */
const EXPECTED = [/WebSocket connection to .* failed/, /net::ERR_INTERNET_DISCONNECTED/, /net::ERR_CONNECTION_REFUSED/, /net::ERR_CONNECTION_RESET/, /net::ERR_NETWORK_CHANGED/, /Failed to load resource: the server responded with a status of 4\d\d/];

export const test = base.extend<{ settings: Record<string, string>; server: RunningServer; visit: (options?: BrowserContextOptions) => Promise<Visitor> }>({
  /** Of the server, by name, for journeys that say `test.use({ settings: … })`. */
  settings: [{}, { option: true }],
  // A server and a database of its own for each journey: nobody sits in the room from before, no limit is half used up.
  server: [async ({ settings }, use) => {
    const server = await runServer(settings);
    await use(server);
    await server.remove();
  }, { timeout: 120_000 }],
  visit: async ({ browser, server }, use) => {
    const visitors: Visitor[] = [];
    await use(async (options = DESK) => {
      const visitor = await newVisitor(browser, server.url, options);
      visitors.push(visitor);
      return visitor;
    });
    const faults = visitors.flatMap((visitor) => visitor.faults);
    for (const visitor of visitors) await visitor.close();
    expect(faults, 'console and page errors').toEqual([]);
  },
});

async function newVisitor(browser: Browser, baseURL: string, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({ baseURL, locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || EXPECTED.some((expected) => expected.test(message.text()))) return;
    faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  return { page, faults, offline: (off) => context.setOffline(off), close: () => context.close() };
}

/** No violation of WCAG 2.2 AA on the page as it is now. */
export async function axeClean(page: Page, what: string): Promise<void> {
  // What is still loading has neither heading nor landmarks.
  await expect(page.locator('h1').first()).toBeAttached();
  // Axe judges contrast in the middle of a fade wrongly: what moves has to rest first.
  await page.evaluate(() => Promise.all(document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity).map((animation) => animation.finished.catch(() => undefined))));
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html.slice(0, 160)) })), `axe: ${what}`).toEqual([]);
}

/** A picture to be looked at; kept out of git. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png` });
}

/** Signs in by the form, as a person would. */
export async function signIn(page: Page, { email, password }: { email: string; password: string } = DEMO): Promise<void> {
  await page.goto('/user/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/app\//);
}
