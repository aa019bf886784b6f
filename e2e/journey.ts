/**
 * What every journey shares: a server of its own, people in browsers of their own, no console error, axe on what is
 * seen.
 */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  test as base,
  type Browser,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { runServer, type RunningServer } from './server.ts';

export { expect };
export const DEMO = { email: 'anna@demo.example', password: 'constellation' } as const;
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};
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
const EXPECTED = [
  /WebSocket connection to .* failed/,
  /net::ERR_(?:INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|CONNECTION_CLOSED|EMPTY_RESPONSE|NETWORK_CHANGED)/,
  /Failed to load resource: the server responded with a status of 4\d\d/,
];

export const test = base.extend<{
  settings: Record<string, string>;
  server: RunningServer;
  visit: (options?: BrowserContextOptions) => Promise<Visitor>;
}>({
  /** Of the server, by name, for journeys that say `test.use({ settings: … })`. */
  settings: [{}, { option: true }],
  // A server and a database of its own for each journey: nobody sits in the room from before, no limit is half used up.
  server: [
    async ({ settings }, use) => {
      const server = await runServer(settings);
      await use(server);
      await server.remove();
    },
    { timeout: 180_000 },
  ],
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
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' || EXPECTED.some((expected) => expected.test(message.text()))) return;
    faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  return { page, faults, offline: (off) => context.setOffline(off), close: () => context.close() };
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Axe's own program, as its builder hands it to pages. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Violation {
  id: string;
  where: string[];
}

/**
 * No violation of WCAG 2.2 AA on the page as it is now. The builder of @axe-core/playwright would give axe to the page
 * anew each time, and open a further page to put the parts of frames together, of which we have none: that took twice
 * the time of the looking itself.
 */
export async function axeClean(page: Page, what: string): Promise<void> {
  // What is still loading has neither heading nor landmarks.
  await expect(page.locator('h1').first()).toBeAttached();
  // A menu whose entry opens a dialog is taken away a moment later than the dialog comes.
  if ((await page.getByRole('dialog').count()) > 0) await expect(page.locator('[role="menu"]')).toHaveCount(0);
  // Axe judges contrast in the middle of a fade wrongly: what moves has to rest first.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
  expect(page.frames(), 'frames would be left out').toHaveLength(1);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (values): Promise<Violation[]> => {
    const { axe } = window as unknown as {
      axe: {
        run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const found = await axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html.slice(0, 160)) }));
  }, TAGS);
  expect(violations, `axe: ${what}`).toEqual([]);
}

/** A picture to be looked at; kept out of git. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png` });
}

/** Signs in by the form, as a person would. */
export async function signIn(
  page: Page,
  { email, password }: { email: string; password: string } = DEMO,
): Promise<void> {
  await page.goto('/user/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/app\//);
}

/** Turns a switch by the mark that is drawn, because the input itself is hidden. Takes its state afterwards. */
export async function turn(what: Locator, on: boolean): Promise<void> {
  await expect(what).toBeEnabled();
  await expect(what).toBeChecked({ checked: !on });
  await what.locator('xpath=following-sibling::span[1]').click();
  await expect(what).toBeChecked({ checked: on });
}
