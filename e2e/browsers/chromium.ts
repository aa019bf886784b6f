/** The Chromium in these scenarios: fake devices, behind the same interface as the other browsers. */
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { CHROMIUM_SWITCHES, findChromium } from '../chromium.ts';
import { type ScriptedPage, type Target, until } from './page.ts';

const SWITCHES = [...CHROMIUM_SWITCHES, '--use-fake-device-for-media-stream=fps=10', '--use-fake-ui-for-media-stream'];

/** Chromium logs refused calls as errors, although the page handles them. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Starts Chromium. The caller closes it. Throws when none is installed. */
export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error(
      'There is no Chromium on this machine. Install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  return chromium.launch({ executablePath, args: SWITCHES });
}

/** Opens a page with its own storage. */
export async function chromiumPage(
  browser: Browser,
  baseURL: string,
  viewport: { width: number; height: number },
): Promise<ScriptedPage> {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    viewport,
    permissions: ['camera', 'microphone'],
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) errors.push(message.text());
  });
  page.on('pageerror', ({ message }) => errors.push(message));
  // Take the last match: dialogs are at the end of the page, and elements behind them may have the same name.
  const find = (target: Target): Locator =>
    ('css' in target
      ? page.locator(target.css)
      : 'text' in target
        ? page.getByText(target.text, { exact: true })
        : page.getByRole(target.role as Parameters<Page['getByRole']>[0], {
            name: target.name,
            exact: target.role !== 'switch',
          })
    ).last();
  return {
    errors: () => Promise.resolve(errors),
    addInitScript: async (work) => void (await page.addInitScript(work)),
    goto: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    address: () => Promise.resolve(page.url()),
    evaluate: (work, ...given) => page.evaluate(`(${work.toString()})(...${JSON.stringify(given)})`),
    waitFor: (target, ms) => find(target).waitFor({ timeout: ms ?? 45_000 }),
    waitUntilGone: async (target, ms) =>
      void (await until(`${JSON.stringify(target)} to go`, async () => (await find(target).count()) === 0, ms)),
    // The visible element of a switch covers its input, so skip the check that it can be clicked.
    click: (target, ms) =>
      find(target).click({ timeout: ms ?? 45_000, force: 'role' in target && target.role === 'switch' }),
    fill: (target, text) => find(target).fill(text),
    async drag(from, to) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 8 });
      await page.mouse.up();
    },
    screenshot: () => page.screenshot(),
  };
}
