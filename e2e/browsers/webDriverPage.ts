/**
 * A page behind WebDriver, the classic protocol or BiDi: both know the same actions of keyboard and mouse, and differ
 * in how they send commands and write elements. Sources: W3C WebDriver (section 15, Actions), W3C WebDriver BiDi
 * (input).
 */
import { FIND, FIND_REACHABLE } from './inPage.ts';
import { type BrowserPage, type Target, until } from './page.ts';

/** Fields of a command. */
export type Fields = Record<string, unknown>;

/** What a protocol does for one page. `Element` is how it refers to an element. */
export interface Protocol<Element> {
  /**
   * Runs a function in the page and waits for its promise. Takes its source and its arguments, texts or elements.
   * Returns a text, an element, a list of elements, or null.
   */
  call(source: string, given: readonly (string | Element)[]): Promise<unknown>;
  /** Does what keyboard or mouse do. Takes the protocol's list of input sources. */
  perform(sources: readonly Fields[]): Promise<unknown>;
  /** An element as the origin of a movement. */
  origin(element: Element): Fields;
  /** Loads an address, and waits until the document is there. */
  navigate(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  /** Returns a base64 PNG. */
  screenshot(): Promise<string>;
}

/** Errors that say that a document is being unloaded: during a navigation there is nothing to find. */
const LEAVING = /no such (?:frame|window|document)|navigat|discarded|unload|destroyed/i;
/** Errors of a pointer that could not move to an element, because it is no longer drawn. */
const REPLACED = /move target out of bounds|no such element|stale element/i;
/** The key value for Control in keyboard actions. */
const CONTROL = '\uE009';
const DRAG_STEPS = 8;
const DRAG_STEP_MS = 30;

/**
 * Makes a page, without the part that reads errors, which has nothing in common between the protocols. Takes the
 * protocol, and the address that others are relative to.
 */
export function webDriverPage<Element>(protocol: Protocol<Element>, baseAddress: string): Omit<BrowserPage, 'errors'> {
  const find = async (what: Target): Promise<Element[]> => {
    const found = await protocol.call(FIND, [JSON.stringify(what)]).catch((thrown: unknown) => {
      if (LEAVING.test(String(thrown))) return [];
      throw thrown;
    });
    return found as Element[];
  };
  const named = (what: Target) => JSON.stringify(what);
  const keys = (actions: Fields[]) => protocol.perform([{ type: 'key', id: 'keyboard', actions }]);
  const mouse = (actions: Fields[]) =>
    protocol.perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
  const reachable = (element: Element) =>
    protocol.call(FIND_REACHABLE, [element]).catch(() => null) as Promise<Element | null>;
  const click = async (what: Target, ms?: number): Promise<void> => {
    await until(
      `${named(what)} to be clickable`,
      async () => {
        for (const one of await find(what)) {
          const element = await reachable(one);
          if (!element) continue;
          try {
            await mouse([
              { type: 'pointerMove', x: 0, y: 0, origin: protocol.origin(element) },
              { type: 'pointerDown', button: 0 },
              { type: 'pointerUp', button: 0 },
            ]);
            return true;
          } catch (thrown) {
            // The page has just replaced the element; nothing was pressed.
            if (!REPLACED.test(String(thrown))) throw thrown;
          }
        }
        return false;
      },
      ms,
    );
  };
  return {
    goto: async (address) => void (await protocol.navigate(new URL(address, baseAddress).href)),
    reload: async () => void (await protocol.reload()),
    address: () => protocol.call('() => location.href', []) as Promise<string>,
    async evaluate(work, ...given) {
      // As text in both directions, because the protocols write values in different ways.
      const text = await protocol.call(
        `async (given) => JSON.stringify(await (${work.toString()})(...JSON.parse(given))) ?? 'null'`,
        [JSON.stringify(given)],
      );
      return JSON.parse(String(text));
    },
    async waitFor(what, ms) {
      await until(named(what), async () => (await find(what)).length > 0, ms);
    },
    async waitUntilGone(what, ms) {
      await until(`${named(what)} to go`, async () => (await find(what)).length === 0, ms);
    },
    click,
    async fill(what, text) {
      await click(what);
      await keys([
        { type: 'keyDown', value: CONTROL },
        { type: 'keyDown', value: 'a' },
        { type: 'keyUp', value: 'a' },
        { type: 'keyUp', value: CONTROL },
        ...[...text].flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      ]);
    },
    async drag(from, to) {
      const steps = Array.from({ length: DRAG_STEPS }, (_, step) => ({
        type: 'pointerMove',
        x: Math.round(from.x + ((to.x - from.x) * (step + 1)) / DRAG_STEPS),
        y: Math.round(from.y + ((to.y - from.y) * (step + 1)) / DRAG_STEPS),
        duration: DRAG_STEP_MS,
      }));
      await mouse([
        { type: 'pointerMove', x: Math.round(from.x), y: Math.round(from.y) },
        { type: 'pointerDown', button: 0 },
        ...steps,
        { type: 'pointerUp', button: 0 },
      ]);
    },
    screenshot: async () => Buffer.from(await protocol.screenshot(), 'base64'),
  };
}
