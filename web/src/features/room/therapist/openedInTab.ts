/**
 * Whether the room's page was opened by a person's act or automatically. A reload, a tab that the browser restores and
 * a laptop that wakes up load the page again: they return to the running live session and never start one
 * (docs/product.md#6.1).
 */
import { tabStore } from '../../../platform/storage.ts';

const KEY = 'room_open';

/**
 * Notes in this tab that the person has opened the room; forgotten when they leave the page within the app. If the
 * browser stores nothing, each load counts as the person's act.
 */
export const noteOpened = (userId: number): void => void tabStore.set(KEY, String(userId));
/** Called when the person leaves the page within the app. */
export const forgetOpened = (): void => tabStore.remove(KEY);

/** Returns true if this page was reloaded and the person had opened the room in this tab before. */
export function returnsByItself(userId: number): boolean {
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // A browser short of memory discards a tab and reloads it when it is shown again.
  const byItself =
    loaded?.type !== 'navigate' || (document as Document & { wasDiscarded?: boolean }).wasDiscarded === true;
  if (!loaded || !byItself || new URL(loaded.name).pathname !== location.pathname) return false;
  return tabStore.get(KEY) === String(userId);
}
