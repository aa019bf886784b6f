/**
 * Drives an installed Firefox with WebDriver BiDi (`--remote-debugging-port`), because Playwright drives only its own
 * builds of Firefox, and nothing is downloaded here. Source: W3C WebDriver BiDi.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startProcess } from '../../server/tests/support/process.ts';
import { preferences } from './preferences.ts';

const START_MS = 30_000;
const COMMAND_MS = 30_000;
const POLL_MS = 100;

/** Path of Firefox: FIREFOX_PATH, or one in the search path. Throws with advice when there is none. */
export function findFirefox(): string {
  const { FIREFOX_PATH: wished, PATH = '' } = process.env;
  if (wished) {
    if (existsSync(wished)) return wished;
    throw new Error(`FIREFOX_PATH names ${wished}, which is not there.`);
  }
  const found = PATH.split(delimiter)
    .flatMap((folder) => ['firefox', 'firefox-esr'].map((name) => join(folder, name)))
    .find((path) => existsSync(path));
  if (!found)
    throw new Error(
      'There is no Firefox on this machine. Install it (on Debian: apt-get install firefox-esr) or set FIREFOX_PATH.',
    );
  return found;
}

/**
 * Polls until there is an answer. Takes a description for the error, the function to call, and a timeout in ms. Returns
 * the first result that is not false, null or undefined. Throws after the timeout.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | null | undefined>,
  ms = 20_000,
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

type Fields = Record<string, unknown>;
/** A reference to an element in the protocol. */
interface Node {
  sharedId: string;
}
/**
 * An element: by role and accessible name, by exact text, or by CSS selector. The name must be exact; for a switch its
 * beginning is enough, because the name includes an explanation.
 */
export type Target = { role: string; name: string } | { text: string } | { css: string };

/**
 * Finds elements; runs in the page. The protocol's own search by accessible name computes the names of the whole page
 * each time, which takes seconds.
 */
const FIND = String.raw`(what) => {
  const { role, name, text, css } = JSON.parse(what);
  if (css !== undefined) return [...document.querySelectorAll(css)];
  const words = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute('aria-hidden') === 'true') return '';
    const inside = [...node.childNodes].map(words).join('');
    return getComputedStyle(node).display.startsWith('inline') ? inside : ' ' + inside + ' ';
  };
  const trimmed = (value) => value.replace(/\s+/g, ' ').trim();
  const named = (element) => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const by = ids.map((id) => document.getElementById(id)).filter(Boolean);
    if (by.length > 0) return trimmed(by.map(words).join(' '));
    const label = element.getAttribute('aria-label');
    if (label !== null) return trimmed(label);
    return trimmed(element.labels?.length ? [...element.labels].map(words).join(' ') : words(element));
  };
  const shown = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden="true"], [inert]');
  if (text !== undefined) {
    const all = [...document.querySelectorAll('body *')];
    return all.filter((element) => trimmed(element.textContent) === text && shown(element)).slice(-1);
  }
  const implicit = {
    button: 'button',
    link: 'a[href]',
    textbox: 'input:not([type]), input[type=text], input[type=email], textarea',
    dialog: 'dialog',
    heading: 'h1, h2, h3',
    checkbox: 'input[type=checkbox]',
    radio: 'input[type=radio]',
    combobox: 'select',
  }[role];
  const matches = (element) => (role === 'switch' ? named(element).startsWith(name) : named(element) === name);
  return [...document.querySelectorAll('[role="' + role + '"]' + (implicit ? ', ' + implicit : ''))].filter(
    (element) => (element.getAttribute('role') ?? role) === role && matches(element) && shown(element),
  );
}`;

