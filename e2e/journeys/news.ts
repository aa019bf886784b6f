/** Messages that a page shows for a few seconds, which pass even while a busy machine delays the test. */
import { expect, type Locator, type Page } from '@playwright/test';

/** How long the room shows news, without and with an act, as in `web/src/ui/states/newsTimes.ts`. */
export const NEWS_MS = [6000, 12_000] as const;

/**
 * Makes the open document's timers of exactly these lengths take an hour: on a busy machine they would end before a
 * test has checked what they remove. Returns a function that lets them end; later ones take no time.
 */
export async function holdTimers(page: Page, ...heldMs: number[]): Promise<() => Promise<void>> {
  await page.evaluate((held) => {
    const original = window.setTimeout;
    window.setTimeout = ((handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
      original(handler, ms !== undefined && held.includes(ms) ? 3_600_000 : ms, ...rest)) as typeof setTimeout;
    Object.assign(window, {
      letTimersGo() {
        window.setTimeout = ((handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
          original(handler, ms !== undefined && held.includes(ms) ? 0 : ms, ...rest)) as typeof setTimeout;
      },
    });
  }, heldMs);
  return () => page.evaluate(() => (window as unknown as { letTimersGo(): void }).letTimersGo());
}

/** Keeps news in the open room until other news arrives, or somebody closes it. */
export async function keepNews(room: Page): Promise<void> {
  await holdTimers(room, ...NEWS_MS);
}

/** The element with the news; the banner of the video is beside it. */
const PLACE = '[data-room=area] > [role=status]:not([data-banner])';

/** The news that is shown now. */
export const news = (page: Page): Locator => page.locator(`${PLACE} > *`);

/** Acts, and waits until the room has shown a text. The page itself watches for it, from before the act. */
export async function tells(page: Page, text: string, act: () => Promise<unknown>): Promise<void> {
  await page.evaluate(
    ([place, wanted]) => {
      const watch = { told: false };
      Object.assign(window, { watch });
      new MutationObserver(() => {
        if (document.querySelector(place)?.textContent.includes(wanted)) watch.told = true;
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    },
    [PLACE, text] as const,
  );
  await act();
  const told = () => page.evaluate(() => (window as unknown as { watch: { told: boolean } }).watch.told);
  await expect.poll(told, `“${text}” is told`).toBe(true);
}
