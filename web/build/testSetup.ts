/** Runs before each test file of the web. */
import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import { configure, getConfig, prettyDOM } from '@testing-library/react';
import i18next from 'i18next';
import { afterAll, beforeAll, vi } from 'vitest';

/**
 * The error of a query that found nothing. Testing Library prints the whole document into each one, even into those
 * that it discards while it waits for an element. This one prints it only when its message is read, as Vitest does at
 * once.
 */
function getElementError(message: string | null, container: Element): Error {
  const error = new Error(message ?? '');
  error.name = 'TestingLibraryElementError';
  let printed: string | undefined;
  return Object.defineProperty(error, 'message', {
    configurable: true,
    get: () =>
      (printed ??= [message, `Ignored nodes: comments, ${getConfig().defaultIgnore}\n${prettyDOM(container)}`]
        .filter(Boolean)
        .join('\n\n')),
  });
}

// Files that share a worker share modules, storage and stubs: each starts and ends without those of another.
beforeAll(() => {
  // Testing Library's default of one second is too short on a busy machine.
  configure({ asyncUtilTimeout: 20_000, defaultHidden: false, getElementError });
  globalThis.localStorage?.clear();
  globalThis.sessionStorage?.clear();
  globalThis.document?.body.replaceChildren();
  // A file that starts the app's texts leaves their loader and options behind. With them, texts that a later file does
  // without would be fetched, and rendering would wait for them.
  i18next.modules.backend = undefined;
  i18next.options = {};
});
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // A module that is still loading when the window closes would stay broken for later files.
  await vi.dynamicImportSettled();
});

// Calls that a test does not answer fail, as without a network. Otherwise happy-dom would send them to port 3000 of
// this machine.
globalThis.fetch = () => Promise.reject(new TypeError('this test has no server'));

// happy-dom has no BroadcastChannel; Node's behaves the same.
Object.assign(globalThis, { BroadcastChannel });

// Vitest's default of one second is too short on a busy machine.
const { waitFor } = vi;
vi.waitFor = (check, options = {}) =>
  waitFor(check, typeof options === 'number' ? options : { timeout: 20_000, ...options });

// Node's default. Vitest raises it to 100, but React creates an error for each element in development: rendering the
// programme form took 15 % more CPU time.
Error.stackTraceLimit = 10;

// After a file, Vitest asks happy-dom to end all timers and waits until none runs. A timer that starts during that is
// waited for instead of ended, and TanStack Query's timers take five minutes. So ask until it is done. A file may do
// without happy-dom.
const { happyDOM } = globalThis as { happyDOM?: { abort(): Promise<void> } };
if (happyDOM) {
  const abort = happyDOM.abort.bind(happyDOM);
  happyDOM.abort = async () => {
    let done = false;
    const mark = () => {
      done = true;
    };
    for (let tries = 0; !done && tries < 200; tries++) {
      void abort().then(mark, mark);
      await delay(5);
    }
  };
}
