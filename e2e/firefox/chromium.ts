/** The other side of these walks: a Chromium with made-up devices, behind the same few deeds. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Locator, type Page } from '@playwright/test';
import { type BrowserPage, type Target, until } from './driver.ts';

const PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-device-for-media-stream=fps=10',
  '--use-fake-ui-for-media-stream',
];

/** Of a refusal, which the page answers for itself, Chromium speaks too. */
const REFUSED = /Failed to load resource: the server responded with a status of 4\d\d/;

/** Starts it. The caller closes it. @throws where there is none. */
export async function startChromium(): Promise<Browser> {
  const executablePath = PLACES.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined)
    throw new Error(
      'There is no Chromium on this machine. Install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  return chromium.launch({ executablePath, args: SWITCHES });
}

/** A page of a person with storage of their own. */
export async function chromiumPage(
  browser: Browser,
  baseURL: string,
  viewport: { width: number; height: number },
): Promise<BrowserPage> {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    viewport,
    permissions: ['camera', 'microphone'],
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  // Dialogs stand at the end of the page, and what is behind them may have the same name.
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
    faults,
    before: async (work) => void (await page.addInitScript(work)),
    goto: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    address: () => Promise.resolve(page.url()),
    evaluate: (work, ...given) => page.evaluate(`(${work.toString()})(...${JSON.stringify(given)})`),
    sees: (target, ms) => find(target).waitFor({ timeout: ms ?? 20_000 }),
    misses: async (target, ms) =>
      void (await until(`${JSON.stringify(target)} to go`, async () => (await find(target).count()) === 0, ms)),
    // Switches lie under what is drawn for them.
    click: (target, ms) =>
      find(target).click({ timeout: ms ?? 20_000, force: 'role' in target && target.role === 'switch' }),
    fill: (target, text) => find(target).fill(text),
    async drag(from, to) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 8 });
      await page.mouse.up();
    },
    picture: () => page.screenshot(),
  };
}
