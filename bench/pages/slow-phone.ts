/**
 * What a person with an old phone and a weak connection waits for: the join form, the figures after being admitted, and
 * the sign-in form. Chromium with a phone's window, a slowed CPU, a throttled connection, and an empty cache at the
 * start. See README.md. Settings: BENCH_ROUNDS (5), BENCH_WAIT_S (30 s in the waiting room), CHROME_PATH.
 */
import { admit, openRoom } from '@fieldroom/contract/clients';
import { startChrome, type Target } from '../lib/browser/chrome.ts';
import { type Fieldroom, signInDemo, startFieldroom } from '../lib/service/fieldroom.ts';
import { type Aim, aimRows, keep, median, type Row, setting, table } from '../lib/numbers.ts';
import { buildIfChanged, program, sleep, until } from '../lib/service/processes.ts';

const ROUNDS = setting('BENCH_ROUNDS', 5);
const WAIT_S = setting('BENCH_WAIT_S', 30);
const CPU_SLOWER = 6;
const LINE = { latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 };
const PHONE = { width: 390, height: 844, deviceScaleFactor: 2, mobile: true };
/** The targets, in seconds. */
const AIMS = { 'join form': 3, 'let in to figures': 1.5, 'sign-in form': 5 } as const;
type Measure = keyof typeof AIMS;

/** What has to be on a page before a person can use it, by the beginning of its path. */
const USABLE = {
  '/user/join/': 'form input',
  '/user/login': 'form input[type=email], form input[autocomplete~=username]',
  '/app/play-area-view': '[data-testid=field] [data-figure]',
};
/**
 * In each document, which may become that of another page: records when the elements that make a page usable were
 * painted with nothing over them.
 */
const WATCH = `(() => {
  const usable = ${JSON.stringify(USABLE)};
  window.paintedAt = {};
  const isSeen = (element) => {
    if (!element?.checkVisibility()) return false;
    const { left, top, width, height } = element.getBoundingClientRect();
    const page = element.closest('body > *');
    return page.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  const look = () => {
    requestAnimationFrame(look);
    const path = Object.keys(usable).find((start) => location.pathname.startsWith(start));
    if (path === undefined || window.paintedAt[path] || !isSeen(document.querySelector(usable[path]))) return;
    // The next task runs after this frame has been painted.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.paintedAt[path] ??= { clock: Date.now(), sinceStart: performance.now() }; };
    port2.postMessage(null);
  };
  requestAnimationFrame(look);
})()`;

interface Painted {
  /** Milliseconds since 1970. */
  clock: number;
  /** Milliseconds since the document was requested. */
  sinceStart: number;
}

async function slowPhone(): Promise<{ page: Target; stop(): Promise<void> }> {
  const chrome = await startChrome();
  const page = await chrome.newPage();
  await page.send('Emulation.setDeviceMetricsOverride', PHONE);
  await page.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER });
  await page.send('Network.enable');
  await page.send('Network.emulateNetworkConditions', { offline: false, ...LINE });
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH });
  return { page, stop: () => chrome.stop() };
}

/** Waits until the document at a path is usable. During a navigation the page cannot answer. */
async function painted(page: Target, path: string, usable: keyof typeof USABLE): Promise<Painted> {
  let seen: Painted | null = null;
  await until(
    `${path} to be usable`,
    async () => {
      seen = await page
        .evaluate<Painted | null>(
          `location.pathname.startsWith(${JSON.stringify(path)}) ? window.paintedAt[${JSON.stringify(usable)}] ?? null : null`,
        )
        .catch(() => null);
      return seen !== null;
    },
    120_000,
    50,
  );
  return seen!;
}

/** Opens a path and returns the seconds until it was usable. */
async function opened(page: Target, url: string, path: string, usable: keyof typeof USABLE): Promise<number> {
  void page.goto(`${url}${path}`).catch(() => undefined);
  return (await painted(page, path, usable)).sinceStart / 1000;
}

/** One person: the form, the waiting room, the admission. */
async function joins(
  server: Fieldroom,
  therapist: { token: string },
): Promise<Pick<Record<Measure, number>, 'join form' | 'let in to figures'>> {
  const phone = await slowPhone();
  try {
    const form = await opened(phone.page, server.url, '/user/join/anna', '/user/join/');
    await phone.page.evaluate(`(() => {
      const input = document.querySelector('form input');
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, 'Person ${process.hrtime.bigint()}'.slice(0, 20));
      input.dispatchEvent(new Event('input', { bubbles: true }));
      document.querySelector('form button[type=submit]').click();
    })()`);
    await until(
      'the waiting room',
      () => phone.page.evaluate<boolean>(`document.querySelector('form') === null`),
      60_000,
    );
    await sleep(WAIT_S * 1000);
    const letIn = Date.now();
    await server.call(admit, { token: therapist.token, body: { clientIds: 'all' } });
    const figures = await painted(phone.page, '/app/play-area-view', '/app/play-area-view');
    return { 'join form': form, 'let in to figures': (figures.clock - letIn) / 1000 };
  } finally {
    phone.page.close();
    await phone.stop();
  }
}

async function signsIn(server: Fieldroom): Promise<number> {
  const phone = await slowPhone();
  try {
    return await opened(phone.page, server.url, '/user/login', '/user/login');
  } finally {
    phone.page.close();
    await phone.stop();
  }
}

await program(async () => {
  await buildIfChanged('web');
  const server = await startFieldroom();
  const therapist = await signInDemo(server);
  await server.call(openRoom, { token: therapist.token });
  const seconds: Record<Measure, number[]> = { 'join form': [], 'let in to figures': [], 'sign-in form': [] };
  for (let round = 0; round < ROUNDS; round++) {
    const joined = await joins(server, therapist);
    seconds['join form'].push(joined['join form']);
    seconds['let in to figures'].push(joined['let in to figures']);
    seconds['sign-in form'].push(await signsIn(server));
    console.log(
      Object.entries(seconds)
        .map(([what, values]) => `${what} ${values.at(-1)!.toFixed(2)} s`)
        .join(', '),
    );
  }
  await server.stop();

  const measures = Object.keys(AIMS) as Measure[];
  const rows = measures.map((what): Row => ({
    'On a slow phone': what,
    'median s': median(seconds[what]).toFixed(2),
    'best s': Math.min(...seconds[what]).toFixed(2),
    'worst s': Math.max(...seconds[what]).toFixed(2),
  }));
  const aims = measures.map((what): Aim => ({
    what,
    aim: `≤ ${AIMS[what]} s`,
    measured: `${median(seconds[what]).toFixed(2)} s`,
    reached: median(seconds[what]) <= AIMS[what],
  }));
  await keep(
    'slow-phone',
    'A slow phone on a weak connection',
    [
      [
        `Chromium with a phone's window, its CPU ${CPU_SLOWER} times slower, ${(LINE.downloadThroughput * 8) / 1000} kbit/s and`,
        `${LINE.latency} ms for each request, a fresh profile for each of ${ROUNDS} rounds, ${WAIT_S} s in the waiting room.`,
        `Seconds until what a person needs is painted.`,
      ].join(' '),
      table(rows),
      table(aimRows(aims)),
    ],
    { seconds, aims },
  );
});
