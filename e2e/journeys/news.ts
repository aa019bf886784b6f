/** What a page shows for a few seconds, kept until a journey has looked at it. */
import type { Page } from '@playwright/test';

/** How long the room shows news, as `SHOWN_MS` in `Toast.tsx`. */
const NEWS_MS = 6000;

/**
 * From now on the open document's timers of exactly this length take an hour: on a busy machine they would end before a
 * test has looked at what they take away. Returns how to give them back their length.
 */
export async function holdTimers(page: Page, heldMs: number): Promise<() => Promise<void>> {
  await page.evaluate((held) => {
    const original = window.setTimeout;
    window.setTimeout = ((handler: TimerHandler, ms?: number, ...rest: unknown[]) =>
      original(handler, ms === held ? 3_600_000 : ms, ...rest)) as typeof setTimeout;
    Object.assign(window, {
      letTimersGo() {
        window.setTimeout = original;
      },
    });
  }, heldMs);
  return () => page.evaluate(() => (window as unknown as { letTimersGo(): void }).letTimersGo());
}

/** From now on news in the open room stays until other news comes, or somebody closes it. */
export async function keepNews(room: Page): Promise<void> {
  await holdTimers(room, NEWS_MS);
}