/** A page with storage of its own, in any browser. */
export interface BrowserPage {
  /** Runs a function without arguments in every new document, before the document's own scripts. */
  addInitScript(work: () => void): Promise<void>;
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
  /** Console and page errors. */
  errors: string[];
}
export interface Firefox {
  version: string;
  newPage(baseAddress: string, size: { width: number; height: number }): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** Starts a headless Firefox with a profile of its own. Takes its path, and preferences to add. */
export async function startFirefox(
  path: string,
  further: Record<string, string | number | boolean> = {},
): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'fieldroom-firefox-'));
  await writeFile(join(profile, 'user.js'), preferences(further));
  const started = startProcess(
    path,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { env: { MOZ_HEADLESS: '1', MOZ_CRASHREPORTER_DISABLE: '1', HOME: profile }, outputMax: 100_000 },
  );
  const end = async () => {
    await started.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const address = await until(
      'Firefox to listen',
      () => {
        if (started.child.exitCode !== null || started.pid === 0)
          throw new Error(`Firefox ended:\n${started.output().slice(-2000)}`);
        return Promise.resolve(/WebDriver BiDi listening on (ws:\/\/\S+)/.exec(started.output())?.[1]);
      },
      START_MS,
    );
    const connection = await connect(`${address}/session`);
    const { capabilities } = (await connection.send('session.new', { capabilities: {} })) as {
      capabilities: { browserVersion: string };
    };
    const pages = new Map<string, BrowserPage>();
    connection.onEvent((method, { source, level, text }) => {
      const { context } = (source ?? {}) as { context?: string };
      if (method === 'log.entryAdded' && level === 'error') pages.get(context ?? '')?.errors.push(String(text));
    });
    await connection.send('session.subscribe', { events: ['log.entryAdded'] });
    return {
      version: capabilities.browserVersion,
      async newPage(baseAddress, size) {
        const { userContext } = (await connection.send('browser.createUserContext', {})) as { userContext: string };
        // One window for each page, because Firefox suspends pages that are hidden behind others.
        const { context } = (await connection.send('browsingContext.create', { type: 'window', userContext })) as {
          context: string;
        };
        const page = pageOf(connection, { context, baseAddress });
        pages.set(context, page);
        await connection.send('browsingContext.setViewport', { context, viewport: size });
        return page;
      },
      async close() {
        await connection.send('browser.close', {}).catch(() => undefined);
        connection.close();
        await end();
      },
    };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}

