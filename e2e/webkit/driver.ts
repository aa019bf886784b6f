/**
 * Drives an installed WebKitGTK, the engine of Safari, with its WebDriver (Debian: webkit2gtk-driver). Playwright
 * drives only its own build of WebKit, and nothing is downloaded here. There is no headless WebKitGTK: its windows open
 * on their own display (Xvfb). Source: W3C WebDriver.
 */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type BrowserPage, until } from '../browsers/page.ts';
import { type Fields, webDriverPage } from '../browsers/webDriverPage.ts';
import { freePort, startProcess } from '../../server/tests/support/programs/process.ts';

const START_MS = 60_000;
const COMMAND_MS = 60_000;
/** Pixels of the display: wider and higher than every window of a scenario. */
const DISPLAY_SIZE = '1600x1200x24';
/** Key of a reference to an element. Source: W3C WebDriver, section 12.2. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** The folders in which Debian keeps the libraries and their small browser. */
const LIBRARIES = '/usr/lib';

/**
 * Records the errors of a document in its session storage; runs in the page, before every command. The driver reports
 * no errors and runs nothing before a document's own scripts, so what fails before the first command is not recorded.
 */
const NOTE_ERRORS = String.raw`() => {
  if (window.errorsNoted || !/^http/.test(location.protocol)) return;
  window.errorsNoted = true;
  const KEY = 'noted-errors';
  const note = (error) =>
    sessionStorage.setItem(KEY, JSON.stringify([...JSON.parse(sessionStorage.getItem(KEY) ?? '[]'), String(error)]));
  addEventListener('error', ({ message }) => note(message));
  addEventListener('unhandledrejection', ({ reason }) => note(reason));
  const { error } = console;
  console.error = (...words) => {
    note(words.join(' '));
    error.apply(console, words);
  };
}`;

/** The programs of WebKitGTK. */
export interface WebKitPrograms {
  driver: string;
  /** The small browser that the driver starts. */
  browser: string;
  /** The X server without a screen. */
  display: string;
}

/** Finds the programs. Throws with advice if one is missing. */
export function findWebKit(): WebKitPrograms {
  const inPath = (name: string) =>
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path));
  const inside = (folder: string, name: RegExp) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((entry) => name.test(entry))
          .map((entry) => join(folder, entry))
      : [];
  const driver = inPath('WebKitWebDriver');
  const display = inPath('Xvfb');
  const browser = inside(LIBRARIES, /-linux-gnu/)
    .flatMap((folder) => inside(folder, /^webkit(?:2gtk-4\.[01]|gtk-6\.0)$/))
    .map((folder) => join(folder, 'MiniBrowser'))
    .find((path) => existsSync(path));
  if (!driver || !browser || !display)
    throw new Error(
      'There is no WebKitGTK with its driver and Xvfb on this machine. Install them (on Debian: apt-get install webkit2gtk-driver xvfb).',
    );
  return { driver, browser, display };
}

export interface WebKit {
  version: string;
  newPage(baseAddress: string, size: { width: number; height: number }): Promise<BrowserPage>;
  close(): Promise<void>;
}

/** Prepares a display for pages. Takes the programs. */
export async function startWebKit(programs: WebKitPrograms): Promise<WebKit> {
  // It chooses a free number and writes it to the given file descriptor, its standard output.
  const display = startProcess(programs.display, ['-displayfd', '1', '-screen', '0', DISPLAY_SIZE, '-nolisten', 'tcp']);
  const ends: (() => Promise<void>)[] = [];
  const close = async () => {
    await Promise.all(ends.map((end) => end().catch(() => undefined)));
    await display.stop();
  };
  try {
    const number = await until('the display', () => Promise.resolve(/^\d+$/m.exec(display.output())?.[0]), START_MS);
    const open = async (baseAddress: string, size: { width: number; height: number }) => {
      const opened = await openPage(programs, `:${number}`, baseAddress);
      ends.push(opened.end);
      await opened.resize(size);
      return opened;
    };
    const { version, end } = await open('about:blank', { width: 800, height: 600 });
    await end();
    return { version, newPage: async (baseAddress, size) => (await open(baseAddress, size)).page, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

interface OpenedPage {
  page: BrowserPage;
  version: string;
  /** Gives the page a size in px. The window's own bars are added. */
  resize(size: { width: number; height: number }): Promise<void>;
  end(): Promise<void>;
}

/** Opens a browser with one page. Each has its own driver, because a driver knows one session only. */
async function openPage(
  { driver, browser }: WebKitPrograms,
  display: string,
  baseAddress: string,
): Promise<OpenedPage> {
  const port = await freePort();
  const started = startProcess(driver, [`--port=${port}`], {
    env: { DISPLAY: display, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1', LANG: 'en_GB.UTF-8' },
    outputMax: 100_000,
  });
  const command = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: Fields): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(COMMAND_MS),
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const { value } = (await answer.json()) as { value: Fields | null };
    if (!answer.ok) throw new Error(`${String(value?.['error'])}: ${String(value?.['message'])}`);
    return value;
  };
  let session: string | null = null;
  const end = async () => {
    if (session !== null) await command('DELETE', session).catch(() => undefined);
    session = null;
    await started.stop();
  };
  try {
    await until(
      'the driver of WebKit to listen',
      () =>
        command('GET', '/status').then(
          () => true,
          () => false,
        ),
      START_MS,
    );
    const { sessionId, capabilities } = (await command('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
        },
      },
    })) as { sessionId: string; capabilities: { browserVersion: string } };
    const path = `/session/${sessionId}`;
    session = path;
    const call = async (source: string, given: readonly unknown[]) =>
      command('POST', `${path}/execute/sync`, {
        script: `(${NOTE_ERRORS})(); return (${source})(...arguments)`,
        args: given,
      });
    const page = webDriverPage<{ [ELEMENT]: string }>(
      {
        call,
        perform: (actions) => command('POST', `${path}/actions`, { actions }),
        origin: (element) => element,
        navigate: (url) => command('POST', `${path}/url`, { url }),
        reload: () => command('POST', `${path}/refresh`),
        screenshot: async () => String(await command('GET', `${path}/screenshot`)),
      },
      baseAddress,
    );
    const inner = () => call('() => [innerWidth, innerHeight]', []) as Promise<[number, number]>;
    return {
      page: {
        ...page,
        errors: () => page.evaluate(() => JSON.parse(sessionStorage.getItem('noted-errors') ?? '[]') as string[]),
      },
      version: capabilities.browserVersion,
      async resize({ width, height }) {
        await command('POST', `${path}/window/rect`, { width, height });
        const [innerWidth, innerHeight] = await inner();
        await command('POST', `${path}/window/rect`, {
          width: width + Math.max(0, width - innerWidth),
          height: height + Math.max(0, height - innerHeight),
        });
      },
      end,
    };
  } catch (thrown) {
    await end();
    throw thrown;
  }
}
