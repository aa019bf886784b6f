/**
 * Drives an installed Firefox with WebDriver BiDi (`--remote-debugging-port`), because Playwright drives only its own
 * builds of Firefox, and nothing is downloaded here. Source: W3C WebDriver BiDi.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startProcess } from '../../server/tests/support/programs/process.ts';
import { type ScriptedPage, until } from '../browsers/page.ts';
import { type Fields, webDriverPage } from '../browsers/webDriverPage.ts';
import { preferences } from './preferences.ts';

const START_MS = 60_000;
const COMMAND_MS = 60_000;

/** Path of Firefox: FIREFOX_PATH, or one in the search path. Throws with advice if there is none. */
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

/** A reference to an element in the protocol. */
interface Node {
  sharedId: string;
}
export interface Firefox {
  version: string;
  newPage(baseAddress: string, size: { width: number; height: number }): Promise<ScriptedPage>;
  close(): Promise<void>;
}

/** Starts a headless Firefox with its own profile. Takes its path, and preferences to add. */
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
    /** The errors of each page, by its browsing context. */
    const errors = new Map<string, string[]>();
    connection.onEvent((method, { source, level, text }) => {
      const { context } = (source ?? {}) as { context?: string };
      if (method === 'log.entryAdded' && level === 'error') errors.get(context ?? '')?.push(String(text));
    });
    await connection.send('session.subscribe', { events: ['log.entryAdded'] });
    return {
      version: capabilities.browserVersion,
      async newPage(baseAddress, size) {
        const { userContext } = (await connection.send('browser.createUserContext', {})) as { userContext: string };
        // Each page has its own window, because Firefox suspends pages that are hidden behind others.
        const { context } = (await connection.send('browsingContext.create', { type: 'window', userContext })) as {
          context: string;
        };
        errors.set(context, []);
        await connection.send('browsingContext.setViewport', { context, viewport: size });
        return {
          ...pageOf(connection, { context, baseAddress }),
          errors: () => Promise.resolve(errors.get(context) ?? []),
        };
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

/** A page driven over BiDi. Takes its browsing context, and the address that others are relative to. */
function pageOf(
  connection: Connection,
  { context, baseAddress }: { context: string; baseAddress: string },
): Omit<ScriptedPage, 'errors'> {
  const page = webDriverPage<Node>(
    {
      async call(functionDeclaration, given) {
        const { type, result, exceptionDetails } = (await connection.send('script.callFunction', {
          functionDeclaration,
          arguments: given.map((one) =>
            typeof one === 'string' ? { type: 'string', value: one } : { sharedId: one.sharedId },
          ),
          target: { context },
          awaitPromise: true,
        })) as { type: string; result: { value?: unknown; sharedId?: string }; exceptionDetails?: { text: string } };
        if (type !== 'success') throw new Error(`in the page: ${exceptionDetails?.text}`);
        return result.sharedId === undefined ? (result.value ?? null) : result;
      },
      perform: (actions) => connection.send('input.performActions', { context, actions }),
      origin: ({ sharedId }) => ({ type: 'element', element: { sharedId } }),
      navigate: (url) => connection.send('browsingContext.navigate', { context, url, wait: 'complete' }),
      reload: () => connection.send('browsingContext.reload', { context, wait: 'complete' }),
      async screenshot() {
        const { data } = await connection.send('browsingContext.captureScreenshot', { context });
        return String(data);
      },
    },
    baseAddress,
  );
  return {
    ...page,
    async addInitScript(work) {
      await connection.send('script.addPreloadScript', { functionDeclaration: work.toString(), contexts: [context] });
    },
  };
}