/** A WebDriver BiDi connection. */
interface Connection {
  /** Sends a command. Throws Firefox's error when it fails. */
  send(method: string, params: Fields): Promise<Fields>;
  onEvent(listener: (method: string, params: Fields) => void): void;
  close(): void;
}
async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no connection to ${address}`)), { once: true });
  });
  let last = 0;
  const waiting = new Map<number, { resolve: (result: Fields) => void; reject: (fault: Error) => void }>();
  const listeners: ((method: string, params: Fields) => void)[] = [];
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as {
      id?: number;
      method?: string;
      params?: Fields;
      result?: Fields;
      error?: string;
      message?: string;
    };
    if (message.method !== undefined) for (const listener of listeners) listener(message.method, message.params ?? {});
    const asked = waiting.get(message.id ?? 0);
    waiting.delete(message.id ?? 0);
    if (message.result) asked?.resolve(message.result);
    else asked?.reject(new Error(`${message.error}: ${message.message}`));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox is gone'));
    waiting.clear();
  });
  return {
    send: (method, params) =>
      new Promise((resolve, reject) => {
        last += 1;
        const id = last;
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error(`no answer to ${method}`));
        }, COMMAND_MS);
        const ended =
          <T>(settle: (value: T) => void) =>
          (value: T) => (clearTimeout(timer), settle(value));
        waiting.set(id, { resolve: ended(resolve), reject: ended(reject) });
        socket.send(JSON.stringify({ id, method, params }));
      }),
    onEvent: (listener) => void listeners.push(listener),
    close: () => socket.close(),
  };
}

function pageOf(
  connection: Connection,
  { context, baseAddress }: { context: string; baseAddress: string },
): BrowserPage {
  const target = { context };
  /** Runs a function in the page. Takes its source, and arguments as the protocol writes them. */
  const call = async (functionDeclaration: string, given: readonly Fields[]): Promise<unknown> => {
    const { type, result, exceptionDetails } = (await connection.send('script.callFunction', {
      functionDeclaration,
      arguments: given,
      target,
      awaitPromise: true,
    })) as { type: string; result: { value?: unknown; sharedId?: string }; exceptionDetails?: { text: string } };
    if (type !== 'success') throw new Error(`in the page: ${exceptionDetails?.text}`);
    return result.sharedId === undefined ? result.value : result;
  };
  const find = async (what: Target): Promise<Node[]> => {
    const found = await call(FIND, [{ type: 'string', value: JSON.stringify(what) }]).catch((thrown: unknown) => {
      // During a navigation there is nothing to find.
      if (/no such frame|navigat|discarded|unload|destroyed/i.test(String(thrown))) return [];
      throw thrown;
    });
    return found as Node[];
  };
  const named = (what: Target) => JSON.stringify(what);
  const keys = (actions: Fields[]) =>
    connection.send('input.performActions', { context, actions: [{ type: 'key', id: 'keyboard', actions }] });
  const mouse = (actions: Fields[]) =>
    connection.send('input.performActions', {
      context,
      actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }],
    });
  /**
   * Scrolls the element into view. Returns what a click in its middle would reach: the element itself or, when that has
   * no box, its label; null while it is disabled, moves, or something covers it.
   */
  const reachable = async (node: Node) =>
    (await call(
      `async (element) => {
        if (element.matches(':disabled, [aria-disabled="true"]')) return null;
        const sized = (one) => Math.min(one.offsetWidth ?? 2, one.offsetHeight ?? 2) > 1;
        const end = sized(element) ? element : [...(element.labels ?? [])].find(sized);
        if (!end) return null;
        end.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const before = end.getBoundingClientRect();
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const box = end.getBoundingClientRect();
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        const stands = box.x === before.x && box.y === before.y;
        return stands && top !== null && (end.contains(top) || top.contains(end)) ? end : null;
      }`,
      [{ sharedId: node.sharedId }],
    ).catch(() => undefined)) as Node | undefined;
  const click = async (what: Target, ms?: number) => {
    const node = await until(
      `${named(what)} to be clickable`,
      async () => {
        for (const one of await find(what)) {
          const end = await reachable(one);
          if (end) return end;
        }
        return null;
      },
      ms,
    );
    await mouse([
      { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId: node.sharedId } } },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
  };
  return {
    errors: [],
    async addInitScript(work) {
      await connection.send('script.addPreloadScript', { functionDeclaration: work.toString(), contexts: [context] });
    },
    async goto(address) {
      await connection.send('browsingContext.navigate', {
        context,
        url: new URL(address, baseAddress).href,
        wait: 'complete',
      });
    },
    async reload() {
      await connection.send('browsingContext.reload', { context, wait: 'complete' });
    },
    address: () => call('() => location.href', []) as Promise<string>,
    async evaluate(work, ...given) {
      // As text both ways: the protocol wraps every value in its type.
      const text = await call(
        `async (given) => JSON.stringify(await (${work.toString()})(...JSON.parse(given))) ?? 'null'`,
        [{ type: 'string', value: JSON.stringify(given) }],
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
        { type: 'keyDown', value: '\uE009' },
        { type: 'keyDown', value: 'a' },
        { type: 'keyUp', value: 'a' },
        { type: 'keyUp', value: '\uE009' },
        ...[...text].flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ]),
      ]);
    },
    async drag(from, to) {
      const steps = Array.from({ length: 8 }, (_, step) => ({
        type: 'pointerMove',
        x: Math.round(from.x + ((to.x - from.x) * (step + 1)) / 8),
        y: Math.round(from.y + ((to.y - from.y) * (step + 1)) / 8),
        duration: 30,
      }));
      await mouse([
        { type: 'pointerMove', x: Math.round(from.x), y: Math.round(from.y) },
        { type: 'pointerDown', button: 0 },
        ...steps,
        { type: 'pointerUp', button: 0 },
      ]);
    },
    async screenshot() {
      const { data } = (await connection.send('browsingContext.captureScreenshot', { context })) as { data: string };
      return Buffer.from(data, 'base64');
    },
  };
}
