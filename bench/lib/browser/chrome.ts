/** A headless Chromium, controlled with the DevTools protocol. */
import { existsSync } from 'node:fs';
import { launch } from 'chrome-launcher';

const CHROME_PATH = process.env['CHROME_PATH'] ?? '/usr/bin/chromium';
/** No traffic leaves the machine: no updates, no reports, and only loopback names resolve. */
const CHROME_FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--disable-default-apps',
  '--no-first-run',
  '--no-default-browser-check',
  '--metrics-recording-only',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

export interface Target {
  send<T = Record<string, unknown>>(method: string, params?: object): Promise<T>;
  on(event: string, listener: (params: Record<string, any>) => void): void;
  /** Evaluates an expression in the page and waits for its promise. */
  evaluate<T>(expression: string): Promise<T>;
  goto(url: string): Promise<void>;
  close(): void;
}

export interface Chrome {
  readonly port: number;
  readonly pid: number;
  newPage(): Promise<Target>;
  stop(): Promise<void>;
}

/** Starts a browser with a fresh profile. The caller stops it. */
export async function startChrome(flags: string[] = []): Promise<Chrome> {
  if (!existsSync(CHROME_PATH)) throw new Error(`there is no Chromium at ${CHROME_PATH}: set CHROME_PATH`);
  const chrome = await launch({
    chromePath: CHROME_PATH,
    chromeFlags: [...CHROME_FLAGS, ...flags],
    ignoreDefaultFlags: true,
    handleSIGINT: false,
    logLevel: 'silent',
  });
  return {
    port: chrome.port,
    pid: chrome.pid,
    async newPage() {
      const { webSocketDebuggerUrl } = (await fetch(`http://127.0.0.1:${chrome.port}/json/new?about:blank`, {
        method: 'PUT',
      }).then((answer) => answer.json())) as { webSocketDebuggerUrl: string };
      return connectTarget(webSocketDebuggerUrl);
    },
    async stop() {
      chrome.kill();
    },
  };
}

async function connectTarget(address: string): Promise<Target> {
  const socket = new WebSocket(address);
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', () => reject(new Error('the browser did not answer')), { once: true });
  });
  let next = 0;
  const waiting = new Map<number, { resolve: (value: any) => void; reject: (error: Error) => void; method: string }>();
  const listeners = new Map<string, ((params: any) => void)[]>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as {
      id?: number;
      result?: unknown;
      error?: { message: string };
      method?: string;
      params?: unknown;
    };
    if (message.id !== undefined) {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) asked?.reject(new Error(`${asked.method}: ${message.error.message}`));
      else asked?.resolve(message.result);
    } else if (message.method) for (const listener of listeners.get(message.method) ?? []) listener(message.params);
  });
  const target: Target = {
    send(method, params = {}) {
      const id = ++next;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, method });
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
    on(event, listener) {
      const known = listeners.get(event);
      if (known) known.push(listener);
      else listeners.set(event, [listener]);
    },
    async evaluate<T>(expression: string) {
      const { result, exceptionDetails } = await target.send<{
        result: { value: T };
        exceptionDetails?: { text: string; exception?: { description?: string } };
      }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    async goto(url) {
      const loaded = new Promise<void>((resolve) => {
        target.on('Page.loadEventFired', () => resolve());
      });
      const { errorText } = await target.send<{ errorText?: string }>('Page.navigate', { url });
      if (errorText) throw new Error(`${url}: ${errorText}`);
      await loaded;
    },
    close: () => socket.close(),
  };
  await target.send('Page.enable');
  await target.send('Runtime.enable');
  return target;
}
