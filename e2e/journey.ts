/**
 * What every journey uses: its own server, a browser context for each person, a failure on any console error, and axe
 * for accessibility.
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

/** A person with their own browser context. */
export interface Visitor {
  page: Page;
  /** Console and page errors. A journey fails when one is left at its end. */
  errors: string[];
  /** Cuts or restores the network. */
  offline(off: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Messages about errors that journeys cause on purpose: a lost connection, a refused call. */
const EXPECTED = [
  /WebSocket connection to .* failed/,
  /net::ERR_(?:INTERNET_DISCONNECTED|EMPTY_RESPONSE|NETWORK_CHANGED)/,
  /net::ERR_CONNECTION_(?:REFUSED|RESET|CLOSED)/,
  /Failed to load resource: the server responded with a status of 4\d\d/,
];

/**
 * Messages about calls made while the server stopped, was down or started; before a journey first ends its server they
 * are faults. Chromium has many names for a connection that ends, and a server refuses with 503 until it is ready.
 */
const UNAVAILABLE = /Failed to load resource: (?:net::ERR_|the server responded with a status of 503)/;

/** Opens a page for another person. Takes the options of their browser context, {@link DESK} by default. */
export type Visit = (options?: BrowserContextOptions) => Promise<Visitor>;

export const test = base.extend<{
  settings: Record<string, string>;
  server: RunningServer;
  visit: Visit;
}>({
  /** Environment variables of the server, set by `test.use({ settings: … })`. */
  settings: [{}, { option: true }],
  // Each journey has its own server and database, so no earlier journey leaves people in the room or uses up a limit.
  server: [
    async ({ settings }, use, info) => {
      const server = await runServer(settings);
      await use(server);
      if (info.status !== info.expectedStatus)
        await info.attach('server.log', { body: server.output(), contentType: 'text/plain' });
      await server.remove();
    },
    { timeout: 180_000 },
  ],
  visit: async ({ browser, server }, use) => {
    const visitors: Visitor[] = [];
    await use(async (options = DESK) => {
      const visitor = await newVisitor(browser, server, options);
      visitors.push(visitor);
      return visitor;
    });
    const errors = visitors.flatMap((visitor) => visitor.errors);
    for (const visitor of visitors) await visitor.close();
    expect(errors, 'console and page errors').toEqual([]);
  },
});

async function newVisitor(browser: Browser, server: RunningServer, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: server.url,
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    const expected = server.wasDown() ? [...EXPECTED, UNAVAILABLE] : EXPECTED;
    if (message.type() !== 'error' || expected.some((text) => text.test(message.text()))) return;
    errors.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`));
  return { page, errors, offline: (off) => context.setOffline(off), close: () => context.close() };
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The script of axe that @axe-core/playwright injects into pages. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Violation {
  id: string;
  where: string[];
}

/**
 * Asserts that the page as it is now violates no rule of WCAG 2.2 AA. This does not use the builder of
 * @axe-core/playwright, which injects axe again at each call and opens another page to combine the results of frames.
 * We have no frames, and both together took twice as long as the analysis.
 *
 * `within`: selector of the only part to analyse. For a dialog that covers a phone's whole screen: axe also measures
 * the buttons below, half of which its own buttons cover. `rules`: the only rules to check.
 */
export async function axeClean(page: Page, what: string, within?: string, rules?: readonly string[]): Promise<void> {
  // A page that is still loading has neither heading nor landmarks.
  await expect(page.locator('h1').first()).toBeAttached();
  // A dialog gets its name in the moment after it appears.
  await expect(page.locator('[role="dialog"]:not([aria-label], [aria-labelledby])')).toHaveCount(0);
  // When a menu entry opens a dialog, the menu disappears a moment after the dialog appears.
  if ((await page.getByRole('dialog').count()) > 0) await expect(page.locator('[role="menu"]')).toHaveCount(0);
  expect(page.frames(), 'a page without frames, which this would not check').toHaveLength(1);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  let found = await violationsOf(page, within, rules);
  for (let again = 0; found.moved && found.violations.length > 0 && again < LOOKED_AGAIN_MAX; again++)
    found = await violationsOf(page, within, rules);
  expect(found.violations, `axe: ${what}`).toEqual([]);
}

/** How often axe runs again after the page moved during its analysis. */
const LOOKED_AGAIN_MAX = 5;

/**
 * Waits until fades and moves have ended, and runs axe. `moved`: one began during the analysis, such as that of a
 * dialog which closes a moment after its act is done. Axe then measured colours that nobody reads.
 */
async function violationsOf(
  page: Page,
  within: string | undefined,
  rules: readonly string[] | undefined,
): Promise<{ moved: boolean; violations: Violation[] }> {
  return page.evaluate(
    async ([runOnly, part]) => {
      const { axe } = window as unknown as {
        axe: {
          run(
            context: Document | string,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const moving = () =>
        document
          .getAnimations()
          .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
          .filter(({ playState }) => playState === 'running');
      // A fade that is reversed (a dialog that closes while it still appears) ends, and another one begins at once.
      while (moving().length > 0)
        await Promise.all(moving().map((animation) => animation.finished.catch(() => undefined)));
      let moved = false;
      // Movement that remains does not matter: axe keeps the page from drawing, often for longer than a fade takes.
      const onStart = (): void => {
        moved = true;
      };
      document.addEventListener('transitionrun', onStart);
      document.addEventListener('animationstart', onStart);
      const found = await axe.run(part ?? document, { runOnly, resultTypes: ['violations'] });
      // An animation that began during the analysis is reported with the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      document.removeEventListener('transitionrun', onStart);
      document.removeEventListener('animationstart', onStart);
      return {
        moved,
        violations: found.violations.map(({ id, nodes }) => ({
          id,
          where: nodes.map(({ html }) => html.slice(0, 160)),
        })),
      };
    },
    [rules ? { type: 'rule', values: rules } : { type: 'tag', values: TAGS }, within] as const,
  );
}

/**
 * Gives the window another size, and waits until the page has drawn itself in it: what a script changes for the width
 * (a drawer instead of a rail) follows after the styles.
 */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await nextFrames(page);
}

/** Waits until the page has drawn some frames: scripts react to a change of layout one frame later. */
export const nextFrames = (page: Page, count = 2): Promise<void> =>
  page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame += 1)
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
  }, count);

/** The width of the window and of what is on the page. A phone's window widens when the page is too wide. */
const widthsOf = (page: Page) => page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);

/** Waits until the page is as wide as the window, and this is the width it should have. */
export async function expectWidth(page: Page, width: number): Promise<void> {
  await expect.poll(() => widthsOf(page), `${page.url()} is ${width} px wide`).toEqual([width, width]);
}

/** Waits until nothing on the page is wider than the window. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const [window = 0, content = 0] = await widthsOf(page);
      return content - window;
    }, `${page.url()} fits`)
    .toBeLessThanOrEqual(0);
}

/**
 * The buttons of the topmost dialog, or of the page, that are partly outside the window's width or their container.
 */
export const cutOff = (page: Page, within: string) =>
  page.evaluate((selector) => {
    const part = [...document.querySelectorAll(selector)].at(-1)!;
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    return [...part.querySelectorAll('button, a, input, select, textarea')].flatMap((tool) => {
      const { left, right, width } = tool.getBoundingClientRect();
      if (width <= 1 || !tool.checkVisibility()) return [];
      for (let holder = tool.parentElement; holder && part.contains(holder); holder = holder.parentElement) {
        // A row of cards continues beyond its edge, and is scrolled.
        if (scrolls(holder) && holder.scrollWidth > holder.clientWidth) return [];
        const box = holder.getBoundingClientRect();
        if (box.width > 1 && (left < box.left - 1 || right > box.right + 1))
          return [`${tool.ariaLabel ?? tool.textContent} in ${holder.className}`];
      }
      return left < 0 || right > innerWidth ? [`${tool.ariaLabel ?? tool.textContent} in the window`] : [];
    });
  }, within);

/**
 * Saves a screenshot for people to look at, outside git: of the visible window, or of the whole page. Unless they are
 * wanted (E2E_SCREENSHOTS), the page only draws: taking and encoding 270 of them takes a minute of each run.
 */
export async function screenshot(page: Page, name: string, whole = false): Promise<void> {
  if (process.env['E2E_SCREENSHOTS'] !== '1') return nextFrames(page);
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: whole });
}

/** Signs in with the form. */
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

/** Turns a switch on or off. Clicks the visible element beside the input, because the input itself is hidden. */
export async function toggle(control: Locator, on: boolean): Promise<void> {
  await expect(control).toBeEnabled();
  await expect(control).toBeChecked({ checked: !on });
  await control.locator('xpath=following-sibling::span[1]').click();
  await expect(control).toBeChecked({ checked: on });
}
