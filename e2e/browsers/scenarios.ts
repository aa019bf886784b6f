/**
 * Runs scenarios in installed browsers that Playwright cannot drive, prints each step, and saves a screenshot if one
 * fails. They have a time limit.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserPage } from './page.ts';

const SCREENSHOTS = fileURLToPath(new URL('../screenshots/', import.meta.url));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Marks a step that did not run because an earlier one of its scenario failed. */
class NotReached extends Error {}

/** Runs a step. Takes what it shows, and its work. After a failed step the others of its scenario fail too. */
type Step = (what: string, work: () => Promise<unknown>) => Promise<void>;

export interface Scenarios {
  /** Runs the steps of a scenario. Takes its title, its pages by the name of who uses them, and the steps. */
  scenario(name: string, pages: Record<string, BrowserPage>, run: (step: Step) => Promise<void>): Promise<void>;
  /** Waits for work that is not a step, such as the start of a browser; throws on timeout. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Runs something at the end, even after a failure. */
  atEnd(end: () => Promise<unknown>): void;
}
export interface ScenarioOptions {
  /** The browser's name, in the names of screenshots. */
  browser: string;
  /** After this time the running step is given up and no other starts, in ms. */
  limitMs: number;
}

/**
 * Runs scenarios. Takes options, and a function that runs them all. Returns how many steps passed and failed. Throws
 * what the function throws, for example when a browser or the server does not start.
 */
export async function runScenarios(
  { browser, limitMs }: ScenarioOptions,
  runAll: (scenarios: Scenarios) => Promise<void>,
): Promise<{ passed: number; failed: number }> {
  const counted = { passed: 0, failed: 0 };
  const ends: (() => Promise<unknown>)[] = [];
  let giveUp: (reason: Error) => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  over.catch(() => undefined);
  const limit = setTimeout(() => giveUp(new Error('the scenarios take too long')), limitMs);
  const interrupted = () => giveUp(new Error('interrupted'));
  for (const signal of SIGNALS) process.once(signal, interrupted);

  const scenario: Scenarios['scenario'] = async (name, pages, run) => {
    console.log(`\n${name}`);
    let broken = false;
    const step: Step = async (what, work) => {
      const began = performance.now();
      try {
        if (broken) throw new NotReached('not reached');
        await Promise.race([work(), over]);
        counted.passed += 1;
        console.log(`  ✓ ${what} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      } catch (thrown) {
        counted.failed += 1;
        console.log(`  ✗ ${what}: ${(thrown as Error).message}`);
        if (broken) return;
        broken = true;
        await mkdir(SCREENSHOTS, { recursive: true });
        for (const [who, page] of Object.entries(pages))
          await page.screenshot().then(
            (png) => writeFile(`${SCREENSHOTS}${browser}-${who}.png`, png),
            () => undefined,
          );
      }
    };
    await run(step);
    await step('no browser reported an error', async () => {
      const errors = await Promise.all(
        Object.entries(pages).map(async ([who, page]) => (await page.errors()).map((error) => `${who}: ${error}`)),
      );
      if (errors.flat().length > 0) throw new Error(errors.flat().join('; '));
    });
  };

  try {
    await runAll({ scenario, within: (work) => Promise.race([work, over]), atEnd: (end) => void ends.push(end) });
  } finally {
    clearTimeout(limit);
    for (const signal of SIGNALS) process.off(signal, interrupted);
    await Promise.all(ends.map((end) => end().catch(() => undefined)));
  }
  return counted;
}
