// @vitest-environment happy-dom
/** The room's files are fetched while a client waits. */
import { afterEach, expect, test, vi } from 'vitest';
import { fetchRoomAhead, filesOfRoom } from './roomAhead.ts';

const PAGE = `<!doctype html><html><head>
  <link rel="icon" href="/favicon.svg" />
  <script src="/theme.js" data-frame="shell.js" data-client="client.js client.css" data-client-en="en.js"
    data-client-de="de.js" data-client-hu="hu.js"></script>
  <script type="module" src="/assets/app.js"></script>
  <link rel="modulepreload" href="/assets/react.js" />
  <link rel="stylesheet" href="/assets/app.css" />
</head><body></body></html>`;
const APP = ['/theme.js', '/assets/app.js', '/assets/react.js', '/assets/app.css'];
const CLIENT = ['/assets/client.js', '/assets/client.css', '/assets/en.js'];

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

/** A server that answers on demand. Returns the requests, and a function that answers the oldest. */
function server() {
  const asked: string[] = [];
  const waiting: ((answer: Response) => void)[] = [];
  vi.stubGlobal('fetch', (address: string, { signal }: RequestInit) => {
    asked.push(address);
    return new Promise<Response>((resolve, reject) => {
      waiting.push(resolve);
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
  });
  const answer = async (text = '', status = 200) => {
    waiting.shift()!(new Response(text, { status }));
    await vi.waitFor(() => undefined);
    await new Promise((next) => {
      setTimeout(next);
    });
  };
  return { asked, answer };
}

test('11.67 files of a client’s room: the app’s own, the part’s, and the words in English and one’s language', () => {
  expect(filesOfRoom(PAGE, 'de')).toEqual([...APP, ...CLIENT, '/assets/de.js']);
  expect(filesOfRoom(PAGE, 'en')).toEqual([...APP, ...CLIENT]);
  expect(filesOfRoom('<!doctype html><p>Not today', 'en')).toEqual([]);
});

test('11.67 they are fetched two at a time, each once', async () => {
  const { asked, answer } = server();
  const done = vi.fn();
  void fetchRoomAhead('hu', new AbortController().signal).then(done);
  await answer(PAGE);
  expect(asked).toEqual(['/app/play-area-view', ...APP.slice(0, 2)]);
  await answer();
  expect(asked).toEqual(['/app/play-area-view', ...APP.slice(0, 3)]);
  for (let left = 6; left > 0; left--) await answer();
  expect(done).not.toHaveBeenCalled();
  await answer();
  expect(asked).toEqual(['/app/play-area-view', ...APP, ...CLIENT, '/assets/hu.js']);
  expect(done).toHaveBeenCalledWith(true);
  // The scripts are preloaded too, and run only in the room.
  const links = [...document.head.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]')];
  expect(links.map(({ href }) => new URL(href).pathname)).toEqual(
    [...APP, ...CLIENT, '/assets/hu.js'].filter((file) => file.startsWith('/assets/') && file.endsWith('.js')),
  );
});

test('11.67 a file that fails to load, or a document without files, is reported', async () => {
  for (const [page, status] of [
    [PAGE, 404],
    ['Not today', 200],
  ] as const) {
    const { answer } = server();
    const all = fetchRoomAhead('en', new AbortController().signal);
    await answer(page, page === PAGE ? 200 : 503);
    for (let left = page === PAGE ? 7 : 0; left > 0; left--) await answer('', left === 3 ? status : 200);
    expect(await all).toBe(false);
  }
});

test('11.67 being admitted or leaving ends the prefetch, and a fault stays silent', async () => {
  const { asked, answer } = server();
  const waits = new AbortController();
  const ended = fetchRoomAhead('en', waits.signal);
  await answer(PAGE);
  waits.abort();
  await ended;
  expect(asked).toHaveLength(3);

  const broken = server();
  const all = fetchRoomAhead('en', new AbortController().signal);
  await broken.answer('', 503);
  await all;
  expect(broken.asked).toEqual(['/app/play-area-view']);
});
