/** A page in any browser, as scenarios see it; each browser has a driver that makes such pages. */
const POLL_MS = 100;

/**
 * Polls until there is an answer. Takes a description for the error, the function to call, and a timeout in ms. Returns
 * the first result that is not false, null or undefined. Throws after the timeout.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | null | undefined>,
  ms = 45_000,
): Promise<T> {
  const deadline = performance.now() + ms;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`timeout while waiting for ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
}

/**
 * An element: by role and accessible name, by exact text, or by CSS selector. The name must be exact; for a switch its
 * beginning is enough, because the name includes an explanation.
 */
export type Target = { role: string; name: string } | { text: string } | { css: string };

/** A page with its own storage, in any browser. */
export interface BrowserPage {
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  address(): Promise<string>;
  /** Runs a function in the page. Takes and returns plain data. */
  evaluate<A extends readonly unknown[], R>(work: (...given: A) => R | Promise<R>, ...given: A): Promise<R>;
  /** Waits for an element. */
  waitFor(target: Target, ms?: number): Promise<void>;
  /** Waits until there is no such element. */
  waitUntilGone(target: Target, ms?: number): Promise<void>;
  /** Waits until an element can be clicked, and clicks it with the mouse. */
  click(target: Target, ms?: number): Promise<void>;
  /** Clicks into a field and replaces its text by typing. */
  fill(target: Target, text: string): Promise<void>;
  /** Drags with the mouse from one point of the window to another, in px. */
  drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void>;
  /** Returns a PNG. */
  screenshot(): Promise<Buffer>;
  /** The console and page errors so far. */
  errors(): Promise<readonly string[]>;
}
/** A page of a browser that runs scripts before the document's own. */
export interface ScriptedPage extends BrowserPage {
  /** Runs a function without arguments in every new document, before the document's own scripts. */
  addInitScript(work: () => void): Promise<void>;
}
