/**
 * Notices that the server has a newer web than the one that runs in this tab (docs/product.md#11.37). The name of the
 * app's first script changes with every change of the web, so comparing it is enough; no version has to be kept.
 */
import { pageAt, THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { useEffect, useState } from 'react';

/** How often a page that stays open checks, and how soon one that comes back to the front may check again. In ms. */
const ASK_EVERY = 10 * 60_000;
const ASK_AGAIN_AFTER = 60_000;

const START = '<script type="module"';
const ADDRESS = 'src="/assets/';

/** Takes a document of the app. Returns the address of its first script, or null if there is none (development). */
export function firstScript(html: string): string | null {
  const tag = html.indexOf(START);
  const from = tag < 0 ? -1 : html.indexOf(ADDRESS, tag);
  if (from < 0) return null;
  const start = from + 'src="'.length;
  const end = html.indexOf('"', start);
  return end < 0 ? null : html.slice(start, end);
}

/** Address of the script that runs in this tab, or null in development. */
export const runningScript = (): string | null =>
  document.querySelector('script[type="module"][src^="/assets/"]')?.getAttribute('src') ?? null;

/**
 * Where the server offers the document that this tab was loaded from: the room's or the app's, each with its own first
 * script. The tab's address does not decide: the app leads to the room without loading its document.
 */
function documentAddress(): string {
  const [loaded] = performance.getEntriesByType('navigation');
  return loaded && pageAt(new URL(loaded.name, 'http://any').pathname).document === 'room' ? THERAPIST_ROOM : '/';
}

/** Asks the server. Returns false if the answer is unknown, for example without a connection. */
export async function isOutdated(fetchDocument: typeof fetch = fetch): Promise<boolean> {
  const running = runningScript();
  if (running === null) return false;
  try {
    // `no-cache` makes the browser ask whether it has changed.
    const answer = await fetchDocument(documentAddress(), { cache: 'no-cache', credentials: 'omit' });
    const offered = answer.ok ? firstScript(await answer.text()) : null;
    return offered !== null && offered !== running;
  } catch {
    return false;
  }
}

/** Whether the server has a newer web. It checks from time to time while the page is visible, and stops once it
 * knows. */
export function useOutdated(): boolean {
  const [outdated, setOutdated] = useState(false);
  useEffect(() => {
    if (outdated) return undefined;
    let askedAt = Date.now();
    const ask = () => {
      if (document.visibilityState === 'hidden') return;
      askedAt = Date.now();
      void isOutdated().then((is) => is && setOutdated(true));
    };
    const askOnReturn = () => {
      if (Date.now() - askedAt >= ASK_AGAIN_AFTER) ask();
    };
    const timer = setInterval(ask, ASK_EVERY);
    document.addEventListener('visibilitychange', askOnReturn);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', askOnReturn);
    };
  }, [outdated]);
  return outdated;
}
